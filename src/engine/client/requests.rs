//! Requests of the server: answered by the library where it can, else handed to the application and remembered until it
//! answers. Each gets one answer, or none when its connection has ended or the server withdrew it.

use super::Engine;
use super::counters::Level;
use super::effect::{Effect, Event, State};
use super::status::{Error, Status};
use super::{ById, fields};
use crate::json::{self, Span};
use crate::protocol::envelope::text;
use crate::protocol::write::HandedOn;
use crate::protocol::{Frame, capability, error_code, method, task, write};
use std::collections::VecDeque;
use std::time::Instant;

/// Why a request can no longer be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gone {
    Answered,
    Withdrawn,
    Disconnected,
    /// The server says that what it wanted is done.
    Done,
}

/// Where a request came from, and so where its answer goes.
#[derive(Debug)]
pub(super) enum Origin {
    /// A request on the wire, with its id as it was written.
    Wire(Box<str>),
    /// An input that a call's server asks for.
    Input {
        /// The call.
        call: u64,
        /// Which of its inputs.
        index: usize,
    },
    /// An input that the server of a call's task asks for, on whichever connection.
    TaskInput {
        /// The call.
        call: u64,
        /// Which of the task's inputs.
        index: usize,
    },
    /// A page that a call's server wants visited.
    Page {
        /// The call.
        call: u64,
        /// Which of its pages.
        index: usize,
    },
}

/// How many more requests than the application may hold are remembered when they are over: as many as one read can bring
/// and withdraw again before the application, or what stands for it, has dropped those it does not get.
pub(super) const BETWEEN_READS: usize = 1024;

/// The longest id of a server's request, as it is written. Numbers and UUIDs are far below.
const ID_BYTES: usize = 1024;

#[derive(Debug)]
struct Open {
    origin: Origin,
    method: Box<str>,
    /// Which task it belongs to, as the server wrote it (core form).
    related: Option<Box<str>>,
}

/// The server's requests that the application has not answered, and a bounded memory of those that are over.
#[derive(Default, Debug)]
pub(super) struct Requests {
    next: u64,
    open: ById<Open>,
    gone: VecDeque<(u64, Gone)>,
}

impl Requests {
    fn over(&mut self, key: u64, why: Gone, bound: usize) -> Option<Open> {
        let request = self.open.remove(&key)?;
        self.gone.push_back((key, why));
        while self.gone.len() > bound + BETWEEN_READS {
            self.gone.pop_front();
        }
        Some(request)
    }

    /// Remembers a request that is handed to the application; gives the key that names it.
    pub(super) fn open(&mut self, origin: Origin, method: &str) -> u64 {
        self.next += 1;
        self.open.insert(self.next, Open { origin, method: method.into(), related: None });
        self.next
    }

    /// An answer is no longer wanted.
    pub(super) fn withdraw(&mut self, key: u64, bound: usize) {
        self.over(key, Gone::Withdrawn, bound);
    }

    /// What was asked for is done without an answer.
    pub(super) fn done(&mut self, key: u64, bound: usize) {
        self.over(key, Gone::Done, bound);
    }

    /// How many requests that are over are remembered.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.gone.len()
    }

    pub(super) fn connection_ended(&mut self, bound: usize) {
        let belongs = |open: &Open| !matches!(open.origin, Origin::TaskInput { .. });
        let mut keys: Vec<u64> =
            self.open.iter().filter(|(_, open)| belongs(open)).map(|(key, _)| *key).collect();
        keys.sort_unstable();
        for key in keys {
            self.over(key, Gone::Disconnected, bound);
        }
    }
}

/// The application's answer to a server's request.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// The result, checked JSON text.
    Result(&'a str),
    /// A refusal.
    Error {
        /// The code.
        code: i64,
        /// The message.
        message: &'a str,
        /// The data, checked JSON text.
        data: Option<&'a str>,
    },
}

impl<T> Engine<T> {
    /// A request of the server arrived.
    pub(super) fn server_request(
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
        if self.is_repeated(&id_text, &method, params.map(|params| text(&frame, params))) {
            let what = format!(
                "this is no MCP server: it repeats what it is sent ({method} came back as a request); check 'command', \
                 'args' or the address"
            );
            let error = Error::new(Status::Protocol, &*method, what);
            return self.attempt_failed(now, error, false);
        }
        let revision = self.revision.filter(|_| matches!(self.state, State::Ready | State::Initializing));
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
        if &*method == method::PING {
            return self.send(write::result(&id_text, "{}"));
        }
        let declared = method::needed_client_capability(&method).is_some_and(|name| {
            revision
                .is_some_and(|revision| capability::is_declared(&self.settings.capabilities, name, revision))
        });
        if declared && &*method == method::ROOTS && self.settings.roots.is_some() {
            let mut roots = self.settings.roots.clone().unwrap_or_default();
            if let Some(related) = task::related(params.map(|params| text(&frame, params))) {
                roots = task::with_related(&roots, related);
            }
            return self.send(write::result(&id_text, &roots));
        }
        if !declared {
            self.counters.refused_requests += 1;
            self.log(Level::Warn, "request.refused", || fields([("method", (*method).into())]));
            let message = format!("Method not found: this client has not enabled '{method}'");
            return self.send(write::error(&id_text, error_code::METHOD_NOT_FOUND, &message, None));
        }
        let asked = params.map(|params| text(&frame, params));
        if &*method == method::ELICITATION
            && revision
                .is_some_and(|at| !capability::allows_elicitation(&self.settings.capabilities, asked, at))
        {
            self.counters.refused_requests += 1;
            self.log(Level::Warn, "request.refused", || {
                fields([("method", (*method).into()), ("why", "a mode that was not declared".into())])
            });
            let message = "Invalid params: this client has not declared this mode of elicitation";
            return self.send(write::error(&id_text, error_code::INVALID_PARAMS, message, None));
        }
        if &*method == method::ELICITATION
            && let Some(why) = self.refused_page(asked)
        {
            self.counters.refused_requests += 1;
            self.log(Level::Warn, "request.refused", || {
                fields([("method", (*method).into()), ("why", why.as_str().into())])
            });
            let message = format!("Invalid params: the page is not safe to visit: {why}");
            return self.send(write::error(&id_text, error_code::INVALID_PARAMS, &message, None));
        }
        if self.requests.open.len() >= self.settings.server_requests {
            self.counters.refused_requests += 1;
            self.log(Level::Warn, "request.refused", || {
                fields([("method", (*method).into()), ("why", "limits.server_requests".into())])
            });
            let message = "Too many requests are waiting for the application";
            return self.send(write::error(&id_text, error_code::INTERNAL_ERROR, message, None));
        }
        let related = task::related(asked).map(Into::into);
        let key = self.requests.open(Origin::Wire(id_text), &method);
        if let Some(open) = self.requests.open.get_mut(&key) {
            open.related = related;
        }
        self.effects.push_back(Effect::Emit(Event::Request { frame, method: name, params, key }));
    }

    /// Hands the application a request that came in another form; gives its key.
    pub(super) fn hand_on_request(&mut self, origin: Origin, name: &str, params: Option<&str>) -> u64 {
        let HandedOn { frame, method, params } = write::handed_on(true, name, params);
        self.counters.server_requests += 1;
        let key = self.requests.open(origin, name);
        self.effects.push_back(Effect::Emit(Event::Request { frame, method, params, key }));
        key
    }

    /// Has a message sent on the current connection.
    pub(super) fn send(&mut self, frame: Frame) {
        self.effects.push_back(Effect::Send { frame, revision: self.revision });
    }

    /// The application answers a request.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it was answered already, `CANCELLED` if the server withdrew it, `TRANSPORT` if its
    /// connection has ended, `CLOSED` after close.
    pub fn respond(&mut self, now: Instant, key: u64, answer: Answer<'_>) -> Result<(), Error> {
        if matches!(self.state, State::Closing | State::Closed) {
            return Err(self.closed_error("respond"));
        }
        let Some(request) = self.requests.over(key, Gone::Answered, self.settings.server_requests) else {
            let why = self.requests.gone.iter().find(|(gone, _)| *gone == key).map(|(_, why)| *why);
            return Err(match why {
                Some(Gone::Withdrawn) => Error::new(
                    Status::Cancelled,
                    "respond",
                    "the server withdrew the request (notifications/cancelled); it wants no answer",
                ),
                Some(Gone::Done) => Error::new(
                    Status::Cancelled,
                    "respond",
                    "the server says that this is done (notifications/elicitation/complete); it wants no answer",
                ),
                Some(Gone::Disconnected) => Error::new(
                    Status::Transport,
                    "respond",
                    "the connection on which the request came has ended; there is nobody to answer",
                )
                .retryable(false),
                Some(Gone::Answered) | None => {
                    Error::new(Status::InvalidArgument, "respond", "the request was answered already")
                }
            });
        };
        match (request.origin, answer) {
            (Origin::Wire(id), Answer::Result(result)) => match &request.related {
                None => self.send(write::result(&id, result)),
                Some(related) => {
                    let result = task::with_related(result, related);
                    self.send(write::result(&id, &result));
                }
            },
            (Origin::Wire(id), Answer::Error { code, message, data }) => {
                self.send(write::error(&id, code, message, data));
            }
            (Origin::Input { call, index }, Answer::Result(result)) => {
                self.rounds.answered(call, index, result);
                self.next_round(now, call);
            }
            (Origin::Page { call, index }, Answer::Result(result)) => {
                self.page_answered(now, call, index, result);
            }
            (Origin::Input { call, .. } | Origin::Page { call, .. }, Answer::Error { message, .. }) => {
                self.input_refused(now, call, message);
            }
            (Origin::TaskInput { call, index }, Answer::Result(result)) => {
                self.task_input_answered(call, index, result);
            }
            (Origin::TaskInput { call, .. }, Answer::Error { message, .. }) => {
                self.task_input_refused(now, call, message);
            }
        }
        Ok(())
    }

    /// The application dropped a request without answering: the library answers for it.
    pub fn abandon(&mut self, now: Instant, key: u64) {
        // Not remembered: its message is gone, so nobody can ask what became of it.
        let Some(request) = self.requests.open.remove(&key) else {
            self.requests.gone.retain(|(gone, _)| *gone != key);
            return;
        };
        self.counters.refused_requests += 1;
        self.log(Level::Warn, "request.abandoned", || fields([("method", (*request.method).into())]));
        let message = "The application did not answer";
        match request.origin {
            Origin::Wire(id) => {
                self.send(write::error(&id, error_code::INTERNAL_ERROR, message, None));
            }
            Origin::Input { call, .. } | Origin::Page { call, .. } => {
                self.input_refused(now, call, "it did not answer");
            }
            Origin::TaskInput { call, .. } => self.task_input_refused(now, call, "it did not answer"),
        }
    }

    /// The server withdraws a request of its own; `id` is the JSON text it used.
    pub(super) fn server_cancelled(&mut self, id: &str) {
        let is_named = |request: &Open| matches!(&request.origin, Origin::Wire(known) if **known == *id);
        let key = self.requests.open.iter().find(|(_, request)| is_named(request)).map(|(key, _)| *key);
        if let Some(key) = key {
            self.requests.over(key, Gone::Withdrawn, self.settings.server_requests);
        }
    }

    /// Requests of the server that wait for the application.
    pub fn unanswered(&self) -> usize {
        self.requests.open.len()
    }
}
