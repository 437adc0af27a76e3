//! What a loop of the host's sees of the connections that deliver to a queue: the queue's descriptor is readable as soon as a server
//! has written, and the look that follows reads it. No thread of the library's is woken for that.

use super::{Look, Queue, Take};
use crate::runtime::sync::lock;
use rustix::fd::AsFd;
use std::sync::{Arc, Weak};

/// A connection that is read by the thread that looks into the queue.
pub(crate) trait Shown: Send + Sync {
    /// Reads what is there, unless another thread does. Never waits.
    fn read_now(&self);
}

/// How an application waits for a queue, other than with a thread that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Watch {
    /// It does not.
    Not,
    /// A function of its own is called.
    Callback,
    /// A loop of its own has the descriptor.
    Loop,
}

/// While this is there the descriptor is not set: the thread that has it looks before it goes back to its loop.
struct Unset<'a>(&'a Queue);

impl Drop for Unset<'_> {
    fn drop(&mut self) {
        let mut inside = lock(&self.0.inside);
        inside.lookers -= 1;
        if inside.lookers == 0 && !inside.is_empty() && !inside.is_passed_over {
            self.0.wake_state.set();
        }
    }
}

impl Queue {
    /// How the application waits for it.
    pub(crate) fn watch(&self) -> Watch {
        match lock(&self.inside).ready.is_some() {
            true => Watch::Callback,
            false if self.wake_state.has_descriptor() => Watch::Loop,
            false => Watch::Not,
        }
    }

    /// Whether a thread sleeps until there is a message.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.wake_state.has_sleepers()
    }

    /// Has the descriptor readable while `fd` is. Says whether the system can do that. `fd` must be hidden before it is closed.
    pub(crate) fn show(&self, number: u64, fd: impl AsFd, connection: Weak<dyn Shown>) -> bool {
        let Some(host) = self.wake_state.host() else { return false };
        let mut shown = lock(&self.shown);
        let is_shown = host.show(fd, number).is_ok();
        if is_shown {
            shown.insert(number, connection);
        }
        is_shown
    }

    /// The descriptor no longer depends on `fd`.
    pub(crate) fn hide(&self, number: u64, fd: impl AsFd) {
        let mut shown = lock(&self.shown);
        shown.remove(number);
        if let Some(host) = self.wake_state.host() {
            host.hide(fd);
        }
    }

    /// Reads the connections that are shown and readable, and takes a message that came of it.
    #[inline(never)]
    pub(crate) fn take_shown(&self, which: Take) -> Look {
        let readable = self.readable();
        if readable.is_empty() {
            return Look::Nothing;
        }
        lock(&self.inside).lookers += 1;
        let _unset = Unset(self);
        for connection in readable {
            connection.read_now();
        }
        self.take(which)
    }

    fn readable(&self) -> Vec<Arc<dyn Shown>> {
        let Some(host) = self.wake_state.host() else { return Vec::new() };
        let shown = lock(&self.shown);
        match shown.len() {
            // Reading tells it as well.
            0 | 1 => shown.values().filter_map(Weak::upgrade).collect(),
            _ => host.readable().filter_map(|number| shown.get(number)?.upgrade()).collect(),
        }
    }
}
