//! One session: what goes out to its client, in order, whichever thread sends it, and what carries it.

use super::budget::{Account, BudgetFull, Charge, GivesWay};
#[cfg(feature = "http")]
use super::http::HttpStreams;
use crate::engine::server::SessionId;
use crate::protocol::envelope;
use crate::protocol::visible::visible_json_into;
use crate::runtime::lock;
use crate::transport::Framing;
use crate::transport::custom::{Channel, Receiver, Refused, Transport};
use crate::transport::poller::{Interest, Poller};
use crate::transport::standard_streams::StandardStreams;
use crate::transport::stream::Outgoing;
use crate::transport::stream::{Access, StreamEnd};
use crate::transport::stream::{Incoming, Read};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The longest list of frames whose memory is kept.
const SPARE_FRAMES: usize = 128;

/// Frames on their way out.
#[derive(Default, Debug)]
struct SessionOutbox {
    frames: Vec<Vec<u8>>,
    /// An empty list, whose memory is used again.
    spare: Vec<Vec<u8>>,
    bytes: usize,
    /// A thread writes, and looks again after it is done.
    writing: bool,
    /// Another thread came meanwhile: it has put frames here, or was told, once, that there is room.
    asked: bool,
    /// Nothing more is written. The thread that writes releases the carrier after it is done.
    ended: bool,
}

/// What carries the messages of a session.
#[derive(Debug)]
enum SessionTransport {
    /// Two descriptors.
    Stream(Box<ByteStream>),
    /// A transport of the application, or a client of the same process.
    Attached(Attached),
    /// HTTP: each message goes to a stream of its own, at once.
    #[cfg(feature = "http")]
    Http(HttpStreams),
}

/// One session.
pub(super) struct ClientSession {
    pub(super) id: SessionId,
    carrier: SessionTransport,
    outbox: Mutex<SessionOutbox>,
    limit: usize,
    /// Counts what the client does not take, once a write has left some.
    waiting: Mutex<Charge>,
    /// What ends it when others need the room.
    _way: Option<Arc<dyn GivesWay>>,
}

impl fmt::Debug for ClientSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientSession")
            .field("id", &self.id)
            .field("carrier", &self.carrier)
            .finish_non_exhaustive()
    }
}

impl ClientSession {
    /// A session over two descriptors.
    pub(super) fn over_stream(id: SessionId, ends: Ends, limits: &StreamLimits) -> ClientSession {
        let carrier = SessionTransport::Stream(Box::new(ByteStream::new(id, ends, limits)));
        let (outbox, waiting) = (Mutex::default(), Mutex::default());
        ClientSession { id, carrier, outbox, limit: limits.outgoing_bytes, waiting, _way: None }
    }

    /// What of it waits for its client is counted, and `way` ends it.
    pub(super) fn counted(self, waiting: Charge, way: Arc<dyn GivesWay>) -> ClientSession {
        ClientSession { waiting: Mutex::new(waiting), _way: Some(way), ..self }
    }

    /// A session over a transport that is not open yet: what is sent waits for that.
    pub(super) fn over_transport(id: SessionId, attached: Attached, limits: &StreamLimits) -> ClientSession {
        let outbox = Mutex::new(SessionOutbox { writing: true, ..SessionOutbox::default() });
        let waiting = Mutex::default();
        ClientSession {
            id,
            carrier: SessionTransport::Attached(attached),
            outbox,
            limit: limits.outgoing_bytes,
            waiting,
            _way: None,
        }
    }

    /// A session over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn over_http(id: SessionId, http: HttpStreams, limits: &StreamLimits) -> ClientSession {
        let (outbox, waiting) = (Mutex::default(), Mutex::default());
        ClientSession {
            id,
            carrier: SessionTransport::Http(http),
            outbox,
            limit: limits.outgoing_bytes,
            waiting,
            _way: None,
        }
    }

    /// Its streams, if it is one over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn http(&self) -> Option<&HttpStreams> {
        match &self.carrier {
            SessionTransport::Http(http) => Some(http),
            SessionTransport::Stream(_) | SessionTransport::Attached(_) => None,
        }
    }

    /// Its descriptors, if it has any.
    pub(super) fn stream(&self) -> Option<&ByteStream> {
        match &self.carrier {
            SessionTransport::Stream(stream) => Some(stream),
            SessionTransport::Attached(_) => None,
            #[cfg(feature = "http")]
            SessionTransport::Http(_) => None,
        }
    }

    /// The transport that it was attached with.
    pub(super) fn attached(&self) -> Option<&Attached> {
        match &self.carrier {
            SessionTransport::Attached(attached) => Some(attached),
            SessionTransport::Stream(_) => None,
            #[cfg(feature = "http")]
            SessionTransport::Http(_) => None,
        }
    }

    /// Ends the session's part in sending: the standard streams are given back, or the transport is closed, by the thread that
    /// sends if one does. Another thread may still hold the session, so this does not wait for its end.
    pub(super) fn release(&self) {
        let mut outbox = lock(&self.outbox);
        outbox.ended = true;
        let is_idle = !outbox.writing;
        drop(outbox);
        match &self.carrier {
            SessionTransport::Stream(stream) => stream.give_back(),
            SessionTransport::Attached(attached) if is_idle => attached.close(),
            SessionTransport::Attached(_) => {}
            #[cfg(feature = "http")]
            SessionTransport::Http(http) => http.end(),
        }
    }

    /// Takes a frame for the next flush.
    pub(super) fn push(&self, frame: Vec<u8>) {
        let mut outbox = lock(&self.outbox);
        outbox.bytes += frame.len();
        outbox.frames.push(frame);
    }

    /// Whether nothing waits for the client.
    pub(super) fn is_flushed(&self) -> bool {
        #[cfg(feature = "http")]
        if let SessionTransport::Http(http) = &self.carrier {
            return http.is_flushed();
        }
        let outbox = lock(&self.outbox);
        outbox.frames.is_empty()
            && !outbox.writing
            && self.stream().is_none_or(|stream| !stream.has_output_pending())
    }

    /// Whether its client uses it at this time: over HTTP a stream is open, else something is on its way to the client.
    pub(super) fn is_in_use(&self) -> bool {
        #[cfg(feature = "http")]
        if let SessionTransport::Http(http) = &self.carrier {
            return http.is_in_use();
        }
        !self.is_flushed()
    }

    /// When the client last took something of what waits for it; `None` if nothing does.
    pub(super) fn stalled_since(&self) -> Option<Instant> {
        self.stream()?.waits_since()
    }

    /// Writes what waits, in order. No thread waits for another one's writing.
    pub(super) fn flush(&self, poller: &Poller) -> WriteOutcome {
        let mut outbox = lock(&self.outbox);
        if outbox.writing {
            // A function of the application may not return while others send. One frame alone may have any size.
            outbox.asked = true;
            let piles_up = outbox.bytes > self.limit && outbox.frames.len() > 1;
            return if piles_up && self.attached().is_some() {
                WriteOutcome::TooMuch
            } else {
                WriteOutcome::ByAnother
            };
        }
        outbox.writing = true;
        self.write_from(outbox, poller)
    }

    /// Writes what waits until nothing does. Only for the thread that set `writing`.
    pub(super) fn write_all(&self, poller: &Poller) -> WriteOutcome {
        self.write_from(lock(&self.outbox), poller)
    }

    /// Counts what a write has left. Where there is no room for that the session ends.
    fn count(&self, stream: &ByteStream, written: WriteOutcome) -> WriteOutcome {
        let mut waiting = lock(&self.waiting);
        match &written {
            WriteOutcome::All if waiting.is_nothing() => written,
            _ => match waiting.set(stream.waiting()) {
                Ok(()) => written,
                Err(BudgetFull) => WriteOutcome::NoRoom,
            },
        }
    }

    fn write_from<'a>(&'a self, mut outbox: MutexGuard<'a, SessionOutbox>, poller: &Poller) -> WriteOutcome {
        loop {
            let spare = std::mem::take(&mut outbox.spare);
            let mut frames = std::mem::replace(&mut outbox.frames, spare);
            outbox.bytes = 0;
            drop(outbox);
            let written = match &self.carrier {
                SessionTransport::Stream(stream) => {
                    let written = stream.write(&mut frames, self.limit, poller);
                    self.count(stream, written)
                }
                SessionTransport::Attached(attached) => attached.send(&mut frames),
                // Its messages wait for nothing here.
                #[cfg(feature = "http")]
                SessionTransport::Http(_) => WriteOutcome::All,
            };
            outbox = lock(&self.outbox);
            if frames.capacity() <= SPARE_FRAMES {
                outbox.spare = frames;
            }
            let was_asked = std::mem::take(&mut outbox.asked);
            let goes_on = match written {
                WriteOutcome::All => !outbox.frames.is_empty(),
                // The room of which the other thread was told is not told of again.
                WriteOutcome::Waiting(_) => was_asked,
                WriteOutcome::ByAnother
                | WriteOutcome::TooMuch
                | WriteOutcome::NoRoom
                | WriteOutcome::Broken(_) => false,
            };
            if !goes_on || outbox.ended {
                outbox.writing = false;
                let has_ended = outbox.ended;
                drop(outbox);
                if let (true, SessionTransport::Attached(attached)) = (has_ended, &self.carrier) {
                    attached.close();
                }
                return written;
            }
        }
    }
}

/// The input and the output of one session.
#[derive(Debug)]
pub(super) struct ByteStream {
    id: SessionId,
    input: Arc<OwnedFd>,
    /// Any program may have connected, also one that speaks another protocol.
    is_socket: bool,
    /// A frame has arrived.
    has_spoken: AtomicBool,
    /// What was read has frames that the engine has not taken yet.
    pub(super) has_rest: AtomicBool,
    /// Reading it never waits, and a poller refuses it.
    pub(super) is_always_ready: bool,
    pub(super) incoming: Mutex<ReceivedCharge>,
    outgoing: Mutex<Out>,
    /// The standard streams of the process, if the session has them.
    streams: Mutex<Option<StandardStreams>>,
}

/// What is read, and what counts its memory.
#[derive(Debug)]
pub(super) struct ReceivedCharge {
    pub(super) incoming: Incoming,
    charge: Charge,
}

impl ReceivedCharge {
    /// Reads once, if the budget has room for the memory that is held already.
    ///
    /// # Errors
    /// It has not.
    pub(super) fn read(&mut self) -> Result<Read, BudgetFull> {
        self.count()?;
        Ok(self.incoming.read())
    }

    /// Charges the memory that is held now.
    ///
    /// # Errors
    /// The budget has no room for it.
    pub(super) fn count(&mut self) -> Result<(), BudgetFull> {
        self.charge.set(self.incoming.held())
    }

    /// Whether there may be room soon.
    pub(super) fn may_have_room_soon(&self) -> bool {
        self.charge.may_have_room_soon()
    }
}

#[derive(Debug)]
struct Out {
    pipe: Outgoing,
    /// A terminal would act on controls that JSON may have as they are, and show others in another order than they stand.
    is_terminal: bool,
    /// A poller refuses it; writing to it never waits.
    is_always_ready: bool,
    is_watched: bool,
    /// When the client last took something of what waits.
    moved: Instant,
}

impl ByteStream {
    pub(super) fn new(id: SessionId, ends: Ends, limits: &StreamLimits) -> ByteStream {
        let Ends { input, output, is_terminal, streams } = ends;
        let is_always_ready = input.is_always_ready;
        let is_socket = matches!(input.access, Access::Socket);
        let incoming = Incoming::on(input, limits.framing, limits.frame_bytes, limits.discard_bytes);
        ByteStream {
            id,
            input: Arc::clone(incoming.fd()),
            is_always_ready,
            is_socket,
            has_spoken: AtomicBool::new(false),
            has_rest: AtomicBool::new(false),
            incoming: Mutex::new(ReceivedCharge { incoming, charge: Charge::default() }),
            outgoing: Mutex::new(Out {
                is_always_ready: output.is_always_ready,
                pipe: Outgoing::on(output, limits.framing),
                is_terminal,
                is_watched: false,
                moved: Instant::now(),
            }),
            streams: Mutex::new(streams),
        }
    }

    /// What of it is held counts for an account from now on.
    pub(super) fn count_for(&self, account: &Account) {
        lock(&self.incoming).charge = account.clone().nothing();
    }

    /// A frame as it may be taken. Each may begin with a byte order mark (S-IO-06). Over a socket the first one must look like JSON: a page in a browser can send HTTP to any port of this machine, and a line of its body would
    /// be read as a message.
    pub(super) fn taken(&self, frame: Vec<u8>) -> Option<Vec<u8>> {
        if self.has_spoken.swap(true, Ordering::Relaxed) {
            return Some(frame);
        }
        let text = envelope::without_mark(&frame);
        let is_json = || text.trim_ascii_start().first().is_some_and(|first| matches!(first, b'{' | b'['));
        let may_be_taken = !self.is_socket || is_json();
        may_be_taken.then_some(frame)
    }

    /// Begins to watch for input.
    ///
    /// # Errors
    /// When no watch is left.
    pub(super) fn watch(&self, poller: &Poller) -> Result<(), Errno> {
        if self.is_always_ready {
            return Ok(());
        }
        poller.watch(&self.input, Token::Input(self.id.0).pack(), Interest::Readable)
    }

    /// Ends watching for input.
    pub(super) fn ignore_input(&self, poller: &Poller) {
        poller.unwatch(&self.input);
    }

    /// Ends watching it.
    pub(super) fn unwatch(&self, poller: &Poller) {
        poller.unwatch(&self.input);
        poller.unwatch(lock(&self.outgoing).pipe.fd());
    }

    /// Gives the standard streams back.
    pub(super) fn give_back(&self) {
        drop(lock(&self.streams).take());
    }

    /// Whether the client has not taken everything.
    fn has_output_pending(&self) -> bool {
        lock(&self.outgoing).pipe.is_pending()
    }

    /// The bytes that the client has not taken.
    pub(super) fn waiting(&self) -> usize {
        lock(&self.outgoing).pipe.bytes()
    }

    /// When the client last took something of what waits for it; `None` if nothing does.
    fn waits_since(&self) -> Option<Instant> {
        let out = lock(&self.outgoing);
        out.pipe.is_pending().then_some(out.moved)
    }

    /// Writes frames, as far as the client takes them. None is left in `frames`.
    pub(super) fn write(&self, frames: &mut Vec<Vec<u8>>, limit: usize, poller: &Poller) -> WriteOutcome {
        let mut out = lock(&self.outgoing);
        let was_pending = out.pipe.is_pending();
        for frame in frames.drain(..) {
            let frame = if out.is_terminal { shown(frame) } else { frame };
            out.pipe.push(frame);
        }
        let before = out.pipe.bytes();
        if let Err(errno) = out.pipe.flush() {
            return broken(errno);
        }
        let after = out.pipe.bytes();
        if after == 0 {
            return WriteOutcome::All;
        }
        if !was_pending || after != before {
            out.moved = Instant::now();
        }
        if after > limit {
            return WriteOutcome::TooMuch;
        }
        if !out.is_always_ready {
            let token = Token::Output(self.id.0).pack();
            let armed = if out.is_watched {
                poller.rearm(out.pipe.fd(), token, Interest::WritableOnce)
            } else {
                poller.watch(out.pipe.fd(), token, Interest::WritableOnce)
            };
            if let Err(errno) = armed {
                return broken(errno);
            }
            out.is_watched = true;
        }
        WriteOutcome::Waiting(out.moved)
    }
}

/// A frame for a terminal: the same JSON, with what is hidden escaped.
fn shown(frame: Vec<u8>) -> Vec<u8> {
    let mut text = String::new();
    match std::str::from_utf8(&frame) {
        Ok(json) => visible_json_into(json, &mut text, |_| false),
        Err(_) => return frame,
    }
    text.into_bytes()
}

fn broken(errno: Errno) -> WriteOutcome {
    WriteOutcome::Broken(format!("writing to the client failed: {errno}"))
}

/// Which descriptor of a session, or which listener, a token of the poller means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// There is something to read.
    Input(u64),
    /// There is room to write.
    Output(u64),
    /// A client connects.
    Listener(u64),
}

impl Token {
    pub(super) fn pack(self) -> u64 {
        match self {
            Token::Input(number) => number << 2,
            Token::Output(number) => number << 2 | 1,
            Token::Listener(number) => number << 2 | 2,
        }
    }

    pub(super) fn unpack(token: u64) -> Token {
        let number = token >> 2;
        match token & 3 {
            0 => Token::Input(number),
            1 => Token::Output(number),
            _ => Token::Listener(number),
        }
    }
}

/// The two ends of a session over descriptors.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Where requests come from.
    pub(crate) input: StreamEnd,
    /// Where answers go.
    pub(crate) output: StreamEnd,
    /// Whether a person reads them at a terminal.
    pub(crate) is_terminal: bool,
    /// What is restored at its end, where it has the standard streams of the process.
    pub(crate) streams: Option<StandardStreams>,
}

/// What became of writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WriteOutcome {
    /// All of it is written.
    All,
    /// Another thread writes it.
    ByAnother,
    /// The client does not take more now; since when it has taken nothing.
    Waiting(Instant),
    /// More waits than may.
    TooMuch,
    /// There is no room for what waits among what waits for all clients.
    NoRoom,
    /// The client is gone: why.
    Broken(String),
}

/// The transport of one session.
pub(super) struct Attached {
    channel: Channel,
    /// Gone once it is closed.
    transport: Mutex<Option<Arc<dyn Transport>>>,
    /// What the channel leads to: it knows it only weakly.
    _inbox: Arc<dyn Receiver>,
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attached").field("channel", &self.channel).finish_non_exhaustive()
    }
}

impl Attached {
    /// A transport that is not open. `inbox` gets what its client sends.
    pub(super) fn new(number: u64, inbox: Arc<dyn Receiver>, transport: Arc<dyn Transport>) -> Attached {
        let channel = Channel::new(number, Arc::downgrade(&inbox));
        Attached { channel, transport: Mutex::new(Some(transport)), _inbox: inbox }
    }

    /// What its client's messages come in by.
    pub(super) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    fn transport(&self) -> Option<Arc<dyn Transport>> {
        lock(&self.transport).clone()
    }

    /// Opens it. Only for the thread that writes.
    pub(super) fn open(&self) -> Result<(), Refused> {
        match self.transport() {
            Some(transport) => guarded(|| transport.open(&self.channel)),
            None => Ok(()),
        }
    }

    /// Sends frames in order. None is left in `frames`. Only for the thread that writes.
    pub(super) fn send(&self, frames: &mut Vec<Vec<u8>>) -> WriteOutcome {
        let frames = frames.drain(..);
        let Some(transport) = self.transport() else { return WriteOutcome::All };
        for frame in frames {
            if let Err(refused) = guarded(|| transport.send(&self.channel, frame)) {
                return WriteOutcome::Broken(format!(
                    "the application's transport failed to send: {}",
                    refused.message
                ));
            }
        }
        WriteOutcome::All
    }

    /// Closes the transport and lets it go. The first call counts; no `send` may be under way.
    pub(super) fn close(&self) {
        let Some(transport) = self.discard() else { return };
        // It can only have panicked, and it is over.
        let _over_either_way = guarded(|| {
            transport.close(&self.channel);
            Ok(())
        });
    }

    /// Takes the transport out without closing it: it was never open.
    pub(super) fn discard(&self) -> Option<Arc<dyn Transport>> {
        self.channel.end();
        lock(&self.transport).take()
    }
}

/// A transport written in Rust may panic; that must not stop the server.
fn guarded(function: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| Err("it panicked".into()))
}

/// What is true of every session of a server, and who serves them.
#[derive(Clone, Debug)]
pub(crate) struct StreamLimits {
    /// How frames are told apart.
    pub(crate) framing: Framing,
    /// The largest frame of a client.
    pub(crate) frame_bytes: usize,
    /// How much of a larger one is skipped before the session ends.
    pub(crate) discard_bytes: usize,
    /// Bytes that may wait for a client to read them.
    pub(crate) outgoing_bytes: usize,
    /// Bytes that are held for all clients together.
    pub(crate) shared_bytes: usize,
    /// How long a client may read nothing of what waits for it.
    pub(crate) write: Duration,
    /// How long a client that connected to a socket may say nothing.
    pub(crate) silent: Duration,
    /// How long requests under way have after the end of their client's input.
    pub(crate) finish: Duration,
    /// How long closing waits for clients to take what was sent to them.
    pub(crate) close: Duration,
    /// How long it goes on while it says that it goes, before it closes.
    pub(crate) notice: Duration,
    /// How long requests under way have then.
    pub(crate) drain: Duration,
    /// Threads of the library that run handlers.
    pub(crate) workers: usize,
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::transport::framing::Framing;
    use crate::transport::stream::{Direction, StreamEnd};
    use crate::transport::system::io::enlarge;
    use rustix::pipe::pipe;
    use std::io::Read as _;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);
    const FRAMES: usize = 20_000;
    const FRAME_BYTES: usize = 4000;

    fn limits() -> StreamLimits {
        StreamLimits {
            framing: Framing::Newline,
            frame_bytes: 1 << 20,
            discard_bytes: 0,
            outgoing_bytes: usize::MAX,
            shared_bytes: usize::MAX,
            write: LONG,
            silent: LONG,
            finish: LONG,
            close: LONG,
            drain: LONG,
            notice: LONG,
            workers: 0,
        }
    }

    #[test]
    fn a_terminal_gets_the_same_json_and_nothing_that_changes_it() {
        let frame = "{\"text\":\"caf\u{e9} \u{9b}31m\u{202e}\u{7f}\u{200b}\u{2028}\u{e0041}\"}";
        let escaped = "{\"text\":\"caf\u{e9} \\u009b31m\\u202e\\u007f\\u200b\\u2028\\udb40\\udc41\"}";
        for (is_terminal, wanted) in [(true, escaped), (false, frame)] {
            let (input, _client_writes) = pipe().expect("descriptors are left");
            let (client_reads, output) = pipe().expect("descriptors are left");
            let ends = Ends {
                input: StreamEnd::of_shared(input, Direction::Input).expect("a pipe"),
                output: StreamEnd::of_shared(output, Direction::Output).expect("a pipe"),
                is_terminal,
                streams: None,
            };
            let session = ClientSession::over_stream(SessionId(1), ends, &limits());
            session.push(frame.as_bytes().to_vec());
            session.flush(&Poller::new().expect("descriptors are left"));
            drop(session);
            let mut got = String::new();
            std::fs::File::from(client_reads).read_to_string(&mut got).expect("text");
            assert_eq!(got, format!("{wanted}\n"), "{is_terminal}");
        }
    }

    /// Answers come from a thread of the application while another one is told of room, once each time: were it told while the
    /// first one is about to stop, and neither looked again, the rest would wait forever.
    #[test]
    fn a_thread_that_writes_looks_again_when_another_was_told_of_room() {
        let (input, _client_writes) = pipe().expect("descriptors are left");
        let (client_reads, output) = pipe().expect("descriptors are left");
        // Where a pipe may have this size, it is full after each frame.
        enlarge(&output, FRAME_BYTES);
        let ends = Ends {
            input: StreamEnd::of_shared(input, Direction::Input).expect("a pipe"),
            output: StreamEnd::of_shared(output, Direction::Output).expect("a pipe"),
            is_terminal: false,
            streams: None,
        };
        let session = ClientSession::over_stream(SessionId(1), ends, &limits());
        let poller = Poller::new().expect("descriptors are left");
        let is_over = AtomicBool::new(false);
        let (told, heard) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut ready = Vec::new();
                while !is_over.load(Ordering::SeqCst) {
                    poller.wait(&mut ready, Some(LONG));
                    if !ready.is_empty() {
                        session.flush(&poller);
                    }
                }
            });
            scope.spawn(move || {
                let mut client = std::fs::File::from(client_reads);
                let mut buffer = vec![0; FRAME_BYTES];
                let mut read = 0;
                while read < FRAMES * (FRAME_BYTES + 1) {
                    read += client.read(&mut buffer).expect("bytes");
                    told.send(read).expect("it listens");
                }
            });
            scope.spawn(|| {
                for _ in 0..FRAMES {
                    session.push(vec![b'x'; FRAME_BYTES]);
                    session.flush(&poller);
                }
            });
            let mut read = 0;
            while read < FRAMES * (FRAME_BYTES + 1) {
                match heard.recv_timeout(LONG) {
                    Ok(now) => read = now,
                    Err(_) => break,
                }
            }
            is_over.store(true, Ordering::SeqCst);
            poller.wake();
            let arrived = read;
            // The thread that reads ends.
            while read < FRAMES * (FRAME_BYTES + 1) {
                session.flush(&poller);
                read = heard.recv().expect("it reads on");
            }
            assert_eq!(arrived, read, "no thread wrote the rest");
        });
    }
}

#[cfg(test)]
mod tokens {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        for token in [Token::Input(7), Token::Output(7), Token::Listener(7), Token::Input(1 << 40)] {
            assert_eq!(Token::unpack(token.pack()), token);
        }
    }
}
