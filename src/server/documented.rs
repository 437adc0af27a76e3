//! docs/server-configuration.md says what the definitions say. With `MCP_WRITE_CONFIGURATION=1` the test writes the table instead
//! of comparing.

use super::config::ServerKeys;
use crate::config::define::Definition as _;
use serde_json::Value;
use std::path::Path;

/// The type, or the bounds, in words.
fn kind(key: &Value) -> String {
    match (key["text"].as_str(), key["enum"].as_array()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(words)) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        (None, None) if key["unit"] == "ms" => "time".to_owned(),
        (None, None) if key["minimum"].is_null() => key["type"].as_str().expect("a type").to_owned(),
        (None, None) => format!("{} to {}", key["minimum"], key["maximum"]),
    }
}

fn default(key: &Value) -> String {
    match (&key["default_text"], &key["default"]) {
        (Value::String(text), _) => text.clone(),
        (_, Value::Null) => "absent".to_owned(),
        (_, Value::Number(number)) => number.to_string(),
        (_, other) => format!("`{other}`"),
    }
}

#[test]
fn the_page_has_every_key_with_its_bounds_and_default() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server-configuration.md");
    let text = std::fs::read_to_string(&path).expect("the page");
    let head = "| key | type | default | meaning |\n|---|---|---|---|\n";
    let start = text.find(head).expect("the table") + head.len();
    let mut wanted = text[..start].to_owned();
    for key in ServerKeys::describe("") {
        let [name, meaning] = ["key", "description"].map(|member| key[member].as_str().expect("a string"));
        wanted.extend(["| `", name, "` | ", &kind(&key), " | ", &default(&key), " | ", meaning, " |\n"]);
    }
    if std::env::var_os("MCP_WRITE_CONFIGURATION").is_some() {
        std::fs::write(&path, wanted).expect("the page is written");
        return;
    }
    assert!(
        text == wanted,
        "docs/server-configuration.md is out of date: run this test with MCP_WRITE_CONFIGURATION=1"
    );
}
