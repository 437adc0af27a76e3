//! The two ends of one stream of messages to a client, and what of it waits for the client.

use crate::engine::server::Frame as Sent;
use crate::runtime::lock;
use crate::transport::http_server::event_store::EventId;
use crate::transport::http_server::event_stream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// One message on its way to a client.
#[derive(Debug)]
pub(super) struct Outgoing {
    /// The id of its event, where clients may come back for it.
    pub(super) id: Option<EventId>,
    pub(super) frame: Vec<u8>,
    pub(super) sent: Sent,
    /// In place of a message: the stream ends early, and its client is to come back after this time.
    pub(super) retry: Option<Duration>,
}

impl Outgoing {
    /// The event that it is sent as.
    pub(super) fn event(&self) -> Vec<u8> {
        let id = self.id.map(EventId::text);
        match self.retry {
            Some(retry) => event_stream::priming(id.as_deref().unwrap_or_default(), retry),
            None => event_stream::message(id.as_deref(), &self.frame),
        }
    }
}

/// What both ends know.
#[derive(Debug)]
struct Shared {
    waiting: AtomicUsize,
    cut: AtomicBool,
    /// When the client last took something, or nothing waited.
    moved: Mutex<Instant>,
}

/// The end that the server writes to.
#[derive(Debug)]
pub(super) struct Sink {
    sender: UnboundedSender<Outgoing>,
    shared: Arc<Shared>,
    takes_events: bool,
}

/// The end that the answer is made of.
#[derive(Debug)]
pub(super) struct Source {
    receiver: UnboundedReceiver<Outgoing>,
    shared: Arc<Shared>,
}

/// A stream whose client takes events, or the answer alone.
pub(super) fn channel(takes_events: bool) -> (Sink, Source) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let shared = Arc::new(Shared {
        waiting: AtomicUsize::new(0),
        cut: AtomicBool::new(false),
        moved: Mutex::new(Instant::now()),
    });
    (Sink { sender, shared: Arc::clone(&shared), takes_events }, Source { receiver, shared })
}

impl Sink {
    /// Whether its client takes events.
    pub(super) fn takes_events(&self) -> bool {
        self.takes_events
    }

    /// Sends a message; whether the other end is there. `None` if the client leaves more than `most` bytes unread, or took nothing
    /// for `write`.
    pub(super) fn send(&self, message: Outgoing, most: usize, write: Duration) -> Option<bool> {
        let waiting = self.shared.waiting.load(Ordering::Relaxed);
        let is_stuck = {
            let mut moved = lock(&self.shared.moved);
            if waiting == 0 {
                *moved = Instant::now();
            }
            moved.elapsed() > write
        };
        (waiting <= most && !is_stuck).then(|| self.give(message))
    }

    /// Sends a message that has a bound of its own; whether the other end is there.
    pub(super) fn give(&self, message: Outgoing) -> bool {
        self.shared.waiting.fetch_add(message.frame.len(), Ordering::Relaxed);
        self.sender.send(message).is_ok()
    }

    /// The client did not read.
    pub(super) fn cut(&self) {
        self.shared.cut.store(true, Ordering::Relaxed);
    }

    /// Whether this is the other end.
    pub(super) fn leads_to(&self, source: &Source) -> bool {
        Arc::ptr_eq(&self.shared, &source.shared)
    }
}

impl Source {
    /// The next message; `None` at the end.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        let polled = self.receiver.poll_recv(context);
        if let Poll::Ready(Some(message)) = &polled {
            self.shared.waiting.fetch_sub(message.frame.len(), Ordering::Relaxed);
            *lock(&self.shared.moved) = Instant::now();
        }
        polled
    }

    pub(super) async fn next(&mut self) -> Option<Outgoing> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// Whether the stream ended because its client did not read.
    pub(super) fn was_cut(&self) -> bool {
        self.shared.cut.load(Ordering::Relaxed)
    }
}
