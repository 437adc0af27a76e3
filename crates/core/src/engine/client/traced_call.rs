//! What is recorded of one call, and of a connection, for OpenTelemetry: the span of the request at hand, and what the application said of its trace.

use crate::engine::telemetry::{Failure, RequestSpan, Side, TraceContext, TraceState, Tracer};
use crate::protocol::Params;
use std::time::Instant;

/// What is recorded of a connection.
#[derive(Default, Debug)]
pub(crate) struct TracedConnection {
    /// The request of the handshake that is under way, and its id.
    pub(super) handshake: Option<(u64, Box<RequestSpan>)>,
    /// The session (legacy era).
    pub(super) session: Option<Box<RequestSpan>>,
}

/// What is recorded of a call.
#[derive(Debug)]
pub(crate) struct TracedCall {
    /// The request at hand.
    pub(super) span: Box<RequestSpan>,
    /// Whether the application gave the context that goes out.
    pub(super) is_given: bool,
    is_sent: bool,
    /// When the answer to the request at hand came, and what it was if it was no result.
    pub(super) replied: Option<(Instant, Option<Failure>)>,
}

impl TracedCall {
    /// Decides about a call. `None` where nothing is kept of it.
    pub(crate) fn begin(
        tracer: &mut Tracer,
        now: Instant,
        (method, params): (&str, Option<Params<'_>>),
        (meta, parent_length): (&str, usize),
    ) -> Option<Box<TracedCall>> {
        let given = given_context(meta);
        let decision = tracer.decide(given.as_ref().map(|(context, _)| *context));
        if !decision.is_kept {
            return None;
        }
        let mut span = RequestSpan::new(Side::Client, RequestSpan::method_name(method, true), decision, now);
        (span.target, span.uri) = RequestSpan::subject(method, params.map_or("{}", |it| it.text()));
        let is_given = given.is_some() && parent_length == 0;
        span.state = given.and_then(|(_, state)| state);
        Some(Box::new(TracedCall { span: Box::new(span), is_given, is_sent: false, replied: None }))
    }

    /// Its request goes out, perhaps again: then the one before is over.
    pub(super) fn attempt(
        &mut self,
        tracer: &mut Tracer,
        now: Instant,
        exchange: u64,
    ) -> Option<Box<RequestSpan>> {
        let before = self.is_sent.then(|| {
            let mut before = self.span.clone();
            (before.ended, before.failure) =
                self.replied.take().unwrap_or_else(|| (now, Some(Failure::named("transport"))));
            self.span.decision = tracer.again(self.span.decision);
            before
        });
        (self.is_sent, self.span.begun) = (true, now);
        self.span.request = Some(exchange.to_string().into());
        before
    }
}

/// The context that the application gave, from the members of `_meta`.
fn given_context(meta: &str) -> Option<(TraceContext, TraceState)> {
    if meta.is_empty() { None } else { TraceContext::in_meta(&format!("{{{meta}}}")) }
}
