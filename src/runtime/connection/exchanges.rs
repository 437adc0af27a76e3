//! The connection as the link of HTTP sees it.

use super::Connection;
use crate::engine::{Error, Failure};
use crate::runtime::http::HttpOwner;
use std::time::Instant;

impl HttpOwner for Connection {
    fn exchange_failed(&self, generation: u64, exchange: u64, failure: Failure) {
        let mut core = self.core();
        core.engine.exchange_failed(Instant::now(), generation, exchange, failure);
        self.run_effects(core, None);
    }

    #[cfg(feature = "auth")]
    fn waits_for_login(&self, generation: u64, exchange: u64, wait: crate::engine::LoginWait) {
        let mut core = self.core();
        core.engine.waits_for_login(Instant::now(), generation, exchange, wait);
        self.run_effects(core, None);
    }

    fn session_ended(&self, generation: u64, exchange: Option<u64>, error: Error, forget: &mut dyn FnMut()) {
        let mut core = self.core();
        if core.engine.session_ended(Instant::now(), generation, exchange, error) {
            forget();
        }
        self.run_effects(core, None);
    }

    fn listening(&self, generation: u64) {
        let mut core = self.core();
        core.engine.incoming_is_open(Instant::now(), generation);
        self.run_effects(core, None);
    }
}
