//! MCP Apps, the side of the host: one view and its messages.

use super::convert::{give, guard_error, guard_free, guard_out};
use super::guard::{forked_error, guard_status, invalid, null};
use super::objects::{Content, no_memory};
use super::pointer::{Held, clear, dead, give as give_handle, give_text, held, needed_text, write};
use super::status::{MCP_EMPTY, MCP_OK, mcp_status_t};
use crate::apps::{InvalidTold, Policy, View};
use crate::engine::Error;
use crate::json;
use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

/// A view: the page of a tool (MCP Apps, extension io.modelcontextprotocol/ui), and what its host
/// says and decides. The library shows nothing: the program has a web view, gives the messages of
/// the page to mcp_app_receive(), and does what mcp_app_poll() returns.
///
/// The pointer is a number that the library looks up. Several threads may use one view; the calls
/// then come in any order.
#[derive(Debug)]
pub struct mcp_app_t {
    _private: [u8; 0],
}

fn told(argument: &'static str) -> impl Fn(InvalidTold) -> Error {
    move |why| invalid(argument, format_args!("cannot be used: {why}"))
}

/// Runs with a view that this process made.
fn with_app<T>(app: *mut mcp_app_t, run: impl FnOnce(&mut View) -> Result<T, Error>) -> Result<T, Error> {
    match held(app.addr()) {
        // Its lock may be held by a thread of the parent.
        Some(held) if matches!(held.content, Content::App(_)) && !held.is_ours() => Err(forked_error()),
        Some(Held { content: Content::App(view), .. }) => {
            run(&mut view.lock().unwrap_or_else(PoisonError::into_inner))
        }
        _ if app.is_null() => Err(null("app")),
        _ => Err(dead("app", app.addr())),
    }
}

/// Creates the host's side of a view. Read the document of the tool's "_meta.ui.resourceUri" with
/// mcp_client_read_resource() and show it in a frame under the policy that mcp_app_policy()
/// returns.
///
/// settings_json: {"hostInfo":{"name":...,"version":...}}, and as far as the program has them
///   "hostCapabilities" (what is not named is refused to the view: "serverTools",
///   "serverResources", "sampling", "openLinks", "downloadFile", "message", "updateModelContext",
///   "logging"),
///   "hostContext" ("theme", "displayMode", "availableDisplayModes", "styles", ...), "tool" (the
///   definition that the call was made with), "tools" (the definitions of this server's tools, of
///   which the view may call those whose "_meta.ui.visibility" has "app"), "appTools" (what the
///   names of the view's own tools begin with, in a host that lets a model call those: a draft).
/// app: receives the view. Free it with mcp_app_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for settings that views would not take, and the
///   message names the member; MCP_ERROR_NO_MEMORY.
///
/// Threads: any thread; never waits.
///
/// Specification: MCP Apps 2026-01-26, "Communication protocol".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_new(
    settings_json: *const c_char,
    app: *mut *mut mcp_app_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(app, error_json, || {
        let settings = needed_text(settings_json, "settings_json")?;
        if app.is_null() {
            return Err(null("app"));
        }
        let view = View::new(settings).map_err(told("settings_json"))?;
        write(app, give_handle(Content::App(Box::new(Mutex::new(view)))).ok_or_else(|| no_memory("app"))?);
        Ok(())
    })
}

/// Takes a message of the page, as it came. Nothing of it is believed: what is malformed, too large
/// or not allowed is answered or dropped, and is no error of the program.
///
/// app: the view.
/// message_json: one JSON-RPC message. Take it from the page's own frame only.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for NULL, text that is not UTF-8, or an invalid view.
///
/// Threads: any thread; never waits. Actions for the program may be there afterwards:
///   mcp_app_poll().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_receive(
    app: *mut mcp_app_t,
    message_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let message = needed_text(message_json, "message_json")?;
        with_app(app, |view| {
            view.receive(message);
            Ok(())
        })
    })
}

/// Tells the view what happened. "type" says what:
///
/// - "input" with "arguments": those of the tool call, once; "input-partial" before, while a model
///   is still writing them
/// - "result" with "result": the result of the tool call, as the server wrote it; or "cancelled"
///   with "reason"
/// - "answer" with the "id" of a request that mcp_app_poll() returned, and one of "result", "error"
///   ({"code":...,"message":...}) and "denied": true, where the person or the program says no;
///   "progress" with "id" and "params" before
/// - "context" with "context": the members of "hostContext" that changed
/// - "tools" with "tools", when the server's list changed; "resources-changed"
/// - "call" with "call" (a number of the program), "name" and "arguments": a model calls one of the
///   view's own tools; "call-cancelled" with "call", when the program waits no longer: 30 seconds
/// - "teardown" with "reason": the view will be removed. mcp_app_poll() returns "ended" when it has
///   answered; wait for that a second at most.
///
/// app: the view.
/// told_json: an object of one of these types. What the page is not ready for is kept.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for what a view would not take, such as a second
///   input. An answer that comes after the page took its request back is MCP_OK.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     mcp_app_tell(app, "{\"type\":\"input\",\"arguments\":{\"city\":\"Paris\"}}", &error);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_tell(
    app: *mut mcp_app_t,
    told_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let text = needed_text(told_json, "told_json")?;
        with_app(app, |view| view.tell(text).map_err(told("told_json")))
    })
}

/// Takes the next action. "type" says which:
///
/// - "message": post "message" to the page
/// - "request": do "method" with "params", and tell the "answer" with this "id". "tools/call",
///   "resources/read" and other methods of the server go to the client of this tool: mcp_call().
///   "ui/open-link" ("url", http or https), "ui/download-file" ("contents", and safe "names" for
///   their files) and "ui/message" ("content", a list of blocks, for the conversation) need the
///   consent of a person. "ui/update-model-context" replaces what was sent before.
///   "ui/request-display-mode" is answered with {"mode":...}.
/// - "cancel": the request of this "id" need not go on
/// - "ready": the page is there; "size" with "width" and "height" in pixels, what it asks for
/// - "log" with "params"; "warning" with "text", for the program's log
/// - "app-tools" with "tools": the definitions of the view's own tools from now on, under the names
///   that "call" takes. They are a stranger's: say whose they are, and ask a person before a call.
/// - "called" with "call", and "result" or "error": how that call ended
/// - "teardown-requested": the page asks to be removed; "ended": remove it
///
/// app: the view.
/// action_json: receives the action when MCP_OK is returned. Free it with mcp_string_free().
///
/// Returns MCP_OK, MCP_EMPTY when there is nothing to do until something is received or told, or an
///   error.
///
/// Threads: any thread; never waits.
///
/// Example:
///
///     char *action;
///     while (mcp_app_poll(app, &action) == MCP_OK) {
///         puts(action); // do it
///         mcp_string_free(action);
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_poll(app: *mut mcp_app_t, action_json: *mut *mut c_char) -> mcp_status_t {
    guard_status(|| {
        clear(action_json);
        if action_json.is_null() {
            return null("action_json").status as i32;
        }
        let polled = with_app(app, |view| {
            let Some(action) = view.poll() else { return Ok(MCP_EMPTY) };
            write(action_json, give_text(&action).ok_or_else(|| no_memory("app_poll"))?);
            Ok(MCP_OK)
        });
        polled.unwrap_or_else(|error| error.status as i32)
    })
}

/// The policy for the frame of a document: {"csp":...,"allow":...,"refused":[...],"head":...}.
///
/// ui_json: "_meta.ui" of the item that resources/read returned, and if that has none, of the entry
///   in the list; NULL if there is neither.
/// policy_json: receives the policy. "csp" is the Content-Security-Policy of the document, as a
///   header or as a meta element before any script; "allow" the attribute of its frame (camera,
///   microphone, geolocation, clipboard-write), to be consented to; "refused" the domains that were
///   left out; "head" what comes before the text of a document in "srcdoc": the policy, and a script
///   that takes away WebRTC from the document. That is a hurdle only: most engines have no directive
///   for WebRTC, and the script does not see into every frame of the document. Turn WebRTC off by a
///   setting of the engine. A host may tighten the policy and never loosen it.
///   Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
///
/// Threads: any thread; never waits.
///
/// Specification: MCP Apps 2026-01-26, "Content Security Policy enforcement".
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_policy(
    ui_json: *const c_char,
    policy_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(policy_json, error_json, || {
        if policy_json.is_null() {
            return Err(null("policy_json"));
        }
        let ui = if ui_json.is_null() { "{}" } else { needed_text(ui_json, "ui_json")? };
        let checked = json::scan_value(ui.as_bytes(), 100).map_err(|error| {
            invalid("ui_json", format_args!("cannot be read: {error}")).with("offset", error.offset)
        })?;
        let policy = Policy::of(checked.span.str(ui), "'self'");
        let refused: Vec<String> = policy.refused.iter().map(|domain| json::quote(domain)).collect();
        let text = format!(
            "{{\"csp\":{},\"allow\":{},\"refused\":[{}],\"head\":{}}}",
            json::quote(&policy.csp),
            json::quote(&policy.allow),
            refused.join(","),
            json::quote(&policy.head())
        );
        give(&text, policy_json, "app_policy")
    })
}

/// Frees a view. Requests that are under way are the program's to end.
///
/// app: the view; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid view, such as one that was already
///   freed. In a child of fork(), for a view of the parent, it frees nothing and returns
///   MCP_ERROR_FORKED.
///
/// Threads: no other thread may use the view during the call.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_app_free(app: *mut mcp_app_t) -> mcp_status_t {
    guard_free(app.addr(), "app", |content| matches!(content, Content::App(_)))
}
