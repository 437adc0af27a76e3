//! The handlers of the simulated server: they ask, report, log, answer well and badly, and too late.

use super::simulator::World;
use crate::engine::server::{Asked, Outcome, Severity};

/// Parameters that every question may have.
const QUESTION: &str =
    r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;

impl World {
    /// A handler does something.
    pub(super) fn handler(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let index = self.random.next(self.running.len());
        let request = self.running[index];
        match self.random.next(6) {
            0 => {
                let key = *self.random.of(&["k", "l"]);
                let method = *self.random.of(&["elicitation/create", "roots/list", "sampling/createMessage"]);
                if self.server.ask(request, key, method, QUESTION) == Asked::Pending {
                    if self.random.next(2) == 0 {
                        self.server.set_state(request, "1");
                    }
                    self.running.swap_remove(index);
                    self.server.returned(self.now, request);
                }
            }
            1 => {
                let value = f64::from(u8::try_from(self.random.next(100)).unwrap_or(0));
                self.server.progress(self.now, request, value, None, Some("m"));
            }
            2 => drop(self.server.log(self.now, request, Severity::Error, None, "1")),
            step => {
                self.running.swap_remove(index);
                let outcome = match step {
                    3 => Outcome::Result(r#"{"content":[],"contents":[{"uri":"x:","text":""}]}"#),
                    4 => Outcome::Error { code: 1, message: "no", data: None },
                    _ => Outcome::Result("not JSON"),
                };
                self.server.respond(self.now, request, outcome);
            }
        }
        // An answer of a request that is over does no harm.
        if self.random.next(4) == 0
            && let Some(over) = self.withdrawn.last()
        {
            self.server.respond(self.now, *over, Outcome::NotFound);
        }
    }
}
