//! The tools for Windows on a Linux machine: the Rust of this machine with the standard library that rustup brings, and in a chroot Debian's
//! MinGW-w64 compiler, what finds a package (pkg-config, `CMake`), and wine. It is sid, as forky has no wine.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::Checkout;
use crate::chroot::{self, Chroot, INSTALLED, Recipe};
use crate::dist::{self, WINDOWS};
use crate::process::{self, Finished};
use crate::rustup::Toolchain;

const LIMIT: Duration = Duration::from_secs(1500);

const RECIPE: Recipe = Recipe {
    name: "windows-sid",
    suite: "sid",
    architectures: None,
    variant: INSTALLED,
    packages: "ca-certificates,gcc,libc6-dev,gcc-mingw-w64-x86-64-win32,mingw-w64-tools,pkgconf,cmake,make,wine64,\
               wine",
    variable: "MCP_WINDOWS_CHROOT",
    what: "Debian's MinGW-w64 and wine",
    has: "usr/bin/wine",
};

/// How a person gets it.
const GET: &str = "the tools for Windows are missing. To get them, as root: apt-get install mmdebstrap, and name a folder in \
                   MCP_WINDOWS_CHROOT, where Debian's compilers and wine are put then (4 GB)";

pub struct Workshop<'a> {
    checkout: &'a Checkout,
    chroot: Chroot,
    toolchain: Toolchain<'a>,
    crates: PathBuf,
    /// The flags of rustc that a package is made with: with others everything would be compiled twice.
    flags: OsString,
    /// The time of the files in a package. The build script of *ring* asks for it, which is why all that is compiled has it.
    time: String,
    /// Where cargo builds for Windows.
    pub target: PathBuf,
}

/// Makes the chroot before the step, where it is wanted.
pub fn make_chroot(checkout: &Checkout) -> Result<(), String> {
    Chroot::find(checkout, &RECIPE).map(drop)
}

impl<'a> Workshop<'a> {
    /// The tools, or a sentence that says what is missing.
    pub fn find(checkout: &'a Checkout) -> Result<Result<Self, String>, String> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(Err("the tools are those of x86-64 Linux".to_owned()));
        }
        let chroot = match Chroot::or_why(checkout, &RECIPE, GET)? {
            Ok(chroot) => chroot,
            Err(why) => return Ok(Err(why)),
        };
        let scratch = checkout.scratch("windows")?;
        chroot::fetch_crates(checkout, &scratch.join("fetch"))?;
        let toolchain = Toolchain::find(checkout)?;
        let flags = dist::flags(checkout, &dist::Wish::read(checkout, &["--target", WINDOWS])?, &scratch)?;
        let target = checkout.target.join("windows");
        let (crates, time) = (dist::crates()?, dist::time(checkout)?);
        Ok(Ok(Self { checkout, chroot, toolchain, crates, flags, time, target }))
    }

    /// Gets the standard library for Windows, with the C library of one toolchain or the other.
    pub fn standard_library(&self, triple: &str) -> Result<(), String> {
        self.toolchain.get(&[triple])
    }

    /// Runs a script to its end.
    pub fn run(&self, script: &str, log: &Path) -> Result<Finished, String> {
        process::run(&mut self.command(script), LIMIT, log)?.well()
    }

    /// A script of the shell that runs a script in the chroot: there `$ARGUMENT` is what the outer one was given, and these variables are those
    /// of its caller, as far as it has them.
    pub fn entering(&self, script: &str, variables: &[&str]) -> String {
        let command = self.command(script);
        let text = |word: &OsStr| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''"));
        let mut words = vec!["exec env -i".to_owned()];
        for (name, value) in command.get_envs() {
            words.push(format!("{}={}", name.display(), text(value.unwrap_or_default())));
        }
        words.extend(variables.iter().map(|name| format!("${{{name}+\"{name}=${name}\"}}")));
        words.push("\"ARGUMENT=$1\"".to_owned());
        words.push(text(command.get_program()));
        words.extend(command.get_args().map(text));
        format!("#!/bin/sh\n{}\n", words.join(" "))
    }

    /// A script of bash in the chroot, where cargo knows the tools.
    pub fn command(&self, script: &str) -> Command {
        let script = format!(
            "set -euo pipefail; cd '{}'; export PATH='{}':$PATH\n{script}",
            self.checkout.root.display(),
            self.toolchain.programs().display()
        );
        let folders: [&Path; 4] =
            [&self.checkout.root, &self.checkout.target, &self.crates, self.toolchain.folder()];
        let mut command = self.chroot.command(&script, &folders);
        command.env("CARGO_HOME", &self.crates);
        // There is no network; the crates were fetched before.
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        // `dist` has cargo take warnings for errors, which a stable one does not know yet.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc");
        command.env("CARGO_ENCODED_RUSTFLAGS", &self.flags).env("SOURCE_DATE_EPOCH", &self.time);
        command.env("CC", "/usr/bin/x86_64-w64-mingw32-gcc").env("AR", "/usr/bin/x86_64-w64-mingw32-ar");
        // What wine says of itself, such as that there is no display.
        command.env("WINEDEBUG", "-all");
        // Times and loads as for slow machines: of a build without optimization, with every call of the system emulated.
        command.env("MCP_TEST_SCALE", "4");
        command
    }
}
