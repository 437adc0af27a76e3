//! What the simulator knows: which calls are pending and until when, what is on the wire, what may happen in this step.
//! It is told of every step before the engine is, and checks the engine against itself after every step. Rounds of input (modern
//! era) and the turns of stateful tools are here too.

use super::observe::Frame;
use super::schedule::World;
use super::tasks::{About, Task, Tasks};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::input::{MAX_ROUNDS, may_ask};
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
pub enum WireRequest {
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
    pub under_way: BTreeMap<u64, WireRequest>,
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
    pub fn handshake(&self) -> Option<(u64, WireRequest)> {
        let found = self
            .under_way
            .iter()
            .find(|(_, asked)| matches!(asked, WireRequest::Probe | WireRequest::Initialize));
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
    /// What was told for OpenTelemetry since a call ended.
    pub traced: u64,
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
            traced: 0,
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
            && (wire.late_probe == Some(id) || wire.under_way.get(&id) == Some(&WireRequest::Initialize))
        {
            // Its own answer, or that of initialize.
            wire.late_probe = None;
        }
        match self.wire.as_mut().and_then(|wire| wire.under_way.remove(&id)) {
            Some(WireRequest::Call(call)) => self.step.expected.push(Expected::End(call, status)),
            Some(WireRequest::Task(call, about)) => self.task_answered(call, about, status),
            Some(WireRequest::Orphan) if matches!(status, Status::Ok | Status::Server) => {
                self.orphan_answered(id, None);
            }
            Some(WireRequest::Orphan | WireRequest::TaskCancel) => self.not_aside(id),
            Some(WireRequest::Probe | WireRequest::Initialize) => self.handshake_due = None,
            Some(WireRequest::Restore) => {}
            Some(WireRequest::Tools) => _ = self.reached.insert("tools listed"),
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

        check(self, engine);
        assert_eq!(engine.waiters.len(), self.connects.len());
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
        assert!(engine.waiters.len() == 0 && engine.handshake.step().is_none());
        assert_eq!(engine.next_deadline(), None, "a timer is left");
        assert_eq!(engine.deadlines.len(), 0);
        assert_eq!(self.accepted, self.ended);
        let counters = engine.counters();
        assert_eq!(counters.calls, self.accepted);
        assert_eq!(counters.notifications, self.notifications);
        assert_eq!(counters.ignored_progress, self.ignored_progress);
    }
}

/// What the server of one call wants to know: the keys of the requests, until they are answered.
#[derive(Debug)]
pub struct Round(pub Vec<Option<u64>>);

/// Whether an open request came over the wire, and not with the answer to a call or the state of a task.
pub fn is_of_wire(id: &str) -> bool {
    !id.starts_with("task ") && !id.starts_with("input ")
}

impl Model {
    /// A call is answered with a request for these inputs.
    pub fn asked_for_input(&mut self, number: u64, inputs: &[(u64, &'static str)], state: bool) {
        let may_all = inputs.len() <= self.settings.server_requests && self.has_declared(inputs);
        let has_roots = self.settings.roots.is_some();
        let call = self.calls.get_mut(&number).expect("pending");
        call.rounds += u32::from(may_ask(call.method));
        if !may_ask(call.method) || call.rounds > MAX_ROUNDS || !may_all {
            return self.step.expected.push(Expected::End(number, Status::Protocol));
        }
        assert!(state || !inputs.is_empty(), "a round with something in it");
        call.exchange = None;
        call.deadline = call.latest;
        let mut keys = Vec::new();
        for (index, (_, method)) in inputs.iter().enumerate() {
            if *method == "roots/list" && has_roots {
                continue;
            }
            let key = self.last_key + 1 + keys.len() as u64;
            keys.push(Some(key));
            self.open.insert(key, format!("input {number} {index}"));
            self.step.expected.push(Expected::Request);
        }
        self.calls.get_mut(&number).expect("pending").round = Some(Round(keys));
        self.next_round(number);
    }

    /// Whether the client has declared all that these inputs need.
    pub fn has_declared(&self, inputs: &[(u64, &'static str)]) -> bool {
        let name = |method: &'static str| method.split('/').next().unwrap_or_default();
        inputs.iter().all(|(_, method)| self.settings.capabilities.contains_key(name(method)))
    }

    /// The application answered a request, or dropped it.
    pub fn request_answered(&mut self, id: String, key: u64, refuses: bool) {
        match id.split(' ').next() {
            Some("task") => self.input_answered(&id, refuses),
            Some("input") => self.round_answered(&id, key, refuses),
            _ => self.step.expected.push(Expected::Answer(id)),
        }
    }

    /// The application answered, or refused, what the server of a call wants to know.
    fn round_answered(&mut self, id: &str, key: u64, refuses: bool) {
        let number = id.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a call");
        if refuses {
            return self.step.expected.push(Expected::End(number, Status::Cancelled));
        }
        let call = self.calls.get_mut(&number).expect("pending");
        call.round.as_mut().expect("a round").0.retain(|known| *known != Some(key));
        self.next_round(number);
    }

    /// With every answer there the call is sent again, and has all of its time.
    fn next_round(&mut self, number: u64) {
        let now = self.now;
        let call = self.calls.get_mut(&number).expect("pending");
        if call.round.as_ref().is_some_and(|round| round.0.is_empty()) {
            call.round = None;
            call.deadline = (now + call.timeout).min(call.latest);
            self.reached.insert("another round");
        }
    }

    /// A call ended in the midst of a round.
    pub fn leaves_round(&mut self, call: &Call) {
        for key in call.round.iter().flat_map(|round| round.0.iter().flatten().copied()) {
            self.over(key, Over::Withdrawn);
        }
    }
}

impl World {
    /// The server of a call wants to know something.
    pub fn asks_for_input(&mut self) {
        let is_modern = self.model.era() == Some(Era::Modern) && self.model.state == State::Ready;
        // What the client keeps of a call it can send again; without any capability that may be nothing.
        if !is_modern || self.model.settings.capabilities.is_empty() {
            return self.answer();
        }
        let wire = self.model.wire.as_ref().expect("ready");
        let calls: Vec<(u64, u64)> = wire
            .under_way
            .iter()
            .filter_map(|(id, asked)| match asked {
                WireRequest::Call(call) => Some((*id, *call)),
                _ => None,
            })
            .collect();
        if calls.is_empty() {
            return self.answer();
        }
        let (id, call) = *self.dice.pick(&calls);
        let inputs = super::inputs(&mut self.dice);
        let state = inputs.is_empty() || self.dice.chance(50);
        self.model.now = self.now;
        self.model.wire.as_mut().expect("ready").under_way.remove(&id);
        self.model.asked_for_input(call, &inputs, state);
        let state = if state { r#","requestState":"s""# } else { "" };
        let inputs = super::written(&inputs);
        self.receive(format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{inputs}{state}}}}}"#
        ));
    }
}

impl Model {
    /// A request of a ready connection: one session for all that name one, and none that another connection had.
    pub fn names_session(&mut self, frame: &Frame<'_>) {
        let Some(id) = frame.after("\"session_id\":\"").and_then(|rest| rest.get(..32)) else { return };
        assert!(self.settings.tool_modes.is_some(), "{}", frame.0);
        let generation = self.generation;
        let known = self.sessions.entry(generation).or_insert_with(|| id.to_owned());
        assert_eq!(known, id, "two sessions on one connection");
        let others = self.sessions.iter().filter(|(other, _)| **other != generation);
        assert!(others.into_iter().all(|(_, other)| other != id), "the session of another connection");
        self.reached.insert("session");
    }

    /// A call is sent. What waited for the connection goes out in order, but for calls that need the list of tools first.
    pub fn leaves_the_row(&mut self, number: u64) {
        let modes = self.settings.tool_modes.is_some();
        let core = self.has_core_tasks();
        let needs_tools = |call: &Call| call.method == "tools/call" && (modes || core && call.plain);
        if self.calls.get(&number).is_some_and(needs_tools) {
            return self.row.retain(|waiting| *waiting != number);
        }
        let first = self
            .row
            .iter()
            .position(|waiting| self.calls.get(waiting).is_some_and(|call| !needs_tools(call)));
        if let Some(first) = first.and_then(|first| self.row.remove(first)) {
            assert_eq!(first, number, "sent out of turn");
        }
    }

    /// These calls have their turn, or stand in line for it.
    pub fn had_their_turn(&mut self, calls: impl Iterator<Item = u64>) {
        for (at, number) in calls.enumerate() {
            let call = self.calls.get_mut(&number).expect("who has a turn has not ended");
            call.stateful = true;
            self.reached.extend((at > 0).then_some("in line"));
            self.reached.extend(call.task.is_some().then_some("stateful task"));
        }
    }

    /// A call ended because too many stood in line before it.
    pub fn turned_away(&mut self, method: &str) {
        let modes = self.settings.tool_modes.expect("a row to stand in");
        let calls = self.calls.values().filter(|call| call.method == "tools/call");
        let (sent, waiting): (Vec<_>, Vec<_>) = calls.partition(|call| is_begun(call));
        assert_eq!(method, "tools/call");
        assert!(!sent.is_empty() && waiting.len() >= modes.waiting, "there was room");
        self.reached.insert("backpressure");
    }
}

/// Whether a call was sent and has not ended.
fn is_begun(call: &Call) -> bool {
    call.exchange.is_some() || call.task.is_some() || call.round.is_some()
}

/// Holds the turns to their rules.
pub fn check(model: &Model, engine: &Engine<u64>) {
    let (running, row) = engine.turns();
    let modes = model.settings.tool_modes;
    let lists = |id: &u64| engine.catalog.awaits(*id);
    let is_stateful =
        |id: u64| model.calls.get(&id).is_some_and(|call| call.params.contains(r#""name":"s""#));
    if model.state != State::Ready {
        return assert!(running.is_none() && row.is_empty() && !model.calls.keys().any(lists));
    }
    assert!(row.len() <= modes.map_or(0, |modes| modes.waiting), "more wait than may");
    assert!(modes.is_some() || running.is_none(), "a turn without turns");
    assert!(row.is_empty() || running.is_some(), "calls wait although no turn is to end");
    assert!(row.iter().is_sorted(), "out of order: {row:?}");
    assert!(row.iter().copied().chain(running).all(is_stateful), "a stateless call stands in line");
    let on_the_wire = |id: u64| model.calls.get(&id).is_some_and(is_begun);
    assert!(running.is_none_or(on_the_wire), "the turn of a call that was not sent");
    for (id, call) in &model.calls {
        let is_due = call.deadline <= model.now;
        let waits = row.contains(id) || lists(id) || is_due;
        assert!(is_begun(call) != waits || is_due, "call {id} is forgotten, or sent before its turn");
    }
}
