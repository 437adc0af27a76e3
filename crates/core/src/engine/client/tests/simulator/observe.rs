//! What the model makes of everything that leaves the engine: each effect must be one that this step may have.

use super::model::{Cause, Expected, Model, WireRequest};
use super::tasks::About;
use crate::engine::client::tests::lifecycle::is_legal;
use crate::engine::{Effect, Error, Event, Reply, ResultBody, State, Status};
use crate::protocol::{Era, method};
use std::time::{Duration, Instant};

/// A frame of ours, read by its known shape, which is faster than parsing it.
pub(super) struct Frame<'a>(pub(super) &'a str);

impl<'a> Frame<'a> {
    pub(super) fn after(&self, prefix: &str) -> Option<&'a str> {
        self.0.find(prefix).map(|at| &self.0[at + prefix.len()..])
    }

    fn id(&self) -> Option<&'a str> {
        let rest = self.0.strip_prefix(r#"{"jsonrpc":"2.0","id":"#)?;
        rest.split(',').next()
    }

    fn method(&self) -> Option<&'a str> {
        self.after(r#","method":""#)?.split('"').next()
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        let digits = self.after(&format!("\"{name}\":"))?;
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}

impl Model {
    pub fn observe(&mut self, effect: Effect<u64>) {
        let is_log = matches!(effect, Effect::Log(_) | Effect::Traced(_));
        assert!(is_log || self.step.cause != Cause::Stale, "came of nothing: {effect:?}");
        match effect {
            Effect::Open { generation, .. } => self.opens(generation),
            Effect::Send { frame, .. } => self.sends(std::str::from_utf8(&frame.text).expect("UTF-8")),
            Effect::Complete { call, ticket, reply } => {
                assert!(self.traced > 0, "a call that ends is told of before: {call}");
                self.traced = 0;
                self.completes(call, ticket, &reply);
            }
            Effect::Connected { ticket, outcome } => self.connected(ticket, outcome.err().as_ref()),
            Effect::Emit(Event::State { from, to, next_attempt, .. }) => self.moves(from, to, next_attempt),
            Effect::Emit(Event::Notification { .. }) => {
                self.happened(&Expected::Notification, "notification");
            }
            Effect::Emit(Event::Task { call, .. }) => {
                assert!(self.calls.contains_key(&call), "the state of a task after its call has ended");
                self.happened(&Expected::Told(call), "task state");
            }
            Effect::Emit(Event::Progress { call, .. }) => {
                assert!(self.calls.contains_key(&call), "progress of a call that has ended");
                self.happened(&Expected::Progress(call), "progress");
            }
            Effect::Emit(Event::Request { key, .. }) => {
                assert!(key > self.last_key && self.open.contains_key(&key), "a key of its own");
                self.last_key = key;
                self.happened(&Expected::Request, "request");
            }
            Effect::Shut { generation } => {
                assert_eq!(self.not_shut.take(), Some(generation), "told to end once");
                self.opening = None;
                self.cut();
            }
            Effect::Abort { .. } | Effect::Listen { .. } | Effect::Remember(_) => {
                panic!("there is one stream for all: {effect:?}")
            }
            // Each request that goes out again ends the one before; each call ends the last.
            Effect::Traced(operation) => {
                assert!(operation.ended >= operation.begun && operation.decision.is_kept);
                self.traced += 1;
            }
            Effect::Log(_) => {}
        }
    }

    fn happened(&mut self, what: &Expected, name: &'static str) {
        let at = self.step.expected.iter().position(|expected| expected == what);
        let at = at.unwrap_or_else(|| panic!("not expected: {what:?}, but {:?}", self.step.expected));
        self.step.expected.remove(at);
        self.reached.insert(name);
    }

    fn opens(&mut self, generation: u64) {
        assert_eq!((self.state, generation), (State::Starting, self.generation + 1));
        assert_eq!(self.not_shut, None, "the connection before was not told to end");
        assert!(self.wire.is_none());
        self.generation = generation;
        self.opening = Some(generation);
        self.not_shut = Some(generation);
    }

    fn sends(&mut self, text: &str) {
        let frame = Frame(text);
        let wire = self.wire.as_mut().unwrap_or_else(|| panic!("sent without a transport: {text}"));
        assert_eq!(wire.generation, self.generation);
        assert!(
            matches!(self.state, State::Initializing | State::Ready),
            "sent while {:?}: {text}",
            self.state
        );
        let Some(name) = frame.method() else {
            let id = frame.id().expect("an answer has an id").to_owned();
            return self.happened(&Expected::Answer(id), "answer");
        };
        let Some(id) = frame.id() else { return self.notifies(name, &frame) };
        let id: u64 = id.parse().expect("our ids are numbers");
        assert!(id > self.last_id, "the id {id} was used before");
        self.last_id = id;
        match name {
            method::DISCOVER | method::INITIALIZE if self.state == State::Initializing => {
                let probes = name == method::DISCOVER;
                let timeouts = &self.settings.timeouts;
                let general = match (probes, wire.probes + wire.initializes) {
                    (true, 0) => timeouts.probe,
                    (true, _) => timeouts.probe.max(timeouts.initialize),
                    (false, _) => timeouts.initialize,
                };
                assert!(wire.handshake().is_none_or(|(_, before)| before == WireRequest::Probe && !probes));
                // Only one whose time was over is still there.
                wire.late_probe = wire.handshake().map(|(late, _)| late);
                wire.under_way.clear();
                wire.under_way.insert(id, if probes { WireRequest::Probe } else { WireRequest::Initialize });
                wire.modern = probes;
                wire.probes += u32::from(probes);
                wire.initializes += u32::from(!probes);
                assert!(wire.probes <= 2 && wire.initializes <= 2, "a handshake that goes on and on");
                let named = std::mem::take(&mut wire.named);
                assert!(
                    wire.probes < 2 || probes || named.contains(&Era::Legacy),
                    "initialize to a modern server"
                );
                let first = wire.probes + wire.initializes == 1;
                assert!(first || !probes || named.contains(&Era::Modern), "probed without a reason");
                assert!(
                    self.settings.newest(self.era().expect("a wire")).is_some(),
                    "an era that is not permitted"
                );
                self.handshake_due = Some(self.now + self.settings.handshake_timeout(name, general));
                self.reached.insert(if probes { "probed" } else { "initialized" });
            }
            _ => {
                self.names_session(&frame);
                self.asks(id, name, &frame);
            }
        }
    }

    /// A request that is not a handshake: a call, or what an earlier connection was told.
    fn asks(&mut self, id: u64, name: &str, frame: &Frame<'_>) {
        assert_eq!(self.state, State::Ready, "a call before ready: {}", frame.0);
        let wire = self.wire.as_mut().expect("looked at before");
        assert_eq!(frame.0.contains("io.modelcontextprotocol/protocolVersion"), wire.modern, "{}", frame.0);
        if name == "subscriptions/listen" {
            // What a legacy connection subscribed to, in the modern era's way. No server here ever acknowledges it.
            assert!(wire.modern, "{}", frame.0);
            wire.streams.insert(id);
            return;
        }
        if let Some(Expected::Restored(params)) = self.step.expected.first() {
            assert!(frame.0.contains(params.as_str()), "{} instead of {params}", frame.0);
            wire.under_way.insert(id, WireRequest::Restore);
            self.step.expected.remove(0);
            self.reached.insert("restored");
            return;
        }
        if name == "tools/list" && frame.number("t").is_none() {
            wire.under_way.insert(id, WireRequest::Tools);
            return assert!(self.settings.tool_modes.is_some() || self.has_core_tasks(), "{}", frame.0);
        }
        if name.starts_with("tasks/") && self.asks_about_task(id, name, frame) {
            return;
        }
        let ticket = frame.number("t").expect("every call of the simulator has its ticket in its parameters");
        let found = self.calls.iter().find(|(_, call)| call.ticket == ticket);
        let (number, call) = found.unwrap_or_else(|| panic!("a call that has ended: {}", frame.0));
        assert_eq!((call.method, call.exchange), (name, None), "sent twice");
        assert!(call.task.is_none() && call.round.is_none(), "sent before its time");
        let (number, augmented) = (&number.clone(), self.asks_to_be_task(call, frame));
        let (wire, call) = (self.wire.as_mut().expect("a wire"), self.calls.get_mut(number).expect("there"));
        call.augmented = augmented;
        assert_eq!(frame.number("progressToken"), call.progress.then_some(*number), "{}", frame.0);
        if call.retries > 0 {
            self.reached.insert("sent again");
        }
        call.exchange = Some(id);
        wire.under_way.insert(id, WireRequest::Call(*number));
        let number = *number;
        self.leaves_the_row(number);
    }

    fn notifies(&mut self, name: &str, frame: &Frame<'_>) {
        match name {
            method::INITIALIZED => {
                assert!(self.step.handshaken && self.state == State::Initializing);
                assert!(self.wire.as_ref().is_some_and(|wire| wire.initializes > 0));
            }
            method::CANCELLED => {
                let id = frame.number("requestId").expect("a request id");
                let wire = self.wire.as_mut();
                let under_way = wire.and_then(|wire| {
                    // A list of tools that no call waits for any more is over with this.
                    let is_list = wire.under_way.get(&id) == Some(&WireRequest::Tools);
                    if is_list { wire.under_way.remove(&id) } else { wire.under_way.get(&id).copied() }
                });
                if under_way == Some(WireRequest::Tools) {
                    return;
                }
                assert!(
                    matches!(under_way, Some(WireRequest::Call(_) | WireRequest::Task(_, About::Result))),
                    "no call of this connection has the id {id}"
                );
                self.step.withdrawn.push(id);
            }
            _ => self.happened(&Expected::Notify, "notify"),
        }
    }

    fn completes(&mut self, number: u64, ticket: u64, reply: &Reply) {
        let call = self.calls.remove(&number);
        let call = call.unwrap_or_else(|| panic!("call {number} was not pending: {reply:?}"));
        assert_eq!(call.ticket, ticket, "the outcome of another call");
        self.ended += 1;
        call.task.iter().for_each(|task| self.lets_go(task));
        self.leaves_round(&call);
        self.row.retain(|waiting| *waiting != number);
        let status = match reply {
            Ok(body) => {
                assert!(holds_ticket(body, ticket), "the answer of another call");
                self.learn(call.method, &call.params);
                Status::Ok
            }
            Err(error) => error.status,
        };
        self.reached.insert(if status == Status::Ok { "result" } else { status.as_str() });
        let expected = Expected::End(number, status);
        if self.step.expected.contains(&expected) {
            return self.happened(&expected, status.as_str());
        }
        let full = |of: &Model| {
            of.settings.tasks.is_some()
                && call.plain
                && of.followed() >= of.settings.tasks.as_ref().map_or(0, |it| it.limit)
        };
        if status == Status::Backpressure {
            return if full(self) { assert!(call.exchange.is_none()) } else { self.turned_away(call.method) };
        }
        if status == Status::Unsupported && call.plain && self.state == State::Ready {
            // What its tool, or its server, does not do; nothing was sent.
            return assert!(
                call.exchange.is_none() && (call.as_task.is_some() || call.method == "tasks/result")
            );
        }
        let by_itself = match self.step.cause {
            Cause::Cancel(cancelled) => {
                assert_eq!((cancelled, status), (number, Status::Cancelled));
                true
            }
            Cause::Close => {
                assert_eq!(status, Status::Closed);
                return;
            }
            Cause::Tick => status == Status::Timeout && call.deadline <= self.now,
            _ => false,
        };
        if !by_itself {
            // Whether that is true is seen at the end of the step.
            let outlasts =
                if self.state == State::Ready { call.again } else { call.waits || call.retries > 0 };
            let outlasts = outlasts && call.round.is_none() || Model::is_free(&call);
            self.step.ended_with_connection.push((number, outlasts));
        } else if let Some(task) = &call.task {
            self.was_ended(task);
        } else if let Some(exchange) = call.exchange {
            let at = self.step.withdrawn.iter().position(|id| *id == exchange);
            // What asked to become a task is not ended like other requests: its answer is waited for.
            assert_eq!(at.is_none(), call.augmented, "the server is told that the result is not wanted");
            at.map(|at| self.step.withdrawn.remove(at));
            self.wire.as_mut().expect("a wire").under_way.remove(&exchange);
            if self.may_become_task(&call) {
                self.orphaned(exchange);
            }
        }
    }

    /// A call succeeded that the next connection must be told of again.
    fn learn(&mut self, name: &str, params: &str) {
        let uri = |params: &str| Frame(params).after("\"uri\":").map(|rest| rest[..4].to_owned());
        match name {
            "logging/setLevel" => self.level = Some(params.to_owned()),
            "resources/subscribe" | "resources/unsubscribe" => {
                let uri = uri(params).expect("a URI");
                self.subscriptions.retain(|(known, _)| *known != uri);
                if name == "resources/subscribe" {
                    self.subscriptions.push((uri, params.to_owned()));
                }
            }
            _ => {}
        }
    }

    fn connected(&mut self, ticket: u64, error: Option<&Error>) {
        let due = self.connects.remove(&ticket);
        let due = due.unwrap_or_else(|| panic!("{ticket} did not wait, or was answered before"));
        match error.map(|error| error.status) {
            None => assert_eq!(self.state, State::Ready),
            Some(Status::Timeout) if due.is_some_and(|due| due <= self.now) => {}
            Some(Status::Closed) => {
                assert!(
                    self.step.cause == Cause::Close || matches!(self.state, State::Closing | State::Closed)
                );
            }
            Some(_) => self.step.ended_with_connection.push((0, false)),
        }
    }

    fn moves(&mut self, from: State, to: State, next_attempt: Option<Instant>) {
        assert_eq!(from, self.state);
        assert!(is_legal(from, to), "{from:?} to {to:?} is not in docs/reference/lifecycle.toml");
        self.reached.insert(to.as_str());
        self.state = to;
        match to {
            State::Starting => {
                if from == State::Backoff {
                    assert_eq!(self.step.cause, Cause::Tick, "only time ends a backoff");
                    assert!(self.attempt_due.take().is_some_and(|due| due <= self.now));
                } else if from == State::Initializing {
                    assert_eq!(self.step.cause, Cause::Lost);
                    self.reached.insert("started again");
                }
            }
            State::Initializing => assert_eq!(self.step.cause, Cause::Opened),
            State::Ready => self.becomes_ready(),
            State::Backoff => {
                self.attempts += 1;
                self.attempt_due = next_attempt;
                self.check_wait(next_attempt.expect("the next attempt has its time") - self.now);
            }
            State::Idle | State::Closing | State::Closed => self.attempt_due = None,
        }
        if matches!(to, State::Backoff | State::Closing | State::Closed) {
            self.comes_down(from, to);
        }
    }

    /// Waits double up to the longest, each spread by the jitter, until no attempt is left.
    fn check_wait(&self, wait: Duration) {
        let policy = self.settings.reconnect.as_ref().expect("reconnection is on");
        assert!(policy.max_attempts.is_none_or(|most| self.attempts <= most), "an attempt too many");
        let exact = policy.initial.saturating_mul(1 << (self.attempts - 1).min(20)).min(policy.max);
        let spread = exact.mul_f64(policy.jitter) + Duration::from_nanos(1);
        let allowed = exact.saturating_sub(spread)..=exact + spread;
        assert!(allowed.contains(&wait), "attempt {} after {wait:?} instead of {exact:?}", self.attempts);
    }

    fn becomes_ready(&mut self) {
        assert!(self.step.handshaken, "ready without a handshake");
        self.handshake_due = None;
        let policy = self.settings.reconnect.as_ref().filter(|_| self.attempts > 0);
        self.stable_due = policy.map(|policy| self.now + policy.stable);
        if self.wire.as_ref().is_some_and(|wire| !wire.modern) {
            let level = self.level.iter().cloned();
            let again = level.chain(self.subscriptions.iter().map(|(_, params)| params.clone()));
            self.step.expected.splice(0..0, again.map(Expected::Restored));
        }
        self.tasks_resume();
    }

    fn comes_down(&mut self, from: State, to: State) {
        self.step.came_down = true;
        self.stable_due = None;
        self.handshake_due = None;
        assert!(to == State::Backoff || self.calls.is_empty(), "calls that will never end");
        for (number, call) in &mut self.calls {
            let outlasts = if from == State::Ready { call.again } else { call.waits || call.retries > 0 };
            let outlasts = outlasts || Model::is_free(call);
            assert!(outlasts, "call {number} should have ended with the connection");
            if call.exchange.take().is_some() {
                call.retries += 1;
                call.again &= call.retries < self.settings.max_retries;
                self.row.push_back(*number);
            }
        }
        self.disconnects();
    }
}

fn holds_ticket(body: &ResultBody, ticket: u64) -> bool {
    let text = std::str::from_utf8(body.json.of(&body.frame)).expect("UTF-8");
    Frame(text).number("t") == Some(ticket)
}
