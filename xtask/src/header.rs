//! `include/mcp.h`: written from `src/ffi` by the crate in `xtask/header`, never by hand, and proved to compile.
//!
//! A check never writes into `include/`: it makes its own copy and compares.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, read, write as write_file};
use crate::compiler::{self, all};
use crate::machine::{CLANG, Tool};
use crate::release::Built;
use crate::symbols;

/// `cargo xtask header`
pub fn write(checkout: &Checkout) -> Result<(), String> {
    generate(checkout, &checkout.header(), &checkout.exports())?;
    println!("wrote include/mcp.h and include/mcp.exports");
    symbols::update(checkout)?;
    prove(checkout)
}

/// `cargo xtask header --check`
pub fn check(checkout: &Checkout) -> Result<(), String> {
    is_fresh(checkout)?;
    symbols_are_told(checkout)?;
    println!("include/mcp.h and include/mcp.exports are up to date");
    prove(checkout)
}

/// Compares the committed files with new ones.
pub fn is_fresh(checkout: &Checkout) -> Result<(), String> {
    let folder = checkout.scratch("header")?;
    let (header, exports) = (folder.join("mcp.h"), folder.join("mcp.exports"));
    generate(checkout, &header, &exports)?;
    for (committed, new) in [(checkout.header(), header), (checkout.exports(), exports)] {
        if let Some(difference) = first_difference(&read(&committed)?, &read(&new)?) {
            return Err(format!(
                "{} is not what src/ffi says; run `cargo xtask header` and commit it\n{difference}",
                committed.display()
            ));
        }
    }
    Ok(())
}

/// Compares the table of symbols with the header.
pub fn symbols_are_told(checkout: &Checkout) -> Result<(), String> {
    let wrong = symbols::differences(checkout)?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Compiles the header (for C++ the one over it, too) with one compiler in one standard: alone, and in two units that are linked together. With a
/// built library the units also call it, which proves the linkage that C++ sees.
pub fn compiles(
    checkout: &Checkout,
    program: &Path,
    standard: &str,
    built: Option<&Built>,
) -> Result<(), String> {
    let cpp = standard.starts_with("c++");
    let extension = if cpp { "cpp" } else { "c" };
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = checkout.scratch(&format!("header/{name}-{standard}"))?;
    let unit = |stem: &str, text: &str| -> Result<PathBuf, String> {
        let path = folder.join(stem).with_extension(extension);
        write_file(&path, text)?;
        Ok(path)
    };
    let call = |function: &str| if built.is_some() { format!("{function}() != 0") } else { "1".to_owned() };
    let header = if cpp { "mcp.hpp" } else { "mcp.h" };
    let alone = unit(
        "alone",
        &format!("#include <mcp.h>\n#include <{header}>\n#include <{header}>\nextern int nothing;\n"),
    )?;
    let first = unit(
        "first",
        &format!(
            "#include <{header}>\nint second_is_fine(void);\nint main(void) {{ return {} && second_is_fine() ? 0 : 1; }}\n",
            call("mcp_version")
        ),
    )?;
    let second = unit(
        "second",
        &format!(
            "#include <{header}>\nint second_is_fine(void);\nint second_is_fine(void) {{ return {}; }}\n",
            call("mcp_abi_version")
        ),
    )?;

    let mut command = compiler::command(checkout, program, standard);
    command.arg("-fsyntax-only").arg(alone);
    compiler::compile(&mut command, &folder.join("alone"))?;

    let mut command = compiler::command(checkout, program, standard);
    command.arg(first).arg(second).arg("-o").arg(folder.join("linked"));
    if let Some(built) = built {
        compiler::link(&mut command, built);
    }
    compiler::compile(&mut command, &folder.join("linked"))
}

/// Systems whose compilers have rules of their own, as Clang knows them: those of MSVC, and those of Apple.
pub const FOREIGN: [&str; 3] = ["x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc", "arm64-apple-macosx13"];

/// Checks `mcp.h` by the rules of another system, whose own headers need not be there.
pub fn compiles_for(checkout: &Checkout, clang: &Path, target: &str) -> Result<(), String> {
    let folder = checkout.scratch(&format!("header/{target}"))?;
    for (language, standard) in [("c", "c99"), ("c", "c11"), ("c++", "c++98"), ("c++", "c++17")] {
        let source = folder.join(format!("{standard}.txt"));
        write_file(
            &source,
            "#include <mcp.h>\nint matches(void);\nint matches(void) { return MCP_ABI_MATCHES(); }\n",
        )?;
        let mut command = Command::new(clang);
        command.args(["-x", language]).arg(format!("-std={standard}")).arg(format!("--target={target}"));
        command.args(["-ffreestanding", "-fsyntax-only"]);
        if language == "c++" {
            // mcp.h needs none of C++'s headers, and Clang would ask for those of the system.
            command.arg("-nostdinc++");
        }
        command.args(compiler::WARNINGS).arg("-I").arg(checkout.root.join("include")).arg(source);
        compiler::compile(&mut command, &folder.join(standard))?;
    }
    Ok(())
}

/// What to call the check of one compiler.
pub fn compile_check_name(tool: &Tool, standard: &str) -> String {
    format!("compiles alone and in two linked units: {}, {standard}", tool.names.join(" or "))
}

fn prove(checkout: &Checkout) -> Result<(), String> {
    for (tool, standard) in all() {
        match tool.find() {
            Ok(program) => {
                compiles(checkout, &program, standard, None)?;
                println!("{}", compile_check_name(tool, standard));
            }
            Err(why) => println!("not checked: {why}"),
        }
    }
    match CLANG.find() {
        Ok(clang) => {
            for target in FOREIGN {
                compiles_for(checkout, &clang, target)?;
                println!("compiles for {target}");
            }
        }
        Err(why) => println!("not checked: {why}"),
    }
    Ok(())
}

fn generate(checkout: &Checkout, header: &Path, exports: &Path) -> Result<(), String> {
    let mut cargo = checkout.cargo();
    cargo.args(["run", "--quiet", "--package", "mcp-header", "--target-dir"]).arg(&checkout.target);
    cargo.arg("--").arg(header).arg(exports);
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the header could not be made; see above".to_owned()),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

fn first_difference(committed: &str, new: &str) -> Option<String> {
    if committed == new {
        return None;
    }
    let (mut old_lines, mut new_lines) = (committed.lines(), new.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (old_lines.next(), new_lines.next()) {
            (None, None) => return Some("the files differ in their line ends".to_owned()),
            (old, new) if old == new => {}
            (old, new) => {
                return Some(format!(
                    "line {number}:\n- {}\n+ {}",
                    old.unwrap_or("(the end)"),
                    new.unwrap_or("(the end)")
                ));
            }
        }
    }
}
