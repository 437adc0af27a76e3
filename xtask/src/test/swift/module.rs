//! The Swift package, as far as it can be looked at without a Swift compiler: Clang takes header and module map as the module that
//! Swift imports.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, removed, write};
use crate::machine::CLANG;
use crate::process;
use crate::test::Stage;

const LIMIT: Duration = Duration::from_secs(60);

/// A program in C that has all it uses from the module.
const PROGRAM: &str = "#pragma clang module import CMCP\n\
                       int main(void) { return mcp_abi_version() == MCP_ABI_VERSION ? MCP_OK : 1; }\n";

pub fn run(stage: &mut Stage) -> Result<(), String> {
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
    removed(&compiled)?;
    let program = folder.join("import.c");
    write(&program, PROGRAM)?;
    let mut command = Command::new(clang);
    command.args(["-fsyntax-only", "-fmodules", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    command.arg(argument("-fmodules-cache-path=", &compiled));
    command.arg(argument("-fmodule-map-file=", &package.join("module.modulemap")));
    command.arg("-I").arg(include).arg(&program);
    process::run(&mut command, LIMIT, &folder.join("clang"))?.done()
}

fn argument(option: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(option);
    argument.push(path);
    argument
}
