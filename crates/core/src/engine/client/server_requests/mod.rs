//! Requests of the server: answered by the library where it can, else handed to the application, which answers them.
//!
//! The files:
//!
//! * `pending`: part: `ServerRequests`

pub(super) mod pending;

use crate::engine::client::Engine;
use crate::engine::client::effect::{Effect, Event, RequestedInput, State};
use crate::engine::client::server_requests::pending::{RequestAnswer, RequestOrigin};
use crate::engine::telemetry::Failure;
use crate::engine::{Error, Level, Status, fields};
use crate::json::{self, Span};
use crate::protocol::envelope::text;
use crate::protocol::write::{self, LocalMessage};
use crate::protocol::{Frame, Revision, capability, error_code, method, task};
use serde_json::Value;
use std::time::Instant;

/// The longest id of a server's request, as it is written. Numbers and UUIDs are far below.
const ID_BYTES: usize = 1024;

impl<T> Engine<T> {
    /// A request of the server arrived.
    pub(crate) fn server_request(
        &mut self,
        now: Instant,
        frame: Vec<u8>,
        id: Span,
        name: Span,
        params: Option<Span>,
    ) {
        self.counters.server_requests += 1;
        if text(&frame, id).len() > ID_BYTES {
            // Every answer repeats it, and it is remembered until then.
            return self.violation("a request from the server whose id is over 1 KiB", &frame);
        }
        let id_text: Box<str> = text(&frame, id).into();
        let method: Box<str> = json::string(text(&frame, name)).unwrap_or_default().into();
        if self.is_echo(&id_text, &method, params.map(|params| text(&frame, params))) {
            let what = format!(
                "this is not an MCP server: it echoes what it receives ({method} came back as a request); check 'command', \
                 'args' or the address"
            );
            let error = Error::new(Status::Protocol, &*method, what);
            return self.attempt_failed(now, error, false);
        }
        let revision = self.revision().filter(|_| matches!(self.state, State::Ready | State::Initializing));
        if !revision.is_some_and(|revision| revision.differences().server_requests) {
            // The modern era knows no requests of the server; nothing may be answered there.
            self.counters.violations += 1;
            self.log(Level::Warn, "protocol.violation", || {
                fields([
                    ("what", "a request from the server where none is allowed".into()),
                    ("method", (*method).into()),
                ])
            });
            return;
        }
        let asked = params.map(|params| text(&frame, params));
        let span = self.begin_request_of_server(now, &id_text, &method, asked);
        match self.answered_at_once(&method, asked, revision) {
            Some(Ok(result)) => {
                self.end_request_of_server(now, span, None);
                self.send(write::result(&id_text, &result));
            }
            Some(Err((code, message))) => {
                self.end_request_of_server(now, span, Some(Failure::spoken(code, &message)));
                self.send(write::error(Some(&id_text), code, &message, None));
            }
            None => {
                let related = task::related(asked).map(Into::into);
                let key = self.requests.open(RequestOrigin::Wire(id_text), &method, related, span);
                self.effects.push_back(Effect::Emit(Event::Request {
                    frame,
                    method: name,
                    params,
                    key,
                    call: 0,
                    tag: 0,
                    input: None,
                }));
            }
        }
    }

    /// What the library answers by itself: a result, or the code and the message of a refusal. `None` where the application answers.
    fn answered_at_once(
        &mut self,
        method: &str,
        asked: Option<&str>,
        revision: Option<Revision>,
    ) -> Option<Result<String, (i64, String)>> {
        if method == method::PING {
            return Some(Ok("{}".to_owned()));
        }
        let declared = method::needed_client_capability(method).is_some_and(|name| {
            revision
                .is_some_and(|revision| capability::is_declared(&self.settings.capabilities, name, revision))
        });
        if declared
            && method == method::ROOTS
            && let Some(roots) = &self.settings.roots
        {
            return Some(Ok(match task::related(asked) {
                Some(related) => task::with_related(roots, related),
                None => roots.clone(),
            }));
        }
        let (why, code, message) = if !declared {
            let message = format!("Method not found: this client has not enabled '{method}'");
            (None, error_code::METHOD_NOT_FOUND, message)
        } else if method == method::ELICITATION
            && revision
                .is_some_and(|at| !capability::allows_elicitation(&self.settings.capabilities, asked, at))
        {
            let message = "Invalid params: this client has not declared this mode of elicitation";
            let why = "a mode that was not declared".to_owned();
            (Some(why), error_code::INVALID_PARAMS, message.to_owned())
        } else if method == method::ELICITATION
            && let Some(why) = self.refused_page(asked)
        {
            let message = format!("Invalid params: the page is not safe to visit: {why}");
            (Some(why), error_code::INVALID_PARAMS, message)
        } else if self.requests.len() >= self.settings.server_requests {
            let message = "Too many requests are waiting for the application";
            (Some("limits.server_requests".to_owned()), error_code::INTERNAL_ERROR, message.to_owned())
        } else {
            return None;
        };
        self.counters.refused_requests += 1;
        self.log(Level::Warn, "request.refused", || {
            let why = why.map(|why| ("why", Value::from(why)));
            fields([("method", Value::from(method))].into_iter().chain(why))
        });
        Some(Err((code, message)))
    }

    /// Hands the application a request that came in another form; gives its key.
    pub(crate) fn deliver_request(
        &mut self,
        origin: RequestOrigin,
        name: &str,
        params: Option<&str>,
        input: Option<RequestedInput>,
    ) -> u64 {
        let LocalMessage { frame, method, params } = write::local_message(true, name, params);
        self.counters.server_requests += 1;
        let call = origin.call().unwrap_or_default();
        let tag = self.calls.get(call).map_or(0, |call| call.tag);
        let key = self.requests.open(origin, name, None, None);
        let input = input.map(Box::new);
        self.effects.push_back(Effect::Emit(Event::Request { frame, method, params, key, call, tag, input }));
        key
    }

    /// Has a message sent on the current connection.
    pub(crate) fn send(&mut self, frame: Frame) {
        self.effects.push_back(Effect::Send { frame, revision: self.revision() });
    }

    /// The application answers a request.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it was answered already, `CANCELLED` if the server withdrew it, `TRANSPORT` if its
    /// connection has ended, `CLOSED` after close.
    pub fn respond(&mut self, now: Instant, key: u64, answer: RequestAnswer<'_>) -> Result<(), Error> {
        if matches!(self.state, State::Closing | State::Closed) {
            return Err(self.closed_error("respond"));
        }
        let request = self.requests.answer(key, self.settings.server_requests)?;
        let failure = match answer {
            RequestAnswer::Result(_) => None,
            RequestAnswer::Error { code, message, .. } => Some(Failure::spoken(code, message)),
        };
        self.end_request_of_server(now, request.span, failure);
        match (request.origin, answer) {
            (RequestOrigin::Wire(id), RequestAnswer::Result(result)) => match &request.related {
                None => self.send(write::result(&id, result)),
                Some(related) => {
                    let result = task::with_related(result, related);
                    self.send(write::result(&id, &result));
                }
            },
            (RequestOrigin::Wire(id), RequestAnswer::Error { code, message, data }) => {
                self.send(write::error(Some(&id), code, message, data));
            }
            (RequestOrigin::Input { call, index }, RequestAnswer::Result(result)) => {
                self.rounds.answered(call, index, result);
                self.next_round(now, call);
            }
            (RequestOrigin::Page { call, index }, RequestAnswer::Result(result)) => {
                self.page_answered(now, call, index, result);
            }
            (
                RequestOrigin::Input { call, .. } | RequestOrigin::Page { call, .. },
                RequestAnswer::Error { message, .. },
            ) => {
                self.input_refused(now, call, message);
            }
            (RequestOrigin::TaskInput { call, index }, RequestAnswer::Result(result)) => {
                self.task_input_answered(call, index, result);
            }
            (RequestOrigin::TaskInput { call, .. }, RequestAnswer::Error { message, .. }) => {
                self.task_input_refused(now, call, message);
            }
        }
        Ok(())
    }

    /// The application dropped a request without answering: the library answers for it.
    pub fn abandon(&mut self, now: Instant, key: u64) {
        let Some(request) = self.requests.abandon(key) else { return };
        self.counters.refused_requests += 1;
        self.log(Level::Warn, "request.abandoned", || fields([("method", (*request.method).into())]));
        let message = "The application did not answer";
        let failure = Failure::spoken(error_code::INTERNAL_ERROR, message);
        self.end_request_of_server(now, request.span, Some(failure));
        match request.origin {
            RequestOrigin::Wire(id) => {
                self.send(write::error(Some(&id), error_code::INTERNAL_ERROR, message, None));
            }
            RequestOrigin::Input { call, .. } | RequestOrigin::Page { call, .. } => {
                self.input_refused(now, call, "it did not answer");
            }
            RequestOrigin::TaskInput { call, .. } => self.task_input_refused(now, call, "it did not answer"),
        }
    }

    /// Requests of the server that wait for the application.
    pub fn unanswered(&self) -> usize {
        self.requests.len()
    }
}
