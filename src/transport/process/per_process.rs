//! State of the process that starts again in a child of `fork`.
//!
//! In a child the library's threads are gone, its locks may be held by one of them, and its pipes and sockets belong to the
//! parent. Nothing of that can be repaired, so nothing is: each [`PerProcess`] makes a new value in the child, and the old one
//! is left as it is, never read, locked or dropped. Its descriptors stay open as well, because a child that closes all
//! descriptors (daemons do) may have given their numbers to something else.
//!
//! No handler of `pthread_atfork` is needed: a page that the kernel wipes in every child says whose memory this is. There is
//! no lock here either, which a thread could hold while another one forks.

#![allow(unsafe_code)]
// Values of former processes are kept on purpose, so they are turned into pointers and never back.
#![allow(clippy::disallowed_methods)]

use crate::transport::system::process::{unmap, wiped_on_fork};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// Allocates what the process keeps to its end: `make` does that and nothing else. Memcheck reports such blocks as "still
/// reachable". The packages keep the symbol of this function, so that `packaging/debugging/mcp.supp` recognizes the blocks by it.
#[inline(never)]
pub fn kept_for_process<R>(make: impl FnOnce() -> R) -> R {
    make()
}

/// A value that a child of `fork` has again from the start.
pub struct PerProcess<T: 'static> {
    current: AtomicPtr<ProcessValue<T>>,
    make: fn() -> T,
}

struct ProcessValue<T> {
    generation: u64,
    value: T,
    /// That of the parent. Only kept so that tools which look for leaks still find it.
    _before: *mut ProcessValue<T>,
}

impl<T: Send + Sync + 'static> PerProcess<T> {
    /// Nothing yet; `make` gives the value when it is first needed. Where several threads need it first, one value stays and
    /// the others are dropped at once.
    pub const fn new(make: fn() -> T) -> PerProcess<T> {
        PerProcess { current: AtomicPtr::new(ptr::null_mut()), make }
    }

    /// The value of this process.
    pub fn get(&'static self) -> &'static T {
        let generation = generation();
        let known = self.current.load(Ordering::Acquire);
        // SAFETY: a node is never freed once it is here, and never changed.
        match unsafe { known.as_ref() } {
            Some(node) if node.generation == generation => &node.value,
            _ => self.begin(generation, known),
        }
    }

    /// The value of this process if there is one already. Async-signal-safe.
    pub fn existing(&'static self) -> Option<&'static T> {
        // SAFETY: as in `get`.
        let known = unsafe { self.current.load(Ordering::Acquire).as_ref() };
        known.filter(|node| node.generation == generation()).map(|node| &node.value)
    }

    #[cold]
    fn begin(&'static self, generation: u64, known: *mut ProcessValue<T>) -> &'static T {
        let make =
            || Box::into_raw(Box::new(ProcessValue { generation, value: (self.make)(), _before: known }));
        let fresh = kept_for_process(make);
        let installed = match self.current.compare_exchange(known, fresh, Ordering::AcqRel, Ordering::Acquire)
        {
            Ok(_) => fresh,
            Err(other) => {
                // SAFETY: it came from a box just now, and no other thread has seen it.
                drop(unsafe { Box::from_raw(fresh) });
                other
            }
        };
        // SAFETY: as in `get`. Only threads of this process can have been faster, so it is this generation's.
        &unsafe { &*installed }.value
    }
}

/// A page with the generation's number on it, or zero: the kernel zeroes it in every child.
static PAGE: AtomicPtr<AtomicU64> = AtomicPtr::new(ptr::null_mut());
/// There can be no such page.
static PAGELESS: AtomicBool = AtomicBool::new(false);
/// Without a page: the process id above, the generation below.
static BY_ID: AtomicU64 = AtomicU64::new(0);
/// Generations so far, those of the parents included.
static GENERATIONS: AtomicU64 = AtomicU64::new(0);

/// The number of this process among its forefathers: never zero, and another one in every child of `fork`.
///
/// A system call for each export would be felt, so this is a read of memory. Async-signal-safe once it was called.
pub fn generation() -> u64 {
    let page = PAGE.load(Ordering::Acquire);
    // SAFETY: the page is mapped, aligned and read through the atomic on it only, and never unmapped once it is here.
    match unsafe { page.as_ref() }.map(|number| number.load(Ordering::Acquire)) {
        Some(number) if number != 0 => number,
        _ => first_look(),
    }
}

#[cold]
fn first_look() -> u64 {
    if PAGE.load(Ordering::Acquire).is_null() && !PAGELESS.load(Ordering::Acquire) {
        match wiped_on_fork() {
            None => PAGELESS.store(true, Ordering::Release),
            Some(page) => {
                let known = PAGE.compare_exchange(ptr::null_mut(), page, Ordering::AcqRel, Ordering::Acquire);
                if known.is_err() {
                    // Made just now, and no other thread has seen it.
                    unmap(page);
                }
            }
        }
    }
    // SAFETY: as in `generation`.
    match unsafe { PAGE.load(Ordering::Acquire).as_ref() } {
        Some(page) => number_on(page),
        None => number_by_id(&BY_ID, std::process::id()),
    }
}

fn number_on(page: &AtomicU64) -> u64 {
    let fresh = GENERATIONS.fetch_add(1, Ordering::Relaxed) + 1;
    match page.compare_exchange(0, fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(known) => known,
    }
}

/// The generation of the process with this id; `last` has the one that was asked for before.
fn number_by_id(last: &AtomicU64, id: u32) -> u64 {
    const HALF: u32 = 32;
    let known = last.load(Ordering::Acquire);
    if known >> HALF == u64::from(id) {
        return known & u64::from(u32::MAX);
    }
    let fresh = u64::from(id) << HALF | (known + 1) & u64::from(u32::MAX);
    let installed = match last.compare_exchange(known, fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(other) => other,
    };
    installed & u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static VALUE: PerProcess<Mutex<u32>> = PerProcess::new(|| Mutex::new(7));

    #[test]
    fn a_value_is_made_once_for_all_threads() {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                std::thread::spawn(|| {
                    let value = VALUE.get();
                    *value.lock().expect("no panic") += 1;
                    ptr::from_ref(value).addr()
                })
            })
            .collect();
        let mut places: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        places.dedup();
        assert_eq!(places.len(), 1);
        assert_eq!(*VALUE.get().lock().expect("no panic"), 15);
    }

    #[test]
    fn the_generation_stays_the_same_within_a_process() {
        assert_ne!(generation(), 0);
        assert_eq!(generation(), generation());
    }

    #[test]
    fn without_a_page_each_process_id_is_a_generation_of_its_own() {
        let last = AtomicU64::new(0);
        let first = number_by_id(&last, 100);
        assert_ne!(first, 0);
        assert_eq!(number_by_id(&last, 100), first);
        let second = number_by_id(&last, 101);
        assert_ne!(second, first);
        assert_eq!(number_by_id(&last, 101), second);
        assert_ne!(number_by_id(&last, 100), second);
    }

    #[cfg(all(test, unix))]
    #[test]
    fn a_child_makes_its_own_value_though_the_lock_of_the_old_one_is_held() {
        static HELD: PerProcess<Mutex<u32>> = PerProcess::new(|| Mutex::new(1));
        let before = generation();
        let mut held = HELD.get().lock().expect("no panic");
        *held = 2;
        // SAFETY: the child makes no call but those that are async-signal-safe, and allocates where the parent's only
        // other threads are those of the test harness; glibc sets its allocator right in `fork`.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let fresh = HELD.existing().is_none() && HELD.get().try_lock().is_ok_and(|value| *value == 1);
            let other = generation() != before;
            // SAFETY: ends the child at once.
            unsafe { libc::_exit(i32::from(!(fresh && other))) };
        }
        let mut status = 0;
        // SAFETY: `status` is live.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0);
        assert_eq!(*held, 2);
        assert_eq!(generation(), before);
    }
}
