//! What goes in and out of a server's engine besides frames.

use super::requests::checks::ArgumentCheck;
use super::requests::params::FrameText;
use super::store::operation::{Operation, Ticket};
use crate::engine::Level;
use crate::engine::telemetry::RequestSpan;
use std::time::Instant;

/// The time, on both clocks: the one that never goes back, and the calendar's.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// For deadlines.
    pub at: Instant,
    /// Seconds since 1970-01-01 UTC, for what other processes read: the expiry of a request state.
    pub unix: u64,
}

/// One conversation with one client: a connection, or a session of HTTP. Numbers are never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct SessionId(pub u64);

/// Where messages of a session go: over pipes and sockets there is one place (0), over HTTP each answer has its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Stream {
    /// The session.
    pub session: SessionId,
    /// The place in it.
    pub number: u64,
}

/// A request that waits for the application. Numbers are never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct RequestId(pub u64);

/// What a frame that the server sends is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutgoingKind {
    /// The answer to a request, and the code if it is an error. Nothing of that request follows.
    Answer(Option<i64>),
    /// A notification that belongs to a request in progress, or to a subscription.
    Notification,
    /// A question to the client (legacy era).
    Request,
}

/// Why a request is no longer wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Withdrawn {
    /// The client said so.
    Cancelled,
    /// Its time is over. The client has been told.
    Deadline,
    /// Its session has ended.
    SessionEnded,
}

/// What a handler gets: one request, with what is known of its sender.
#[derive(Debug)]
pub struct Run<H> {
    /// The request.
    pub request: RequestId,
    /// What was registered for it.
    pub handler: H,
    /// Whose its session is: the requests of different holders run by turns.
    pub holder: u64,
    /// The method.
    pub method: &'static str,
    /// The method of an extension, where `method` is empty.
    pub extension: Option<Box<str>>,
    /// The parameters, a JSON object.
    pub params: FrameText,
    /// What must be checked before the application sees the request: run it on the parameters without holding the engine, and
    /// give the verdict to `Server::arguments_checked`.
    pub check: Option<ArgumentCheck>,
    /// The resource template that the URI matched, and its variables, a JSON object.
    #[cfg(test)]
    pub matched: Option<Box<str>>,
    /// How often its handler ran before: it runs again when the client has answered its questions.
    #[cfg(any(test, feature = "testing", fuzzing))]
    pub round: u32,
}

/// What became of a call that the application made of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientCallOutcome {
    /// The result, JSON text.
    Result(Box<str>),
    /// The client refused: a JSON-RPC error as JSON text.
    Error(Box<str>),
    /// The answer has not the shape that the method's answers have.
    Malformed,
    /// The client did not answer in time, and has been told.
    Overdue,
    /// The session has ended.
    SessionEnded,
}

/// The use of something that is good once, which a store that several processes share is to note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// What is used: the SHA-256 of the request state, in Base64.
    pub key: Box<str>,
    /// Until when it could be used (seconds since 1970). The store remembers it until its own clock is past that, and refuses it from then on:
    /// so the clocks of the processes may be apart.
    pub expiry: u64,
    /// What the store was when the state was made. Another one, or one that may have forgotten something since, refuses it.
    pub generation: Box<str>,
}

/// What the store says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// It was not used before, and is now. The time of the store in seconds since 1970.
    Granted(u64),
    /// It was used before, or may have been: the store is another one.
    Refused,
    /// The store cannot be asked, and has noted nothing.
    Unavailable,
    /// No answer came: the use may have been noted.
    Unknown,
}

/// What the driver is to do.
#[derive(Debug)]
pub enum Effect<H> {
    /// Write a frame.
    Send {
        /// Where.
        to: Stream,
        /// One JSON-RPC message.
        frame: Vec<u8>,
        /// What it is.
        sent: OutgoingKind,
    },
    /// Have the store note the use of a request's state, and give what it says to `Server::claimed`. Its handler runs after that.
    Claim {
        /// The request.
        request: RequestId,
        /// What is used.
        claim: Box<Claim>,
    },
    /// Ask the store, and give what it says to `Server::stored`, once. Without a store this never comes.
    Store {
        /// Which operation it is.
        ticket: Ticket,
        /// What is to be done.
        operation: Box<Operation>,
    },
    /// Run the handler of a request.
    Run(Box<Run<H>>),
    /// Tell the application that a request is no longer wanted. What it answers now is dropped.
    Withdrawn {
        /// The request.
        request: RequestId,
        /// Why.
        why: Withdrawn,
        /// Whether the application may know it: its arguments need no check, or were checked.
        is_known: bool,
        /// Whether its handler ran before for this request, and may have kept something for it. Then the application is told, even if it
        /// has not taken the run that followed the answers of the client.
        has_run: bool,
    },
    /// Tell the application what became of its call.
    Called {
        /// The number of the call.
        call: u64,
        /// What the application gave with it.
        tag: u64,
        /// The method.
        method: &'static str,
        /// What became of it.
        outcome: ClientCallOutcome,
    },
    /// The client's roots have changed (legacy era).
    RootsChanged(SessionId),
    /// A client sent a notification that the engine does not know (relays).
    Notified {
        /// Who sent it.
        session: SessionId,
        /// The method.
        method: Box<str>,
        /// The parameters, a JSON object.
        params: Box<str>,
    },
    /// A session of the legacy era has finished its handshake (relays).
    Joined(SessionId),
    /// What clients are subscribed to may have changed (relays). It comes again after the application has asked for it.
    Subscriptions,
    /// A client of the legacy era has set its level of log messages: its number (relays).
    LevelSet(u64),
    /// The answer stream of a subscription was ended by its client: nothing more follows on it.
    Ended(Stream),
    /// Tell of a request that is over: it ends when this is done.
    Traced(Box<RequestSpan>),
    /// A request is not told of: as many are recorded as may be.
    Untraced,
    /// A record for the log.
    Record {
        /// How loud.
        level: Level,
        /// The session it is about.
        session: SessionId,
        /// What happened.
        text: String,
    },
}
