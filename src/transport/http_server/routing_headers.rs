//! The headers of the modern era that repeat what the body says, so that what stands between client and server need not read it
//! (2026-07-28 `basic/transports/streamable-http`, "Standard Request Headers" and "Custom Headers from Tool Parameters";
//! S-HM-04 to S-HM-08).

use super::refusal::Refusal;
use crate::json::{self, Kind};
use crate::transport::http::header::{
    MCP_METHOD, MCP_NAME, MCP_PARAM_PREFIX, MCP_PROTOCOL_VERSION, MCP_SESSION_ID,
};
use crate::transport::http::param::Parameter;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{AsHeaderName, HeaderMap, HeaderName};
use std::borrow::Cow;
use std::fmt::Display;

/// `MCP-Protocol-Version`. A name that is ready is looked up without being read.
pub(crate) static VERSION: HeaderName = HeaderName::from_static(MCP_PROTOCOL_VERSION);
/// `Mcp-Session-Id`.
pub(crate) static SESSION: HeaderName = HeaderName::from_static(MCP_SESSION_ID);
static METHOD: HeaderName = HeaderName::from_static(MCP_METHOD);
static NAME: HeaderName = HeaderName::from_static(MCP_NAME);

const SENTINEL_START: &str = "=?base64?";
const SENTINEL_END: &str = "?=";

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
        let text = text.trim_matches([' ', '\t']);
        if found.is_some_and(|before| before != text) {
            return Err(Refusal::mismatch(format!(
                "the header {name} stands there twice, with different values"
            )));
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

/// `MCP-Protocol-Version` must be there and say what the body says.
///
/// # Errors
/// It does not.
pub(crate) fn check_version(headers: &HeaderMap, version: &str) -> Result<(), Refusal> {
    same(headers, &VERSION, "MCP-Protocol-Version", version)
}

/// `Mcp-Method` must be there and name the method.
///
/// # Errors
/// It does not.
pub(crate) fn check_method(headers: &HeaderMap, method: &str) -> Result<(), Refusal> {
    same(headers, &METHOD, "Mcp-Method", method)
}

/// `Mcp-Name` must be there and repeat what the request is about.
///
/// # Errors
/// It does not.
pub(crate) fn check_name(headers: &HeaderMap, name: &str) -> Result<(), Refusal> {
    same(headers, &NAME, "Mcp-Name", name)
}

fn same(headers: &HeaderMap, name: &HeaderName, shown: &str, wanted: &str) -> Result<(), Refusal> {
    let Some(value) = only(headers, name)? else {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::http::param;
    use hyper::header::HeaderValue;

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
}
