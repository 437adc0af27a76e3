//! Logins that exchanges wait for: the time of a person does not count as the server's.

use super::Engine;
use super::deadlines::Due;
use super::exchanges::{Exchange, LoginWait};
use std::time::Instant;

impl<T> Engine<T> {
    /// An exchange waits for a login, or no longer does. The time of a person or the application does not count as the server's: a
    /// call then has all of its total, and goes on with the time it had. What the login asks servers counts, since who made the call
    /// waits for servers as before. A step of the handshake has all of the total for both: that its answer does not come says
    /// nothing about the MCP server.
    pub fn waits_for_login(&mut self, now: Instant, generation: u64, exchange: u64, wait: LoginWait) {
        if generation != self.generation {
            return;
        }
        let (waits, stops) = (wait != LoginWait::Over, wait == LoginWait::Person);
        match self.exchanges.get(exchange) {
            Some(Exchange::Call(id)) => {
                self.calls.set_logs_in(id, waits);
                self.stop_time(now, id, stops);
            }
            Some(Exchange::Task(id, step)) => {
                self.task_waits_for_login(now, id, step, stops);
            }
            Some(Exchange::Tools(_)) => self.list_waits_for_login(now, stops),
            Some(Exchange::Handshake) => {
                let total = self.settings.timeouts.max_total;
                let Some(until) = self.handshake.wait_for_login(now, exchange, (waits, stops), total) else {
                    return;
                };
                self.deadlines.add(until, Due::Handshake(exchange));
                // A thread that waits for the connection waits for the login.
                for id in self.calls.waiting() {
                    self.stop_time(now, id, stops);
                }
            }
            // What no call, step or list waits for.
            Some(
                Exchange::LateProbe
                | Exchange::Restore
                | Exchange::Listen
                | Exchange::Orphan
                | Exchange::TaskCancel,
            )
            | None => {}
        }
    }

    /// Stops the time of a call, or has it go on.
    pub(super) fn stop_time(&mut self, now: Instant, id: u64, stops: bool) {
        let deadline = self.calls.stop_time(now, id, stops);
        self.guard_call(id, deadline);
    }

    /// The login is over: every call's time goes on.
    pub(super) fn no_login_any_more(&mut self, now: Instant) {
        for (id, deadline) in self.calls.end_logins(now) {
            self.guard_call(id, Some(deadline));
        }
    }
}
