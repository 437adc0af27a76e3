//! JSON text as YAML: members in their order, numbers as they were.

use mcp::client::json_text::{Kind, elements, kind, members, string};
use saphyr::{Mapping, Scalar, ScalarStyle, Yaml, YamlEmitter};

/// Deeper values are written as JSON.
const DEPTH: u32 = 64;

/// The text of a valid JSON value as a YAML document without a marker before it. It ends with a line break.
pub fn yaml(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut emitter = YamlEmitter::new(&mut out);
    emitter.multiline(true);
    emitter.dump(&tree(text, 0)).map_err(|error| error.to_string())?;
    let body = out.strip_prefix("---\n").unwrap_or(&out);
    Ok(format!("{}\n", body.trim_end_matches('\n')))
}

fn tree(text: &str, depth: u32) -> Yaml<'static> {
    let own = |text: String| Yaml::Value(Scalar::String(text.into()));
    if depth > DEPTH {
        return own(text.to_owned());
    }
    match kind(text) {
        Some(Kind::Object) => {
            let mut mapping = Mapping::new();
            for (name, value) in members(text) {
                let name = string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
                mapping.insert(own(name), tree(value, depth + 1));
            }
            Yaml::Mapping(mapping)
        }
        Some(Kind::Array) => Yaml::Sequence(elements(text).map(|one| tree(one, depth + 1)).collect()),
        Some(Kind::String) => own(string(text).unwrap_or_default().into_owned()),
        Some(Kind::True) => Yaml::Value(Scalar::Boolean(true)),
        Some(Kind::False) => Yaml::Value(Scalar::Boolean(false)),
        Some(Kind::Number) => Yaml::Representation(text.trim().to_owned().into(), ScalarStyle::Plain, None),
        _ => Yaml::Value(Scalar::Null),
    }
}

#[cfg(test)]
mod tests {
    use super::yaml;
    use saphyr::LoadableYamlNode as _;

    #[test]
    fn order_numbers_and_texts_stay_as_they_are() {
        let text =
            r#"{"b":[1.50,{"x":true,"n":null}],"a":"yes","e":{},"l":[],"m":"two\nlines","q":"a: b # c"}"#;
        let written = yaml(text).expect("YAML");
        assert!(written.starts_with("b:\n"), "{written}");
        assert!(written.contains("1.50"), "{written}");
        let read = saphyr::Yaml::load_from_str(&written).expect("YAML again");
        assert_eq!(read[0]["a"].as_str(), Some("yes"));
        assert_eq!(read[0]["m"].as_str(), Some("two\nlines"), "{written}");
        assert_eq!(read[0]["q"].as_str(), Some("a: b # c"), "{written}");
        assert_eq!(read[0]["b"][1]["x"].as_bool(), Some(true));
    }
}
