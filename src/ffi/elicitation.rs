//! Answers to elicitation requests.

use super::client::guard_error;
use super::handles::{self, mcp_client_t};
use super::messages::mcp_message_t;
use super::pointer::{message, text};
use super::status::mcp_status_t;
use crate::client::features::Decision;
use std::ffi::c_char;

/// Answers an elicitation request (MCP_TOPIC_ELICITATION) with what the person entered, or, where it asks to visit a page
/// ("mode":"url"), with the consent to do so. What is left out of a form is filled in with its defaults, and the whole is
/// checked against the form's schema ("requestedSchema"), formats included, before it is sent.
///
/// request: a message of kind MCP_KIND_REQUEST of this client. It still has to be freed.
/// content_json: the form's content, a JSON object; NULL for the defaults alone, and for a page.
/// error_json: receives the error object on failure; may be NULL.
///
/// Any thread; never waits. Returns as mcp_respond() does; MCP_INVALID_ARGUMENT also for content that the form does
/// not allow; the request still waits for an answer then.
///
/// The library never opens or fetches a page. Show the person the whole URL and who asks, and open it only on consent.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_elicitation_accept(
    client: *mut mcp_client_t,
    request: *const mcp_message_t,
    content_json: *const c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || {
        let content = text(content_json, "content_json")?;
        handles::client(client)?.elicit(message(request)?, Decision::Accept(content))
    })
}

/// Answers an elicitation request: the person does not want to. request, error_json and what is returned: as for
/// mcp_respond().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_elicitation_decline(
    client: *mut mcp_client_t,
    request: *const mcp_message_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.elicit(message(request)?, Decision::Decline))
}

/// Answers an elicitation request: the person closed it without a choice. request, error_json and what is returned: as
/// for mcp_respond().
#[unsafe(no_mangle)]
pub extern "C" fn mcp_elicitation_cancel(
    client: *mut mcp_client_t,
    request: *const mcp_message_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_error(error_json, || handles::client(client)?.elicit(message(request)?, Decision::Cancel))
}
