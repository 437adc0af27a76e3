//! The locks, conditions and atomic numbers by which threads hand the role of driver, wakes and messages to each other.
//!
//! They are those of the standard library. Compiled with `--cfg mcp_loom` for the tests in `model` they are those of the model
//! checker `loom`, which runs every order in which threads can get to them.

#[cfg(not(mcp_loom))]
mod system {
    pub(crate) use crate::runtime::lock;
    pub(crate) use crate::transport::poller::Parking;
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};
}

#[cfg(mcp_loom)]
mod system {
    use crate::transport::poller::model;
    pub(crate) use loom::sync::{Mutex, MutexGuard, atomic};
    use std::sync::{LockResult, PoisonError};
    use std::time::Duration;

    /// As [`crate::runtime::lock`].
    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A condition whose notifications a planted fault can lose.
    #[derive(Debug, Default)]
    pub(crate) struct Condvar(loom::sync::Condvar);

    impl Condvar {
        pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
            self.0.wait(guard)
        }

        /// No time passes in the model: a wait with a bound ends by what it waits for.
        pub(crate) fn wait_timeout<'a, T>(
            &self,
            guard: MutexGuard<'a, T>,
            bound: Duration,
        ) -> LockResult<(MutexGuard<'a, T>, loom::sync::WaitTimeoutResult)> {
            self.0.wait_timeout(guard, bound)
        }

        pub(crate) fn notify_one(&self) {
            if !model::is_planted(model::Plant::LostNotification) {
                self.0.notify_one();
            }
        }
    }

    /// As [`crate::transport::poller::Parking`], with steps that the checker sees.
    #[derive(Debug, Default)]
    pub(crate) struct Parking {
        changes: atomic::AtomicU32,
    }

    impl Parking {
        pub(crate) fn changes(&self) -> u32 {
            self.changes.load(atomic::Ordering::SeqCst)
        }

        pub(crate) fn wake_all(&self) {
            self.changes.fetch_add(1, atomic::Ordering::SeqCst);
            model::change(|| ());
        }

        pub(crate) fn sleep(&self, seen: u32, _left: Option<Duration>) {
            if model::is_planted(model::Plant::SleepWithoutLook) {
                let mut waited = false;
                model::wait(|| std::mem::replace(&mut waited, true).then_some(()));
                return;
            }
            model::wait(|| (self.changes() != seen).then_some(()));
        }
    }
}

pub(crate) use system::*;
