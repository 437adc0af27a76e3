//! Connections of clients: TLS, and HTTP on each. The thread that drives the server accepts them; the library's runtime of HTTP
//! drives them.

use super::RequestSource;
use super::endpoint::HttpEndpoint;
use super::limits::{HEADERS, ListenPlaces};
use super::request_body::{DrivenConnection, RequestBody};
use super::seats::{ConnectionProgress, Paced, ProgressStep, Seat, Seats, Watched};
use crate::engine::Error;
use crate::runtime::clock;
use crate::runtime::http::HttpRuntime;
use crate::runtime::server::HttpFront;
use crate::shares::Holder;
use crate::transport::http::Task;
use crate::transport::http_server::heads::Heads;
use crate::transport::socket::SocketAddress;
use hyper::body::Incoming;
use hyper::rt::Executor;
use hyper::server::conn::{http1, http2};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::fd::OwnedFd;
use rustls::ServerConfig;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io::IoSlice;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, io};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::Sleep;
use tokio_rustls::TlsAcceptor;

/// Requests of one connection of HTTP/2 at one time.
const STREAMS: u32 = 64;
/// Bytes of bodies that HTTP/2 takes before they are asked for, of one connection.
const WINDOW: u32 = 256 * 1024;
/// How often a connection on which something is under way is looked at.
const SHORTEST_LOOK: Duration = Duration::from_millis(20);
const LONGEST_LOOK: Duration = Duration::from_secs(10);
/// The least buffer that hyper takes.
const LEAST_BUFFER: usize = 8192;

/// How far the end of the connections has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ConnectionPhase {
    Open,
    /// They end as soon as what was asked on them is answered.
    Draining,
    /// They end now.
    Ended,
}

/// The connections of one URL. Dropping it ends them.
pub(crate) struct HttpConnections {
    shared: SharedConnections,
    runtime: Arc<HttpRuntime>,
    phase: watch::Sender<ConnectionPhase>,
    sweeping: AbortHandle,
}

impl std::fmt::Debug for HttpConnections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpConnections").finish_non_exhaustive()
    }
}

/// What every connection has.
#[derive(Clone)]
struct SharedConnections {
    endpoint: Arc<HttpEndpoint>,
    tls: Option<TlsAcceptor>,
    phase: watch::Receiver<ConnectionPhase>,
    seats: Seats,
}

impl fmt::Debug for SharedConnections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedConnections").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl HttpConnections {
    /// No connection yet.
    ///
    /// # Errors
    /// When there is no thread or descriptor for the runtime.
    pub(crate) fn new(
        endpoint: Arc<HttpEndpoint>,
        tls: Option<Arc<ServerConfig>>,
    ) -> Result<HttpConnections, Error> {
        let runtime = HttpRuntime::acquire()?;
        let (phase, watching) = watch::channel(ConnectionPhase::Open);
        let sweeping = runtime.spawn(sweep(Arc::clone(&endpoint)));
        let shared = SharedConnections {
            seats: Seats::new(endpoint.limits().connections),
            endpoint,
            tls: tls.map(TlsAcceptor::from),
            phase: watching,
        };
        Ok(HttpConnections { shared, runtime, phase, sweeping })
    }

    fn enter(&self, phase: ConnectionPhase) {
        self.sweeping.abort();
        self.phase.send_if_modified(|now| {
            let is_later = *now < phase;
            *now = phase.max(*now);
            is_later
        });
        // The tasks end when they are driven.
        drop(self.runtime.spawn(async {}));
    }
}

impl HttpFront for HttpConnections {
    fn url(&self, address: &SocketAddress) -> String {
        let scheme = if self.shared.tls.is_some() { "https" } else { "http" };
        let path = &self.shared.endpoint.settings.path;
        match address {
            SocketAddress::Tcp { host, port } if host.contains(':') => {
                format!("{scheme}://[{host}]:{port}{path}")
            }
            SocketAddress::Tcp { host, port } => format!("{scheme}://{host}:{port}{path}"),
            other => other.to_string(),
        }
    }

    fn runtime(&self) -> Option<Arc<HttpRuntime>> {
        Some(Arc::clone(&self.runtime))
    }

    fn connected(&self, fd: OwnedFd, from: Holder) -> bool {
        let meters = &self.shared.endpoint.meters;
        let Some(seat) = self.shared.seats.take(&from) else {
            meters.refused.add(1);
            return false;
        };
        meters.accepted.add(1);
        let number = seat.number();
        let guest = Guest { seat: Arc::new(seat), from, of: ServedConnection(self.shared.clone()) };
        let task = self.runtime.spawn(connected(fd, guest));
        self.shared.seats.serves(number, task);
        true
    }

    fn count(&self) -> usize {
        self.shared.seats.count()
    }

    fn give_way(&self, newcomer: &Holder) -> bool {
        self.shared.seats.give_way(newcomer)
    }

    fn end_sessions(&self, why: &str) {
        self.shared.endpoint.end_sessions(why);
    }

    fn drain(&self) {
        self.enter(ConnectionPhase::Draining);
    }

    fn is_drained(&self) -> bool {
        self.shared.seats.count() == 0
    }
}

impl Drop for HttpConnections {
    fn drop(&mut self) {
        self.enter(ConnectionPhase::Ended);
        HttpRuntime::release();
    }
}

/// Ends sessions that are not used.
pub(super) async fn sweep(endpoint: Arc<HttpEndpoint>) {
    while let Some(next) = endpoint.end_unused(clock::now()) {
        #[cfg(feature = "store")]
        {
            endpoint.look_after_shared().await;
            // Most often it is time that ends this.
            let _is_stirred = tokio::time::timeout_at(next.into(), endpoint.stirred.notified()).await.is_ok();
        }
        #[cfg(not(feature = "store"))]
        tokio::time::sleep_until(next.into()).await;
    }
}

/// A connection, with or without TLS: one type for both, since all of HTTP is compiled for each.
trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// A client, as long as its connection is served.
struct Guest {
    seat: Arc<Seat>,
    from: Holder,
    /// Dropped after the seat.
    of: ServedConnection,
}

/// What a connection is served by. Its end is told.
struct ServedConnection(SharedConnections);

impl Drop for ServedConnection {
    fn drop(&mut self) {
        self.0.endpoint.meters.ended.add(1);
        if *self.0.phase.borrow() != ConnectionPhase::Open {
            // The thread in `close` waits for this.
            self.0.endpoint.wake_server();
        }
    }
}

impl Guest {
    /// What answers its requests.
    fn service(
        &self,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<Watched>,
        Error = Infallible,
        Future = impl Future<Output = Result<Response<Watched>, Infallible>> + Send + use<>,
    > + use<> {
        let (endpoint, seat) = (Arc::clone(&self.of.0.endpoint), Arc::clone(&self.seat));
        let source =
            RequestSource { from: self.from.clone(), listens: Some(ListenPlaces::default()), way: None };
        service_fn(move |request| answered(Arc::clone(&endpoint), seat.begin(), source.clone(), request))
    }
}

async fn connected(fd: OwnedFd, guest: Guest) {
    let shared = &guest.of.0;
    let Ok(stream) = TcpStream::from_std(std::net::TcpStream::from(fd)) else { return };
    let stream: Box<dyn Io> =
        Box::new(Paced::new(stream, shared.endpoint.limits().write, Arc::clone(&shared.endpoint.meters)));
    let Some(tls) = shared.tls.clone() else {
        return serve_http1(stream, &guest).await;
    };
    // A client has as long for this as for the head of a request.
    let mut phase = shared.phase.clone();
    let mut ended = pin!(phase.wait_for(|phase| *phase == ConnectionPhase::Ended));
    let mut shaking = pin!(tokio::time::timeout(shared.endpoint.limits().head, tls.accept(stream)));
    let shaken = poll_fn(|context| {
        if let Poll::Ready(shaken) = shaking.as_mut().poll(context) {
            return Poll::Ready(shaken.ok().and_then(Result::ok));
        }
        ended.as_mut().poll(context).map(|_| None)
    });
    let Some(stream) = shaken.await else { return };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let stream: Box<dyn Io> = Box::new(stream);
    if is_http2 { serve_http2(stream, &guest).await } else { serve_http1(stream, &guest).await }
}

async fn serve_http1(stream: Box<dyn Io>, guest: &Guest) {
    let limits = guest.of.0.endpoint.limits();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(HEADERS)
        .max_buf_size(limits.head_bytes.max(LEAST_BUFFER))
        .half_close(false);
    let service = guest.service();
    let stream = RequestBytes::new(stream, Arc::clone(guest.seat.progress()));
    let connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let driven = pin!(DrivenConnection::new(connection));
    // hyper looks after the time between two requests.
    until_over(guest, false, driven, |driven| driven.get_mut().connection.as_mut().graceful_shutdown()).await;
}

/// Where hyper has its tasks run.
#[derive(Clone)]
struct Tasks;

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Tasks {
    fn execute(&self, future: F) {
        let task: Task = Box::pin(future);
        tokio::spawn(task);
    }
}

async fn serve_http2(stream: Box<dyn Io>, guest: &Guest) {
    let limits = guest.of.0.endpoint.limits();
    let mut builder = http2::Builder::new(Tasks);
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(limits.keep_alive)
        .keep_alive_timeout(limits.head);
    let service = guest.service();
    let connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    until_over(guest, true, connection, http2::Connection::graceful_shutdown).await;
}

async fn answered(
    endpoint: Arc<HttpEndpoint>,
    step: ProgressStep,
    source: RequestSource,
    request: Request<Incoming>,
) -> Result<Response<Watched>, Infallible> {
    step.turn().await;
    let source = RequestSource { way: Some(step.way()), ..source };
    let version = request.version();
    let mut response = Arc::clone(&endpoint).serve(request.map(RequestBody::Received), source).await;
    endpoint.going_out(version, &mut response);
    Ok(response.map(|body| Watched::new(body, step)))
}

/// Drives a connection to its end, and ends it when the server closes, when its client takes nothing of an answer, when others need
/// what it takes, or, if `watches_idle`, when it asks for nothing. What else goes wrong on it is its client's affair.
async fn until_over<C: Future>(
    guest: &Guest,
    watches_idle: bool,
    mut connection: Pin<&mut C>,
    end: impl Fn(Pin<&mut C>),
) {
    let Guest { seat, of: ServedConnection(shared), .. } = guest;
    let (limits, progress) = (shared.endpoint.limits(), seat.progress());
    let pause = (limits.write.min(limits.head) / 2).clamp(SHORTEST_LOOK, LONGEST_LOOK);
    let mut phase = shared.phase.clone();
    let mut is_ending = false;
    let mut look = pin!(tokio::time::sleep(pause));
    let mut giving_way = pin!(progress.gives_way());
    loop {
        let now = *phase.borrow_and_update();
        match now {
            ConnectionPhase::Open => {}
            ConnectionPhase::Draining if is_ending => {}
            ConnectionPhase::Draining => {
                end(connection.as_mut());
                is_ending = true;
            }
            ConnectionPhase::Ended => return,
        }
        let mut changed = pin!(phase.changed());
        // What wakes this task is polled once, to be known to it; after that it is seen to have happened.
        let (mut is_watching, mut is_timed) = (false, false);
        let is_over = poll_fn(|context| {
            progress.is_driven();
            if connection.as_mut().poll(context).is_ready() {
                return Poll::Ready(true);
            }
            let is_first = !std::mem::replace(&mut is_watching, true);
            if (is_first || progress.is_needed()) && giving_way.as_mut().poll(context).is_ready() {
                return Poll::Ready(true);
            }
            if (is_first || *shared.phase.borrow() != now) && changed.as_mut().poll(context).is_ready() {
                return Poll::Ready(false);
            }
            // A connection on which nothing is under way wakes nothing.
            if !watches_idle && !progress.is_busy() {
                return Poll::Pending;
            }
            if std::mem::replace(&mut is_timed, true) && !look.is_elapsed() {
                return Poll::Pending;
            }
            look.as_mut().poll(context).map(|()| false)
        });
        if is_over.await {
            return;
        }
        if look.is_elapsed() {
            look.as_mut().reset(tokio::time::Instant::now() + pause);
            if progress.is_stuck(limits.write)
                || watches_idle && is_ending && progress.is_idle(limits.head * 2)
            {
                return;
            }
            if watches_idle && !is_ending && progress.is_idle(limits.head) {
                end(connection.as_mut());
                is_ending = true;
            }
        }
    }
}

// `RequestBytes`: what a connection of HTTP/1.1 receives: lines that cannot be mistaken, and an end that is not an end yet while the
// client may still read.

/// How long a client that sends nothing more counts as one that still reads: it may have closed one half of its connection (RFC 9112,
/// section 9.6) or all of it, which only a write tells apart.
const HALF_CLOSED: Duration = Duration::from_secs(2);

/// A connection of HTTP/1.1.
#[derive(Debug)]
struct RequestBytes<S> {
    io: S,
    heads: Heads,
    progress: Arc<ConnectionProgress>,
    /// The client has sent everything, and was heard for as long as that.
    ended: Option<Pin<Box<Sleep>>>,
    /// Something was written since then. A client that is gone makes one of the next writes fail.
    was_written: bool,
}

impl<S> RequestBytes<S> {
    pub(super) fn new(io: S, progress: Arc<ConnectionProgress>) -> RequestBytes<S> {
        RequestBytes { io, heads: Heads::new(), progress, ended: None, was_written: false }
    }

    /// The client sends nothing more. While an answer is due to it the connection goes on.
    fn poll_ended(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.heads.is_between() || !self.progress.is_busy() {
            return Poll::Ready(Ok(()));
        }
        let timer = self.ended.get_or_insert_with(|| Box::pin(tokio::time::sleep(HALF_CLOSED)));
        if timer.as_mut().poll(context).is_pending() || self.was_written {
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for RequestBytes<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.ended.is_some() {
            return self.poll_ended(context);
        }
        if self.heads.has_refused() {
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, into))?;
        let received = &mut into.filled_mut()[before..];
        if received.is_empty() {
            return self.poll_ended(context);
        }
        let passed = self.heads.pass(received);
        into.set_filled(before + passed);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for RequestBytes<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        self.was_written |= self.ended.is_some() && polled.is_ready();
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.was_written |= self.ended.is_some() && polled.is_ready();
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::server::http::seats::ProgressStep;
    use std::future::poll_fn;
    use tokio::runtime::Builder;
    use tokio::time::{Instant, timeout};

    /// A client that has sent something and then nothing more, and takes what is written.
    #[derive(Debug)]
    struct Sent(&'static [u8]);

    impl AsyncRead for Sent {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            into: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            into.put_slice(std::mem::take(&mut self.0));
            Poll::Ready(Ok(()))
        }
    }

    impl AsyncWrite for Sent {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    async fn read(bytes: &mut RequestBytes<Sent>) -> usize {
        let mut buffer = [0; 64];
        let mut into = ReadBuf::new(&mut buffer);
        poll_fn(|context| Pin::new(&mut *bytes).poll_read(context, &mut into)).await.expect("no error");
        into.filled().len()
    }

    /// A connection that has read what its client sent, while a request is under way or not.
    async fn after(sent: &'static str, is_busy: bool) -> (RequestBytes<Sent>, Option<ProgressStep>) {
        let progress = ConnectionProgress::new();
        let step = is_busy.then(|| progress.begin());
        let mut bytes = RequestBytes::new(Sent(sent.as_bytes()), progress);
        assert_eq!(read(&mut bytes).await, sent.len());
        (bytes, step)
    }

    const REQUEST: &str = "GET / HTTP/1.1\r\n\r\n";

    #[test]
    fn a_client_that_sends_nothing_more_may_still_read() {
        let runtime =
            Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            // Nothing is due to it, or it has left in the middle of what it sent.
            for (sent, is_busy) in [(REQUEST, false), ("GET / HT", true)] {
                let (mut bytes, _step) = after(sent, is_busy).await;
                let begun = Instant::now();
                assert_eq!(read(&mut bytes).await, 0);
                assert_eq!(begun.elapsed(), Duration::ZERO, "{sent}");
            }
            // Nothing behind what is refused is waited for.
            let (mut bytes, _step) = after("GET / HTTP/1.1\0", true).await;
            assert!(bytes.heads.has_refused());
            assert_eq!(read(&mut bytes).await, 0);
            // It may be gone: nothing is written that would tell.
            let (mut bytes, _step) = after(REQUEST, true).await;
            let begun = Instant::now();
            assert_eq!(read(&mut bytes).await, 0);
            assert!(begun.elapsed() >= HALF_CLOSED && begun.elapsed() < HALF_CLOSED * 2);
            // What is written finds it, or finds that it is gone.
            let (mut bytes, step) = after(REQUEST, true).await;
            assert!(timeout(HALF_CLOSED / 2, read(&mut bytes)).await.is_err());
            let written = poll_fn(|context| Pin::new(&mut bytes).poll_write(context, b"x")).await;
            assert_eq!(written.expect("it takes it"), 1);
            assert!(timeout(HALF_CLOSED * 1000, read(&mut bytes)).await.is_err());
            drop(step);
            assert_eq!(read(&mut bytes).await, 0, "the answer is written");
        });
    }
}
