//! What a program wants of a queue: its bounds, and which messages.

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
    /// ([`super::READ_MESSAGES`], [`super::READ_BYTES`]) the oldest is dropped then.
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

/// Which messages a look into the queue is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// All.
    All,
    /// Notifications.
    Notifications,
    /// Requests to the server with this number for which a function of the application is to run.
    #[cfg(feature = "server")]
    Handled(u64),
    /// The same for a thread of the library, which no wake is meant for.
    #[cfg(feature = "server")]
    ByWorker(u64),
}

impl Take {
    /// Whether a wake ends this wait.
    pub(super) fn may_be_woken(self) -> bool {
        match self {
            Take::All | Take::Notifications => true,
            #[cfg(feature = "server")]
            Take::Handled(_) => true,
            #[cfg(feature = "server")]
            Take::ByWorker(_) => false,
        }
    }
}
