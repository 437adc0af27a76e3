//! Joins one engine and one link: runs the engine's effects, and tells the engine what the link brings.
//!
//! Locks are taken in this order and never the other way: the reading end of a pipe, core, then one of the link's, queue, driver;
//! then a waiter's.
//!
//! [`Connection`] and its `Core`, which has the engine, are in this file; `run_effects` does what the engine wants.
//!
//! The files:
//!
//! * `owner`: the connection as its link sees it (`Owner`)
//! * `driven`: the connection as the background thread sees it (`Driven`)
//! * `exchanges`: the connection as the link of HTTP sees it (`HttpOwner`)

mod driven;
#[cfg(feature = "http")]
mod exchanges;
mod owner;

use super::background::runtime::{Command, Runtime};
use super::background::thread;
use super::interruption::Interruption;
use super::link::Link;
use super::link::endpoint::TransportSettings;
use super::link::owner::Context;
use super::lock;
use super::message::{Abandon, Finish, Message};
use super::queue::{Queue, Ready, Resume};
use super::waiter::{Arrival, Waiter};
use crate::engine::{Effect, Engine, Event, Settings, State, Status};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// Frames are held back only while more calls than this are under way.
const BUSY_CALLS: usize = 2;

/// What finds the one who waits for an outcome.
#[derive(Debug)]
pub(crate) enum Ticket {
    /// A thread.
    Waiter(Arc<Waiter>),
    /// The queue, with the application's tag, and what is to be done to the outcome.
    Started { tag: u64, finish: Option<Finish> },
    /// The queue, for a connect that was started.
    Connecting { call: u64, tag: u64 },
}

/// Is told of each event before the application is.
pub(crate) type Observer = Box<dyn Fn(&Event) + Send + Sync>;

pub(crate) struct Core {
    pub(crate) engine: Engine<Ticket>,
    /// When a close that is under way must be over.
    close_by: Option<Instant>,
    /// The engine's next deadline, and the same in the runtime's nanoseconds. It is seldom another one after a call.
    due: (Option<Instant>, u64),
    /// Transports being opened or not yet gone.
    transports: usize,
    /// Threads that wait until everything has ended.
    closers: Vec<Arc<Waiter>>,
}

/// One logical connection to one server.
pub(crate) struct Connection {
    pub(crate) context: Context,
    pub(crate) link: Link,
    runtime: Arc<Runtime>,
    core: Mutex<Core>,
    observer: Observer,
    /// Messages of kind REQUEST that exist.
    requests: AtomicUsize,
    /// When the engine wants to be ticked, in the runtime's nanoseconds.
    due: AtomicU64,
    interruption: Arc<Interruption>,
    myself: Weak<Connection>,
}

/// What a connection is made of.
pub(crate) struct Made {
    pub(crate) client: u64,
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) transport: TransportSettings,
    pub(crate) queue: Arc<Queue>,
    pub(crate) owns_queue: bool,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) observer: Observer,
    pub(crate) link: Link,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("client", &self.context.client)
            .field("name", &self.context.name)
            .finish_non_exhaustive()
    }
}

impl Connection {
    /// A connection, of which the background thread knows from now on.
    pub(crate) fn new(made: Made) -> Arc<Connection> {
        let Made { client, name, settings, transport, queue, owns_queue, runtime, observer, link } = made;
        let callbacks = Arc::clone(&runtime.callbacks);
        let interruption = Arc::new(Interruption::new(Arc::clone(&runtime), owns_queue));
        let connection = Arc::new_cyclic(|myself| Connection {
            context: Context { client, name, transport, queue, owns_queue, callbacks },
            link,
            runtime,
            core: Mutex::new(Core {
                engine: Engine::new(settings),
                close_by: None,
                due: (None, u64::MAX),
                transports: 0,
                closers: Vec::new(),
            }),
            observer,
            requests: AtomicUsize::new(0),
            due: AtomicU64::new(u64::MAX),
            interruption,
            myself: Weak::clone(myself),
        });
        let weak = Weak::clone(&connection.myself);
        connection.runtime.command(Command::Add(weak));
        connection
    }

    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        let mut core = lock(&self.core);
        core.engine.set_verbosity(super::logger::verbosity());
        core
    }

    fn this(&self) -> Option<Arc<Connection>> {
        self.myself.upgrade()
    }

    /// Waits until something arrives for `waiter` or the time is over, driving the connection if no other thread does.
    pub(crate) fn wait(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        self.link.wait(self, waiter, until);
    }

    /// Writes what was held back, before the application waits.
    pub(crate) fn write_held_back(&self) {
        self.link.flush_held_back(self);
    }

    /// Runs the engine's effects and writes what it wants sent. `by` is the waiter of this thread, if it has one.
    pub(crate) fn run_effects<'a>(&'a self, core: MutexGuard<'a, Core>, by: Option<&Arc<Waiter>>) {
        self.run_effects_with(core, by, false);
    }

    /// The same for a call that is started: its frame may be held back while others are under way, to be written together
    /// with more when the application next waits, and after the grace time at the latest.
    pub(crate) fn run_effects_later<'a>(&'a self, core: MutexGuard<'a, Core>) {
        self.run_effects_with(core, None, true);
    }

    fn run_effects_with<'a>(
        &'a self,
        mut core: MutexGuard<'a, Core>,
        by: Option<&Arc<Waiter>>,
        may_wait: bool,
    ) {
        let mut ready: Option<Ready> = None;
        let mut closers = None;
        while let Some(effect) = core.engine.effect() {
            match effect {
                Effect::Send { frame, revision } => {
                    self.context.callbacks.frame(&self.context.name, "frame.sent", &frame.text);
                    self.link.send(frame, revision, by);
                }
                Effect::Abort { exchange } => self.link.abort(exchange),
                Effect::Listen { generation } => {
                    if let Some(revision) = core.engine.revision() {
                        self.link.listen(generation, revision);
                    }
                }
                Effect::Complete { call, ticket, reply } => match ticket {
                    Ticket::Waiter(waiter) => waiter.arrive(Arrival::Reply(reply), by),
                    Ticket::Started { tag, finish } => {
                        let message =
                            Message::reply(self.context.client, call, tag, reply).finished_by(finish);
                        ready = self.context.queue.push(message, by).or(ready);
                    }
                    Ticket::Connecting { .. } => {}
                },
                Effect::Connected { ticket, outcome } => match ticket {
                    Ticket::Waiter(waiter) => waiter.arrive(Arrival::Connected(outcome), by),
                    Ticket::Connecting { call, tag } => {
                        let message = Message::connected(self.context.client, call, tag, outcome);
                        ready = self.context.queue.push(message, by).or(ready);
                    }
                    Ticket::Started { .. } => {}
                },
                Effect::Emit(Event::Request { key, ref frame, .. })
                    if self.requests.load(Ordering::Relaxed) >= self.context.transport.server_requests
                        || !self.context.queue.has_room_for_request(frame.len()) =>
                {
                    // Withdrawn or lost ones the engine no longer counts, but their messages are still held. And what cannot
                    // be dropped to make room must not come in without any.
                    core.engine.abandon(Instant::now(), key);
                }
                Effect::Emit(event) => {
                    let closed = matches!(event, Event::State { to: State::Closed, .. });
                    ready = self.emit(event, by).or(ready);
                    if closed && self.context.owns_queue {
                        self.context.queue.close();
                    }
                }
                Effect::Remember(shape) => self.link.remember(shape),
                Effect::Open { generation, shape } => {
                    core.transports += 1;
                    let shape = match self.link.known() {
                        Some(known) if core.engine.assume_legacy(known) => known,
                        _ => shape,
                    };
                    if let Some(connection) = self.this() {
                        self.link.open(connection, generation, shape);
                    }
                }
                Effect::Shut { generation } => {
                    self.link.close(self.context.client, generation, core.close_by);
                }
                Effect::Log(record) => self.context.callbacks.log(&self.context.name, record),
            }
        }
        if core.transports == 0 && core.engine.state() == State::Closed {
            closers = Some(std::mem::take(&mut core.closers));
        }
        let due = core.engine.next_deadline();
        if core.due.0 != due {
            core.due = (due, self.runtime.nanos(due));
        }
        let due = core.due.1;
        self.due.store(due, Ordering::SeqCst);
        let may_wait = may_wait && core.engine.pending() > BUSY_CALLS;
        drop(core);
        self.link.flush(self, may_wait);
        self.runtime.due_by(due);
        if let Some(closers) = closers {
            for closer in closers {
                closer.arrive(Arrival::Look, by);
            }
        }
        if let Some(ready) = ready {
            self.context.callbacks.run(ready);
        }
        self.carry_link();
    }

    /// Has the host's transport do what it has to do; the background thread goes on with what is left.
    fn carry_link(&self) {
        if self.link.carry(self)
            && let Some(connection) = self.this()
        {
            self.runtime.command(Command::Carry(connection));
        }
    }

    fn emit(&self, event: Event, by: Option<&Arc<Waiter>>) -> Option<Ready> {
        (self.observer)(&event);
        if matches!(event, Event::Request { .. }) {
            self.requests.fetch_add(1, Ordering::Relaxed);
        }
        let owner = || Weak::clone(&self.myself) as Weak<dyn Abandon>;
        self.context.queue.push(Message::event(self.context.client, event, owner), by)
    }

    /// What a signal handler may use to end the waits of threads.
    pub(crate) fn interruption(&self) -> &Arc<Interruption> {
        &self.interruption
    }

    /// Does what is due.
    pub(crate) fn tick(&self, by: Option<&Arc<Waiter>>) {
        let ended = self.interruption.take();
        if ended.is_some_and(|ended| ended.poll) {
            self.context.queue.wake();
        }
        let mut core = self.core();
        let now = Instant::now();
        if let Some(up_to) = ended.and_then(|ended| ended.calls) {
            core.engine.cancel_all(now, up_to, |ticket| matches!(ticket, Ticket::Waiter(_)), "interrupted");
        }
        if core.engine.looks_for_life() {
            core.engine.has_read(now, self.link.has_been_read());
        }
        core.engine.tick(now);
        self.run_effects(core, by);
    }

    /// The client is gone: what it held of the process is given back. Once, after a close.
    pub(crate) fn release(&self) {
        self.context.queue.forget(self.context.client);
        self.link.finish();
        thread::release();
    }

    /// Closes, and waits until everything has ended or the time is over.
    pub(crate) fn close(&self, limit: Duration) -> Status {
        let until = Instant::now() + limit;
        let waiter = Arc::new(Waiter::default());
        {
            let mut core = self.core();
            core.close_by = Some(core.close_by.map_or(until, |before| before.min(until)));
            core.engine.close(Instant::now());
            core.closers.push(Arc::clone(&waiter));
            self.run_effects(core, Some(&waiter));
        }
        // The steps of an end that is under way must be done by then.
        self.runtime.command(Command::Shut {
            client: self.context.client,
            generation: u64::MAX,
            by: Some(until),
        });
        // The last step is a kill, which takes effect at once; allow for it and the reaping.
        const KILL: Duration = Duration::from_millis(500);
        waiter.park(Some(until + KILL));
        let mut core = self.core();
        core.closers.retain(|other| !Arc::ptr_eq(other, &waiter));
        if core.transports == 0 && core.engine.state() == State::Closed {
            Status::Ok
        } else {
            Status::Timeout
        }
    }
}

/// The library's answer for a request of the server that the application dropped.
impl Abandon for Connection {
    fn abandon(&self, key: u64) {
        self.requests.fetch_sub(1, Ordering::Relaxed);
        let mut core = self.core();
        core.engine.abandon(Instant::now(), key);
        self.run_effects(core, None);
    }
}

impl Resume for Connection {
    fn resume(&self) {
        self.link.resume(self);
    }
}
