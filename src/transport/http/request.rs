//! The headers that the protocol requires on a request, by message, revision, and how far the handshake is.

use super::header::{
    ACCEPT, CONTENT_TYPE, Header, LAST_EVENT_ID, MCP_METHOD, MCP_NAME, MCP_PROTOCOL_VERSION, MCP_SESSION_ID,
    encoded,
};
use crate::protocol::{Era, FrameInfo, FrameKind, Revision, method};
use std::fmt;
use std::sync::Arc;

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
/// The longest session id that is kept. The specification has no bound; servers take header blocks of 8 KiB or more.
const SESSION_ID_BYTES: usize = 4096;

/// What the headers depend on beside the message.
#[derive(Clone, Copy, Debug)]
pub struct Speaking<'a> {
    /// The revision that the message is written in.
    pub revision: Revision,
    /// Whether the server has answered `initialize` (legacy).
    pub initialized: bool,
    /// The session that the server opened (legacy).
    pub session: Option<&'a SessionId>,
}

/// The headers of a POST that carries `frame`. Those of the parameters (see `param`) come on top.
pub fn post(info: &FrameInfo, frame: &[u8], speaking: Speaking<'_>) -> Vec<Header> {
    let mut headers = Vec::with_capacity(6);
    headers.push(Header::new(ACCEPT, "application/json, text/event-stream"));
    headers.push(Header::new(CONTENT_TYPE, JSON));
    // `initialize` opens a session, so it has neither version nor session, even when an older session was lost.
    if info.method != method::INITIALIZE {
        conversation(speaking, &mut headers);
    }
    if speaking.revision.era() == Era::Modern && info.kind != FrameKind::Answer {
        // A method's name is the application's to choose; only the sentinel's two headers may be encoded.
        if info.method.bytes().all(|byte| matches!(byte, b'!'..=b'~')) {
            headers.push(Header::new(MCP_METHOD, info.method.clone()));
        }
        if let Some(name) = info.name(frame) {
            headers.push(Header::new(MCP_NAME, encoded(&name).into_owned()));
        }
    }
    headers
}

/// The headers of a GET for the stream of the server's messages (2025-11-25 `basic/transports`); with the id of the
/// last event, to go on behind that. An id that no header can carry is left out: the server then begins again.
pub fn get(speaking: Speaking<'_>, last_event_id: Option<&str>) -> Vec<Header> {
    let mut headers = vec![Header::new(ACCEPT, EVENT_STREAM)];
    conversation(speaking, &mut headers);
    if let Some(id) = last_event_id.filter(|id| is_resumable(id)) {
        headers.push(Header::new(LAST_EVENT_ID, id.to_owned()));
    }
    headers
}

/// The headers of the DELETE that ends a session.
pub fn delete(speaking: Speaking<'_>) -> Vec<Header> {
    let mut headers = Vec::new();
    conversation(speaking, &mut headers);
    headers
}

/// Whether a stream can be resumed behind the event with this id.
pub fn is_resumable(id: &str) -> bool {
    !id.is_empty() && !id.bytes().any(|byte| byte.is_ascii_control())
}

/// Version and session: what ties a request to those before it.
fn conversation(speaking: Speaking<'_>, headers: &mut Vec<Header>) {
    let modern = speaking.revision.era() == Era::Modern;
    // 2025-06-18 `basic/transports`: on every request after `initialize`. Older revisions have no such header.
    let since = speaking.revision >= Revision::V2025_06_18 && speaking.initialized;
    if modern || since {
        headers.push(Header::new(MCP_PROTOCOL_VERSION, speaking.revision.as_str()));
    }
    // The modern era has no sessions. HTTP+SSE carries its own in the address to post to, and none is noted here; but servers
    // that speak Streamable HTTP and answer with 2024-11-05 want theirs back all the same.
    if !modern && let Some(session) = speaking.session {
        headers.push(Header::new(MCP_SESSION_ID, session.as_str().to_owned()));
    }
}

/// The id of a session: a secret, so that it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionId(Arc<str>);

impl SessionId {
    /// The id as a server sent it, if it is one (2025-11-25 `basic/transports`: visible ASCII, 0x21 to 0x7E).
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(value: &[u8]) -> Result<SessionId, &'static str> {
        if value.is_empty() {
            return Err("the server's session id is empty");
        }
        if value.len() > SESSION_ID_BYTES {
            return Err("the server's session id is longer than 4096 bytes");
        }
        match std::str::from_utf8(value) {
            Ok(text) if text.bytes().all(|byte| matches!(byte, b'!'..=b'~')) => Ok(SessionId(text.into())),
            _ => Err("the server's session id has characters other than visible ASCII"),
        }
    }

    /// The id as it goes into the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionId(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::protocol::{Params, write};

    const CALL: &str =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t\u0065st","arguments":{}}}"#;
    const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;

    fn speaking(revision: Revision, initialized: bool, session: Option<&SessionId>) -> Speaking<'_> {
        Speaking { revision, initialized, session }
    }

    fn modern() -> Speaking<'static> {
        speaking(Revision::V2026_07_28, false, None)
    }

    fn session() -> SessionId {
        SessionId::parse(b"s-1").expect("valid")
    }

    fn value<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
        let mut found = headers.iter().filter(|header| header.name == name).map(|header| &*header.value);
        let first = found.next();
        assert_eq!(found.next(), None, "{name} twice");
        first
    }

    fn posted(frame: &str, speaking: Speaking<'_>) -> Vec<Header> {
        let params = json::member(frame, "params");
        let frame = match json::member(frame, "method").and_then(json::string) {
            None => write::result("1", "{}"),
            Some(name) => {
                let row = method::find(&name);
                let params = params.map(|params| Params::check_of(row, params, 8).expect("valid"));
                write::request(1, name.into_owned(), params, "")
            }
        };
        post(&frame.info, &frame.text, speaking)
    }

    #[test]
    fn every_post_says_what_it_is_and_takes_both_kinds_of_answer() {
        for speaking in [modern(), speaking(Revision::V2025_03_26, true, None)] {
            let headers = posted(CALL, speaking);
            assert_eq!(value(&headers, "accept"), Some("application/json, text/event-stream"));
            assert_eq!(value(&headers, "content-type"), Some("application/json"));
        }
    }

    #[test]
    fn a_modern_request_repeats_version_method_and_name() {
        let headers = posted(CALL, modern());
        assert_eq!(value(&headers, "mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(value(&headers, "mcp-method"), Some("tools/call"));
        assert_eq!(value(&headers, "mcp-name"), Some("test"));
    }

    #[test]
    fn the_name_is_taken_from_where_the_method_has_it() {
        let name = |method: &str, params: &str| {
            let frame = format!(r#"{{"method":"{method}","params":{params}}}"#);
            let headers = posted(&frame, modern());
            assert_eq!(value(&headers, "mcp-method"), Some(method));
            value(&headers, "mcp-name").map(str::to_owned)
        };
        let read = |uri: &str| name("resources/read", &format!(r#"{{"uri":"{uri}","name":"x"}}"#));
        // As it is written: a URI that went through a parser may come out otherwise.
        assert_eq!(
            read("file:///path/to/file%20name.txt").as_deref(),
            Some("file:///path/to/file%20name.txt")
        );
        assert_eq!(read("https://example.com").as_deref(), Some("https://example.com"));
        assert_eq!(name("prompts/get", r#"{"name":"p","uri":"x"}"#).as_deref(), Some("p"));
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            assert_eq!(name(method, r#"{"taskId":"7","name":"x"}"#).as_deref(), Some("7"));
        }
        assert_eq!(name("tools/call", r#"{"name":"日本"}"#).as_deref(), Some("=?base64?5pel5pys?="));
        assert_eq!(name("tools/list", r#"{"name":"x"}"#), None);
        assert_eq!(name("tools/call", r#"{"name":1}"#), None);
    }

    #[test]
    fn a_method_that_no_header_can_carry_has_none() {
        let headers = posted(r#"{"method":"a\r\nx: y"}"#, modern());
        assert_eq!(value(&headers, "mcp-method"), None);
        assert!(headers.iter().all(|header| !header.value.contains(['\r', '\n'])));
    }

    #[test]
    fn a_legacy_request_names_its_version_from_2025_06_18_on_and_after_the_handshake() {
        let version = |frame: &str, revision, initialized| {
            let headers = posted(frame, speaking(revision, initialized, None));
            assert_eq!((value(&headers, "mcp-method"), value(&headers, "mcp-name")), (None, None));
            value(&headers, "mcp-protocol-version").map(str::to_owned)
        };
        assert_eq!(version(INITIALIZE, Revision::V2025_11_25, false), None);
        assert_eq!(version(INITIALIZE, Revision::V2025_11_25, true), None, "a new session is opened");
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(version(notification, Revision::V2025_11_25, true).as_deref(), Some("2025-11-25"));
        assert_eq!(version(CALL, Revision::V2025_06_18, true).as_deref(), Some("2025-06-18"));
        assert_eq!(version(CALL, Revision::V2025_03_26, true), None);
        assert_eq!(version(CALL, Revision::V2024_11_05, true), None);
        // An answer of ours has no method.
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        assert_eq!(version(answer, Revision::V2025_11_25, true).as_deref(), Some("2025-11-25"));
    }

    #[test]
    fn the_session_goes_on_every_legacy_request_but_initialize_and_on_no_modern_one() {
        let id = session();
        let legacy = speaking(Revision::V2025_11_25, true, Some(&id));
        for headers in [posted(CALL, legacy), get(legacy, None), delete(legacy)] {
            assert_eq!(value(&headers, "mcp-session-id"), Some("s-1"));
            assert_eq!(value(&headers, "mcp-protocol-version"), Some("2025-11-25"));
        }
        assert_eq!(value(&posted(INITIALIZE, legacy), "mcp-session-id"), None);
        let oldest = posted(CALL, speaking(Revision::V2024_11_05, true, Some(&id)));
        assert_eq!(value(&oldest, "mcp-session-id"), Some("s-1"), "a server that opened one wants it back");
        let modern = posted(CALL, speaking(Revision::V2026_07_28, true, Some(&id)));
        assert_eq!(value(&modern, "mcp-session-id"), None);
    }

    #[test]
    fn a_get_asks_for_a_stream_and_where_to_go_on() {
        let legacy = speaking(Revision::V2025_11_25, true, None);
        assert_eq!(value(&get(legacy, None), "accept"), Some("text/event-stream"));
        assert_eq!(value(&get(legacy, Some("e 7")), "last-event-id"), Some("e 7"));
        for id in ["", "a\nb", "a\u{1}"] {
            assert_eq!(value(&get(legacy, Some(id)), "last-event-id"), None, "{id:?}");
        }
    }

    #[test]
    fn a_session_id_is_visible_ascii_and_not_shown() {
        for bad in ["", "a b", "a\n", "a\t", "\u{e9}", "\u{7f}"] {
            assert!(SessionId::parse(bad.as_bytes()).is_err(), "{bad:?}");
        }
        assert!(SessionId::parse(&[b'x'; 4096]).is_ok());
        assert!(SessionId::parse(&[b'x'; 4097]).is_err());
        assert!(SessionId::parse(b"\xff").is_err());
        assert_eq!(SessionId::parse(b"!~").map(|id| id.as_str().to_owned()), Ok("!~".to_owned()));
        assert_eq!(format!("{:?}", session()), "SessionId(…)");
    }
}
