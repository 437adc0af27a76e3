//! The bounds of sessions and threads.

use crate::transport::Framing;
use std::time::Duration;

/// What is true of every session of a server, and who serves them.
#[derive(Clone, Debug)]
pub(crate) struct StreamLimits {
    /// How frames are told apart.
    pub(crate) framing: Framing,
    /// The largest frame of a client.
    pub(crate) frame_bytes: usize,
    /// How much of a larger one is skipped before the session ends.
    pub(crate) discard_bytes: usize,
    /// Bytes that may wait for a client to read them.
    pub(crate) outgoing_bytes: usize,
    /// Bytes that are held for all clients together.
    pub(crate) shared_bytes: usize,
    /// How long a client may read nothing of what waits for it.
    pub(crate) write: Duration,
    /// How long a client that connected to a socket may say nothing.
    pub(crate) silent: Duration,
    /// How long requests under way have after the end of their client's input.
    pub(crate) finish: Duration,
    /// How long closing waits for clients to take what was sent to them.
    pub(crate) close: Duration,
    /// How long it goes on while it says that it goes, before it closes.
    pub(crate) notice: Duration,
    /// How long requests under way have then.
    pub(crate) drain: Duration,
    /// Threads of the library that run handlers.
    pub(crate) workers: usize,
}
