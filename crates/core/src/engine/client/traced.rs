//! What is recorded of calls, of the handshake, of notifications and of sessions for OpenTelemetry. Each request of a call that goes out is a span of its own, whose context it carries in
//! `_meta`. What the application says of a trace stays as it is; then the spans are children of it.

use crate::engine::client::Engine;
use crate::engine::client::effect::{Effect, Reply};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::frames::ExchangeOutcome;
use crate::engine::client::traced_call::TracedCall;
use crate::engine::telemetry::{Failure, RequestSpan, Side, TraceContext, Tracer};
use crate::engine::{Error, ExchangeFailure, Status};
use crate::json;
use crate::protocol::envelope::text;
use crate::protocol::write;
use crate::protocol::{Era, Params, ParamsBuf, Revision, method};
use std::time::Instant;

/// Whether the application said anything of a trace: that stays.
fn has_trace(meta: &str) -> bool {
    !meta.is_empty() && json::member(&format!("{{{meta}}}"), "traceparent").is_some()
}

impl<T> Engine<T> {
    /// The request of a call goes out. Gives the context that it is to carry.
    pub(crate) fn trace_request(
        &mut self,
        now: Instant,
        id: u64,
        exchange: u64,
        meta: &str,
    ) -> Option<TraceContext> {
        let revision = self.revision();
        let tracer = self.tracer.as_mut()?;
        let (mut before, mut kept) = (None, None);
        self.calls.change(id, |call| {
            if let Some(traced) = &mut call.traced {
                before = traced.attempt(tracer, now, exchange);
                kept = Some((traced.is_given, traced.span.decision.context));
            }
        });
        if let Some(mut before) = before {
            before.revision = revision;
            self.effects.push_back(Effect::Traced(before));
        }
        match kept {
            Some((is_given, context)) => (!is_given && !has_trace(meta)).then_some(context),
            None if has_trace(meta) => None,
            // The server is to know that this call is not recorded, so that it does not draw again.
            None => Some(TraceContext { is_sampled: false, ..self.tracer.as_mut()?.decide(None).context }),
        }
    }

    /// The answer to a request has come, or will not.
    pub(crate) fn trace_answer(
        &mut self,
        now: Instant,
        exchange: u64,
        what: Exchange,
        outcome: &ExchangeOutcome<'_>,
    ) {
        let failure = match outcome {
            ExchangeOutcome::Result(_) => None,
            ExchangeOutcome::Refused(spoken) => Some(Failure::spoken(spoken.code, &spoken.message)),
            ExchangeOutcome::Unusable { error, .. } => Some(Failure::of(error)),
            ExchangeOutcome::Failed(ExchangeFailure { spoken: Some(spoken), .. }) => {
                Some(Failure::spoken(spoken.code, &spoken.message))
            }
            ExchangeOutcome::Failed(failure) => Some(Failure::of(&failure.error)),
        };
        match what {
            Exchange::Call(id) => self.calls.change(id, |call| {
                if let Some(traced) = &mut call.traced {
                    traced.replied = Some((now, failure));
                }
            }),
            Exchange::Handshake | Exchange::LateProbe
                if self.traced.handshake.as_ref().is_some_and(|(of, _)| *of == exchange) =>
            {
                self.trace_handshake_end(now, failure);
            }
            _ => {}
        }
    }

    /// A request of the handshake goes out. The one before, if it has no answer yet, is given up.
    pub(crate) fn trace_handshake(&mut self, now: Instant, exchange: u64, revision: Revision) {
        let Some(tracer) = &mut self.tracer else { return };
        let decision = tracer.decide(None);
        self.trace_handshake_end(now, Some(Failure::named("timeout")));
        if decision.is_kept {
            let method = if revision.era() == Era::Modern { method::DISCOVER } else { method::INITIALIZE };
            let mut span = Box::new(RequestSpan::new(Side::Client, method.into(), decision, now));
            (span.request, span.revision) = (Some(exchange.to_string().into()), Some(revision));
            self.traced.handshake = Some((exchange, span));
        }
    }

    fn trace_handshake_end(&mut self, now: Instant, failure: Option<Failure>) {
        if let Some((_, mut span)) = self.traced.handshake.take() {
            (span.ended, span.failure) = (now, failure);
            self.effects.push_back(Effect::Traced(span));
        }
    }

    /// A session begins with the end of the handshake (legacy era).
    pub(crate) fn trace_session(&mut self, now: Instant) {
        if self.tracer.as_ref().is_some_and(Tracer::measures) && self.era() == Some(Era::Legacy) {
            let mut session = Box::new(RequestSpan::session(Side::Client, now));
            session.revision = self.revision();
            self.traced.session = Some(session);
        }
    }

    /// The connection has ended, and the session with it.
    pub(crate) fn trace_connection_end(&mut self, now: Instant, error: Option<&Error>) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_handshake_end(now, Some(error.map_or_else(|| Failure::named("closed"), Failure::of)));
        if let Some(mut session) = self.traced.session.take() {
            (session.ended, session.failure) = (now, error.map(Failure::of));
            self.effects.push_back(Effect::Traced(session));
        }
    }

    /// A notification goes out, with the context of its span unless it has one.
    pub(crate) fn send_notification(&mut self, now: Instant, method: &str, params: Option<Params<'_>>) {
        let mut traced = None;
        if let Some(tracer) = &mut self.tracer {
            let text = params.as_ref().map(Params::text);
            let meta = text.and_then(|text| json::member(text, "_meta"));
            let given = meta.and_then(TraceContext::in_meta);
            if let Some(mut span) = tracer.notification(now, Side::Client, (method, text), given) {
                if meta.is_none() {
                    let mut meta = String::from("{");
                    span.decision.context.push_member(&mut meta);
                    meta.push('}');
                    traced = Some(ParamsBuf::spliced(method, params, &[("_meta", &meta)]));
                }
                span.revision = self.revision();
                self.effects.push_back(Effect::Traced(span));
            }
        }
        let params = traced.as_ref().map(ParamsBuf::view).or(params);
        self.send(write::notification(method.to_owned(), params));
    }

    /// A notification has arrived.
    pub(crate) fn trace_notification(&mut self, now: Instant, method: &str, params: Option<&str>) {
        let revision = self.revision();
        let Some(tracer) = &mut self.tracer else { return };
        let parent = params.and_then(|params| json::member(params, "_meta")).and_then(TraceContext::in_meta);
        if let Some(mut span) = tracer.notification(now, Side::Server, (method, params), parent) {
            span.revision = revision;
            self.effects.push_back(Effect::Traced(span));
        }
    }

    /// A request of the server has arrived. Gives what is recorded of it, if anything is.
    pub(crate) fn begin_request_of_server(
        &mut self,
        now: Instant,
        id: &str,
        method: &str,
        params: Option<&str>,
    ) -> Option<Box<RequestSpan>> {
        let revision = self.revision();
        let tracer = self.tracer.as_mut()?;
        let parent = params.and_then(|params| json::member(params, "_meta")).and_then(TraceContext::in_meta);
        let decision = tracer.decide(parent.as_ref().map(|(context, _)| *context));
        if !decision.is_kept {
            return None;
        }
        let called = RequestSpan::method_name(method, false);
        let mut span = Box::new(RequestSpan::new(Side::Server, called, decision, now));
        span.request = Some(json::string(id).unwrap_or_else(|| id.into()).as_ref().into());
        span.state = parent.and_then(|(_, state)| state);
        span.revision = revision;
        Some(span)
    }

    /// It is answered, or will not be.
    pub(crate) fn end_request_of_server(
        &mut self,
        now: Instant,
        span: Option<Box<RequestSpan>>,
        failure: Option<Failure>,
    ) {
        if let Some(mut span) = span {
            (span.ended, span.failure) = (now, failure);
            self.effects.push_back(Effect::Traced(span));
        }
    }

    /// A call has its outcome.
    pub(crate) fn trace_outcome(&mut self, now: Instant, traced: TracedCall, reply: &Reply) {
        let TracedCall { mut span, replied, .. } = traced;
        (span.ended, span.revision) = (now, self.revision());
        span.failure = match reply {
            Ok(body) => {
                RequestSpan::is_failed_tool(&span.method, text(&body.frame, body.json)).then(Failure::of_tool)
            }
            // As the server wrote it.
            Err(error) => replied
                .and_then(|(_, failure)| failure)
                .filter(|_| error.status == Status::Server)
                .or_else(|| Some(Failure::of(error))),
        };
        self.effects.push_back(Effect::Traced(span));
    }
}
