//! A server that listens on a Unix or TCP socket: where it is, and the way there.

mod address;
mod reach;

pub use address::SocketAddress;
pub use reach::{Unreached, at_once, end_both, end_output, reach};
