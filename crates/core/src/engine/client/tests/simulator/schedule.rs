//! A world for one engine: random settings, and random steps until it is closed.

use super::model::{Call, Cause, Model, Over, Wire};
use crate::engine::{
    CallRequest, Effect, Engine, Error, Event, Feature, RequestAnswer, Retry, State, Status,
};
use crate::protocol::{Params, method};
use crate::testing::dice::Dice;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const METHODS: [&str; 9] = [
    "tools/call",
    "tools/call",
    "tools/list",
    "resources/read",
    "ping",
    "made/up",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
];

pub struct World {
    pub engine: Engine<u64>,
    pub model: Model,
    pub dice: Dice,
    pub now: Instant,
    start: Instant,
    pub tickets: u64,
    pub serial: u64,
    /// Whether it is all about tasks: then they live longer, and more of them are begun.
    pub keen: bool,
    trace: Option<Vec<String>>,
}

impl World {
    pub fn new(seed: u64, traced: bool) -> World {
        let mut dice = Dice::new(seed);
        let mut settings = super::settings(&mut dice);
        let keen = settings.tasks.is_some() && dice.chance(70);
        if keen {
            super::patient(&mut dice, &mut settings);
        }
        let now = Instant::now();
        let mut engine = Engine::new(settings.clone());
        engine.set_verbosity(if dice.chance(5) { 5 } else { 0 });
        let model = Model::new(settings, now);
        let trace = traced.then(Vec::new);
        World { engine, model, dice, now, start: now, tickets: 0, serial: 0, keen, trace }
    }

    /// Writes a step down, if anybody wants to read it.
    pub fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let at = self.now - self.start;
            trace.push(format!("{:>12?} {:<12} {}", at, self.model.state.as_str(), what()));
        }
    }

    pub fn trace(&self) -> String {
        let mut settings = self.model.settings.clone();
        // Its order is another one in every run.
        let methods: BTreeMap<_, _> = settings.timeouts.methods.drain().collect();
        let steps = self.trace.as_ref().map_or_else(String::new, |trace| trace.join("\n"));
        format!("{settings:?}\ntimes by method: {methods:?}\n{steps}")
    }

    pub fn reached(&self) -> BTreeSet<&'static str> {
        self.model.reached.clone()
    }

    /// Steps until the end, and a look at what is left then.
    pub fn play(&mut self) {
        let steps = if self.keen { self.dice.between(60, 250) } else { self.dice.between(20, 150) };
        for _ in 0..steps {
            self.step();
        }
        self.close();
        while self.model.state != State::Closed {
            self.end_transport();
        }
        self.model.check_the_end(&mut self.engine);
        for _ in 0..3 {
            self.step();
            self.model.check_the_end(&mut self.engine);
        }
    }

    fn step(&mut self) {
        let sides = self.dice.roll(100);
        let opening = self.model.opening.is_some();
        let shaking_hands = self.model.wire.as_ref().is_some_and(|wire| wire.handshake().is_some());
        match sides {
            0..40 if opening => self.transport(),
            0..35 if shaking_hands => self.answer_handshake(),
            0..20 if self.model.state == State::Backoff => self.pass(),
            0..32 => self.command(),
            32..38 => self.transport(),
            38..84 => self.frame(),
            _ => self.pass(),
        }
    }

    /// Tells the engine something, and the model of all that comes of it.
    pub fn tell(&mut self, cause: Cause, act: impl FnOnce(&mut Engine<u64>, Instant)) {
        self.model.begin(cause, self.now);
        act(&mut self.engine, self.now);
        self.settle();
    }

    fn settle(&mut self) {
        while let Some(effect) = self.engine.effect() {
            if self.trace.is_some() {
                let text = told(&effect);
                self.note(|| text);
            }
            self.model.observe(effect);
        }
        self.model.finish();
        let look = self.model.step.cause == Cause::Tick || self.dice.chance(50);
        self.model.check(&mut self.engine, look);
        let (running, row) = self.engine.turns();
        self.model.had_their_turn(running.into_iter().chain(row.iter().copied()));
    }

    fn command(&mut self) {
        match self.dice.roll(20) {
            0..11 => self.call(),
            11..14 => self.cancel(),
            14 => self.notify(),
            15 => self.connect(),
            16 if !self.keen => self.connect(),
            16..19 => self.respond(),
            _ if self.dice.chance(if self.keen { 3 } else { 15 }) => self.close(),
            _ => self.call(),
        }
    }

    fn call(&mut self) {
        self.tickets += 1;
        let ticket = self.tickets;
        let modes = self.model.settings.tool_modes.is_some();
        let tools = self.keen || modes && self.dice.chance(50);
        let name = if tools { "tools/call" } else { *self.dice.pick(&METHODS) };
        let tool = *self.dice.pick(if self.keen { &["f", "u", "u", "s"] } else { &["s", "s", "f", "u"] });
        let params = format!(r#"{{"uri":"u{}","name":"{tool}","t":{ticket}}}"#, self.dice.roll(4));
        let mut options = super::options(&mut self.dice);
        if name == "tools/call" && self.dice.chance(if self.keen { 90 } else { 60 }) {
            super::as_task(&mut self.dice, &mut options);
        }
        let (name, params) = self.or_watches(name, params, &mut options);
        let now = self.now;
        let plain = options.feature == Feature::Plain;
        let refusal = self.model.refusal(name, &options);
        self.note(|| format!("call {name} {params} {options:?}"));
        let given = Params::check(&params, 128).ok();
        let request = CallRequest { method: name, params: given, options: &options, ticket, tag: ticket };
        self.model.begin(Cause::Command, now);
        let outcome = self.engine.call(now, request);
        if outcome.as_ref().is_err_and(|error| error.details.contains_key("stateful_calls")) {
            self.model.turned_away(name);
            return self.settle();
        }
        assert_eq!(outcome.as_ref().err().map(|error| error.status), refusal);
        if let Ok(number) = outcome {
            let settings = &self.model.settings;
            let timeout = options.timeout.unwrap_or_else(|| settings.timeout_of(name));
            let latest = now + options.max_total.unwrap_or(settings.timeouts.max_total.max(timeout));
            let safe = options.retry.unwrap_or(settings.retry) == Retry::Safe && method::is_safe(name);
            let call = Call {
                ticket,
                method: name,
                started: now,
                total_given: options.max_total.is_some(),
                plain,
                as_task: options.task,
                augmented: false,
                task: None,
                stateful: false,
                round: None,
                rounds: 0,
                params,
                timeout,
                deadline: (now + timeout).min(latest),
                latest,
                resets: options.reset_on_progress.unwrap_or(settings.timeouts.reset_on_progress),
                progress: options.progress,
                waits: options.wait_when_unavailable.unwrap_or(settings.wait_when_unavailable),
                again: safe && settings.reconnect.is_some() && settings.max_retries > 0,
                retries: 0,
                exchange: None,
            };
            assert!(self.model.calls.insert(number, call).is_none(), "a call's number is its own");
            self.model.accepted += 1;
            if self.model.state != State::Ready {
                self.model.row.push_back(number);
            }
        }
        self.settle();
    }

    fn cancel(&mut self) {
        let pending: Vec<u64> = self.model.calls.keys().copied().collect();
        if pending.is_empty() || self.dice.chance(20) {
            let number = self.dice.roll(self.tickets + 3);
            if !self.model.calls.contains_key(&number) {
                self.note(|| format!("cancel {number}, which is not pending"));
                self.tell(Cause::Stale, |engine, now| assert!(!engine.cancel(now, number, "")));
            }
            return;
        }
        let number = *self.dice.pick(&pending);
        let times = self.dice.between(1, 4);
        self.note(|| format!("cancel {number} {times} times"));
        self.tell(Cause::Cancel(number), |engine, now| {
            assert!(engine.cancel(now, number, "simulated"));
            for _ in 1..times {
                assert!(!engine.cancel(now, number, "simulated"));
            }
        });
        assert!(!self.model.calls.contains_key(&number));
    }

    fn respond(&mut self) {
        let open: Vec<u64> = self.model.open.keys().copied().collect();
        let key = if open.is_empty() || self.dice.chance(30) {
            self.dice.roll(self.model.last_key + 3)
        } else {
            *self.dice.pick(&open)
        };
        let is_closed = matches!(self.model.state, State::Closing | State::Closed);
        let over = self.model.over.iter().find(|(over, _)| *over == key).map(|(_, why)| *why);
        let abandons = self.dice.chance(30);
        let id = match (is_closed, abandons) {
            (true, _) => None,
            (false, true) => self.model.abandoned(key),
            (false, false) => self.model.over(key, Over::Answered),
        };
        let refusal = match (&id, over) {
            (Some(_), _) => None,
            _ if is_closed => Some(Status::Closed),
            (None, Some(Over::Withdrawn)) => Some(Status::Cancelled),
            (None, Some(Over::Disconnected)) => Some(Status::Transport),
            (None, Some(Over::Answered) | None) => Some(Status::InvalidArgument),
        };
        self.model.now = self.now;
        if let Some(id) = id {
            self.model.request_answered(id, key, abandons);
        }
        self.note(|| format!("{} {key}", if abandons { "abandon" } else { "respond to" }));
        self.tell(Cause::Command, |engine, now| {
            if abandons {
                return engine.abandon(now, key);
            }
            let outcome = engine.respond(now, key, RequestAnswer::Result(r#"{"answer":1}"#));
            assert_eq!(outcome.err().map(|error| error.status), refusal);
        });
    }

    fn close(&mut self) {
        self.note(|| "close".to_owned());
        let is_closed = matches!(self.model.state, State::Closing | State::Closed);
        self.tell(if is_closed { Cause::Stale } else { Cause::Close }, Engine::close);
        assert!(matches!(self.model.state, State::Closing | State::Closed));
    }

    fn transport(&mut self) {
        match (self.model.opening, self.model.state) {
            (Some(generation), State::Starting) => {
                self.model.opening = None;
                if self.dice.chance(15) {
                    return self.lose(generation);
                }
                self.note(|| format!("opened {generation}"));
                self.model.wire = Some(Wire { generation, ..Wire::default() });
                self.tell(Cause::Opened, |engine, now| engine.opened(now, generation));
            }
            (_, State::Closing) => self.end_transport(),
            _ if self.model.wire.is_some() && self.dice.chance(60) => self.lose(self.model.generation),
            _ => self.stale_transport(),
        }
    }

    fn lose(&mut self, generation: u64) {
        self.note(|| format!("lost {generation}"));
        let probes = self.model.wire.as_ref().map_or(0, |wire| wire.probes);
        self.model.cut();
        let error = Error::new(Status::Transport, "connection", "simulated");
        self.tell(Cause::Lost, |engine, now| engine.lost(now, generation, error));
        let is_afresh = self.model.state == State::Starting;
        assert!(!is_afresh || probes == 1, "started again after {probes} probes");
    }

    /// The transport ends that was told to.
    fn end_transport(&mut self) {
        let generation = self.model.generation;
        let by_itself = self.dice.chance(30);
        self.note(|| format!("{} {generation}", if by_itself { "lost" } else { "shut" }));
        self.tell(Cause::Close, |engine, now| {
            if by_itself {
                engine.lost(now, generation, Error::new(Status::Transport, "connection", "simulated"));
            } else {
                engine.shut(generation);
            }
        });
    }

    /// A report of a transport that no connection waits for.
    fn stale_transport(&mut self) {
        let earlier = self.model.generation.wrapping_sub(self.dice.between(1, 2));
        let current = self.model.generation;
        let is_over = matches!(self.model.state, State::Idle | State::Backoff | State::Closed);
        let error = Error::new(Status::Transport, "connection", "simulated");
        self.note(|| format!("a report of the connection {earlier}"));
        self.tell(Cause::Stale, |engine, now| {
            engine.opened(now, earlier);
            engine.shut(earlier);
            engine.lost(now, earlier, error.clone());
            if is_over {
                engine.opened(now, current);
                engine.lost(now, current, error);
                engine.shut(current);
            }
        });
    }

    /// Time passes; mostly the engine is told, at the moment that something is due or later.
    fn pass(&mut self) {
        let wait = match self.dice.roll(10) {
            0 => Duration::ZERO,
            1..4 => self.dice.millis(0, 50),
            4..9 => self.model.due().map_or(Duration::ZERO, |due| due.saturating_duration_since(self.now)),
            _ => self.dice.millis(0, 4000),
        };
        self.now += wait;
        if self.dice.chance(10) {
            return self.note(|| format!("{wait:?} pass unnoticed"));
        }
        self.note(|| format!("tick after {wait:?}"));
        if self.model.stable_due.is_some_and(|due| due <= self.now) {
            self.model.stable_due = None;
            self.model.attempts = 0;
        }
        self.model.tasks_are_due(self.now);
        self.tell(Cause::Tick, Engine::tick);
    }
}

/// An effect in a line, without the points in time that no two runs share.
fn told(effect: &Effect<u64>) -> String {
    match effect {
        Effect::Send { frame, .. } => format!("  send {}", String::from_utf8_lossy(&frame.text)),
        Effect::Emit(Event::State { from, to, reason, .. }) => format!("  {from:?} to {to:?}: {reason}"),
        Effect::Complete { call, reply, .. } => {
            format!("  call {call} ends: {:?}", reply.as_ref().map(|_| "result").map_err(ToString::to_string))
        }
        Effect::Emit(Event::Notification { .. }) => "  a notification is handed on".to_owned(),
        Effect::Emit(Event::Task { call, .. }) => format!("  the task of call {call}"),
        Effect::Emit(Event::Progress { call, .. }) => format!("  progress of call {call}"),
        Effect::Emit(Event::Request { key, .. }) => format!("  request {key}"),
        effect => format!("  {effect:?}"),
    }
}
