//! The pipes of one generation, or its socket, as the threads share them: the reading end belongs to the thread that drives,
//! the writing end to any thread that has something to write, the process to the background thread.

use crate::runtime::queue::wake_state::{HostSet, Shown};
use crate::runtime::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::runtime::sync::{Mutex, lock};
use crate::transport::poller::{Interest, Poller, Wake};
use crate::transport::stream::{Incoming, Outgoing, Read};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::{Arc, Weak};

/// Reads in one go before others get their turn.
pub(crate) const READS_PER_TURN: usize = 16;

/// Which descriptor of a pipe a token means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PipePart {
    Output = 0,
    Input = 1,
    Errors = 2,
    Exit = 3,
}

/// A pipe's token in the poller: its number and the part.
pub(crate) fn token(number: u64, part: PipePart) -> u64 {
    number << 2 | part as u64
}

/// The pipe and the part that a token means.
pub(crate) fn from_token(token: u64) -> (u64, PipePart) {
    let part = match token & 3 {
        0 => PipePart::Output,
        1 => PipePart::Input,
        2 => PipePart::Errors,
        _ => PipePart::Exit,
    };
    (token >> 2, part)
}

/// One open connection.
#[derive(Debug)]
pub(crate) struct Pipe {
    /// Names it among all pipes of the process.
    pub(crate) number: u64,
    /// Names it in the engine.
    pub(crate) generation: u64,
    /// The server's process id, if it is a process of ours.
    pub(crate) pid: Option<u32>,
    /// The descriptor that `incoming` reads, to wait on without its lock.
    pub(crate) output: Arc<OwnedFd>,
    pub(crate) incoming: Mutex<Incoming>,
    /// `None` once the server's input was closed.
    pub(crate) outgoing: Mutex<Option<Outgoing>>,
    /// Bytes that wait to be written, for a look without the lock.
    waiting_bytes: AtomicUsize,
    stopped: AtomicBool,
    interrupt: Wake,
    /// What shows a loop of the host's that there is something to read.
    shown_by: Mutex<Option<Arc<HostSet>>>,
    /// Whether there is one, for a look without the lock.
    is_shown: AtomicBool,
}

impl Pipe {
    pub(crate) fn new(
        number: u64,
        generation: u64,
        pid: Option<u32>,
        outgoing: Outgoing,
        incoming: Incoming,
    ) -> Result<Pipe, Errno> {
        let output = Arc::clone(incoming.fd());
        Ok(Pipe {
            number,
            generation,
            pid,
            incoming: Mutex::new(incoming),
            outgoing: Mutex::new(Some(outgoing)),
            waiting_bytes: AtomicUsize::new(0),
            output,
            stopped: AtomicBool::new(false),
            interrupt: Wake::new()?,
            shown_by: Mutex::new(None),
            is_shown: AtomicBool::new(false),
        })
    }

    /// No thread drives this pipe any more; one that does returns.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.hide_now();
        self.interrupt.set();
    }

    /// Has a loop of the host's see when there is something to read. Says whether one does.
    pub(crate) fn show(&self, host: &Arc<HostSet>, connection: Weak<dyn Shown>) -> bool {
        let mut shown_by = lock(&self.shown_by);
        // Under the lock with which what is stopped is hidden.
        if self.is_stopped() {
            return false;
        }
        if shown_by.is_none() && host.show(self.number, &self.output, connection) {
            *shown_by = Some(Arc::clone(host));
            self.is_shown.store(true, Ordering::SeqCst);
        }
        shown_by.is_some()
    }

    /// Another thread reads it: the loop is not to wake for that. With the driver's lock, as for showing it.
    pub(crate) fn hide(&self) {
        if self.is_shown() {
            self.hide_now();
        }
    }

    /// Not inlined: a thread that drives seldom finds the pipe shown.
    #[inline(never)]
    fn hide_now(&self) {
        let mut shown_by = lock(&self.shown_by);
        self.is_shown.store(false, Ordering::SeqCst);
        if let Some(host) = shown_by.take() {
            host.hide(self.number, &self.output);
        }
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.is_shown.load(Ordering::SeqCst)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Ends the wait of the thread that drives.
    pub(crate) fn interrupt(&self) {
        self.interrupt.set();
    }

    pub(crate) fn wake(&self) -> &Wake {
        &self.interrupt
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes.load(Ordering::Relaxed)
    }

    /// Puts frames behind those that wait. Says whether the caller is to flush: if some waited already, the background
    /// thread does when there is room, and order is kept by going behind.
    pub(crate) fn push(&self, out: &mut Outgoing, frames: impl IntoIterator<Item = Vec<u8>>) -> bool {
        let was_pending = out.is_pending();
        for frame in frames {
            out.push(frame);
        }
        self.waiting_bytes.store(out.bytes(), Ordering::Relaxed);
        !was_pending
    }

    /// Writes what the pipe takes now, and has the background thread wait for room for the rest.
    pub(crate) fn flush(&self, out: &mut Outgoing, poller: &Poller) -> Result<(), Errno> {
        let outcome = out.flush();
        self.waiting_bytes.store(out.bytes(), Ordering::Relaxed);
        outcome?;
        if out.is_pending() {
            poller.rearm(out.fd(), token(self.number, PipePart::Input), Interest::WritableOnce)?;
        }
        Ok(())
    }

    /// Whether the server's process has read all that was sent to it; `None` where that cannot be told.
    pub(crate) fn has_been_read(&self) -> Option<bool> {
        self.pid?;
        // Who writes at the moment holds the lock, and the next look is soon.
        self.outgoing.try_lock().ok()?.as_ref()?.has_been_read()
    }

    /// Closes the server's input: the polite way to ask it to end.
    pub(crate) fn close_input(&self, poller: &Poller) {
        let out = lock(&self.outgoing).take();
        if let Some(out) = out {
            poller.unwatch(out.fd());
        }
        self.waiting_bytes.store(0, Ordering::Relaxed);
    }

    /// Has the background thread told when there is something to read. Fails only when the pipe was just taken out of the
    /// poller, which happens after it is stopped.
    pub(crate) fn listen_once(&self, poller: &Poller) {
        let _is_stopped =
            poller.rearm(&self.output, token(self.number, PipePart::Output), Interest::ReadableOnce);
    }

    /// Throws away what a server that is being ended still says. Says whether it has ended its output.
    pub(crate) fn discard(&self, poller: &Poller) -> bool {
        let mut incoming = lock(&self.incoming);
        let mut last = Read::Nothing;
        for _ in 0..READS_PER_TURN {
            last = incoming.read();
            while incoming.next_piece().is_some() {}
            if last != Read::More {
                break;
            }
        }
        drop(incoming);
        if last != Read::Ended {
            self.listen_once(poller);
        }
        last == Read::Ended
    }
}
