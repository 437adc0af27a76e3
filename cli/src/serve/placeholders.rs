//! Placeholders: `{name}` is the value of an argument, `{{` and `}}` are braces.

use serde_json::{Map, Value};

/// Fills a text in. `None` when an argument is not given.
///
/// # Errors
/// A value that cannot stand there, or a placeholder that is invalid.
pub fn filled(text: &str, arguments: &Map<String, Value>) -> Result<Option<String>, String> {
    let mut out = String::new();
    let mut rest = text;
    let mut is_whole = true;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let (brace, tail) = rest[at..].split_at(1);
        if let Some(tail) = tail.strip_prefix(brace) {
            out.push_str(brace);
            rest = tail;
            continue;
        }
        let Some((name, tail)) = tail.split_once('}').filter(|_| brace == "{") else {
            return Err(format!("'{text}' has a single '{brace}': two stand for one"));
        };
        match arguments.get(name) {
            None | Some(Value::Null) => is_whole = false,
            Some(value) => out.push_str(&written(name, value)?),
        }
        rest = tail;
    }
    out.push_str(rest);
    Ok(is_whole.then_some(out))
}

/// A value as a word: text as it is, everything else as JSON.
pub fn written(name: &str, value: &Value) -> Result<String, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.contains('\0') {
        true => Err(format!("the argument '{name}' has a NUL character, which no program can be given")),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::filled;
    use serde_json::json;

    #[test]
    fn placeholders_are_values_and_doubled_braces_are_braces() {
        let arguments = json!({"a": "x y; rm", "n": 1.5, "l": [1], "z": "\0"});
        let arguments = arguments.as_object().expect("an object");
        let text = |text: &str| filled(text, arguments);
        assert_eq!(text("--a={a}"), Ok(Some("--a=x y; rm".to_owned())));
        assert_eq!(text("{n} {l} {{a}}"), Ok(Some("1.5 [1] {a}".to_owned())));
        assert_eq!(text("--b={b}"), Ok(None), "an argument that is not given leaves the word out");
        assert!(text("{z}").expect_err("NUL").contains("NUL"));
        assert!(text("a } b").is_err() && text("{a").is_err());
    }

    #[test]
    fn a_value_is_never_read_as_a_placeholder() {
        let arguments = json!({"a": "{b}", "b": "secret"});
        assert_eq!(filled("{a}", arguments.as_object().expect("an object")), Ok(Some("{b}".to_owned())));
    }
}
