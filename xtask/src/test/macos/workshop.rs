//! The tools for macOS on a Linux machine: the Rust of this machine with the standard libraries that rustup brings, Debian's Clang and LLVM's
//! linker in a chroot, and Zig from Python's package index, which has the headers of macOS and the list of what its C library exports. Zig's own
//! linker does not know a list of exports.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::sdk;
use crate::checkout::{Checkout, folder_at, update};
use crate::chroot::{self, Chroot, INSTALLED, Recipe};
use crate::rustup::Toolchain;
use crate::zig::Zig;
use crate::{dist, process};

const RECIPE: Recipe = Recipe {
    name: "macos-forky",
    suite: "forky",
    architectures: None,
    variant: INSTALLED,
    packages: "ca-certificates,gcc,libc6-dev,clang,lld,llvm",
    variable: "MCP_MACOS_CHROOT",
    what: "Debian's Clang and LLVM for macOS",
    has: "usr/bin/ld64.lld",
};

/// How a person gets it.
const GET: &str = "the tools for macOS are missing. To get them, as root: apt-get install mmdebstrap python3-venv, and name a folder in \
                   MCP_MACOS_CHROOT, where Debian's Clang is put then (1 GB). On a Mac: packaging/macos/check.sh";

/// The oldest macOS for which it is compiled: the first one for aarch64, and Rust's own for x86-64 is older.
pub const OLDEST: &str = "11.0";

pub struct Workshop<'a> {
    checkout: &'a Checkout,
    chroot: Chroot,
    toolchain: Toolchain<'a>,
    zig: Zig,
    /// The files for the linker, and the programs that cargo takes for compiler and linker.
    pub sdk: PathBuf,
    tools: PathBuf,
    crates: PathBuf,
    /// Where cargo builds for macOS.
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
            return Ok(Err(
                "the tools are those of x86-64 Linux; on a Mac: packaging/macos/check.sh".to_owned()
            ));
        }
        let chroot = match Chroot::or_why(checkout, &RECIPE, GET)? {
            Ok(chroot) => chroot,
            Err(why) => return Ok(Err(why)),
        };
        let zig = Zig::install(checkout)?;
        let scratch = checkout.scratch("macos")?;
        chroot::fetch_crates(checkout, &scratch.join("fetch"))?;
        let workshop = Self {
            checkout,
            chroot,
            toolchain: Toolchain::find(checkout)?,
            sdk: scratch.join("sdk"),
            tools: scratch.join("bin"),
            crates: dist::crates()?,
            target: checkout.target.join("macos"),
            zig,
        };
        let itself = workshop.zig.program();
        sdk::write_to(&workshop.sdk, itself.parent().unwrap_or(itself))?;
        workshop.write_tools()?;
        Ok(Ok(workshop))
    }

    /// Gets the standard libraries for systems that this machine's Rust lacks.
    pub fn standard_libraries(&self, triples: &[&str]) -> Result<(), String> {
        self.toolchain.get(triples)
    }

    /// A script of bash in the chroot, where cargo knows the tools.
    pub fn command(&self, script: &str) -> Command {
        let script = format!(
            "set -eu; cd '{}'; export PATH='{}':'{}':$PATH\n{script}",
            self.checkout.root.display(),
            self.tools.display(),
            self.toolchain.programs().display()
        );
        let folders: [&Path; 5] = [
            &self.checkout.root,
            &self.checkout.target,
            &self.crates,
            self.toolchain.folder(),
            self.zig.folder(),
        ];
        let mut command = self.chroot.command(&script, &folders);
        command.env("CARGO_HOME", &self.crates);
        // There is no network; the crates were fetched before.
        command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TERM_COLOR", "never");
        command.env("MACOSX_DEPLOYMENT_TARGET", OLDEST).env("SDKROOT", &self.sdk);
        command.envs(self.zig.caches("macos"));
        for system in ["apple_ios", "linux_android"] {
            command.env(format!("CC_aarch64_{system}"), self.tools.join("cc-for-checks"));
            command.env(format!("AR_aarch64_{system}"), "llvm-ar");
        }
        for processor in ["aarch64", "x86_64"] {
            command.env(format!("CC_{processor}_apple_darwin"), self.tools.join("cc-for-macos"));
            command.env(format!("AR_{processor}_apple_darwin"), "llvm-ar");
            let variable = format!("CARGO_TARGET_{}_APPLE_DARWIN_LINKER", processor.to_uppercase());
            command.env(variable, self.tools.join("link-for-macos"));
        }
        command
    }

    /// The compiler and the linker, each under one name and told what rustc and the crate cc tell Apple's.
    fn write_tools(&self) -> Result<(), String> {
        folder_at(&self.tools)?;
        let words = "#!/bin/bash\nprocessor=arm64\nwords=()\nwhile [ $# -gt 0 ]; do\n  case $1 in\n    --target=x86_64*) processor=x86_64 ;;\n    \
                     --target=* | -mmacosx-version-min=*) ;;\n    -arch) shift; processor=$1 ;;\n    -target | -isysroot) shift ;;\n    \
                     *) words+=(\"$1\") ;;\n  esac\n  shift\ndone\n";
        // What Zig checks at run time by itself would need its own library.
        let compile = format!(
            "{words}[ $processor = arm64 ] && processor=aarch64\nexec '{}' cc -target $processor-macos.{OLDEST} -fno-sanitize=undefined \"${{words[@]}}\"\n",
            self.zig.program().display()
        );
        let link = format!(
            "{words}exec clang -target $processor-apple-macos{OLDEST} -fuse-ld=lld -isysroot '{}' -Wno-unused-command-line-argument \
             \"${{words[@]}}\"\n",
            self.sdk.display()
        );
        // For iOS and Android, whose headers Zig has not: those of macOS and musl have all that *ring* asks for, and nothing is linked.
        let check = format!(
            "#!/bin/bash\nlike=aarch64-linux-musl\nwords=()\nwhile [ $# -gt 0 ]; do\n  case $1 in\n    --target=*ios*) like=aarch64-macos.{OLDEST} ;;\n    \
             --target=* | -miphoneos-version-min=* | -mios-version-min=*) ;;\n    -arch) shift; like=aarch64-macos.{OLDEST} ;;\n    \
             -target | -isysroot) shift ;;\n    *) words+=(\"$1\") ;;\n  esac\n  shift\ndone\nexec '{}' cc -target $like \
             -fno-sanitize=undefined \"${{words[@]}}\"\n",
            self.zig.program().display()
        );
        for (name, text) in [("cc-for-macos", compile), ("cc-for-checks", check), ("link-for-macos", link)] {
            let file = self.tools.join(name);
            update(&file, &text)?;
            process::make_executable(&file)?;
        }
        Ok(())
    }
}
