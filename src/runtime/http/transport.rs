//! One generation's HTTP transport: its session, where it posts to, and everything that is under way.

use super::errors::ExchangeContext;
use super::runtime::HttpRuntime;
use super::tool_headers::ToolHeaders;
use crate::engine::{Error, ExchangeFailure, Level, Shape, Status, fields};
use crate::protocol::{Frame, FrameKind, Revision};
use crate::runtime::link::owner::LinkOwner;
use crate::runtime::lock;
use crate::runtime::waiter::{AbortHandle, InlineExchange};
use crate::transport::http::client::{Endpoint, HttpClient};
use crate::transport::http::request::SessionId;
use crate::transport::http::settings::HttpSettings;
use crate::transport::sse::Bounds;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use tokio::sync::Notify;

/// What is under way.
#[derive(Default, Debug)]
pub(super) struct ExchangeTasks {
    pub(super) exchanges: HashMap<u64, Arc<AbortHandle>>,
    pub(super) others: Vec<tokio::task::AbortHandle>,
    pub(super) notices: Notices,
    pub(super) ended: bool,
}

impl ExchangeTasks {
    /// Remembers a task, to be ended with the link.
    pub(super) fn keep(&mut self, task: tokio::task::AbortHandle) {
        self.others.retain(|task| !task.is_finished());
        self.others.push(task);
    }
}

/// One generation's HTTP transport.
pub(crate) struct HttpTransport {
    pub(crate) generation: u64,
    pub(super) shape: Shape,
    pub(super) client: Arc<HttpClient>,
    pub(super) settings: HttpSettings,
    pub(super) place: Endpoint,
    post_to: OnceLock<Endpoint>,
    pub(super) guard: Mutex<Option<TransportGuard>>,
    pub(super) owner: Weak<dyn HttpOwner>,
    /// Weak, since tasks of the runtime hold the link.
    pub(super) runtime: Weak<HttpRuntime>,
    #[cfg(feature = "auth")]
    pub(super) authenticator: Option<Arc<super::Authenticator>>,
    pub(super) session: Mutex<Option<(SessionId, Revision)>>,
    pub(super) tools: ToolHeaders,
    #[cfg(feature = "draft")]
    pub(super) validated: super::draft::ValidatedResults,
    pub(super) tasks: Mutex<ExchangeTasks>,
    /// Bytes of what waits to be posted or is.
    pub(super) notice_bytes: AtomicUsize,
    /// The queue has room again.
    pub(super) room: Notify,
    /// The last notice was sent, or the one that requests wait for.
    pub(super) quiet: Notify,
}

impl std::fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpTransport")
            .field("generation", &self.generation)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl HttpTransport {
    pub(super) fn new(
        client: Arc<HttpClient>,
        settings: &HttpSettings,
        guard: TransportGuard,
        shape: Shape,
        runtime: Weak<HttpRuntime>,
        #[cfg(feature = "auth")] authenticator: Option<Arc<super::Authenticator>>,
    ) -> Result<HttpTransport, Error> {
        let place = Endpoint::new(settings.url.clone())
            .map_err(|why| Error::new(Status::InvalidArgument, "connect", why))?;
        Ok(HttpTransport {
            generation: guard.generation,
            shape,
            client,
            settings: settings.clone(),
            place,
            post_to: OnceLock::new(),
            owner: Weak::clone(&guard.owner),
            guard: Mutex::new(Some(guard)),
            runtime,
            #[cfg(feature = "auth")]
            authenticator,
            session: Mutex::new(None),
            tools: ToolHeaders::default(),
            #[cfg(feature = "draft")]
            validated: super::draft::ValidatedResults::default(),
            tasks: Mutex::default(),
            notice_bytes: AtomicUsize::new(0),
            room: Notify::new(),
            quiet: Notify::new(),
        })
    }

    pub(super) fn connection(&self) -> Option<Arc<dyn HttpOwner>> {
        self.owner.upgrade()
    }

    pub(super) fn bounds(&self) -> Bounds {
        Bounds::of_messages(self.settings.message_bytes)
    }

    pub(super) fn context<'a>(&'a self, operation: &'a str) -> ExchangeContext<'a> {
        ExchangeContext { operation, url: self.place.address() }
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
            connection
                .context()
                .event(level, event, || fields(what.iter().map(|(name, value)| (*name, value.clone()))));
        }
    }

    /// Has a frame sent: a notification after those before it, an answer when few others are under way. A request is given back
    /// as an exchange of its own, to be run.
    pub(super) fn send(self: &Arc<Self>, frame: Frame, revision: Revision) -> Option<InlineExchange> {
        let exchange = match frame.info.kind {
            FrameKind::Request(exchange) => exchange,
            FrameKind::Notification => {
                self.notify(&*self.connection()?, frame, revision);
                return None;
            }
            FrameKind::Answer => {
                self.reply(&*self.connection()?, frame, revision);
                return None;
            }
        };
        let mut tasks = lock(&self.tasks);
        if tasks.ended {
            return None;
        }
        let link = Arc::clone(self);
        let (task, abort) = InlineExchange::new(Box::pin(async move {
            link.exchange(exchange, frame, revision).await;
            lock(&link.tasks).exchanges.remove(&exchange);
        }));
        // Before it begins, so that it is there to be taken out at its end.
        tasks.exchanges.insert(exchange, abort);
        Some(task)
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
    pub(super) fn listen(self: &Arc<Self>, revision: Revision) {
        let mut tasks = lock(&self.tasks);
        if tasks.ended {
            return;
        }
        if let Some(runtime) = self.runtime.upgrade() {
            let link = Arc::clone(self);
            tasks.keep(runtime.spawn(async move { link.listens(revision).await }));
        }
    }

    /// There is room in the queue.
    pub(crate) fn resume(&self) {
        self.room.notify_waiters();
        self.wake_driver();
    }

    /// No thread may be waiting for what there is to do now.
    fn wake_driver(&self) {
        if let Some(runtime) = self.runtime.upgrade() {
            runtime.wake_driver();
        }
    }
}

/// What the tasks of a client share.
#[derive(Debug)]
pub(super) struct HttpShared {
    pub(super) settings: HttpSettings,
    /// Made with the first connection: it reads certificates.
    client: Mutex<Option<Arc<HttpClient>>>,
    /// The transport that is open.
    pub(super) link: Mutex<Option<Arc<HttpTransport>>>,
    /// Authorization, where the configuration has it.
    #[cfg(feature = "auth")]
    pub(super) authenticator: Option<Arc<super::authenticator::Authenticator>>,
}

impl HttpShared {
    pub(super) fn new(
        settings: HttpSettings,
        #[cfg(feature = "auth")] authenticator: Option<Arc<super::authenticator::Authenticator>>,
    ) -> Arc<HttpShared> {
        Arc::new(HttpShared {
            settings,
            client: Mutex::new(None),
            link: Mutex::new(None),
            #[cfg(feature = "auth")]
            authenticator,
        })
    }

    /// The transport of a generation, not yet open.
    pub(super) fn make_link(
        &self,
        guard: TransportGuard,
        shape: Shape,
        runtime: Weak<HttpRuntime>,
    ) -> Result<HttpTransport, Error> {
        HttpTransport::new(
            self.client()?,
            &self.settings,
            guard,
            shape,
            runtime,
            #[cfg(feature = "auth")]
            self.authenticator.clone(),
        )
    }

    /// It has this client from now on.
    #[cfg(test)]
    pub(super) fn has(&self, made: Arc<HttpClient>) {
        *lock(&self.client) = Some(made);
    }

    fn client(&self) -> Result<Arc<HttpClient>, Error> {
        let mut client = lock(&self.client);
        if let Some(client) = &*client {
            return Ok(Arc::clone(client));
        }
        let made = HttpClient::new(&self.settings)
            .map_err(|why| Error::new(Status::InvalidArgument, "connect", why))?;
        let made = Arc::new(made);
        *client = Some(Arc::clone(&made));
        Ok(made)
    }
}

/// A transport of one generation, as the client counts it: gone when this is dropped.
#[derive(Debug)]
pub(super) struct TransportGuard {
    pub(super) owner: Weak<dyn HttpOwner>,
    pub(super) generation: u64,
}

impl TransportGuard {
    pub(super) fn new(owner: &Arc<dyn HttpOwner>, generation: u64) -> TransportGuard {
        TransportGuard { owner: Arc::downgrade(owner), generation }
    }
}

impl Drop for TransportGuard {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.upgrade() {
            owner.gone(self.generation);
        }
    }
}

/// The connection as the link of HTTP sees it.
pub(crate) trait HttpOwner: LinkOwner {
    /// No answer will come to an exchange.
    fn exchange_failed(&self, generation: u64, exchange: u64, failure: ExchangeFailure);

    /// An exchange waits for a login, or no longer does.
    #[cfg(feature = "auth")]
    fn waits_for_login(&self, generation: u64, exchange: u64, wait: crate::engine::LoginWait);

    /// The server knows the session no more. `forget` is called if it counts as ended, before anything else is done.
    fn session_ended(
        &self,
        generation: u64,
        exchange: Option<u64>,
        failure: ExchangeFailure,
        forget: &mut dyn FnMut(),
    );

    /// The stream of the server's own messages is open, or there is none.
    fn listening(&self, generation: u64);

    /// What came was not written as it should be, and was taken.
    fn tolerated(&self, what: &'static str);
}

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
