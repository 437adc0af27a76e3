//! Who drives: the policy that pipes and HTTP share.
//!
//! Waking another thread costs more than all our code, so the thread that waits for a connection reads it itself.
//!
//! A background thread drives while no thread waits, after a grace time in which no thread drove. Servers have a role of
//! their own: `src/runtime/server/role.rs`.
//!
//! The files:
//!

use super::link::pipe::Pipe;
use super::sync::{Mutex, lock};
use super::threads::{AfterGrace, after_grace};
use super::waiter::Waiter;
use crate::transport::poller::Poller;
use std::collections::VecDeque;
use std::sync::Arc;

// Who drives a connection over pipes or a socket: one thread that waits for it, or the background thread.
//
// The thread that blocks in a call reads for itself, completes what arrives for others, and passes the role on when its own
// answer is there.

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
    /// The count when the background thread last began to listen.
    listened: u64,
    /// A loop of the host's was shown that there is something to read, and has not read it in its grace time: the background thread
    /// does until the loop comes back.
    host_is_late: bool,
}

/// The role of driver of one connection.
#[derive(Default, Debug)]
pub(crate) struct DriverLock {
    inside: Mutex<Inside>,
}

/// Who drives next if no thread stands in line.
#[derive(Clone, Copy)]
pub(crate) enum NextDriver<'a> {
    /// The background thread.
    Background,
    /// A thread that comes back within the grace time, or the background thread after it.
    Grace,
    /// A loop of the host's, to which this function shows the pipe, if the system can do that; the background thread if the loop does
    /// not read it within the grace time.
    Host(&'a dyn Fn(&Pipe) -> bool),
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
            pipe.hide();
            return Some(pipe);
        }
        inside.parked.push_back(Arc::clone(waiter));
        None
    }

    /// Takes the role for the background thread, which does not stand in line.
    pub(crate) fn claim_in_background(&self) -> Option<Arc<Pipe>> {
        let mut inside = lock(&self.inside);
        let pipe = DriverLock::take(&mut inside)?;
        pipe.hide();
        Some(pipe)
    }

    /// Takes the role for a thread of a loop of the host's, which does not stand in line.
    pub(crate) fn claim_for_host(&self) -> Option<Arc<Pipe>> {
        let mut inside = lock(&self.inside);
        let pipe = DriverLock::take(&mut inside)?;
        inside.turns += 1;
        inside.host_is_late = false;
        Some(pipe)
    }

    fn take(inside: &mut Inside) -> Option<Arc<Pipe>> {
        if inside.driven {
            return None;
        }
        let pipe = inside.pipe.clone().filter(|pipe| !pipe.is_stopped())?;
        inside.driven = true;
        Some(pipe)
    }

    /// The background thread was told that there is something to read, and so was a loop of the host's. Says whether the loop is to be
    /// given the grace time for it: the first time only, until it comes back.
    pub(crate) fn gives_host_time(&self) -> bool {
        let mut inside = lock(&self.inside);
        if inside.driven {
            return false;
        }
        // If it has read since the background thread began to listen, this may be about what it has read.
        inside.turns != inside.listened || !std::mem::replace(&mut inside.host_is_late, true)
    }

    /// The application's queue is full: the loop is not to wake for what nothing reads.
    pub(crate) fn hide(&self) {
        if let Some(pipe) = &lock(&self.inside).pipe {
            pipe.hide();
        }
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

    /// Gives the role back.
    pub(crate) fn release(&self, poller: &Poller, next: NextDriver<'_>) -> After {
        let mut inside = lock(&self.inside);
        inside.driven = false;
        DriverLock::hand_on(&mut inside, poller, next)
    }

    fn hand_on(inside: &mut Inside, poller: &Poller, next: NextDriver<'_>) -> After {
        let Some(pipe) = inside.pipe.clone().filter(|pipe| !pipe.is_stopped()) else { return After::Nothing };
        if let Some(waiter) = inside.parked.pop_front() {
            inside.driven = true;
            inside.turns += 1;
            pipe.hide();
            waiter.promote(pipe);
            return After::Nothing;
        }
        let is_at_once = match next {
            NextDriver::Background => true,
            NextDriver::Grace => false,
            NextDriver::Host(show) => !show(&pipe) || inside.host_is_late,
        };
        if is_at_once {
            DriverLock::listen(inside, &pipe, poller);
            return After::Nothing;
        }
        if inside.grace.is_some() {
            return After::Nothing;
        }
        inside.grace = Some(inside.turns);
        After::Grace
    }

    /// Has the background thread told when there is something to read.
    fn listen(inside: &mut Inside, pipe: &Pipe, poller: &Poller) {
        inside.listened = inside.turns;
        pipe.listen_once(poller);
    }

    /// There is a new pipe: the first thread in line drives it, else the background thread.
    pub(crate) fn connected(&self, pipe: Arc<Pipe>, poller: &Poller) {
        let mut inside = lock(&self.inside);
        inside.pipe = Some(pipe);
        if !inside.driven {
            DriverLock::hand_on(&mut inside, poller, NextDriver::Background);
        }
    }

    /// The connection is gone.
    pub(crate) fn disconnected(&self) {
        let mut inside = lock(&self.inside);
        if let Some(pipe) = inside.pipe.take() {
            // No thread reads it from now on. The background thread stops it, but may have something else to do first.
            pipe.hide();
        }
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
            AfterGrace::TakeOver => DriverLock::listen(&mut inside, &pipe, poller),
            // The thread that drives asks for a new grace time, or for an end of it, when it gives the role back.
            AfterGrace::Sleep => {}
        }
        inside.grace = None;
        false
    }
}
