//! What goes to the server and wants no answer. Notifications go one after another, in order. Replies to the server's requests go
//! a few at a time, from a queue with bounds: a server may ask faster than it lets itself be answered, and each reply under way
//! takes a task and a connection.

use super::HttpTransport;
use super::transport::{HttpOwner, Notices};
use crate::engine::{Error, Status};
use crate::protocol::{Frame, Revision, method};
use crate::runtime::lock;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Replies that are posted at a time.
const AT_A_TIME: usize = 4;
/// Replies that may wait for these: far more than there are requests that an application has to answer, for a server may send
/// what the library answers, such as pings.
const MOST_WAITING: usize = 4096;
/// How long requests wait for the server's word on `notifications/initialized`: one that gives none shall not cost more.
const INTRODUCED: Duration = Duration::from_secs(2);

impl HttpTransport {
    /// Has a notification sent, after those before it.
    pub(super) fn notify(self: &Arc<Self>, owner: &dyn HttpOwner, frame: Frame, revision: Revision) {
        let Some(runtime) = self.runtime.upgrade() else { return };
        let mut tasks = lock(&self.tasks);
        if tasks.ended || !self.has_room(owner, &mut tasks.notices, frame.text.len()) {
            return;
        }
        tasks.notices.introducing |= frame.info.method == method::INITIALIZED;
        tasks.notices.notifications.push_back((frame, revision));
        if tasks.notices.notifying {
            runtime.wake_driver();
        } else {
            tasks.notices.notifying = true;
            let link = Arc::clone(self);
            tasks.keep(runtime.spawn(async move { link.send_notifications().await }));
        }
    }

    /// Has a reply to a request of the server sent, as soon as fewer than [`AT_A_TIME`] are under way.
    pub(super) fn reply(self: &Arc<Self>, owner: &dyn HttpOwner, frame: Frame, revision: Revision) {
        let Some(runtime) = self.runtime.upgrade() else { return };
        let mut tasks = lock(&self.tasks);
        if tasks.ended || !self.has_room(owner, &mut tasks.notices, frame.text.len()) {
            return;
        }
        tasks.notices.replies.push_back((frame, revision));
        if tasks.notices.replying == AT_A_TIME {
            runtime.wake_driver();
        } else {
            tasks.notices.replying += 1;
            let link = Arc::clone(self);
            tasks.keep(runtime.spawn(async move { link.send_replies().await }));
        }
    }

    /// Counts a frame that is to wait, or ends the connection to a server that asks and takes no answers. As over pipes, calls and
    /// notifications of the application stop at the bound of bytes: what fills it twice is what a server made us say.
    fn has_room(self: &Arc<Self>, owner: &dyn HttpOwner, notices: &mut Notices, bytes: usize) -> bool {
        let most = owner.context().transport.outgoing_bytes.saturating_mul(2);
        if !notices.overflowed && notices.bytes <= most && notices.replies.len() < MOST_WAITING {
            notices.bytes += bytes;
            self.notice_bytes.fetch_add(bytes, Ordering::Relaxed);
            return true;
        }
        let Some(runtime) = self.runtime.upgrade().filter(|_| !notices.overflowed) else { return false };
        notices.overflowed = true;
        // The core may be held: a task does it.
        let (weak, generation) = (self.owner.clone(), self.generation);
        runtime.spawn(async move {
            let why = format!(
                "the server sends requests and takes no answers: more than {MOST_WAITING} answers, or more bytes than twice \
                 limits.outgoing_bytes, wait to be posted"
            );
            if let Some(owner) = weak.upgrade() {
                owner.lost(generation, Error::new(Status::Transport, "connection", why));
            }
        });
        false
    }

    /// Sends notifications one after another until none waits.
    async fn send_notifications(self: Arc<Self>) {
        loop {
            let next = {
                let mut tasks = lock(&self.tasks);
                let next = tasks.notices.notifications.pop_front();
                tasks.notices.notifying = next.is_some();
                tasks.notices.bytes -= next.as_ref().map_or(0, |(frame, _)| frame.text.len());
                next
            };
            let Some((frame, revision)) = next else {
                self.quiet.notify_waiters();
                return;
            };
            let introduces = frame.info.method == method::INITIALIZED;
            self.post(frame, revision).await;
            if introduces {
                lock(&self.tasks).notices.introducing = false;
                self.quiet.notify_waiters();
            }
        }
    }

    /// Posts replies until none waits.
    async fn send_replies(self: Arc<Self>) {
        loop {
            let next = {
                let mut tasks = lock(&self.tasks);
                let next = tasks.notices.replies.pop_front();
                tasks.notices.bytes -= next.as_ref().map_or(0, |(frame, _)| frame.text.len());
                if next.is_none() {
                    tasks.notices.replying -= 1;
                }
                next
            };
            let Some((frame, revision)) = next else { return };
            self.post(frame, revision).await;
        }
    }

    async fn post(self: &Arc<Self>, frame: Frame, revision: Revision) {
        let bytes = frame.text.len();
        self.say(frame, revision).await;
        self.notice_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Waits until every notification was sent.
    pub(super) async fn notices_sent(&self) {
        self.until(|notices| !notices.notifying).await;
    }

    /// Waits until the server took `notifications/initialized`, or refused it, or says nothing for [`INTRODUCED`]. It goes out on
    /// a connection of its own, so that a request sent at once could overtake it; a server may refuse that request.
    pub(super) async fn introduced(&self) {
        if !lock(&self.tasks).notices.introducing {
            return;
        }
        if tokio::time::timeout(INTRODUCED, self.until(|notices| !notices.introducing)).await.is_err() {
            lock(&self.tasks).notices.introducing = false;
        }
    }

    async fn until(&self, reached: impl Fn(&Notices) -> bool) {
        loop {
            let quiet = self.quiet.notified();
            tokio::pin!(quiet);
            quiet.as_mut().enable();
            if reached(&lock(&self.tasks).notices) {
                return;
            }
            quiet.await;
        }
    }
}
