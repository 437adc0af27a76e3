//! Whether a connection gets anywhere: what its client must take, and since when nothing is asked on it.

use super::body::ServerBody;
use super::meters::HttpMeters;
use crate::runtime::lock;
use crate::runtime::server::budget::GivesWay;
use crate::transport::http_server::quiet::poll_write_parts;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use rustix::net::{Shutdown, shutdown};
use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Sleep;

#[derive(Debug)]
struct Inside {
    next: u64,
    /// Requests that are served and bodies that are written, by number; since when the client has to take what one gave.
    open: BTreeMap<u64, Option<Instant>>,
    /// Since when nothing is.
    idle: Instant,
}

/// What is under way on one connection.
#[derive(Debug)]
pub(super) struct ConnectionProgress {
    inside: Mutex<Inside>,
    /// Others need the room that it takes.
    needed: Notify,
}

/// What gives way where others need the room that a request takes, for the endpoint that serves the request.
#[derive(Clone)]
pub(super) struct ConnectionGivesWay(pub(super) Weak<dyn GivesWay>);

impl GivesWay for ConnectionProgress {
    /// All that is under way on the connection ends with it: HTTP keeps what its client does not take, and gives back no part of it.
    fn give_way(&self, _bytes: usize) {
        self.needed.notify_one();
    }
}

impl ConnectionProgress {
    pub(super) fn new() -> Arc<ConnectionProgress> {
        let inside = Mutex::new(Inside { next: 0, open: BTreeMap::new(), idle: Instant::now() });
        Arc::new(ConnectionProgress { inside, needed: Notify::new() })
    }

    /// A request has come.
    pub(super) fn begin(self: &Arc<ConnectionProgress>) -> ProgressStep {
        let mut inside = lock(&self.inside);
        let number = inside.next;
        inside.next += 1;
        inside.open.insert(number, None);
        ProgressStep { progress: Arc::clone(self), number }
    }

    /// Waits until others need the room.
    pub(super) async fn gives_way(&self) {
        self.needed.notified().await;
    }

    /// Whether there is something to look after.
    pub(super) fn is_busy(&self) -> bool {
        !lock(&self.inside).open.is_empty()
    }

    /// Whether the client has taken nothing of an answer for that long.
    pub(super) fn is_stuck(&self, limit: Duration) -> bool {
        lock(&self.inside).open.values().flatten().any(|since| since.elapsed() > limit)
    }

    /// Whether nothing was asked for that long.
    pub(super) fn is_idle(&self, limit: Duration) -> bool {
        let inside = lock(&self.inside);
        inside.open.is_empty() && inside.idle.elapsed() > limit
    }
}

/// One request, until its answer has been written.
#[derive(Debug)]
pub(super) struct ProgressStep {
    progress: Arc<ConnectionProgress>,
    number: u64,
}

impl ProgressStep {
    /// What gives way for others.
    pub(super) fn way(&self) -> ConnectionGivesWay {
        let progress: Weak<ConnectionProgress> = Arc::downgrade(&self.progress);
        ConnectionGivesWay(progress)
    }

    /// The client has to take something, or has taken all that there is for now.
    fn waits(&self, for_client: bool) {
        if let Some(since) = lock(&self.progress.inside).open.get_mut(&self.number) {
            *since = for_client.then(Instant::now);
        }
    }
}

impl Drop for ProgressStep {
    fn drop(&mut self) {
        let mut inside = lock(&self.progress.inside);
        inside.open.remove(&self.number);
        inside.idle = Instant::now();
    }
}

/// A body that says whether its client takes it.
#[derive(Debug)]
pub(super) struct Watched {
    body: ServerBody,
    step: ProgressStep,
}

impl Watched {
    pub(super) fn new(body: ServerBody, step: ProgressStep) -> Watched {
        step.waits(!body.is_end_stream());
        Watched { body, step }
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = super::body::Cut;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.step.waits(polled.is_ready());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection whose client must take what is written to it within a time.
#[derive(Debug)]
pub(super) struct Paced {
    io: TcpStream,
    meters: Arc<HttpMeters>,
    limit: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    pub(super) fn new(io: TcpStream, limit: Duration, meters: Arc<HttpMeters>) -> Paced {
        Paced { io, meters, limit, timer: None }
    }

    /// What was written.
    fn count(&self, polled: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(written)) = polled {
            self.meters.sent.add(*written as u64);
        }
    }

    /// What becomes of a write that may have to wait.
    fn within<R>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if polled.is_ready() {
            self.timer = None;
            return polled;
        }
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Drop for Paced {
    /// A child of `fork` may have a copy of the descriptor: closing this one would not end the connection.
    fn drop(&mut self) {
        // It fails when the client has ended it before.
        let _gone = shutdown(&self.io, Shutdown::Both);
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.io).poll_read(context, into);
        self.meters.received.add((into.filled().len() - before) as u64);
        polled
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = poll_write_parts(&self.io, context, &[io::IoSlice::new(bytes)]);
        self.count(&polled);
        self.within(context, polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = poll_write_parts(&self.io, context, parts);
        self.count(&polled);
        self.within(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_flush(context);
        self.within(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_shutdown(context);
        self.within(context, polled)
    }
}
