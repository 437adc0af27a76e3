//! Who drives a connection over pipes or a socket: one thread that waits for it, or the background thread.
//!
//! The thread that blocks in a call reads for itself, completes what arrives for others, and passes the role on when its own
//! answer is there.

use super::grace::{AfterGrace, after_grace};
use crate::runtime::link::pipe::Pipe;
use crate::runtime::sync::{Mutex, lock};
use crate::runtime::waiter::Waiter;
use crate::transport::poller::Poller;
use std::collections::VecDeque;
use std::sync::Arc;

#[derive(Default, Debug)]
struct Inside {
    pipe: Option<Arc<Pipe>>,
    driven: bool,
    /// Threads that would drive if the one that does stops.
    parked: VecDeque<Arc<Waiter>>,
    /// Counts the times the role was taken, so that the background thread sees whether it still is.
    turns: u64,
    /// The background thread looks again after the grace time, and this was the count when it last looked.
    grace: Option<u64>,
}

/// The role of driver of one connection.
#[derive(Default, Debug)]
pub(crate) struct DriverLock {
    inside: Mutex<Inside>,
}

/// What is to be done after the role was given back.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum After {
    /// Nothing.
    Nothing,
    /// Tell the background thread to look after the grace time.
    Grace,
}

impl DriverLock {
    /// Takes the role, or stands in line for it. A pipe means that the caller drives it and gives the role back.
    pub(crate) fn claim(&self, waiter: &Arc<Waiter>) -> Option<Arc<Pipe>> {
        let mut inside = lock(&self.inside);
        if !inside.driven
            && let Some(pipe) = inside.pipe.clone().filter(|pipe| !pipe.is_stopped())
        {
            inside.driven = true;
            inside.turns += 1;
            return Some(pipe);
        }
        inside.parked.push_back(Arc::clone(waiter));
        None
    }

    /// Takes the role for the background thread, which does not stand in line.
    pub(crate) fn claim_in_background(&self) -> Option<Arc<Pipe>> {
        let mut inside = lock(&self.inside);
        if inside.driven {
            return None;
        }
        let pipe = inside.pipe.clone().filter(|pipe| !pipe.is_stopped())?;
        inside.driven = true;
        Some(pipe)
    }

    /// Whether a thread stands in line that has not got what it waits for.
    pub(crate) fn is_wanted(&self) -> bool {
        lock(&self.inside).parked.iter().any(|waiter| !waiter.has_arrived())
    }

    /// Leaves the line. Gives the role if it was handed over in the meantime.
    pub(crate) fn leave(&self, waiter: &Arc<Waiter>) -> Option<Arc<Pipe>> {
        let mut inside = lock(&self.inside);
        inside.parked.retain(|other| !Arc::ptr_eq(other, waiter));
        waiter.take_promotion()
    }

    /// Gives the role back. `at_once` has the background thread listen without a grace time.
    pub(crate) fn release(&self, poller: &Poller, at_once: bool) -> After {
        let mut inside = lock(&self.inside);
        inside.driven = false;
        DriverLock::hand_on(&mut inside, poller, at_once)
    }

    fn hand_on(inside: &mut Inside, poller: &Poller, at_once: bool) -> After {
        let Some(pipe) = inside.pipe.clone().filter(|pipe| !pipe.is_stopped()) else { return After::Nothing };
        if let Some(next) = inside.parked.pop_front() {
            inside.driven = true;
            inside.turns += 1;
            next.promote(pipe);
            return After::Nothing;
        }
        if at_once {
            pipe.listen_once(poller);
            return After::Nothing;
        }
        if inside.grace.is_some() {
            return After::Nothing;
        }
        inside.grace = Some(inside.turns);
        After::Grace
    }

    /// There is a new pipe: the first thread in line drives it, else the background thread.
    pub(crate) fn connected(&self, pipe: Arc<Pipe>, poller: &Poller) {
        let mut inside = lock(&self.inside);
        inside.pipe = Some(pipe);
        if !inside.driven {
            DriverLock::hand_on(&mut inside, poller, true);
        }
    }

    /// The connection is gone.
    pub(crate) fn disconnected(&self) {
        lock(&self.inside).pipe = None;
    }

    /// The background thread was told that there is something to read while another thread drives: it looks again later.
    /// Says whether it must be put on the list for that.
    pub(crate) fn look_later(&self) -> bool {
        let mut inside = lock(&self.inside);
        if inside.grace.is_some() {
            return false;
        }
        inside.grace = Some(inside.turns);
        true
    }

    /// The grace time is over. If no thread drove since the last look the background thread listens from now on; says
    /// whether it must look again.
    pub(crate) fn grace_is_over(&self, poller: &Poller) -> bool {
        let mut inside = lock(&self.inside);
        let Some(turns) = inside.grace else { return false };
        let Some(pipe) = inside.pipe.clone().filter(|pipe| !pipe.is_stopped()) else {
            inside.grace = None;
            return false;
        };
        match after_grace(turns, inside.turns, inside.driven) {
            AfterGrace::LookAgain => {
                inside.grace = Some(inside.turns);
                return true;
            }
            AfterGrace::TakeOver => pipe.listen_once(poller),
            // The thread that drives asks for a new grace time, or for an end of it, when it gives the role back.
            AfterGrace::Sleep => {}
        }
        inside.grace = None;
        false
    }
}
