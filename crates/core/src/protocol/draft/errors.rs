//! One table of errors: what each code is called, which HTTP status it has, and whether the same request may be sent again (roadmap for
//! 2026-12-15, track "Error Standardization"). No code is new here: those that the proposal would add have no number yet, so that of
//! [`error_code::BUSY`], which is ours, stands where its "Unavailable" would.

use crate::json;
use crate::protocol::error_code;
use std::ops::RangeInclusive;

/// The codes that belong to the specification.
const RESERVED: RangeInclusive<i64> = -32099..=-32020;
/// The code of a proposal of its own (SEP-3304), which the table takes over: `data.retryAfterMs` says how long.
pub const RATE_LIMITED: i64 = -32023;
/// The longest wait that a server can ask for: what is longer counts as this.
pub const LONGEST_WAIT_MS: u64 = 24 * 60 * 60 * 1000;

/// Whether a request may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Not the same, and no other like it.
    Never,
    /// A request that was corrected.
    AfterChange,
    /// The same, after a while.
    AfterDelay,
}

impl Again {
    /// As the text has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Again::Never => "do-not-retry",
            Again::AfterChange => "retry-after-change",
            Again::AfterDelay => "retry-after-delay",
        }
    }
}

/// One kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its name.
    pub name: &'static str,
    /// Its code.
    pub code: i64,
    /// The HTTP status of an answer with it.
    pub status: u16,
    /// Whether to try again.
    pub again: Again,
}

const fn row(name: &'static str, code: i64, status: u16, again: Again) -> Condition {
    Condition { name, code, status, again }
}

/// All of them.
pub const CONDITIONS: [Condition; 10] = [
    row("ParseError", error_code::PARSE_ERROR, 400, Again::AfterChange),
    row("InvalidRequest", error_code::INVALID_REQUEST, 400, Again::AfterChange),
    row("MethodNotFound", error_code::METHOD_NOT_FOUND, 404, Again::Never),
    row("InvalidParams", error_code::INVALID_PARAMS, 400, Again::AfterChange),
    row("InternalError", error_code::INTERNAL_ERROR, 500, Again::Never),
    row("HeaderMismatch", error_code::HEADER_MISMATCH, 400, Again::AfterChange),
    row("MissingRequiredClientCapability", error_code::MISSING_CLIENT_CAPABILITY, 400, Again::AfterChange),
    row("UnsupportedProtocolVersion", error_code::UNSUPPORTED_VERSION, 400, Again::AfterChange),
    row("RateLimited", RATE_LIMITED, 429, Again::AfterDelay),
    row("Busy", error_code::BUSY, 503, Again::AfterDelay),
];

/// The row of a code.
pub fn find(code: i64) -> Option<Condition> {
    CONDITIONS.into_iter().find(|condition| condition.code == code)
}

/// The HTTP status of an answer with a code. One that has no row is the application's: no gateway is to send that again, so it counts as
/// the client's fault.
pub fn status_of(code: i64) -> u16 {
    find(code).map_or(400, |condition| condition.status)
}

/// What an error means: its name, whether to try again, and after how many milliseconds, where the server says so.
pub fn meaning(code: i64, data: Option<&str>) -> (Option<&'static str>, Again, Option<u64>) {
    let wait = data
        .and_then(|data| json::member(data, "retryAfterMs"))
        .and_then(|wait| json::whole(wait.as_bytes()).ok())
        .and_then(|wait| u64::try_from(wait).ok())
        .map(|wait| wait.min(LONGEST_WAIT_MS));
    match find(code) {
        Some(condition) => {
            (Some(condition.name), condition.again, wait.filter(|_| condition.again == Again::AfterDelay))
        }
        // A code that the specification may have given out since says by its data that a wait helps.
        None if RESERVED.contains(&code) && wait.is_some() => (None, Again::AfterDelay, wait),
        None => (None, Again::Never, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_and_name_stands_there_once_and_no_reserved_code_is_new() {
        for (at, one) in CONDITIONS.iter().enumerate() {
            for other in &CONDITIONS[at + 1..] {
                assert!(one.code != other.code && one.name != other.name, "{one:?} {other:?}");
            }
            // The closed set of statuses that may carry an error of the protocol.
            assert!([400, 404, 429, 500, 503].contains(&one.status), "{one:?}");
            assert!(!RESERVED.contains(&one.code) || (-32023..=-32020).contains(&one.code), "{one:?}");
        }
    }

    #[test]
    fn a_code_means_what_its_row_says_and_an_unknown_one_is_not_sent_again() {
        let wait = Some(r#"{"retryAfterMs":1500}"#);
        for (code, data, meant) in [
            (-32602, None, (Some("InvalidParams"), Again::AfterChange, None)),
            (-32602, wait, (Some("InvalidParams"), Again::AfterChange, None)),
            (-32603, wait, (Some("InternalError"), Again::Never, None)),
            (-32023, wait, (Some("RateLimited"), Again::AfterDelay, Some(1500))),
            (-32023, Some(r#"{"retryAfterMs":-1}"#), (Some("RateLimited"), Again::AfterDelay, None)),
            (
                -32023,
                Some(r#"{"retryAfterMs":1e15}"#),
                (Some("RateLimited"), Again::AfterDelay, Some(LONGEST_WAIT_MS)),
            ),
            (-32010, None, (Some("Busy"), Again::AfterDelay, None)),
            (-32099, wait, (None, Again::AfterDelay, Some(1500))),
            (-32099, None, (None, Again::Never, None)),
            (-32100, wait, (None, Again::Never, None)),
            (7, wait, (None, Again::Never, None)),
        ] {
            assert_eq!(meaning(code, data), meant, "{code} {data:?}");
        }
        assert_eq!(
            (status_of(-32603), status_of(-32602), status_of(-32023), status_of(42)),
            (500, 400, 429, 400)
        );
    }
}
