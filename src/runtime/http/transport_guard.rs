//! Tells the connection when nothing is left of a transport.

use super::owner::HttpOwner;
use std::sync::{Arc, Weak};

/// A transport of one generation, as the client counts it: gone when this is dropped.
#[derive(Debug)]
pub(super) struct TransportGuard {
    pub(super) owner: Weak<dyn HttpOwner>,
    pub(super) generation: u64,
}

impl TransportGuard {
    pub(super) fn new(owner: &Arc<dyn HttpOwner>, generation: u64) -> TransportGuard {
        TransportGuard { owner: Arc::downgrade(owner), generation }
    }
}

impl Drop for TransportGuard {
    fn drop(&mut self) {
        if let Some(owner) = self.owner.upgrade() {
            owner.gone(self.generation);
        }
    }
}
