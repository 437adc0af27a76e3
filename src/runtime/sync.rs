//! The locks, conditions and atomic numbers by which threads hand the role of driver, wakes and messages to each other.
//!
//! They are those of the standard library. Compiled with `--cfg mcp_loom` for the tests in `model` they are those of the model
//! checker `loom`, which runs every order in which threads can get to them.

#[cfg(not(mcp_loom))]
mod system {
    pub(crate) use crate::runtime::lock;
    use rustix::thread::{Timespec, futex};
    pub(crate) use std::sync::atomic;
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    use std::time::{Duration, Instant};

    /// Sleeps while the number is `seen`, at most until then. May end early, as by a signal.
    pub(crate) fn sleep_on(number: &atomic::AtomicU32, seen: u32, until: Option<Instant>) {
        let left: Option<Duration> = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.map(|left| Timespec {
            tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        });
        // However it ends, the caller looks at its conditions.
        let _looks_again = futex::wait(number, futex::Flags::PRIVATE, seen, left.as_ref());
    }

    /// Wakes all threads that sleep on the number. Async-signal-safe.
    pub(crate) fn wake_sleepers(number: &atomic::AtomicU32) {
        let _how_many = futex::wake(number, futex::Flags::PRIVATE, i32::MAX.unsigned_abs());
    }
}

#[cfg(mcp_loom)]
mod system {
    use crate::transport::poller::model;
    pub(crate) use loom::sync::atomic;
    pub(crate) use loom::sync::{Mutex, MutexGuard};
    use std::sync::{LockResult, PoisonError};
    use std::time::{Duration, Instant};

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

    pub(crate) fn sleep_on(number: &atomic::AtomicU32, seen: u32, _until: Option<Instant>) {
        if model::is_planted(model::Plant::SleepWithoutLook) {
            let mut waited = false;
            model::wait(|| std::mem::replace(&mut waited, true).then_some(()));
            return;
        }
        model::wait(|| (number.load(atomic::Ordering::SeqCst) != seen).then_some(()));
    }

    pub(crate) fn wake_sleepers(_number: &atomic::AtomicU32) {
        model::change(|| ());
    }
}

pub(crate) use system::*;
