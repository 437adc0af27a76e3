//! The features as requests: each with its arguments, and the method and parameters that they become.

use crate::engine::{Error, Status};
use crate::json::{self, Kind};
use crate::protocol::{capability, method};
use std::borrow::Cow;

/// What an application asks of a server, the same on every revision.
#[derive(Clone, Copy, Debug)]
pub enum Request<'a> {
    /// A method by its name, with parameters as the application wrote them: the same as the request for it below. A method without one
    /// is sent as it is.
    Method {
        /// Such as "tools/list".
        name: &'a str,
        /// A JSON object.
        params: Option<&'a str>,
    },
    /// The tools.
    ToolsList,
    /// A call of a tool.
    ToolsCall {
        /// The tool.
        name: &'a str,
        /// Its arguments, a JSON object.
        arguments: Option<&'a str>,
    },
    /// The resources.
    ResourcesList,
    /// The resource templates.
    TemplatesList,
    /// The contents of a resource.
    ResourcesRead {
        /// Which one.
        uri: &'a str,
    },
    /// To be told when a resource changes.
    ResourcesSubscribe {
        /// Which one.
        uri: &'a str,
    },
    /// To be told no longer.
    ResourcesUnsubscribe {
        /// Which one.
        uri: &'a str,
    },
    /// The prompts.
    PromptsList,
    /// One prompt, filled in.
    PromptsGet {
        /// The prompt.
        name: &'a str,
        /// Its arguments, a JSON object of strings.
        arguments: Option<&'a str>,
    },
    /// Values for an argument that begins as typed.
    Complete {
        /// What has the argument: a JSON object, `ref/prompt` or `ref/resource`.
        reference: &'a str,
        /// The argument.
        argument: &'a str,
        /// What was typed so far.
        value: &'a str,
        /// Arguments that are settled already, a JSON object of strings.
        settled: Option<&'a str>,
    },
    /// The least level of log messages to be sent.
    SetLogLevel {
        /// Such as "info".
        level: &'a str,
    },
    /// Whether the server answers.
    Ping,
    /// The tasks that there are (2025-11-25).
    TasksList,
    /// How a task is.
    TasksGet {
        /// Which one.
        id: &'a str,
    },
    /// What a task comes to, however long that takes.
    TasksResult {
        /// Which one.
        id: &'a str,
    },
    /// The end of a task that is no longer wanted.
    TasksCancel {
        /// Which one.
        id: &'a str,
    },
    /// The skills.
    SkillsList,
    /// The entry of one skill.
    SkillGet {
        /// The URI of its `SKILL.md`.
        uri: &'a str,
    },
    /// The `SKILL.md` of a skill, checked against the skill's entry.
    SkillLoad {
        /// The entry, a JSON object.
        entry: &'a str,
    },
    /// A file of a skill, checked against the skill's entry.
    SkillRead {
        /// The entry, a JSON object.
        entry: &'a str,
        /// Its path in the skill's folder, or its URI.
        path: &'a str,
    },
}

impl<'a> Request<'a> {
    /// The method.
    pub fn method(&self) -> &'a str {
        match *self {
            Request::Method { name, .. } => name,
            Request::ToolsList => method::TOOLS_LIST,
            Request::ToolsCall { .. } => method::TOOLS_CALL,
            Request::ResourcesList => method::RESOURCES_LIST,
            Request::TemplatesList => method::TEMPLATES_LIST,
            Request::ResourcesRead { .. } => method::RESOURCES_READ,
            Request::ResourcesSubscribe { .. } => method::SUBSCRIBE,
            Request::ResourcesUnsubscribe { .. } => method::UNSUBSCRIBE,
            Request::PromptsList => method::PROMPTS_LIST,
            Request::PromptsGet { .. } => method::PROMPTS_GET,
            Request::Complete { .. } => method::COMPLETE,
            Request::SetLogLevel { .. } => method::SET_LEVEL,
            Request::Ping => method::PING,
            Request::TasksList => method::TASKS_LIST,
            Request::TasksGet { .. } => method::TASKS_GET,
            Request::TasksResult { .. } => method::TASKS_RESULT,
            Request::TasksCancel { .. } => method::TASKS_CANCEL,
            Request::SkillsList => method::SKILLS_LIST,
            Request::SkillGet { .. } => method::SKILLS_GET,
            Request::SkillLoad { .. } | Request::SkillRead { .. } => method::RESOURCES_READ,
        }
    }

    /// The parameters, as JSON text; `None` for none. `raw`: a method goes out with its parameters as they are.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an argument that cannot be right.
    pub fn params(&self, depth: usize, raw: bool) -> Result<Option<Cow<'a, str>>, Error> {
        let mut members = ParamsWriter { method: self.method(), depth, text: String::from("{") };
        match self {
            Request::Method { name, params } => {
                if !raw {
                    check_written(name, params.unwrap_or("{}"))?;
                }
                return Ok(params.map(Cow::Borrowed));
            }
            Request::ToolsList
            | Request::ResourcesList
            | Request::TemplatesList
            | Request::PromptsList
            | Request::TasksList
            | Request::SkillsList
            | Request::Ping => return Ok(None),
            // What they ask for is in the entry, which is read where the check is made that goes with it.
            Request::SkillLoad { .. } | Request::SkillRead { .. } => {
                let message = "this build checks no skills (cargo feature \"skills\")";
                return Err(Error::new(Status::Unsupported, self.method(), message));
            }
            Request::ToolsCall { name, arguments } | Request::PromptsGet { name, arguments } => {
                members.text("name", name);
                members.object("arguments", *arguments)?;
            }
            // As it is: a URI that is taken apart and put together again may come out as another one.
            Request::ResourcesRead { uri }
            | Request::SkillGet { uri }
            | Request::ResourcesSubscribe { uri }
            | Request::ResourcesUnsubscribe { uri } => members.text("uri", uri),
            Request::TasksGet { id } | Request::TasksResult { id } | Request::TasksCancel { id } => {
                check_task(self.method(), id)?;
                members.text("taskId", id);
            }
            Request::Complete { reference, argument, value, settled } => {
                members.object("ref", Some(reference))?;
                let typed =
                    format!("{{\"name\":{},\"value\":{}}}", json::quote(argument), json::quote(value));
                members.push("argument", &typed);
                if let Some(settled) = settled {
                    members.check("context", settled)?;
                    members.push("context", &format!("{{\"arguments\":{settled}}}"));
                }
            }
            Request::SetLogLevel { level } => {
                check_level(self.method(), level)?;
                members.text("level", level);
            }
        }
        members.text.push('}');
        Ok(Some(Cow::Owned(members.text)))
    }
}

fn check_task(method: &str, id: &str) -> Result<(), Error> {
    if !id.is_empty() {
        return Ok(());
    }
    let message = "the task's id is empty; it is the \"taskId\" of the task's state";
    Err(Error::new(Status::InvalidArgument, method, message))
}

fn check_level(method: &str, level: &str) -> Result<(), Error> {
    if capability::LOG_LEVELS.contains(&level) {
        return Ok(());
    }
    let known = capability::LOG_LEVELS.join(", ");
    let message = format!("'{level}' is no log level; they are {known}");
    Err(Error::new(Status::InvalidArgument, method, message))
}

/// Checks what the library itself reads of parameters that an application wrote: on some revisions it answers such a request, or does
/// something else in its place, and no server says what is wrong. Text that is no JSON is refused where it is sent.
fn check_written(method: &str, params: &str) -> Result<(), Error> {
    let member = match method {
        method::SET_LEVEL => "level",
        method::SUBSCRIBE | method::UNSUBSCRIBE => "uri",
        method::TASKS_GET | method::TASKS_RESULT | method::TASKS_CANCEL => "taskId",
        _ => return Ok(()),
    };
    let value = json::member(params, member);
    let Some(value) = value.and_then(json::string) else {
        let is = value.map_or_else(|| "it is not there".to_owned(), |value| format!("it is {value}"));
        let message = format!("params must have the string \"{member}\"; {is}");
        return Err(Error::new(Status::InvalidArgument, method, message));
    };
    match method {
        method::SET_LEVEL => check_level(method, &value),
        method::SUBSCRIBE | method::UNSUBSCRIBE => Ok(()),
        _ => check_task(method, &value),
    }
}

/// An object being written.
struct ParamsWriter<'a> {
    method: &'a str,
    depth: usize,
    text: String,
}

impl ParamsWriter<'_> {
    fn push(&mut self, name: &str, value: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        json::quote_into(name, &mut self.text);
        self.text.push(':');
        self.text.push_str(value);
    }

    fn text(&mut self, name: &str, value: &str) {
        self.push(name, &json::quote(value));
    }

    fn object(&mut self, name: &str, value: Option<&str>) -> Result<(), Error> {
        let Some(value) = value else { return Ok(()) };
        self.check(name, value)?;
        self.push(name, value);
        Ok(())
    }

    fn check(&self, name: &str, value: &str) -> Result<(), Error> {
        let invalid = |message: String| Error::new(Status::InvalidArgument, self.method, message);
        let checked = json::scan_value(value.as_bytes(), self.depth)
            .map_err(|error| invalid(format!("{name} is no JSON: {error}")).with("offset", error.offset))?;
        if checked.kind != Kind::Object {
            return Err(invalid(format!("{name} is {}, and must be an object", checked.kind)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(request: &Request<'_>) -> String {
        request.params(64, false).expect("valid").unwrap_or_default().into_owned()
    }

    #[test]
    fn arguments_go_into_the_parameters_as_they_were_written() {
        let call = Request::ToolsCall { name: "a\"b", arguments: Some(r#"{ "n": 1.50 }"#) };
        assert_eq!(params(&call), r#"{"name":"a\"b","arguments":{ "n": 1.50 }}"#);
        let call = Request::ToolsCall { name: "x", arguments: None };
        assert_eq!(params(&call), r#"{"name":"x"}"#);
        let read = Request::ResourcesRead { uri: "file:///a%20b/../c" };
        assert_eq!(params(&read), r#"{"uri":"file:///a%20b/../c"}"#);
        assert_eq!(params(&Request::Ping), "");
    }

    #[test]
    fn a_completion_says_what_of_and_what_is_settled() {
        let request = Request::Complete {
            reference: r#"{"type":"ref/prompt","name":"p"}"#,
            argument: "city",
            value: "Par",
            settled: Some(r#"{"country":"France"}"#),
        };
        assert_eq!(
            params(&request),
            r#"{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"city","value":"Par"},"context":{"arguments":{"country":"France"}}}"#
        );
    }

    #[test]
    fn what_cannot_be_right_is_refused_with_its_name() {
        let error = |request: Request<'_>| request.params(4, false).expect_err("refused").message;
        assert!(
            error(Request::ToolsCall { name: "x", arguments: Some("[1]") }).contains("arguments is an array")
        );
        assert!(
            error(Request::ToolsCall { name: "x", arguments: Some("{") }).contains("arguments is no JSON")
        );
        assert!(
            error(Request::ToolsCall { name: "x", arguments: Some("{\"a\":[[[[]]]]}") }).contains("no JSON")
        );
        assert!(error(Request::SetLogLevel { level: "loud" }).contains("warning, error"));
        let written = |name, params| error(Request::Method { name, params });
        assert!(written("logging/setLevel", Some(r#"{"level":"loud"}"#)).contains("warning, error"));
        assert!(written("logging/setLevel", None).contains("\"level\"; it is not there"));
        assert!(written("resources/subscribe", Some(r#"{"uri":7}"#)).contains("\"uri\"; it is 7"));
        assert!(written("tasks/get", Some(r#"{"taskId":""}"#)).contains("id is empty"));
        let complete = Request::Complete { reference: "7", argument: "a", value: "", settled: None };
        assert!(error(complete).contains("ref is a number"));
    }
}
