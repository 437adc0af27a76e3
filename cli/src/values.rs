//! Arguments of tools and prompts from a command line: `name=value`, `name:=JSON`, `name=@FILE`, or one JSON object. They are JSON text from
//! here to the server: a tree would write numbers with other letters (`1e400` as `1e+400`) and members in another order.

use crate::bridge::{twice, with};
use crate::failure::Failure;
use crate::output::one_line;
use mcp::client::json_text::{Kind, decoded, elements, kind, member, members, quote, string};
use serde_json::Value;
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
    /// JSON, as it was written.
    Json(String),
}

/// Takes words apart.
pub fn parse(words: &[String]) -> Result<Vec<Given>, Failure> {
    words.iter().map(|word| one(word)).collect()
}

fn one(word: &str) -> Result<Given, Failure> {
    let Some((name, value)) = word.split_once('=') else {
        let is_name =
            !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        let name = if is_name { word } else { "NAME" };
        let object = if word.starts_with('{') {
            format!(", or all as one object: --json '{word}'")
        } else {
            String::new()
        };
        return Err(Failure::usage(format!(
            "'{word}' is not an argument; write {name}=VALUE, or {name}:=JSON{object}"
        )));
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
        tree(&text)
            .map_err(|error| Failure::usage(format!("the argument {name} is not valid JSON: {error}")))?;
        once(&text).map_err(|why| Failure::usage(format!("the argument {name}: {why}")))?;
        Source::Json(text.trim().to_owned())
    } else {
        Source::Text(text)
    };
    Ok(Given { name: name.to_owned(), value })
}

/// The tree of JSON text: whether it is valid is known only by reading it as a whole.
fn tree(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text)
}

/// Refuses valid JSON in which an object has a member twice: what is checked is the last one, and its receiver may read another.
///
/// # Errors
/// The name, and what to do.
pub fn once(json: &str) -> Result<(), String> {
    match twice(json) {
        Some(name) => Err(format!("'{}' is there twice in one object; write it once", one_line(&name))),
        None => Ok(()),
    }
}

/// A JSON object that an option gives: its text, `@FILE`, or `-` for standard input.
pub fn object(option: &str, text: &str) -> Result<String, Failure> {
    let text = match text.strip_prefix('@') {
        Some(path) => file(path)?,
        None if text == "-" => standard_input()?,
        None => text.to_owned(),
    };
    let text = mcp::client::json_text::plain(text);
    match tree(&text) {
        Ok(Value::Object(_)) => {
            once(&text).map_err(|why| Failure::usage(format!("{option}: {why}")))?;
            Ok(text.trim().to_owned())
        }
        Ok(other) => Err(Failure::usage(format!("{option} is {}, and must be a JSON object", named(&other)))),
        Err(error) => Err(Failure::usage(format!("{option} is not valid JSON: {error}"))),
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
    let mut bytes = Vec::new();
    source.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(what, &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::usage(format!("{what} has more than {MOST_BYTES} bytes")));
    }
    decoded(bytes).map_err(|why| unreadable(what, &why))
}

fn unreadable(what: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!("cannot read {what}: {error}"))
}

/// Whether the schema of the tool is needed to understand what was given.
pub fn need_schema(given: &[Given]) -> bool {
    given.iter().any(|one| matches!(one.value, Source::Text(_)))
}

/// The arguments of a tool: the object `base`, and over it what the words say, typed by the schema. What does not fit is left out, and beside it why.
/// A name that is given several times is an array. Where nothing is checked, a text that does not fit stays a text.
pub fn typed(
    mut base: String,
    given: Vec<Given>,
    schema: Option<&str>,
    is_checked: bool,
) -> (String, Vec<String>) {
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
        let root = schema.unwrap_or("{}");
        let found = property(root, &name);
        let read = |values: Vec<Source>, found: &Place<'_>| match <[Source; 1]>::try_from(values) {
            Ok([one]) => fitting(&name, one, root, found),
            Err(values) => several(&name, values, root, found),
        };
        let value = match read(values.clone(), &found) {
            Err(_) if !is_checked => read(values, &Place::default()),
            read => read,
        };
        match value {
            Ok(value) => base = with(&base, &name, &value),
            Err(fault) => faults.push(fault),
        }
    }
    (base, faults)
}

/// The value of an argument that is given several times.
fn several(name: &str, values: Vec<Source>, root: &str, place: &Place<'_>) -> Result<String, String> {
    let types = place.types(root, &mut { STEPS });
    if !types.is_empty() && !place.is_open && !types.iter().any(|one| one == "array") {
        return Err(format!(
            "the argument {name} is given {} times, and the tool wants {}",
            values.len(),
            types.join(" or ")
        ));
    }
    let items = place.items(root);
    let all: Vec<String> =
        values.into_iter().map(|value| fitting(name, value, root, &items)).collect::<Result<_, _>>()?;
    Ok(format!("[{}]", all.join(",")))
}

/// How many references and parts of a schema are looked at for one argument.
const STEPS: u32 = 200;

/// What a schema says of one value. Which of several schemas counts depends on the other values, so that what fits one of them is taken.
#[derive(Debug, Default)]
pub struct Place<'a> {
    /// The schemas of the value.
    pub schemas: Vec<&'a str>,
    /// Whether there is an alternative that says nothing of it.
    is_open: bool,
}

impl<'a> Place<'a> {
    /// The types of all its schemas; nothing if one of them does not say.
    fn types(&self, root: &str, steps: &mut u32) -> Vec<String> {
        let of_each = self.schemas.iter().map(|schema| types_of(root, schema, steps)).collect();
        union(of_each)
    }

    /// The same of the elements, where it is an array.
    fn items(&self, root: &'a str) -> Place<'a> {
        let mut items = Place::default();
        let mut rest = self.schemas.clone();
        for _ in 0..STEPS {
            let Some(schema) = rest.pop() else { return items };
            match member(schema, "items") {
                Some(found) => items.schemas.push(found),
                None => rest.extend(parts(schema).chain(referred(root, schema))),
            }
        }
        Place::default()
    }
}

/// What the schema of a tool says of one argument.
pub fn property<'a>(schema: &'a str, name: &str) -> Place<'a> {
    of_property(schema, schema, name, &mut { STEPS })
}

/// What `properties`, a `$ref` and the parts of `allOf` say holds in any case; of alternatives each may be the one that counts.
fn of_property<'a>(root: &'a str, schema: &'a str, name: &str, steps: &mut u32) -> Place<'a> {
    let Some(left) = steps.checked_sub(1) else { return Place { schemas: Vec::new(), is_open: true } };
    *steps = left;
    let own = member(schema, "properties").and_then(|properties| member(properties, name));
    let mut best = Place { schemas: own.into_iter().collect(), is_open: false };
    let list = |key: &str| member(schema, key).map(|list| elements(list).collect::<Vec<_>>());
    let branches = ["then", "else"].map(|key| member(schema, key));
    let conditional = (branches != [None; 2]).then(|| branches.map(|one| one.unwrap_or("true")).to_vec());
    let certain = referred(root, schema).into_iter().chain(list("allOf").into_iter().flatten());
    let groups =
        certain.map(|one| vec![one]).chain([list("anyOf"), list("oneOf"), conditional].into_iter().flatten());
    for group in groups {
        if !best.is_open && !best.types(root, steps).is_empty() {
            break;
        }
        let mut place = Place::default();
        for branch in group.into_iter().filter(|branch| *branch != "false") {
            let of_branch = of_property(root, branch, name, steps);
            let is_silent = of_branch.schemas.is_empty();
            let is_closed = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|key| member(branch, key) == Some("false"));
            place.is_open |= of_branch.is_open || (is_silent && !is_closed);
            place.schemas.extend(of_branch.schemas);
        }
        if best.schemas.is_empty() || !place.types(root, steps).is_empty() {
            best = if place.schemas.is_empty() { best } else { place };
        }
    }
    best
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

/// The arguments of a prompt, which are texts: a JSON object.
pub fn texts(given: Vec<Given>) -> String {
    given.into_iter().fold("{}".to_owned(), |all, Given { name, value }| {
        let text = match value {
            Source::Json(json) if kind(&json) == Some(Kind::String) => json,
            Source::Json(text) | Source::Text(text) => quote(&text),
        };
        with(&all, &name, &text)
    })
}

/// The names of the members of an object.
pub fn names(object: &str) -> Vec<String> {
    let spelled = |(name, _): (&str, _)| string(&format!("\"{name}\"")).map(std::borrow::Cow::into_owned);
    members(object).filter_map(spelled).collect()
}

/// A value of the type that a schema wants.
fn fitting(name: &str, value: Source, root: &str, place: &Place<'_>) -> Result<String, String> {
    let text = match value {
        Source::Json(value) => return Ok(value),
        Source::Text(text) => text,
    };
    let types = place.types(root, &mut { STEPS });
    let is = |wanted: &str| types.iter().any(|one| one == wanted);
    let json = tree(&text).is_ok().then(|| text.trim().to_owned());
    let sent = |json: String| match once(&json) {
        Ok(()) => Ok(json),
        Err(why) => Err(format!("the argument {name}: {why}")),
    };
    if types.is_empty() {
        // What may be anything is JSON where it is JSON of another type than text.
        let json = json.filter(|_| !place.schemas.is_empty());
        return json.map_or_else(|| Ok(quote(&text)), sent);
    }
    let fits = json.filter(|json| match kind(json) {
        Some(Kind::Null) => is("null"),
        Some(Kind::True | Kind::False) => is("boolean"),
        Some(Kind::Number) => is("number") || (is("integer") && is_whole(json)),
        Some(Kind::Array) => is("array"),
        Some(Kind::Object) => is("object"),
        Some(Kind::String) | None => false,
    });
    match fits {
        Some(json) => sent(json),
        None if is("string") => Ok(quote(&text)),
        // One element of an array may stand by itself.
        None if is("array") && !text.starts_with('[') => {
            let is_list = text.contains(',');
            match fitting(name, Source::Text(text), root, &place.items(root)) {
                Ok(one) => Ok(format!("[{one}]")),
                Err(_) if is_list => Err(format!(
                    "the argument {name} is an array: write {name}=ONE {name}=TWO, or {name}:='[…]', and no commas"
                )),
                Err(why) => Err(why),
            }
        }
        None if place.is_open && tree(&text).is_ok() => sent(text.trim().to_owned()),
        None if place.is_open => Ok(quote(&text)),
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
    // A fraction of zeros is not one: 1.0 is whole in JSON Schema.
    let number = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    whole.bytes().all(|byte| byte.is_ascii_digit()) && fraction.bytes().all(|byte| byte == b'0')
}

/// The types that the name of one means: some programs write those of a programming language, or in capitals. `None` for any other.
fn known_type(name: &str) -> Option<&'static [&'static str]> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" => &["string"],
        "integer" | "int" | "long" => &["integer"],
        "number" => &["number"],
        // Some take a text for the sake of its digits.
        "decimal" | "float" | "double" => &["number", "string"],
        "boolean" | "bool" => &["boolean"],
        "array" | "list" => &["array"],
        "object" | "dict" | "map" => &["object"],
        "null" | "none" => &["null"],
        _ => return None,
    })
}

/// The types that a schema allows; nothing if it does not say.
fn types_of(root: &str, schema: &str, steps: &mut u32) -> Vec<String> {
    let Some(left) = steps.checked_sub(1) else { return Vec::new() };
    *steps = left;
    let text = |value: &str| string(value).map(std::borrow::Cow::into_owned);
    if let Some(types) = member(schema, "type").filter(|types| *types != "null") {
        let named: Vec<String> = match kind(types) {
            Some(Kind::Array) => elements(types).filter_map(text).collect(),
            _ => text(types).into_iter().collect(),
        };
        // A type that no specification has says nothing.
        let known = named.iter().map(|name| known_type(name)).collect::<Option<Vec<_>>>().unwrap_or_default();
        return known.concat().into_iter().map(str::to_owned).collect();
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
    let listed = alternatives.map(|list| elements(list).map(|part| types_of(root, part, steps)).collect());
    union(listed.unwrap_or_default())
}

/// The types of alternatives. One that may be anything makes all of them anything.
fn union(alternatives: Vec<Vec<String>>) -> Vec<String> {
    if alternatives.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let mut all: Vec<String> = Vec::new();
    for one in alternatives.into_iter().flatten() {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
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
        let (arguments, faults) = typed("{}".to_owned(), given, Some(schema), true);
        if faults.is_empty() { Ok(tree(&arguments).expect("JSON")) } else { Err(faults.join("; ")) }
    }

    const SCHEMA: &str = r##"{"properties":{"n":{"type":"number"},"i":{"type":"integer"},"s":{"type":"string"},
        "b":{"type":"boolean"},"l":{"type":"array"},"o":{"anyOf":[{"type":"string"},{"type":"null"}]},"any":{},
        "e":{"enum":["1","2"]},"t":{"type":"array","items":{"type":"string"}},"k":{"type":"array","items":{"$ref":"#/properties/i"}},
        "c":{"allOf":[{"$ref":"#/properties/e"}],"default":"1"},"w":{"anyOf":[{"const":1},{"enum":[true]}]}}}"##;

    #[test]
    fn values_have_the_type_of_the_schema() {
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
    fn c9_what_is_written_as_json_goes_with_the_same_letters() {
        let text = |base: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let base = object("--json", base).expect("an object");
            typed(base, parse(&words).expect("words"), Some(SCHEMA), true)
        };
        for (base, words, is) in [
            ("{}", &["i=-12345678901234567890123"][..], r#"{"i":-12345678901234567890123}"#),
            ("{}", &["n=0.12345678901234567890"], r#"{"n":0.12345678901234567890}"#),
            ("{}", &["n=1e400"], r#"{"n":1e400}"#),
            ("{}", &["n=-1E5"], r#"{"n":-1E5}"#),
            ("{}", &["n=1e+05"], r#"{"n":1e+05}"#),
            ("{}", &["n=-0"], r#"{"n":-0}"#),
            ("{}", &["i=1.0"], r#"{"i":1.0}"#),
            ("{}", &["n:= 1e400 "], r#"{"n":1e400}"#),
            ("{}", &["any=1e400"], r#"{"any":1e400}"#),
            ("{}", &["any:={\"z\":1E2, \"a\":\"\\u0061\"}"], r#"{"any":{"z":1E2, "a":"\u0061"}}"#),
            ("{}", &["k:=1e2", "k:=1E2"], r#"{"k":[1e2,1E2]}"#),
            ("{}", &["s=1e400"], r#"{"s":"1e400"}"#),
            (r#"{ "z": 1E400, "a": [1e2] }"#, &[], r#"{ "z": 1E400, "a": [1e2] }"#),
            (r#"{"n":1e1,"a":1E1}"#, &["n=1e2"], r#"{"a":1E1,"n":1e2}"#),
        ] {
            assert_eq!(text(base, words), (is.to_owned(), Vec::new()), "{base} {words:?}");
        }
        let given = parse(&["a:=1E5".to_owned(), "b:=\"x\"".to_owned(), "c=1e2".to_owned()]).expect("words");
        assert_eq!(texts(given), r#"{"a":"1E5","b":"x","c":"1e2"}"#);
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
        let unchecked = typed("{}".to_owned(), given, Some(SCHEMA), false);
        assert_eq!(unchecked, (r#"{"i":"x","n":1}"#.to_owned(), vec![]));
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
    fn what_fits_one_of_several_alternatives_is_taken() {
        let branch = |kind: &str| json!({"properties": {"v": {"type": kind}}});
        let (int, text, list) = (
            branch("integer"),
            branch("string"),
            json!({"properties": {"v": {"type": "array",
            "items": {"oneOf": [{"type": "boolean"}, {"type": "integer"}]}}}}),
        );
        let closed = json!({"properties": {"w": {}}, "additionalProperties": false});
        for (schema, word, is) in [
            (json!({"oneOf": [int, text]}), "v=abc", Ok(json!("abc"))),
            (json!({"anyOf": [int, text]}), "v=7", Ok(json!(7))),
            (json!({"if": {}, "then": int, "else": text}), "v=abc", Ok(json!("abc"))),
            (json!({"if": {}, "then": int}), "v=abc", Ok(json!("abc"))),
            (json!({"oneOf": [int, {"properties": {"v": {}}}]}), "v=true", Ok(json!(true))),
            (json!({"oneOf": [int, {"properties": {"w": {}}}]}), "v=abc", Ok(json!("abc"))),
            (json!({"oneOf": [int, {"properties": {"w": {}}}]}), "v=7", Ok(json!(7))),
            (json!({"oneOf": [int, closed]}), "v=abc", Err("wants integer")),
            (json!({"oneOf": [int, {"allOf": [branch("number")]}]}), "v=abc", Err("wants integer or number")),
            (json!({"oneOf": [branch("array"), list]}), "v=7", Ok(json!([7]))),
            (json!({"properties": {"v": {}}, "oneOf": [int, text]}), "v=abc", Ok(json!("abc"))),
            (json!({"properties": {"v": {"type": "string"}}, "oneOf": [int, text]}), "v=7", Ok(json!("7"))),
            (json!({"allOf": [{"oneOf": [int, {}]}, branch("boolean")]}), "v=abc", Err("wants boolean")),
            (json!({"$ref": "#/$defs/d", "$defs": {"d": {"anyOf": [text, int]}}}), "v=abc", Ok(json!("abc"))),
        ] {
            let read = arguments(&[word], &schema.to_string());
            match is {
                Ok(value) => assert_eq!(read, Ok(json!({ "v": value })), "{schema} {word}"),
                Err(why) => {
                    assert!(read.as_ref().is_err_and(|said| said.contains(why)), "{schema} {word}: {read:?}");
                }
            }
        }
        // What is larger than what is looked at says nothing.
        let mut deep = int;
        for _ in 0..2 * STEPS {
            deep = json!({ "allOf": [deep] });
        }
        assert_eq!(property(&deep.to_string(), "v").schemas.len(), 0);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_name() {
        let why = |word: &str| arguments(&[word], SCHEMA).expect_err("refused");
        assert!(why("i=1.5").contains("wants integer"), "{}", why("i=1.5"));
        assert!(why("b=maybe").contains("wants boolean"));
        assert!(why("n").contains("n=VALUE"));
        assert!(why("n:={").contains("not valid JSON"));
        assert!(why("=1").contains("has no name"));
        assert!(why("s=@/nonexistent").contains("/nonexistent"));
    }

    #[test]
    fn c9_a_name_that_is_there_twice_is_refused_and_not_sent() {
        let twice = r#"{"x":[{"a":1,"\u0061":"x"}]}"#;
        for option in ["--json", "--answers"] {
            let why = object(option, twice).expect_err("refused").text();
            assert!(why.contains(option) && why.contains("'a' is there twice"), "{why}");
        }
        let schema = r#"{"properties":{"o":{"type":"object"},"any":{},"s":{"type":"string"}},
            "anyOf":[{},{"properties":{"p":{"type":"integer"}}}]}"#;
        for word in ["o=", "o:=", "any=", "any:=", "p=", "s:=", "new:="] {
            let why = arguments(&[&format!("{word}{twice}")], schema).expect_err("refused");
            let name = word.trim_end_matches(['=', ':']);
            assert!(why.contains(&format!("the argument {name}: 'a' is there twice")), "{why}");
        }
        // A text is a text.
        assert_eq!(arguments(&[&format!("s={twice}")], schema), Ok(json!({ "s": twice })));
    }

    #[test]
    fn an_object_comes_from_text_or_file() {
        assert_eq!(object("--json", " {\"a\":1, }").expect("an object"), "{\"a\":1  }");
        assert!(object("--json", "[1]").expect_err("refused").text().contains("an array"));
        assert!(object("--json", "@/nonexistent").is_err());
    }
}
