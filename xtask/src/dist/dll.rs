//! The two libraries of a package for Windows, made by MinGW-w64 from what cargo built.
//!
//! The DLL exports what a module definition file lists, and so it is linked here, as the shared library for Linux is. The static
//! library has the objects of cargo's: one object that hides names, as for Linux, cannot be made of them, because the linker sorts what
//! imports functions of other DLLs by the names of the objects that it is in.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::Archive;
use super::libraries::{LIMIT, Parts, roots, run};
use super::wish::Wish;
use crate::checkout::{self, Checkout, read, write};
use crate::machine::{MINGW_AR, MINGW_CC, MINGW_DLLTOOL, MINGW_NM, MINGW_OBJCOPY};
use crate::process;

/// As cargo calls it.
pub const DLL: &str = "mcp.dll";
/// The import library, by a name that `-lmcp` finds before that of the static library.
pub const IMPORT: &str = "libmcp.dll.a";
/// The module definition file, from which other tools than MinGW-w64's make an import library of theirs.
pub const DEFINITIONS: &str = "mcp.def";

/// How the name of a file for debuggers ends.
const FOR_DEBUGGERS: &str = ".dwo";

pub fn make(checkout: &Checkout, wish: &Wish, archive: &Archive, work: &Path) -> Result<Parts, String> {
    let exports = defined(archive, &read(&checkout.exports())?, work)?;
    let (mut shared, mut import) = (None, None);
    if wish.shared {
        let definitions = work.join(DEFINITIONS);
        write(&definitions, &listed(&exports))?;
        shared = Some(dll(wish, archive, &exports, &definitions, work)?);
        import = Some([import_library(&definitions, work)?, definitions]);
    }
    Ok(Parts {
        debug_file: None,
        shared,
        import,
        archive: if wish.archive { Some(static_library(wish, archive, work)?) } else { None },
        needs: needs(&archive.native),
    })
}

/// The exports that are in the library: with fewer features it has fewer of them, and an export that is missing is an error of the
/// linker here.
fn defined(archive: &Archive, exports: &str, work: &Path) -> Result<String, String> {
    let mut nm = Command::new(MINGW_NM.find()?);
    nm.args(["--defined-only", "--extern-only", "--no-sort", "--quiet"]).arg(&archive.path);
    let finished = process::run(&mut nm, LIMIT, &work.join("nm"))?;
    if !finished.succeeded() {
        return Err(format!("cannot list the functions of {}: {}", archive.path.display(), finished.story()));
    }
    let there: BTreeSet<&str> =
        finished.stdout.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    let found: Vec<&str> = exports.lines().filter(|name| there.contains(name)).collect();
    if found.is_empty() {
        return Err(format!("{} has no function of include/mcp.exports", archive.path.display()));
    }
    Ok(found.join("\n"))
}

/// The module definition file: the exports, and nothing else is exported then.
fn listed(exports: &str) -> String {
    let mut text = format!("LIBRARY {DLL}\nEXPORTS\n");
    for name in exports.lines() {
        let _ = writeln!(text, "    {name}");
    }
    text
}

fn dll(
    wish: &Wish,
    archive: &Archive,
    exports: &str,
    definitions: &Path,
    work: &Path,
) -> Result<PathBuf, String> {
    let library = work.join(DLL);
    let mut cc = Command::new(MINGW_CC.find()?);
    cc.args(&wish.link_args).arg("-shared").arg("-o").arg(&library).args(roots(exports));
    cc.arg(&archive.path).arg(definitions);
    // The compiler's own library inside, and no time of this build. Addresses are chosen when it is loaded, and no data is executed.
    cc.args(["-static-libgcc", "-Wl,--no-insert-timestamp", "-Wl,--gc-sections", "-Wl,-O1"]);
    cc.args(["-Wl,--dynamicbase", "-Wl,--high-entropy-va", "-Wl,--nxcompat"]);
    // Where it is looked for first. The linker would make that of the path of the file, and the DLL another one in each folder.
    cc.arg("-Wl,--image-base,0x180000000").args(&archive.native);
    if wish.strips {
        cc.arg("-s");
    }
    run(&mut cc, "link the DLL", work)?;
    Ok(library)
}

fn import_library(definitions: &Path, work: &Path) -> Result<PathBuf, String> {
    let mut dlltool = Command::new(MINGW_DLLTOOL.find()?);
    // The names of temporary files and the path of the library, as it is said, get into the library: so neither may be of this build.
    dlltool.current_dir(work).args(["--deterministic-libraries", "--temp-prefix", "mcp", "--dllname", DLL]);
    dlltool.arg("--input-def").arg(definitions).args(["--output-lib", IMPORT]);
    run(&mut dlltool, "make the import library", work)?;
    Ok(work.join(IMPORT))
}

fn static_library(wish: &Wish, archive: &Archive, work: &Path) -> Result<PathBuf, String> {
    let library = work.join("libmcp.a");
    let all = with_objects_alone(archive, work)?;
    let mut objcopy = Command::new(MINGW_OBJCOPY.find()?);
    // No times or owners; and no bitcode, which the standard library carries along.
    objcopy.args([
        "--enable-deterministic-archives",
        "--remove-section=.llvmbc",
        "--remove-section=.llvmcmd",
    ]);
    if wish.strips {
        objcopy.arg("--strip-debug");
    }
    run(objcopy.arg(&all).arg(&library), "make the static library", work)?;
    Ok(library)
}

/// A copy of what cargo built without the members that have no code: beside the objects of the standard library that rustup brings there are
/// files for debuggers, which `objcopy` does not know.
fn with_objects_alone(archive: &Archive, work: &Path) -> Result<PathBuf, String> {
    let copy = work.join("objects.a");
    checkout::copy(&archive.path, &copy)?;
    let mut list = Command::new(MINGW_AR.find()?);
    let finished = process::run(list.arg("t").arg(&copy), LIMIT, &work.join("members"))?;
    if !finished.succeeded() {
        return Err(format!("cannot list what is in {}: {}", copy.display(), finished.story()));
    }
    let others: Vec<&str> = finished.stdout.lines().filter(|name| name.ends_with(FOR_DEBUGGERS)).collect();
    if !others.is_empty() {
        let mut ar = Command::new(MINGW_AR.find()?);
        run(
            ar.arg("dD").arg(&copy).args(others),
            "take files for debuggers out of the static library",
            work,
        )?;
    }
    Ok(copy)
}

/// What a program that links the static library has to link too, each library once, the last time that rustc names it.
fn needs(native: &[String]) -> Vec<String> {
    let once = native.iter().enumerate().filter(|(at, name)| !native[at + 1..].contains(name));
    once.map(|(_, name)| name.clone()).collect()
}
