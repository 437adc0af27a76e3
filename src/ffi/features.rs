//! Features, each blocking and started: the arguments from C become a [`Request`], which the client executes.

use super::errors::{of_export, reply_of_export};
use super::giving::status_of;
use super::guard::{guard_named, of_closure};
use super::handles::{self, mcp_client_t, mcp_message_t};
use super::pointer::{clear, give_message, text, write};
use super::status::{MCP_ERROR_FORKED, MCP_ERROR_INTERNAL, mcp_status_t};
use crate::client::Message;
use crate::client::features::Request;
use crate::engine::{Error, Status};
use std::ffi::c_char;

/// Runs the body of a blocking feature function: `request` reads the arguments from C.
pub(super) fn guard_request<'a>(
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
    request: impl Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    answered(of_closure(&request), client, options_json, reply, &request)
}

/// One function for all features: a generic copy for each would add 1 KiB.
fn answered<'a>(
    export: &'static str,
    client: *mut mcp_client_t,
    options_json: *const c_char,
    reply: *mut *mut mcp_message_t,
    request: &dyn Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    guard_named(export, MCP_ERROR_INTERNAL, || {
        clear(reply);
        let message = match handles::client(client) {
            Err(error) if error.status == Status::Forked => return MCP_ERROR_FORKED,
            Err(error) => Message::failure(0, &of_export(error)),
            Ok(client) => {
                let ask = || -> Result<Message, Error> {
                    Ok(reply_of_export(client.request(&request()?, text(options_json, "options_json")?)))
                };
                ask().unwrap_or_else(|error| Message::failure(client.number(), &of_export(error)))
            }
        };
        let status = message.status() as i32;
        if !reply.is_null() {
            write(reply, give_message(message).unwrap_or(std::ptr::null_mut()));
        }
        status
    })
}

/// The arguments of a started feature function besides those of its request.
pub(super) struct Start {
    pub(super) client: *mut mcp_client_t,
    pub(super) options_json: *const c_char,
    pub(super) tag: u64,
    pub(super) call_id: *mut u64,
    pub(super) error_json: *mut *mut c_char,
}

/// Runs the body of a started feature function.
pub(super) fn guard_start<'a>(
    start: &Start,
    request: impl Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    clear(start.call_id);
    started(of_closure(&request), start, &request)
}

/// One function for all features, as [`answered`].
fn started<'a>(
    export: &'static str,
    start: &Start,
    request: &dyn Fn() -> Result<Request<'a>, Error>,
) -> mcp_status_t {
    status_of(export, start.error_json, &|| {
        let client = handles::client(start.client)?;
        let options = text(start.options_json, "options_json")?;
        write(start.call_id, client.start_request(&request()?, options, start.tag)?);
        Ok(())
    })
}
