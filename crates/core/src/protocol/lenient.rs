//! What a value stands for that another side wrote. Languages write nothing in different ways: a member that is null is absent,
//! PHP writes an object without members as `[]`, Lua an array without elements as `{}`, and some have no integers and write 1 as
//! `1.0` or `"1"`. Whatever reads a message of the other side asks here, so that all of it agrees.
//!
//! A server that passes on definitions of another one writes them as they should be written: many clients take no tool at all where
//! one definition has a member that is null, or an array where an object stands. Nothing that says something is changed.

use crate::json::{self, Kind};
use std::borrow::Cow;

/// A member of an object; one that is null is absent.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    json::member(object, name).filter(|value| *value != "null")
}

/// A member that is an object: `[]` stands for `{}`. `None` for any other value.
pub fn object<'a>(of: &'a str, name: &str) -> Option<&'a str> {
    member(of, name).and_then(as_object)
}

/// A member that is a list. `None` for any other value.
pub fn list<'a>(of: &'a str, name: &str) -> Option<Cow<'a, str>> {
    as_list(member(of, name)?)
}

/// A list: `{}` stands for `[]`, and PHP writes a list that something was taken from as an object whose names are numbers.
pub fn as_list(value: &str) -> Option<Cow<'_, str>> {
    match json::kind(value)? {
        Kind::Array => Some(value.into()),
        Kind::Object => {
            let is_number = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
            if !json::members(value).all(|(name, _)| is_number(name)) {
                return None;
            }
            let elements: Vec<&str> = json::members(value).map(|(_, element)| element).collect();
            Some(format!("[{}]", elements.join(",")).into())
        }
        _ => None,
    }
}

/// An object, which `[]` stands for, too.
pub fn as_object(value: &str) -> Option<&str> {
    match json::kind(value)? {
        Kind::Object => Some(value),
        Kind::Array if is_empty(value) => Some("{}"),
        _ => None,
    }
}

/// Whether a value is an object without members or an array without elements.
pub fn is_empty(value: &str) -> bool {
    let inner = value.get(1..value.len().saturating_sub(1)).unwrap_or("x");
    matches!(json::kind(value), Some(Kind::Object | Kind::Array)) && inner.trim_ascii().is_empty()
}

/// Whether a value says that there is nothing: null, false, an empty text, object or array.
pub fn is_nothing(value: &str) -> bool {
    matches!(value, "null" | "false" | "\"\"") || is_empty(value)
}

/// Whether an object declares something, such as a capability: it is there and neither null nor false.
pub fn declares(object: &str, name: &str) -> bool {
    json::member(object, name).is_some_and(is_declared)
}

/// The same of the value.
pub fn is_declared(value: &str) -> bool {
    !matches!(json::kind(value), None | Some(Kind::Null | Kind::False))
}

/// Capabilities as they should be written: what is not declared is left out, and what is declared is an object. Says whether they were
/// written in another way.
pub fn capabilities(written: &str) -> (String, bool) {
    let mut odd = json::kind(written) != Some(Kind::Object);
    let mut text = String::from("{");
    for (name, value) in json::members(as_object(written).unwrap_or("{}")) {
        let declared = is_declared(value);
        odd |= !declared || json::kind(value) != Some(Kind::Object);
        if !declared {
            continue;
        }
        if text.len() > 1 {
            text.push(',');
        }
        text.push('"');
        text.push_str(name);
        text.push_str("\":");
        match as_object(value) {
            Some(extensions) if name == "extensions" => {
                let (extensions, inner) = capabilities(extensions);
                odd |= inner;
                text.push_str(&extensions);
            }
            Some(settings) => {
                let nulls = json::members(settings).filter(|(_, value)| *value == "null");
                odd |= nulls.count() > 0;
                push_given(settings, &mut text);
            }
            None => text.push_str("{}"),
        }
    }
    text.push('}');
    (text, odd)
}

/// An object without the members that are null.
fn push_given(object: &str, out: &mut String) {
    let start = out.len();
    out.push('{');
    for (name, value) in json::members(object).filter(|(_, value)| *value != "null") {
        if out.len() > start + 1 {
            out.push(',');
        }
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        out.push_str(value);
    }
    out.push('}');
}

/// The number of ours that a value is, by its value: `1`, `1.0` and `"1"` are one.
pub fn number(value: &str) -> Option<u64> {
    // As nearly all are written; so many digits fit.
    let mut number = 0_u64;
    let mut digit = |byte: u8| {
        number = number * 10 + u64::from(byte.wrapping_sub(b'0'));
        byte.is_ascii_digit()
    };
    if (1..=18).contains(&value.len()) && value.bytes().all(&mut digit) {
        return Some(number);
    }
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { json::whole(text.as_bytes()).ok()?.try_into().ok() }
}

/// The code of an error: a number, or a text of one.
pub fn code(value: &str) -> Option<i64> {
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value);
    json::whole(text.as_bytes()).ok()
}

/// What a page of a list says of the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextPage<'a> {
    /// This is the last page.
    End,
    /// It is at this cursor, a JSON string.
    At(&'a str),
    /// There is one, but its cursor is not a string.
    Unreadable(&'a str),
}

/// Reads `nextCursor` of a page. Some servers end a list with an empty cursor, with false or with 0.
pub fn next_page(result: &str) -> NextPage<'_> {
    match member(result, "nextCursor") {
        None => NextPage::End,
        Some(cursor) if is_nothing(cursor) || cursor == "0" => NextPage::End,
        Some(cursor) if json::kind(cursor) == Some(Kind::String) => NextPage::At(cursor),
        Some(cursor) => NextPage::Unreadable(cursor),
    }
}

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

type MemberRule = fn(&str) -> Stands;

/// The definition of a tool.
pub fn tool_definition(written: &str) -> String {
    let mended = mend(written, of_tool, DEPTH);
    if object(&mended, "inputSchema").is_some() {
        return mended;
    }
    // Whatever it was, it checks nothing.
    let mut out = Vec::new();
    json::splice_into(&mended, &[("inputSchema", "{\"type\":\"object\"}")], &mut out);
    String::from_utf8(out).unwrap_or(mended)
}

/// A schema.
pub fn schema(written: &str) -> String {
    as_object(written).map_or_else(|| written.to_owned(), |written| mend(written, of_schema, DEPTH))
}

/// The definition of a prompt.
pub fn prompt_definition(written: &str) -> String {
    mend(written, of_prompt, DEPTH)
}

/// The definition of a resource or a template.
pub fn resource_definition(written: &str) -> String {
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
fn mend(object: &str, rule: MemberRule, depth: u32) -> String {
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
        push_mended(value, stands, depth, &mut out);
    }
    out.push('}');
    out
}

fn push_mended(value: &str, stands: Stands, depth: u32, out: &mut String) {
    let kind = json::kind(value);
    let Some(below) = depth.checked_sub(1) else { return out.push_str(value) };
    let object = as_object(value);
    let mended =
        |rule: MemberRule| object.map_or_else(|| value.to_owned(), |object| mend(object, rule, below));
    match stands {
        Stands::Value | Stands::Given => out.push_str(value),
        Stands::Object => out.push_str(&mended(of_values)),
        Stands::Schemas => out.push_str(&mended(of_schemas)),
        Stands::Schema => out.push_str(&mended(of_schema)),
        Stands::Arguments => out.push_str(&mended_arguments(object.unwrap_or("{}"), below)),
        Stands::Items if kind == Some(Kind::Array) => push_mended(value, Stands::ListOfSchemas, depth, out),
        Stands::Items => push_mended(value, Stands::Schema, depth, out),
        Stands::List => match as_list(value) {
            Some(list) => out.push_str(&list),
            None => out.push_str(value),
        },
        Stands::ListOfSchemas | Stands::ListOfObjects => {
            let Some(list) = as_list(value) else { return out.push_str(value) };
            let inner = if matches!(stands, Stands::ListOfSchemas) { Stands::Schema } else { Stands::Object };
            out.push('[');
            for (index, element) in json::elements(&list).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_mended(element, inner, below, out);
            }
            out.push(']');
        }
    }
}

/// The schema of a tool's arguments, which are an object.
fn mended_arguments(schema: &str, depth: u32) -> String {
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
    fn nothing_is_written_in_different_ways() {
        let of = r#"{"a":null,"b":[ ],"c":{},"d":{"x":1},"e":[1],"f":"","g":false,"h":0}"#;
        let objects: Vec<_> = "abcdefgh".split("").filter_map(|name| object(of, name)).collect();
        assert_eq!(objects, ["{}", "{}", r#"{"x":1}"#]);
        let lists: Vec<_> = "abcdefgh".split("").filter_map(|name| list(of, name)).collect();
        assert_eq!(lists, ["[ ]", "[]", "[1]"]);
        assert_eq!(as_list(r#"{"0":"a","2":{}}"#).as_deref(), Some(r#"["a",{}]"#));
        assert_eq!(member(of, "a"), None);
        assert_eq!(member(of, "h"), Some("0"));
        let nothing: Vec<_> =
            json::members(of).filter(|(_, value)| is_nothing(value)).map(|(name, _)| name).collect();
        assert_eq!(nothing, ["a", "b", "c", "f", "g"]);
        let declared: Vec<_> =
            json::members(of).filter(|(name, _)| declares(of, name)).map(|(name, _)| name).collect();
        assert_eq!(declared, ["b", "c", "d", "e", "f", "h"]);
    }

    #[test]
    fn capabilities_are_written_as_they_should_be() {
        for (written, wanted, odd) in [
            (r#"{"tools":{"listChanged":false},"x":{}}"#, r#"{"tools":{"listChanged":false},"x":{}}"#, false),
            (
                r#"{"tools":[],"resources":null,"prompts":false,"logging":true,"completions":[{"name":"t"}]}"#,
                r#"{"tools":{},"logging":{},"completions":{}}"#,
                true,
            ),
            (r#"{"tools":{"listChanged":null,"a":1}}"#, r#"{"tools":{"a":1}}"#, true),
            (r#"{"extensions":{"a/b":[],"c/d":null}}"#, r#"{"extensions":{"a/b":{}}}"#, true),
            ("[]", "{}", true),
            ("null", "{}", true),
        ] {
            assert_eq!(capabilities(written), (wanted.to_owned(), odd), "{written}");
        }
    }

    #[test]
    fn a_number_of_ours_is_told_by_its_value() {
        for (value, wanted) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("\"7\"", Some(7)),
            ("\"7.0\"", Some(7)),
            ("70e-1", Some(7)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("18446744073709551615", Some(u64::MAX)),
            ("7x", None),
            ("", None),
            ("18446744073709551616", None),
            ("1e400", None),
            ("7.5", None),
            ("-7", None),
            ("\"\"", None),
            ("\" 7\"", None),
            ("null", None),
            ("[7]", None),
        ] {
            assert_eq!(number(value), wanted, "{value}");
        }
    }

    #[test]
    fn a_list_ends_where_no_cursor_is_given() {
        for end in [
            "{}",
            r#"{"nextCursor":null}"#,
            r#"{"nextCursor":""}"#,
            r#"{"nextCursor":false}"#,
            r#"{"nextCursor":0}"#,
        ] {
            assert_eq!(next_page(end), NextPage::End, "{end}");
        }
        assert_eq!(next_page(r#"{"nextCursor":"a"}"#), NextPage::At("\"a\""));
        assert_eq!(next_page(r#"{"nextCursor":2}"#), NextPage::Unreadable("2"));
    }

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
            assert_eq!(of(&tool_definition(written)), of(wanted), "{written}");
        }
        let prompt = prompt_definition(
            r#"{"name":"p","arguments":[{"name":"a","description":null}],"description":null}"#,
        );
        assert_eq!(prompt, r#"{"name":"p","arguments":[{"name":"a"}]}"#);
        let resource =
            resource_definition(r#"{"uri":"x:","name":"x","mimeType":null,"size":null,"annotations":[]}"#);
        assert_eq!(resource, r#"{"uri":"x:","name":"x","annotations":{}}"#);
    }

    #[test]
    fn a_schema_is_read_as_it_should_be_written() {
        for (written, wanted) in [
            (r#"{"type":"object","properties":[],"required":null}"#, r#"{"type":"object","properties":{}}"#),
            (r#"{"type":"string"}"#, r#"{"type":"string"}"#),
            ("[]", "{}"),
            ("true", "true"),
            ("null", "null"),
        ] {
            assert_eq!(schema(written), wanted);
        }
    }

    #[test]
    fn what_is_written_as_it_should_be_stays() {
        let written = r#"{"name":"t","inputSchema":{"type":"object","properties":{"const":{"const":null},"n":{"minimum":1.50}},"required":["n"]},"_meta":{"a":{"b":null}}}"#;
        assert_eq!(tool_definition(written), written);
    }

    #[test]
    fn a_schema_that_has_no_end_has_one_here() {
        let deep = format!("{}{{}}{}", r#"{"items":"#.repeat(120), "}".repeat(120));
        let written = format!(r#"{{"inputSchema":{{"type":"object","properties":{{"a":{deep}}}}}}}"#);
        assert_eq!(tool_definition(&written), written);
    }
}
