//! The two ends of a connection over pipes, sockets or the streams of this process: frames are read and written without blocking.

#[cfg(feature = "server")]
use crate::transport::framing::READ_BYTES;
use crate::transport::framing::{Deframer, Framing, Piece};
use crate::transport::system::io::{
    NO_MEMORY, QUIET, RECEIVE_AT_ONCE, SEND_AT_ONCE, enlarge, keep_quiet, send_slices, unread, write_quietly,
};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::recv;
use std::collections::VecDeque;
use std::io::IoSlice;
use std::sync::Arc;

/// How calls on a descriptor are kept from blocking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The description is non-blocking and used by nothing else, or it is of a file.
    Direct,
    /// A socket: each call says that it must not block.
    Socket,
    #[allow(
        dead_code,
        reason = "Windows carries the bytes of such to sockets; only a server shares its streams"
    )]
    /// Shared with others: `poll` before each call, and at most [`STEP_BYTES`] are written at once.
    AskFirst,
}

/// What a pipe that is writable takes at once on every system (the least value of `PIPE_BUF` in POSIX).
pub const STEP_BYTES: usize = 512;

/// One end of a byte stream, close-on-exec.
#[derive(Debug)]
pub struct StreamEnd {
    /// The descriptor.
    pub fd: OwnedFd,
    /// How it is used.
    pub access: Access,
    /// A file, or a device without readiness: `epoll` refuses it, and reading or writing needs no wait. `poll` calls it
    /// ready always.
    pub is_always_ready: bool,
    /// Whether it is a pipe, whose writing end tells what was not read.
    pub is_pipe: bool,
}

/// The direction in which a stream is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// It is read.
    Input,
    /// It is written.
    Output,
}

/// Whether a descriptor can be used now, without a wait.
///
/// # Errors
/// `AGAIN` when it cannot.
pub(crate) fn ask(fd: &OwnedFd, direction: Direction) -> Result<(), Errno> {
    let wanted = match direction {
        Direction::Input => PollFlags::IN,
        Direction::Output => PollFlags::OUT,
    };
    let mut fds = [PollFd::new(fd, wanted)];
    match poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })) {
        // An error or the end of the other side counts: the call tells which.
        Ok(_) if !fds[0].revents().is_empty() => Ok(()),
        // The caller waits, and asks again.
        Ok(_) | Err(_) => Err(Errno::AGAIN),
    }
}

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

    /// Whether only the first part of a frame is held, and the next read needs more memory.
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

/// The most frames in one write.
const FRAMES_PER_WRITE: usize = 64;

/// The writing end of a connection.
#[derive(Debug)]
pub struct Outgoing {
    fd: OwnedFd,
    access: Access,
    is_pipe: bool,
    framing: Framing,
    queue: VecDeque<Vec<u8>>,
    /// How much of the first frame is written.
    written: usize,
    bytes: usize,
}

impl Outgoing {
    /// Writes to a pipe, which must be non-blocking.
    pub fn new(fd: OwnedFd, framing: Framing) -> Outgoing {
        keep_quiet(&fd);
        Outgoing {
            fd,
            access: Access::Direct,
            is_pipe: true,
            framing,
            queue: VecDeque::new(),
            written: 0,
            bytes: 0,
        }
    }

    /// Writes to a socket, which must be non-blocking.
    pub fn to_socket(fd: OwnedFd, framing: Framing) -> Outgoing {
        Outgoing { access: Access::Socket, is_pipe: false, ..Outgoing::new(fd, framing) }
    }

    /// Writes to an end that others may share.
    #[cfg(any(feature = "server", test))]
    pub fn on(end: StreamEnd, framing: Framing) -> Outgoing {
        Outgoing { access: end.access, is_pipe: end.is_pipe, ..Outgoing::new(end.fd, framing) }
    }

    /// Puts a frame behind those that wait.
    pub fn push(&mut self, frame: Vec<u8>) {
        let wrapped = self.framing.wrap(frame);
        self.bytes += wrapped.len();
        self.queue.push_back(wrapped);
    }

    /// Whether something waits.
    pub fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The bytes that wait.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What is left of the largest frame that waits.
    pub fn largest(&self) -> usize {
        let first = self.queue.front().map_or(0, |first| first.len() - self.written);
        self.queue.iter().skip(1).map(Vec::len).fold(first, usize::max)
    }

    /// Whether the reader has read all that was to be written; `None` where the system does not tell.
    pub fn has_been_read(&self) -> Option<bool> {
        if self.is_pending() {
            return Some(false);
        }
        let left = if self.is_pipe { unread(&self.fd) } else { None };
        left.map(|left| left == 0)
    }

    /// The descriptor, to wait until it takes more.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Writes what the pipe takes now.
    ///
    /// # Errors
    /// What the system said; `PIPE` when the reader is gone.
    pub fn flush(&mut self) -> Result<(), Errno> {
        while let Some(first) = self.queue.front() {
            let outcome = if self.queue.len() == 1 {
                self.write(&[IoSlice::new(&first[self.written..])])
            } else {
                let mut slices = Vec::with_capacity(self.queue.len().min(FRAMES_PER_WRITE));
                for (at, frame) in self.queue.iter().take(FRAMES_PER_WRITE).enumerate() {
                    slices.push(IoSlice::new(if at == 0 { &frame[self.written..] } else { frame }));
                }
                self.write(&slices)
            };
            match outcome {
                Ok(written) => self.advance(written),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write(&self, slices: &[IoSlice<'_>]) -> Result<usize, Errno> {
        match self.access {
            Access::Direct => write_quietly(&self.fd, slices),
            Access::Socket => send_slices(&self.fd, slices, QUIET | SEND_AT_ONCE),
            Access::AskFirst => {
                ask(&self.fd, Direction::Output)?;
                let first = slices.first().map_or(&[][..], |first| &first[..first.len().min(STEP_BYTES)]);
                write_quietly(&self.fd, &[IoSlice::new(first)])
            }
        }
    }

    fn advance(&mut self, written: usize) {
        self.bytes -= written;
        let mut left = self.written + written;
        while let Some(first) = self.queue.front() {
            if left < first.len() {
                break;
            }
            left -= first.len();
            self.queue.pop_front();
        }
        self.written = left;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_socket_takes_frames_in_order_and_reports_a_reader_that_is_gone() {
        let (ours, mut theirs) = UnixStream::pair().expect("a pair");
        ours.set_nonblocking(true).expect("non-blocking");
        let mut out = Outgoing::to_socket(ours.into(), Framing::Newline);
        for frame in ["one", "two", "three"] {
            out.push(frame.as_bytes().to_vec());
        }
        assert_eq!(out.flush(), Ok(()));
        assert!(!out.is_pending());
        let mut said = [0; 14];
        theirs.read_exact(&mut said).expect("all of it");
        assert_eq!(&said, b"one\ntwo\nthree\n");
        drop(theirs);
        out.push(b"four".to_vec());
        assert_eq!(out.flush(), Err(Errno::PIPE));
    }
}
