//! Answers that need no engine: that a message was taken, refusals, and what browsers ask before a page may send something.

use super::body::ServerBody;
use super::exchange;
use crate::transport::http::header::is_token;
use crate::transport::http_server::refusal::Refusal;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, HeaderMap, HeaderValue, RETRY_AFTER, VARY,
    WWW_AUTHENTICATE,
};
use hyper::{Response, StatusCode};

/// The methods of the path where both eras are served.
pub(super) const ALL_METHODS: &str = "POST, GET, DELETE";
/// Headers that pages may send, and those that they may read.
const PAGES_SEND: &str = "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, \
                          mcp-name";
const PAGES_READ: &str = "mcp-session-id, www-authenticate";

/// A message was taken that wants no answer.
pub(super) fn accepted_response() -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// What was asked is done, and there is nothing to read.
pub(super) fn no_content() -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// Which requests pages of a listed origin may make.
pub(super) fn preflight(headers: &HeaderMap) -> Response<ServerBody> {
    let mut response = no_content();
    let allowed = response.headers_mut();
    allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(ALL_METHODS));
    // Those of tools' parameters have names of their own.
    let asked = headers
        .get("access-control-request-headers")
        .and_then(|names| names.to_str().ok())
        .unwrap_or_default();
    let mut names = PAGES_SEND.to_owned();
    for name in asked.split(',').map(|name| name.trim().to_ascii_lowercase()) {
        if name.starts_with("mcp-param-") && is_token(&name) {
            names.push_str(", ");
            names.push_str(&name);
        }
    }
    if let Ok(names) = HeaderValue::from_str(&names) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, names);
    }
    allowed.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// A request is not served.
pub(super) fn refused(refusal: &Refusal, id: Option<&str>) -> Response<ServerBody> {
    let mut response = exchange::json_response(refusal.status, refusal.body(id));
    let headers = response.headers_mut();
    if let Some(allow) = refusal.allow {
        headers.insert(ALLOW, HeaderValue::from_static(allow));
    }
    for challenge in &refusal.challenges {
        if let Ok(challenge) = HeaderValue::from_str(challenge) {
            headers.append(WWW_AUTHENTICATE, challenge);
        }
    }
    if let Some(seconds) = refusal.retry_after {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Pages of this origin may read the answer. Without one the answer still depends on who asks.
pub(super) fn show_to(origin: Option<HeaderValue>, response: &mut Response<ServerBody>) {
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(PAGES_READ));
    }
}
