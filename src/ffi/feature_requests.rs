//! What is asked of one tool, resource or prompt.

use super::features::{Start, guard_request, guard_start};
use super::handles::mcp_client_t;
use super::messages::mcp_message_t;
use super::pointer::{needed_text, text};
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Calls a tool.
///
/// name: the tool, as the list names it.
/// arguments_json: its arguments, a JSON object; NULL for none.
/// options_json: as for mcp_call(), and "task" (true: as a task, false: not as one; absent: as the tool says), "task_ttl_ms" (how
///   long the server is asked to keep the task); NULL for none.
/// reply: as for mcp_call(). The result is the server's, unchanged: "content", "structuredContent", "isError".
///
/// With the config key "tasks" the call may become a task: it still has this one outcome. What the server says of the task
/// comes to the queue, as MCP_KIND_NOTIFICATION of topic MCP_TOPIC_TASK with the call's id and tag, and what it asks as
/// MCP_KIND_REQUEST. Cancelling the call cancels the task; mcp_tasks_result() takes up a task whose call has ended.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no tools, or the
/// tool is not called that way; for a task also MCP_CANCELLED when it was cancelled on the server, and MCP_BACKPRESSURE over
/// "limits.tasks". A tool that failed is MCP_OK with "isError":true in the result.
///
///     mcp_tools_call(client, "add", "{\"a\":1,\"b\":2}", NULL, &reply);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tools_call(
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

/// mcp_tools_call() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tools_call_start(
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

/// Reads a resource: {"contents":[...]} with "text" or "blob" (Base64) in each.
///
/// uri: the resource, sent as it is.
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no resources. A
/// resource that does not exist is MCP_SERVER with code -32602 (2026-07-28) or -32002 (before).
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_read(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesRead { uri: needed_text(uri, "uri")? })
    })
}

/// mcp_resources_read() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_read_start(
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

/// Asks to be told when a resource changes: MCP_TOPIC_RESOURCE_UPDATED arrives on the queue then, whatever the revision.
/// The subscription outlives a reconnection.
///
/// uri: the resource, sent as it is.
/// options_json, reply: as for mcp_call(). The result is {}.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no
/// subscriptions, or does not take this one.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_subscribe(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesSubscribe { uri: needed_text(uri, "uri")? })
    })
}

/// mcp_resources_subscribe() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_subscribe_start(
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

/// Ends what mcp_resources_subscribe() began. Parameters and statuses as there.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_unsubscribe(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::ResourcesUnsubscribe { uri: needed_text(uri, "uri")? })
    })
}

/// mcp_resources_unsubscribe() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_resources_unsubscribe_start(
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

/// Gets a prompt, filled in: {"messages":[...]}.
///
/// name: the prompt, as the list names it.
/// arguments_json: its arguments, a JSON object whose values are strings; NULL for none.
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no prompts.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_prompts_get(
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

/// mcp_prompts_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_prompts_get_start(
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
