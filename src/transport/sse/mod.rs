//! Event streams (WHATWG HTML, section 9.2.6 "Interpreting an event stream"): bytes in, in whatever parts they came,
//! events out. Both HTTP transports read answers and messages of the server from such streams.
//!
//! The stream is parsed as it comes: a part is looked at once, data goes straight from it into the buffer that the event
//! is handed over in, and nothing else is kept of it. What a stream can make us hold is bounded. An event over a bound
//! is thrown away as it comes, and what is kept of it (first and last bytes) may still tell which call it answers.
//!
//! This module must not know HTTP, reconnecting, or what the data says: the scan of the message judges its UTF-8.
//!
//! Where we do otherwise than a browser: an event whose data is empty is not delivered (servers of 2025-11-25 begin a
//! stream with one, to give its id), and [`Parser::reopen`] keeps the last event id when a stream is resumed.
//!
//! The files:
//!
//! * `parser`: `Parser`

mod parser;

#[cfg(test)]
mod tests;

pub use parser::Parser;

use std::borrow::Cow;
use std::time::Duration;

/// What a stream may make us hold. A value at the bound passes, one more does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of an event's data.
    pub event: usize,
    /// Bytes of one line, whatever field it is.
    pub line: usize,
    /// Lines of one event; comments do not count, as they keep quiet streams alive.
    pub fields: usize,
    /// Bytes of an event id, of an event type, and of the digits of `retry`.
    pub word: usize,
}

impl Bounds {
    /// The bounds for streams whose messages have at most `bytes` bytes.
    pub fn of_messages(bytes: usize) -> Bounds {
        // "data" with a colon and a space goes before the message.
        Bounds { event: bytes, line: bytes.saturating_add(64), fields: 1 << 20, word: 1024 }
    }
}

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its type: `message` unless the stream says otherwise.
    pub kind: Cow<'static, str>,
    /// Its data, never empty; bytes as received.
    pub data: Vec<u8>,
    /// The stream's last event id at this event; it stays until another is given.
    pub id: Option<String>,
    /// The time to wait before reconnecting, if this event gave one.
    pub retry: Option<Duration>,
}

/// What came out of the stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// One event.
    Event(Event),
    /// An event over a bound, thrown away.
    Oversized {
        /// The request it answers, where that could be read for certain.
        id: Option<u64>,
        /// How large its data was.
        bytes: u64,
        /// The bound that it broke.
        over: Over,
    },
}

/// A bound that an event broke.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Over {
    /// [`Bounds::event`]
    #[error("an event with more than {0} bytes of data")]
    Event(usize),
    /// [`Bounds::line`]
    #[error("an event with a line of more than {0} bytes")]
    Line(usize),
    /// [`Bounds::fields`]
    #[error("an event with more than {0} fields")]
    Fields(usize),
    /// [`Bounds::word`]: the event's type. (An id that long is ignored.)
    #[error("an event whose type has more than {0} bytes")]
    Kind(usize),
    /// No bound, but the memory that the system gives.
    #[error("an event that the system gives no memory for")]
    Memory,
}
