//! Handles of messages: numbers in a table that look like pointers, are never dereferenced, and cost as little to look up as a
//! pointer. A handle has the number of a slot and the number of uses of that slot, so that the table detects a handle that was
//! freed, has another type, or is invalid.
//!
//! There is no lock: a look-up is two loads and a comparison, and the free slots are a stack of numbers. The table is therefore
//! consistent at every moment of a `fork`, and a child can continue to read the messages of its parent.

// Slots stay for ever: a handle may be looked up long after what it named is gone.
#![allow(clippy::disallowed_methods)]

use crate::transport::process::per_process::kept_for_process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The bits of a handle that say of which kind it is.
const MARK_BITS: u32 = 4;
const MARK_MASK: usize = (1 << MARK_BITS) - 1;
/// The bits that name the slot; those above count its uses, and begin again at zero when they are used up.
const INDEX_BITS: u32 = if usize::BITS >= 64 { 24 } else { 18 };
const INDEX_MASK: usize = (1 << INDEX_BITS) - 1;
/// Slots are made so many at a time. The table of chunks is memory that is not there before it is used.
const CHUNK_BITS: u32 = 8;
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNKS: usize = 1 << (INDEX_BITS - CHUNK_BITS);

struct Slot<T> {
    /// The handle that is live here, or zero.
    handle: AtomicUsize,
    value: AtomicPtr<T>,
    uses: AtomicUsize,
    /// The next free slot and one, while this one is free.
    next: AtomicU32,
}

/// Values of one kind, which `KIND` marks, by their handles. All zero at first, so that it takes no room in the library's file.
pub(super) struct Slots<T, const KIND: usize> {
    chunks: [AtomicPtr<Slot<T>>; CHUNKS],
    /// The first free slot and one, below; above, a count that keeps a slow thread from taking a slot that came back.
    free: AtomicU64,
    /// Slots that were in use at least once.
    begun: AtomicU32,
}

const HALF: u32 = 32;

impl<T: Send + Sync, const KIND: usize> Slots<T, KIND> {
    #[allow(clippy::large_stack_arrays, reason = "made at compile time: only tests have one on a stack")]
    pub(super) const fn new() -> Self {
        Slots {
            chunks: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            free: AtomicU64::new(0),
            begun: AtomicU32::new(0),
        }
    }

    /// Gives a value a handle. `None` when no slot can be had.
    pub(super) fn add(&self, value: *mut T) -> Option<usize> {
        let index = self.pop().or_else(|| self.begin())?;
        let slot = self.slot(index)?;
        let uses = slot.uses.load(Ordering::Relaxed);
        let handle = uses << (MARK_BITS + INDEX_BITS) | index << MARK_BITS | KIND;
        slot.value.store(value, Ordering::Relaxed);
        slot.handle.store(handle, Ordering::Release);
        Some(handle)
    }

    /// What a handle names; null if it is not live.
    #[inline]
    pub(super) fn get(&self, handle: usize) -> *mut T {
        match self.live(handle) {
            Some(slot) => slot.value.load(Ordering::Relaxed),
            None => ptr::null_mut(),
        }
    }

    /// Takes a value back; null if its handle is not live. Of several threads one gets it.
    pub(super) fn remove(&self, handle: usize) -> *mut T {
        let Some(slot) = self.live(handle) else { return ptr::null_mut() };
        let value = slot.value.load(Ordering::Relaxed);
        if slot.handle.compare_exchange(handle, 0, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return ptr::null_mut();
        }
        slot.uses.fetch_add(1, Ordering::Relaxed);
        self.push(handle >> MARK_BITS & INDEX_MASK, slot);
        value
    }

    #[inline]
    fn live(&self, handle: usize) -> Option<&Slot<T>> {
        if handle & MARK_MASK != KIND {
            return None;
        }
        let slot = self.slot(handle >> MARK_BITS & INDEX_MASK)?;
        (slot.handle.load(Ordering::Acquire) == handle).then_some(slot)
    }

    #[inline]
    fn slot(&self, index: usize) -> Option<&Slot<T>> {
        let chunk = self.chunks.get(index >> CHUNK_BITS)?.load(Ordering::Acquire);
        if chunk.is_null() {
            return None;
        }
        // SAFETY: a chunk is never freed once it is here, and has `CHUNK` slots.
        Some(unsafe { &*chunk.add(index & (CHUNK - 1)) })
    }

    /// A slot that never was in use.
    #[cold]
    fn begin(&self) -> Option<usize> {
        let most = u32::try_from(INDEX_MASK).unwrap_or(u32::MAX);
        let more = |begun| if begun < most { Some(begun + 1) } else { None };
        let begun = self.begun.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        let index = usize::try_from(begun).ok()?;
        let known = self.chunks.get(index >> CHUNK_BITS)?;
        if known.load(Ordering::Acquire).is_null() {
            let mut slots: Vec<Slot<T>> = Vec::new();
            // Without memory the slot is lost, and another thread may still make the chunk for those behind it.
            kept_for_process(|| slots.try_reserve_exact(CHUNK)).ok()?;
            slots.resize_with(CHUNK, || Slot {
                handle: AtomicUsize::new(0),
                value: AtomicPtr::new(ptr::null_mut()),
                // So that no small number is a handle.
                uses: AtomicUsize::new(1),
                next: AtomicU32::new(0),
            });
            let fresh = Box::into_raw(slots.into_boxed_slice());
            let installed = known.compare_exchange(
                ptr::null_mut(),
                fresh.cast::<Slot<T>>(),
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            if installed.is_err() {
                // SAFETY: it came from a box just now, and no other thread has seen it.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
        Some(index)
    }

    fn pop(&self) -> Option<usize> {
        let mut free = self.free.load(Ordering::Acquire);
        loop {
            let index = usize::try_from(free & u64::from(u32::MAX)).ok()?.checked_sub(1)?;
            let next = self.slot(index)?.next.load(Ordering::Relaxed);
            let then = count(free) | u64::from(next);
            match self.free.compare_exchange_weak(free, then, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(index),
                Err(now) => free = now,
            }
        }
    }

    fn push(&self, index: usize, slot: &Slot<T>) {
        let Ok(index) = u32::try_from(index) else { return };
        let mut free = self.free.load(Ordering::Relaxed);
        loop {
            slot.next.store(u32::try_from(free & u64::from(u32::MAX)).unwrap_or(0), Ordering::Relaxed);
            let then = count(free) | u64::from(index + 1);
            match self.free.compare_exchange_weak(free, then, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => free = now,
            }
        }
    }
}

/// The next value of the count that stands above a free slot.
fn count(free: u64) -> u64 {
    (free >> HALF).wrapping_add(1) << HALF
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn boxed(value: usize) -> *mut usize {
        Box::into_raw(Box::new(value))
    }

    fn unboxed(value: *mut usize) -> usize {
        assert!(!value.is_null());
        // SAFETY: it came from `boxed`, and the table gives it back once.
        *unsafe { Box::from_raw(value) }
    }

    #[test]
    fn a_handle_names_its_value_until_it_is_removed_and_never_again() {
        let slots = Slots::<usize, 4>::new();
        let handles: Vec<usize> = (0..1000).map(|n| slots.add(boxed(n)).expect("a slot")).collect();
        for (n, handle) in handles.iter().enumerate() {
            // SAFETY: it is live.
            assert_eq!(unsafe { *slots.get(*handle) }, n);
        }
        for (n, handle) in handles.iter().enumerate() {
            assert_eq!(unboxed(slots.remove(*handle)), n);
            assert!(slots.remove(*handle).is_null());
        }
        let again: Vec<usize> = (0..1000).map(|n| slots.add(boxed(n)).expect("a slot")).collect();
        assert_eq!(slots.begun.load(Ordering::Relaxed), 1000, "slots are used again");
        for handle in handles {
            assert!(slots.get(handle).is_null(), "a handle that was freed names nothing");
        }
        for handle in again {
            unboxed(slots.remove(handle));
        }
    }

    #[test]
    fn what_is_no_handle_names_nothing() {
        let slots = Slots::<usize, 4>::new();
        let handle = slots.add(boxed(1)).expect("a slot");
        for other in [0, 4, 8, 1, usize::MAX, handle + 16, handle - 4, handle | 1 << (usize::BITS - 1)] {
            assert_eq!(slots.get(other).is_null(), other != handle, "{other:#x}");
        }
        assert_eq!(unboxed(slots.remove(handle)), 1);
    }

    #[test]
    fn many_threads_each_get_back_what_they_gave() {
        let slots = Arc::new(Slots::<usize, 4>::new());
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let slots = Arc::clone(&slots);
                std::thread::spawn(move || {
                    for round in 0..2000 {
                        let mine: Vec<(usize, usize)> = (0..round % 7)
                            .map(|n| thread * 1_000_000 + round * 10 + n)
                            .map(|value| (slots.add(boxed(value)).expect("a slot"), value))
                            .collect();
                        for (handle, value) in mine {
                            assert_eq!(unboxed(slots.remove(handle)), value);
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().expect("no panic");
        }
        assert!(slots.begun.load(Ordering::Relaxed) <= 8 * 7);
    }
}
