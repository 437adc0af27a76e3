//! Calls that the server has no place for: it refused them with [`error_code::BUSY`] and did nothing of them. They go out again as
//! others end, in the order in which they were made, and no more at one time than the server took before.

use super::call_outcomes::is_retryable;
use super::deadlines::Due;
use super::exchanges::Spoken;
use super::{Engine, State, fields};
use crate::engine::counters::Level;
use crate::protocol::error_code;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// With so many calls without an outcome the next ones are kept, so that they can be sent again.
pub(super) const MANY: usize = 64;
/// The wait for a place where no call of this client gives one back, after the first refusal; it doubles with each one in a row.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The calls that wait for a place at the server.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    /// By number, with whether the call was sent before.
    waiting: BTreeMap<u64, bool>,
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
    pub(super) fn is_any(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether this call waits.
    pub(super) fn holds(&self, call: u64) -> bool {
        self.waiting.contains_key(&call)
    }

    /// A call that was not sent waits behind the others.
    fn add(&mut self, call: u64) {
        self.waiting.insert(call, false);
    }

    /// A call was refused while `under_way` exchanges had no answer. Gives when one is sent in any case, if that is new.
    fn refused(&mut self, now: Instant, call: u64, under_way: usize) -> Option<Instant> {
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
    fn answered(&mut self) {
        (self.refused, self.due) = (0, None);
        self.answered += 1;
        if self.answered > self.window {
            (self.window, self.answered) = (self.window + 1, 0);
        }
    }

    /// The next call to send while so many exchanges are under way, and whether it was sent before. After the wait one goes out in
    /// any case.
    fn next(&mut self, now: Instant, under_way: usize) -> Option<(u64, bool)> {
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
    pub(super) fn forget(&mut self, call: u64) {
        self.waiting.remove(&call);
    }

    /// The connection has ended. Gives the calls that waited.
    pub(super) fn end(&mut self) -> Vec<u64> {
        std::mem::take(self).waiting.into_keys().collect()
    }

    /// Whether the timer that was set for this time is the newest.
    pub(super) fn is_due(&self, at: Instant) -> bool {
        self.is_any() && self.due == Some(at)
    }
}

impl<T> Engine<T> {
    /// A call was refused because the server has no place for it. Says whether it waits for one: not if its request is not kept.
    pub(super) fn hold_back(&mut self, now: Instant, id: u64, spoken: &Spoken) -> bool {
        if spoken.code != error_code::BUSY
            || self.state != State::Ready
            || !is_retryable(spoken.data.as_deref())
            || self.calls.get(id).is_none_or(|call| call.stored.is_none())
        {
            return false;
        }
        self.calls.leave_exchange(id);
        // It did nothing of it.
        self.calls.was_not_sent(id);
        if let Some(due) = self.held_back.refused(now, id, self.exchanges.count()) {
            self.deadlines.add(due, Due::Place(self.generation));
        }
        self.log(Level::Debug, "request.held_back", || {
            fields([("call", id.into()), ("message", spoken.message.as_str().into())])
        });
        true
    }

    /// Whether a new call has to wait behind others. It does then.
    pub(super) fn waits_behind(&mut self, id: u64) -> bool {
        let waits = self.state == State::Ready && self.held_back.is_any();
        if waits {
            self.held_back.add(id);
        }
        waits
    }

    /// An exchange has ended: calls that waited for a place go out.
    pub(super) fn place_may_be_free(&mut self, now: Instant, was_answered: bool) {
        if !self.held_back.is_any() {
            return;
        }
        if was_answered {
            self.held_back.answered();
        }
        self.send_held_back(now);
    }

    /// Sends the calls for which there is a place; one in any case when its wait is over.
    pub(super) fn send_held_back(&mut self, now: Instant) {
        while self.state == State::Ready
            && let Some((id, was_sent)) = self.held_back.next(now, self.exchanges.count())
        {
            if was_sent {
                self.write_stored(id);
            } else if let Some(stored) = self.calls.take_stored(id) {
                self.dispatch(now, id, stored.view(), &stored.meta);
                self.calls.store(id, stored);
            }
        }
        if self.held_back.is_any() && self.held_back.due.is_none() {
            let due = now + LONGEST_WAIT;
            self.held_back.due = Some(due);
            self.deadlines.add(due, Due::Place(self.generation));
        }
    }
}
