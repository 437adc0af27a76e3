//! Progress and log messages at a limited rate (S-PG-03, S-LG-04): what goes out now, what waits, what is left out.

use super::effect::{RequestId, SessionId};
use super::rates::Rates;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long log messages that were left out are counted before the application is told.
const TOLD_AFTER: Duration = Duration::from_secs(1);

/// The rates of all sessions. Owns the progress that waits, and the counts of log messages that were left out.
#[derive(Debug)]
pub(super) struct Pacing {
    progress: Rates,
    /// The newest progress of each request that could not go out.
    held: BTreeMap<(SessionId, RequestId), String>,
    /// When the sessions with progress that waits may send again.
    due: Due,
    logs: Rates,
    /// Log messages that were left out.
    dropped: BTreeMap<SessionId, u64>,
    /// When the application is told of them.
    told: Due,
}

impl Pacing {
    /// So many of each kind for each session and second.
    pub fn new(progress_per_second: u32, logs_per_second: u32) -> Pacing {
        Pacing {
            progress: Rates::new(progress_per_second),
            held: BTreeMap::new(),
            due: Due::default(),
            logs: Rates::new(logs_per_second),
            dropped: BTreeMap::new(),
            told: Due::default(),
        }
    }

    /// Progress of a request: the parameters if they go out now. Else they wait, in place of older ones of the request.
    pub fn progress(
        &mut self,
        now: Instant,
        session: SessionId,
        request: RequestId,
        params: String,
    ) -> Option<String> {
        match self.progress.take(session, now) {
            Ok(()) => {
                self.held.remove(&(session, request));
                Some(params)
            }
            Err(at) => {
                self.held.insert((session, request), params);
                self.due.add(session, at);
                None
            }
        }
    }

    /// What waits for one request, which ends: it goes out whatever the rate, so that the last progress is never missing.
    pub fn last(&mut self, session: SessionId, request: RequestId) -> Option<String> {
        self.held.remove(&(session, request))
    }

    /// The progress that may go out by now, of each session the oldest request first.
    pub fn ready(&mut self, now: Instant) -> Vec<(RequestId, String)> {
        let mut ready = Vec::new();
        while let Some(session) = self.due.next(now) {
            let of_session = (session, RequestId(0))..=(session, RequestId(u64::MAX));
            let requests: Vec<RequestId> =
                self.held.range(of_session).map(|((_, request), _)| *request).collect();
            for request in requests {
                match self.progress.take(session, now) {
                    Ok(()) => ready.extend(self.last(session, request).map(|params| (request, params))),
                    Err(at) => {
                        self.due.add(session, at);
                        break;
                    }
                }
            }
        }
        ready
    }

    /// Whether a log message goes out now. Else it is left out and counted.
    pub fn log(&mut self, now: Instant, session: SessionId) -> bool {
        if self.logs.take(session, now).is_ok() {
            return true;
        }
        *self.dropped.entry(session).or_default() += 1;
        self.told.add(session, now + TOLD_AFTER);
        false
    }

    /// The sessions for which log messages were left out, and how many, once that is due.
    pub fn dropped(&mut self, now: Instant) -> Vec<(SessionId, u64)> {
        let mut due = Vec::new();
        while let Some(session) = self.told.next(now) {
            due.extend(self.dropped.remove(&session).map(|count| (session, count)));
        }
        due
    }

    /// A session has ended: gives how many log messages were left out and not told of. Its requests end one by one.
    pub fn forget(&mut self, session: SessionId) -> Option<u64> {
        self.progress.forget(session);
        self.logs.forget(session);
        self.due.remove(session);
        self.told.remove(session);
        self.dropped.remove(&session)
    }

    /// When something is due.
    pub fn deadline(&self) -> Option<Instant> {
        [self.due.first(), self.told.first()].into_iter().flatten().min()
    }
}

/// Sessions for which something is due, each once.
#[derive(Debug, Default)]
struct Due {
    times: BTreeMap<SessionId, Instant>,
    order: BTreeSet<(Instant, SessionId)>,
}

impl Due {
    /// Something of the session is due at a time, unless something of it is due already.
    fn add(&mut self, session: SessionId, at: Instant) {
        if self.times.contains_key(&session) {
            return;
        }
        self.times.insert(session, at);
        self.order.insert((at, session));
    }

    fn remove(&mut self, session: SessionId) {
        if let Some(at) = self.times.remove(&session) {
            self.order.remove(&(at, session));
        }
    }

    fn first(&self) -> Option<Instant> {
        self.order.first().map(|(at, _)| *at)
    }

    /// A session that is due by now, which is taken out.
    fn next(&mut self, now: Instant) -> Option<SessionId> {
        let (_, session) = self.order.first().copied().filter(|(at, _)| *at <= now)?;
        self.remove(session);
        Some(session)
    }
}
