//! What a message is.

/// What a message is. The numbers are the ABI's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(i32)]
pub enum Kind {
    /// The outcome of a call.
    Reply = 1,
    /// A notification of the server.
    Notification = 2,
    /// A request of the server, to be answered.
    Request = 3,
    /// Progress of a call.
    Progress = 4,
    /// The connection's state changed.
    State = 5,
    /// Authorization is needed.
    Auth = 6,
    /// A line of the server's standard error.
    Stderr = 7,
    /// Messages were lost because the queue was full.
    Lost = 8,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 8] = [
        Kind::Reply,
        Kind::Notification,
        Kind::Request,
        Kind::Progress,
        Kind::State,
        Kind::Auth,
        Kind::Stderr,
        Kind::Lost,
    ];

    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Reply => "reply",
            Kind::Notification => "notification",
            Kind::Request => "request",
            Kind::Progress => "progress",
            Kind::State => "state",
            Kind::Auth => "auth",
            Kind::Stderr => "stderr",
            Kind::Lost => "lost",
        }
    }

    /// Whether a full queue may drop it. Outcomes and requests are owed; the rest may be dropped.
    pub(crate) fn is_droppable(self) -> bool {
        !matches!(self, Kind::Reply | Kind::Request | Kind::Auth)
    }
}
