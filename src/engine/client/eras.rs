//! What is known of the server's era before it has said so: from earlier connections, and from other clients of the process.

use super::counters::Level;
use super::effect::{Effect, Shape};
use super::settings::Wire;
use super::status::Error;
use super::{Engine, fields};
use crate::protocol::{Era, Revision};
use std::time::Instant;

impl<T> Engine<T> {
    /// Remembers an era that a server did not state but showed.
    pub(super) fn infer_legacy(&mut self, why: &'static str) {
        self.era = Some(Era::Legacy);
        self.log(Level::Info, "connection.era", || fields([("era", "legacy".into()), ("why", why.into())]));
    }

    /// Another client has found the server to be of the legacy era, with this transport. Says whether that is of use here: the
    /// connection that is being opened then begins with it.
    pub fn assume_legacy(&mut self, shape: Shape) -> bool {
        let allowed = &self.settings.allowed;
        let is_of_use = self.era.is_none()
            && self.shape == Shape::Streamable
            && self.settings.newest(Era::Legacy).is_some()
            && self.settings.newest(Era::Modern).is_some()
            && (shape == Shape::Streamable || allowed.contains(&Revision::V2024_11_05));
        if is_of_use {
            self.infer_legacy("another client of the process found that out");
            self.shape = shape;
            self.assumed = true;
        }
        is_of_use
    }

    /// The handshake is done: what it showed is there for other clients. Not what the application has pinned, for that was not
    /// found out, and not what was known already, for that grows old.
    pub(super) fn era_is_known(&mut self) {
        let was_assumed = std::mem::take(&mut self.assumed);
        let was_open = self.settings.newest(Era::Modern).is_some();
        if self.settings.wire == Wire::Http && was_open && !was_assumed {
            let shape = (self.era == Some(Era::Legacy)).then_some(self.shape);
            self.effects.push_back(Effect::Remember(shape));
        }
    }

    /// What was assumed of the era is doubtful. Says whether anything was.
    pub(super) fn doubt_the_era(&mut self) -> bool {
        let was_assumed = std::mem::take(&mut self.assumed);
        if was_assumed {
            self.effects.push_back(Effect::Remember(None));
        }
        was_assumed
    }

    /// `initialize` led to nothing. If it was sent only because of what was assumed, the server is asked after all.
    pub(super) fn initialize_failed(&mut self, now: Instant, error: Error, permanent: bool) {
        if self.shape == Shape::Streamable && self.doubt_the_era() {
            self.era = None;
            self.log(Level::Info, "connection.era", || {
                fields([("era", "unknown".into()), ("why", error.message.as_str().into())])
            });
            return self.begin_handshake(now);
        }
        self.attempt_failed(now, error, permanent);
    }
}
