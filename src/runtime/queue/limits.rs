//! The bounds of a queue: their numbers, their defaults, and what becomes of what is over them.

/// How far over its bound a queue may go that holds up its connections: what was read before that took effect.
pub(super) const READ_MESSAGES: usize = 4096;
/// The same in bytes.
pub(super) const READ_BYTES: usize = 32 * 1024 * 1024;

/// What becomes of droppable messages that a full queue cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Overflow {
    /// The oldest is dropped.
    #[default]
    DropOldest,
    /// What arrives is dropped.
    DropNewest,
    /// Nothing is read from the servers until there is room. What one read brought may go over the bound, and a thread
    /// that waits for a call's outcome still reads, since the outcome comes behind those messages; far over the bound
    /// ([`READ_MESSAGES`], [`READ_BYTES`]) the oldest is dropped then.
    Block,
}

/// Bounds of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLimits {
    /// Messages that may wait. Default 10,000.
    pub messages: usize,
    /// Their bytes. Default 64 MiB.
    pub bytes: usize,
    /// What becomes of droppable messages over the bound. Default: the oldest is dropped.
    pub overflow: Overflow,
}

impl Default for QueueLimits {
    fn default() -> Self {
        QueueLimits { messages: 10_000, bytes: 64 * 1024 * 1024, overflow: Overflow::DropOldest }
    }
}
