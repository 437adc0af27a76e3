//! Tasks whose calls begin again in another process when the one that worked on them is gone, because their handlers allow that.
//!
//! The record of such a task has the call. What a handler asked or kept is not in it: each attempt begins at the beginning.

use super::record::{StoredCall, StoredTask};
use super::table::{NewTask, TaskEnd, TaskId};
use crate::engine::server::Server;
use crate::engine::server::effect::{Now, RequestId, SessionId, Stream, Withdrawn};
use crate::engine::server::registry::Kind;
use crate::engine::server::requests::RequestHead;
use crate::engine::server::requests::params::{FrameText, RequestParams, WireId};
use crate::engine::server::session::context::{ErrorResponse, RequestMeta};
use crate::engine::server::store::operation::STORE_VALUE_BYTES;
use crate::engine::server::store::waiting::AskedTask;
use crate::protocol::error_code;
use crate::protocol::task::Form;
use crate::shares::Holder;
use std::time::{Duration, Instant};

/// The most bytes of the parameters of a call that may begin again: what it came to is no longer beside them.
pub(super) const MOST_CALL_BYTES: usize = STORE_VALUE_BYTES / 2;
/// No client is there for them.
const NOWHERE: Stream = Stream { session: SessionId(0), number: 0 };

/// Whose share it takes.
fn holder_of(call: &StoredCall) -> Holder {
    match &call.principal {
        Some(principal) => Holder::Principal(principal.id.as_ref().into()),
        None => Holder::Session(NOWHERE.session.0),
    }
}

impl<H: Clone> Server<H> {
    /// The call of a task, for its record.
    pub(super) fn stored_call(&self, id: &TaskId, number: Option<RequestId>) -> Option<StoredCall> {
        let request = self.requests.get(number?)?;
        let principal = request.context.principal.clone();
        Some(StoredCall { id: id.as_str().into(), params: (*request.params).into(), principal })
    }

    /// Which attempt of how many a task that this process works on is; one of one without a store.
    pub(in crate::engine::server) fn attempts_of(&self, id: &TaskId) -> (u32, u32) {
        self.shared_tasks.attempts(id).unwrap_or((1, 1))
    }

    /// Whether the call of a task can begin again here.
    pub(super) fn can_begin_again(&mut self, now: Now, stored: &StoredTask) -> bool {
        let Some(call) = &stored.call else { return false };
        if !self.has_room_for_task(&holder_of(call)) {
            return false;
        }
        let reader = self.reader(call.principal.as_deref(), "");
        let is_offered = stored.task.is_listed == self.registry.has(Kind::Tool, &stored.task.tool);
        self.store.is_held(now)
            && is_offered
            && stored.task.read_by(&reader).is_ok()
            && self.has_place(NOWHERE.session, call.params.len()).is_ok()
    }

    fn has_room_for_task(&mut self, holder: &Holder) -> bool {
        let mut evicted = Vec::new();
        let is_admitted = self.tasks.admit(NOWHERE.session, holder, &mut evicted).is_ok();
        self.forget_paces(evicted);
        is_admitted
    }

    /// The record of a task says that this process works on it: its call begins again, from the beginning.
    pub(super) fn begin_again(&mut self, now: Now, asked: AskedTask, stored: Box<StoredTask>, version: u64) {
        let call = stored.call.clone();
        if call.as_ref().is_some_and(|call| !self.has_room_for_task(&holder_of(call))) {
            // Others came meanwhile. This process looks at what it gave up.
            self.shared_tasks.abandon(&asked.key);
        } else if let Some(call) = call {
            let id = TaskId::known(&call.id);
            let left = stored.until.saturating_sub(self.store.unix_ms(now));
            let begun = self.call_again(now, &call);
            let number = begun.as_ref().ok().copied();
            let task = NewTask {
                form: Form::Extension,
                session: NOWHERE.session,
                owner: call.principal.as_ref().map_or("", |principal| &principal.id),
                holder: holder_of(&call),
                tool: (&stored.task.tool, stored.task.is_listed),
                request: number,
                ttl: stored.task.ttl,
                poll_ms: stored.task.poll_ms,
                message: stored.task.message.as_deref(),
                begun: Some((stored.task.created, Duration::from_millis(left))),
            };
            let expires = self.tasks.insert(now, id.clone(), &task);
            self.own_again(now, &asked.key, &id, &stored, version);
            match begun {
                Ok(number) => self.requests.become_task(number, &id, expires),
                Err(refusal) => self.task_to_end(now, &id, TaskEnd::Error(refusal), true),
            }
        }
        self.found(now, asked, stored, version);
    }

    /// Runs the handler of a call for which no client waits.
    fn call_again(&mut self, now: Now, call: &StoredCall) -> Result<RequestId, ErrorResponse> {
        let kept = FrameText::copied(&call.params);
        let params = RequestParams::again(&kept);
        let metadata = RequestMeta::read(&params, self.settings.limits.depth)?;
        let (sessions, limit) = (&mut self.sessions, self.settings.limits.id);
        let read = |text: &str| sessions.capabilities(NOWHERE.session, text);
        let mut context = metadata.modern(&self.settings.revisions, limit, read)?;
        context.principal.clone_from(&call.principal);
        let id = WireId::of_task(&call.id);
        self.tools_call(RequestHead { now, from: NOWHERE, id: &id, context }, params)?;
        let number = self.requests.find(NOWHERE.session, self.id_space(NOWHERE), &id);
        number.ok_or_else(|| {
            let text = "the call could not begin again";
            ErrorResponse::new(error_code::INTERNAL_ERROR, text)
        })
    }

    /// The lease is nearly over and was not renewed: before other processes may begin the tasks again that may begin again, their handlers
    /// are told to stop.
    pub(in crate::engine::server) fn give_up_tasks(&mut self, now: Now) {
        if self.give_up_at().is_none_or(|at| at > now.at) {
            return;
        }
        self.shared_tasks.given_up_for = self.store.held_until();
        for (key, id) in self.shared_tasks.restartable() {
            self.leave_task(&id, &key, Withdrawn::SessionEnded);
            self.shared_tasks.abandon(&key);
        }
    }

    /// When that is. It is done once for each lease.
    pub(in crate::engine::server) fn give_up_at(&self) -> Option<Instant> {
        let until = self.store.held_until().filter(|until| self.shared_tasks.given_up_for != Some(*until))?;
        until.checked_sub(self.lease() / 5)
    }
}
