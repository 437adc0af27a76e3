//! What a full queue drops, holds up and refuses.

use super::limits::{READ_BYTES, READ_MESSAGES};
use super::{Inside, Overflow, Queue, Resume};
use crate::runtime::sync::lock;
use std::sync::Weak;

impl Queue {
    /// Whether the oldest droppable message must go.
    pub(super) fn must_drop(&self, inside: &Inside) -> bool {
        match self.limits.overflow {
            Overflow::DropNewest => false,
            Overflow::DropOldest => self.is_over(inside, 0),
            Overflow::Block => {
                inside.droppable.len() + inside.owed.len() > self.limits.messages + READ_MESSAGES
                    || inside.bytes > self.limits.bytes + READ_BYTES
            }
        }
    }

    pub(super) fn is_over(&self, inside: &Inside, more: usize) -> bool {
        inside.droppable.len() + inside.owed.len() + more > self.limits.messages
            || inside.bytes > self.limits.bytes
    }

    /// Whether a connection is not to be read now. If so it is resumed when there is room.
    pub(crate) fn holds_up(&self, connection: &Weak<dyn Resume>) -> bool {
        if self.limits.overflow != Overflow::Block {
            return false;
        }
        let mut inside = lock(&self.inside);
        if !self.is_over(&inside, 1) {
            return false;
        }
        if !inside.paused.iter().any(|known| Weak::ptr_eq(known, connection)) {
            inside.paused.push(Weak::clone(connection));
        }
        true
    }

    /// Whether droppable messages have to wait until there is room.
    pub(crate) fn is_held_up(&self) -> bool {
        self.limits.overflow == Overflow::Block && self.is_over(&lock(&self.inside), 1)
    }

    /// Whether the outcomes that wait already reach the bound, so that no further call may be started.
    pub(crate) fn is_full(&self) -> bool {
        let inside = lock(&self.inside);
        inside.owed.len() >= self.limits.messages || inside.bytes >= self.limits.bytes
    }

    /// Tells a server when something is taken from the queue, unless there is room for so many bytes of a request now: gives whether
    /// it will be told.
    #[cfg(feature = "server")]
    pub(crate) fn tell_when_room(&self, bytes: usize, server: &Weak<dyn Resume>) -> bool {
        let mut inside = lock(&self.inside);
        if self.has_room(&inside, bytes) {
            return false;
        }
        if !inside.paused.iter().any(|known| Weak::ptr_eq(known, server)) {
            inside.paused.push(Weak::clone(server));
        }
        true
    }

    /// Whether a request could never come in, however empty the queue is.
    #[cfg(feature = "server")]
    pub(crate) fn is_too_large(&self, bytes: usize) -> bool {
        bytes > self.limits.bytes
    }

    /// Whether a request of a server may come in: it waits until it is taken, and counts against the bytes till then.
    pub(crate) fn has_room_for_request(&self, bytes: usize) -> bool {
        self.has_room(&lock(&self.inside), bytes)
    }

    fn has_room(&self, inside: &Inside, bytes: usize) -> bool {
        // A connection that is held up brings what it had read.
        let read = if self.limits.overflow == Overflow::Block { READ_BYTES } else { 0 };
        if inside.bytes.saturating_add(bytes) <= self.limits.bytes {
            return true;
        }
        let droppable: usize = match self.limits.overflow {
            Overflow::DropOldest => inside.droppable.iter().map(|(_, message)| message.bytes()).sum(),
            Overflow::DropNewest | Overflow::Block => 0,
        };
        (inside.bytes - droppable).saturating_add(bytes) <= self.limits.bytes.saturating_add(read)
    }
}
