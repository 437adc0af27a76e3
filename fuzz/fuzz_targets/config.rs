//! Configuration: a client's, a queue's, options of calls, roots, and a file of servers with variables in it. The first line
//! names the server that is taken from the file. A file of another program is read as well as one for this library, and means the same
//! wherever both can be read.
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
    let own = configuration_file(&json, name, false);
    if let Ok(entry) = configuration_file(&json, name, true) {
        assert!(is_configuration(&entry), "{entry}");
        configuration(&entry);
        assert!(own.is_err() || own.as_ref() == Ok(&entry), "{own:?}, and of another program: {entry}");
    } else {
        assert!(own.is_err(), "only for this library: {own:?}");
    }
});
