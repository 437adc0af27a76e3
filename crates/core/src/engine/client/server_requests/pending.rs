//! The server's requests that were handed to the application, remembered until it answers. Each gets one answer, or none when
//! its connection has ended or the server withdrew it.

use crate::engine::telemetry::RequestSpan;
use crate::engine::{ById, Error, Status};
use crate::json;
use std::collections::VecDeque;

/// Why a request can no longer be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RequestEnd {
    Answered,
    Withdrawn,
    Disconnected,
    /// The server says that what it wanted is done.
    Done,
}

/// Where a request came from, and so where its answer goes.
#[derive(Debug)]
pub(crate) enum RequestOrigin {
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

impl RequestOrigin {
    /// The call that waits for the answer, where the request came with it.
    pub(crate) fn call(&self) -> Option<u64> {
        match *self {
            RequestOrigin::Wire(_) => None,
            RequestOrigin::Input { call, .. }
            | RequestOrigin::TaskInput { call, .. }
            | RequestOrigin::Page { call, .. } => Some(call),
        }
    }
}

/// How many more requests than the application may hold are remembered when they are over: as many as one read can bring
/// and withdraw again before the application, or what stands for it, has dropped those it does not get.
pub(crate) const BETWEEN_READS: usize = 1024;

/// A request that waits for the application.
#[derive(Debug)]
pub(crate) struct PendingRequest {
    pub(crate) origin: RequestOrigin,
    pub(crate) method: Box<str>,
    /// Which task it belongs to, as the server wrote it (core form).
    pub(crate) related: Option<Box<str>>,
    /// What is recorded of it for OpenTelemetry.
    pub(crate) span: Option<Box<RequestSpan>>,
}

/// The server's requests that the application has not answered, and a bounded memory of those that are over.
#[derive(Default, Debug)]
pub(crate) struct ServerRequests {
    next: u64,
    open: ById<PendingRequest>,
    gone: VecDeque<(u64, RequestEnd)>,
}

impl ServerRequests {
    fn over(&mut self, key: u64, why: RequestEnd, bound: usize) -> Option<PendingRequest> {
        let request = self.open.remove(&key)?;
        self.gone.push_back((key, why));
        while self.gone.len() > bound + BETWEEN_READS {
            self.gone.pop_front();
        }
        Some(request)
    }

    /// Requests that wait for the application.
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// Remembers a request that is handed to the application; gives the key that names it.
    pub(crate) fn open(
        &mut self,
        origin: RequestOrigin,
        method: &str,
        related: Option<Box<str>>,
        span: Option<Box<RequestSpan>>,
    ) -> u64 {
        self.next += 1;
        self.open.insert(self.next, PendingRequest { origin, method: method.into(), related, span });
        self.next
    }

    /// Takes a request that the application answers.
    ///
    /// # Errors
    /// Why it can no longer be answered.
    pub(crate) fn answer(&mut self, key: u64, bound: usize) -> Result<PendingRequest, Error> {
        self.over(key, RequestEnd::Answered, bound).ok_or_else(|| {
            let why = self.gone.iter().find(|(gone, _)| *gone == key).map(|(_, why)| *why);
            match why {
                Some(RequestEnd::Withdrawn) => Error::new(
                    Status::Cancelled,
                    "respond",
                    "the server withdrew the request (notifications/cancelled); it wants no answer",
                ),
                Some(RequestEnd::Done) => Error::new(
                    Status::Cancelled,
                    "respond",
                    "the server says that this is done (notifications/elicitation/complete); it wants no answer",
                ),
                Some(RequestEnd::Disconnected) => Error::new(
                    Status::Transport,
                    "respond",
                    "the connection on which the request came has ended; the answer cannot be sent",
                )
                .retryable(false),
                Some(RequestEnd::Answered) | None => {
                    Error::new(Status::InvalidArgument, "respond", "the request was answered already")
                }
            }
        })
    }

    /// Takes a request that the application dropped.
    pub(crate) fn abandon(&mut self, key: u64) -> Option<PendingRequest> {
        let request = self.open.remove(&key);
        if request.is_none() {
            // Not remembered: its message is gone, so no one can ask what became of it.
            self.gone.retain(|(gone, _)| *gone != key);
        }
        request
    }

    /// The server withdraws a request of its own; `id` is the JSON text it used. Gives what is recorded of it.
    pub(crate) fn cancelled(&mut self, id: &str, bound: usize) -> Option<Box<RequestSpan>> {
        // A number by its value: 5.0 is 5. Its texts are its own.
        let value = |id: &str| json::whole(id.as_bytes()).ok();
        let is_same = |known: &str| *known == *id || value(id).is_some_and(|id| value(known) == Some(id));
        let is_named = |request: &PendingRequest| matches!(&request.origin, RequestOrigin::Wire(known) if is_same(known));
        let key = self.open.iter().find(|(_, request)| is_named(request)).map(|(key, _)| *key);
        self.over(key?, RequestEnd::Withdrawn, bound)?.span
    }

    /// The server or the call no longer needs the answer.
    pub(crate) fn withdraw(&mut self, key: u64, bound: usize) {
        self.over(key, RequestEnd::Withdrawn, bound);
    }

    /// What was asked for is done without an answer.
    pub(crate) fn done(&mut self, key: u64, bound: usize) {
        self.over(key, RequestEnd::Done, bound);
    }

    /// How many requests that are over are remembered.
    #[cfg(test)]
    pub(crate) fn remembered(&self) -> usize {
        self.gone.len()
    }

    /// Gives those that are over with it.
    pub(crate) fn connection_ended(&mut self, bound: usize) -> Vec<PendingRequest> {
        let belongs = |open: &PendingRequest| !matches!(open.origin, RequestOrigin::TaskInput { .. });
        let mut keys: Vec<u64> =
            self.open.iter().filter(|(_, open)| belongs(open)).map(|(key, _)| *key).collect();
        crate::sorted::order(&mut keys);
        keys.into_iter().filter_map(|key| self.over(key, RequestEnd::Disconnected, bound)).collect()
    }
}

/// The application's answer to a server's request.
#[derive(Clone, Copy, Debug)]
pub enum RequestAnswer<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_once_and_the_reason_is_remembered_after_that() {
        let mut requests = ServerRequests::default();
        let wire = |id: &str| RequestOrigin::Wire(id.into());
        let keys = ["1", "\"1\"", "2"].map(|id| requests.open(wire(id), "ping", None, None));
        assert!(requests.cancelled("\"1\"", 4).is_none(), "nothing was recorded");
        let refused =
            |requests: &mut ServerRequests, key| requests.answer(key, 4).err().map(|error| error.status);
        assert_eq!(refused(&mut requests, keys[1]), Some(Status::Cancelled));
        assert!(requests.answer(keys[0], 4).is_ok());
        assert_eq!(refused(&mut requests, keys[0]), Some(Status::InvalidArgument));
        let input =
            requests.open(RequestOrigin::TaskInput { call: 1, index: 0 }, "elicitation/create", None, None);
        assert_eq!(requests.connection_ended(4).len(), 1);
        assert_eq!(refused(&mut requests, keys[2]), Some(Status::Transport));
        assert_eq!(requests.len(), 1, "a task's input outlives the connection");
        assert!(requests.abandon(input).is_some() && requests.abandon(keys[2]).is_none());
        assert_eq!(refused(&mut requests, keys[2]), Some(Status::InvalidArgument), "it is forgotten");
    }
}
