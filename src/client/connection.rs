//! Joins one engine and one transport: runs the engine's effects, and lets whoever waits drive.
//!
//! Locks are taken in this order and never the other way: a link's incoming, core, then one of outgoing, queue, role; then a
//! waiter's.

use super::background::{Command, Runtime};
use super::features::{Finish, State as Features};
use super::link::Link;
use super::lock;
use super::message::{Abandon, Message};
use super::queue::{Queue, Ready, Resume};
use super::role::Role;
use super::waiter::{Arrival, Waiter};
use crate::engine::{Effect, Engine, Error, Event, Settings, State, Status};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// What finds the one who waits for an outcome.
#[derive(Debug)]
pub(crate) enum Ticket {
    /// A thread.
    Waiter(Arc<Waiter>),
    /// The queue, with the application's tag, and what is to be done to the outcome.
    Started { tag: u64, finish: Option<Box<Finish>> },
}

/// What the transport needs to know.
#[derive(Clone, Debug)]
pub(crate) struct TransportSettings {
    pub(crate) command: crate::transport::process::Command,
    pub(crate) framing: crate::transport::Framing,
    pub(crate) frame_bytes: usize,
    pub(crate) outgoing_bytes: usize,
    pub(crate) server_requests: usize,
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

/// Frames are held back only while more calls than this are under way.
const BUSY_CALLS: usize = 2;
/// The most frames held back, and their bytes.
const HELD: (usize, usize) = (32, 16 * 1024);

pub(crate) struct Core {
    pub(crate) engine: Engine<Ticket>,
    pub(crate) link: Option<Arc<Link>>,
    outbox: Vec<Vec<u8>>,
    /// Somebody left frames in the outbox because another thread was writing.
    writer_is_busy: bool,
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
    /// Frames may be held back, and the background thread will look.
    held_back: AtomicBool,
    /// What is known beside the connection.
    pub(crate) features: Arc<Features>,
    /// Messages of kind REQUEST that exist.
    pub(super) requests: AtomicUsize,
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
        (queue, owns_queue): (Arc<Queue>, bool),
        runtime: Arc<Runtime>,
        features: Arc<Features>,
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
                writer_is_busy: false,
                peers: 0,
                closers: Vec::new(),
            }),
            held_back: AtomicBool::new(false),
            features,
            requests: AtomicUsize::new(0),
            due: AtomicU64::new(u64::MAX),
            myself: Weak::clone(myself),
        })
    }

    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        let mut core = lock(&self.core);
        core.engine.set_verbosity(super::logger::verbosity());
        core
    }

    /// The connection as a full queue holds it up.
    pub(crate) fn as_resume(&self) -> Weak<dyn Resume> {
        Weak::clone(&self.myself) as Weak<dyn Resume>
    }

    pub(super) fn this(&self) -> Option<Arc<Connection>> {
        self.myself.upgrade()
    }

    /// Runs the engine's effects and writes what it wants sent. `by` is the waiter of this thread, if it has one.
    pub(crate) fn settle<'a>(&'a self, core: MutexGuard<'a, Core>, by: Option<&Arc<Waiter>>) {
        self.settle_with(core, by, false);
    }

    /// The same for a call that is started: its frame may be held back while others are under way, to be written together
    /// with more when the application next waits, and after the grace time at the latest.
    pub(crate) fn settle_started<'a>(&'a self, core: MutexGuard<'a, Core>) {
        self.settle_with(core, None, true);
    }

    fn settle_with<'a>(&'a self, mut core: MutexGuard<'a, Core>, by: Option<&Arc<Waiter>>, may_wait: bool) {
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
                    Ticket::Started { tag, finish } => {
                        let message = Message::reply(self.client, call, tag, reply).finished_by(finish);
                        ready = self.queue.push(message, by).or(ready);
                    }
                },
                Effect::Connected { ticket, outcome } => {
                    if let Ticket::Waiter(waiter) = ticket {
                        waiter.arrive(Arrival::Connected(outcome), by);
                    }
                }
                Effect::Emit(Event::Request { key, .. })
                    if self.requests.load(Ordering::Relaxed) >= self.transport.server_requests =>
                {
                    // Withdrawn or lost ones the engine no longer counts, but their messages are still held.
                    core.engine.abandon(Instant::now(), key);
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
                Effect::Log(record) => self.runtime.callbacks.log(&self.name, record),
            }
        }
        if core.peers == 0 && core.engine.state() == State::Closed {
            closers = std::mem::take(&mut core.closers);
        }
        let due = core.engine.next_deadline();
        self.due.store(self.runtime.nanos(due), Ordering::SeqCst);
        if may_wait && self.may_hold_back(&core) {
            // Under the core, where the background thread decides to look no longer.
            let is_first = !self.held_back.swap(true, Ordering::SeqCst);
            drop(core);
            if is_first && let Some(connection) = self.this() {
                self.runtime.grace(connection);
            }
        } else {
            self.write(core);
        }
        self.runtime.wake_by(due);
        for closer in closers {
            closer.arrive(Arrival::Look, by);
        }
        if let Some(ready) = ready {
            self.runtime.callbacks.run(ready);
        }
    }

    /// Whether a frame may wait for others: the pipeline is busy, and the application will come back to wait.
    fn may_hold_back(&self, core: &Core) -> bool {
        core.engine.pending() > BUSY_CALLS
            && core.outbox.len() < HELD.0
            && core.outbox.iter().map(Vec::len).sum::<usize>() < HELD.1
            && core.link.as_ref().is_some_and(|link| link.waiting_bytes() == 0)
            && self.owns_queue
            && !self.queue.is_watched()
    }

    /// Writes what was held back, before the application waits.
    pub(crate) fn write_held_back(&self) {
        if self.held_back.load(Ordering::SeqCst) {
            self.write(self.core());
        }
    }

    /// The grace time is over: nothing is held back any longer. Says whether to look again.
    pub(crate) fn end_holding_back(&self) -> bool {
        if !self.held_back.load(Ordering::SeqCst) {
            return false;
        }
        let core = self.core();
        if core.outbox.is_empty() {
            // Under the core, where the next frame would be held back.
            self.held_back.store(false, Ordering::SeqCst);
            return false;
        }
        self.write(core);
        true
    }

    fn emit(&self, event: Event, by: Option<&Arc<Waiter>>) -> Option<Ready> {
        self.features.heard(&event);
        if matches!(event, Event::Request { .. }) {
            self.requests.fetch_add(1, Ordering::Relaxed);
        }
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

    /// Writes what was left because the background thread was writing.
    pub(crate) fn write_rest(&self) {
        self.write(self.core());
    }

    /// Writes what waits, in order. Nobody waits for another thread's writing with the core held: who finds the writer busy
    /// leaves the frames, and the writer looks again after it is done.
    fn write<'a>(&'a self, mut core: MutexGuard<'a, Core>) {
        loop {
            if core.outbox.is_empty() {
                return;
            }
            let Some(link) = core.link.clone() else {
                core.outbox.clear();
                return;
            };
            let Ok(mut outgoing) = link.outgoing.try_lock() else {
                core.writer_is_busy = true;
                return;
            };
            let Some(out) = outgoing.as_mut() else {
                core.outbox.clear();
                return;
            };
            let most = self.transport.outgoing_bytes.saturating_mul(2);
            if out.bytes() > most && out.bytes().saturating_sub(out.largest()) > most {
                // Calls and notifications stop at the bound, which only the last of them goes over. So this is what a server
                // made us say that asks and never reads.
                core.outbox.clear();
                let why = "the server sends requests and reads no answers".to_owned();
                return self.runtime.command(Command::Broken { link: link.number, why });
            }
            let is_mine = link.push(out, core.outbox.drain(..));
            core.writer_is_busy = false;
            drop(core);
            let outcome = if is_mine { link.flush(out, &self.runtime.poller) } else { Ok(()) };
            drop(outgoing);
            if let Err(errno) = outcome {
                return self.runtime.command(Command::InputClosed { link: link.number, errno });
            }
            core = self.core();
            if !core.writer_is_busy {
                return;
            }
        }
    }

    /// The transport of a generation is there. Says whether it is still wanted.
    pub(crate) fn opened(&self, link: &Arc<Link>) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == link.generation && core.engine.state() == State::Starting;
        if wanted {
            core.link = Some(Arc::clone(link));
            core.engine.opened(Instant::now(), link.generation);
            // Before the core is released, so that a close cannot come in between.
            self.role.connected(Arc::clone(link), &self.runtime.poller);
        }
        self.settle(core, None);
        wanted
    }

    /// The transport of a generation is gone, or could not be had.
    pub(crate) fn lost(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.lost(Instant::now(), generation, error);
        self.settle(core, None);
    }

    /// The server of a generation never became one.
    pub(crate) fn failed_to_start(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.failed_to_start(Instant::now(), generation, error);
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
