//! Skills: listed, looked up, and their files read with everything checked first.

use super::features::{Start, guard_request, guard_start};
use super::handles::mcp_client_t;
use super::messages::mcp_message_t;
use super::pointer::needed_text;
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

/// Lists the server's skills (extension io.modelcontextprotocol/skills), {"skills":[...]}: an entry for each, with its "uri",
/// "frontmatter" and "resources". No file is read. A server need not list all that it has: see mcp_skill_get().
///
/// Parameters and statuses as for mcp_tools_list(); MCP_UNSUPPORTED when the server does not declare the extension.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skills_list(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::SkillsList))
}

/// mcp_skills_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skills_list_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::SkillsList))
}

/// Gets the entry of one skill, {"skill":{...}}, listed or not. No file is read. This is also how an entry is renewed after a
/// file has changed; what a person agreed to was the entry before.
///
/// uri: the URI of the skill's SKILL.md, sent as it is.
/// options_json, reply: as for mcp_call().
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server does not declare the
/// extension. A skill that the server does not have is MCP_SERVER with code -32602.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_get(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::SkillGet { uri: needed_text(uri, "uri")? }))
}

/// mcp_skill_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
/// mcp_call_start(), and MCP_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_get_start(
    client: *mut mcp_client_t,
    uri: *const c_char,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || {
        Ok(Request::SkillGet { uri: needed_text(uri, "uri")? })
    })
}

/// Loads a skill: reads its SKILL.md and gives it, {"contents":[{...}]}, if its size, its digest and every field of its front
/// matter are as the entry says. mcp_message_text() has the text. No other file is read.
///
/// entry_json: the skill's entry: an element of what mcp_skills_list() gave, or what mcp_skill_get() gave. Hold it while the
///   skill is in use; mcp_skill_read() takes the same.
/// options_json: as for mcp_call(), and "allow_dynamic" (true: also a skill whose "resources" are "dynamic"; then only the
///   front matter and "limits.skill_bytes" are looked at); NULL for none.
/// reply: as for mcp_call(). On failure it has nothing of the file.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_call() does, and:
/// MCP_PROTOCOL when the file is not what the entry says: "check" in the error's details is "size", "digest", "frontmatter" or
///   "content" (the result is not one file).
/// MCP_INVALID_ARGUMENT when the entry breaks a rule of the extension ("check" is "entry"), MCP_TOO_LARGE when the skill is
///   beyond "limits.skill_files" or "limits.skill_bytes", MCP_UNSUPPORTED when it is dynamic, or the library was built without
///   the feature "skills". Nothing is sent then.
///
/// A digest shows that file and entry belong together, not that the server means well: docs/skills.md says what is left to
/// the host.
///
///     mcp_skill_get(client, "skill://pdf/SKILL.md", NULL, &entry);
///     mcp_skill_load(client, mcp_message_json(entry, NULL), NULL, &skill);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_load(
    client: *mut mcp_client_t,
    entry_json: *const c_char,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || {
        Ok(Request::SkillLoad { entry: needed_text(entry_json, "entry_json")? })
    })
}

/// mcp_skill_load() as a started call: the outcome arrives on the queue, checked. tag, call_id, error_json and what is returned:
/// as for mcp_call_start(), and what mcp_skill_load() returns when nothing is sent.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_load_start(
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

/// Reads a file of a skill and gives it, {"contents":[{...}]} with "text" or "blob" (Base64), if its size and digest are as the
/// entry says; of the SKILL.md its front matter too.
///
/// entry_json, options_json, reply: as for mcp_skill_load(). The entry must be the one that the skill was loaded with.
/// path: the file's path in the skill's folder, such as "references/FORMS.md" ('.' and '..' are resolved), or its URI.
///
/// Any thread; waits as mcp_call() does. Returns as mcp_skill_load() does, and MCP_INVALID_ARGUMENT when the path leads out of
/// the skill or to a file that the entry does not list ("check" is "listed"); nothing is sent then.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_read(
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

/// mcp_skill_read() as a started call: the outcome arrives on the queue, checked. tag, call_id, error_json and what is returned:
/// as for mcp_call_start(), and what mcp_skill_read() returns when nothing is sent.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_skill_read_start(
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
