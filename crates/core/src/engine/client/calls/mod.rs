//! The calls under way. A call is what the application asked for; it has exactly one outcome however many exchanges it takes.
//!
//! The engine reads a call as it likes, and changes it only by the methods of [`Calls`]. Those that move a call's deadline
//! return the new one, for which the engine sets a timer.
//!
//! [`Calls`] and [`HeldBack`], the parts, are in this file.
//!
//! The files:
//!
//! * `request`: routes: makes, sends and cancels calls, and what stands for a feature on the wire of an era
//! * `outcome`: routes: what the outcome of an exchange means for a call. `Engine::complete` is the one place where a call ends
//! * `timers`: routes: what is due, and the logins that stop the time of a call

mod outcome;
mod request;
mod timers;

use crate::engine::ById;
use crate::engine::client::settings::Retry;
use crate::engine::client::traced_call::TracedCall;
use crate::protocol::method::Method;
use crate::protocol::{Params, ParamsBuf};
use crate::sorted::SortedMap;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What progress changes: the application's number of the call, and the deadline if that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CallProgress {
    pub(crate) tag: u64,
    pub(crate) deadline: Option<Instant>,
}

/// What is known of one definition.
#[cfg(feature = "draft")]
#[derive(Clone, Debug)]
pub(crate) struct KnownDigest {
    pub(crate) digest: Box<str>,
    /// A hash of what arguments depend on: calls that were made by another definition still fit where it is the same.
    pub(crate) input: u64,
}

/// The definition by which a call was last sent, where the library said so in the application's place. What is known of the tool may be
/// another one by the time of the answer.
#[cfg(feature = "draft")]
#[derive(Debug)]
pub(crate) struct SentDigest {
    pub(crate) known: KnownDigest,
    /// Why the server refused it, until the list came again.
    pub(crate) refusal: Option<crate::engine::client::exchanges::RpcError>,
}

#[cfg(feature = "draft")]
impl SentDigest {
    /// Whether a call that was refused by this definition may go out by another one: its arguments mean the same there.
    pub(crate) fn may_go_by(&self, present: &KnownDigest) -> bool {
        present.input == self.known.input && present.digest != self.known.digest
    }
}

/// Bytes of memory kept for the parameters of the next call.
const SPARE: usize = 4096;

/// The calls that have no outcome yet, and which of them wait for the connection.
#[derive(Debug)]
pub(crate) struct Calls<T> {
    /// The last number that was given.
    last: u64,
    under_way: ById<PendingCall<T>>,
    /// Those that wait for the connection, in the order they were made. Some may have ended meanwhile.
    waiting: VecDeque<u64>,
    /// The memory of the requests that wait.
    waiting_bytes: usize,
    /// The memory of parameters that were kept before, for the next ones.
    spare: String,
}

impl<T> Default for Calls<T> {
    fn default() -> Self {
        Calls {
            last: 0,
            under_way: ById::default(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            spare: String::new(),
        }
    }
}

impl<T> Calls<T> {
    /// A number that no call has had.
    pub(crate) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Adds a call, and gives its number.
    pub(crate) fn add(&mut self, call: PendingCall<T>) -> u64 {
        let id = self.number();
        self.under_way.insert(id, call);
        id
    }

    /// Parameters of a call to keep with it; `None` if the system has no memory for them.
    pub(crate) fn keep(&mut self, params: Params<'_>) -> Option<ParamsBuf> {
        ParamsBuf::copied(params, std::mem::take(&mut self.spare))
    }

    /// Takes the memory of what was kept with a call that has ended.
    fn reuse(&mut self, stored: Option<StoredRequest>) {
        let text = stored.and_then(|stored| stored.params).map(ParamsBuf::into_text);
        if let Some(text) = text.filter(|text| text.capacity() <= SPARE) {
            self.spare = text;
        }
    }

    /// The call with this number, while it has no outcome.
    pub(crate) fn get(&self, id: u64) -> Option<&PendingCall<T>> {
        self.under_way.get(&id)
    }

    pub(crate) fn len(&self) -> usize {
        self.under_way.len()
    }

    /// The numbers of all calls, in the order they were made.
    pub(crate) fn ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.under_way.keys().copied().collect();
        crate::sorted::order(&mut ids);
        ids
    }

    /// Removes a call that gets its outcome, so that there is never a second one.
    #[inline]
    pub(crate) fn end(&mut self, id: u64) -> Option<PendingCall<T>> {
        let call = self.under_way.remove(&id)?;
        if call.queued {
            self.waiting_bytes = self.waiting_bytes.saturating_sub(call.kept_bytes());
        }
        Some(call)
    }

    /// Whether a timer that was set for this time is still the call's.
    pub(crate) fn is_due(&self, id: u64, at: Instant) -> bool {
        // Progress may have moved it: then there is a newer timer.
        self.get(id).is_some_and(|call| call.deadline <= at)
    }

    /// Has a call wait for the connection.
    pub(crate) fn enqueue(&mut self, id: u64) {
        let Some(call) = self.under_way.get_mut(&id) else { return };
        call.queued = true;
        self.waiting_bytes += call.kept_bytes();
        self.waiting.push_back(id);
        if self.waiting.len() > 64 + 2 * self.under_way.len() {
            self.sweep_waiting();
        }
    }

    /// Forgets the places of calls that ended while they waited.
    pub(crate) fn sweep_waiting(&mut self) {
        self.waiting.retain(|id| self.under_way.contains_key(id));
    }

    /// Takes the next call that waits for the connection, with its request.
    fn next_waiting(&mut self) -> Option<(u64, StoredRequest)> {
        while let Some(id) = self.waiting.pop_front() {
            let Some(call) = self.under_way.get_mut(&id) else { continue };
            call.queued = false;
            self.waiting_bytes = self.waiting_bytes.saturating_sub(call.kept_bytes());
            let Some(stored) = call.stored.take() else { continue };
            return Some((id, stored));
        }
        None
    }

    /// The calls that wait for the connection.
    pub(crate) fn waiting(&self) -> Vec<u64> {
        self.waiting.iter().copied().collect()
    }

    /// The memory of the requests that wait for the connection.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    pub(crate) fn change(&mut self, id: u64, change: impl FnOnce(&mut PendingCall<T>)) {
        if let Some(call) = self.under_way.get_mut(&id) {
            change(call);
        }
    }

    /// Its request goes out in this exchange.
    pub(crate) fn sent(&mut self, id: u64, exchange: u64) -> Option<&PendingCall<T>> {
        let call = self.under_way.get_mut(&id)?;
        call.exchange = Some(exchange);
        call.sent_before = std::mem::replace(&mut call.sent, true);
        Some(call)
    }

    /// Its exchange has ended, or is no longer the call's.
    pub(crate) fn leave_exchange(&mut self, id: u64) {
        self.change(id, |call| call.exchange = None);
    }

    /// Nothing of its last request left the client.
    fn was_not_sent(&mut self, id: u64) {
        self.change(id, |call| call.sent = call.sent_before);
    }

    /// Takes its request, to be written (again); [`Calls::store`] keeps it for the next time.
    pub(crate) fn take_stored(&mut self, id: u64) -> Option<StoredRequest> {
        self.under_way.get_mut(&id)?.stored.take()
    }

    /// Keeps its request.
    pub(crate) fn store(&mut self, id: u64, stored: StoredRequest) {
        self.change(id, |call| call.stored = Some(stored));
    }

    /// It is sent again.
    pub(crate) fn retry(&mut self, id: u64) {
        self.change(id, |call| call.retries += 1);
    }

    /// It is sent again because its session has ended. Says whether it may be: once.
    pub(crate) fn renew(&mut self, id: u64) -> bool {
        self.under_way.get_mut(&id).is_none_or(|call| !std::mem::replace(&mut call.renewed, true))
    }

    /// It waits for a new list of tools.
    pub(crate) fn list_again(&mut self, id: u64) {
        self.change(id, |call| {
            call.relisted = true;
            call.exchange = None;
        });
    }

    /// A part has something of it from now on.
    pub(crate) fn joins_part(&mut self, id: u64) {
        self.change(id, |call| call.in_parts = true);
    }

    /// Its tool is stateful.
    pub(crate) fn set_stateful(&mut self, id: u64) {
        self.change(id, |call| call.stateful = true);
    }

    /// It goes out asking to become a task, or not.
    pub(crate) fn set_augmented(&mut self, id: u64, augmented: bool, ttl: Option<Duration>) {
        self.change(id, |call| {
            call.augmented = augmented;
            call.task_ttl = call.task_ttl.or(ttl);
        });
    }

    /// It has become a task, or watches one: it has all of its total, which is `life` if the application gave none.
    pub(crate) fn become_task(&mut self, id: u64, life: Duration) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.in_parts = true;
        if !call.total_given {
            call.latest = call.started + life;
        }
        call.deadline = call.latest;
        Some(call.deadline)
    }

    /// Its server asks the application for something. A person takes their time; the call's total still holds.
    pub(crate) fn await_input(&mut self, id: u64) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.in_parts = true;
        call.rounds += 1;
        call.exchange = None;
        call.deadline = call.latest;
        Some(call.deadline)
    }

    /// It sends a further request: its timeout starts again, within its total.
    pub(crate) fn restart_time(&mut self, now: Instant, id: u64) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.deadline = (now + call.timeout).min(call.latest);
        Some(call.deadline)
    }

    /// Its server told of progress. `None` where that is not for a call under way. A task's progress moves no deadline.
    pub(crate) fn progress(&mut self, now: Instant, id: u64, is_task: bool) -> Option<CallProgress> {
        let call = self.under_way.get_mut(&id)?;
        if !call.progress || call.exchange.is_none() && !is_task {
            return None;
        }
        let deadline = (now + call.timeout).min(call.latest);
        let moves = call.reset_on_progress && !is_task && deadline != call.deadline;
        if moves {
            call.deadline = deadline;
        }
        Some(CallProgress { tag: call.tag, deadline: moves.then_some(deadline) })
    }

    /// Its request waits for a login, or no longer does.
    fn set_logs_in(&mut self, id: u64, waits: bool) {
        self.change(id, |call| call.logs_in = waits);
    }

    /// Pauses the timeout of a call, up to its total; or resumes it with the time that was left.
    pub(crate) fn stop_time(&mut self, now: Instant, id: u64, stops: bool) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.deadline = match (stops, call.left.take()) {
            (true, left) => {
                call.left = left.or(Some(call.deadline.saturating_duration_since(now)));
                call.latest
            }
            (false, Some(left)) => (now + left).min(call.latest),
            // It was never stopped.
            (false, None) => return None,
        };
        Some(call.deadline)
    }

    /// No login is in progress: the timeout of every call resumes. Returns the deadlines that moved.
    fn end_logins(&mut self, now: Instant) -> Vec<(u64, Instant)> {
        let mut moved = Vec::new();
        for (id, call) in &mut self.under_way {
            call.logs_in = false;
            if let Some(left) = call.left.take() {
                call.deadline = (now + left).min(call.latest);
                moved.push((*id, call.deadline));
            }
        }
        moved
    }
}

/// How much the library does for a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Feature {
    /// Nothing: the method goes out as it is.
    #[default]
    Raw,
    /// It means the same on every revision, whatever the wire does.
    Plain,
    /// The same, and all pages of a list are collected.
    AllPages,
}

/// What an application may say of one call. `None` takes the client's setting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallOptions {
    /// The time the call may take.
    pub timeout: Option<Duration>,
    /// The most it may take with everything it does.
    pub max_total: Option<Duration>,
    /// Whether progress starts its time again.
    pub reset_on_progress: Option<bool>,
    /// Whether the application wants progress messages.
    pub progress: bool,
    /// Members for the request's `_meta`, JSON text without braces; empty for none.
    pub meta: String,
    /// How many bytes of `meta`, from its start, are the context of a parent: a call that is recorded sends that of its own span in
    /// their place. 0 for none.
    pub parent_length: usize,
    /// The client capabilities declared to a server of 2026-07-28 for this call, in place of the client's setting: a JSON object.
    pub capabilities: Option<Box<str>>,
    /// What becomes of it when the connection is lost.
    pub retry: Option<Retry>,
    /// Whether it waits for a connection while there is none.
    pub wait_when_unavailable: Option<bool>,
    /// How much the library does for it.
    pub feature: Feature,
    /// Whether the call of a tool is to be a task; `None` as the tool says.
    pub task: Option<bool>,
    /// How long the server is asked to keep the task.
    pub task_ttl: Option<Duration>,
}

/// A call to make.
#[derive(Clone, Debug)]
pub struct CallRequest<'a, T> {
    /// The method.
    pub method: &'a str,
    /// The parameters.
    pub params: Option<Params<'a>>,
    /// What the application said of this call.
    pub options: &'a CallOptions,
    /// Comes back with the outcome.
    pub ticket: T,
    /// The application's own number, repeated in progress messages.
    pub tag: u64,
}

/// A call under way.
#[derive(Debug)]
pub(crate) struct PendingCall<T> {
    pub(crate) ticket: T,
    pub(crate) tag: u64,
    pub(crate) method: Cow<'static, str>,
    /// Its row of the method table.
    pub(crate) row: Option<&'static Method>,
    pub(crate) started: Instant,
    pub(crate) timeout: Duration,
    pub(crate) deadline: Instant,
    pub(crate) latest: Instant,
    pub(crate) reset_on_progress: bool,
    pub(crate) progress: bool,
    /// The request on the wire, if it was sent on this connection.
    pub(crate) exchange: Option<u64>,
    /// Whether a byte of its request may have left, on this connection or an earlier one.
    pub(crate) sent: bool,
    /// Whether that is so of an exchange before the present one.
    pub(crate) sent_before: bool,
    /// The client capabilities declared for this call, if not those of the client's setting.
    pub(crate) capabilities: Option<Box<str>>,
    /// Kept while it may have to be sent (again).
    pub(crate) stored: Option<StoredRequest>,
    pub(crate) feature: Feature,
    /// Whether the application wants it to be a task.
    pub(crate) task: Option<bool>,
    pub(crate) task_ttl: Option<Duration>,
    /// Whether it goes out asking to become a task (core form).
    pub(crate) augmented: bool,
    /// Whether the application said how long it may take in all.
    pub(crate) total_given: bool,
    pub(crate) retry: Retry,
    pub(crate) waits: bool,
    pub(crate) retries: u32,
    /// How many times its server asked for input.
    pub(crate) rounds: u32,
    /// Whether its request waits for a login: it was not sent yet.
    pub(crate) logs_in: bool,
    /// The time it had left when that was stopped for a login.
    pub(crate) left: Option<Duration>,
    /// Whether the tools were listed again for it, because its headers did not match what the server expects.
    pub(crate) relisted: bool,
    /// What the library says in the request that it expects of its tool, its prompt or its resource.
    #[cfg(feature = "draft")]
    pub(crate) expects: Option<Box<SentDigest>>,
    /// Whether it was sent again because the session had ended under it.
    pub(crate) renewed: bool,
    /// Whether it is a stateful tool's: one at a time, and never on another connection.
    pub(crate) stateful: bool,
    /// Whether a part beside the tables of calls and exchanges may have something of it: rounds of input, pages of a list, the calls that
    /// wait for a place, a list or a stream, tasks. A plain call has none of that, and its end asks none of them.
    pub(crate) in_parts: bool,
    /// Whether it stands in the row of calls that wait for the connection.
    pub(crate) queued: bool,
    /// Whether its events are logged.
    pub(crate) sampled: bool,
    /// What is recorded of it for OpenTelemetry.
    pub(crate) traced: Option<Box<TracedCall>>,
}

impl<T> PendingCall<T> {
    /// The memory of its request, if it is kept.
    fn kept_bytes(&self) -> usize {
        let capabilities = self.capabilities.as_ref().map_or(0, |capabilities| capabilities.len());
        self.stored.as_ref().map_or(0, |stored| stored.bytes() + capabilities)
    }
}

/// What is needed to write the request later.
#[derive(Debug)]
pub(crate) struct StoredRequest {
    pub(crate) params: Option<ParamsBuf>,
    pub(crate) meta: Box<str>,
}

impl StoredRequest {
    /// The memory it takes.
    fn bytes(&self) -> usize {
        self.params.as_ref().map_or(0, ParamsBuf::bytes) + self.meta.len()
    }

    /// The parameters.
    pub(crate) fn view(&self) -> Option<Params<'_>> {
        self.params.as_ref().map(ParamsBuf::view)
    }

    /// The parameters, JSON text.
    pub(crate) fn text(&self) -> Option<&str> {
        self.view().map(|params| params.text())
    }
}

/// With so many calls without an outcome the next ones are kept, so that they can be sent again.
const MANY: usize = 64;
/// The wait for a place where no call of this client gives one back, after the first refusal; it doubles with each one in a row.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The calls that wait for a place at the server.
#[derive(Debug, Default)]
pub(crate) struct HeldBack {
    /// By number, with whether the call was sent before.
    waiting: SortedMap<u64, bool>,
    /// How many exchanges may be under way.
    window: usize,
    /// How many were answered since the window last changed.
    answered: usize,
    /// Refusals since the last answer.
    refused: u32,
    /// When one call is sent in any case.
    due: Option<Instant>,
}

impl HeldBack {
    /// Whether calls wait.
    pub(crate) fn is_any(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether this call waits.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.waiting.contains_key(&call)
    }

    /// A call that was not sent waits behind the others.
    pub(crate) fn add(&mut self, call: u64) {
        self.waiting.insert(call, false);
    }

    /// A call was refused while `under_way` exchanges had no answer. Gives when one is sent in any case, if that is new.
    pub(crate) fn refused(&mut self, now: Instant, call: u64, under_way: usize) -> Option<Instant> {
        self.waiting.insert(call, true);
        (self.window, self.answered) = (under_way.max(1), 0);
        let wait = FIRST_WAIT.saturating_mul(1 << self.refused.min(16)).min(LONGEST_WAIT);
        if under_way == 0 {
            self.refused += 1;
        }
        let is_sooner = self.due.is_none_or(|due| now + wait < due);
        if is_sooner {
            self.due = Some(now + wait);
        }
        self.due.filter(|_| is_sooner)
    }

    /// An exchange ended with an answer: the server has a place again, and after as many as there are places perhaps one more.
    pub(crate) fn answered(&mut self) {
        (self.refused, self.due) = (0, None);
        self.answered += 1;
        if self.answered > self.window {
            (self.window, self.answered) = (self.window + 1, 0);
        }
    }

    /// The next call to send while so many exchanges are under way, and whether it was sent before. After the wait one goes out in
    /// any case.
    pub(crate) fn next(&mut self, now: Instant, under_way: usize) -> Option<(u64, bool)> {
        let is_due = self.due.is_some_and(|due| due <= now);
        // With nothing under way the wait alone says when.
        if !is_due && (under_way == 0 && self.due.is_some() || under_way >= self.window) {
            return None;
        }
        if is_due {
            self.due = None;
        }
        self.waiting.pop_first()
    }

    /// A call has ended.
    pub(crate) fn forget(&mut self, call: u64) {
        self.waiting.remove(&call);
    }

    /// The connection has ended. Gives the calls that waited.
    pub(crate) fn end(&mut self) -> Vec<u64> {
        std::mem::take(self).waiting.into_keys().collect()
    }

    /// Sets when one call is sent in any case, if nothing says so yet. Gives the time then.
    pub(crate) fn wait(&mut self, now: Instant) -> Option<Instant> {
        if !self.is_any() || self.due.is_some() {
            return None;
        }
        self.due = Some(now + LONGEST_WAIT);
        self.due
    }

    /// Whether the timer that was set for this time is the newest.
    pub(crate) fn is_due(&self, at: Instant) -> bool {
        self.is_any() && self.due == Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::client::settings::Retry;
    use crate::protocol::ParamsBuf;
    use std::borrow::Cow;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_call_that_is_refused_later_does_not_put_off_the_next_one_to_send() {
        let (mut held, now) = (HeldBack::default(), Instant::now());
        assert_eq!(held.refused(now, 1, 0), Some(now + FIRST_WAIT));
        assert_eq!(held.refused(now, 2, 0), None, "it would wait longer");
        assert!(held.is_due(now + FIRST_WAIT));
    }

    fn call(now: Instant) -> PendingCall<()> {
        let stored = StoredRequest { params: Some(ParamsBuf::written("ping", "{}")), meta: "".into() };
        PendingCall {
            ticket: (),
            tag: 5,
            method: Cow::Borrowed("tools/call"),
            row: None,
            started: now,
            timeout: SECOND,
            deadline: now + SECOND,
            latest: now + 10 * SECOND,
            reset_on_progress: true,
            progress: true,
            exchange: None,
            sent: false,
            sent_before: false,
            capabilities: None,
            stored: Some(stored),
            feature: Feature::Raw,
            task: None,
            task_ttl: None,
            augmented: false,
            total_given: false,
            retry: Retry::Safe,
            waits: true,
            retries: 0,
            rounds: 0,
            logs_in: false,
            left: None,
            relisted: false,
            #[cfg(feature = "draft")]
            expects: None,
            renewed: false,
            in_parts: false,
            stateful: false,
            queued: false,
            sampled: false,
            traced: None,
        }
    }

    #[test]
    fn the_calls_that_wait_are_taken_in_order_and_their_memory_is_counted() {
        let (mut calls, now) = (Calls::default(), Instant::now());
        let ids: Vec<u64> = (0..3).map(|_| calls.add(call(now))).collect();
        for id in &ids {
            calls.enqueue(*id);
        }
        assert_eq!((calls.waiting(), calls.waiting_bytes()), (ids.clone(), 6));
        assert!(calls.end(ids[1]).is_some() && calls.end(ids[1]).is_none(), "a call ends once");
        assert_eq!(calls.waiting_bytes(), 4);
        assert_eq!(calls.next_waiting().map(|(id, _)| id), Some(ids[0]));
        assert_eq!(calls.next_waiting().map(|(id, _)| id), Some(ids[2]));
        assert!(calls.next_waiting().is_none() && calls.waiting_bytes() == 0);
        assert!(calls.number() > ids[2], "numbers are not used again");
    }

    #[test]
    fn a_call_that_could_not_be_sent_again_was_sent_all_the_same() {
        let (mut calls, now) = (Calls::default(), Instant::now());
        let id = calls.add(call(now));
        let is_sent = |calls: &Calls<()>| calls.get(id).is_some_and(|call| call.sent);
        assert!(calls.sent(id, 1).is_some());
        calls.was_not_sent(id);
        assert!(!is_sent(&calls));
        calls.sent(id, 2);
        calls.leave_exchange(id);
        calls.sent(id, 3);
        calls.was_not_sent(id);
        assert!(is_sent(&calls), "its first request went out");
        assert!(calls.renew(id) && !calls.renew(id), "a session is renewed once for it");
    }

    #[test]
    fn a_login_stops_the_time_of_a_call_and_gives_the_rest_back() {
        let (mut calls, now) = (Calls::default(), Instant::now());
        let id = calls.add(call(now));
        assert_eq!(calls.stop_time(now, id, false), None, "it was never stopped");
        assert_eq!(calls.stop_time(now, id, true), Some(now + 10 * SECOND));
        assert_eq!(calls.stop_time(now + 3 * SECOND, id, true), Some(now + 10 * SECOND));
        assert_eq!(calls.end_logins(now + 4 * SECOND), [(id, now + 5 * SECOND)]);
        assert!(calls.is_due(id, now + 5 * SECOND) && !calls.is_due(id, now + SECOND));
        assert!(calls.end_logins(now + 4 * SECOND).is_empty());
    }

    #[test]
    fn progress_moves_the_deadline_of_a_request_under_way_and_of_no_task() {
        let (mut calls, now) = (Calls::default(), Instant::now());
        let id = calls.add(call(now));
        assert_eq!(calls.progress(now, id, false), None, "nothing is under way");
        calls.sent(id, 1);
        let moved = CallProgress { tag: 5, deadline: Some(now + 2 * SECOND) };
        assert_eq!(calls.progress(now + SECOND, id, false), Some(moved));
        assert_eq!(calls.progress(now + SECOND, id, false), Some(CallProgress { deadline: None, ..moved }));
        calls.leave_exchange(id);
        assert_eq!(calls.become_task(id, 60 * SECOND), Some(now + 60 * SECOND));
        assert_eq!(calls.progress(now, id, true), Some(CallProgress { deadline: None, ..moved }));
        assert_eq!(calls.await_input(id), Some(now + 60 * SECOND));
        assert_eq!(calls.restart_time(now, id), Some(now + SECOND));
        assert_eq!(calls.progress(now, id + 1, false), None);
    }
}
