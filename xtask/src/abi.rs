//! `cargo xtask abi`: the snapshot of the ABI in `docs/abi`, and whether the header is still compatible with it.
//!
//! libabigail reads an ABI from a library's debug information. The library's own is Rust's and changes with each compiler,
//! so it is given one in C that has every function of `mcp.h`, with the same SONAME and versions. That the real library
//! has them too, the step `dist` shows; that the header is what `src/ffi` says, the step `header`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, entries, read, write};
use crate::compiler;
use crate::dist::Version;
use crate::machine::{ABIDIFF, ABIDW, GCC};
use crate::process;
use crate::symbols;

const LIMIT: Duration = Duration::from_secs(120);

/// `cargo xtask abi`
pub fn snapshot(checkout: &Checkout) -> Result<(), String> {
    let header = read(&checkout.header())?;
    let library = library(checkout, &header, "taken")?;
    let path = committed(checkout);
    let mut abidw = Command::new(ABIDW.find()?);
    // Without the folders and lines of the moment.
    abidw
        .args(["--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file"])
        .arg(&path)
        .arg(library);
    process::run(&mut abidw, LIMIT, &checkout.scratch("abi")?.join("abidw"))?
        .well()
        .map_err(|why| format!("abidw: {why}"))?;
    // abidw names the source by its whole path, which must not be published.
    let taken = read(&path)?;
    let folder = format!("{}/", checkout.scratch("abi")?.join("taken").display());
    let plain = taken.replace(&folder, "");
    std::fs::write(&path, plain).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    let kept = programs(checkout)?.join("mcp.h");
    write(&kept, &without_comments(&header))?;
    println!("wrote {}", kept.display());
    Ok(())
}

/// The header of the release and the programs that were compiled with it. Folders of earlier releases stay as they are.
fn programs(checkout: &Checkout) -> Result<PathBuf, String> {
    Ok(checkout.root.join("tests/abi").join(Version::read(checkout)?.line()))
}

/// The folders of all releases that this library is compatible with.
pub fn releases(checkout: &Checkout) -> Result<Vec<PathBuf>, String> {
    let all = entries(&checkout.root.join("tests/abi"))?;
    Ok(all.into_iter().filter(|path| path.is_dir()).collect())
}

/// What a compiler sees of the header.
fn without_comments(header: &str) -> String {
    let mut text = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    format!("{}\n", lines.join("\n"))
}

fn committed(checkout: &Checkout) -> PathBuf {
    checkout.root.join("docs/abi/libmcp.abi")
}

/// Whether a program that was built with the snapshot's library works with one that has this header.
pub fn is_compatible(checkout: &Checkout, header: &str, name: &str) -> Result<(), String> {
    let library = library(checkout, header, name)?;
    let mut abidiff = Command::new(ABIDIFF.find()?);
    // Additions are fine. The snapshot was taken on one kind of machine and holds for all.
    abidiff.args(["--no-added-syms", "--no-architecture"]).arg(committed(checkout)).arg(library);
    let finished = process::run(&mut abidiff, LIMIT, &checkout.scratch("abi")?.join(format!("{name}-diff")))?;
    if finished.succeeded() {
        return Ok(());
    }
    // Bits of the exit status: 1 and 2 say that abidiff itself failed, 4 that something changed, 8 that it breaks.
    if finished.code().is_none_or(|code| code & 3 != 0) {
        return Err(format!("abidiff could not compare: {}", finished.story()));
    }
    Err(format!(
        "the ABI has changed so that programs may break; docs/reference/abi.md, \"When a check fails\", says how to go on\n{}",
        finished.story()
    ))
}

/// A library with every function of the header, without what they do.
fn library(checkout: &Checkout, header: &str, name: &str) -> Result<PathBuf, String> {
    let folder = checkout.scratch(&format!("abi/{name}"))?;
    write(&folder.join("mcp.h"), header)?;
    let (source, script) = (folder.join("stub.c"), folder.join("versions.map"));
    write(&source, &stub(header))?;
    write(&script, &symbols::version_script(checkout)?)?;
    let soname = Version::read(checkout)?.soname();
    let library = folder.join(&soname);
    let mut gcc = Command::new(GCC.find()?);
    gcc.args(["-g", "-O0", "-shared", "-fPIC", "-I"]).arg(&folder).arg(&source).arg("-o").arg(&library);
    gcc.arg(format!("-Wl,-soname,{soname}")).arg(format!("-Wl,--version-script={}", script.display()));
    compiler::compile(&mut gcc, Path::new(&folder.join("gcc")))?;
    Ok(library)
}

/// The header's declarations as definitions.
fn stub(header: &str) -> String {
    let mut text = String::from("#include <mcp.h>\n");
    for declaration in declarations(header) {
        text.push_str(&declaration);
        text.push_str(" { __builtin_trap(); }\n");
    }
    text
}

/// Every function that the header declares, without the semicolon. The header is generated, so it has one form.
fn declarations(header: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut in_comment = false;
    let mut in_struct = false;
    let mut in_macro = false;
    for line in header.lines() {
        let line = line.trim();
        // A macro goes on after a backslash.
        let is_macro = in_macro || line.starts_with('#');
        in_macro = is_macro && line.ends_with('\\');
        if is_macro {
            continue;
        }
        in_comment = in_comment || line.starts_with("/*");
        let is_code = !in_comment && !line.is_empty() && !line.starts_with('}');
        in_comment = in_comment && !line.ends_with("*/");
        // Its members may be pointers to functions.
        in_struct =
            (in_struct && !line.starts_with('}')) || (is_code && line.starts_with("typedef struct {"));
        if !is_code || in_struct || line.starts_with("extern \"C\"") {
            continue;
        }
        current.push_str(line);
        current.push(' ');
        // What stands before a function is for compilers that use it.
        let current_text = current.replace("MCP_API ", "").replace("MCP_MUST_USE ", "");
        if let Some(whole) = current_text.trim_end().strip_suffix(';') {
            if whole.contains('(') && !whole.starts_with("typedef") {
                found.push(whole.to_owned());
            }
            current.clear();
        }
    }
    found
}
