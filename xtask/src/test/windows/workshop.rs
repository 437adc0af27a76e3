//! The tools for Windows on a Linux machine: Debian's newest Rust with the sources of its standard library, the MinGW-w64 compiler and
//! wine in a chroot. It is sid, as forky has no wine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::Checkout;
use crate::chroot::{Chroot, Found, Recipe};
use crate::dist;

const RECIPE: Recipe = Recipe {
    name: "windows-sid",
    suite: "sid",
    architectures: None,
    packages: "ca-certificates,cargo,rustc,rust-src,gcc,libc6-dev,gcc-mingw-w64-x86-64-win32,wine64,wine",
    variable: "MCP_WINDOWS_CHROOT",
    what: "Debian's Rust, MinGW-w64 and wine",
    has: "usr/bin/wine",
};

/// How a person gets it.
const GET: &str = "the tools for Windows are missing. To get them, as root: apt-get install mmdebstrap, and name a folder in \
                   MCP_WINDOWS_CHROOT, where Debian's compilers and wine are put then (5 GB)";

/// What is compiled for.
pub const TARGET: &str = "x86_64-pc-windows-gnu";

pub struct Workshop<'a> {
    checkout: &'a Checkout,
    chroot: Chroot,
    crates: PathBuf,
    /// Where cargo builds for Windows.
    pub target: PathBuf,
}

impl<'a> Workshop<'a> {
    /// The tools, or a sentence that says what is missing.
    pub fn find(checkout: &'a Checkout) -> Result<Result<Self, String>, String> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(Err("the tools are those of x86-64 Linux".to_owned()));
        }
        let chroot = match Chroot::find(checkout, &RECIPE)? {
            Found::Chroot(chroot) => chroot,
            Found::NotMade => return Ok(Err(GET.to_owned())),
            Found::Lacking(why) => return Ok(Err(why)),
        };
        chroot.fetch(checkout, &checkout.scratch("windows")?.join("fetch"))?;
        let target = checkout.target.join("windows");
        Ok(Ok(Self { checkout, chroot, crates: dist::crates()?, target }))
    }

    /// A script of bash in the chroot, where cargo knows the tools.
    pub fn command(&self, script: &str) -> Command {
        let script = format!("set -eu; cd '{}'\n{script}", self.checkout.root.display());
        let folders: [&Path; 3] = [&self.checkout.root, &self.checkout.target, &self.crates];
        let mut command = self.chroot.command(&script, &folders);
        command.env("CARGO_HOME", &self.crates);
        // The lock of the registry is not the one of this machine's cargo; crates are fetched there.
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_UNSTABLE_BUILD_STD", "std,panic_unwind,test");
        command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc");
        // What wine says of itself, such as that there is no display.
        command.env("WINEDEBUG", "-all");
        // Times and loads as for slow machines: of a build without optimization, with every call of the system emulated.
        command.env("MCP_TEST_SCALE", "4");
        command
    }
}
