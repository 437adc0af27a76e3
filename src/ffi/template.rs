//! URI templates.

use super::errors::null;
use super::giving::{give, guard_out};
use super::pointer::needed_text;
use super::status::mcp_status_t;
use crate::client::features::expand_template;
use std::ffi::c_char;

/// Expands a URI template (RFC 6570, all levels), such as "uriTemplate" of a resource template.
///
/// uri_template: the template.
/// variables_json: a JSON object of strings, numbers and booleans, or lists and objects of these. A
///   variable that is missing or null expands to nothing.
/// uri: receives the URI. Free it with mcp_string_free().
/// error_json: receives the error object on failure; may be NULL.
///
/// Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
///
/// Threads: any thread. No client is necessary.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_uri_template_expand(
    uri_template: *const c_char,
    variables_json: *const c_char,
    uri: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(uri, error_json, || {
        if uri.is_null() {
            return Err(null("uri"));
        }
        let variables = needed_text(variables_json, "variables_json")?;
        give(&expand_template(needed_text(uri_template, "uri_template")?, variables)?, uri, "template_expand")
    })
}
