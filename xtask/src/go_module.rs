//! `cargo xtask go-module`: the Go binding as it is published, a module that needs neither Rust nor pkg-config.
//!
//! The module is the sources of `bindings/go`, the header, and a static archive for each platform. An archive lies in a
//! package of its own, so that `go mod vendor` copies it, and build constraints choose it. The files go into the
//! repository that the module's path names, which gets a tag for each version.

use std::path::Path;
use std::process::Command;

use crate::checkout::{Checkout, folder_at, read, write};
use crate::natives::{self, Native};
use crate::{dist, release};

pub const HELP: &str = "\
usage: cargo xtask go-module --to FOLDER [--archive PLATFORM=FILE]…

Writes the Go module with prebuilt archives. PLATFORM is linux_amd64, linux_arm64, linux_amd64_musl or
linux_arm64_musl. Without --archive the library is built for this machine.
";

/// The module's path, as its users write it.
pub const MODULE: &str = "github.com/libmcp/libmcp-go";

/// What rustc names for a static library on Linux.
const NATIVE: &str = "-lpthread -ldl -lm";

/// A platform and the build constraint that chooses it.
const PLATFORMS: [(&str, &str); 4] = [
    ("linux_amd64", "linux && amd64 && !mcp_musl"),
    ("linux_arm64", "linux && arm64 && !mcp_musl"),
    ("linux_amd64_musl", "linux && amd64 && mcp_musl"),
    ("linux_arm64_musl", "linux && arm64 && mcp_musl"),
];

/// With one of these tags the library is the system's, found by pkg-config.
const SYSTEM: &str = "mcp_shared || mcp_static";

/// `cargo xtask go-module`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let (to, mut archives) = natives::named(options, "--archive", HELP)?;
    if archives.is_empty() {
        let built = release::library_and_example(checkout)?;
        archives.push(Native { platform: host()?.to_owned(), file: built.folder.join("libmcp.a") });
    }
    write_module(checkout, &to, &archives)?;
    println!("the module {MODULE} {} is in {}", dist::Version::read(checkout)?, to.display());
    Ok(())
}

/// The platform of this machine.
pub fn host() -> Result<&'static str, String> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux_amd64"),
        ("linux", "aarch64") => Ok("linux_arm64"),
        (system, machine) => Err(format!("there is no prebuilt Go module for {system} on {machine}")),
    }
}

/// Writes the module into a folder. Other files there, such as `.git`, are left alone.
pub fn write_module(checkout: &Checkout, to: &Path, archives: &[Native]) -> Result<(), String> {
    let from = checkout.root.join("bindings/go");
    make(to)?;
    make(&to.join("mcptest"))?;
    for end in [".go", ".c"] {
        for file in Checkout::files_in(&from, end) {
            if !file.to_string_lossy().ends_with("_test.go") {
                copy(&file, to)?;
            }
        }
    }
    copy(&from.join("mcptest/mcptest.go"), &to.join("mcptest"))?;
    for name in ["go.mod", "go.sum", "README.md"] {
        copy(&from.join(name), to)?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "include/mcp.h"] {
        copy(&checkout.root.join(name), to)?;
    }
    for archive in archives {
        let Some((platform, constraint)) = PLATFORMS.iter().find(|(name, _)| *name == archive.platform)
        else {
            return Err(format!("{}: there is no such platform\n\n{HELP}", archive.platform));
        };
        put_archive(to, platform, constraint, &archive.file)?;
    }
    write_rest(to, archives)
}

/// The archive in a package of its own, and the file that imports it.
fn put_archive(to: &Path, platform: &str, constraint: &str, file: &Path) -> Result<(), String> {
    let folder = to.join("lib").join(platform);
    make(&folder)?;
    let place = folder.join("libmcp.a");
    std::fs::copy(file, &place).map_err(|error| format!("cannot copy {}: {error}", file.display()))?;
    strip(&place, platform)?;
    write(
        &folder.join("link.go"),
        &format!(
            "//go:build cgo && {constraint} && !({SYSTEM})\n\n\
             // Package {platform} is the library of the package mcp for one platform. It has nothing else.\n\
             package {platform}\n\n// #cgo LDFLAGS: ${{SRCDIR}}/libmcp.a {NATIVE}\nimport \"C\"\n"
        ),
    )?;
    write(
        &to.join(format!("link_{platform}_prebuilt.go")),
        &format!(
            "//go:build cgo && {constraint} && !({SYSTEM})\n\npackage mcp\n\n\
             import _ \"{MODULE}/lib/{platform}\"\n\n// #cgo CFLAGS: -I${{SRCDIR}}\nimport \"C\"\n"
        ),
    )
}

/// A program's debugger has no sources of the library; with what is for it the archive is half as large again. This machine's `strip` does
/// not know archives for other processors: those of `cargo xtask dist` are stripped already.
fn strip(archive: &Path, platform: &str) -> Result<(), String> {
    let is_own = host().is_ok_and(|own| platform.trim_end_matches("_musl") == own);
    if !is_own {
        return Ok(());
    }
    let stripped = Command::new("strip").arg("--strip-debug").arg(archive).status();
    if stripped.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("strip --strip-debug {} failed; it is in binutils", archive.display()))
}

/// The shared library of the system needs a tag, and a platform without an archive has a text that says what to do.
fn write_rest(to: &Path, archives: &[Native]) -> Result<(), String> {
    let shared = to.join("link_shared.go");
    let text = read(&shared)?;
    if !text.contains("//go:build !mcp_static\n") {
        return Err(
            "bindings/go/link_shared.go has another build constraint than go_module.rs knows".to_owned()
        );
    }
    write(&shared, &text.replace("//go:build !mcp_static\n", "//go:build mcp_shared && !mcp_static\n"))?;
    let there: Vec<String> = PLATFORMS
        .iter()
        .filter(|(name, _)| archives.iter().any(|archive| archive.platform == *name))
        .map(|(_, constraint)| format!("({constraint})"))
        .collect();
    write(
        &to.join("link_missing.go"),
        &format!(
            "//go:build cgo && !({}) && !({SYSTEM})\n\npackage mcp\n\n\
             // This module has no archive for the platform. Install the library and build with the tag mcp_shared or mcp_static.\n\
             var _ = no_prebuilt_library_for_this_platform__install_libmcp_and_build_with_the_tag_mcp_shared\n",
            there.join(" || "),
        ),
    )
}

fn make(folder: &Path) -> Result<(), String> {
    folder_at(folder)
}

fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    let to = folder.join(file.file_name().unwrap_or_default());
    std::fs::copy(file, to)
        .map(|_| ())
        .map_err(|error| format!("cannot copy {} to {}: {error}", file.display(), folder.display()))
}
