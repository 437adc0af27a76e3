//! What the server of a task wants to know (extension): handed to the application like a request of the server, and its
//! answers brought by `tasks/update`. The server repeats what it asks until it has noticed the answer, so that each input is
//! known by its name for the task's life. The core form asks by requests of its own instead.

use super::super::Engine;
use super::super::Exchange;
use super::super::effect::{Asked, State};
use super::super::requests::Origin;
use super::Step;
use super::followed::Wanted;
use crate::protocol::{given, method};
use std::time::Instant;

impl<T> Engine<T> {
    /// Hands on what the server asks for the first time; `told` is the task's text.
    ///
    /// # Errors
    /// What the server may not ask.
    pub(super) fn take_inputs(&mut self, id: u64, told: &str) -> Result<(), String> {
        let asked = given::object(told, "inputRequests");
        let mut fresh = Vec::new();
        for input in self.read_inputs(asked.unwrap_or("{}"))? {
            let index = match self.tasks.wants(id, &input.name, self.settings.server_requests) {
                Wanted::Known => continue,
                Wanted::New(index) => index,
                Wanted::TooMuch => {
                    return Err(
                        "the server asks for more inputs than limits.server_requests allows".to_owned()
                    );
                }
            };
            match self.own_answer(&input).map(str::to_owned) {
                Some(answer) => self.task_input_answered(id, index, &answer),
                None => fresh.push((index, input)),
            }
        }
        let count = fresh.len();
        for (at, (index, input)) in fresh.into_iter().enumerate() {
            let origin = Origin::TaskInput { call: id, index };
            let asked = Asked { name: input.name, has_more: at + 1 < count };
            let key = self.hand_on_request(origin, &input.method, input.params.as_deref(), Some(asked));
            self.tasks.input_handed_on(id, index, key);
        }
        Ok(())
    }

    /// An input has its answer, JSON text of an object.
    pub(in super::super) fn task_input_answered(&mut self, id: u64, index: usize, answer: &str) {
        if self.tasks.answer(id, index, answer) {
            self.send_inputs(id);
        }
    }

    /// Brings the server what it does not have yet.
    pub(super) fn send_inputs(&mut self, id: u64) {
        if self.state != State::Ready {
            return;
        }
        let Some(name) = self.tasks.name(id).map(str::to_owned) else { return };
        let written = |(index, name, answer): (usize, &str, &str)| {
            (index, format!(",\"inputResponses\":{{\"{name}\":{answer}}}"))
        };
        let due: Vec<(usize, String)> = self.tasks.inputs_due(id).map(written).collect();
        for (index, more) in due {
            let step = Step::Update(index);
            let sent = self.ask_of_task(Exchange::Task(id, step), method::TASKS_UPDATE, &name, &more);
            self.tasks.asked(id, step, sent);
        }
    }

    /// The application refused an input of a task: its call ends, and the task with it.
    pub(in super::super) fn task_input_refused(&mut self, now: Instant, id: u64, why: &str) {
        self.withdraw_task(id);
        self.input_refused(now, id, why);
    }
}
