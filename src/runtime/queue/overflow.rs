//! What a full queue drops, holds up and refuses.

use super::limits::{READ_BYTES, READ_MESSAGES};
#[cfg(feature = "server")]
use super::owed::Key;
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

    /// Tells a server when something is taken from the queue, unless there is room for one of these requests now: whose each is, and
    /// its bytes. Gives whether it will be told.
    #[cfg(feature = "server")]
    pub(crate) fn tell_when_room(&self, wanted: &[(Key, usize)], server: &Weak<dyn Resume>) -> bool {
        let mut inside = lock(&self.inside);
        if wanted.iter().any(|(holder, bytes)| self.has_share(&inside, *holder, *bytes)) {
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

    /// Whether a request of a client of a server may come in: its sender has a share of the bytes, until it is taken.
    #[cfg(feature = "server")]
    pub(crate) fn has_room_for_request_of(&self, holder: Key, bytes: usize) -> bool {
        self.has_share(&lock(&self.inside), holder, bytes)
    }

    /// Whether a request of a server may come in: it waits until it is taken, and counts against the bytes till then.
    pub(crate) fn has_room_for_request(&self, bytes: usize) -> bool {
        self.fits(&lock(&self.inside), |held| held.saturating_add(bytes) <= self.limits.bytes)
    }

    #[cfg(feature = "server")]
    fn has_share(&self, inside: &Inside, holder: Key, bytes: usize) -> bool {
        let of_requests = inside.owed.bytes();
        self.fits(inside, |held| inside.owed.has_room(holder, bytes, held.saturating_sub(of_requests)))
    }

    /// Whether something fits beside what is held; what is dropped for it does not count.
    fn fits(&self, inside: &Inside, fits: impl Fn(usize) -> bool) -> bool {
        let not_counted = || match self.limits.overflow {
            Overflow::DropOldest => inside.droppable.iter().map(|(_, message)| message.bytes()).sum(),
            Overflow::DropNewest => 0,
            // A connection that is held up brings what it had read.
            Overflow::Block => READ_BYTES,
        };
        fits(inside.bytes) || fits(inside.bytes.saturating_sub(not_counted()))
    }
}
