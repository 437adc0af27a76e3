//! Calls that the server has no place for: it refused them as busy and did nothing of them. They go out again as others end, in the order
//! in which they were made, and no more at one time than the server took before.

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
    pub(super) fn add(&mut self, call: u64) {
        self.waiting.insert(call, false);
    }

    /// A call was refused while `under_way` exchanges had no answer. Gives when one is sent in any case, if that is new.
    pub(super) fn refused(&mut self, now: Instant, call: u64, under_way: usize) -> Option<Instant> {
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
    pub(super) fn answered(&mut self) {
        (self.refused, self.due) = (0, None);
        self.answered += 1;
        if self.answered > self.window {
            (self.window, self.answered) = (self.window + 1, 0);
        }
    }

    /// The next call to send while so many exchanges are under way, and whether it was sent before. After the wait one goes out in
    /// any case.
    pub(super) fn next(&mut self, now: Instant, under_way: usize) -> Option<(u64, bool)> {
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

    /// Sets when one call is sent in any case, if nothing says so yet. Gives the time then.
    pub(super) fn wait(&mut self, now: Instant) -> Option<Instant> {
        if !self.is_any() || self.due.is_some() {
            return None;
        }
        self.due = Some(now + LONGEST_WAIT);
        self.due
    }

    /// Whether the timer that was set for this time is the newest.
    pub(super) fn is_due(&self, at: Instant) -> bool {
        self.is_any() && self.due == Some(at)
    }
}
