//! The pages of `docs` and docs/configuration.json say what the definitions say. `cargo xtask config` has them written again: it runs the
//! test that is ignored here and takes the files that the test makes.
//!
//! In a page, a table below `<!-- keys: OBJECT -->` has the keys of an object. The page decides which keys are in which table and in which
//! order; each row comes from the definition.

use super::features::FeatureOptions;
use super::keys::ClientKeys;
use super::limits::QueueBounds;
use super::options::CallKeys;
use super::{auth, endpoint, http_keys};
use crate::config::define::Definition;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The pages that have such tables.
const PAGES: [&str; 2] = ["configuration.md", "authorization.md"];
const DUMP: &str = "configuration.json";
const HEAD: [&str; 2] = ["| key | type | default | meaning |", "|---|---|---|---|"];

/// The keys of each object, by the object's name.
fn definitions() -> Map<String, Value> {
    type Client =
        (endpoint::ServerKeys, (endpoint::ProcessKeys, (http_keys::HttpKeys, (auth::AuthKey, ClientKeys))));
    let objects = [
        ("client", Client::describe("")),
        ("queue", QueueBounds::describe("")),
        ("call", CallKeys::describe("")),
        ("feature_call", FeatureOptions::describe("")),
    ];
    objects.into_iter().map(|(name, keys)| (name.to_owned(), Value::Array(keys))).collect()
}

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

fn row(key: &Value) -> String {
    let [name, meaning] = ["key", "description"].map(|member| key[member].as_str().expect("a string"));
    format!("| `{name}` | {} | {} | {meaning} |", kind(key), default(key))
}

/// The page as the definitions want it, and what it must be told of first.
fn page(text: &str, definitions: &Map<String, Value>, told: &mut Vec<String>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut object: Option<&str> = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("<!-- keys: ").and_then(|rest| rest.strip_suffix(" -->")) {
            assert!(definitions.contains_key(name), "there is no object {name}");
            object = Some(name);
        } else if !line.starts_with('|') {
            object = object.filter(|_| line.is_empty());
        } else if let Some(name) = object.filter(|_| !HEAD.contains(&line)) {
            let key = line.trim_start_matches("| `").split('`').next().unwrap_or_default();
            let keys = definitions[name].as_array().expect("a list");
            let known = keys.iter().find(|it| it["key"] == key);
            told.push(format!("{name}.{key}"));
            lines.push(known.map_or_else(|| format!("{name} has no key {key}: remove the row"), row));
            continue;
        }
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}

/// The files as they must be, and the keys that no page has.
fn documents() -> (Vec<(PathBuf, String)>, Vec<String>) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let definitions = definitions();
    let mut told = Vec::new();
    let mut files = vec![(docs.join(DUMP), format!("{:#}\n", Value::Object(definitions.clone())))];
    for name in PAGES {
        let path = docs.join(name);
        let text = std::fs::read_to_string(&path).expect("the page");
        files.push((path, page(&text, &definitions, &mut told)));
    }
    let mut missing = Vec::new();
    for (name, keys) in &definitions {
        for key in keys.as_array().expect("a list") {
            let is_section = key["type"] == "object" && key["default"] == json!({}) && key["text"].is_null();
            let path = format!("{name}.{}", key["key"].as_str().expect("a name"));
            if name != "queue" && !is_section && !told.contains(&path) {
                missing.push(row(key));
            }
        }
    }
    (files, missing)
}

#[test]
fn the_documents_have_every_defined_key_with_its_bounds_and_default() {
    let (files, missing) = documents();
    assert_eq!(missing, Vec::<String>::new(), "rows that no page has");
    for (path, text) in files {
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let differing = text.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert!(text == found, "{}: {differing:?}; run `cargo xtask config`", path.display());
    }
}

/// Makes the files in the folder that the environment names, for `cargo xtask config`.
#[test]
#[ignore = "cargo xtask config runs it"]
fn the_documents_are_made_for_xtask() {
    let folder = PathBuf::from(std::env::var_os("MCP_CONFIGURATION_FOLDER").expect("a folder"));
    for (path, text) in documents().0 {
        std::fs::write(folder.join(path.file_name().expect("a name")), text).expect("the file is written");
    }
}
