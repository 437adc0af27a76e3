//! One step of the handshake.

use crate::protocol::Revision;
use std::time::{Duration, Instant};

/// What a step awaits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine::client) enum Awaits {
    /// The answer to `server/discover`, the probe.
    Discovery,
    /// The answer to `initialize`.
    Initialize,
    /// The stream of the server's own messages, `initialize` having been answered.
    Stream,
    /// The answers to what is restored, after that.
    Restored,
}

/// The step that is under way.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::client) struct Step {
    /// Its request on the wire.
    pub(in crate::engine::client) exchange: u64,
    pub(in crate::engine::client) awaits: Awaits,
    /// The revision it asked for.
    pub(super) asked: Revision,
    /// Whether the server was asked for this revision because it named it, on this connection.
    pub(super) again: bool,
    /// Whether it waits for a person who logs in.
    pub(in crate::engine::client) logs_in: bool,
    /// The time it has.
    pub(super) limit: Duration,
    /// When its time is over, as things stand.
    pub(super) until: Instant,
}

impl Step {
    pub(super) fn new(
        now: Instant,
        exchange: u64,
        awaits: Awaits,
        asked: Revision,
        again: bool,
        limit: Duration,
    ) -> Step {
        Step { exchange, awaits, asked, again, logs_in: false, limit, until: now + limit }
    }
}
