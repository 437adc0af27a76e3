//! The functions of mcp.h, called as C calls them: the bytes become calls with random arguments on random handles, used and
//! freed in any order that the contract permits. A handle may be used after it was freed, and as one of another kind; a string may
//! not. Servers are transports of the program's own, so that no process is started.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::Input;
use mcp_fuzz::program::{Program, check_configs};

fuzz_target!(init: check_configs(), |bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let mut program = Program::default();
    for _ in 0..60 {
        if input.is_empty() {
            break;
        }
        program.step(&mut input);
    }
    program.end();
});
