//! Errors that every export may give.

use crate::engine::{Error, Status};

/// The error for an argument that must not be NULL.
pub(super) fn null(name: &str) -> Error {
    Error::new(Status::InvalidArgument, name, format!("{name} is NULL"))
}

/// The error for a handle or message that the parent of this process made.
pub(super) fn forked_error() -> Error {
    Error::new(
        Status::Forked,
        "handle",
        "the process forked since this handle was made; only the parent may use it. Make a new client in this process",
    )
}
