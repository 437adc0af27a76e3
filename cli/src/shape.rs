//! The form of JSON documents of others that this program writes and reads: manifests of bundles, records of registries. All that is wrong
//! is told, each with its place.

use serde_json::Value;

/// What a value may be.
#[derive(Debug)]
pub enum Shape {
    Any,
    Bool,
    Number,
    Text,
    /// A text of so many characters.
    Length(usize, usize),
    /// A URL with https or http.
    Url,
    Choice(&'static [&'static str]),
    List(&'static Shape),
    /// An object whose names are free.
    Named(&'static Shape),
    /// An object with these members and no others.
    Object(&'static [Member]),
}

/// A member of an object: its name, whether it must be there, and what it may be.
pub type Member = (&'static str, bool, Shape);

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The place, as `server.mcp_config.args[0]`; empty for the whole.
    pub at: String,
    /// What is wrong, as it follows the place in a sentence.
    pub what: String,
    /// Whether the document can be used all the same.
    pub is_tolerable: bool,
}

impl Finding {
    /// A fault at a place.
    pub fn fault(at: impl Into<String>, what: impl Into<String>) -> Finding {
        Finding { at: at.into(), what: what.into(), is_tolerable: false }
    }

    /// The place and what is wrong there, on one line.
    pub fn line(&self) -> String {
        crate::output::one_line(&format!("{} {}", self.at, self.what))
    }
}

/// The most findings, and how deep a document is looked at.
const MOST: usize = 50;
const DEPTH: usize = 32;

/// All that a value has and its shape does not, and the other way round. A member that is not known is tolerable.
pub fn findings(value: &Value, shape: &Shape) -> Vec<Finding> {
    let mut found = Vec::new();
    compare(value, shape, "", DEPTH, &mut found);
    found
}

fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

fn compare(value: &Value, shape: &Shape, at: &str, depth: usize, found: &mut Vec<Finding>) {
    if found.len() >= MOST || depth == 0 {
        return;
    }
    let mut wrong = |what: String| found.push(Finding::fault(at, what));
    match (shape, value) {
        (Shape::Any, _)
        | (Shape::Bool, Value::Bool(_))
        | (Shape::Number, Value::Number(_))
        | (Shape::Text, Value::String(_)) => {}
        (Shape::Length(least, most), Value::String(text)) => {
            let length = text.chars().count();
            if !(*least..=*most).contains(&length) {
                wrong(format!("has {length} characters, and {least} to {most} are possible"));
            }
        }
        (Shape::Url, Value::String(text)) => {
            if !is_url(text) {
                wrong("is not a URL with https or http".to_owned());
            }
        }
        (Shape::Choice(choices), Value::String(text)) => {
            if !choices.contains(&text.as_str()) {
                wrong(format!("is '{text}', and may be {}", choices.join(", ")));
            }
        }
        (Shape::List(each), Value::Array(list)) => {
            for (number, one) in list.iter().enumerate() {
                compare(one, each, &format!("{at}[{number}]"), depth - 1, found);
            }
        }
        (Shape::Named(each), Value::Object(members)) => {
            for (name, one) in members {
                compare(one, each, &below(at, name), depth - 1, found);
            }
        }
        (Shape::Object(known), Value::Object(members)) => {
            for (name, is_required, shape) in *known {
                match members.get(*name) {
                    Some(one) => compare(one, shape, &below(at, name), depth - 1, found),
                    None if *is_required => found.push(Finding::fault(below(at, name), "is missing")),
                    None => {}
                }
            }
            for name in members.keys().filter(|name| !known.iter().any(|(known, ..)| known == name)) {
                let near = crate::commands::did_you_mean(name, known.iter().map(|(known, ..)| *known));
                found.push(Finding {
                    at: below(at, name),
                    what: format!("is not known here{near}"),
                    is_tolerable: true,
                });
            }
        }
        (shape, _) => wrong(format!("is not {}", named(shape))),
    }
}

/// What a shape is called.
fn named(shape: &Shape) -> &'static str {
    match shape {
        Shape::Any => "a value",
        Shape::Bool => "true or false",
        Shape::Number => "a number",
        Shape::Text | Shape::Length(..) | Shape::Url | Shape::Choice(_) => "a text",
        Shape::List(_) => "a list",
        Shape::Named(_) | Shape::Object(_) => "an object",
    }
}

/// Whether a text is a URL of the web without a user in it.
pub fn is_url(text: &str) -> bool {
    let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
    rest.is_some_and(|rest| {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !authority.is_empty() && !authority.contains('@') && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SHAPE: Shape = Shape::Object(&[
        ("name", true, Shape::Length(1, 3)),
        ("url", false, Shape::Url),
        ("kind", true, Shape::Choice(&["a", "b"])),
        ("list", false, Shape::List(&Shape::Object(&[("n", true, Shape::Number)]))),
        ("free", false, Shape::Named(&Shape::Bool)),
    ]);

    #[test]
    fn everything_that_is_wrong_is_told_with_its_place() {
        let lines =
            |value: Value| -> Vec<String> { findings(&value, &SHAPE).iter().map(Finding::line).collect() };
        assert!(lines(json!({"name": "abc", "kind": "a", "url": "https://x/", "list": [{"n": 1}], "free": {"x": true}})).is_empty());
        let all = lines(
            json!({"name": "", "url": "ftp://x", "list": [{"n": 1}, {"n": "1"}, 3], "free": {"x": 1}, "kin": "a"}),
        );
        assert_eq!(
            all,
            [
                "name has 0 characters, and 1 to 3 are possible",
                "url is not a URL with https or http",
                "kind is missing",
                "list[1].n is not a number",
                "list[2] is not an object",
                "free.x is not true or false",
                "kin is not known here; did you mean 'kind'?",
            ]
        );
        assert_eq!(lines(json!({"name": "a", "kind": "c"})), ["kind is 'c', and may be a, b"]);
        assert_eq!(lines(json!([])), ["is not an object"]);
        let many = json!({"name": "a", "kind": "a", "list": vec![1; 1000]});
        assert_eq!(findings(&many, &SHAPE).len(), MOST);
    }

    #[test]
    fn a_url_names_a_host_and_no_user() {
        for text in ["https://a.b/c?d#e", "http://127.0.0.1:80"] {
            assert!(is_url(text), "{text}");
        }
        for text in ["https://", "https:///x", "https://u:p@h/", "file:///x", "https://a b/", "a.b"] {
            assert!(!is_url(text), "{text}");
        }
    }
}
