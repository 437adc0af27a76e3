//! Connections over HTTP/1.1 without TLS, kept for the next request and driven by the thread that uses them: a request, its answer
//! and their connection are one future, so that nothing is handed from task to task. TLS may bring HTTP/2, whose connections
//! carry many requests at a time: those live in hyper-util's client.

#[cfg(test)]
mod tests;

use crate::transport::http::Task;
use crate::transport::http::connect::Connector;
use crate::transport::http::error::{
    LEAST_BUFFER, MOST_HEADERS, Unanswered, head_bounds, too_large, unanswered,
};
use crate::transport::http::settings::HttpSettings;
use crate::transport::http::socket::{ReadCounter, RemoteAddr, Socket};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper::http::Extensions;
use hyper::{Request, Response, Uri};
use hyper_rustls::MaybeHttpsStream;
use hyper_util::client::legacy::connect::CaptureConnection;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tower_service::Service;

/// How long a connection that is about to be free is waited for, rather than making another.
const MOMENT: Duration = Duration::from_millis(3);
/// After so many waits in vain none is made any more.
const IN_VAIN: u32 = 3;

type Outgoing = Full<Bytes>;
type PlainStream = TokioIo<Socket>;

/// The connections to one origin.
#[derive(Debug)]
pub struct Pool {
    connector: Connector,
    /// Where connections are made to: the path does not matter.
    origin: Uri,
    builder: Builder,
    /// What may come before the head of an answer is complete.
    head_bytes: usize,
    idle: Arc<IdleConnections>,
}

/// Connections that wait for the next request.
#[derive(Debug)]
struct IdleConnections {
    most: usize,
    time: Duration,
    state: Mutex<PoolState>,
    /// One of those that are about to end has ended, or will not.
    ended: Notify,
}

#[derive(Default, Debug)]
struct PoolState {
    /// The one that was used last is the last.
    idle: Vec<(Instant, Box<PooledConnection>)>,
    /// A task looks after those that are kept too long.
    is_watched: bool,
    /// Connections in use whose answers are complete, and whose streams are about to end.
    ending: usize,
    /// How often in a row it was in vain to wait for one of these.
    in_vain: u32,
}

/// One connection: what takes requests, and what reads and writes while it is polled.
#[derive(Debug)]
struct PooledConnection {
    sender: SendRequest<Outgoing>,
    /// `None` once it has ended; what waits in it is then told.
    driver: Option<Connection<PlainStream, Outgoing>>,
    read_counter: Arc<ReadCounter>,
    /// Where the server is.
    peer: Option<RemoteAddr>,
}

/// A connection in use. It is closed when this is dropped before its answer was read to the end.
#[derive(Debug)]
pub struct Lease {
    connection: Box<PooledConnection>,
    idle: Arc<IdleConnections>,
    /// Counts it among those that are about to end.
    ending: Option<Ending>,
}

#[derive(Debug)]
struct Ending(Arc<IdleConnections>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.state().ending -= 1;
        self.0.ended.notify_waiters();
    }
}

impl Pool {
    /// A pool for the origin of `to`, without a connection yet.
    pub fn new(
        connector: Connector,
        to: Uri,
        builder: Builder,
        head_bytes: usize,
        most: usize,
        time: Duration,
    ) -> Pool {
        let idle = Arc::new(IdleConnections { most, time, state: Mutex::default(), ended: Notify::new() });
        Pool { connector, origin: to, builder, head_bytes, idle }
    }

    /// Sends a request and gives its answer's head, with the connection that its body is read from. One that `repeats` is sent
    /// once more, on a new connection, when a kept one ends before a byte of the answer: servers close what is idle, and the
    /// request may be on its way by then.
    ///
    /// # Errors
    /// Why no answer was received.
    pub async fn request(
        &self,
        mut request: Request<Outgoing>,
        repeats: bool,
    ) -> Result<(Response<Incoming>, Lease), Unanswered> {
        let mut only_new = false;
        loop {
            let kept = match only_new {
                true => None,
                false => match self.kept() {
                    Some(connection) => Some(connection),
                    None => self.soon().await,
                },
            };
            let was_kept = kept.is_some();
            let spare = (repeats && was_kept).then(|| request.clone());
            let connection = match kept {
                Some(connection) => connection,
                None if only_new => self.connect().await.map_err(Unanswered::after_a_try)?,
                None => self.connect().await?,
            };
            let mut lease = Lease { connection, idle: Arc::clone(&self.idle), ending: None };
            match lease.send(request, self.head_bytes).await? {
                Ok(response) => return Ok((response, lease)),
                Err(mut failed) => match (failed.take_message(), spare) {
                    // Nothing of it was sent: the server had closed a connection that was kept.
                    (Some(unsent), _) if was_kept => request = unsent,
                    (_, Some(spare)) if lease.connection.read_counter.heard() == 0 => {
                        request = spare;
                        only_new = true;
                    }
                    _ => {
                        let error = failed.into_error();
                        return Err(match too_large(&error) {
                            true => Unanswered::TooLarge(head_bounds(self.head_bytes)),
                            false => Unanswered::Lost(crate::transport::http::error::error_chain(&error)),
                        });
                    }
                },
            }
        }
    }

    /// A connection that was kept and is still good.
    fn kept(&self) -> Option<Box<PooledConnection>> {
        while let Some(mut connection) = self.idle.take() {
            // The server may have closed it meanwhile, which it knows when it has looked.
            connection.read_counter.ask_for_the_end();
            if connection.look() && connection.sender.is_ready() {
                return Some(connection);
            }
        }
        None
    }

    /// A connection whose answer is complete and whose stream ends within a moment: most servers say its end apart from the
    /// answer. Servers that leave their streams open are not waited for again and again.
    async fn soon(&self) -> Option<Box<PooledConnection>> {
        let until = tokio::time::Instant::now() + MOMENT;
        loop {
            let mut ended = pin!(self.idle.ended.notified());
            ended.as_mut().enable();
            {
                let state = self.idle.state();
                if state.idle.is_empty() && (state.ending == 0 || state.in_vain >= IN_VAIN) {
                    return None;
                }
            }
            if let Some(connection) = self.kept() {
                self.idle.state().in_vain = 0;
                return Some(connection);
            }
            if tokio::time::timeout_at(until, ended).await.is_err() {
                self.idle.state().in_vain += 1;
                return None;
            }
        }
    }

    async fn connect(&self) -> Result<Box<PooledConnection>, Unanswered> {
        let unreachable = |why: &(dyn std::error::Error + 'static)| {
            Unanswered::Unreachable(crate::transport::http::error::error_chain(why))
        };
        let stream =
            self.connector.clone().call(self.origin.clone()).await.map_err(|why| unreachable(&*why))?;
        let MaybeHttpsStream::Http(mut stream) = stream else {
            return Err(Unanswered::Unusable(format!(
                "'{}' wants TLS, which this connection has not",
                self.origin
            )));
        };
        let (read_counter, peer) = (stream.inner_mut().read_counter(), stream.inner().peer());
        let (sender, driver) = self.builder.handshake(stream).await.map_err(|why| unreachable(&why))?;
        Ok(Box::new(PooledConnection { sender, driver: Some(driver), read_counter, peer }))
    }
}

impl PooledConnection {
    /// Reads and writes what can be now. Returns whether the connection is still open.
    fn drive(&mut self, cx: &mut Context<'_>) -> bool {
        if let Some(driver) = &mut self.driver
            && Pin::new(driver).poll(cx).is_ready()
        {
            // Its request learns the reason; without a request it is not needed.
            self.driver = None;
        }
        self.driver.is_some()
    }

    /// The same where no request waits for more: one that did would be woken by the very request that is sent next.
    fn look(&mut self) -> bool {
        self.drive(&mut Context::from_waker(Waker::noop()))
    }
}

impl Lease {
    async fn send(
        &mut self,
        request: Request<Outgoing>,
        head_bytes: usize,
    ) -> Result<Result<Response<Incoming>, TrySendError<Request<Outgoing>>>, Unanswered> {
        // Not when something is written: a server may send while it does not read.
        self.connection.read_counter.forget();
        let mut answer = pin!(self.connection.sender.try_send_request(request));
        poll_fn(|cx| {
            self.connection.drive(cx);
            let mut polled = answer.as_mut().poll(cx);
            if polled.is_pending() && self.connection.read_counter.awaits_more() {
                self.connection.drive(cx);
                polled = answer.as_mut().poll(cx);
            }
            // hyper bounds each head; interim answers are heads of their own, and a server could send them without end.
            if polled.is_pending() && self.connection.read_counter.heard() > head_bytes {
                return Poll::Ready(Err(Unanswered::Unusable(format!(
                    "the server sent more than {head_bytes} bytes (limits.header_bytes) of interim answers (HTTP status 1xx) \
                     and no answer"
                ))));
            }
            polled.map(Ok)
        })
        .await
    }

    /// Where the server is.
    pub fn peer(&self) -> Option<RemoteAddr> {
        self.connection.peer
    }

    /// Reads and writes what can be now.
    pub fn drive(&mut self, cx: &mut Context<'_>) {
        self.connection.drive(cx);
    }

    /// More of the answer is awaited. Has what came of it acknowledged, if anything did since.
    pub fn awaits_more(&mut self, cx: &mut Context<'_>) {
        if self.connection.read_counter.awaits_more() {
            self.connection.drive(cx);
        }
    }

    /// The answer is complete; what is left is the end of its stream.
    pub fn ends_soon(&mut self) {
        if self.ending.is_none() {
            self.idle.state().ending += 1;
            self.ending = Some(Ending(Arc::clone(&self.idle)));
        }
    }

    /// The answer was read to its end: the connection is kept for the next request, if it is good for one.
    pub fn finish(mut self) {
        if self.connection.look() && self.connection.sender.is_ready() {
            IdleConnections::put(&self.idle, self.connection);
        }
    }
}

impl IdleConnections {
    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Box<PooledConnection>> {
        let (since, connection) = self.state().idle.pop()?;
        (since.elapsed() < self.time).then_some(connection)
    }

    fn put(idle: &Arc<IdleConnections>, connection: Box<PooledConnection>) {
        let mut state = idle.state();
        if state.idle.len() >= idle.most {
            return;
        }
        state.idle.push((Instant::now(), connection));
        if !std::mem::replace(&mut state.is_watched, true) {
            let task: Task = Box::pin(watch(Arc::downgrade(idle), idle.time));
            tokio::spawn(task);
        }
    }

    /// Closes what is kept for too long. Says when to look again, if anything is left.
    fn expire(&self) -> Option<Instant> {
        let mut state = self.state();
        let now = Instant::now();
        state.idle.retain(|(since, _)| now.saturating_duration_since(*since) < self.time);
        let oldest = state.idle.first().map(|(since, _)| *since + self.time);
        state.is_watched = oldest.is_some();
        oldest
    }
}

/// Looks after a idle until it is empty.
async fn watch(idle: std::sync::Weak<IdleConnections>, first: Duration) {
    let mut next = Instant::now() + first;
    loop {
        tokio::time::sleep_until(next.into()).await;
        match idle.upgrade().and_then(|idle| idle.expire()) {
            Some(at) => next = at,
            None => return,
        }
    }
}

/// Interim answers (1xx) that a server may send before its answer.
const INTERIM: u32 = 100;

/// Connections that many requests may share.
#[derive(Debug)]
pub(super) struct Shared {
    kept: Client<Connector, Full<Bytes>>,
    /// Takes a new connection for each request.
    new: Client<Connector, Full<Bytes>>,
}

impl Shared {
    /// Connects to nothing yet.
    pub(super) fn new(connector: Connector, settings: &HttpSettings) -> Shared {
        Shared {
            new: client(connector.clone(), settings, 0),
            kept: client(connector, settings, settings.idle_connections),
        }
    }

    /// What takes the next request.
    pub(super) fn one(&self, only_new: bool) -> &Client<Connector, Full<Bytes>> {
        if only_new { &self.new } else { &self.kept }
    }
}

/// Counts the interim answers to a request where many share a connection: they mean nothing here, but a server could send
/// them without end. Without TLS the pool counts their bytes.
pub(super) struct Interim(Arc<(AtomicU32, Notify)>);

impl Interim {
    pub(super) fn watch<B>(request: &mut Request<B>) -> Interim {
        let seen = Arc::new((AtomicU32::new(0), Notify::new()));
        let counted = Arc::clone(&seen);
        hyper::ext::on_informational(request, move |_| {
            if counted.0.fetch_add(1, Ordering::Relaxed) == INTERIM {
                counted.1.notify_one();
            }
        });
        Interim(seen)
    }

    /// Waits for the answer, unless there are too many before it. (A future given by value would be kept twice.)
    pub(super) async fn bound<T>(
        &self,
        mut answer: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, Unanswered> {
        let mut too_many = pin!(self.0.1.notified());
        poll_fn(|cx| {
            if let Poll::Ready(answer) = answer.as_mut().poll(cx) {
                return Poll::Ready(Ok(answer));
            }
            // Nothing is registered before there is one.
            if self.0.0.load(Ordering::Relaxed) > INTERIM || too_many.as_mut().poll(cx).is_ready() {
                let what = format!(
                    "the server sent more than {INTERIM} interim answers (HTTP status 1xx) and no answer"
                );
                return Poll::Ready(Err(Unanswered::Unusable(what)));
            }
            Poll::Pending
        })
        .await
    }
}

/// Whether the other side says that it has not looked at the request (RFC 9113, sections 6.8 and 8.7): it can be sent again,
/// whatever it is.
pub(super) fn was_not_looked_at(error: &Error) -> bool {
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref::<h2::Error>() {
            let reason = error.reason();
            return error.is_remote()
                && (error.is_reset() && reason == Some(h2::Reason::REFUSED_STREAM)
                    || error.is_go_away() && reason == Some(h2::Reason::NO_ERROR));
        }
        next = cause.source();
    }
    false
}

/// Whether the connection that a request took had brought an answer before.
pub(super) fn was_used(connection: &CaptureConnection) -> bool {
    let mut extras = Extensions::new();
    if let Some(connected) = connection.connection_metadata().as_ref() {
        connected.get_extras(&mut extras);
    }
    extras.get::<Arc<ReadCounter>>().is_some_and(|read_counter| read_counter.has_answered())
}

/// Whether a request went out and its connection was lost.
pub(super) fn is_lost(error: &Error) -> bool {
    matches!(unanswered(error), Unanswered::Lost(_))
}

fn client(connector: Connector, settings: &HttpSettings, most: usize) -> Client<Connector, Full<Bytes>> {
    let mut builder = Client::builder(TokioExecutor::new());
    builder
        .pool_timer(TokioTimer::new())
        .timer(TokioTimer::new())
        .pool_idle_timeout(settings.idle_time)
        .pool_max_idle_per_host(most)
        .http1_max_buf_size(settings.header_bytes.max(LEAST_BUFFER))
        .http1_max_headers(MOST_HEADERS)
        .http1_writev(false)
        .http2_max_header_list_size(u32::try_from(settings.header_bytes).unwrap_or(u32::MAX))
        .http2_keep_alive_interval(settings.ping)
        .http2_keep_alive_timeout(settings.ping)
        .http2_adaptive_window(true);
    builder.build(connector)
}
