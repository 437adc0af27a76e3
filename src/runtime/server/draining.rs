//! The time before a server closes: load balancers see that it goes, and what is under way is finished.

use super::serving::Serving;
use std::time::{Duration, Instant};

/// Clients that are taken at the last moment: as many as a backlog may hold.
#[cfg(feature = "http")]
const LAST_CLIENTS: usize = 4096;

impl Serving {
    /// First everything is served as before, and health endpoints say 503 (`timeouts.notice_ms`). Then no client connects any
    /// more, connections are told to end, and what is under way has its time (`timeouts.drain_ms`). Closing by another thread
    /// cuts it short.
    pub(super) fn drain(&self) {
        let (notice, drain) = (self.limits.notice, self.limits.drain);
        if notice.is_zero() && drain.is_zero() {
            return;
        }
        {
            let mut inside = self.inside();
            if inside.closed || inside.leaving || !inside.has_served || inside.is_over() {
                return;
            }
            inside.leaving = true;
        }
        #[cfg(feature = "http")]
        if !self.inside().connections.is_empty() {
            self.wait_for(notice, &|| false);
        }
        self.stop_accepting();
        self.wait_for(drain, &|| self.inside().engine.open_counts()[1] == 0);
    }

    /// No client connects from now on. Those that the system has already connected are still served.
    fn stop_accepting(&self) {
        let mut inside = self.inside();
        let listeners = std::mem::take(&mut inside.listeners);
        inside.paused.clear();
        #[cfg(feature = "http")]
        let connections = inside.connections.clone();
        inside.engine.end_listens();
        self.pump(inside);
        for (number, listener) in &listeners {
            self.unwatch_listener(listener);
            #[cfg(feature = "http")]
            if let Some(connections) = connections.get(number) {
                // What comes then finds the listener closed.
                let _last = listener.accept(LAST_CLIENTS, |accepted| {
                    let from = self.holder_of(&accepted.peer);
                    let has_room = !accepted.is_scarce || connections.give_way(&from);
                    has_room && connections.connected(accepted.fd, from)
                });
            }
            #[cfg(not(feature = "http"))]
            let _: &u64 = number;
        }
        drop(listeners);
        #[cfg(feature = "http")]
        for connections in connections.values() {
            connections.drain();
        }
    }

    /// Drives for a time, or until there is nothing to wait for.
    fn wait_for(&self, time: Duration, is_done: &dyn Fn() -> bool) {
        self.wait_until(Instant::now() + time, &|| {
            is_done() || self.role.has_ended() || self.inside().closed
        });
    }

    /// Whether it is about to close, or closed: load balancers must send nothing more.
    #[cfg(feature = "http")]
    pub(super) fn is_leaving(&self) -> bool {
        let inside = self.inside();
        inside.leaving || inside.closed
    }
}
