//! Why a request is not served.

use crate::auth::Scopes;

/// Why a request is not served. The texts are for its sender; none has a part of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denial {
    /// It brings no token.
    Missing,
    /// It says two things about its token, or nothing readable.
    Malformed(&'static str),
    /// The token is not good here.
    Invalid(&'static str),
    /// The proof of possession is not good.
    Proof(&'static str),
    /// The token is good, and does not allow this. These scopes would: all that the operation needs.
    Scope(Scopes),
    /// Whether it is good cannot be found out now. The text is for the log.
    Unavailable(String),
}

impl Denial {
    /// The status of HTTP (RFC 6750, section 3.1).
    pub fn status(&self) -> u16 {
        match self {
            Denial::Missing | Denial::Invalid(_) | Denial::Proof(_) => 401,
            Denial::Malformed(_) => 400,
            Denial::Scope(_) => 403,
            Denial::Unavailable(_) => 503,
        }
    }

    /// The error of a challenge; `None` where a request had no token, or where it is not at fault.
    pub fn error(&self) -> Option<&'static str> {
        match self {
            Denial::Missing | Denial::Unavailable(_) => None,
            Denial::Malformed(_) => Some("invalid_request"),
            Denial::Invalid(_) => Some("invalid_token"),
            Denial::Proof(_) => Some("invalid_dpop_proof"),
            Denial::Scope(_) => Some("insufficient_scope"),
        }
    }

    /// What its sender is told.
    pub fn text(&self) -> &'static str {
        match self {
            Denial::Missing => "a token is needed",
            Denial::Malformed(why) | Denial::Invalid(why) | Denial::Proof(why) => why,
            Denial::Scope(_) => "the token does not have every scope that this needs",
            Denial::Unavailable(_) => "whether the token is good cannot be found out now",
        }
    }
}
