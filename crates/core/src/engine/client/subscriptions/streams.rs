//! The streams of change notifications (2026-07-28 `basic/patterns/subscriptions`): the one that is open, the one that is being
//! opened, and the calls that wait for it. At most one stream is being opened at a time.
//!
//! What is wanted of a stream has a version, which grows with every change. A stream that is acknowledged grants the wishes of its
//! version and of all before.

use std::collections::VecDeque;
use std::time::Instant;

/// Streams of ours that ended, whose last messages may still come.
const ENDED: usize = 64;

/// A stream: open, or being opened.
#[derive(Debug)]
struct SubscriptionStream {
    exchange: u64,
    /// Which version of the wishes it was opened for.
    version: u64,
    /// What the server granted of it, JSON text of an object.
    granted: Option<Box<str>>,
    /// Whether it asks for the states of tasks.
    tasks: bool,
}

/// A call that waits for what was changed to be acknowledged.
#[derive(Debug)]
pub(crate) struct WaitingCall {
    pub(crate) call: u64,
    version: u64,
    /// The resource that it subscribed to; `None` when it ended a subscription.
    pub(crate) uri: Option<Box<str>>,
}

/// The stream that was being opened is open.
#[derive(Debug)]
pub(crate) struct OpenedStream {
    pub(crate) exchange: u64,
    /// The version of the wishes that it grants.
    pub(crate) version: u64,
    /// The stream that it replaces, to be closed.
    pub(crate) replaced: Option<u64>,
}

/// What a notification that names a stream is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StreamNotification {
    /// The acknowledgement of the stream that is being opened.
    Opens,
    /// For the application.
    Passes,
    /// The library's own, or one that another stream brings too.
    Dropped,
}

/// Which stream ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndedStream {
    /// The one that was being opened.
    Opening {
        /// It asked for the states of tasks, which may be what the server refuses.
        with_tasks: bool,
    },
    /// The one that was open.
    Open,
    /// One that had ended before.
    Earlier,
    /// None of ours.
    Unknown,
}

/// The streams of one client.
#[derive(Default, Debug)]
pub(crate) struct SubscriptionStreams {
    current: Option<SubscriptionStream>,
    next: Option<SubscriptionStream>,
    waiting: Vec<WaitingCall>,
    version: u64,
    ended: VecDeque<u64>,
    /// Streams that ended in a row without a change arriving.
    failures: u32,
    /// When a stream is opened again.
    again: Option<Instant>,
    /// How often changes may have been missed.
    gaps: u64,
    /// The server refused a stream that asked for the states of tasks: they are polled only.
    tasks_refused: bool,
}

impl SubscriptionStreams {
    /// How often changes may have been missed.
    pub(crate) fn gaps(&self) -> u64 {
        self.gaps
    }

    /// Changes may have been missed.
    pub(crate) fn missed(&mut self) {
        self.gaps += 1;
    }

    /// What the server granted of the current stream, JSON text of an object.
    pub(crate) fn granted(&self) -> Option<&str> {
        self.current.as_ref().and_then(|stream| stream.granted.as_deref())
    }

    /// The version of what is wanted now.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether a stream is being opened.
    pub(crate) fn is_opening(&self) -> bool {
        self.next.is_some()
    }

    /// Whether a stream is open, or will be.
    pub(crate) fn has_one(&self) -> bool {
        self.current.is_some() || self.next.is_some() || self.again.is_some()
    }

    /// Whether the server refused a stream that asked for the states of tasks.
    pub(crate) fn tasks_refused(&self) -> bool {
        self.tasks_refused
    }

    /// Whether a stream of ours with this exchange has ended.
    pub(crate) fn has_ended(&self, exchange: u64) -> bool {
        self.ended.contains(&exchange)
    }

    /// Whether a call waits for the server to take up its subscription.
    pub(crate) fn awaits(&self, call: u64) -> bool {
        self.waiting.iter().any(|waiting| waiting.call == call)
    }

    /// What is wanted has changed.
    pub(crate) fn change(&mut self) {
        self.version += 1;
    }

    /// A call changed what is wanted and waits for the stream that has it. `uri` is the resource that it subscribed to.
    pub(crate) fn wait(&mut self, call: u64, uri: Option<Box<str>>) {
        self.version += 1;
        self.waiting.push(WaitingCall { call, version: self.version, uri });
    }

    /// A call subscribes to what another call waits for: it waits too. Says whether there is such a call.
    pub(crate) fn join(&mut self, call: u64, uri: &str) -> bool {
        let under_way = |waiting: &&WaitingCall| waiting.uri.as_deref() == Some(uri);
        let Some(version) = self.waiting.iter().find(under_way).map(|waiting| waiting.version) else {
            return false;
        };
        self.waiting.push(WaitingCall { call, version, uri: Some(uri.into()) });
        true
    }

    /// A call ended before the server took up its subscription. Gives the resource that is not wanted any more.
    pub(crate) fn stop_waiting(&mut self, call: u64) -> Option<Box<str>> {
        let at = self.waiting.iter().position(|waiting| waiting.call == call)?;
        self.waiting.remove(at).uri
    }

    /// Whether a call waits.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.waiting.iter().any(|waiting| waiting.call == call)
    }

    /// The calls whose wishes are of this version or an earlier one; they wait no longer.
    pub(crate) fn take_waiting(&mut self, version: u64) -> Vec<WaitingCall> {
        let (done, later) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.version <= version);
        self.waiting = later;
        done
    }

    /// A stream is being opened for what is wanted now.
    pub(crate) fn begin(&mut self, exchange: u64, tasks: bool) {
        self.next = Some(SubscriptionStream { exchange, version: self.version, granted: None, tasks });
    }

    /// The server acknowledged the stream that was being opened. `granted` is what it takes up, JSON text of an object.
    pub(crate) fn open(&mut self, granted: &str) -> Option<OpenedStream> {
        let stream = self.next.take()?;
        let (exchange, version) = (stream.exchange, stream.version);
        let replaced = self.close();
        self.current = Some(SubscriptionStream { granted: Some(granted.into()), ..stream });
        Some(OpenedStream { exchange, version, replaced })
    }

    /// The current stream is not wanted any more. Gives its exchange.
    pub(crate) fn close(&mut self) -> Option<u64> {
        let exchange = self.current.take()?.exchange;
        self.remember_ended(exchange);
        Some(exchange)
    }

    fn remember_ended(&mut self, exchange: u64) {
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(exchange);
    }

    /// A notification names a stream. `acknowledges` says whether it is the acknowledgement of one.
    pub(crate) fn notified(&mut self, exchange: u64, acknowledges: bool) -> StreamNotification {
        let is = |stream: &Option<SubscriptionStream>| {
            stream.as_ref().is_some_and(|stream| stream.exchange == exchange)
        };
        let opening = is(&self.next);
        if opening && acknowledges {
            return StreamNotification::Opens;
        }
        if is(&self.current) {
            self.failures = 0;
            return if acknowledges { StreamNotification::Dropped } else { StreamNotification::Passes };
        }
        // A stream that ended, or one not acknowledged yet: the current one brings the same.
        if opening || self.has_ended(exchange) {
            StreamNotification::Dropped
        } else {
            StreamNotification::Passes
        }
    }

    /// An exchange ended that may be a stream.
    pub(crate) fn end(&mut self, exchange: u64) -> EndedStream {
        let is = |stream: &SubscriptionStream| stream.exchange == exchange;
        let ended = if let Some(stream) = self.next.take_if(|stream| is(stream)) {
            self.tasks_refused |= stream.tasks;
            EndedStream::Opening { with_tasks: stream.tasks }
        } else if self.current.take_if(|stream| is(stream)).is_some() {
            self.missed();
            EndedStream::Open
        } else {
            return if self.has_ended(exchange) { EndedStream::Earlier } else { EndedStream::Unknown };
        };
        self.remember_ended(exchange);
        ended
    }

    /// The connection has ended, and its streams with it. Gives the resources whose subscriptions no server has taken up.
    pub(crate) fn connection_ended(&mut self) -> Vec<Box<str>> {
        (self.current, self.next, self.again) = (None, None, None);
        self.ended.clear();
        self.failures = 0;
        self.tasks_refused = false;
        std::mem::take(&mut self.waiting).into_iter().filter_map(|waiting| waiting.uri).collect()
    }

    /// How many streams ended in a row without a change arriving.
    pub(crate) fn failures(&self) -> u32 {
        self.failures
    }

    /// A stream ended and is opened again at this time.
    pub(crate) fn retry_at(&mut self, at: Instant) {
        self.failures += 1;
        self.again = Some(at);
    }

    /// Whether a stream waits to be opened again at this time.
    pub(crate) fn is_due(&self, at: Instant) -> bool {
        self.again == Some(at)
    }

    /// No stream waits to be opened again.
    pub(crate) fn stop_retry(&mut self) {
        self.again = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_replaces_the_one_before_and_takes_the_calls_of_its_version() {
        let mut listens = SubscriptionStreams::default();
        listens.wait(1, Some("a".into()));
        listens.begin(10, false);
        listens.wait(2, Some("b".into()));
        assert!(listens.join(3, "a") && !listens.join(4, "c") && listens.awaits(3));
        let opened = listens.open("{}").expect("a stream was being opened");
        assert_eq!((opened.exchange, opened.version, opened.replaced), (10, 1, None));
        let done: Vec<u64> =
            listens.take_waiting(opened.version).iter().map(|waiting| waiting.call).collect();
        assert_eq!(done, [1, 3]);
        listens.begin(11, false);
        assert_eq!(listens.open("{}").and_then(|opened| opened.replaced), Some(10));
        assert!(listens.has_ended(10) && !listens.has_ended(11));
        assert_eq!(listens.stop_waiting(2).as_deref(), Some("b"));
    }

    #[test]
    fn which_stream_ended_decides_what_follows() {
        let mut listens = SubscriptionStreams::default();
        listens.begin(1, true);
        assert_eq!(listens.end(1), EndedStream::Opening { with_tasks: true });
        assert!(listens.tasks_refused() && !listens.is_opening());
        listens.begin(2, false);
        assert_eq!(listens.notified(2, true), StreamNotification::Opens);
        listens.open("{}").expect("a stream was being opened");
        assert_eq!(
            (listens.notified(2, false), listens.notified(1, false)),
            (StreamNotification::Passes, StreamNotification::Dropped)
        );
        assert_eq!((listens.end(2), listens.gaps()), (EndedStream::Open, 1));
        assert_eq!((listens.end(2), listens.end(3)), (EndedStream::Earlier, EndedStream::Unknown));
    }
}
