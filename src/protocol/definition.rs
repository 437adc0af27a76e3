//! Definitions of tools, resources and prompts as they should be written, made of how another server wrote them. A server that passes
//! them on answers for what it sends: many clients take no tool at all where one definition has a member that is null, or an array
//! where an object stands.
//!
//! Nothing that says something is changed.

use super::given;
use crate::json::{self, Kind};

/// How deep a schema is looked into.
const DEPTH: u32 = 64;

/// What stands under a name.
#[derive(Clone, Copy)]
enum Stands {
    /// A value that may be anything, null among others.
    Value,
    /// An object of values that may be left out.
    Object,
    /// An array.
    List,
    /// An array of objects of values that may be left out.
    ListOfObjects,
    Schema,
    /// The schema of arguments: its type is `object`, always.
    Arguments,
    Schemas,
    ListOfSchemas,
    /// A schema, or an array of them.
    Items,
    /// Anything but null.
    Given,
}

type Rule = fn(&str) -> Stands;

/// The definition of a tool.
pub fn tool(written: &str) -> String {
    let mended = mend(written, of_tool, DEPTH);
    if given::object(&mended, "inputSchema").is_some() {
        return mended;
    }
    // Whatever it was, it checks nothing.
    let mut out = Vec::new();
    json::splice_into(&mended, &[("inputSchema", "{\"type\":\"object\"}")], &mut out);
    String::from_utf8(out).unwrap_or(mended)
}

/// The definition of a prompt.
pub fn prompt(written: &str) -> String {
    mend(written, of_prompt, DEPTH)
}

/// The definition of a resource or a template.
pub fn resource(written: &str) -> String {
    mend(written, of_resource, DEPTH)
}

fn of_tool(name: &str) -> Stands {
    match name {
        "inputSchema" => Stands::Arguments,
        "outputSchema" => Stands::Schema,
        "execution" => Stands::Object,
        other => of_resource(other),
    }
}

fn of_prompt(name: &str) -> Stands {
    if name == "arguments" { Stands::ListOfObjects } else { of_resource(name) }
}

fn of_resource(name: &str) -> Stands {
    match name {
        "annotations" | "_meta" => Stands::Object,
        "icons" => Stands::ListOfObjects,
        _ => Stands::Given,
    }
}

fn of_values(_: &str) -> Stands {
    Stands::Given
}

fn of_schemas(_: &str) -> Stands {
    Stands::Schema
}

fn of_schema(name: &str) -> Stands {
    match name {
        "const" | "default" | "examples" => Stands::Value,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => Stands::Schemas,
        "items" => Stands::Items,
        "additionalProperties" | "not" | "if" | "then" | "else" | "contains" | "propertyNames" => {
            Stands::Schema
        }
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => Stands::ListOfSchemas,
        "enum" | "required" => Stands::List,
        _ => Stands::Given,
    }
}

/// An object without the members that are null where nothing may be null, and what is inside it in the same way.
fn mend(object: &str, rule: Rule, depth: u32) -> String {
    let mut out = String::with_capacity(object.len());
    out.push('{');
    for (name, value) in json::members(object) {
        let stands = rule(name);
        if value == "null" && !matches!(stands, Stands::Value) {
            continue;
        }
        if out.len() > 1 {
            out.push(',');
        }
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        push(value, stands, depth, &mut out);
    }
    out.push('}');
    out
}

fn push(value: &str, stands: Stands, depth: u32, out: &mut String) {
    let kind = json::kind(value);
    let Some(below) = depth.checked_sub(1) else { return out.push_str(value) };
    let object = given::as_object(value);
    let mended = |rule: Rule| object.map_or_else(|| value.to_owned(), |object| mend(object, rule, below));
    match stands {
        Stands::Value | Stands::Given => out.push_str(value),
        Stands::Object => out.push_str(&mended(of_values)),
        Stands::Schemas => out.push_str(&mended(of_schemas)),
        Stands::Schema => out.push_str(&mended(of_schema)),
        Stands::Arguments => out.push_str(&arguments(object.unwrap_or("{}"), below)),
        Stands::Items if kind == Some(Kind::Array) => push(value, Stands::ListOfSchemas, depth, out),
        Stands::Items => push(value, Stands::Schema, depth, out),
        Stands::List => match given::as_list(value) {
            Some(list) => out.push_str(&list),
            None => out.push_str(value),
        },
        Stands::ListOfSchemas | Stands::ListOfObjects => {
            let Some(list) = given::as_list(value) else { return out.push_str(value) };
            let inner = if matches!(stands, Stands::ListOfSchemas) { Stands::Schema } else { Stands::Object };
            out.push('[');
            for (index, element) in json::elements(&list).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push(element, inner, below, out);
            }
            out.push(']');
        }
    }
}

/// The schema of a tool's arguments, which are an object.
fn arguments(schema: &str, depth: u32) -> String {
    let mended = mend(schema, of_schema, depth);
    let named = json::member(&mended, "type");
    let may_be =
        |of: &str| json::kind(of) == Some(Kind::Array) && json::elements(of).any(|it| it == "\"object\"");
    if named.is_some_and(|of| !may_be(of)) {
        return mended;
    }
    let mut out = Vec::new();
    json::splice_into(&mended, &[("type", "\"object\"")], &mut out);
    String::from_utf8(out).unwrap_or(mended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_says_nothing_is_left_out_or_written_as_it_should_be() {
        for (written, wanted) in [
            (r#"{"name":"t"}"#, r#"{"name":"t","inputSchema":{"type":"object"}}"#),
            (r#"{"name":"t","inputSchema":null}"#, r#"{"name":"t","inputSchema":{"type":"object"}}"#),
            (r#"{"name":"t","inputSchema":[]}"#, r#"{"name":"t","inputSchema":{"type":"object"}}"#),
            (r#"{"name":"t","inputSchema":"x"}"#, r#"{"name":"t","inputSchema":{"type":"object"}}"#),
            (r#"{"inputSchema":{"type":["object","null"]}}"#, r#"{"inputSchema":{"type":"object"}}"#),
            (r#"{"inputSchema":{"type":"string"}}"#, r#"{"inputSchema":{"type":"string"}}"#),
            (
                r#"{"description":null,"title":null,"annotations":{"readOnlyHint":null,"title":"x"},"outputSchema":null,"icons":{},
                "inputSchema":{"type":"object","properties":[],"required":null,"additionalProperties":null,"$schema":null}}"#,
                r#"{"annotations":{"title":"x"},"icons":[],"inputSchema":{"type":"object","properties":{}}}"#,
            ),
            (
                r#"{"inputSchema":{"properties":{"a":{"type":null,"enum":{"0":"x","2":"y"},"default":null,"items":[{"format":null}]},"b":true,"c":[]},
                "required":{"1":"a"},"anyOf":[{"required":{}}]}}"#,
                r#"{"inputSchema":{"type":"object","properties":{"a":{"enum":["x","y"],"default":null,"items":[{}]},"b":true,"c":{}},
                "required":["a"],"anyOf":[{"required":[]}]}}"#,
            ),
        ] {
            let of = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            assert_eq!(of(&tool(written)), of(wanted), "{written}");
        }
        let prompt =
            prompt(r#"{"name":"p","arguments":[{"name":"a","description":null}],"description":null}"#);
        assert_eq!(prompt, r#"{"name":"p","arguments":[{"name":"a"}]}"#);
        let resource = resource(r#"{"uri":"x:","name":"x","mimeType":null,"size":null,"annotations":[]}"#);
        assert_eq!(resource, r#"{"uri":"x:","name":"x","annotations":{}}"#);
    }

    #[test]
    fn what_is_written_as_it_should_be_stays() {
        let written = r#"{"name":"t","inputSchema":{"type":"object","properties":{"const":{"const":null},"n":{"minimum":1.50}},"required":["n"]},"_meta":{"a":{"b":null}}}"#;
        assert_eq!(tool(written), written);
    }

    #[test]
    fn a_schema_that_has_no_end_has_one_here() {
        let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(120), "}".repeat(120));
        let written = format!(r#"{{"inputSchema":{{"type":"object","properties":{{"a":{deep}}}}}}}"#);
        assert_eq!(tool(&written), written);
    }
}
