//! Telling a new connection again what the earlier one was told ([`Restore`](super::restore)), and waiting for the answers over
//! HTTP.

use super::counters::Level;
use super::handshake::Awaits;
use super::settings::Wire;
use super::{Engine, Exchange, fields};
use crate::protocol::{Era, ParamsBuf, write};
use std::time::Instant;

impl<T> Engine<T> {
    /// The handshake is done but for what is said again first: over HTTP a call could overtake it, so that calls wait for the
    /// answers, for a bounded time.
    pub(super) fn restore_first(&mut self, now: Instant) {
        if self.settings.wire == Wire::Http && self.restore() {
            return self.wait_in_handshake(now, Awaits::Restored);
        }
        self.become_ready(now);
    }

    /// An answer to something that was restored is there, or will not come.
    pub(super) fn restored(&mut self, now: Instant) {
        let awaited = self.handshake.step().is_some_and(|step| step.awaits == Awaits::Restored);
        if awaited && !self.exchanges.restore() {
            self.become_ready(now);
        }
    }

    /// Says again what the connection before was told. Says whether there was anything.
    pub(super) fn restore(&mut self) -> bool {
        if self.era() != Some(Era::Legacy) {
            return false;
        }
        let requests = self.restore.requests();
        let any = !requests.is_empty();
        for (method, params) in requests {
            let exchange = self.exchanges.begin(Exchange::Restore);
            let params = ParamsBuf::written(method, params);
            self.send(write::request(exchange, method, Some(params.view()), ""));
        }
        any
    }

    /// A server refused to be told again, or did not hear it.
    pub(super) fn not_restored(&mut self, now: Instant, why: &str) {
        self.restore_failed(why);
        self.restored(now);
    }

    /// Something is not restored.
    pub(super) fn restore_failed(&mut self, why: &str) {
        self.log(Level::Warn, "connection.restore_failed", || fields([("error", why.into())]));
    }
}
