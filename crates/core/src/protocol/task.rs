//! Tasks, as data: the core form of 2025-11-25 (`basic/utilities/tasks`), and the extension of 2026-07-28 that replaced it.
//! They share little but the states: the core form has a separate request for the result of a task, the extension returns the
//! result with the state.

use super::lenient;
use super::meta::{self, META};
use super::method::{TASK_STATUS, TASK_STATUS_OF_EXTENSION, TASKS_EXTENSION};
use super::revision::{Era, Revision};
use crate::json::{self, Kind};
use std::borrow::Cow;

/// The extension's identifier.
pub const EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// Core form: the `_meta` member that says which task a message belongs to.
pub const RELATED: &str = "io.modelcontextprotocol/related-task";
/// The `resultType` of a result that is a task.
pub const RESULT_TYPE: &str = "task";

/// Which of the two forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A part of 2025-11-25: the client says which calls are to be tasks.
    Core,
    /// The extension of the modern era: the server says which calls are tasks.
    Extension,
}

impl Form {
    /// The form that this revision has.
    pub fn at(revision: Revision) -> Option<Form> {
        match revision.era() {
            Era::Modern => Some(Form::Extension),
            Era::Legacy => revision.differences().core_tasks.then_some(Form::Core),
        }
    }

    /// The notification of a task's state.
    pub fn notification(self) -> &'static str {
        match self {
            Form::Core => TASK_STATUS,
            Form::Extension => TASK_STATUS_OF_EXTENSION,
        }
    }

    /// The server's capability for calls of tools that become tasks, as a JSON pointer.
    pub fn capability(self) -> &'static str {
        match self {
            Form::Core => "/tasks/requests/tools/call",
            Form::Extension => TASKS_EXTENSION.0,
        }
    }

    /// The task in a result that says that there is one now: its text.
    pub fn created(self, result: &str) -> Option<&str> {
        match self {
            Form::Core => lenient::object(result, "task"),
            Form::Extension => {
                let kind = json::member(result, "resultType").and_then(json::string)?;
                (kind == RESULT_TYPE).then_some(result)
            }
        }
    }
}

/// How far a task is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is being worked on.
    Working,
    /// The server needs to know something.
    InputRequired,
    /// There is a result.
    Completed,
    /// It failed; the extension has its error, the core form perhaps a result that says so.
    Failed,
    /// It was cancelled.
    Cancelled,
}

/// What a server says of a task, taken from the text it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task<'a> {
    /// Its name.
    pub id: Cow<'a, str>,
    /// How far it is.
    pub status: Status,
    /// What the server says about that.
    pub message: Option<Cow<'a, str>>,
    /// The polling interval that the server asks for, in milliseconds.
    pub poll_ms: Option<u64>,
}

impl Task<'_> {
    /// Reads a task.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn read(text: &str) -> Result<Task<'_>, String> {
        let id = json::member(text, "taskId").and_then(json::string).filter(|id| !id.is_empty());
        let Some(id) = id else { return Err("it has no string 'taskId'".to_owned()) };
        let written = json::member(text, "status").and_then(json::string);
        let status = match written.as_deref() {
            Some("working") => Status::Working,
            Some("input_required") => Status::InputRequired,
            Some("completed") => Status::Completed,
            Some("failed") => Status::Failed,
            Some("cancelled") => Status::Cancelled,
            Some(other) => return Err(format!("its status '{other}' is unknown")),
            None => return Err("it has no string 'status'".to_owned()),
        };
        // Each form has its own name for it, and neither means anything else in the other.
        let poll = lenient::member(text, "pollIntervalMs").or_else(|| lenient::member(text, "pollInterval"));
        Ok(Task {
            id,
            status,
            message: json::member(text, "statusMessage").and_then(json::string),
            poll_ms: poll.and_then(lenient::number),
        })
    }
}

/// A task's state as the application gets it: what the server wrote, without what comes to it by other ways (the result
/// or error as the call's outcome, the inputs as requests).
pub fn state_of(text: &str) -> String {
    let mut state = String::from("{");
    for (name, value) in json::members(text) {
        if ["result", "error", "inputRequests", "resultType", META].contains(&name) {
            continue;
        }
        if state.len() > 1 {
            state.push(',');
        }
        state.push('"');
        state.push_str(name);
        state.push_str("\":");
        state.push_str(value);
    }
    state.push('}');
    state
}

/// Whether a tool is called as a task (2025-11-25, `execution.taskSupport`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Support {
    /// It may not be.
    #[default]
    Forbidden,
    /// It may be.
    Optional,
    /// It must be.
    Required,
}

/// What a tool's definition says about tasks.
pub fn support(tool: &str) -> Support {
    let said = json::member(tool, "execution").and_then(|execution| json::member(execution, "taskSupport"));
    match said.and_then(json::string).as_deref() {
        Some("optional") => Support::Optional,
        Some("required") => Support::Required,
        _ => Support::Forbidden,
    }
}

/// The member that says which task a server's request belongs to, from the request's parameters: its text.
pub fn related(params: Option<&str>) -> Option<&str> {
    let meta = json::member(params?, META)?;
    json::member(meta, RELATED).filter(|related| json::kind(related) == Some(Kind::Object))
}

/// A result that says which task it belongs to.
pub fn with_related(result: &str, related: &str) -> String {
    meta::with(result, RELATED, related)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_says_in_its_own_way_that_there_is_a_task() {
        let core = r#"{"task":{"taskId":"a","status":"working","pollInterval":5000}}"#;
        let extension = r#"{"resultType":"task","taskId":"b","status":"working","pollIntervalMs":70}"#;
        let task = |form: Form, text| Task::read(form.created(text).expect("a task")).map(|it| it.poll_ms);
        assert_eq!(task(Form::Core, core), Ok(Some(5000)));
        assert_eq!(task(Form::Extension, extension), Ok(Some(70)));
        assert_eq!(Form::Core.created(extension), None);
        assert_eq!(Form::Extension.created(core), None);
        assert_eq!(Form::Core.created(r#"{"task":"a"}"#), None);
    }

    #[test]
    fn what_is_no_task_is_told() {
        for wrong in [
            "{}",
            r#"{"taskId":7,"status":"working"}"#,
            r#"{"taskId":"","status":"working"}"#,
            r#"{"taskId":"a"}"#,
            r#"{"taskId":"a","status":"done"}"#,
        ] {
            assert!(Task::read(wrong).is_err(), "{wrong}");
        }
        let odd = Task::read(r#"{"taskId":"a","status":"working","pollInterval":-1}"#).expect("a task");
        assert_eq!(odd.poll_ms, None);
    }

    #[test]
    fn a_state_is_what_the_server_wrote_without_what_comes_by_other_ways() {
        let text = r#"{"resultType":"complete","taskId":"a","status":"completed","x":1.50,"result":{"big":1},"_meta":{}}"#;
        assert_eq!(state_of(text), r#"{"taskId":"a","status":"completed","x":1.50}"#);
        assert_eq!(state_of("{}"), "{}");
    }

    #[test]
    fn a_tool_that_says_nothing_is_not_called_as_a_task() {
        assert_eq!(support(r#"{"execution":{"taskSupport":"required"}}"#), Support::Required);
        assert_eq!(support(r#"{"execution":{"taskSupport":"optional"}}"#), Support::Optional);
        for text in ["{}", r#"{"execution":{}}"#, r#"{"execution":{"taskSupport":"forbidden"}}"#] {
            assert_eq!(support(text), Support::Forbidden, "{text}");
        }
    }

    #[test]
    fn an_answer_names_the_task_that_the_request_named() {
        let params = r#"{"message":"?","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"a"}}}"#;
        let related = related(Some(params)).expect("named");
        assert_eq!(
            with_related(r#"{"action":"decline","_meta":{"x":1}}"#, related),
            r#"{"action":"decline","_meta":{"x":1,"io.modelcontextprotocol/related-task":{"taskId":"a"}}}"#
        );
        assert_eq!(super::related(Some("{}")), None);
        assert_eq!(super::related(None), None);
    }
}
