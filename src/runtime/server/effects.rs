//! What the engine wants done: frames to their sessions, messages to the queue, records to the log.

#[cfg(feature = "http")]
use super::http::{HeldWakes, UNRELATED};
use super::serving::{Inside, Serving};
use super::session::{ClientSession, WriteOutcome};
#[cfg(feature = "http")]
use super::shared_wait::SharedWait;
#[cfg(feature = "store")]
use super::store::Purpose;
#[cfg(feature = "http")]
use crate::engine::server::OutgoingKind;
use crate::engine::server::{ClientCallOutcome, Effect, Outcome, Run, SessionId, Withdrawn};
use crate::engine::{Error, Status};
use crate::json;
use crate::protocol::error_code;
use crate::runtime::message::{Handler, Message};
use crate::runtime::queue::{Ready, Resume};
use crate::runtime::telemetry;
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, Weak};
#[cfg(feature = "http")]
use std::task::Waker;

/// What a relay is told about subscriptions and about levels.
pub(crate) const SUBSCRIPTIONS: &str = "relay/subscriptions";
pub(crate) const LEVEL: &str = "relay/level";

/// The most sessions whose frames are held back together.
const HELD_SESSIONS: usize = 32;

/// What is dropped after the lock was given back.
#[derive(Default)]
struct Dropped {
    runs: Vec<Run<Handler>>,
    messages: Vec<Message>,
    handlers: Vec<Handler>,
}

impl Serving {
    /// Does what the engine wants, and gives the lock back before it writes or calls anything.
    pub(super) fn pump(&self, mut inside: MutexGuard<'_, Inside>) {
        let mut ready: Option<Ready> = None;
        // Dropped without the lock: what drops the last of them runs code of the application.
        let mut dropped = Dropped::default();
        // A thread that drives already would wait for input without writing them; one that begins to writes them first.
        let is_held_back =
            Batch::is_of(self.number) && inside.unwritten.len() < HELD_SESSIONS && !self.role.is_driven();
        #[cfg(feature = "http")]
        let held = (is_held_back && inside.unwoken.len() < HELD_SESSIONS)
            .then(|| HeldWakes::begin(std::mem::take(&mut inside.unwoken)));
        #[cfg(feature = "http")]
        let mut answered = Vec::new();
        #[cfg(feature = "store")]
        let mut asked = Vec::new();
        #[cfg(feature = "http")]
        let (mut has_woken, mut has_ended) = (false, false);
        while let Some(effect) = self.next_effect(&mut inside) {
            match effect {
                Effect::Send { to, frame, sent } => {
                    let Some(session) = inside.sessions.get(&to.session.0).map(Arc::clone) else { continue };
                    self.callbacks.frame_of_session(self.name(), to.session.0, true, &frame);
                    #[cfg(feature = "http")]
                    if let Some(http) = session.http() {
                        has_woken = held.is_none();
                        http.push(to.number, frame, sent);
                        match sent {
                            OutgoingKind::Answer(_) if http.is_one_request() => {
                                // That was all of it.
                                inside.sessions.remove(&to.session.0);
                                inside.engine.close(to.session);
                                http.end();
                                has_ended = true;
                            }
                            OutgoingKind::Answer(_) if to.number != UNRELATED => {
                                answered.push((http.clone(), to));
                            }
                            _ => {}
                        }
                        continue;
                    }
                    #[cfg(not(feature = "http"))]
                    let _only_http_asks = sent;
                    session.push(frame);
                    if !inside.unwritten.iter().any(|other| Arc::ptr_eq(other, &session)) {
                        inside.unwritten.push(session);
                    }
                }
                // Without this feature no configuration has a store.
                #[cfg(not(feature = "store"))]
                Effect::Claim { .. } | Effect::Store { .. } => {}
                #[cfg(feature = "store")]
                Effect::Claim { request, claim } => match self.claim(request, *claim) {
                    Ok(noted) => asked.push(noted),
                    // Others that wait may come up for one that is refused: they are asked for in this loop, however many they are.
                    Err(said) => inside.engine.claimed(Serving::now(), request, said),
                },
                #[cfg(feature = "store")]
                Effect::Store { ticket, operation } => asked.push((Purpose::Asked(ticket), *operation)),
                Effect::Run(run) if self.queue.is_too_large(run.params.held()) => {
                    let bytes = run.params.held();
                    let message = format!("the request has {bytes} bytes, more than limits.queue_bytes");
                    let data = Some(r#"{"retryable":false,"limit":"limits.queue_bytes"}"#);
                    let refused = Outcome::Error { code: error_code::BUSY, message: &message, data };
                    let _it_was_there = inside.engine.respond(Serving::now(), run.request, refused);
                    dropped.runs.push(*run);
                }
                Effect::Run(run) if !self.has_room_for(run.holder, run.params.held()) => {
                    inside.engine.put_back(run.request);
                    dropped.runs.push(*run);
                }
                Effect::Run(run) => {
                    ready = self.queue.push(self.request_message(*run), None).or(ready);
                }
                Effect::Withdrawn { request, why, is_known, has_run } => {
                    let waiting = self.queue.take_back(self.number, request.0);
                    // One that waits the application has not seen, and never will; of one that is not known a thread checks the
                    // arguments, and drops it then.
                    if has_run || is_known && waiting.is_none() {
                        let message = Message::withdrawn(self.number, request.0, reason(why));
                        ready = self.queue.push(message, None).or(ready);
                    }
                    dropped.messages.extend(waiting);
                }
                Effect::Called { call, tag, method, outcome } => {
                    let message =
                        Message::called(self.number, call, tag, method, outcome_of(method, outcome));
                    ready = self.queue.push(message, None).or(ready);
                }
                Effect::RootsChanged(session) => {
                    let message = Message::roots_changed(self.number, session.0);
                    ready = self.queue.push(message, None).or(ready);
                }
                Effect::Notified { session, method, params } => {
                    let message = Message::notified(self.number, session.0, &method, params);
                    ready = self.queue.push(message, None).or(ready);
                }
                Effect::Joined(session) => {
                    ready = self.queue.push(Message::joined(self.number, session.0), None).or(ready);
                }
                Effect::Subscriptions => {
                    let message = Message::notified(self.number, 0, SUBSCRIPTIONS, "{}".into());
                    ready = self.queue.push(message, None).or(ready);
                }
                Effect::LevelSet(holder) => {
                    let message = Message::notified(self.number, holder, LEVEL, "{}".into());
                    ready = self.queue.push(message, None).or(ready);
                }
                Effect::Ended(stream) => inside.stream_ended(stream),
                Effect::Traced(mut span) => {
                    span.ended = Serving::now().at;
                    self.callbacks.request_ended(span, &self.peer);
                }
                Effect::Untraced => telemetry::dropped_one(),
                Effect::Record { level, session, text } => self.record(level, session, &text),
            }
        }
        #[cfg(feature = "http")]
        for (http, stream) in answered {
            // An array of messages has several answers.
            if inside.engine.waiting_on(stream) == 0 {
                http.finish(stream.number);
            }
        }
        #[cfg(feature = "http")]
        if let Some(held) = held {
            inside.unwoken = held.end();
        }
        let is_resumed = inside.resume_reading();
        let discarded = inside.engine.discarded();
        while let Some(handler) = inside.engine.discarded() {
            dropped.handlers.push(handler);
        }
        // The thread that has the server drain waits for the last answer.
        let is_last = inside.leaving && inside.engine.open_counts()[1] == 0;
        let unwritten = if is_held_back { (None, Vec::new()) } else { inside.take_unwritten() };
        self.is_holding.store(inside.engine.is_holding(), Ordering::Release);
        #[cfg(feature = "http")]
        let shared_wait = if has_woken && !self.task.is_there() { inside.shared_wait.clone() } else { None };
        // The last request may outlast every listener.
        #[cfg(feature = "http")]
        let is_over = has_ended && inside.is_over() && !inside.closed;
        drop(inside);
        drop((discarded, dropped));
        #[cfg(feature = "http")]
        if let Some(shared_wait) = shared_wait {
            shared_wait.wake_driver();
        }
        if let Some(ready) = ready {
            self.callbacks.run(ready);
        }
        self.write(unwritten);
        #[cfg(feature = "store")]
        self.ask_store(asked);
        #[cfg(all(feature = "http", feature = "store"))]
        self.write_events();
        #[cfg(feature = "http")]
        if is_over {
            self.finish();
        }
        if is_last || is_resumed {
            self.interrupt();
        }
    }

    /// The next thing to do. When nothing is left to do, what waits for a place is taken up.
    fn next_effect(&self, inside: &mut Inside) -> Option<Effect<Handler>> {
        loop {
            if let Some(effect) = inside.engine.effect() {
                return Some(effect);
            }
            if !inside.engine.is_holding() {
                return None;
            }
            if inside.engine.go_on(Serving::now(), |holder, bytes| self.has_room_for(holder, bytes)) {
                continue;
            }
            let this: Weak<dyn Resume> = self.this.clone();
            let wanted = inside.engine.wants_room();
            let of_this = |(holder, bytes)| ((self.number, holder), bytes);
            let wanted: Vec<_> = wanted.into_iter().map(of_this).collect();
            if wanted.is_empty() || self.queue.tell_when_room(&wanted, &this) {
                return None;
            }
        }
    }

    /// Whether a client has a share of the queue for a request of so many bytes.
    fn has_room_for(&self, holder: u64, bytes: usize) -> bool {
        self.queue.has_room_for_request_of((self.number, holder), bytes)
    }

    /// Does what the engine wants, and wakes the thread that drives if something is due before it would wake.
    pub(super) fn pump_and_wake(&self, inside: MutexGuard<'_, Inside>) {
        let sleeps_too_long = self.sleeps_too_long(&inside);
        self.pump(inside);
        if sleeps_too_long {
            self.interrupt();
        }
    }

    /// Writes what was held back.
    pub(super) fn write_held_back(&self) {
        let unwritten = self.inside().take_unwritten();
        self.write(unwritten);
    }

    /// Wakes the tasks that were held back, where this thread does not drive them: no other may be about to.
    pub(super) fn hand_held_over(&self) {
        #[cfg(feature = "http")]
        {
            let mut inside = self.inside();
            let (held, shared_wait) = (std::mem::take(&mut inside.unwoken), inside.shared_wait.clone());
            drop(inside);
            hand_over(held, shared_wait.as_deref());
        }
    }

    pub(super) fn write(&self, (first, others): (Option<Arc<ClientSession>>, Vec<Arc<ClientSession>>)) {
        for session in first.into_iter().chain(others) {
            self.written(&session, session.flush(&self.poller));
        }
    }

    /// Takes note of what became of writing.
    pub(super) fn written(&self, session: &Arc<ClientSession>, written: WriteOutcome) {
        let why = match written {
            WriteOutcome::All => {
                let mut inside = self.inside();
                if !inside.stalled.is_empty() {
                    inside.stalled.remove(&session.id.0);
                }
                if inside.closed {
                    // The thread in `close` waits for this.
                    self.interrupt();
                }
                // The last answer is out.
                if inside.ending.contains_key(&session.id.0) {
                    self.end_if_done(inside, session.id);
                }
                return;
            }
            WriteOutcome::Waiting(since) => {
                let until = since + self.limits.write;
                let mut inside = self.inside();
                // One that has ended meanwhile has nothing that could be late.
                if inside.sessions.contains_key(&session.id.0) {
                    inside.stalled.insert(session.id.0, until);
                    drop(inside);
                    self.interrupt();
                }
                return;
            }
            // That thread takes note.
            WriteOutcome::ByAnother => return,
            WriteOutcome::TooMuch => format!(
                "more than {} bytes (limits.outgoing_bytes) wait for the client to read them",
                self.limits.outgoing_bytes
            ),
            WriteOutcome::NoRoom => format!(
                "too much data is queued for the clients: limits.shared_bytes allows {} bytes for all of them",
                self.limits.shared_bytes
            ),
            WriteOutcome::Broken(why) => why,
        };
        self.end_session(session.id, &why);
    }

    /// Ends a session at once.
    pub(super) fn end_session(&self, id: SessionId, why: &str) {
        let mut inside = self.inside();
        let Some(session) = inside.sessions.remove(&id.0) else { return };
        inside.guests.remove(id.0);
        inside.stalled.remove(&id.0);
        inside.ending.remove(&id.0);
        inside.always_ready.retain(|other| *other != id.0);
        inside.held_up.remove(&id.0);
        inside.resumed.retain(|other| *other != id.0);
        inside.unwritten.retain(|other| !Arc::ptr_eq(other, &session));
        if let Some(stream) = session.stream() {
            stream.unwatch(&self.poller);
        }
        inside.engine.close(id);
        self.record(crate::engine::Level::Info, id, &format!("the session has ended: {why}"));
        let is_over = inside.is_over();
        self.pump(inside);
        // Before waits end: another thread may hold the session for a moment longer.
        session.release();
        #[cfg(all(feature = "http", feature = "store"))]
        self.write_events();
        if is_over {
            self.finish();
        }
    }

    /// Ends a session with which no other process goes on: its client ended it.
    #[cfg(feature = "http")]
    pub(super) fn end_everywhere(&self, id: SessionId, why: &str) {
        self.with_engine(|engine, now| engine.end_tasks_of(now, id));
        self.end_session(id, why);
    }

    /// Ends a session whose client sends nothing more, if nothing of it is left.
    pub(super) fn end_if_done(&self, inside: MutexGuard<'_, Inside>, id: SessionId) {
        let is_done = inside.engine.pending(id) == 0
            && inside.sessions.get(&id.0).is_none_or(|session| session.is_flushed());
        drop(inside);
        if is_done {
            self.end_session(id, "its input has ended");
        }
    }
}

impl Inside {
    /// Takes the sessions whose frames are to be written. Most often it is one, and the list keeps its memory for the next.
    pub(super) fn take_unwritten(&mut self) -> (Option<Arc<ClientSession>>, Vec<Arc<ClientSession>>) {
        let first = self.unwritten.pop();
        let others = if self.unwritten.is_empty() { Vec::new() } else { std::mem::take(&mut self.unwritten) };
        (first, others)
    }
}

/// Wakes tasks that were held back, for another thread to drive: none may be about to.
#[cfg(feature = "http")]
pub(super) fn hand_over(held: Vec<Waker>, shared_wait: Option<&SharedWait>) {
    if held.is_empty() {
        return;
    }
    for waker in held {
        waker.wake();
    }
    if let Some(shared_wait) = shared_wait {
        shared_wait.wake_driver();
    }
}

/// What became of a call of the application, as its message has it.
fn outcome_of(method: &str, outcome: ClientCallOutcome) -> Result<Box<str>, Error> {
    let failed = |status, what: &str| Err(Error::new(status, method, what));
    match outcome {
        ClientCallOutcome::Result(result) => Ok(result),
        ClientCallOutcome::Error(error) => {
            let text = json::member(&error, "message").and_then(json::string).unwrap_or_default();
            let mut failure = Error::new(Status::Server, method, text.into_owned());
            failure.code = json::member(&error, "code").and_then(|code| code.parse().ok());
            failure.data = json::member(&error, "data").map(str::to_owned);
            Err(failure)
        }
        ClientCallOutcome::Malformed => failed(Status::Protocol, "the client's answer has the wrong shape"),
        ClientCallOutcome::Overdue => failed(Status::Timeout, "the client did not answer in time"),
        ClientCallOutcome::SessionEnded => {
            failed(Status::Transport, "the session ended before the client answered")
        }
    }
}

fn reason(why: Withdrawn) -> &'static str {
    match why {
        Withdrawn::Cancelled => "cancelled",
        Withdrawn::Deadline => "deadline",
        Withdrawn::SessionEnded => "session_ended",
    }
}

thread_local! {
    /// How many handlers this thread runs in a row before it looks at its connections again, for which server. Their answers go
    /// out together.
    static BATCH: Cell<u64> = const { Cell::new(0) };
}

/// While this is there, what this thread sends on a server is held back, to be written together.
pub(super) struct Batch(u64);

impl Batch {
    pub(super) fn of(number: u64) -> Batch {
        Batch(BATCH.replace(number))
    }

    /// Whether this thread holds back what it sends on that server.
    pub(super) fn is_of(number: u64) -> bool {
        BATCH.get() == number
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        BATCH.set(self.0);
    }
}
