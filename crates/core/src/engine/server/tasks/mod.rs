//! Calls of tools that become tasks: how they begin and end, who is notified, and the methods about them.
//!
//! The request of such a call stays in the table of requests, without its id on the wire, until its handler answers. From then
//! on everything is in [`TaskTable`](table::TaskTable).
//!
//! The files:
//!
//! * `table`: part: `TaskTable`; tasks as text
//! * `shared`: part: `SharedTasks`: tasks in a store that several processes share: those that this one works on
//! * `asked`: requests about them, and looks at those of other processes
//! * `sweep`: part: `ProcessList`: tasks of processes that are gone
//! * `restart`: calls that begin again in another process
//! * `parts`: results that are larger than one value of the store
//! * `record`: a task as the store keeps it
//! * `waiters`: parts: `ResultWaiters`, the requests that wait for the end of a task, and `TaskNotificationPace`, how often clients are notified

pub(super) mod asked;
pub(super) mod parts;
pub(super) mod record;
pub(super) mod restart;
pub(super) mod shared;
pub(super) mod sweep;
pub(super) mod table;
pub(super) mod waiters;

use super::Server;
use super::access::resolve::wanted;
use super::client_requests::questions::{Answer, as_answer, wrong_shape};
use super::effect::{Now, RequestId, SessionId, Stream, Withdrawn};
use super::notifications::{own_stream, subscription};
use super::registry::Kind;
use super::requests::answers::ModernMembers;
use super::requests::params::{WireId, given};
use super::requests::{PendingRequest, RequestHead, answers};
use super::session::context::{ErrorResponse, RequestContext};
use super::store::waiting::TaskWish;
use crate::engine::counters::Level;
use crate::json;
use crate::protocol::task::{EXTENSION, Form, RESULT_TYPE, Support, with_related};
use crate::protocol::{error_code, lenient, method};
use record::key_of;
use restart::MOST_CALL_BYTES;
use std::time::Duration;
use table::{
    NewTask, TaskEnd, TaskId, TaskLimitReached, TaskRecord, TaskRequester, related, status_text,
    task_end_members, task_members,
};
use waiters::ResultWaiter;

/// How often another name is drawn when one is taken.
const DRAWS: usize = 4;

/// What a handler wants of its task.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct TaskOptions<'a> {
    /// How long it is kept from its beginning on; `None`, and more than the configuration allows: as long as that allows.
    pub ttl: Option<Duration>,
    /// How often its client should ask.
    pub poll: Option<Duration>,
    /// What a person may read about its state.
    pub message: Option<&'a str>,
    /// How often its call may begin in all, each time in another process when the one before is gone; 0 and 1: once. Only with a store.
    pub attempts: u32,
}

/// What became of the wish to turn a request into a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskStart {
    /// It is one, perhaps since before.
    Task,
    /// It cannot become one, and why.
    Unsupported(String),
    /// There are as many tasks as there may be.
    Full(String),
    /// The request is over.
    Gone,
}

impl<H: Clone> Server<H> {
    /// Turns a call of a tool into a task (2026-07-28): its client gets the name of the task at once, and the handler answers
    /// late. For a request that is a task already the options say what has changed.
    pub fn start_task(&mut self, now: Now, number: RequestId, options: TaskOptions<'_>) -> TaskStart {
        let Some(request) = self.requests.get(number) else { return TaskStart::Gone };
        if let Some(task) = request.task.clone() {
            if self.tasks.describe(now, &task, options.message, options.poll.map(millis))
                && !self.task_to_write(now, &task, false)
            {
                self.task_changed(now, &task);
            }
            return TaskStart::Task;
        }
        if request.method != method::TOOLS_CALL || request.support == Support::Forbidden {
            let what = "only a call of a tool whose definition has execution.taskSupport \"optional\" or \"required\" can become a task";
            return TaskStart::Unsupported(what.to_owned());
        }
        match Form::at(request.context.revision) {
            Some(Form::Extension) if request.context.declares_tasks() => {}
            Some(Form::Extension) => {
                return TaskStart::Unsupported(format!(
                    "the client does not declare the extension '{EXTENSION}'"
                ));
            }
            Some(Form::Core) => {
                return TaskStart::Unsupported("the client did not ask for a task".to_owned());
            }
            None => {
                return TaskStart::Unsupported(format!("{} has no tasks", request.context.revision));
            }
        }
        match self.make_task(now, number, options) {
            Ok(()) => TaskStart::Task,
            Err(refusal) => TaskStart::Full(refusal.message),
        }
    }

    /// Whether a request is a task.
    #[cfg(any(test, feature = "testing"))]
    pub fn is_task(&self, number: RequestId) -> bool {
        self.requests.get(number).is_some_and(|request| request.task.is_some())
    }

    /// How many tasks are kept.
    pub fn task_count(&self) -> usize {
        self.tasks.count()
    }

    /// The name of the task that a request is.
    #[cfg(any(test, feature = "testing"))]
    pub fn task_of(&self, number: RequestId) -> Option<String> {
        self.requests.get(number)?.task.as_ref().map(|task| task.as_str().to_owned())
    }

    /// Whether the task of this name is not over, if there is one.
    #[cfg(any(test, feature = "testing"))]
    pub fn task_is_open(&self, name: &str) -> Option<bool> {
        self.tasks.get(name).map(|task| !task.is_over())
    }

    /// Whether a call of a tool must become a task at once, and what its client wishes then (S-T5-01, S-T5-03, S-TX-01).
    pub(super) fn requested_task(
        &self,
        context: &RequestContext,
        support: Support,
        name: &str,
        params: Option<&str>,
    ) -> Result<Option<TaskOptions<'static>>, ErrorResponse> {
        match Form::at(context.revision) {
            Some(Form::Core) if self.registry.runs_tasks() => {}
            Some(Form::Extension) if support == Support::Required && !context.declares_tasks() => {
                return Err(ErrorResponse::without_tasks(&format!("the tool '{name}'")));
            }
            _ => return Ok(None),
        }
        let Some(wish) = given(params, "task") else {
            return match support {
                Support::Required => {
                    let text = format!(
                        "the tool '{name}' runs as a task only: give 'task' in the parameters of the call"
                    );
                    Err(ErrorResponse::new(error_code::METHOD_NOT_FOUND, text))
                }
                Support::Optional | Support::Forbidden => Ok(None),
            };
        };
        if support == Support::Forbidden {
            let text =
                format!("the tool '{name}' does not run as a task: leave 'task' out of the parameters");
            return Err(ErrorResponse::new(error_code::METHOD_NOT_FOUND, text));
        }
        let wish =
            lenient::as_object(wish).ok_or_else(|| ErrorResponse::params("'task' must be an object"))?;
        let ttl = match json::member(wish, "ttl") {
            None | Some("null") => None,
            Some(text) => {
                let ms = json::integer(text).and_then(|ms| u64::try_from(ms).ok());
                let wrong =
                    || ErrorResponse::params("'ttl' of 'task' must be a whole number of milliseconds");
                Some(Duration::from_millis(ms.ok_or_else(wrong)?))
            }
        };
        Ok(Some(TaskOptions { ttl, ..TaskOptions::default() }))
    }

    /// Takes a request that is to be a task at once into the table, as one. A refused one is not in the table.
    pub(super) fn begin_as_task(
        &mut self,
        now: Now,
        number: RequestId,
        options: TaskOptions<'_>,
    ) -> Result<(), ErrorResponse> {
        self.make_task(now, number, options).inspect_err(|_| {
            let request = self.requests.remove(number);
            self.discard(request.map(|request| request.handler));
        })
    }

    /// Makes a task of a request, and answers the request with it. The task can be read before the answer is sent (S-TX-02).
    fn make_task(
        &mut self,
        now: Now,
        number: RequestId,
        options: TaskOptions<'_>,
    ) -> Result<(), ErrorResponse> {
        let Some(request) = self.requests.get(number) else { return Ok(()) };
        let Some(form) = Form::at(request.context.revision) else { return Ok(()) };
        let (to, id, context) = (request.stream, request.id.clone(), request.context.clone());
        let (space, bytes) = (request.space, request.params.len());
        let is_shared = self.is_shared(form, to.session);
        if is_shared {
            self.may_share_task(now)?;
            if options.attempts > 1 && bytes > MOST_CALL_BYTES {
                let text = format!(
                    "the parameters of the call have {bytes} bytes, and those of a call that may begin again {MOST_CALL_BYTES} at most"
                );
                return Err(ErrorResponse::new(error_code::INTERNAL_ERROR, text));
            }
        }
        let tool = request.name.clone();
        let holder = self.sessions.holder(to.session);
        let mut evicted = Vec::new();
        let admitted = self.tasks.admit(to.session, &holder, &mut evicted);
        self.forget_paces(evicted);
        admitted.map_err(|full| match full {
            TaskLimitReached::Session(limit) => {
                ErrorResponse::busy("limits.session_tasks", &format!("the session has {limit} tasks"))
            }
            TaskLimitReached::Share(share) => {
                let text = format!("the client has {share} tasks, which is its share beside the others");
                ErrorResponse::busy("limits.tasks", &text)
            }
        })?;
        let Some(task) = self.draw_name() else {
            let text = "the system gives no random numbers for the name of a task";
            return Err(ErrorResponse::new(error_code::INTERNAL_ERROR, text));
        };
        let most = self.settings.timeouts.task_ttl;
        let beginning = NewTask {
            form,
            session: to.session,
            owner: context.principal_id(),
            holder,
            tool: (&tool, self.registry.has(Kind::Tool, &tool)),
            request: Some(number),
            ttl: options.ttl.unwrap_or(most).min(most),
            poll_ms: options.poll.map(millis),
            message: options.message,
            begun: None,
        };
        let expires = self.tasks.insert(now, task.clone(), &beginning);
        self.requests.become_task(number, &task, expires);
        let written =
            self.tasks.get(task.as_str()).map(|it| task_members(task.as_str(), it)).unwrap_or_default();
        let result = match form {
            Form::Core => format!("{{\"task\":{{{written}}}}}"),
            Form::Extension => format!("{{\"resultType\":\"{RESULT_TYPE}\",{written}}}"),
        };
        if is_shared {
            self.share_task(now, &task, (to, space, id), (context, result), options.attempts.max(1));
            return Ok(());
        }
        // No method is named: the answer may not be kept.
        self.result(to, &id, Some((&context, "")), &result);
        Ok(())
    }

    /// A name that no task has.
    fn draw_name(&mut self) -> Option<TaskId> {
        for _ in 0..DRAWS {
            let mut bits = [0; 16];
            if !self.keys.random(&mut bits) {
                return None;
            }
            let name = TaskId::new(bits);
            if self.tasks.get(name.as_str()).is_none() {
                return Some(name);
            }
        }
        None
    }

    /// The handler of a task waits for answers of its client, or continues.
    pub(super) fn task_waits(&mut self, now: Now, number: RequestId, waits: bool) {
        let Some(task) = self.requests.get(number).and_then(|request| request.task.clone()) else { return };
        if self.tasks.set_waiting(now, &task, waits) && !self.task_to_write(now, &task, true) {
            self.task_changed(now, &task);
        }
    }

    /// Tells the changes whose interval is over.
    pub(super) fn notify_due_tasks(&mut self, now: Now) {
        while let Some(task) = self.task_pace.take(now.at) {
            self.notify_task(&task);
        }
    }

    /// A task has changed: its client is told, now or when the interval is over.
    fn task_changed(&mut self, now: Now, task: &TaskId) {
        if self.task_pace.changed(task, now.at) {
            self.notify_task(task);
        }
    }

    /// Tells how a task is: the session that made it (core form), or the streams that listen to it (extension).
    fn notify_task(&mut self, id: &TaskId) {
        let Some(task) = self.tasks.get(id.as_str()) else { return };
        match task.form {
            Form::Core => {
                let task = task.clone();
                self.notify_session(id.as_str(), &task);
            }
            Form::Extension => {
                let (task, whole) = (task.clone(), self.whole_task(id));
                self.notify_streams(id.as_str(), &task, &whole);
            }
        }
    }

    /// Core form: tells the session that made a task, if it is here.
    fn notify_session(&mut self, id: &str, task: &TaskRecord) {
        if self.sessions.is_open(task.session)
            && self.may_be_notified(task.session, |reader| task.read_by(reader))
        {
            let params = format!("{{{}}}", task_members(id, task));
            self.notify(own_stream(task.session), method::TASK_STATUS, &params);
        }
    }

    /// Extension: tells the streams that listen to a task.
    fn notify_streams(&mut self, id: &str, task: &TaskRecord, whole: &str) {
        for (stream, listen) in self.listens.of_task(id) {
            if self.may_be_notified(stream.session, |reader| task.read_by(reader)) {
                let params = format!("{{{whole},\"_meta\":{}}}", subscription(&listen));
                self.notify(stream, method::TASK_STATUS_OF_EXTENSION, &params);
            }
        }
    }

    /// Extension: a task with what belongs to its status, without braces (S-TX-03).
    fn whole_task(&self, id: &TaskId) -> String {
        let Some(task) = self.tasks.get(id.as_str()) else { return String::new() };
        let mut text = task_members(id.as_str(), task);
        text.push_str(&task_end_members(task));
        let request = task.request.and_then(|number| self.requests.get(number));
        if let Some(request) = request.filter(|request| request.questions.is_waiting()) {
            text.push_str(",\"inputRequests\":");
            text.push_str(&super::client_requests::input_requests(request.questions.all_open()));
        }
        text
    }

    /// Where messages of a request go: those of a task to a request that waits for it, else to its session (S-T5-09).
    pub(super) fn stream_of(&self, request: &PendingRequest<H>) -> Stream {
        let waiting = request.task.as_ref().and_then(|task| self.waiters.stream(task));
        waiting.unwrap_or(request.stream)
    }

    /// Tasks had to go to make room for others.
    fn forget_paces(&mut self, evicted: impl IntoIterator<Item = TaskId>) {
        for task in evicted {
            self.task_pace.forget(&task);
            let text = format!("the task '{}' was forgotten to make room for others", task.as_str());
            self.record(Level::Debug, SessionId(0), text);
        }
    }
}

/// Milliseconds of a wish.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<H: Clone> Server<H> {
    /// The handler of a task has answered with a result.
    pub(super) fn task_result(&mut self, now: Now, task: &TaskId, context: &RequestContext, result: &str) {
        let form = self.tasks.get(task.as_str()).map(|task| task.form);
        // S-T5-04, S-TX-04: a tool that failed fails its task in the core form, and completes it in the extension.
        let is_failure = form == Some(Form::Core) && json::member(result, "isError") == Some("true");
        let mut written = Vec::new();
        answers::write_result(
            context,
            result,
            &ModernMembers { result_type: "complete", info: None, caching: None, is_private: false },
            &mut written,
        );
        let end = TaskEnd::Result(String::from_utf8_lossy(&written).into());
        self.end_task(now, task, end, is_failure);
    }

    /// The call that became a task has failed.
    pub(super) fn task_error(&mut self, now: Now, task: &TaskId, refusal: &ErrorResponse) {
        self.end_task(now, task, TaskEnd::Error(refusal.clone()), true);
    }

    fn end_task(&mut self, now: Now, task: &TaskId, end: TaskEnd, is_failure: bool) {
        if self.is_own(task) {
            return self.task_to_end(now, task, end, is_failure);
        }
        let (has_ended, evicted) = self.tasks.finish(now, task, end, is_failure);
        self.forget_paces(evicted);
        if has_ended {
            self.task_changed(now, task);
            self.give_ends(task);
        }
    }

    /// Answers the requests that wait for a task that is over.
    fn give_ends(&mut self, task: &TaskId) {
        let end = self.tasks.get(task.as_str()).and_then(|task| task.end.clone());
        for waiter in self.waiters.take(task) {
            self.give_end(&waiter, task, end.as_ref());
        }
    }

    /// Answers `tasks/result` of a task that is over (S-T5-05).
    fn give_end(&mut self, waiter: &ResultWaiter, task: &TaskId, end: Option<&TaskEnd>) {
        match end {
            Some(TaskEnd::Result(result)) => {
                let result = with_related(result, &related(task));
                self.result(waiter.stream, &waiter.id, None, &result);
            }
            Some(TaskEnd::Error(refusal)) => self.refuse(waiter.stream, Some(&waiter.id), refusal),
            None => {
                let refusal = ErrorResponse::new(error_code::INVALID_REQUEST, "the task was cancelled");
                self.refuse(waiter.stream, Some(&waiter.id), &refusal);
            }
        }
    }

    /// A task is no longer wanted. `false` if it was over.
    fn cancel_task(&mut self, now: Now, task: &TaskId) -> bool {
        let (was_open, request) = self.tasks.cancel(now, task);
        if !was_open {
            return false;
        }
        if let Some(number) = request {
            self.counters.cancelled += 1;
            self.withdraw(number, Withdrawn::Cancelled);
        }
        self.task_changed(now, task);
        self.give_ends(task);
        true
    }

    /// Tasks whose time is over are forgotten; those that wait for them learn it (S-T5-09, S-TX-10).
    pub(super) fn end_expired_tasks(&mut self, now: Now) {
        while let Some((task, request)) = self.tasks.expired(now.at) {
            self.task_pace.forget(&task);
            self.shared_task_expired(&task);
            if let Some(number) = request {
                self.counters.overdue += 1;
                self.withdraw(number, Withdrawn::Deadline);
            }
            self.refuse_waiters_of(&task, &asked::expired());
        }
    }

    /// Tells those that wait for a task why they do not get its end.
    pub(super) fn refuse_waiters_of(&mut self, task: &TaskId, why: &ErrorResponse) {
        for waiter in self.waiters.take(task) {
            self.refuse(waiter.stream, Some(&waiter.id), why);
        }
    }

    /// A session has ended here: what only its client could ask for is forgotten. Other processes may go on with one whose tasks are in a
    /// store.
    pub(super) fn end_session_tasks(&mut self, session: SessionId) {
        self.waiters.end_session(session);
        let shared = &self.shared_tasks;
        for (task, request) in self.tasks.end_session(session, |id| shared.is_own(&key_of(id.as_str()))) {
            self.task_pace.forget(&task);
            if let Some(number) = request {
                self.withdraw(number, Withdrawn::SessionEnded);
            }
        }
    }

    /// The server closes: what waits for tasks is refused.
    pub(super) fn refuse_waiters(&mut self, why: &str) {
        for waiter in self.waiters.end_all() {
            self.refuse(
                waiter.stream,
                Some(&waiter.id),
                &ErrorResponse::new(error_code::INTERNAL_ERROR, why),
            );
        }
    }
}

impl<H: Clone> Server<H> {
    /// A request about tasks (S-T5-05, S-T5-07, S-T5-08, S-TX-03, S-TX-07, S-TX-08).
    pub(super) fn tasks_method(
        &mut self,
        head: &RequestHead<'_>,
        name: &str,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        let &RequestHead { now, from, id, ref context } = head;
        let form = Form::at(context.revision).filter(|form| {
            let of_the_other = match form {
                Form::Core => name == method::TASKS_UPDATE,
                Form::Extension => matches!(name, method::TASKS_LIST | method::TASKS_RESULT),
            };
            self.registry.runs_tasks() && !of_the_other
        });
        let Some(form) = form else { return Err(ErrorResponse::method(name)) };
        if form == Form::Extension && !context.declares_tasks() {
            return Err(ErrorResponse::without_tasks(&format!("'{name}'")));
        }
        if name == method::TASKS_LIST {
            return self.tasks_list(head, params);
        }
        let reader = self.reader(context.principal.as_deref(), name);
        let wanted = wanted(&reader, params, "taskId")?;
        if self.is_shared(form, from.session) {
            let (name, wish) = match name {
                method::TASKS_UPDATE => {
                    let answers = read_answers(params)?;
                    let answers = answers.into_iter().map(|(key, answer)| (key.into(), answer.into()));
                    (method::TASKS_UPDATE, TaskWish::Update(answers.collect()))
                }
                method::TASKS_CANCEL => (method::TASKS_CANCEL, TaskWish::Cancel),
                method::TASKS_RESULT => (method::TASKS_RESULT, TaskWish::Result),
                _ => (method::TASKS_GET, TaskWish::Get),
            };
            return self.ask_about_task(head, name, &wanted, wish);
        }
        let asker = TaskRequester { session: from.session, form, owner: context.principal_id() };
        let Some(task) = self.tasks.visible(&reader, &wanted, asker)? else {
            return Err(ErrorResponse::params("the task does not exist, or it has expired"));
        };
        match (name, form) {
            (method::TASKS_RESULT, _) => return self.tasks_result(from, id, &task),
            (method::TASKS_UPDATE, _) => self.tasks_update(now, &task, params)?,
            (method::TASKS_CANCEL, Form::Core) => {
                let before = self.tasks.get(task.as_str()).map(|task| task.status);
                if !self.cancel_task(now, &task) {
                    let before = before.map_or("over", status_text);
                    let text = format!("the task cannot be cancelled: its status is '{before}'");
                    return Err(ErrorResponse::params(text));
                }
            }
            (method::TASKS_CANCEL, Form::Extension) => {
                // One that is over is acknowledged, too (S-TX-06).
                self.cancel_task(now, &task);
            }
            _ => {}
        }
        let result = match (name, form) {
            (method::TASKS_GET, Form::Extension) => format!("{{{}}}", self.whole_task(&task)),
            (_, Form::Extension) => "{}".to_owned(),
            (_, Form::Core) => {
                let text = self.tasks.get(task.as_str()).map(|it| task_members(task.as_str(), it));
                format!("{{{}}}", text.unwrap_or_default())
            }
        };
        // No method is named: how a task is may not be kept.
        self.give_result(head, "", &result);
        Ok(())
    }

    /// Waits for the end of a task, as one of the requests of its session.
    fn tasks_result(&mut self, from: Stream, id: &WireId, task: &TaskId) -> Result<(), ErrorResponse> {
        let holder = self.sessions.holder_number(from.session);
        let waiter = ResultWaiter { stream: from, space: self.id_space(from), id: id.clone(), holder };
        if self.tasks.get(task.as_str()).is_none_or(TaskRecord::is_over) {
            let end = self.tasks.get(task.as_str()).and_then(|task| task.end.clone());
            self.give_end(&waiter, task, end.as_ref());
            return Ok(());
        }
        self.check_place(from.session, 0)?;
        self.waiters.add(task, waiter);
        Ok(())
    }

    /// One page of the tasks of a session. The cursor is sealed: how many tasks others made is not for its client.
    fn tasks_list(&mut self, head: &RequestHead<'_>, params: Option<&str>) -> Result<(), ErrorResponse> {
        let session = head.from.session;
        if self.is_shared(Form::Core, session) {
            return self.ask_for_list(head, given(params, "cursor"));
        }
        let bound = binding(session);
        let after = match given(params, "cursor") {
            None => 0,
            Some(text) => json::string(text)
                .and_then(|text| self.keys.open(&text, &bound))
                .and_then(|place| Some(u64::from_be_bytes(place.try_into().ok()?)))
                .ok_or_else(|| ErrorResponse::params("the cursor is not one of this list"))?,
        };
        let reader = self.reader(head.context.principal.as_deref(), method::TASKS_LIST);
        let (page, next) = self.tasks.page(&reader, session, after, self.settings.page_size);
        let tasks: Vec<String> =
            page.iter().map(|(id, task)| format!("{{{}}}", task_members(id.as_str(), task))).collect();
        let mut result = format!("{{\"tasks\":[{}]", tasks.join(","));
        if let Some(next) = next {
            let Some(cursor) = self.keys.seal(&next.to_be_bytes(), &bound) else {
                let text = "the system gives no random numbers to seal a cursor with";
                return Err(ErrorResponse::new(crate::protocol::error_code::INTERNAL_ERROR, text));
            };
            result.push_str(",\"nextCursor\":");
            json::quote_into(&cursor, &mut result);
        }
        result.push('}');
        self.give_result(head, "", &result);
        Ok(())
    }

    /// Takes answers to questions of a task, all or some (S-TX-05). Those to questions that are not open are ignored.
    fn tasks_update(&mut self, now: Now, task: &TaskId, params: Option<&str>) -> Result<(), ErrorResponse> {
        let answers = read_answers(params)?;
        let Some(number) = self.tasks.get(task.as_str()).and_then(|task| task.request) else { return Ok(()) };
        let mut is_complete = false;
        for (key, response) in answers {
            let Some(request) = self.requests.get_mut(number) else { continue };
            let Some(method) = request.questions.open(&key).map(|question| question.method) else { continue };
            let answer = match as_answer(method, response) {
                Some(response) => Answer::Result(response.as_ref().into()),
                None => Answer::Failed(wrong_shape(method)),
            };
            is_complete |= request.questions.answered(&key, answer);
        }
        if is_complete {
            self.run_again(now, number);
        }
        Ok(())
    }
}

/// The answers that an update brings, by the keys of their questions.
fn read_answers(params: Option<&str>) -> Result<Vec<(String, &str)>, ErrorResponse> {
    let Some(responses) = params.and_then(|params| lenient::object(params, "inputResponses")) else {
        return Err(ErrorResponse::params("'inputResponses' must be an object"));
    };
    let mut answers = Vec::new();
    for (key, response) in json::members(responses) {
        let key = json::string(&format!("\"{key}\"")).unwrap_or_default().into_owned();
        if json::kind(response) != Some(json::Kind::Object) {
            return Err(ErrorResponse::params(format!("the answer '{key}' must be an object")));
        }
        answers.push((key, response));
    }
    Ok(answers)
}

/// What a cursor is good for.
fn binding(session: SessionId) -> Vec<u8> {
    format!("{} {}", method::TASKS_LIST, session.0).into_bytes()
}
