//! `server.json`: what a registry says of a server, and what is written to publish one.
//! <https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json>

use crate::settings::{Given, Kind, Setting};
use crate::shape::{Finding, Shape, findings};
use serde_json::Value;

/// The form that is written.
pub const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The member of `_meta` that a publisher fills, and the most bytes of it.
const OF_PUBLISHER: &str = "io.modelcontextprotocol.registry/publisher-provided";
const MOST_META: usize = 4096;
/// The member of `_meta` in which the registry says how a version stands.
const OFFICIAL: &str = "io.modelcontextprotocol.registry/official";

macro_rules! input {
    ($($more:expr),* $(,)?) => {
        &[
            ("description", false, Shape::Text),
            ("isRequired", false, Shape::Bool),
            ("isSecret", false, Shape::Bool),
            ("format", false, Shape::Choice(&["string", "number", "boolean", "filepath"])),
            ("default", false, Shape::Text),
            ("placeholder", false, Shape::Text),
            ("choices", false, Shape::List(&Shape::Text)),
            ("value", false, Shape::Text),
            $($more),*
        ]
    };
}
const INPUT: Shape = Shape::Object(input![]);
const PAIR: Shape =
    Shape::Object(input![("name", true, Shape::Length(1, 200)), ("variables", false, Shape::Named(&INPUT)),]);
const ARGUMENT: Shape = Shape::Object(input![
    ("type", true, Shape::Choice(&["positional", "named"])),
    ("name", false, Shape::Text),
    ("valueHint", false, Shape::Text),
    ("isRepeated", false, Shape::Bool),
    ("variables", false, Shape::Named(&INPUT)),
]);
const REMOTE: Shape = Shape::Object(&[
    ("type", true, Shape::Choice(&["streamable-http", "sse"])),
    ("url", true, Shape::Length(1, 2048)),
    ("headers", false, Shape::List(&PAIR)),
    ("variables", false, Shape::Named(&INPUT)),
]);
const TRANSPORT: Shape = Shape::Object(&[
    ("type", true, Shape::Choice(&["stdio", "streamable-http", "sse"])),
    ("url", false, Shape::Text),
    ("headers", false, Shape::List(&PAIR)),
]);
const PACKAGE: Shape = Shape::Object(&[
    ("registryType", true, Shape::Choice(&["npm", "pypi", "nuget", "cargo", "oci", "mcpb"])),
    ("registryBaseUrl", false, Shape::Url),
    ("identifier", true, Shape::Length(1, 1024)),
    ("version", false, Shape::Length(1, 255)),
    ("fileSha256", false, Shape::Length(64, 64)),
    ("runtimeHint", false, Shape::Text),
    ("transport", true, TRANSPORT),
    ("runtimeArguments", false, Shape::List(&ARGUMENT)),
    ("packageArguments", false, Shape::List(&ARGUMENT)),
    ("environmentVariables", false, Shape::List(&PAIR)),
]);
const SERVER: Shape = Shape::Object(&[
    ("$schema", true, Shape::Text),
    ("name", true, Shape::Length(3, 200)),
    ("description", true, Shape::Length(1, 100)),
    ("title", false, Shape::Length(1, 100)),
    ("version", true, Shape::Length(1, 255)),
    (
        "repository",
        false,
        Shape::Object(&[
            ("url", true, Shape::Url),
            ("source", true, Shape::Text),
            ("id", false, Shape::Text),
            ("subfolder", false, Shape::Text),
        ]),
    ),
    ("websiteUrl", false, Shape::Url),
    (
        "icons",
        false,
        Shape::List(&Shape::Object(&[
            ("src", true, Shape::Url),
            ("mimeType", false, Shape::Text),
            ("sizes", false, Shape::List(&Shape::Text)),
            ("theme", false, Shape::Choice(&["light", "dark"])),
        ])),
    ),
    ("packages", false, Shape::List(&PACKAGE)),
    ("remotes", false, Shape::List(&REMOTE)),
    ("_meta", false, Shape::Any),
]);

/// Whether a text is the name of a server in a registry: a domain backwards, and a name.
pub fn is_name(text: &str) -> bool {
    let is_part = |part: &str, more: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    (3..=200).contains(&text.len())
        && text.split_once('/').is_some_and(|(space, name)| is_part(space, ".-") && is_part(name, "._-"))
}

/// Whether a version is one and no range.
fn is_exact(version: &str) -> bool {
    let begins = ["^", "~", ">", "<", "=", "v>"].iter().any(|range| version.starts_with(range));
    let parts = || version.split('.');
    version != "latest"
        && !begins
        && !version.contains(['*', '|', ' '])
        && !parts().any(|part| part == "x" || part == "X")
}

/// All that is wrong with a record, as a registry checks it.
pub fn check(record: &Value) -> Vec<Finding> {
    let mut found = findings(record, &SERVER);
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    let mut fault = |at: String, what: String| found.push(Finding::fault(at, what));
    if !text("name").is_empty() && !is_name(text("name")) {
        fault("name".to_owned(), format!("is '{}', and is written as io.github.OWNER/NAME", text("name")));
    }
    if !text("$schema").is_empty() && text("$schema") != SCHEMA {
        fault("$schema".to_owned(), format!("is not {SCHEMA}"));
    }
    if !is_exact(text("version")) {
        fault("version".to_owned(), format!("is '{}', and must be one version", text("version")));
    }
    let list = |key: &str| record[key].as_array().map(Vec::as_slice).unwrap_or_default();
    for (number, one) in list("packages").iter().enumerate() {
        let at = |key: &str| format!("packages[{number}].{key}");
        let has = |key: &str| one.get(key).is_some_and(|value| !value.is_null());
        let own = |key: &str| one[key].as_str().unwrap_or_default();
        match own("registryType") {
            "oci" => {
                for key in ["version", "registryBaseUrl"] {
                    if has(key) {
                        fault(at(key), "is not for oci: the identifier has it".to_owned());
                    }
                }
            }
            "mcpb" => {
                let digest = own("fileSha256");
                if digest.len() != 64 || !digest.bytes().all(|byte| b"0123456789abcdef".contains(&byte)) {
                    fault(at("fileSha256"), "is missing, or not 64 small hexadecimal digits".to_owned());
                }
                let host = super::download::host_of(own("identifier"));
                let is_release = own("identifier").starts_with("https://")
                    && ["github.com", "gitlab.com"].contains(&host.as_str())
                    && own("identifier").to_ascii_lowercase().contains("mcp");
                if !is_release {
                    fault(
                        at("identifier"),
                        "is not the https URL of a release at github.com or gitlab.com with 'mcp' in it"
                            .to_owned(),
                    );
                }
            }
            _ if !has("version") => fault(at("version"), "is missing".to_owned()),
            _ => {}
        }
        if has("version") && !is_exact(own("version")) {
            fault(at("version"), format!("is '{}', and must be one version", own("version")));
        }
        if one["transport"]["type"] != "stdio" && one["transport"].get("url").is_none() {
            fault(at("transport.url"), "is missing".to_owned());
        }
        for key in ["runtimeArguments", "packageArguments"] {
            for (item, argument) in one[key].as_array().into_iter().flatten().enumerate() {
                let named = argument["type"] == "named";
                let needs: &[&str] = if named { &["name"] } else { &["value", "valueHint"] };
                if !needs.iter().any(|key| argument.get(*key).is_some()) {
                    fault(at(&format!("{key}[{item}]")), format!("has no {}", needs.join(" or ")));
                }
            }
        }
    }
    for (number, one) in list("remotes").iter().enumerate() {
        let url = one["url"].as_str().unwrap_or_default();
        let at = format!("remotes[{number}].url");
        if !crate::shape::is_url(&braceless(url)) {
            fault(at.clone(), "is not a URL with https or http".to_owned());
        }
        if super::download::is_loopback(url) {
            fault(at.clone(), "is on one machine alone".to_owned());
        }
        for name in names(url).filter(|name| one["variables"].get(*name).is_none()) {
            fault(at.clone(), format!("names '{{{name}}}', which 'variables' does not have"));
        }
    }
    if list("packages").is_empty() && list("remotes").is_empty() {
        fault("packages".to_owned(), "and remotes are missing: there is no way to use the server".to_owned());
    }
    if record["_meta"][OF_PUBLISHER].to_string().len() > MOST_META {
        fault("_meta".to_owned(), format!("has more than {MOST_META} bytes of the publisher"));
    }
    found
}

/// A text with letters in the place of its names.
fn braceless(text: &str) -> String {
    text.replace(['{', '}'], "")
}

/// The names in braces.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    })
}

/// A record with what its registry says of it.
pub struct Listed<'a> {
    pub server: &'a Value,
    pub status: &'a str,
    pub message: &'a str,
}

impl<'a> Listed<'a> {
    /// An element of a list, or the answer about one version.
    pub fn of(value: &'a Value) -> Listed<'a> {
        let official = &value["_meta"][OFFICIAL];
        let text = |key: &str| official[key].as_str().unwrap_or_default();
        let status = if text("status").is_empty() { "active" } else { text("status") };
        Listed { server: &value["server"], status, message: text("statusMessage") }
    }

    pub fn text(&self, key: &str) -> &'a str {
        self.server[key].as_str().unwrap_or_default()
    }
}

/// What an input asks the person for: itself, or the variables of its value.
pub fn settings_of(input: &Value, key: &str) -> Vec<Setting> {
    let one = |input: &Value, key: &str| {
        let kind = match input["format"].as_str() {
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Boolean,
            Some("filepath") => Kind::Path,
            _ => Kind::Text,
        };
        let choices = input["choices"].as_array().into_iter().flatten();
        Setting {
            key: key.to_owned(),
            title: key.to_owned(),
            description: input["description"].as_str().unwrap_or_default().to_owned(),
            kind,
            is_required: input["isRequired"] == true,
            default: input["default"]
                .as_str()
                .map(|text| Given::One(text.to_owned()))
                .filter(|one| !one.is_empty()),
            is_secret: input["isSecret"] == true,
            is_multiple: input["isRepeated"] == true,
            choices: choices.filter_map(Value::as_str).map(str::to_owned).collect(),
            limits: (None, None),
        }
        .secret_by_name()
    };
    match input["value"].as_str() {
        None => vec![one(input, key)],
        Some(value) => {
            let known = |name: &&str| input["variables"].get(*name).is_some();
            let own = |name: &str| Setting { is_required: true, ..one(&input["variables"][name], name) };
            names(value).filter(known).map(own).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_is_a_domain_backwards_and_a_name() {
        for name in ["io.github.x/y", "com.example/a.b_c-d"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["x", "x/", "/y", "a/b/c", "a b/c", "./server x", "a_b/c", "ü/x"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_record_is_checked_as_a_registry_does_it() {
        let good = json!({"$schema": SCHEMA, "name": "io.github.x/y", "description": "d", "version": "1.0.0",
            "packages": [{"registryType": "npm", "identifier": "y", "version": "1.0.0", "transport": {"type": "stdio"}}],
            "remotes": [{"type": "streamable-http", "url": "https://{host}/mcp", "variables": {"host": {}}}]});
        assert_eq!(check(&good), []);
        let with = |pointer: &str, value: Value| {
            let mut changed = good.clone();
            let (above, name) = pointer.rsplit_once('/').expect("a pointer");
            let above = changed.pointer_mut(above).expect("there");
            if value.is_null() {
                above.as_object_mut().expect("an object").remove(name);
            } else {
                above[name] = value;
            }
            check(&changed).iter().map(Finding::line).collect::<Vec<_>>().join("; ")
        };
        for (pointer, value, said) in [
            ("/name", json!("y"), "name has 1 characters"),
            ("/name", json!("a b/c"), "name is 'a b/c', and is written as"),
            ("/description", json!("d".repeat(101)), "description has 101 characters"),
            ("/version", json!("latest"), "version is 'latest'"),
            ("/version", json!("^1.0"), "version is '^1.0'"),
            ("/version", json!("1.x"), "version is '1.x'"),
            ("/$schema", json!("x"), "$schema is not"),
            ("/packages/0/version", Value::Null, "packages[0].version is missing"),
            ("/packages/0/registryType", json!("oci"), "packages[0].version is not for oci"),
            ("/packages/0/registryType", json!("mcpb"), "packages[0].fileSha256 is missing"),
            (
                "/packages/0/packageArguments",
                json!([{"type": "named"}]),
                "packages[0].packageArguments[0] has no name",
            ),
            (
                "/packages/0/packageArguments",
                json!([{"type": "positional"}]),
                "packages[0].packageArguments[0] has no value or valueHint",
            ),
            ("/remotes/0/url", json!("http://localhost/mcp"), "remotes[0].url is on one machine"),
            ("/remotes/0/variables", json!({}), "remotes[0].url names '{host}'"),
            ("/_meta", json!({OF_PUBLISHER: "x".repeat(5000)}), "_meta has more than 4096"),
            ("/tools", json!([]), "tools is not known here"),
        ] {
            assert!(with(pointer, value.clone()).starts_with(said), "{pointer}: {}", with(pointer, value));
        }
        let neither = json!({"$schema": SCHEMA, "name": "io.github.x/y", "description": "d", "version": "1"});
        assert!(check(&neither)[0].what.contains("no way to use"));
    }

    #[test]
    fn an_input_with_a_value_asks_for_its_variables_alone() {
        let keys = |input: Value| settings_of(&input, "X").into_iter().map(|one| one.key).collect::<Vec<_>>();
        assert_eq!(keys(json!({"isRequired": true})), ["X"]);
        assert_eq!(keys(json!({"value": "fixed {other}"})), Vec::<String>::new());
        // A record may forget to say that a value is secret.
        let secret = |key: &str| settings_of(&json!({}), key)[0].is_secret;
        assert!(secret("OPENAI_API_KEY") && secret("Authorization") && !secret("CITY"));
        assert_eq!(keys(json!({"value": "Bearer {key}", "variables": {"key": {"isSecret": true}}})), ["key"]);
    }
}
