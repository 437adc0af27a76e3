//! Lists: tools, resources, resource templates, prompts.

use super::features::{Start, guard_request, guard_start};
use super::handles::{mcp_client_t, mcp_message_t};
use super::status::mcp_status_t;
use crate::client::features::Request;
use std::ffi::c_char;

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

/// mcp_client_list_tools() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_tools_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::ToolsList))
}

/// Lists the resources of the server: {"resources":[...]}. Parameters, statuses and threads as for
/// mcp_client_list_tools().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_resources(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::ResourcesList))
}

/// mcp_client_list_resources() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_resources_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::ResourcesList))
}

/// Lists the resource templates of the server: {"resourceTemplates":[...]}. Parameters, statuses
/// and threads as for mcp_client_list_tools().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_resource_templates(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::TemplatesList))
}

/// mcp_client_list_resource_templates() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_resource_templates_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::TemplatesList))
}

/// Lists the prompts of the server: {"prompts":[...]}. Parameters, statuses and threads as for
/// mcp_client_list_tools().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_prompts(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
) -> mcp_status_t {
    guard_request(client, options_json, reply, || Ok(Request::PromptsList))
}

/// mcp_client_list_prompts() as a started call (see mcp_call_start()); also returns
/// MCP_ERROR_UNSUPPORTED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_client_list_prompts_start(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    tag: u64,
    call_id: *mut u64,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_start(&Start { client, options_json, tag, call_id, error_json }, || Ok(Request::PromptsList))
}
