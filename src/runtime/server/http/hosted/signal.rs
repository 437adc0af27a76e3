//! Says that an exchange has something to read: to a thread that waits for it, or by a function of the program. That function is
//! called with no lock held, on a thread that drives the library's runtime of HTTP, or on the one that closes the server.

use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::Wake;
use std::time::{Duration, Instant};

/// What the program wants called when there is something to read.
pub(crate) type Notice = Arc<dyn Fn() + Send + Sync>;

struct SignalState {
    /// How often something has happened.
    events: u64,
    /// The program was told that there is nothing, and is to be called.
    armed: bool,
    /// The call is on its way.
    ringing: bool,
    /// Since when the program has not asked for what there may be.
    unread: Option<Instant>,
    /// Gone once the program has freed the exchange.
    notice: Option<Notice>,
    /// Polls the exchange on a thread of the library. It is there while the body comes: the program may wait for its client then,
    /// and what the body holds must go when its time is over.
    polling: Option<Notice>,
}

impl SignalState {
    fn happened(&mut self) {
        self.events = self.events.wrapping_add(1);
    }
}

/// What wakes the reader of one exchange.
pub(super) struct Signal {
    state: Mutex<SignalState>,
    changed: Condvar,
    runtime: Arc<HttpRuntime>,
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").finish_non_exhaustive()
    }
}

impl Signal {
    pub(super) fn new(notice: Option<Notice>, runtime: &Arc<HttpRuntime>) -> Signal {
        let unread = Some(Instant::now());
        let state = SignalState { events: 0, armed: false, ringing: false, unread, notice, polling: None };
        Signal { state: Mutex::new(state), changed: Condvar::new(), runtime: Arc::clone(runtime) }
    }

    /// What drives the timers of the exchange.
    pub(super) fn runtime(&self) -> &HttpRuntime {
        &self.runtime
    }

    /// The library polls the exchange when something happens, until [`Signal::leave_to_program`].
    pub(super) fn poll_with(&self, polling: Notice) {
        lock(&self.state).polling = Some(polling);
    }

    /// The program alone polls the exchange from now on.
    pub(super) fn leave_to_program(&self) {
        let polling = lock(&self.state).polling.take();
        drop(polling);
    }

    /// The program looks at the exchange: what happens from now on counts. Gives how often something has happened.
    pub(super) fn look(&self) -> u64 {
        let mut state = lock(&self.state);
        (state.armed, state.ringing) = (false, false);
        state.events
    }

    /// The exchange is further than it was, for another thread that waits.
    pub(super) fn moved(&self) {
        lock(&self.state).happened();
        self.changed.notify_all();
    }

    /// The program got something, and is to ask for the rest.
    pub(super) fn gave(&self) {
        lock(&self.state).unread = Some(Instant::now());
    }

    /// The program has everything.
    pub(super) fn gave_all(&self) {
        lock(&self.state).unread = None;
    }

    /// The program waits for its client: it is called when something happens that was not seen. `false` if it has happened.
    pub(super) fn waits_for_client(&self, seen: u64) -> bool {
        let mut state = lock(&self.state);
        if state.events != seen {
            return false;
        }
        (state.armed, state.unread) = (true, None);
        true
    }

    /// Whether the program has not asked for that long.
    pub(super) fn is_unread(&self, limit: Duration) -> bool {
        lock(&self.state).unread.is_some_and(|since| since.elapsed() > limit)
    }

    /// Waits until something happens that was not seen. `false` when the time is over: then the program is called when it does.
    pub(super) fn wait(&self, seen: u64, until: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        state.unread = None;
        loop {
            if state.events != seen {
                return true;
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            state = match left {
                Some(left) if left.is_zero() => {
                    state.armed = true;
                    return false;
                }
                Some(left) => {
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Calls the program, if the call that was on its way was not overtaken.
    fn ring(&self) {
        let notice = {
            let mut state = lock(&self.state);
            if !std::mem::take(&mut state.ringing) {
                return;
            }
            state.notice.clone()
        };
        if let Some(notice) = notice {
            notice();
        }
    }

    /// Something has happened of which the program is told on this thread, which holds no lock: it may be the last to drive the
    /// runtime, or drives it now.
    pub(super) fn ring_now(&self) {
        {
            let mut state = lock(&self.state);
            state.happened();
            state.ringing |= std::mem::take(&mut state.armed);
            state.unread.get_or_insert_with(Instant::now);
            self.changed.notify_all();
        }
        self.ring();
    }

    /// The program has freed the exchange: it is called no more.
    pub(super) fn end(&self) {
        let notice = {
            let mut state = lock(&self.state);
            state.happened();
            (state.armed, state.ringing) = (false, false);
            self.changed.notify_all();
            (state.notice.take(), state.polling.take())
        };
        // Without the lock: it may be the last of it, which runs code of the program.
        drop(notice);
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    /// What calls this may hold locks.
    fn wake_by_ref(self: &Arc<Self>) {
        let polling = {
            let mut state = lock(&self.state);
            state.happened();
            self.changed.notify_all();
            state.polling.clone()
        };
        if let Some(polling) = polling {
            self.runtime.spawn(async move { polling() });
            return;
        }
        let mut state = lock(&self.state);
        state.unread.get_or_insert_with(Instant::now);
        if std::mem::take(&mut state.armed) && state.notice.is_some() {
            state.ringing = true;
            drop(state);
            let this = Arc::clone(self);
            self.runtime.spawn(async move { this.ring() });
        }
    }
}
