//! Joins one engine and one transport: runs the engine's effects, and lets whoever waits drive.
//!
//! Locks are taken in this order and never the other way: a link's incoming, core, then one of outgoing, queue, role; then a
//! waiter's.

use super::background::{Command, Runtime};
use super::link::Link;
use super::lock;
use super::message::{Abandon, Message};
use super::queue::{Queue, Ready, Resume};
use super::role::{After, Role};
use super::waiter::{Arrival, Waiter};
use crate::engine::{Effect, Engine, Error, Event, Settings, State, Status};
use crate::transport::framing::Piece;
use crate::transport::poller::wait_for;
use crate::transport::stdio::{Incoming, Read};
use rustix::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// What finds the one who waits for an outcome.
#[derive(Debug)]
pub(crate) enum Ticket {
    /// A thread.
    Waiter(Arc<Waiter>),
    /// The queue, with the application's tag.
    Started(u64),
}

/// What the transport needs to know.
#[derive(Clone, Debug)]
pub(crate) struct TransportSettings {
    pub(crate) command: crate::transport::process::Command,
    pub(crate) framing: crate::transport::Framing,
    pub(crate) frame_bytes: usize,
    pub(crate) outgoing_bytes: usize,
    pub(crate) stderr: crate::transport::stderr::StderrLimits,
    pub(crate) stderr_to: StderrTo,
    /// How long a server may take to end after its input was closed.
    pub(crate) exit_wait: Duration,
    /// How long it may take after it was asked to (SIGTERM).
    pub(crate) term_wait: Duration,
    /// How long a close without a time of its own may take.
    pub(crate) close: Duration,
}

/// Where a server's standard error goes, besides the last lines kept for errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StderrTo {
    /// To the logger.
    #[default]
    Log,
    /// To the queue, as LOG messages.
    Message,
    /// Nowhere.
    Drop,
}

pub(crate) struct Core {
    pub(crate) engine: Engine<Ticket>,
    pub(crate) link: Option<Arc<Link>>,
    outbox: Vec<Vec<u8>>,
    /// Processes being started or not yet gone.
    peers: usize,
    /// Threads that wait until everything has ended.
    closers: Vec<Arc<Waiter>>,
}

/// One logical connection to one server.
pub(crate) struct Connection {
    pub(crate) client: u64,
    pub(crate) name: String,
    pub(crate) transport: TransportSettings,
    pub(crate) queue: Arc<Queue>,
    pub(crate) owns_queue: bool,
    pub(crate) role: Role,
    pub(crate) runtime: Arc<Runtime>,
    core: Mutex<Core>,
    /// When the engine wants to be ticked, in the runtime's nanoseconds.
    pub(crate) due: AtomicU64,
    myself: Weak<Connection>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("client", &self.client)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Connection {
    pub(crate) fn new(
        client: u64,
        name: String,
        settings: Settings,
        transport: TransportSettings,
        queue: Arc<Queue>,
        owns_queue: bool,
        runtime: Arc<Runtime>,
    ) -> Arc<Connection> {
        Arc::new_cyclic(|myself| Connection {
            client,
            name,
            transport,
            queue,
            owns_queue,
            role: Role::default(),
            runtime,
            core: Mutex::new(Core {
                engine: Engine::new(settings),
                link: None,
                outbox: Vec::new(),
                peers: 0,
                closers: Vec::new(),
            }),
            due: AtomicU64::new(u64::MAX),
            myself: Weak::clone(myself),
        })
    }

    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        let mut core = lock(&self.core);
        core.engine.set_verbosity(super::logger::verbosity());
        core
    }

    pub(crate) fn this(&self) -> Option<Arc<Connection>> {
        self.myself.upgrade()
    }

    /// Runs the engine's effects and writes what it wants sent. `by` is the waiter of this thread, if it has one.
    pub(crate) fn settle(&self, mut core: MutexGuard<'_, Core>, by: Option<&Arc<Waiter>>) {
        let mut ready: Option<Ready> = None;
        let mut closers = Vec::new();
        while let Some(effect) = core.engine.effect() {
            match effect {
                Effect::Send(frame) => {
                    self.runtime.callbacks.frame(&self.name, "frame.sent", &frame);
                    core.outbox.push(frame);
                }
                Effect::Complete { call, ticket, reply } => match ticket {
                    Ticket::Waiter(waiter) => waiter.arrive(Arrival::Reply(reply), by),
                    Ticket::Started(tag) => {
                        let message = Message::reply(self.client, call, tag, reply);
                        ready = self.queue.push(message, by).or(ready);
                    }
                },
                Effect::Connected { ticket, outcome } => {
                    if let Ticket::Waiter(waiter) = ticket {
                        waiter.arrive(Arrival::Connected(outcome), by);
                    }
                }
                Effect::Emit(event) => {
                    let closed = matches!(event, Event::State { to: State::Closed, .. });
                    ready = self.emit(event, by).or(ready);
                    if closed && self.owns_queue {
                        self.queue.close();
                    }
                }
                Effect::Open { generation } => {
                    core.peers += 1;
                    if let Some(connection) = self.this() {
                        self.runtime.command(Command::Open { connection, generation });
                    }
                }
                Effect::Shut { generation } => self.begin_shut(&mut core, generation),
                Effect::Log(record) => self.runtime.callbacks.log(&self.name, &record),
            }
        }
        if core.peers == 0 && core.engine.state() == State::Closed {
            closers = std::mem::take(&mut core.closers);
        }
        let due = core.engine.next_deadline();
        self.due.store(self.runtime.nanos(due), Ordering::SeqCst);
        self.write(core);
        self.runtime.wake_by(due);
        for closer in closers {
            closer.arrive(Arrival::Look, by);
        }
        if let Some(ready) = ready {
            self.runtime.callbacks.run(ready);
        }
    }

    fn emit(&self, event: Event, by: Option<&Arc<Waiter>>) -> Option<Ready> {
        let owner = || Weak::clone(&self.myself) as Weak<dyn Abandon>;
        self.queue.push(Message::event(self.client, event, owner), by)
    }

    fn begin_shut(&self, core: &mut Core, generation: u64) {
        if let Some(link) = core.link.take_if(|link| link.generation == generation)
            && let Some(out) = lock(&link.outgoing).as_mut()
            && link.push(out, core.outbox.drain(..))
        {
            // What the engine wanted said before the end, such as a cancellation; the connection is ending anyway.
            let _nobody_listens = link.flush(out, &self.runtime.poller);
        }
        core.outbox.clear();
        self.role.disconnected();
        self.runtime.command(Command::Shut { client: self.client, generation, by: None });
    }

    /// Writes what waits, in order, without holding the core while the system writes.
    fn write(&self, mut core: MutexGuard<'_, Core>) {
        if core.outbox.is_empty() {
            return;
        }
        let Some(link) = core.link.clone() else {
            core.outbox.clear();
            return;
        };
        let mut outgoing = lock(&link.outgoing);
        let Some(out) = outgoing.as_mut() else {
            core.outbox.clear();
            return;
        };
        let was_behind = out.bytes() > self.transport.outgoing_bytes.saturating_mul(2);
        if was_behind {
            // Calls and notifications stop at the bound, so this is what a server made us say that asks and never reads.
            core.outbox.clear();
            drop(core);
            drop(outgoing);
            let why = "the server sends requests and reads no answers".to_owned();
            return self.runtime.command(Command::Broken { link: link.number, why });
        }
        let is_mine = link.push(out, core.outbox.drain(..));
        drop(core);
        if is_mine && let Err(errno) = link.flush(out, &self.runtime.poller) {
            drop(outgoing);
            self.runtime.command(Command::InputClosed { link: link.number, errno });
        }
    }

    /// Waits until something arrives for `waiter` or the time is over, driving the connection if nobody else does.
    pub(crate) fn wait(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        loop {
            let link = self.role.claim(waiter).or_else(|| {
                waiter.park(until);
                self.role.leave(waiter)
            });
            if let Some(link) = link {
                self.drive(&link, waiter, until);
                self.give_back(false);
            }
            if waiter.has_arrived() || until.is_some_and(|until| Instant::now() >= until) {
                return;
            }
        }
    }

    fn drive(&self, link: &Arc<Link>, waiter: &Arc<Waiter>, until: Option<Instant>) {
        let mut incoming = lock(&link.incoming);
        let mut arrived = waiter.set_driving(Some(Arc::clone(link)));
        if !arrived && !link.is_stopped() {
            // A server on the same processor often runs as soon as it is written to, and has answered by now.
            self.absorb(link, &mut incoming, Some(waiter));
            arrived = waiter.has_arrived();
        }
        while !arrived && !link.is_stopped() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let found = wait_for(link.output.as_fd(), link.wake(), left);
            if found.woken {
                link.wake().clear();
            }
            if found.readable {
                self.absorb(link, &mut incoming, Some(waiter));
            }
            arrived = waiter.has_arrived();
        }
        waiter.set_driving(None);
    }

    /// Gives the role of driver back.
    pub(crate) fn give_back(&self, at_once: bool) {
        let at_once = at_once || self.queue.is_watched();
        if self.role.release(&self.runtime.poller, at_once) == After::Grace
            && let Some(connection) = self.this()
        {
            self.runtime.grace(connection);
        }
    }

    /// Reads once and passes on what is complete.
    pub(crate) fn absorb(&self, link: &Arc<Link>, incoming: &mut Incoming, by: Option<&Arc<Waiter>>) -> Read {
        let read = incoming.read();
        if read == Read::Ended {
            link.stop();
            self.runtime.command(Command::OutputEnded { link: link.number, partial: incoming.is_partial() });
        }
        let Some(first) = incoming.next_piece() else { return read };
        let now = Instant::now();
        let mut core = self.core();
        let mut piece = Some(first);
        while let Some(next) = piece {
            match next {
                Piece::Frame(frame) => {
                    self.runtime.callbacks.frame(&self.name, "frame.received", &frame);
                    core.engine.frame(now, link.generation, frame);
                }
                Piece::Oversized { id, bytes } => {
                    core.engine.oversized(now, link.generation, id, bytes, self.transport.frame_bytes);
                }
                Piece::Broken(why) => {
                    self.runtime.command(Command::Broken { link: link.number, why });
                    break;
                }
            }
            piece = incoming.next_piece();
        }
        self.settle(core, by);
        read
    }

    /// The transport of a generation is there. Says whether it is still wanted.
    pub(crate) fn opened(&self, link: &Arc<Link>) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == link.generation && core.engine.state() == State::Starting;
        if wanted {
            core.link = Some(Arc::clone(link));
            core.engine.opened(Instant::now(), link.generation);
        }
        self.settle(core, None);
        if wanted {
            self.role.connected(Arc::clone(link), &self.runtime.poller);
        }
        wanted
    }

    /// The transport of a generation is gone, or could not be had.
    pub(crate) fn lost(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.lost(Instant::now(), generation, error);
        self.settle(core, None);
    }

    /// A process that was being started could not be, or has ended and is reaped.
    pub(crate) fn peer_gone(&self, generation: u64) {
        let mut core = self.core();
        core.peers = core.peers.saturating_sub(1);
        core.engine.shut(generation);
        self.settle(core, None);
    }

    /// Does what is due.
    pub(crate) fn tick(&self, by: Option<&Arc<Waiter>>) {
        let mut core = self.core();
        core.engine.tick(Instant::now());
        self.settle(core, by);
    }

    /// Closes, and waits until everything has ended or the time is over.
    pub(crate) fn close(&self, limit: Duration) -> Status {
        let until = Instant::now() + limit;
        let waiter = Arc::new(Waiter::default());
        {
            let mut core = self.core();
            core.engine.close(Instant::now());
            core.closers.push(Arc::clone(&waiter));
            self.settle(core, Some(&waiter));
        }
        // Whatever ladder runs already must be done by then.
        self.runtime.command(Command::Shut { client: self.client, generation: u64::MAX, by: Some(until) });
        // The last step is a kill, which takes effect at once; allow for it and the reaping.
        const KILL: Duration = Duration::from_millis(500);
        waiter.park(Some(until + KILL));
        let mut core = self.core();
        core.closers.retain(|other| !Arc::ptr_eq(other, &waiter));
        if core.peers == 0 && core.engine.state() == State::Closed { Status::Ok } else { Status::Timeout }
    }
}

impl Resume for Connection {
    fn resume(&self) {
        // Taking the role and giving it back has the background thread listen again. Whoever has it now will do that.
        if self.role.claim_in_background().is_some() {
            self.give_back(true);
        }
    }
}

impl Abandon for Connection {
    fn abandon(&self, key: u64) {
        let mut core = self.core();
        core.engine.abandon(key);
        self.settle(core, None);
    }
}
