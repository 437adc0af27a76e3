//! The engine of a server: the bytes become sessions, frames that are whole, cut or changed, answers of handlers, questions, passing
//! time and ends, in any order. No frame is one that no client could read, no session gets more answers than it sent messages or
//! anything after its end, nothing that is due stays due, and at the end nothing is left.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::Input;
use mcp_fuzz::serving::Serving;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let mut serving = Serving::new(&mut input);
    for _ in 0..300 {
        if input.is_empty() {
            break;
        }
        serving.event(&mut input);
    }
    serving.end();
});
