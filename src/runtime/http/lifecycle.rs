//! How a transport begins and ends: over HTTP+SSE (2024-11-05) the stream is opened on which everything comes; from 2025-03-26 on
//! nothing is, but the stream of the server's own messages (legacy era), which is resumed when it ends, and whose failure fails nothing
//! else; at last the session is deleted.

use super::errors::{self};
use super::event_stream::{Reading, StreamOutcome};
use super::exchange::{LONGEST_WAIT, SESSION_END, SendPurpose, pause};
use super::transport::{HttpShared, TransportGuard};
use super::{HttpRuntime, HttpTransport};
use crate::engine::{Error, ExchangeFailure, FailureKind, Level, Shape, Status};
use crate::protocol::{Era, Revision};
use crate::runtime::lock;
use crate::transport::http::client::{Endpoint, Received};
use crate::transport::http::request::Speaking;
use crate::transport::http::response::{Answer, Sent};
use crate::transport::http::{request, response};
use crate::transport::sse::Piece;
use hyper::Method;
use hyper::body::Bytes;
use serde_json::Value;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Opens the transport that `guard` stands for.
pub(super) async fn open(
    guard: TransportGuard,
    shape: Shape,
    shared: Arc<HttpShared>,
    runtime: Weak<HttpRuntime>,
) {
    let generation = guard.generation;
    let weak = Weak::clone(&guard.owner);
    let failed = |error: Error| {
        if let Some(connection) = weak.upgrade() {
            connection.failed_to_start(generation, error);
        }
    };
    let limit = shared.settings.connect;
    let link = match shared.make_link(guard, shape, runtime) {
        Ok(link) => Arc::new(link),
        Err(error) => return failed(error),
    };
    match shape {
        Shape::Streamable => present(&link, &shared),
        Shape::Sse => match tokio::time::timeout(limit, endpoint(&link)).await {
            Ok(Ok(reading)) => {
                present(&link, &shared);
                drop(shared);
                listen(&link, reading).await;
            }
            Ok(Err(error)) => failed(error),
            Err(_) => failed(slow(limit)),
        },
    }
}

fn slow(limit: Duration) -> Error {
    let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let message = format!(
        "the server's event stream did not begin within {limit} ms with the event 'endpoint' (timeouts.connect_ms)"
    );
    Error::new(Status::Timeout, "connect", message).with("limit_ms", limit)
}

fn present(link: &Arc<HttpTransport>, shared: &HttpShared) {
    let Some(connection) = link.connection() else { return };
    if !connection.opened(link.generation, &mut || *lock(&shared.link) = Some(Arc::clone(link))) {
        link.shut(None);
    }
}

/// Opens the stream of 2024-11-05 and waits for its first event, which says where to post.
async fn endpoint(link: &Arc<HttpTransport>) -> Result<Reading, Error> {
    let speaking = Speaking { revision: Revision::V2024_11_05, initialized: false, session: None };
    let headers = request::get(speaking, None);
    let purpose = SendPurpose::of("connect");
    let sent = link.request(Method::GET, &link.place, &headers, hyper::body::Bytes::new(), purpose).await;
    let mut received: Received = sent.map_err(|failure| failure.error)?;
    match response::by_head(Sent::Listen, received.head(false)) {
        Some(Answer::EventStream) => {}
        _ => {
            let context = link.context("connect");
            return Err(errors::read(Sent::Listen, &mut received, false, &context).await.error);
        }
    }
    let mut reading = Reading::new(received.body, link.bounds());
    loop {
        match reading.next().await {
            Ok(Some(Piece::Event(event))) if event.kind == "endpoint" => {
                let text = String::from_utf8_lossy(&event.data);
                let to = link.place.address().join(text.trim_ascii());
                let refused = |why: String| {
                    Error::new(
                        Status::Protocol,
                        "connect",
                        format!("the server's event 'endpoint' names '{text}': {why}"),
                    )
                };
                let to = to.map_err(|why| refused(why.to_string()))?;
                if to.origin() != link.place.address().origin() {
                    return Err(refused(format!(
                        "that is another origin than {}, which would get what was meant for this server",
                        link.place.address().origin()
                    )));
                }
                link.post_to(Endpoint::new(to).map_err(refused)?);
                return Ok(reading);
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                let what = "the server's event stream ended before it said where to post (event 'endpoint')";
                return Err(Error::new(Status::Protocol, "connect", what));
            }
            Err(why) => return Err(Error::new(Status::Transport, "connect", why.to_string())),
        }
    }
}

/// Everything that a server of 2024-11-05 says comes here, and with the stream the connection ends.
async fn listen(link: &Arc<HttpTransport>, mut reading: Reading) {
    let end = link.read(&mut reading, None).await;
    let why = match end {
        StreamOutcome::Gone | StreamOutcome::Answered => return,
        StreamOutcome::Ended => "the server ended its event stream".to_owned(),
        StreamOutcome::Broken(why) => format!("the server's event stream was lost: {why}"),
    };
    if let Some(connection) = link.connection() {
        connection.lost(link.generation, Error::new(Status::Transport, "connection", why));
    }
}

/// Attempts in a row that reach no server, before the connection counts as lost.
const UNREACHABLE: u32 = 2;

impl HttpTransport {
    /// Keeps the stream open for as long as the server has one.
    pub(super) async fn listens(self: &Arc<Self>, revision: Revision) {
        // A server may take nothing before `notifications/initialized`.
        self.notices_sent().await;
        let mut reading: Option<Reading> = None;
        let mut had_one = false;
        let mut attempts = 0;
        let mut unreachable = 0;
        loop {
            let begun = tokio::time::Instant::now();
            let session = self.session();
            let speaking = Speaking { revision, initialized: true, session: session.as_ref() };
            let id = reading.as_ref().and_then(|reading| reading.parser().last_id()).map(str::to_owned);
            let headers = request::get(speaking, id.as_deref());
            let context = self.context("listen");
            let purpose = SendPurpose::of("listen");
            let sent =
                self.request(Method::GET, self.target(), &headers, hyper::body::Bytes::new(), purpose).await;
            let why = match sent {
                Ok(mut received) => {
                    unreachable = 0;
                    if let Some(Answer::EventStream) =
                        response::by_head(Sent::Listen, received.head(session.is_some()))
                    {
                        // One that goes on where it broke off has missed nothing.
                        if id.is_none() {
                            self.listening();
                        }
                        had_one = true;
                        let stream = match reading.as_mut() {
                            Some(reading) => {
                                reading.reopen(received.body);
                                reading
                            }
                            None => reading.insert(Reading::new(received.body, self.bounds())),
                        };
                        match self.read(stream, None).await {
                            StreamOutcome::Gone | StreamOutcome::Answered => return,
                            StreamOutcome::Ended => "it ended".to_owned(),
                            StreamOutcome::Broken(why) => why.to_string(),
                        }
                    } else {
                        let failure =
                            errors::read(Sent::Listen, &mut received, session.is_some(), &context).await;
                        self.listening();
                        if !failure.error.retryable && had_one && id.is_some() {
                            // It does not keep what followed: what was missed is lost, what comes now need not be.
                            reading = None;
                        } else if !failure.error.retryable && had_one && session.is_some() {
                            // A session that it serves has such a stream.
                            return self.has_no_session(failure);
                        } else if !failure.error.retryable {
                            // It has none: most servers say so with 405.
                            return self.log(
                                Level::Debug,
                                "listen.none",
                                &[("why", failure.error.message.into())],
                            );
                        }
                        failure.error.message
                    }
                }
                Err(failure) => {
                    self.listening();
                    if failure.kind == FailureKind::Unreachable {
                        unreachable += 1;
                    }
                    failure.error.message
                }
            };
            if unreachable >= UNREACHABLE {
                // Perhaps nothing else notices that the server is gone.
                if let Some(connection) = self.connection() {
                    connection.lost(self.generation, Error::new(Status::Transport, "connection", why));
                }
                return;
            }
            let brought = reading.as_mut().is_some_and(|reading| std::mem::take(&mut reading.progressed));
            if brought || begun.elapsed() >= LONGEST_WAIT {
                // What lived that long was a good stream, however quiet: something on the way ends idle ones.
                attempts = 0;
            }
            if attempts >= self.settings.resume_attempts {
                return self.log(
                    Level::Warn,
                    "listen.given_up",
                    &[("why", why.into()), ("attempts", attempts.into())],
                );
            }
            let retry = reading.as_ref().and_then(|reading| reading.parser().last_retry());
            self.log(Level::Debug, "listen.again", &[("why", why.into()), ("attempt", attempts.into())]);
            tokio::time::sleep(pause(retry, attempts)).await;
            attempts += 1;
        }
    }

    /// The server knows the session no more.
    fn has_no_session(&self, failure: ExchangeFailure) {
        if let Some(connection) = self.connection() {
            connection.session_ended(self.generation, None, failure, &mut || self.session_is_gone());
        }
    }

    fn listening(&self) {
        if let Some(connection) = self.connection() {
            connection.listening(self.generation);
        }
    }
}

impl HttpTransport {
    /// Ends everything that is under way, and the session with it, within a time.
    pub(crate) fn shut(self: &Arc<Self>, by: Option<Instant>) {
        let guard = lock(&self.guard).take();
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
        let Some(runtime) = self.runtime.upgrade() else { return };
        let most = connection.context().transport.close;
        let limit = by.map_or(most, |by| by.saturating_duration_since(Instant::now()).min(most));
        let link = Arc::clone(self);
        runtime.spawn(async move {
            link.end_session(limit).await;
            // The sockets of what was aborted close when their tasks are dropped, which is before this goes on.
            tokio::task::yield_now().await;
            drop(guard);
        });
    }

    /// Tells the server that the session is over (2025-11-25 `basic/transports`). Whatever it says is well.
    async fn end_session(&self, limit: Duration) {
        let Some((session, revision)) = lock(&self.session).take() else { return };
        if limit.is_zero() || revision.era() == Era::Modern {
            return;
        }
        let headers = request::delete(Speaking { revision, initialized: true, session: Some(&session) });
        let purpose = SendPurpose::of(SESSION_END);
        let sent = self.request(Method::DELETE, self.target(), &headers, Bytes::new(), purpose);
        let outcome = match tokio::time::timeout(limit, sent).await {
            Ok(Ok(received)) => Value::from(received.status),
            Ok(Err(failure)) => Value::from(failure.error.message),
            Err(_) => Value::from("no answer in time"),
        };
        self.log(Level::Debug, "session.ended", &[("answer", outcome)]);
    }
}
