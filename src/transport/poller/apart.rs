//! Where a poller cannot be watched by the runtime of HTTP: a thread of its own drives that.

use super::Poller;
use std::task::{Context, Poll};

/// There is none.
#[derive(Debug)]
pub enum Nested {}

impl Nested {
    /// `None`: the two are waited for apart.
    pub fn new(_poller: &Poller) -> Option<Nested> {
        None
    }

    /// Whether something of the poller is ready.
    pub fn poll_ready(&self, _context: &mut Context<'_>) -> Poll<()> {
        match *self {}
    }

    /// Gives the tokens of what is ready.
    pub fn take(&self, _poller: &Poller, _ready: &mut Vec<u64>) {
        match *self {}
    }
}
