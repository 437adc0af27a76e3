//! docs/configuration.md and docs/configuration.json say what the definitions say. With `MCP_WRITE_CONFIGURATION=1` the test
//! writes both instead of comparing.

use super::{limits, times};
use serde_json::{Value, json};
use std::path::Path;

fn definitions() -> Vec<Value> {
    [
        limits::Bounds::describe(),
        limits::QueueBounds::describe(),
        times::Times::describe(),
        times::Reconnecting::describe(),
        times::TaskTimes::describe(),
    ]
    .concat()
}

/// The type, or the bounds, in words.
fn kind(key: &Value) -> String {
    match key["enum"].as_array() {
        Some(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        None if key["unit"] == "ms" => "time".to_owned(),
        None if key["type"] == "boolean" => "boolean".to_owned(),
        None => format!("{} to {}", key["minimum"], key["maximum"]),
    }
}

fn default(key: &Value) -> String {
    match &key["default"] {
        Value::Null => "absent".to_owned(),
        Value::Number(number) => number.to_string(),
        other => format!("`{other}`"),
    }
}

#[test]
fn the_documents_have_every_defined_key_with_its_bounds_and_default() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let (page, dump) = (docs.join("configuration.md"), docs.join("configuration.json"));
    let text = std::fs::read_to_string(&page).expect("the page");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut wrong = Vec::new();
    for key in definitions() {
        let name = key["key"].as_str().expect("a name");
        let start = format!("| `{name}` | {} | {} | ", kind(&key), default(&key));
        let row = format!("{start}{} |", key["description"].as_str().expect("a description"));
        let of_key = format!("| `{name}` |");
        let rows: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with(&of_key)).collect();
        // A key that stands in several tables has a description of its own in each.
        let is_right =
            rows.iter().all(|at| lines[*at].starts_with(&start)) && rows.iter().any(|at| lines[*at] == row);
        if !is_right {
            if let [at] = rows[..] {
                lines[at].clone_from(&row);
            }
            wrong.push(row);
        }
    }
    let described = format!("{:#}\n", json!({ "keys": definitions() }));
    if std::env::var_os("MCP_WRITE_CONFIGURATION").is_some() {
        std::fs::write(&page, lines.join("\n") + "\n").expect("the page is written");
        std::fs::write(&dump, described).expect("the dump is written");
        return;
    }
    assert_eq!(wrong, Vec::<String>::new(), "rows that docs/configuration.md must have");
    let found = std::fs::read_to_string(&dump).unwrap_or_default();
    assert!(found == described, "docs/configuration.json is out of date: run with MCP_WRITE_CONFIGURATION=1");
}
