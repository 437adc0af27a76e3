//! What a skill is (extension `io.modelcontextprotocol/skills` and the Agent Skills specification): its front matter, the rules
//! for its name, digests of its files. Both sides need it: a client checks with it, a server publishes with it.

use ring::digest::{SHA256, digest};
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

/// The file at the root of every skill.
pub const MAIN: &str = "SKILL.md";

/// SHA-256 of the bytes of a file.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut sum = [0; 32];
    sum.copy_from_slice(digest(&SHA256, bytes).as_ref());
    sum
}

/// The most characters of a name and of a description.
#[cfg(feature = "server")]
const NAME_LETTERS: usize = 64;
#[cfg(feature = "server")]
const DESCRIPTION_LETTERS: usize = 1024;

/// Checks `name` and `description` of front matter. Gives the name.
///
/// # Errors
/// The rule that is violated, in words.
#[cfg(feature = "server")]
pub fn check_name(front_matter: &Map<String, Value>) -> Result<&str, String> {
    let text = |field: &str| {
        let value = front_matter.get(field).ok_or_else(|| format!("the front matter has no '{field}'"))?;
        value.as_str().ok_or_else(|| format!("'{field}' of the front matter is {value} and must be text"))
    };
    let name = text("name")?;
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let is_name = (1..=NAME_LETTERS).contains(&name.len())
        && name.chars().all(is_letter)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--");
    if !is_name {
        return Err(format!(
            "the name '{name}' must have 1 to {NAME_LETTERS} letters a to z, digits and single hyphens, with no hyphen at either end"
        ));
    }
    let description = text("description")?;
    let length = description.chars().count();
    if description.trim().is_empty() || length > DESCRIPTION_LETTERS {
        return Err(format!(
            "the description has {length} characters and must have 1 to {DESCRIPTION_LETTERS}"
        ));
    }
    Ok(name)
}

/// Where the two differ, and how; or why they cannot be compared.
///
/// # Errors
/// In words.
pub fn compare(document: &str, entry: &Map<String, Value>) -> Result<(), String> {
    same_members("", &members(document, "compared")?, entry)
}

/// The front matter as JSON, where text without quotes is what YAML 1.2 takes it for.
///
/// # Errors
/// Why it cannot be read, in words.
#[cfg(feature = "server")]
pub fn read(document: &str) -> Result<Map<String, Value>, String> {
    Ok(rendered_members(&members(document, "read")?))
}

#[cfg(feature = "server")]
fn rendered_members(members: &[(String, Yaml)]) -> Map<String, Value> {
    crate::json::inserted(members.iter().map(|(name, value)| (name.clone(), rendered(value))))
}

#[cfg(feature = "server")]
fn rendered(value: &Yaml) -> Value {
    match value {
        Yaml::Map(members) => Value::Object(rendered_members(members)),
        Yaml::List(list) => list.iter().map(rendered).collect(),
        Yaml::Text(text) => Value::from(text.as_str()),
        Yaml::Plain(text) if is_null(text) => Value::Null,
        Yaml::Plain(text) => match (text.as_str(), numbers(text)) {
            ("true" | "True" | "TRUE", _) => Value::Bool(true),
            ("false" | "False" | "FALSE", _) => Value::Bool(false),
            (_, [Some(number), _]) => Value::Number(number),
            (text, [None, _]) => Value::from(text),
        },
    }
}

/// The fields of the front matter of a document.
fn members(document: &str, purpose: &str) -> Result<Vec<(String, Yaml)>, String> {
    let text =
        extract(document).ok_or("the file does not begin with front matter between two lines '---'")?;
    match read_yaml(text).map_err(|why| format!("the front matter cannot be {purpose}: {why}"))? {
        Yaml::Map(members) => Ok(members),
        _ => Err("the front matter is not a mapping".to_owned()),
    }
}

/// What stands between the first line `---` and the next.
fn extract(document: &str) -> Option<&str> {
    let document = document.strip_prefix('\u{feff}').unwrap_or(document);
    let mut lines = document.split_inclusive('\n');
    let first = lines.next().filter(|line| is_mark(line))?;
    let mut end = first.len();
    for line in lines {
        if is_mark(line) {
            return document.get(first.len()..end);
        }
        end += line.len();
    }
    None
}

fn is_mark(line: &str) -> bool {
    line.trim_end() == "---"
}

fn same_members(at: &str, members: &[(String, Yaml)], entry: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in members {
        let at = format!("{at}/{name}");
        match entry.get(name) {
            None => return Err(format!("the file has {at}, and the entry does not")),
            Some(expected) => same(&at, value, expected)?,
        }
    }
    match entry.keys().find(|name| members.iter().all(|(other, _)| other != *name)) {
        Some(name) => Err(format!("the entry has {at}/{name}, and the file does not")),
        None => Ok(()),
    }
}

fn same(at: &str, value: &Yaml, expected: &Value) -> Result<(), String> {
    let is_same = match (value, expected) {
        (Yaml::Map(members), Value::Object(expected)) => return same_members(at, members, expected),
        (Yaml::List(list), Value::Array(expected)) if list.len() == expected.len() => {
            for (index, (value, expected)) in list.iter().zip(expected).enumerate() {
                same(&format!("{at}/{index}"), value, expected)?;
            }
            true
        }
        (Yaml::Text(text), Value::String(expected)) => text == expected,
        (Yaml::Plain(text), expected) => is_reading(text, expected),
        _ => false,
    };
    if is_same {
        return Ok(());
    }
    Err(format!("{at} is {} in the file and {} in the entry", shown(value), shortened(&expected.to_string())))
}

/// Whether `expected` is what a reader makes of text without quotes: YAML 1.2, or 1.1 where that takes a word such as
/// `yes` for a truth value and a number with a leading 0 for an octal one.
fn is_reading(text: &str, expected: &Value) -> bool {
    match expected {
        Value::Null => is_null(text),
        Value::Bool(true) => matches!(text, "true" | "True" | "TRUE") || is_word(text, ["yes", "on", "y"]),
        Value::Bool(false) => {
            matches!(text, "false" | "False" | "FALSE") || is_word(text, ["no", "off", "n"])
        }
        Value::Number(expected) => numbers(text).iter().flatten().any(|number| same_number(number, expected)),
        Value::String(expected) => text == expected && is_text(text),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_word(text: &str, words: [&str; 3]) -> bool {
    let first_is_large = text.chars().skip(1).all(|letter| letter.is_ascii_lowercase());
    let one_size = first_is_large || text.chars().all(|letter| letter.is_ascii_uppercase());
    one_size && words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether YAML 1.2 takes it for text.
fn is_text(text: &str) -> bool {
    let is_truth = matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE");
    !is_null(text) && !is_truth && numbers(text)[0].is_none()
}

/// The numbers that text without quotes may stand for: in YAML 1.2, and in 1.1 where that differs.
fn numbers(text: &str) -> [Option<Number>; 2] {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let whole = |digits: &str, radix| {
        let is_right = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        let number = is_right.then(|| i128::from_str_radix(digits, radix).ok()).flatten()?;
        Number::from_i128(sign * number)
    };
    let radix = |mark: &str, radix| text.strip_prefix(mark).and_then(|digits| whole(digits, radix));
    let newer = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| whole(digits, 10)).or_else(|| {
        let form = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-');
        let begins = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        let number = (begins && digits.chars().all(form)).then(|| text.parse::<f64>().ok()).flatten()?;
        Number::from_f64(number)
    });
    let older = digits.strip_prefix('0').and_then(|digits| whole(digits, 8));
    [newer, older]
}

/// Whether two numbers are the same, however they are written.
fn same_number(one: &Number, other: &Number) -> bool {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one == other,
        _ => {
            one.as_f64().is_some_and(|one| other.as_f64().is_some_and(|other| one.total_cmp(&other).is_eq()))
        }
    }
}

fn shown(value: &Yaml) -> String {
    match value {
        Yaml::Plain(text) => shortened(text),
        Yaml::Text(text) => shortened(&Value::from(text.as_str()).to_string()),
        Yaml::List(list) => format!("a list of {}", list.len()),
        Yaml::Map(_) => "a mapping".to_owned(),
    }
}

/// Enough of a text to know it by.
fn shortened(text: &str) -> String {
    const LETTERS: usize = 80;
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The most that is read: bytes, how deep, and how many values.
const YAML_BYTES: usize = 64 * 1024;
const YAML_DEPTH: usize = 32;
const YAML_VALUES: usize = 10_000;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Yaml {
    /// Text without quotes, whose type depends on how it looks.
    Plain(String),
    /// Text in quotes or as a block.
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

/// A mapping or sequence whose end has not come.
enum OpenCollection {
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>, Option<String>),
}

/// Reads one document.
///
/// # Errors
/// Why it cannot be used, in words.
fn read_yaml(text: &str) -> Result<Yaml, String> {
    if text.len() > YAML_BYTES {
        return Err(format!("it has {} bytes, and {YAML_BYTES} are read", text.len()));
    }
    let mut open: Vec<OpenCollection> = Vec::new();
    let mut whole = None;
    let mut values = 0;
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| format!("it is not valid YAML: {error}"))?;
        values += 1;
        if values > YAML_VALUES {
            return Err(format!("it has more than {YAML_VALUES} values"));
        }
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd => continue,
            Event::DocumentStart(_) | Event::DocumentEnd => {
                if whole.is_some() && matches!(event, Event::DocumentStart(_)) {
                    return Err("it is more than one document".to_owned());
                }
                continue;
            }
            Event::Alias(_) => return Err("it has an alias (*), which is not followed".to_owned()),
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag)) => {
                return Err(format!("it has the tag {}{}, which is not read", tag.handle, tag.suffix));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == YAML_DEPTH {
                    return Err(format!("it is nested deeper than {YAML_DEPTH}"));
                }
                open.push(match event {
                    Event::SequenceStart(..) => OpenCollection::List(Vec::new()),
                    _ => OpenCollection::Map(Vec::new(), None),
                });
                continue;
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) => Yaml::Plain(text.into_owned()),
            Event::Scalar(text, ..) => Yaml::Text(text.into_owned()),
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(OpenCollection::List(list)) => Yaml::List(list),
                Some(OpenCollection::Map(members, None)) => Yaml::Map(members),
                Some(OpenCollection::Map(_, Some(_))) | None => {
                    return Err("it ends in the middle".to_owned());
                }
            },
        };
        match open.last_mut() {
            None => whole = Some(value),
            Some(OpenCollection::List(list)) => list.push(value),
            Some(OpenCollection::Map(members, name)) => match (name.take(), value) {
                (Some(name), value) => members.push((name, value)),
                (None, Yaml::Plain(text) | Yaml::Text(text)) => {
                    if members.iter().any(|(other, _)| *other == text) {
                        return Err(format!("it has '{text}' twice"));
                    }
                    *name = Some(text);
                }
                (None, _) => return Err("it has a key that is not text".to_owned()),
            },
        }
    }
    whole.ok_or_else(|| "it is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn checked(name: &Value, description: &Value) -> Result<String, String> {
        let front_matter = json!({ "name": name, "description": description });
        check_name(front_matter.as_object().expect("an object")).map(str::to_owned)
    }

    #[test]
    fn a_name_has_the_form_of_the_specification() {
        let longest = "a".repeat(NAME_LETTERS);
        for name in ["pdf", "a", "7", "git-workflow-2", &longest] {
            assert_eq!(checked(&json!(name), &json!("d")).as_deref(), Ok(name));
        }
        let too_long = "a".repeat(NAME_LETTERS + 1);
        for name in ["", "-a", "a-", "a--b", "A", "a b", "a/b", "..", "\u{e4}", &too_long] {
            let why = checked(&json!(name), &json!("d")).expect_err(name);
            assert!(why.contains("hyphen"), "{why}");
        }
        assert!(checked(&json!(7), &json!("d")).is_err_and(|why| why.contains("must be text")));
        assert!(check_name(&Map::new()).is_err_and(|why| why.contains("no 'name'")));
    }

    #[test]
    fn a_description_says_something_and_is_short() {
        assert!(checked(&json!("a"), &json!("\u{e4}".repeat(DESCRIPTION_LETTERS))).is_ok());
        for text in
            [json!(""), json!("  \n"), json!("x".repeat(DESCRIPTION_LETTERS + 1)), json!(null), json!([])]
        {
            assert!(checked(&json!("a"), &text).is_err(), "{text}");
        }
    }

    fn difference(front_matter: &str, entry: &Value) -> Option<String> {
        let entry = entry.as_object().expect("an object");
        compare(&format!("---\n{front_matter}---\n\n# Text\n"), entry).err()
    }

    #[test]
    fn front_matter_is_between_the_first_two_marks() {
        assert_eq!(extract("---\na: 1\n---\nb\n---\n"), Some("a: 1\n"));
        assert_eq!(extract("\u{feff}--- \r\na: 1\r\n---"), Some("a: 1\r\n"));
        assert_eq!(extract("---\n---\n"), Some(""));
        for none in
            ["", "a: 1\n", "\n---\na: 1\n---\n", "---\na: 1\n", "----\na: 1\n----\n", " ---\na\n---\n"]
        {
            assert_eq!(extract(none), None, "{none:?}");
        }
    }

    #[cfg(feature = "server")]
    #[test]
    fn what_is_read_is_what_a_client_compares_it_with() {
        let document = "---\nname: pdf\ndescription: >-\n  Two\n  lines\nnothing:\nyes: yes\non: True\nversion: \"1.0\"\n\
                        deep: {list: [1, 0x1f, 1.5, ~, 'true', 2026-07-28], map: {}}\nbig: 99999999999999999999\n---\n# Text\n";
        let front_matter = read(document).expect("front matter");
        let expected = json!({"name": "pdf", "description": "Two lines", "nothing": null, "yes": "yes", "on": true,
            "version": "1.0", "deep": {"list": [1, 31, 1.5, null, "true", "2026-07-28"], "map": {}}});
        let mut others = front_matter.clone();
        // A program may have `serde_json` keep the digits of a number of any size (`arbitrary_precision`).
        let big = others.remove("big").expect("a number");
        assert!(same_number(big.as_number().expect("a number"), &Number::from_f64(1e20).expect("finite")));
        assert_eq!(Value::Object(others), expected);
        assert_eq!(compare(document, &front_matter), Ok(()));
        for document in ["# Text\n", "---\n- a\n---\n", "---\na: &x 1\nb: *x\n---\n", "---\n---\n"] {
            assert!(read(document).is_err(), "{document:?}");
        }
    }

    #[test]
    fn every_field_must_be_the_same() {
        let text =
            "name: pdf\ndescription: Work with \"PDF\" files\nmetadata:\n  tags: [a, b]\n  deep: {x: 1}\n";
        let entry = json!({"name": "pdf", "description": "Work with \"PDF\" files",
            "metadata": {"deep": {"x": 1}, "tags": ["a", "b"]}});
        assert_eq!(difference(text, &entry), None);
        let change = |pointer: &str, value: Value| {
            let mut changed = entry.clone();
            *changed.pointer_mut(pointer).expect("a place") = value;
            difference(text, &changed).expect("a difference")
        };
        assert!(
            change("/description", json!("x"))
                .contains("/description is Work with \"PDF\" files in the file")
        );
        assert!(change("/metadata/tags", json!(["a"])).contains("/metadata/tags is a list of 2"));
        assert!(change("/metadata/tags/1", json!("c")).contains("/metadata/tags/1 is b"));
        assert!(change("/metadata/deep", json!({})).contains("the file has /metadata/deep/x"));
        assert!(
            change("/metadata/deep", json!({"x": 1, "y": null})).contains("the entry has /metadata/deep/y")
        );
        assert!(change("/metadata/deep", json!([1])).contains("a mapping"));
        assert!(difference("", &json!({})).is_some_and(|why| why.contains("empty")));
        assert!(difference("- a\n", &json!({})).is_some_and(|why| why.contains("not a mapping")));
    }

    #[test]
    fn text_without_quotes_has_the_type_that_readers_give_it() {
        let is =
            |text: &str, value: Value| difference(&format!("a: {text}\n"), &json!({ "a": value })).is_none();
        for (text, value) in [
            ("", json!(null)),
            ("~", json!(null)),
            ("true", json!(true)),
            ("yes", json!(true)),
            ("yes", json!("yes")),
            ("Off", json!(false)),
            ("1.0", json!(1)),
            ("1.0", json!(1.0)),
            ("-12", json!(-12)),
            ("0x1f", json!(31)),
            ("0o17", json!(15)),
            ("010", json!(10)),
            ("010", json!(8)),
            ("1e3", json!(1000.0)),
            (".5", json!(0.5)),
            ("1.2.3", json!("1.2.3")),
            ("2026-07-28", json!("2026-07-28")),
            ("\"1.0\"", json!("1.0")),
            ("'true'", json!("true")),
            ("|\n  two\n  lines\n", json!("two\nlines\n")),
        ] {
            assert!(is(text, value.clone()), "{text} as {value}");
        }
        for (text, value) in [
            ("1.0", json!("1.0")),
            ("true", json!("true")),
            ("null", json!("null")),
            ("\"1.0\"", json!(1.0)),
            ("'yes'", json!(true)),
            ("yEs", json!(true)),
            ("1", json!(2)),
            ("1", json!(true)),
            ("x", json!(["x"])),
            ("[]", json!({})),
        ] {
            assert!(!is(text, value.clone()), "{text} as {value}");
        }
    }

    fn plain(text: &str) -> Yaml {
        Yaml::Plain(text.to_owned())
    }

    #[test]
    fn the_forms_that_people_write_are_read() {
        let text = "name: pdf\ndescription: >-\n  Two\n  lines\nmetadata:\n  version: \"1.0\"\n  tags: [a, 'b']\nlist:\n- 1\n-\n";
        let Ok(Yaml::Map(members)) = read_yaml(text) else { panic!("{:?}", read_yaml(text)) };
        assert_eq!(members[0], ("name".to_owned(), plain("pdf")));
        assert_eq!(members[1].1, Yaml::Text("Two lines".to_owned()));
        let Yaml::Map(metadata) = &members[2].1 else { panic!("{members:?}") };
        assert_eq!(metadata[0].1, Yaml::Text("1.0".to_owned()));
        assert_eq!(metadata[1].1, Yaml::List(vec![plain("a"), Yaml::Text("b".to_owned())]));
        let Yaml::List(list) = &members[3].1 else { panic!("{members:?}") };
        assert_eq!((list.len(), &list[0]), (2, &plain("1")));
    }

    #[test]
    fn what_readers_may_take_differently_is_refused() {
        let refused = |text: &str, why: &str| {
            let error = read_yaml(text).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        refused("a: &x 1\nb: *x\n", "alias");
        refused("a: !!str 1\n", "tag");
        refused("a: !mine {b: 1}\n", "tag");
        refused("a: 1\na: 2\n", "'a' twice");
        refused("a: 1\n---\nb: 1\n", "more than one document");
        refused("? [a]\n: 1\n", "not text");
        refused("", "empty");
        refused("a: \"open\n", "not valid YAML");
        refused("a: b: c\n", "not valid YAML");
    }

    #[test]
    fn size_depth_and_number_of_values_are_bounded() {
        let error = |text: &str| read_yaml(text).expect_err("too much");
        assert!(error(&format!("a: {}", "x".repeat(YAML_BYTES))).contains("bytes"));
        assert!(
            error(&format!("a: {}{}", "[".repeat(YAML_DEPTH + 1), "]".repeat(YAML_DEPTH + 1)))
                .contains("deeper")
        );
        assert!(!error(&format!("a: {}", "[".repeat(YAML_BYTES - 10))).is_empty());
        assert!(error(&format!("a: [{}]", "1,".repeat(YAML_VALUES))).contains("values"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_text_does_harm(text in "[ \\t\\n\\r#:,\\[\\]{}&*!|>'\"%@`?a0~.\u{feff}\u{85}\u{2028}\u{1f600}-]{0,60}") {
            let _ = read_yaml(&text);
        }

        #[test]
        fn damage_does_no_harm(at in 0_usize..200, letter in any::<char>()) {
            let whole = "name: pdf\ndescription: |\n  a\n  b\nmap: {a: [1, 2], \"b\": 'c'}\nlist:\n  - x: 1\n    y: >\n      z\n  - ~\n";
            let at = at % whole.len();
            let damaged = format!("{}{letter}{}", &whole[..at], &whole[at..]);
            let _ = read_yaml(&damaged);
        }
    }
}
