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

/// Whether a name says that its value is secret.
pub fn is_named_secret(name: &str) -> bool {
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

/// A text without secrets. Servers write a structured result once more as JSON text, a line of it for each entry, or with words and fences
/// around it.
fn text_without(text: &str, depth: u32) -> String {
    let mut out = String::with_capacity(text.len());
    // What is written, where the search goes on, and where the line of that place begins.
    let (mut done, mut at, mut line) = (0, 0, 0);
    while let Some(start) = text[at..].find(['{', '[']).map(|found| at + found) {
        line = text[at..start].rfind('\n').map_or(line, |end| at + end + 1);
        let (end, is_too_deep) = match json_at(&text[start..]) {
            Json::Not => {
                at = start + 1;
                continue;
            }
            Json::TooDeep => (text.len(), true),
            Json::Of(length) => (start + length, false),
        };
        let mut made = String::new();
        if is_too_deep {
            made.push('…');
        } else {
            // `token: ["…"]`
            push(&text[start..end], named_before(&text[line.max(done)..start]), depth + 1, &mut made);
        }
        let is_same = !is_too_deep && canonical(&made) == canonical(&text[start..end]);
        // What says nothing and stands in a line is a part of the line.
        if !is_same || text[start..end].contains('\n') {
            out.extend(text[done..start].split_inclusive('\n').map(line_without));
            out.push_str(if is_same { &text[start..end] } else { &made });
            done = end;
        }
        line = text[start..end].rfind('\n').map_or(line, |last| start + last + 1);
        at = end;
    }
    out.extend(text[done..].split_inclusive('\n').map(line_without));
    out
}

fn line_without(line: &str) -> String {
    without_tokens(&without_members(&without_named(line)))
}

/// Whether a value that follows the text would be one whose name says that it is secret.
fn named_before(text: &str) -> bool {
    let name = text.trim_end().strip_suffix([':', '=']).map(|name| name.trim_end().trim_end_matches('"'));
    let name =
        name.and_then(|name| name.rsplit(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).next());
    name.is_some_and(is_named_secret)
}

/// What a text begins with.
enum Json {
    Not,
    /// An object or array of so many bytes.
    Of(usize),
    /// One that nests deeper than the reader follows, which is far deeper than what is shown.
    TooDeep,
}

fn json_at(text: &str) -> Json {
    // As a tree, whose reader gives up at 128 levels: so often at most is a place in a text read, whatever it begins.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(_)) => Json::Of(values.byte_offset()),
        Some(Err(error)) if error.to_string().contains("recursion limit") => Json::TooDeep,
        _ => Json::Not,
    }
}

/// A line without the values of members as JSON and its relatives have them, for what is cut off or has comments: `"token": "…",`.
fn without_members(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut done = 0;
    for (colon, _) in line.match_indices(':') {
        let name = line[..colon].trim_end().strip_suffix(['"', '\'']);
        let name = name.and_then(|name| name.rsplit(['"', '\'']).next());
        let value = line[colon + 1..].trim_start();
        let start = line.len() - value.len();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        if start < done || !name.is_some_and(is_named_secret) {
            continue;
        }
        let mut is_escaped = false;
        let length = value[1..].find(|c| {
            let ends = c == quote && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        out.push_str(&line[done..=start]);
        out.push_str(MASK);
        done = start + 1 + length.unwrap_or(value.trim_end().len() - 1);
    }
    out + &line[done..]
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

/// Which letters the rest of a token has, how many of them at least, and at most.
type Form = (&'static str, &'static str, usize, usize);
/// Tokens as their makers describe them. `tokens` takes more for one: to mask too much costs little, to refuse a file of a package much.
const FORMS: [Form; 9] = [
    ("ghp_", "", 36, 36),
    ("gho_", "", 36, 36),
    ("ghs_", "", 36, 36),
    ("github_pat_", "_", 40, 255),
    ("xoxb-", "-", 24, 255),
    ("xoxp-", "-", 24, 255),
    ("AKIA", "", 16, 16),
    ("sk-", "_-", 20, 255),
    ("eyJ", "_-.", 40, 4096),
];
/// The least number of different letters in a token: fewer are a placeholder.
const DIFFERENT: usize = 8;

/// Whether a file has a token of an exact form, which stands by itself: letters of Base64 and of names are around none.
pub fn has_token(content: &[u8]) -> bool {
    let is_around = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-".contains(byte);
    let firsts = |byte: &u8| b"gxAse".contains(byte);
    let mut at = 0;
    while let Some(found) = content[at..].iter().position(firsts).map(|found| at + found) {
        at = found + 1;
        if found > 0 && is_around(&content[found - 1]) {
            continue;
        }
        let rest = &content[found..];
        let Some((beginning, more, least, most)) =
            FORMS.iter().find(|(beginning, ..)| rest.starts_with(beginning.as_bytes()))
        else {
            continue;
        };
        // In the middle of one that was refused no other one begins.
        if *beginning == "eyJ" && found > 0 && content[found - 1] == b'.' {
            continue;
        }
        let body = &rest[beginning.len()..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || more.as_bytes().contains(byte);
        // One letter more than it may have is enough to see that it is not one.
        let length = body.iter().take(most + 1).take_while(|byte| is_part(byte)).count();
        let has_end = body.get(length).is_none_or(|byte| !is_around(byte) && *byte != b'=');
        if length >= *least && length <= *most && has_end && is_token(beginning, &body[..length]) {
            return true;
        }
    }
    false
}

/// Whether the rest of a token is one that a maker would give out.
fn is_token(beginning: &str, body: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| body.iter().any(is);
    let different = body.iter().collect::<std::collections::BTreeSet<_>>().len();
    different >= DIFFERENT
        && match beginning {
            // The example of the documentation of AWS ends so.
            "AKIA" => !has(u8::is_ascii_lowercase) && !body.ends_with(b"EXAMPLE"),
            // Three parts, of which the first two are JSON.
            "eyJ" => {
                let body = body.strip_suffix(b".").unwrap_or(body);
                let parts: Vec<&[u8]> = body.split(|byte| *byte == b'.').collect();
                parts.len() == 3 && parts[1].starts_with(b"eyJ") && parts.iter().all(|part| part.len() >= 10)
            }
            _ => has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && has(|byte| !b"_-".contains(byte)),
        }
        && (beginning != "sk-" || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)))
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn a_token_of_a_file_has_an_exact_form_and_stands_by_itself() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P";
        for (text, is_one) in [
            ("const t = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'", true),
            ("key=AKIA2E0A8F3B24TXKQ7W", true),
            ("\"sk-ant-api03-Xy12abCDefGH34ijKLmn\"", true),
            ("sk-proj-Xy12abCDefGH34ijKLmn.", true),
            ("xoxb-123456789012-abcDEF1234567890", true),
            (&format!("token: {jwt}\n"), true),
            (&format!("see {jwt}."), true),
            // Parts of words, of names and of Base64.
            ("the task-manager-for-Many-Servers-1234567890", false),
            ("sk-fading-circle-with-many-dots-12", false),
            ("data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEuanMiXX0=", false),
            ("MIIFazCCA1OgAwIBAgIAKIA2E0A8F3B24TXKQ7W", false),
            ("Zm9v/AKIA2E0A8F3B24TXKQ7W+Zm9v", false),
            ("AKIAIOSFODNN7EXAMPLE", false),
            ("AKIA2E0A8F3B24TXKQ7W0", false),
            ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", false),
            ("Authorization: Bearer abcdefghijklmnop1234567890", false),
            ("Basic dXNlcjpwYXNzd29yZDEyMzQ1Njc4", false),
            ("eyJhbGciOiJIUzI1NiJ9", false),
            ("ghp_", false),
            ("", false),
        ] {
            assert_eq!(super::has_token(text.as_bytes()), is_one, "{text}");
        }
        // In a megabyte of beginnings none is searched again from its middle.
        assert!(!super::has_token("sk-".repeat(400_000).as_bytes()));
    }

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
            (
                "Here it is:\n{\n  \"token\": \"s3cret\",\n  \"n\": 1\n}\nDone.",
                "Here it is:\n{\"token\":\"****\",\"n\":1}\nDone.",
            ),
            (
                "```json\n[\n  {\"password\": \"s3cret\"}\n]\n```\n",
                "```json\n[{\"password\":\"****\"}]\n```\n",
            ),
            ("a {\"n\": 1} b {\"key\": \"s3cret\"} c", "a {\"n\": 1} b {\"key\":\"****\"} c"),
            ("tokens: [\"s3cret\",\n\"s3cret\"]", "tokens: [\"****\",\"****\"]"),
            // As it was written where there is nothing to hide, and in what is no JSON.
            ("see [1] and\n{\n \"n\": 1\n}\n", "see [1] and\n{\n \"n\": 1\n}\n"),
            (
                "{\n  // now\n  \"token\": \"s3\\\"cret\",\n  'api_key' : 's3cret'\n",
                "{\n  // now\n  \"token\": \"****\",\n  'api_key' : '****'\n",
            ),
            ("  \"password\": \"s3cre", "  \"password\": \"****"),
            ("\"nextCursor\": \"abc\", \"a\": \"b\"", "\"nextCursor\": \"abc\", \"a\": \"b\""),
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
    fn a_text_that_is_full_of_beginnings_takes_no_long_time() {
        for part in ["[", "{", "[1,", "{\"a\":", "[\"", "]["] {
            let text = part.repeat(200_000 / part.len());
            assert!(!message(&super::quote(&text)).is_empty());
        }
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
