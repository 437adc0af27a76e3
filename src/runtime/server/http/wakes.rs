//! Tasks that are woken together, by the thread that will drive them: woken before, each would cost it a system call.

use std::cell::RefCell;
use std::task::Waker;

thread_local! {
    static HELD: RefCell<Option<Vec<Waker>>> = const { RefCell::new(None) };
}

/// While this is there, tasks that this thread wakes are held.
pub(in crate::runtime::server) struct HeldWakes(());

impl HeldWakes {
    /// Holds them behind those that are held already.
    pub(in crate::runtime::server) fn begin(held: Vec<Waker>) -> HeldWakes {
        HELD.set(Some(held));
        HeldWakes(())
    }

    /// All that are held.
    pub(in crate::runtime::server) fn end(self) -> Vec<Waker> {
        let held = HELD.take().unwrap_or_default();
        drop(self);
        held
    }
}

impl Drop for HeldWakes {
    fn drop(&mut self) {
        // Nothing is left of them, unless their owner panicked.
        for waker in HELD.take().unwrap_or_default() {
            waker.wake();
        }
    }
}

/// Wakes a task, now or together with others.
pub(super) fn wake(waker: Waker) {
    let now = HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            held.push(waker);
            None
        }
        None => Some(waker),
    });
    if let Some(waker) = now {
        waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::Wake;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn what_is_held_is_woken_by_its_owner() {
        let wakes = Arc::new(Wakes::default());
        let count = || wakes.0.load(Ordering::Relaxed);
        let waker = || Waker::from(Arc::clone(&wakes));
        wake(waker());
        assert_eq!(count(), 1);
        let held = HeldWakes::begin(vec![waker()]);
        wake(waker());
        let all = held.end();
        assert_eq!((count(), all.len()), (1, 2));
        wake(waker());
        assert_eq!(count(), 2, "nothing is held any more");
        drop(HeldWakes::begin(all));
        assert_eq!(count(), 4, "none is lost");
    }
}
