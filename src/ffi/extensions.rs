//! The extensions of the protocol: tasks by their ids, and skills.

use super::features::{Start, guard_request, guard_start};
use super::handles::{mcp_client_t, mcp_message_t};
use super::pointer::needed_text;
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

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
///
/// Example:
///
///     if (mcp_client_get_task(client, task_id, NULL, &reply) == MCP_OK)
///         puts(mcp_value_string(mcp_value_get(mcp_message_value(reply), "status"), NULL));
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
///
/// Example:
///
///     // At most ten minutes; the task continues after that.
///     const char *options = "{\"max_total_ms\":600000}";
///     if (mcp_client_get_task_result(client, task_id, options, &reply) == MCP_OK)
///         puts(mcp_message_text(reply, NULL));
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
///
/// Example:
///
///     if (mcp_client_cancel_task(client, task_id, NULL, &reply) != MCP_OK)
///         puts(mcp_message_json(reply, NULL));
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

/// Loads a skill: reads its SKILL.md and returns it, {"contents":[{...}]}, if the size, the digest
/// and every field of the front matter match the entry. mcp_message_text() returns the text. No
/// other file is read.
///
/// A digest shows that file and entry belong together, not that the server is trustworthy:
/// docs/guide/skills.md says what the host must check.
///
/// entry_json: the entry of the skill: an element of the result of "skills/list", or the result of
///   mcp_call() with "skills/get" and {"uri":...}, for one skill, listed or not. Keep it while the
///   skill is in use: mcp_client_read_skill_file() needs the same entry. After a file has changed,
///   get a new one; the consent of a person applies to the entry before.
/// options_json: as for mcp_call(), and "allow_dynamic" (true: also load a skill whose "resources"
///   are "dynamic"; only the front matter and "limits.skill_bytes" are then checked); NULL for
///   none.
/// reply: as for mcp_call(). On failure it contains nothing of the file.
///
/// Returns the statuses of mcp_call() and:
/// - MCP_ERROR_PROTOCOL when the file does not match the entry: "check" in the details of the error
///   is "size", "digest", "frontmatter" or "content" (the result is not one file).
/// - MCP_ERROR_INVALID_ARGUMENT when the entry violates a rule of the extension ("check" is
///   "entry"). Nothing is sent.
/// - MCP_ERROR_TOO_LARGE when the skill exceeds "limits.skill_files" or "limits.skill_bytes".
///   Nothing is sent.
/// - MCP_ERROR_UNSUPPORTED when the skill is dynamic or the library was built without the feature
///   "skills". Nothing is sent.
///
/// Threads: any thread; waits as mcp_call() does.
///
/// Example:
///
///     const char *which = "{\"uri\":\"skill://pdf/SKILL.md\"}";
///     if (mcp_call(client, "skills/get", which, NULL, &entry) == MCP_OK)
///         mcp_client_load_skill(client, mcp_message_json(entry, NULL), NULL, &skill);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_load_skill(
    client: *mut mcp_client_t,
    entry_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SkillLoad { entry: needed_text(entry_json, "entry_json")? })
    })
}

/// mcp_client_load_skill() as a started call (see mcp_call_start()). Also returns the statuses that
/// mcp_client_load_skill() returns without sending.
///
/// Example:
///
///     uint64_t call;
///     mcp_client_load_skill_start(client, mcp_message_json(entry, NULL), NULL, 7, &call, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_load_skill_start(
    client: *mut mcp_client_t,
    entry_json: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::SkillLoad { entry: needed_text(entry_json, "entry_json")? })
    })
}

/// Reads a file of a skill and returns it, {"contents":[{...}]} with "text" or "blob" (Base64), if
/// its size and digest match the entry; for SKILL.md also the front matter.
///
/// entry_json: the entry with which the skill was loaded; otherwise as for mcp_client_load_skill().
/// path: the path of the file in the folder of the skill, such as "references/FORMS.md" ('.' and
///   '..' are resolved), or its URI.
/// options_json, reply: as for mcp_client_load_skill().
///
/// Returns the statuses of mcp_client_load_skill(), and MCP_ERROR_INVALID_ARGUMENT when the path
///   leads out of the skill or to a file that the entry does not list ("check" is "listed");
///   nothing is sent then.
///
/// Threads: any thread; waits as mcp_call() does.
///
/// Example:
///
///     const char *held = mcp_message_json(entry, NULL);
///     if (mcp_client_read_skill_file(client, held, "references/FORMS.md", NULL, &reply) == MCP_OK)
///         puts(mcp_message_text(reply, NULL));
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_read_skill_file(
    client: *mut mcp_client_t,
    entry_json: *const c_char,
    path: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SkillRead {
            entry: needed_text(entry_json, "entry_json")?,
            path: needed_text(path, "path")?,
        })
    })
}

/// mcp_client_read_skill_file() as a started call (see mcp_call_start()). Also returns the statuses
/// that mcp_client_read_skill_file() returns without sending.
///
/// Example:
///
///     uint64_t call;
///     const char *held = mcp_message_json(entry, NULL);
///     mcp_client_read_skill_file_start(client, held, "forms.md", NULL, 8, &call, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_read_skill_file_start(
    client: *mut mcp_client_t,
    entry_json: *const c_char,
    path: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::SkillRead {
            entry: needed_text(entry_json, "entry_json")?,
            path: needed_text(path, "path")?,
        })
    })
}
