//! The headers of a request as hyper has them: names that are known are not made again, texts of our own not copied.

use super::header::{self, Header};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::borrow::Cow;

/// Headers that hyper adds.
const OWN_HEADERS: usize = 2;

/// The headers of every request, and these.
///
/// # Errors
/// Which one cannot be sent.
pub(super) fn all(base: &HeaderMap, more: &[Header]) -> Result<HeaderMap, String> {
    // A copy of the map would have no room for more.
    let mut all = HeaderMap::with_capacity(base.len() + more.len() + OWN_HEADERS);
    for (name, value) in base {
        all.append(name.clone(), value.clone());
    }
    for Header { name, value } in more {
        let name = known(name).map_or_else(|| checked_name(name), Ok)?;
        let value = match value {
            Cow::Borrowed(text) => HeaderValue::from_maybe_shared(Bytes::from_static(text.as_bytes()))
                .map_err(|_| unsendable(name.as_str(), "value"))?,
            Cow::Owned(text) => checked_value(name.as_str(), text)?,
        };
        all.insert(name, value);
    }
    Ok(all)
}

/// The names that most requests have, which need not be made again each time.
fn known(name: &str) -> Option<HeaderName> {
    static MCP: [HeaderName; 4] = [
        HeaderName::from_static(header::MCP_PROTOCOL_VERSION),
        HeaderName::from_static(header::MCP_SESSION_ID),
        HeaderName::from_static(header::MCP_METHOD),
        HeaderName::from_static(header::MCP_NAME),
    ];
    match name {
        header::ACCEPT => Some(ACCEPT),
        header::CONTENT_TYPE => Some(CONTENT_TYPE),
        _ => MCP.iter().find(|known| known.as_str() == name).cloned(),
    }
}

/// A name and a value as they can be sent.
///
/// # Errors
/// Which of them has what no header has.
pub(super) fn checked(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    Ok((checked_name(name)?, checked_value(name, value)?))
}

fn checked_name(name: &str) -> Result<HeaderName, String> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable(name, "name"))
}

fn checked_value(name: &str, value: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_bytes(value.as_bytes()).map_err(|_| unsendable(name, "value"))
}

fn unsendable(name: &str, what: &str) -> String {
    format!("the header '{name}' cannot be sent: its {what} has characters that no header has")
}
