//! JSON text as YAML: members in their order, numbers as they were. A text with something that a terminal would execute or not show
//! is in double quotes, with escapes for that.

use mcp::client::json_text::{Kind, elements, kind, members, string};
use mcp::client::visible::visible_into;
use saphyr::{Mapping, Scalar, ScalarStyle, Yaml, YamlEmitter};
use std::fmt::Write as _;

/// Deeper values are written as JSON.
const DEPTH: u32 = 64;

/// The text of a valid JSON value as a YAML document without a marker before it. It ends with a line break. Characters of which
/// `is_foreign` says so are escaped, too.
pub fn yaml(text: &str, is_foreign: fn(char) -> bool) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut emitter = YamlEmitter::new(&mut out);
    emitter.multiline(true);
    emitter.dump(&tree(text, 0, is_foreign)).map_err(|error| error.to_string())?;
    let body = out.strip_prefix("---\n").unwrap_or(&out);
    Ok(format!("{}\n", body.trim_end_matches('\n')))
}

fn tree(text: &str, depth: u32, is_foreign: fn(char) -> bool) -> Yaml<'static> {
    let own = |text: String| match escaped(&text, is_foreign) {
        Some(escaped) => Yaml::Representation(escaped.into(), ScalarStyle::DoubleQuoted, None),
        None => Yaml::Value(Scalar::String(text.into())),
    };
    if depth > DEPTH {
        return own(text.to_owned());
    }
    match kind(text) {
        Some(Kind::Object) => {
            let mut mapping = Mapping::new();
            for (name, value) in members(text) {
                let name = string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
                mapping.insert(own(name), tree(value, depth + 1, is_foreign));
            }
            Yaml::Mapping(mapping)
        }
        Some(Kind::Array) => {
            Yaml::Sequence(elements(text).map(|one| tree(one, depth + 1, is_foreign)).collect())
        }
        Some(Kind::String) => own(string(text).unwrap_or_default().into_owned()),
        Some(Kind::True) => Yaml::Value(Scalar::Boolean(true)),
        Some(Kind::False) => Yaml::Value(Scalar::Boolean(false)),
        Some(Kind::Number) => Yaml::Representation(text.trim().to_owned().into(), ScalarStyle::Plain, None),
        _ => Yaml::Value(Scalar::Null),
    }
}

/// The inside of a double-quoted scalar, if the text needs one: line breaks and tabs alone do not.
fn escaped(text: &str, is_foreign: fn(char) -> bool) -> Option<String> {
    let (mut out, mut is_needed) = (String::new(), false);
    let escape = |c: char, out: &mut String| {
        is_needed |= !matches!(c, '\n' | '\t' | '"' | '\\');
        let _infallible = match c {
            '\n' => write!(out, "\\n"),
            '\t' => write!(out, "\\t"),
            '"' | '\\' => write!(out, "\\{c}"),
            '\0'..='\u{ff}' => write!(out, "\\x{:02X}", u32::from(c)),
            '\0'..='\u{ffff}' => write!(out, "\\u{:04X}", u32::from(c)),
            _ => write!(out, "\\U{:08X}", u32::from(c)),
        };
    };
    visible_into(text, &mut out, |c| matches!(c, '"' | '\\') || is_foreign(c), escape);
    is_needed.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::yaml;
    use saphyr::LoadableYamlNode as _;

    #[test]
    fn order_numbers_and_texts_stay_as_they_are() {
        let text =
            r#"{"b":[1.50,{"x":true,"n":null}],"a":"yes","e":{},"l":[],"m":"two\nlines","q":"a: b # c"}"#;
        let written = yaml(text, |_| false).expect("YAML");
        assert!(written.starts_with("b:\n"), "{written}");
        assert!(written.contains("1.50"), "{written}");
        let read = saphyr::Yaml::load_from_str(&written).expect("YAML again");
        assert_eq!(read[0]["a"].as_str(), Some("yes"));
        assert_eq!(read[0]["m"].as_str(), Some("two\nlines"), "{written}");
        assert_eq!(read[0]["q"].as_str(), Some("a: b # c"), "{written}");
        assert_eq!(read[0]["b"][1]["x"].as_bool(), Some(true));
    }

    #[test]
    fn what_a_terminal_would_execute_is_escaped_and_stays_the_same_value() {
        let odd = "a\u{1b}[2J\u{9b}\u{7f}\u{202e}\"\\\n\t\u{e0041}ü";
        let json = serde_json::json!({ odd: [odd, "ü: \u{200b}"] }).to_string();
        let written = yaml(&json, |_| false).expect("YAML");
        assert!(written.contains("\\x1B[2J\\x9B\\x7F\\u202E\\\"\\\\\\n\\t\\U000E0041ü"), "{written}");
        for text in [written, yaml(&json, |c| !c.is_ascii()).expect("YAML")] {
            let read = saphyr::Yaml::load_from_str(&text).expect("YAML again");
            assert_eq!(read[0][odd][0].as_str(), Some(odd), "{text}");
            assert_eq!(read[0][odd][1].as_str(), Some("ü: \u{200b}"), "{text}");
        }
        assert!(yaml(&json, |c| !c.is_ascii()).expect("YAML").is_ascii());
    }
}
