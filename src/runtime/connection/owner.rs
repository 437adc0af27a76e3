//! The connection as its link sees it.

use super::Connection;
use crate::engine::{Error, State};
use crate::runtime::link::owner::{Context, Owner};
use crate::runtime::queue::Resume;
use crate::runtime::waiter::Waiter;
use crate::transport::framing::Piece;
use std::sync::{Arc, Weak};
use std::time::Instant;

impl Owner for Connection {
    fn context(&self) -> &Context {
        &self.context
    }

    fn opened(&self, generation: u64, install: &mut dyn FnMut()) -> bool {
        let mut core = self.core();
        let wanted = core.engine.generation() == generation && core.engine.state() == State::Starting;
        if wanted {
            install();
            core.engine.opened(Instant::now(), generation);
        }
        self.run_effects(core, None);
        wanted
    }

    fn failed_to_start(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.failed_to_start(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    fn lost(&self, generation: u64, error: Error) {
        let mut core = self.core();
        core.engine.lost(Instant::now(), generation, error);
        self.run_effects(core, None);
    }

    fn gone(&self, generation: u64) {
        let mut core = self.core();
        core.transports = core.transports.saturating_sub(1);
        core.engine.shut(generation);
        self.run_effects(core, None);
    }

    fn received(
        &self,
        generation: u64,
        exchange: Option<u64>,
        next: &mut dyn FnMut() -> Option<Piece>,
        by: Option<&Arc<Waiter>>,
    ) -> bool {
        let now = Instant::now();
        let mut core = self.core();
        while let Some(piece) = next() {
            match piece {
                Piece::Frame(frame) => {
                    self.context.callbacks.frame(&self.context.name, "frame.received", &frame);
                    core.engine.frame_on(now, generation, exchange, frame);
                }
                Piece::Oversized { id, bytes } => {
                    core.engine.oversized(now, generation, id, bytes, self.context.transport.frame_bytes);
                }
                Piece::Unheld { id, bytes } => core.engine.unheld(now, generation, id, bytes),
                // The link ends on it.
                Piece::Broken(_) => break,
            }
        }
        let goes_on = exchange.is_none_or(|exchange| core.engine.is_under_way(generation, exchange));
        self.run_effects(core, by);
        goes_on
    }

    fn is_held_up(&self) -> bool {
        let this = Weak::clone(&self.myself) as Weak<dyn Resume>;
        self.context.queue.holds_up(&this)
    }
}
