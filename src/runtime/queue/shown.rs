//! What a loop of the host's sees of the connections that deliver to a queue: the queue's descriptor is readable as soon as a server
//! has written, and the look that follows reads it. No thread of the library's is woken for that.

use super::{Look, Queue, Take, Watch};
use crate::runtime::host_set::HostSet;
use crate::runtime::sync::lock;
use std::sync::Arc;

/// While this is there the descriptor is not set: the thread that has it looks before it goes back to its loop.
struct Unset<'a>(&'a Queue);

impl Drop for Unset<'_> {
    fn drop(&mut self) {
        let mut inside = lock(&self.0.inside);
        inside.lookers -= 1;
        let has_news = !inside.is_empty() && !inside.is_passed_over;
        if inside.lookers == 0 && (has_news || !inside.held_back.is_empty() && !self.0.wake_state.is_set()) {
            self.0.wake_state.set();
        }
    }
}

impl Queue {
    /// How the application waits for it.
    pub(crate) fn watch(&self) -> Watch {
        match lock(&self.inside).ready.is_some() {
            true => Watch::Callback,
            false if self.host().is_some() => Watch::Loop,
            false => Watch::Not,
        }
    }

    /// What a loop of the host's watches, if it does.
    pub(crate) fn host(&self) -> Option<&Arc<HostSet>> {
        self.wake_state.host()
    }

    /// Whether a thread sleeps until there is a message.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.wake_state.has_sleepers()
    }

    /// Reads the connections that are shown and readable, and takes a message that came of it. Not inlined: most queues have no
    /// descriptor.
    #[inline(never)]
    pub(crate) fn take_shown(&self, which: Take) -> Look {
        let Some(host) = self.host() else { return Look::Nothing };
        let readable = host.readable();
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
}
