//! A link over the pipes of server processes or over sockets. The thread that waits drives: it reads for itself, passes on what
//! arrives for others, and gives the role back. The background thread reads while no thread waits.

use super::frames::Frames;
use super::owner::Driven;
use super::pipe::{Pipe, READS_PER_TURN};
use super::turns::Turns;
use crate::runtime::background::runtime::{Command, Runtime};
use crate::runtime::driver::lock::{After, DriverLock, Next};
use crate::runtime::queue::Watch;
use crate::runtime::sync::atomic::AtomicBool;
use crate::runtime::sync::{Mutex, lock};
use crate::runtime::waiter::{Interrupt, Waiter};
use crate::transport::framing::Piece;
use crate::transport::incoming::{Incoming, Read};
use crate::transport::poller::wait_for;
use rustix::fd::AsFd;
use std::sync::Arc;
use std::time::Instant;

/// Reads of what a dead server left in the pipe, which holds a mebibyte at the most. An heir with a session of its own could
/// write for ever.
const LAST_READS: usize = 64;

/// What is to be written.
#[derive(Default, Debug)]
pub(super) struct Outbox {
    /// The pipe that is open.
    pub(super) pipe: Option<Arc<Pipe>>,
    pub(super) frames: Frames,
    /// Some thread left frames here because another one was writing.
    pub(super) writer_is_busy: bool,
    pub(super) turns: Turns,
}

/// What a connection has of its pipes for as long as it lives, whatever servers come and go.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(super) runtime: Arc<Runtime>,
    driver: DriverLock,
    pub(super) outbox: Mutex<Outbox>,
    /// Frames may be held back, and the background thread will look.
    pub(super) held_back: AtomicBool,
    /// The host's loop is told of frames that are held back, and will look.
    pub(super) is_told: AtomicBool,
}

impl Pipes {
    pub(in crate::runtime) fn new(runtime: &Arc<Runtime>) -> Pipes {
        Pipes {
            runtime: Arc::clone(runtime),
            driver: DriverLock::default(),
            outbox: Mutex::default(),
            held_back: AtomicBool::new(false),
            is_told: AtomicBool::new(false),
        }
    }

    pub(super) fn open(&self, connection: Arc<dyn Driven>, generation: u64) {
        self.runtime.command(Command::Open { connection, generation });
    }

    /// The pipe of a generation is open.
    pub(crate) fn install(&self, pipe: &Arc<Pipe>) {
        lock(&self.outbox).pipe = Some(Arc::clone(pipe));
        self.driver.connected(Arc::clone(pipe), &self.runtime.poller);
    }

    /// Writes what was sent before the end, such as a cancellation, and has the server ended.
    pub(in crate::runtime) fn close(&self, client: u64, generation: u64) {
        let mut outbox = lock(&self.outbox);
        if let Some(pipe) = outbox.pipe.take_if(|pipe| pipe.generation == generation)
            && let Some(out) = lock(&pipe.outgoing).as_mut()
            && pipe.push(out, outbox.frames.take())
        {
            // The connection is ending anyway.
            let _not_written = pipe.flush(out, &self.runtime.poller);
        }
        outbox.frames.clear();
        drop(outbox);
        self.driver.disconnected();
        self.runtime.command(Command::Shut { client, generation, by: None });
    }

    pub(super) fn pid(&self) -> Option<u32> {
        lock(&self.outbox).pipe.as_ref()?.pid
    }

    /// Waits until something arrives for `waiter` or the time is over, driving if no other thread does.
    pub(in crate::runtime) fn wait(&self, owner: &dyn Driven, waiter: &Arc<Waiter>, until: Option<Instant>) {
        loop {
            let pipe = self.driver.claim(waiter).or_else(|| {
                waiter.park(until);
                self.driver.leave(waiter)
            });
            if let Some(pipe) = pipe {
                let guard = DriverGuard { pipes: self, owner, waiter: Some(waiter), at_once: false };
                self.drive(owner, &pipe, waiter, until);
                drop(guard);
            }
            if waiter.has_arrived() || until.is_some_and(|until| Instant::now() >= until) {
                return;
            }
        }
    }

    fn drive(&self, owner: &dyn Driven, pipe: &Arc<Pipe>, waiter: &Arc<Waiter>, until: Option<Instant>) {
        let mut incoming = lock(&pipe.incoming);
        let mut arrived = waiter.set_driving(Some(Arc::clone(pipe) as Arc<dyn Interrupt>));
        if !arrived && !pipe.is_stopped() {
            // A server on the same processor often runs as soon as it is written to, and has answered by now.
            self.read_and_dispatch(owner, pipe, &mut incoming, Some(waiter));
            arrived = waiter.has_arrived();
        }
        while !arrived && !pipe.is_stopped() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let found = wait_for(pipe.output.as_fd(), pipe.wake(), left);
            if found.woken {
                pipe.wake().clear();
            }
            if found.readable {
                self.read_and_dispatch(owner, pipe, &mut incoming, Some(waiter));
            }
            arrived = waiter.has_arrived();
        }
    }

    /// Reads once and passes on what is complete.
    fn read_and_dispatch(
        &self,
        owner: &dyn Driven,
        pipe: &Pipe,
        incoming: &mut Incoming,
        by: Option<&Arc<Waiter>>,
    ) -> Read {
        #[cfg(mcp_loom)]
        crate::transport::poller::model::look();
        let read = incoming.read();
        if read == Read::Ended {
            pipe.stop();
            self.runtime.command(Command::OutputEnded {
                link: pipe.number,
                partial: incoming.is_partial(),
                errno: incoming.error(),
            });
        }
        let mut first = incoming.next_piece();
        if first.is_some() {
            let mut next = || match first.take().or_else(|| incoming.next_piece())? {
                Piece::Broken(why) => {
                    self.runtime.command(Command::Broken { link: pipe.number, why });
                    None
                }
                piece => Some(piece),
            };
            owner.received(pipe.generation, None, &mut next, by);
        }
        read
    }

    /// The background thread is told that there is something to read.
    pub(crate) fn readable(&self, owner: &dyn Driven, mine: &Pipe) {
        if owner.is_held_up() {
            return;
        }
        let is_for_host = mine.is_shown() && !owner.context().queue.has_sleepers();
        if is_for_host && self.driver.gives_host_time() {
            return self.look_later(owner);
        }
        let Some(pipe) = self.driver.claim_in_background() else { return self.look_later(owner) };
        let mut guard = DriverGuard { pipes: self, owner, waiter: None, at_once: true };
        if pipe.number == mine.number {
            let mut incoming = lock(&pipe.incoming);
            for _ in 0..READS_PER_TURN {
                // A thread that waits for what comes reads it in its own time and memory.
                if self.read_and_dispatch(owner, &pipe, &mut incoming, None) != Read::More
                    || self.driver.is_wanted()
                {
                    break;
                }
                if incoming.has_begun_large() {
                    // The thread that has just made the call may not have come to wait for it: it gets a grace time for that.
                    guard.at_once = false;
                    break;
                }
            }
        }
        drop(guard);
    }

    /// The background thread looks after a grace time who reads what is there.
    fn look_later(&self, owner: &dyn Driven) {
        if self.driver.look_later()
            && let Some(owner) = owner.this()
        {
            self.runtime.grace(owner);
        }
    }

    /// A thread of a loop of the host's looks what is there, in its own time and memory.
    pub(crate) fn read_for_host(&self, owner: &dyn Driven) {
        if owner.is_held_up() {
            // A resume that comes first has shown it: then the background thread finds it after the grace time.
            return self.driver.hide();
        }
        let Some(pipe) = self.driver.claim_for_host() else { return };
        let guard = DriverGuard { pipes: self, owner, waiter: None, at_once: false };
        let mut incoming = lock(&pipe.incoming);
        for _ in 0..READS_PER_TURN {
            if self.read_and_dispatch(owner, &pipe, &mut incoming, None) != Read::More {
                break;
            }
        }
        drop(incoming);
        drop(guard);
    }

    /// Reads what a server said before its end. The pipe must be stopped.
    pub(crate) fn read_rest(&self, owner: &dyn Driven, pipe: &Pipe) {
        let mut incoming = lock(&pipe.incoming);
        for _ in 0..LAST_READS {
            let read = self.read_and_dispatch(owner, pipe, &mut incoming, None);
            if matches!(read, Read::Ended | Read::Nothing) {
                break;
            }
        }
    }

    /// The grace time is over. Says whether to look again after another one.
    pub(crate) fn grace_is_over(&self, owner: &dyn Driven) -> bool {
        let holding = self.end_holding_back(owner);
        self.driver.grace_is_over(&self.runtime.poller) || holding
    }

    /// Gives the role of driver back.
    fn give_back(&self, owner: &dyn Driven, at_once: bool) {
        let queue = &owner.context().queue;
        let show = |pipe: &Pipe| queue.host().is_some_and(|host| pipe.show(host, owner.shown()));
        let next = match queue.watch() {
            Watch::Loop if !queue.has_sleepers() => Next::Host(&show),
            Watch::Not if !at_once => Next::Grace,
            _ => Next::Background,
        };
        if self.driver.release(&self.runtime.poller, next) == After::Grace
            && let Some(owner) = owner.this()
        {
            self.runtime.grace(owner);
        }
    }

    /// There is room in the queue. Taking the role and giving it back has the background thread listen again. A thread that has
    /// the role now will do that.
    pub(super) fn resume(&self, owner: &dyn Driven) {
        if self.driver.claim_in_background().is_some() {
            self.give_back(owner, true);
        }
    }
}

/// The role of driver while a thread has it: given back also when the thread panics in it.
struct DriverGuard<'a> {
    pipes: &'a Pipes,
    owner: &'a dyn Driven,
    waiter: Option<&'a Arc<Waiter>>,
    at_once: bool,
}

impl Drop for DriverGuard<'_> {
    fn drop(&mut self) {
        if let Some(waiter) = self.waiter {
            waiter.set_driving(None);
        }
        self.pipes.give_back(self.owner, self.at_once);
    }
}
