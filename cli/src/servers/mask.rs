//! What is shown of secrets: values of variables and headers never, arguments and URLs without what looks like one.

use crate::ordered::sort_by_key;
use crate::redact;
use mcp::client::without_password;
use serde_json::{Map, Value};
use std::ops::Range;

const MASK: &str = "****";
/// Words in the names of options and parameters whose values are secret.
const WORDS: [&str; 9] =
    ["key", "token", "secret", "password", "passwd", "auth", "credential", "bearer", "cookie"];
/// Words that stand before a credential.
const SCHEMES: [&str; 3] = ["Bearer ", "Basic ", "token "];

/// A secret in a text: where, and what it is called there.
#[derive(Debug, PartialEq, Eq)]
pub struct Secret {
    pub range: Range<usize>,
    pub name: String,
}

/// A configuration that may be shown.
pub fn masked(config: &Map<String, Value>) -> Map<String, Value> {
    let mut config = config.clone();
    for (key, value) in &mut config {
        match (key.as_str(), value) {
            ("env" | "headers", Value::Object(object)) => {
                object.values_mut().for_each(|value| *value = MASK.into());
            }
            ("auth", Value::Object(object)) => {
                for (name, value) in object {
                    if is_secret(name) {
                        *value = MASK.into();
                    }
                }
            }
            ("args", Value::Array(list)) => mask_arguments(list),
            ("url" | "proxy", Value::String(url)) => *url = masked_url(url),
            _ => {}
        }
    }
    config
}

fn mask_arguments(list: &mut [Value]) {
    let mut is_next = false;
    for value in list {
        let Value::String(text) = value else { continue };
        if std::mem::take(&mut is_next) {
            MASK.clone_into(text);
        } else if let Some((name, _)) = text.split_once(['=', ':']).filter(|(name, _)| is_secret(name)) {
            *text = format!("{}{MASK}", &text[..=name.len()]);
        } else if text.contains("://") {
            *text = masked_url(text);
        } else if let secrets @ [_, ..] = &*secrets_in(text, None) {
            secrets.iter().rev().for_each(|secret| text.replace_range(secret.range.clone(), MASK));
        } else {
            is_next = text.starts_with('-') && is_secret(text);
        }
    }
}

/// Whether the name of a value says that it is secret.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// The secrets in the text of an argument, a URL or a value, in their order. `before` is the argument before it, which may be the option
/// whose value this is.
pub fn secrets_in(text: &str, before: Option<&str>) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut add = |range: Range<usize>, name: &str| {
        let blank = text[range.clone()].len() - text[range.clone()].trim_start().len();
        let start = range.start + blank;
        let start = start + scheme_of(&text[start..range.end]).len();
        let is_new = found.last().is_none_or(|last| last.range.end <= start);
        if is_new && start < range.end && !is_reference(&text[start..range.end]) {
            let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
            found.push(Secret { range: start..range.end, name });
        }
    };
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let option = before.filter(|before| before.starts_with('-') && is_name(before) && is_secret(before));
    if let Some(option) = option.filter(|_| !text.starts_with('-')) {
        add(0..text.len(), option);
        return found;
    }
    let named = text.split_once([':', '=']).filter(|(name, _)| is_name(name) && is_secret(name));
    if let Some((name, _)) = named {
        add(name.len() + 1..text.len(), name);
        return found;
    }
    let mut parts: Vec<(Range<usize>, String)> = Vec::new();
    for (at, _) in text.match_indices("://") {
        parts.extend(password(text, at + 3).map(|range| (range, "password".to_owned())));
    }
    let mut at = 0;
    for piece in text.split(|c: char| c.is_whitespace() || ";&?#".contains(c)) {
        let equals = piece.match_indices('=').find_map(|(equals, _)| {
            let name = piece[..equals].rsplit(|c: char| !is_name(c.encode_utf8(&mut [0; 4]))).next()?;
            is_secret(name).then(|| (at + equals + 1..at + piece.len(), name.to_owned()))
        });
        parts.extend(equals);
        at += piece.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    parts.extend(redact::tokens(text).into_iter().map(|(_, range)| (range, "token".to_owned())));
    sort_by_key(&mut parts, |(range, _)| range.start);
    for (range, name) in parts {
        add(range, &name);
    }
    found
}

/// Whether one of the words of a command line has a secret; each may be a command line of its own.
pub fn have_secrets(words: &[String]) -> bool {
    let words: Vec<String> =
        words.iter().flat_map(|word| shlex::split(word).unwrap_or_else(|| vec![word.clone()])).collect();
    let before = std::iter::once(None).chain(words.iter().map(|word| Some(word.as_str())));
    words.iter().zip(before).any(|(word, before)| !secrets_in(word, before).is_empty())
}

/// The password of the URL whose authority begins there; of one for HTTP also a user name alone, which is a token.
fn password(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text[start..].split(char::is_whitespace).next().unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let colon = authority.find(':');
    let is_port = |colon: usize| authority[colon + 1..].bytes().all(|byte| byte.is_ascii_digit());
    let end = match (authority.rfind('@'), colon) {
        (Some(end), _) => end,
        // A password may have any character.
        (None, Some(colon)) if !is_port(colon) => rest.rfind('@')?,
        _ => return None,
    };
    match colon.filter(|colon| *colon < end) {
        Some(colon) => Some(start + colon + 1..start + end),
        None => {
            let is_http = ["http://", "https://"].iter().any(|scheme| text[..start].ends_with(scheme));
            is_http.then_some(start..start + end)
        }
    }
}

/// The word before a credential, with its space.
pub fn scheme_of(value: &str) -> &'static str {
    SCHEMES.into_iter().find(|scheme| value.starts_with(scheme)).unwrap_or_default()
}

/// Whether a value is one whole reference, such as `${NAME}` or `Bearer ${env:NAME}`, and nothing else.
pub fn is_reference(value: &str) -> bool {
    let value = &value[scheme_of(value).len()..];
    let inside =
        value.strip_prefix("${").or(value.strip_prefix("{env:")).and_then(|rest| rest.strip_suffix('}'));
    let name = inside.map(|inside| {
        ["env:", "input:"].into_iter().find_map(|kind| inside.strip_prefix(kind)).unwrap_or(inside)
    });
    name.is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    })
}

/// A URL without user, password, and the values of its query.
pub fn masked_url(url: &str) -> String {
    let url = without_password(url);
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = match path.split_once('?') {
        None => path.to_owned(),
        Some((path, query)) => {
            let pair = |pair: &str| {
                pair.split_once('=').map_or(MASK.to_owned(), |(name, _)| format!("{name}={MASK}"))
            };
            format!("{path}?{}", query.split('&').map(pair).collect::<Vec<_>>().join("&"))
        }
    };
    format!("{scheme}://{authority}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_secret_is_shown() {
        let config = json!({"command": "x", "env": {"A": "s1"}, "headers": {"B": "s2"}, "auth": {"client_secret": "s3",
            "client_id": "id"}, "args": ["--api-key=s4", "--token", "s5", "--port", "80", "Authorization: s6", "https://u:s7@h/p?k=s8&s9"],
            "url": "https://u:s10@h/p?k=s11#x"});
        let shown = Value::Object(masked(config.as_object().expect("an object")));
        let text = shown.to_string();
        assert!(
            !text.contains("\"s") && !text.contains("=s") && !text.contains(":s") && !text.contains("s9"),
            "{text}"
        );
        assert_eq!(
            shown["args"],
            json!([
                "--api-key=****",
                "--token",
                "****",
                "--port",
                "80",
                "Authorization:****",
                "https://****@h/p?k=****&****"
            ])
        );
        assert_eq!(shown["auth"]["client_id"], "id");
    }

    #[test]
    fn a_proxy_is_shown_without_its_password() {
        for (proxy, shown) in [
            (json!("http://u:s3cret@proxy:3128"), json!("http://****@proxy:3128")),
            (json!("socks5h://u:s3cr/et@proxy:1080"), json!("socks5h://****@proxy:1080")),
            (json!("http://u:s3 cr et@proxy:3128"), json!("http://****@proxy:3128")),
            (json!("http://u:s3\"cr\"et@proxy:3128"), json!("http://****@proxy:3128")),
            (json!("http://proxy:3128"), json!("http://proxy:3128")),
            (json!(false), json!(false)),
        ] {
            let config = json!({"url": "https://h/", "proxy": proxy});
            assert_eq!(masked(config.as_object().expect("an object"))["proxy"], shown);
        }
    }

    #[test]
    fn a_secret_is_found_where_it_stands() {
        for (before, text, secrets) in [
            (Some("--api-key"), "sk-live-1", &["sk-live-1"][..]),
            (Some("--token"), "--verbose", &[]),
            (Some("--token"), "${TOKEN}", &[]),
            (Some("--port"), "80", &[]),
            (None, "--api-key=sk-1", &["sk-1"]),
            (None, "--api-key=${KEY}", &[]),
            (None, "--api-key=a${KEY}", &["a${KEY}"]),
            (None, "Authorization: Bearer abc", &["abc"]),
            (None, "Authorization:Bearer ${env:A}", &[]),
            (None, "https://h/mcp?api_key=sk-1&x=2&token=t", &["sk-1", "t"]),
            (None, "https://h/mcp?x=2#key=k", &["k"]),
            (None, "https://h:8080/a@b", &[]),
            (None, "https://me:pw@h/d", &["pw"]),
            (None, "https://abc@h/d", &["abc"]),
            (None, "postgres://me:p/w@h/d", &["p/w"]),
            (None, "postgres://me@h/d", &[]),
            (None, "--url=redis://:pw@h", &["pw"]),
            (None, "Server=h;User=x;Password=y z", &["y"]),
            (None, "--options=--token=t", &["t"]),
            (None, "ghp_0123456789abcdefghij", &["ghp_0123456789abcdefghij"]),
            (None, "-y", &[]),
            (None, "@scope/auth-server@1.0", &[]),
            (None, "ghcr.io/me/auth:latest", &[]),
            (None, "ü=ö", &[]),
        ] {
            let found = secrets_in(text, before);
            let found: Vec<&str> = found.iter().map(|one| &text[one.range.clone()]).collect();
            assert_eq!(found, secrets, "{before:?} {text}");
        }
    }

    #[test]
    fn a_reference_is_one_and_nothing_else() {
        for value in ["${A}", "${env:A}", "{env:A}", "${input:a-b}", "Bearer ${A}", "token {env:A}"] {
            assert!(is_reference(value), "{value}");
        }
        for value in
            ["", "a", "ab${cd", "a${A}", "${A}b", "${A}${B}", "${A:-s3cret}", "${}", "Bearer ", "${A} "]
        {
            assert!(!is_reference(value), "{value}");
        }
    }
}
