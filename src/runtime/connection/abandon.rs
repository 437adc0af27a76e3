//! The library's answer for a request of the server that the application dropped.

use crate::runtime::connection::Connection;
use crate::runtime::message::Abandon;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl Abandon for Connection {
    fn abandon(&self, key: u64) {
        self.requests.fetch_sub(1, Ordering::Relaxed);
        let mut core = self.core();
        core.engine.abandon(Instant::now(), key);
        self.run_effects(core, None);
    }
}
