//! Incoming frames: one scan of the text determines which kind of JSON-RPC message a frame is.
//!
//! Nothing is copied: an [`Incoming`] has the positions of its parts in the frame.

use super::error_code;
use super::given;
use super::salvage::{ids_of_answer, salvage_from_head};
use crate::json::{self, ErrorKind, Kind, ScanError, Span, Value, Wanted};

pub use super::salvage::salvage_id;

#[cfg(test)]
mod tests;

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
}

/// A rule of JSON-RPC or MCP that a frame broke.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// The frame is no JSON object.
    #[error(transparent)]
    InvalidJson(ScanError),
    /// `jsonrpc` is not `"2.0"`.
    #[error("member 'jsonrpc' is not \"2.0\"")]
    WrongVersion,
    /// An answer with both `result` and `error`.
    #[error("the answer has both 'result' and 'error'")]
    ResultAndError,
    /// An object that is no message: a line of a log.
    #[error("the object has none of 'jsonrpc', 'method', 'result' and 'error'")]
    NoMessage,
    /// Neither a request, a notification nor an answer.
    #[error("the message has none of 'method', 'result' and 'error'")]
    NoKind,
    /// An id that is neither a string nor a number.
    #[error("member 'id' is neither a string nor a number")]
    BadId,
    /// A `method` that is no string.
    #[error("member 'method' is not a string")]
    BadMethod,
    /// `params` that is no object.
    #[error("member 'params' is not an object")]
    BadParams,
    /// An `error` that says nothing.
    #[error("member 'error' is neither an object nor a text")]
    BadError,
}

#[cfg(feature = "server")]
impl Violation {
    /// The code with which a server answers `frame`, which may nest as deep as `depth` (S-JR-02 to S-JR-05): text that is not JSON
    /// has another than JSON that is no message.
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
    if let Err(error) = json::scan_object(frame, &WANTED, depth, &mut found) {
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
                Ok(given::number(text(frame, value.span)).map_or(Id::Foreign(value.span), Id::Number))
            }
            _ => Err(Violation::BadId),
        },
    };
    let ours = match &id {
        Ok(Id::Number(number)) => Some(*number),
        _ => None,
    };
    classify(frame, &found, id).map_err(|violation| {
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
) -> Result<Incoming, Violation> {
    let given = |slot: usize| found[slot].filter(|value| value.kind != Kind::Null);
    let is_versioned = match given(JSONRPC) {
        Some(version) if version.span.of(frame) == b"\"2.0\"" => true,
        // Some languages write the text as a number.
        Some(version)
            if version.kind == Kind::Number && given::number(text(frame, version.span)) == Some(2) =>
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
    if let Some(method) = found[METHOD].filter(|method| !nothing || method.kind != Kind::Null) {
        return if is_versioned {
            with_method(frame, found, id, method)
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
        (Some(result), Some(error)) if given::is_nothing(text(frame, error.span)) => {
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
            let inner = Inner { meta: found[META], name, arguments, is_retry };
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
        code: written.and_then(given::code).unwrap_or(error_code::INTERNAL_ERROR),
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
    value.kind == Kind::Array && given::is_empty(text(frame, value.span))
}

/// The text at `span` of a frame that the scan found to be UTF-8.
pub fn text(frame: &[u8], span: Span) -> &str {
    json::utf8(span.of(frame))
}
