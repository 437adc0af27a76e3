//! Calls of tools that become tasks, and who is told how a task is. `task_ends.rs` says how they end.
//!
//! The request of such a call stays in the table of requests, without its id on the wire, until its handler answers. From then
//! on everything is in [`Tasks`](super::tasks::Tasks).

use super::context::{Context, Refusal};
use super::effect::{Now, RequestId, SessionId, Stream};
use super::notices::{own_stream, subscription};
use super::params::given;
use super::registry::Kind;
use super::requests::Request;
use super::router::Server;
use super::task_text::{end_members, members};
use super::tasks::{Beginning, TaskId, TooMany};
use crate::engine::counters::Level;
use crate::json;
use crate::protocol::task::{EXTENSION, Form, RESULT_TYPE, Support};
use crate::protocol::{error_code, given, method};
use serde_json::json;
use std::time::Duration;

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
}

/// What became of the wish to turn a request into a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Started {
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
    pub fn start_task(&mut self, now: Now, number: RequestId, options: TaskOptions<'_>) -> Started {
        let Some(request) = self.requests.get(number) else { return Started::Gone };
        if let Some(task) = request.task.clone() {
            if self.tasks.describe(now, &task, options.message, options.poll.map(millis)) {
                self.task_changed(now, &task);
            }
            return Started::Task;
        }
        if request.method != method::TOOLS_CALL || request.support == Support::Forbidden {
            let what = "only a call of a tool whose definition has execution.taskSupport \"optional\" or \"required\" can become a task";
            return Started::Unsupported(what.to_owned());
        }
        match Form::at(request.context.revision) {
            Some(Form::Extension) if declares_tasks(&request.context) => {}
            Some(Form::Extension) => {
                return Started::Unsupported(format!(
                    "the client does not declare the extension '{EXTENSION}'"
                ));
            }
            Some(Form::Core) => {
                return Started::Unsupported("the client did not ask for a task".to_owned());
            }
            None => {
                return Started::Unsupported(format!("{} has no tasks", request.context.revision));
            }
        }
        match self.make_task(now, number, options) {
            Ok(()) => Started::Task,
            Err(refusal) => Started::Full(refusal.message),
        }
    }

    /// Whether a request is a task.
    #[cfg(test)]
    pub fn is_task(&self, number: RequestId) -> bool {
        self.requests.get(number).is_some_and(|request| request.task.is_some())
    }

    /// How many tasks are kept.
    pub fn task_count(&self) -> usize {
        self.tasks.count()
    }

    /// The name of the task that a request is.
    #[cfg(test)]
    pub fn task_of(&self, number: RequestId) -> Option<String> {
        self.requests.get(number)?.task.as_ref().map(|task| task.as_str().to_owned())
    }

    /// Whether the task of this name is not over, if there is one.
    #[cfg(test)]
    pub fn task_is_open(&self, name: &str) -> Option<bool> {
        self.tasks.get(name).map(|task| !task.is_over())
    }

    /// Whether a call of a tool must become a task at once, and what its client wishes then (S-T5-01, S-T5-03, S-TX-01).
    pub(super) fn wished_task(
        &self,
        context: &Context,
        support: Support,
        name: &str,
        params: Option<&str>,
    ) -> Result<Option<TaskOptions<'static>>, Refusal> {
        match Form::at(context.revision) {
            Some(Form::Core) if self.registry.runs_tasks() => {}
            Some(Form::Extension) if support == Support::Required && !declares_tasks(context) => {
                return Err(undeclared(&format!("the tool '{name}'")));
            }
            _ => return Ok(None),
        }
        let Some(wish) = given(params, "task") else {
            return match support {
                Support::Required => {
                    let text = format!(
                        "the tool '{name}' runs as a task only: give 'task' in the parameters of the call"
                    );
                    Err(Refusal::new(error_code::METHOD_NOT_FOUND, text))
                }
                Support::Optional | Support::Forbidden => Ok(None),
            };
        };
        if support == Support::Forbidden {
            let text =
                format!("the tool '{name}' does not run as a task: leave 'task' out of the parameters");
            return Err(Refusal::new(error_code::METHOD_NOT_FOUND, text));
        }
        let wish = given::as_object(wish).ok_or_else(|| Refusal::params("'task' must be an object"))?;
        let ttl = match json::member(wish, "ttl") {
            None | Some("null") => None,
            Some(text) => {
                let ms = json::integer(text).and_then(|ms| u64::try_from(ms).ok());
                let wrong = || Refusal::params("'ttl' of 'task' must be a whole number of milliseconds");
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
    ) -> Result<(), Refusal> {
        self.make_task(now, number, options).inspect_err(|_| {
            let request = self.requests.remove(number);
            self.discard(request.map(|request| request.handler));
        })
    }

    /// Makes a task of a request, and answers the request with it. The task can be read before the answer is sent (S-TX-02).
    fn make_task(&mut self, now: Now, number: RequestId, options: TaskOptions<'_>) -> Result<(), Refusal> {
        let Some(request) = self.requests.get(number) else { return Ok(()) };
        let Some(form) = Form::at(request.context.revision) else { return Ok(()) };
        let (to, id, context) = (request.stream, request.id.clone(), request.context.clone());
        let tool = request.name.clone();
        let holder = self.sessions.holder(to.session);
        let mut evicted = Vec::new();
        let admitted = self.tasks.admit(to.session, &holder, &mut evicted);
        self.forget_paces(evicted);
        admitted.map_err(|full| match full {
            TooMany::Session(limit) => {
                Refusal::busy("limits.session_tasks", &format!("the session has {limit} tasks"))
            }
            TooMany::Share(share) => {
                let text = format!("the client has {share} tasks, which is its share beside the others");
                Refusal::busy("limits.tasks", &text)
            }
        })?;
        let Some(task) = self.draw_name() else {
            let text = "the system gives no random numbers for the name of a task";
            return Err(Refusal::new(error_code::INTERNAL_ERROR, text));
        };
        let most = self.settings.timeouts.task_ttl;
        let beginning = Beginning {
            form,
            session: to.session,
            owner: context.principal_id(),
            holder,
            tool: (&tool, self.registry.has(Kind::Tool, &tool)),
            request: Some(number),
            ttl: options.ttl.unwrap_or(most).min(most),
            poll_ms: options.poll.map(millis),
            message: options.message,
        };
        let expires = self.tasks.insert(now, task.clone(), &beginning);
        self.requests.become_task(number, &task, expires);
        let written = self.tasks.get(task.as_str()).map(|it| members(&task, it)).unwrap_or_default();
        let result = match form {
            Form::Core => format!("{{\"task\":{{{written}}}}}"),
            Form::Extension => format!("{{\"resultType\":\"{RESULT_TYPE}\",{written}}}"),
        };
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
        if self.tasks.set_waiting(now, &task, waits) {
            self.task_changed(now, &task);
        }
    }

    /// Tells the changes whose interval is over.
    pub(super) fn tell_due_tasks(&mut self, now: Now) {
        while let Some(task) = self.pace.take(now.at) {
            self.tell_task(&task);
        }
    }

    /// A task has changed: its client is told, now or when the interval is over.
    pub(super) fn task_changed(&mut self, now: Now, task: &TaskId) {
        if self.pace.changed(task, now.at) {
            self.tell_task(task);
        }
    }

    /// Tells how a task is: the session that made it (core form), or the streams that listen to it (extension).
    fn tell_task(&mut self, id: &TaskId) {
        let Some(task) = self.tasks.get(id.as_str()) else { return };
        match task.form {
            Form::Core => {
                let (to, params) = (own_stream(task.session), format!("{{{}}}", members(id, task)));
                if self.hears_of(task.session, |reader| task.read_by(reader)) {
                    self.notify(to, method::TASK_STATUS, &params);
                }
            }
            Form::Extension => {
                let mut streams = self.listens.of_task(id.as_str());
                streams.retain(|(to, _)| self.hears_of(to.session, |reader| task.read_by(reader)));
                if streams.is_empty() {
                    return;
                }
                let whole = self.whole_task(id);
                for (stream, listen) in streams {
                    let params = format!("{{{whole},\"_meta\":{}}}", subscription(&listen));
                    self.notify(stream, method::TASK_STATUS_OF_EXTENSION, &params);
                }
            }
        }
    }

    /// Extension: a task with what belongs to its status, without braces (S-TX-03).
    pub(super) fn whole_task(&self, id: &TaskId) -> String {
        let Some(task) = self.tasks.get(id.as_str()) else { return String::new() };
        let mut text = members(id, task);
        text.push_str(&end_members(task));
        let request = task.request.and_then(|number| self.requests.get(number));
        if let Some(request) = request.filter(|request| request.questions.is_waiting()) {
            text.push_str(",\"inputRequests\":");
            text.push_str(&super::asking::input_requests(request.questions.all_open()));
        }
        text
    }

    /// Where messages of a request go: those of a task to a request that waits for it, else to its session (S-T5-09).
    pub(super) fn stream_of(&self, request: &Request<H>) -> Stream {
        let waiting = request.task.as_ref().and_then(|task| self.waiters.stream(task));
        waiting.unwrap_or(request.stream)
    }

    /// Tasks had to go to make room for others.
    pub(super) fn forget_paces(&mut self, evicted: impl IntoIterator<Item = TaskId>) {
        for task in evicted {
            self.pace.forget(&task);
            let text = format!("the task '{}' was forgotten to make room for others", task.as_str());
            self.record(Level::Debug, SessionId(0), text);
        }
    }
}

/// Whether a client declared the extension.
pub(super) fn declares_tasks(context: &Context) -> bool {
    context.can("extensions", Some(EXTENSION))
}

/// The refusal of what needs the extension (S-TX-07).
pub(super) fn undeclared(what: &str) -> Refusal {
    let data = json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } });
    let text = format!("{what} needs the extension '{EXTENSION}', which the client does not declare");
    Refusal::new(error_code::MISSING_CLIENT_CAPABILITY, text).with(&data)
}

/// Milliseconds of a wish.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
