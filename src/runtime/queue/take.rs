//! Which messages a look into the queue is for.

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
