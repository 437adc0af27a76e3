//! Connections that hyper-util keeps: with TLS, which may bring HTTP/2, or through a proxy.

use super::connect::Connector;
use super::settings::HttpSettings;
use super::socket::ReadCounter;
use super::unanswered::{LEAST_BUFFER, MOST_HEADERS, Unanswered, unanswered};
use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;
use hyper::http::Extensions;
use hyper_util::client::legacy::connect::CaptureConnection;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use tokio::sync::Notify;

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
