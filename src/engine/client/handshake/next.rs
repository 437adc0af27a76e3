//! What the handshake wants done next.

use crate::engine::Error;
use crate::protocol::Revision;
use std::time::Instant;

/// What the server is asked next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine::client) struct Question {
    pub(in crate::engine::client) revision: Revision,
    /// Whether it is asked for this revision because it named it, on this connection.
    pub(in crate::engine::client) again: bool,
}

/// What is to be done next.
#[derive(Clone, Debug)]
pub(in crate::engine::client) enum Next {
    /// Nothing: the step goes on.
    Wait,
    /// Nothing until then: the time of the step in this exchange was moved.
    WaitUntil(u64, Instant),
    /// Ask what is asked first of a server of the revision's era.
    Ask(Question),
    /// The server showed that it is of the legacy era, for this reason: send `initialize`.
    AskLegacy(Question, &'static str),
    /// The server refused `initialize` and named this revision: ask for that on the same connection. What it then says is
    /// final, so that no server keeps a client going in circles.
    Turn(Revision),
    /// What was assumed of the era was wrong, for this reason: begin with the probe.
    BeginAgain(String),
    /// `initialize` was answered: say so, then open the stream of the server's own messages where there is one.
    Initialized,
    /// That stream is open, or cannot be had: both are well.
    StreamIsOpen,
    /// What is restored was not answered in time.
    NotRestored,
    /// The handshake is done.
    Ready,
    /// `initialize` was refused in a way that servers of 2024-11-05 refuse it: open the same URL as their transport.
    FallBack(Error),
    /// The attempt failed; a `permanent` failure would repeat itself.
    Failed { error: Error, permanent: bool },
}

impl Next {
    pub(super) fn failed(error: Error) -> Next {
        Next::Failed { error, permanent: false }
    }

    pub(super) fn failed_for_good(error: Error) -> Next {
        Next::Failed { error, permanent: true }
    }

    pub(super) fn ask(revision: Revision) -> Next {
        Next::Ask(Question { revision, again: false })
    }
}
