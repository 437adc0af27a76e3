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

use crate::engine::server::{Claim, Claimed};

/// What is to be told, once.
pub(crate) type Said = Box<dyn FnOnce(Claimed) + Send>;

/// A store. Its functions never wait.
pub(crate) trait SharedStore: Send + Sync + std::fmt::Debug {
    /// Notes a use. What is known at once is given back, and then `said` is dropped; else `said` is called once, within the time of the
    /// store, and never inside this function: its caller has the lock of the server.
    fn claim(&self, claim: Claim, said: Said) -> Option<Claimed>;
}
