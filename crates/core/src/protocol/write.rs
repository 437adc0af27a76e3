//! Writes JSON-RPC messages: each is one frame of text, assembled without a tree. A [`Frame`] says what a transport may need to
//! know of it, so that none below the engine reads again what was written here.

use super::envelope::text;
use super::params::{Params, ParamsBuf};
use super::{error_code, method};
use crate::json::{self, Span};
use std::borrow::Cow;

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

/// Appends the parameters with `meta` in their `_meta`, and says where they are and the value that `Mcp-Name` repeats.
fn push_params(
    out: &mut Vec<u8>,
    method: &str,
    params: Option<Params<'_>>,
    meta: &str,
) -> (Option<Span>, Option<Span>) {
    let name = b",\"params\":";
    let start = out.len() + name.len();
    let mut about = None;
    match params {
        Some(params) => {
            out.extend_from_slice(name);
            about = params.write_with_meta(meta, out);
            if about.is_none() && params.name().is_some() {
                // The application's own `_meta` was merged, which is rare.
                let member = method::find(method).and_then(|method| method.header_member);
                let text = json::utf8(out.get(start..).unwrap_or_default());
                let found = member.and_then(|member| json::member_span(text, member));
                about = found.map(|name| name.moved(start));
            }
        }
        None if !meta.is_empty() => {
            out.extend_from_slice(b",\"params\":{\"_meta\":{");
            out.extend_from_slice(meta.as_bytes());
            out.extend_from_slice(b"}}");
        }
        None => return (None, None),
    }
    (Some(Span { start, end: out.len() }), about)
}

/// Writes the rest of a request or notification, from its method on. A borrowed method is a name of the table.
fn with_method(
    mut text: Vec<u8>,
    kind: FrameKind,
    method: Cow<'static, str>,
    params: Option<Params<'_>>,
    meta: &str,
) -> Frame {
    text.extend_from_slice(b"\"method\":");
    match &method {
        Cow::Borrowed(name) => {
            debug_assert!(!name.contains(['"', '\\']), "{name}");
            text.push(b'"');
            text.extend_from_slice(name.as_bytes());
            text.push(b'"');
        }
        Cow::Owned(name) => push_quoted(&mut text, name),
    }
    let (params, name) = push_params(&mut text, &method, params, meta);
    text.push(b'}');
    Frame { text, info: FrameInfo { kind, method, params, name } }
}

fn answer(text: Vec<u8>) -> Frame {
    let info = FrameInfo { kind: FrameKind::Answer, method: Cow::Borrowed(""), params: None, name: None };
    Frame { text, info }
}

/// Room for a request with so many bytes of parameters and members, if the system gives it.
pub fn room(bytes: usize) -> Option<Vec<u8>> {
    let mut room = Vec::new();
    room.try_reserve(AROUND_PARAMS + bytes).ok()?;
    Some(room)
}

/// A request. `meta` is the members for `params._meta` as JSON text without braces, or empty.
pub fn request(
    id: u64,
    method: impl Into<Cow<'static, str>>,
    params: Option<Params<'_>>,
    meta: &str,
) -> Frame {
    let room = Vec::with_capacity(AROUND_PARAMS + params.map_or(0, |it| it.text().len()) + meta.len());
    request_in(room, id, method, params, meta)
}

/// The same, in [`room`].
pub fn request_in(
    mut out: Vec<u8>,
    id: u64,
    method: impl Into<Cow<'static, str>>,
    params: Option<Params<'_>>,
    meta: &str,
) -> Frame {
    let method = method.into();
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    push_number(&mut out, id);
    out.push(b',');
    with_method(out, FrameKind::Request(id), method, params, meta)
}

/// A notification.
pub fn notification(method: impl Into<Cow<'static, str>>, params: Option<Params<'_>>) -> Frame {
    let out = b"{\"jsonrpc\":\"2.0\",".to_vec();
    with_method(out, FrameKind::Notification, method.into(), params, "")
}

/// `notifications/cancelled` for our request `id`.
pub fn cancelled(id: u64, reason: &str) -> Frame {
    let mut params = format!("{{\"requestId\":{id}");
    if !reason.is_empty() {
        params.push_str(",\"reason\":");
        json::quote_into(reason, &mut params);
    }
    params.push('}');
    notification(method::CANCELLED, Some(ParamsBuf::written(method::CANCELLED, params).view()))
}

/// A message of the peer in the form that the application gets it in, with the places of its parts.
#[derive(Debug)]
pub struct LocalMessage {
    /// The text.
    pub frame: Vec<u8>,
    /// The method, a JSON string.
    pub method: Span,
    /// The parameters.
    pub params: Option<Span>,
}

/// What the peer said in another form, as the request of the legacy era (with an `id` that means nothing) or the notification
/// that it stands for, so that the application need not know. `params` were checked with the frame they came in.
pub fn local_message(is_request: bool, method: &str, params: Option<&str>) -> LocalMessage {
    let id = if is_request { "\"id\":\"\"," } else { "" };
    let mut frame = format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":").into_bytes();
    let start = frame.len();
    push_quoted(&mut frame, method);
    let method = Span { start, end: frame.len() };
    let params = params.map(|params| {
        frame.extend_from_slice(b",\"params\":");
        let start = frame.len();
        frame.extend_from_slice(params.as_bytes());
        Span { start, end: frame.len() }
    });
    frame.push(b'}');
    LocalMessage { frame, method, params }
}

/// The answer to a request of the peer; `id` is the JSON text it came with, `result` JSON text.
pub fn result(id: &str, result: &str) -> Frame {
    result_with(id, result.len(), |out| json::one_line_into(result, out))
}

/// What a request has around its parameters: the method and the members of the handshake, as far as they are short.
const AROUND_PARAMS: usize = 160;

/// What stands around a result, with room for what a framing puts behind it.
const AROUND_RESULT: usize = 48;

/// The same with a result that `write` appends, JSON text on one line of about `length` bytes. Where the system has no memory for it,
/// an error that says so.
pub fn result_with(id: &str, length: usize, write: impl FnOnce(&mut Vec<u8>)) -> Frame {
    let mut out = Vec::new();
    if out.try_reserve(AROUND_RESULT + id.len() + length).is_err() {
        return without_memory(id, length);
    }
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    out.extend_from_slice(id.as_bytes());
    out.extend_from_slice(b",\"result\":");
    write(&mut out);
    out.push(b'}');
    answer(out)
}

/// The result of a tool that is one block of text; `more` appends further members of the result, each after a comma, of
/// about `length` bytes.
#[cfg(feature = "server")]
pub fn text_result(id: &str, content: &str, length: usize, more: impl FnOnce(&mut Vec<u8>)) -> Frame {
    let before = "{\"jsonrpc\":\"2.0\",\"id\":";
    let between = ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":";
    // Most texts have no escapes, or few.
    let room = content.len() + content.len() / 16;
    let mut out = String::new();
    if out.try_reserve(AROUND_RESULT + between.len() + id.len() + room + length).is_err() {
        return without_memory(id, content.len());
    }
    out.push_str(before);
    out.push_str(id);
    out.push_str(between);
    json::quote_into(content, &mut out);
    out.push_str("}]");
    let mut out = out.into_bytes();
    more(&mut out);
    out.extend_from_slice(b"}}");
    answer(out)
}

fn without_memory(id: &str, bytes: usize) -> Frame {
    let text = format!("the server's system gave no memory for the result, which has {bytes} bytes");
    error(Some(id), error_code::INTERNAL_ERROR, &text, None)
}

/// The refusal of a request; `data` is JSON text. One that could not be read has no id, and the answer has none either: the
/// specification wants it so (2026-07-28 `basic/index`), unlike plain JSON-RPC.
pub fn error(id: Option<&str>, code: i64, message: &str, data: Option<&str>) -> Frame {
    let mut out = b"{\"jsonrpc\":\"2.0\",".to_vec();
    if let Some(id) = id {
        out.extend_from_slice(b"\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"error\":{\"code\":");
    out.extend_from_slice(code.to_string().as_bytes());
    out.extend_from_slice(b",\"message\":");
    push_quoted(&mut out, message);
    if let Some(data) = data {
        out.extend_from_slice(b",\"data\":");
        json::one_line_into(data, &mut out);
    }
    out.extend_from_slice(b"}}");
    answer(out)
}

/// What kind of message a frame of ours is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// A request, with its id.
    Request(u64),
    /// A notification.
    Notification,
    /// The answer to a request of the peer, a result or an error.
    Answer,
}

/// What there is to know of a frame without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    /// What kind of message it is.
    pub kind: FrameKind,
    /// The method; empty for an answer.
    pub method: Cow<'static, str>,
    /// Where the parameters are in the text.
    pub(super) params: Option<Span>,
    /// Where the value is in the text that the HTTP header `Mcp-Name` repeats.
    pub(super) name: Option<Span>,
}

impl FrameInfo {
    /// The parameters, JSON text in `frame`.
    pub fn params<'a>(&self, frame: &'a [u8]) -> Option<&'a str> {
        self.params.map(|params| text(frame, params))
    }

    /// What the message is about, decoded: the tool's or prompt's name, the resource's URI just as it is written, the
    /// task's id. `None` where the method has nothing of the kind or the value is not a string.
    pub fn name<'a>(&self, frame: &'a [u8]) -> Option<Cow<'a, str>> {
        self.name.and_then(|name| json::string(text(frame, name)))
    }
}

/// A message of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The text, on one line.
    pub text: Vec<u8>,
    /// What it is.
    pub info: FrameInfo,
}

impl Frame {
    /// The id, if it is a request.
    #[cfg(any(test, feature = "testing", fuzzing))]
    pub fn exchange(&self) -> Option<u64> {
        match self.info.kind {
            FrameKind::Request(id) => Some(id),
            FrameKind::Notification | FrameKind::Answer => None,
        }
    }
}

/// A time, in seconds since 1970, as RFC 3339 writes it.
pub fn timestamp(unix: u64) -> String {
    let (days, rest) = (unix / 86_400, unix % 86_400);
    // Days are counted from a first of March in a year that begins an era of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_for_which_there_is_no_memory_is_an_error() {
        let frame = result_with("7", usize::MAX / 4, |_| panic!("it is not written"));
        let text = String::from_utf8(frame.text).expect("UTF-8");
        assert!(text.starts_with(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"#), "{text}");
        assert!(text.contains("gave no memory for the result"), "{text}");
    }

    fn text(frame: Frame) -> String {
        String::from_utf8(frame.text).expect("UTF-8")
    }

    #[test]
    fn a_request_carries_id_method_params_and_metadata() {
        let params = Params::check(r#"{"name":"echo"}"#, 8).expect("valid");
        assert_eq!(
            text(request(12, "tools/call", Some(params), "\"progressToken\":12")),
            r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":12}}}"#
        );
        assert_eq!(text(request(0, "ping", None, "")), r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#);
        assert_eq!(
            text(request(u64::MAX, "a\"b".to_owned(), None, "\"x\":1")),
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"a\"b","params":{"_meta":{"x":1}}}"#
        );
    }

    #[test]
    fn answers_keep_the_servers_id_as_it_was_written() {
        assert_eq!(text(result("\"a-7\"", "{}")), r#"{"jsonrpc":"2.0","id":"a-7","result":{}}"#);
        assert_eq!(
            text(error(Some("7"), -32601, "no", Some("[1]"))),
            r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no","data":[1]}}"#
        );
    }

    #[test]
    fn a_cancellation_names_the_request_and_the_reason() {
        assert_eq!(
            text(cancelled(3, "timeout")),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"timeout"}}"#
        );
    }

    #[test]
    fn a_frame_says_where_its_parameters_and_its_name_are() {
        let call = method::find(method::TOOLS_CALL);
        let said = |params: &str, meta: &str| {
            let params = Params::check_of(call, params, 8).expect("valid");
            for params in [params, ParamsBuf::copied(params, "old".to_owned()).expect("memory").view()] {
                let Frame { text, info } = request(7, method::TOOLS_CALL, Some(params), meta);
                assert_eq!((info.kind, &*info.method), (FrameKind::Request(7), "tools/call"));
                let frame: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
                let written = serde_json::from_str(info.params(&text).expect("parameters"));
                assert_eq!(frame["params"], written.unwrap_or(serde_json::Value::Null));
                assert_eq!(info.name(&text).as_deref(), frame["params"]["name"].as_str(), "{params:?}");
            }
        };
        for meta in ["", "\"a\":1", "\"a\":{\"name\":\"y\"},\"b\":2"] {
            said(r#"{"name":"x"}"#, meta);
            said("\n\t { \"arguments\":{\"name\":\"y\"},\r\n\"n\\u0061me\" : \"\\u65e5\u{672c}\" } \n", meta);
            said(r#"  {"name":"x","_meta":{"name":"z","a":0},"other":[1, 2]}"#, meta);
            said(r#"{"_meta":{},"name":"x","name":"the last counts"}"#, meta);
            said(r#"{"name":7}"#, meta);
            said("{}", meta);
        }
        let written = ParamsBuf::written(method::TASKS_GET, r#"{"taskId":"t"}"#);
        let frame = request(1, method::TASKS_GET, Some(written.view()), "\"a\":1");
        assert_eq!(frame.info.name(&frame.text).as_deref(), Some("t"));
        let again = ParamsBuf::spliced(method::TASKS_GET, Some(written.view()), &[("taskId", "\"u\"")]);
        assert_eq!((again.view().text(), again.view().name()), (r#"{"taskId":"u"}"#, Some("\"u\"")));
        let answer = result("3", "{}");
        assert_eq!((answer.exchange(), answer.info.kind), (None, FrameKind::Answer));
    }

    #[test]
    fn a_time_is_written_as_rfc_3339_writes_it() {
        for (unix, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(unix), text);
        }
    }
}
