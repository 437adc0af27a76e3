//! Log records to the application, and its callbacks: on a thread of their own, never under a lock, never on a thread
//! that drives connections.

use super::lock;
use super::telemetry::{self, EndedSpan};
use super::threads::OwnThread;
use crate::engine::telemetry::{Peer, RequestSpan};
use crate::engine::{Level, LogRecord, fields};
use crate::json;
use crate::protocol::visible::visible_json_into;
use crate::transport::process::per_process::PerProcess;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;
use tracing::level_filters::LevelFilter;

/// What receives log records: the level and the record as JSON text.
pub type Logger = Arc<dyn Fn(Level, &str) + Send + Sync>;

/// The most jobs that wait for the callback thread; further log records are dropped, and the next one says how many.
const JOBS: usize = 4096;
/// From so many jobs on spans are dropped: they are as many as the requests, and leave half of the places to records and frames.
const JOBS_BEFORE_SPANS: usize = JOBS / 2;

/// Read for each record, so it is no [`PerProcess`]: a child of `fork` has its parent's until the first record finds no logger.
static VERBOSITY: AtomicU8 = AtomicU8::new(0);
/// A child of `fork` begins without: the parent's logger may be in the middle of a call.
static LOGGER: PerProcess<Mutex<Option<Logger>>> = PerProcess::new(Mutex::default);

/// Sets what receives log records up to `level`, or nothing.
pub fn set_logger(logger: Option<(Level, Logger)>) {
    let (level, logger) = match logger {
        Some((level, logger)) => (level as u8, Some(logger)),
        None => (0, None),
    };
    let before = {
        let mut current = lock(LOGGER.get());
        VERBOSITY.store(level, Ordering::Relaxed);
        std::mem::replace(&mut *current, logger)
    };
    // What it holds is released without the lock.
    drop(before);
}

/// Which records are wanted, by the logger or by a `tracing` subscriber of a Rust program: those up to this level.
pub(crate) fn verbosity() -> u8 {
    VERBOSITY.load(Ordering::Relaxed).max(traced())
}

/// The level that the program's `tracing` subscriber listens to; none in a program without one.
fn traced() -> u8 {
    match LevelFilter::current().into_level() {
        None => 0,
        Some(tracing::Level::ERROR) => 1,
        Some(tracing::Level::WARN) => 2,
        Some(tracing::Level::INFO) => 3,
        Some(tracing::Level::DEBUG) => 4,
        Some(tracing::Level::TRACE) => 5,
    }
}

/// Hands a record to `tracing`: the event's name, the client's, and the event's values as JSON.
fn trace(name: &str, record: &LogRecord) {
    let fields = || printable(&Value::Object(record.fields.clone()).to_string());
    match record.level {
        Level::Error => {
            tracing::error!(target: "mcp", event = record.event, client = name, fields = %fields());
        }
        Level::Warn => tracing::warn!(target: "mcp", event = record.event, client = name, fields = %fields()),
        Level::Info => tracing::info!(target: "mcp", event = record.event, client = name, fields = %fields()),
        Level::Debug => {
            tracing::debug!(target: "mcp", event = record.event, client = name, fields = %fields());
        }
        Level::Trace => {
            tracing::trace!(target: "mcp", event = record.event, client = name, fields = %fields());
        }
    }
}

/// A record as programs may print it: others wrote parts of it.
fn printable(json: &str) -> String {
    let mut text = String::new();
    visible_json_into(json, &mut text, |_| false);
    text
}

/// Something to run on the callback thread.
enum CallbackJob {
    /// A record of the client with this name.
    Record(String, LogRecord),
    /// A frame of the client with this name, for the listener.
    Frame(String, KeptFrame),
    /// A span, for its listener.
    Span(EndedSpan),
    /// A callback.
    Run(Arc<dyn Fn() + Send + Sync>),
}

#[derive(Default)]
struct Inside {
    jobs: VecDeque<CallbackJob>,
    dropped: u64,
    /// The bytes of the frames that wait for the listener, and how many frames found no room.
    frame_bytes: usize,
    frames_dropped: u64,
    stopping: bool,
    thread: Option<OwnThread>,
}

/// Runs callbacks on a thread that starts with the first one and ends with the last client.
#[derive(Default)]
pub(crate) struct Callbacks {
    inside: Mutex<Inside>,
    changed: Condvar,
}

impl std::fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callbacks").finish_non_exhaustive()
    }
}

impl Callbacks {
    /// Writes a record for the client called `name`.
    pub(crate) fn log(self: &Arc<Self>, name: &str, record: LogRecord) {
        // Written on the callback thread: the thread that makes a record may hold locks, and a subscriber may call the library.
        self.add(CallbackJob::Record(name.to_owned(), record));
    }

    /// A record made by hand.
    #[inline]
    pub(crate) fn event(
        self: &Arc<Self>,
        name: &str,
        level: Level,
        event: &'static str,
        fields: impl FnOnce() -> Map<String, Value>,
    ) {
        if level as u8 <= verbosity() {
            self.log(name, LogRecord { level, event, fields: fields() });
        }
    }

    /// A frame: its size and start for loggers at the loudest level, all of it for a listener.
    #[inline]
    pub(crate) fn frame(self: &Arc<Self>, name: &str, event: &'static str, frame: &[u8]) {
        if is_set() {
            self.keep_frame(name, None, event == "frame.sent", frame);
        }
        if Level::Trace as u8 <= verbosity() {
            self.trace_frame(name, event, frame);
        }
    }

    /// A frame of a session of a server: all of it for a listener.
    #[cfg(feature = "server")]
    #[inline]
    pub(crate) fn frame_of_session(self: &Arc<Self>, name: &str, session: u64, is_sent: bool, frame: &[u8]) {
        if is_set() {
            self.keep_frame(name, Some(session), is_sent, frame);
        }
    }

    #[cold]
    fn trace_frame(self: &Arc<Self>, name: &str, event: &'static str, frame: &[u8]) {
        const START: usize = 512;
        let start = String::from_utf8_lossy(&frame[..frame.len().min(START)]).into_owned();
        let fields = fields([("bytes", frame.len().into()), ("start", start.into())]);
        self.log(name, LogRecord { level: Level::Trace, event, fields });
    }

    #[cold]
    fn keep_frame(self: &Arc<Self>, name: &str, session: Option<u64>, is_sent: bool, frame: &[u8]) {
        let kept = {
            let mut inside = lock(&self.inside);
            if inside.frame_bytes.saturating_add(frame.len()) > MOST_BYTES || inside.jobs.len() >= JOBS {
                inside.frames_dropped += 1;
                return;
            }
            inside.frame_bytes += frame.len();
            KeptFrame::new(session, is_sent, frame, std::mem::take(&mut inside.frames_dropped))
        };
        self.add(CallbackJob::Frame(name.to_owned(), kept));
    }

    /// Runs a callback soon.
    pub(crate) fn run(self: &Arc<Self>, callback: Arc<dyn Fn() + Send + Sync>) {
        self.add(CallbackJob::Run(callback));
    }

    /// A request is over: it is counted, and told of if it is recorded.
    #[cold]
    pub(crate) fn request_ended(self: &Arc<Self>, span: Box<RequestSpan>, peer: &Arc<Peer>) {
        if telemetry::count(&span, peer) {
            self.add(CallbackJob::Span(EndedSpan::new(span, Arc::clone(peer))));
        }
    }

    fn add(self: &Arc<Self>, job: CallbackJob) {
        let mut inside = lock(&self.inside);
        if inside.stopping {
            drop(inside);
            return;
        }
        if inside.jobs.len() >= JOBS_BEFORE_SPANS && matches!(job, CallbackJob::Span(_)) {
            drop(inside);
            return telemetry::dropped_one();
        }
        if inside.jobs.len() >= JOBS && matches!(job, CallbackJob::Record(..)) {
            inside.dropped += 1;
            return;
        }
        if let CallbackJob::Run(callback) = &job
            && inside
                .jobs
                .iter()
                .any(|waiting| matches!(waiting, CallbackJob::Run(known) if Arc::ptr_eq(known, callback)))
        {
            // It will run, and looks at everything then.
            return;
        }
        inside.jobs.push_back(job);
        if inside.thread.is_none() {
            let me = Arc::clone(self);
            match OwnThread::spawn("libmcp-callback", move || me.work()) {
                Ok(thread) => inside.thread = Some(thread),
                // No thread can be had: callbacks are the least of the host's troubles, and it is told by statuses.
                Err(_) => {
                    let jobs = std::mem::take(&mut inside.jobs);
                    drop(inside);
                    // What they hold is released without the lock.
                    drop(jobs);
                    return;
                }
            }
        }
        self.changed.notify_one();
    }

    fn work(&self) {
        let mut inside = lock(&self.inside);
        loop {
            if let Some(job) = inside.jobs.pop_front() {
                let dropped = std::mem::take(&mut inside.dropped);
                if let CallbackJob::Frame(_, kept) = &job {
                    inside.frame_bytes = inside.frame_bytes.saturating_sub(kept.bytes());
                }
                drop(inside);
                // A callback that panics is the application's; it must not take the others with it.
                let _panicked = catch_unwind(AssertUnwindSafe(|| perform(job, dropped)));
                inside = lock(&self.inside);
            } else if inside.stopping {
                return;
            } else {
                inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Runs what waits, then ends the thread, and waits for that unless it is the calling thread itself.
    pub(crate) fn stop(&self) {
        let thread = {
            let mut inside = lock(&self.inside);
            inside.stopping = true;
            inside.thread.take()
        };
        self.changed.notify_all();
        // It ends by itself; a panic of the application's callback has ended it already.
        if let Some(thread) = thread {
            thread.join();
        }
    }
}

fn perform(job: CallbackJob, dropped: u64) {
    match job {
        CallbackJob::Run(callback) => callback(),
        CallbackJob::Frame(name, kept) => kept.deliver(&name),
        CallbackJob::Span(span) => span.deliver(),
        CallbackJob::Record(name, record) => {
            if dropped > 0 {
                let fields = fields([("count", dropped.into())]);
                deliver("", &LogRecord { level: Level::Warn, event: "log.dropped", fields });
            }
            deliver(&name, &record);
        }
    }
}

/// Hands a record to its listeners.
fn deliver(name: &str, record: &LogRecord) {
    trace(name, record);
    if record.level as u8 > VERBOSITY.load(Ordering::Relaxed) {
        return;
    }
    let logger = {
        let current = lock(LOGGER.get());
        if current.is_none() {
            VERBOSITY.store(0, Ordering::Relaxed);
        }
        current.clone()
    };
    let Some(logger) = logger else { return };
    let mut text = String::from("{\"event\":");
    json::quote_into(record.event, &mut text);
    text.push_str(",\"level\":\"");
    text.push_str(record.level.as_str());
    text.push('"');
    if !name.is_empty() {
        text.push_str(",\"client\":");
        json::quote_into(name, &mut text);
    }
    for (field, value) in &record.fields {
        text.push(',');
        json::quote_into(field, &mut text);
        text.push(':');
        text.push_str(&value.to_string());
    }
    text.push('}');
    logger(record.level, &printable(&text));
}

// The listener that gets every frame of every client, for programs that show what is spoken: on the thread of callbacks, in the
// order of each connection, never under a lock.

/// The bytes of frames that wait for the listener at most; further frames are dropped, and the next one says how many.
pub(crate) const MOST_BYTES: usize = 16 * 1024 * 1024;

/// One frame that a client or a server of this process sent or received.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The name of the client or the server, as its configuration or the library gave it.
    pub client: &'a str,
    /// The session, if it is one of a server of this process.
    pub session: Option<u64>,
    /// Whether the client or server sent it; otherwise its peer did.
    pub is_sent: bool,
    /// When it was handed to the transport, or had been read.
    pub at: Instant,
    /// The message as it was on the wire. What a peer sent may be no JSON.
    pub text: &'a [u8],
    /// How many frames before this one were dropped because the listener was too slow.
    pub dropped: u64,
}

/// What receives the frames.
pub type FrameListener = Arc<dyn Fn(&Frame<'_>) + Send + Sync>;

/// Read for each frame.
static IS_SET: AtomicBool = AtomicBool::new(false);
/// A child of `fork` begins without, as it does with the logger.
static LISTENER: PerProcess<Mutex<Option<FrameListener>>> = PerProcess::new(Mutex::default);

/// Sets what receives every frame of every client and server, or nothing. Frames carry what the program and its servers exchange,
/// secrets included; the listener must not show them as they are.
pub fn set_frame_listener(listener: Option<FrameListener>) {
    let before = {
        let mut current = lock(LISTENER.get());
        IS_SET.store(listener.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut *current, listener)
    };
    // What it holds is released without the lock.
    drop(before);
}

#[inline]
pub(crate) fn is_set() -> bool {
    IS_SET.load(Ordering::Relaxed)
}

/// A frame that waits for the listener.
struct KeptFrame {
    session: Option<u64>,
    is_sent: bool,
    at: Instant,
    text: Vec<u8>,
    dropped: u64,
}

impl KeptFrame {
    pub(crate) fn new(session: Option<u64>, is_sent: bool, text: &[u8], dropped: u64) -> KeptFrame {
        KeptFrame { session, is_sent, at: Instant::now(), text: text.to_vec(), dropped }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn deliver(&self, client: &str) {
        let listener = lock(LISTENER.get()).clone();
        if let Some(listener) = listener {
            let KeptFrame { session, is_sent, at, ref text, dropped } = *self;
            listener(&Frame { client, session, is_sent, at, text, dropped });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Callbacks, MOST_BYTES, set_frame_listener};
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[test]
    fn frames_come_whole_and_in_order_and_those_without_room_are_counted() {
        let callbacks = Arc::new(Callbacks::default());
        let (tell, heard) = channel();
        let tell = Mutex::new(tell);
        // Other tests of this process have clients, too.
        let name = "frame-listener-test";
        set_frame_listener(Some(Arc::new(move |frame| {
            if frame.client == name {
                let seen = (frame.session, frame.is_sent, frame.text.to_vec(), frame.dropped);
                tell.lock().expect("no panic").send(seen).expect("the test waits");
            }
        })));
        callbacks.frame(name, "frame.sent", b"{\"id\":1}");
        callbacks.frame(name, "frame.received", &vec![b'x'; MOST_BYTES + 1]);
        callbacks.frame(name, "frame.received", &vec![b'y'; 1000]);
        #[cfg(feature = "server")]
        callbacks.frame_of_session(name, 7, true, b"[]");
        let next = || heard.recv_timeout(Duration::from_secs(30)).expect("a frame");
        assert_eq!(next(), (None, true, b"{\"id\":1}".to_vec(), 0));
        assert_eq!(next(), (None, false, vec![b'y'; 1000], 1));
        #[cfg(feature = "server")]
        assert_eq!(next(), (Some(7), true, b"[]".to_vec(), 0));
        set_frame_listener(None);
        callbacks.frame(name, "frame.sent", b"{}");
        callbacks.stop();
        assert!(heard.try_recv().is_err());
    }
}
