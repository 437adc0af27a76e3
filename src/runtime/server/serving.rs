//! One server as its threads share it: the engine, its sessions, its queue, and who drives.

#[cfg(feature = "http")]
use super::HttpFront;
use super::budget::Budget;
use super::guests::Guests;
#[cfg(feature = "http")]
use super::http::{HttpMeters, HttpStreams};
use super::processes::Processes;
use super::role::Role;
use super::session::{ClientSession, StreamLimits};
#[cfg(feature = "http")]
use super::shared_wait::{SharedWait, TaskWaiter};
use crate::engine::server::{Now, RequestId, Server, SessionId, Stream};
use crate::engine::telemetry::Peer;
use crate::engine::{Error, Level, Status};
use crate::runtime::logger::Callbacks;
use crate::runtime::message::Handler;
use crate::runtime::polling::set_ready;
use crate::runtime::queue::{Queue, Ready, Resume, WakeState};
use crate::runtime::threads::Threads;
use crate::runtime::waiter::Interrupt;
use crate::runtime::{clock, lock};
use crate::shares::{Arrivals, Holder};
use crate::sorted::{SortedMap, SortedSet};
use crate::transport::poller::Poller;
use crate::transport::socket::listen::{Listener, RemotePeer};
use rustix::fd::OwnedFd;
use serde_json::{Map, Value};
#[cfg(test)]
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
#[cfg(feature = "http")]
use std::task::Waker;
use std::time::{Duration, Instant};

/// Clients that have connected and wait until they are served. Beyond it the newest of who has most is sent away.
pub(super) const MOST_ARRIVALS: usize = 4096;

/// A client that connected.
#[derive(Debug)]
pub(super) struct ArrivedClient {
    pub(super) fd: OwnedFd,
    /// What speaks HTTP with it.
    #[cfg(feature = "http")]
    pub(super) front: Option<Arc<dyn HttpFront>>,
}

/// Clients that wait to be served. Whether there are any is seen without the lock, and changes only with it: what comes while others
/// are taken is not forgotten.
#[derive(Debug)]
pub(super) struct WaitingClients<T> {
    /// `None` once the server closes.
    waiting: Mutex<Option<Arrivals<Holder, T>>>,
    is_any: AtomicBool,
}

impl<T> WaitingClients<T> {
    fn new() -> WaitingClients<T> {
        let waiting = Mutex::new(Some(Arrivals::new(MOST_ARRIVALS)));
        WaitingClients { waiting, is_any: AtomicBool::new(false) }
    }

    /// Adds one. Gives what goes for it where there is no room. One that comes after the end is dropped without a word.
    pub(super) fn add(&self, from: Holder, one: T) -> Option<T> {
        self.change(|waiting| waiting.add(from, one)).flatten()
    }

    /// The next to be served, and whose it is.
    pub(super) fn take(&self) -> Option<(Holder, T)> {
        self.change(Arrivals::take).flatten()
    }

    /// One that gives way to one of `newcomer`.
    pub(super) fn cut(&self, newcomer: &Holder) -> Option<T> {
        self.change(|waiting| waiting.cut(newcomer)).flatten()
    }

    /// How many wait.
    pub(super) fn count(&self) -> usize {
        lock(&self.waiting).as_ref().map_or(0, Arrivals::count)
    }

    /// Whether any waits.
    pub(super) fn is_any(&self) -> bool {
        self.is_any.load(Ordering::Relaxed)
    }

    /// No client is served any more: those that wait are dropped, and those that come.
    pub(super) fn close(&self) {
        let mut waiting = lock(&self.waiting);
        let left = waiting.take();
        self.is_any.store(false, Ordering::Relaxed);
        drop(waiting);
        drop(left);
    }

    fn change<R>(&self, work: impl FnOnce(&mut Arrivals<Holder, T>) -> R) -> Option<R> {
        let mut waiting = lock(&self.waiting);
        let waiting = waiting.as_mut()?;
        let result = work(waiting);
        self.is_any.store(waiting.count() > 0, Ordering::Relaxed);
        Some(result)
    }
}

/// What a server is made of.
#[derive(Debug)]
pub(crate) struct ServingParts {
    /// Names it in messages.
    pub(crate) number: u64,
    /// Names it in the log.
    pub(crate) name: String,
    /// The state machine.
    pub(crate) engine: Server<Handler>,
    /// The bounds of its sessions.
    pub(crate) limits: StreamLimits,
    /// Where messages for the application go.
    pub(crate) queue: Arc<Queue>,
    /// Whether only this server delivers to the queue.
    pub(crate) owns_queue: bool,
}

/// How long the thread that drives sleeps, read without the lock.
#[derive(Debug)]
pub(super) struct Sleep {
    /// What times are counted from.
    base: Instant,
    /// [`AWAKE`], [`UNBOUNDED`], or one more than the nanoseconds to the time at which it ends.
    until: AtomicU64,
}

/// It does not sleep, or no thread drives: the next one looks at what is due before it sleeps.
const AWAKE: u64 = 0;
/// Until something happens.
const UNBOUNDED: u64 = u64::MAX;

impl Sleep {
    fn awake(base: Instant) -> Sleep {
        Sleep { base, until: AtomicU64::new(AWAKE) }
    }

    /// It sleeps from now on. Only with the lock of the server, so that no other thread sees it awake that makes something due.
    pub(super) fn begin(&self, until: Option<Instant>) {
        let nanos = |until: Instant| until.saturating_duration_since(self.base).as_nanos();
        let until = until.map_or(UNBOUNDED, |until| {
            u64::try_from(nanos(until)).map_or(UNBOUNDED, |it| it.saturating_add(1))
        });
        self.until.store(until, Ordering::Release);
    }

    /// It sleeps no longer. Another thread that does not see it yet interrupts a wait that is over, which does no harm.
    pub(super) fn end(&self) {
        self.until.store(AWAKE, Ordering::Release);
    }

    /// Whether it ends too late for something that is due.
    pub(super) fn is_too_long(&self, due: impl FnOnce() -> Option<Instant>) -> bool {
        match self.until.load(Ordering::Acquire) {
            AWAKE => false,
            UNBOUNDED => due().is_some(),
            nanos => due().is_some_and(|due| due < self.base + Duration::from_nanos(nanos - 1)),
        }
    }
}

/// What the lock guards.
#[derive(Debug)]
pub(crate) struct Inside {
    pub(crate) engine: Server<Handler>,
    pub(super) sessions: SortedMap<u64, Arc<ClientSession>>,
    /// Whose they are.
    pub(super) guests: Guests,
    pub(super) listeners: SortedMap<u64, Arc<Listener>>,
    /// What speaks HTTP with the clients of a listener.
    #[cfg(feature = "http")]
    pub(super) connections: SortedMap<u64, Arc<dyn HttpFront>>,
    /// What a thread waits in that drives those connections, too.
    #[cfg(feature = "http")]
    pub(super) shared_wait: Option<Arc<SharedWait>>,
    /// Tasks of theirs that are woken by the thread that drives next.
    #[cfg(feature = "http")]
    pub(super) unwoken: Vec<Waker>,
    /// Listeners that accept nothing until a time, because no descriptors were left.
    pub(super) paused: SortedMap<u64, Instant>,
    /// Sessions whose frames are not written yet.
    pub(super) unwritten: Vec<Arc<ClientSession>>,
    /// Sessions whose client reads nothing, and when that has been too long.
    pub(super) stalled: SortedMap<u64, Instant>,
    /// Sessions whose client sends nothing more, and when they end at the latest.
    pub(super) ending: SortedMap<u64, Instant>,
    /// Sessions that are not read: their requests wait for places.
    pub(super) held_up: SortedSet<u64>,
    /// Those that are to be read again, by the thread that drives.
    pub(super) resumed: Vec<u64>,
    /// Sessions whose input never waits.
    pub(super) always_ready: Vec<u64>,
    pub(super) next_listener: u64,
    pub(super) has_served: bool,
    /// It is about to close.
    pub(super) leaving: bool,
    pub(super) closed: bool,
}

impl Inside {
    /// When something is due.
    pub(super) fn due(&self) -> Option<Instant> {
        // Most often all of them are empty, which costs less to see than to walk over.
        let first =
            |map: &SortedMap<u64, Instant>| if map.is_empty() { None } else { map.values().min().copied() };
        let guests = self.guests.due();
        [self.engine.deadline(), first(&self.stalled), first(&self.ending), first(&self.paused), guests]
            .into_iter()
            .flatten()
            .min()
    }

    /// Lets sessions be read again for whose requests there is room. Gives whether there are such.
    pub(super) fn resume_reading(&mut self) -> bool {
        if self.held_up.is_empty() {
            return false;
        }
        let engine = &self.engine;
        let resumed: Vec<u64> =
            self.held_up.iter().copied().filter(|number| engine.reads(SessionId(*number))).collect();
        for number in &resumed {
            self.held_up.remove(number);
        }
        let is_any = !resumed.is_empty();
        self.resumed.extend(resumed);
        is_any
    }

    /// How far its life has come.
    pub(super) fn state(&self) -> &'static str {
        match self {
            Inside { closed: true, .. } => "closed",
            _ if self.is_over() => "ended",
            Inside { leaving: true, .. } => "draining",
            Inside { has_served: true, .. } => "serving",
            _ => "idle",
        }
    }

    /// Where clients connect.
    pub(super) fn listening(&self) -> Vec<String> {
        let place = |(number, listener): (&u64, &Arc<Listener>)| {
            #[cfg(feature = "http")]
            if let Some(connections) = self.connections.get(number) {
                return connections.url(listener.address());
            }
            #[cfg(not(feature = "http"))]
            let _: &u64 = number;
            listener.address().to_string()
        };
        self.listeners.iter().map(place).collect()
    }

    /// A session over HTTP.
    #[cfg(feature = "http")]
    pub(super) fn add_http(&mut self, http: HttpStreams, limits: &StreamLimits) {
        let id = http.id();
        self.sessions.insert(id.0, Arc::new(ClientSession::over_http(id, http, limits)));
    }

    /// Nothing more follows on a stream. Over byte streams there is nothing to end.
    pub(super) fn stream_ended(&self, stream: Stream) {
        #[cfg(feature = "http")]
        if let Some(http) = self.sessions.get(&stream.session.0).and_then(|session| session.http()) {
            http.finish(stream.number);
        }
        #[cfg(not(feature = "http"))]
        let _: (&Inside, Stream) = (self, stream);
    }

    /// Ends a stream before its answer. Over byte streams there is nothing to end.
    pub(super) fn close_stream(&self, stream: Stream, retry: Option<Duration>) -> bool {
        #[cfg(feature = "http")]
        if let Some(http) = self.sessions.get(&stream.session.0).and_then(|session| session.http()) {
            return http.close_early(stream.number, retry);
        }
        #[cfg(not(feature = "http"))]
        let _: (&Inside, Stream, Option<Duration>) = (self, stream, retry);
        false
    }

    /// Whether everything that was served has ended.
    pub(super) fn is_over(&self) -> bool {
        // Those of an HTTP server of the program have no listener.
        #[cfg(feature = "http")]
        if !self.connections.is_empty() {
            return false;
        }
        // A server that drains is closed by the thread that has it drain.
        let is_draining = self.leaving && !self.closed;
        self.has_served && !is_draining && self.sessions.is_empty() && self.listeners.is_empty()
    }
}

/// One server.
pub(crate) struct Serving {
    pub(crate) number: u64,
    name: String,
    pub(super) this: Weak<Serving>,
    pub(super) limits: StreamLimits,
    /// The bytes that are held for all clients.
    pub(super) budget: Arc<Budget>,
    pub(super) queue: Arc<Queue>,
    pub(super) owns_queue: bool,
    pub(super) callbacks: Arc<Callbacks>,
    /// What spans say of the server's connections.
    pub(super) peer: Arc<Peer>,
    #[cfg(feature = "http")]
    pub(super) meters: Arc<HttpMeters>,
    pub(super) poller: Poller,
    /// The thread that waits in the runtime of HTTP.
    #[cfg(feature = "http")]
    pub(super) task: TaskWaiter,
    pub(super) role: Role,
    /// Tokens that the application decides about.
    #[cfg(feature = "auth")]
    pub(super) decisions: super::token_decisions::Decisions,
    /// What the processes of the server share.
    #[cfg(feature = "store")]
    pub(super) store: std::sync::OnceLock<Arc<super::store::Port>>,
    /// How long what is known of a session in the store is good.
    #[cfg(feature = "store")]
    pub(super) session_check: std::sync::OnceLock<Duration>,
    /// The URLs whose sessions are kept in the store.
    #[cfg(all(feature = "http", feature = "store"))]
    pub(super) endpoints: Mutex<Vec<Weak<dyn super::http::KnownSession>>>,
    /// Events that are kept in the store.
    #[cfg(all(feature = "http", feature = "store"))]
    pub(super) events: std::sync::OnceLock<Arc<super::http::SharedEvents>>,
    inside: Mutex<Inside>,
    /// How the thread that drives sleeps. Set to a time under the lock, and to being awake without it.
    pub(super) sleep: Sleep,
    /// What the application has taken since the lock was held last.
    begun: Mutex<Vec<(Instant, RequestId)>>,
    has_begun: AtomicBool,
    /// Whether requests wait for a place, as the last thread saw it that had the lock, or the queue has room again for which they waited.
    pub(super) is_holding: AtomicBool,
    /// It is about to close, or closed.
    #[cfg(feature = "http")]
    pub(super) closing: AtomicBool,
    /// How often the lock was taken.
    #[cfg(test)]
    entered: AtomicUsize,
    processes: Mutex<Processes>,
    /// Clients that connected and are not served yet.
    pub(super) arrivals: WaitingClients<ArrivedClient>,
    /// Sessions that are to end because others need their room.
    pub(super) giving_way: Mutex<Vec<SessionId>>,
    pub(super) threads: Threads,
    /// Whether its threads were started.
    pub(super) started: Mutex<bool>,
    pub(super) sent_away: Mutex<SentAway>,
}

impl std::fmt::Debug for Serving {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Serving").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Serving {
    /// Makes a server that serves nothing yet.
    ///
    /// # Errors
    /// `INTERNAL` when no descriptor is left.
    pub(crate) fn new(made: ServingParts) -> Result<Arc<Serving>, Error> {
        let ServingParts { number, name, engine, limits, queue, owns_queue } = made;
        let poller = Poller::new().map_err(|errno| {
            Error::new(Status::Internal, "server_new", format!("no descriptor is left: {errno}"))
        })?;
        queue.add_client();
        if owns_queue {
            queue.wake_state().wakes_driver(poller.waker());
        }
        let guests = Guests::new(engine.most_sessions());
        Ok(Arc::new_cyclic(|this| Serving {
            number,
            name,
            this: Weak::clone(this),
            budget: Budget::new(limits.shared_bytes),
            limits,
            queue,
            owns_queue,
            callbacks: Arc::default(),
            peer: Arc::default(),
            #[cfg(feature = "http")]
            meters: Arc::default(),
            poller,
            #[cfg(feature = "http")]
            task: TaskWaiter::default(),
            role: Role::default(),
            #[cfg(feature = "auth")]
            decisions: super::token_decisions::Decisions::default(),
            #[cfg(feature = "store")]
            store: std::sync::OnceLock::new(),
            #[cfg(feature = "store")]
            session_check: std::sync::OnceLock::new(),
            #[cfg(all(feature = "http", feature = "store"))]
            endpoints: Mutex::default(),
            #[cfg(all(feature = "http", feature = "store"))]
            events: std::sync::OnceLock::new(),
            inside: Mutex::new(Inside {
                engine,
                sessions: SortedMap::new(),
                guests,
                listeners: SortedMap::new(),
                #[cfg(feature = "http")]
                connections: SortedMap::new(),
                #[cfg(feature = "http")]
                shared_wait: None,
                #[cfg(feature = "http")]
                unwoken: Vec::new(),
                paused: SortedMap::new(),
                unwritten: Vec::new(),
                stalled: SortedMap::new(),
                ending: SortedMap::new(),
                held_up: SortedSet::new(),
                resumed: Vec::new(),
                always_ready: Vec::new(),
                next_listener: 1,
                has_served: false,
                leaving: false,
                closed: false,
            }),
            sleep: Sleep::awake(clock::now()),
            begun: Mutex::default(),
            has_begun: AtomicBool::new(false),
            is_holding: AtomicBool::new(false),
            #[cfg(feature = "http")]
            closing: AtomicBool::new(false),
            #[cfg(test)]
            entered: AtomicUsize::new(0),
            processes: Mutex::default(),
            arrivals: WaitingClients::new(),
            giving_way: Mutex::default(),
            threads: Threads::default(),
            started: Mutex::new(false),
            sent_away: Mutex::default(),
        }))
    }

    /// Whose is what a client takes of what clients share.
    pub(super) fn holder_of(&self, peer: &RemotePeer) -> Holder {
        lock(&self.processes).holder(peer)
    }

    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        let mut inside = lock(&self.inside);
        #[cfg(test)]
        self.entered.fetch_add(1, Ordering::Relaxed);
        if self.has_begun.load(Ordering::Acquire) {
            let mut begun = lock(&self.begun);
            for (at, request) in begun.drain(..) {
                inside.engine.begun(at, request);
            }
            self.has_begun.store(false, Ordering::Release);
        }
        inside
    }

    /// The application has taken a request. The engine knows it before the lock guards anything else.
    pub(super) fn note_begun(&self, request: RequestId) {
        let mut begun = lock(&self.begun);
        begun.push((clock::now(), request));
        self.has_begun.store(true, Ordering::Release);
    }

    /// Whether something is due before the thread that drives wakes.
    pub(super) fn sleeps_too_long(&self, inside: &Inside) -> bool {
        self.sleep.is_too_long(|| inside.due())
    }

    /// How often its lock was taken so far.
    #[cfg(test)]
    pub(crate) fn entered(&self) -> usize {
        self.entered.load(Ordering::Relaxed)
    }

    /// The time, on both clocks.
    pub(crate) fn now() -> Now {
        Now { at: clock::now(), unix: clock::unix() }
    }

    /// Ends waits on the queue of the server.
    pub(crate) fn wake_state(&self) -> &Arc<WakeState> {
        self.queue.wake_state()
    }

    /// A descriptor that is readable while something is to be taken or handled.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub(crate) fn watch(&self) -> Result<i32, Error> {
        let fd = self.queue.fd()?;
        // From now on the application waits without a thread in the library.
        self.role.watch();
        Ok(fd)
    }

    /// Sets what is called when the queue, which was empty, has something to take.
    pub(crate) fn set_ready(&self, ready: Option<Ready>) {
        let waits = ready.is_some();
        set_ready(&self.queue, ready);
        if waits {
            // As for a descriptor.
            self.role.watch();
        }
    }

    /// Whether the outcome of one more call may wait for the application.
    pub(crate) fn has_room_for_outcome(&self) -> bool {
        !self.queue.is_full()
    }

    /// What it is called in the log.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Lets the engine take something in, and does what it wants then.
    pub(crate) fn with_engine<R>(&self, work: impl FnOnce(&mut Server<Handler>, Now) -> R) -> R {
        let mut inside = self.inside();
        let result = work(&mut inside.engine, Serving::now());
        self.pump_and_wake(inside);
        result
    }

    /// Ends the wait of the thread that drives.
    pub(super) fn interrupt(&self) {
        #[cfg(feature = "http")]
        if self.task.interrupt() {
            return;
        }
        self.poller.wake();
    }

    /// The bytes that are held for its clients.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        self.budget.held()
    }

    pub(crate) fn record(&self, level: Level, session: SessionId, text: &str) {
        self.callbacks.event(&self.name, level, "server.session", || {
            let mut fields = Map::new();
            fields.insert("session".to_owned(), Value::from(session.0));
            fields.insert("text".to_owned(), Value::from(text));
            fields
        });
    }

    /// The last of it: no call follows.
    pub(crate) fn release(&self) {
        self.queue.forget(self.number);
        self.callbacks.stop();
    }
}

impl Resume for Serving {
    /// The queue has room again: the thread that drives looks at what waits for that.
    fn resume(&self) {
        // A thread that has registered with the queue may still have the lock, and has not told yet that requests wait.
        self.is_holding.store(true, Ordering::Release);
        Serving::interrupt(self);
    }
}

impl Interrupt for Serving {
    /// For a thread that waits in the poller: one that waits in the runtime of HTTP is told by its task.
    fn interrupt(&self) {
        self.poller.wake();
    }
}

pub(super) fn closed() -> Error {
    Error::new(Status::Closed, "server_serve", "the server is closed")
}

/// The time between two records.
const PAUSE: Duration = Duration::from_secs(1);

/// Those of whom no record has told yet.
#[derive(Default, Debug)]
pub(super) struct SentAway {
    count: u64,
    told: Option<Instant>,
}

impl SentAway {
    /// One more. Gives how many a record is to tell of, if it is time for one.
    pub(super) fn add(&mut self, now: Instant) -> Option<u64> {
        self.count += 1;
        if self.told.is_some_and(|told| now < told + PAUSE) {
            return None;
        }
        self.told = Some(now);
        Some(std::mem::take(&mut self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::{PAUSE, SentAway, Sleep, WaitingClients};
    use crate::shares::Holder;
    use std::time::{Duration, Instant};

    #[test]
    fn a_sleep_is_too_long_only_for_what_is_due_before_its_end() {
        let now = Instant::now();
        let later = now + Duration::from_secs(1);
        let sleep = Sleep::awake(now);
        let cases = [
            (Some(now), Some(later), false),
            (Some(later), Some(later), false),
            (Some(later), Some(now), true),
            (Some(later), None, false),
            (None, Some(later), true),
            (None, None, false),
        ];
        for (until, due, is_too_long) in cases {
            sleep.begin(until);
            assert_eq!(sleep.is_too_long(|| due), is_too_long, "{sleep:?} {due:?}");
        }
        sleep.end();
        // The thread that is awake looks by itself, and nothing is computed for it.
        assert!(!sleep.is_too_long(|| unreachable!("not asked")));
    }

    #[test]
    fn whether_clients_wait_is_what_their_count_says_and_none_waits_after_the_end() {
        let waiting = WaitingClients::new();
        let says = |most: usize| {
            assert_eq!((waiting.count(), waiting.is_any()), (most, most > 0));
        };
        says(0);
        for one in 1..=3 {
            assert_eq!(waiting.add(Holder::process(2), one), None);
        }
        says(3);
        assert!(waiting.cut(&Holder::process(3)).is_some());
        says(2);
        while waiting.take().is_some() {}
        says(0);
        // One that comes while the last was taken is not forgotten.
        assert_eq!(waiting.add(Holder::process(2), 4), None);
        says(1);
        waiting.close();
        says(0);
        assert_eq!((waiting.add(Holder::process(2), 5), waiting.take()), (None, None), "it came too late");
        says(0);
    }

    #[test]
    fn a_flood_of_clients_has_one_record_a_second_which_counts_them() {
        let (mut away, start) = (SentAway::default(), Instant::now());
        assert_eq!(away.add(start), Some(1));
        for _ in 0..1000 {
            assert_eq!(away.add(start + Duration::from_millis(999)), None);
        }
        assert_eq!(away.add(start + PAUSE), Some(1001));
        assert_eq!(away.add(start + PAUSE), None);
    }
}
