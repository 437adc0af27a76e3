//! The rules of the specification row by row, and what a call sends.

use super::*;
use crate::protocol::header_parameters::{MOST, PATH_BYTES, Rule};
use proptest::prelude::*;

fn rule(schema: &str) -> Rule {
    read(schema).expect_err("a broken rule").rule
}

/// A schema with one annotated property.
fn property(kind: &str, annotation: &str) -> String {
    format!(r#"{{"type":"object","properties":{{"p":{{"type":{kind},"x-mcp-header":{annotation}}}}}}}"#)
}

fn sent(schema: &str, arguments: &str) -> Vec<(String, String)> {
    let parameters = read(schema).expect("valid annotations");
    let params = format!(r#"{{"name":"t","arguments":{arguments}}}"#);
    let headers = headers(&parameters, &params).expect("sendable");
    headers.into_iter().map(|header| (header.name.into_owned(), header.value.into_owned())).collect()
}

#[test]
fn a_schema_without_annotations_has_no_headers() {
    for schema in ["{}", r#"{"properties":{"a":{"type":"string"}}}"#, "true", "null"] {
        assert_eq!(read(schema), Ok(Vec::new()));
    }
}

#[test]
fn annotated_properties_are_found_with_their_paths() {
    let schema = r#"{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},
        "query":{"type":"string"},
        "deep":{"type":"object","properties":{
            "a.b":{"type":"object","properties":{"n\u0031":{"x-mcp-header":"N","type":"integer"}}}}}}}"#;
    let parameter = |name: &str, path: &[&str]| Parameter {
        name: name.to_owned(),
        path: path.iter().map(|&step| step.to_owned()).collect(),
    };
    assert_eq!(
        read(schema),
        Ok(vec![parameter("Region", &["region"]), parameter("N", &["deep", "a.b", "n1"])])
    );
}

#[test]
fn each_broken_rule_is_named() {
    assert_eq!(rule(&property(r#""string""#, r#""""#)), Rule::Empty);
    for bad in
        [r#""a b""#, r#""a:b""#, r#""gr\u00fcn""#, r#""a\r\nb""#, r#""a\tb""#, r#"" a""#, r#""a\u0000""#]
    {
        assert_eq!(rule(&property(r#""string""#, bad)), Rule::NotAToken, "{bad}");
    }
    for (bad, kind) in
        [("1", Kind::Number), ("null", Kind::Null), ("{}", Kind::Object), ("[\"A\"]", Kind::Array)]
    {
        assert_eq!(rule(&property(r#""string""#, bad)), Rule::NotAString(kind));
    }
    for bad in [r#""number""#, r#""object""#, r#""array""#, r#""null""#, r#"["string","number"]"#, "[]", "7"]
    {
        assert_eq!(rule(&property(bad, r#""A""#)), Rule::Type(Some(bad.to_owned())), "{bad}");
    }
    assert_eq!(rule(r#"{"properties":{"p":{"x-mcp-header":"A"}}}"#), Rule::Type(None));
    let two = |first: &str, second: &str| {
        let one = |name: &str| format!(r#"{{"type":"string","x-mcp-header":"{name}"}}"#);
        format!(r#"{{"properties":{{"a":{},"b":{}}}}}"#, one(first), one(second))
    };
    assert_eq!(rule(&two("Region", "Region")), Rule::Duplicate("Region".to_owned()));
    assert_eq!(rule(&two("Region", "REGION")), Rule::Duplicate("REGION".to_owned()));
}

#[test]
fn only_properties_lead_to_an_annotated_parameter() {
    let leaf = r#"{"type":"string","x-mcp-header":"A"}"#;
    let inside = format!(r#"{{"properties":{{"p":{leaf}}}}}"#);
    assert_eq!(rule(leaf), Rule::Unreachable, "the root");
    for keyword in
        ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "x-y"]
    {
        for schema in [leaf, &inside] {
            let schema = format!(r#"{{"properties":{{"q":{{"{keyword}":{schema}}}}}}}"#);
            assert_eq!(rule(&schema), Rule::Unreachable, "{schema}");
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf", "prefixItems", "items"] {
        assert_eq!(rule(&format!(r#"{{"{keyword}":[true,{inside}]}}"#)), Rule::Unreachable, "{keyword}");
    }
    for keyword in ["$defs", "definitions", "patternProperties", "dependentSchemas"] {
        assert_eq!(
            rule(&format!(r#"{{"{keyword}":{{"properties":{leaf}}}}}"#)),
            Rule::Unreachable,
            "{keyword}"
        );
    }
}

#[test]
fn names_and_data_that_look_like_annotations_are_none() {
    for schema in [
        r#"{"properties":{"x-mcp-header":{"type":"number"}},"required":["x-mcp-header"]}"#,
        r#"{"properties":{"p":{"default":{"x-mcp-header":""},"enum":[{"x-mcp-header":1}],"const":{"x-mcp-header":1}}}}"#,
        r#"{"examples":[{"x-mcp-header":"A"}],"description":"x-mcp-header"}"#,
    ] {
        assert_eq!(read(schema), Ok(Vec::new()), "{schema}");
    }
}

#[test]
fn an_escaped_spelling_is_the_same_annotation() {
    let schema = r#"{"properties":{"p":{"type":"strin\u0067","x\u002dmcp-header":"\u0041"}}}"#;
    assert_eq!(read(schema).map(|found| found.len()), Ok(1));
    assert_eq!(rule(r#"{"\u0069tems":{"x-mcp-heade\u0072":"A"}}"#), Rule::Unreachable);
}

#[test]
fn a_property_that_may_be_null_can_be_annotated() {
    let schema = property(r#"["null","boolean"]"#, r#""P""#);
    assert_eq!(sent(&schema, r#"{"p":true}"#), [("mcp-param-p".to_owned(), "true".to_owned())]);
    assert_eq!(sent(&schema, r#"{"p":null}"#), []);
}

#[test]
fn the_reason_says_where_and_what_to_change() {
    let broken = read(r#"{"properties":{"a/b":{"items":[{"x-mcp-header":"A"}]}}}"#).expect_err("broken");
    assert_eq!(
        broken.to_string(),
        "x-mcp-header at '/properties/a~1b/items/-' is not on a property that is reached by 'properties' alone"
    );
    let broken = read(&property(r#""number""#, r#""A""#)).expect_err("broken");
    assert_eq!(
        broken.to_string(),
        "x-mcp-header at '/properties/p' is on a property of type \"number\"; it must be string, integer or boolean"
    );
}

#[test]
fn what_a_server_can_make_us_keep_is_bounded() {
    let many: Vec<String> =
        (0..=MOST).map(|n| format!(r#""p{n}":{{"type":"string","x-mcp-header":"N{n}"}}"#)).collect();
    assert_eq!(rule(&format!(r#"{{"properties":{{{}}}}}"#, many.join(","))), Rule::TooMuch);
    let long = "a".repeat(PATH_BYTES + 1);
    assert_eq!(rule(&property(r#""string""#, &format!("\"{long}\""))), Rule::TooMuch);
    let schema = format!(r#"{{"properties":{{"{long}":{{"type":"string","x-mcp-header":"A"}}}}}}"#);
    let broken = read(&schema).expect_err("broken");
    assert_eq!(broken.rule, Rule::TooMuch);
    assert!(broken.place.len() < 200);
}

#[test]
fn values_are_written_by_their_kind() {
    let schema = r#"{"properties":{
        "s":{"type":"string","x-mcp-header":"Str"},"n":{"type":"integer","x-mcp-header":"num"},
        "b":{"type":"boolean","x-mcp-header":"Bool"},"e":{"type":"string","x-mcp-header":"Empty"},
        "o":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"Deep"}}},
        "plain":{"type":"number"}}}"#;
    let arguments = r#"{"s":"a b","n":-7,"b":false,"e":"","o":{"x":" \u4e16 "},"plain":1.5}"#;
    let expected = [
        ("mcp-param-str", "a b"),
        ("mcp-param-num", "-7"),
        ("mcp-param-bool", "false"),
        ("mcp-param-empty", ""),
        ("mcp-param-deep", "=?base64?IOS4liA=?="),
    ];
    assert_eq!(sent(schema, arguments), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn null_and_absent_values_have_no_header() {
    let schema = r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},
        "o":{"properties":{"x":{"type":"string","x-mcp-header":"B"}}}}}"#;
    for arguments in [r#"{"a":null}"#, "{}", r#"{"o":{}}"#, r#"{"o":null}"#, r#"{"o":["x"]}"#, r#"{"o":"x"}"#]
    {
        assert_eq!(sent(schema, arguments), [], "{arguments}");
    }
    assert_eq!(headers(&read(schema).expect("valid"), r#"{"name":"t"}"#), Ok(Vec::new()));
}

#[test]
fn a_value_that_no_header_can_carry_is_refused_by_name() {
    let parameters =
        read(r#"{"properties":{"o":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}"#)
            .expect("valid");
    let refused = |value: &str| {
        headers(&parameters, &format!(r#"{{"arguments":{{"o":{{"n":{value}}}}}}}"#)).expect_err("no header")
    };
    assert_eq!(refused("[1]"), Unsendable { parameter: "o.n".to_owned(), kind: Kind::Array });
    assert_eq!(
        refused("9007199254740992").to_string(),
        "the argument 'o.n' goes into an HTTP header too and must be a whole number of at most 2^53-1"
    );
    assert_eq!(refused("1.5").kind, Kind::Number);
}

proptest! {
    #[test]
    fn no_schema_makes_the_walk_fail(text in r#"[\[\]{}:,"a\\ 1]{0,80}|(\{"(properties|items|x-mcp-header|type)":){0,200}.{0,10}"#) {
        let _ = read(&text);
        let _ = read(&format!("{text}\"x-mcp-header\""));
    }
}

#[test]
fn whole_numbers_are_read_in_every_form() {
    for (text, value) in [
        ("0", 0),
        ("-0", 0),
        ("0.000", 0),
        ("0e99999999999999999999", 0),
        ("42", 42),
        ("-7", -7),
        ("42.0", 42),
        ("4.2e1", 42),
        ("4200E-2", 42),
        ("0.042e+3", 42),
        ("1e15", 1_000_000_000_000_000),
        ("9007199254740991", 9_007_199_254_740_991),
        ("-9007199254740991.0", -9_007_199_254_740_991),
    ] {
        assert_eq!(whole(text), Some(value), "{text}");
    }
}

#[test]
fn fractions_and_numbers_out_of_range_are_none() {
    for text in [
        "0.5",
        "42.1",
        "1e-1",
        "9007199254740992",
        "-9007199254740992",
        "9007199254740991.4",
        "1e16",
        "1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "123456789012345678901234567890",
    ] {
        assert_eq!(whole(text), None, "{text}");
    }
}
