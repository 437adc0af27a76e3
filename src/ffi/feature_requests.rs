//! Requests about one tool, resource or prompt.

use super::features::{Start, guard_request, guard_start};
use super::handles::{mcp_client_t, mcp_message_t};
use super::pointer::{needed_text, text};
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

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

/// mcp_client_subscribe_resource() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_subscribe_resource_start(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
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

/// mcp_client_unsubscribe_resource() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_unsubscribe_resource_start(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
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
