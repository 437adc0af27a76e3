//! One generation's transport as the threads share it: the reading end belongs to whoever drives, the writing end to
//! whoever has something to write, the process to the background thread.

use crate::runtime::link::custom::Custom;
use crate::runtime::lock;
use crate::transport::outgoing::Outgoing;
use crate::transport::poller::{Interest, Poller, Wake};
use crate::transport::stdio::Incoming;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Which descriptor of a link a token means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Output = 0,
    Input = 1,
    Errors = 2,
    Exit = 3,
}

/// A link's token in the poller: its number and the part.
pub(crate) fn token(link: u64, part: Part) -> u64 {
    link << 2 | part as u64
}

/// The link and the part that a token means.
pub(crate) fn from_token(token: u64) -> (u64, Part) {
    let part = match token & 3 {
        0 => Part::Output,
        1 => Part::Input,
        2 => Part::Errors,
        _ => Part::Exit,
    };
    (token >> 2, part)
}

/// What carries a connection's frames.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    /// The pipes of a server process, or a socket.
    Pipe(Arc<Link>),
    /// The host's transport.
    Custom { custom: Arc<Custom>, generation: u64 },
    /// Requests of HTTP.
    #[cfg(feature = "http")]
    Http(Arc<crate::runtime::http::HttpLink>),
}

impl Route {
    pub(crate) fn generation(&self) -> u64 {
        match self {
            Route::Pipe(link) => link.generation,
            Route::Custom { generation, .. } => *generation,
            #[cfg(feature = "http")]
            Route::Http(link) => link.generation,
        }
    }

    pub(crate) fn waiting_bytes(&self) -> usize {
        match self {
            Route::Pipe(link) => link.waiting_bytes(),
            Route::Custom { custom, .. } => custom.waiting_bytes(),
            #[cfg(feature = "http")]
            Route::Http(link) => link.waiting_bytes(),
        }
    }

    pub(crate) fn pipe(&self) -> Option<&Arc<Link>> {
        match self {
            Route::Pipe(link) => Some(link),
            Route::Custom { .. } => None,
            #[cfg(feature = "http")]
            Route::Http(_) => None,
        }
    }
}

/// One open connection.
#[derive(Debug)]
pub(crate) struct Link {
    /// Names it among all links of the process.
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
}

impl Link {
    pub(crate) fn new(
        number: u64,
        generation: u64,
        pid: Option<u32>,
        outgoing: Outgoing,
        incoming: Incoming,
    ) -> Result<Link, Errno> {
        let output = Arc::clone(incoming.fd());
        Ok(Link {
            number,
            generation,
            pid,
            incoming: Mutex::new(incoming),
            outgoing: Mutex::new(Some(outgoing)),
            waiting_bytes: AtomicUsize::new(0),
            output,
            stopped: AtomicBool::new(false),
            interrupt: Wake::new()?,
        })
    }

    /// Nobody drives this link any more; whoever does returns.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.interrupt.set();
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
            poller.rearm(out.fd(), token(self.number, Part::Input), Interest::WritableOnce)?;
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
}
