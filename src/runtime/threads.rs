//! Threads of the library, and numbers by which threads are told apart.
//!
//! `std::thread::current()` allocates an object for a thread that Rust did not start, such as the program's main thread, and
//! frees it when that thread ends. A main thread that returns from `main` never ends in that sense, so leak checkers report the
//! object as possibly lost. A number needs no memory of its own.

use super::lock;
use crate::engine::Error;
use crate::transport::process::per_process::PerProcess;
use crate::transport::process::thread;
use crate::transport::process::thread::{STACK, Thread};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

thread_local! {
    /// Zero until the thread is asked for its number.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// The number of the calling thread: never zero, and never that of another thread, not even of one that has ended.
pub(crate) fn this_thread() -> u64 {
    let known = NUMBER.get();
    if known != 0 {
        return known;
    }
    let fresh = next();
    NUMBER.set(fresh);
    fresh
}

fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A thread of the library, which was started with the host's signals blocked.
#[derive(Debug)]
pub(crate) struct OwnThread {
    number: u64,
    thread: Thread,
}

impl OwnThread {
    /// # Errors
    /// That the system makes no thread.
    pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<OwnThread> {
        let number = next();
        let numbered = move || {
            NUMBER.set(number);
            work();
        };
        let thread = thread::start(name, STACK, numbered)?;
        Ok(OwnThread { number, thread })
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for its end, which may be a panic. The thread itself may ask for this too: it is then left alone.
    pub(crate) fn join(self) {
        if !self.is_this() {
            self.thread.join();
        }
    }

    /// Waits for its end until a time. One that the system still holds then, as in a look-up of a name, is left alone rather than waited
    /// for without end. Gives whether it has ended.
    pub(crate) fn join_until(self, until: Instant) -> bool {
        if self.is_this() {
            return false;
        }
        while !self.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
        let has_ended = self.is_finished();
        if has_ended {
            self.join();
        }
        has_ended
    }

    /// Whether it is the calling thread.
    fn is_this(&self) -> bool {
        self.number == this_thread()
    }
}

/// How long the last client waits for the threads to end.
pub(crate) const LAST_WAIT: Duration = Duration::from_secs(5);

/// The background thread, and helpers for what can only be waited for. A helper ends when its work is done.
#[derive(Default, Debug)]
pub(crate) struct Threads {
    background: Mutex<Option<OwnThread>>,
    helpers: Mutex<Vec<OwnThread>>,
}

impl Threads {
    /// Starts the background thread.
    ///
    /// # Errors
    /// That the system makes no thread.
    pub(crate) fn start(&self, name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        *lock(&self.background) = Some(OwnThread::spawn(name, work)?);
        Ok(())
    }

    /// Runs work that may wait on a thread of its own. It begins at once or not at all: a pool of threads would let it wait
    /// behind others when the system makes no thread, and no error would say so.
    ///
    /// # Errors
    /// That `most` helpers run already, or that the system makes no thread.
    pub(crate) fn help(
        &self,
        name: &str,
        most: usize,
        work: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<()> {
        let mut helpers = lock(&self.helpers);
        // Joined and not only dropped: what the thread did last is seen here, and nothing of it is left.
        helpers.extract_if(.., |helper| helper.is_finished()).for_each(OwnThread::join);
        if helpers.len() >= most {
            return Err(std::io::Error::other(format!("{most} threads {name} run already")));
        }
        helpers.push(OwnThread::spawn(name, work)?);
        Ok(())
    }

    /// How many helpers were started and have not ended.
    #[cfg(feature = "server")]
    pub(crate) fn helpers(&self) -> usize {
        lock(&self.helpers).iter().filter(|helper| !helper.is_finished()).count()
    }

    /// Waits until all of them have ended, which were told to. They end by themselves, at once unless the system holds them,
    /// as in a look-up of a name: then they are left alone rather than waited for without end.
    pub(crate) fn join_with_timeout(&self) {
        let until = Instant::now() + LAST_WAIT;
        let background = lock(&self.background).take();
        let helpers = std::mem::take(&mut *lock(&self.helpers));
        for thread in background.into_iter().chain(helpers) {
            let _ended_or_left_alone = thread.join_until(until);
        }
    }
}

/// Something that exists while it has users. A child of `fork` begins without.
pub(crate) struct SharedByUsers<T: Send + Sync + 'static>(PerProcess<Mutex<Users<T>>>);

struct Users<T> {
    count: usize,
    value: Option<Arc<T>>,
}

impl<T> Default for Users<T> {
    fn default() -> Self {
        Users { count: 0, value: None }
    }
}

impl<T: Send + Sync + 'static> SharedByUsers<T> {
    pub(crate) const fn new() -> SharedByUsers<T> {
        SharedByUsers(PerProcess::new(Mutex::default))
    }

    /// Counts one user more; `make` is called for the first one.
    ///
    /// # Errors
    /// Those of `make`, and then there is no user more.
    pub(crate) fn acquire(
        &'static self,
        make: impl FnOnce() -> Result<Arc<T>, Error>,
    ) -> Result<Arc<T>, Error> {
        let mut users = lock(self.0.get());
        let value = match &users.value {
            Some(value) => Arc::clone(value),
            None => make()?,
        };
        users.count += 1;
        users.value = Some(Arc::clone(&value));
        Ok(value)
    }

    /// Counts one user less. The last one gets what was shared, to end it.
    pub(crate) fn release(&'static self) -> Option<Arc<T>> {
        let mut users = lock(self.0.get());
        users.count = users.count.saturating_sub(1);
        if users.count == 0 { users.value.take() } else { None }
    }
}

/// A sequence of calls pays for no hand-over when the background thread stays out of the way for so long.
pub(crate) const GRACE: Duration = Duration::from_millis(2);

/// What the background thread does when a grace time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterGrace {
    /// It drives, since no thread did in that time.
    TakeOver,
    /// It lets another grace time pass: threads come and go.
    LookAgain,
    /// It sleeps until the thread that has driven all that time is done.
    Sleep,
}

/// Decides by how often threads had begun to drive before the grace time and after it.
pub(crate) fn after_grace(before: u64, after: u64, is_driven: bool) -> AfterGrace {
    match (before == after, is_driven) {
        (true, false) => AfterGrace::TakeOver,
        (true, true) => AfterGrace::Sleep,
        (false, _) => AfterGrace::LookAgain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;
    use std::sync::mpsc::channel;

    #[test]
    fn a_thread_keeps_its_number_and_shares_it_with_no_other() {
        let mine = this_thread();
        assert_ne!(mine, 0);
        assert_eq!(mine, this_thread());
        let other = std::thread::spawn(this_thread).join().expect("no panic");
        assert_ne!(mine, other);
    }

    #[test]
    fn a_thread_of_the_library_knows_itself_and_does_not_wait_for_itself() {
        let (give, take) = channel::<OwnThread>();
        let (say, hear) = channel();
        let thread = OwnThread::spawn("libmcp-test", move || {
            let me = take.recv().expect("it is sent");
            say.send(me.is_this()).expect("it is awaited");
            me.join();
            say.send(true).expect("it is awaited");
        });
        let thread = thread.expect("a thread can be had");
        assert!(!thread.is_this());
        give.send(thread).expect("it is awaited");
        assert!(hear.recv().expect("it comes"));
        assert!(hear.recv().expect("it comes"));
    }

    #[test]
    fn a_thread_that_does_not_end_is_left_alone_after_a_time() {
        let (end, ends) = channel::<()>();
        let (say, hear) = channel();
        let work = move || {
            let _it_was_told_to_end = ends.recv();
            let _it_is_awaited = say.send(());
        };
        let thread = OwnThread::spawn("libmcp-test", work).expect("a thread can be had");
        assert!(!thread.join_until(Instant::now()), "it waits");
        drop(end);
        hear.recv().expect("it goes on by itself");
        let thread = OwnThread::spawn("libmcp-test", || ()).expect("a thread can be had");
        assert!(thread.join_until(Instant::now() + LAST_WAIT));
    }

    #[test]
    fn the_last_user_ends_what_the_first_one_made() {
        static SHARED: SharedByUsers<u32> = SharedByUsers::new();
        let refused = || Err(Error::new(Status::Internal, "test", "refused"));
        assert!(SHARED.acquire(refused).is_err());
        let first = SHARED.acquire(|| Ok(Arc::new(1))).expect("made");
        let second = SHARED.acquire(refused).expect("made already");
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(SHARED.release(), None);
        assert_eq!(SHARED.release().as_deref(), Some(&1));
        assert_eq!(SHARED.release(), None);
        assert!(SHARED.acquire(refused).is_err());
    }

    #[test]
    fn the_background_thread_drives_only_after_a_time_in_which_no_thread_did() {
        assert_eq!(after_grace(7, 7, false), AfterGrace::TakeOver);
        assert_eq!(after_grace(7, 8, false), AfterGrace::LookAgain);
        assert_eq!(after_grace(7, 8, true), AfterGrace::LookAgain);
        assert_eq!(after_grace(7, 7, true), AfterGrace::Sleep);
    }
}
