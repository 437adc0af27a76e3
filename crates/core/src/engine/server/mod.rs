//! The state machine of a server, sans-I/O: all revisions, any number of sessions.
//!
//! Frames, the application's answers and timer ticks go in, each with the time it happened at; effects come out of
//! [`Server::effect`]. The engine answers itself what needs no application (handshake, discovery, lists, fixed resources,
//! `ping`, refusals) and hands the rest to handlers as [`Effect::Run`]. It must not know sockets, threads or the clock.
//!
//! [`Server`] is in this file. It owns the parts, and routes between them: each folder adds the functions of its topic. What each
//! part owns is in the comment of its type.
//!
//! The files:
//!
//! * `effect`: `Effect` and what else goes in and out
//! * `settings`: `Settings`, `Limits`: bounds, times, policies and their defaults
//! * `session`: sessions: the handshake, and what is known of the sender of a request. Part: `SessionTable`
//! * `requests`: from a frame to its answer: admission, dispatch, the queue, answers. Parts: `RequestTable`, `RequestQueue`
//! * `access`: which scopes requests need, and what they are about
//! * `registry`: tools and their apps, resources, templates, prompts, completers, methods of extensions. Part: `Registry`
//! * `client_requests`: questions and calls to clients, and `requestState`. Parts: `RequestQuestions`, `OutstandingRequests`,
//!   `ElicitationIds`, `ReplayGuard`
//! * `subscriptions`: subscriptions and `subscriptions/listen`. Parts: `ListenStreams`, `ChangeDebouncer`
//! * `notifications`: changes, progress and log messages, and how many a session gets in a second. Parts: `RateLimits`,
//!   `SharedNotices`
//! * `tasks`: calls that become tasks. Parts: `TaskTable`, `SharedTasks`, `ResultWaiters`, `TaskNotificationPace`
//! * `skills`: published skills and their methods. Part: `Skills`
//! * `store`: what is asked of a store that several processes share. Part: `StoreLink`
//! * `relay`: a server that stands before another one. Part: `Relay`
//! * `traced`: requests that are recorded for OpenTelemetry. Part: `OpenSpans`
//! * `draft`: what is done for texts of the next revision, where the settings name them

mod access;
mod client_requests;
#[cfg(feature = "draft")]
mod draft;
mod effect;
mod notifications;
mod registry;
mod relay;
mod requests;
mod session;
mod settings;
#[cfg_attr(not(feature = "skills"), allow(dead_code, reason = "without it no folder of skills is read"))]
mod skills;
mod store;
mod subscriptions;
mod tasks;
mod traced;

#[cfg(test)]
mod tests;

pub use access::{AccessRules, MissingScopes, Principal, ScopesByName};
pub use client_requests::may_notify;
pub use client_requests::questions::{Answer, AskOutcome};
pub use effect::{
    Claim, Claimed, ClientCallOutcome, Effect, Now, OutgoingKind, RequestId, Run, SessionId, Stream,
    Withdrawn,
};
pub use registry::{Invalid, Kind};
pub use requests::SMALL_REQUEST;
#[cfg(feature = "http")]
pub use requests::admission::{Admission, AdmissionError, SingleRequest};
pub use requests::answers::{Histogram, Outcome, Responded, contents_of};
pub use requests::checks::ArgumentCheck;
pub use requests::content::icon_fault;
pub use requests::params::{FrameText, ID_BYTES, WireId};
pub use session::{SealedSession, SharedSession};
pub use settings::{Announced, Caching, Limits, Settings, Severity, Timeouts};
#[cfg(feature = "skills")]
pub use skills::{Skill, SkillSet};
pub use store::operation::{
    Expected, Operation, STORE_VALUE_BYTES, SharedStore, StoreOutcome, StoreStatus, Ticket, process_key,
};
pub use subscriptions::is_own_member;
pub use tasks::{TaskOptions, TaskStart};

use super::counters::Level;
use super::seal::KeyRing;
use super::telemetry::Failure;
use crate::protocol::params::ParamsBuf;
use crate::protocol::{Era, error_code, write};
use crate::shares::Holder;
use client_requests::questions::{ElicitationIds, OutstandingRequests};
use client_requests::state::ReplayGuard;
use notifications::{RateLimits, SharedNotices};
use registry::definition::{DefinitionCheck, name_warning};
use registry::{Completer, EntryContent, ExtensionMethod, Registry};
use relay::Relay;
use requests::RequestTable;
use requests::answers::{self, Timing};
use requests::queue::{QueueBounds, RequestQueue};
use session::SessionTable;
use session::context::{ErrorResponse, RequestContext};
use skills::Skills;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use store::StoreLink;
use subscriptions::{ChangeDebouncer, ListChange, ListenStreams};
use tasks::shared::SharedTasks;
use tasks::sweep::ProcessList;
use tasks::table::{TaskBounds, TaskTable};
use tasks::waiters::{ResultWaiters, TaskNotificationPace};
use traced::OpenSpans;

/// A server. `H` is what the application wants back with a request: a function, an object, a number.
#[derive(Debug)]
pub struct Server<H> {
    settings: Settings,
    registry: Registry<H>,
    skills: Skills,
    sessions: SessionTable,
    requests: RequestTable<H>,
    queue: RequestQueue,
    listens: ListenStreams,
    debouncer: ChangeDebouncer,
    notices: SharedNotices,
    outstanding: OutstandingRequests,
    replay_guard: ReplayGuard,
    /// What is known of the store, where several processes share one.
    store: StoreLink,
    /// Sessions with sealed names that their clients have ended.
    ended_sessions: ReplayGuard,
    elicitation_ids: ElicitationIds,
    rate_limits: RateLimits,
    tasks: TaskTable,
    shared_tasks: SharedTasks,
    processes: ProcessList,
    task_pace: TaskNotificationPace,
    waiters: ResultWaiters,
    keys: KeyRing,
    relay: Option<Relay<H>>,
    /// The requests that are recorded, where that is on.
    spans: Option<Box<OpenSpans>>,
    counters: Counters,
    timing: Timing,
    effects: VecDeque<Effect<H>>,
    /// Handlers that nothing needs any more.
    discarded: Vec<H>,
    /// How the lists look, since that was last asked for.
    fingerprints: Option<[u64; 3]>,
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
    /// Requests that waited in the queue, because the limit of requests in progress was reached.
    pub held: u64,
    /// Requests that were refused because the limit was reached and the queue was full.
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
    pub fn new(settings: Settings, mut keys: KeyRing) -> Server<H> {
        let limits = &settings.limits;
        let mut start = [0; 4];
        // Without randomness no session gets a sealed name either.
        let first_question = match settings.seals_sessions && keys.random(&mut start) {
            true => u64::from(u32::from_be_bytes(start) >> 2),
            false => 1,
        };
        Server {
            registry: Registry::new(),
            skills: Skills::new(),
            sessions: SessionTable::new(
                limits.sessions,
                limits.requests.saturating_add(limits.listens),
                limits.subscription_bytes,
            ),
            requests: RequestTable::new(limits.requests_per_session, limits.requests, limits.request_bytes),
            queue: RequestQueue::new(QueueBounds {
                per_session: limits.waiting_per_session,
                bytes: limits.waiting_bytes,
            }),
            listens: ListenStreams::new(
                limits.listens_per_session,
                limits.listens,
                limits.subscription_bytes,
            ),
            debouncer: ChangeDebouncer::default(),
            notices: SharedNotices::default(),
            outstanding: OutstandingRequests::new(first_question),
            replay_guard: ReplayGuard::new(limits.spent_states),
            store: StoreLink::default(),
            shared_tasks: SharedTasks::default(),
            processes: ProcessList::default(),
            ended_sessions: ReplayGuard::new(limits.spent_states),
            elicitation_ids: ElicitationIds::new(limits.elicitation_ids),
            rate_limits: RateLimits::new(limits.progress_per_second, limits.logs_per_second),
            tasks: TaskTable::new(TaskBounds {
                all: limits.tasks,
                per_session: limits.tasks_per_session,
                bytes: limits.task_bytes,
            }),
            task_pace: TaskNotificationPace::default(),
            waiters: ResultWaiters::default(),
            keys,
            relay: None,
            spans: settings.telemetry.map(|telemetry| Box::new(OpenSpans::new(telemetry))),
            counters: Counters::default(),
            timing: Timing::default(),
            effects: VecDeque::new(),
            discarded: Vec::new(),
            fingerprints: None,
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

    fn discard(&mut self, handler: Option<H>) {
        self.discarded.extend(handler);
    }

    /// When [`tick`](Self::tick) is to be called at the latest.
    pub fn deadline(&self) -> Option<Instant> {
        let of_tasks =
            [self.tasks.deadline(), self.task_pace.due(), self.queue.deadline(), self.store_deadline()];
        let others = [
            self.requests.deadline(),
            self.outstanding.deadline(),
            self.debouncer.due(),
            self.rate_limits.deadline(),
        ];
        of_tasks.into_iter().chain(others).flatten().min()
    }

    /// Does what is due.
    pub fn tick(&mut self, now: Now) {
        self.end_overdue_requests(now);
        self.refuse_overdue_queued(now);
        self.tick_store(now);
        self.end_expired_tasks(now);
        // After those: a handler does not run again for a request that is over.
        self.end_overdue_questions(now);
        self.notify_due_tasks(now);
        self.send_change_notifications(now);
        self.send_waiting_reports(now);
    }

    /// How many sessions there may be that are more than one request.
    pub fn most_sessions(&self) -> usize {
        self.settings.limits.sessions
    }

    /// Whether one more session may be opened.
    pub fn has_room_for_session(&self) -> bool {
        self.sessions.has_room()
    }

    /// Opens a session; `None` when the limit is reached. Over HTTP each stream has ids of its own.
    pub fn open(&mut self, ids_per_stream: bool) -> Option<SessionId> {
        let session = self.sessions.open(ids_per_stream)?;
        self.counters.sessions_opened += 1;
        Some(session)
    }

    /// Says whose a session is, for what clients share. A principal goes before it.
    pub fn held_by(&mut self, session: SessionId, holder: Holder) {
        self.sessions.held_by(session, holder);
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
        self.end_traced_session(session);
        if !self.sessions.close(session) {
            return;
        }
        self.counters.sessions_ended += 1;
        let has_listened = self.listens.end_session(session);
        self.end_calls(session);
        self.end_session_tasks(session);
        self.queue.end_session(session);
        for request in self.requests.of_session(session) {
            self.withdraw(request, Withdrawn::SessionEnded);
        }
        self.elicitation_ids.forget(session);
        if let Some(count) = self.rate_limits.forget(session) {
            self.record_dropped_logs(session, count);
        }
        self.requests.end_session(session);
        self.end_spans_of(session);
        if has_subscriptions || has_listened {
            self.subscriptions_changed(session);
        }
    }

    /// The client left one stream of a session. In 2026-07-28 that withdraws what was asked on it (S-CN-02); in the legacy era it
    /// means nothing (S-CN-03).
    pub fn stream_closed(&mut self, stream: Stream) {
        if self.listens.end_stream(stream) {
            self.effects.push_back(Effect::Ended(stream));
            self.end_spans_on(stream);
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

    fn check(&self) -> DefinitionCheck {
        DefinitionCheck { is_strict: self.settings.check_definitions }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// Which member of the definition is wrong, or that the name is taken.
    pub fn add_tool(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let tool = self.check().tool(definition, handler)?;
        let warning = name_warning(&tool.name);
        #[cfg(feature = "draft")]
        let warning =
            warning.or_else(|| Server::<H>::capabilities_warning(self.settings.draft, &tool.definition));
        self.registry.add_tool(tool)?;
        if let Some(text) = warning {
            self.warn(text);
        }
        self.changed(now, ListChange::Tools);
        Ok(())
    }

    /// Adds a resource that a handler reads.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_resource(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_resource(self.check().resource(definition, EntryContent::Handler(handler))?)?;
        self.changed(now, ListChange::Resources);
        Ok(())
    }

    /// Adds a resource whose text is always the same.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_fixed_text(&mut self, now: Now, definition: &str, text: &str) -> Result<(), Invalid> {
        let mut resource = self.check().resource(definition, EntryContent::Fixed(Arc::from("")))?;
        resource.content =
            EntryContent::Fixed(answers::fixed_text(&resource.uri, &resource.definition, text).into());
        self.registry.add_resource(resource)?;
        self.changed(now, ListChange::Resources);
        Ok(())
    }

    /// Adds a resource whose bytes are always the same.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_fixed_bytes(&mut self, now: Now, definition: &str, bytes: &[u8]) -> Result<(), Invalid> {
        let mut resource = self.check().resource(definition, EntryContent::Fixed(Arc::from("")))?;
        resource.content =
            EntryContent::Fixed(answers::fixed_blob(&resource.uri, &resource.definition, bytes).into());
        self.registry.add_resource(resource)?;
        self.changed(now, ListChange::Resources);
        Ok(())
    }

    /// Adds a resource template.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_template(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_template(self.check().template(definition, handler)?)?;
        self.changed(now, ListChange::Resources);
        Ok(())
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// As for [`add_tool`](Self::add_tool).
    pub fn add_prompt(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        self.registry.add_prompt(self.check().prompt(definition, handler)?)?;
        self.changed(now, ListChange::Prompts);
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
        let extension = ExtensionMethod {
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
            self.changed(now, ListChange::of(kind));
        }
        removed
    }

    /// How many requests of a session wait for the application, for a place, or for the end of a task. Tasks are answered already.
    pub fn pending(&self, session: SessionId) -> usize {
        self.requests.of_session(session).len()
            + self.waiters.of_session(session)
            + self.queue.of_session(session)
    }

    /// How many requests of one stream wait for their answers: for the application, for a place, or for the end of a task. A task
    /// has been answered.
    #[cfg(feature = "http")]
    pub fn waiting_on(&self, stream: Stream) -> usize {
        self.requests.unanswered_on(stream) + self.waiters.on_stream(stream) + self.queue.on_stream(stream)
    }

    /// Refuses every request that waits for the application, and tells its handler.
    pub fn refuse_all(&mut self, now: Now, why: &str) {
        // While their calls are there.
        self.release_tasks(now);
        for number in self.requests.all() {
            if let Some(request) = self.requests.get(number).filter(|request| request.task.is_none()) {
                let (to, id) = (request.stream, request.id.clone());
                self.send_waiting_progress(number);
                self.refuse(to, Some(&id), &ErrorResponse::new(error_code::INTERNAL_ERROR, why));
            }
            self.withdraw(number, Withdrawn::SessionEnded);
        }
        self.refuse_waiters(why);
        while let Some(it) = self.queue.pop() {
            self.refuse(it.from, Some(&it.id), &ErrorResponse::new(error_code::INTERNAL_ERROR, why));
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
        let requests = self.requests.count() + self.waiters.count() + self.queue.count();
        [self.sessions.lasting(), requests, self.outstanding.count(), self.listens.count()]
    }

    /// Something of a client is not written as it should be, and was taken.
    fn tolerated(&mut self, session: SessionId, what: &str) {
        self.counters.tolerated += 1;
        let text = format!("accepted, although it does not follow the specification: {what}");
        self.record(Level::Debug, session, text);
    }

    /// A warning that is about no session.
    fn warn(&mut self, text: String) {
        self.record(Level::Warn, SessionId(0), text);
    }

    fn record(&mut self, level: Level, session: SessionId, text: String) {
        self.effects.push_back(Effect::Record { level, session, text });
    }

    /// Answers with an error.
    fn refuse(&mut self, to: Stream, id: Option<&WireId>, refusal: &ErrorResponse) {
        self.counters.errors += 1;
        if self.spans.is_some()
            && let Some(id) = id
        {
            self.end_span(to, id, Some(Failure::spoken(refusal.code, &refusal.message)));
        }
        let id = id.map(WireId::text);
        let frame = write::error(id, refusal.code, &refusal.message, refusal.data.as_deref()).text;
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Answer(Some(refusal.code)) });
    }

    /// Answers with a result: as it is in the legacy era and before the era is known, with what the modern era adds else.
    fn result(&mut self, to: Stream, id: &WireId, context: Option<(&RequestContext, &str)>, result: &str) {
        self.counters.results += 1;
        if self.spans.is_some() {
            self.end_span_by_result(to, id, result);
        }
        let frame = self.result_frame(id, context, result);
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Answer(None) });
    }

    /// Sends a notification whose parameters are JSON text.
    fn notify(&mut self, to: Stream, name: impl Into<Cow<'static, str>>, params: &str) {
        let name = name.into();
        let params = ParamsBuf::written(&name, params);
        let frame = write::notification(name, Some(params.view())).text;
        self.effects.push_back(Effect::Send { to, frame, sent: OutgoingKind::Notification });
    }
}
