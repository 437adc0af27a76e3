//! What a server does for its clients over HTTP: sessions that are opened and left, messages that come.

use super::HttpFront;
use super::http::{
    Arrived, Caller, HttpMeters, HttpSession, HttpStreams, SessionKind, UNRELATED, unknown_session,
};
use super::serving::Serving;
use crate::engine::Level;
use crate::engine::server::{
    Admission, AdmissionError, MissingScopes, SealedSession, SessionId, SingleRequest, Stream,
};
#[cfg(feature = "store")]
use crate::engine::server::{Principal, SharedSession};
use crate::engine::telemetry::TraceContext;
use crate::protocol::envelope::Incoming;
use crate::protocol::header_parameters::Parameter;
use crate::shares::Holder;
use crate::transport::http_server::refusal::Refusal;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What follows a request of the modern era.
pub(super) enum Admitted<S> {
    /// A stream with its answer.
    Stream(S),
    /// Nothing: this is its answer, with the code if it is an error.
    Answer(Vec<u8>, Option<i64>),
}

/// What another process has begun and this one goes on with.
pub(super) enum Begun<'a> {
    /// What the seal of its name says.
    Sealed(&'a SealedSession),
    /// What a store has, and who asks for it.
    #[cfg(feature = "store")]
    Kept(&'a SharedSession, Option<Arc<Principal>>),
}

fn closing() -> Refusal {
    Refusal::full("the server is closing")
}

impl Serving {
    /// Where its URLs count.
    pub(super) fn http_meters(&self) -> Arc<HttpMeters> {
        Arc::clone(&self.meters)
    }

    /// Opens a session of a kind, that `make` makes. `begun`: another process has begun it.
    ///
    /// # Errors
    /// The server is closed, or there are as many sessions as there may be.
    pub(super) fn http_open(
        &self,
        kind: SessionKind,
        holder: &Holder,
        begun: Option<Begun<'_>>,
        make: impl FnOnce(SessionId) -> HttpSession,
    ) -> Result<Arc<HttpSession>, Refusal> {
        let mut inside = self.with_room(holder);
        if inside.closed {
            return Err(closing());
        }
        // It may have been ended since its seal was opened.
        if let Some(Begun::Sealed(sealed)) = begun
            && inside.engine.was_ended(sealed)
        {
            return Err(unknown_session());
        }
        let opened = inside.engine.open(kind == SessionKind::Streamable);
        let id = opened
            .ok_or_else(|| Refusal::at_limit("limits.sessions", "session limit reached (limits.sessions)"))?;
        let http = Arc::new(make(id));
        inside.engine.held_by(id, holder.clone());
        inside.add_http(HttpStreams::Session(Arc::clone(&http)), &self.limits);
        inside.guests.add_http(id.0, holder.clone());
        match begun {
            None => return Ok(http),
            Some(Begun::Sealed(sealed)) => inside.engine.adopt_session(id, sealed),
            #[cfg(feature = "store")]
            Some(Begun::Kept(kept, principal)) => {
                inside.engine.authorize(id, principal);
                inside.engine.take_up_session(id, kept);
            }
        }
        self.pump_and_wake(inside);
        Ok(http)
    }

    /// A client sent a request of the modern era, which is all of its session. `make` makes the stream of an answer that follows.
    ///
    /// # Errors
    /// As for [`http_frame`](Self::http_frame); its headers do not say what it says; or its client has as many under way as it may have.
    pub(super) fn http_request<S>(
        &self,
        request: SingleRequest<impl FnOnce(&[u8], &[Parameter]) -> Result<(), Refusal>>,
        link: Option<TraceContext>,
        make: impl FnOnce(Stream) -> (HttpStreams, S),
        lacks: impl FnOnce(&MissingScopes) -> Refusal,
    ) -> Result<Admitted<S>, Refusal> {
        let mut inside = self.inside();
        if inside.closed {
            return Err(closing());
        }
        inside.engine.arrives_with(link);
        let log = |session: SessionId, is_sent, frame: &[u8]| {
            self.callbacks.frame_of_session(self.name(), session.0, is_sent, frame);
        };
        let admission = inside.engine.admit(Serving::now(), request, |id, frame| log(id, false, frame));
        let admitted = match admission {
            Admission::Admitted(stream) => {
                let (streams, reader) = make(stream);
                inside.add_http(streams, &self.limits);
                Ok(Admitted::Stream(reader))
            }
            Admission::Answered { session, frame, code } => {
                log(session, true, &frame);
                Ok(Admitted::Answer(frame, code))
            }
            Admission::Refused(AdmissionError::Headers(refusal)) => Err(refusal),
            Admission::Refused(AdmissionError::Full) => {
                let text = "this client has its share of the requests that limits.requests and limits.listens allow, or all are under way";
                Err(Refusal::at_limit("limits.requests", text))
            }
            Admission::Refused(AdmissionError::Scopes(needed)) => Err(lacks(&needed)),
        };
        self.pump_and_wake(inside);
        admitted
    }

    /// What the seal of a session's name says that another process has begun; `None` where this one does not go on with it for
    /// `principal`.
    pub(super) fn sealed_session(
        &self,
        name: &str,
        seal: &str,
        principal: Option<&str>,
    ) -> Option<SealedSession> {
        self.inside().engine.sealed_session(Serving::now(), name, seal, principal)
    }

    /// Whether the client of a session was asked something here that it has not answered: anything, or what has this id.
    #[cfg(feature = "store")]
    pub(super) fn awaits(&self, session: SessionId, id: Option<u64>) -> bool {
        self.inside().engine.awaits(session, id)
    }

    /// Whether the client of a session with a sealed name has ended it here.
    pub(super) fn was_ended(&self, sealed: &SealedSession) -> bool {
        self.inside().engine.was_ended(sealed)
    }

    /// The seal of a session's name; `None` if it stays in this process.
    pub(super) fn seal_session(&self, id: SessionId, name: &str) -> Option<String> {
        let sealed = self.inside().engine.seal_session(Serving::now(), id, name);
        let record = |why: &String| {
            let text =
                format!("the name of the session is not sealed, so other processes do not know it: {why}");
            self.record(Level::Warn, id, &text);
        };
        sealed.inspect_err(record).ok()
    }

    /// The client of a session with a sealed name has ended it.
    pub(super) fn end_sealed(&self, name: &str, seal: &str) {
        self.inside().engine.end_sealed_session(Serving::now(), name, seal);
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
        caller: Option<&Caller>,
        arrived: Arrived,
        lacks: impl FnOnce(&MissingScopes) -> Refusal,
    ) -> Result<(), Refusal> {
        let mut inside = self.inside();
        if inside.closed {
            return Err(closing());
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
            inside.guests.used(from.session.0);
        }
        let Arrived { frame, scanned } = arrived;
        if let Some(caller) = caller {
            inside.engine.authorize(from.session, caller.principal.clone());
            inside.engine.arrives_with(caller.link);
        }
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
        if from.number != UNRELATED
            && session.kind() == SessionKind::Streamable
            && inside.engine.waiting_on(from) == 0
        {
            over.push(from.number);
        }
        self.pump_and_wake(inside);
        for number in over {
            session.finish(number);
        }
        #[cfg(feature = "store")]
        self.write_events();
        Ok(())
    }

    /// A client has all of an answer, or went away. In the modern era, and over HTTP+SSE, that was all of its session.
    pub(super) fn http_left(&self, streams: &HttpStreams, stream: Stream) {
        if streams.ends_with(stream.number) && !streams.has_ended() {
            let mut inside = self.inside();
            if inside.sessions.remove(&stream.session.0).is_some() {
                inside.guests.remove(stream.session.0);
                inside.engine.stream_closed(stream);
                inside.engine.close(stream.session);
                // The thread in `close` still waits for what is written.
                let is_over = inside.is_over() && !inside.closed;
                self.pump(inside);
                streams.end();
                if is_over {
                    self.finish();
                }
            }
        }
        if self.closing.load(Ordering::SeqCst) {
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
}
