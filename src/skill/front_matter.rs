//! The front matter of a `SKILL.md`: as JSON for an entry, and against an entry field by field, so that what a person agreed to
//! from the entry is what the model gets.

use super::yaml::{self, Yaml};
use serde_json::{Map, Number, Value};

/// Where the two differ, and how; or why they cannot be compared.
///
/// # Errors
/// In words.
pub(crate) fn compare(document: &str, entry: &Map<String, Value>) -> Result<(), String> {
    same_members("", &members(document, "compared")?, entry)
}

/// The front matter as JSON, where text without quotes is what YAML 1.2 takes it for.
///
/// # Errors
/// Why it cannot be read, in words.
#[cfg(feature = "server")]
pub(crate) fn read(document: &str) -> Result<Map<String, Value>, String> {
    Ok(rendered_members(&members(document, "read")?))
}

#[cfg(feature = "server")]
fn rendered_members(members: &[(String, Yaml)]) -> Map<String, Value> {
    members.iter().map(|(name, value)| (name.clone(), rendered(value))).collect()
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
    match yaml::read(text).map_err(|why| format!("the front matter cannot be {purpose}: {why}"))? {
        Yaml::Map(members) => Ok(members),
        _ => Err("the front matter is no mapping".to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        assert!(difference("- a\n", &json!({})).is_some_and(|why| why.contains("no mapping")));
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
}
