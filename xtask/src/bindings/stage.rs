//! Where the bindings find the library: in an install tree, so that they are built with `pkg-config` as their users build
//! them.

use std::path::PathBuf;

use crate::checkout::Checkout;
use crate::dist::{self, Wish};

/// The folders of the tree that programs need to know.
pub struct Staged {
    pub library_folder: PathBuf,
    pub pkgconfig: PathBuf,
}

/// The installed library, in `target/xtask/stage`.
pub fn stage(checkout: &Checkout) -> Result<Staged, String> {
    let to = checkout.scratch("stage")?.display().to_string();
    let made = dist::make(checkout, &Wish::read(checkout, &["--to", &to, "--no-tarball"])?)?;
    let library_folder = made.tree.join("lib");
    Ok(Staged { pkgconfig: library_folder.join("pkgconfig"), library_folder })
}
