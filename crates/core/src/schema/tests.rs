//! Keywords, bounds and mismatches; and the test suite of JSON Schema itself: `cargo xtask test --only schema-suite` gets it and runs
//! this. `MCP_SCHEMA_SUITE` is its folder `tests`, `MCP_SCHEMA_EXCEPTIONS` the file with what is known to differ.

use super::model::Mismatch;
use super::{Bounds, Failure, Schema};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

fn schema(schema: &Value) -> Schema {
    Schema::new(schema, Bounds::default()).expect("a usable schema")
}

fn unusable(schema: &Value) -> String {
    Schema::new(schema, Bounds::default()).expect_err("an unusable schema")
}

fn mismatch(schema: &Schema, value: &Value) -> Mismatch {
    match schema.check(value) {
        Err(Failure::Mismatch(mismatch)) => *mismatch,
        other => panic!("{value}: {other:?}"),
    }
}

/// Each of `right` matches and each of `wrong` does not.
fn judges(written: &Value, right: &[Value], wrong: &[Value]) {
    let schema = schema(written);
    for value in right {
        assert_eq!(schema.check(value), Ok(()), "{written} {value}");
    }
    for value in wrong {
        assert!(matches!(schema.check(value), Err(Failure::Mismatch(_))), "{written} {value}");
    }
}

#[test]
fn a_mismatch_says_where_and_why() {
    let schema = schema(&json!({"type": "object", "required": ["sum"],
        "properties": {"sum": {"type": "number"}, "list": {"items": {"enum": [1, 2]}}}}));
    assert_eq!(mismatch(&schema, &json!({})).to_string(), "the value has no member 'sum' (required)");
    assert_eq!(
        mismatch(&schema, &json!({"sum": "3"})).to_string(),
        "/sum is \"3\" and not of type number (type)"
    );
    assert_eq!(
        mismatch(&schema, &json!({"sum": 1, "list": [1, 3]})).to_string(),
        "/list/1 is 3, not one of the values allowed: 1, 2 (enum)"
    );
}

#[test]
fn every_keyword_for_values_counts() {
    judges(
        &json!({"type": ["integer", "null"]}),
        &[json!(1), json!(1.0), json!(null)],
        &[json!(1.5), json!("1")],
    );
    judges(&json!({"const": {"a": [1.0]}}), &[json!({"a": [1]})], &[json!({"a": [1, 2]}), json!(null)]);
    judges(
        &json!({"minimum": 1, "exclusiveMaximum": 3}),
        &[json!(1), json!(2.9), json!("x")],
        &[json!(0), json!(3)],
    );
    judges(&json!({"multipleOf": 0.01}), &[json!(0.07), json!(19.99), json!(4)], &[json!(0.075)]);
    judges(
        &json!({"minLength": 2, "maxLength": 3}),
        &[json!("ab"), json!("日本語")],
        &[json!("日"), json!("abcd")],
    );
    judges(&json!({"pattern": "^a\\d+$"}), &[json!("a12"), json!(7)], &[json!("b1"), json!("a")]);
    judges(&json!(false), &[], &[json!(1)]);
}

#[test]
fn every_keyword_for_arrays_counts() {
    judges(
        &json!({"prefixItems": [{"type": "string"}], "items": false}),
        &[json!([]), json!(["a"])],
        &[json!([1]), json!(["a", 1])],
    );
    judges(
        &json!({"uniqueItems": true}),
        &[json!([1, "1", [1]])],
        &[json!([1, 1.0]), json!([{"a": 1, "b": 2}, {"b": 2, "a": 1}])],
    );
    judges(
        &json!({"contains": {"const": 1}, "minContains": 2, "maxContains": 3}),
        &[json!([1, 0, 1])],
        &[json!([1]), json!([1, 1, 1, 1])],
    );
    judges(&json!({"minItems": 1, "maxItems": 2}), &[json!([1])], &[json!([]), json!([1, 2, 3])]);
    judges(
        &json!({"prefixItems": [true], "unevaluatedItems": {"type": "string"}}),
        &[json!([1, "a"])],
        &[json!([1, 2])],
    );
}

#[test]
fn every_keyword_for_objects_counts() {
    judges(
        &json!({"properties": {"a": {"type": "number"}}, "patternProperties": {"^x": true}, "additionalProperties": false}),
        &[json!({"a": 1, "x1": null})],
        &[json!({"a": ""}), json!({"b": 1})],
    );
    judges(&json!({"propertyNames": {"maxLength": 1}}), &[json!({"a": 1})], &[json!({"ab": 1})]);
    judges(
        &json!({"minProperties": 1, "maxProperties": 1}),
        &[json!({"a": 1})],
        &[json!({}), json!({"a": 1, "b": 2})],
    );
    judges(
        &json!({"dependentRequired": {"a": ["b"]}}),
        &[json!({"b": 1}), json!({"a": 1, "b": 1})],
        &[json!({"a": 1})],
    );
    judges(&json!({"dependentSchemas": {"a": {"required": ["b"]}}}), &[json!({})], &[json!({"a": 1})]);
    judges(
        &json!({"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}),
        &[json!({"a": 1})],
        &[json!({"a": 1, "b": 1})],
    );
}

#[test]
fn schemas_are_combined_and_referred_to() {
    judges(&json!({"oneOf": [{"type": "number"}, {"minimum": 5}]}), &[json!(1), json!("x")], &[json!(7)]);
    judges(&json!({"anyOf": [{"type": "number"}, {"type": "string"}]}), &[json!(1)], &[json!(null)]);
    judges(&json!({"not": {"type": "null"}}), &[json!(1)], &[json!(null)]);
    judges(
        &json!({"if": {"const": 1}, "then": false, "else": {"type": "string"}}),
        &[json!("x")],
        &[json!(1), json!(2)],
    );
    judges(
        &json!({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "properties": {"child": {"$ref": "#/$defs/tree"}}, "required": ["v"]}}}),
        &[json!({"v": 1, "child": {"v": 2}})],
        &[json!({"v": 1, "child": {}})],
    );
    judges(
        &json!({"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "number"}}}),
        &[json!(1)],
        &[json!("")],
    );
    judges(
        &json!({"$id": "http://a/b", "$ref": "c", "$defs": {"a": {"$id": "c", "$ref": "#/$defs/x", "$defs": {"x": {"type": "number"}}}}}),
        &[json!(1)],
        &[json!("")],
    );
}

#[test]
fn draft_07_is_read_its_own_way() {
    let draft = "http://json-schema.org/draft-07/schema#";
    judges(
        &json!({"$schema": draft, "items": [{"type": "number"}], "additionalItems": false}),
        &[json!([1])],
        &[json!([1, 2]), json!(["a"])],
    );
    judges(
        &json!({"$schema": draft, "$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "number"}}}),
        &[json!(1)],
        &[json!("nothing beside a reference counts")],
    );
    judges(
        &json!({"$schema": draft, "dependencies": {"a": ["b"], "c": {"required": ["d"]}}}),
        &[json!({"a": 1, "b": 1})],
        &[json!({"a": 1}), json!({"c": 1})],
    );
}

#[test]
fn nothing_is_fetched_and_what_is_missing_is_an_error() {
    for reference in
        ["http://example.com/schema.json", "other.json", "file:///etc/passwd", "#/$defs/none", "#none"]
    {
        let why = unusable(&json!({"$ref": reference}));
        assert!(why.contains("not in the schema itself") || why.contains("no schema found at"), "{why}");
    }
    let why = unusable(&json!({"properties": {"a": {"$ref": "https://example.com/x"}}}));
    assert!(why.contains("https://example.com/x"), "{why}");
}

#[test]
fn what_is_no_schema_says_what_is_wrong() {
    for (odd, part) in [
        (json!(7), "not a schema"),
        (json!({"type": "text"}), "'text'"),
        (json!({"properties": []}), "'properties'"),
        (json!({"required": "a"}), "'required'"),
        (json!({"minLength": -1}), "'minLength'"),
        (json!({"pattern": "("}), "the pattern ("),
        (json!({"pattern": "(?=a)"}), "not supported"),
        (json!({"$schema": "http://json-schema.org/draft-04/schema#"}), "draft-04"),
        (json!({"$schema": 4}), "$schema"),
        (json!({"items": {"multipleOf": 0}}), "/items"),
    ] {
        let why = unusable(&odd);
        assert!(why.contains(part), "{odd}: {why}");
    }
}

#[test]
fn schemas_are_bounded_in_depth_and_parts() {
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({ "not": deep });
    }
    assert!(unusable(&deep).contains("levels"));
    let many: Vec<Value> = (0..10_001).map(|_| json!({})).collect();
    assert!(unusable(&json!({ "anyOf": many })).contains("parts"));
}

#[test]
fn checks_are_bounded_in_depth_steps_and_time() {
    let endless = schema(&json!({"$ref": "#"}));
    assert_eq!(endless.check(&json!(1)), Err(Failure::Bound("it goes too deep")));

    // Each level doubles the work.
    let mut named = serde_json::Map::new();
    for level in 0..25 {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        named.insert(level.to_string(), json!({"allOf": [next, next]}));
    }
    named.insert("25".to_owned(), json!({}));
    let explosive = json!({"$ref": "#/$defs/0", "$defs": named});
    let quick = Bounds { steps: 100_000, ..Bounds::default() };
    let outcome = Schema::new(&explosive, quick).expect("usable").check(&json!(1));
    assert_eq!(outcome, Err(Failure::Bound("it takes too many steps")));
    let short = Bounds { steps: usize::MAX, time: Duration::from_millis(20), ..Bounds::default() };
    let outcome = Schema::new(&explosive, short).expect("usable").check(&json!(1));
    assert_eq!(outcome, Err(Failure::Bound("it takes too long")));
}

#[test]
fn formats_count_only_where_asked() {
    let written = json!({"format": "email"});
    assert_eq!(schema(&written).check(&json!("no address")), Ok(()));
    let strict = schema(&written).with_formats();
    assert_eq!(
        mismatch(&strict, &json!("no address")).to_string(),
        "the value is not a valid email (format)"
    );
    assert_eq!(strict.check(&json!("a@b.example")), Ok(()));
}

#[test]
fn patterns_are_bounded_one_by_one_and_together() {
    // Twenty characters, and a program of some megabytes.
    let large = unusable(&json!({"pattern": "(.{500}){200}"}));
    assert!(large.contains("not supported"), "{large}");
    let many: Vec<Value> = (0..100).map(|_| json!({"pattern": "^[a-z]{1,3000}$"})).collect();
    assert!(unusable(&json!({"allOf": many})).contains("too large together"));
    let usual: Vec<Value> = (0..200).map(|_| json!({"pattern": "^[a-z0-9-]{1,63}$"})).collect();
    assert_eq!(schema(&json!({"allOf": usual})).check(&json!("a-1")), Ok(()));
}

#[test]
fn a_match_costs_what_pattern_and_text_may_take() {
    let quick = Bounds { steps: 100_000, ..Bounds::default() };
    let schema = Schema::new(&json!({"pattern": "^(a|b){1,200}$"}), quick).expect("usable");
    assert_eq!(schema.check(&json!("ab")), Ok(()));
    let long = Value::from("ab".repeat(50_000));
    assert_eq!(schema.check(&long), Err(Failure::Bound("it takes too many steps")));
    let names = Schema::new(&json!({"patternProperties": {"^(a|b){1,200}$": true}}), quick).expect("usable");
    let members: serde_json::Map<String, Value> = [("ab".repeat(50_000), json!(1))].into_iter().collect();
    assert_eq!(names.check(&Value::Object(members)), Err(Failure::Bound("it takes too many steps")));
}

#[test]
fn long_names_do_not_multiply() {
    // Each of the inner places has the long name in it: 10,000 of them would be 1 GB.
    let inner: serde_json::Map<String, Value> = (0..5000).map(|at| (at.to_string(), json!({}))).collect();
    let long = "n".repeat(100_000);
    assert!(unusable(&json!({"properties": {&long: {"properties": inner}}})).contains("too long"));
    // The same by references.
    let refs: Vec<Value> = (0..200).map(|at| json!({"$ref": format!("#/a{at}")})).collect();
    let mut resource = json!({"$id": "other", "allOf": refs});
    for at in 0..200 {
        resource[format!("a{at}")] = json!({});
    }
    assert!(unusable(&json!({"properties": {&long: resource}})).contains("too long"));
}

#[test]
fn large_values_are_shown_in_part() {
    let large = json!({"a": ["x".repeat(1_000_000), {"b": vec![1; 100_000]}], "c": "y".repeat(1_000_000)});
    let text = super::values::shown(&large);
    assert!(text.starts_with("{\"a\":[\"xxx") && text.chars().count() == 61, "{text}");
    for small in
        [json!({"a": [1, "b", null], "c": {"d": "\n"}}), json!("x".repeat(58)), json!([]), json!(1.5)]
    {
        assert_eq!(super::values::shown(&small), small.to_string());
    }
    let wrong = schema(&json!({"enum": [1]}));
    assert!(mismatch(&wrong, &large).to_string().len() < 400);
}

#[test]
fn looking_at_much_costs_more_steps() {
    let quick = Bounds { steps: 1000, ..Bounds::default() };
    let text = json!("x".repeat(2_000_000));
    for (keywords, value) in [
        (json!({"maxLength": 5_000_000}), text.clone()),
        (json!({"uniqueItems": true}), json!([text])),
        (json!({"properties": {"a": {}}}), (0..10_000).map(|at| (at.to_string(), json!(0))).collect()),
    ] {
        let outcome = Schema::new(&keywords, quick).expect("usable").check(&value);
        assert_eq!(outcome, Err(Failure::Bound("it takes too many steps")), "{keywords}");
    }
}

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
