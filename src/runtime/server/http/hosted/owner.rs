//! What an exchange knows of the endpoint that it belongs to.

use std::any::Any;
use std::sync::{Arc, Weak};

/// Who looks after exchanges.
pub(super) trait ExchangeOwner: Send + Sync {
    /// The program has freed an exchange.
    fn forget(&self, number: u64);

    /// The body of an exchange is whole, or is not wanted.
    fn has_body(&self, number: u64);

    /// The thread that closes the server is to look again.
    fn wake_server(&self);
}

/// What an exchange belongs to, and its number there. A request that is refused at once belongs to nothing.
#[derive(Default)]
pub(super) struct Of {
    pub(super) number: u64,
    /// As long as it lives, so does what the timers of an exchange need.
    pub(super) hosted: Option<Weak<dyn Any + Send + Sync>>,
    pub(super) owner: Option<Weak<dyn ExchangeOwner>>,
}

impl Of {
    pub(super) fn lifetime(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.hosted.as_ref().and_then(Weak::upgrade)
    }

    pub(super) fn owner(&self) -> Option<Arc<dyn ExchangeOwner>> {
        self.owner.as_ref().and_then(Weak::upgrade)
    }
}
