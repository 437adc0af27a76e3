//! The pages of `docs` and docs/reference/configuration.json say what the definitions of a client say.

use super::keys::{ClientKeys, FeatureOptions, HttpKeys, QueueBounds};
use super::options::CallKeys;
use super::telemetry::TelemetryKeys;
use super::{auth, endpoint};
use crate::config::define::Definition;
use crate::config::documented::{compare, docs, dump, objects, page, row};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The page with the tables.
const PAGE: &str = "configuration.md";

/// The keys of each object, by the object's name.
fn definitions() -> Map<String, Value> {
    type Client = (endpoint::ServerKeys, (endpoint::ProcessKeys, (HttpKeys, (auth::AuthKey, ClientKeys))));
    objects([
        ("client", Client::describe("")),
        ("queue", QueueBounds::describe("")),
        ("call", CallKeys::describe("")),
        ("feature_call", FeatureOptions::describe("")),
        ("telemetry", TelemetryKeys::describe("")),
    ])
}

/// The files as they must be, and the keys that no page has.
fn documents() -> (Vec<(PathBuf, String)>, Vec<String>) {
    let definitions = definitions();
    let mut told = Vec::new();
    let mut files = vec![dump(&definitions)];
    let path = docs().join(PAGE);
    let text = std::fs::read_to_string(&path).expect("the page");
    files.push((path, page(&text, &definitions, &mut told)));
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
    compare(files);
}
