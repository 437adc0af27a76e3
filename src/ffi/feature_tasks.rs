//! Tasks by their names: of calls that the program made before, perhaps in another process.

use super::features::{Start, guard_request, guard_start};
use super::handles::mcp_client_t;
use super::messages::mcp_message_t;
use super::pointer::needed_text;
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Lists the tasks that the server keeps, {"tasks":[...]}. Parameters and statuses as for mcp_tools_list().
///
/// MCP_UNSUPPORTED unless the config has "tasks", and on servers that have no such list: only 2025-11-25 knows one.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_list(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::TasksList))
}

/// mcp_tasks_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_list_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::TasksList))
}

/// Gets a task as it is at the moment: {"taskId":...,"status":...}, as the server wrote it.
///
/// task_id: the "taskId" of the state that came with topic MCP_TOPIC_TASK, or of the "details" of an error ("task").
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED unless the config has "tasks" and
/// the server has tasks. A task that the server does not know, or keeps no longer, is MCP_SERVER with code -32602.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_get(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksGet { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_tasks_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_get_start(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::TasksGet { id: needed_text(task_id, "task_id")? })
    })
}

/// Waits for what a task comes to, and gives it as the call would have that became the task: also in another process than the
/// one that made the call, and on every revision that has tasks. News of the task and requests of its server come to the
/// queue meanwhile, as they do for mcp_tools_call().
///
/// task_id: as for mcp_tasks_get().
/// options_json, reply: as for mcp_call(). "timeout_ms" is for each request about the task; all of it may take
///   "max_total_ms", or "tasks.life_ms" of the config.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_tools_call() does: MCP_CANCELLED when the task was cancelled. A call
/// that is cancelled or runs out of time leaves the task alone; mcp_tasks_cancel() ends it.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_result(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksResult { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_tasks_result() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as
/// for mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_result_start(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::TasksResult { id: needed_text(task_id, "task_id")? })
    })
}

/// Tells the server that a task is no longer wanted. A call of this client that is the task is better ended by
/// mcp_call_cancel(), which does this too. The server decides what becomes of the task (2026-07-28: it may go on).
///
/// task_id: as for mcp_tasks_get().
/// options_json, reply: as for mcp_call(). The result is the server's: the task (2025-11-25), or nothing that matters.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_tasks_get() does; for a task that is over already, MCP_SERVER with
/// code -32602 (2025-11-25).
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_cancel(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksCancel { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_tasks_cancel() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as
/// for mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_tasks_cancel_start(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::TasksCancel { id: needed_text(task_id, "task_id")? })
    })
}
