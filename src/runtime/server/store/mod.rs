//! What the processes of one server share, in a store that others maintain.
//!
//! * `redis`: `RedisStore`: a store in Redis or Valkey
//! * `resp`: one connection to it: commands and replies

mod redis;
mod resp;

pub(crate) use redis::{RedisStore, StoreEvents};
pub(crate) use resp::StoreAddress;
#[cfg(test)]
pub(crate) use resp::{Connection, Reply};

use super::serving::Serving;
use crate::engine::server::{Claim, Claimed, RequestId};

/// What is to be told, once.
pub(crate) type Said = Box<dyn FnOnce(Claimed) + Send>;

impl Serving {
    /// From now on the store notes which request states were used.
    pub(crate) fn set_store(&self, store: RedisStore) {
        // There is one for as long as the server lives.
        let _is_the_first = self.store.set(store).is_ok();
    }

    /// Asks the store, which never waits. Gives what is known at once; anything else comes from a thread of the store.
    pub(super) fn claim(&self, request: RequestId, claim: Claim) -> Option<Claimed> {
        let Some(store) = self.store.get() else { return Some(Claimed::Unavailable) };
        let this = self.this.clone();
        let said = move |said| {
            // A server that is gone has answered its clients.
            if let Some(serving) = this.upgrade() {
                serving.claimed(request, said);
            }
        };
        store.claim(claim, Box::new(said))
    }

    fn claimed(&self, request: RequestId, said: Claimed) {
        let mut inside = self.inside();
        inside.engine.claimed(Serving::now(), request, said);
        self.pump_and_wake(inside);
    }
}
