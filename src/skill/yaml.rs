//! A small tree of YAML, with bounds: mappings with text as names, sequences, scalars. What two readers could take
//! differently (aliases, tags, several documents, a name that occurs twice) is refused.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// The most that is read: bytes, how deep, and how many values.
const BYTES: usize = 64 * 1024;
const DEPTH: usize = 32;
const VALUES: usize = 10_000;

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Yaml {
    /// Text without quotes, whose type depends on how it looks.
    Plain(String),
    /// Text in quotes or as a block.
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>),
}

/// A mapping or sequence whose end has not come.
enum Open {
    List(Vec<Yaml>),
    Map(Vec<(String, Yaml)>, Option<String>),
}

/// Reads one document.
///
/// # Errors
/// Why it cannot be used, in words.
pub(super) fn read(text: &str) -> Result<Yaml, String> {
    if text.len() > BYTES {
        return Err(format!("it has {} bytes, and {BYTES} are read", text.len()));
    }
    let mut open: Vec<Open> = Vec::new();
    let mut whole = None;
    let mut values = 0;
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| format!("it is no YAML: {error}"))?;
        values += 1;
        if values > VALUES {
            return Err(format!("it has more than {VALUES} values"));
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
                if open.len() == DEPTH {
                    return Err(format!("it is nested deeper than {DEPTH}"));
                }
                open.push(match event {
                    Event::SequenceStart(..) => Open::List(Vec::new()),
                    _ => Open::Map(Vec::new(), None),
                });
                continue;
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) => Yaml::Plain(text.into_owned()),
            Event::Scalar(text, ..) => Yaml::Text(text.into_owned()),
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(list)) => Yaml::List(list),
                Some(Open::Map(members, None)) => Yaml::Map(members),
                Some(Open::Map(_, Some(_))) | None => return Err("it ends in the middle".to_owned()),
            },
        };
        match open.last_mut() {
            None => whole = Some(value),
            Some(Open::List(list)) => list.push(value),
            Some(Open::Map(members, name)) => match (name.take(), value) {
                (Some(name), value) => members.push((name, value)),
                (None, Yaml::Plain(text) | Yaml::Text(text)) => {
                    if members.iter().any(|(other, _)| *other == text) {
                        return Err(format!("it has '{text}' twice"));
                    }
                    *name = Some(text);
                }
                (None, _) => return Err("it has a name that is no text".to_owned()),
            },
        }
    }
    whole.ok_or_else(|| "it is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> Yaml {
        Yaml::Plain(text.to_owned())
    }

    #[test]
    fn the_forms_that_people_write_are_read() {
        let text = "name: pdf\ndescription: >-\n  Two\n  lines\nmetadata:\n  version: \"1.0\"\n  tags: [a, 'b']\nlist:\n- 1\n-\n";
        let Ok(Yaml::Map(members)) = read(text) else { panic!("{:?}", read(text)) };
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
            let error = read(text).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        refused("a: &x 1\nb: *x\n", "alias");
        refused("a: !!str 1\n", "tag");
        refused("a: !mine {b: 1}\n", "tag");
        refused("a: 1\na: 2\n", "'a' twice");
        refused("a: 1\n---\nb: 1\n", "more than one document");
        refused("? [a]\n: 1\n", "no text");
        refused("", "empty");
        refused("a: \"open\n", "no YAML");
        refused("a: b: c\n", "no YAML");
    }

    #[test]
    fn size_depth_and_number_of_values_are_bounded() {
        let error = |text: &str| read(text).expect_err("too much");
        assert!(error(&format!("a: {}", "x".repeat(BYTES))).contains("bytes"));
        assert!(error(&format!("a: {}{}", "[".repeat(DEPTH + 1), "]".repeat(DEPTH + 1))).contains("deeper"));
        assert!(!error(&format!("a: {}", "[".repeat(BYTES - 10))).is_empty());
        assert!(error(&format!("a: [{}]", "1,".repeat(VALUES))).contains("values"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_text_does_harm(text in "[ \\t\\n\\r#:,\\[\\]{}&*!|>'\"%@`?a0~.\u{feff}\u{85}\u{2028}\u{1f600}-]{0,60}") {
            let _ = read(&text);
        }

        #[test]
        fn damage_does_no_harm(at in 0_usize..200, letter in any::<char>()) {
            let whole = "name: pdf\ndescription: |\n  a\n  b\nmap: {a: [1, 2], \"b\": 'c'}\nlist:\n  - x: 1\n    y: >\n      z\n  - ~\n";
            let at = at % whole.len();
            let damaged = format!("{}{letter}{}", &whole[..at], &whole[at..]);
            let _ = read(&damaged);
        }
    }
}
