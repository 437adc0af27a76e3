//! What the engine wants done: the only way anything leaves it.

use crate::engine::telemetry::RequestSpan;
use crate::engine::{Error, Level};
use crate::json::Span;
use crate::protocol::{Frame, Revision};
use serde_json::{Map, Value};
use std::time::Instant;

named_numbers! {
    /// The state of a connection. The numbers are the ABI's.
    pub enum State {
        /// Made, nothing started yet.
        Idle = 0 "idle",
        /// The server is being started or reached.
        Starting = 1 "starting",
        /// The handshake is under way.
        Initializing = 2 "initializing",
        /// Calls go straight to the server.
        Ready = 3 "ready",
        /// The connection was lost; the next attempt has its time.
        Backoff = 4 "backoff",
        /// Being closed.
        Closing = 5 "closing",
        /// Closed for good.
        Closed = 6 "closed",
    }
}

/// A result in the frame it arrived in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultBody {
    /// The frame.
    pub frame: Vec<u8>,
    /// Where in it the result is.
    pub json: Span,
    /// Whether the server asked for input before it answered.
    pub asked: bool,
    /// Whether it is of a type that an extension brought: the library knows nothing of what is in it.
    pub extended: bool,
}

impl ResultBody {
    /// A result in its frame.
    pub(crate) fn new(frame: Vec<u8>, json: Span) -> ResultBody {
        ResultBody { frame, json, asked: false, extended: false }
    }

    /// The result of a call that needs no answer of the server.
    pub(crate) fn empty() -> ResultBody {
        ResultBody::new(b"{}".to_vec(), Span { start: 0, end: 2 })
    }
}

/// The one outcome of a call.
pub type Reply = Result<ResultBody, Error>;

/// How a server asked for an input: by its name, among others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedInput {
    /// The name, as it was written between its quotes.
    pub name: Box<str>,
    /// Whether it came with others, and more of them follow.
    pub has_more: bool,
}

/// Something for the application that answers no call.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A notification of the server.
    Notification {
        /// The frame.
        frame: Vec<u8>,
        /// The method, a JSON string in the frame.
        method: Span,
        /// The parameters in the frame.
        params: Option<Span>,
    },
    /// How far the task is that a call has become: like a notification of the server, of a call.
    Task {
        /// The frame.
        frame: Vec<u8>,
        /// The method, a JSON string in the frame.
        method: Span,
        /// The parameters in the frame.
        params: Option<Span>,
        /// The call.
        call: u64,
        /// The application's tag of that call.
        tag: u64,
    },
    /// A request of the server that the application answers with this key.
    Request {
        /// The frame.
        frame: Vec<u8>,
        /// The method, a JSON string in the frame.
        method: Span,
        /// The parameters in the frame.
        params: Option<Span>,
        /// Names the request in [`super::Engine::respond`].
        key: u64,
        /// The call that waits for the answer, 0 for none or when the server does not say which.
        call: u64,
        /// The application's tag of that call.
        tag: u64,
        /// What the server calls it, where it asked by the answer of a call or in a task.
        input: Option<Box<RequestedInput>>,
    },
    /// Progress of a call.
    Progress {
        /// The frame.
        frame: Vec<u8>,
        /// The parameters of the progress notification.
        params: Span,
        /// The call.
        call: u64,
        /// The application's tag of that call.
        tag: u64,
    },
    /// The connection's state changed.
    State {
        /// The state left.
        from: State,
        /// The state entered.
        to: State,
        /// Why.
        reason: String,
        /// When the next attempt is made, in backoff.
        next_attempt: Option<Instant>,
    },
}

/// A log record.
#[derive(Clone, PartialEq, Debug)]
pub struct LogRecord {
    /// Its level.
    pub level: Level,
    /// The event's stable name, such as `protocol.violation`.
    pub event: &'static str,
    /// Its values.
    pub fields: Map<String, Value>,
}

/// Which of the two HTTP transports a connection uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// Streamable HTTP, every revision from 2025-03-26 on.
    #[default]
    Streamable,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// One thing to do, in the order given.
#[derive(Debug)]
pub enum Effect<T> {
    /// Open the transport; tell [`super::Engine::opened`] or [`super::Engine::lost`] with this generation.
    Open {
        /// Names this connection among all that the client will have.
        generation: u64,
        /// Which of the HTTP transports; means nothing to others.
        shape: Shape,
    },
    /// Send this frame on the current connection. If it is a request, it begins the exchange of its id.
    Send {
        /// The frame.
        frame: Frame,
        /// The revision that it is written in.
        revision: Option<Revision>,
    },
    /// The answer of this exchange is no longer wanted: end what was begun for it. Only where each exchange has a transport
    /// of its own ([`super::Wire::Http`]).
    Abort {
        /// Which one.
        exchange: u64,
    },
    /// Open the stream of the server's own messages, then tell [`super::Engine::incoming_is_open`]. Only for [`super::Wire::Http`].
    Listen {
        /// The connection it belongs to.
        generation: u64,
    },
    /// Remember for clients to come that the server is of the legacy era and has this transport; `None`: that it is not, or
    /// not any more. Only for [`super::Wire::Http`].
    Remember(Option<Shape>),
    /// Give a call its outcome. Exactly one for each call.
    Complete {
        /// The call.
        call: u64,
        /// The caller's ticket.
        ticket: T,
        /// The outcome.
        reply: Reply,
    },
    /// Tell a caller that waits for the connection.
    Connected {
        /// The waiter's ticket.
        ticket: T,
        /// Whether it is there.
        outcome: Result<(), Error>,
    },
    /// Hand the application a message.
    Emit(Event),
    /// Close the transport of this generation, gracefully and within bounds.
    Shut {
        /// Which one.
        generation: u64,
    },
    /// Write a log record.
    Log(LogRecord),
    /// Tell of a request that is over.
    Traced(Box<RequestSpan>),
}
