//! The Swift package, as far as it can be looked at without a Swift compiler: Clang takes header and module map as the module that
//! Swift imports, and every function it calls is one that the library exports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, read, write};
use crate::machine::CLANG;
use crate::process;
use crate::source::{Token, tokens};
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(60);

/// A program in C that has all it uses from the module.
const PROGRAM: &str = "#pragma clang module import CMCP\n\
                       int main(void) { return mcp_abi_version() == MCP_ABI_VERSION ? MCP_OK : 1; }\n";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("every function that it calls is exported", calls_exist(stage.checkout));
    let Some(clang) = stage.tally.need(&CLANG, "the module") else { return Ok(()) };
    let package = stage.checkout.root.join("bindings/swift/Sources/CMCP");
    let include = stage.checkout.root.join("include");
    let module = imports(stage.checkout, &clang, &package, &include);
    stage.tally.check("header and module map are a module", module);
    // What finds nothing wrong must be able to.
    let nowhere = stage.checkout.scratch("swift/nowhere")?;
    let planted = match imports(stage.checkout, &clang, &package, &nowhere) {
        Ok(()) => Err("the check passed without a header".to_owned()),
        Err(why) if why.contains("mcp.h") => Ok(()),
        Err(why) => Err(format!("the check failed for another reason: {why}")),
    };
    stage.tally.check("a module without its header is noticed", planted);
    Ok(())
}

fn imports(checkout: &Checkout, clang: &Path, package: &Path, include: &Path) -> Result<(), String> {
    let folder = checkout.scratch("swift")?;
    // A module that was compiled before would be taken as it was.
    let compiled = folder.join("modules");
    if compiled.exists() {
        std::fs::remove_dir_all(&compiled)
            .map_err(|error| format!("cannot clear {}: {error}", compiled.display()))?;
    }
    let program = folder.join("import.c");
    write(&program, PROGRAM)?;
    let mut command = Command::new(clang);
    command.args(["-fsyntax-only", "-fmodules", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    command.arg(argument("-fmodules-cache-path=", &compiled));
    command.arg(argument("-fmodule-map-file=", &package.join("module.modulemap")));
    command.arg("-I").arg(include).arg(&program);
    let finished = process::run(&mut command, LIMIT, &folder.join("clang"))?;
    if finished.succeeded() { Ok(()) } else { Err(finished.story()) }
}

fn argument(option: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(path);
    argument
}

fn calls_exist(checkout: &Checkout) -> Result<(), String> {
    let exports = read(&checkout.exports())?;
    let exports: BTreeSet<&str> = exports.lines().map(str::trim).collect();
    let mut called = BTreeSet::new();
    for file in swift_files(&checkout.root.join("bindings/swift")) {
        called.extend(functions(&read(&file)?));
    }
    if called.len() < 10 {
        return Err(format!("only {} functions were found, which cannot be: {called:?}", called.len()));
    }
    let unknown: Vec<&String> = called.iter().filter(|name| !exports.contains(name.as_str())).collect();
    if unknown.is_empty() { Ok(()) } else { Err(format!("include/mcp.exports lacks {unknown:?}")) }
}

/// The functions of the library that a source calls. Swift's words and signs are near enough to Rust's for this.
fn functions(source: &str) -> BTreeSet<String> {
    let words = tokens(source);
    words
        .windows(2)
        .filter_map(|two| match (two[0].token, two[1].token) {
            (Token::Word(name), Token::Sign('(')) if name.starts_with("mcp_") => Some(name.to_owned()),
            _ => None,
        })
        .collect()
}

fn swift_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(swift_files(&path));
        } else if path.extension().is_some_and(|it| it == "swift") {
            files.push(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn calls_are_found_and_names_alone_are_not() {
        let found = functions(
            "let a = mcp_version()\n_ = try? x { mcp_call_cancel(client, 1, nil) } // mcp_client_poll\nmcp_t",
        );
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["mcp_call_cancel", "mcp_version"]);
    }
}
