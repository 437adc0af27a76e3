//! What tests of both sides need to compare pages of `docs` and docs/reference/configuration.json with the definitions. `cargo xtask config` has them
//! written again: it runs the tests named `the_documents_are_made_for_xtask` and takes the files that these make.
//!
//! In a page, a table below `<!-- keys: OBJECT -->` has the keys of an object. The page decides which keys are in which table and in which
//! order; each row comes from the definition.

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Every key of both sides, for programs.
const DUMP: &str = "configuration.json";
const HEAD: [&str; 2] = ["| key | type | default | meaning |", "|---|---|---|---|"];

/// The keys of several objects, by the object's name.
pub(crate) fn objects<const N: usize>(objects: [(&str, Vec<Value>); N]) -> Map<String, Value> {
    objects.into_iter().map(|(name, keys)| (name.to_owned(), Value::Array(keys))).collect()
}

/// The unit that the name of a key says.
pub(crate) fn unit(key: &str) -> Option<&'static str> {
    [("_ms", "ms"), ("_seconds", "s"), ("_bytes", "bytes")]
        .into_iter()
        .find(|(end, _)| key.ends_with(end))
        .map(|(_, unit)| unit)
}

/// The type, or the bounds, in words.
fn kind(key: &Value) -> String {
    match (key["text"].as_str(), key["enum"].as_array()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(words)) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        (None, None) if key["unit"] == "ms" && key["minimum"] == 1 => "time".to_owned(),
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

/// The row of a key in a page.
pub(crate) fn row(key: &Value) -> String {
    let [name, meaning] = ["key", "description"].map(|member| key[member].as_str().expect("a string"));
    format!("| `{name}` | {} | {} | {meaning} |", kind(key), default(key))
}

/// The page as the definitions want it; `told` gets the keys that it has.
pub(crate) fn page(text: &str, definitions: &Map<String, Value>, told: &mut Vec<String>) -> String {
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

/// docs/reference/configuration.json with these objects in place of those of their names. Where xtask has the files made, the other side may have
/// written its part already.
pub(crate) fn dump(definitions: &Map<String, Value>) -> (PathBuf, String) {
    let path = docs().join(DUMP);
    let made = folder().map(|folder| folder.join(DUMP)).filter(|made| made.is_file());
    let text = std::fs::read_to_string(made.as_deref().unwrap_or(&path)).unwrap_or_else(|_| "{}".to_owned());
    let mut all: Map<String, Value> = serde_json::from_str(&text).expect("an object");
    all.extend(definitions.clone());
    (path, format!("{:#}\n", Value::Object(all)))
}

/// The folder with the pages.
pub(crate) fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference")
}

fn folder() -> Option<PathBuf> {
    std::env::var_os("MCP_CONFIGURATION_FOLDER").map(PathBuf::from)
}

/// Compares files with what they must be. With a folder in the environment (`cargo xtask config`), they are written there instead.
pub(crate) fn compare(files: Vec<(PathBuf, String)>) {
    let folder = folder();
    for (path, text) in files {
        if let Some(folder) = &folder {
            std::fs::write(folder.join(path.file_name().expect("a name")), text)
                .expect("the file is written");
            continue;
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        let differing = text.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert!(text == found, "{}: {differing:?}; run `cargo xtask config`", path.display());
    }
}
