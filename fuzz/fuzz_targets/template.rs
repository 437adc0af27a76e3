//! URI templates (RFC 6570): a template, a line feed, the variables as JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::client::features::expand_template as expand;
use mcp_fuzz::{Input, text};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let template = text(input.until(b'\n')).into_owned();
    let variables = text(input.rest());
    match expand(&template, &variables) {
        Ok(uri) => {
            assert!(uri.len() <= 1 << 20);
            let odd = uri.bytes().find(|byte| !byte.is_ascii_graphic() || b"\"<>\\^`{|}".contains(byte));
            assert_eq!(odd, None, "'{uri}' has what no URI has");
            if !template.contains(['{', '}', '%']) && template.is_ascii() && !template.contains(' ') {
                assert!(expand(&uri, "{}").is_ok());
            }
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
});
