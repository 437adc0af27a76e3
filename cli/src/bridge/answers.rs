//! What the server behind answered, as the bridge's client gets it.

use super::params::without;
use super::upstream::{code, text};
use mcp::client::json_text::{member, quote, string};
use mcp::client::names::{
    INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY,
    RESOURCE_NOT_FOUND,
};
use mcp::client::{Message, Status};
use mcp::server::Request;

/// Codes of JSON-RPC's range that both eras have.
const OF_BOTH: [i64; 5] =
    [INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR, MISSING_CLIENT_CAPABILITY];

/// Answers a client's request with the outcome of the call that it became.
pub fn answer(request: &Request, outcome: &Message, shown: &str) -> Result<(), mcp::client::Error> {
    let json = outcome.json();
    match outcome.status() {
        // The type is of the connection that it came by; the bridge's server writes that of the other one.
        Status::Ok if member(json, "resultType").and_then(string).as_deref() == Some("complete") => {
            request.respond(&without(json, &["resultType"]))
        }
        Status::Ok => request.respond(json),
        Status::Server => refuse(request, json),
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
fn refuse(request: &Request, json: &str) -> Result<(), mcp::client::Error> {
    let message = text(json, "message").unwrap_or_default();
    let data = member(json, "data");
    let code = code(json).unwrap_or(INTERNAL_ERROR);
    let context = request.context().unwrap_or_default();
    let is_modern = text(&context, "era").as_deref() == Some("modern");
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
