//! JSON Schemas as signatures that people read: `add(a: number, b?: number) → {sum: number}`.

use crate::output::one_line;
use crate::values::{parts, referred};
use mcp::client::definitions;
use mcp::client::json_text::{Kind, elements, kind, member, members, string};
use std::borrow::Cow;

/// How deep a schema is followed; deeper is `…`.
const DEPTH: u32 = 4;
/// How many members of an object inside a signature, or values of an enumeration, are shown.
pub const MOST: usize = 8;

/// The signature of a tool, from its definition.
pub fn of_tool(tool: &str) -> String {
    let tool = &definitions::tool(tool);
    let name = member(tool, "name").and_then(string).unwrap_or_default();
    let inputs = member(tool, "inputSchema").unwrap_or("{}");
    let mut all: Vec<String> = Vec::new();
    for place in with_properties(inputs) {
        let shown = parameters(place, usize::MAX, 1);
        all.extend(shown.into_iter().filter(|one| !all.contains(one)).collect::<Vec<_>>());
    }
    let mut text = format!("{}({})", one_line(&name), all.join(", "));
    if let Some(result) = member(tool, "outputSchema") {
        text.push_str(" → ");
        text.push_str(&shape(result, 0));
    }
    text
}

/// The signature of a prompt: its arguments are texts.
pub fn of_prompt(prompt: &str) -> String {
    let name = member(prompt, "name").and_then(string).unwrap_or_default();
    let arguments = elements(member(prompt, "arguments").unwrap_or("[]")).filter_map(|argument| {
        let name = member(argument, "name").and_then(string)?;
        let mark = if member(argument, "required") == Some("true") { "" } else { "?" };
        Some(format!("{}{mark}", one_line(&name)))
    });
    format!("{}({})", one_line(&name), arguments.collect::<Vec<_>>().join(", "))
}

/// How many parts of a schema are looked at.
const PLACES: usize = 50;

/// The schemas that say which members an object has: the schema itself, what its references lead to, and its parts.
pub fn with_properties(schema: &str) -> Vec<&str> {
    let mut places = vec![schema];
    let mut at = 0;
    while let Some(&place) = places.get(at).filter(|_| at < PLACES) {
        at += 1;
        let more = referred(schema, place).into_iter().chain(parts(place));
        let new: Vec<&str> =
            more.filter(|part| !places.iter().any(|known| std::ptr::eq(*known, *part))).collect();
        places.extend(new);
    }
    let has_members =
        |place: &&str| member(place, "properties").is_some_and(|it| members(it).next().is_some());
    places.into_iter().take(PLACES).filter(has_members).collect()
}

/// The members of an object's schema as `name: type`, with `?` for those that may be left out.
pub fn parameters(schema: &str, most: usize, depth: u32) -> Vec<String> {
    let required: Vec<_> = elements(member(schema, "required").unwrap_or("[]")).filter_map(string).collect();
    let all = members(member(schema, "properties").unwrap_or("{}"));
    let mut shown = Vec::new();
    for (count, (name, property)) in all.enumerate() {
        if count == most {
            shown.push("…".to_owned());
            break;
        }
        let name = string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
        let mark = if required.iter().any(|it| **it == name) { "" } else { "?" };
        shown.push(format!("{}{mark}: {}", one_line(&name), shape(property, depth)));
    }
    shown
}

/// A type in few words.
pub fn shape(schema: &str, depth: u32) -> String {
    if depth > DEPTH {
        return "…".to_owned();
    }
    if let Some(values) = member(schema, "enum") {
        let mut shown: Vec<String> = elements(values).take(MOST).map(one_line).collect();
        if elements(values).count() > MOST {
            shown.push("…".to_owned());
        }
        return shown.join(" | ");
    }
    if let Some(value) = member(schema, "const") {
        return one_line(value);
    }
    if let Some(list) = member(schema, "oneOf").or_else(|| member(schema, "anyOf")) {
        let shown: Vec<String> = elements(list).take(MOST).map(|one| shape(one, depth + 1)).collect();
        return shown.join(" | ");
    }
    if let Some(reference) = member(schema, "$ref").and_then(string) {
        return one_line(reference.rsplit('/').next().unwrap_or(&reference));
    }
    let types = member(schema, "type");
    match types.and_then(kind) {
        Some(Kind::String) => one_type(&types.and_then(string).unwrap_or_default(), schema, depth),
        Some(Kind::Array) => {
            // One that stands there again says nothing more, and would show all that is in it again.
            let mut all: Vec<Cow<'_, str>> = Vec::new();
            for one in elements(types.unwrap_or("[]")).filter_map(string) {
                if all.len() <= MOST && !all.contains(&one) {
                    all.push(one);
                }
            }
            let shown: Vec<String> = all.iter().map(|one| one_type(one, schema, depth)).collect();
            shown.join(" | ")
        }
        _ if member(schema, "properties").is_some() => one_type("object", schema, depth),
        _ => "any".to_owned(),
    }
}

fn one_type(name: &str, schema: &str, depth: u32) -> String {
    match name {
        "object" if member(schema, "properties").is_some_and(|it| members(it).next().is_some()) => {
            format!("{{{}}}", parameters(schema, MOST, depth + 1).join(", "))
        }
        "array" => match member(schema, "items") {
            Some(items) => {
                let inside = shape(items, depth + 1);
                if inside.contains(" | ") { format!("({inside})[]") } else { format!("{inside}[]") }
            }
            None => "any[]".to_owned(),
        },
        other => one_line(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_reads_like_a_function() {
        let tool = r#"{"name":"add","inputSchema":{"type":"object","required":["b"],"properties":{"b":{"type":"number"},
            "a":{"type":["integer","null"]},"c":{"enum":["x",1]},"d":{"type":"array","items":{"type":"string"}}}},
            "outputSchema":{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}}"#;
        assert_eq!(
            of_tool(tool),
            "add(b: number, a?: integer | null, c?: \"x\" | 1, d?: string[]) → {sum: number}"
        );
        assert_eq!(of_tool(r#"{"name":"x"}"#), "x()");
        let parts = r##"{"name":"x","inputSchema":{"allOf":[{"$ref":"#/$defs/A"},{"properties":{"s":{"type":"string"}}}],
            "$defs":{"A":{"required":["n"],"properties":{"n":{"type":"integer"}}}}}}"##;
        assert_eq!(of_tool(parts), "x(s?: string, n: integer)");
        let nulls = r#"{"name":"x","outputSchema":null,"inputSchema":{"properties":{"a":{"type":"string","enum":null}},"required":null}}"#;
        assert_eq!(of_tool(nulls), "x(a?: string)");
    }

    #[test]
    fn what_refers_to_itself_or_nests_has_an_end() {
        assert_eq!(shape(r##"{"$ref":"#/$defs/Node"}"##, 0), "Node");
        let mut deep = "{\"type\":\"string\"}".to_owned();
        for _ in 0..100 {
            deep = format!("{{\"type\":\"array\",\"items\":{deep}}}");
        }
        assert_eq!(shape(&deep, 0), "…[][][][][]");
        let mut wide = "{\"enum\":[1]}".to_owned();
        for _ in 0..4 {
            let types = ["\"array\""; 100].join(",");
            wide = format!("{{\"type\":[{types}],\"items\":{wide}}}");
        }
        assert_eq!(shape(&wide, 0), "1[][][][]");
        assert_eq!(
            shape(
                r#"{"anyOf":[{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}},true]}"#,
                0
            ),
            "(string | null)[] | any"
        );
    }

    #[test]
    fn a_prompt_has_names() {
        let prompt = r#"{"name":"greet","arguments":[{"name":"name","required":true},{"name":"tone"}]}"#;
        assert_eq!(of_prompt(prompt), "greet(name, tone?)");
    }
}
