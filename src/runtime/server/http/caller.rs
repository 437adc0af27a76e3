//! Who a request comes from.

use crate::engine::server::Principal;
use crate::runtime::server::budget::Account;
use crate::shares::Holder;
use std::sync::Arc;
use std::time::Instant;

/// Who a request comes from. Without authorization nothing is known.
#[derive(Clone, Default, Debug)]
pub(in crate::runtime::server) struct Caller {
    pub(in crate::runtime::server) principal: Option<Arc<Principal>>,
    /// When its token ends.
    pub(super) until: Option<Instant>,
    /// Where its connection comes from.
    pub(super) from: Holder,
    /// What counts the bytes that are held for the request.
    pub(super) account: Account,
    /// What its head takes of memory.
    pub(super) head_bytes: usize,
}

impl Caller {
    /// What sessions are bound to.
    pub(super) fn id(&self) -> Option<&str> {
        self.principal.as_ref().map(|principal| &*principal.id)
    }

    /// Whose is what the request takes of what clients share.
    pub(super) fn holder(&self) -> Holder {
        self.id().map_or_else(|| self.from.clone(), |id| Holder::Principal(id.into()))
    }
}
