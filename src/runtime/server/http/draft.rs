//! What drafts add to requests and answers over HTTP: headers that repeat members of `_meta`, entity tags of lists and of resources, and
//! the statuses of errors.

use crate::json;
use crate::protocol::draft::{Drafts, digest, errors, language};
use crate::protocol::{error_code, method};
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers::names_tag;
use hyper::StatusCode;
use hyper::header::{
    ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
    RETRY_AFTER, VARY,
};

/// The drafts that an answer follows, and whether its method is one whose answers have an entity tag.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AnswerDrafts {
    drafts: Drafts,
    is_validated: bool,
}

impl AnswerDrafts {
    pub(super) fn of(drafts: Drafts, name: &str) -> AnswerDrafts {
        let is_validated = method::listed(name).is_some() || name == method::RESOURCES_READ;
        AnswerDrafts { drafts, is_validated: is_validated && drafts.has(Drafts::ETAG) }
    }

    /// Whether any is on.
    pub(super) fn is_any(self) -> bool {
        self.drafts.is_any()
    }

    /// The status of an answer with this code, where the draft says it.
    pub(super) fn status_of(self, code: i64) -> Option<StatusCode> {
        if !self.drafts.has(Drafts::ERRORS) {
            return None;
        }
        StatusCode::from_u16(errors::status_of(code)).ok()
    }
}

/// Whether the headers of a request say what its `_meta` says.
///
/// # Errors
/// They do not (-32020).
pub(super) fn check_headers(
    drafts: Drafts,
    headers: &HeaderMap,
    metadata: Option<&str>,
) -> Result<(), Refusal> {
    if !drafts.has(Drafts::LANGUAGE) && !drafts.has(Drafts::DIGEST) {
        return Ok(());
    }
    let [preference, expected] =
        metadata.map_or([None; 2], |metadata| json::pick(metadata, [language::ACCEPT, digest::EXPECTED]));
    if drafts.has(Drafts::LANGUAGE)
        && let Some(preference) = preference.and_then(json::string)
        && let Some(header) = combined(headers, &ACCEPT_LANGUAGE)
        && header != preference.as_bytes()
    {
        // A header alone says nothing: browsers send one by themselves.
        return Err(mismatch("Accept-Language", &header, language::ACCEPT, Some(&preference)));
    }
    if drafts.has(Drafts::DIGEST)
        && let Some(header) = combined(headers, &HeaderName::from_static(digest::EXPECTED_HEADER))
    {
        let expected = expected.and_then(json::string);
        // What asks for a check is not passed over.
        if expected.as_deref().map(str::as_bytes) != Some(header.as_slice()) {
            return Err(mismatch("Mcp-Expected-Digest", &header, digest::EXPECTED, expected.as_deref()));
        }
    }
    Ok(())
}

/// All lines of a header as one value (RFC 9110, 5.3).
fn combined(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    (!lines.is_empty()).then(|| lines.join(&b", "[..]))
}

fn mismatch(header: &str, value: &[u8], member: &str, said: Option<&str>) -> Refusal {
    let short = |text: &str| text.chars().take(80).collect::<String>();
    let value = short(&String::from_utf8_lossy(value));
    let said = said.map_or_else(|| "is not there".to_owned(), |said| format!("is '{}'", short(said)));
    let text = format!("the header {header} is '{value}', and '{member}' of the body {said}");
    Refusal::new(StatusCode::BAD_REQUEST, error_code::HEADER_MISMATCH, text)
}

/// Adds to the head of an answer what drafts have there, for its `body`. Says whether the client has that body already, so that the head
/// alone goes out.
pub(super) fn dress(
    follows: AnswerDrafts,
    asked: &HeaderMap,
    body: &[u8],
    (status, headers): (StatusCode, &mut HeaderMap),
) -> bool {
    let text = json::utf8(body);
    let mut put = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    let result = json::member(text, "result");
    if follows.drafts.has(Drafts::LANGUAGE)
        && let Some(language) = language::of_answer(text).filter(|it| language::is_content_language(it))
    {
        put(CONTENT_LANGUAGE, &language);
    }
    if follows.drafts.has(Drafts::DIGEST)
        && let Some(own) = result.and_then(|result| digest::of(result, digest::DIGEST))
    {
        put(HeaderName::from_static(digest::HEADER), &own);
    }
    if follows.drafts.has(Drafts::ERRORS)
        && let Some(error) = json::member(text, "error")
        && let Some(code) = json::member(error, "code").and_then(json::integer)
        && let (.., Some(wait)) = errors::meaning(code, json::member(error, "data"))
    {
        put(RETRY_AFTER, &wait.div_ceil(1000).to_string());
    }
    if follows.drafts.has(Drafts::LANGUAGE) {
        headers.append(VARY, HeaderValue::from_static("accept-language"));
    }
    let Some(result) = result.filter(|_| follows.is_validated && status == StatusCode::OK) else {
        return false;
    };
    // Of the result as it goes out, and not of the envelope, whose id is another one each time. A client is told only of what it
    // may see: the tag is made from the answer that it would get.
    let tag = format!("\"{}\"", digest::of_text(result).replace(':', "-"));
    let is_known = asked.get_all(IF_NONE_MATCH).iter().any(|known| names_tag(known, &tag));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    headers.append(VARY, HeaderValue::from_static("authorization, mcp-protocol-version, accept"));
    if is_known {
        headers.remove(CONTENT_TYPE);
    }
    is_known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn a_header_agrees_with_the_body_character_by_character() {
        let said = |member: &str, value: &str| format!(r#"{{"{member}":"{value}"}}"#);
        for (lines, value, agrees) in [
            (&[("accept-language", "en-US")][..], Some("en-US"), true),
            (&[("accept-language", "en-US")], Some("en-us"), false),
            (&[("accept-language", "en-US,en;q=0.9")], Some("en-US, en;q=0.9"), false),
            (&[("accept-language", "en;q=0.9")], Some("en;q=0.900"), false),
            (&[("accept-language", "en-US"), ("accept-language", "en;q=0.9")], Some("en-US, en;q=0.9"), true),
            (&[("accept-language", "en"), ("accept-language", "fr")], Some("en"), false),
            (&[("accept-language", "not a range")], Some("not a range"), true),
            (&[], Some("en"), true),
            (&[("accept-language", "fr")], None, true),
        ] {
            let metadata = value.map(|value| said(language::ACCEPT, value));
            let checked = check_headers(Drafts::LANGUAGE, &headers(lines), metadata.as_deref());
            assert_eq!(checked.is_ok(), agrees, "{lines:?} {value:?}");
            assert!(checked.is_ok() || checked.is_err_and(|it| it.code == error_code::HEADER_MISMATCH));
            assert!(check_headers(Drafts::DIGEST, &headers(lines), metadata.as_deref()).is_ok());
        }
        for (lines, value, agrees) in [
            (&[("mcp-expected-digest", "sha256:0")][..], Some("sha256:0"), true),
            (&[("mcp-expected-digest", "sha256:0")], Some("sha256:1"), false),
            (&[("mcp-expected-digest", "sha256:0")], None, false),
            (&[], Some("sha256:0"), true),
        ] {
            let metadata = value.map(|value| said(digest::EXPECTED, value));
            let checked = check_headers(Drafts::DIGEST, &headers(lines), metadata.as_deref());
            assert_eq!(checked.is_ok(), agrees, "{lines:?} {value:?}");
            assert!(check_headers(Drafts::LANGUAGE, &headers(lines), metadata.as_deref()).is_ok());
        }
    }
}
