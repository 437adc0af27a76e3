//! Standard libraries for other systems, which rustup brings for the Rust of this machine. Debian has none for macOS and musl, and to
//! compile them from their sources takes minutes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, folder_at, read};
use crate::lock::Lock;
use crate::{chroot, process, rustc};

/// The Rust of this machine.
pub struct Toolchain<'a> {
    checkout: &'a Checkout,
    folder: PathBuf,
}

impl<'a> Toolchain<'a> {
    pub fn find(checkout: &'a Checkout) -> Result<Self, String> {
        Ok(Self { checkout, folder: rustc::sysroot(checkout)? })
    }

    /// Where it is: a chroot that has it at this path, and a C compiler that links, compiles with it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gets the standard libraries for systems that it lacks. Two runs of rustup at a time hinder each other, and so it is locked.
    pub fn get(&self, triples: &[&str]) -> Result<(), String> {
        if self.lacking(triples)?.is_empty() {
            return Ok(());
        }
        let cache = chroot::cache()?;
        folder_at(&cache)?;
        let _lock = Lock::take(&cache.join("rustup.lock"), "gets a standard library")?;
        let lacking = self.lacking(triples)?;
        let Some(first) = lacking.first() else { return Ok(()) };
        let get = || {
            let mut rustup = Command::new("rustup");
            rustup.args(["target", "add"]).args(&lacking).current_dir(&self.checkout.root);
            rustup
        };
        process::download(get, process::LIMIT, &self.checkout.scratch("rustup")?.join(first)).map_err(|why| {
            let (all, words) = (lacking.join(", "), lacking.join(" "));
            format!(
                "rustup does not bring Rust's standard library for {all} (rustup target add {words}): {why}"
            )
        })?;
        match self.lacking(&lacking)?.as_slice() {
            [] => Ok(()),
            left => Err(format!(
                "rustup has brought Rust's standard library for {} to another toolchain than {}, which is the one in use: let RUSTC and PATH name that of rustup",
                left.join(", "),
                self.folder.display()
            )),
        }
    }

    /// The systems for which it has none. What rustup has brought whole stands in a list of its own: a folder may be there already while
    /// its files still come.
    fn lacking<'t>(&self, triples: &[&'t str]) -> Result<Vec<&'t str>, String> {
        let list = self.folder.join("lib/rustlib/components");
        if !list.is_file() {
            return Err(format!(
                "the Rust in {} is not one of rustup, which has standard libraries for other systems. To get one: https://rustup.rs, and its rustc first in PATH",
                self.folder.display()
            ));
        }
        let there = read(&list)?;
        let is_there =
            |triple: &str| there.lines().any(|line| line.strip_prefix("rust-std-") == Some(triple));
        Ok(triples.iter().copied().filter(|triple| !is_there(triple)).collect())
    }
}
