//! What is wrong with a definition.

use std::fmt;

/// Why a definition is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The member that is wrong; empty for the whole.
    pub member: String,
    /// What is wrong with it.
    pub what: String,
}

impl Invalid {
    pub(in crate::engine::server) fn new(member: &str, what: impl Into<String>) -> Invalid {
        Invalid { member: member.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.member.is_empty() {
            return f.write_str(&self.what);
        }
        write!(f, "member '{}': {}", self.member, self.what)
    }
}

impl std::error::Error for Invalid {}
