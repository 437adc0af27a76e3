//! What a server offers, folders of skills included, and how the function of the program that runs for a request is called.

use super::convert::{guard_error, guard_taking};
use super::guard::{invalid, null};
use super::handles::{self, mcp_message_t, mcp_server_t};
use super::panics::of_program;
use super::pointer::{UserData, bytes, give_message, needed_text, text};
use super::status::{MCP_EMPTY, MCP_OK, mcp_status_t};
use crate::engine::Error;
use crate::runtime::message::Handler;
use crate::server::{Entry, Kind};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// A function of the application that handles one kind of request. It owns the request: it answers
/// it with mcp_request_respond() or a similar function, now or later and on any thread, and frees it
/// with mcp_message_free().
///
/// user: the pointer that was registered with the function.
/// request: a message of kind MCP_KIND_REQUEST. mcp_message_method() has the method,
///   mcp_message_json() the parameters as the client sent them.
pub type mcp_handler_t = Option<unsafe extern "C" fn(user: *mut c_void, request: *mut mcp_message_t)>;

/// A function of the application, as the server calls it.
struct Function {
    function: unsafe extern "C" fn(*mut c_void, *mut mcp_message_t),
    user: UserData,
}

/// Takes a handler. From here on `destroy` is called whatever happens. Without a function the queue gets the requests.
fn taken(
    function: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
) -> Handler {
    let user = UserData::new(user, destroy);
    let Some(function) = function else { return Handler::queue() };
    let function = Function { function, user };
    Handler::function(Arc::new(move |request| {
        let Function { function, user } = &function;
        // Without memory for the message it is dropped, and its client gets an error.
        if let Some(message) = give_message(request) {
            // SAFETY: the contract says that the function may be called with `user` until `destroy` is; it owns the message.
            of_program(|| unsafe { function(user.get(), message) });
        }
    }))
}

fn add(
    server: *mut mcp_server_t,
    entry: Entry,
    definition_json: *const c_char,
    handler: Handler,
) -> Result<(), Error> {
    handles::server(server)?.add(entry, needed_text(definition_json, "definition_json")?, handler)
}

/// Adds a tool. Clients that are connected learn of it by a notification, several changes by one.
///
/// definition_json: a Tool object of the specification: "name" and "inputSchema" are necessary.
/// handler: runs for each call of the tool; NULL has the requests arrive on the queue. The arguments
///   have been checked against the schema, if the build has MCP_FEATURE_SCHEMA.
/// user: passed to the handler; may be NULL.
/// destroy: releases `user`, once: when the tool has been removed or the server is freed, and no
///   handler runs; or before this function returns, if it fails. May be NULL.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for a wrong definition, naming the member, and for a
///   name that is taken; MCP_ERROR_FORKED.
///
/// Threads: any thread, also while the server serves.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_tool(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        add(server, Entry::Tool, definition_json, handler)
    })
}

/// Adds a resource that a handler reads. See mcp_server_add_tool() for the parameters.
///
/// definition_json: a Resource object: "uri" and "name" are necessary.
/// handler: answers with {"contents":[...]}.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_resource(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        add(server, Entry::Resource, definition_json, handler)
    })
}

/// Adds a resource whose text is always the same. The library answers for it without the
/// application.
///
/// definition_json: a Resource object: "uri" and "name" are necessary.
/// text: the text, copied.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_text(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    text: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        let definition = needed_text(definition_json, "definition_json")?;
        server.add_fixed(definition, Some(needed_text(text, "text")?), &[])
    })
}

/// Adds a resource whose bytes are always the same. See mcp_server_add_text().
///
/// data: the bytes, copied; may be NULL if `length` is 0.
/// length: their number.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_blob(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    data: *const c_char,
    length: usize,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        let definition = needed_text(definition_json, "definition_json")?;
        if data.is_null() && length > 0 {
            return Err(null("data"));
        }
        server.add_fixed(definition, None, bytes(data, length).unwrap_or_default())
    })
}

/// Adds a resource template. See mcp_server_add_tool() for the parameters.
///
/// definition_json: a ResourceTemplate object: "uriTemplate" and "name" are necessary.
/// handler: answers with {"contents":[...]}. mcp_request_context() has the "variables" that the URI
///   gave the template.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_resource_template(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        add(server, Entry::Template, definition_json, handler)
    })
}

/// Adds a resource template whose resources are the files below a folder: text where a file is
/// UTF-8, bytes else. The files are read where handlers run. Symbolic links are not followed, and
/// nothing outside of the folder is read, whatever a client asks for.
///
/// template_json: a ResourceTemplate object of the specification. Its "uriTemplate" needs the
///   variable "path", for example "docs:///{+path}"; its "mimeType", if any, is that of every file.
/// folder: the path of the folder, which stays open until the template is removed.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (the folder cannot be opened),
///   MCP_ERROR_FORKED. A file with more than "limits.file_bytes" of the configuration is an error
///   for the client.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_folder(
    server: *mut mcp_server_t,
    template_json: *const c_char,
    folder: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let server = handles::server(server)?;
        server.add_folder(needed_text(template_json, "template_json")?, needed_text(folder, "folder")?)
    })
}

/// Adds a prompt. See mcp_server_add_tool() for the parameters.
///
/// definition_json: a Prompt object: "name" is necessary.
/// handler: answers with {"messages":[...]}.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_prompt(
    server: *mut mcp_server_t,
    definition_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        add(server, Entry::Prompt, definition_json, handler)
    })
}

/// Lets an argument of a prompt or of a resource template be completed.
///
/// reference: the name of the prompt, or the URI template.
/// argument: the name of the argument.
/// values_json: an array of strings, from which the library completes; NULL for a handler.
/// handler: answers with {"completion":{"values":[...]}}; not used with `values_json`.
/// user, destroy, error_json: as for mcp_server_add_tool().
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_completion(
    server: *mut mcp_server_t,
    reference: *const c_char,
    argument: *const c_char,
    values_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        let server = handles::server(server)?;
        let values =
            match text(values_json, "values_json")? {
                None => None,
                Some(values) => Some(serde_json::from_str(values).map_err(|error| {
                    invalid("values_json", format_args!("is no array of strings: {error}"))
                })?),
            };
        let (reference, argument) =
            (needed_text(reference, "reference")?, needed_text(argument, "argument")?);
        server.add_completion(reference, argument, values, handler);
        Ok(())
    })
}

/// Adds a method of an extension. In 2026-07-28 the server announces the extension, and refuses the
/// method to a client that does not announce it, too. Earlier revisions have no extensions: nothing
/// is announced, and every client may call it.
///
/// method: the method, such as "com.example/render".
/// capability: the extension that the server announces with it; NULL for none. A client of
///   2026-07-28 must declare the extension too ("capabilities":{"extensions":{...}}).
/// settings_json: what it announces, a JSON object; NULL for {}.
/// handler, user, destroy, error_json: as for mcp_server_add_tool().
///
/// Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_add_method(
    server: *mut mcp_server_t,
    method: *const c_char,
    capability: *const c_char,
    settings_json: *const c_char,
    handler: mcp_handler_t,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_adding(error_json, (handler, user, destroy), |handler| {
        let server = handles::server(server)?;
        let settings = text(settings_json, "settings_json")?.unwrap_or("{}");
        server.add_method(needed_text(method, "method")?, text(capability, "capability")?, settings, handler)
    })
}

/// Removes what was added.
///
/// kind: "tool", "resource", "template", "prompt" or "skills".
/// name: the name; of a resource its URI, of a template its URI template, of skills the folder as it
///   was given to mcp_server_add_skills().
///
/// Returns MCP_OK, MCP_EMPTY if there is no such entry, MCP_ERROR_INVALID_ARGUMENT,
///   MCP_ERROR_FORKED. Requests that its handler has begun are not affected.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_server_remove(
    server: *mut mcp_server_t,
    kind: *const c_char,
    name: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_found(error_json, || {
        let server = handles::server(server)?;
        let kind = match needed_text(kind, "kind")? {
            "tool" => Kind::Tool,
            "resource" => Kind::Resource,
            "template" => Kind::Template,
            "prompt" => Kind::Prompt,
            "skills" => return server.remove_skills(needed_text(name, "name")?),
            other => {
                let what =
                    format_args!("is '{other}' and must be tool, resource, template, prompt or skills");
                return Err(invalid("kind", what));
            }
        };
        Ok(server.remove(kind, needed_text(name, "name")?))
    })
}

/// Runs the body of an export that may find nothing to do, which is not an error and leaves none.
fn guard_found(error_json: *mut *mut c_char, body: impl Fn() -> Result<bool, Error>) -> mcp_status_t {
    let found = std::cell::Cell::new(true);
    let status = guard_error(error_json, || {
        found.set(body()?);
        Ok(())
    });
    if status == MCP_OK && !found.get() { MCP_EMPTY } else { status }
}

/// A handler as C gives it: the function, its pointer, and what releases that.
type Given = (mcp_handler_t, *mut c_void, Option<unsafe extern "C" fn(user: *mut c_void)>);

/// Runs the body of an export that takes a handler. `destroy` is called whatever comes, once: a body that fails drops it.
fn guard_adding(
    error_json: *mut *mut c_char,
    (handler, user, destroy): Given,
    body: impl Fn(Handler) -> Result<(), Error>,
) -> mcp_status_t {
    guard_taking((), error_json, || Ok(taken(handler, user, destroy)), body)
}

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
