//! YAML as JSON values, with bounds. What two readers could take differently (aliases, tags, several documents, a name that occurs
//! twice) is refused. Plain words are the types of YAML 1.2's core schema: `no` is text.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

/// The most that is read: bytes, and how deep.
const BYTES: usize = 4 << 20;
const DEPTH: usize = 64;

/// A mapping or sequence whose end has not come.
enum Open {
    List(Vec<Value>),
    Map(Map<String, Value>, Option<String>),
}

/// Reads one document.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<Value, String> {
    read_up_to(text, BYTES)
}

/// The same of a file that may have so many bytes.
///
/// # Errors
/// As for [`read`].
pub fn read_up_to(text: &str, most: usize) -> Result<Value, String> {
    if text.len() > most {
        return Err(format!("the file has {} bytes, and {most} are read", text.len()));
    }
    let mut open: Vec<Open> = Vec::new();
    let mut whole = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("it is not valid YAML: {error}"))?;
        let wrong = |what: String| Err(format!("line {}: {what}", span.start.line()));
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            Event::DocumentStart(_) if whole.is_some() => {
                return wrong("it is more than one document".to_owned());
            }
            Event::DocumentStart(_) => continue,
            Event::Alias(_) => {
                return wrong("an alias (*) is not followed: write the value again".to_owned());
            }
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag)) => {
                return wrong(format!("the tag {}{} is not read", tag.handle, tag.suffix));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == DEPTH => {
                return wrong(format!("it is nested deeper than {DEPTH}"));
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Map(Map::new(), None));
                continue;
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) => plain(&text),
            Event::Scalar(text, ..) => Value::String(text.into_owned()),
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(list)) => Value::Array(list),
                Some(Open::Map(members, None)) => Value::Object(members),
                Some(Open::Map(_, Some(_))) | None => return wrong("it ends in the middle".to_owned()),
            },
        };
        match open.last_mut() {
            None => whole = Some(value),
            Some(Open::List(list)) => list.push(value),
            Some(Open::Map(members, name)) => match (name.take(), value) {
                (Some(name), value) => drop(members.insert(name, value)),
                (None, Value::Array(_) | Value::Object(_)) => {
                    return wrong("a name must be text".to_owned());
                }
                (None, key) => {
                    let key = match key {
                        Value::String(text) => text,
                        other => other.to_string(),
                    };
                    if members.contains_key(&key) {
                        return wrong(format!("'{key}' is there twice"));
                    }
                    *name = Some(key);
                }
            },
        }
    }
    whole.ok_or_else(|| "the file is empty".to_owned())
}

/// The line of the value to which names and numbers of entries lead, or of what is there on the way to it. JSON is YAML, mostly; of a
/// text that cannot be read there is no line.
pub fn line_of(text: &str, place: &[&str]) -> Option<usize> {
    // Of each open mapping or list: its number of entries or the name that waits for its value, and whether all names so far lead here.
    struct Level {
        is_map: bool,
        name: Option<String>,
        entries: usize,
        depth: usize,
    }
    let mut open: Vec<Level> = Vec::new();
    let mut best: Option<(usize, usize)> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let is_end = matches!(event, Event::SequenceEnd | Event::MappingEnd);
        if is_end {
            open.pop();
        }
        let is_start = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if !is_start && !matches!(event, Event::Scalar(..)) {
            continue;
        }
        let mut reached = 0;
        if let Some(level) = open.last_mut() {
            if level.is_map && level.name.is_none() {
                if let Event::Scalar(text, ..) = &event {
                    level.name = Some(text.to_string());
                    // The line of a name is that of its value.
                    let here = level.depth;
                    if place.get(here).is_some_and(|next| *next == text.as_ref())
                        && here + 1 > best.map_or(0, |it| it.0)
                    {
                        best = Some((here + 1, span.start.line()));
                    }
                    continue;
                }
                return None;
            }
            let name = level.name.take().unwrap_or_else(|| level.entries.to_string());
            level.entries += 1;
            reached =
                match level.depth < usize::MAX && place.get(level.depth).is_some_and(|next| *next == name) {
                    true => level.depth + 1,
                    false => usize::MAX,
                };
            if reached != usize::MAX && reached > best.map_or(0, |it| it.0) {
                best = Some((reached, span.start.line()));
            }
        } else if best.is_none() {
            best = Some((0, span.start.line()));
        }
        if is_start {
            let is_map = matches!(event, Event::MappingStart(..));
            open.push(Level { is_map, name: None, entries: 0, depth: reached });
        }
    }
    best.map(|(_, line)| line)
}

/// A word without quotes, by the core schema of YAML 1.2.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    if is_number {
        if let Ok(number) = text.parse::<i64>() {
            return number.into();
        }
        // What no number of the machine holds keeps its digits.
        if let Ok(number @ Value::Number(_)) = serde_json::from_str(text) {
            return number;
        }
        if let Some(number) = text.parse::<f64>().ok().and_then(serde_json::Number::from_f64) {
            return Value::Number(number);
        }
    }
    Value::String(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{line_of, read};
    use serde_json::json;

    #[test]
    fn every_value_has_its_line() {
        let yaml = "a:\n  b: 1\n  c:\n    - x\n    - d: 2\ne: [1,\n  2]\n";
        let json = "{\n  \"a\": {\n \"b\": 1,\n \"c\": [\n\"x\",\n {\"d\": 2}]},\n \"e\": [1, 2]}";
        for (text, place, line) in [
            (yaml, &["a", "b"][..], Some(2)),
            (yaml, &["a", "c", "1", "d"], Some(5)),
            (yaml, &["a", "c", "0"], Some(4)),
            (yaml, &["e", "1"], Some(7)),
            (yaml, &["a", "missing"], Some(1)),
            (yaml, &[], Some(1)),
            (json, &["a", "c", "1", "d"], Some(6)),
            (json, &["e"], Some(7)),
            ("{", &["a"], None),
        ] {
            assert_eq!(line_of(text, place), line, "{text} {place:?}");
        }
    }

    #[test]
    fn words_have_the_types_of_the_core_schema() {
        let text = "a: 1\nb: -2.5\nc: no\nd: \"1\"\ne: true\nf:\ng: [x, 1.2.3, 0755]\nh: |\n  two\n  lines\n";
        let value = json!({"a": 1, "b": -2.5, "c": "no", "d": "1", "e": true, "f": null, "g": ["x", "1.2.3", 755],
            "h": "two\nlines\n"});
        assert_eq!(read(text), Ok(value));
        for number in ["12345678901234567890123", "0.12345678901234567890", "-1.50"] {
            assert_eq!(read(number).map(|value| value.to_string()).as_deref(), Ok(number));
        }
    }

    #[test]
    fn what_readers_may_take_differently_is_refused_with_its_line() {
        for (text, why) in [
            ("a: &x 1\nb: *x\n", "line 2: an alias"),
            ("a: !!str 1\n", "tag"),
            ("a: 1\na: 2\n", "line 2: 'a' is there twice"),
            ("a: 1\n---\nb: 1\n", "more than one document"),
            ("? [a]\n: 1\n", "must be text"),
            ("", "empty"),
            ("a: \"open\n", "not valid YAML"),
        ] {
            let error = read(text).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
        let deep = format!("a: {}{}", "[".repeat(70), "]".repeat(70));
        assert!(read(&deep).expect_err("deep").contains("deeper"));
    }
}
