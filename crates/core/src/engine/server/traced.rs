//! Requests of clients that are recorded for OpenTelemetry, from their arrival to their answer. Their parent is what `_meta` says; what
//! the headers of HTTP say is a link. What a server asks a client (legacy era) belongs to the request for which it asks.
//!
//! [`OpenSpans`], the part, is in this file.

use super::Server;
use super::effect::{Effect, Now, SessionId, Stream};
use super::requests::params::{RequestParams, WireId};
use crate::engine::telemetry::{Failure, RequestSpan, Side, Telemetry, TraceContext, Tracer};
use crate::json;
use crate::protocol::{Revision, meta, method};
use crate::sorted::SortedMap;
use std::time::Instant;

/// The requests that are recorded at one time; what comes beside them is not, and is counted.
const OPEN: usize = 65_536;

/// Which request: its session, the space of its id there, and its id.
type Key = (SessionId, u64, WireId);

/// The requests that are recorded and not answered yet.
#[derive(Debug)]
pub(super) struct OpenSpans {
    tracer: Tracer,
    open: SortedMap<Key, Box<RequestSpan>>,
    /// What clients are asked, by session and id.
    asked: SortedMap<(SessionId, u64), Box<RequestSpan>>,
    /// The sessions whose durations are counted (legacy era), as many at most.
    sessions: SortedMap<SessionId, Box<RequestSpan>>,
    /// The context in the headers of the message at hand.
    link: Option<TraceContext>,
    /// How many are recorded at one time.
    most: usize,
}

impl OpenSpans {
    pub(super) fn new(telemetry: Telemetry) -> OpenSpans {
        OpenSpans {
            tracer: Tracer::new(telemetry),
            open: SortedMap::default(),
            asked: SortedMap::default(),
            sessions: SortedMap::default(),
            link: None,
            most: OPEN,
        }
    }

    /// The first request of a session from a space of its ids on.
    fn first(&self, session: SessionId, space: u64) -> Option<Key> {
        let from = (session, space, WireId::of_task(""));
        self.open.range(from..).next().map(|(key, _)| key.clone()).filter(|key| key.0 == session)
    }

    /// What a session was asked first and has not answered.
    fn first_asked(&self, session: SessionId) -> Option<u64> {
        let (key, _) = self.asked.range((session, 0)..).next()?;
        (key.0 == session).then_some(key.1)
    }
}

impl<H: Clone> Server<H> {
    /// How many requests are recorded and not answered, of both sides.
    #[cfg(test)]
    pub(super) fn open_spans(&self) -> usize {
        self.spans.as_ref().map_or(0, |spans| spans.open.len() + spans.asked.len())
    }

    /// Whether a context of a header waits for a message.
    #[cfg(all(test, feature = "http"))]
    pub(super) fn has_link(&self) -> bool {
        self.spans.as_ref().is_some_and(|spans| spans.link.is_some())
    }

    /// Records so many at one time.
    #[cfg(test)]
    pub(super) fn bound_spans(&mut self, most: usize) {
        if let Some(spans) = &mut self.spans {
            spans.most = most;
        }
    }

    /// The next message comes with this context in its headers; it holds for that message only.
    pub fn arrives_with(&mut self, link: Option<TraceContext>) {
        if let Some(spans) = &mut self.spans {
            spans.link = link;
        }
    }

    /// A request has arrived, before it waits for anything. It is decided here whether anything of it is kept.
    pub(super) fn begin_span(
        &mut self,
        now: Instant,
        from: Stream,
        id: &WireId,
        name: &str,
        params: &RequestParams<'_>,
    ) {
        let space = self.id_space(from);
        let Some(spans) = &mut self.spans else { return };
        let parent = params.meta.and_then(TraceContext::in_meta);
        let decision = spans.tracer.decide(parent.as_ref().map(|(context, _)| *context));
        if !decision.is_kept {
            return;
        }
        if spans.open.len() >= spans.most {
            if decision.context.is_sampled {
                self.effects.push_back(Effect::Untraced);
            }
            return;
        }
        let link = spans.link;
        let is_extension = self.registry.has_extension(name);
        let called = RequestSpan::method_name(name, is_extension);
        let mut span = Box::new(RequestSpan::new(Side::Server, called, decision, now));
        let (target, uri) = RequestSpan::subject(name, params.text.unwrap_or("{}"));
        // Names that clients make up are in no span's name and in no series.
        span.target = target.filter(|target| match name {
            method::TOOLS_CALL => self.registry.has_tool(target),
            _ => self.registry.has_prompt(target),
        });
        span.uri = uri;
        span.request = Some(json::string(id.text()).unwrap_or_else(|| id.text().into()).as_ref().into());
        let named = params.meta.and_then(|meta| json::member(meta, meta::PROTOCOL_VERSION));
        span.revision = named.and_then(json::string).and_then(|version| Revision::parse(&version));
        span.state = parent.and_then(|(_, state)| state);
        span.link = link.filter(|link| link.span != decision.parent);
        span.is_http =
            self.sessions.has_ids_per_stream(from.session) || self.sessions.is_request(from.session);
        if let Some(spans) = &mut self.spans {
            if name == method::INITIALIZE && spans.tracer.measures() && spans.sessions.len() < spans.most {
                let mut session = Box::new(RequestSpan::session(Side::Server, now));
                session.is_http = span.is_http;
                spans.sessions.insert(from.session, session);
            }
            spans.open.insert((from.session, space, id.clone()), span);
        }
    }

    /// A notification has arrived.
    pub(super) fn trace_notification(
        &mut self,
        now: Instant,
        session: SessionId,
        name: &str,
        params: Option<&str>,
    ) {
        let parent = params.and_then(|params| json::member(params, "_meta")).and_then(TraceContext::in_meta);
        let Some(spans) = &mut self.spans else { return };
        let link = spans.link;
        let Some(mut span) = spans.tracer.notification(now, Side::Server, (name, params), parent) else {
            return;
        };
        span.link = link.filter(|link| link.span != span.decision.parent);
        span.revision = self.sessions.revision(session);
        span.is_http = self.sessions.has_ids_per_stream(session) || self.sessions.is_request(session);
        self.effects.push_back(Effect::Traced(span));
    }

    /// A session is about to end, while it is still known what it agreed on. One whose handshake failed does not count.
    pub(super) fn end_traced_session(&mut self, session: SessionId) {
        let ended = self.spans.as_mut().and_then(|spans| spans.sessions.remove(&session));
        if let (Some(mut ended), Some(revision)) = (ended, self.sessions.revision(session)) {
            ended.revision = Some(revision);
            self.effects.push_back(Effect::Traced(ended));
        }
    }

    /// Under which a request is recorded. `None` where none is: at a low rate that is what most requests find.
    fn key_of_span(&self, stream: Stream, id: &WireId) -> Option<Key> {
        let is_any = self.spans.as_ref().is_some_and(|spans| !spans.open.is_empty());
        is_any.then(|| (stream.session, self.id_space(stream), id.clone()))
    }

    /// The context of the span of a request, for what its handler does. `None` where nothing of it is kept.
    pub(super) fn context_of_span(&self, stream: Stream, id: &WireId) -> Option<TraceContext> {
        let key = self.key_of_span(stream, id)?;
        self.spans.as_ref()?.open.get(&key).map(|span| span.decision.context)
    }

    /// A client is about to be asked. Gives the parameters with the context of this request, unless the application gave one, which is its
    /// parent then. `within` is the request of the client for which it is asked: what is not recorded of that is not recorded of this.
    pub(super) fn begin_asked(
        &mut self,
        now: Now,
        (session, id): (SessionId, u64),
        (name, params): (&'static str, &str),
        within: Option<(Stream, &WireId)>,
    ) -> Option<String> {
        self.spans.as_ref()?;
        let outer = within.map(|(stream, id)| self.context_of_span(stream, id));
        let revision = self.sessions.revision(session);
        let is_http = self.sessions.has_ids_per_stream(session);
        let spans = self.spans.as_mut()?;
        let given = json::member(params, "_meta").and_then(TraceContext::in_meta);
        let parent = given.as_ref().map(|(context, _)| *context).or(outer.flatten());
        let mut decision = spans.tracer.decide(parent);
        if outer == Some(None) && given.is_none() {
            // So that the client does not draw again.
            (decision.context.is_sampled, decision.is_kept) = (false, false);
        }
        if decision.is_kept && spans.asked.len() >= spans.most {
            decision.is_kept = false;
            if decision.context.is_sampled {
                self.effects.push_back(Effect::Untraced);
            }
        }
        let is_given = given.is_some();
        if decision.is_kept
            && let Some(spans) = &mut self.spans
        {
            let mut span = Box::new(RequestSpan::new(Side::Client, name.into(), decision, now.at));
            span.request = Some(id.to_string().into());
            span.state = given.and_then(|(_, state)| state);
            (span.revision, span.is_http) = (revision, is_http);
            spans.asked.insert((session, id), span);
        }
        (!is_given).then(|| meta::with(params, "traceparent", &format!("\"{}\"", decision.context.text())))
    }

    /// A client has answered what it was asked, or will not.
    pub(super) fn end_asked(&mut self, session: SessionId, id: u64, failure: Option<Failure>) {
        if let Some(mut span) = self.spans.as_mut().and_then(|spans| spans.asked.remove(&(session, id))) {
            span.failure = failure;
            self.effects.push_back(Effect::Traced(span));
        }
    }

    /// A request is answered, or will not be. One that is not recorded is not found here.
    pub(super) fn end_span(&mut self, to: Stream, id: &WireId, failure: Option<Failure>) {
        if let Some(key) = self.key_of_span(to, id) {
            self.end_span_of_key(&key, failure);
        }
    }

    pub(super) fn end_span_of_key(&mut self, key: &Key, failure: Option<Failure>) {
        let Some(mut span) = self.spans.as_mut().and_then(|spans| spans.open.remove(key)) else {
            return;
        };
        span.failure = failure;
        // A handshake has agreed on one by now.
        span.revision = span.revision.or_else(|| self.sessions.revision(key.0));
        self.effects.push_back(Effect::Traced(span));
    }

    /// A request is answered with a result.
    pub(super) fn end_span_by_result(&mut self, to: Stream, id: &WireId, result: &str) {
        let Some(key) = self.key_of_span(to, id) else { return };
        let Some(open) = self.spans.as_ref().and_then(|spans| spans.open.get(&key)) else { return };
        let failure = RequestSpan::is_failed_tool(&open.method, result).then(Failure::of_tool);
        self.end_span_of_key(&key, failure);
    }

    /// A session has ended: what it asked gets no answer, and what it was asked has none.
    pub(super) fn end_spans_of(&mut self, session: SessionId) {
        while let Some(id) = self.spans.as_ref().and_then(|spans| spans.first_asked(session)) {
            self.end_asked(session, id, Some(Failure::named("transport")));
        }
        while let Some(key) = self.spans.as_ref().and_then(|spans| spans.first(session, 0)) {
            self.end_span_of_key(&key, Some(Failure::named("cancelled")));
        }
    }

    /// The client left the stream of a subscription, which ends it.
    pub(super) fn end_spans_on(&mut self, stream: Stream) {
        let first = self.spans.as_ref().and_then(|spans| spans.first(stream.session, self.id_space(stream)));
        if let Some(key) = first.filter(|key| key.1 == self.id_space(stream)) {
            self.end_span_of_key(&key, None);
        }
    }
}
