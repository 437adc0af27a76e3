//! What a server is told in confidence, and may repeat in an answer that is shown because it is none: some pages of errors have
//! the whole request in them.

use super::address::Address;
use super::header::{Header, MCP_SESSION_ID};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use std::cmp::Reverse;

/// Shorter texts would take half of every sentence with them, and are no secrets.
const LEAST: usize = 8;

/// What a request said that only its server is to know: tokens and other headers of the application's (`base`), the session, and
/// the values of the query, where some services have their keys. Nothing where the answer, by its head, is one of the protocol's,
/// which is not for showing.
pub fn sent(
    status: u16,
    answer: &HeaderMap,
    base: &HeaderMap,
    request: &[Header],
    to: &Address,
) -> Vec<String> {
    if is_message(status, answer) {
        return Vec::new();
    }
    let confidential = |name: &str| matches!(name, "authorization" | "dpop" | MCP_SESSION_ID);
    let of_request = request.iter().filter(|it| confidential(&it.name)).map(|it| &*it.value);
    let of_config = base.values().filter(|value| value.is_sensitive()).filter_map(|it| it.to_str().ok());
    let query = to.target().split_once('?').map_or("", |(_, query)| query);
    let of_query = query.split('&').map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
    let mut secrets: Vec<String> = of_request
        .chain(of_config)
        // Without the scheme.
        .map(|value| value.split_once(' ').map_or(value, |(_, rest)| rest))
        .chain(of_query)
        .filter(|secret| secret.len() >= LEAST)
        .map(str::to_owned)
        .collect();
    // One may have another in it.
    secrets.sort_by_key(|secret| Reverse(secret.len()));
    secrets
}

fn is_message(status: u16, answer: &HeaderMap) -> bool {
    let kind = answer.get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes).to_ascii_lowercase();
    let says_so = kind.starts_with(b"application/json") || kind.starts_with(b"text/event-stream");
    status == 202 || (200..300).contains(&status) && says_so
}

/// A body without these texts.
pub fn conceal(body: &[u8], secrets: &[String]) -> Vec<u8> {
    let mut text = String::from_utf8_lossy(body).into_owned();
    for secret in secrets {
        text = text.replace(secret, "…");
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn concealed(status: u16, kind: Option<&'static str>, body: &str) -> String {
        let mut answer = HeaderMap::new();
        answer.extend(kind.map(|kind| (CONTENT_TYPE, HeaderValue::from_static(kind))));
        let mut base = HeaderMap::new();
        let mut key = HeaderValue::from_static("config-key-1");
        key.set_sensitive(true);
        base.insert("x-api-key", key);
        base.insert("user-agent", HeaderValue::from_static("libmcp/1.2.3"));
        let request = [
            Header::new("authorization", "Bearer token-abcdef"),
            Header::new(MCP_SESSION_ID, "session-123"),
            Header::new("accept", "application/json"),
        ];
        let to = Address::parse("https://a.example/mcp?key=query-key-7&v=1").expect("an address");
        let secrets = sent(status, &answer, &base, &request, &to);
        String::from_utf8(conceal(body.as_bytes(), &secrets)).expect("a text")
    }

    #[test]
    fn what_a_server_repeats_of_what_it_was_told_is_not_shown() {
        let said =
            "POST /mcp?key=query-key-7&amp;v=1, Bearer token-abcdef, config-key-1, session-123, libmcp/1.2.3";
        let shown = "POST /mcp?key=…&amp;v=1, Bearer …, …, …, libmcp/1.2.3";
        for (status, kind) in
            [(404, Some("text/html")), (500, None), (401, Some("application/json")), (200, None)]
        {
            assert_eq!(concealed(status, kind, said), shown, "{status}");
        }
    }

    #[test]
    fn answers_of_the_protocol_are_left_as_they_are() {
        for kind in ["application/json; charset=utf-8", "Text/Event-Stream"] {
            assert_eq!(concealed(200, Some(kind), "token-abcdef"), "token-abcdef");
        }
    }
}
