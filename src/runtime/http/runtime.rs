//! Who drives HTTP: one current-thread tokio runtime for all HTTP clients of the process. A thread that waits enters it and
//! drives everything while it waits; a background thread does so only while nobody waits, and stays out of the way for a short
//! grace time after the last waiter. It starts with the first HTTP client and is gone after the last.

use crate::engine::{Error, Status};
use crate::runtime::background::runtime::see_out;
use crate::runtime::inline_exchange::Own;
use crate::runtime::lock;
use crate::runtime::waiter::Waiter;
use crate::transport::process::per_process::PerProcess;
use crate::transport::process::signals;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Notify;
#[cfg(feature = "auth")]
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// How long the background thread stays out of the way after the last waiter.
const GRACE: Duration = Duration::from_millis(2);
/// The same while callers come again and again: each look of that thread is time that a caller does not have.
const LONGEST_GRACE: Duration = Duration::from_millis(16);
/// Threads at a time that look names up.
const WAITS: usize = 64;
/// Threads at a time that use token stores and read credentials, and as many that wait for browsers to come back, which may
/// take minutes. Each has a thread of its own, so that none waits behind another.
#[cfg(feature = "auth")]
const HELPERS: usize = 256;
/// How long such a thread stays after its work.
const WAIT_IDLE: Duration = Duration::from_millis(50);
/// How long the last client waits for those that are under way.
const LAST_WAIT: Duration = Duration::from_secs(2);

#[derive(Default, Debug)]
struct Crew {
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
    /// There is something that nobody may be waiting for: only the shorter grace time then.
    hurried: bool,
    stopping: bool,
}

/// Exchanges that no thread of a call runs, on their way to the runtime: no more than calls may be under way.
#[derive(Default, Debug)]
struct Starts {
    exchanges: Mutex<Vec<Own>>,
    changed: Notify,
}

impl Starts {
    /// Makes tasks of them: in the runtime that costs no wake-up for each.
    async fn work(self: Arc<Starts>) {
        loop {
            self.changed.notified().await;
            let exchanges = std::mem::take(&mut *lock(&self.exchanges));
            for own in exchanges {
                tokio::spawn(own);
            }
        }
    }
}

/// The runtime that all HTTP clients of the process share.
#[derive(Debug)]
pub(crate) struct HttpRuntime {
    tokio: RwLock<Option<Runtime>>,
    handle: Handle,
    crew: Mutex<Crew>,
    changed: Condvar,
    /// Has the background thread leave the runtime to a caller.
    leave: Notify,
    starts: Arc<Starts>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Threads for what can only be waited for.
    helpers: Mutex<Vec<JoinHandle<()>>>,
    /// Room for those that do not take long.
    #[cfg(feature = "auth")]
    pub(super) room: Arc<Semaphore>,
    /// Room for those that wait for browsers.
    #[cfg(feature = "auth")]
    pub(super) listeners: Arc<Semaphore>,
}

static RUNTIME: PerProcess<Mutex<(usize, Option<Arc<HttpRuntime>>)>> = PerProcess::new(Mutex::default);

impl HttpRuntime {
    /// The runtime, started if this is the first HTTP client.
    pub(super) fn acquire() -> Result<Arc<HttpRuntime>, Error> {
        let mut shared = lock(RUNTIME.get());
        if let (users, Some(runtime)) = &mut *shared {
            *users += 1;
            return Ok(Arc::clone(runtime));
        }
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
            .max_blocking_threads(WAITS)
            .thread_keep_alive(WAIT_IDLE)
            .thread_name("libmcp-wait")
            .on_thread_start(signals::block_all)
            .build()
            .map_err(|error| failed("no descriptor", error))?;
        let starts = Arc::<Starts>::default();
        tokio.spawn(Arc::clone(&starts).work());
        let runtime = Arc::new(HttpRuntime {
            handle: tokio.handle().clone(),
            tokio: RwLock::new(Some(tokio)),
            crew: Mutex::default(),
            changed: Condvar::new(),
            leave: Notify::new(),
            starts,
            thread: Mutex::new(None),
            helpers: Mutex::default(),
            #[cfg(feature = "auth")]
            room: Arc::new(Semaphore::new(HELPERS)),
            #[cfg(feature = "auth")]
            listeners: Arc::new(Semaphore::new(HELPERS)),
        });
        let mine = Arc::clone(&runtime);
        let thread = signals::with_all_blocked(|| {
            std::thread::Builder::new().name("libmcp-http".to_owned()).spawn(move || mine.work())
        })
        .map_err(|error| failed("no thread", error))?;
        *lock(&runtime.thread) = Some(thread);
        *shared = (1, Some(Arc::clone(&runtime)));
        Ok(runtime)
    }

    /// An HTTP client is gone. After the last one nothing is left of the runtime.
    pub(crate) fn release() {
        let last = {
            let mut shared = lock(RUNTIME.get());
            shared.0 = shared.0.saturating_sub(1);
            if shared.0 == 0 { shared.1.take() } else { None }
        };
        let Some(runtime) = last else { return };
        lock(&runtime.crew).stopping = true;
        runtime.changed.notify_all();
        runtime.leave.notify_one();
        let helpers = std::mem::take(&mut *lock(&runtime.helpers));
        see_out(lock(&runtime.thread).take().into_iter().chain(helpers));
        // Their calls have their outcome.
        let never_begun = std::mem::take(&mut *lock(&runtime.starts.exchanges));
        drop(never_begun);
        // Whoever still drives holds it, and nobody waits for that here.
        let tokio = runtime.tokio.try_write().ok().and_then(|mut tokio| tokio.take());
        if let Some(tokio) = tokio {
            // Tasks are dropped here. A look-up that the system does not come back from is left to it.
            tokio.shutdown_timeout(LAST_WAIT);
        }
    }

    /// Where tasks are spawned.
    #[cfg(feature = "auth")]
    pub(super) fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Runs what can only be waited for on a thread of its own. It begins at once or not at all: a pool of threads would let it
    /// wait behind others when the system makes no thread, and nobody would be told.
    ///
    /// # Errors
    /// That there is no thread.
    #[cfg(feature = "auth")]
    pub(super) fn help(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let mut helpers = lock(&self.helpers);
        helpers.retain(|helper| !helper.is_finished());
        let helper = signals::with_all_blocked(|| {
            std::thread::Builder::new().name("libmcp-wait".to_owned()).spawn(work)
        })?;
        helpers.push(helper);
        Ok(())
    }

    /// Has a task driven.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let handle = self.handle.spawn(task).abort_handle();
        self.hurry();
        handle
    }

    /// Has an exchange driven. An application that starts many calls, one after another, pays for one wake-up.
    pub(crate) fn spawn_own(&self, own: Own) {
        let is_first = {
            let mut starts = lock(&self.starts.exchanges);
            starts.push(own);
            starts.len() == 1
        };
        if is_first {
            self.starts.changed.notify_one();
            self.hurry();
        }
    }

    /// There is something to drive that nobody may be waiting for.
    pub(super) fn hurry(&self) {
        let mut crew = lock(&self.crew);
        if !crew.driving {
            crew.hurried = true;
            if crew.patient {
                self.changed.notify_all();
            }
        }
    }

    /// Waits until something arrives for `waiter` or the time is over, driving meanwhile.
    pub(crate) fn drive(&self, waiter: &Arc<Waiter>, until: Option<Instant>) {
        if waiter.has_arrived() {
            return;
        }
        let mut own = waiter.take_own();
        let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
        let leaves_it = Handle::try_current().is_ok() || crate::transport::stack::is_small();
        let Some(tokio) = tokio.as_ref().filter(|_| !leaves_it) else {
            // A Rust program's own runtime is on this thread, which must not be entered twice, or its stack is small.
            if let Some(own) = own {
                self.spawn_own(own);
            }
            return waiter.park(until);
        };
        let _turn = self.begin_turn();
        tokio.block_on(async {
            let arrival = std::future::poll_fn(|cx| {
                if own.as_mut().is_some_and(|own| Pin::new(own).poll(cx).is_ready()) {
                    own = None;
                }
                waiter.poll_arrival(cx)
            });
            match until {
                None => arrival.await,
                // Either way the caller looks.
                Some(until) => drop(tokio::time::timeout_at(until.into(), arrival).await),
            }
        });
        // Such as what follows the answer in its stream: there is time for that.
        if let Some(own) = own {
            self.handle.spawn(own);
        }
    }

    fn begin_turn(&self) -> Turn<'_> {
        let mut crew = lock(&self.crew);
        crew.callers += 1;
        crew.turns = crew.turns.wrapping_add(1);
        if crew.driving {
            self.leave.notify_one();
        }
        Turn(self)
    }

    fn work(self: Arc<HttpRuntime>) {
        let mut quiet = true;
        let mut grace = GRACE;
        loop {
            if !quiet && !self.waits_for_quiet(&mut grace) {
                continue;
            }
            grace = GRACE;
            {
                let mut crew = lock(&self.crew);
                if crew.stopping {
                    return;
                }
                if crew.callers > 0 {
                    quiet = false;
                    continue;
                }
                crew.driving = true;
                crew.hurried = false;
            }
            let tokio = self.tokio.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(tokio) = tokio.as_ref() {
                tokio.block_on(self.leave.notified());
            }
            drop(tokio);
            lock(&self.crew).driving = false;
            quiet = false;
        }
    }

    /// Lets the grace time pass, and says how long the next one is. Says whether nobody drove in it, or the work is over.
    fn waits_for_quiet(&self, grace: &mut Duration) -> bool {
        let mut crew = lock(&self.crew);
        if std::mem::take(&mut crew.hurried) {
            *grace = GRACE;
        }
        let turns = crew.turns;
        crew.patient = *grace > GRACE;
        let (mut crew, _) = self
            .changed
            .wait_timeout_while(crew, *grace, |crew| !(crew.stopping || crew.patient && crew.hurried))
            .unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut crew.patient) && crew.hurried {
            return crew.stopping;
        }
        // Only callers that come several times in each short grace time are worth a longer one: where they were the last,
        // nobody drives until it is over.
        let often = u64::try_from(grace.as_nanos() / GRACE.as_nanos()).unwrap_or(u64::MAX);
        let is_dense = crew.turns.wrapping_sub(turns) > often;
        *grace = if is_dense { LONGEST_GRACE.min(*grace * 2) } else { GRACE };
        if crew.callers > 0 && crew.turns == turns {
            // A long wait: sleep until it is over instead of looking all the time.
            crew.asleep = true;
            while crew.asleep && !crew.stopping {
                crew = self.changed.wait(crew).unwrap_or_else(PoisonError::into_inner);
            }
            return crew.stopping;
        }
        crew.stopping || crew.callers == 0 && crew.turns == turns
    }
}

/// A thread drives.
struct Turn<'a>(&'a HttpRuntime);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut crew = lock(&self.0.crew);
        crew.callers -= 1;
        if crew.asleep && crew.callers == 0 {
            crew.asleep = false;
            self.0.changed.notify_all();
        }
    }
}
