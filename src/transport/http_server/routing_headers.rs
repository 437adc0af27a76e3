//! Headers of a request that repeat what is in its body (SEP-2243), and those that say which kinds of content are sent and wanted.

use crate::json;
use crate::json::Kind;
use crate::protocol::error_code;
use crate::transport::http::header::{
    MCP_METHOD, MCP_NAME, MCP_PARAM_PREFIX, MCP_PROTOCOL_VERSION, MCP_SESSION_ID, SENTINEL_END,
    SENTINEL_START,
};
use crate::transport::http::param::Parameter;
use crate::transport::http_server::refusal::Refusal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;
use hyper::header::{
    ACCEPT, AsHeaderName, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use std::borrow::Cow;
use std::fmt::Display;

/// `MCP-Protocol-Version`. A name that is ready is looked up without being read.
pub(crate) static VERSION: HeaderName = HeaderName::from_static(MCP_PROTOCOL_VERSION);
/// `Mcp-Session-Id`.
pub(crate) static SESSION: HeaderName = HeaderName::from_static(MCP_SESSION_ID);
/// `Mcp-Method`.
pub(crate) static METHOD: HeaderName = HeaderName::from_static(MCP_METHOD);
static NAME: HeaderName = HeaderName::from_static(MCP_NAME);

/// A header's value without the space around it, if it is there. Two of the same value are one.
///
/// # Errors
/// It has two values, or bytes that no value of the protocol has.
pub(crate) fn only<N: AsHeaderName + Display + Copy>(
    headers: &HeaderMap,
    name: N,
) -> Result<Option<&str>, Refusal> {
    let mut found = None;
    for value in headers.get_all(name) {
        let text =
            value.to_str().map_err(|_| Refusal::mismatch(format!("the header {name} cannot be read")))?;
        let text = match text.as_bytes() {
            [b' ' | b'\t', ..] | [.., b' ' | b'\t'] => text.trim_matches([' ', '\t']),
            _ => text,
        };
        if found.is_some_and(|before| before != text) {
            return Err(Refusal::mismatch(format!("duplicate {name} header with different values")));
        }
        found = Some(text);
    }
    Ok(found)
}

/// What a value means: as it stands, or in Base64 between the markers.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix(SENTINEL_START).and_then(|rest| rest.strip_suffix(SENTINEL_END));
    let Some(inner) = inner else { return Some(Cow::Borrowed(value)) };
    let bytes = STANDARD.decode(inner).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// `MCP-Protocol-Version`, as [`only`] gives it, must be there and say what the body says.
///
/// # Errors
/// It does not.
pub(crate) fn check_version(header: Option<&str>, version: &str) -> Result<(), Refusal> {
    same(header, "MCP-Protocol-Version", version)
}

/// `Mcp-Method` must be there and name the method.
///
/// # Errors
/// It does not.
pub(crate) fn check_method(headers: &HeaderMap, method: &str) -> Result<(), Refusal> {
    same(only(headers, &METHOD)?, "Mcp-Method", method)
}

/// `Mcp-Name` must be there and repeat what the request is about.
///
/// # Errors
/// It does not.
pub(crate) fn check_name(headers: &HeaderMap, name: &str) -> Result<(), Refusal> {
    same(only(headers, &NAME)?, "Mcp-Name", name)
}

fn same(value: Option<&str>, shown: &str, wanted: &str) -> Result<(), Refusal> {
    let Some(value) = value else {
        return Err(Refusal::mismatch(format!("the header {shown} is missing; the body has '{wanted}'")));
    };
    match decoded(value) {
        Some(value) if value == wanted => Ok(()),
        Some(value) => {
            Err(Refusal::mismatch(format!("the header {shown} is '{value}', and the body has '{wanted}'")))
        }
        None => Err(Refusal::mismatch(format!("the header {shown} has Base64 that cannot be read"))),
    }
}

/// Whether a value of `If-None-Match` names a tag; a weak one is enough.
pub(crate) fn names_tag(known: &HeaderValue, tag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    known.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

/// `Mcp-Param-*` of a tool's annotated parameters must repeat the arguments of the call.
///
/// # Errors
/// Which does not.
pub(crate) fn check_parameters(
    headers: &HeaderMap,
    parameters: &[Parameter],
    arguments: Option<&str>,
) -> Result<(), Refusal> {
    for parameter in parameters {
        let name = format!("{MCP_PARAM_PREFIX}{}", parameter.name.to_ascii_lowercase());
        let found = only(headers, name.as_str())?;
        let path = || parameter.path.iter().try_fold(arguments?, |value, name| json::member(value, name));
        let argument = path().filter(|value| json::kind(value) != Some(Kind::Null));
        let shown = || format!("Mcp-Param-{}", parameter.name);
        match (found, argument) {
            (None, None) => {}
            (None, Some(_)) => {
                return Err(Refusal::mismatch(format!(
                    "the header {} is missing, and the body has the argument '{}'",
                    shown(),
                    parameter.path.join(".")
                )));
            }
            (Some(_), None) => {
                return Err(Refusal::mismatch(format!(
                    "the header {} is there, and the body has no argument '{}'",
                    shown(),
                    parameter.path.join(".")
                )));
            }
            (Some(value), Some(argument)) => {
                let Some(value) = decoded(value) else {
                    return Err(Refusal::mismatch(format!(
                        "the header {} has Base64 that cannot be read",
                        shown()
                    )));
                };
                if !is_same(&value, argument) {
                    return Err(Refusal::mismatch(format!(
                        "the header {} is not what the argument '{}' is",
                        shown(),
                        parameter.path.join(".")
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Whether a header has the value of an argument: texts by character, numbers by value.
fn is_same(header: &str, argument: &str) -> bool {
    match json::kind(argument) {
        Some(Kind::String) => json::string(argument).is_some_and(|text| text == header),
        Some(Kind::True) => header == "true",
        Some(Kind::False) => header == "false",
        Some(Kind::Number) if json::kind(header) != Some(Kind::Number) => false,
        Some(Kind::Number) => match (header.parse::<i64>(), argument.parse::<i64>()) {
            (Ok(header), Ok(argument)) => header == argument,
            _ => match (header.parse::<f64>(), argument.parse::<f64>()) {
                (Ok(header), Ok(argument)) => (header - argument).abs() == 0.0,
                _ => false,
            },
        },
        _ => false,
    }
}

/// The forms of answers that a client accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accepted {
    /// `application/json`.
    pub(crate) json: bool,
    /// `text/event-stream`.
    pub(crate) events: bool,
}

/// What the specification has clients send.
const USUAL: &[u8] = b"application/json, text/event-stream";
/// How close a range describes a type that it names.
const EXACT: u8 = 2;

/// What `Accept` allows. Without that header it is everything (RFC 9110, section 12.5.1).
pub(crate) fn accepted(headers: &HeaderMap) -> Accepted {
    let mut json = None;
    let mut events = None;
    let mut has_any = false;
    for value in headers.get_all(ACCEPT) {
        // As most clients write it, which is quicker to see than to read.
        if value.as_bytes() == USUAL {
            (json, events, has_any) = (Some((EXACT, true)), Some((EXACT, true)), true);
            continue;
        }
        for range in value.to_str().unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            has_any = true;
            let weight = parts.find_map(|part| {
                let (key, value) = part.split_once('=')?;
                key.trim().eq_ignore_ascii_case("q").then(|| value.trim().parse::<f32>().unwrap_or(0.0))
            });
            let is_wanted = weight.is_none_or(|weight| weight > 0.0);
            note(&mut json, name, "application/json", "application/*", is_wanted);
            note(&mut events, name, "text/event-stream", "text/*", is_wanted);
        }
    }
    let of = |found: Option<(u8, bool)>| found.map_or(!has_any, |(_, wanted)| wanted);
    Accepted { json: of(json), events: of(events) }
}

/// The closer a range describes a type, the more it counts.
fn note(found: &mut Option<(u8, bool)>, range: &str, exact: &str, group: &str, is_wanted: bool) {
    let closeness = match range {
        _ if range.eq_ignore_ascii_case(exact) => EXACT,
        _ if range.eq_ignore_ascii_case(group) => 1,
        "*/*" => 0,
        _ => return,
    };
    if found.is_none_or(|(before, _)| before <= closeness) {
        *found = Some((closeness, is_wanted));
    }
}

/// Refuses a body before it is read: one that is not JSON by its header, or is compressed by its header. Nothing is unpacked here, so what
/// looks at such a body on the way reads another text than this server, or none.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn check_body(headers: &HeaderMap) -> Result<(), Refusal> {
    let refused = |text| Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error_code::INVALID_REQUEST, text);
    if !is_json(headers) {
        return Err(refused("the body must be JSON: Content-Type: application/json"));
    }
    // Some write the encoding of the characters here.
    let is_plain = |value: &HeaderValue| {
        let coding = value.as_bytes().trim_ascii();
        ["identity", "utf-8", ""].iter().any(|plain| coding.eq_ignore_ascii_case(plain.as_bytes()))
    };
    if !headers.get_all(CONTENT_ENCODING).iter().all(is_plain) {
        return Err(refused("the body must come as it is: leave out Content-Encoding"));
    }
    Ok(())
}

/// Whether the body is JSON, as its header says. Of the other types for it none can be sent by the form of a web page, which is why
/// plain text, and no type at all, are refused.
fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    // As nearly all clients write it.
    if value.as_bytes() == b"application/json" {
        return true;
    }
    let name = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "application/json" | "application/json-rpc" | "text/json")
        || name.starts_with("application/") && name.ends_with("+json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::http::param;

    fn headers(rows: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in rows {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.append(name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"));
        }
        headers
    }

    #[test]
    fn a_method_is_repeated_with_its_case() {
        assert_eq!(check_method(&headers(&[("MCP-METHOD", " tools/call\t")]), "tools/call"), Ok(()));
        assert_eq!(
            check_method(
                &headers(&[("mcp-method", "tools/call"), ("mcp-method", "tools/call")]),
                "tools/call"
            ),
            Ok(())
        );
        for wrong in [
            &[][..],
            &[("mcp-method", "Tools/Call")],
            &[("mcp-method", "")],
            &[("mcp-method", "tools/call"), ("mcp-method", "ping")],
            &[("mcp-method", "tools/call\u{e9}")],
        ] {
            let refusal = check_method(&headers(wrong), "tools/call").expect_err("refused");
            assert_eq!((refusal.status.as_u16(), refusal.code), (400, -32020), "{wrong:?}");
        }
    }

    #[test]
    fn a_name_may_be_encoded() {
        let right = |value: &str, name: &str| check_name(&headers(&[("mcp-name", value)]), name).is_ok();
        assert!(right("=?base64?SGVsbG8=?=", "Hello"));
        assert!(right("=?base64??=", ""));
        assert!(right("=?base64?SGVsbG8=", "=?base64?SGVsbG8="), "without an end it stands for itself");
        assert!(right("=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="));
        assert!(!right("=?base64?SGVsbG8?=", "Hello"), "the padding is missing");
        assert!(!right("=?base64?/w==?=", "\u{ff}"), "not UTF-8");
        assert!(!right("=?base64?SGVsbG8=?=", "=?base64?SGVsbG8=?="));
    }

    #[test]
    fn parameters_are_compared_with_the_arguments() {
        let schema = r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},
            "count":{"type":"integer","x-mcp-header":"Count"},"dry":{"type":"boolean","x-mcp-header":"Dry"}}}"#;
        let parameters = param::read(schema).expect("right");
        let checked = |rows: &[(&str, &str)], arguments: &str| {
            check_parameters(&headers(rows), &parameters, Some(arguments)).is_ok()
        };
        assert!(checked(&[("mcp-param-region", "eu")], "{\"region\":\"eu\"}"));
        assert!(checked(&[("mcp-param-region", "=?base64?w7Y=?=")], "{\"region\":\"ö\"}"));
        assert!(checked(
            &[("mcp-param-count", "42.0"), ("mcp-param-dry", "false")],
            "{\"count\":42,\"dry\":false}"
        ));
        assert!(checked(&[("mcp-param-other", "x")], "{}"));
        assert!(checked(&[], "{\"region\":null}"));
        assert!(!checked(&[], "{\"region\":\"eu\"}"));
        assert!(!checked(&[("mcp-param-region", "eu")], "{}"));
        assert!(!checked(&[("mcp-param-region", "eu")], "{\"region\":null}"));
        assert!(!checked(&[("mcp-param-region", "us")], "{\"region\":\"eu\"}"));
        assert!(!checked(&[("mcp-param-count", "41")], "{\"count\":42}"));
        assert!(!checked(&[("mcp-param-count", "9007199254740992")], "{\"count\":9007199254740993}"));
        assert!(!checked(&[("mcp-param-count", "+42")], "{\"count\":42}"));
        assert!(!checked(&[("mcp-param-region", "=?base64?w7Y?=")], "{\"region\":\"ö\"}"));
        assert!(!checked(&[("mcp-param-dry", "0")], "{\"dry\":false}"));
    }

    fn of(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, HeaderValue::from_str(value).expect("a value"));
        }
        let Accepted { json, events } = accepted(&headers);
        (json, events)
    }

    #[test]
    fn accept_is_read_by_media_range() {
        for (values, wanted) in [
            (&[][..], (true, true)),
            (&["application/json, text/event-stream"], (true, true)),
            (&["text/event-stream,application/json"], (true, true)),
            (&["application/json", "text/event-stream"], (true, true)),
            (&["APPLICATION/JSON; charset=utf-8"], (true, false)),
            (&["text/event-stream;q=0.5"], (false, true)),
            (&["*/*"], (true, true)),
            (&["application/*"], (true, false)),
            (&["text/*;q=0.1"], (false, true)),
            (&["application/json;q=0, */*"], (false, true)),
            (&["*/*, application/json;q=0"], (false, true)),
            (&["application/json; q=0.9; x=y, text/event-stream"], (true, true)),
            (&["text/html"], (false, false)),
            (&[""], (true, true)),
            (&["application/json;q=nonsense"], (false, false)),
        ] {
            assert_eq!(of(values), wanted, "{values:?}");
        }
    }

    #[test]
    fn a_body_that_is_compressed_is_refused_before_it_is_read() {
        let status = |encodings: &[&str]| {
            let mut rows = vec![("content-type", "application/json")];
            rows.extend(encodings.iter().map(|value| ("content-encoding", *value)));
            check_body(&headers(&rows)).map_err(|refusal| refusal.status)
        };
        for right in [&[][..], &["identity"], &[" Identity"], &["UTF-8"], &[""]] {
            assert_eq!(status(right), Ok(()), "{right:?}");
        }
        for wrong in [&["gzip"][..], &["br"], &["deflate, identity"], &["identity", "gzip"], &["x"]] {
            assert_eq!(status(wrong), Err(StatusCode::UNSUPPORTED_MEDIA_TYPE), "{wrong:?}");
        }
        assert!(check_body(&headers(&[("content-type", "text/plain")])).is_err());
    }

    #[test]
    fn a_body_of_json_may_have_parameters_in_any_case() {
        let is = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_TYPE, HeaderValue::from_str(value).expect("a value"));
            }
            is_json(&headers)
        };
        for right in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json ;x=y",
            "application/json-rpc",
            "text/json",
        ] {
            assert!(is(&[right]), "{right}");
        }
        for wrong in
            [&[][..], &["text/plain"], &["application/jsonx"], &[""], &["application/json", "text/plain"]]
        {
            assert!(!is(wrong), "{wrong:?}");
        }
    }
}
