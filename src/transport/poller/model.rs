//! The kernel's part of waiting, as the model checker sees it: each change of what a descriptor is ready for is one step, and a
//! thread that waits looks again after each. The descriptors are real ones, but no thread ever blocks in the kernel.

#[cfg(mcp_loom)]
pub(crate) use checked::*;
#[cfg(not(mcp_loom))]
pub(crate) use real::*;

/// Nothing stands between a wait and the kernel.
#[cfg(not(mcp_loom))]
mod real {
    use std::time::Duration;

    pub(crate) fn change<R>(change: impl FnOnce() -> R) -> R {
        change()
    }

    pub(crate) fn waited<R>(
        timeout: Option<Duration>,
        mut look: impl FnMut(Option<Duration>) -> R,
        _is_something: impl Fn(&R) -> bool,
    ) -> R {
        look(timeout)
    }
}

#[cfg(mcp_loom)]
mod checked {
    use loom::sync::{Condvar, Mutex, MutexGuard};
    use std::sync::PoisonError;
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::time::Duration;

    /// Faults that the checker has to find before its silence means something.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Plant {
        Nothing,
        /// A thread that waits for a descriptor misses a change between its check and its sleep.
        LookWithoutLock,
        /// A notification of a condition is lost.
        LostNotification,
        /// A thread sleeps although the number changed after it looked.
        SleepWithoutLook,
    }

    static PLANTED: AtomicU8 = AtomicU8::new(Plant::Nothing as u8);

    pub(crate) fn plant(plant: Plant) {
        PLANTED.store(plant as u8, Ordering::Relaxed);
    }

    pub(crate) fn is_planted(plant: Plant) -> bool {
        PLANTED.load(Ordering::Relaxed) == plant as u8
    }

    struct Kernel {
        steps: Mutex<u64>,
        changed: Condvar,
    }

    loom::lazy_static! {
        static ref KERNEL: Kernel = Kernel { steps: Mutex::new(0), changed: Condvar::new() };
    }

    fn steps() -> MutexGuard<'static, u64> {
        KERNEL.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what a descriptor is ready for.
    pub(crate) fn change<R>(change: impl FnOnce() -> R) -> R {
        let mut held = steps();
        *held += 1;
        let changed = change();
        KERNEL.changed.notify_all();
        changed
    }

    /// A thread looks at a descriptor without waiting.
    pub(crate) fn look() {
        drop(steps());
    }

    /// Waits until `found` finds something.
    pub(crate) fn wait<R>(mut found: impl FnMut() -> Option<R>) -> R {
        let mut held = steps();
        loop {
            if is_planted(Plant::LookWithoutLock) {
                drop(held);
                let found = found();
                held = steps();
                if let Some(found) = found {
                    return found;
                }
            } else if let Some(found) = found() {
                return found;
            }
            held = KERNEL.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A wait that may be ended by what `look` finds; with a bound of zero only a look.
    pub(crate) fn waited<R>(
        timeout: Option<Duration>,
        mut look: impl FnMut(Option<Duration>) -> R,
        is_something: impl Fn(&R) -> bool,
    ) -> R {
        if timeout.is_some_and(|timeout| timeout.is_zero()) {
            return look(timeout);
        }
        wait(|| Some(look(Some(Duration::ZERO))).filter(|found| is_something(found)))
    }
}
