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

/// Which messages a look into the queue is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// All.
    All,
    /// Notifications, for a thread that waits for them: what else is there is for others.
    Notifications,
    /// Notifications, for a loop of the host's that takes nothing else: it is not told again of what else is there.
    OnlyNotifications,
    /// The outcome of this call of this client.
    Reply {
        /// The client.
        client: u64,
        /// The number of the call.
        call: u64,
    },
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
            Take::All | Take::Notifications | Take::OnlyNotifications => true,
            Take::Reply { .. } => false,
            #[cfg(feature = "server")]
            Take::Handled(_) => true,
            #[cfg(feature = "server")]
            Take::ByWorker(_) => false,
        }
    }
}

/// How an application waits for a queue, other than with a thread that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueueWatch {
    /// It does not.
    Not,
    /// A function of its own is called.
    Callback,
    /// A loop of its own has the descriptor.
    Loop,
}

/// Who has to be told of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attention {
    /// No one: the application comes by itself.
    None,
    /// A loop of the host's, by the descriptor.
    Loop {
        /// How often a look has found nothing: what is started until the next one belongs together.
        turn: u64,
    },
    /// Threads that wait, or a function of the application: they do not come before there is a message.
    Other,
}
