//! Headers of requests: values that are safe on the wire, names that an application may set, and headers as hyper has them.

pub use crate::protocol::header_parameters::is_token;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use std::borrow::Cow;

/// Which content types an answer may have.
pub const ACCEPT: &str = "accept";
/// What a body is.
pub const CONTENT_TYPE: &str = "content-type";
/// Legacy: the event behind which a stream is to go on.
pub const LAST_EVENT_ID: &str = "last-event-id";
/// Modern: the message's method.
pub const MCP_METHOD: &str = "mcp-method";
/// Modern: what the request is about, such as the tool.
pub const MCP_NAME: &str = "mcp-name";
/// The revision that is spoken.
pub const MCP_PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// Legacy: the session.
pub const MCP_SESSION_ID: &str = "mcp-session-id";
/// What goes before the name that a tool's schema gives a parameter.
pub const MCP_PARAM_PREFIX: &str = "mcp-param-";

/// What begins an encoded value.
pub const SENTINEL_START: &str = "=?base64?";
/// What ends one.
pub const SENTINEL_END: &str = "?=";

/// One header of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// In lower case.
    pub name: Cow<'static, str>,
    /// Printable ASCII and spaces only.
    pub value: Cow<'static, str>,
}

impl Header {
    pub fn new(name: &'static str, value: impl Into<Cow<'static, str>>) -> Header {
        Header { name: Cow::Borrowed(name), value: value.into() }
    }
}

/// `value` as it is written in `Mcp-Name` and `Mcp-Param-*` (2026-07-28 `basic/transports/streamable-http`, "Value
/// Encoding"): as it is if that is safe, else in Base64 between the sentinel's markers.
///
/// A tab would be allowed in a header's value, but servers differ in what they take for white space: it is encoded.
pub fn encoded(value: &str) -> Cow<'_, str> {
    let printable = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let padded = value.starts_with(' ') || value.ends_with(' ');
    let ambiguous = value.starts_with(SENTINEL_START) && value.ends_with(SENTINEL_END);
    if printable && !padded && !ambiguous {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(16 + value.len() / 3 * 4);
    text.push_str(SENTINEL_START);
    STANDARD.encode_string(value, &mut text);
    text.push_str(SENTINEL_END);
    Cow::Owned(text)
}

/// Why a header that the application wants to send is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The name is not a token.
    #[error("the name is empty or has characters that no header's name may have")]
    Name,
    /// The value has a line break: what follows would be a header of its own.
    #[error("the value has a line break")]
    LineBreak,
    /// The value has another control character.
    #[error("the value has a control character")]
    Control,
    /// The library sets this header itself: why.
    #[error("an application may not set this header: {0}")]
    Reserved(&'static str),
}

/// Checks a header that the application set in its config. `authorizes` is whether the library manages authorization.
///
/// # Errors
/// Why it is refused. The value is not in the text, as it may be a secret.
pub fn check(name: &str, value: &str, authorizes: bool) -> Result<(), Refused> {
    if !is_token(name) {
        return Err(Refused::Name);
    }
    if let Some(why) = reserved(name, authorizes) {
        return Err(Refused::Reserved(why));
    }
    if value.bytes().any(|byte| matches!(byte, b'\r' | b'\n')) {
        return Err(Refused::LineBreak);
    }
    if value.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
        return Err(Refused::Control);
    }
    Ok(())
}

/// Why an application may not set the header `name`, if it may not.
pub fn reserved(name: &str, authorizes: bool) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "authorization" if authorizes => Some("the library manages authorization for this server"),
        "proxy-authorization" => {
            Some("a proxy's credentials belong into the proxy's URL, and not to the server")
        }
        ACCEPT | CONTENT_TYPE => Some("the protocol fixes it"),
        "accept-encoding" | "content-encoding" => Some("the library decides about compression"),
        LAST_EVENT_ID => Some("the library resumes streams itself"),
        "host" => Some("it is told from the URL"),
        "content-length" | "transfer-encoding" | "te" | "trailer" | "expect" => {
            Some("it says how the message is transferred, which the library decides")
        }
        "connection" | "keep-alive" | "proxy-connection" | "upgrade" | "http2-settings" => {
            Some("it belongs to the connection, which the library manages")
        }
        name if name.starts_with("mcp-") => Some("headers that begin with Mcp- belong to the protocol"),
        _ => None,
    }
}

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
        HeaderName::from_static(MCP_PROTOCOL_VERSION),
        HeaderName::from_static(MCP_SESSION_ID),
        HeaderName::from_static(MCP_METHOD),
        HeaderName::from_static(MCP_NAME),
    ];
    match name {
        ACCEPT => Some(hyper::header::ACCEPT),
        CONTENT_TYPE => Some(hyper::header::CONTENT_TYPE),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn safe_values_go_plain() {
        for plain in
            ["", "us-west1", "a b", "=?base64?", "=?utf-8?x?=", "file:///path/to/file%20name.txt", "~!"]
        {
            assert_eq!(encoded(plain), plain);
        }
    }

    #[test]
    fn everything_else_goes_between_the_sentinels_markers() {
        // The first four rows are the specification's.
        for (value, header) in [
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
            ("a\tb", "=?base64?YQli?="),
            ("\r\n", "=?base64?DQo=?="),
            ("\u{7f}", "=?base64?fw==?="),
            (" ", "=?base64?IA==?="),
        ] {
            assert_eq!(encoded(value), header, "{value:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_the_value_it_is_safe_on_the_wire_and_reads_back(value in any::<String>()) {
            let header = encoded(&value);
            prop_assert!(header.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            prop_assert_eq!(header.trim(), &*header);
            let body = header.strip_prefix(SENTINEL_START).and_then(|rest| rest.strip_suffix(SENTINEL_END));
            let back = body.map_or(header.as_bytes().to_vec(), |body| STANDARD.decode(body).expect("Base64"));
            prop_assert_eq!(back, value.as_bytes());
        }
    }

    #[test]
    fn an_application_sets_what_is_not_the_librarys() {
        for (name, value) in [("Authorization", "Bearer x"), ("X-Api-Key", "k"), ("User-Agent", "a/1 (b)")] {
            assert_eq!(check(name, value, false), Ok(()), "{name}");
        }
        assert!(matches!(check("authorization", "Bearer x", true), Err(Refused::Reserved(_))));
    }

    #[test]
    fn reserved_headers_are_refused_in_any_case() {
        for name in [
            "Host",
            "Content-Length",
            "CONTENT-TYPE",
            "Accept",
            "Mcp-Session-Id",
            "MCP-Protocol-Version",
            "Mcp-Method",
            "mcp-name",
            "Mcp-Param-Region",
            "Mcp-Whatever",
            "Last-Event-ID",
            "Transfer-Encoding",
            "Connection",
            "Upgrade",
            "Proxy-Authorization",
            "Accept-Encoding",
            "TE",
        ] {
            assert!(matches!(check(name, "x", false), Err(Refused::Reserved(_))), "{name}");
        }
    }

    #[test]
    fn a_header_cannot_smuggle_in_another_one() {
        for value in ["a\r\nX: y", "a\nb", "a\rb"] {
            assert_eq!(check("X-A", value, false), Err(Refused::LineBreak), "{value:?}");
        }
        assert_eq!(check("X-A", "a\0b", false), Err(Refused::Control));
        for name in ["", "a b", "a:b", "a\r\nb", "gr\u{fc}n", "a\tb"] {
            assert_eq!(check(name, "x", false), Err(Refused::Name), "{name:?}");
        }
    }
}
