//! Incoming frames: one scan of the text determines which kind of JSON-RPC message a frame is, and which call a frame answers that
//! is broken further on or too large to be held.
//!
//! Nothing is copied: an [`Incoming`] has the positions of its parts in the frame.

use super::{error_code, lenient, meta};
use crate::json::{self, ErrorKind, Kind, ScanError, Span, Value, Wanted, WantedBelow};

/// The id of an answer, in the type it came in. Ours are unsigned integers, so only [`Id::Number`] can be ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Id {
    /// An integer we could have sent, by its value: some languages have no integers and write `1.0`, and some write numbers as text.
    Number(u64),
    /// Another string, a negative or fractional number: never ours.
    Foreign(Span),
    /// `null` or absent: the peer could not read the id.
    None,
}

/// A frame, taken apart. Spans point into the frame's text; string spans include their quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// The answer to a request of ours.
    Result {
        /// Which request.
        id: Id,
        /// The result, any JSON value.
        result: Value,
        /// `result.resultType`, where it has one.
        result_type: Option<Value>,
        /// Whether it was not written as it should be, and yet without doubt.
        tolerated: bool,
    },
    /// The refusal of a request of ours.
    Error {
        /// Which request.
        id: Id,
        /// `error.code`.
        code: i64,
        /// `error.message`, or what stands for it: see [`said`].
        message: Span,
        /// `error.data`, where there is some.
        data: Option<Span>,
        /// Whether it was not written as it should be, and yet without doubt.
        tolerated: bool,
    },
    /// A request of the server.
    Request {
        /// The id as it was written; goes back unchanged.
        id: Span,
        /// The method, a JSON string.
        method: Span,
        /// The parameters, an object, where there are some.
        params: Option<Span>,
        /// What many methods have in them.
        inner: Inner,
        /// Whether it was not written as it should be, and yet without doubt.
        tolerated: bool,
    },
    /// A notification of the server.
    Notification {
        /// The method, a JSON string.
        method: Span,
        /// The parameters, an object, where there are some.
        params: Option<Span>,
        /// `params.progressToken`.
        progress_token: Option<Value>,
        /// `params.requestId`.
        request_id: Option<Value>,
        /// Whether it was not written as it should be, and yet without doubt.
        tolerated: bool,
    },
}

impl Incoming {
    /// Whether it was not written as it should be, and yet without doubt.
    #[cfg(feature = "server")]
    pub fn is_tolerated(&self) -> bool {
        match self {
            Incoming::Result { tolerated, .. }
            | Incoming::Error { tolerated, .. }
            | Incoming::Request { tolerated, .. }
            | Incoming::Notification { tolerated, .. } => *tolerated,
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What stands behind the byte order mark at the beginning of a frame, if there is one.
pub fn without_mark(frame: &[u8]) -> &[u8] {
    frame.strip_prefix(BYTE_ORDER_MARK).unwrap_or(frame)
}

/// Takes the byte order mark from the beginning of a frame. Says whether there was one.
pub fn drop_mark(frame: &mut Vec<u8>) -> bool {
    let marked = frame.len() - without_mark(frame).len();
    frame.drain(..marked);
    marked > 0
}

/// Members of a request's parameters that many methods have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Inner {
    /// `params._meta`.
    pub meta: Option<Value>,
    /// `params.name`.
    pub name: Option<Value>,
    /// `params.arguments`.
    pub arguments: Option<Value>,
    /// Whether there is `params.requestState` or `params.inputResponses`.
    pub is_retry: bool,
    /// Where the members of `_meta` are that [`META_MEMBERS`] names, empty for one that is not there; `None` where `_meta` is no object,
    /// or names one of them twice.
    pub meta_members: Option<[Span; META_MEMBERS.len()]>,
}

/// The members of `_meta` that a server asks every request for.
pub const META_MEMBERS: [&str; 4] =
    [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES, meta::LOG_LEVEL, meta::PROGRESS_TOKEN];

impl Inner {
    /// The texts of [`META_MEMBERS`], of which `text` is what begins at `start` of the frame. `None` as for
    /// [`meta_members`](Inner::meta_members).
    pub fn meta_texts<'a>(
        &self,
        text: &'a str,
        start: usize,
    ) -> Option<[Option<&'a str>; META_MEMBERS.len()]> {
        let part = |span: Span| text.get(span.start.checked_sub(start)?..span.end.checked_sub(start)?);
        Some(self.meta_members?.map(|span| part(span).filter(|text| !text.is_empty())))
    }
}

/// A rule of JSON-RPC or MCP that a frame broke.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// The frame is not a JSON object.
    #[error(transparent)]
    InvalidJson(ScanError),
    /// `jsonrpc` is not `"2.0"`.
    #[error("member 'jsonrpc' is not \"2.0\"")]
    WrongVersion,
    /// An answer with both `result` and `error`.
    #[error("the answer has both 'result' and 'error'")]
    ResultAndError,
    /// An object that is not a message: a line of a log.
    #[error("the object has none of 'jsonrpc', 'method', 'result' and 'error'")]
    NoMessage,
    /// Neither a request, a notification nor an answer.
    #[error("the message has none of 'method', 'result' and 'error'")]
    NoKind,
    /// An id that is neither a string nor a number.
    #[error("member 'id' is neither a string nor a number")]
    BadId,
    /// A `method` that is not a string.
    #[error("member 'method' is not a string")]
    BadMethod,
    /// `params` that is not an object.
    #[error("member 'params' is not an object")]
    BadParams,
    /// An `error` that says nothing.
    #[error("member 'error' is neither an object nor a text")]
    BadError,
}

#[cfg(feature = "server")]
impl Violation {
    /// The code with which a server answers `frame`, which may nest as deep as `depth` (S-JR-02 to S-JR-05): text that is not JSON
    /// has another code than JSON that is not a message.
    pub fn code(&self, frame: &[u8], depth: usize) -> i64 {
        match self {
            Violation::InvalidJson(error) => match error.kind {
                ErrorKind::NotAnObject(_) if json::scan_value(frame, depth).is_err() => {
                    error_code::PARSE_ERROR
                }
                ErrorKind::NotAnObject(_) | ErrorKind::Duplicate(_) | ErrorKind::Depth(_) => {
                    error_code::INVALID_REQUEST
                }
                _ => error_code::PARSE_ERROR,
            },
            Violation::BadParams => error_code::INVALID_PARAMS,
            _ => error_code::INVALID_REQUEST,
        }
    }
}

impl Violation {
    /// Whether the frame was never meant as a message: a banner, a log line.
    pub fn is_noise(&self) -> bool {
        match self {
            Violation::InvalidJson(error) => {
                !matches!(error.kind, ErrorKind::Duplicate(_) | ErrorKind::Depth(_))
            }
            Violation::NoMessage => true,
            _ => false,
        }
    }
}

/// A frame that broke a rule, and the calls it answers if that could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Which rule.
    pub violation: Violation,
    /// The requests of ours that the frame answers: several if it has several ids.
    pub ids: Vec<u64>,
}

const WANTED: [Wanted; 6] = [
    Wanted { name: "jsonrpc", inner: &[] },
    Wanted { name: "id", inner: &[] },
    Wanted { name: "method", inner: &[] },
    Wanted {
        name: "params",
        inner: &[
            "progressToken",
            "requestId",
            "_meta",
            "name",
            "arguments",
            "requestState",
            "inputResponses",
        ],
    },
    Wanted { name: "result", inner: &["resultType"] },
    Wanted { name: "error", inner: &["code", "message", "data"] },
];
const JSONRPC: usize = 0;
const ID: usize = 1;
const METHOD: usize = 2;
const PARAMS: usize = 3;
const PROGRESS_TOKEN: usize = 4;
const REQUEST_ID: usize = 5;
const META: usize = 6;
const NAME: usize = 7;
const ARGUMENTS: usize = 8;
const REQUEST_STATE: usize = 9;
const INPUT_RESPONSES: usize = 10;
const RESULT: usize = 11;
const RESULT_TYPE: usize = 12;
const ERROR: usize = 13;
const CODE: usize = 14;
const MESSAGE: usize = 15;
const DATA: usize = 16;
const SLOTS: usize = 17;

/// Takes a frame apart in one pass over its bytes.
///
/// # Errors
/// The rule it broke, with the call it answers where that could still be read.
pub fn parse(frame: &[u8], depth: usize) -> Result<Incoming, Malformed> {
    let mut found = [None; SLOTS];
    let mut members = [Span { start: 0, end: 0 }; META_MEMBERS.len()];
    let mut below = WantedBelow { of: META, names: &META_MEMBERS, found: &mut members, is_single: false };
    if let Err(error) = json::scan_object_below(frame, &WANTED, depth, &mut found, &mut below) {
        let ids = match error.kind {
            ErrorKind::Duplicate(_) => ids_of_answer(frame, depth),
            // As far as it was read it is JSON, so that its end can be read as that of an oversized frame.
            ErrorKind::Depth(_) => salvage_id(frame, frame).into_iter().collect(),
            _ => salvage_from_head(frame).into_iter().collect(),
        };
        return Err(Malformed { violation: Violation::InvalidJson(error), ids });
    }
    let id = match found[ID] {
        None => Ok(Id::None),
        Some(value) => match value.kind {
            Kind::Null => Ok(Id::None),
            Kind::Number | Kind::String => {
                Ok(lenient::number(text(frame, value.span)).map_or(Id::Foreign(value.span), Id::Number))
            }
            _ => Err(Violation::BadId),
        },
    };
    let ours = match &id {
        Ok(Id::Number(number)) => Some(*number),
        _ => None,
    };
    let meta_members = if below.is_single { Some(members) } else { None };
    classify(frame, &found, id, meta_members).map_err(|violation| {
        // A server's request may use any number as its id; it must not end a call of ours.
        let is_other = found[METHOD].is_some() || violation == Violation::NoMessage;
        let id = if is_other { None } else { ours };
        Malformed { violation, ids: id.into_iter().collect() }
    })
}

fn classify(
    frame: &[u8],
    found: &[Option<Value>; SLOTS],
    id: Result<Id, Violation>,
    meta_members: Option<[Span; META_MEMBERS.len()]>,
) -> Result<Incoming, Violation> {
    let given = |slot: usize| found[slot].filter(|value| value.kind != Kind::Null);
    let is_versioned = match given(JSONRPC) {
        Some(version) if version.span.of(frame) == b"\"2.0\"" => true,
        // Some languages write the text as a number.
        Some(version)
            if version.kind == Kind::Number && lenient::number(text(frame, version.span)) == Some(2) =>
        {
            false
        }
        None if [METHOD, RESULT, ERROR].iter().all(|slot| found[*slot].is_none()) => {
            return Err(Violation::NoMessage);
        }
        None => false,
        Some(_) => return Err(Violation::WrongVersion),
    };
    let id = id?;
    let (result, error) = (found[RESULT], found[ERROR]);
    // A member that is null is absent, but for a result that stands alone.
    let nothing = found[METHOD].is_some() && (result.is_some() || error.is_some());
    // Go writes a text that is not set as an empty one.
    let is_set = |method: &Value| !matches!(method.span.of(frame), b"null" | b"\"\"");
    if let Some(method) = found[METHOD].filter(|method| !nothing || is_set(method)) {
        return if is_versioned {
            with_method(frame, found, id, method, meta_members)
        } else {
            Err(Violation::WrongVersion)
        };
    }
    if !is_versioned {
        is_answer_alone(frame, found, id)?;
    }
    let is_id_odd = found[ID].is_some_and(|id| !id.span.of(frame).iter().all(u8::is_ascii_digit));
    let odd = !is_versioned || nothing || (is_id_odd && id != Id::None);
    match (result, error) {
        (Some(result), Some(error)) if result.kind == Kind::Null && error.kind != Kind::Null => {
            with_error(frame, id, error, found, true)
        }
        (Some(result), Some(error)) if lenient::is_nothing(text(frame, error.span)) => {
            Ok(Incoming::Result { id, result, result_type: given(RESULT_TYPE), tolerated: true })
        }
        (Some(_), Some(_)) => Err(Violation::ResultAndError),
        (Some(result), None) => {
            Ok(Incoming::Result { id, result, result_type: given(RESULT_TYPE), tolerated: odd })
        }
        (None, Some(error)) => with_error(frame, id, error, found, odd),
        (None, None) => Err(Violation::NoKind),
    }
}

/// Whether an object that does not say that it is JSON-RPC is an answer all the same: it has an id of ours, an object as its result
/// or an error, and nothing else. The line of a log may have any of these, beside others.
fn is_answer_alone(frame: &[u8], found: &[Option<Value>; SLOTS], id: Id) -> Result<(), Violation> {
    let members = [JSONRPC, ID, METHOD, RESULT, ERROR].iter().filter(|slot| found[**slot].is_some()).count();
    let object = frame.trim_ascii();
    if json::members(json::utf8(object)).count() != members {
        return Err(Violation::NoMessage);
    }
    let is_result = found[RESULT].is_some_and(|result| result.kind == Kind::Object);
    let is_answer = matches!(id, Id::Number(_)) && (is_result || found[ERROR].is_some());
    if is_answer { Ok(()) } else { Err(Violation::WrongVersion) }
}

fn with_method(
    frame: &[u8],
    found: &[Option<Value>; SLOTS],
    id: Id,
    method: Value,
    meta_members: Option<[Span; META_MEMBERS.len()]>,
) -> Result<Incoming, Violation> {
    if method.kind != Kind::String {
        return Err(Violation::BadMethod);
    }
    let (params, mut tolerated) = match found[PARAMS] {
        None => (None, false),
        Some(params) if params.kind == Kind::Object => (Some(params.span), false),
        Some(params) if params.kind == Kind::Null || is_empty_array(frame, params) => (None, true),
        Some(_) => return Err(Violation::BadParams),
    };
    let given = |slot: usize| found[slot].filter(|value| value.kind != Kind::Null);
    match (id, found[ID]) {
        // A member that is null is absent. What is a request by its name has no id then, and must not go without an answer.
        (Id::None, null) if null.is_none() || is_notification(frame, method) => {
            tolerated |= null.is_some();
            Ok(Incoming::Notification {
                method: method.span,
                params,
                progress_token: given(PROGRESS_TOKEN),
                request_id: given(REQUEST_ID),
                tolerated,
            })
        }
        (Id::None, _) | (_, None) => Err(Violation::BadId),
        (_, Some(id)) => {
            let is_retry = given(REQUEST_STATE).is_some() || given(INPUT_RESPONSES).is_some();
            let (name, arguments) = (given(NAME), found[ARGUMENTS]);
            let inner = Inner { meta: found[META], name, arguments, is_retry, meta_members };
            // Languages without integers write 2 as 2.0.
            let written = text(frame, id.span);
            tolerated |= id.kind == Kind::Number
                && !written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
                && json::whole(written.as_bytes()).is_ok();
            Ok(Incoming::Request { id: id.span, method: method.span, params, inner, tolerated })
        }
    }
}

/// Whether a method is a notification by its name.
fn is_notification(frame: &[u8], method: Value) -> bool {
    method.span.of(frame).starts_with(b"\"notifications/")
}

/// An error. What it says is worth more than the form it has.
fn with_error(
    frame: &[u8],
    id: Id,
    error: Value,
    found: &[Option<Value>; SLOTS],
    odd: bool,
) -> Result<Incoming, Violation> {
    if !matches!(error.kind, Kind::Object | Kind::String) {
        return Err(Violation::BadError);
    }
    let inner =
        |slot: usize| found[slot].filter(|value| error.kind == Kind::Object && value.kind != Kind::Null);
    let written = inner(CODE).map(|code| text(frame, code.span));
    let plain = written.and_then(json::integer);
    let message = inner(MESSAGE).filter(|message| message.kind == Kind::String);
    Ok(Incoming::Error {
        id,
        code: written.and_then(lenient::code).unwrap_or(error_code::INTERNAL_ERROR),
        message: message.unwrap_or(error).span,
        data: inner(DATA).map(|data| data.span),
        tolerated: odd || plain.is_none() || message.is_none(),
    })
}

/// What an error says: its message, or all of it where it has none.
pub fn said(frame: &[u8], message: Span) -> String {
    let written = text(frame, message);
    json::string(written).map_or_else(|| written.to_owned(), Into::into)
}

/// Whether a value is `[]`, which PHP writes for an object without members.
pub fn is_empty_array(frame: &[u8], value: Value) -> bool {
    value.kind == Kind::Array && lenient::is_empty(text(frame, value.span))
}

/// The text at `span` of a frame that the scan found to be UTF-8.
pub fn text(frame: &[u8], span: Span) -> &str {
    json::utf8(span.of(frame))
}

/// The id of the call that an oversized frame answers, read from what was kept of it: its first and last bytes.
///
/// In valid JSON a bare quote cannot stand inside a string, so `"id":7` right after the opening brace, or right before
/// the closing one, is the frame's own member. Anything less certain gives `None`.
pub fn salvage_id(head: &[u8], tail: &[u8]) -> Option<u64> {
    match beginning(head)? {
        (Some(id), true) => Some(id),
        (None, true) => salvage_from_tail(tail),
        // A request of the server, whose ids are its own.
        (_, false) => None,
    }
}

/// The id of the call that a frame answers which is broken further on.
pub(super) fn salvage_from_head(head: &[u8]) -> Option<u64> {
    beginning(head).and_then(|(id, answers)| id.filter(|_| answers))
}

/// The id, if it stands at the beginning of a frame, and whether a `result` or `error` follows there.
fn beginning(head: &[u8]) -> Option<(Option<u64>, bool)> {
    let mut rest = after(head.trim_ascii_start(), b"{")?;
    let mut id = None;
    loop {
        if let Some(version) = after(rest, b"\"jsonrpc\"") {
            rest = after(after(after(version, b":")?, b"\"2.0\"")?, b",")?;
        } else if let Some(value) = after(rest, b"\"id\"").filter(|_| id.is_none()) {
            let value = after(value, b":")?;
            let end = value.iter().position(|b| !b.is_ascii_digit())?;
            id = Some(std::str::from_utf8(&value[..end]).ok()?.parse().ok()?);
            rest = after(value[end..].trim_ascii_start(), b",")?;
        } else {
            let answers = [b"\"result\"".as_slice(), b"\"error\""];
            return Some((id, answers.iter().any(|name| after(rest, name).is_some())));
        }
    }
}

fn salvage_from_tail(tail: &[u8]) -> Option<u64> {
    let mut rest = before(tail, b"}")?;
    if let Some(shorter) = before(rest, b"\"2.0\"") {
        rest = before(before(before(shorter, b":")?, b"\"jsonrpc\"")?, b",")?;
    }
    let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let (start, id) = rest.split_at(rest.len() - digits);
    before(before(before(start, b":")?, b"\"id\"")?, b",")?;
    std::str::from_utf8(id).ok()?.parse().ok()
}

fn after<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    text.strip_prefix(prefix).map(<[u8]>::trim_ascii_start)
}

fn before<'a>(text: &'a [u8], suffix: &[u8]) -> Option<&'a [u8]> {
    text.trim_ascii_end().strip_suffix(suffix).map(<[u8]>::trim_ascii_end)
}
/// Our ids in an answer with a duplicate member. JSON does not define which of two counts, so it answers none of these calls.
pub(super) fn ids_of_answer(frame: &[u8], depth: usize) -> Vec<u64> {
    let Ok(value) = json::scan_value(frame, depth) else {
        return salvage_from_head(frame).into_iter().collect();
    };
    let (mut ids, mut answers) = (Vec::new(), false);
    for (written, member) in json::members(json::utf8(value.span.of(frame))) {
        match json::string(&format!("\"{written}\"")).as_deref() {
            Some("id") => ids.extend(lenient::number(member).filter(|id| !ids.contains(id))),
            Some("result" | "error") => answers = true,
            Some("method") => return Vec::new(),
            _ => {}
        }
    }
    if answers { ids } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(frame: &str) -> Result<Incoming, Malformed> {
        parse(frame.as_bytes(), 128)
    }

    fn violation(frame: &str) -> (Violation, Option<u64>) {
        let malformed = parsed(frame).expect_err("a violation");
        assert!(malformed.ids.len() < 2, "{malformed:?}");
        (malformed.violation, malformed.ids.first().copied())
    }

    #[test]
    fn an_answer_with_two_ids_is_none_to_either() {
        for (frame, ids) in [
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}}"#, &[1, 2][..]),
            (r#"{"id":1,"result":{"x":[{}]},"jsonrpc":"2.0","\u0069d":2}"#, &[1, 2]),
            (r#"{"jsonrpc":"2.0","id":"x","id":2,"error":{"code":1,"message":""}}"#, &[2]),
            (r#"{"jsonrpc":"2.0","id":3,"result":{},"result":{}}"#, &[3]),
            (r#"{"jsonrpc":"2.0","id":3,"id":3,"result":{}}"#, &[3]),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, &[]),
            (r#"{"jsonrpc":"2.0","id":1,"id":2}"#, &[]),
            (r#"{"jsonrpc":"2.0","id":1,"result":{},"id":2,"#, &[1]),
        ] {
            let malformed = parsed(frame).expect_err("two of one name");
            assert!(matches!(malformed.violation, Violation::InvalidJson(_)), "{frame}");
            assert_eq!(malformed.ids, ids, "{frame}");
        }
    }

    #[test]
    fn an_answer_is_told_from_a_request_and_a_notification() {
        assert!(matches!(
            parsed(r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#),
            Ok(Incoming::Result { id: Id::Number(7), result_type: Some(_), .. })
        ));
        assert!(matches!(
            parsed(r#"{"id":"7","jsonrpc":"2.0","method":"ping"}"#),
            Ok(Incoming::Request { params: None, .. })
        ));
        assert!(matches!(
            parsed(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3}}"#),
            Ok(Incoming::Notification { progress_token: Some(_), request_id: None, .. })
        ));
        assert!(matches!(
            parsed(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}"#),
            Ok(Incoming::Error { id: Id::None, code: -32700, .. })
        ));
    }

    #[test]
    fn ids_are_compared_by_value() {
        let id = |frame: &str| match parsed(frame) {
            Ok(Incoming::Result { id, .. }) => id,
            other => panic!("{other:?}"),
        };
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Id::Number(1));
        for ours in ["\"1\"", "1.0", "1.000", "1e0", "10e-1", "\"1.0\""] {
            let frame = format!(r#"{{"jsonrpc":"2.0","id":{ours},"result":{{}}}}"#);
            assert!(
                matches!(parsed(&frame), Ok(Incoming::Result { id: Id::Number(1), tolerated: true, .. })),
                "{ours}"
            );
        }
        for foreign in ["\"x\"", "\"\"", "1.5", "-1", "1e400", "18446744073709551616"] {
            let frame = format!(r#"{{"jsonrpc":"2.0","id":{foreign},"result":{{}}}}"#);
            assert!(matches!(id(&frame), Id::Foreign(_)), "{foreign}");
        }
    }

    #[test]
    fn a_member_that_is_null_is_absent_and_what_can_only_mean_one_thing_is_taken() {
        let answer = |members: &str| parsed(&format!(r#"{{"jsonrpc":"2.0","id":4,{members}}}"#));
        for result in [
            r#""result":{},"error":null"#,
            r#""method":null,"result":{}"#,
            r#""error":null,"result":null"#,
            r#""result":{},"error":"""#,
            r#""result":{},"error":{}"#,
        ] {
            assert!(matches!(answer(result), Ok(Incoming::Result { tolerated: true, .. })), "{result}");
        }
        assert!(matches!(answer(r#""result":null"#), Ok(Incoming::Result { tolerated: false, .. })));
        for (error, wanted) in [
            (r#""result":null,"error":{"code":-3,"message":"x"}"#, -3),
            (r#""error":{"code":"-32001","message":"x","data":null}"#, -32001),
            (r#""error":{"code":"closed","message":"x"}"#, error_code::INTERNAL_ERROR),
            (r#""error":{"code":null,"message":"x"}"#, error_code::INTERNAL_ERROR),
            (r#""error":{"code":-32601.0}"#, -32601),
            (r#""error":"x""#, error_code::INTERNAL_ERROR),
            (r#""error":{}"#, error_code::INTERNAL_ERROR),
        ] {
            match answer(error) {
                Ok(Incoming::Error { code, tolerated: true, data: None, .. }) => {
                    assert_eq!(code, wanted, "{error}");
                }
                other => panic!("{error}: {other:?}"),
            }
        }
        let ping = parsed(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[ ]}"#);
        assert!(matches!(ping, Ok(Incoming::Request { params: None, .. })));
    }

    #[test]
    fn each_broken_rule_is_named_and_the_call_it_answers_with_it() {
        assert_eq!(
            violation(r#"{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1,"message":"x"}}"#),
            (Violation::ResultAndError, Some(4))
        );
        assert_eq!(violation(r#"{"level":"info","id":4,"msg":"x"}"#), (Violation::NoMessage, None));
        assert_eq!(violation(r#"{"jsonrpc":"1.0","id":4,"result":1}"#), (Violation::WrongVersion, Some(4)));
        assert_eq!(violation(r#"{"jsonrpc":"2.0","id":4}"#), (Violation::NoKind, Some(4)));
        assert_eq!(violation(r#"{"jsonrpc":"2.0","id":[4],"result":1}"#), (Violation::BadId, None));
        assert_eq!(violation(r#"{"jsonrpc":"2.0","id":4,"error":[4]}"#), (Violation::BadError, Some(4)));
        assert_eq!(violation(r#"{"id":4,"result":1}"#), (Violation::WrongVersion, Some(4)));
        assert_eq!(violation(r#"{"id":4,"method":"ping"}"#), (Violation::WrongVersion, None));
        for line in [r#"{"id":4,"level":"error","error":"x"}"#, r#"{"id":4,"result":{},"msg":"done"}"#] {
            assert_eq!(violation(line), (Violation::NoMessage, None), "the line of a log");
        }
        assert_eq!(
            violation(r#"{"jsonrpc":"2.0","id":4,"method":"x","params":[1]}"#),
            (Violation::BadParams, None)
        );
        assert_eq!(violation(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#), (Violation::BadId, None));
        assert_eq!(violation(r#"{"jsonrpc":"2.0","method":7}"#), (Violation::BadMethod, None));
    }

    #[test]
    fn an_oversized_frame_gives_its_id_only_where_it_is_certain() {
        assert_eq!(salvage_id(br#"{"jsonrpc":"2.0","id":12,"result":{"x"#, b"..."), Some(12));
        assert_eq!(salvage_id(br#"{"result":{"#, br#"..."}]},"jsonrpc":"2.0","id":31}"#), Some(31));
        assert_eq!(salvage_id(br#"{"result":{"#, br#"..."}]}, "id": 31, "jsonrpc": "2.0" } "#), Some(31));
        assert_eq!(salvage_id(br#"{"result":{"#, br#"..."a":1,"id":31}}"#), None);
        assert_eq!(salvage_id(br#"{"result":{"id":4,"#, b"xxxx"), None);
        // Requests of the server have ids of their own.
        assert_eq!(salvage_id(br#"{"jsonrpc":"2.0","id":12,"method":"x"#, b"..."), None);
        assert_eq!(salvage_id(br#"{"method":"x","#, br#"..."}]},"jsonrpc":"2.0","id":31}"#), None);
    }
}
