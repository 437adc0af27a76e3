//! Requests about tasks: `tasks/get`, `tasks/result`, `tasks/list`, `tasks/cancel`, `tasks/update`.

use super::authorizing::wanted;
use super::context::{Context, Refusal};
use super::effect::{Now, SessionId, Stream};
use super::incoming::wrong_shape;
use super::input::{Answer, as_answer};
use super::params::given;
use super::router::Server;
use super::task_calls::{declares_tasks, undeclared};
use super::task_text::{members, status};
use super::task_waiters::Waiter;
use super::tasks::{Asker, Task, TaskId};
use super::wire_id::WireId;
use crate::json::{self, Kind};
use crate::protocol::given;
use crate::protocol::method;
use crate::protocol::task::Form;

impl<H: Clone> Server<H> {
    /// A request about tasks (S-T5-05, S-T5-07, S-T5-08, S-TX-03, S-TX-07, S-TX-08).
    pub(super) fn tasks_method(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: &Context,
        name: &str,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let form = Form::at(context.revision).filter(|form| {
            let of_the_other = match form {
                Form::Core => name == method::TASKS_UPDATE,
                Form::Extension => matches!(name, method::TASKS_LIST | method::TASKS_RESULT),
            };
            self.registry.runs_tasks() && !of_the_other
        });
        let Some(form) = form else { return Err(Refusal::method(name)) };
        if form == Form::Extension && !declares_tasks(context) {
            return Err(undeclared(&format!("'{name}'")));
        }
        if name == method::TASKS_LIST {
            return self.tasks_list(from, id, context, params);
        }
        let reader = self.reader(context.principal.as_deref(), name);
        let wanted = wanted(&reader, params, "taskId")?;
        let asker = Asker { session: from.session, form, owner: context.principal_id() };
        let Some(task) = self.tasks.visible(&reader, &wanted, asker)? else {
            return Err(Refusal::params("there is no such task, or it has expired"));
        };
        match (name, form) {
            (method::TASKS_RESULT, _) => return self.tasks_result(from, id, &task),
            (method::TASKS_UPDATE, _) => self.tasks_update(now, &task, params)?,
            (method::TASKS_CANCEL, Form::Core) => {
                let before = self.tasks.get(task.as_str()).map(|task| task.status);
                if !self.cancel_task(now, &task) {
                    let before = before.map_or("over", status);
                    let text = format!("the task cannot be cancelled: its status is '{before}'");
                    return Err(Refusal::params(text));
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
                let text = self.tasks.get(task.as_str()).map(|it| members(&task, it));
                format!("{{{}}}", text.unwrap_or_default())
            }
        };
        // No method is named: how a task is may not be kept.
        self.result(from, id, Some((context, "")), &result);
        Ok(())
    }

    /// Waits for the end of a task, as one of the requests of its session.
    fn tasks_result(&mut self, from: Stream, id: &WireId, task: &TaskId) -> Result<(), Refusal> {
        let holder = self.sessions.holder_number(from.session);
        let waiter = Waiter { stream: from, space: self.id_space(from), id: id.clone(), holder };
        if self.tasks.get(task.as_str()).is_none_or(Task::is_over) {
            self.give_end(&waiter, task);
            return Ok(());
        }
        self.admit(from.session, 0)?;
        self.waiters.add(task, waiter);
        Ok(())
    }

    /// One page of the tasks of a session. The cursor is sealed: how many tasks others made is not for its client.
    fn tasks_list(
        &mut self,
        from: Stream,
        id: &WireId,
        context: &Context,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let bound = binding(from.session);
        let after = match given(params, "cursor") {
            None => 0,
            Some(text) => json::string(text)
                .and_then(|text| self.keys.open(&text, &bound))
                .and_then(|place| Some(u64::from_be_bytes(place.try_into().ok()?)))
                .ok_or_else(|| Refusal::params("the cursor is not one of this list"))?,
        };
        let reader = self.reader(context.principal.as_deref(), method::TASKS_LIST);
        let (page, next) = self.tasks.page(&reader, from.session, after, self.settings.page_size);
        let tasks: Vec<String> = page.iter().map(|(id, task)| format!("{{{}}}", members(id, task))).collect();
        let mut result = format!("{{\"tasks\":[{}]", tasks.join(","));
        if let Some(next) = next {
            let Some(cursor) = self.keys.seal(&next.to_be_bytes(), &bound) else {
                let text = "the system gives no random numbers to seal a cursor with";
                return Err(Refusal::new(crate::protocol::error_code::INTERNAL_ERROR, text));
            };
            result.push_str(",\"nextCursor\":");
            json::quote_into(&cursor, &mut result);
        }
        result.push('}');
        self.result(from, id, Some((context, "")), &result);
        Ok(())
    }

    /// Takes answers to questions of a task, all or some (S-TX-05). Those to questions that are not open are ignored.
    fn tasks_update(&mut self, now: Now, task: &TaskId, params: Option<&str>) -> Result<(), Refusal> {
        let Some(responses) = params.and_then(|params| given::object(params, "inputResponses")) else {
            return Err(Refusal::params("'inputResponses' must be an object"));
        };
        let mut answers = Vec::new();
        for (key, response) in json::members(responses) {
            let key = json::string(&format!("\"{key}\"")).unwrap_or_default().into_owned();
            if json::kind(response) != Some(Kind::Object) {
                return Err(Refusal::params(format!("the answer '{key}' must be an object")));
            }
            answers.push((key, response));
        }
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

/// What a cursor is good for.
fn binding(session: SessionId) -> Vec<u8> {
    format!("{} {}", method::TASKS_LIST, session.0).into_bytes()
}
