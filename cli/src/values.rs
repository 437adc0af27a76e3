//! Arguments of tools and prompts from a command line: `name=value`, `name:=JSON`, `name=@FILE`, or one JSON object.

use crate::failure::Failure;
use mcp::client::json_text::{Kind, elements, kind, member, string};
use serde_json::{Map, Value};
use std::io::Read as _;

/// The most that is read of a file or of standard input.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// One word of the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Given {
    pub name: String,
    /// What it is read as.
    pub value: Source,
}

/// The value of an argument.
#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    /// A text, for the type that the schema says.
    Text(String),
    /// JSON.
    Json(Value),
}

/// Takes words apart.
pub fn parse(words: &[String]) -> Result<Vec<Given>, Failure> {
    words.iter().map(|word| one(word)).collect()
}

fn one(word: &str) -> Result<Given, Failure> {
    let Some((name, value)) = word.split_once('=') else {
        return Err(Failure::usage(format!("'{word}' is no argument; write NAME=VALUE, or NAME:=JSON")));
    };
    let (name, is_json) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.is_empty() {
        return Err(Failure::usage(format!("'{word}' has no name; write NAME=VALUE, or NAME:=JSON")));
    }
    let text = match value.strip_prefix('@') {
        Some(literal) if literal.starts_with('@') => literal.to_owned(),
        Some(path) => file(path)?,
        None => value.to_owned(),
    };
    let value = if is_json {
        let read = serde_json::from_str(&text);
        Source::Json(
            read.map_err(|error| Failure::usage(format!("the argument {name} is no JSON: {error}")))?,
        )
    } else {
        Source::Text(text)
    };
    Ok(Given { name: name.to_owned(), value })
}

/// A JSON object that an option gives: its text, `@FILE`, or `-` for standard input.
pub fn object(option: &str, text: &str) -> Result<Map<String, Value>, Failure> {
    let text = match text.strip_prefix('@') {
        Some(path) => file(path)?,
        None if text == "-" => standard_input()?,
        None => text.to_owned(),
    };
    match serde_json::from_str(&mcp::client::json_text::plain(text)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(Failure::usage(format!("{option} is {}, and must be a JSON object", named(&other)))),
        Err(error) => Err(Failure::usage(format!("{option} is no JSON: {error}"))),
    }
}

fn named(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn file(path: &str) -> Result<String, Failure> {
    let opened = std::fs::File::open(path);
    bounded(opened.map_err(|error| unreadable(path, &error))?, path)
}

fn standard_input() -> Result<String, Failure> {
    bounded(std::io::stdin().lock(), "standard input")
}

fn bounded(source: impl std::io::Read, what: &str) -> Result<String, Failure> {
    let mut text = String::new();
    source.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(|error| unreadable(what, &error))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Failure::usage(format!("{what} has more than {MOST_BYTES} bytes")));
    }
    Ok(text)
}

fn unreadable(what: &str, error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot read {what}: {error}"))
}

/// Whether the schema of the tool is needed to understand what was given.
pub fn need_schema(given: &[Given]) -> bool {
    given.iter().any(|one| matches!(one.value, Source::Text(_)))
}

/// The arguments of a tool: `base`, and over it what the words say, typed by the schema.
pub fn typed(
    mut base: Map<String, Value>,
    given: Vec<Given>,
    schema: Option<&str>,
) -> Result<Map<String, Value>, Failure> {
    for Given { name, value } in given {
        let value = match value {
            Source::Json(value) => value,
            Source::Text(text) => {
                let mut steps = STEPS;
                let found = schema.and_then(|schema| property(schema, schema, &name, &mut steps));
                fitting(&name, text, found)?
            }
        };
        base.insert(name, value);
    }
    Ok(base)
}

/// How many references and parts of a schema are looked at for one argument.
const STEPS: u32 = 200;

/// The schema of one argument, which may stand behind a `$ref` within the schema or in a part of an `allOf`.
fn property<'a>(root: &'a str, schema: &'a str, name: &str, steps: &mut u32) -> Option<&'a str> {
    *steps = steps.checked_sub(1)?;
    if let Some(mut found) = member(schema, "properties").and_then(|properties| member(properties, name)) {
        while let Some(target) = referred(root, found) {
            *steps = steps.checked_sub(1)?;
            found = target;
        }
        return Some(found);
    }
    if let Some(target) = referred(root, schema)
        && let Some(found) = property(root, target, name, steps)
    {
        return Some(found);
    }
    elements(member(schema, "allOf")?).find_map(|part| property(root, part, name, steps))
}

/// What a `$ref` within the schema leads to.
fn referred<'a>(root: &'a str, schema: &str) -> Option<&'a str> {
    let reference = member(schema, "$ref").and_then(string)?;
    let path = reference.strip_prefix("#/")?;
    path.split('/').try_fold(root, |value, part| member(value, &part.replace("~1", "/").replace("~0", "~")))
}

/// The arguments of a prompt, which are texts.
pub fn texts(given: Vec<Given>) -> Map<String, Value> {
    let text = |value: Source| match value {
        Source::Text(text) => Value::String(text),
        Source::Json(Value::String(text)) => Value::String(text),
        Source::Json(value) => Value::String(value.to_string()),
    };
    given.into_iter().map(|one| (one.name, text(one.value))).collect()
}

fn fitting(name: &str, text: String, property: Option<&str>) -> Result<Value, Failure> {
    let types = property.map(types_of).unwrap_or_default();
    let is = |wanted: &str| types.iter().any(|one| one == wanted);
    if types.is_empty() {
        // What may be anything is JSON where it is JSON of another type than text.
        return Ok(match property.and_then(|_| serde_json::from_str(&text).ok()) {
            Some(value) => value,
            None => Value::String(text),
        });
    }
    let read: Option<Value> = serde_json::from_str(&text).ok();
    let fits = read.filter(|value| match value {
        Value::Null => is("null"),
        Value::Bool(_) => is("boolean"),
        Value::Number(number) => is("number") || (is("integer") && is_whole(&number.to_string())),
        Value::String(_) => false,
        Value::Array(_) => is("array"),
        Value::Object(_) => is("object"),
    });
    match fits {
        Some(value) => Ok(value),
        None if is("string") => Ok(Value::String(text)),
        None => Err(Failure::usage(format!(
            "the argument {name} is '{text}', and the tool wants {}; NAME:=JSON gives any JSON",
            types.join(" or ")
        ))),
    }
}

/// Whether a number has only digits: it may be larger than any type of a program.
fn is_whole(number: &str) -> bool {
    number.strip_prefix('-').unwrap_or(number).bytes().all(|byte| byte.is_ascii_digit())
}

/// The types that a schema allows; nothing if it does not say.
fn types_of(schema: &str) -> Vec<String> {
    let text = |value: &str| string(value).map(std::borrow::Cow::into_owned);
    if let Some(types) = member(schema, "type") {
        return match kind(types) {
            Some(Kind::Array) => elements(types).filter_map(text).collect(),
            _ => text(types).into_iter().collect(),
        };
    }
    let is_text = |value: &str| kind(value) == Some(Kind::String);
    if member(schema, "enum").is_some_and(|values| elements(values).all(is_text)) {
        return vec!["string".to_owned()];
    }
    let alternatives = member(schema, "anyOf").or_else(|| member(schema, "oneOf"));
    let listed: Vec<Vec<String>> =
        alternatives.map(|list| elements(list).map(types_of).collect()).unwrap_or_default();
    // One that may be anything makes all of them anything.
    if listed.iter().any(Vec::is_empty) { Vec::new() } else { listed.concat() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(words: &[&str], schema: &str) -> Result<Value, String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let given = parse(&words).map_err(|failure| failure.text())?;
        typed(Map::new(), given, Some(schema)).map(Value::Object).map_err(|failure| failure.text())
    }

    const SCHEMA: &str = r#"{"properties":{"n":{"type":"number"},"i":{"type":"integer"},"s":{"type":"string"},
        "b":{"type":"boolean"},"l":{"type":"array"},"o":{"anyOf":[{"type":"string"},{"type":"null"}]},"any":{},
        "e":{"enum":["1","2"]}}}"#;

    #[test]
    fn values_have_the_type_of_the_schema() {
        let exact = "{\"i\":-12345678901234567890123,\"n\":0.12345678901234567890}";
        let given = ["i=-12345678901234567890123", "n=0.12345678901234567890"];
        assert_eq!(arguments(&given, SCHEMA).map(|it| it.to_string()).as_deref(), Ok(exact));
        let words = ["n=1.5", "i=-2", "s=3", "b=true", "l=[1]", "o=null", "any={\"x\":1}", "e=1", "other=7"];
        let wanted = json!({"n": 1.5, "i": -2, "s": "3", "b": true, "l": [1], "o": null, "any": {"x": 1}, "e": "1",
            "other": "7"});
        assert_eq!(arguments(&words, SCHEMA), Ok(wanted));
        assert_eq!(
            arguments(&["s:=3", "s2=a=b", "e=@@x"], SCHEMA),
            Ok(json!({"s": 3, "s2": "a=b", "e": "@x"}))
        );
    }

    #[test]
    fn an_argument_is_found_behind_references_and_parts() {
        let schema = r##"{"$defs":{"args":{"properties":{"n":{"$ref":"#/$defs/a~1b"}}},"a/b":{"type":"integer"},
            "loop":{"$ref":"#/$defs/loop"}},"$ref":"#/$defs/args","allOf":[{"properties":{"s":{"type":"string"}}},
            {"$ref":"#/$defs/loop"}]}"##;
        assert_eq!(
            arguments(&["n=3", "s=3", "other=3"], schema),
            Ok(json!({"n": 3, "s": "3", "other": "3"}))
        );
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_name() {
        let why = |word: &str| arguments(&[word], SCHEMA).expect_err("refused");
        assert!(why("i=1.5").contains("wants integer"), "{}", why("i=1.5"));
        assert!(why("b=maybe").contains("wants boolean"));
        assert!(why("n").contains("NAME=VALUE"));
        assert!(why("n:={").contains("no JSON"));
        assert!(why("=1").contains("has no name"));
        assert!(why("s=@/nonexistent").contains("/nonexistent"));
    }

    #[test]
    fn an_object_comes_from_text_or_file() {
        assert_eq!(object("--json", "{\"a\":1}").expect("an object")["a"], 1);
        assert!(object("--json", "[1]").expect_err("refused").text().contains("an array"));
        assert!(object("--json", "@/nonexistent").is_err());
    }
}
