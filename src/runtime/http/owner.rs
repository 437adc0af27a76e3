//! What the link of HTTP tells the connection beside what every transport does.

use crate::engine::{Error, Failure};
use crate::runtime::link::owner::Owner;

/// The connection as the link of HTTP sees it.
pub(crate) trait HttpOwner: Owner {
    /// No answer will come to an exchange.
    fn exchange_failed(&self, generation: u64, exchange: u64, failure: Failure);

    /// An exchange waits for a login, or no longer does.
    #[cfg(feature = "auth")]
    fn waits_for_login(&self, generation: u64, exchange: u64, wait: crate::engine::LoginWait);

    /// The server knows the session no more. `forget` is called if it counts as ended, before anything else is done.
    fn session_ended(&self, generation: u64, exchange: Option<u64>, error: Error, forget: &mut dyn FnMut());

    /// The stream of the server's own messages is open, or there is none.
    fn listening(&self, generation: u64);
}
