//! What a URL has besides the server: paths for its health and its counters, and the server card (SEP-2127).

use super::endpoint::CardKeys;
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::json;
use crate::protocol::Revision;
use crate::protocol::address::Address;
use crate::runtime::server::http::{Card, Documents};
use serde_json::{Map, Value};

/// The form of a card. Its texts are bounded there, too.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 100;

/// The keys of a URL that say which documents it has.
#[derive(Debug)]
pub(super) struct DocumentKeys {
    health: Option<String>,
    metrics: Option<String>,
    card: Option<CardOptions>,
}

#[derive(Debug)]
struct CardOptions {
    name: String,
    description: Option<String>,
    url: Option<String>,
}

/// What a server says of itself.
pub(super) struct About<'a> {
    /// `serverInfo`, JSON text.
    pub(super) info: &'a str,
    pub(super) revisions: &'a [Revision],
    /// Where it is served.
    pub(super) url: &'a str,
}

impl DocumentKeys {
    /// What the keys of a URL say.
    ///
    /// # Errors
    /// Which key is wrong.
    pub(super) fn of(
        health: Option<String>,
        metrics: Option<String>,
        card: Option<CardKeys>,
    ) -> Result<DocumentKeys, Error> {
        for (key, path) in [("health", &health), ("metrics", &metrics)] {
            if let Some(path) = path
                && !is_path(path)
            {
                return Err(wrong(key, format!("'{path}' is not a valid path, such as \"/{key}\"")));
            }
        }
        let card = card.map(CardOptions::of).transpose()?;
        Ok(DocumentKeys { health, metrics, card })
    }

    /// The first key that is there.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("health", self.health.is_some()),
            ("metrics", self.metrics.is_some()),
            ("card", self.card.is_some()),
        ];
        given.into_iter().find(|(_, is_there)| *is_there).map(|(key, _)| key)
    }

    /// The documents of a server at `path`.
    ///
    /// # Errors
    /// Two of them have one path; the card has no description.
    pub(super) fn documents(self, path: &str, about: &About<'_>) -> Result<Documents, Error> {
        for (key, own) in [("health", &self.health), ("metrics", &self.metrics)] {
            if own.as_deref() == Some(path) {
                return Err(wrong(key, format!("the path '{path}' is the one of the server")));
            }
        }
        if self.health.is_some() && self.health == self.metrics {
            return Err(wrong("metrics", "it has the path of \"health\""));
        }
        let card = self.card.map(|card| card.written(about)).transpose()?;
        Ok(Documents { health: self.health, metrics: self.metrics, card })
    }
}

impl CardOptions {
    fn of(keys: CardKeys) -> Result<CardOptions, Error> {
        let CardKeys { name, description, url } = keys;
        let name = name.filter(|name| is_name(name)).ok_or_else(|| {
            let what = "it must be the reversed name of your domain, a slash and the name of the server, such as \
                        \"com.example/weather\"";
            wrong("card.name", what)
        })?;
        if let Some(url) = &url
            && let Err(why) = Address::parse(url)
        {
            return Err(wrong("card.url", format!("'{url}' is not a valid server URL: {why}")));
        }
        Ok(CardOptions { name, description, url })
    }

    fn written(self, about: &About<'_>) -> Result<Card, Error> {
        let text = |member: &str| json::member(about.info, member).and_then(json::string).map(String::from);
        let description = self.description.or_else(|| text("description")).unwrap_or_default();
        if !(1..=LONGEST_TEXT).contains(&description.chars().count()) {
            let what = format!("a card needs a description of 1 to {LONGEST_TEXT} characters");
            return Err(wrong("card.description", what));
        }
        let url = self.url.unwrap_or_else(|| about.url.to_owned());
        let title = text("title").filter(|title| (1..=LONGEST_TEXT).contains(&title.chars().count()));
        let mut card = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                card.insert(key.to_owned(), value);
            }
        };
        put("$schema", Some(SCHEMA.into()));
        put("name", Some(self.name.as_str().into()));
        put("version", text("version").map(Value::from));
        put("description", Some(description.into()));
        put("title", title.map(Value::from));
        put("websiteUrl", text("websiteUrl").map(Value::from));
        put("icons", json::member(about.info, "icons").and_then(|icons| serde_json::from_str(icons).ok()));
        let versions: Vec<&str> = about.revisions.iter().map(|revision| revision.as_str()).collect();
        let remote = serde_json::json!(
            { "type": "streamable-http", "url": url, "supportedProtocolVersions": versions });
        put("remotes", Some(Value::from(vec![remote])));
        let entry = serde_json::json!({
            "identifier": urn(&self.name),
            "type": "application/mcp-server-card+json",
            "url": format!("{}/server-card", url.trim_end_matches('/')),
        });
        let catalog = serde_json::json!({ "specVersion": "1.0", "entries": [entry] });
        Ok(Card { card: Value::from(card).to_string(), catalog: catalog.to_string() })
    }
}

/// `com.example/weather` becomes `urn:air:example.com:mcp:weather`.
fn urn(name: &str) -> String {
    let (domain, server) = name.split_once('/').unwrap_or((name, ""));
    let labels: Vec<&str> = domain.split('.').rev().collect();
    format!("urn:air:{}:mcp:{server}", labels.join("."))
}

fn is_name(name: &str) -> bool {
    let is_part = |part: &str, more: &[u8]| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
    };
    let parts = name.split_once('/');
    name.len() <= LONGEST_NAME
        && parts.is_some_and(|(domain, server)| is_part(domain, b".-") && is_part(server, b"._-"))
}

fn is_path(path: &str) -> bool {
    path.len() > 1
        && path.starts_with('/')
        && path.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'?' | b'#' | b'"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::define::Definition as _;
    use crate::config::fields::Fields;
    use crate::server::endpoint::UrlKeys;

    fn read(text: &str) -> Result<DocumentKeys, Error> {
        let object = serde_json::from_str(text).expect("JSON");
        let mut fields = Fields::new("", &object);
        let keys = UrlKeys::read(&mut fields)?;
        fields.finish()?;
        DocumentKeys::of(keys.health, keys.metrics, keys.card)
    }

    fn documents(text: &str) -> Result<Documents, Error> {
        let info = r#"{"name":"weather","version":"1.2","title":"Weather","description":"Tells it","icons":[{"src":"https://x/i"}]}"#;
        let about = About { info, revisions: &Revision::ALL, url: "https://example.com/mcp" };
        read(text)?.documents("/mcp", &about)
    }

    #[test]
    fn a_card_says_what_the_server_says_and_where_it_is() {
        let card =
            documents(r#"{"card":{"name":"com.example/weather"}}"#).expect("right").card.expect("a card");
        let read: Value = serde_json::from_str(&card.card).expect("JSON");
        assert_eq!(read["$schema"], SCHEMA);
        assert_eq!(read["name"], "com.example/weather");
        assert_eq!(
            (&read["version"], &read["title"], &read["description"]),
            (&"1.2".into(), &"Weather".into(), &"Tells it".into())
        );
        assert_eq!(read["icons"][0]["src"], "https://x/i");
        let remote = &read["remotes"][0];
        assert_eq!(
            (&remote["type"], &remote["url"]),
            (&"streamable-http".into(), &"https://example.com/mcp".into())
        );
        assert!(
            remote["supportedProtocolVersions"].as_array().expect("a list").contains(&"2026-07-28".into())
        );
        let catalog: Value = serde_json::from_str(&card.catalog).expect("JSON");
        let entry = &catalog["entries"][0];
        assert_eq!(entry["identifier"], "urn:air:example.com:mcp:weather");
        assert_eq!(entry["url"], "https://example.com/mcp/server-card");
    }

    #[test]
    fn the_public_url_may_be_another_one() {
        let text = r#"{"card":{"name":"a.b/c","url":"https://public.example/x/"}}"#;
        let card = documents(text).expect("right").card.expect("a card");
        assert!(card.card.contains(r#""url":"https://public.example/x/""#));
        assert!(card.catalog.contains(r#""url":"https://public.example/x/server-card""#));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, key) in [
            (r#"{"health":"healthz"}"#, "health"),
            (r#"{"health":"/"}"#, "health"),
            (r#"{"metrics":"/a?b"}"#, "metrics"),
            (r#"{"metrics":"/mcp"}"#, "metrics"),
            (r#"{"health":"/x","metrics":"/x"}"#, "metrics"),
            (r#"{"card":{}}"#, "card.name"),
            (r#"{"card":{"name":"weather"}}"#, "card.name"),
            (r#"{"card":{"name":"a/b/c"}}"#, "card.name"),
            (r#"{"card":{"name":"a.b/c","url":"nonsense"}}"#, "card.url"),
            (r#"{"card":{"name":"a.b/c","description":""}}"#, "card.description"),
        ] {
            let error = documents(text).expect_err(text).to_string();
            assert!(error.contains(key), "{text}: {error}");
        }
    }
}
