//! The engine: the bytes become commands of an application, frames of a server, deaths and passing time, in any order. Every
//! call that was taken has exactly one outcome, every one who waits for the connection is told once, what is sent is one
//! line of JSON with an id of its own, nothing that is due stays due, and the bounds hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::Input;
use mcp_fuzz::stage::Stage;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let mut stage = Stage::new(&mut input);
    for _ in 0..300 {
        if input.is_empty() {
            break;
        }
        stage.event(&mut input);
    }
    stage.end();
});
