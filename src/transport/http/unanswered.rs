//! Why a request has no answer, and the bounds of an answer's head, which may be why.

use super::trust::{self, TlsError};
use hyper_util::client::legacy::Error;

/// The least that hyper takes as the size of its buffer.
pub(super) const LEAST_BUFFER: usize = 8192;
/// Headers of one answer: as many as hyper has room for without asking for memory.
pub(super) const MOST_HEADERS: usize = 100;
/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// No connection could be made: nothing was sent.
    Unreachable(String),
    /// There is a server, but TLS with it did not come about.
    Untrusted(TlsError),
    /// The connection was lost before the head of the answer came.
    Lost(String),
    /// The request cannot be sent as it is, or its answer not be taken.
    Unusable(String),
    /// The head of the answer is over its bound.
    TooLarge(HeadBounds),
}

impl Unanswered {
    /// The same where the request went out before, on a connection that was lost.
    pub(super) fn after_a_try(self) -> Unanswered {
        match self {
            Unanswered::Unreachable(why) => Unanswered::Lost(why),
            Unanswered::Untrusted(distrust) => Unanswered::Lost(distrust.why),
            other => other,
        }
    }
}

/// What the head of an answer may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeadBounds {
    /// Bytes.
    pub bytes: usize,
    /// Headers.
    pub headers: usize,
}

/// What an answer's head may have where it may have so many bytes.
pub(super) fn head_bounds(bytes: usize) -> HeadBounds {
    HeadBounds { bytes, headers: MOST_HEADERS }
}

/// Whether the head of the answer was over its bound. hyper has a function for that in servers only; its text is the same in
/// clients, and a test notices if it changes.
pub(super) fn too_large(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        let error = cause.downcast_ref::<hyper::Error>();
        if error.is_some_and(|error| error.is_parse() && error.to_string() == "message head is too large") {
            return true;
        }
        next = cause.source();
    }
    false
}

pub(super) fn unanswered(error: &Error) -> Unanswered {
    if let Some(why) = trust::find(error)
        && (error.is_connect() || why.is_about_the_client())
    {
        return Unanswered::Untrusted(why);
    }
    // The outermost only says which step it was.
    let why = std::error::Error::source(error).map_or_else(|| error.to_string(), super::error_chain);
    if error.is_connect() { Unanswered::Unreachable(why) } else { Unanswered::Lost(why) }
}
