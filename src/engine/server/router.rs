//! The server: its parts, and which of them gets what.

#[cfg(feature = "http")]
use super::access::Principal;
use super::apps::Apps;
use super::context::Refusal;
use super::effect::{Effect, Now, RequestId, SessionId, Stream, Withdrawn};
use super::elicitation_ids::ElicitationIds;
use super::input::Sent;
use super::line::{self, Line};
use super::listens::{Burst, Changed, Listens};
use super::pacing::Pacing;
use super::registry::{self, Completer, Content, Extension, Invalid, Kind, Registry};
use super::relay::Relay;
use super::requests::Requests;
use super::results;
use super::sessions::Sessions;
use super::settings::Settings;
use super::skills::Skills;
use super::spent::Spent;
use super::task_pace::TaskPace;
use super::task_waiters::Waiters;
use super::tasks::{self, Tasks};
use super::timing::Timing;
use crate::engine::counters::Level;
use crate::engine::seal::KeyRing;
#[cfg(feature = "http")]
use crate::protocol::method;
use crate::protocol::{Era, error_code};
use crate::shares::Holder;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// A server. `H` is what the application wants back with a request: a function, an object, a number.
#[derive(Debug)]
pub struct Server<H> {
    pub(super) settings: Settings,
    pub(super) registry: Registry<H>,
    pub(super) apps: Apps,
    pub(super) skills: Skills,
    pub(super) sessions: Sessions,
    pub(super) requests: Requests<H>,
    pub(super) line: Line,
    pub(super) listens: Listens,
    pub(super) burst: Burst,
    pub(super) sent: Sent,
    pub(super) spent: Spent,
    pub(super) elicitation_ids: ElicitationIds,
    pub(super) pacing: Pacing,
    pub(super) tasks: Tasks,
    pub(super) pace: TaskPace,
    pub(super) waiters: Waiters,
    pub(super) keys: KeyRing,
    pub(super) relay: Option<Relay<H>>,
    pub(super) counters: Counters,
    pub(super) timing: Timing,
    pub(super) effects: VecDeque<Effect<H>>,
    /// Handlers that nothing needs any more.
    discarded: Vec<H>,
}

/// Counts since the server was made.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counters {
    /// Frames that arrived.
    pub frames: u64,
    /// Requests among them.
    pub requests: u64,
    /// Requests that handlers were run for.
    pub runs: u64,
    /// Requests that were answered with a result.
    pub results: u64,
    /// Requests that were answered with an error.
    pub errors: u64,
    /// Requests that stood in line, because as many as may be were under way.
    pub held: u64,
    /// Requests that were refused because as many as may be were under way and in line.
    pub busy: u64,
    /// Requests that their clients withdrew.
    pub cancelled: u64,
    /// Requests whose time was over.
    pub overdue: u64,
    /// Answers of clients that belong to no question, and answers of the application that came too late.
    pub late: u64,
    /// Frames that were refused or dropped because they are no message.
    pub violations: u64,
    /// Messages that are not written as they should be, and were taken all the same.
    pub tolerated: u64,
    /// Log messages that were left out because of `limits.logs_per_second`.
    pub dropped_logs: u64,
    /// Sessions that were opened. Over HTTP each request of 2026-07-28 is one.
    pub sessions_opened: u64,
    /// Sessions that have ended.
    pub sessions_ended: u64,
    /// Streams of `subscriptions/listen` that were opened.
    pub listens: u64,
}

impl<H: Clone> Server<H> {
    /// A server that offers nothing yet.
    pub fn new(settings: Settings, keys: KeyRing) -> Server<H> {
        let limits = &settings.limits;
        Server {
            registry: Registry::new(),
            apps: Apps::default(),
            skills: Skills::new(),
            sessions: Sessions::new(
                limits.sessions,
                limits.requests.saturating_add(limits.listens),
                limits.subscription_bytes,
            ),
            requests: Requests::new(limits.requests_per_session, limits.requests, limits.request_bytes),
            line: Line::new(line::Bounds {
                per_session: limits.waiting_per_session,
                bytes: limits.waiting_bytes,
            }),
            listens: Listens::new(limits.listens_per_session, limits.listens, limits.subscription_bytes),
            burst: Burst::default(),
            sent: Sent::new(),
            spent: Spent::new(limits.spent_states),
            elicitation_ids: ElicitationIds::new(limits.elicitation_ids),
            pacing: Pacing::new(limits.progress_per_second, limits.logs_per_second),
            tasks: Tasks::new(tasks::Bounds {
                all: limits.tasks,
                per_session: limits.tasks_per_session,
                bytes: limits.task_bytes,
            }),
            pace: TaskPace::default(),
            waiters: Waiters::default(),
            keys,
            relay: None,
            counters: Counters::default(),
            timing: Timing::default(),
            effects: VecDeque::new(),
            discarded: Vec::new(),
            settings,
        }
    }

    /// What the driver is to do next.
    pub fn effect(&mut self) -> Option<Effect<H>> {
        self.effects.pop_front()
    }

    /// A handler that nothing needs any more. What drops it may run code of the application, so the driver does it without a
    /// lock.
    pub fn discarded(&mut self) -> Option<H> {
        self.discarded.pop()
    }

    pub(super) fn discard(&mut self, handler: Option<H>) {
        self.discarded.extend(handler);
    }

    /// When [`tick`](Self::tick) is to be called at the latest.
    pub fn deadline(&self) -> Option<Instant> {
        let of_tasks = [self.tasks.deadline(), self.pace.due(), self.line.deadline()];
        let others =
            [self.requests.deadline(), self.sent.deadline(), self.burst.due(), self.pacing.deadline()];
        of_tasks.into_iter().chain(others).flatten().min()
    }

    /// Does what is due.
    pub fn tick(&mut self, now: Now) {
        self.end_overdue_requests(now);
        self.end_waits_in_line(now);
        self.end_expired_tasks(now);
        // After those: a handler does not run again for a request that is over.
        self.end_overdue_questions(now);
        self.tell_due_tasks(now);
        self.tell_changes(now);
        self.report_what_waited(now);
    }

    /// How many sessions there may be that are more than one request.
    pub fn most_sessions(&self) -> usize {
        self.settings.limits.sessions
    }

    /// Whether one more session may be opened.
    pub fn has_room_for_session(&self) -> bool {
        self.sessions.has_room()
    }

    /// Opens a session; `None` if there are as many as there may be. Over HTTP each stream has ids of its own.
    pub fn open(&mut self, ids_per_stream: bool) -> Option<SessionId> {
        let session = self.sessions.open(ids_per_stream)?;
        self.counters.sessions_opened += 1;
        Some(session)
    }

    /// Says whose a session is, for what clients share. A principal goes before it.
    pub fn held_by(&mut self, session: SessionId, holder: Holder) {
        self.sessions.held_by(session, holder);
    }

    /// Opens a session for one request of the modern era, which that client sends. There may be as many as requests and subscriptions
    /// together; one client has at most half of what the others leave.
    #[cfg(feature = "http")]
    pub fn open_for_request(&mut self, holder: Holder) -> Option<SessionId> {
        self.sessions.open_for_request(holder)
    }

    /// The memory of a request is free: the application has released it. Whether others waited for that.
    pub fn released(&mut self, number: RequestId) -> bool {
        self.requests.released(number)
    }

    /// Whose a request is, as a number that all of one client have.
    pub fn holder_of(&self, request: RequestId) -> Option<u64> {
        self.requests.get(request).map(|request| request.holder)
    }

    /// A session has ended: its client is gone, or the driver gave it up. Its requests are withdrawn.
    pub fn close(&mut self, session: SessionId) {
        let has_subscriptions = self.sessions.has_subscriptions(session);
        if !self.sessions.close(session) {
            return;
        }
        self.counters.sessions_ended += 1;
        let has_listened = self.listens.end_session(session);
        self.end_calls(session);
        self.end_session_tasks(session);
        self.line.end_session(session);
        for request in self.requests.of_session(session) {
            self.withdraw(request, Withdrawn::SessionEnded);
        }
        self.elicitation_ids.forget(session);
        if let Some(count) = self.pacing.forget(session) {
            self.record_dropped_logs(session, count);
        }
        self.requests.end_session(session);
        if has_subscriptions || has_listened {
            self.subscriptions_changed(session);
        }
    }

    /// The client left one stream of a session. In 2026-07-28 that withdraws what was asked on it (S-CN-02); in the legacy era it
    /// means nothing (S-CN-03).
    pub fn stream_closed(&mut self, stream: Stream) {
        if self.listens.end_stream(stream) {
            self.effects.push_back(Effect::Ended(stream));
            self.subscriptions_changed(stream.session);
        }
        for request in self.requests.of_stream(stream) {
            let era = self.requests.get(request).map(|request| request.context.era());
            if era == Some(Era::Modern) {
                self.counters.cancelled += 1;
                self.withdraw(request, Withdrawn::Cancelled);
            }
        }
    }

    fn check(&self) -> registry::check::Check {
        registry::check::Check { is_strict: self.settings.check_definitions }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// Which member of the definition is wrong, or that the name is taken.
    pub fn add_tool(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let tool = self.check().tool(definition, handler)?;
        let warning = registry::check::name_warning(&tool.name);
        self.apps.added(&tool.name, tool.app.is_some());
        self.registry.add_tool(tool)?;
        if let Some(text) = warning {
            self.record(Level::Warn, SessionId(0), text);
        }
        self.changed(now, Changed::Tools);
        Ok(())
    }

    /// Adds a resource that a handler reads.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_resource(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_resource(self.check().resource(definition, Content::Handler(handler))?)?;
        self.changed(now, Changed::Resources);
        Ok(())
    }

    /// Adds a resource whose text is always the same.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_fixed_text(&mut self, now: Now, definition: &str, text: &str) -> Result<(), Invalid> {
        let mut resource = self.check().resource(definition, Content::Fixed(Arc::from("")))?;
        resource.content =
            Content::Fixed(results::fixed_text(&resource.uri, &resource.definition, text).into());
        self.registry.add_resource(resource)?;
        self.changed(now, Changed::Resources);
        Ok(())
    }

    /// Adds a resource whose bytes are always the same.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_fixed_bytes(&mut self, now: Now, definition: &str, bytes: &[u8]) -> Result<(), Invalid> {
        let mut resource = self.check().resource(definition, Content::Fixed(Arc::from("")))?;
        resource.content =
            Content::Fixed(results::fixed_blob(&resource.uri, &resource.definition, bytes).into());
        self.registry.add_resource(resource)?;
        self.changed(now, Changed::Resources);
        Ok(())
    }

    /// Adds a resource template.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_template(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_template(self.check().template(definition, handler)?)?;
        self.changed(now, Changed::Resources);
        Ok(())
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_prompt(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_prompt(self.check().prompt(definition, handler)?)?;
        self.changed(now, Changed::Prompts);
        Ok(())
    }

    /// Lets a handler complete `argument` of the prompt or the resource template `reference`.
    pub fn complete_by(&mut self, reference: &str, argument: &str, handler: H) {
        let before = self.registry.set_completer(reference, argument, Completer::Handler(handler));
        self.discard(before);
    }

    /// Completes `argument` of the prompt or the resource template `reference` from a fixed list.
    pub fn complete_from(&mut self, reference: &str, argument: &str, values: Vec<String>) {
        let before = self.registry.set_completer(reference, argument, Completer::Values(values.into()));
        self.discard(before);
    }

    /// Adds a method of an extension.
    ///
    /// # Errors
    /// The name is taken, or belongs to the protocol.
    pub fn add_method(
        &mut self,
        method: &str,
        capability: Option<&str>,
        settings: &str,
        handler: H,
    ) -> Result<(), Invalid> {
        let extension = Extension {
            capability: capability.map(str::to_owned),
            settings: settings.to_owned(),
            revisions: self.settings.revisions.clone(),
            handler,
        };
        self.registry.add_extension(method, extension)
    }

    /// Removes an entry; whether there was one.
    pub fn remove(&mut self, now: Now, kind: Kind, name: &str) -> bool {
        let (removed, handler) = self.registry.remove(kind, name);
        self.discard(handler);
        if removed {
            self.changed(now, Changed::of(kind));
        }
        removed
    }

    /// How many requests of a session wait for the application, for a place, or for the end of a task. Tasks are answered already.
    pub fn pending(&self, session: SessionId) -> usize {
        self.requests.of_session(session).len()
            + self.waiters.of_session(session)
            + self.line.of_session(session)
    }

    /// How many requests of one stream wait for their answers: for the application, for a place, or for the end of a task. A task
    /// has been answered.
    #[cfg(feature = "http")]
    pub fn waiting_on(&self, stream: Stream) -> usize {
        self.requests.unanswered_on(stream) + self.waiters.on_stream(stream) + self.line.on_stream(stream)
    }

    /// The schema of a tool's arguments, JSON text, if headers may repeat some of them and the principal may call the tool.
    #[cfg(feature = "http")]
    pub fn schema_with_headers(&self, principal: Option<&Principal>, tool: &str) -> Option<&str> {
        let tool = self.registry.tool(&self.reader(principal, method::TOOLS_CALL), tool).ok()??;
        crate::json::member(&tool.definition, "inputSchema").filter(|_| tool.has_header_parameters)
    }

    /// Refuses every request that waits for the application, and tells its handler.
    pub fn refuse_all(&mut self, why: &str) {
        for number in self.requests.all() {
            if let Some(request) = self.requests.get(number).filter(|request| request.task.is_none()) {
                let (to, id) = (request.stream, request.id.clone());
                self.send_waiting_progress(number);
                self.refuse(to, Some(&id), &Refusal::new(error_code::INTERNAL_ERROR, why));
            }
            self.withdraw(number, Withdrawn::SessionEnded);
        }
        self.refuse_waiters(why);
        while let Some(it) = self.line.pop() {
            self.refuse(it.from, Some(&it.id), &Refusal::new(error_code::INTERNAL_ERROR, why));
        }
    }

    /// What was counted.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How long requests waited and were worked on.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// How many sessions, requests, questions and subscriptions are open: nothing is left when all of them are zero.
    pub fn open_counts(&self) -> [usize; 4] {
        let requests = self.requests.count() + self.waiters.count() + self.line.count();
        [self.sessions.lasting(), requests, self.sent.count(), self.listens.count()]
    }

    /// Something of a client is not written as it should be, and was taken.
    pub(super) fn tolerated(&mut self, session: SessionId, what: &str) {
        self.counters.tolerated += 1;
        let text = format!("not written as the specification has it, and taken: {what}");
        self.record(Level::Debug, session, text);
    }

    pub(super) fn record(&mut self, level: Level, session: SessionId, text: String) {
        self.effects.push_back(Effect::Record { level, session, text });
    }
}
