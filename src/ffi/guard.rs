//! The guard around every export: it refuses use after `fork` and turns a panic into a return value; and the errors that every export may give.

use super::status::{MCP_ERROR_INTERNAL, mcp_status_t};
use super::{panics, thread};
#[cfg(feature = "client")]
use crate::client::Message;
use crate::engine::{Error, Status};
#[cfg(feature = "client")]
use serde_json::{Map, Value};
use std::fmt::Display;

/// Runs an export's body; a panic gives `default`.
pub(super) fn guard<R>(default: R, body: impl FnOnce() -> R) -> R {
    panics::caught("", body).unwrap_or(default)
}

/// The same for an export whose errors are told: they name it.
pub(super) fn guard_named<R>(export: &'static str, default: R, body: impl FnOnce() -> R) -> R {
    panics::caught(export, body).unwrap_or(default)
}

/// The export that a closure stands in, as [`guard_named`] takes it: Rust's name of the closure, such as
/// `mcp::ffi::calls::mcp_call::{{closure}}`.
pub(super) fn of_closure<F>(_: &F) -> &'static str {
    std::any::type_name::<F>()
}

/// The name of the export that this thread runs, such as `mcp_call`. `None` where its errors are not told.
pub(super) fn export() -> Option<&'static str> {
    let path = panics::export();
    let name = &path[path.find("::mcp_")? + 2..];
    name.split(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).next()
}

/// Runs an export's body that gives a status.
pub(super) fn guard_status(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard(MCP_ERROR_INTERNAL, body)
}

/// The same where a reply carries the error.
#[cfg(feature = "client")]
pub(super) fn guard_reply(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    guard_named(of_closure(&body), MCP_ERROR_INTERNAL, body)
}

/// Runs the body of an export that a signal handler may call: `errno` stays as it was, and nothing is used that is not
/// async-signal-safe, as long as the body does not panic.
pub(super) fn guard_in_handler(body: impl FnOnce() -> mcp_status_t) -> mcp_status_t {
    let _errno = KeptErrno::now();
    panics::caught_in_handler(body).unwrap_or(MCP_ERROR_INTERNAL)
}

/// The same for an export that gives a handle.
pub(super) fn guard_pointer_in_handler<T>(body: impl FnOnce() -> *mut T) -> *mut T {
    let _errno = KeptErrno::now();
    panics::caught_in_handler(body).unwrap_or(std::ptr::null_mut())
}

/// Puts back the calling thread's `errno` at its end.
struct KeptErrno(i32);

impl KeptErrno {
    fn now() -> KeptErrno {
        KeptErrno(thread::errno())
    }
}

impl Drop for KeptErrno {
    fn drop(&mut self) {
        thread::set_errno(self.0);
    }
}

/// Has small stacks noticed from now on.
pub(super) fn know_stacks() {
    #[cfg(feature = "http")]
    crate::transport::stack::know_stacks(thread::stack_end);
}

/// The error for an argument of the export that runs: what it is, such as "is NULL". The text names both.
pub(super) fn invalid(argument: &str, what: impl Display) -> Error {
    let text = match export() {
        Some(export) => format!("{export}(): {argument} {what}"),
        None => format!("{argument} {what}"),
    };
    of_export(Error::new(Status::InvalidArgument, argument, text).with("argument", argument))
}

/// The error for an argument that must not be NULL.
pub(super) fn null(name: &str) -> Error {
    invalid(name, "is NULL")
}

/// An error as C gets it: that of an argument names the export, and the parameter where that can be known.
pub(super) fn of_export(mut error: Error) -> Error {
    let Some(export) = export().filter(|_| error.status == Status::InvalidArgument) else { return error };
    if !error.details.contains_key("function") {
        error = error.with("function", export);
    }
    if !error.details.contains_key("argument")
        && let Some(argument) = argument_of(export, &error.message)
    {
        let argument = argument.to_owned();
        error = error.with("argument", argument);
    }
    error
}

/// The reply of a call that was refused for its arguments, as C gets it; every other one as it is.
#[cfg(feature = "client")]
pub(super) fn reply_of_export(reply: Message) -> Message {
    // A call that was made has a number, and what it ended with is not an argument's error.
    if reply.status() != Status::InvalidArgument || reply.call() != 0 {
        return reply;
    }
    let Ok(Value::Object(mut error)) = serde_json::from_str(reply.json()) else { return reply };
    let (Some(Value::String(message)), Some(Value::String(operation))) =
        (error.remove("message"), error.remove("operation"))
    else {
        return reply;
    };
    // An error without details has no such member.
    let details = match error.remove("details") {
        Some(Value::Object(details)) => details,
        _ => Map::new(),
    };
    let error = Error { details, ..Error::new(Status::InvalidArgument, &operation, message) };
    Message::failure(reply.client_only(), &of_export(error))
}

/// Which parameter of an export an error of the layers below is about: the export, or what its name begins with; what the text begins
/// with, or has in it where that begins with a space; and what the parameter is called in the header. The first row that fits counts.
/// The layers below know what is wrong, and not what the parameter is called.
const ARGUMENTS: [(&str, &str, &str); 51] = [
    // A key of the file, or one of the options.
    ("mcp_config_open", "config ", ""),
    ("mcp_config_open", "option", "options_json"),
    ("mcp_config_load", " has no server '", "server_name"),
    ("mcp_config_", "", "path"),
    ("mcp_server_serve", "", "endpoint_json"),
    ("mcp_server_http", "no URL ", "server"),
    ("mcp_server_add_method", "config ", "settings_json"),
    ("mcp_server_add_method", "settings ", "settings_json"),
    ("mcp_server_add_method", "", "method"),
    ("mcp_server_add_skills", "config ", "options_json"),
    ("mcp_server_add_skills", "option", "options_json"),
    ("mcp_server_add_skills", "", "folder"),
    ("mcp_server_add_folder", "", "template_json"),
    ("mcp_server_add_", "", "definition_json"),
    ("mcp_server_call_start", "config ", "options_json"),
    ("mcp_server_call_start", "option", "options_json"),
    ("mcp_server_call_start", "a server cannot send ", "method"),
    ("mcp_server_call_start", "", "params_json"),
    ("mcp_server_notify", "params", "params_json"),
    ("mcp_server_notify", "", "method"),
    ("mcp_server_log", "data", "data_json"),
    ("mcp_request_start_task", "config ", "options_json"),
    ("mcp_request_respond_elicitation", "", "content_json"),
    ("mcp_request_respond", "the result ", "result_json"),
    ("mcp_", "config ", "config_json"),
    ("mcp_", "call option ", "options_json"),
    ("mcp_", "option ", "options_json"),
    ("mcp_", "options ", "options_json"),
    ("mcp_", "the option", "options_json"),
    ("mcp_call", "the method ", "method"),
    ("mcp_call", "", "params_json"),
    ("mcp_client_notify", "the method ", "method"),
    ("mcp_client_notify", "params ", "params_json"),
    ("mcp_client_call_tool", "the tool '", "name"),
    ("mcp_client_call_tool", "", "arguments_json"),
    ("mcp_client_get_prompt", "", "arguments_json"),
    ("mcp_client_read_resource", "", "uri"),
    ("mcp_client_subscribe_resource", "", "uri"),
    ("mcp_client_unsubscribe_resource", "", "uri"),
    ("mcp_client_complete", "ref ", "ref_json"),
    ("mcp_client_complete", "context ", "settled_json"),
    ("mcp_client_set_server_log_level", "", "level"),
    ("mcp_client_set_roots", "", "roots_json"),
    ("mcp_client_get_task", "", "task_id"),
    ("mcp_client_cancel_task", "", "task_id"),
    ("mcp_client_load_skill", "", "entry_json"),
    ("mcp_client_read_skill_file", "the path ", "path"),
    ("mcp_client_read_skill_file", "", "entry_json"),
    ("mcp_uri_template_expand", "the variables ", "variables_json"),
    ("mcp_uri_template_expand", "", "uri_template"),
    ("mcp_", "params ", "params_json"),
];

/// The parameter that a text of the layers below is about.
fn argument_of<'a>(export: &str, message: &'a str) -> Option<&'a str> {
    let first = message.split([' ', ':', '.']).next().unwrap_or_default();
    if first.ends_with("_json") {
        return Some(first);
    }
    let is_about =
        |text: &str| message.starts_with(text) || (text.starts_with(' ') && message.contains(text));
    let mut rows = ARGUMENTS.iter().filter(|(of, text, _)| export.starts_with(of) && is_about(text));
    rows.next().map(|(_, _, argument)| *argument).filter(|argument| !argument.is_empty())
}

/// The error for a handle or message that the parent of this process made.
pub(super) fn forked_error() -> Error {
    Error::new(
        Status::Forked,
        "handle",
        "the process forked since this handle was made; only the parent may use it. Make a new client in this process",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_default_and_the_next_call_works() {
        assert_eq!(guard_status(|| panic!("inside")), MCP_ERROR_INTERNAL);
        assert_eq!(guard_status(|| 0), 0);
    }

    /// Runs in a function of this name, as an export does.
    fn mcp_example(make: impl Fn() -> Error) -> Error {
        let body = || make();
        guard_named(of_closure(&body), None, || Some(body())).expect("no panic")
    }

    #[test]
    fn an_error_of_an_argument_names_the_export_and_the_parameter() {
        type Case = (fn() -> Error, &'static str, Option<&'static str>);
        let cases: [Case; 6] = [
            (|| null("method"), "mcp_example(): method is NULL", Some("method")),
            (|| invalid("level", "is 'x'"), "mcp_example(): level is 'x'", Some("level")),
            (|| below("config key 'x': it is unknown"), "config key 'x': it is unknown", Some("config_json")),
            (
                || below("call option 'x': it is unknown"),
                "call option 'x': it is unknown",
                Some("options_json"),
            ),
            (|| below("content_json is no JSON"), "content_json is no JSON", Some("content_json")),
            (|| below("what is unheard of"), "what is unheard of", None),
        ];
        for (make, text, argument) in cases {
            let error = mcp_example(|| of_export(make()));
            let detail = |name: &str| error.details.get(name).and_then(|value| value.as_str());
            assert_eq!(error.message, text);
            assert_eq!((detail("function"), detail("argument")), (Some("mcp_example"), argument), "{text}");
        }
    }

    fn below(message: &str) -> Error {
        Error::new(Status::InvalidArgument, "config", message)
    }

    #[test]
    fn other_errors_and_functions_for_rust_stay_as_they_are() {
        let closed = mcp_example(|| of_export(Error::new(Status::Closed, "call", "the client is closed")));
        assert!(closed.details.is_empty());
        assert_eq!(of_export(below("config key 'x'")), below("config key 'x'"));
        assert_eq!(null("x").message, "x is NULL");
    }

    #[test]
    fn an_argument_has_the_name_that_the_header_gives_it() {
        let cases = [
            ("mcp_client_new", "config key 'urll' is not known", Some("config_json")),
            ("mcp_server_serve", "config key 'urll' is not known", Some("endpoint_json")),
            ("mcp_server_add_tool", "config key 'nam' is not known", Some("definition_json")),
            ("mcp_server_add_method", "member 'name': exists already", Some("method")),
            ("mcp_request_start_task", "config key 'x' is not known", Some("options_json")),
            ("mcp_config_open", "config key 'x' is not known", None),
            ("mcp_config_open", "options is no JSON object", Some("options_json")),
            ("mcp_config_load", "cannot read 'x'", Some("path")),
            ("mcp_config_load", "'x' has no server 'y'", Some("server_name")),
            ("mcp_call", "params is not an object", Some("params_json")),
            ("mcp_call", "info_json: no JSON", Some("info_json")),
            ("mcp_call", "the method is empty", Some("method")),
            ("mcp_call", "the task's id is empty", Some("params_json")),
            ("mcp_client_call_tool_start", "call option 'x' is not known", Some("options_json")),
            ("mcp_client_call_tool_start", "arguments is an array", Some("arguments_json")),
            ("mcp_client_connect", "something else", None),
        ];
        for (export, message, argument) in cases {
            assert_eq!(argument_of(export, message), argument, "{export}: {message}");
        }
    }
}
