//! Skills that a server publishes.

use super::giving::guard_error;
use super::handles::{self, mcp_server_t};
use super::pointer::{needed_text, text};
use super::status::mcp_status_t;
use std::ffi::c_char;

/// Publishes the skills below a folder (extension io.modelcontextprotocol/skills). Each folder with
/// a file SKILL.md is a skill, with all that is below it; the name in the front matter of that file
/// must be the name of the folder. All files are read now and kept in memory, so that the entries,
/// the digests and the files that clients read always belong together. The library answers for them
/// without the application: skills/list, skills/get and resources/directory/read in revision
/// 2026-07-28, and the files as resources in every revision.
///
/// Call it again with the same folder after files have changed: what the folder had before is
/// replaced as a whole, and subscribers are told. mcp_server_remove() with the kind "skills" and the
/// folder removes them.
///
/// Names that begin with a dot are left out. A symbolic link, a device, a named pipe or a name with
/// a backslash is an error; nothing outside of the folder is read.
///
/// folder: the path of the folder.
/// options_json: {"uri_prefix":"skill://acme/billing"}: what the URIs begin with; without it
///   "skill://", so that the file SKILL.md of the folder "pdf" is skill://pdf/SKILL.md. NULL for
///   none.
/// error_json: receives the error object on failure, with "path" in its details; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT (a file that may not be published, or a URI that is
///   taken); MCP_ERROR_UNAVAILABLE (something cannot be read); MCP_ERROR_TOO_LARGE ("limits.skills",
///   "limits.skills_bytes", "limits.skill_files", "limits.skill_bytes", "limits.skill_depth" or
///   "limits.file_bytes" of the configuration); MCP_ERROR_UNSUPPORTED (the library was built without
///   the feature "skills"); MCP_ERROR_FORKED. On failure nothing has changed.
///
/// Threads: any thread, also while the server serves.
///
/// Example:
///
///     mcp_server_add_skills(server, "/usr/share/editor/skills", NULL, &error);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_skills(
    server: *mut mcp_server_t,
    folder: *const c_char,
    options_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        server.add_skills(needed_text(folder, "folder")?, text(options_json, "options_json")?)
    })
}
