//! Messages without secrets: values whose names say that they are secret, and texts that look like a token.

use crate::servers::{is_secret, secrets_in};
use mcp::client::json_text::{Kind, canonical, elements, kind, member, members, quote, string};

const MASK: &str = "****";
/// Names that contain a word for a secret although they are no secrets.
const HARMLESS: [&str; 5] =
    ["progressToken", "nextCursor", "author", "authors", "io.modelcontextprotocol/authorization"];
/// How tokens of known kinds begin.
const BEGINNINGS: [&str; 10] =
    ["Bearer ", "Basic ", "sk-", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "eyJ"];
/// The least length of what is taken for a token behind such a beginning.
const LEAST: usize = 16;
/// Deeper values are not shown.
const DEPTH: u32 = 64;

/// JSON text on one line, with secrets masked.
pub fn message(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push(text, false, 0, &mut out);
    out
}

fn push(value: &str, is_secret_here: bool, depth: u32, out: &mut String) {
    if depth > DEPTH {
        out.push_str("\"…\"");
        return;
    }
    match kind(value) {
        Some(Kind::Object) => {
            out.push('{');
            // A schema describes secrets by their names, and has none.
            let has_properties = member(value, "type").is_some() && member(value, "properties").is_some();
            for (number, (name, inside)) in members(value).enumerate() {
                if number > 0 {
                    out.push(',');
                }
                let spelled = string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
                out.push_str(&quote(&spelled));
                out.push(':');
                let is_hidden = is_named_secret(&spelled);
                if has_properties && spelled == "properties" {
                    push_properties(inside, is_secret_here, depth + 1, out);
                } else {
                    push(inside, is_secret_here || is_hidden, depth + 1, out);
                }
            }
            out.push('}');
        }
        Some(Kind::Array) => {
            out.push('[');
            for (number, inside) in elements(value).enumerate() {
                if number > 0 {
                    out.push(',');
                }
                push(inside, is_secret_here, depth + 1, out);
            }
            out.push(']');
        }
        Some(Kind::String) => {
            let text = string(value).unwrap_or_default();
            out.push_str(&if is_secret_here { quote(MASK) } else { quote(&text_without(&text, depth)) });
        }
        Some(Kind::Number) if is_secret_here => out.push_str(&quote(MASK)),
        _ => out.push_str(value.trim()),
    }
}

fn is_named_secret(name: &str) -> bool {
    is_secret(name) && !HARMLESS.contains(&name)
}

/// Whether a value describes another one: a schema has one of these members.
fn is_schema(value: &str) -> bool {
    let keywords = ["type", "description", "title", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
    kind(value) == Some(Kind::Object) && keywords.iter().any(|name| member(value, name).is_some())
}

/// The members of `properties`. Arguments of a tool may have that name, too: what is not a schema is a value.
fn push_properties(value: &str, is_secret_here: bool, depth: u32, out: &mut String) {
    out.push('{');
    for (number, (name, inside)) in members(value).enumerate() {
        if number > 0 {
            out.push(',');
        }
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        let spelled = string(&format!("\"{name}\"")).unwrap_or_default().into_owned();
        let is_hidden = is_named_secret(&spelled) && !is_schema(inside);
        push(inside, is_secret_here || is_hidden, depth + 1, out);
    }
    out.push('}');
}

/// A text without secrets. Servers write a structured result once more as JSON text, or a line of it for each entry.
fn text_without(text: &str, depth: u32) -> String {
    match json_without(text, depth) {
        Some(made) => made,
        None => text.split_inclusive('\n').map(|line| line_without(line, depth)).collect(),
    }
}

fn line_without(line: &str, depth: u32) -> String {
    json_without(line, depth).unwrap_or_else(|| without_tokens(&without_named(line)))
}

/// The text of a JSON object or array without the secrets in it, as it was written if there are none; `None` if it is no such text.
fn json_without(text: &str, depth: u32) -> Option<String> {
    let inside = text.trim();
    if !inside.starts_with(['{', '[']) {
        return None;
    }
    match serde_json::from_str::<serde::de::IgnoredAny>(inside) {
        Ok(_) => {}
        // The reader gives up far below what is shown.
        Err(error) if error.to_string().contains("recursion limit") => return Some("…".to_owned()),
        Err(_) => return None,
    }
    let mut made = String::with_capacity(inside.len());
    push(inside, false, depth + 1, &mut made);
    Some(if canonical(&made) == canonical(inside) {
        text.to_owned()
    } else {
        text.replacen(inside, &made, 1)
    })
}

/// A line without the values that a name, a URL or a parameter says are secret.
fn without_named(line: &str) -> String {
    if !line.contains([':', '=']) {
        return line.to_owned();
    }
    let (blank, text) = line.split_at(line.len() - line.trim_start().len());
    let (text, end) = text.split_at(text.trim_end().len());
    let mut out = blank.to_owned();
    let mut done = 0;
    for secret in secrets_in(text, None) {
        if HARMLESS.iter().any(|name| name.eq_ignore_ascii_case(&secret.name)) {
            continue;
        }
        out.push_str(&text[done..secret.range.start]);
        out.push_str(MASK);
        done = secret.range.end;
    }
    out + &text[done..] + end
}

fn without_tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (beginning, token) in tokens(text) {
        out.push_str(&text[done..token.start]);
        out.push_str(beginning);
        out.push_str(MASK);
        done = token.end;
    }
    out + &text[done..]
}

/// What looks like a token in a text: how it begins, and where it is with that.
pub fn tokens(text: &str) -> Vec<(&'static str, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    'text: while let Some(first) = text[at..].chars().next() {
        for beginning in BEGINNINGS {
            let Some(behind) = text[at..].strip_prefix(beginning) else { continue };
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.~+/=".contains(c);
            let length = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
            if length >= LEAST {
                let end = at + beginning.len() + length;
                found.push((beginning, at..end));
                at = end;
                continue 'text;
            }
        }
        at += first.len_utf8();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn secrets_are_masked_by_name_and_by_form() {
        let text = r#"{"params":{"api_key":"s3cret","n":[{"password":{"x":"s3cret","y":7}}],
            "text":"send Bearer abcdefghijklmnop123 on","_meta":{"progressToken":3}}}"#;
        assert_eq!(
            message(text),
            r#"{"params":{"api_key":"****","n":[{"password":{"x":"****","y":"****"}}],"text":"send Bearer **** on","_meta":{"progressToken":3}}}"#
        );
    }

    #[test]
    fn urls_are_shown_without_passwords_and_secret_parameters() {
        for (text, shown) in [
            ("https://u:s3cret@x/p", "https://u:****@x/p"),
            ("see https://x/?api_key=s3cret&page=2 and", "see https://x/?api_key=****&page=2 and"),
            ("https://x/p?q=1", "https://x/p?q=1"),
            ("a://b Bearer", "a://b Bearer"),
            ("password=s3cret", "password=****"),
            ("  api_key: s3cret\nuser: u\n", "  api_key: ****\nuser: u\n"),
            ("Authorization: Bearer s3cret", "Authorization: Bearer ****"),
            ("export API_TOKEN=s3cret X=1", "export API_TOKEN=**** X=1"),
            ("Author: Jane", "Author: Jane"),
            ("at 10:30 a=b", "at 10:30 a=b"),
        ] {
            let made = message(&super::quote(text));
            assert_eq!(made, super::quote(shown));
        }
    }

    #[test]
    fn json_in_a_text_is_masked_as_json_is() {
        for (text, shown) in [
            (r#"{"token":"s3cret","n":1}"#, r#"{"token":"****","n":1}"#),
            (" [{\"password\": \"s3cret\"}]\n", " [{\"password\":\"****\"}]\n"),
            // What has none stays as it was written.
            ("{ \"n\":  1.50 }", "{ \"n\":  1.50 }"),
            ("{\"n\":1}\n{\"key\":\"s3cret\"}\n", "{\"n\":1}\n{\"key\":\"****\"}\n"),
            (r#"{"key":"s3cret","key":"****"}"#, r#"{"key":"****","key":"****"}"#),
            (r#"{"text":"{\"secret\":\"s3cret\"}"}"#, r#"{"text":"{\"secret\":\"****\"}"}"#),
            ("{not JSON} token=s3cret", "{not JSON} token=****"),
        ] {
            assert_eq!(message(&super::quote(text)), super::quote(shown));
        }
        let result = r#"{"content":[{"type":"text","text":"{\"token\":\"s3cret\"}"}],"structuredContent":{"token":"s3cret"}}"#;
        assert!(!message(result).contains("s3cret"));
        for deep in [80, 500] {
            let deep = format!("{}{{\"key\":\"s3cret\"}}{}", "[".repeat(deep), "]".repeat(deep));
            let shown = message(&super::quote(&deep));
            assert!(!shown.contains("s3cret") && shown.contains('…'), "{shown}");
        }
        let inside =
            (0..5).fold(r#"{"key":"s3cret"}"#.to_owned(), |text, _| format!("[{}]", super::quote(&text)));
        assert!(!message(&inside).contains("s3cret"));
    }

    #[test]
    fn values_beside_a_type_are_masked() {
        let text = r#"{"type":"x","properties":{"token":"s3cret","password":{"value":"s3cret"},"user":"u"}}"#;
        assert_eq!(
            message(text),
            r#"{"type":"x","properties":{"token":"****","password":{"value":"****"},"user":"u"}}"#
        );
        let text = r#"{"password":{"type":"x","properties":{"value":"s3cret"}}}"#;
        assert!(!message(text).contains("s3cret"));
    }

    #[test]
    fn what_only_names_a_secret_is_shown() {
        let schema =
            r#"{"type":"object","properties":{"token":{"type":"string","description":"a sk-test key"}}}"#;
        assert_eq!(message(schema), schema);
        assert_eq!(message("[1.50, \"ü\" ]"), "[1.50,\"ü\"]");
        let deep = "[".repeat(200) + &"]".repeat(200);
        assert!(message(&deep).contains('…'));
    }
}
