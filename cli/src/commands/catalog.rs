//! `list` of a domain: the servers that its catalog names (`/.well-known/ai-catalog.json`), each with its card. They are shown, and nothing of
//! them is started, reached or kept.

use crate::arguments::{Common, Format};
use crate::failure::Failure;
use crate::output::{Screen, one_line, table};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CATALOG_TYPE: &str = "application/ai-catalog+json";
const CARD_TYPE: &str = "application/mcp-server-card+json";
const PATH: &str = "/.well-known/ai-catalog.json";
/// The most bytes of a catalog and of a card.
const CATALOG_BYTES: usize = 1 << 20;
const CARD_BYTES: usize = 256 << 10;
/// The most servers, documents, and catalogs inside of each other.
const SERVERS: usize = 100;
const DOCUMENTS: usize = 64;
const DEPTH: usize = 2;

/// Whether a word is a domain and nothing else: `example.com`, with no scheme, port, path or user.
pub fn is_domain(word: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = word.rsplit('.').next().unwrap_or_default();
    word.len() <= 253
        && word.contains('.')
        && word.split('.').all(is_label)
        && last.len() >= 2
        && last.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Where the catalog of a domain is.
pub fn url_of(domain: &str) -> String {
    format!("https://{domain}{PATH}")
}

/// The domain of the URL of a catalog.
pub fn named_by(url: &str) -> Option<&str> {
    url.strip_prefix("https://")?.strip_suffix(PATH).filter(|domain| is_domain(domain))
}

/// What a catalog says of a server.
#[derive(Debug, Default)]
struct Server {
    name: String,
    identifier: String,
    description: String,
    /// The types and URLs by which it is reached.
    remotes: Vec<(String, String)>,
    /// Why its card cannot be used.
    fault: Option<String>,
}

/// How a document is read: its URL, its media types, its bound.
type Read<'a> = &'a dyn Fn(&str, &str, usize) -> Result<String, String>;

pub fn list(screen: Screen, domain: &str, common: &Common) -> Result<(), Failure> {
    let url = url_of(domain);
    let begin = Instant::now();
    let limit = if common.timeout().is_zero() { Duration::from_secs(86_400) } else { common.timeout() };
    // All of it together has the time of one call.
    let read = |url: &str, accept: &str, most: usize| {
        let left = limit.saturating_sub(begin.elapsed());
        mcp::client::document(url, accept, most, left).map_err(|error| error.message)
    };
    let accept = format!("{CATALOG_TYPE}, application/json");
    let text = mcp::client::document(&url, &accept, CATALOG_BYTES, limit)?;
    let mut servers = Vec::new();
    let mut documents = 1;
    collect(&text, &read, 1, &mut documents, &mut servers)
        .map_err(|why| Failure::machine(format!("{url}: {why}")))?;
    write(screen, domain, &servers)
}

/// The servers of a catalog and of those that it names.
fn collect(
    text: &str,
    read: Read<'_>,
    depth: usize,
    documents: &mut usize,
    servers: &mut Vec<Server>,
) -> Result<(), String> {
    let catalog: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not valid JSON: {error}"))?;
    let version = catalog["specVersion"].as_str().unwrap_or("1");
    if version.split('.').next() != Some("1") {
        return Err(format!("it is a catalog of version {}, and 1 is known", one_line(version)));
    }
    let entries = catalog["entries"].as_array().ok_or("it has no 'entries'")?;
    for entry in entries {
        if servers.len() == SERVERS {
            return Ok(());
        }
        let kind = text_of(entry, "type");
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let (most, is_card) = match kind {
            CARD_TYPE => (CARD_BYTES, true),
            CATALOG_TYPE if depth < DEPTH => (CATALOG_BYTES, false),
            // Agents, skills, and what comes later.
            _ => continue,
        };
        let inside = match (&entry["data"], entry["url"].as_str()) {
            (Value::Object(_), _) => Ok(entry["data"].to_string()),
            (_, Some(_)) if *documents >= DOCUMENTS => {
                Err(format!("more than {DOCUMENTS} documents are not read"))
            }
            (_, Some(url)) => {
                *documents += 1;
                read(url, &format!("{kind}, application/json"), most)
            }
            (_, None) => Err("it has neither 'url' nor 'data'".to_owned()),
        };
        if is_card {
            servers.push(of_card(entry, inside));
        } else if let Err(why) = inside.and_then(|text| collect(&text, read, depth + 1, documents, servers)) {
            servers.push(Server { fault: Some(why), ..of_entry(entry) });
        }
    }
    Ok(())
}

fn text_of(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn of_entry(entry: &Value) -> Server {
    let identifier = text_of(entry, "identifier");
    let last = identifier.rsplit([':', '/']).next().unwrap_or_default().to_owned();
    let shown = text_of(entry, "displayName");
    Server {
        name: if shown.is_empty() { last } else { shown },
        identifier,
        description: text_of(entry, "description"),
        ..Server::default()
    }
}

/// What an entry and its card say together. Of a card only what is shown is taken: no command, no header.
fn of_card(entry: &Value, card: Result<String, String>) -> Server {
    let mut server = of_entry(entry);
    let card = card.and_then(|text| {
        serde_json::from_str::<Value>(&text).map_err(|error| format!("its card is not valid JSON: {error}"))
    });
    let card = match card {
        Ok(card) if card.is_object() => card,
        Ok(_) => {
            server.fault = Some("its card is not an object".to_owned());
            return server;
        }
        Err(why) => {
            server.fault = Some(why);
            return server;
        }
    };
    for (into, key) in [(&mut server.name, "title"), (&mut server.description, "description")] {
        let said = text_of(&card, key);
        if !said.is_empty() {
            *into = said;
        }
    }
    let remotes = card["remotes"].as_array().into_iter().flatten().take(SERVERS);
    server.remotes = remotes
        .map(|remote| (text_of(remote, "type"), text_of(remote, "url")))
        .filter(|(_, url)| !url.is_empty())
        .collect();
    server
}

fn write(screen: Screen, domain: &str, servers: &[Server]) -> Result<(), Failure> {
    let shown = |url: &str| mcp::client::without_passwords(url).into_owned();
    match screen.format {
        Format::Json | Format::Yaml => {
            let remote = |(kind, url): &(String, String)| json!({"type": kind, "url": shown(url)});
            let list: Vec<Value> = servers
                .iter()
                .map(|one| {
                    json!({"name": one.name, "identifier": one.identifier, "description": one.description,
                        "remotes": one.remotes.iter().map(remote).collect::<Vec<_>>(), "fault": one.fault})
                })
                .collect();
            screen.json(&json!({"domain": domain, "servers": list}).to_string())
        }
        Format::Names => screen.names(&servers.iter().map(|one| one.name.clone()).collect::<Vec<_>>()),
        Format::Text if servers.is_empty() => {
            Screen::said(format!("the catalog of {domain} names no server"));
            Ok(())
        }
        Format::Text => {
            let row = |one: &Server| {
                let urls: Vec<String> = one.remotes.iter().map(|(_, url)| shown(url)).collect();
                let place =
                    one.fault.as_ref().map_or_else(|| urls.join(" "), |why| format!("({})", one_line(why)));
                vec![one.name.clone(), place, one.description.clone()]
            };
            let rows: Vec<Vec<String>> = servers.iter().map(row).collect();
            screen.write(table(&["NAME", "URL", "DESCRIPTION"], &rows, screen.width()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_a_word_with_dots_alone() {
        for word in ["example.com", "a-b.example.co", "xn--bcher-kva.example"] {
            assert!(is_domain(word), "{word}");
        }
        for word in [
            "example",
            "1.2.3.4",
            "example.com:80",
            "a/b.c",
            "@a.b",
            "a..b",
            ".a.b",
            "a b.cd",
            "-a.bc",
            "a.b",
            "",
        ] {
            assert!(!is_domain(word), "{word}");
        }
        assert_eq!(named_by(&url_of("example.com")), Some("example.com"));
        for url in [
            "https://example.com/",
            "http://example.com/.well-known/ai-catalog.json",
            "https://a/.well-known/ai-catalog.json",
        ] {
            assert_eq!(named_by(url), None, "{url}");
        }
    }

    #[test]
    fn a_catalog_gives_its_servers_and_no_command() {
        let card = json!({"name": "com.example/weather", "title": "Weather", "description": "Says it", "packages": [{"command": "rm"}],
            "remotes": [{"type": "streamable-http", "url": "https://example.com/mcp", "headers": [{"name": "A", "value": "s3cret"}]}]});
        let entry = |kind: &str, url: &str| json!({"identifier": "urn:air:example.com:mcp:one", "type": kind, "url": url});
        let nested = |url: &str| json!({"specVersion": "1.0", "entries": [entry(CARD_TYPE, "https://b/card"), entry(CATALOG_TYPE, url)]});
        let read = |url: &str, _: &str, _: usize| match url {
            "https://a/card" => Ok(card.to_string()),
            "https://a/more" => Ok(nested("https://a/too-deep").to_string()),
            other => Err(format!("{other} is not there")),
        };
        let catalog = json!({"specVersion": "1.0", "entries": [entry(CARD_TYPE, "https://a/card"), entry(CATALOG_TYPE, "https://a/more"),
            entry("application/agent-card+json", "https://a/agent"), {"identifier": "x:two", "type": CARD_TYPE, "data": {"title": "Two"}},
            {"identifier": "x:three", "type": CARD_TYPE}]});
        let mut servers = Vec::new();
        collect(&catalog.to_string(), &read, 1, &mut 1, &mut servers).expect("a catalog");
        let names: Vec<&str> = servers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Weather", "one", "Two", "three"]);
        assert_eq!(
            servers[0].remotes,
            [("streamable-http".to_owned(), "https://example.com/mcp".to_owned())]
        );
        assert!(servers[1].fault.as_ref().is_some_and(|why| why.contains("https://b/card")));
        assert!(servers[3].fault.is_some());
        let said = format!("{servers:?}");
        assert!(!said.contains("rm\"") && !said.contains("s3cret"), "{said}");
    }

    #[test]
    fn what_is_read_is_bounded() {
        let read = |_: &str, _: &str, _: usize| Ok("{}".to_owned());
        let entry = |_| json!({"identifier": "x:a", "type": CARD_TYPE, "url": "https://a/"});
        let catalog = |count: usize| json!({"specVersion": "1.0", "entries": (0..count).map(entry).collect::<Vec<_>>()});
        let mut servers = Vec::new();
        let mut documents = 1;
        collect(&catalog(500).to_string(), &read, 1, &mut documents, &mut servers).expect("a catalog");
        assert_eq!((servers.len(), documents), (SERVERS, DOCUMENTS));
        assert!(servers[SERVERS - 1].fault.is_some());
        let other = |text: &str| collect(text, &read, 1, &mut 1, &mut Vec::new());
        assert!(other(r#"{"specVersion":"2.0","entries":[]}"#).is_err_and(|why| why.contains("version 2.0")));
        assert!(other("{}").is_err() && other("[").is_err());
    }
}
