//! One current-thread tokio runtime for all HTTP clients of the process. A thread that waits enters it and drives everything
//! while it waits; a background thread does so only while no thread waits. It starts with the first HTTP client and is gone
//! after the last.

use crate::engine::{Error, Status};
use crate::runtime::lock;
use crate::runtime::threads::{AfterGrace, GRACE, SharedByUsers, Threads, after_grace};
use crate::runtime::waiter::{InlineExchange, Waiter};
use crate::transport::http::Task;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Notify;
#[cfg(feature = "auth")]
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// Threads at a time that use token stores and read credentials, and as many that wait for browsers to come back, which may
/// take minutes. Each has a thread of its inline, so that none waits behind another.
#[cfg(feature = "auth")]
const HELPERS: usize = 256;

/// Exchanges that no thread of a call runs, on their way to the runtime: no more than calls may be under way.
#[derive(Default, Debug)]
struct Starts {
    exchanges: Mutex<Vec<InlineExchange>>,
    changed: Notify,
}

impl Starts {
    /// Makes tasks of them: in the runtime that costs no wake-up for each.
    async fn work(self: Arc<Starts>) {
        loop {
            self.changed.notified().await;
            let exchanges = std::mem::take(&mut *lock(&self.exchanges));
            for inline in exchanges {
                tokio::spawn(inline);
            }
        }
    }
}

/// The runtime that all HTTP clients of the process share.
#[derive(Debug)]
pub(crate) struct HttpRuntime {
    tokio: RwLock<Option<Runtime>>,
    handle: Handle,
    driver: DriverState,
    /// Has the background thread leave the runtime to a caller.
    leave: Notify,
    starts: Arc<Starts>,
    threads: Threads,
    /// Room for those that do not take long.
    #[cfg(feature = "auth")]
    pub(super) room: Arc<Semaphore>,
    /// Room for those that wait for browsers.
    #[cfg(feature = "auth")]
    pub(super) listeners: Arc<Semaphore>,
}

static RUNTIME: SharedByUsers<HttpRuntime> = SharedByUsers::new();

impl HttpRuntime {
    /// The runtime, started if this is the first HTTP client.
    pub(crate) fn acquire() -> Result<Arc<HttpRuntime>, Error> {
        RUNTIME.acquire(HttpRuntime::start)
    }

    fn start() -> Result<Arc<HttpRuntime>, Error> {
        let failed = |what: &str, why: std::io::Error| {
            Error::new(
                Status::Internal,
                "client_new",
                format!("cannot start the library's HTTP thread: {what}: {why}"),
            )
        };
        let tokio = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| failed("no descriptor", error))?;
        let runtime = HttpRuntime::of(tokio);
        let mine = Arc::clone(&runtime);
        runtime
            .threads
            .start("libmcp-http", move || mine.work())
            .map_err(|error| failed("no thread", error))?;
        Ok(runtime)
    }

    /// The runtime, without a thread of its own.
    fn of(tokio: Runtime) -> Arc<HttpRuntime> {
        let starts = Arc::<Starts>::default();
        let task: Task = Box::pin(Arc::clone(&starts).work());
        tokio.spawn(task);
        Arc::new(HttpRuntime {
            handle: tokio.handle().clone(),
            tokio: RwLock::new(Some(tokio)),
            driver: DriverState::default(),
            leave: Notify::new(),
            starts,
            threads: Threads::default(),
            #[cfg(feature = "auth")]
            room: Arc::new(Semaphore::new(HELPERS)),
            #[cfg(feature = "auth")]
            listeners: Arc::new(Semaphore::new(HELPERS)),
        })
    }

    /// One whose time goes on only while everything in it waits, driven by its owner alone.
    #[cfg(test)]
    pub(crate) fn simulated() -> Arc<HttpRuntime> {
        let tokio = Builder::new_current_thread().enable_time().start_paused(true).build();
        HttpRuntime::of(tokio.expect("it needs no descriptor"))
    }

    /// Drives until this is done.
    #[cfg(test)]
    pub(crate) fn simulate<T>(&self, future: impl Future<Output = T>) -> T {
        let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
        tokio.as_ref().expect("it has not ended").block_on(future)
    }

    /// An HTTP client is gone. After the last one nothing is left of the runtime.
    pub(crate) fn release() {
        let Some(runtime) = RUNTIME.release() else { return };
        runtime.driver.stop();
        runtime.leave.notify_one();
        runtime.threads.join_with_timeout();
        // Their calls have their outcome.
        let never_begun = std::mem::take(&mut *lock(&runtime.starts.exchanges));
        drop(never_begun);
        // A thread that still drives holds it, and this thread does not wait for it.
        let tokio = runtime.tokio.try_write().ok().and_then(|mut tokio| tokio.take());
        if let Some(tokio) = tokio {
            // Tasks are dropped here.
            tokio.shutdown_background();
        }
    }

    /// What is polled on this thread may have timers until the guard is dropped.
    #[cfg(feature = "server")]
    pub(crate) fn enter(&self) -> tokio::runtime::EnterGuard<'_> {
        self.handle.enter()
    }

    /// Where tasks are spawned.
    #[cfg(feature = "auth")]
    pub(super) fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Runs what can only be waited for on a thread of its inline.
    ///
    /// # Errors
    /// That there is no thread.
    #[cfg(feature = "auth")]
    pub(super) fn help(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        // Those who ask for one have room for it in `room` or `listeners`.
        self.threads.help("libmcp-wait", 2 * HELPERS, work)
    }

    /// Has a task driven. Who keeps the handle keeps a small piece of memory: the task's own is given back at its end.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let task: Task = Box::pin(task);
        let handle = self.handle.spawn(task).abort_handle();
        self.driver.wake_driver();
        handle
    }

    /// Has an exchange driven. An application that starts many calls, one after another, pays for one wake-up.
    pub(crate) fn spawn_inline(&self, inline: InlineExchange) {
        let is_first = {
            let mut starts = lock(&self.starts.exchanges);
            starts.push(inline);
            starts.len() == 1
        };
        if is_first {
            self.starts.changed.notify_one();
            self.driver.wake_driver();
        }
    }

    /// There is something to drive that no thread may be waiting for.
    pub(crate) fn wake_driver(&self) {
        self.driver.wake_driver();
    }

    /// Waits until something arrives for `waiter` or the time is over, driving meanwhile.
    pub(crate) fn drive(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        if waiter.has_arrived() {
            return;
        }
        let mut inline = waiter.take_inline();
        let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
        let Some(tokio) = tokio.as_ref().filter(|_| !leaves_it()) else {
            if let Some(inline) = inline {
                self.spawn_inline(inline);
            }
            return waiter.park(until);
        };
        let (_guard, background_drives) = self.driver.begin();
        if background_drives {
            self.leave.notify_one();
        }
        drive_until(tokio, until, &mut |cx| {
            if inline.as_mut().is_some_and(|inline| Pin::new(inline).poll(cx).is_ready()) {
                inline = None;
            }
            waiter.poll_arrival(cx)
        });
        // Such as what follows the answer in its stream: there is time for that.
        if let Some(inline) = inline {
            self.handle.spawn(inline);
        }
    }

    /// The runtime, for a thread that serves and waits in it. `None` if this thread must not drive.
    #[cfg(feature = "server")]
    pub(crate) fn lend(&self) -> Option<LentRuntime<'_>> {
        let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
        (tokio.is_some() && !leaves_it()).then_some(LentRuntime { runtime: self, tokio })
    }

    fn work(self: Arc<HttpRuntime>) {
        let mut is_first = true;
        while self.driver.wait_for_idle(std::mem::take(&mut is_first)) {
            let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(tokio) = tokio.as_ref() {
                block_on(tokio, self.leave.notified());
            }
            drop(tokio);
            self.driver.has_left();
        }
    }
}

impl Drop for HttpRuntime {
    /// A thread that drove it until now may be the last to hold it.
    fn drop(&mut self) {
        if let Some(tokio) = self.tokio.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            tokio.shutdown_background();
        }
    }
}

/// Drives until this is done. The scheduler is compiled once, for all futures.
fn block_on(tokio: &Runtime, future: impl Future<Output = ()>) {
    let future: Pin<&mut dyn Future<Output = ()>> = std::pin::pin!(future);
    tokio.block_on(future);
}

/// Drives until `poll` is ready or the time is over: the caller looks in either case.
fn drive_until(tokio: &Runtime, until: Option<Instant>, poll: &mut dyn FnMut(&mut Context<'_>) -> Poll<()>) {
    block_on(tokio, async {
        let ready = std::future::poll_fn(poll);
        match until {
            None => ready.await,
            Some(until) => drop(tokio::time::timeout_at(until.into(), ready).await),
        }
    });
}

/// Whether this thread leaves the driving to another: a Rust program's own runtime is on it, which must not be entered twice, or its
/// stack is small.
fn leaves_it() -> bool {
    Handle::try_current().is_ok() || crate::transport::stack::is_small()
}

/// The runtime in the hands of a thread that serves.
#[cfg(feature = "server")]
pub(crate) struct LentRuntime<'a> {
    runtime: &'a HttpRuntime,
    tokio: std::sync::RwLockReadGuard<'a, Option<Runtime>>,
}

#[cfg(feature = "server")]
impl LentRuntime<'_> {
    /// Drives until `poll` is ready or the time is over. What is ready before is driven even if the time is over already.
    pub(crate) fn drive(&self, until: Option<Instant>, poll: &mut dyn FnMut(&mut Context<'_>) -> Poll<()>) {
        let Some(tokio) = self.tokio.as_ref() else { return };
        let (_guard, background_drives) = self.runtime.driver.begin();
        if background_drives {
            self.runtime.leave.notify_one();
        }
        if until.is_some_and(|until| until <= Instant::now()) {
            block_on(tokio, tokio::task::yield_now());
        }
        drive_until(tokio, until, poll);
    }
}

/// The longest grace time, while callers come again and again: each look of the background thread is time that a caller does
/// not have.
const LONGEST_GRACE: Duration = Duration::from_millis(16);

/// Who drives the one runtime of HTTP: any number of threads that wait, or the background thread.
#[derive(Default, Debug)]
struct Inside {
    /// Threads that wait and drive.
    callers: usize,
    /// Counts the times that a thread began to.
    turns: u64,
    /// The background thread drives.
    driving: bool,
    /// The background thread sleeps until a caller leaves.
    asleep: bool,
    /// The background thread lets a longer grace time pass.
    patient: bool,
    /// There is something that no thread may be waiting for: only the shorter grace time then.
    hurried: bool,
    stopping: bool,
}

/// Which threads drive.
#[derive(Default, Debug)]
struct DriverState {
    inside: Mutex<Inside>,
    changed: Condvar,
}

impl DriverState {
    /// This thread waits and drives from now on. Says also whether the background thread drives, which has to be told to leave.
    pub(crate) fn begin(&self) -> (RuntimeDriver<'_>, bool) {
        let mut inside = lock(&self.inside);
        inside.callers += 1;
        inside.turns = inside.turns.wrapping_add(1);
        (RuntimeDriver(self), inside.driving)
    }

    /// There is something to drive that no thread may be waiting for.
    pub(crate) fn wake_driver(&self) {
        let mut inside = lock(&self.inside);
        if !inside.driving {
            inside.hurried = true;
            if inside.patient {
                self.changed.notify_all();
            }
        }
    }

    /// Ends the background thread.
    pub(crate) fn stop(&self) {
        lock(&self.inside).stopping = true;
        self.changed.notify_all();
    }

    /// The background thread waits until it is to drive, at first without a grace time. Says whether it is; otherwise its
    /// work is over.
    fn wait_for_idle(&self, is_first: bool) -> bool {
        let mut is_idle = is_first;
        let mut grace = GRACE;
        loop {
            if !is_idle && !self.is_idle_after(&mut grace) {
                continue;
            }
            grace = GRACE;
            let mut inside = lock(&self.inside);
            if inside.stopping {
                return false;
            }
            is_idle = inside.callers == 0;
            if is_idle {
                inside.driving = true;
                inside.hurried = false;
                return true;
            }
        }
    }

    /// The background thread no longer drives.
    pub(crate) fn has_left(&self) {
        lock(&self.inside).driving = false;
    }

    /// Lets the grace time pass, and says how long the next one is. Says whether no thread drove in it, or the work is over.
    fn is_idle_after(&self, grace: &mut Duration) -> bool {
        let mut inside = lock(&self.inside);
        if std::mem::take(&mut inside.hurried) {
            *grace = GRACE;
        }
        let before = inside.turns;
        inside.patient = *grace > GRACE;
        let (mut inside, _) = self
            .changed
            .wait_timeout_while(inside, *grace, |inside| {
                !(inside.stopping || inside.patient && inside.hurried)
            })
            .unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut inside.patient) && inside.hurried {
            return inside.stopping;
        }
        // Only callers that come several times in each short grace time are worth a longer one: where they were the last,
        // no thread drives until it is over.
        let often = u64::try_from(grace.as_nanos() / GRACE.as_nanos()).unwrap_or(u64::MAX);
        let is_dense = inside.turns.wrapping_sub(before) > often;
        *grace = if is_dense { LONGEST_GRACE.min(*grace * 2) } else { GRACE };
        match after_grace(before, inside.turns, inside.callers > 0) {
            AfterGrace::TakeOver => true,
            AfterGrace::LookAgain => inside.stopping,
            AfterGrace::Sleep => {
                // A long wait: sleep until it is over instead of looking all the time.
                inside.asleep = true;
                while inside.asleep && !inside.stopping {
                    inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
                }
                inside.stopping
            }
        }
    }
}

/// This thread drives, until the guard is dropped.
struct RuntimeDriver<'a>(&'a DriverState);

impl Drop for RuntimeDriver<'_> {
    fn drop(&mut self) {
        let mut inside = lock(&self.0.inside);
        inside.callers -= 1;
        if inside.asleep && inside.callers == 0 {
            inside.asleep = false;
            self.0.changed.notify_all();
        }
    }
}
