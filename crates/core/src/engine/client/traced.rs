//! Calls that are recorded for OpenTelemetry: each request of a call that goes out is a span of its own, whose context it carries in
//! `_meta`. What the application says of a trace stays as it is; then the spans are children of it.

use crate::engine::client::Engine;
use crate::engine::client::effect::{Effect, Reply};
use crate::engine::client::frames::ExchangeOutcome;
use crate::engine::client::traced_call::TracedCall;
use crate::engine::telemetry::{Failure, RequestSpan, TraceContext};
use crate::engine::{ExchangeFailure, Status};
use crate::json;
use crate::protocol::envelope::text;
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

    /// The answer to the request of a call has come, or will not.
    pub(crate) fn trace_answer(&mut self, now: Instant, id: u64, outcome: &ExchangeOutcome<'_>) {
        self.calls.change(id, |call| {
            let Some(traced) = &mut call.traced else { return };
            let failure = match outcome {
                ExchangeOutcome::Result(_) => None,
                ExchangeOutcome::Refused(spoken) => Some(Failure::spoken(spoken.code, &spoken.message)),
                ExchangeOutcome::Unusable { error, .. } => Some(Failure::of(error)),
                ExchangeOutcome::Failed(ExchangeFailure { spoken: Some(spoken), .. }) => {
                    Some(Failure::spoken(spoken.code, &spoken.message))
                }
                ExchangeOutcome::Failed(failure) => Some(Failure::of(&failure.error)),
            };
            traced.replied = Some((now, failure));
        });
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
