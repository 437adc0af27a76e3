//! Tasks that are woken together, by the thread that will drive them: woken before, each would cost it a system call.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::task::Waker;

/// What is held, until its owner takes it out again. Nothing is to be dropped at the end of a thread: C libraries allocate what
/// runs then, and end the process where they get no memory for it.
type Held = ManuallyDrop<Option<Vec<Waker>>>;
const _: () = assert!(!std::mem::needs_drop::<Held>());

thread_local! {
    static HELD: RefCell<Held> = const { RefCell::new(ManuallyDrop::new(None)) };
}

/// Gives what was held, and holds this instead.
fn exchange(held: Option<Vec<Waker>>) -> Option<Vec<Waker>> {
    ManuallyDrop::into_inner(HELD.replace(ManuallyDrop::new(held)))
}

fn wake_all(wakers: Option<Vec<Waker>>) {
    for waker in wakers.unwrap_or_default() {
        waker.wake();
    }
}

/// While this is there, tasks that this thread wakes are held.
pub(in crate::runtime::server) struct HeldWakes(());

impl HeldWakes {
    /// Holds them behind those that are held already.
    pub(in crate::runtime::server) fn begin(held: Vec<Waker>) -> HeldWakes {
        wake_all(exchange(Some(held)));
        HeldWakes(())
    }

    /// All that are held.
    pub(in crate::runtime::server) fn end(self) -> Vec<Waker> {
        let held = exchange(None).unwrap_or_default();
        drop(self);
        held
    }
}

impl Drop for HeldWakes {
    /// Nothing is left of them, unless their owner panicked.
    fn drop(&mut self) {
        wake_all(exchange(None));
    }
}

/// Wakes a task, now or together with others.
pub(super) fn wake(waker: Waker) {
    let mut now = Some(waker);
    HELD.with_borrow_mut(|held| {
        if let Some(held) = &mut **held {
            held.extend(now.take());
        }
    });
    if let Some(waker) = now {
        waker.wake();
    }
}

#[cfg(test)]
pub(super) mod counted {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    /// How often a task was woken.
    #[derive(Default)]
    pub(in crate::runtime::server::http) struct Wakes(AtomicUsize);

    impl Wakes {
        pub(in crate::runtime::server::http) fn count(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::counted::Wakes;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_is_held_is_woken_by_its_owner() {
        let wakes = Arc::new(Wakes::default());
        let waker = || Waker::from(Arc::clone(&wakes));
        wake(waker());
        assert_eq!(wakes.count(), 1);
        let held = HeldWakes::begin(vec![waker()]);
        wake(waker());
        let all = held.end();
        assert_eq!((wakes.count(), all.len()), (1, 2));
        wake(waker());
        assert_eq!(wakes.count(), 2, "nothing is held any more");
        drop(HeldWakes::begin(all));
        assert_eq!(wakes.count(), 4, "none is lost");
    }

    /// Wakes a task when its thread has dropped what it holds.
    struct AtTheEnd(Waker);

    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            wake(self.0.clone());
            wake_all(Some(HeldWakes::begin(vec![self.0.clone()]).end()));
        }
    }

    #[test]
    fn a_thread_that_ends_wakes_what_it_held() {
        thread_local! {
            static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
        }
        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(Arc::clone(&wakes));
        std::thread::spawn(move || {
            LAST.set(Some(AtTheEnd(waker.clone())));
            drop(HeldWakes::begin(Vec::new()).end());
        })
        .join()
        .expect("it wakes");
        assert_eq!(wakes.count(), 2);
    }
}
