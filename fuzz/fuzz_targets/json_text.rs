//! JSON Pointers, strings, numbers and splicing against `serde_json`. A text, a line feed, then names and pointers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::json::{
    count, elements, integer, member, members, one_line_into, pointer, quote, scan_value, splice_into, string,
};
use mcp_fuzz::{Input, text};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let pointed = text(input.until(b'\n')).into_owned();
    let name = text(input.until(b'\n')).into_owned();
    let json = text(input.rest());

    quoting(&name);
    quoting(&json);
    let found = pointer(&json, &pointed);
    assert_eq!(found.is_err(), !is_pointer(&pointed), "{found:?}");

    if scan_value(json.as_bytes(), 64).is_err() {
        return;
    }
    let mut line = Vec::new();
    one_line_into(&json, &mut line);
    let Ok(tree) = serde_json::from_str::<Value>(&json) else { return };
    let line = String::from_utf8(line).expect("text stays text");
    assert_eq!(serde_json::from_str::<Value>(&line).expect("JSON stays JSON"), tree);
    if let Ok(found) = found {
        assert_eq!(found.map(parsed).as_ref(), tree.pointer(&pointed));
    }
    assert_eq!(member(&json, &name).map(parsed).as_ref(), tree.as_object().and_then(|it| it.get(&name)));
    let in_order: Vec<Value> = elements(&json).map(parsed).collect();
    assert_eq!(in_order.as_slice(), tree.as_array().map_or(&[][..], Vec::as_slice));
    match &tree {
        Value::String(spelt) => assert_eq!(string(&json).as_deref(), Some(spelt.as_str())),
        Value::Number(number) if !json.contains(['.', 'e', 'E']) && json.trim() != "-0" => {
            assert_eq!(integer(&json), number.as_i64());
        }
        Value::Object(object) => {
            assert!(count(&json).is_some_and(|count| count >= object.len()));
            assert!(members(&json).all(|(_, value)| scan_value(value.as_bytes(), 64).is_ok()));
            spliced(&json, &name, object.clone());
        }
        _ => {}
    }
});

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("a part of JSON is JSON")
}

fn quoting(text: &str) {
    let quoted = quote(text);
    assert_eq!(serde_json::from_str::<String>(&quoted).expect("a JSON string"), text);
    assert_eq!(string(&quoted).as_deref(), Some(text));
}

fn is_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/'))
        && text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
}

fn spliced(json: &str, name: &str, mut object: serde_json::Map<String, Value>) {
    let mut out = Vec::new();
    splice_into(json, &[(name, "1"), ("added", json), (name, "[2]")], &mut out);
    let out = String::from_utf8(out).expect("text stays text");
    assert!(!out.contains(['\n', '\r']));
    object.insert("added".to_owned(), parsed(json));
    object.insert(name.to_owned(), parsed("[2]"));
    let once =
        members(&out).filter(|(raw, _)| string(&format!("\"{raw}\"")).as_deref() == Some(name)).count();
    assert_eq!(once, 1, "an added name stands there once");
    assert_eq!(parsed(&out), Value::Object(object));
}
