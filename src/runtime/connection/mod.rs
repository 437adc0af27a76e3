//! Joins one engine and one transport: runs the engine's effects, and lets whoever waits drive.
//!
//! Locks are taken in this order and never the other way: a link's incoming, core, then one of outgoing, queue, role; then a
//! waiter's.

mod abandon;
mod routing;

use crate::engine::{Effect, Engine, Error, Event, Settings, State, Status};
use crate::runtime::background::runtime::{Command, Runtime};
use crate::runtime::driver::lock::DriverLock;
use crate::runtime::link::custom::Custom;
use crate::runtime::link::pipe::{Link, Route};
use crate::runtime::lock;
use crate::runtime::message::{Abandon, Finish, Message};
use crate::runtime::queue::{Queue, Ready, Resume};
use crate::runtime::waiter::{Arrival, Waiter};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

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

/// What the transport needs to know.
#[derive(Clone, Debug)]
pub(crate) struct TransportSettings {
    pub(crate) endpoint: Endpoint,
    pub(crate) framing: crate::transport::Framing,
    pub(crate) frame_bytes: usize,
    /// How much of one message is thrown away beyond that before the connection is ended.
    pub(crate) discard_bytes: usize,
    pub(crate) outgoing_bytes: usize,
    pub(crate) server_requests: usize,
    pub(crate) stderr: crate::transport::stderr::StderrLimits,
    pub(crate) stderr_to: StderrTo,
    /// How long it may take to reach a server.
    pub(crate) connect: Duration,
    /// How long a server may take to end after its input was closed.
    pub(crate) exit_wait: Duration,
    /// How long it may take after it was asked to (SIGTERM).
    pub(crate) term_wait: Duration,
    /// How long a close without a time of its own may take.
    pub(crate) close: Duration,
}

/// Where the server is.
#[derive(Clone, Debug)]
pub(crate) enum Endpoint {
    /// A process to start.
    Process(crate::transport::process::Command),
    /// A socket that a server listens on.
    Socket(crate::transport::socket::SocketAddress),
    /// Wherever the host's own transport leads.
    Custom,
    /// A URL.
    #[cfg(feature = "http")]
    Http(Box<crate::transport::http::settings::HttpSettings>),
}

impl Endpoint {
    /// How `mcp_client_info` calls it.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Endpoint::Process(_) => "stdio",
            Endpoint::Socket(_) => "socket",
            Endpoint::Custom => "custom",
            #[cfg(feature = "http")]
            Endpoint::Http(_) => "http",
        }
    }
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
    pub(crate) link: Option<Route>,
    /// When a close that is under way must be over.
    pub(crate) close_by: Option<Instant>,
    pub(crate) outbox: Vec<Vec<u8>>,
    /// Somebody left frames in the outbox because another thread was writing.
    pub(crate) writer_is_busy: bool,
    /// The engine's next deadline, and the same in the runtime's nanoseconds. It is seldom another one after a call.
    due: (Option<Instant>, u64),
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
    pub(crate) driver: DriverLock,
    pub(crate) runtime: Arc<Runtime>,
    /// The host's transport, if it brings one.
    pub(crate) custom: Option<Arc<Custom>>,
    #[cfg(feature = "http")]
    pub(crate) http: Option<crate::runtime::http::Http>,
    core: Mutex<Core>,
    /// Frames may be held back, and the background thread will look.
    pub(crate) held_back: AtomicBool,
    observer: Observer,
    /// Messages of kind REQUEST that exist.
    pub(crate) requests: AtomicUsize,
    /// When the engine wants to be ticked, in the runtime's nanoseconds.
    pub(crate) due: AtomicU64,
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
    pub(crate) custom: Option<Arc<Custom>>,
    #[cfg(feature = "http")]
    pub(crate) http: Option<crate::runtime::http::Http>,
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
    pub(crate) fn new(made: Made) -> Arc<Connection> {
        let Made { client, name, settings, transport, queue, owns_queue, runtime, observer, .. } = made;
        Arc::new_cyclic(|myself| Connection {
            client,
            name,
            transport,
            queue,
            owns_queue,
            driver: DriverLock::default(),
            runtime,
            custom: made.custom,
            #[cfg(feature = "http")]
            http: made.http,
            core: Mutex::new(Core {
                engine: Engine::new(settings),
                link: None,
                close_by: None,
                outbox: Vec::new(),
                writer_is_busy: false,
                due: (None, u64::MAX),
                peers: 0,
                closers: Vec::new(),
            }),
            held_back: AtomicBool::new(false),
            observer,
            requests: AtomicUsize::new(0),
            due: AtomicU64::new(u64::MAX),
            myself: Weak::clone(myself),
        })
    }

    pub(crate) fn core(&self) -> MutexGuard<'_, Core> {
        let mut core = lock(&self.core);
        core.engine.set_verbosity(crate::runtime::logger::verbosity());
        core
    }

    /// The connection as a full queue holds it up.
    pub(crate) fn as_resume(&self) -> Weak<dyn Resume> {
        Weak::clone(&self.myself) as Weak<dyn Resume>
    }

    pub(crate) fn this(&self) -> Option<Arc<Connection>> {
        self.myself.upgrade()
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
                    self.runtime.callbacks.frame(&self.name, "frame.sent", &frame.text);
                    core.post(frame, revision, by);
                }
                Effect::Abort { exchange } => core.abort(exchange),
                Effect::Listen { generation } => core.listen(generation),
                Effect::Complete { call, ticket, reply } => match ticket {
                    Ticket::Waiter(waiter) => waiter.arrive(Arrival::Reply(reply), by),
                    Ticket::Started { tag, finish } => {
                        let message = Message::reply(self.client, call, tag, reply).finished_by(finish);
                        ready = self.queue.push(message, by).or(ready);
                    }
                    Ticket::Connecting { .. } => {}
                },
                Effect::Connected { ticket, outcome } => match ticket {
                    Ticket::Waiter(waiter) => waiter.arrive(Arrival::Connected(outcome), by),
                    Ticket::Connecting { call, tag } => {
                        let message = Message::connected(self.client, call, tag, outcome);
                        ready = self.queue.push(message, by).or(ready);
                    }
                    Ticket::Started { .. } => {}
                },
                Effect::Emit(Event::Request { key, ref frame, .. })
                    if self.requests.load(Ordering::Relaxed) >= self.transport.server_requests
                        || !self.queue.has_room_for_request(frame.len()) =>
                {
                    // Withdrawn or lost ones the engine no longer counts, but their messages are still held. And what cannot
                    // be dropped to make room must not come in without any.
                    core.engine.abandon(Instant::now(), key);
                }
                Effect::Emit(event) => {
                    let closed = matches!(event, Event::State { to: State::Closed, .. });
                    ready = self.emit(event, by).or(ready);
                    if closed && self.owns_queue {
                        self.queue.close();
                    }
                }
                #[cfg(feature = "http")]
                Effect::Remember(shape) => {
                    if let Some(http) = &self.http {
                        http.remember(shape);
                    }
                }
                #[cfg(not(feature = "http"))]
                Effect::Remember(_) => {}
                Effect::Open { generation, shape } => {
                    core.peers += 1;
                    #[cfg(feature = "http")]
                    let shape = match self.http.as_ref().and_then(crate::runtime::http::Http::known) {
                        Some(known) if core.engine.assume_legacy(known) => known,
                        _ => shape,
                    };
                    if let Some(connection) = self.this() {
                        self.open(connection, generation, shape);
                    }
                }
                Effect::Shut { generation } => self.begin_shut(&mut core, generation),
                Effect::Log(record) => self.runtime.callbacks.log(&self.name, record),
            }
        }
        if core.peers == 0 && core.engine.state() == State::Closed {
            closers = Some(std::mem::take(&mut core.closers));
        }
        let due = core.engine.next_deadline();
        if core.due.0 != due {
            core.due = (due, self.runtime.nanos(due));
        }
        let due = core.due.1;
        self.due.store(due, Ordering::SeqCst);
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
        if let Some(closers) = closers {
            for closer in closers {
                closer.arrive(Arrival::Look, by);
            }
        }
        if let Some(ready) = ready {
            self.runtime.callbacks.run(ready);
        }
        self.carry();
    }

    fn emit(&self, event: Event, by: Option<&Arc<Waiter>>) -> Option<Ready> {
        (self.observer)(&event);
        if matches!(event, Event::Request { .. }) {
            self.requests.fetch_add(1, Ordering::Relaxed);
        }
        let owner = || Weak::clone(&self.myself) as Weak<dyn Abandon>;
        self.queue.push(Message::event(self.client, event, owner), by)
    }

    /// The transport of a generation is there. Says whether it is still wanted.
    pub(crate) fn opened(&self, link: &Arc<Link>) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == link.generation && core.engine.state() == State::Starting;
        if wanted {
            core.link = Some(Route::Pipe(Arc::clone(link)));
            core.engine.opened(Instant::now(), link.generation);
            // Before the core is released, so that a close cannot come in between.
            self.driver.connected(Arc::clone(link), &self.runtime.poller);
        }
        self.run_effects(core, None);
        wanted
    }

    /// The transport of a generation is gone, or could not be had.
    pub(crate) fn lost(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.lost(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    /// The server of a generation never became one.
    pub(crate) fn failed_to_start(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.failed_to_start(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    /// A process that was being started could not be, or has ended and is reaped.
    pub(crate) fn peer_gone(&self, generation: u64) {
        let mut core = self.core();
        core.peers = core.peers.saturating_sub(1);
        core.engine.shut(generation);
        self.run_effects(core, None);
    }

    /// Does what is due.
    pub(crate) fn tick(&self, by: Option<&Arc<Waiter>>) {
        let mut core = self.core();
        let now = Instant::now();
        if core.engine.looks_for_life() {
            let has_read = match core.outbox.is_empty() {
                true => core.link.as_ref().and_then(Route::pipe).and_then(|link| link.has_been_read()),
                false => Some(false),
            };
            core.engine.has_read(now, has_read);
        }
        core.engine.tick(now);
        self.run_effects(core, by);
    }

    /// The client is gone: what it held of the process is given back. Once, after a close.
    pub(crate) fn release(&self) {
        self.queue.forget(self.client);
        if let Some(custom) = &self.custom {
            custom.finish();
        }
        #[cfg(feature = "http")]
        if let Some(http) = self.http() {
            http.finish();
        }
        Runtime::release();
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
