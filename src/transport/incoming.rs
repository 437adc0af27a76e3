//! The reading end of a connection: a server's standard output, our own standard input, or a socket.

use super::errno::NO_MEMORY;
#[cfg(feature = "server")]
use super::framing::READ_BYTES;
use super::framing::{Deframer, Framing, Piece};
use super::pipes::enlarge;
use super::socket::system::RECEIVE_AT_ONCE;
#[cfg(any(feature = "server", test))]
use super::stream_end::StreamEnd;
use super::stream_end::{Access, Direction, ask};
use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::recv;
use std::sync::Arc;

/// What one read gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// Bytes, and there may be more.
    More,
    /// Bytes, and nothing more for now.
    Some,
    /// Nothing now.
    Nothing,
    /// The end: the server closed it or is gone.
    Ended,
}

/// The pipe size asked for once frames turn out to be large (our end only; the kernel may refuse).
const LARGE_PIPE: usize = 1024 * 1024;
/// A frame that has grown to this size is large.
const LARGE_FRAME: usize = 128 * 1024;

/// Frames from a server.
#[derive(Debug)]
pub struct Incoming {
    fd: Arc<OwnedFd>,
    access: Access,
    deframer: Deframer,
    ended: bool,
    /// What ended it, if that was an error.
    error: Option<Errno>,
    pipe_is_large: bool,
}

impl Incoming {
    /// Reads from `fd`, which must be non-blocking.
    pub fn new(fd: Arc<OwnedFd>, framing: Framing, bound: usize, discard: usize) -> Incoming {
        Incoming {
            fd,
            access: Access::Direct,
            deframer: Deframer::new(framing, bound, discard),
            ended: false,
            error: None,
            pipe_is_large: false,
        }
    }

    /// Reads from an end that others may share.
    #[cfg(any(feature = "server", test))]
    pub fn on(end: StreamEnd, framing: Framing, bound: usize, discard: usize) -> Incoming {
        Incoming { access: end.access, ..Incoming::new(Arc::new(end.fd), framing, bound, discard) }
    }

    /// What is read.
    pub fn fd(&self) -> &Arc<OwnedFd> {
        &self.fd
    }

    /// Reads once, straight into the buffer that frames are handed over in.
    pub fn read(&mut self) -> Read {
        if self.ended {
            return Read::Ended;
        }
        let buffer = self.deframer.buffer();
        if buffer.len() >= LARGE_FRAME && !self.pipe_is_large {
            self.pipe_is_large = true;
            // Fewer, larger reads for the rest of it.
            enlarge(&self.fd, LARGE_PIPE);
        }
        let room = buffer.capacity() - buffer.len();
        if room == 0 {
            // Reading into nothing would look like the end.
            self.ended = true;
            self.error = Some(NO_MEMORY);
            return Read::Ended;
        }
        loop {
            let outcome = match self.access {
                Access::Direct => rustix::io::read(&self.fd, spare_capacity(buffer)),
                Access::Socket => {
                    recv(&self.fd, spare_capacity(buffer), RECEIVE_AT_ONCE).map(|(count, _)| count)
                }
                Access::AskFirst => ask(&self.fd, Direction::Input)
                    .and_then(|()| rustix::io::read(&self.fd, spare_capacity(buffer))),
            };
            match outcome {
                Ok(0) => {
                    self.ended = true;
                    return Read::Ended;
                }
                Ok(count) => return if count == room { Read::More } else { Read::Some },
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Read::Nothing,
                Err(errno) => {
                    self.ended = true;
                    self.error = Some(errno);
                    return Read::Ended;
                }
            }
        }
    }

    /// The next frame among what was read. At the end of the stream the last line may lack its end.
    pub fn next_piece(&mut self) -> Option<Piece> {
        let piece = self.deframer.next_piece();
        if piece.is_none() && self.ended && self.error.is_none() {
            return self.deframer.last_line();
        }
        piece
    }

    /// The error that ended it, if one did.
    pub fn error(&self) -> Option<Errno> {
        self.error
    }

    /// Whether no more is held than the first part of a frame, and the next read wants more memory.
    pub fn has_begun_large(&self) -> bool {
        self.deframer.has_begun_large()
    }

    /// How many bytes of memory are held beyond what each connection has.
    #[cfg(feature = "server")]
    pub fn held(&self) -> usize {
        self.deframer.held().saturating_sub(READ_BYTES)
    }

    /// Whether the stream ended in the middle of a frame.
    pub fn is_partial(&self) -> bool {
        self.deframer.is_partial() && !(self.ended && self.error.is_none() && self.deframer.has_last_line())
    }
}
