//! Who drives a connection.

pub(crate) mod lock;
