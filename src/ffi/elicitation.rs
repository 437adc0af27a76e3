//! Answers to elicitation requests.

use super::calls::asked;
use super::giving::guard_error;
use super::handles::mcp_message_t;
use super::pointer::text;
use super::status::mcp_status_t;
use crate::client::features::Decision;
use std::ffi::c_char;

/// Accepts an elicitation request (MCP_TOPIC_ELICITATION): with the content that the person entered
/// in the form, or with consent to open the page ("mode":"url"). The library adds the defaults of
/// missing fields and checks the content against the schema of the form ("requestedSchema"), with
/// formats, before it sends it.
///
/// The library never opens or fetches a page. Show the person the whole URL and the server that
/// asks, and open the page only after consent.
///
/// request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
/// content_json: the content of the form, a JSON object; NULL for the defaults only, and for a
///   page.
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns the statuses of mcp_request_respond(); MCP_ERROR_INVALID_ARGUMENT also for content that
///   the form does not allow: the request then still waits for an answer.
///
/// Threads: any thread; never waits.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_accept_elicitation(
    request: *const mcp_message_t,
    content_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let content = text(content_json, "content_json")?;
        let (client, request) = asked(request)?;
        client.elicit(request, Decision::Accept(content))
    })
}

/// Answers an elicitation request: the person declines. Parameters, statuses and threads as for
/// mcp_request_respond().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_decline_elicitation(
    request: *const mcp_message_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (client, request) = asked(request)?;
        client.elicit(request, Decision::Decline)
    })
}

/// Answers an elicitation request: the person closed it without a choice. Parameters, statuses and
/// threads as for mcp_request_respond().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_request_cancel_elicitation(
    request: *const mcp_message_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let (client, request) = asked(request)?;
        client.elicit(request, Decision::Cancel)
    })
}
