//! `Seats`: the connections of one URL, up to their bound. Where one more comes, one that has asked for nothing gives way, of the
//! client that has most of those; else one on which nothing is under way, of the client that has most connections.

use super::documents::HttpMeters;
use super::response::ServerBody;
use crate::runtime::lock;
use crate::runtime::server::budget::GivesWay;
use crate::shares::{Holder, Places};
use crate::sorted::SortedMap;
use crate::transport::http_server::connection::poll_write_parts;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use rustix::net::{Shutdown, shutdown};
use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Sleep;

/// A connection that is open.
#[derive(Debug)]
struct OpenConnection {
    progress: Arc<ConnectionProgress>,
    /// What serves it; not there before it runs.
    task: Option<AbortHandle>,
}

#[derive(Debug)]
struct Table {
    places: Places<Holder>,
    open: HashMap<u64, OpenConnection>,
    next: u64,
    /// Connections whose tasks are not over, those included that gave way.
    live: usize,
}

/// The connections of one URL. Owns who has them.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    most: usize,
    table: Arc<Mutex<Table>>,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    number: u64,
    progress: Arc<ConnectionProgress>,
    table: Arc<Mutex<Table>>,
}

impl Seats {
    /// Room for `most` connections.
    pub(super) fn new(most: usize) -> Seats {
        let table = Table { places: Places::new(most), open: HashMap::new(), next: 0, live: 0 };
        Seats { most, table: Arc::new(Mutex::new(table)) }
    }

    /// A seat for one more connection. `None` if there are as many as there may be and none gives way.
    pub(super) fn take(&self, holder: &Holder) -> Option<Seat> {
        let is_full = lock(&self.table).places.count() >= self.most;
        if is_full && !self.give_way(holder) {
            return None;
        }
        let mut table = lock(&self.table);
        let number = table.next;
        // Another thread may have taken the room.
        if !table.places.add(number, holder.clone()) {
            return None;
        }
        table.next += 1;
        table.live += 1;
        let progress = ConnectionProgress::new();
        table.open.insert(number, OpenConnection { progress: Arc::clone(&progress), task: None });
        Some(Seat { number, progress, table: Arc::clone(&self.table) })
    }

    /// What serves a connection, which ends it.
    pub(super) fn serves(&self, number: u64, task: AbortHandle) {
        match lock(&self.table).open.get_mut(&number) {
            Some(open) => open.task = Some(task),
            // It gave way before.
            None => task.abort(),
        }
    }

    /// Ends a connection for one of `newcomer`; whether one gave way.
    pub(super) fn give_way(&self, newcomer: &Holder) -> bool {
        let mut table = lock(&self.table);
        let Table { places, open, .. } = &mut *table;
        let is_in_use =
            |number| open.get(&number).is_some_and(|open: &OpenConnection| open.progress.is_busy());
        let Some(number) = places.give_way(newcomer, is_in_use) else { return false };
        let gone = table.open.remove(&number);
        drop(table);
        if let Some(task) = gone.and_then(|open| open.task) {
            task.abort();
        }
        true
    }

    /// How many connections there are, those included that gave way and are not over.
    pub(super) fn count(&self) -> usize {
        lock(&self.table).live
    }
}

impl Seat {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// What is under way on the connection.
    pub(super) fn progress(&self) -> &Arc<ConnectionProgress> {
        &self.progress
    }

    /// A request has come.
    pub(super) fn begin(&self) -> ProgressStep {
        lock(&self.table).places.used(self.number);
        self.progress.begin()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        table.live -= 1;
        table.places.remove(self.number);
        let gone = table.open.remove(&self.number);
        drop(table);
        drop(gone);
    }
}

/// Whether a connection gets anywhere: what its client must take, and since when nothing is asked on it.
#[derive(Debug)]
struct Inside {
    next: u64,
    /// Requests that are served and bodies that are written, by number; since when the client has to take what one gave.
    open: SortedMap<u64, Option<Instant>>,
    /// Since when nothing is.
    idle: Instant,
}

/// What is under way on one connection.
#[derive(Debug)]
pub(super) struct ConnectionProgress {
    inside: Mutex<Inside>,
    /// Others need the room that it takes.
    is_needed: AtomicBool,
    needed: Notify,
    /// Whether a request was taken up since the connection was driven last.
    has_had_turn: AtomicBool,
}

/// What gives way where others need the room that a request takes, for the endpoint that serves the request.
#[derive(Clone)]
pub(super) struct ConnectionGivesWay(pub(super) Weak<dyn GivesWay>);

impl GivesWay for ConnectionProgress {
    /// All that is under way on the connection ends with it: HTTP keeps what its client does not take, and gives back no part of it.
    fn give_way(&self, _bytes: usize) {
        self.is_needed.store(true, Ordering::Release);
        self.needed.notify_one();
    }
}

impl ConnectionProgress {
    pub(super) fn new() -> Arc<ConnectionProgress> {
        let inside = Mutex::new(Inside { next: 0, open: SortedMap::new(), idle: Instant::now() });
        Arc::new(ConnectionProgress {
            inside,
            is_needed: AtomicBool::new(false),
            needed: Notify::new(),
            has_had_turn: AtomicBool::new(false),
        })
    }

    /// A request has come.
    pub(super) fn begin(self: &Arc<ConnectionProgress>) -> ProgressStep {
        let mut inside = lock(&self.inside);
        let number = inside.next;
        inside.next += 1;
        inside.open.insert(number, None);
        ProgressStep { progress: Arc::clone(self), number }
    }

    /// The connection is driven once more.
    pub(super) fn is_driven(&self) {
        self.has_had_turn.store(false, Ordering::Relaxed);
    }

    /// Waits until the connections that are ready, too, were driven, if a request was taken up on this one in this turn: a client that
    /// sends requests without waiting for their answers gets one at a time as others do.
    pub(super) async fn turn(&self) {
        if self.has_had_turn.swap(true, Ordering::Relaxed) {
            tokio::task::yield_now().await;
            self.has_had_turn.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until others need the room.
    pub(super) async fn gives_way(&self) {
        self.needed.notified().await;
    }

    /// Whether others need the room.
    pub(super) fn is_needed(&self) -> bool {
        self.is_needed.load(Ordering::Acquire)
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
    /// Waits for the turn of its connection.
    pub(super) async fn turn(&self) {
        self.progress.turn().await;
    }

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
    type Error = super::response::Cut;

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future as _;
    use std::pin::pin;

    fn at(last: u8) -> Holder {
        Holder::Address(std::net::Ipv4Addr::new(127, 0, 0, last).into())
    }

    /// What a client that waits for nothing gets done in one turn, and what others get done meanwhile.
    #[test]
    fn requests_that_are_not_waited_for_are_taken_up_one_a_turn() {
        let progress = ConnectionProgress::new();
        let taken = std::cell::Cell::new(0);
        let mut flood = pin!(async {
            loop {
                let step = progress.begin();
                step.turn().await;
                taken.set(taken.get() + 1);
            }
        });
        let mut context = Context::from_waker(std::task::Waker::noop());
        for turn in 1..=100 {
            progress.is_driven();
            assert!(flood.as_mut().poll(&mut context).is_pending());
            assert_eq!(taken.get(), turn);
        }
        // A client that waits for its answers waits for nothing else.
        let other = ConnectionProgress::new();
        for _ in 0..3 {
            other.is_driven();
            assert!(pin!(other.turn()).poll(&mut context).is_ready());
        }
    }

    #[test]
    fn a_connection_that_has_asked_for_something_stays_and_one_that_is_asked_on_too() {
        let seats = Seats::new(3);
        let (asked, asks) = (seats.take(&at(1)).expect("room"), seats.take(&at(2)).expect("room"));
        drop(asked.begin());
        let step = asks.begin();
        let silent: Vec<Seat> =
            (0..100).map(|_| seats.take(&at(2)).expect("a silent one gives way")).collect();
        let open = |seats: &Seats| {
            let mut open: Vec<u64> = lock(&seats.table).open.keys().copied().collect();
            open.sort_unstable();
            open
        };
        let last = silent.last().expect("one").number;
        assert_eq!(open(&seats), [asked.number, asks.number, last]);
        assert!(seats.count() > 3, "those that gave way are not over yet");
        // One more of an address that has fewer: the silent one goes, then one that is asked on.
        let more = seats.take(&at(3)).expect("room");
        assert_eq!(open(&seats), [asked.number, asks.number, more.number]);
        drop((step, silent));
        let second = asks.begin();
        drop((more, asked, second, asks));
        assert_eq!(seats.count(), 0);
    }
}
