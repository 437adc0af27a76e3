//! Signals that end a process, when only threads of the library are left in it.
//!
//! The library's threads block every signal, so that no handler of the host runs there. When the last thread of the host's has ended, by
//! `pthread_exit`, the kernel has no thread that takes SIGTERM, and the process could be ended by SIGKILL alone. A descriptor says that
//! such a signal has arrived, without taking it from the host: a thread of the library that finds no thread of the host's lets it through.

#![allow(unsafe_code)]

use crate::transport::process::thread::{begun_and_ended, is_ours};
use crate::transport::system::threads::{change_mask, signals};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::fs;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What people and service managers end a process with.
const ENDING: [i32; 4] = [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT];

/// How often a look at the threads is made again while one of them begins or ends.
const LOOKS: usize = 100;

/// How often it is made after that, when a thread that ends gets no time from a busy system: the waits before them double.
const LATER: u32 = 9;
const FIRST_WAIT: Duration = Duration::from_millis(10);

/// A descriptor that is readable while such a signal waits for a thread that takes it.
#[derive(Debug)]
pub(crate) struct EndSignals {
    fd: OwnedFd,
    /// How many looks are still to be made because of a signal that no thread has taken.
    looks: AtomicU32,
    /// When the next one is: milliseconds after `begun`.
    due: AtomicU64,
    begun: Instant,
}

impl EndSignals {
    /// `None` where the system, or a filter of system calls, refuses it.
    pub(crate) fn new() -> Option<EndSignals> {
        // SAFETY: the set is initialised, and no descriptor is changed.
        let fd = unsafe { libc::signalfd(-1, &signals(&ENDING), libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        (fd >= 0).then(|| EndSignals {
            // SAFETY: it was made just now and is owned here alone.
            fd: unsafe { OwnedFd::from_raw_fd(fd) },
            looks: AtomicU32::new(0),
            due: AtomicU64::new(0),
            begun: Instant::now(),
        })
    }

    /// When [`EndSignals::look`] is to be called, which no wait may pass; `None` where no signal is to be looked for.
    pub(crate) fn look_at(&self) -> Option<Instant> {
        let is_due = self.looks.load(Ordering::Relaxed) > 0;
        is_due.then(|| self.begun + Duration::from_millis(self.due.load(Ordering::Relaxed)))
    }

    /// A signal has arrived: the one time that the descriptor says so. It says so of every signal, also of those that are not meant.
    pub(crate) fn arrived(&self, now: Instant) {
        // A thread of the host's waits here, and the kernel has one to give the signal to. Else a look that is planned finds it: a host
        // that gets signals all the time must not cost one look after another.
        if !is_ours() || self.looks.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..LOOKS {
            if self.is_over() {
                return;
            }
            // The host's last thread may be about to end, which no descriptor tells.
            std::thread::yield_now();
        }
        self.plan(LATER, now);
    }

    /// One more look, if it is time for it.
    pub(crate) fn look(&self, now: Instant) {
        if self.look_at().is_none_or(|at| at > now) {
            return;
        }
        let left = self.looks.load(Ordering::Relaxed).saturating_sub(1);
        if !is_ours() || !self.is_over() {
            self.plan(left, now);
        }
    }

    /// The next of so many looks is made after the wait for it.
    fn plan(&self, left: u32, now: Instant) {
        let wait = FIRST_WAIT * (1 << LATER.saturating_sub(left));
        let due = (now + wait).saturating_duration_since(self.begun).as_millis();
        self.due.store(u64::try_from(due).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.looks.store(left, Ordering::Relaxed);
    }

    /// Lets the signal through if no thread of the host's is left: its handler runs, if there is one, else the process ends. Whether
    /// nothing more is to be done.
    fn is_over(&self) -> bool {
        let has_ended = self.is_pending().then(host_has_ended);
        if has_ended == Some(false) {
            return false;
        }
        self.looks.store(0, Ordering::Relaxed);
        if has_ended == Some(true) {
            let before = change_mask(libc::SIG_UNBLOCK, &signals(&ENDING));
            change_mask(libc::SIG_SETMASK, &before);
        }
        true
    }

    fn is_pending(&self) -> bool {
        let mut fds = [PollFd::new(self, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        rustix::event::poll(&mut fds, Some(&now)).is_ok_and(|found| found > 0)
    }
}

impl AsFd for EndSignals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Whether every thread that lives is one of the library's. `false` where the system does not say.
fn host_has_ended() -> bool {
    let before = begun_and_ended();
    let living = living_threads("/proc/self/task");
    // A thread that began or ended meanwhile may have been counted in one place only.
    living == Some(before.0.wrapping_sub(before.1)) && before == begun_and_ended()
}

/// How many threads live: a first thread that has ended stays in the list until the process ends.
fn living_threads(folder: &str) -> Option<u64> {
    let mut living = 0;
    for task in fs::read_dir(folder).ok()? {
        let stat = task.ok()?.path().join("stat");
        // One that ended since the list was read has no file any more.
        let Ok(stat) = fs::read_to_string(stat) else { continue };
        // Its name, in parentheses, may have anything in it.
        let state = stat.rsplit_once(')')?.1.trim_start().chars().next()?;
        living += u64::from(!matches!(state, 'Z' | 'X'));
    }
    Some(living)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::process::thread::{STACK, start};
    use std::sync::mpsc::channel;

    #[test]
    fn threads_of_the_host_are_told_from_the_librarys() {
        let (gate, wait) = channel::<()>();
        let (say, hear) = channel();
        let thread = start("libmcp-test", STACK, move || {
            let (begun, ended) = begun_and_ended();
            say.send((begun > ended, host_has_ended())).expect("it is awaited");
            let _opened = wait.recv();
        });
        // This thread is the host's.
        assert_eq!(hear.recv(), Ok((true, false)));
        assert!(living_threads("/proc/self/task") >= Some(2));
        assert_eq!(living_threads("/proc/self/no-such-folder"), None);
        drop(gate);
        thread.expect("a thread can be had").join();
    }

    #[test]
    fn a_signal_that_a_thread_of_the_host_takes_is_left_to_it() {
        let (say, hear) = channel();
        let signals = EndSignals::new().expect("Linux has such a descriptor");
        let begun = signals.begun;
        signals.arrived(begun);
        assert_eq!(signals.look_at(), None, "this thread is the host's");
        // Every signal is blocked on a thread of the library: one that is raised there waits for it, while this thread lives.
        let thread = start("libmcp-test", STACK, move || {
            assert!(is_ours() && !signals.is_pending());
            signals.arrived(begun);
            assert_eq!(signals.look_at(), None, "it was another signal");
            // SAFETY: the signal is blocked here and taken below.
            let raised = unsafe { libc::raise(libc::SIGHUP) };
            assert_eq!((raised, signals.is_pending()), (0, true));
            signals.arrived(begun);
            assert!(signals.is_pending(), "a thread of the host's is left");
            // It looks again, a few times, for longer each time, and neither more often nor later because of other signals or waits.
            let (mut now, mut waits) = (begun, Vec::new());
            while let Some(at) = signals.look_at() {
                waits.push(at.saturating_duration_since(now).as_millis());
                let before = at.checked_sub(Duration::from_millis(1)).expect("a time");
                signals.arrived(before);
                signals.look(before);
                assert_eq!(signals.look_at(), Some(at));
                now = at;
                signals.look(now);
            }
            assert_eq!(waits, [10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
            signals.arrived(now);
            assert!(signals.look_at().is_some());
            let mut taken = 0;
            // SAFETY: both are live, and the set is initialised.
            assert_eq!(unsafe { libc::sigwait(&super::signals(&[libc::SIGHUP]), &raw mut taken) }, 0);
            assert_eq!((taken, signals.is_pending()), (libc::SIGHUP, false));
            signals.look(now + FIRST_WAIT);
            assert_eq!(signals.look_at(), None, "it was taken");
            say.send(()).expect("it is awaited");
        });
        thread.expect("a thread can be had").join();
        // A panic ends that thread and nothing else.
        assert_eq!(hear.recv(), Ok(()));
    }
}
