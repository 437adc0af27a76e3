//! Frames that connections hold back until the next turn of the host's loop, which is told to look.

use super::Queue;
use crate::runtime::host_set::Shown;
use crate::runtime::sync::lock;
use std::sync::Weak;

impl Queue {
    /// A connection holds frames back until the host's loop looks, which it is to do now. Not again before it was told to write.
    pub(crate) fn tell_host_of_held_back(&self, connection: Weak<dyn Shown>) {
        let mut inside = lock(&self.inside);
        let is_told = !inside.held_back.is_empty();
        inside.held_back.push(connection);
        // For a message it is told already, or will be by the thread that is looking.
        if !is_told && inside.lookers == 0 && (inside.is_empty() || inside.is_passed_over) {
            self.wake_state.set();
        }
    }

    /// A look has found nothing, so that a turn of the host's loop is over: has written what connections have held back.
    pub(crate) fn end_turn(&self) {
        if self.host().is_none() {
            return;
        }
        let connections = {
            let mut inside = lock(&self.inside);
            inside.turn += 1;
            let connections = std::mem::take(&mut inside.held_back);
            if !connections.is_empty() {
                self.calm(&inside);
            }
            connections
        };
        for connection in connections.iter().filter_map(Weak::upgrade) {
            connection.write_now();
        }
    }
}
