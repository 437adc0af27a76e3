//! The handlers of the simulated server: they ask, report, log, answer well and badly, and too late.

use super::simulator::World;
use crate::engine::server::{Asked, Outcome, RequestId, Responded, Severity};

/// Parameters that every question may have.
const QUESTION: &str =
    r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}"#;

impl World {
    /// The check of some arguments ends: the handler runs, or the client is told what is wrong.
    pub(super) fn verdict(&mut self) {
        let index = self.random.next(self.checking.len());
        let (request, check, params) = self.checking.swap_remove(index);
        if self.server.arguments_checked(self.now, request, check.run(&params)) {
            self.running.push(request);
        }
    }

    /// A request is withdrawn. The application knows it if its arguments were checked and the queue had room for it.
    pub(super) fn is_withdrawn(&mut self, request: RequestId, is_known: bool) {
        assert!(self.withdrawn.insert(request), "withdrawn twice");
        let is_checked = !self.checking.iter().any(|(checking, ..)| *checking == request);
        assert_eq!(is_known, is_checked && !self.waiting_for_room.remove(&request));
        self.running.retain(|running| *running != request);
    }

    fn answer(&mut self, request: RequestId, outcome: Outcome<'_>) {
        let responded = self.server.respond(self.now, request, outcome);
        if let (Responded::Check(check), Outcome::Result(result)) = (responded, outcome) {
            let verdict = check.run(result);
            let _responded = self.server.respond_checked(self.now, request, result, verdict);
        }
    }

    /// A handler does something.
    pub(super) fn handler(&mut self) {
        if !self.checking.is_empty() && self.random.next(2) == 0 {
            return self.verdict();
        }
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
                    3 => Outcome::Result(
                        r#"{"content":[],"structuredContent":{},"contents":[{"uri":"x:","text":""}]}"#,
                    ),
                    4 => Outcome::Error { code: 1, message: "no", data: None },
                    _ => Outcome::Result("not JSON"),
                };
                self.answer(request, outcome);
            }
        }
        // An answer of a request that is over does no harm.
        if self.random.next(4) == 0
            && let Some(over) = self.withdrawn.last()
        {
            let late = self.server.respond(self.now, *over, Outcome::NotFound);
            assert_eq!(late, Responded::Late);
        }
    }
}
