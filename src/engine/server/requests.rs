//! The requests that wait for the application: which there are, how each is found, and when its time is over.
//!
//! A request is in this table from when its handler is to run until its one answer, or until it is withdrawn. What comes
//! after that finds nothing here, so that there is never a second answer (S-RB-03).

use super::context::Context;
use super::effect::{RequestId, SessionId, Stream};
use super::input::Questions;
use super::registry::Output;
use super::wire_id::WireId;
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// One request that waits for the application.
#[derive(Debug)]
pub(super) struct Request<H> {
    /// Where its answer goes.
    pub stream: Stream,
    /// Within which of the session's streams its id is compared: 0 where all streams share one space.
    pub space: u64,
    /// Its id.
    pub id: WireId,
    /// Its sender.
    pub context: Context,
    /// Its method; empty for an extension's.
    pub method: &'static str,
    /// The method of an extension.
    pub extension: Option<Box<str>>,
    /// What the method is about: the name of the tool or prompt, the URI of the resource.
    pub name: Box<str>,
    /// Its handler.
    pub handler: H,
    /// What the result of a tool must fit.
    pub output: Option<Output>,
    /// Its parameters.
    pub params: Box<str>,
    /// Variables of the template that its URI matched.
    pub variables: Option<Box<str>>,
    /// What it asked its client, and what was answered.
    pub questions: Questions,
    /// The last progress that was sent.
    pub progress: Option<f64>,
    /// When the engine answers for it.
    pub deadline: Option<Instant>,
}

/// Why a request is not taken into the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Full {
    /// The session has as many as it may have.
    Session(usize),
    /// All sessions together have.
    Server(usize),
}

/// The table. Owns the requests, and the indexes that lead to them.
#[derive(Debug)]
pub(super) struct Requests<H> {
    waiting: HashMap<RequestId, Request<H>>,
    by_session: HashMap<SessionId, HashMap<(u64, WireId), RequestId>>,
    deadlines: BTreeSet<(Instant, RequestId)>,
    next: u64,
    per_session: usize,
    all: usize,
}

impl<H> Requests<H> {
    /// An empty table with room for `per_session` of one session and `all` together.
    pub fn new(per_session: usize, all: usize) -> Requests<H> {
        Requests {
            waiting: HashMap::new(),
            by_session: HashMap::new(),
            deadlines: BTreeSet::new(),
            next: 1,
            per_session,
            all,
        }
    }

    /// How many requests wait.
    pub fn count(&self) -> usize {
        self.waiting.len()
    }

    /// Whether there is room for one more of `session`.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn admit(&self, session: SessionId) -> Result<(), Full> {
        if self.by_session.get(&session).map_or(0, HashMap::len) >= self.per_session {
            return Err(Full::Session(self.per_session));
        }
        if self.waiting.len() >= self.all {
            return Err(Full::Server(self.all));
        }
        Ok(())
    }

    /// Takes a request in and gives its number.
    pub fn insert(&mut self, request: Request<H>) -> RequestId {
        let number = RequestId(self.next);
        self.next += 1;
        if let Some(deadline) = request.deadline {
            self.deadlines.insert((deadline, number));
        }
        let key = (request.space, request.id.clone());
        self.by_session.entry(request.stream.session).or_default().insert(key, number);
        self.waiting.insert(number, request);
        number
    }

    /// A request that waits.
    pub fn get(&self, number: RequestId) -> Option<&Request<H>> {
        self.waiting.get(&number)
    }

    /// What the handler of a request asked, to be changed.
    pub fn questions(&mut self, number: RequestId) -> Option<&mut Questions> {
        self.waiting.get_mut(&number).map(|request| &mut request.questions)
    }

    /// A request reports progress. Says whether the value rises, which it must.
    pub fn advance(&mut self, number: RequestId, value: f64) -> bool {
        let Some(request) = self.waiting.get_mut(&number) else { return false };
        if !value.is_finite() || request.progress.is_some_and(|last| value <= last) {
            return false;
        }
        request.progress = Some(value);
        true
    }

    /// The request with that id in the id space of a session.
    pub fn find(&self, session: SessionId, space: u64, id: &WireId) -> Option<RequestId> {
        self.by_session.get(&session)?.get(&(space, id.clone())).copied()
    }

    /// The requests of a session with that id, in any of its streams.
    pub fn find_in_any(&self, session: SessionId, id: &WireId) -> Option<RequestId> {
        let of_session = self.by_session.get(&session)?;
        let mut found = of_session.iter().filter(|((_, other), _)| other == id).map(|(_, number)| *number);
        // Two requests with one id: the cancellation names neither (S-JR-12).
        found.next().filter(|_| found.next().is_none())
    }

    /// Takes a request out: it is answered or withdrawn.
    pub fn remove(&mut self, number: RequestId) -> Option<Request<H>> {
        let request = self.waiting.remove(&number)?;
        if let Some(deadline) = request.deadline {
            self.deadlines.remove(&(deadline, number));
        }
        let session = request.stream.session;
        if let Some(of_session) = self.by_session.get_mut(&session) {
            of_session.remove(&(request.space, request.id.clone()));
            if of_session.is_empty() {
                self.by_session.remove(&session);
            }
        }
        Some(request)
    }

    /// All requests, oldest first.
    pub fn all(&self) -> Vec<RequestId> {
        let mut numbers: Vec<RequestId> = self.waiting.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// The requests of a session, oldest first.
    pub fn of_session(&self, session: SessionId) -> Vec<RequestId> {
        let mut numbers: Vec<RequestId> =
            self.by_session.get(&session).map(|all| all.values().copied().collect()).unwrap_or_default();
        numbers.sort_unstable();
        numbers
    }

    /// The requests of one stream, oldest first.
    pub fn of_stream(&self, stream: Stream) -> Vec<RequestId> {
        let mut numbers = self.of_session(stream.session);
        numbers.retain(|number| self.waiting.get(number).is_some_and(|request| request.stream == stream));
        numbers
    }

    /// When the first deadline is.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// A request whose time is over, if there is one.
    pub fn overdue(&self, now: Instant) -> Option<RequestId> {
        self.deadlines.first().filter(|(at, _)| *at <= now).map(|(_, number)| *number)
    }
}
