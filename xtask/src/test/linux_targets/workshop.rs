//! The tools for other Linux systems on an x86-64 machine, in a chroot: Debian's newest Rust with its standard library for three of them,
//! compilers, musl, and QEMU's emulation of a processor for programs. For musl it is the cargo and the standard library of rustup.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::pythons;
use super::target::{Rust, TARGETS, Target};
use crate::checkout::{Checkout, cleared, folder_at, write};
use crate::chroot::{self, Chroot, INSTALLED, Recipe};
use crate::dist;
use crate::process::{self, Finished};
use crate::rustup::Toolchain;

const LIMIT: Duration = Duration::from_secs(1800);

const RECIPE: Recipe = Recipe {
    name: "linux-forky",
    suite: "forky",
    architectures: Some("amd64,arm64,armhf,i386"),
    variant: INSTALLED,
    packages: "ca-certificates,cargo,rustc,gcc,libc6-dev,pkgconf,qemu-user,musl-tools,musl-dev:arm64,\
               libstd-rust-dev:arm64,libstd-rust-dev:armhf,libstd-rust-dev:i386,\
               gcc-aarch64-linux-gnu,gcc-arm-linux-gnueabihf,gcc-i686-linux-gnu,\
               libc6-dev-arm64-cross,libc6-dev-armhf-cross,libc6-dev-i386-cross",
    variable: "MCP_LINUX_CHROOT",
    what: "Debian's Rust and compilers for other processors, musl and QEMU",
    has: "usr/bin/qemu-aarch64",
};

/// How a person gets it.
const GET: &str = "the tools for other processors and musl are missing. To get them, as root: apt-get install mmdebstrap, and name a \
                   folder in MCP_LINUX_CHROOT, where Debian's compilers are put then (4 GB)";

/// The processors of the compilers for musl, and where Debian has the kernel's headers for each.
const MUSL: [(&str, &str); 2] =
    [("x86_64", "/usr/include/x86_64-linux-gnu"), ("aarch64", "/usr/aarch64-linux-gnu/include")];

/// Makes the chroots before the steps, where they are wanted.
pub fn make_chroots(checkout: &Checkout) -> Result<(), String> {
    Chroot::find(checkout, &RECIPE)?;
    Chroot::find(checkout, &pythons::ARM64).map(drop)
}

pub struct Workshop<'a> {
    checkout: &'a Checkout,
    chroot: Chroot,
    crates: PathBuf,
    /// The Rust of this machine.
    toolchain: Toolchain<'a>,
    /// The compilers for musl.
    tools: PathBuf,
    /// Whether an emulated program can start another one, or itself.
    pub can_start_emulated: bool,
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
        let scratch = checkout.scratch("linux-targets")?;
        chroot::fetch_crates(checkout, &scratch.join("fetch"))?;
        let mut workshop = Self {
            checkout,
            chroot,
            crates: dist::crates()?,
            toolchain: Toolchain::find(checkout)?,
            tools: scratch.join("bin"),
            can_start_emulated: true,
        };
        workshop.write_tools()?;
        if let Some(target) = TARGETS.iter().find(|target| target.emulator.is_some()) {
            let mut command = workshop.emulated(target, "true");
            let finished = process::run(&mut command, LIMIT, &scratch.join("emulated"))?;
            if !finished.succeeded() {
                let why = finished.story();
                println!(
                    "  emulated programs cannot start themselves: this kernel does not let a namespace say how: {why}"
                );
                workshop.can_start_emulated = false;
            }
        }
        Ok(Ok(workshop))
    }

    /// Where cargo builds: what it compiles for this machine on the way is of one Rust.
    pub fn target(&self, target: &Target) -> PathBuf {
        let folder = match target.rust {
            Rust::Debian => "debian",
            Rust::Rustup => "rustup",
        };
        self.checkout.target.join("linux-targets").join(folder)
    }

    /// Gets the standard library for a system, where it is not Debian's.
    pub fn rust(&self, target: &Target) -> Result<(), String> {
        match target.rust {
            Rust::Debian => Ok(()),
            Rust::Rustup => self.toolchain.get(&[target.triple]),
        }
    }

    /// Runs a script to its end.
    pub fn run(&self, target: &Target, script: &str, log: &Path) -> Result<Finished, String> {
        process::run(&mut self.command(target, script, &[]), LIMIT, log)?.well()
    }

    /// A script of bash in the chroot, with more folders of this machine, where cargo knows the tools for the system.
    pub fn command(&self, target: &Target, script: &str, more: &[&Path]) -> Command {
        self.entered(target, script, more, false)
    }

    /// The same where a program for the system may start itself. It has fewer rights than otherwise.
    pub fn emulated(&self, target: &Target, script: &str) -> Command {
        self.entered(target, script, &[], self.can_start_emulated)
    }

    fn entered(&self, target: &Target, script: &str, more: &[&Path], is_emulated: bool) -> Command {
        let own = match target.rust {
            Rust::Debian => String::new(),
            Rust::Rustup => format!("'{}':", self.toolchain.programs().display()),
        };
        let script = format!(
            "set -euo pipefail; cd '{}'; export PATH={own}'{}':$PATH\n{script}",
            self.checkout.root.display(),
            self.tools.display()
        );
        let mut folders: Vec<&Path> = vec![&self.checkout.root, &self.checkout.target, &self.crates];
        if target.rust == Rust::Rustup {
            folders.push(self.toolchain.folder());
        }
        folders.extend(more);
        let mut command = match &target.emulator {
            Some(emulator) if is_emulated => self.chroot.emulated(&emulator.line(), &script, &folders),
            _ => self.chroot.command(&script, &folders),
        };
        command.env("CARGO_HOME", &self.crates);
        // The lock of the registry is not the one of this machine's cargo; crates are fetched there.
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        let variable = target.variable();
        command.env(format!("CC_{variable}"), target.cc);
        let variable = format!("CARGO_TARGET_{}", variable.to_uppercase());
        // rustup's standard library for musl brings its C library, which is linked by a compiler for glibc as well.
        let linker = target.cc.replace("-linux-musl-", "-linux-gnu-");
        command.env(format!("{variable}_LINKER"), linker);
        if target.emulator.is_some() {
            command.env(format!("{variable}_RUNNER"), target.runner());
        }
        command
    }

    /// The folder with the kernel's headers, which musl's own folder lacks.
    fn headers(&self, processor: &str) -> PathBuf {
        self.tools.join(format!("{processor}-kernel"))
    }

    /// The compilers for musl. Debian has one, for its own processor, under a name that does not say which; the other one is made in
    /// the same way, of the compiler for glibc and the files of musl.
    fn write_tools(&self) -> Result<(), String> {
        folder_at(&self.tools)?;
        for (processor, kernel) in MUSL {
            let file = self.tools.join(format!("{processor}-linux-musl-gcc"));
            write(
                &file,
                &format!(
                    "#!/bin/sh\nexec {processor}-linux-gnu-gcc \"$@\" -idirafter '{}' -specs /usr/lib/{processor}-linux-musl/musl-gcc.specs\n",
                    self.headers(processor).display()
                ),
            )?;
            process::make_executable(&file)?;
            // The links lead to files of the chroot.
            let folder = cleared(&self.headers(processor))?;
            for (name, to) in [
                ("linux", "/usr/include/linux".to_owned()),
                ("asm-generic", "/usr/include/asm-generic".to_owned()),
                ("asm", format!("{kernel}/asm")),
            ] {
                let link = folder.join(name);
                let finished = process::run(Command::new("ln").arg("-s").arg(to).arg(&link), LIMIT, &folder)?;
                if !finished.succeeded() {
                    return Err(format!("cannot make {}: {}", link.display(), finished.story()));
                }
            }
        }
        Ok(())
    }
}
