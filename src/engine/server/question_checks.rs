//! What a server may ask its client: by `mcp_request_ask` and by `mcp_server_call_start`. And the answers that fit.

use super::checking;
use super::form_checks;
use super::incoming::wrong_shape;
use super::input::as_answer;
use super::sampling_checks;
use crate::json::{self, pick};
use crate::protocol::{Revision, method};

/// Checks the parameters of a question, a JSON object; gives the id of an elicitation by URL, where the revision has one.
///
/// # Errors
/// What is wrong with them.
pub(super) fn question(revision: Revision, name: &str, params: &str) -> Result<Option<String>, String> {
    match name {
        method::SAMPLING => sampling_checks::params(revision, params).map(|()| None),
        method::ELICITATION => {
            let mode = pick(params, ["mode"])[0].and_then(json::string);
            if mode.as_deref() == Some("url") {
                return checking::page(revision, params);
            }
            form_checks::params(revision, params).map(|()| None)
        }
        _ => Ok(None),
    }
}

/// The schema that the answer to a question must fit; `None` if there is none.
pub(super) fn schema<'a>(name: &str, params: &'a str) -> Option<&'a str> {
    if name == method::ELICITATION { form_checks::schema(params) } else { None }
}

/// Checks what a client answered.
///
/// # Errors
/// The failure that stands for it, a JSON-RPC error.
pub(super) fn answer(name: &str, schema: Option<&str>, result: &str) -> Result<(), Box<str>> {
    let result = &*as_answer(name, result).ok_or_else(|| wrong_shape(name))?;
    let Some(schema) = schema else { return Ok(()) };
    form_checks::answer(schema, result).map_err(|what| {
        super::incoming::failure(&format!("the client's answer to '{name}' does not fit: {what}"))
    })
}
