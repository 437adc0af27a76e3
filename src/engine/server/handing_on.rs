//! Requests that a handler answers: taken into the table within its bounds, and handed to the handler.

use super::context::{Context, Refusal};
use super::effect::{Effect, Now, RequestId, Run, SessionId, Stream};
use super::input::Questions;
use super::params::FrameText;
use super::registry::Output;
use super::requests::{Full, Request};
use super::router::Server;
use super::wire_id::WireId;
use crate::protocol::error_code;
use crate::protocol::task::Support;
use std::time::Instant;

/// What a handler is run for, besides the request.
pub(super) struct Target<H> {
    pub method: &'static str,
    pub name: String,
    pub handler: H,
    pub params: FrameText,
    /// Whether the parameters may bring answers or a state of an earlier request.
    pub may_resume: bool,
    pub variables: Option<String>,
    pub output: Option<Output>,
}

impl<H: Clone> Server<H> {
    /// Takes a request into the table and runs its handler.
    pub(super) fn hand_on(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        target: Target<H>,
    ) -> Result<(), Refusal> {
        let request = self.take_in(now, from, id, context, target)?;
        self.run(request);
        Ok(())
    }

    /// Whether a session may have one more request that is not answered at once.
    pub(super) fn admit(&mut self, session: SessionId) -> Result<(), Refusal> {
        let others = (self.waiters.of_session(session), self.waiters.count());
        self.requests.admit(session, others).map_err(|full| {
            self.counters.busy += 1;
            let text = match full {
                Full::Session(limit) => {
                    format!("the session has {limit} requests under way, which is the limit")
                }
                Full::Server(limit) => {
                    format!("the server has {limit} requests under way, which is the limit")
                }
            };
            Refusal::new(error_code::INTERNAL_ERROR, text)
        })
    }

    /// Takes a request into the table.
    pub(super) fn take_in(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        target: Target<H>,
    ) -> Result<RequestId, Refusal> {
        self.admit(from.session)?;
        let questions = if target.may_resume {
            self.resumed(now, &context, target.method, &target.name, &target.params)?
        } else {
            Questions::default()
        };
        let extension = target.method.is_empty().then(|| target.name.as_str().into());
        let deadline = self.settings.timeouts.request.map(|time| now.at + time);
        Ok(self.requests.insert(Request {
            stream: from,
            space: self.id_space(from),
            id: id.clone(),
            context,
            method: target.method,
            extension,
            name: target.name.into(),
            handler: target.handler,
            output: target.output,
            params: target.params,
            variables: target.variables.map(Into::into),
            check: None,
            questions,
            progress: None,
            support: Support::Forbidden,
            task: None,
            since: now.at,
            begun: None,
            deadline,
        }))
    }

    /// Runs the handler of a request again, with the answers of its client.
    pub(super) fn run_again(&mut self, now: Now, number: RequestId) {
        self.task_waits(now, number, false);
        if let Some(request) = self.requests.get_mut(number) {
            (request.since, request.begun) = (now.at, None);
        }
        self.run(number);
    }

    /// Runs the handler of a request, for the first time or with the answers of its client.
    pub(super) fn run(&mut self, number: RequestId) {
        let Some(request) = self.requests.get(number) else { return };
        self.counters.runs += u64::from(request.check.is_none());
        self.effects.push_back(Effect::Run(Box::new(Run {
            request: number,
            handler: request.handler.clone(),
            session: request.stream.session,
            revision: request.context.revision,
            method: request.method,
            extension: request.extension.clone(),
            params: request.params.clone(),
            check: request.check.clone(),
            variables: request.variables.clone(),
            round: request.questions.rounds(),
            deadline: request.deadline,
        })));
    }

    /// The application has taken a request: it waits no longer.
    pub fn begun(&mut self, now: Instant, number: RequestId) {
        let Some(request) = self.requests.get_mut(number) else { return };
        request.begun = Some(now);
        self.timing.waiting.record(now.saturating_duration_since(request.since));
    }
}
