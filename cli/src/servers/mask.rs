//! What is shown of secrets: values of variables and headers never, arguments and URLs without what looks like one.

use mcp::client::without_passwords;
use serde_json::{Map, Value};

const MASK: &str = "****";
/// Words in the names of options and parameters whose values are secret.
const WORDS: [&str; 9] =
    ["key", "token", "secret", "password", "passwd", "auth", "credential", "bearer", "cookie"];

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
            ("url", Value::String(url)) => *url = masked_url(url),
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

/// A URL without user, password, and the values of its query.
pub fn masked_url(url: &str) -> String {
    let url = without_passwords(url);
    let Some((scheme, rest)) = url.split_once("://") else { return url.into_owned() };
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
}
