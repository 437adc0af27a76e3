//! Tasks by their names: for calls that the program made earlier, possibly in another process.

use super::features::{Start, guard_request, guard_start};
use super::handles::{mcp_client_t, mcp_message_t};
use super::pointer::needed_text;
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Lists the tasks that the server keeps: {"tasks":[...]}. Only revision 2025-11-25 has this list.
///
/// Parameters, statuses and threads as for mcp_client_list_tools(). MCP_ERROR_UNSUPPORTED when the
/// configuration has no "tasks" or the server has no such list.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_tasks(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::TasksList))
}

/// mcp_client_list_tasks() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_tasks_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::TasksList))
}

/// Gets the current state of a task: {"taskId":...,"status":...}, as the server wrote it.
///
/// task_id: the "taskId" of a notification of topic MCP_TOPIC_TASK, or "task" in the "details" of
///   an error.
/// options_json, reply: as for mcp_call().
///
/// Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the configuration has no
///   "tasks" or the server has no tasks. A task that the server does not know, or no longer keeps,
///   is MCP_ERROR_SERVER with code -32602.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_task(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksGet { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_client_get_task() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_task_start(
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

/// Waits for the result of a task and returns it as the call that became the task would have done.
/// This works also in another process than the one that made the call, and on every revision that
/// has tasks. Notifications of the task and requests of its server arrive on the queue meanwhile,
/// as for mcp_client_call_tool().
///
/// task_id: as for mcp_client_get_task().
/// options_json, reply: as for mcp_call(). "timeout_ms" limits each request about the task;
///   "max_total_ms", or "tasks.life_ms" of the configuration, limits the whole wait.
///
/// Returns the statuses of mcp_client_call_tool(); MCP_ERROR_CANCELLED when the task was cancelled.
///   A call that is cancelled or times out does not end the task; mcp_client_cancel_task() does.
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_task_result(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksResult { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_client_get_task_result() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_get_task_result_start(
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

/// Asks the server to cancel a task. If the task belongs to a pending call of this client, use
/// mcp_call_cancel() instead, which also cancels the task. The server decides what happens to the
/// task (2026-07-28: it may continue).
///
/// task_id: as for mcp_client_get_task().
/// options_json, reply: as for mcp_call(). The result is the server's: the task (2025-11-25), or a
///   result without information.
///
/// Returns the statuses of mcp_client_get_task(); for a task that has already ended,
///   MCP_ERROR_SERVER with code -32602 (2025-11-25).
///
/// Threads: any thread; waits as mcp_call() does.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_cancel_task(
    client: *mut mcp_client_t,
    task_id: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::TasksCancel { id: needed_text(task_id, "task_id")? })
    })
}

/// mcp_client_cancel_task() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_cancel_task_start(
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
