//! The requests that wait for the application: which there are, how each is found, and when its time is over.
//!
//! A request is in this table from when its handler is to run until its one answer, or until it is withdrawn. What comes
//! after that finds nothing here, so that there is never a second answer (S-RB-03).

use super::context::Context;
use super::effect::{RequestId, SessionId, Stream};
use super::input::Questions;
use super::params::FrameText;
use super::registry::Output;
use super::schema_checks::ArgumentCheck;
use super::tasks::TaskId;
use super::wire_id::WireId;
use crate::engine::hashing::{ById, Keyed};
use crate::protocol::task::Support;
use crate::shares::{Holder, Lending, Shares};
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
    /// Whose its session is.
    pub holder: u64,
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
    pub params: FrameText,
    /// The bytes that it counts, and for whom.
    pub counted: Option<Box<(Holder, usize)>>,
    /// The application has its message, and with it the parameters.
    pub is_taken: bool,
    /// The template that its URI matched, and its variables, a JSON object.
    pub matched: Option<Box<str>>,
    /// The check of its arguments, until its verdict is known: the application does not see the request before.
    pub check: Option<ArgumentCheck>,
    /// What it asked its client, and what was answered.
    pub questions: Questions,
    /// The last progress that was sent.
    pub progress: Option<f64>,
    /// Whether a call of its tool may become a task.
    pub support: Support,
    /// The task that it has become: its client has an answer, and its id on the wire means nothing any more.
    pub task: Option<TaskId>,
    /// When it arrived, or the answers of its client did.
    pub since: Instant,
    /// When the application took it.
    pub begun: Option<Instant>,
    /// When the engine answers for it; for a task, when the task expires.
    pub deadline: Option<Instant>,
}

/// The id space of requests that are tasks. No client can name a request in it.
const OF_TASKS: u64 = u64::MAX;

/// Whose a request is.
#[derive(Clone, Copy, Debug)]
pub(super) struct By {
    pub session: SessionId,
    pub holder: u64,
    /// Whether the session is this request.
    pub is_request: bool,
}

/// A request that is not larger counts as one of `limits.requests` only.
pub(super) const SMALL: usize = 1024;
/// What each client finds room for while there is any.
const FLOOR: usize = 64 * 1024;

/// Why a request is not taken into the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Full {
    /// The session has as many as it may have.
    Session(usize),
    /// All sessions together have, or those of its client have their share.
    Server(usize),
    /// The bytes of their requests do.
    Bytes(usize),
}

/// The requests of one session, by the space of their ids and by their ids.
type OfSession = HashMap<(u64, WireId), RequestId, Keyed>;

/// The table. Owns the requests, and the indexes that lead to them.
#[derive(Debug)]
pub(super) struct Requests<H> {
    waiting: ById<Request<H>, RequestId>,
    /// Of each session that had a request; until its end, so that one request after another makes no new table.
    by_session: ById<OfSession, SessionId>,
    deadlines: BTreeSet<(Instant, RequestId)>,
    next: u64,
    /// How many were taken out so far.
    ended: u64,
    per_session: usize,
    /// How many of all each holder has.
    shares: Shares<u64>,
    /// And how many bytes, those included that the application still has of requests which are over.
    bytes: Shares<Holder>,
    /// The bytes of requests that are over, until the application has released them.
    over: ById<Box<(Holder, usize)>, RequestId>,
}

/// Requests that wait elsewhere.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Elsewhere {
    /// Those of the session.
    pub of_session: usize,
    /// Those of its holder.
    pub of_holder: usize,
    /// All of them.
    pub all: usize,
}

impl<H> Requests<H> {
    /// An empty table with room for `per_session` of one session and `all` together, of so many bytes.
    pub fn new(per_session: usize, all: usize, bytes: usize) -> Requests<H> {
        Requests {
            waiting: ById::default(),
            by_session: ById::default(),
            deadlines: BTreeSet::new(),
            next: 1,
            ended: 0,
            per_session,
            shares: Shares::new(all, 1, Lending::Half),
            bytes: Shares::new(bytes, FLOOR, Lending::Half),
            over: ById::default(),
        }
    }

    /// Whether a holder may have a request of so many bytes: one that does not fit into its share comes in while there is no other.
    ///
    /// # Errors
    /// The bound.
    pub fn admit_bytes(&self, holder: &Holder, bytes: usize) -> Result<(), Full> {
        // What could never come in is refused elsewhere.
        let bytes = bytes.min(self.bytes.total());
        if self.bytes.may_pass(holder, bytes, 0) { Ok(()) } else { Err(Full::Bytes(self.bytes.total())) }
    }

    /// How many requests wait.
    pub fn count(&self) -> usize {
        self.waiting.len()
    }

    /// Whether there is room for one more of a session, where requests wait elsewhere, too.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn admit(&self, by: By, others: Elsewhere) -> Result<(), Full> {
        // What is one request has no other, so that all of its client count.
        let of_session = match by.is_request {
            true => self.shares.held(&by.holder) + others.of_holder,
            false => self.by_session.get(&by.session).map_or(0, HashMap::len) + others.of_session,
        };
        if of_session >= self.per_session {
            return Err(Full::Session(self.per_session));
        }
        if !self.shares.may_take_beside(&by.holder, 1, (others.of_holder, others.all)) {
            return Err(Full::Server(self.shares.total()));
        }
        Ok(())
    }

    /// How many requests have ended so far.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// Takes a request in and gives its number.
    pub fn insert(&mut self, request: Request<H>) -> RequestId {
        let number = RequestId(self.next);
        self.next += 1;
        // There was room when it was admitted.
        let _granted = self.shares.take(&request.holder, 1);
        if let Some((holder, bytes)) = request.counted.as_deref() {
            self.bytes.put(holder, *bytes);
        }
        if let Some(deadline) = request.deadline {
            self.deadlines.insert((deadline, number));
        }
        let key = (request.space, request.id.clone());
        self.by_session.entry(request.stream.session).or_default().insert(key, number);
        self.waiting.insert(number, request);
        number
    }

    /// A request has become a task, which expires at a time: its id is free for another, and its own time does not end it.
    pub fn become_task(&mut self, number: RequestId, task: &TaskId, expires: Instant) {
        let Some(request) = self.waiting.get_mut(&number) else { return };
        let Some(of_session) = self.by_session.get_mut(&request.stream.session) else { return };
        of_session.remove(&(request.space, request.id.clone()));
        if let Some(deadline) = request.deadline {
            self.deadlines.remove(&(deadline, number));
        }
        (request.space, request.id) = (OF_TASKS, WireId::of_task(task.as_str()));
        // What follows belongs to no answer, so over HTTP it goes to the stream of the session.
        request.stream.number = 0;
        (request.task, request.deadline) = (Some(task.clone()), Some(expires));
        of_session.insert((request.space, request.id.clone()), number);
    }

    /// A request that waits.
    pub fn get(&self, number: RequestId) -> Option<&Request<H>> {
        self.waiting.get(&number)
    }

    /// The same, to change what it holds.
    pub fn get_mut(&mut self, number: RequestId) -> Option<&mut Request<H>> {
        self.waiting.get_mut(&number)
    }

    /// The request with that id in the id space of a session.
    pub fn find(&self, session: SessionId, space: u64, id: &WireId) -> Option<RequestId> {
        self.by_session.get(&session)?.get(&(space, id.clone())).copied()
    }

    /// The requests of a session with that id, in any of its streams.
    pub fn find_in_any(&self, session: SessionId, id: &WireId) -> Option<RequestId> {
        let of_session = self.by_session.get(&session)?;
        let mut found = of_session
            .iter()
            .filter(|((space, other), _)| other == id && *space != OF_TASKS)
            .map(|(_, number)| *number);
        // Two requests with one id: the cancellation names neither (S-JR-12).
        found.next().filter(|_| found.next().is_none())
    }

    /// The application has released what it had of a request. Whether that made room.
    pub fn released(&mut self, number: RequestId) -> bool {
        if let Some(request) = self.waiting.get_mut(&number) {
            request.is_taken = false;
            return false;
        }
        let Some(counted) = self.over.remove(&number) else { return false };
        self.bytes.give(&counted.0, counted.1);
        self.ended += 1;
        true
    }

    /// Takes a request out: it is answered or withdrawn.
    pub fn remove(&mut self, number: RequestId) -> Option<Request<H>> {
        let mut request = self.waiting.remove(&number)?;
        self.ended += 1;
        match request.counted.take() {
            Some(counted) if request.is_taken => {
                self.over.insert(number, counted);
            }
            Some(counted) => self.bytes.give(&counted.0, counted.1),
            None => {}
        }
        self.shares.give(&request.holder, 1);
        if let Some(deadline) = request.deadline {
            self.deadlines.remove(&(deadline, number));
        }
        let session = request.stream.session;
        if let Some(of_session) = self.by_session.get_mut(&session) {
            of_session.remove(&(request.space, request.id.clone()));
        }
        Some(request)
    }

    /// A session has ended. Its requests were taken out.
    pub fn end_session(&mut self, session: SessionId) {
        self.by_session.remove(&session);
    }

    /// All requests, oldest first.
    pub fn all(&self) -> Vec<RequestId> {
        let mut numbers: Vec<RequestId> = self.waiting.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// The requests of a session that are not tasks, oldest first.
    pub fn of_session(&self, session: SessionId) -> Vec<RequestId> {
        let Some(of_session) = self.by_session.get(&session) else { return Vec::new() };
        let mut numbers: Vec<RequestId> =
            of_session.iter().filter(|((space, _), _)| *space != OF_TASKS).map(|(_, it)| *it).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The requests of a session whose questions wait for the confirmation of the handshake, oldest first; tasks, too.
    pub fn held_of_session(&self, session: SessionId) -> Vec<RequestId> {
        let Some(of_session) = self.by_session.get(&session) else { return Vec::new() };
        let is_held =
            |number: &RequestId| self.get(*number).is_some_and(|request| request.questions.is_held());
        let mut numbers: Vec<RequestId> = of_session.values().copied().filter(is_held).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The requests of one stream, oldest first.
    pub fn of_stream(&self, stream: Stream) -> Vec<RequestId> {
        let mut numbers = self.of_session(stream.session);
        numbers.retain(|number| self.waiting.get(number).is_some_and(|request| request.stream == stream));
        numbers
    }

    /// How many requests of one stream have no answer yet. A task has been answered.
    #[cfg(feature = "http")]
    pub fn unanswered_on(&self, stream: Stream) -> usize {
        let Some(of_session) = self.by_session.get(&stream.session) else { return 0 };
        let waits = |number: &&RequestId| {
            self.get(**number).is_some_and(|request| request.stream == stream && request.task.is_none())
        };
        of_session.values().filter(waits).count()
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
