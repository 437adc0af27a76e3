//! Which documents are at other paths than the server's own: its health, its counters, and what it says of itself to those who look
//! for servers.

use hyper::StatusCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the list of the servers of a domain is.
const CATALOG: &str = "/.well-known/ai-catalog.json";
/// Where it was until 2026-07-20; some clients still look there.
const WITHDRAWN: &str = "/.well-known/mcp/catalog.json";
/// What the path of a card has behind the path of its server.
const CARD: &str = "/server-card";

/// Which documents a URL has.
#[derive(Clone, Default, Debug)]
pub(crate) struct Documents {
    /// The path that says whether the server takes requests.
    pub(crate) health: Option<String>,
    /// The path of the counters.
    pub(crate) metrics: Option<String>,
    /// The server card, and the catalog that leads to it.
    pub(crate) card: Option<Card>,
}

/// A server card and its catalog, as JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) card: String,
    pub(crate) catalog: String,
}

/// What is at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum ServedDocument<'a> {
    /// Whether the server takes requests.
    Health,
    /// The counters.
    Metrics,
    /// Anyone may read it: its type and its text.
    Public(&'static str, &'a str),
}

impl Documents {
    /// What is at a path, beside a server at another one.
    pub(super) fn at(&self, path: &str, server: &str) -> Option<ServedDocument<'_>> {
        let is = |known: &Option<String>| known.as_deref() == Some(path);
        if is(&self.health) {
            return Some(ServedDocument::Health);
        }
        if is(&self.metrics) {
            return Some(ServedDocument::Metrics);
        }
        let card = self.card.as_ref()?;
        if path == CATALOG || path == WITHDRAWN {
            return Some(ServedDocument::Public("application/ai-catalog+json", &card.catalog));
        }
        let is_card = path.strip_suffix(CARD).is_some_and(|before| before == server.trim_end_matches('/'));
        is_card.then_some(ServedDocument::Public("application/mcp-server-card+json", &card.card))
    }
}

/// The statuses that are counted one by one; others are counted together.
const STATUSES: [u16; 16] = [200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 410, 413, 415, 429, 500, 503];

/// A number that only grows.
#[derive(Default, Debug)]
pub(crate) struct Meter(AtomicU64);

impl Meter {
    pub(super) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What all URLs of a server count, from its beginning on.
#[derive(Default, Debug)]
pub(crate) struct HttpMeters {
    /// Connections that were taken.
    pub(crate) accepted: Meter,
    /// Those that have ended.
    pub(crate) ended: Meter,
    /// Connections that were closed at once because of `limits.connections`.
    pub(crate) refused: Meter,
    /// Bytes that came, before TLS is taken off.
    pub(crate) received: Meter,
    /// Bytes that went out.
    pub(crate) sent: Meter,
    /// Answers that are streams of events.
    pub(crate) streams: Meter,
    /// Answers by status, in the order of [`STATUSES`], and the others.
    pub(crate) answers: [Meter; STATUSES.len() + 1],
}

impl HttpMeters {
    /// An answer goes out.
    pub(super) fn answered(&self, status: StatusCode) {
        let place = STATUSES.iter().position(|known| *known == status.as_u16());
        if let Some(meter) = self.answers.get(place.unwrap_or(STATUSES.len())) {
            meter.add(1);
        }
    }

    /// Answers by status; the last ones have none of their own.
    pub(crate) fn by_status(&self) -> impl Iterator<Item = (Option<u16>, u64)> {
        let names = STATUSES.iter().copied().map(Some).chain([None]);
        names.zip(&self.answers).map(|(status, meter)| (status, meter.get()))
    }
}

/// Whether a path is that of the server, or of its metadata: people and programs write a slash behind it.
pub(super) fn is_at(server: &str, path: &str) -> bool {
    path == server || path.strip_suffix('/') == Some(server)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(documents: &Documents, path: &str, server: &str) -> &'static str {
        match documents.at(path, server) {
            Some(ServedDocument::Health) => "health",
            Some(ServedDocument::Metrics) => "metrics",
            Some(ServedDocument::Public(media, _)) => media,
            None => "",
        }
    }

    #[test]
    fn a_document_is_at_its_path_only() {
        let card = Card { card: "{}".to_owned(), catalog: "{}".to_owned() };
        let documents = Documents {
            health: Some("/healthz".to_owned()),
            metrics: Some("/metrics".to_owned()),
            card: Some(card),
        };
        for (path, server, wanted) in [
            ("/healthz", "/mcp", "health"),
            ("/metrics", "/mcp", "metrics"),
            ("/mcp/server-card", "/mcp", "application/mcp-server-card+json"),
            ("/server-card", "/", "application/mcp-server-card+json"),
            (CATALOG, "/mcp", "application/ai-catalog+json"),
            (WITHDRAWN, "/mcp", "application/ai-catalog+json"),
            ("/server-card", "/mcp", ""),
            ("/healthz/", "/mcp", ""),
            ("/mcp", "/mcp", ""),
        ] {
            assert_eq!(kind(&documents, path, server), wanted, "{path}");
        }
        for path in ["/healthz", "/metrics", "/mcp/server-card", CATALOG] {
            assert_eq!(kind(&Documents::default(), path, "/mcp"), "", "without a key there is nothing");
        }
    }

    #[test]
    fn answers_are_counted_by_status() {
        let meters = HttpMeters::default();
        for status in [200, 200, 503, 418, 505] {
            meters.answered(StatusCode::from_u16(status).expect("a status"));
        }
        let counted: Vec<_> = meters.by_status().filter(|(_, count)| *count > 0).collect();
        assert_eq!(counted, [(Some(200), 2), (Some(503), 1), (None, 2)]);
    }

    #[test]
    fn a_slash_behind_the_path_is_the_same_place() {
        for (server, path, is_there) in [
            ("/mcp", "/mcp", true),
            ("/mcp", "/mcp/", true),
            ("/mcp", "/mcp//", false),
            ("/mcp/", "/mcp", false),
            ("/", "/", true),
            ("/", "", false),
            ("/mcp", "/", false),
        ] {
            assert_eq!(super::is_at(server, path), is_there, "{server} {path}");
        }
    }
}
