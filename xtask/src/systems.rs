//! `cargo xtask system`: the tools by which tests and releases make the library for other systems on x86-64 Linux: Debian's compilers and emulators in a chroot, the
//! Rust of this machine with the standard libraries that rustup brings, and Zig. What is done with them is in Python (`tests/systems.py`).

use serde_json::{Value, json};

use crate::checkout::Checkout;
use crate::chroot::{self, Chroot, INSTALLED, Recipe, UNPACKED};
use crate::dist::{self, WINDOWS};
use crate::rustup::Toolchain;
use crate::zig::Zig;

/// A system, or a group of systems with the same tools.
pub struct System {
    pub name: &'static str,
    recipe: Recipe,
    /// How much room the chroot takes.
    room: &'static str,
    /// The standard libraries that every run of its tests needs.
    triples: &'static [&'static str],
}

macro_rules! systems {
    ($($name:literal in $folder:literal of $suite:literal or $variable:literal, $room:literal: $what:literal,
       $packages:literal has $has:literal $(, for [$($triples:expr),*])? $(, as $variant:ident $architectures:literal)?;)*) => {
        [$(System {
            name: $name, room: $room, triples: &[$($($triples),*)?],
            recipe: Recipe {
                name: $folder, suite: $suite, packages: $packages, variable: $variable, what: $what, has: $has,
                architectures: [$(Some($architectures),)? None][0], variant: [$($variant,)? INSTALLED][0],
            },
        }),*]
    };
}

/// A system in a row: its name, the folder of its chroot and what else may name one, Debian's suite, the room that it takes, what is in it, its
/// packages and a file of the last ones; then the standard libraries of Rust, or how much of Debian it has and for which processors.
pub const SYSTEMS: [System; 7] = systems! {
    "macos" in "macos-forky" of "forky" or "MCP_MACOS_CHROOT", "1 GB": "Debian's Clang and LLVM for macOS",
        "ca-certificates,gcc,libc6-dev,clang,lld,llvm" has "usr/bin/ld64.lld", for ["aarch64-apple-darwin", "aarch64-apple-ios", "aarch64-linux-android"];
    // It is sid, as forky has no wine.
    "windows" in "windows-sid" of "sid" or "MCP_WINDOWS_CHROOT", "4 GB": "Debian's MinGW-w64 and wine",
        "ca-certificates,gcc,libc6-dev,gcc-mingw-w64-x86-64-win32,mingw-w64-tools,pkgconf,cmake,make,wine64,wine" has "usr/bin/wine", for [WINDOWS];
    "linux" in "linux-forky" of "forky" or "MCP_LINUX_CHROOT", "4 GB": "Debian's Rust and compilers for other processors, musl and QEMU",
        "ca-certificates,cargo,rustc,gcc,libc6-dev,pkgconf,qemu-user,musl-tools,musl-dev:arm64,\
         libstd-rust-dev:arm64,libstd-rust-dev:armhf,libstd-rust-dev:i386,\
         gcc-aarch64-linux-gnu,gcc-arm-linux-gnueabihf,gcc-i686-linux-gnu,\
         libc6-dev-arm64-cross,libc6-dev-armhf-cross,libc6-dev-i386-cross" has "usr/bin/qemu-aarch64", as INSTALLED "amd64,arm64,armhf,i386";
    // For QEMU. Nothing of it runs while it is put there, so its packages are unpacked and not installed.
    "python-arm64" in "python-arm64-forky" of "forky" or "MCP_PYTHON_ARM64", "70 MB": "Debian's Python for arm64",
        "python3,python3-cffi-backend" has "usr/bin/python3", as UNPACKED "arm64";
    // What the files of a release are installed on: no Rust, and nothing of this project.
    "user" in "user-trixie" of "trixie" or "MCP_USER_CHROOT", "1.5 GB": "Debian 13 as a user of packages has it",
        "ca-certificates,curl,gcc,libc6-dev,pkgconf,python3-venv,nodejs,npm,openjdk-25-jdk-headless,luajit,luarocks,minisign,rpm,\
         cmake,make,git,golang-go,maven" has "usr/bin/minisign";
    "user-12" in "user-bookworm" of "bookworm" or "MCP_USER_12_CHROOT", "700 MB": "Debian 12 as a user of packages has it",
        "ca-certificates,curl,gcc,libc6-dev,pkgconf,python3-venv,luajit,luarocks,minisign,rpm,nuget,mono-mcs" has "usr/bin/minisign";
    // What Swift's package manager needs beside the compiler.
    "swift" in "swift-trixie" of "trixie" or "MCP_SWIFT_CHROOT", "2 GB": "Debian's Swift",
        "ca-certificates,swiftlang,pkg-config,g++,libc6-dev,libxml2-dev" has "usr/bin/swift";
};

/// Debian's Swift, for machines without one: the last row.
pub const DEBIANS_SWIFT: &Recipe = &SYSTEMS[SYSTEMS.len() - 1].recipe;

/// `cargo xtask system NAME [TRIPLE…]`: gets the tools and the standard libraries, and prints where they are, as JSON.
pub fn tell(checkout: &Checkout, name: &str, triples: &[&str]) -> Result<(), String> {
    let system = SYSTEMS.iter().find(|system| system.name == name);
    let system = system.ok_or_else(|| {
        let known = SYSTEMS.map(|system| system.name).join(", ");
        format!("there are no tools for {name}; there are those for {known}")
    })?;
    println!("{}", system.tools(checkout, triples)??);
    Ok(())
}

/// Makes the chroot of a system before the step that needs it, where it is wanted.
pub fn make_chroot(checkout: &Checkout, name: &str) -> Result<(), String> {
    let mut wanted = SYSTEMS.iter().filter(|system| system.name == name);
    wanted.try_for_each(|system| Chroot::find(checkout, &system.recipe).map(drop))
}

impl System {
    /// Where the tools are, or what the machine lacks and how to get it; the error says what failed on one that has it.
    pub fn tools(&self, checkout: &Checkout, more: &[&str]) -> Result<Result<Value, String>, String> {
        let Recipe { variable, what, .. } = self.recipe;
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Ok(Err(format!(
                "{what} are tools of x86-64 Linux; on a Mac packaging/macos/check.sh checks the library"
            )));
        }
        let get = format!(
            "{what}: missing. To get that, as root: apt-get install mmdebstrap python3-venv, and name a folder in {variable}, where it \
             is put then ({})",
            self.room
        );
        let chroot = match Chroot::or_why(checkout, &self.recipe, &get)? {
            Ok(chroot) => chroot,
            Err(why) => return Ok(Err(why)),
        };
        let scratch = checkout.scratch("systems")?;
        chroot::fetch_crates(checkout, &scratch.join(self.name))?;
        let toolchain = Toolchain::find(checkout)?;
        toolchain.get(&[self.triples, more].concat())?;
        let zig = match self.name {
            "macos" => {
                let zig = Zig::install(checkout)?;
                json!({ "folder": zig.folder(), "program": zig.program() })
            }
            _ => Value::Null,
        };
        // What a package for Windows is made with: with other flags and another time everything would be compiled twice.
        let wish = dist::Wish::read(checkout, &["--target", WINDOWS])?;
        let flags = dist::flags(checkout, &wish, &scratch)?;
        let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        Ok(Ok(json!({
            "root": chroot.root(),
            "enter": chroot.entering(),
            "rust": toolchain.folder(),
            "crates": dist::crates()?,
            "checkout": checkout.root,
            "target": checkout.target,
            "xtask": own,
            "zig": zig,
            "flags": flags.to_string_lossy(),
            "time": dist::time(checkout)?,
            "version": dist::Version::read(checkout)?.to_string(),
        })))
    }
}
