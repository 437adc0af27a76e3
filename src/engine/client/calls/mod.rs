//! The calls under way. A call is what the application asked for; it has exactly one outcome however many exchanges it takes.
//!
//! The engine reads a call as it likes, and changes it only by the methods of [`Calls`]. Those that move a call's deadline
//! return the new one, for which the engine sets a timer.
//!
//! [`Calls`], the part, is in this file.
//!
//! The files:
//!
//! * `call`: `Call`: what the application asked for, its options and its state

mod call;

pub(super) use call::{Call, Stored};
pub use call::{CallOptions, CallRequest, Feature};

use crate::engine::ById;
use crate::protocol::{Params, ParamsBuf};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What progress changes: the application's number of the call, and the deadline if that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    pub(super) tag: u64,
    pub(super) deadline: Option<Instant>,
}

/// The memory that is kept for the parameters of the next call, at the most.
const SPARE: usize = 4096;

/// The calls that have no outcome yet, and which of them wait for the connection.
#[derive(Debug)]
pub(super) struct Calls<T> {
    /// The last number that was given.
    last: u64,
    under_way: ById<Call<T>>,
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
    pub(super) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// Adds a call, and gives its number.
    pub(super) fn add(&mut self, call: Call<T>) -> u64 {
        let id = self.number();
        self.under_way.insert(id, call);
        id
    }

    /// Parameters of a call to keep with it.
    pub(super) fn keep(&mut self, params: Params<'_>) -> ParamsBuf {
        ParamsBuf::copied(params, std::mem::take(&mut self.spare))
    }

    /// Takes the memory of what was kept with a call that has ended.
    pub(super) fn reuse(&mut self, stored: Option<Stored>) {
        let text = stored.and_then(|stored| stored.params).map(ParamsBuf::into_text);
        if let Some(text) = text.filter(|text| text.capacity() <= SPARE) {
            self.spare = text;
        }
    }

    /// The call with this number, while it has no outcome.
    pub(super) fn get(&self, id: u64) -> Option<&Call<T>> {
        self.under_way.get(&id)
    }

    pub(super) fn len(&self) -> usize {
        self.under_way.len()
    }

    /// The numbers of all calls, in the order they were made.
    pub(super) fn ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.under_way.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Takes out a call that gets its outcome. It is gone after that, so there is never a second one.
    #[inline]
    pub(super) fn end(&mut self, id: u64) -> Option<Call<T>> {
        let call = self.under_way.remove(&id)?;
        if call.queued {
            self.waiting_bytes = self.waiting_bytes.saturating_sub(call.kept_bytes());
        }
        Some(call)
    }

    /// Whether a timer that was set for this time is still the call's.
    pub(super) fn is_due(&self, id: u64, at: Instant) -> bool {
        // Progress may have moved it: then there is a newer timer.
        self.get(id).is_some_and(|call| call.deadline <= at)
    }

    /// Has a call wait for the connection.
    pub(super) fn enqueue(&mut self, id: u64) {
        let Some(call) = self.under_way.get_mut(&id) else { return };
        call.queued = true;
        self.waiting_bytes += call.kept_bytes();
        self.waiting.push_back(id);
        if self.waiting.len() > 64 + 2 * self.under_way.len() {
            self.sweep_waiting();
        }
    }

    /// Forgets the places of calls that ended while they waited.
    pub(super) fn sweep_waiting(&mut self) {
        self.waiting.retain(|id| self.under_way.contains_key(id));
    }

    /// Takes the next call that waits for the connection, with its request.
    pub(super) fn next_waiting(&mut self) -> Option<(u64, Stored)> {
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
    pub(super) fn waiting(&self) -> Vec<u64> {
        self.waiting.iter().copied().collect()
    }

    /// The memory of the requests that wait for the connection.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    fn change(&mut self, id: u64, change: impl FnOnce(&mut Call<T>)) {
        if let Some(call) = self.under_way.get_mut(&id) {
            change(call);
        }
    }

    /// Its request goes out in this exchange.
    pub(super) fn sent(&mut self, id: u64, exchange: u64) -> Option<&Call<T>> {
        let call = self.under_way.get_mut(&id)?;
        call.exchange = Some(exchange);
        call.sent_before = std::mem::replace(&mut call.sent, true);
        Some(call)
    }

    /// Its exchange has ended, or is no longer the call's.
    pub(super) fn leave_exchange(&mut self, id: u64) {
        self.change(id, |call| call.exchange = None);
    }

    /// Nothing of its last request left the client.
    pub(super) fn was_not_sent(&mut self, id: u64) {
        self.change(id, |call| call.sent = call.sent_before);
    }

    /// Takes its request, to be written (again); [`Calls::store`] keeps it for the next time.
    pub(super) fn take_stored(&mut self, id: u64) -> Option<Stored> {
        self.under_way.get_mut(&id)?.stored.take()
    }

    /// Keeps its request.
    pub(super) fn store(&mut self, id: u64, stored: Stored) {
        self.change(id, |call| call.stored = Some(stored));
    }

    /// It is sent again.
    pub(super) fn retry(&mut self, id: u64) {
        self.change(id, |call| call.retries += 1);
    }

    /// It is sent again because its session has ended. Says whether it may be: once.
    pub(super) fn renew(&mut self, id: u64) -> bool {
        self.under_way.get_mut(&id).is_none_or(|call| !std::mem::replace(&mut call.renewed, true))
    }

    /// It waits for a new list of tools.
    pub(super) fn list_again(&mut self, id: u64) {
        self.change(id, |call| {
            call.listed_anew = true;
            call.exchange = None;
        });
    }

    /// Its tool is stateful.
    pub(super) fn set_stateful(&mut self, id: u64) {
        self.change(id, |call| call.stateful = true);
    }

    /// It goes out asking to become a task, or not.
    pub(super) fn set_augmented(&mut self, id: u64, augmented: bool, ttl: Option<Duration>) {
        self.change(id, |call| {
            call.augmented = augmented;
            call.task_ttl = call.task_ttl.or(ttl);
        });
    }

    /// It has become a task, or watches one: it has all of its total, which is `life` if the application gave none.
    pub(super) fn become_task(&mut self, id: u64, life: Duration) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        if !call.total_given {
            call.latest = call.started + life;
        }
        call.deadline = call.latest;
        Some(call.deadline)
    }

    /// Its server asks the application for something. A person takes their time; the call's total still holds.
    pub(super) fn await_input(&mut self, id: u64) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.rounds += 1;
        call.exchange = None;
        call.deadline = call.latest;
        Some(call.deadline)
    }

    /// It goes on with a further request: its time begins again, within its total.
    pub(super) fn restart_time(&mut self, now: Instant, id: u64) -> Option<Instant> {
        let call = self.under_way.get_mut(&id)?;
        call.deadline = (now + call.timeout).min(call.latest);
        Some(call.deadline)
    }

    /// Its server told of progress. `None` where that is not for a call under way. A task's progress moves no deadline.
    pub(super) fn progress(&mut self, now: Instant, id: u64, is_task: bool) -> Option<Progress> {
        let call = self.under_way.get_mut(&id)?;
        if !call.progress || call.exchange.is_none() && !is_task {
            return None;
        }
        let deadline = (now + call.timeout).min(call.latest);
        let moves = call.reset_on_progress && !is_task && deadline != call.deadline;
        if moves {
            call.deadline = deadline;
        }
        Some(Progress { tag: call.tag, deadline: moves.then_some(deadline) })
    }

    /// Its request waits for a login, or no longer does.
    pub(super) fn set_logs_in(&mut self, id: u64, waits: bool) {
        self.change(id, |call| call.logs_in = waits);
    }

    /// Stops the time of a call, up to its total; or has it go on with what was left of it then.
    pub(super) fn stop_time(&mut self, now: Instant, id: u64, stops: bool) -> Option<Instant> {
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

    /// No login is waited for any more: the time of every call goes on. Gives the deadlines that moved.
    pub(super) fn end_logins(&mut self, now: Instant) -> Vec<(u64, Instant)> {
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

#[cfg(test)]
mod tests;
