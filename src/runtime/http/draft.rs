//! What drafts add to requests over HTTP and read from their answers: headers that repeat members of `_meta`, and entity tags, by which a
//! list that has not changed is not sent again.

use crate::engine::{Error, Status};
use crate::json;
use crate::protocol::draft::{Drafts, digest, language};
use crate::protocol::{FrameInfo, meta, method};
use crate::runtime::lock;
use crate::transport::http::client::Received;
use crate::transport::http::header::Header;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Results that are kept for their entity tags.
const ENTRIES: usize = 64;
/// Their bytes. A larger one is not kept.
const BYTES: usize = 4 << 20;
/// The longest entity tag that is sent back.
const TAG: usize = 256;

const IF_NONE_MATCH: &str = "if-none-match";

/// Whether two entity tags are the same by the weak comparison, as If-None-Match has it (RFC 9110, 8.8.3.2): proxies that compress an
/// answer make its tag a weak one.
fn is_same_tag(one: &str, other: &str) -> bool {
    one.strip_prefix("W/").unwrap_or(one) == other.strip_prefix("W/").unwrap_or(other)
}

/// What a result is kept by: the login, the method, and the parameters with the language that was asked for.
type RequestKey = (Option<String>, String, String);

/// A result that a server may say is still the one.
#[derive(Clone, Debug)]
struct Validated {
    key: RequestKey,
    tag: Box<str>,
    result: Arc<str>,
}

/// The results of one connection that have entity tags, the oldest first.
#[derive(Default, Debug)]
pub(super) struct ValidatedResults(Mutex<VecDeque<Validated>>);

impl ValidatedResults {
    fn get(&self, key: &RequestKey) -> Option<Validated> {
        lock(&self.0).iter().find(|it| it.key == *key).cloned()
    }

    fn put(&self, new: Validated) {
        let mut all = lock(&self.0);
        all.retain(|it| it.key != new.key);
        if new.result.len() > BYTES {
            return;
        }
        all.push_back(new);
        while all.len() > ENTRIES || all.iter().map(|it| it.result.len()).sum::<usize>() > BYTES {
            all.pop_front();
        }
    }

    fn forget(&self, key: &RequestKey) {
        lock(&self.0).retain(|it| it.key != *key);
    }
}

/// What a request said of drafts, until its answer is there.
#[derive(Default, Debug)]
pub(super) struct SentDrafts {
    key: Option<RequestKey>,
    /// The result whose entity tag was sent.
    known: Option<Validated>,
}

impl ValidatedResults {
    /// Adds the headers that repeat what a request of the modern era says in `_meta`, and the tag of a result that is known.
    pub(super) fn push_headers(
        &self,
        (drafts, login): (Drafts, Option<String>),
        info: &FrameInfo,
        frame: &[u8],
        headers: &mut Vec<Header>,
    ) -> SentDrafts {
        let Some(params) = info.params(frame) else { return SentDrafts::default() };
        let metadata = json::member(params, meta::META).unwrap_or("{}");
        let said = |member: &str| json::member(metadata, member).and_then(json::string);
        let preference = said(language::ACCEPT).filter(|_| drafts.has(Drafts::LANGUAGE));
        if let Some(preference) = &preference {
            headers.push(Header::new(language::ACCEPT_HEADER, preference.clone().into_owned()));
        }
        if let Some(expected) =
            said(digest::EXPECTED).filter(|it| drafts.has(Drafts::DIGEST) && digest::is_digest(it))
        {
            headers.push(Header::new(digest::EXPECTED_HEADER, expected.into_owned()));
        }
        let is_validated = method::listed(&info.method).is_some() || *info.method == *method::RESOURCES_READ;
        if !is_validated || !drafts.has(Drafts::ETAG) {
            return SentDrafts::default();
        }
        let mut about: Vec<String> = json::members(params)
            .filter(|(name, _)| *name != meta::META)
            .map(|(name, value)| format!("{name}:{value}"))
            .collect();
        mcp_core::sorted::order(&mut about);
        about.extend(preference.map(|it| format!("language:{it}")));
        let key = (login, info.method.clone().into_owned(), about.join("\n"));
        let known = self.get(&key);
        if let Some(known) = &known {
            headers.push(Header::new(IF_NONE_MATCH, known.tag.to_string()));
        }
        SentDrafts { key: Some(key), known }
    }

    /// Whether the server says of something else than what is known that it has not changed. The request is to be repeated then: what is
    /// known is forgotten here, and `headers` ask for the whole.
    pub(super) fn is_of_another(
        &self,
        sent: &mut SentDrafts,
        received: &Received,
        headers: &mut Vec<Header>,
    ) -> bool {
        let is_other = |tag: &str| sent.known.as_ref().is_some_and(|known| !is_same_tag(tag, &known.tag));
        if received.status != 304 || !received.header("etag").is_some_and(is_other) {
            return false;
        }
        if let Some(known) = sent.known.take() {
            self.forget(&known.key);
        }
        headers.retain(|header| header.name != IF_NONE_MATCH);
        true
    }

    /// The answer to a request whose server says that nothing has changed, in the envelope of this exchange.
    pub(super) fn unchanged(sent: &SentDrafts, received: &Received, exchange: u64) -> Option<Vec<u8>> {
        let known = sent.known.as_ref().filter(|_| received.status == 304)?;
        Some(format!("{{\"jsonrpc\":\"2.0\",\"id\":{exchange},\"result\":{}}}", known.result).into_bytes())
    }

    /// What the head of an answer says of its body: keeps a result that has an entity tag.
    ///
    /// # Errors
    /// The head says another language than the body.
    pub(super) fn read(
        &self,
        drafts: Drafts,
        sent: &SentDrafts,
        received: &Received,
        body: &[u8],
        operation: &str,
    ) -> Result<(), Error> {
        let tag = received.header("etag").filter(|tag| tag.len() <= TAG && received.status == 200);
        let kept = sent.key.as_ref().zip(tag);
        // Reading the body costs as much as the engine's own reading.
        if !drafts.has(Drafts::LANGUAGE) && kept.is_none() {
            return Ok(());
        }
        if json::scan_value(body, json::MAX_DEPTH).is_err() {
            // What it is then, others say.
            return Ok(());
        }
        let text = json::utf8(body);
        if drafts.has(Drafts::LANGUAGE)
            && let Some(said) = language::of_answer(text)
        {
            let header = received.headers_of(language::CONTENT_HEADER).join(", ");
            if !header.is_empty() && header != said {
                let what = format!(
                    "the answer's header Content-Language is '{header}', and '{}' of its body is '{said}'",
                    language::CONTENT
                );
                return Err(Error::new(Status::Protocol, operation, what));
            }
        }
        if let (Some((key, tag)), Some(result)) = (kept, json::member(text, "result")) {
            self.put(Validated { key: key.clone(), tag: tag.into(), result: result.into() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: usize) -> RequestKey {
        (None, method::TOOLS_LIST.to_owned(), name.to_string())
    }

    fn result(name: usize, bytes: usize) -> Validated {
        Validated { key: key(name), tag: "\"t\"".into(), result: "x".repeat(bytes).into() }
    }

    #[test]
    fn entity_tags_are_compared_weakly() {
        for (one, other, is_same) in [
            ("\"x\"", "\"x\"", true),
            ("W/\"x\"", "\"x\"", true),
            ("\"x\"", "W/\"x\"", true),
            ("W/\"x\"", "W/\"x\"", true),
            ("\"x\"", "\"y\"", false),
            ("W/\"x\"", "\"y\"", false),
            ("w/\"x\"", "\"x\"", false),
            ("\"W/x\"", "\"x\"", false),
        ] {
            assert_eq!(is_same_tag(one, other), is_same, "{one} {other}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_oldest_goes_first() {
        let kept = ValidatedResults::default();
        for name in 0..ENTRIES + 10 {
            kept.put(result(name, 10));
        }
        assert_eq!(lock(&kept.0).len(), ENTRIES);
        assert!(kept.get(&key(9)).is_none() && kept.get(&key(10)).is_some());
        kept.put(result(1000, BYTES + 1));
        assert!(kept.get(&key(1000)).is_none());
        kept.put(result(1001, BYTES));
        assert_eq!(lock(&kept.0).len(), 1);
        assert!(kept.get(&(Some("other login".to_owned()), key(1001).1, key(1001).2)).is_none());
        // A result that grew out of bounds takes the old one with it.
        kept.put(result(1001, BYTES + 1));
        assert_eq!(lock(&kept.0).len(), 0);
    }
}
