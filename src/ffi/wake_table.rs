//! What a signal handler may use of queues and clients, by their handles: a table that it can search.
//!
//! The handler may interrupt a thread that changes the table, and another thread may free the queue at the same time. There is
//! therefore no lock. Threads count their uses of an entry (*pin* it), entries are never freed, and an entry is used for
//! another handle only when no thread has pinned it. The value, and with it the descriptor of a queue, stays while its entry
//! is pinned, so that no handler writes to another file that has received the same descriptor number.

// Entries stay for ever: a handler may look at one long after its queue or client is gone.
#![allow(clippy::disallowed_methods)]

use crate::transport::process::per_process::kept_for_process;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// How many bits of a handle say of which kind it is; those above count up.
pub(super) const MARK_BITS: u32 = 4;
/// Handles count up, so queues that live at the same time spread over all lists.
const LISTS: usize = 64;

/// The entry serves no handle and is pinned by no thread.
const FREE: usize = 1 << (usize::BITS - 1);
/// What the entry's handle named was freed; threads that have it pinned go on.
const RETIRED: usize = 1 << (usize::BITS - 2);
/// One thread fills or empties the entry.
const CLAIMED: usize = 1 << (usize::BITS - 3);
const CANNOT_BE_PINNED: usize = FREE | RETIRED | CLAIMED;

/// How often a free yields for a handler that is about to be done; after that a later call closes the descriptor.
const YIELDS: usize = 100;

struct Entry<T> {
    /// The handle that it serves, or zero.
    handle: AtomicUsize,
    /// One of the states above, or zero while it serves a handle; and how many threads have it pinned.
    state: AtomicUsize,
    /// What the handler may use: a reference that is counted.
    value: AtomicPtr<T>,
    /// Never changed once the entry is in its list.
    next: *mut Entry<T>,
}

/// The handles of one kind in one process.
pub(super) struct WakeTable<T> {
    /// Handles up to this one were made before the process was forked.
    pub(super) inherited: usize,
    lists: [AtomicPtr<Entry<T>>; LISTS],
    /// There are retired entries that a thread had pinned.
    has_retired: AtomicBool,
}

impl<T> WakeTable<T> {
    pub(super) fn after(inherited: usize) -> WakeTable<T> {
        WakeTable {
            inherited,
            lists: [const { AtomicPtr::new(ptr::null_mut()) }; LISTS],
            has_retired: AtomicBool::new(false),
        }
    }

    /// Has a handle lead to a value.
    pub(super) fn add(&self, handle: usize, value: Arc<T>) {
        self.sweep();
        let value = Arc::into_raw(value).cast_mut();
        let free = self.entries(handle).find(|entry| {
            entry.state.compare_exchange(FREE, CLAIMED, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        });
        if let Some(entry) = free {
            entry.value.store(value, Ordering::SeqCst);
            entry.handle.store(handle, Ordering::SeqCst);
            entry.state.store(0, Ordering::SeqCst);
            return;
        }
        let list = self.list(handle);
        let entry = Entry {
            handle: AtomicUsize::new(handle),
            state: AtomicUsize::new(0),
            value: AtomicPtr::new(value),
            next: ptr::null_mut(),
        };
        let fresh = kept_for_process(|| Box::into_raw(Box::new(entry)));
        let mut first = list.load(Ordering::SeqCst);
        loop {
            // SAFETY: no other thread has seen it yet.
            unsafe { (*fresh).next = first };
            match list.compare_exchange(first, fresh, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Takes a handle out of the table.
    pub(super) fn remove(&self, handle: usize) {
        self.sweep();
        let taken = self.entries(handle).find(|entry| {
            entry.handle.compare_exchange(handle, 0, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        });
        let Some(entry) = taken else { return };
        entry.state.fetch_or(RETIRED, Ordering::SeqCst);
        for _ in 0..YIELDS {
            if entry.reclaim() {
                return;
            }
            std::thread::yield_now();
        }
        self.has_retired.store(true, Ordering::SeqCst);
    }

    /// Does something with the value of this handle, if it is live. Async-signal-safe as long as `with` is.
    pub(super) fn use_value<R>(&self, handle: usize, with: impl FnOnce(&T) -> R) -> Option<R> {
        let known = |entry: &&Entry<T>| entry.handle.load(Ordering::SeqCst) == handle;
        let entry = self.entries(handle).find(known)?;
        if !entry.pin() {
            return None;
        }
        // It may have been given to another handle before it was pinned; now it cannot be.
        // SAFETY: the reference is given up only when no thread has the entry pinned.
        let used = known(&entry).then(|| with(unsafe { &*entry.value.load(Ordering::SeqCst) }));
        entry.unpin();
        used
    }

    /// Empties entries that were pinned when what they serve was freed.
    fn sweep(&self) {
        if !self.has_retired.load(Ordering::SeqCst) || !self.has_retired.swap(false, Ordering::SeqCst) {
            return;
        }
        for entry in (0..LISTS).flat_map(|list| self.entries(list << MARK_BITS)) {
            if entry.state.load(Ordering::SeqCst) & RETIRED != 0 && !entry.reclaim() {
                self.has_retired.store(true, Ordering::SeqCst);
            }
        }
    }

    fn list(&self, handle: usize) -> &AtomicPtr<Entry<T>> {
        &self.lists[(handle >> MARK_BITS) % LISTS]
    }

    fn entries(&self, handle: usize) -> impl Iterator<Item = &Entry<T>> {
        // SAFETY: entries are never freed, and the pointers to them never changed once they are in a list.
        let at = |entry: *mut Entry<T>| unsafe { entry.as_ref() };
        std::iter::successors(at(self.list(handle).load(Ordering::SeqCst)), move |entry| at(entry.next))
    }
}

// SAFETY: all of an entry that changes is atomic.
unsafe impl<T: Send + Sync> Sync for WakeTable<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Send for WakeTable<T> {}

impl<T> Entry<T> {
    /// Keeps the entry for its handle. `false` when it serves none.
    fn pin(&self) -> bool {
        let more = |state| if state & CANNOT_BE_PINNED == 0 { Some(state + 1) } else { None };
        self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok()
    }

    fn unpin(&self) {
        self.state.fetch_sub(1, Ordering::SeqCst);
    }

    /// Makes a retired entry free. `false` while a thread has it pinned.
    fn reclaim(&self) -> bool {
        if self.state.compare_exchange(RETIRED, CLAIMED, Ordering::SeqCst, Ordering::SeqCst).is_err() {
            return self.state.load(Ordering::SeqCst) & RETIRED == 0;
        }
        let value = self.value.swap(ptr::null_mut(), Ordering::SeqCst);
        // SAFETY: it came from `Arc::into_raw`, and the thread that claimed the entry takes it once.
        drop(unsafe { Arc::from_raw(value) });
        self.state.store(FREE, Ordering::SeqCst);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::WakeState;

    fn wakes(table: &WakeTable<WakeState>, handle: usize) -> bool {
        table.use_value(handle, WakeState::wake).is_some()
    }

    fn handle(number: usize) -> usize {
        number << MARK_BITS | 2
    }

    #[test]
    fn a_handle_leads_to_its_value_until_it_is_removed() {
        let table = WakeTable::after(0);
        let states: Vec<Arc<WakeState>> = (0..200).map(|_| Arc::default()).collect();
        for (number, state) in states.iter().enumerate() {
            table.add(handle(number + 1), Arc::clone(state));
        }
        for number in 1..=200 {
            assert!(wakes(&table, handle(number)));
            table.remove(handle(number));
            table.remove(handle(number));
            assert!(!wakes(&table, handle(number)));
        }
        assert!(states.iter().all(|state| Arc::strong_count(state) == 1), "nothing is kept");
        assert!(!wakes(&table, 0) && !wakes(&table, usize::MAX));
    }

    #[test]
    fn a_pinned_entry_is_kept_and_serves_no_other_handle() {
        let table = WakeTable::after(0);
        let (first, second) = (Arc::<WakeState>::default(), Arc::<WakeState>::default());
        table.add(handle(1), Arc::clone(&first));
        let entry = table.entries(handle(1)).next().expect("it was added");
        assert!(entry.pin());
        table.remove(handle(1));
        assert_eq!(Arc::strong_count(&first), 2, "a handler may be using it");
        assert!(!entry.pin() && !wakes(&table, handle(1)));
        table.add(handle(1 + LISTS), Arc::clone(&second));
        assert_eq!(table.entries(handle(1)).count(), 2);
        entry.unpin();
        table.remove(handle(1 + LISTS));
        assert_eq!((Arc::strong_count(&first), Arc::strong_count(&second)), (1, 1));
        table.add(handle(1 + 2 * LISTS), second);
        assert_eq!(table.entries(handle(1)).count(), 2, "entries are used again");
    }
}
