//! Configuration: a client's, a queue's, options of calls, roots, and a file of servers with variables in it. The first line
//! names the server that is taken from the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::client::fuzzing::{configuration, configuration_file, is_configuration};
use mcp_fuzz::{Input, text};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let name = text(input.until(b'\n')).into_owned();
    let json = text(input.rest());
    configuration(&json);
    let name = (!name.is_empty()).then_some(name.as_str());
    if let Ok(entry) = configuration_file(&json, name) {
        assert!(is_configuration(&entry), "{entry}");
        configuration(&entry);
    }
});
