//! Credentials of an API, by reference: a variable or a file. No command line and no file of the API has one.

use super::document::Document;
use super::operation::Place;
use super::{Base, Problem};
use crate::failure::Failure;
use crate::folders;
use crate::folders::encoded;
use crate::ordered::sort_by_key;
use crate::output::one_line;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::json_text::quote;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The most bytes of a file with one.
const BYTES: u64 = 64 << 10;

/// What a request gets for one security scheme.
pub struct Credential {
    pub place: Place,
    /// The header, the member of the query; of a cookie its name.
    pub name: String,
    pub is_cookie: bool,
    pub value: String,
    /// As the person gave it, for texts of others that may have it in them.
    secret: String,
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Credential {
    /// Whether a parameter is what this fills.
    pub fn fills(&self, place: Place, name: &str) -> bool {
        match place {
            Place::Header if self.is_cookie => name.eq_ignore_ascii_case("cookie"),
            Place::Header => self.place == place && self.name.eq_ignore_ascii_case(name),
            Place::Query => self.place == place && self.name == name,
            Place::Path => false,
        }
    }

    /// A text without it: some servers repeat what they were sent, or the part of it that they have read.
    pub fn hidden_in(&self, text: &str) -> String {
        let behind_scheme = self.value.split_once(' ').map_or("", |(_, rest)| rest);
        let password = match self.value.starts_with("Basic ") {
            true => self.secret.split_once(':').map_or("", |(_, password)| password),
            false => "",
        };
        let mut forms = BTreeSet::new();
        for part in [&self.value, &self.secret, behind_scheme, password] {
            let quoted = quote(part);
            let quoted = quoted.trim_matches('"');
            // Some writers of JSON put a backslash before a slash.
            forms.extend([part.to_owned(), encoded(part), quoted.to_owned(), quoted.replace('/', "\\/")]);
        }
        let mut forms: Vec<String> = forms.into_iter().filter(|form| form.len() >= 4).collect();
        // A form may have another one in it.
        sort_by_key(&mut forms, |form| std::cmp::Reverse(form.len()));
        forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), "****"))
    }
}

/// Those of a file.
pub struct Credentials(BTreeMap<String, Arc<Credential>>);

impl Credentials {
    /// Reads what `--credential` names.
    pub fn read(document: &Document, given: &[String], base: &Base) -> Result<Credentials, Problem> {
        let mut all = BTreeMap::new();
        let schemes = document.root()["components"]["securitySchemes"].as_object();
        for word in given {
            let usage = |why: String| {
                Problem::from(Failure::usage(format!("--credential {}: {why}", one_line(shown(word)))))
            };
            let (scheme, reference) = word
                .split_once('=')
                .ok_or_else(|| usage("write SCHEME=env:NAME or SCHEME=file:PATH".to_owned()))?;
            let known = || {
                let names: Vec<String> =
                    schemes.into_iter().flatten().map(|(name, _)| one_line(name)).collect();
                if names.is_empty() {
                    "the file has none".to_owned()
                } else {
                    format!("there are {}", names.join(", "))
                }
            };
            let definition = schemes
                .and_then(|schemes| schemes.get(scheme))
                .ok_or_else(|| usage(format!("there is no security scheme of this name; {}", known())))?;
            let (definition, _) =
                document.followed(definition, &["components", "securitySchemes", scheme])?;
            let secret = secret(reference).map_err(&usage)?;
            if !base.is_private() {
                return Err(usage(format!("{} is not https: a credential is not sent there", base.origin)));
            }
            all.insert(scheme.to_owned(), Arc::new(credential(definition, &secret).map_err(&usage)?));
        }
        Ok(Credentials(all))
    }

    /// Those of an operation: of the first way for which all are there. Otherwise the names of schemes that lack one.
    pub fn of(&self, security: Option<&Value>) -> (Vec<Arc<Credential>>, Vec<String>) {
        let ways = security.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let schemes = |way: &Value| {
            way.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        let mut lacks = Vec::new();
        let mut is_open = ways.is_empty();
        for way in ways.iter().map(schemes) {
            is_open |= way.is_empty();
            let found: Vec<_> = way.iter().filter_map(|name| self.0.get(name).cloned()).collect();
            if !way.is_empty() && found.len() == way.len() {
                return (found, Vec::new());
            }
            lacks.extend(way.into_iter().filter(|name| !self.0.contains_key(name)));
        }
        (Vec::new(), if is_open { Vec::new() } else { lacks })
    }
}

/// A word of the command line as it may be shown: a person may have written a credential in the place of its name.
fn shown(word: &str) -> &str {
    word.split_once('=').map_or(word, |(scheme, _)| scheme)
}

fn secret(reference: &str) -> Result<String, String> {
    let value = match reference.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the variable {} is not set", one_line(name)))?
        }
        Some(("file", path)) => folders::read_given(Path::new(path), BYTES)
            .map_err(|failure| failure.text())?
            .ok_or_else(|| format!("there is no file {}", one_line(path)))?,
        _ => return Err("write env:NAME or file:PATH behind the '=', and no credential itself".to_owned()),
    };
    let value = value.trim().to_owned();
    if value.is_empty() || value.contains(|c: char| c.is_control()) {
        return Err("what is there is empty, or has control characters".to_owned());
    }
    Ok(value)
}

fn credential(scheme: &Value, secret: &str) -> Result<Credential, String> {
    let word = |name: &str| scheme.get(name).and_then(Value::as_str).unwrap_or_default();
    let of = |place, name: &str, is_cookie, value: String| {
        Ok(Credential { place, name: name.to_owned(), is_cookie, value, secret: secret.to_owned() })
    };
    match (word("type"), word("scheme").to_ascii_lowercase().as_str(), word("in")) {
        ("http", "basic", _) if secret.contains(':') => {
            of(Place::Header, "authorization", false, format!("Basic {}", STANDARD.encode(secret)))
        }
        ("http", "basic", _) => Err("a credential of the scheme 'basic' is USER:PASSWORD".to_owned()),
        ("http", "bearer", _) | ("oauth2" | "openIdConnect", ..) => {
            of(Place::Header, "authorization", false, format!("Bearer {secret}"))
        }
        ("apiKey", _, "header") => of(Place::Header, word("name"), false, secret.to_owned()),
        ("apiKey", _, "query") => of(Place::Query, word("name"), false, secret.to_owned()),
        ("apiKey", _, "cookie") => of(Place::Header, word("name"), true, secret.to_owned()),
        (kind, name, _) => Err(format!(
            "the security scheme '{}' {} is not one that can be used",
            one_line(kind),
            one_line(name)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_credential_of_a_file_has_no_byte_order_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        for (text, is) in
            [("\u{feff}s3cret\n", Some("s3cret")), ("s3cret", Some("s3cret")), ("\u{feff}", None)]
        {
            std::fs::write(&path, text).expect("written");
            assert_eq!(secret(&format!("file:{}", path.display())).ok().as_deref(), is, "{text}");
        }
    }

    #[test]
    fn c39_a_credential_is_hidden_in_every_form_that_a_server_may_repeat() {
        let basic = json!({"type": "http", "scheme": "basic"});
        let bearer = json!({"type": "http", "scheme": "bearer"});
        let key = json!({"type": "apiKey", "in": "query", "name": "key"});
        for (scheme, secret, said, shown) in [
            (&basic, "user:pass/word", "got Basic dXNlcjpwYXNzL3dvcmQ=.", "got ****."),
            (&basic, "user:pass/word", "got dXNlcjpwYXNzL3dvcmQ=.", "got ****."),
            (&basic, "user:pass/word", "user:pass/word, pass/word", "****, ****"),
            (
                &basic,
                "user:pass/word",
                r#"{"p":"pass\/word","q":"pass%2Fword"}"#,
                r#"{"p":"****","q":"****"}"#,
            ),
            (&basic, "user:x:y/z", "user has x:y/z", "user has ****"),
            (&bearer, "a/b\"c", r#"{"h":"Bearer a/b\"c","s":"a\/b\"c"}"#, r#"{"h":"****","s":"****"}"#),
            (&key, "two words", "?key=two%20words, two words", "?key=****, ****"),
            (
                &key,
                "abc",
                "abc is too short to be told from other text",
                "abc is too short to be told from other text",
            ),
        ] {
            let credential = credential(scheme, secret).expect("a credential");
            assert_eq!(credential.hidden_in(said), shown, "{secret}");
        }
    }
}
