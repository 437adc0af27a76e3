//! HTTP+SSE of 2024-11-05 (`basic/transports`), for clients that have not learned Streamable HTTP: GET opens the one stream of a
//! session and says where its messages are posted to; the answers come on the stream, and the session ends with it.

use super::Arrived;
use super::Caller;
use super::endpoint::{HttpEndpoint, unknown_session};
use super::messages::version_of;
use super::request_body::RequestBody;
use super::response;
use super::response::AnswerForm;
use super::response::ServerBody;
use super::response::StreamReader;
use super::response::{accepted_response, preflight};
use super::sessions::{HttpSession, HttpStreams, SessionKind, UNRELATED};
use crate::engine::server::Stream;
use crate::json;
use crate::protocol::envelope::{self, Incoming, Violation};
use crate::protocol::error_code;
use crate::runtime::lock;
use crate::transport::http_server::event_stream;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use crate::transport::http_server::routing_headers::Accepted;
use hyper::header::HeaderMap;
use hyper::{Method, Response, StatusCode};
use std::sync::{Arc, Weak};

/// The methods of the path. A client that knows both transports tries POST first, and learns from 405 that this is the older one.
const METHODS: &str = "GET";
/// What names the session in the address to which messages are posted.
const SESSION: &str = "session_id";

impl HttpEndpoint {
    /// Answers a request at the path of HTTP+SSE.
    pub(super) async fn sse(
        &self,
        method: &Method,
        headers: &HeaderMap,
        query: Option<&str>,
        caller: &Caller,
        body: RequestBody,
    ) -> Result<Response<ServerBody>, Refusal> {
        let name = query.and_then(session_in);
        match (method.as_str(), name) {
            ("GET", None) => self.sse_stream(headers, caller),
            ("POST", Some(name)) => self.sse_message(headers, caller, name, body).await,
            ("OPTIONS", _) if self.is_preflight(headers) => Ok(preflight(headers)),
            _ => Err(Refusal::method(METHODS)),
        }
    }

    /// Opens a session, whose stream begins with the address of its messages.
    fn sse_stream(&self, headers: &HeaderMap, caller: &Caller) -> Result<Response<ServerBody>, Refusal> {
        if !routing_headers::accepted(headers).events {
            let text = "Accept must have text/event-stream";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        let session = self.open(SessionKind::OneStream, caller)?;
        let source = session.listen(&caller.account).ok_or_else(|| self.gone())?;
        session.begin_writing();
        let path = self.settings.sse.as_deref().unwrap_or_default();
        let first = event_stream::endpoint(&format!("{path}?{SESSION}={}", session.name()));
        let stream = Stream { session: session.id, number: UNRELATED };
        let serving = Weak::clone(&self.serving);
        let reader = StreamReader { source, stream, streams: HttpStreams::Session(session), serving };
        let accepted = Accepted { json: false, events: true };
        let form = AnswerForm { until: caller.until, ..AnswerForm::of(accepted, self.limits()) };
        Ok(response::events(reader, &form, Vec::new(), &first))
    }

    /// A message: what is answered to it comes on the stream.
    async fn sse_message(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        name: &str,
        body: RequestBody,
    ) -> Result<Response<ServerBody>, Refusal> {
        routing_headers::check_body(headers)?;
        let session = self.sse_session(name, caller)?;
        session.touch();
        let (body, room) = self.received(caller, body).await?;
        self.check_sse_message(&body)?;
        let to = Stream { session: session.id, number: UNRELATED };
        let arrived = Arrived { frame: body, scanned: None };
        self.serving()?.http_frame(&session, to, Some(caller), arrived, |needed| self.lacking(needed))?;
        drop(room);
        if session.has_ended() {
            return Err(self.gone());
        }
        Ok(accepted_response())
    }

    /// The session of that name. Whose it is, only its principal learns (S-HL-15).
    fn sse_session(&self, name: &str, caller: &Caller) -> Result<Arc<HttpSession>, Refusal> {
        let found = lock(&self.sessions).get(name).map(Arc::clone);
        let is_its = |session: &Arc<HttpSession>| {
            session.kind() == SessionKind::OneStream && session.principal() == caller.id()
        };
        found.filter(is_its).ok_or_else(unknown_session)
    }

    /// What can be refused at once: what is not a message, and the era without sessions. An array is the engine's to judge, except where
    /// requests need a token: what is in it would need scopes.
    fn check_sse_message(&self, body: &[u8]) -> Result<(), Refusal> {
        if body.trim_ascii_start().first() == Some(&b'[') {
            if self.settings.authorization.is_some() {
                return Err(Refusal::bad("HTTP+SSE takes one message at a time where requests need a token"));
            }
            return match json::scan_value(body, self.settings.depth) {
                Ok(_) => Ok(()),
                Err(error) => Err(self.unreadable(&Violation::InvalidJson(error), body)),
            };
        }
        let parsed = envelope::parse(body, self.settings.depth)
            .map_err(|malformed| self.unreadable(&malformed.violation, body))?;
        let (Incoming::Request { params, .. } | Incoming::Notification { params, .. }) = parsed else {
            return Ok(());
        };
        let params = params.map(|span| envelope::text(body, span));
        if version_of(params).is_some() {
            let text = "HTTP+SSE has no revision that names its version in '_meta': use Streamable HTTP";
            return Err(Refusal::bad(text));
        }
        Ok(())
    }
}

/// The session that a query names.
fn session_in(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix(SESSION)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::session_in;

    #[test]
    fn a_query_names_a_session_among_other_things() {
        assert_eq!(session_in("session_id=a-b_c"), Some("a-b_c"));
        assert_eq!(session_in("x=1&session_id=a&y"), Some("a"));
        for other in ["", "session", "session_idx=a", "x=session_id"] {
            assert_eq!(session_in(other), None, "{other}");
        }
    }
}
