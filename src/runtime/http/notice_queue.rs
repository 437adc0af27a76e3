//! Notifications and replies that wait to be posted.

use crate::protocol::{Frame, Revision};
use std::collections::VecDeque;

/// What waits to be posted.
#[derive(Default, Debug)]
pub(super) struct Notices {
    /// Notifications that wait for the one before them, in order.
    pub(super) notifications: VecDeque<(Frame, Revision)>,
    /// A task sends notifications.
    pub(super) notifying: bool,
    /// `notifications/initialized` waits or is under way: requests wait for it.
    pub(super) introducing: bool,
    /// Replies that wait for those under way.
    pub(super) replies: VecDeque<(Frame, Revision)>,
    /// Tasks that post replies.
    pub(super) replying: usize,
    /// Bytes of what waits here.
    pub(super) bytes: usize,
    /// Too much waited: the connection is being ended.
    pub(super) overflowed: bool,
}

impl Notices {
    /// Drops what waits.
    pub(super) fn clear(&mut self) {
        self.notifications.clear();
        self.replies.clear();
        self.introducing = false;
        self.bytes = 0;
    }
}
