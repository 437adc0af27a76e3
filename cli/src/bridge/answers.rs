//! What the server behind answered, as the bridge's client gets it.

use super::params::without;
use super::upstream::{code, text};
use super::uris::{Shown, in_data, in_result};
use mcp::client::json_text::{member, quote, string};
use mcp::client::names::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY,
    RESOURCE_NOT_FOUND,
};
use mcp::client::{Message, Status};
use mcp::server::Request;
use std::borrow::Cow;

/// Codes of JSON-RPC's range that both eras have.
const OF_BOTH: [i64; 5] =
    [INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR, MISSING_CLIENT_CAPABILITY];

/// Answers a client's request with the outcome of the call that it became. `uris` are written as clients know them.
pub fn answer(
    request: &Request,
    outcome: &Message,
    shown: &str,
    uris: Option<Shown<'_>>,
) -> Result<(), mcp::client::Error> {
    let json = outcome.json();
    let result = match uris {
        Some(uris) if outcome.status() == Status::Ok => Cow::Owned(in_result(json, uris)),
        _ => Cow::Borrowed(json),
    };
    match outcome.status() {
        // The type is of the connection that it came by; the bridge's server writes that of the other one.
        Status::Ok if member(json, "resultType").and_then(string).as_deref() == Some("complete") => {
            request.respond(&without(&result, &["resultType"]))
        }
        Status::Ok => request.respond(&result),
        Status::Server => refuse(request, json, uris),
        status => {
            let message = text(json, "message").unwrap_or_default();
            let (what, data) = match status {
                Status::Auth => (
                    format!("the bridge is not logged in to {shown}: run `mcp login` for it ({message})"),
                    "auth_required",
                ),
                Status::Unavailable | Status::Transport | Status::Closed => {
                    (format!("the server behind the bridge ({shown}) is not there: {message}"), "unreachable")
                }
                Status::Timeout => {
                    (format!("the server behind the bridge ({shown}) did not answer: {message}"), "timeout")
                }
                other => (format!("the server behind the bridge ({shown}): {message}"), other.as_str()),
            };
            request.respond_error(INTERNAL_ERROR, &what, Some(&format!("{{\"bridge\":\"{data}\"}}")))
        }
    }
}

/// Gives an error of the server on, with the code that it has in the client's era.
fn refuse(request: &Request, json: &str, uris: Option<Shown<'_>>) -> Result<(), mcp::client::Error> {
    let message = text(json, "message").unwrap_or_default();
    let data = member(json, "data");
    let data = data.map(|data| uris.map_or(Cow::Borrowed(data), |uris| in_data(data, uris)));
    let data = data.as_deref();
    let code = code(json).unwrap_or(INTERNAL_ERROR);
    let is_modern = is_modern(request);
    match code {
        RESOURCE_NOT_FOUND if is_modern => request.respond_error(INVALID_PARAMS, &message, data),
        code if is_modern && (-32768..=-32000).contains(&code) && !OF_BOTH.contains(&code) => {
            let data = format!(
                "{{\"code\":{code}{}}}",
                data.map_or_else(String::new, |data| format!(",{}:{data}", quote("data")))
            );
            request.respond_error(INTERNAL_ERROR, &message, Some(&data))
        }
        code => request.respond_error(code, &message, data),
    }
}

/// Whether the client of a request speaks 2026-07-28.
pub fn is_modern(request: &Request) -> bool {
    text(&request.context().unwrap_or_default(), "era").as_deref() == Some("modern")
}
