//! The scanner of frames against `serde_json`: which texts are JSON, and where the wanted members are. Then everything that
//! takes text apart, on text that was never checked.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::json::{
    ErrorKind, MAX_DEPTH, Wanted, count, elements, integer, kind, member, members, one_line_into,
    scan_object, scan_value, splice_into, string,
};
use serde_json::Value;

const WANTED: &[Wanted] = &[
    Wanted { name: "id", inner: &[] },
    Wanted { name: "params", inner: &["_meta", "a/b"] },
    Wanted { name: "q\"~\\", inner: &["id", ""] },
    Wanted { name: "größe", inner: &[] },
];

fuzz_target!(|bytes: &[u8]| {
    let scanned = scan_value(bytes, 64);
    if let Some(taken) = serde_takes(bytes) {
        assert_eq!(scanned.is_ok(), taken, "{scanned:?}");
    }
    let mut found = [None; 8];
    match scan_object(bytes, WANTED, 64, &mut found) {
        Ok(()) => {
            assert!(scanned.is_ok(), "an object is a value");
            the_wanted_are_found(bytes, &found);
        }
        // A wanted member that occurs twice is an error of the object alone.
        Err(error) if matches!(error.kind, ErrorKind::Duplicate(_) | ErrorKind::NotAnObject(_)) => {}
        Err(error) => assert!(scanned.is_err() && error.offset <= bytes.len(), "{error}"),
    }
    for depth in [0, 1, 3, MAX_DEPTH, usize::MAX] {
        let _ = scan_value(bytes, depth);
    }
    take_apart(&String::from_utf8_lossy(bytes));
});

/// Whether `serde_json` takes it; `None` where it is stricter or laxer than the grammar. (It knows no depth of 64, but 128.)
fn serde_takes(bytes: &[u8]) -> Option<bool> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some(false) };
    let Err(error) = serde_json::from_str::<Value>(text) else {
        return (deepest(text) <= 64).then_some(true);
    };
    let why = error.to_string();
    let stricter = ["out of range", "surrogate", "unexpected end of hex escape", "recursion limit"];
    if stricter.iter().any(|reason| why.contains(reason)) { None } else { Some(false) }
}

/// How deep a text nests at most, whatever is in its strings.
fn deepest(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count()
}

fn the_wanted_are_found(bytes: &[u8], found: &[Option<mcp::json::Value>; 8]) {
    let text = std::str::from_utf8(bytes).expect("what was scanned is UTF-8");
    let Ok(tree) = serde_json::from_str::<Value>(text) else { return };
    let mut slots = found.iter();
    for wanted in WANTED {
        let outer = tree.get(wanted.name);
        let mut same = |there: Option<&Value>| {
            let here = slots.next().expect("a slot for each").map(|value| {
                serde_json::from_str::<Value>(value.span.str(text)).expect("a value is a value")
            });
            assert_eq!(here.as_ref(), there, "{}", wanted.name);
        };
        same(outer);
        for name in wanted.inner {
            same(outer.and_then(|outer| outer.get(name)));
        }
    }
}

fn take_apart(text: &str) {
    let look =
        |value: &str| (kind(value), count(value), integer(value), string(value).map(|text| text.len()));
    look(text);
    for (name, value) in members(text).take(50) {
        look(value);
        member(text, name);
    }
    for element in elements(text).take(50) {
        look(element);
    }
    let mut out = Vec::new();
    splice_into(text, &[("a", text), ("b", "1")], &mut out);
    out.clear();
    one_line_into(text, &mut out);
    assert!(out.len() == text.len() && !out.contains(&b'\n') && !out.contains(&b'\r'));
}
