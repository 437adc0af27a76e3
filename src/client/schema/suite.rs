//! The test suite of JSON Schema itself, where somebody has it: `MCP_SCHEMA_SUITE` is its folder `tests`.

use super::{Bounds, Schema};
use serde_json::Value;
use std::path::Path;

/// Groups that ask for what is left out on purpose: other documents (nothing is fetched), formats as assertions, patterns
/// of ECMA 262 that cannot run in linear time.
fn is_left_out(file: &str, group: &Value) -> bool {
    let schema = group["schema"].to_string();
    file == "refRemote.json"
        || schema.contains("localhost:1234")
        || schema.contains("\"$ref\":\"http://json-schema.org/")
        || schema.contains("\"$ref\":\"https://json-schema.org/")
        || file == "vocabulary.json"
        || schema.contains("\\\\p{")
}

#[test]
#[ignore = "needs the suite: MCP_SCHEMA_SUITE=FOLDER"]
fn the_suite_of_json_schema_passes() {
    let folder =
        std::env::var("MCP_SCHEMA_SUITE").expect("MCP_SCHEMA_SUITE names the folder 'tests' of the suite");
    let mut ran = 0;
    let mut wrong = Vec::new();
    for draft in ["draft2020-12", "draft7"] {
        for entry in std::fs::read_dir(Path::new(&folder).join(draft)).expect("the draft's folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let groups: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
            for group in groups.as_array().expect("groups") {
                if is_left_out(&file, group) {
                    continue;
                }
                let mut schema = group["schema"].clone();
                if let (Value::Object(members), "draft7") = (&mut schema, draft) {
                    members.entry("$schema").or_insert("http://json-schema.org/draft-07/schema#".into());
                }
                let read = Schema::new(&schema, Bounds::default());
                for test in group["tests"].as_array().expect("tests") {
                    ran += 1;
                    let outcome = read.as_ref().map_err(Clone::clone).map(|read| read.check(&test["data"]));
                    if !matches!((&outcome, test["valid"] == true), (Ok(Ok(())), true) | (Ok(Err(_)), false))
                    {
                        wrong.push(format!(
                            "{draft}/{file}: {} / {}: {outcome:?}",
                            group["description"], test["description"]
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {ran} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > 1500, "only {ran} tests were found");
}
