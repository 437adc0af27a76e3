//! Writing JSON-RPC messages: each one frame of text, spliced together without a tree.

use super::params::Params;
use crate::json;

/// Appends an unsigned number in decimal.
fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        // `rest % 10` is below 10.
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

fn push_quoted(out: &mut Vec<u8>, text: &str) {
    let plain = text.bytes().all(|b| (0x20..0x7f).contains(&b) && b != b'"' && b != b'\\');
    if plain {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        out.extend_from_slice(json::quote(text).as_bytes());
    }
}

fn push_params(out: &mut Vec<u8>, params: Option<Params<'_>>, meta: &str) {
    match params {
        Some(params) => {
            out.extend_from_slice(b",\"params\":");
            params.write_with_meta(meta, out);
        }
        None if !meta.is_empty() => {
            out.extend_from_slice(b",\"params\":{\"_meta\":{");
            out.extend_from_slice(meta.as_bytes());
            out.extend_from_slice(b"}}");
        }
        None => {}
    }
}

/// Appends a request. `meta` is the members for `params._meta` as JSON text without braces, or empty.
pub fn request(out: &mut Vec<u8>, id: u64, method: &str, params: Option<Params<'_>>, meta: &str) {
    out.reserve(64 + method.len() + params.map_or(0, |p| p.text().len()) + meta.len());
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    push_number(out, id);
    out.extend_from_slice(b",\"method\":");
    push_quoted(out, method);
    push_params(out, params, meta);
    out.push(b'}');
}

/// Appends a notification.
pub fn notification(out: &mut Vec<u8>, method: &str, params: Option<Params<'_>>) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":");
    push_quoted(out, method);
    push_params(out, params, "");
    out.push(b'}');
}

/// Appends `notifications/cancelled` for our request `id`.
pub fn cancelled(out: &mut Vec<u8>, id: u64, reason: &str) {
    out.extend_from_slice(
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":",
    );
    push_number(out, id);
    if !reason.is_empty() {
        out.extend_from_slice(b",\"reason\":");
        push_quoted(out, reason);
    }
    out.extend_from_slice(b"}}");
}

/// Appends the answer to a server's request; `id` is the JSON text it came with, `result` JSON text.
pub fn result(out: &mut Vec<u8>, id: &str, result: &str) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(b",\"result\":");
    json::one_line_into(result, out);
    out.push(b'}');
}

/// Appends the refusal of a server's request; `data` is JSON text.
pub fn error(out: &mut Vec<u8>, id: &str, code: i64, message: &str, data: Option<&str>) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(b",\"error\":{\"code\":");
    out.extend_from_slice(code.to_string().as_bytes());
    out.extend_from_slice(b",\"message\":");
    push_quoted(out, message);
    if let Some(data) = data {
        out.extend_from_slice(b",\"data\":");
        json::one_line_into(data, out);
    }
    out.extend_from_slice(b"}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_request_carries_id_method_params_and_metadata() {
        let params = Params::check(r#"{"name":"echo"}"#, 8).expect("valid");
        assert_eq!(
            text(|out| request(out, 12, "tools/call", Some(params), "\"progressToken\":12")),
            r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":12}}}"#
        );
        assert_eq!(
            text(|out| request(out, 0, "ping", None, "")),
            r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#
        );
        assert_eq!(
            text(|out| request(out, u64::MAX, "a\"b", None, "\"x\":1")),
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"a\"b","params":{"_meta":{"x":1}}}"#
        );
    }

    #[test]
    fn answers_keep_the_servers_id_as_it_was_written() {
        assert_eq!(text(|out| result(out, "\"a-7\"", "{}")), r#"{"jsonrpc":"2.0","id":"a-7","result":{}}"#);
        assert_eq!(
            text(|out| error(out, "7", -32601, "no", Some("[1]"))),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no","data":[1]}}"#
        );
    }

    #[test]
    fn a_cancellation_names_the_request_and_the_reason() {
        assert_eq!(
            text(|out| cancelled(out, 3, "timeout")),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"timeout"}}"#
        );
    }
}
