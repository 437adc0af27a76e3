//! Requests of clients: answering them, and what else a handler says.

use super::convert::{give, guard_error, guard_out};
use super::guard::{forked_error, guard, invalid, null};
use super::handles::mcp_message_t;
use super::pointer::{message_of, needed_text, text};
use super::server::severity;
use super::status::{MCP_OK, mcp_status_t};
use crate::engine::{Error, Status};
use crate::json;
use crate::runtime::message::{Message, Serve};
use crate::server::{Answer, Outcome, TaskOptionKeys, checked};
use std::ffi::c_char;
use std::sync::Arc;
use std::time::Duration;

/// A request of a client, and what answers it.
pub(super) type Served = (u64, Arc<dyn Serve>);

/// The request of a client that a message carries; `None` if it is a request of a server.
pub(super) fn served(message: &Message) -> Result<Option<Served>, Error> {
    if !message.is_served() {
        return Ok(None);
    }
    if !message.is_of_this_process() {
        return Err(forked_error());
    }
    let gone = || Error::new(Status::Closed, "request", "the server was freed");
    message.request().ok_or_else(gone).map(Some)
}

/// Answers such a request with a result.
pub(super) fn respond(request: &Message, served: Served, result: &str) -> Result<(), Error> {
    checked(result, "result_json", Some(json::Kind::Object))?;
    request.answer(served, Outcome::Result(result))
}

/// Answers such a request: what it asks for does not exist.
pub(super) fn respond_not_found(request: &Message, served: Served) -> Result<(), Error> {
    request.answer(served, Outcome::NotFound)
}

/// Answers such a request with an error.
pub(super) fn respond_error(
    request: &Message,
    served: Served,
    code: i32,
    message: &str,
    data: Option<&str>,
) -> Result<(), Error> {
    if let Some(data) = data {
        checked(data, "data_json", None)?;
    }
    request.answer(served, Outcome::Error { code: code.into(), message, data })
}

/// The request of a client that a message carries.
fn request(pointer: *const mcp_message_t) -> Result<Served, Error> {
    request_of(message_of(pointer, "request")?)
}

fn request_of(message: &Message) -> Result<Served, Error> {
    served(message)?
        .ok_or_else(|| invalid("request", "is no request of a client to a server of this process"))
}

/// Answers a call of a tool with one block of text.
///
/// text: the text.
/// is_error: whether the tool failed: "isError" of the result, which the model sees.
/// request, error_json, statuses and threads: as for mcp_request_respond().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond_text(
    request: *const mcp_message_t,
    text: *const c_char,
    is_error: bool,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let request = message_of(request, "request")?;
        let served = request_of(request)?;
        let text = needed_text(text, "text")?;
        request.answer(served, if is_error { Outcome::Failure(text) } else { Outcome::Text(text) })
    })
}

/// Reports progress of a request.
///
/// progress: must rise from report to report.
/// total: the value at the end; 0 or less if it is not known.
/// message: text for a person; may be NULL.
///
/// A session gets "limits.progress_per_second" notifications. Over that the newest value of each
/// request waits and is sent later; the last one is always sent before the answer.
///
/// Returns MCP_OK; MCP_EMPTY when nothing is sent, because the client did not ask for progress, the
///   value does not rise, or the request is over; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_CLOSED;
///   MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_progress(
    request: *const mcp_message_t,
    progress: f64,
    total: f64,
    message: *const c_char,
) -> mcp_status_t {
    guard_sent(|| {
        let (number, by) = self::request(request)?;
        let total = Some(total).filter(|total| *total > 0.0);
        Ok(by.progress(number, progress, total, text(message, "message")?))
    })
}

/// Sends a log message that belongs to a request, if its client wants messages of that level. The
/// configuration of the server must announce "logging".
///
/// level: as for mcp_server_log().
/// logger: the name of the logger; may be NULL.
/// data_json: any JSON.
///
/// Returns MCP_OK; MCP_EMPTY when nothing was sent, also because the session had its
///   "limits.logs_per_second" messages; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_CLOSED;
///   MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_log(
    request: *const mcp_message_t,
    level: *const c_char,
    logger: *const c_char,
    data_json: *const c_char,
) -> mcp_status_t {
    guard_sent(|| {
        let (number, by) = self::request(request)?;
        let severity = severity(needed_text(level, "level")?)?;
        let data = needed_text(data_json, "data_json")?;
        checked(data, "data_json", None)?;
        Ok(by.log(number, severity, text(logger, "logger")?, data))
    })
}

fn guard_sent(body: impl Fn() -> Result<bool, Error>) -> mcp_status_t {
    super::guard::guard_status(|| match body() {
        Ok(true) => MCP_OK,
        Ok(false) => Status::Empty as i32,
        Err(error) => error.status as i32,
    })
}

/// Whether the answer to a request is no longer wanted: it was answered or cancelled, it took too
/// long, or its client has gone. A long handler asks now and then. The application is also told by a
/// message with topic MCP_TOPIC_CANCELLED.
///
/// Returns true also for an invalid message.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_cancelled(request: *const mcp_message_t) -> bool {
    guard(true, || self::request(request).map_or(true, |(number, by)| !by.is_under_way(number)))
}

/// Asks the client of a request: for the answer of a model (sampling/createMessage), for input of
/// the person (elicitation/create), or for its roots (roots/list). The first call with a key returns
/// MCP_EMPTY: the handler then frees the request without an answer and returns. The library asks the
/// client in the way of its revision and runs the handler again, with a message of its own; the same
/// call then returns MCP_OK and the answer. So a handler is written once for all revisions, and may
/// ask several things, one after another or together.
///
/// The parameters are checked: sampling needs "maxTokens" and one result for each tool use; a form
/// is flat and asks for no secret; the address of a page ("mode":"url") begins with https:// or is
/// of this machine. An answer that does not fit its form is an error of the client. A page can be
/// opened by another person than the one who was asked, who may have sent the address on: the page
/// must make the visitor log in and compare the account with that of the request. Its address
/// has a random id in place of data about the person.
///
/// key: a name of the question within the request.
/// method: the method of the question.
/// params_json: its parameters, a JSON object.
/// answer_json: receives the result of the client. Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_EMPTY (see above); MCP_ERROR_SERVER when the client answered with an error
///   or not in time, which is in "details"; MCP_ERROR_UNSUPPORTED when the client does not say that
///   it can answer; MCP_ERROR_CANCELLED when the request is over; MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_ask(
    request: *const mcp_message_t,
    key: *const c_char,
    method: *const c_char,
    params_json: *const c_char,
    answer_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(answer_json, error_json, || {
        let (number, by) = self::request(request)?;
        if answer_json.is_null() {
            return Err(null("answer_json"));
        }
        let (key, method) = (needed_text(key, "key")?, needed_text(method, "method")?);
        let params = text(params_json, "params_json")?.unwrap_or("{}");
        checked(params, "params_json", Some(json::Kind::Object))?;
        match by.ask(number, key, method, params)? {
            Some(Answer::Result(result)) => give(&result, answer_json, "request_ask"),
            Some(Answer::Failed(error)) => {
                let error: serde_json::Value = serde_json::from_str(&error).unwrap_or_default();
                let what = format!("the client did not answer the question '{key}' with a result");
                Err(Error::new(Status::Server, "request_ask", what).with("error", error))
            }
            None => Err(Error::new(
                Status::Empty,
                "request_ask",
                "the question goes out when the handler has freed the request",
            )),
        }
    })
}

/// What an earlier run of the handler kept with mcp_request_set_state().
///
/// state: receives the text. Free it with mcp_string_free(). NULL if nothing was kept.
///
/// Returns MCP_OK, MCP_EMPTY if nothing was kept, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED,
///   MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_state(
    request: *const mcp_message_t,
    state: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(state, error_json, || {
        let (number, by) = self::request(request)?;
        if state.is_null() {
            return Err(null("state"));
        }
        match by.state(number) {
            Some(text) => give(&text, state, "request_state"),
            None => Err(Error::new(Status::Empty, "request_state", "no earlier run kept anything")),
        }
    })
}

/// Keeps text for the next run of the handler, after mcp_request_ask(). In revision 2026-07-28 it
/// travels to the client and back, encrypted, bound to this request, with an expiry, and is good
/// once; before, the library keeps it.
///
/// state: the text.
///
/// Returns MCP_OK, MCP_ERROR_CANCELLED when the request is over, MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_set_state(
    request: *const mcp_message_t,
    state: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (number, by) = self::request(request)?;
        if by.set_state(number, needed_text(state, "state")?) {
            Ok(())
        } else {
            Err(Error::new(Status::Cancelled, "request_set_state", "the request is over"))
        }
    })
}

/// Turns a call of a tool into a task: the client gets the name of the task at once and asks for its
/// state; the handler answers late, as ever. The definition of the tool must have
/// execution.taskSupport "optional" or "required". In revision 2026-07-28 the client must declare
/// the extension io.modelcontextprotocol/tasks. In 2025-11-25 the client decides: a call that it
/// makes as a task is one before its handler runs. For a request that is a task already, the
/// function changes "status_message" and "poll_interval_ms", so a handler may call it in each run.
///
/// options_json: an object, or NULL: "ttl_ms" (how long the task is kept from now on; at most, and
///   by default, timeouts.task_ttl_ms of the server), "poll_interval_ms" (how often the client
///   should ask), "status_message" (for people; cut to 4096 bytes), "attempts" (1 to 100, by default
///   1; with a store: when the process that works on the task is gone, another one runs the handler
///   again, from the beginning, until it was run so often in all. Without that the task fails, and
///   no handler runs twice).
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK when the request is a task; MCP_ERROR_UNSUPPORTED when it cannot become one: the
///   handler then answers without one, or refuses; MCP_ERROR_BACKPRESSURE when there are as many
///   tasks as its client may have (limits.tasks, limits.session_tasks), or the store is away;
///   MCP_ERROR_CANCELLED when the request is over; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED,
///   MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
///
/// Specification: 2025-11-25 basic/utilities/tasks; extension io.modelcontextprotocol/tasks.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_start_task(
    request: *const mcp_message_t,
    options_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (number, by) = self::request(request)?;
        let wishes = TaskOptionKeys::parse(text(options_json, "options_json")?)?;
        by.start_task(number, wishes.options())
    })
}

/// Ends the event stream of a request before its answer, so that no connection stays open while the
/// handler works: the client comes back after a time and gets what was sent meanwhile, and the
/// answer. Over HTTP in revision 2025-11-25 only, and for clients that take event streams.
///
/// retry_ms: after how many milliseconds the client is to come back; -1 for "timeouts.retry_ms" of
///   the server.
/// error_json: receives the error object on failure; may be NULL.
///
/// What is sent until the client comes back is kept within "limits.session_events" and
/// "limits.session_event_bytes"; beyond that the client does not get the answer.
///
/// Returns MCP_OK; MCP_EMPTY when there is no stream that could end: with another revision or
///   transport, for a task, or because it has ended already; MCP_ERROR_CANCELLED when the request is
///   over; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
///
/// Specification: 2025-11-25 basic/transports, "Sending Messages to the Server".
///
/// Example:
///
///     // The client comes back after a second; the answer then goes to its new stream.
///     if (mcp_request_close_stream(request, 1000, &error) == MCP_OK)
///         mcp_request_respond_text(request, "done", false, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_close_stream(
    request: *const mcp_message_t,
    retry_ms: i32,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (number, by) = self::request(request)?;
        let retry =
            match retry_ms {
                -1 => None,
                _ => Some(Duration::from_millis(u64::try_from(retry_ms).map_err(|_| {
                    invalid("retry_ms", format_args!("is {retry_ms}, and must be -1 or more"))
                })?)),
            };
        if by.close_stream(number, retry)? {
            return Ok(());
        }
        let what = "the request has no event stream that its client could come back to";
        Err(Error::new(Status::Empty, "request_close_stream", what))
    })
}

/// Whether the client of a request has a capability or an extension, such as that of pages of tools
/// (MCP Apps). A client says what it has, and that is no authorization.
///
/// capability: "sampling", "sampling.tools", "sampling.context", "elicitation", "elicitation.form",
///   "elicitation.url" or "roots": whether mcp_request_ask() would ask it; another capability, or
///   one part of it after a dot; the name of an extension, which has a slash. Of
///   "io.modelcontextprotocol/ui" the client must also name the type of its pages.
///
/// Returns false also for an invalid message or name, and for a request that is over.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     // A client that shows the page needs no table in the text.
///     if (mcp_request_client_has(request, "io.modelcontextprotocol/ui"))
///         mcp_request_respond_text(request, "7 to 12 degrees; the chart is shown", false, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_client_has(request: *const mcp_message_t, capability: *const c_char) -> bool {
    guard(false, || {
        let Ok(name) = needed_text(capability, "capability") else { return false };
        self::request(request).is_ok_and(|(number, by)| by.client_has(number, name) == Some(true))
    })
}

/// Describes the client of a request as a JSON object: "session", "revision", "era",
/// "capabilities", "name" (of the tool, the prompt, or the URI), "template" and "variables" (of a
/// resource template), "wants_progress", "log_level", "round" (how often the handler ran before),
/// "task" (the name of the task that the request has become, or null), with a task "attempt" (from
/// 1 on; a database that refuses a lower one than it has seen keeps out a process that was taken for
/// gone and goes on), "deadline_ms", and where
/// requests are authorized "principal" ("issuer", "subject" or, of a client that acts for itself,
/// "client", "scopes", "claims", "expires").
///
/// context_json: receives the object. Free it with mcp_string_free().
///
/// Returns MCP_OK, MCP_ERROR_CANCELLED when the request is over, MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_context(
    request: *const mcp_message_t,
    context_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(context_json, error_json, || {
        let (number, by) = self::request(request)?;
        if context_json.is_null() {
            return Err(null("context_json"));
        }
        match by.context(number) {
            Some(context) => give(&context, context_json, "request_context"),
            None => Err(Error::new(Status::Cancelled, "request_context", "the request is over")),
        }
    })
}
