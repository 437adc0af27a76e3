//! An address that cannot be listened on, as an error of the application.

use crate::engine::{Error, Status};
use crate::transport::socket::listen::{ListenRefused, RefusedFor};

/// An address that cannot be listened on.
pub(super) fn unbound(refused: ListenRefused) -> Error {
    let status = match refused.reason {
        RefusedFor::InUse | RefusedFor::System => Status::Unavailable,
        _ => Status::InvalidArgument,
    };
    Error::new(status, "server_serve", refused.message)
}
