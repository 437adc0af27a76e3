//! The committed header is what `src/ffi` says, and every compiler takes it.

use super::{Stage, cpp_header};
use crate::bindings;
use crate::compiler::all;
use crate::header::{FOREIGN, compile_check_name, compiles, compiles_for, is_fresh, symbols_are_told};
use crate::machine::{CLANG, CLANGXX, GXX};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let result = is_fresh(stage.checkout);
    stage.tally.check("include/mcp.h and include/mcp.exports are up to date", result);
    let name = "what is generated for the bindings is up to date, and each has a function for each method";
    match bindings::check(stage.checkout, !stage.release.is_quick()) {
        Ok(false) => stage.tally.skip(name, "Jinja2 is missing. To get it: cargo xtask peers"),
        result => stage.tally.check(name, result.map(drop)),
    }
    let result = symbols_are_told(stage.checkout);
    stage.tally.check("include/mcp.symbols has every name of the header, and no number has changed", result);
    let built = stage.built()?;
    for (tool, standard) in all() {
        let name = compile_check_name(tool, standard);
        if let Some(program) = stage.tally.need(tool, &name) {
            let result = compiles(stage.checkout, &program, standard, Some(&built));
            stage.tally.check(&name, result);
        }
    }
    for target in FOREIGN {
        let name = format!("include/mcp.h compiles for {target}, in C and C++");
        if let Some(program) = stage.tally.need(&CLANG, &name) {
            let result = compiles_for(stage.checkout, &program, target);
            stage.tally.check(&name, result);
        }
    }
    let mut compilers = Vec::new();
    for tool in [&GXX, &CLANGXX] {
        let name =
            format!("include/mcp.hpp in later standards, without exceptions and RTTI: {}", tool.names[0]);
        let Some(program) = stage.tally.need(tool, &name) else { continue };
        let result = cpp_header::compiles_in_every_mode(stage.checkout, &program);
        stage.tally.check(&name, result);
        let result = cpp_header::refuses_an_older_standard(stage.checkout, &program);
        stage
            .tally
            .check(&format!("include/mcp.hpp names the standard that it needs: {}", tool.names[0]), result);
        let result = cpp_header::refuses_misuse(stage.checkout, &program);
        stage.tally.check(&format!("include/mcp.hpp makes misuse an error: {}", tool.names[0]), result);
        compilers.push(program);
    }
    let sanitizer = cpp_header::sanitizer(stage.checkout, &compilers)?;
    let result = cpp_header::is_one_header(stage.checkout, &compilers, &built, sanitizer);
    let with = if sanitizer.is_some() { " under AddressSanitizer" } else { "" };
    let name =
        format!("files for C++17, 20 and 23 of every compiler exchange objects of include/mcp.hpp{with}");
    stage.tally.check(&name, result);
    Ok(())
}
