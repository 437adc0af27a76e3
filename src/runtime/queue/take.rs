//! Which messages a look into the queue is for.

/// Which messages a look into the queue is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// All.
    All,
    /// Notifications, for a thread that waits for them: what else is there is for others.
    Notifications,
    /// Notifications, for a loop of the host's that takes nothing else: it is not told again of what else is there.
    OnlyNotifications,
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
            #[cfg(feature = "server")]
            Take::Handled(_) => true,
            #[cfg(feature = "server")]
            Take::ByWorker(_) => false,
        }
    }
}
