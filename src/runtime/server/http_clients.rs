//! What a server does for its clients over HTTP: sessions that are opened and left, messages that come, definitions that the
//! headers of a call are compared with.

use super::HttpFront;
use super::http::{Arrived, Caller, HttpMeters, HttpSession, SessionKind, UNRELATED};
use super::serving::Serving;
use super::session::ClientSession;
use crate::engine::server::{MissingScopes, SessionId, Stream};
use crate::protocol::envelope::Incoming;
use crate::shares::Holder;
use crate::transport::http_server::refusal::Refusal;
use std::sync::Arc;

impl Serving {
    /// Where its URLs count.
    pub(super) fn http_meters(&self) -> Arc<HttpMeters> {
        Arc::clone(&self.meters)
    }

    /// Opens a session of a kind, that `make` makes.
    ///
    /// # Errors
    /// The server is closed, or there are as many sessions as there may be.
    pub(super) fn http_open(
        &self,
        kind: SessionKind,
        holder: &Holder,
        make: impl FnOnce(SessionId) -> HttpSession,
    ) -> Result<Arc<HttpSession>, Refusal> {
        let mut inside = if kind == SessionKind::OneRequest { self.inside() } else { self.with_room(holder) };
        if inside.closed {
            return Err(Refusal::full("the server is closing"));
        }
        let (opened, full) = match kind {
            SessionKind::OneRequest => (
                inside.engine.open_for_request(holder.clone()),
                (
                    "limits.requests",
                    "this client has its share of the requests that limits.requests and limits.listens allow, or all are under way",
                ),
            ),
            kind => (
                inside.engine.open(kind == SessionKind::Streamable),
                ("limits.sessions", "session limit reached (limits.sessions)"),
            ),
        };
        let Some(id) = opened else { return Err(Refusal::at_limit(full.0, full.1)) };
        let http = Arc::new(make(id));
        if kind != SessionKind::OneRequest {
            inside.engine.held_by(id, holder.clone());
        }
        inside.sessions.insert(id.0, Arc::new(ClientSession::over_http(id, Arc::clone(&http), &self.limits)));
        if kind != SessionKind::OneRequest {
            inside.guests.add_http(id.0, holder.clone());
        }
        Ok(http)
    }

    /// A client sent a message. Requests of its session that it withdraws get no answer, so their streams end.
    ///
    /// # Errors
    /// The server is closing: no thread takes requests any more. Or the sender lacks scopes, for which `lacks` has the words: then
    /// nothing of the message is served.
    pub(super) fn http_frame(
        &self,
        session: &Arc<HttpSession>,
        from: Stream,
        caller: &Caller,
        arrived: Arrived,
        lacks: impl FnOnce(&MissingScopes) -> Refusal,
    ) -> Result<(), Refusal> {
        let mut inside = self.inside();
        if inside.closed {
            return Err(Refusal::full("the server is closing"));
        }
        let on = |number: u64| Stream { session: from.session, number };
        // One request withdraws no other. There may be many under way, which a look at each message would all count.
        let beside = match &arrived.scanned {
            Some(Incoming::Request { .. }) => Vec::new(),
            _ => session.unfinished_beside(from.number),
        };
        let waited: Vec<u64> =
            beside.into_iter().filter(|number| inside.engine.waiting_on(on(*number)) > 0).collect();
        if session.is_confirmed() {
            inside.guests.used(session.id().0);
        }
        inside.engine.authorize(session.id(), caller.principal.clone());
        let Arrived { frame, scanned } = arrived;
        self.callbacks.frame_of_session(self.name(), from.session.0, false, &frame);
        if let Err(needed) = inside.engine.take_from_http(Serving::now(), from, frame, scanned) {
            drop(inside);
            if from.number != UNRELATED {
                // No answer follows on the stream that was opened for it.
                session.finish(from.number);
            }
            return Err(lacks(&needed));
        }
        let mut over: Vec<u64> =
            waited.into_iter().filter(|number| inside.engine.waiting_on(on(*number)) == 0).collect();
        if from.number != UNRELATED && session.name().is_some() && inside.engine.waiting_on(from) == 0 {
            over.push(from.number);
        }
        self.pump_and_wake(inside);
        for number in over {
            session.finish(number);
        }
        Ok(())
    }

    /// A client has all of an answer, or went away. In the modern era, and over HTTP+SSE, that was all of its session.
    pub(super) fn http_left(&self, session: &Arc<HttpSession>, stream: Stream) {
        let mut inside = self.inside();
        let (closed, is_whole) = (inside.closed, session.ends_with(stream.number));
        if is_whole && inside.sessions.remove(&stream.session.0).is_some() {
            inside.guests.remove(stream.session.0);
            inside.engine.stream_closed(stream);
            inside.engine.close(stream.session);
            let is_over = inside.is_over();
            self.pump(inside);
            session.end();
            // The thread in `close` still waits for what is written.
            if is_over && !closed {
                self.finish();
            }
        } else {
            drop(inside);
        }
        if closed {
            // The thread in `close` waits for this.
            self.interrupt();
        }
    }

    /// Connections end as soon as what was asked on them is answered: every request has been by now, so nothing more follows on
    /// any stream.
    pub(super) fn drain_http<'a>(&self, all: impl Iterator<Item = &'a Arc<dyn HttpFront>>) {
        for connections in all {
            connections.drain();
        }
        for session in self.inside().sessions.values() {
            if let Some(http) = session.http() {
                http.finish_all();
            }
        }
    }

    /// Whether it takes no requests any more.
    pub(super) fn is_closed(&self) -> bool {
        self.inside().closed
    }

    /// Whether requests of a session wait for the application.
    pub(super) fn is_busy(&self, session: SessionId) -> bool {
        self.inside().engine.pending(session) > 0
    }

    /// The schema of a tool's arguments, if headers may repeat some of them and the caller may call the tool.
    pub(super) fn schema_with_headers(&self, caller: &Caller, tool: &str) -> Option<String> {
        self.inside().engine.schema_with_headers(caller.principal.as_deref(), tool).map(str::to_owned)
    }
}
