//! The test suite of JSON Schema itself: `cargo xtask test --only schema-suite` gets it and runs this. `MCP_SCHEMA_SUITE` is its
//! folder `tests`, `MCP_SCHEMA_EXCEPTIONS` the file with what is known to differ.

use super::{Bounds, Schema};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// What is known to differ: a group of tests whose schema cannot be used, or one test, with the reason.
struct Exceptions {
    lines: BTreeMap<String, bool>,
}

impl Exceptions {
    /// Lines such as `draft7/ref.json | GROUP: REASON` and `draft7/ref.json | GROUP | TEST: REASON`.
    fn read(text: &str, draft: &str) -> Exceptions {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let named = lines.map(|line| {
            let (name, reason) = line.rsplit_once(": ").expect("a reason");
            assert!(!reason.trim().is_empty(), "no reason: {line}");
            name.to_owned()
        });
        let of_draft = named.filter(|name| name.starts_with(&format!("{draft}/")));
        Exceptions { lines: of_draft.map(|name| (name, false)).collect() }
    }

    /// Whether this is one of them.
    fn knows(&mut self, name: &str) -> bool {
        let found = self.lines.get_mut(name);
        found.map(|seen| *seen = true).is_some()
    }
}

fn run(draft: &str, at_least: usize) {
    let wanted = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let folder = Path::new(&wanted("MCP_SCHEMA_SUITE")).join(draft);
    let listed = std::fs::read_to_string(wanted("MCP_SCHEMA_EXCEPTIONS")).expect("the exceptions");
    let mut exceptions = Exceptions::read(&listed, draft);
    let (mut ran, mut excepted) = (0, 0);
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the draft's folder") {
        let path = entry.expect("an entry").path();
        // The folder `optional` is what no reader has to do.
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let groups: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
        for group in groups.as_array().expect("groups") {
            let text = |value: &Value| value["description"].as_str().expect("a description").to_owned();
            let mut schema = group["schema"].clone();
            if let (Value::Object(members), "draft7") = (&mut schema, draft) {
                members.entry("$schema").or_insert("http://json-schema.org/draft-07/schema#".into());
            }
            let read = Schema::new(&schema, Bounds::default());
            let place = format!("{draft}/{file} | {}", text(group));
            let is_unusable = read.is_err() && exceptions.knows(&place);
            for test in group["tests"].as_array().expect("tests") {
                ran += 1;
                let outcome = read.as_ref().map_err(Clone::clone).map(|read| read.check(&test["data"]));
                let is_right =
                    matches!((&outcome, test["valid"] == true), (Ok(Ok(())), true) | (Ok(Err(_)), false));
                let name = format!("{place} | {}", text(test));
                match (is_right, is_unusable || (!is_right && exceptions.knows(&name))) {
                    (true, _) => {}
                    (false, true) => excepted += 1,
                    (false, false) => wrong.push(format!("{name}: {outcome:?}")),
                }
            }
        }
    }
    println!(
        "{draft}: {} of {ran} tests pass, {excepted} are known exceptions",
        ran - excepted - wrong.len()
    );
    assert!(wrong.is_empty(), "{} of {ran} wrong:\n{}", wrong.len(), wrong.join("\n"));
    let gone: Vec<&str> =
        exceptions.lines.iter().filter(|(_, seen)| !**seen).map(|(name, _)| name.as_str()).collect();
    assert!(gone.is_empty(), "these exceptions pass, or are not in the suite:\n{}", gone.join("\n"));
    assert!(ran >= at_least, "only {ran} tests were found");
}

#[test]
#[ignore = "needs the suite: cargo xtask test --only schema-suite"]
fn the_suite_of_draft_2020_12_passes() {
    run("draft2020-12", 1200);
}

#[test]
#[ignore = "needs the suite: cargo xtask test --only schema-suite"]
fn the_suite_of_draft_7_passes() {
    run("draft7", 900);
}
