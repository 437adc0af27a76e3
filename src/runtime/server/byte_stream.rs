//! The descriptors of a session: what the driver reads, and what any thread writes.

use super::budget::{Account, BudgetFull, Charge};
use super::ends::{Ends, Token, Written};
use super::limits::StreamLimits;
use crate::engine::server::SessionId;
use crate::protocol::envelope;
use crate::runtime::lock;
use crate::transport::incoming::{Incoming, Read};
use crate::transport::outgoing::Outgoing;
use crate::transport::poller::{Interest, Poller};
use crate::transport::standard_streams::StandardStreams;
use crate::transport::stream_end::Access;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

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
    /// A poller refuses it; writing to it never waits.
    is_always_ready: bool,
    is_watched: bool,
    /// When the client last took something of what waits.
    moved: Instant,
}

impl ByteStream {
    pub(super) fn new(id: SessionId, ends: Ends, limits: &StreamLimits) -> ByteStream {
        let Ends { input, output, streams } = ends;
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
    pub(super) fn has_output_pending(&self) -> bool {
        lock(&self.outgoing).pipe.is_pending()
    }

    /// The bytes that the client has not taken.
    pub(super) fn waiting(&self) -> usize {
        lock(&self.outgoing).pipe.bytes()
    }

    /// When the client last took something of what waits for it; `None` if nothing does.
    pub(super) fn waits_since(&self) -> Option<Instant> {
        let out = lock(&self.outgoing);
        out.pipe.is_pending().then_some(out.moved)
    }

    /// Writes frames, as far as the client takes them. None is left in `frames`.
    pub(super) fn write(&self, frames: &mut Vec<Vec<u8>>, limit: usize, poller: &Poller) -> Written {
        let mut out = lock(&self.outgoing);
        let was_pending = out.pipe.is_pending();
        for frame in frames.drain(..) {
            out.pipe.push(frame);
        }
        let before = out.pipe.bytes();
        if let Err(errno) = out.pipe.flush() {
            return broken(errno);
        }
        let after = out.pipe.bytes();
        if after == 0 {
            return Written::All;
        }
        if !was_pending || after != before {
            out.moved = Instant::now();
        }
        if after > limit {
            return Written::TooMuch;
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
        Written::Waiting(out.moved)
    }
}

fn broken(errno: Errno) -> Written {
    Written::Broken(format!("writing to the client failed: {errno}"))
}
