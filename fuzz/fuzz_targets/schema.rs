//! JSON Schemas: a schema, a line feed, a value. Whatever both are, building and checking stay within their bounds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::client::fuzzing::{Checked, check};
use mcp_fuzz::Input;
use serde_json::Value;
use std::time::{Duration, Instant};

/// A check may take 0.5 s; the rest is building, the sanitizer, and a busy machine.
const MOST: Duration = Duration::from_secs(5);

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (Ok(schema), Ok(value)) =
        (serde_json::from_slice::<Value>(input.until(b'\n')), serde_json::from_slice::<Value>(input.rest()))
    else {
        return;
    };
    let start = Instant::now();
    let found = check(&schema, &value, 200_000, false);
    assert!(start.elapsed() < MOST, "it took {:?}", start.elapsed());
    // Formats can only take away, and fewer steps can only give up earlier.
    let strict = check(&schema, &value, 200_000, true);
    if found == Checked::Unusable {
        assert_eq!(strict, Checked::Unusable);
    }
    let short = check(&schema, &value, 50, false);
    assert!(short == found || short == Checked::Bound || found == Checked::Bound, "{found:?}, {short:?}");
});
