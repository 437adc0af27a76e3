//! The requests that wait for the application: which there are, how each is found, and when its time is over.
//!
//! A request is in the table from when its handler is to run until its one answer, or until it is withdrawn. What comes
//! after that finds nothing here, so that there is never a second answer (S-RB-03).
//!
//! [`RequestTable`], the part, is in this file, and how a request gets into it.
//!
//! The files:
//!
//! * `admission`: frames: what each is, its era, batches; notifications and answers of clients
//! * `dispatch`: methods: what the engine answers itself, and what a handler is run for
//! * `queue`: `RequestQueue`: requests for which there is no room in the table yet
//! * `params`: `FrameText`: parameters in the memory of their frame; `WireId`: the id of a request
//! * `answers`: what the application answers, results as text, and how requests end without an answer
//! * `checks`: results, errors, and the schemas of tools
//! * `content`: blocks of content, by revision; URIs

pub(super) mod admission;
pub(super) mod answers;
pub(super) mod checks;
pub(super) mod content;
pub(super) mod dispatch;
pub(super) mod params;
pub(super) mod queue;

use super::Server;
use super::client_requests::questions::{ClaimStep, RequestQuestions};
use super::effect::{Effect, Now, RequestId, Run, SessionId, Stream};
use super::registry::OutputSchema;
use super::session::SessionTable;
use super::session::context::{ErrorResponse, RequestContext};
use super::tasks::table::TaskId;
use super::tasks::waiters::{ResultWaiters, WaitingElsewhere};
use crate::engine::hashing::{ById, Keyed};
use crate::json;
use crate::json::Span;
use crate::protocol::envelope::Incoming;
use crate::protocol::task::Support;
use crate::protocol::{envelope, method};
use crate::shares::{Holder, Lending, Shares};
use crate::sorted::SortedSet;
use admission::{Arrival, ScopesMissing};
use checks::ArgumentCheck;
use params::{FrameText, WireId};
use queue::QueuedRequest;
use std::collections::HashMap;
use std::time::Instant;

/// One request that waits for the application.
#[derive(Debug)]
pub struct PendingRequest<H> {
    /// Where its answer goes.
    pub stream: Stream,
    /// Within which of the session's streams its id is compared: 0 where all streams share one space.
    pub space: u64,
    /// Its id.
    pub id: WireId,
    /// Its sender.
    pub context: RequestContext,
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
    pub output: Option<OutputSchema>,
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
    /// The use of its state, until a store has noted it: the application does not see the request before.
    pub claim: ClaimStep,
    /// What it asked its client, and what was answered.
    pub questions: RequestQuestions,
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
pub struct RequestOrigin {
    pub session: SessionId,
    pub holder: u64,
    /// Whether the session is this request.
    pub is_request: bool,
}

/// A request that is not larger counts as one of `limits.requests` only.
pub const SMALL_REQUEST: usize = 1024;
/// What each client finds room for while there is any.
const FLOOR: usize = 64 * 1024;

/// Why a request is not taken into the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFull {
    /// The session has as many as it may have.
    Session(usize),
    /// All sessions together have, or those of its client have their share.
    Server(usize),
    /// The bytes of their requests do.
    Bytes(usize),
}

/// A request within its session: the space of its id, and its id.
type RequestKey = (u64, WireId);

/// The requests of one session. Most have one at a time, for which no hash is made and no table.
#[derive(Debug)]
struct SessionRequests {
    one: Option<(RequestKey, RequestId)>,
    /// Those beside it.
    others: HashMap<RequestKey, RequestId, Keyed>,
}

impl SessionRequests {
    fn new(keyed: &Keyed) -> SessionRequests {
        SessionRequests { one: None, others: HashMap::with_hasher(keyed.clone()) }
    }

    fn len(&self) -> usize {
        usize::from(self.one.is_some()) + self.others.len()
    }

    fn iter(&self) -> impl Iterator<Item = (&RequestKey, RequestId)> {
        let one = self.one.iter().map(|(key, number)| (key, *number));
        one.chain(self.others.iter().map(|(key, number)| (key, *number)))
    }

    /// Adds one, whose id no other one has.
    fn insert(&mut self, key: RequestKey, number: RequestId) {
        if self.one.is_none() {
            self.one = Some((key, number));
        } else {
            self.others.insert(key, number);
        }
    }

    fn get(&self, space: u64, id: &WireId) -> Option<RequestId> {
        if let Some((key, number)) = &self.one
            && key.0 == space
            && key.1 == *id
        {
            return Some(*number);
        }
        if self.others.is_empty() { None } else { self.others.get(&(space, id.clone())).copied() }
    }

    fn remove(&mut self, space: u64, id: &WireId) {
        if self.one.take_if(|(key, _)| key.0 == space && key.1 == *id).is_none() && !self.others.is_empty() {
            self.others.remove(&(space, id.clone()));
        }
    }
}

/// The table. Owns the requests, and the indexes that lead to them.
#[derive(Debug)]
pub struct RequestTable<H> {
    waiting: ById<PendingRequest<H>, RequestId>,
    /// Of each session that had a request; until its end, so that one request after another makes no new table.
    by_session: ById<SessionRequests, SessionId>,
    /// The hash of all of them: making one costs more than it saves where a session is one request.
    keyed: Keyed,
    deadlines: SortedSet<(Instant, RequestId)>,
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

impl<H> RequestTable<H> {
    /// An empty table with room for `per_session` of one session and `all` together, of so many bytes.
    pub fn new(per_session: usize, all: usize, bytes: usize) -> RequestTable<H> {
        RequestTable {
            waiting: ById::default(),
            by_session: ById::default(),
            keyed: Keyed::default(),
            deadlines: SortedSet::new(),
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
    pub fn admit_bytes(&self, holder: &Holder, bytes: usize) -> Result<(), TableFull> {
        // What could never come in is refused elsewhere.
        let bytes = bytes.min(self.bytes.total());
        if self.bytes.may_pass(holder, bytes, 0) { Ok(()) } else { Err(TableFull::Bytes(self.bytes.total())) }
    }

    /// How many requests wait.
    pub fn count(&self) -> usize {
        self.waiting.len()
    }

    /// Whether there is room for one more of a session, where requests wait elsewhere, too.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn admit(&self, by: RequestOrigin, others: WaitingElsewhere) -> Result<(), TableFull> {
        // What is one request has no other, so that all of its client count.
        let of_session = match by.is_request {
            true => self.shares.held(&by.holder) + others.of_holder,
            false => self.by_session.get(&by.session).map_or(0, SessionRequests::len) + others.of_session,
        };
        if of_session >= self.per_session {
            return Err(TableFull::Session(self.per_session));
        }
        if !self.shares.may_take_beside(&by.holder, 1, (others.of_holder, others.all)) {
            return Err(TableFull::Server(self.shares.total()));
        }
        Ok(())
    }

    /// How many requests have ended so far.
    pub fn ended(&self) -> u64 {
        self.ended
    }

    /// Takes a request in and gives its number.
    pub fn insert(&mut self, request: PendingRequest<H>) -> RequestId {
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
        let of_session = self.by_session.entry(request.stream.session);
        of_session.or_insert_with(|| SessionRequests::new(&self.keyed)).insert(key, number);
        self.waiting.insert(number, request);
        number
    }

    /// A request has become a task, which expires at a time: its id is free for another, and its own time does not end it.
    pub fn become_task(&mut self, number: RequestId, task: &TaskId, expires: Instant) {
        let Some(request) = self.waiting.get_mut(&number) else { return };
        let Some(of_session) = self.by_session.get_mut(&request.stream.session) else { return };
        of_session.remove(request.space, &request.id);
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
    pub fn get(&self, number: RequestId) -> Option<&PendingRequest<H>> {
        self.waiting.get(&number)
    }

    /// The same, to change what it holds.
    pub fn get_mut(&mut self, number: RequestId) -> Option<&mut PendingRequest<H>> {
        self.waiting.get_mut(&number)
    }

    /// The request with that id in the id space of a session.
    pub fn find(&self, session: SessionId, space: u64, id: &WireId) -> Option<RequestId> {
        self.by_session.get(&session)?.get(space, id)
    }

    /// The requests of a session with that id, in any of its streams.
    pub fn find_in_any(&self, session: SessionId, id: &WireId) -> Option<RequestId> {
        let of_session = self.by_session.get(&session)?;
        let mut found = of_session
            .iter()
            .filter(|((space, other), _)| other == id && *space != OF_TASKS)
            .map(|(_, number)| number);
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
    pub fn remove(&mut self, number: RequestId) -> Option<PendingRequest<H>> {
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
            of_session.remove(request.space, &request.id);
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
        crate::sorted::order(&mut numbers);
        numbers
    }

    /// The requests of a session that are not tasks, oldest first.
    pub fn of_session(&self, session: SessionId) -> Vec<RequestId> {
        let Some(of_session) = self.by_session.get(&session) else { return Vec::new() };
        let mut numbers: Vec<RequestId> =
            of_session.iter().filter(|((space, _), _)| *space != OF_TASKS).map(|(_, it)| it).collect();
        crate::sorted::order(&mut numbers);
        numbers
    }

    /// The requests of a session whose questions wait for the confirmation of the handshake, oldest first; tasks, too.
    pub fn held_of_session(&self, session: SessionId) -> Vec<RequestId> {
        let Some(of_session) = self.by_session.get(&session) else { return Vec::new() };
        let is_held =
            |number: &RequestId| self.get(*number).is_some_and(|request| request.questions.is_held());
        let mut numbers: Vec<RequestId> = of_session.iter().map(|(_, it)| it).filter(is_held).collect();
        crate::sorted::order(&mut numbers);
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
        let waits = |(_, number): &(&RequestKey, RequestId)| {
            self.get(*number).is_some_and(|request| request.stream == stream && request.task.is_none())
        };
        of_session.iter().filter(waits).count()
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

/// What a handler is run for, besides the request.
pub struct HandlerCall<H> {
    pub method: &'static str,
    pub name: String,
    pub handler: H,
    pub params: FrameText,
    /// Whether the parameters may bring answers or a state of an earlier request.
    pub may_resume: bool,
    pub matched: Option<String>,
    pub output: Option<OutputSchema>,
}

impl<H> HandlerCall<H> {
    /// A request with its parameters.
    pub fn new(method: &'static str, name: String, handler: H, params: FrameText) -> HandlerCall<H> {
        HandlerCall { method, name, handler, params, may_resume: true, matched: None, output: None }
    }
}

/// A request whose sender is known: when it came and from where, its id, and what holds for its answer.
pub struct RequestHead<'a> {
    pub now: Now,
    pub from: Stream,
    pub id: &'a WireId,
    pub context: RequestContext,
}

impl<H: Clone> Server<H> {
    /// Answers a request with the result of a method.
    pub(super) fn give_result(&mut self, head: &RequestHead<'_>, method: &str, result: &str) {
        self.result(head.from, head.id, Some((&head.context, method)), result);
    }

    /// Takes a request into the table and runs its handler.
    pub(super) fn dispatch_to_handler(
        &mut self,
        head: RequestHead<'_>,
        target: HandlerCall<H>,
    ) -> Result<(), ErrorResponse> {
        let request = self.insert_request(head, target)?;
        self.run(request);
        Ok(())
    }

    /// Whether a session may have one more request of so many bytes that is not answered at once.
    pub(super) fn has_place(&self, session: SessionId, bytes: usize) -> Result<(), TableFull> {
        let Server { requests, waiters, sessions, .. } = self;
        has_place(sessions, requests, waiters, session, bytes)
    }

    /// The same, for a request that cannot wait in the queue any more.
    pub(super) fn check_place(&mut self, session: SessionId, bytes: usize) -> Result<(), ErrorResponse> {
        self.has_place(session, bytes).map_err(|full| {
            self.counters.busy += 1;
            full.refusal()
        })
    }

    /// Whether a request has to wait in the queue: there is no place for it, or others of its session stand there. Gives its id. One
    /// whose id cannot be taken is refused as it is, and what needs no place goes on: a client that waits is not mute.
    fn must_queue(&self, from: Stream, frame: &[u8], id: Span, method: Span) -> Option<WireId> {
        let session = from.session;
        if self.queue.of_session(session) == 0
            && !self.queue.has_put_back(self.sessions.holder_number(session))
            && self.has_place(session, frame.len()).is_ok()
        {
            return None;
        }
        let (id, method) = (envelope::text(frame, id), envelope::text(frame, method));
        let takes_a_place = json::string(method).is_some_and(|method| self.takes_a_place(&method));
        let id = WireId::read(id, self.settings.limits.id).filter(|_| takes_a_place)?;
        (!self.is_in_use(session, self.id_space(from), &id)).then_some(id)
    }

    /// Whether a request of a method may take a place of those that are in progress: what the engine answers itself takes none.
    fn takes_a_place(&self, name: &str) -> bool {
        method::find(name).is_some_and(|row| row.takes_place)
            || self.registry.has_extension(name)
            || self.is_relayed(name)
    }

    /// A request waits in the queue, or is refused where that has as many as it may have.
    fn enqueue(
        &mut self,
        now: Now,
        from: Stream,
        id: WireId,
        frame: Vec<u8>,
        scanned: Incoming,
        in_batch: bool,
    ) {
        let holder = self.sessions.holder_number(from.session);
        if let Err(limit) = self.queue.has_room(from.session, holder, frame.len()) {
            (self.counters.requests, self.counters.busy) =
                (self.counters.requests + 1, self.counters.busy + 1);
            let what = "too many requests in progress, and the queue is full";
            return self.refuse(from, Some(&id), &ErrorResponse::busy(limit, what));
        }
        self.counters.held += 1;
        let deadline = self.settings.timeouts.request.map(|time| now.at + time);
        let (space, principal) = (self.id_space(from), self.sessions.principal(from.session));
        self.queue.push(QueuedRequest {
            from,
            holder,
            space,
            id,
            frame,
            scanned,
            in_batch,
            principal,
            deadline,
        });
    }

    /// Whether the driver is to read a session on. Not one whose requests fill its part of the line; but one that was asked
    /// something is, so that its answers come: what finds no room then is refused.
    pub fn reads(&self, session: SessionId) -> bool {
        self.queue.wants(session, || self.sessions.holder_number(session)) || self.outstanding.awaits(session)
    }

    /// Whether a session was asked something that it has not answered: anything, or what has this id.
    pub fn awaits(&self, session: SessionId, id: Option<u64>) -> bool {
        id.map_or_else(|| self.outstanding.awaits(session), |id| self.outstanding.is_open(session, id))
    }

    /// The queue of the application has no room for a request that was to run: it runs when there is, and what its client sends
    /// waits for that.
    pub fn put_back(&mut self, request: RequestId) {
        if let Some(entry) = self.requests.get(request) {
            self.counters.runs -= u64::from(entry.check.is_none());
            self.queue.put_back(entry.holder, request);
        }
    }

    /// Whether anything waits to be taken up.
    pub fn is_holding(&self) -> bool {
        !self.queue.is_empty() || self.queue.has_any_put_back()
    }

    /// The first request of each client that was put back: whose it is, as a number, and how many bytes of room it needs.
    pub fn wants_room(&self) -> Vec<(u64, usize)> {
        let bytes = |(holder, request)| Some((holder, self.requests.get(request)?.params.held()));
        self.queue.first_put_back().filter_map(bytes).collect()
    }

    /// Takes up one request that was put back or waits in the queue, if there is a place for it. `has_room` says whether the queue of
    /// the application has room for so many bytes of a client. The driver takes the effects after each, and asks until there is none.
    pub fn go_on(&mut self, now: Now, has_room: impl Fn(u64, usize) -> bool) -> bool {
        let may_run = |(holder, request): &(u64, RequestId)| {
            self.requests.get(*request).is_none_or(|entry| has_room(*holder, entry.params.held()))
        };
        let next = self.queue.first_put_back().find(may_run);
        if let Some((holder, request)) = next {
            self.queue.pop_put_back(holder);
            // One that has ended meanwhile does not run.
            self.run(request);
            return true;
        }
        if self.queue.is_empty() {
            return false;
        }
        let ended = self.requests.ended() + self.waiters.ended();
        let Server { queue, requests, waiters, sessions, .. } = self;
        let has_place = |session, bytes| has_place(sessions, requests, waiters, session, bytes).is_ok();
        let Some(it) = queue.next(ended, has_place) else { return false };
        // It may do what its own token allows, and not what that of a later frame does.
        let session = it.from.session;
        let newest = self.sessions.principal(session);
        self.authorize(session, it.principal);
        let arrival = Arrival { in_batch: it.in_batch, has_waited: true };
        if let Err(ScopesMissing { id, lacks, .. }) = self.taken(now, it.from, it.frame, it.scanned, arrival)
        {
            self.refuse(it.from, id.as_ref(), &lacks.into());
        }
        self.authorize(session, newest);
        true
    }

    /// Requests that waited in the queue for as long as a request may take are refused.
    pub(super) fn refuse_overdue_queued(&mut self, now: Now) {
        while let Some(it) = self.queue.overdue(now.at) {
            (self.counters.requests, self.counters.busy) =
                (self.counters.requests + 1, self.counters.busy + 1);
            let refusal = match self.has_place(it.from.session, it.frame.len()) {
                Err(full) => full.refusal(),
                Ok(()) => {
                    ErrorResponse::busy("limits.queue_bytes", "the request queue of the application is full")
                }
            };
            self.refuse(it.from, Some(&it.id), &refusal);
        }
    }

    /// Takes a request into the table.
    fn insert_request(
        &mut self,
        RequestHead { now, from, id, context }: RequestHead<'_>,
        target: HandlerCall<H>,
    ) -> Result<RequestId, ErrorResponse> {
        let bytes = target.params.held();
        self.check_place(from.session, bytes)?;
        let counted = (bytes > SMALL_REQUEST).then(|| Box::new((self.sessions.holder(from.session), bytes)));
        let (questions, claim) = if target.may_resume {
            self.resumed(now, from.session, &context, (target.method, &target.name), &target.params)?
        } else {
            (RequestQuestions::default(), ClaimStep::None)
        };
        let extension = target.method.is_empty().then(|| target.name.as_str().into());
        let deadline = self.settings.timeouts.request.map(|time| now.at + time);
        Ok(self.requests.insert(PendingRequest {
            stream: from,
            space: self.id_space(from),
            id: id.clone(),
            context,
            holder: self.sessions.holder_number(from.session),
            method: target.method,
            extension,
            name: target.name.into(),
            handler: target.handler,
            output: target.output,
            params: target.params,
            counted,
            is_taken: false,
            matched: target.matched.map(Into::into),
            check: None,
            claim,
            questions,
            progress: None,
            support: Support::Forbidden,
            task: None,
            since: now.at,
            begun: None,
            deadline,
        }))
    }

    /// Runs the handler of a request again, with the answers of its client.
    pub(super) fn run_again(&mut self, now: Now, number: RequestId) {
        self.task_waits(now, number, false);
        if let Some(request) = self.requests.get_mut(number) {
            (request.since, request.begun) = (now.at, None);
        }
        self.run(number);
    }

    /// Runs the handler of a request, for the first time or with the answers of its client.
    pub(super) fn run(&mut self, number: RequestId) {
        let Some(request) = self.requests.get_mut(number) else { return };
        if !request.claim.is_done() {
            let claim = request.claim.wanted();
            self.effects.extend(claim.map(|claim| Effect::Claim { request: number, claim }));
            return;
        }
        self.counters.runs += u64::from(request.check.is_none());
        self.effects.push_back(Effect::Run(Box::new(Run {
            request: number,
            handler: request.handler.clone(),
            holder: request.holder,
            method: request.method,
            extension: request.extension.clone(),
            params: request.params.clone(),
            check: request.check.clone(),
            #[cfg(test)]
            matched: request.matched.clone(),
            #[cfg(any(test, feature = "testing", fuzzing))]
            round: request.questions.rounds(),
        })));
    }

    /// The application has taken a request: it waits no longer.
    pub fn begun(&mut self, now: Instant, number: RequestId) {
        let Some(request) = self.requests.get_mut(number) else { return };
        (request.begun, request.is_taken) = (Some(now), true);
        self.timing.waiting.record(now.saturating_duration_since(request.since));
    }
}

fn has_place<H>(
    sessions: &SessionTable,
    requests: &RequestTable<H>,
    waiters: &ResultWaiters,
    session: SessionId,
    bytes: usize,
) -> Result<(), TableFull> {
    let by = by(sessions, session);
    requests.admit(by, waiters.beside(by.session, by.holder))?;
    if bytes <= SMALL_REQUEST {
        return Ok(());
    }
    requests.admit_bytes(&sessions.holder(session), bytes)
}

fn by(sessions: &SessionTable, session: SessionId) -> RequestOrigin {
    RequestOrigin {
        session,
        holder: sessions.holder_number(session),
        is_request: sessions.is_request(session),
    }
}

impl TableFull {
    /// The refusal of a request that is one too many.
    fn refusal(self) -> ErrorResponse {
        match self {
            TableFull::Session(limit) => ErrorResponse::busy(
                "limits.session_requests",
                &format!("the session has {limit} requests in progress, which is the limit"),
            ),
            TableFull::Server(limit) => ErrorResponse::busy(
                "limits.requests",
                &format!(
                    "this client has its share of the {limit} requests that may be in progress, or all are"
                ),
            ),
            TableFull::Bytes(limit) => ErrorResponse::busy(
                "limits.request_bytes",
                &format!(
                    "this client has its share of the {limit} bytes of requests that may be in progress, or all are used"
                ),
            ),
        }
    }
}
