//! Frames on their way into a pipe or socket: written without blocking, many in one call, what does not fit kept in order.
//!
//! A write to a pipe or socket whose reader is gone raises `SIGPIPE`, which kills a host that did not ask for it to be
//! ignored. [`super::pipes`] keeps it off what is written to a pipe; sockets have a flag or an option for it.

use super::framing::Framing;
use super::pipes::{keep_quiet, unread, write_quietly};
use super::socket::system::{QUIET, SEND_AT_ONCE, send_slices};
#[cfg(any(feature = "server", test))]
use super::stream_end::StreamEnd;
use super::stream_end::{Access, Direction, STEP_BYTES, ask};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io::IoSlice;

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
