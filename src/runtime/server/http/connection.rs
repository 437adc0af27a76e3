//! Connections of clients: TLS, and HTTP on each. The thread that drives the server accepts them; the library's runtime of HTTP
//! drives them.

use super::endpoint::Endpoint;
use crate::engine::Error;
use crate::runtime::http::HttpRuntime;
use crate::runtime::server::HttpFront;
use crate::transport::socket::SocketAddress;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustix::fd::OwnedFd;
use rustls::ServerConfig;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;

/// Requests of one connection of HTTP/2 at one time.
const STREAMS: u32 = 128;
/// The most headers of one request.
const HEADERS: usize = 100;
/// The least buffer that hyper takes.
const LEAST_BUFFER: usize = 8192;

/// The connections of one URL. Dropping it ends them.
#[derive(Debug)]
pub(crate) struct Connections {
    shared: Shared,
    runtime: Arc<HttpRuntime>,
    closing: watch::Sender<bool>,
    sweeping: AbortHandle,
}

/// What every connection has.
#[derive(Clone)]
struct Shared {
    endpoint: Arc<Endpoint>,
    tls: Option<TlsAcceptor>,
    closing: watch::Receiver<bool>,
    room: Arc<Semaphore>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Connections {
    /// No connection yet.
    ///
    /// # Errors
    /// When there is no thread or descriptor for the runtime.
    pub(crate) fn new(endpoint: Arc<Endpoint>, tls: Option<Arc<ServerConfig>>) -> Result<Connections, Error> {
        let runtime = HttpRuntime::acquire()?;
        let (closing, watching) = watch::channel(false);
        let sweeping = runtime.spawn(sweep(Arc::clone(&endpoint)));
        let shared = Shared {
            room: Arc::new(Semaphore::new(endpoint.limits().connections)),
            endpoint,
            tls: tls.map(TlsAcceptor::from),
            closing: watching,
        };
        Ok(Connections { shared, runtime, closing, sweeping })
    }
}

impl HttpFront for Connections {
    fn url(&self, address: &SocketAddress) -> String {
        let scheme = if self.shared.tls.is_some() { "https" } else { "http" };
        let path = self.shared.endpoint.path();
        match address {
            SocketAddress::Tcp { host, port } if host.contains(':') => {
                format!("{scheme}://[{host}]:{port}{path}")
            }
            SocketAddress::Tcp { host, port } => format!("{scheme}://{host}:{port}{path}"),
            other => other.to_string(),
        }
    }

    fn connected(&self, fd: OwnedFd, is_tcp: bool) -> bool {
        let Ok(room) = Arc::clone(&self.shared.room).try_acquire_owned() else { return false };
        let shared = self.shared.clone();
        self.runtime.spawn(async move {
            connected(fd, is_tcp, shared).await;
            drop(room);
        });
        true
    }

    fn drain(&self) {
        self.sweeping.abort();
        self.closing.send_replace(true);
        // The tasks end when they are driven.
        drop(self.runtime.spawn(async {}));
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        self.drain();
        HttpRuntime::release();
    }
}

/// Ends sessions that are not used.
async fn sweep(endpoint: Arc<Endpoint>) {
    while let Some(next) = endpoint.end_unused(Instant::now()) {
        tokio::time::sleep_until(next.into()).await;
    }
}

async fn connected(fd: OwnedFd, is_tcp: bool, shared: Shared) {
    if is_tcp {
        let stream = std::net::TcpStream::from(fd);
        if let Ok(stream) = TcpStream::from_std(stream) {
            secured(stream, shared).await;
        }
    } else if let Ok(stream) = UnixStream::from_std(std::os::unix::net::UnixStream::from(fd)) {
        secured(stream, shared).await;
    }
}

async fn secured(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, shared: Shared) {
    let Some(tls) = shared.tls.clone() else {
        return serve_http1(stream, shared).await;
    };
    // A client has as long for this as for the head of a request.
    let shaken = tokio::time::timeout(shared.endpoint.limits().head, tls.accept(stream)).await;
    let Ok(Ok(stream)) = shaken else { return };
    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
        serve_http2(stream, shared).await;
    } else {
        serve_http1(stream, shared).await;
    }
}

async fn serve_http1(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, shared: Shared) {
    let limits = shared.endpoint.limits();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(HEADERS)
        .max_buf_size(limits.head_bytes.max(LEAST_BUFFER))
        .half_close(false);
    let endpoint = Arc::clone(&shared.endpoint);
    let service = service_fn(move |request: Request<Incoming>| {
        let endpoint = Arc::clone(&endpoint);
        async move { Ok::<_, Infallible>(endpoint.serve(request).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    until_closing(shared.closing, connection, http1::Connection::graceful_shutdown).await;
}

async fn serve_http2(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, shared: Shared) {
    let limits = shared.endpoint.limits();
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(limits.keep_alive)
        .keep_alive_timeout(limits.head);
    let endpoint = Arc::clone(&shared.endpoint);
    let service = service_fn(move |request: Request<Incoming>| {
        let endpoint = Arc::clone(&endpoint);
        async move { Ok::<_, Infallible>(endpoint.serve(request).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    until_closing(shared.closing, connection, http2::Connection::graceful_shutdown).await;
}

/// Drives a connection to its end, and has it end when the server closes. What goes wrong on it is its client's affair.
async fn until_closing<C: Future>(
    mut closing: watch::Receiver<bool>,
    mut connection: std::pin::Pin<&mut C>,
    end: impl Fn(std::pin::Pin<&mut C>),
) {
    let mut told = std::pin::pin!(closing.wait_for(|closing| *closing));
    let has_ended = std::future::poll_fn(|context| {
        if connection.as_mut().poll(context).is_ready() {
            return Poll::Ready(true);
        }
        told.as_mut().poll(context).map(|_| false)
    });
    if has_ended.await {
        return;
    }
    end(connection.as_mut());
    let _ended = connection.await;
}
