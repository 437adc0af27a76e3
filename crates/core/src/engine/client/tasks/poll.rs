//! How a task is, and what it comes to: asked at the pace that its server wishes, within bounds, or told by the server.
//!
//! What the server of a task wants to know (extension) is handed to the application like a request of the server, and its
//! answers are brought by `tasks/update`. The server repeats what it asks until it has noticed the answer, so that each input is
//! known by its name for the task's life. The core form asks by requests of its own instead.

use crate::engine::client::Engine;
use crate::engine::client::calls::Feature;
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{Effect, Event, RequestedInput, ResultBody, State};
use crate::engine::client::exchanges::{Exchange, ExchangeFailure, RpcError, TaskRequest};
use crate::engine::client::lists::tool_result_fault;
use crate::engine::client::server_requests::pending::RequestOrigin;
use crate::engine::client::tasks::followed::{InputAdmission, TaskUpdate};
use crate::engine::{Error, Status, excerpt, millis};
use crate::json::{self, Span};
use crate::protocol::envelope::text;
use crate::protocol::task::{self, Form, Task};
use crate::protocol::write::{self, LocalMessage};
use crate::protocol::{error_code, lenient, method};
use std::time::Instant;

impl<T> Engine<T> {
    /// Asks how a task is, unless that is being asked.
    pub(crate) fn poll_task(&mut self, now: Instant, id: u64) {
        self.send_inputs(id);
        if self.state != State::Ready {
            return;
        }
        let Some(name) = self.tasks.unasked(id) else { return };
        let asking = self.ask_of_task(Exchange::Task(id, TaskRequest::Poll), method::TASKS_GET, &name, "");
        self.tasks.asked(id, TaskRequest::Poll, asking);
        self.expect_within_timeout(now, id);
    }

    /// Asks what a task of the core form came to. As long as it is not over the answer waits, and the requests of its server
    /// come meanwhile.
    fn await_task(&mut self, now: Instant, id: u64, is_over: bool) {
        self.tasks.stop_looking(id);
        if let Some(name) = self.tasks.unawaited(id) {
            let awaiting =
                self.ask_of_task(Exchange::Task(id, TaskRequest::Result), method::TASKS_RESULT, &name, "");
            self.tasks.asked(id, TaskRequest::Result, awaiting);
        }
        if is_over {
            self.expect_within_timeout(now, id);
        }
    }

    /// What was asked has the time that any call has.
    fn expect_within_timeout(&mut self, now: Instant, id: u64) {
        let Some(timeout) = self.calls.get(id).map(|call| call.timeout) else { return };
        self.look_at_task(now + timeout, id);
    }

    /// A person is asked to log in before a task is: their time does not count as the server's.
    pub(crate) fn task_waits_for_login(&mut self, now: Instant, id: u64, step: TaskRequest, waits: bool) {
        match step {
            _ if !self.tasks.holds(id) => {}
            TaskRequest::Update(_) => {}
            _ if waits => self.tasks.stop_looking(id),
            // While it needs input its result is awaited without a limit.
            TaskRequest::Result if !self.tasks.is_over(id) => {}
            _ => self.expect_within_timeout(now, id),
        }
    }

    fn look_at_task(&mut self, at: Instant, id: u64) {
        if !self.tasks.look_at(id, at) {
            return;
        }
        self.deadlines.add(at, Due::Task(id));
        self.sweep_deadlines();
    }

    /// Asks again when the server wishes it.
    fn poll_later(&mut self, now: Instant, id: u64) {
        if let Some(interval) = self.tasks.interval(id) {
            self.look_at_task(now + interval, id);
        }
    }

    /// The time has come to ask again, or what was asked has had its time.
    pub(crate) fn task_is_due(&mut self, now: Instant, id: u64) {
        let Some(silent) = self.tasks.due(id) else { return };
        if silent.is_empty() {
            return self.poll_task(now, id);
        }
        for exchange in silent {
            self.end_exchange(exchange);
        }
        let limit = self.calls.get(id).map_or(0, |call| millis(call.timeout));
        let what = format!(
            "the server did not say within {limit} ms how the task is; raise timeout_ms for this call"
        );
        self.try_task_again(
            now,
            id,
            Error::new(Status::Timeout, method::TASKS_GET, what).with("limit_ms", limit),
        );
    }

    /// A request about a task came to nothing. After as many in a row as a call may be sent again, the call ends.
    fn try_task_again(&mut self, now: Instant, id: u64, error: Error) {
        let Some(failures) = self.tasks.failed(id) else { return };
        if failures <= self.settings.max_retries {
            return self.poll_later(now, id);
        }
        let error = error.with("attempts", failures);
        self.withdraw_task(id);
        self.complete_task(now, id, &error);
    }

    /// A request about a task was answered.
    pub(crate) fn task_answered(
        &mut self,
        now: Instant,
        id: u64,
        step: TaskRequest,
        frame: Vec<u8>,
        span: Span,
    ) {
        if !self.tasks.holds(id) {
            return;
        }
        match step {
            TaskRequest::Update(index) => self.tasks.input_taken(id, index),
            TaskRequest::Result => {
                self.tasks.forget(id, step);
                let reply = match self.task_result_fault(id, text(&frame, span)) {
                    None => Ok(ResultBody::new(frame, span)),
                    Some(error) => {
                        self.violation(&error.message, &frame);
                        Err(error)
                    }
                };
                self.complete(now, id, reply);
            }
            TaskRequest::Poll => {
                self.tasks.forget(id, step);
                let result = text(&frame, span);
                let kind = json::member(result, "resultType").and_then(json::string);
                // The text says "complete", and its examples "task".
                if kind.as_deref().is_none_or(|kind| ["complete", task::RESULT_TYPE].contains(&kind)) {
                    return self.task_state_received(now, id, result);
                }
                let kind = excerpt(&kind.unwrap_or_default());
                self.task_breaks_rules(now, id, &format!("its state is a result of the unknown type {kind}"));
            }
        }
    }

    /// The server says how tasks are without being asked. Says whether it is a task that is followed.
    pub(crate) fn task_notified(&mut self, now: Instant, called: &str, params: Option<&str>) -> bool {
        if self.tasks.len() == 0 || self.revision().and_then(Form::at).map(Form::notification) != Some(called)
        {
            return false;
        }
        let params = params.unwrap_or("{}");
        let Some(name) = json::member(params, "taskId").and_then(json::string) else { return false };
        let calls = self.tasks.named(&name);
        // In the midst of a handshake nothing may be sent about it, and how it is will be asked for right after that.
        if self.state == State::Ready {
            for id in &calls {
                self.task_state_received(now, *id, params);
            }
        }
        !calls.is_empty()
    }

    /// The server says how a task is; `told` is the task's text.
    pub(crate) fn task_state_received(&mut self, now: Instant, id: u64, told: &str) {
        let Some(name) = self.tasks.name(id) else { return };
        let said = match Task::read(told) {
            Ok(said) if *said.id == *name => said,
            Ok(_) => {
                return self.task_breaks_rules(now, id, "the server answered with the state of another task");
            }
            Err(why) => return self.task_breaks_rules(now, id, &why),
        };
        let paces = self.settings.tasks.as_ref().map(|tasks| (tasks.poll_min, tasks.poll_max));
        let Some(TaskUpdate { form, is_new }) = self.tasks.told(id, &said, paces) else {
            return self.poll_later(now, id);
        };
        if is_new {
            self.emit_task_state(id, form, told);
        }
        match (said.status, form) {
            (task::Status::Working, _) => self.poll_later(now, id),
            (task::Status::InputRequired, Form::Core) => self.await_task(now, id, false),
            (task::Status::InputRequired, Form::Extension) => {
                if let Err(why) = self.ask_for_inputs(id, told) {
                    return self.task_breaks_rules(now, id, &why);
                }
                self.poll_later(now, id);
            }
            (task::Status::Completed | task::Status::Failed, Form::Core) => self.await_task(now, id, true),
            (task::Status::Completed, Form::Extension) => self.task_completed(now, id, told),
            (task::Status::Failed, Form::Extension) => self.task_failed(now, id, told),
            (task::Status::Cancelled, _) => {
                let why = said.message.map_or_else(String::new, |message| format!(": {message}"));
                let error =
                    Error::new(Status::Cancelled, method::TASKS_GET, format!("the task was cancelled{why}"));
                self.complete_task(now, id, &error);
            }
        }
    }

    /// Hands the application a state that it does not know yet.
    fn emit_task_state(&mut self, id: u64, form: Form, told: &str) {
        let Some(tag) = self.calls.get(id).map(|call| call.tag) else { return };
        let (name, state) = (form.notification(), task::state_of(told));
        let LocalMessage { frame, method, params } = write::local_message(false, name, Some(&state));
        self.effects.push_back(Effect::Emit(Event::Task { frame, method, params, call: id, tag }));
    }

    /// What is wrong with the result of a task, which is that of the tool.
    fn task_result_fault(&self, id: u64, result: &str) -> Option<Error> {
        self.calls.get(id).filter(|call| call.feature != Feature::Raw)?;
        tool_result_fault(result).map(|what| Error::new(Status::Protocol, method::TOOLS_CALL, what))
    }

    /// The extension brings the result with the state.
    fn task_completed(&mut self, now: Instant, id: u64, told: &str) {
        let Some(result) = lenient::object(told, "result") else {
            return self.task_breaks_rules(now, id, "the task is completed and has no object 'result'");
        };
        if let Some(error) = self.task_result_fault(id, result) {
            self.violation(&error.message, told.as_bytes());
            return self.complete_task(now, id, &error);
        }
        let span = Span { start: 0, end: result.len() };
        let asked = self.tasks.has_inputs(id);
        self.complete(now, id, Ok(ResultBody { asked, ..ResultBody::new(result.as_bytes().to_vec(), span) }));
    }

    fn task_failed(&mut self, now: Instant, id: u64, told: &str) {
        let error = json::member(told, "error").unwrap_or("{}");
        let code =
            json::member(error, "code").map(|it| lenient::code(it).unwrap_or(error_code::INTERNAL_ERROR));
        let message = json::member(error, "message").and_then(json::string);
        let (Some(code), Some(message)) = (code, message) else {
            return self.task_breaks_rules(
                now,
                id,
                "the task has failed and has no 'error' with code and message",
            );
        };
        let data = lenient::member(error, "data").map(str::to_owned);
        self.call_refused(now, id, RpcError { code, message: message.into_owned(), data }, None);
    }

    /// The server refused a request about a task: what it says is the call's outcome. For a result of the core form that is
    /// the error of the call that became the task.
    pub(crate) fn task_refused(&mut self, now: Instant, id: u64, step: TaskRequest, spoken: RpcError) {
        // A task that waits for what was refused would wait for ever; and a result that is refused before the task is over is not its own.
        let goes_on = match step {
            TaskRequest::Update(_) => true,
            TaskRequest::Result => !self.tasks.is_over(id),
            TaskRequest::Poll => false,
        };
        if goes_on {
            self.withdraw_task(id);
        }
        self.tasks.forget(id, step);
        self.call_refused(now, id, spoken, None);
    }

    /// A request about a task ended without an answer (HTTP).
    pub(crate) fn task_request_failed(
        &mut self,
        now: Instant,
        id: u64,
        step: TaskRequest,
        failure: ExchangeFailure,
    ) {
        self.tasks.forget(id, step);
        let ExchangeFailure { kind, error, spoken, .. } = failure;
        if error.status == Status::Auth {
            return self.complete_task(now, id, &error);
        }
        if let Some(spoken) = spoken {
            return self.task_refused(now, id, step, spoken);
        }
        if self.server_is_gone(kind) {
            return self.lost(now, self.generation, error);
        }
        self.try_task_again(now, id, error);
    }

    /// The state of a task breaks the protocol: the call ends, and the task is cancelled.
    fn task_breaks_rules(&mut self, now: Instant, id: u64, what: &str) {
        let what = format!("the task cannot be followed: {what}");
        self.violation(&what, b"");
        self.withdraw_task(id);
        self.complete_task(now, id, &Error::new(Status::Protocol, method::TOOLS_CALL, what));
    }
}

impl<T> Engine<T> {
    /// Hands on what the server asks for the first time; `told` is the task's text.
    ///
    /// # Errors
    /// What the server may not ask.
    fn ask_for_inputs(&mut self, id: u64, told: &str) -> Result<(), String> {
        let asked = lenient::object(told, "inputRequests");
        let mut fresh = Vec::new();
        for input in self.read_inputs(asked.unwrap_or("{}"))? {
            let index = match self.tasks.wants(id, &input.name, self.settings.server_requests) {
                InputAdmission::Known => continue,
                InputAdmission::New(index) => index,
                InputAdmission::TooMuch => {
                    return Err(
                        "the server asks for more inputs than limits.server_requests allows".to_owned()
                    );
                }
            };
            match self.own_answer(&input).map(str::to_owned) {
                Some(answer) => self.task_input_answered(id, index, &answer),
                None => fresh.push((index, input)),
            }
        }
        let count = fresh.len();
        for (at, (index, input)) in fresh.into_iter().enumerate() {
            let origin = RequestOrigin::TaskInput { call: id, index };
            let asked = RequestedInput { name: input.name, has_more: at + 1 < count };
            let key = self.deliver_request(origin, &input.method, input.params.as_deref(), Some(asked));
            self.tasks.input_handed_on(id, index, key);
        }
        Ok(())
    }

    /// An input has its answer, JSON text of an object.
    pub(crate) fn task_input_answered(&mut self, id: u64, index: usize, answer: &str) {
        if self.tasks.answer(id, index, answer) {
            self.send_inputs(id);
        }
    }

    /// Brings the server what it does not have yet.
    fn send_inputs(&mut self, id: u64) {
        if self.state != State::Ready {
            return;
        }
        let Some(name) = self.tasks.name(id).map(str::to_owned) else { return };
        let written = |(index, name, answer): (usize, &str, &str)| {
            (index, format!(",\"inputResponses\":{{\"{name}\":{answer}}}"))
        };
        let due: Vec<(usize, String)> = self.tasks.inputs_due(id).map(written).collect();
        for (index, more) in due {
            let step = TaskRequest::Update(index);
            let sent = self.ask_of_task(Exchange::Task(id, step), method::TASKS_UPDATE, &name, &more);
            self.tasks.asked(id, step, sent);
        }
    }

    /// The application refused an input of a task: its call ends, and the task with it.
    pub(crate) fn task_input_refused(&mut self, now: Instant, id: u64, why: &str) {
        self.withdraw_task(id);
        self.input_refused(now, id, why);
    }
}
