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
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The arguments of a tool: `base`, and over it what the words say, typed by the schema. What does not fit is left out, and beside it why.
/// A name that is given several times is an array. Where nothing is checked, a text that does not fit stays a text.
pub fn typed(
    mut base: Map<String, Value>,
    given: Vec<Given>,
    schema: Option<&str>,
    is_checked: bool,
) -> (Map<String, Value>, Vec<String>) {
    let mut faults = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut values: Vec<Vec<Source>> = Vec::new();
    for Given { name, value } in given {
        match names.iter().position(|known| *known == name) {
            Some(at) => values[at].push(value),
            None => {
                names.push(name);
                values.push(vec![value]);
            }
        }
    }
    for (name, values) in names.into_iter().zip(values) {
        let mut steps = STEPS;
        let found = schema.and_then(|schema| property(schema, schema, &name, &mut steps));
        let read = |values: Vec<Source>, found| match <[Source; 1]>::try_from(values) {
            Ok([one]) => fitting(&name, one, schema.unwrap_or("{}"), found),
            Err(values) => several(&name, values, schema.unwrap_or("{}"), found),
        };
        let value = match read(values.clone(), found) {
            Err(_) if !is_checked => read(values, None),
            read => read,
        };
        match value {
            Ok(value) => {
                base.insert(name, value);
            }
            Err(fault) => faults.push(fault),
        }
    }
    (base, faults)
}

/// The value of an argument that is given several times.
fn several(name: &str, values: Vec<Source>, root: &str, property: Option<&str>) -> Result<Value, String> {
    let types = property.map(|property| types_of(root, property, &mut { STEPS })).unwrap_or_default();
    if !types.is_empty() && !types.iter().any(|one| one == "array") {
        return Err(format!(
            "the argument {name} is given {} times, and the tool wants {}",
            values.len(),
            types.join(" or ")
        ));
    }
    let items = property.and_then(|property| items(root, property));
    values.into_iter().map(|value| fitting(name, value, root, items)).collect()
}

/// The schema of the elements of an array.
fn items<'a>(root: &'a str, property: &'a str) -> Option<&'a str> {
    let mut property = property;
    for _ in 0..STEPS {
        if let Some(items) = member(property, "items") {
            return Some(items);
        }
        let alternatives = member(property, "anyOf").or_else(|| member(property, "oneOf"));
        let inner = alternatives.and_then(|list| elements(list).find(|one| member(one, "items").is_some()));
        property = inner.or_else(|| referred(root, property))?;
    }
    None
}

/// How many references and parts of a schema are looked at for one argument.
const STEPS: u32 = 200;

/// The schema of one argument, which may stand behind a `$ref` within the schema or in one of the parts that it is made of.
pub fn property<'a>(root: &'a str, schema: &'a str, name: &str, steps: &mut u32) -> Option<&'a str> {
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
    parts(schema).find_map(|part| property(root, part, name, steps))
}

/// The schemas of which one is made.
pub fn parts(schema: &str) -> impl Iterator<Item = &str> {
    let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| member(schema, key));
    let ones = ["then", "else"].into_iter().filter_map(|key| member(schema, key));
    lists.flat_map(elements).chain(ones)
}

/// What a `$ref` within the schema leads to.
pub fn referred<'a>(root: &'a str, schema: &str) -> Option<&'a str> {
    let reference = member(schema, "$ref").and_then(string)?;
    if reference == "#" {
        return Some(root);
    }
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

/// A value of the type that a schema wants.
fn fitting(name: &str, value: Source, root: &str, property: Option<&str>) -> Result<Value, String> {
    let text = match value {
        Source::Json(value) => return Ok(value),
        Source::Text(text) => text,
    };
    let types = property.map(|property| types_of(root, property, &mut { STEPS })).unwrap_or_default();
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
        // One element of an array may stand by itself.
        None if is("array") && !text.starts_with('[') => {
            let items = property.and_then(|property| items(root, property));
            Ok(Value::Array(vec![fitting(name, Source::Text(text), root, items)?]))
        }
        None => {
            let fix = match types.as_slice() {
                [one] if one == "boolean" => format!("{name}=true or {name}=false"),
                [one] if one == "array" => format!("{name}=ONE {name}=TWO, or {name}:='[…]'"),
                [one] if one == "object" => format!("{name}:='{{…}}'"),
                _ => "NAME:=JSON gives any JSON".to_owned(),
            };
            Err(format!("the argument {name} is '{text}', and the tool wants {}; {fix}", types.join(" or ")))
        }
    }
}

/// Whether a number has only digits: it may be larger than any type of a program.
fn is_whole(number: &str) -> bool {
    number.strip_prefix('-').unwrap_or(number).bytes().all(|byte| byte.is_ascii_digit())
}

/// The types that a schema allows; nothing if it does not say.
fn types_of(root: &str, schema: &str, steps: &mut u32) -> Vec<String> {
    let Some(left) = steps.checked_sub(1) else { return Vec::new() };
    *steps = left;
    let text = |value: &str| string(value).map(std::borrow::Cow::into_owned);
    if let Some(types) = member(schema, "type") {
        return match kind(types) {
            Some(Kind::Array) => elements(types).filter_map(text).collect(),
            _ => text(types).into_iter().collect(),
        };
    }
    if let Some(target) = referred(root, schema) {
        return types_of(root, target, steps);
    }
    let values: Vec<&str> = match (member(schema, "enum"), member(schema, "const")) {
        (Some(values), _) => elements(values).collect(),
        (None, Some(value)) => vec![value],
        (None, None) => Vec::new(),
    };
    if !values.is_empty() {
        let mut types: Vec<String> = values.into_iter().filter_map(kind).map(type_of).collect();
        types.dedup();
        return types;
    }
    if let Some(all) = member(schema, "allOf") {
        // Each of them must be so; the first one that says something is enough.
        let mut all = elements(all).map(|part| types_of(root, part, steps));
        return all.find(|types| !types.is_empty()).unwrap_or_default();
    }
    let alternatives = member(schema, "anyOf").or_else(|| member(schema, "oneOf"));
    let listed: Vec<Vec<String>> = alternatives
        .map(|list| elements(list).map(|part| types_of(root, part, steps)).collect())
        .unwrap_or_default();
    // One that may be anything makes all of them anything.
    if listed.iter().any(Vec::is_empty) { Vec::new() } else { listed.concat() }
}

/// The type of a value, in the words of schemas.
fn type_of(kind: Kind) -> String {
    match kind {
        Kind::Null => "null",
        Kind::True | Kind::False => "boolean",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(words: &[&str], schema: &str) -> Result<Value, String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let given = parse(&words).map_err(|failure| failure.text())?;
        let (arguments, faults) = typed(Map::new(), given, Some(schema), true);
        if faults.is_empty() { Ok(Value::Object(arguments)) } else { Err(faults.join("; ")) }
    }

    const SCHEMA: &str = r##"{"properties":{"n":{"type":"number"},"i":{"type":"integer"},"s":{"type":"string"},
        "b":{"type":"boolean"},"l":{"type":"array"},"o":{"anyOf":[{"type":"string"},{"type":"null"}]},"any":{},
        "e":{"enum":["1","2"]},"t":{"type":"array","items":{"type":"string"}},"k":{"type":"array","items":{"$ref":"#/properties/i"}},
        "c":{"allOf":[{"$ref":"#/properties/e"}],"default":"1"},"w":{"anyOf":[{"const":1},{"enum":[true]}]}}}"##;

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
    fn a_name_that_is_given_several_times_is_an_array() {
        for (words, is) in [
            (&["t=a", "t=7"][..], json!({"t": ["a", "7"]})),
            (&["t=a"], json!({"t": ["a"]})),
            (&["t=[\"a\"]"], json!({"t": ["a"]})),
            (&["k=1", "k:=2"], json!({"k": [1, 2]})),
            (&["other=1", "other=x"], json!({"other": ["1", "x"]})),
            (&["c=1", "w=1"], json!({"c": "1", "w": 1})),
        ] {
            assert_eq!(arguments(words, SCHEMA), Ok(is), "{words:?}");
        }
        let why = |words: &[&str]| arguments(words, SCHEMA).expect_err("refused");
        assert!(why(&["i=1", "i=2"]).contains("given 2 times, and the tool wants integer"));
        assert!(why(&["k=x"]).contains("'x'") && why(&["t=[x"]).contains("t=ONE t=TWO"));
        let given = parse(&["i=x".to_owned(), "n=1".to_owned()]).expect("words");
        let unchecked = typed(Map::new(), given, Some(SCHEMA), false);
        assert_eq!(unchecked, (Map::from_iter([("i".into(), "x".into()), ("n".into(), 1.into())]), vec![]));
        let both = why(&["i=x", "b=yes"]);
        assert!(both.contains("wants integer") && both.contains("b=true or b=false"), "{both}");
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
