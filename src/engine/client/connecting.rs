//! Connecting as a started call: refused at the bound of calls and after close, and ended when it is no longer wanted.

use super::Engine;
use super::effect::{Effect, State};
use super::status::{Error, Status};

impl<T> Engine<T> {
    /// Whether one more may wait for the connection without a thread that does.
    ///
    /// # Errors
    /// `CLOSED`; `BACKPRESSURE` when as many wait as calls may be under way.
    pub fn may_start_connect(&self) -> Result<(), Error> {
        if matches!(self.state, State::Closing | State::Closed) {
            return Err(self.closed_error("connect"));
        }
        let bound = self.settings.in_flight;
        if self.connects.len() >= bound {
            let message = format!(
                "{bound} wait for the connection already; wait for some to end or raise limits.in_flight"
            );
            return Err(Error::new(Status::Backpressure, "connect", message).with("in_flight", bound));
        }
        Ok(())
    }

    /// Ends the wait for the connection of the one that `is_it`. The attempt itself goes on. Says whether it waited.
    pub fn cancel_connect(&mut self, is_it: impl Fn(&T) -> bool, reason: &str) -> bool {
        let Some(ticket) = self.connects.cancel(is_it) else { return false };
        let message = match reason {
            "" => "cancelled by the application".to_owned(),
            reason => format!("cancelled by the application: {reason}"),
        };
        let outcome = Err(Error::new(Status::Cancelled, "connect", message));
        self.effects.push_back(Effect::Connected { ticket, outcome });
        true
    }
}
