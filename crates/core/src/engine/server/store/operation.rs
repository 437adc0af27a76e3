//! The operations that are asked of a store, and what it says to them.

use std::fmt;
use std::time::Duration;

/// The largest value, entry or message, sealed. NATS stops at 1 MiB.
pub const STORE_VALUE_BYTES: usize = 768 * 1024;

/// One operation that was asked for. Numbers are never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Ticket(pub u64);

/// What must be there for a value to be put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Whatever is there.
    Any,
    /// Nothing.
    Absent,
    /// The value of this version.
    Version(u64),
}

/// What a store is to do. Keys, streams and channels are of one space, which the driver adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Gives the value of a key, and its version.
    Get {
        /// The key.
        key: Box<str>,
    },
    /// Puts a value, or deletes it, if what is expected is there. A conflict gives what is there instead.
    Put {
        /// The key.
        key: Box<str>,
        /// The value; `None` deletes.
        value: Option<Vec<u8>>,
        /// What must be there.
        expected: Expected,
        /// How long the value stays, by the clock of the store.
        life: Duration,
    },
    /// Appends an entry to a stream.
    Append {
        /// The stream.
        stream: Box<str>,
        /// The entry.
        entry: Vec<u8>,
        /// Its place: the last one + 1; 0 for the next.
        place: u64,
        /// Only so many of the newest entries stay.
        most: u32,
        /// How long the stream stays after its last entry.
        life: Duration,
    },
    /// Gives entries of a stream in their order.
    Read {
        /// The stream.
        stream: Box<str>,
        /// Those after this place.
        after: u64,
        /// At most so many.
        most: u32,
        /// Of at most so many bytes together, but one in any case.
        bytes: usize,
    },
    /// Sends a message to all that watch a channel. It may be lost.
    Publish {
        /// The channel.
        channel: Box<str>,
        /// The message.
        data: Vec<u8>,
    },
    /// From now on, messages of the channel are given to [`Server::store_event`]; the first says that some may have been missed.
    Watch {
        /// The channel.
        channel: Box<str>,
    },
    /// That ends.
    Unwatch {
        /// The channel.
        channel: Box<str>,
    },
}

/// What became of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreStatus {
    /// It is done.
    Done,
    /// There is no such key or stream.
    Empty,
    /// What is there is not what was expected: see the value and the version.
    Conflict,
    /// It is not done: the store cannot be asked.
    Unavailable,
    /// It is perhaps done: no answer came.
    PerhapsDone,
    /// The store does not take so many bytes. It is not done.
    TooLarge,
    /// The store does not let this process do it. It is not done.
    Refused,
}

impl fmt::Display for StoreStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StoreStatus::Done => "it is done",
            StoreStatus::Empty => "the store has no such key",
            StoreStatus::Conflict => "the store has something else than was expected",
            StoreStatus::Unavailable => "the store cannot be asked",
            StoreStatus::PerhapsDone => "the store did not answer in time",
            StoreStatus::TooLarge => "it has more bytes than the store takes",
            StoreStatus::Refused => "the store does not let this process do it",
        })
    }
}

/// What a store says to an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreOutcome {
    /// What became of it.
    pub status: StoreStatus,
    /// The value that is there, after `Get` and after a conflict.
    pub value: Option<Vec<u8>>,
    /// The version of what is there now; the place of the appended entry. Versions of a key never repeat, also after a deletion.
    pub version: u64,
    /// Places and entries, after `Read`.
    pub entries: Vec<(u64, Vec<u8>)>,
    /// The clock of the store, milliseconds since 1970; 0 where it is not known.
    pub unix_ms: u64,
}

impl StoreOutcome {
    /// What is known of an operation of which nothing but its status is.
    pub fn of(status: StoreStatus) -> StoreOutcome {
        StoreOutcome { status, value: None, version: 0, entries: Vec::new(), unix_ms: 0 }
    }
}

/// The times of a server that has a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedStore {
    /// How long a process that says nothing counts as there.
    pub lease: Duration,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// The channel on which processes of one server tell each other of changes.
pub const CHANGES: &str = "all";

/// Where other processes leave word for one.
pub fn inbox_of(process: &str) -> String {
    format!("inbox/{process}")
}

/// The key of a process.
pub fn process_key(process: &str) -> String {
    format!("process/{process}")
}
