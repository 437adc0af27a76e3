//! The features of a server: lists, tools, resources, prompts, completion, log level, roots, ping, cache, and answers to elicitation.

use super::calls::asked;
use super::convert::{guard_error, status_of};
use super::guard::{guard_named, invalid, of_closure, of_export, reply_of_export};
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::{clear, give_message, needed_text, text, write};
use super::status::{MCP_ERROR_FORKED, MCP_ERROR_INTERNAL, mcp_status_t};
use crate::client::Message;
use crate::client::features::{Decision, Request};
use crate::engine::{Error, Status};
use std::ffi::c_char;

/// Runs the body of a blocking feature function: `request` reads the arguments from C.
pub(super) fn guard_request<'a>(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
    request: impl Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    answered(of_closure(&request), client, options_json, reply, &request)
}

/// One function for all features: a generic copy for each would add 1 KiB.
fn answered<'a>(
    export: &'static str,
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
    request: &dyn Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    guard_named(export, MCP_ERROR_INTERNAL, || {
        clear(reply);
        let message = match handles::client(client) {
            Err(error) if error.status == Status::Forked => return MCP_ERROR_FORKED,
            Err(error) => Message::failure(0, &of_export(error)),
            Ok(client) => {
                let ask = || -> Result<Message, Error> {
                    Ok(reply_of_export(client.request(&request()?, text(options_json, "options_json")?)))
                };
                ask().unwrap_or_else(|error| Message::failure(client.number(), &of_export(error)))
            }
        };
        let status = message.status() as i32;
        if !reply.is_null() {
            write(reply, give_message(message).unwrap_or(std::ptr::null_mut()));
        }
        status
    })
}

/// The arguments of a started feature function besides those of its request.
pub(super) struct Start {
    pub(super) client: *mut mcp_client_t,
    pub(super) options_json: *const c_char,
    pub(super) tag: u64,
    pub(super) call_id: *mut u64,
    pub(super) error_json: *mut *mut c_char,
}

/// Runs the body of a started feature function.
pub(super) fn guard_start<'a>(
    start: &Start,
    request: impl Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    clear(start.call_id);
    started(of_closure(&request), start, &request)
}

/// One function for all features, as [`answered`].
fn started<'a>(
    export: &'static str,
    start: &Start,
    request: &dyn Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    status_of(export, start.error_json, &|| {
        let client = handles::client(start.client)?;
        let options = text(start.options_json, "options_json")?;
        write(start.call_id, client.start_request(&request()?, options, start.tag)?);
        Ok(())
    })
}

/// Lists the tools of the server: all pages of the list as one result, {"tools":[...]}, with each
/// entry as the server wrote it.
///
/// options_json: as for mcp_call(), and "cursor" (read only the page at this cursor) and "one_page"
///   (read only the first page; "nextCursor" in the result names the next one); NULL for none.
/// reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(); MCP_ERROR_UNSUPPORTED when the server has no tools (it is
///   asked, whether it declares them or not); MCP_ERROR_TOO_LARGE when the list exceeds
///   "limits"; MCP_ERROR_PROTOCOL when a cursor repeats.
///
/// Threads: any thread; waits as mcp_call() does. The timeout applies to each page, the total time
///   to all pages.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_tools(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::ToolsList))
}

/// Calls a tool.
///
/// With the config key "tasks" the call may become a task; it still has one outcome. Notifications
/// of the task then arrive on the queue as MCP_KIND_NOTIFICATION of topic MCP_TOPIC_TASK with the
/// id and the tag of the call, and requests of the task as MCP_KIND_REQUEST. Cancelling the call
/// cancels the task. mcp_client_get_task_result() waits for a task whose call has ended.
///
/// name: the name of the tool, as in the list.
/// arguments_json: the arguments, a JSON object; NULL for none.
/// options_json: as for mcp_call(), and "task" (true: as a task; false: not as a task; absent: as
///   the tool declares) and "task_ttl_ms" (how long the server is asked to keep the task); NULL for
///   none.
/// reply: as for mcp_call(). The result is the server's, unchanged: "content", "structuredContent",
///   "isError".
///
/// Returns the statuses of mcp_call(); MCP_ERROR_UNSUPPORTED when the tool does not allow the call
///   with or without a task (a server that declares no tools is asked all the same); for a task also
///   MCP_ERROR_CANCELLED when it was cancelled on the server, and MCP_ERROR_BACKPRESSURE when
///   "limits.tasks" is reached. A tool that failed is MCP_OK with "isError":true in the result.
///
/// Threads: any thread; waits as mcp_call() does.
///
/// Example:
///
///     mcp_client_call_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, &reply);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_call_tool(
    client: *mut mcp_client_t,
    name: *const c_char,
    arguments_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ToolsCall {
            name: needed_text(name, "name")?,
            arguments: text(arguments_json, "arguments_json")?,
        })
    })
}

/// mcp_client_call_tool() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_call_tool_start(
    client: *mut mcp_client_t,
    name: *const c_char,
    arguments_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::ToolsCall {
            name: needed_text(name, "name")?,
            arguments: text(arguments_json, "arguments_json")?,
        })
    })
}

/// Reads a resource: {"contents":[...]}, each with "text" or "blob" (Base64).
///
/// uri: the URI of the resource, sent unchanged.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no resources.
///   A resource that does not exist is MCP_ERROR_SERVER with code -32602 (2026-07-28) or -32002
///   (earlier revisions).
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_read_resource(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesRead { uri: needed_text(uri, "uri")? })
    })
}

/// mcp_client_read_resource() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_read_resource_start(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::ResourcesRead { uri: needed_text(uri, "uri")? })
    })
}

/// Subscribes to a resource: MCP_TOPIC_RESOURCE_UPDATED arrives on the queue when it changes, on
/// every revision. The client restores the subscription after a reconnection. The result is {}.
///
/// uri: the URI of the resource, sent unchanged.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no
///   subscriptions or does not accept this one.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_subscribe_resource(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesSubscribe { uri: needed_text(uri, "uri")? })
    })
}

/// Ends a subscription of mcp_client_subscribe_resource(). Parameters, statuses and threads as
/// there.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_unsubscribe_resource(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesUnsubscribe { uri: needed_text(uri, "uri")? })
    })
}

/// Gets a prompt with its arguments filled in: {"messages":[...]}.
///
/// name: the name of the prompt, as in the list.
/// arguments_json: the arguments, a JSON object whose values are strings; NULL for none.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no prompts.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_prompt(
    client: *mut mcp_client_t,
    name: *const c_char,
    arguments_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::PromptsGet {
            name: needed_text(name, "name")?,
            arguments: text(arguments_json, "arguments_json")?,
        })
    })
}

/// mcp_client_get_prompt() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_prompt_start(
    client: *mut mcp_client_t,
    name: *const c_char,
    arguments_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::PromptsGet {
            name: needed_text(name, "name")?,
            arguments: text(arguments_json, "arguments_json")?,
        })
    })
}

/// Asks for values that complete what was typed for an argument:
/// {"completion":{"values":[...],"total","hasMore"}}.
///
/// ref_json: the prompt or template that has the argument: {"type":"ref/prompt","name":"..."} or
///   {"type":"ref/resource","uri":"..."} with a URI template.
/// argument: the name of the argument.
/// value: the text typed so far; may be empty.
/// settled_json: the arguments that already have a value, a JSON object whose values are strings;
///   NULL for none.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no completion.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_complete(
    client: *mut mcp_client_t,
    ref_json: *const c_char,
    argument: *const c_char,
    value: *const c_char,
    settled_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::Complete {
            reference: needed_text(ref_json, "ref_json")?,
            argument: needed_text(argument, "argument")?,
            value: needed_text(value, "value")?,
            settled: text(settled_json, "settled_json")?,
        })
    })
}

/// Sets the lowest level of the log messages that the server sends (MCP_TOPIC_LOG). Up to
/// 2025-11-25 this is a request. In 2026-07-28, where a server sends no log messages until then, it
/// is a member of the metadata of each later request. The client restores the level after a
/// reconnection. The result is {}.
///
/// level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no logging.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_server_log_level(
    client: *mut mcp_client_t,
    level: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SetLogLevel { level: needed_text(level, "level")? })
    })
}

/// Sets the roots that the client returns to servers on request, and notifies the servers that can
/// be notified (up to 2025-11-25).
///
/// roots_json: a JSON array of file:// URIs or of objects with such a "uri".
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_UNSUPPORTED when the client has not declared roots (set "roots" in the
///   configuration); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_set_roots(
    client: *mut mcp_client_t,
    roots_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.set_roots(needed_text(roots_json, "roots_json")?))
}

/// Drops all cached results of the client ("cache" in the configuration). Results of pending calls
/// are not cached either.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_clear_cache(client: *mut mcp_client_t) -> mcp_status_t {
    guard_error(std::ptr::null_mut(), || {
        handles::client(client)?.clear_cache();
        Ok(())
    })
}

/// Answers an elicitation request (MCP_TOPIC_ELICITATION) with what the person decided. For
/// "accept" the library adds the defaults of missing fields and checks the content against the
/// schema of the form ("requestedSchema"), with formats, before it sends it.
///
/// The library never opens or fetches a page ("mode":"url"). Show the person the whole URL and the
/// server that asks, and open the page only after consent.
///
/// request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
/// action: "accept" (the form was filled in, or the person consents to open the page), "decline"
///   (the person refuses) or "cancel" (the person closed it without a choice).
/// content_json: with "accept" the content of the form, a JSON object; NULL for the defaults only.
///   NULL for a page, and with another action.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns the statuses of mcp_request_respond(); MCP_ERROR_INVALID_ARGUMENT also for content that
///   the form does not allow: the request then still waits for an answer.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     mcp_request_respond_elicitation(request, "accept", "{\"size\":\"large\"}", &error);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_respond_elicitation(
    request: *const mcp_message_t,
    action: *const c_char,
    content_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let content = text(content_json, "content_json")?;
        let decision = match (needed_text(action, "action")?, content) {
            ("accept", content) => Decision::Accept(content),
            ("decline", None) => Decision::Decline,
            ("cancel", None) => Decision::Cancel,
            (other @ ("decline" | "cancel"), Some(_)) => {
                let what =
                    format_args!("must be NULL: with the action '{other}' nothing of the form is sent");
                return Err(invalid("content_json", what));
            }
            (other, _) => {
                let what = format_args!("is '{other}' and must be accept, decline or cancel");
                return Err(invalid("action", what));
            }
        };
        let (client, request) = asked(request)?;
        client.elicit(request, decision)
    })
}
