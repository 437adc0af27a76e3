//! Frames on their way into a pipe or socket: written without blocking, many in one call, what does not fit kept in order.
//!
//! A write to a pipe whose reader is gone raises `SIGPIPE`, which kills a host that did not ask for it to be ignored.
//! [`super::process::signals`] keeps it off the writing thread.

use super::framing::Framing;
use super::process::signals;
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
    framing: Framing,
    queue: VecDeque<Vec<u8>>,
    /// How much of the first frame is written.
    written: usize,
    bytes: usize,
}

impl Outgoing {
    /// Writes to `fd`, which must be non-blocking.
    pub fn new(fd: OwnedFd, framing: Framing) -> Outgoing {
        Outgoing { fd, framing, queue: VecDeque::new(), written: 0, bytes: 0 }
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
                signals::write_quietly(&self.fd, &[IoSlice::new(&first[self.written..])])
            } else {
                let mut slices = Vec::with_capacity(self.queue.len().min(FRAMES_PER_WRITE));
                for (at, frame) in self.queue.iter().take(FRAMES_PER_WRITE).enumerate() {
                    slices.push(IoSlice::new(if at == 0 { &frame[self.written..] } else { frame }));
                }
                signals::write_quietly(&self.fd, &slices)
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
