//! What the simulator knows: which calls are pending and until when, what is on the wire, what may happen in this step.
//! It is told of every step before the engine is, and checks the engine against itself after every step.

use super::rounds::Round;
use super::tasks::{About, Task, Tasks};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::server_requests::pending::BETWEEN_READS;
use crate::engine::{Engine, Settings, State, Status};
use crate::protocol::Era;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// A pending call.
#[derive(Debug)]
pub struct Call {
    pub ticket: u64,
    pub method: &'static str,
    pub started: Instant,
    /// Whether the application said how long it may take in all, leaves the method to the library, and wants it as a task.
    pub total_given: bool,
    pub plain: bool,
    pub as_task: Option<bool>,
    /// Whether it went out asking to become a task, and the task that it is.
    pub augmented: bool,
    pub task: Option<Task>,
    /// Whether it stood in line, or had its turn.
    pub stateful: bool,
    /// What its server wants to know, and how often it wanted to know something.
    pub round: Option<Round>,
    pub rounds: u32,
    pub params: String,
    pub timeout: Duration,
    pub deadline: Instant,
    pub latest: Instant,
    pub resets: bool,
    pub progress: bool,
    pub waits: bool,
    /// Whether it outlasts a lost connection, given that there is another one.
    pub again: bool,
    pub retries: u32,
    pub exchange: Option<u64>,
}

/// A request of ours that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    Call(u64),
    Probe,
    Initialize,
    Restore,
    /// The list of tools, for calls that need it.
    Tools,
    /// Something about the task of a call.
    Task(u64, About),
    /// A call that has ended.
    Orphan,
    TaskCancel,
}

/// An open transport.
#[derive(Default, Debug)]
pub struct Wire {
    pub generation: u64,
    pub under_way: BTreeMap<u64, Asked>,
    /// Streams of change notifications.
    pub streams: BTreeSet<u64>,
    pub probes: u32,
    pub initializes: u32,
    /// The probe whose time was over, while `initialize` waits.
    pub late_probe: Option<u64>,
    /// The eras of the permitted revisions that the server named last.
    pub named: Vec<Era>,
    /// Whether the era spoken is the modern one, as far as is known.
    pub modern: bool,
}

impl Wire {
    pub fn handshake(&self) -> Option<(u64, Asked)> {
        let found =
            self.under_way.iter().find(|(_, asked)| matches!(asked, Asked::Probe | Asked::Initialize));
        found.map(|(id, asked)| (*id, *asked))
    }
}

/// What a step is, which says what may come of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    Command,
    Cancel(u64),
    Close,
    Opened,
    Lost,
    Frame,
    Tick,
    /// Of an earlier connection, or in a state that has none: nothing may come of it.
    Stale,
}

/// What must come of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    End(u64, Status),
    Notification,
    Progress(u64),
    Request,
    /// A message about the task of a call.
    Told(u64),
    /// The task of this name is ended.
    TaskCancel(String),
    /// An answer to the server's request with this id.
    Answer(String),
    Notify,
    /// A request that an earlier connection got, with these parameters.
    Restored(String),
}

/// Why a request of the server is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    Answered,
    Withdrawn,
    Disconnected,
}

#[derive(Debug)]
pub struct Step {
    pub cause: Cause,
    pub expected: Vec<Expected>,
    /// Requests that were withdrawn, and calls that ended with the connection (and whether they should have outlasted it).
    pub withdrawn: Vec<u64>,
    pub ended_with_connection: Vec<(u64, bool)>,
    /// Whether the connection or the attempt ended, and whether the handshake was answered well.
    pub came_down: bool,
    pub handshaken: bool,
}

#[derive(Debug)]
pub struct Model {
    pub settings: Settings,
    pub now: Instant,
    pub state: State,
    pub calls: BTreeMap<u64, Call>,
    /// Calls that wait for the connection, in the order in which they must be sent.
    pub row: VecDeque<u64>,
    pub connects: BTreeMap<u64, Option<Instant>>,
    pub wire: Option<Wire>,
    pub generation: u64,
    /// The generation that is being opened, and the one that has not been told to end.
    pub opening: Option<u64>,
    pub not_shut: Option<u64>,
    pub last_id: u64,
    pub last_key: u64,
    pub open: BTreeMap<u64, String>,
    pub over: VecDeque<(u64, Over)>,
    pub attempt_due: Option<Instant>,
    pub handshake_due: Option<Instant>,
    pub stable_due: Option<Instant>,
    /// Waits in a row without a stable connection.
    pub attempts: u32,
    pub level: Option<String>,
    pub subscriptions: Vec<(String, String)>,
    /// The session that each connection's requests named.
    pub sessions: BTreeMap<u64, String>,
    pub tasks: Tasks,
    pub step: Step,
    pub accepted: u64,
    pub ended: u64,
    pub late: u64,
    pub unknown: u64,
    pub notifications: u64,
    pub ignored_progress: u64,
    pub reached: BTreeSet<&'static str>,
}

impl Model {
    pub fn new(settings: Settings, now: Instant) -> Model {
        let step = Step {
            cause: Cause::Stale,
            expected: Vec::new(),
            withdrawn: Vec::new(),
            ended_with_connection: Vec::new(),
            came_down: false,
            handshaken: false,
        };
        Model {
            settings,
            now,
            state: State::Idle,
            calls: BTreeMap::new(),
            row: VecDeque::new(),
            connects: BTreeMap::new(),
            wire: None,
            generation: 0,
            opening: None,
            not_shut: None,
            last_id: 0,
            last_key: 0,
            open: BTreeMap::new(),
            over: VecDeque::new(),
            attempt_due: None,
            handshake_due: None,
            stable_due: None,
            attempts: 0,
            level: None,
            subscriptions: Vec::new(),
            sessions: BTreeMap::new(),
            tasks: Tasks::default(),
            step,
            accepted: 0,
            ended: 0,
            late: 0,
            unknown: 0,
            notifications: 0,
            ignored_progress: 0,
            reached: BTreeSet::from(["idle"]),
        }
    }

    pub fn begin(&mut self, cause: Cause, now: Instant) {
        self.now = now;
        self.step.cause = cause;
        self.step.came_down = false;
    }

    /// Whether frames are looked at now.
    pub fn is_listening(&self) -> bool {
        self.wire.is_some() && matches!(self.state, State::Initializing | State::Ready)
    }

    pub fn era(&self) -> Option<Era> {
        self.wire.as_ref().map(|wire| if wire.modern { Era::Modern } else { Era::Legacy })
    }

    /// The server answers the request `id`, and if that is a call it must end so.
    pub fn answered(&mut self, id: u64, status: Status) {
        if self.wire.as_mut().is_some_and(|wire| wire.streams.remove(&id)) {
            self.reached.insert("a stream ended");
            return;
        }
        if let Some(wire) = &mut self.wire
            && (wire.late_probe == Some(id) || wire.under_way.get(&id) == Some(&Asked::Initialize))
        {
            // Its own answer, or that of initialize.
            wire.late_probe = None;
        }
        match self.wire.as_mut().and_then(|wire| wire.under_way.remove(&id)) {
            Some(Asked::Call(call)) => self.step.expected.push(Expected::End(call, status)),
            Some(Asked::Task(call, about)) => self.task_answered(call, about, status),
            Some(Asked::Orphan) if matches!(status, Status::Ok | Status::Server) => {
                self.orphan_answered(id, None);
            }
            Some(Asked::Orphan | Asked::TaskCancel) => self.not_aside(id),
            Some(Asked::Probe | Asked::Initialize) => self.handshake_due = None,
            Some(Asked::Restore) => {}
            Some(Asked::Tools) => _ = self.reached.insert("tools listed"),
            None if (1..=self.last_id).contains(&id) => {
                self.late += 1;
                self.reached.insert("late answer");
            }
            None => {
                self.unknown += 1;
                self.reached.insert("unknown answer");
            }
        }
    }

    /// A request of the server is over for the application.
    pub fn over(&mut self, key: u64, why: Over) -> Option<String> {
        let id = self.open.remove(&key)?;
        self.over.push_back((key, why));
        while self.over.len() > self.settings.server_requests + BETWEEN_READS {
            self.over.pop_front();
        }
        Some(id)
    }

    /// The application dropped a request: what became of it cannot be asked.
    pub fn abandoned(&mut self, key: u64) -> Option<String> {
        self.over.retain(|(over, _)| *over != key);
        self.open.remove(&key)
    }

    /// Nothing passes over this wire any more.
    pub fn cut(&mut self) {
        self.wire = None;
        self.handshake_due = None;
        self.tasks_lose_their_wire();
        self.disconnects();
    }

    /// Requests of the server are over with their connection, but for what the servers of tasks want to know.
    pub fn disconnects(&mut self) {
        let of_wire = self.open.iter().filter(|(_, id)| !id.starts_with("task "));
        let keys: Vec<u64> = of_wire.map(|(key, _)| *key).collect();
        for key in keys {
            self.over(key, Over::Disconnected);
        }
    }

    /// The step is over: everything that must have come of it has.
    pub fn finish(&mut self) {
        self.step.handshaken = false;
        assert!(self.step.expected.is_empty(), "did not happen: {:?}", self.step.expected);
        assert!(self.step.withdrawn.is_empty(), "withdrawn but not ended: {:?}", self.step.withdrawn);
        let with_connection = std::mem::take(&mut self.step.ended_with_connection);
        assert!(
            with_connection.is_empty() || self.step.came_down,
            "ended for no reason: {with_connection:?}"
        );
        if self.state == State::Backoff {
            let wrong: Vec<_> = with_connection.iter().filter(|(_, outlasts)| *outlasts).collect();
            assert!(wrong.is_empty(), "calls that should have outlasted the connection: {wrong:?}");
        }
    }

    /// Whether it goes on without a connection, because it is a task and belongs to no session.
    pub fn is_free(call: &Call) -> bool {
        call.task.is_some() && !call.stateful
    }

    /// When something is due, as far as the model knows.
    pub fn due(&self) -> Option<Instant> {
        let calls = self.calls.values().map(|call| call.deadline);
        let connects = self.connects.values().filter_map(|due| *due);
        let others = [self.attempt_due, self.handshake_due, self.stable_due];
        let tasks = self.calls.values().filter_map(|call| call.task.as_ref()?.again);
        let tasks = tasks.filter(|_| self.state == State::Ready);
        calls.chain(connects).chain(tasks).chain(others.into_iter().flatten()).min()
    }

    /// Holds the engine to the model.
    pub fn check(&self, engine: &mut Engine<u64>, look_at_deadlines: bool) {
        assert_eq!(engine.state(), self.state);
        assert_eq!(engine.generation(), self.generation);
        assert!(engine.effects.is_empty());

        assert_eq!(engine.pending(), self.calls.len());
        assert!(engine.pending() <= self.settings.in_flight, "more calls than the bound");
        for (id, call) in &self.calls {
            assert_eq!(engine.deadline_of(*id), Some(call.deadline), "the deadline of call {id}");
        }
        let late = |wire: &Wire| usize::from(wire.late_probe.is_some());
        let under_way = self.wire.as_ref().map_or(0, |wire| wire.under_way.len() + late(wire));
        let ours = engine.exchanges.all().filter(|(_, what)| *what != Exchange::Listen).count();
        assert_eq!(ours, under_way, "requests under way");
        assert!(
            engine.exchanges.all().len() <= under_way + 2,
            "more streams than the current one and the next"
        );
        if let Some(wire) = &self.wire {
            assert!(wire.under_way.keys().all(|id| engine.exchanges.get(*id).is_some()));
        }
        assert!(engine.calls.waiting().len() <= 64 + 2 * self.settings.in_flight, "a row without a bound");
        assert!(
            self.state != State::Ready || engine.calls.waiting().is_empty(),
            "calls wait for what is there"
        );

        super::turns::check(self, engine);
        assert_eq!(engine.connects.len(), self.connects.len());
        assert_eq!(engine.unanswered(), self.open.len());
        assert_eq!(engine.tasks.len(), self.followed(), "tasks");
        let asked = self.calls.values().filter(|call| call.round.is_some()).count();
        let bound = self.settings.server_requests * (1 + self.followed() + asked);
        assert!(self.open.len() <= bound, "more requests than the bound");
        self.check_tasks();
        assert!(engine.requests.remembered() <= self.settings.server_requests + BETWEEN_READS);
        let live = self.settings.in_flight + self.followed() + self.connects.len() + 3;
        assert!(engine.deadlines.len() <= 64 + 4 * live, "{} deadlines", engine.deadlines.len());

        let (late, unknown) = (engine.counters().late_answers, engine.counters().unknown_answers);
        assert_eq!((late, unknown), (self.late, self.unknown), "late and unknown answers");
        if look_at_deadlines {
            assert_eq!(engine.next_deadline(), self.due(), "the next deadline");
        }
        if self.step.cause == Cause::Tick {
            assert!(self.due().is_none_or(|due| due > self.now), "something overdue is left");
        }
    }

    /// Nothing is left of a client that is closed.
    pub fn check_the_end(&self, engine: &mut Engine<u64>) {
        assert_eq!(self.state, State::Closed);
        assert!(self.calls.is_empty() && self.connects.is_empty() && self.open.is_empty());
        assert_eq!((self.opening, self.not_shut), (None, None), "a transport was not told to end");
        assert!(self.wire.is_none());
        assert!(
            engine.calls.len() == 0 && engine.exchanges.all().len() == 0 && engine.calls.waiting().is_empty()
        );
        assert!(engine.connects.len() == 0 && engine.handshake.step().is_none());
        assert_eq!(engine.next_deadline(), None, "a timer is left");
        assert_eq!(engine.deadlines.len(), 0);
        assert_eq!(self.accepted, self.ended);
        let counters = engine.counters();
        assert_eq!(counters.calls, self.accepted);
        assert_eq!(counters.notifications, self.notifications);
        assert_eq!(counters.ignored_progress, self.ignored_progress);
    }
}
