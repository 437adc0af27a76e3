//! One generation's HTTP transport: its session, where it posts to, and everything that is under way.

use super::faults::Context;
use super::notices::Notices;
use super::open::Presence;
use super::send::{Purpose, SESSION_END};
use super::tools::Tools;
use crate::engine::{Error, Level, Shape, Status, fields};
use crate::protocol::{Era, Frame, FrameKind, Revision};
use crate::runtime::connection::Connection;
use crate::runtime::inline_exchange::{Ending, Own};
use crate::runtime::lock;
use crate::runtime::waiter::Waiter;
use crate::transport::http::client::{Endpoint, HttpClient};
use crate::transport::http::request::{self, SessionId, Speaking};
use crate::transport::http::settings::HttpSettings;
use crate::transport::sse::Bounds;
use hyper::Method;
use hyper::body::Bytes;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// What is under way.
#[derive(Default, Debug)]
pub(super) struct Tasks {
    exchanges: HashMap<u64, Arc<Ending>>,
    others: Vec<AbortHandle>,
    pub(super) notices: Notices,
    pub(super) ended: bool,
}

impl Tasks {
    /// Remembers a task, to be ended with the link.
    pub(super) fn keep(&mut self, task: AbortHandle) {
        self.others.retain(|task| !task.is_finished());
        self.others.push(task);
    }
}

/// One generation's HTTP transport.
pub(crate) struct HttpLink {
    pub(crate) generation: u64,
    pub(super) shape: Shape,
    pub(super) client: Arc<HttpClient>,
    pub(super) settings: HttpSettings,
    pub(super) place: Endpoint,
    post_to: OnceLock<Endpoint>,
    presence: Mutex<Option<Presence>>,
    pub(super) weak: std::sync::Weak<Connection>,
    #[cfg(feature = "auth")]
    pub(super) gate: Option<Arc<super::Gate>>,
    session: Mutex<Option<(SessionId, Revision)>>,
    pub(super) tools: Tools,
    pub(super) tasks: Mutex<Tasks>,
    /// Bytes of what waits to be posted or is.
    pub(super) notice_bytes: AtomicUsize,
    /// The queue has room again.
    pub(super) room: Notify,
    /// The last notice was sent.
    pub(super) quiet: Notify,
}

impl std::fmt::Debug for HttpLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpLink")
            .field("generation", &self.generation)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl HttpLink {
    pub(super) fn new(
        connection: &Arc<Connection>,
        presence: Presence,
        shape: Shape,
        client: Arc<HttpClient>,
    ) -> Result<HttpLink, Error> {
        let http =
            connection.http().ok_or_else(|| Error::new(Status::Internal, "connect", "no HTTP settings"))?;
        let place = Endpoint::new(http.settings.url.clone())
            .map_err(|why| Error::new(Status::InvalidArgument, "connect", why))?;
        Ok(HttpLink {
            generation: presence.generation,
            shape,
            client,
            settings: http.settings.clone(),
            place,
            post_to: OnceLock::new(),
            presence: Mutex::new(Some(presence)),
            weak: Arc::downgrade(connection),
            #[cfg(feature = "auth")]
            gate: http.gate.clone(),
            session: Mutex::new(None),
            tools: Tools::default(),
            tasks: Mutex::default(),
            notice_bytes: AtomicUsize::new(0),
            room: Notify::new(),
            quiet: Notify::new(),
        })
    }

    pub(super) fn connection(&self) -> Option<Arc<Connection>> {
        self.weak.upgrade()
    }

    pub(super) fn bounds(&self) -> Bounds {
        Bounds::of_messages(self.settings.message_bytes)
    }

    pub(super) fn context<'a>(&'a self, operation: &'a str) -> Context<'a> {
        Context { operation, url: self.place.address() }
    }

    pub(super) fn post_to(&self, place: Endpoint) {
        // Only the first event of a stream says it.
        let _second = self.post_to.set(place);
    }

    /// Where messages go.
    pub(super) fn target(&self) -> &Endpoint {
        self.post_to.get().unwrap_or(&self.place)
    }

    pub(super) fn session(&self) -> Option<SessionId> {
        lock(&self.session).as_ref().map(|(id, _)| id.clone())
    }

    pub(super) fn begin_session(&self, id: SessionId, revision: Revision) {
        *lock(&self.session) = Some((id, revision));
    }

    /// The server says that it knows the session no more: there is nothing to end.
    pub(super) fn session_is_gone(&self) {
        *lock(&self.session) = None;
    }

    /// Whether the server opened a session, for those who want to know.
    pub(crate) fn has_session(&self) -> bool {
        lock(&self.session).is_some()
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        self.notice_bytes.load(Ordering::Relaxed)
    }

    pub(super) fn log(&self, level: Level, event: &'static str, what: &[(&str, Value)]) {
        if let Some(connection) = self.connection() {
            connection.runtime.callbacks.event(&connection.name, level, event, || {
                fields(what.iter().map(|(name, value)| (*name, value.clone())))
            });
        }
    }

    /// Has a frame sent: a request in an exchange of its own, a notification after those before it, an
    /// answer when few others are under way.
    /// `by` is the waiter of this thread, if it has one: a thread that waits for the answer runs the exchange itself.
    pub(crate) fn send(self: &Arc<Self>, frame: Frame, revision: Revision, by: Option<&Arc<Waiter>>) {
        let Some(connection) = self.connection() else { return };
        let exchange = match frame.info.kind {
            FrameKind::Request(exchange) => exchange,
            FrameKind::Notification => return self.notify(&connection, frame, revision),
            FrameKind::Answer => return self.reply(&connection, frame, revision),
        };
        let mut tasks = lock(&self.tasks);
        if tasks.ended {
            return;
        }
        let Some(http) = connection.http() else { return };
        let link = Arc::clone(self);
        // Under the lock, which the exchange takes when it is done: so it is there to be taken out.
        let (own, ending) = Own::new(Box::pin(async move {
            link.exchange(exchange, frame, revision).await;
            lock(&link.tasks).exchanges.remove(&exchange);
        }));
        tasks.exchanges.insert(exchange, ending);
        let left = match by {
            Some(waiter) => waiter.run_own(own),
            None => Some(own),
        };
        if let Some(own) = left {
            http.runtime.spawn_own(own);
        }
    }

    /// Ends what was begun for an exchange.
    pub(crate) fn abort(&self, exchange: u64) {
        let task = lock(&self.tasks).exchanges.remove(&exchange);
        if let Some(task) = task {
            task.abort();
            self.wake_driver();
        }
    }

    /// Has the stream of the server's own messages opened.
    pub(crate) fn listen(self: &Arc<Self>, revision: Revision) {
        let mut tasks = lock(&self.tasks);
        if tasks.ended {
            return;
        }
        if let Some(connection) = self.connection()
            && let Some(http) = connection.http()
        {
            let link = Arc::clone(self);
            tasks.keep(http.runtime.spawn(async move { link.listens(revision).await }));
        }
    }

    /// There is room in the queue.
    pub(crate) fn resume(&self) {
        self.room.notify_waiters();
        self.wake_driver();
    }

    /// Nobody may be waiting for what there is to do now.
    fn wake_driver(&self) {
        if let Some(connection) = self.connection()
            && let Some(http) = connection.http()
        {
            http.runtime.wake_driver();
        }
    }

    /// Ends everything that is under way, and the session with it, within a time.
    pub(crate) fn shut(self: &Arc<Self>, by: Option<Instant>) {
        let presence = lock(&self.presence).take();
        {
            let mut tasks = lock(&self.tasks);
            tasks.ended = true;
            tasks.notices.clear();
            for (_, task) in tasks.exchanges.drain() {
                task.abort();
            }
            for task in tasks.others.drain(..) {
                task.abort();
            }
        }
        let Some(connection) = self.connection() else { return };
        let Some(http) = connection.http() else { return };
        let most = connection.transport.close;
        let limit = by.map_or(most, |by| by.saturating_duration_since(Instant::now()).min(most));
        let link = Arc::clone(self);
        http.runtime.spawn(async move {
            link.end_session(limit).await;
            // The sockets of what was aborted close when their tasks are dropped, which is before this goes on.
            tokio::task::yield_now().await;
            drop(presence);
        });
    }

    /// Tells the server that the session is over (2025-11-25 `basic/transports`). Whatever it says is well.
    async fn end_session(&self, limit: Duration) {
        let Some((session, revision)) = lock(&self.session).take() else { return };
        if limit.is_zero() || revision.era() == Era::Modern {
            return;
        }
        let headers = request::delete(Speaking { revision, initialized: true, session: Some(&session) });
        let purpose = Purpose::of(SESSION_END);
        let sent = self.request(Method::DELETE, self.target(), &headers, Bytes::new(), purpose);
        let outcome = match tokio::time::timeout(limit, sent).await {
            Ok(Ok(received)) => Value::from(received.status),
            Ok(Err(failure)) => Value::from(failure.error.message),
            Err(_) => Value::from("no answer in time"),
        };
        self.log(Level::Debug, "session.ended", &[("answer", outcome)]);
    }
}
