//! Who drives a server: one thread at a time, or the background thread after a grace time without one.

use crate::runtime::lock;
use crate::runtime::threads::{AfterGrace, GRACE, after_grace};
use crate::runtime::waiter::{Arrival, Waiter};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

#[derive(Default, Debug)]
struct Inside {
    driven: bool,
    /// It is the background thread that drives.
    in_background: bool,
    /// Threads that would drive if the one that does stops.
    parked: VecDeque<Arc<Waiter>>,
    /// Threads that wait for a state, as in `close`: the end of any turn may be what they wait for, so each of them looks then.
    closing: Vec<Arc<Waiter>>,
    /// Counts the times that a thread of the application took the role.
    turns: u64,
    /// The background thread is to look after the grace time, or at once.
    watching: bool,
    at_once: bool,
    ended: bool,
}

/// The role of driver of one server.
#[derive(Default, Debug)]
pub(super) struct Role {
    inside: Mutex<Inside>,
    changed: Condvar,
}

/// What a thread waits for while another one drives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaitsFor {
    /// The role alone: one of those in line is told when it is free.
    Role,
    /// A state that the end of a turn may show, as in `close`: told at the end of every turn.
    State,
}

/// What became of a claim.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The caller drives, and gives the role back.
    Taken,
    /// Another thread of the application drives. The waiter is told when it stops.
    Parked,
    /// The background thread drives: it is to be interrupted. The waiter is told when it stops.
    InBackground,
    /// The server has ended.
    Ended,
}

impl Role {
    /// Takes the role, or stands in line for it.
    pub(super) fn claim(&self, waiter: &Arc<Waiter>, wanted: WaitsFor) -> Claim {
        let mut inside = lock(&self.inside);
        if inside.ended {
            return Claim::Ended;
        }
        if !inside.driven {
            inside.driven = true;
            inside.turns += 1;
            return Claim::Taken;
        }
        match wanted {
            WaitsFor::Role => inside.parked.push_back(Arc::clone(waiter)),
            WaitsFor::State => inside.closing.push(Arc::clone(waiter)),
        }
        if inside.in_background { Claim::InBackground } else { Claim::Parked }
    }

    /// Leaves the line. A hint that came meanwhile goes to the next.
    pub(super) fn leave(&self, waiter: &Arc<Waiter>) {
        let mut inside = lock(&self.inside);
        inside.parked.retain(|other| !Arc::ptr_eq(other, waiter));
        inside.closing.retain(|other| !Arc::ptr_eq(other, waiter));
        // No thread may be left to drive: the hint was for this thread, which has something else to do.
        if !inside.driven && !Role::wake_next(&mut inside) && !inside.watching {
            inside.watching = true;
            self.changed.notify_one();
        }
    }

    /// Whether a thread drives now.
    pub(super) fn is_driven(&self) -> bool {
        lock(&self.inside).driven
    }

    /// Whether a thread stands in line.
    pub(super) fn is_wanted(&self) -> bool {
        let inside = lock(&self.inside);
        inside.ended || !inside.parked.is_empty() || !inside.closing.is_empty()
    }

    /// Gives the role back. `at_once` has the background thread take over without a grace time.
    pub(super) fn release(&self, at_once: bool) {
        let mut inside = lock(&self.inside);
        inside.driven = false;
        if Role::wake_next(&mut inside) {
            return;
        }
        inside.at_once |= at_once;
        if !inside.watching || at_once {
            inside.watching = true;
            self.changed.notify_one();
        }
    }

    /// Has the background thread drive, as far as no other thread does.
    pub(super) fn watch(&self) {
        let mut inside = lock(&self.inside);
        inside.watching = true;
        inside.at_once = true;
        self.changed.notify_one();
    }

    /// Has the background thread drive after a grace time without another driver.
    pub(super) fn watch_after_grace(&self) {
        let mut inside = lock(&self.inside);
        if !inside.watching {
            inside.watching = true;
            self.changed.notify_one();
        }
    }

    /// Tells the next in line, and all that wait for a state. `false` if there are none.
    fn wake_next(inside: &mut Inside) -> bool {
        let mut is_told = false;
        for waiter in inside.closing.drain(..).chain(inside.parked.pop_front()) {
            waiter.arrive(Arrival::Look, None);
            is_told = true;
        }
        is_told
    }

    /// Takes the role for the background thread when that is to have it. `false` at the end.
    pub(super) fn claim_in_background(&self) -> bool {
        let mut inside = lock(&self.inside);
        loop {
            if inside.ended {
                return false;
            }
            if !inside.watching {
                inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let before = inside.turns;
            if !inside.at_once {
                inside = self.changed.wait_timeout(inside, GRACE).unwrap_or_else(PoisonError::into_inner).0;
                if inside.ended {
                    return false;
                }
            }
            match after_grace(before, inside.turns, inside.driven) {
                AfterGrace::LookAgain if !inside.at_once => {}
                AfterGrace::LookAgain | AfterGrace::TakeOver if !inside.driven => {
                    inside.driven = true;
                    inside.in_background = true;
                    inside.at_once = false;
                    return true;
                }
                // The thread that drives says so when it stops.
                AfterGrace::Sleep | AfterGrace::LookAgain | AfterGrace::TakeOver => {
                    inside.watching = false;
                    inside.at_once = false;
                }
            }
        }
    }

    /// The background thread gives the role to the next in line, if there is one; else it keeps looking.
    pub(super) fn release_in_background(&self) {
        let mut inside = lock(&self.inside);
        inside.driven = false;
        inside.in_background = false;
        inside.watching = !Role::wake_next(&mut inside);
    }

    /// Nothing is driven any more. Says whether this is the first time.
    pub(super) fn end(&self) -> bool {
        let mut inside = lock(&self.inside);
        let is_first = !std::mem::replace(&mut inside.ended, true);
        while Role::wake_next(&mut inside) {}
        self.changed.notify_all();
        is_first
    }

    /// Whether [`Role::end`] was called.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.inside).ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_in_line_is_told_when_the_role_is_free() {
        let role = Role::default();
        let (first, second) = (Arc::new(Waiter::default()), Arc::new(Waiter::default()));
        assert_eq!(role.claim(&first, WaitsFor::Role), Claim::Taken);
        assert_eq!(role.claim(&second, WaitsFor::Role), Claim::Parked);
        assert!(role.is_wanted() && !second.has_arrived());
        role.release(false);
        assert!(second.has_arrived() && !role.is_wanted());
        assert_eq!(role.claim(&second, WaitsFor::Role), Claim::Taken);
        role.release(false);
    }

    #[test]
    fn one_that_leaves_passes_the_hint_on() {
        let role = Role::default();
        let waiters: Vec<_> = (0..3).map(|_| Arc::new(Waiter::default())).collect();
        assert_eq!(role.claim(&waiters[0], WaitsFor::Role), Claim::Taken);
        assert_eq!(role.claim(&waiters[1], WaitsFor::Role), Claim::Parked);
        assert_eq!(role.claim(&waiters[2], WaitsFor::Role), Claim::Parked);
        role.release(false);
        assert!(waiters[1].has_arrived() && !waiters[2].has_arrived());
        role.leave(&waiters[1]);
        assert!(waiters[2].has_arrived());
    }

    #[test]
    fn all_that_close_are_told_at_the_end_of_every_turn() {
        let role = Role::default();
        let waiters: Vec<_> = (0..4).map(|_| Arc::new(Waiter::default())).collect();
        assert_eq!(role.claim(&waiters[0], WaitsFor::Role), Claim::Taken);
        assert_eq!(role.claim(&waiters[1], WaitsFor::State), Claim::Parked);
        assert_eq!(role.claim(&waiters[2], WaitsFor::State), Claim::Parked);
        assert_eq!(role.claim(&waiters[3], WaitsFor::Role), Claim::Parked);
        assert!(role.is_wanted());
        role.release(false);
        // The first of them may have nothing more to wait for, and take the hint with it.
        assert!(waiters[1..].iter().all(|waiter| waiter.has_arrived()) && !role.is_wanted());
        assert_eq!(role.claim(&waiters[2], WaitsFor::State), Claim::Taken);
    }

    #[test]
    fn the_end_wakes_all_and_refuses_every_claim() {
        let role = Role::default();
        let (first, second) = (Arc::new(Waiter::default()), Arc::new(Waiter::default()));
        assert_eq!(role.claim(&first, WaitsFor::Role), Claim::Taken);
        assert_eq!(role.claim(&second, WaitsFor::Role), Claim::Parked);
        role.end();
        assert!(second.has_arrived() && role.has_ended());
        assert_eq!(role.claim(&second, WaitsFor::Role), Claim::Ended);
        assert!(!role.claim_in_background());
    }
}
