//! Requests that a handler answers: taken into the table within its bounds, else into the line, and handed to the handler.

use super::context::{Context, Refusal};
use super::effect::{Effect, Now, RequestId, Run, SessionId, Stream};
use super::incoming::Unserved;
use super::input::Questions;
use super::line::Standing;
use super::params::FrameText;
use super::registry::Output;
use super::requests::{By, Full, Request, Requests, SMALL};
use super::router::Server;
use super::sessions::Sessions;
use super::task_waiters::Waiters;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::envelope::Incoming;
use crate::protocol::method;
use crate::protocol::task::Support;
use std::time::Instant;

/// What a handler is run for, besides the request.
pub(super) struct Target<H> {
    pub method: &'static str,
    pub name: String,
    pub handler: H,
    pub params: FrameText,
    /// Whether the parameters may bring answers or a state of an earlier request.
    pub may_resume: bool,
    pub matched: Option<String>,
    pub output: Option<Output>,
}

impl<H> Target<H> {
    /// A request with a copy of its parameters.
    pub fn new(method: &'static str, name: String, handler: H, params: Option<&str>) -> Target<H> {
        let params = FrameText::copied(params.unwrap_or("{}"));
        Target { method, name, handler, params, may_resume: true, matched: None, output: None }
    }
}

impl<H: Clone> Server<H> {
    /// Takes a request into the table and runs its handler.
    pub(super) fn hand_on(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        target: Target<H>,
    ) -> Result<(), Refusal> {
        let request = self.take_in(now, from, id, context, target)?;
        self.run(request);
        Ok(())
    }

    /// Whether a session may have one more request of so many bytes that is not answered at once.
    fn has_place(&self, session: SessionId, bytes: usize) -> Result<(), Full> {
        let Server { requests, waiters, sessions, .. } = self;
        has_place(sessions, requests, waiters, session, bytes)
    }

    /// The same, for a request that cannot stand in line any more.
    pub(super) fn admit(&mut self, session: SessionId, bytes: usize) -> Result<(), Refusal> {
        self.has_place(session, bytes).map_err(|full| {
            self.counters.busy += 1;
            full.refusal()
        })
    }

    /// Whether a request has to stand in line: there is no place for it, or others of its session stand there. Gives its id. One
    /// whose id cannot be taken is refused as it is, and what needs no place goes on: a client that waits is not mute.
    pub(super) fn must_wait(&self, from: Stream, id: &str, method: &str, bytes: usize) -> Option<WireId> {
        let session = from.session;
        if self.line.of_session(session) == 0
            && !self.line.has_put_back(self.sessions.holder_number(session))
            && self.has_place(session, bytes).is_ok()
        {
            return None;
        }
        let takes_a_place = json::string(method).is_some_and(|method| self.takes_a_place(&method));
        let id = WireId::read(id, self.settings.limits.id).filter(|_| takes_a_place)?;
        (!self.is_in_use(session, self.id_space(from), &id)).then_some(id)
    }

    /// Whether a request of a method may take a place of those that are under way: what the engine answers itself takes none.
    fn takes_a_place(&self, name: &str) -> bool {
        match name {
            method::TOOLS_CALL
            | method::RESOURCES_READ
            | method::PROMPTS_GET
            | method::COMPLETE
            | method::TASKS_RESULT => true,
            _ => self.registry.has_extension(name) || self.is_relayed(name),
        }
    }

    /// A request stands in line, or is refused where that has as many as it may have.
    pub(super) fn stand_in_line(
        &mut self,
        now: Now,
        from: Stream,
        id: WireId,
        frame: Vec<u8>,
        scanned: Incoming,
        in_batch: bool,
    ) {
        let holder = self.sessions.holder_number(from.session);
        if let Err(limit) = self.line.has_room(from.session, holder, frame.len()) {
            (self.counters.requests, self.counters.busy) =
                (self.counters.requests + 1, self.counters.busy + 1);
            let what = "as many requests as may be are under way, and others wait for their places";
            return self.refuse(from, Some(&id), &Refusal::busy(limit, what));
        }
        self.counters.held += 1;
        let deadline = self.settings.timeouts.request.map(|time| now.at + time);
        let (space, principal) = (self.id_space(from), self.sessions.principal(from.session));
        self.line.push(Standing { from, holder, space, id, frame, scanned, in_batch, principal, deadline });
    }

    /// Whether the driver is to read a session on. Not one whose requests fill its part of the line; but one that was asked
    /// something is, so that its answers come: what finds no room then is refused.
    pub fn reads(&self, session: SessionId) -> bool {
        self.line.wants(session, || self.sessions.holder_number(session)) || self.sent.awaits(session)
    }

    /// The queue of the application has no room for a request that was to run: it runs when there is, and what its client sends
    /// waits for that.
    pub fn put_back(&mut self, request: RequestId) {
        if let Some(entry) = self.requests.get(request) {
            self.counters.runs -= u64::from(entry.check.is_none());
            self.line.put_back(entry.holder, request);
        }
    }

    /// Whether anything waits to be taken up.
    pub fn is_holding(&self) -> bool {
        !self.line.is_empty() || self.line.has_any_put_back()
    }

    /// The first request of each client that was put back: whose it is, as a number, and how many bytes of room it needs.
    pub fn wants_room(&self) -> Vec<(u64, usize)> {
        let bytes = |(holder, request)| Some((holder, self.requests.get(request)?.params.held()));
        self.line.first_put_back().filter_map(bytes).collect()
    }

    /// Takes up one request that was put back or stands in line, if there is a place for it. `has_room` says whether the queue of
    /// the application has room for so many bytes of a client. The driver takes the effects after each, and asks until there is none.
    pub fn go_on(&mut self, now: Now, has_room: impl Fn(u64, usize) -> bool) -> bool {
        let may_run = |(holder, request): &(u64, RequestId)| {
            self.requests.get(*request).is_none_or(|entry| has_room(*holder, entry.params.held()))
        };
        let next = self.line.first_put_back().find(may_run);
        if let Some((holder, request)) = next {
            self.line.pop_put_back(holder);
            // One that has ended meanwhile does not run.
            self.run(request);
            return true;
        }
        if self.line.is_empty() {
            return false;
        }
        let ended = self.requests.ended() + self.waiters.ended();
        let Server { line, requests, waiters, sessions, .. } = self;
        let has_place = |session, bytes| has_place(sessions, requests, waiters, session, bytes).is_ok();
        let Some(it) = line.next(ended, has_place) else { return false };
        // It may do what its own token allows, and not what that of a later frame does.
        let session = it.from.session;
        let newest = self.sessions.principal(session);
        self.authorize(session, it.principal);
        if let Err(Unserved { id, lacks, .. }) = self.taken(now, it.from, it.frame, it.scanned, it.in_batch) {
            self.refuse(it.from, id.as_ref(), &lacks.into());
        }
        self.authorize(session, newest);
        true
    }

    /// Requests that stood in line for as long as a request may take are refused.
    pub(super) fn end_waits_in_line(&mut self, now: Now) {
        while let Some(it) = self.line.overdue(now.at) {
            (self.counters.requests, self.counters.busy) =
                (self.counters.requests + 1, self.counters.busy + 1);
            let refusal = match self.has_place(it.from.session, it.frame.len()) {
                Err(full) => full.refusal(),
                Ok(()) => {
                    Refusal::busy("limits.queue_bytes", "the application has not taken what it has to do")
                }
            };
            self.refuse(it.from, Some(&it.id), &refusal);
        }
    }

    /// Takes a request into the table.
    pub(super) fn take_in(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        target: Target<H>,
    ) -> Result<RequestId, Refusal> {
        let bytes = target.params.held();
        self.admit(from.session, bytes)?;
        let counted = (bytes > SMALL).then(|| Box::new((self.sessions.holder(from.session), bytes)));
        let questions = if target.may_resume {
            self.resumed(now, from.session, &context, (target.method, &target.name), &target.params)?
        } else {
            Questions::default()
        };
        let extension = target.method.is_empty().then(|| target.name.as_str().into());
        let deadline = self.settings.timeouts.request.map(|time| now.at + time);
        Ok(self.requests.insert(Request {
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
        let Some(request) = self.requests.get(number) else { return };
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
            #[cfg(any(test, fuzzing))]
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
    sessions: &Sessions,
    requests: &Requests<H>,
    waiters: &Waiters,
    session: SessionId,
    bytes: usize,
) -> Result<(), Full> {
    let by = by(sessions, session);
    requests.admit(by, waiters.beside(by))?;
    if bytes <= SMALL {
        return Ok(());
    }
    requests.admit_bytes(&sessions.holder(session), bytes)
}

fn by(sessions: &Sessions, session: SessionId) -> By {
    By { session, holder: sessions.holder_number(session), is_request: sessions.is_request(session) }
}

impl Full {
    /// The refusal of a request that is one too many.
    fn refusal(self) -> Refusal {
        match self {
            Full::Session(limit) => Refusal::busy(
                "limits.session_requests",
                &format!("the session has {limit} requests under way, which is the limit"),
            ),
            Full::Server(limit) => Refusal::busy(
                "limits.requests",
                &format!("of {limit} requests that may be under way this client has its share, or all are"),
            ),
            Full::Bytes(limit) => Refusal::busy(
                "limits.request_bytes",
                &format!(
                    "of {limit} bytes of requests that may be under way this client has its share, or all are"
                ),
            ),
        }
    }
}
