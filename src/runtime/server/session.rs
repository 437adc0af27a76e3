//! One session: what goes out to its client, in order, whichever thread sends it, and what carries it.

use super::attached::Attached;
use super::byte_stream::ByteStream;
use super::ends::{Ends, Written};
#[cfg(feature = "http")]
use super::http::HttpSession;
use super::limits::StreamLimits;
use crate::engine::server::SessionId;
use crate::runtime::lock;
use crate::transport::poller::Poller;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard};

/// The longest list of frames whose memory is kept.
const SPARE_FRAMES: usize = 128;

/// Frames on their way out.
#[derive(Default, Debug)]
struct Outbox {
    frames: Vec<Vec<u8>>,
    /// An empty list, whose memory is used again.
    spare: Vec<Vec<u8>>,
    bytes: usize,
    /// A thread writes, and looks again after it is done.
    writing: bool,
    /// Nothing more is written. The thread that writes releases the carrier after it is done.
    ended: bool,
}

/// What carries the messages of a session.
#[derive(Debug)]
pub(super) enum Carrier {
    /// Two descriptors.
    Stream(Box<ByteStream>),
    /// A transport of the application, or a client of the same process.
    Attached(Attached),
    /// HTTP: each message goes to a stream of its own, at once.
    #[cfg(feature = "http")]
    Http(Arc<HttpSession>),
}

/// One session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: SessionId,
    carrier: Carrier,
    outbox: Mutex<Outbox>,
    limit: usize,
}

impl Session {
    /// A session over two descriptors.
    pub(super) fn over_stream(id: SessionId, ends: Ends, limits: &StreamLimits) -> Session {
        let carrier = Carrier::Stream(Box::new(ByteStream::new(id, ends, limits)));
        Session { id, carrier, outbox: Mutex::default(), limit: limits.outgoing_bytes }
    }

    /// A session over a transport that is not open yet: what is sent waits for that.
    pub(super) fn over_transport(id: SessionId, attached: Attached, limits: &StreamLimits) -> Session {
        let outbox = Mutex::new(Outbox { writing: true, ..Outbox::default() });
        Session { id, carrier: Carrier::Attached(attached), outbox, limit: limits.outgoing_bytes }
    }

    /// A session over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn over_http(id: SessionId, http: Arc<HttpSession>, limits: &StreamLimits) -> Session {
        Session { id, carrier: Carrier::Http(http), outbox: Mutex::default(), limit: limits.outgoing_bytes }
    }

    /// Its streams, if it is one over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn http(&self) -> Option<&Arc<HttpSession>> {
        match &self.carrier {
            Carrier::Http(http) => Some(http),
            Carrier::Stream(_) | Carrier::Attached(_) => None,
        }
    }

    /// Its descriptors, if it has any.
    pub(super) fn stream(&self) -> Option<&ByteStream> {
        match &self.carrier {
            Carrier::Stream(stream) => Some(stream),
            Carrier::Attached(_) => None,
            #[cfg(feature = "http")]
            Carrier::Http(_) => None,
        }
    }

    /// The transport that it was attached with.
    pub(super) fn attached(&self) -> Option<&Attached> {
        match &self.carrier {
            Carrier::Attached(attached) => Some(attached),
            Carrier::Stream(_) => None,
            #[cfg(feature = "http")]
            Carrier::Http(_) => None,
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
            Carrier::Stream(stream) => stream.give_back(),
            Carrier::Attached(attached) if is_idle => attached.close(),
            Carrier::Attached(_) => {}
            #[cfg(feature = "http")]
            Carrier::Http(http) => http.end(),
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
        if let Carrier::Http(http) = &self.carrier {
            return http.is_flushed();
        }
        let outbox = lock(&self.outbox);
        outbox.frames.is_empty()
            && !outbox.writing
            && self.stream().is_none_or(|stream| !stream.has_output_pending())
    }

    /// Writes what waits, in order. No thread waits for another one's writing.
    pub(super) fn flush(&self, poller: &Poller) -> Written {
        let mut outbox = lock(&self.outbox);
        if outbox.writing {
            // A function of the application may not return while others send. One frame alone may have any size.
            let piles_up = outbox.bytes > self.limit && outbox.frames.len() > 1;
            return if piles_up && self.attached().is_some() { Written::TooMuch } else { Written::All };
        }
        outbox.writing = true;
        self.write_from(outbox, poller)
    }

    /// Writes what waits until nothing does. Only for the thread that set `writing`.
    pub(super) fn write_all(&self, poller: &Poller) -> Written {
        self.write_from(lock(&self.outbox), poller)
    }

    fn write_from<'a>(&'a self, mut outbox: MutexGuard<'a, Outbox>, poller: &Poller) -> Written {
        loop {
            let spare = std::mem::take(&mut outbox.spare);
            let mut frames = std::mem::replace(&mut outbox.frames, spare);
            outbox.bytes = 0;
            drop(outbox);
            let written = match &self.carrier {
                Carrier::Stream(stream) => stream.write(&mut frames, self.limit, poller),
                Carrier::Attached(attached) => attached.send(&mut frames),
                // Its messages wait for nothing here.
                #[cfg(feature = "http")]
                Carrier::Http(_) => Written::All,
            };
            outbox = lock(&self.outbox);
            if frames.capacity() <= SPARE_FRAMES {
                outbox.spare = frames;
            }
            if outbox.frames.is_empty() || outbox.ended || written != Written::All {
                outbox.writing = false;
                let has_ended = outbox.ended;
                drop(outbox);
                if let (true, Carrier::Attached(attached)) = (has_ended, &self.carrier) {
                    attached.close();
                }
                return written;
            }
        }
    }
}
