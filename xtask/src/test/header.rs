//! The committed header is what `src/ffi` says, and every compiler takes it.

use super::{Stage, functions};
use crate::compiler::all;
use crate::header::{
    compile_check_name, compiles, cpp_has_everything, is_fresh, lines_are_short, symbols_are_told,
};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let result = is_fresh(stage.checkout);
    stage.tally.check("include/mcp.h and include/mcp.exports are up to date", result);
    let result = symbols_are_told(stage.checkout);
    stage.tally.check("docs/symbols.md has every name of the header, and no number has changed", result);
    let result = lines_are_short(stage.checkout);
    stage.tally.check("no line of include/mcp.h and include/mcp.hpp is longer than 100 columns", result);
    let result = cpp_has_everything(stage.checkout);
    stage.tally.check("include/mcp.hpp reaches every function of include/mcp.exports", result);
    let result = functions::have_a_reason(stage.checkout);
    stage.tally.check("docs/c-api.md says of every function why it is there", result);
    let result = functions::begin_with_their_object(stage.checkout);
    stage.tally.check("the name of every function begins with its object", result);
    let built = stage.built()?;
    for (tool, standard) in all() {
        let name = compile_check_name(tool, standard);
        if let Some(program) = stage.tally.need(tool, &name) {
            let result = compiles(stage.checkout, &program, standard, Some(&built));
            stage.tally.check(&name, result);
        }
    }
    Ok(())
}
