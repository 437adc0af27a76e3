//! Joins one engine and one link: runs the engine's effects, and tells the engine what the link brings.
//!
//! Locks are taken in this order and never the other way: the reading end of a pipe, core, then one of the link's, queue, driver;
//! then a waiter's.
//!
//! [`Connection`] and its `Core`, which has the engine, are in this file; `run_effects` does what the engine wants.

use super::background::shared::{BackgroundCommand, Runtime};
#[cfg(feature = "http")]
use super::http::HttpOwner;
use super::link::owner::{Driven, LinkContext, LinkOwner, TransportSettings};
use super::link::pipe::Pipe;
use super::link::pipes::Pipes;
use super::link::{Http, Link};
use super::message::{Abandon, Message, OutcomeFinish};
use super::queue::wake_state::Shown;
use super::queue::{Queue, Ready, Resume};
use super::waiter::{Arrival, Waiter};
use super::{background, lock};
#[cfg(feature = "http")]
use crate::engine::ExchangeFailure;
use crate::engine::{Effect, Engine, Error, Event, Settings, State, Status};
use crate::transport::framing::Piece;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
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
    Started { tag: u64, finish: Option<OutcomeFinish> },
    /// The queue, for a connect that was started.
    Connecting { call: u64, tag: u64 },
}

/// Is told of each event before the application is.
type Observer = Box<dyn Fn(&Event) + Send + Sync>;

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
    pub(crate) context: LinkContext,
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
pub(crate) struct ConnectionParts {
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
    pub(crate) fn new(made: ConnectionParts) -> Arc<Connection> {
        let ConnectionParts { client, name, settings, transport, queue, owns_queue, runtime, observer, link } =
            made;
        let callbacks = Arc::clone(&runtime.callbacks);
        let interruption = Arc::new(Interruption::new(Arc::clone(&runtime), owns_queue));
        let connection = Arc::new_cyclic(|myself| Connection {
            context: LinkContext {
                client,
                name,
                peer: Arc::new(transport.endpoint.peer()),
                transport,
                queue,
                owns_queue,
                callbacks,
            },
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
        connection.runtime.command(BackgroundCommand::Add(weak));
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
        if let Some(pipes) = self.link.pipes() {
            pipes.flush_held_back(self);
        }
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
                Effect::Abort { exchange } => {
                    if let Some(http) = self.link.http() {
                        http.abort(exchange);
                    }
                }
                Effect::Listen { generation } => {
                    if let Some((http, revision)) = self.link.http().zip(core.engine.revision()) {
                        http.listen(generation, revision);
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
                Effect::Remember(shape) => {
                    if let Some(http) = self.link.http() {
                        http.remember(shape);
                    }
                }
                Effect::Open { generation, shape } => {
                    core.transports += 1;
                    let shape = match self.link.http().and_then(Http::known) {
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
                Effect::Traced(span) => self.context.tell(span),
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
        if let Some(pipes) = self.link.pipes() {
            pipes.flush_or_hold_back(self, may_wait);
        }
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
            self.runtime.command(BackgroundCommand::Carry(connection));
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
            core.engine.has_read(now, self.link.pipes().and_then(Pipes::has_been_read));
        }
        core.engine.tick(now);
        self.run_effects(core, by);
    }

    /// The client is gone: what it held of the process is given back. Once, after a close.
    pub(crate) fn release(&self) {
        self.context.queue.forget(self.context.client);
        self.link.finish();
        background::release();
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
        self.runtime.command(BackgroundCommand::Shut {
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

impl LinkOwner for Connection {
    fn context(&self) -> &LinkContext {
        &self.context
    }

    fn opened(&self, generation: u64, install: &mut dyn FnMut()) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == generation && core.engine.state() == State::Starting;
        if wanted {
            install();
            core.engine.opened(Instant::now(), generation);
        }
        self.run_effects(core, None);
        wanted
    }

    fn failed_to_start(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.failed_to_start(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    fn lost(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.lost(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    fn gone(&self, generation: u64) {
        let mut core = self.core();
        core.transports = core.transports.saturating_sub(1);
        core.engine.shut(generation);
        self.run_effects(core, None);
    }

    fn received(
        &self,
        generation: u64,
        exchange: Option<u64>,
        next: &mut dyn FnMut() -> Option<Piece>,
        by: Option<&Arc<Waiter>>,
    ) -> bool {
        let now = Instant::now();
        let mut core = self.core();
        while let Some(piece) = next() {
            match piece {
                Piece::Frame(frame) => {
                    self.context.callbacks.frame(&self.context.name, "frame.received", &frame);
                    core.engine.frame_on(now, generation, exchange, frame);
                }
                Piece::Oversized { id, bytes } => {
                    core.engine.oversized(now, generation, id, bytes, self.context.transport.frame_bytes);
                }
                Piece::Unheld { id, bytes } => core.engine.unheld(now, generation, id, bytes),
                // The link ends on it.
                Piece::Broken(_) => break,
            }
        }
        let goes_on = exchange.is_none_or(|exchange| core.engine.is_under_way(generation, exchange));
        self.run_effects(core, by);
        goes_on
    }

    fn is_held_up(&self) -> bool {
        let this = Weak::clone(&self.myself) as Weak<dyn Resume>;
        self.context.queue.holds_up(&this)
    }
}

impl Driven for Connection {
    fn this(&self) -> Option<Arc<dyn Driven>> {
        Some(self.myself.upgrade()?)
    }

    fn shown(&self) -> Weak<dyn Shown> {
        Weak::clone(&self.myself) as Weak<dyn Shown>
    }

    fn due(&self) -> u64 {
        if self.interruption.is_requested() { 0 } else { self.due.load(Ordering::SeqCst) }
    }

    fn forget_due(&self) {
        self.due.store(u64::MAX, Ordering::SeqCst);
        let _not_again = self.interruption.take();
    }

    fn tick(&self, by: Option<&Arc<Waiter>>) {
        Connection::tick(self, by);
    }

    fn grace_is_over(&self) -> bool {
        self.link.pipes().is_some_and(|pipes| pipes.grace_is_over(self))
    }

    fn carry(&self) {
        self.carry_link();
    }

    fn opened_pipe(&self, pipe: &Arc<Pipe>) -> bool {
        let Some(pipes) = self.link.pipes() else { return false };
        self.opened(pipe.generation, &mut || pipes.install(pipe))
    }

    fn readable(&self, pipe: &Pipe) {
        if let Some(pipes) = self.link.pipes() {
            pipes.readable(self, pipe);
        }
    }

    fn writable(&self, pipe: &Pipe) {
        if let Some(pipes) = self.link.pipes() {
            pipes.writable(self, pipe);
        }
    }

    fn read_rest(&self, pipe: &Arc<Pipe>) {
        if let Some(pipes) = self.link.pipes() {
            pipes.read_rest(self, pipe);
        }
    }
}

impl Shown for Connection {
    fn read_now(&self) {
        if let Some(pipes) = self.link.pipes() {
            pipes.read_for_host(self);
        }
    }

    fn write_now(&self) {
        if let Some(pipes) = self.link.pipes() {
            pipes.flush_for_host(self);
        }
    }
}

#[cfg(feature = "http")]
impl HttpOwner for Connection {
    fn exchange_failed(&self, generation: u64, exchange: u64, failure: ExchangeFailure) {
        let mut core = self.core();
        core.engine.exchange_failed(Instant::now(), generation, exchange, failure);
        self.run_effects(core, None);
    }

    #[cfg(feature = "auth")]
    fn waits_for_login(&self, generation: u64, exchange: u64, wait: crate::engine::LoginWait) {
        let mut core = self.core();
        core.engine.waits_for_login(Instant::now(), generation, exchange, wait);
        self.run_effects(core, None);
    }

    fn session_ended(
        &self,
        generation: u64,
        exchange: Option<u64>,
        failure: ExchangeFailure,
        forget: &mut dyn FnMut(),
    ) {
        let mut core = self.core();
        if core.engine.session_ended(Instant::now(), generation, exchange, failure) {
            forget();
        }
        self.run_effects(core, None);
    }

    fn listening(&self, generation: u64) {
        let mut core = self.core();
        core.engine.incoming_is_open(Instant::now(), generation);
        self.run_effects(core, None);
    }

    fn tolerated(&self, what: &'static str) {
        let mut core = self.core();
        core.engine.tolerated(what);
        self.run_effects(core, None);
    }
}

const CALLS: u8 = 1;
const POLL: u8 = 2;

/// Ends waits. The background thread does it: a handler may take no lock.
#[derive(Debug)]
pub struct Interruption {
    /// [`CALLS`] and [`POLL`], until the background thread takes them.
    requested: AtomicU8,
    /// The last call for which a thread waits, and what it was when the end of calls was requested.
    last_call: AtomicU64,
    up_to: AtomicU64,
    owns_queue: bool,
    runtime: Arc<Runtime>,
}

/// The waits that are to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Requested {
    /// Those of the threads that wait for the connection, or for a call up to this one.
    pub(crate) calls: Option<u64>,
    /// One wait on the client's own queue.
    pub(crate) poll: bool,
}

impl Interruption {
    pub(crate) fn new(runtime: Arc<Runtime>, owns_queue: bool) -> Interruption {
        Interruption {
            requested: AtomicU8::new(0),
            last_call: AtomicU64::new(0),
            up_to: AtomicU64::new(0),
            owns_queue,
            runtime,
        }
    }

    /// A thread waits for this call, the last one so far. With the engine's lock held.
    pub(crate) fn waits_for(&self, call: u64) {
        self.last_call.store(call, Ordering::Release);
    }

    /// Has the background thread end the calls that threads wait for now. Async-signal-safe.
    pub fn end_calls(&self) {
        self.up_to.fetch_max(self.last_call.load(Ordering::SeqCst), Ordering::SeqCst);
        self.request(CALLS);
    }

    /// Has the background thread end one wait on the client's own queue, or the next one. Says whether the client has such a
    /// queue. Async-signal-safe.
    pub fn end_poll(&self) -> bool {
        if self.owns_queue {
            self.request(POLL);
        }
        self.owns_queue
    }

    fn request(&self, which: u8) {
        self.requested.fetch_or(which, Ordering::SeqCst);
        self.runtime.due_now();
    }

    /// Whether a wait is to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst) != 0
    }

    /// Takes what was requested.
    pub(crate) fn take(&self) -> Option<Requested> {
        if !self.is_requested() {
            return None;
        }
        let requested = self.requested.swap(0, Ordering::SeqCst);
        let calls = (requested & CALLS != 0).then(|| self.up_to.load(Ordering::SeqCst));
        Some(Requested { calls, poll: requested & POLL != 0 })
    }
}
