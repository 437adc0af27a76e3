//! What tests of both sides need to compare docs/reference/configuration.json with the definitions. `cargo xtask config` runs these tests, which
//! then write it. The pages say in which section a key is, and the book makes the tables (`docs/book/make_book.py`).

use serde_json::{Map, Value};
use std::path::Path;

/// Every key of both sides, one a line.
const FILE: &str = "configuration.json";

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

/// The keys of each object, each in a line that begins with its name.
fn in_lines(objects: &Map<String, Value>) -> String {
    let object = |(name, keys): (&String, &Value)| {
        let rows: Vec<_> =
            keys.as_array().expect("a list").iter().map(|key| format!("    {}", line(key))).collect();
        format!("  \"{name}\": [\n{}\n  ]", rows.join(",\n"))
    };
    format!("{{\n{}\n}}\n", objects.iter().map(object).collect::<Vec<_>>().join(",\n"))
}

fn line(key: &Value) -> String {
    let mut rest = key.as_object().expect("an object").clone();
    let name = rest.remove("key").expect("a name");
    let rest = Value::Object(rest).to_string();
    format!("{{\"key\":{name},{}", rest.trim_start_matches('{'))
}

/// Compares docs/reference/configuration.json with the definitions of one side. With a folder in the environment (`cargo xtask config`) it is
/// written there instead, where the other side may have written its part already.
pub(crate) fn compare(definitions: &Map<String, Value>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference").join(FILE);
    let folder = std::env::var_os("MCP_CONFIGURATION_FOLDER").map(|folder| Path::new(&folder).join(FILE));
    let made = folder.as_deref().filter(|made| made.is_file()).unwrap_or(&path);
    let found = std::fs::read_to_string(made).unwrap_or_else(|_| "{}".to_owned());
    let mut all: Map<String, Value> = serde_json::from_str(&found).expect("an object");
    all.extend(definitions.clone());
    let text = in_lines(&all);
    if let Some(made) = &folder {
        return std::fs::write(made, text).expect("the file is written");
    }
    let differing = text.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    assert!(text == found, "{}: {differing:?}; run `cargo xtask config`", path.display());
}
