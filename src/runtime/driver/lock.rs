//! Who drives a connection over pipes or a socket: one thread that waits for it, or the background thread.
//!
//! The thread that blocks in a call reads for itself, completes what arrives for others, and passes the role on when its own
//! answer is there.

use super::grace::{AfterGrace, after_grace};
use crate::runtime::link::pipe::{Link, Part, token};
use crate::runtime::lock;
use crate::runtime::waiter::Waiter;
use crate::transport::poller::{Interest, Poller};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

#[derive(Default, Debug)]
struct Inside {
    link: Option<Arc<Link>>,
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
    /// Takes the role, or stands in line for it. A link means that the caller drives it and gives the role back.
    pub(crate) fn claim(&self, waiter: &Arc<Waiter>) -> Option<Arc<Link>> {
        let mut inside = lock(&self.inside);
        if !inside.driven
            && let Some(link) = inside.link.clone().filter(|link| !link.is_stopped())
        {
            inside.driven = true;
            inside.turns += 1;
            return Some(link);
        }
        inside.parked.push_back(Arc::clone(waiter));
        None
    }

    /// Takes the role for the background thread, which does not stand in line.
    pub(crate) fn claim_in_background(&self) -> Option<Arc<Link>> {
        let mut inside = lock(&self.inside);
        if inside.driven {
            return None;
        }
        let link = inside.link.clone().filter(|link| !link.is_stopped())?;
        inside.driven = true;
        Some(link)
    }

    /// Whether a thread stands in line that has not got what it waits for.
    pub(crate) fn is_wanted(&self) -> bool {
        lock(&self.inside).parked.iter().any(|waiter| !waiter.has_arrived())
    }

    /// Leaves the line. Gives the role if it was handed over in the meantime.
    pub(crate) fn leave(&self, waiter: &Arc<Waiter>) -> Option<Arc<Link>> {
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
        let Some(link) = inside.link.clone().filter(|link| !link.is_stopped()) else { return After::Nothing };
        if let Some(next) = inside.parked.pop_front() {
            inside.driven = true;
            inside.turns += 1;
            next.promote(link);
            return After::Nothing;
        }
        if at_once {
            listen(&link, poller);
            return After::Nothing;
        }
        if inside.grace.is_some() {
            return After::Nothing;
        }
        inside.grace = Some(inside.turns);
        After::Grace
    }

    /// There is a new connection: whoever stands in line drives it, else the background thread.
    pub(crate) fn connected(&self, link: Arc<Link>, poller: &Poller) {
        let mut inside = lock(&self.inside);
        inside.link = Some(link);
        if !inside.driven {
            DriverLock::hand_on(&mut inside, poller, true);
        }
    }

    /// The connection is gone.
    pub(crate) fn disconnected(&self) {
        lock(&self.inside).link = None;
    }

    /// The background thread was told that there is something to read while somebody drives: it looks again later.
    /// Says whether it must be put on the list for that.
    pub(crate) fn look_later(&self) -> bool {
        let mut inside = lock(&self.inside);
        if inside.grace.is_some() {
            return false;
        }
        inside.grace = Some(inside.turns);
        true
    }

    /// The grace time is over. If nobody drove since the last look the background thread listens from now on; says
    /// whether it must look again.
    pub(crate) fn grace_is_over(&self, poller: &Poller) -> bool {
        let mut inside = lock(&self.inside);
        let Some(turns) = inside.grace else { return false };
        let Some(link) = inside.link.clone().filter(|link| !link.is_stopped()) else {
            inside.grace = None;
            return false;
        };
        match after_grace(turns, inside.turns, inside.driven) {
            AfterGrace::LookAgain => {
                inside.grace = Some(inside.turns);
                return true;
            }
            AfterGrace::TakeOver => listen(&link, poller),
            // The thread that drives asks for a new grace time, or for an end of it, when it gives the role back.
            AfterGrace::Sleep => {}
        }
        inside.grace = None;
        false
    }
}

fn listen(link: &Link, poller: &Poller) {
    let token = token(link.number, Part::Output);
    // Fails only when the link was just taken out of the poller, which happens after it is stopped.
    let _link_is_stopped = poller.rearm(&link.output, token, Interest::ReadableOnce);
}
