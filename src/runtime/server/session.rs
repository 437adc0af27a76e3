//! One session: what goes out to its client, in order, whichever thread sends it, and what carries it.

use super::attached::Attached;
use super::budget::{BudgetFull, Charge, GivesWay};
use super::byte_stream::ByteStream;
use super::ends::{Ends, Written};
#[cfg(feature = "http")]
use super::http::HttpSession;
use super::limits::StreamLimits;
use crate::engine::server::SessionId;
use crate::runtime::lock;
use crate::transport::poller::Poller;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

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
pub(super) enum SessionTransport {
    /// Two descriptors.
    Stream(Box<ByteStream>),
    /// A transport of the application, or a client of the same process.
    Attached(Attached),
    /// HTTP: each message goes to a stream of its own, at once.
    #[cfg(feature = "http")]
    Http(Arc<HttpSession>),
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
    pub(super) fn over_http(id: SessionId, http: Arc<HttpSession>, limits: &StreamLimits) -> ClientSession {
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
    pub(super) fn http(&self) -> Option<&Arc<HttpSession>> {
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
            return http.unused_since().is_none();
        }
        !self.is_flushed()
    }

    /// When the client last took something of what waits for it; `None` if nothing does.
    pub(super) fn stalled_since(&self) -> Option<Instant> {
        self.stream()?.waits_since()
    }

    /// Writes what waits, in order. No thread waits for another one's writing.
    pub(super) fn flush(&self, poller: &Poller) -> Written {
        let mut outbox = lock(&self.outbox);
        if outbox.writing {
            // A function of the application may not return while others send. One frame alone may have any size.
            outbox.asked = true;
            let piles_up = outbox.bytes > self.limit && outbox.frames.len() > 1;
            return if piles_up && self.attached().is_some() { Written::TooMuch } else { Written::ByAnother };
        }
        outbox.writing = true;
        self.write_from(outbox, poller)
    }

    /// Writes what waits until nothing does. Only for the thread that set `writing`.
    pub(super) fn write_all(&self, poller: &Poller) -> Written {
        self.write_from(lock(&self.outbox), poller)
    }

    /// Counts what a write has left. Where there is no room for that the session ends.
    fn count(&self, stream: &ByteStream, written: Written) -> Written {
        let mut waiting = lock(&self.waiting);
        match &written {
            Written::All if waiting.is_nothing() => written,
            _ => match waiting.set(stream.waiting()) {
                Ok(()) => written,
                Err(BudgetFull) => Written::NoRoom,
            },
        }
    }

    fn write_from<'a>(&'a self, mut outbox: MutexGuard<'a, SessionOutbox>, poller: &Poller) -> Written {
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
                SessionTransport::Http(_) => Written::All,
            };
            outbox = lock(&self.outbox);
            if frames.capacity() <= SPARE_FRAMES {
                outbox.spare = frames;
            }
            let was_asked = std::mem::take(&mut outbox.asked);
            let goes_on = match written {
                Written::All => !outbox.frames.is_empty(),
                // The room of which the other thread was told is not told of again.
                Written::Waiting(_) => was_asked,
                Written::ByAnother | Written::TooMuch | Written::NoRoom | Written::Broken(_) => false,
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::transport::framing::Framing;
    use crate::transport::pipes::enlarge;
    use crate::transport::stream_end::{Direction, StreamEnd};
    use rustix::pipe::pipe;
    use std::io::Read as _;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);
    const FRAMES: usize = 20_000;
    const FRAME_BYTES: usize = 4000;

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
            streams: None,
        };
        let limits = StreamLimits {
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
        };
        let session = ClientSession::over_stream(SessionId(1), ends, &limits);
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
