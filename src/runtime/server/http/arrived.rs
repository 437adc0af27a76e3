//! A message on its way to the engine.

use crate::protocol::envelope::Incoming;

/// A message as it came, and what its scan found, if it was scanned: the engine does not look again.
#[derive(Debug)]
pub(in crate::runtime::server) struct Arrived {
    pub(in crate::runtime::server) frame: Vec<u8>,
    pub(in crate::runtime::server) scanned: Option<Incoming>,
}
