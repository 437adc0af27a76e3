//! The transports that carry the frames of a connection.

pub(crate) mod custom;
pub(crate) mod driving;
pub(crate) mod pipe;
pub(crate) mod stream;
pub(crate) mod writing;
