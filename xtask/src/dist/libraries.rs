//! The two libraries of a package for Linux, made from what cargo built.
//!
//! cargo gives a shared library no SONAME and its symbols no versions, and a second version script beside rustc's is
//! refused by the linker. So the shared library is linked here, from the static one. And a static library of Rust's shows
//! every function of the standard library, so that two of them in one program collide: here it becomes one object
//! that keeps all names to itself but those of the API.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::archive::Archive;
use super::tools::{self, Tools};
use super::version::Version;
use super::wish::Wish;
use crate::checkout::{Checkout, read, write};
use crate::machine::READELF;
use crate::{process, rustc, symbols};

/// How long a linker or `objcopy` may take. With much other work on two cores `objcopy` took more than 130 s for armv7.
pub const LIMIT: Duration = Duration::from_secs(900);

/// The libraries that a C compiler links by itself: naming them again would break `cc -static`, for which there is no
/// `libgcc_s`.
const COMPILERS_OWN: [&str; 2] = ["-lgcc_s", "-lc"];

/// What rustc names where its standard library for musl is without the functions that find the frames of a panic.
const UNWINDER: &str = "-lunwind";
/// What a compiler for musl may have to be told: Debian's leaves out the table by which the frames of a panic are found, and without
/// it every panic ends the process.
const FRAMES: &str = "-Wl,--eh-frame-hdr";
/// A program that links the static library has what it calls of it, and not the rest, which is a third.
const UNUSED: &str = "-Wl,--gc-sections";

/// What is stripped anyway, and is two thirds of what cargo makes, goes through no linker.
const WITHOUT_LINES: &str = "-Wl,--strip-debug";

/// The symbols that stay in both libraries: of the functions by which `packaging/debugging/mcp.supp` recognizes blocks, and those
/// of the API, because gdb does not look at the dynamic symbols of a library that has others.
const KEPT: [&str; 3] = ["*16kept_for_process*", "*12init_current*", "mcp_*"];

pub struct Parts {
    pub shared: Option<PathBuf>,
    /// What was stripped from it, and where that belongs below the prefix.
    pub debug_file: Option<(PathBuf, String)>,
    /// What programs are linked with instead of the shared library, and the list that it was made from: on Windows.
    pub import: Option<[PathBuf; 2]>,
    pub archive: Option<PathBuf>,
    /// What a program that links the static library has to link too.
    pub needs: Vec<String>,
}

pub fn make(
    checkout: &Checkout,
    wish: &Wish,
    version: &Version,
    archive: &Archive,
    work: &Path,
) -> Result<Parts, String> {
    let exports = read(&checkout.exports())?;
    let roots = roots(&exports);
    let unwinder = unwinder(checkout, wish, archive)?;
    // It is inside both libraries, and a program that links them needs none.
    let native = archive.native.iter().filter(|it| unwinder.is_none() || *it != UNWINDER).cloned().collect();
    let frames = wish.is_for_musl().then(|| FRAMES.to_owned());
    let mut needs: Vec<String> = [UNUSED.to_owned()].into_iter().chain(frames).collect();
    let maker = Maker { wish, archive, roots: &roots, unwinder, native, tools: tools::of(wish), work };
    needs.extend(maker.native.iter().filter(|it| !COMPILERS_OWN.contains(&it.as_str())).cloned());
    let shared = if wish.shared { Some(maker.shared(checkout, version)?) } else { None };
    Ok(Parts {
        debug_file: match &shared {
            Some(library) if wish.debug_file => {
                Some((maker.debug_file(), debug_place(&maker.build_id(library)?)?))
            }
            _ => None,
        },
        shared,
        import: None,
        archive: if wish.archive { Some(maker.archive(checkout)?) } else { None },
        needs,
    })
}

/// The API's functions, for the linker: what they need is linked, and nothing else.
pub fn roots(exports: &str) -> Vec<String> {
    exports.lines().map(|name| format!("-Wl,-u,{name}")).collect()
}

/// The static library with the functions that find the frames of a panic, which Rust has beside its standard library for musl.
fn unwinder(checkout: &Checkout, wish: &Wish, archive: &Archive) -> Result<Option<PathBuf>, String> {
    if !archive.native.iter().any(|it| it == UNWINDER) {
        return Ok(None);
    }
    let file = rustc::libraries(checkout, wish.system())?.join("self-contained/libunwind.a");
    // A Rust of another origin links with an unwinder of the system, which then is needed.
    Ok(file.is_file().then_some(file))
}

/// Runs a tool; the error says what it was to do.
pub fn run(command: &mut Command, what: &str, work: &Path) -> Result<(), String> {
    let finished = process::run(command, LIMIT, &work.join("log"))?;
    if finished.succeeded() {
        return Ok(());
    }
    let tool = command.get_program().display().to_string();
    Err(format!("cannot {what}: {tool} ended with {}", finished.story()))
}

struct Maker<'a> {
    wish: &'a Wish,
    archive: &'a Archive,
    roots: &'a [String],
    unwinder: Option<PathBuf>,
    /// What rustc names, but for the unwinder if that is here.
    native: Vec<String>,
    tools: Tools,
    work: &'a Path,
}

impl Maker<'_> {
    fn shared(&self, checkout: &Checkout, version: &Version) -> Result<PathBuf, String> {
        let library = self.work.join(version.file());
        let script = self.work.join("versions.map");
        write(&script, &symbols::version_script(checkout)?)?;
        let mut cc = self.linker()?;
        cc.arg("-shared").arg("-o").arg(&library).args(self.roots).arg(&self.archive.path);
        cc.args(&self.unwinder);
        cc.arg(format!("-Wl,--version-script={}", script.display()));
        cc.arg(format!("-Wl,-soname,{}", version.soname()));
        // A library with threads of its own must not be unmapped under them. The rest hardens: relocations are done and
        // made read-only at the start, no stack or code can be written and run, nothing is left to be found at run time.
        for option in ["nodelete", "relro", "now", "noexecstack", "text", "defs"] {
            cc.arg(format!("-Wl,-z,{option}"));
        }
        cc.args(["-Wl,--gc-sections", "-Wl,-O1", "-Wl,--as-needed"]).args(&self.native);
        if self.wish.is_for_musl() {
            cc.arg(FRAMES);
        }
        if self.wish.debug_file {
            cc.arg("-Wl,--build-id=sha1");
        } else if self.wish.strips {
            cc.arg(WITHOUT_LINES);
        }
        self.run(&mut cc, "link the shared library")?;
        if self.wish.debug_file {
            let mut objcopy = Command::new(self.tools.objcopy.find()?);
            objcopy
                .args(["--only-keep-debug", "--compress-debug-sections"])
                .arg(&library)
                .arg(self.debug_file());
            self.run(&mut objcopy, "keep what is stripped")?;
        }
        if self.wish.strips {
            let mut strip = Command::new(self.tools.strip.find()?);
            strip.arg("--strip-unneeded").args(keep()).arg(&library);
            self.run(&mut strip, "strip it")?;
        }
        Ok(library)
    }

    fn debug_file(&self) -> PathBuf {
        self.work.join("libmcp.debug")
    }

    /// The build id of a library, as hexadecimal digits.
    fn build_id(&self, library: &Path) -> Result<String, String> {
        let mut readelf = Command::new(READELF.find()?);
        let finished = process::run(readelf.arg("-n").arg(library), LIMIT, &self.work.join("log"))?;
        let id = finished.stdout.lines().find_map(|line| line.trim().strip_prefix("Build ID: "));
        id.map(str::to_owned)
            .ok_or_else(|| format!("{} has no build id: {}", library.display(), finished.story()))
    }

    fn archive(&self, checkout: &Checkout) -> Result<PathBuf, String> {
        let object = self.work.join("mcp.o");
        let library = self.work.join("libmcp.a");
        let mut cc = self.linker()?;
        // A section that other objects may have too is kept once in a program, under a name that is hidden here: so there
        // may be no such sections.
        cc.args(["-r", "-nostdlib", "-Wl,--gc-sections,--force-group-allocation", "-o"])
            .arg(&object)
            .args(self.roots);
        if self.wish.strips {
            cc.arg(WITHOUT_LINES);
        }
        self.run(cc.arg(&self.archive.path).args(&self.unwinder), "link the static library into one object")?;
        let mut objcopy = Command::new(self.tools.objcopy.find()?);
        objcopy.arg(format!("--keep-global-symbols={}", checkout.exports().display()));
        // Bitcode that the standard library carries along: of no use here, and the tools of another LLVM choke on it.
        // Names of compilers are in the bill of materials.
        objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd", "--remove-section=.comment"]);
        if self.wish.strips {
            objcopy.args(["--strip-debug", "--strip-unneeded"]).args(keep());
        }
        self.run(objcopy.arg(&object), "hide what is not the API's")?;
        match std::fs::remove_file(&library) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(format!("cannot replace {}: {error}", library.display()));
            }
            _ => {}
        }
        let mut ar = Command::new(self.tools.ar.find()?);
        // D: no time, owner or mode of this machine.
        self.run(ar.arg("rcsD").arg(&library).arg(&object), "make the static library")?;
        Ok(library)
    }

    fn linker(&self) -> Result<Command, String> {
        let mut cc = Command::new(self.tools.cc.find()?);
        cc.args(&self.wish.link_args);
        Ok(cc)
    }

    fn run(&self, command: &mut Command, what: &str) -> Result<(), String> {
        run(command, what, self.work)
    }
}

/// Where debuggers look for what belongs to a build id, below a prefix.
fn debug_place(id: &str) -> Result<String, String> {
    match id.split_at_checked(2) {
        Some((first, rest)) if !rest.is_empty() && id.bytes().all(|it| it.is_ascii_hexdigit()) => {
            Ok(format!("lib/debug/.build-id/{first}/{rest}.debug"))
        }
        _ => Err(format!("'{id}' is no build id")),
    }
}

/// What `strip` and `objcopy` are told, to leave them.
fn keep() -> Vec<String> {
    let symbols = KEPT.iter().map(|name| format!("--keep-symbol={name}"));
    std::iter::once("--wildcard".to_owned()).chain(symbols).collect()
}

#[cfg(test)]
mod tests {
    use super::debug_place;

    #[test]
    fn a_debug_file_is_where_its_build_id_says() {
        assert_eq!(debug_place("ab0123"), Ok("lib/debug/.build-id/ab/0123.debug".to_owned()));
        for id in ["", "a", "ab", "../x", "xy01"] {
            assert!(debug_place(id).is_err(), "{id}");
        }
    }
}
