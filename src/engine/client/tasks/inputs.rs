//! What the server of a task wants to know (extension): handed to the application like a request of the server, and its
//! answers brought by `tasks/update`. The server repeats what it asks until it has noticed the answer, so that each input is
//! known by its name for the task's life. The core form asks by requests of its own instead.

use super::super::Engine;
use super::super::Exchange;
use super::super::effect::State;
use super::super::requests::Origin;
use super::Step;
use crate::json::{self, Kind};
use crate::protocol::method;
use std::time::Instant;

/// One thing that the server of a task wants to know.
#[derive(Debug)]
pub(super) struct Input {
    /// As it was written, without quotes.
    name: Box<str>,
    /// The application's key of the request.
    pub(super) key: Option<u64>,
    /// The answer, until the server has it.
    answer: Option<Box<str>>,
    /// The request under way that brings it.
    pub(super) sent: Option<u64>,
}

impl<T> Engine<T> {
    /// Hands on what the server asks for the first time; `told` is the task's text.
    ///
    /// # Errors
    /// What the server may not ask.
    pub(super) fn take_inputs(&mut self, id: u64, told: &str) -> Result<(), String> {
        let asked =
            json::member(told, "inputRequests").filter(|asked| json::kind(asked) == Some(Kind::Object));
        for input in self.read_inputs(asked.unwrap_or("{}"))? {
            let Some(task) = self.tasks.followed.get_mut(&id) else { return Ok(()) };
            if task.inputs.iter().any(|known| known.name == input.name) {
                continue;
            }
            let index = task.inputs.len();
            if index >= self.settings.server_requests {
                return Err("the server asks for more inputs than limits.server_requests allows".to_owned());
            }
            task.inputs.push(Input { name: input.name.clone(), key: None, answer: None, sent: None });
            if &*input.method == method::ROOTS
                && let Some(roots) = self.settings.roots.clone()
            {
                self.task_input_answered(id, index, &roots);
                continue;
            }
            let origin = Origin::TaskInput { call: id, index };
            let key = self.hand_on_request(origin, &input.method, input.params.as_deref());
            if let Some(input) = self.tasks.followed.get_mut(&id).and_then(|task| task.inputs.get_mut(index))
            {
                input.key = Some(key);
            }
        }
        Ok(())
    }

    /// An input has its answer, JSON text of an object.
    pub(in super::super) fn task_input_answered(&mut self, id: u64, index: usize, answer: &str) {
        let input = self.tasks.followed.get_mut(&id).and_then(|task| task.inputs.get_mut(index));
        let Some(input) = input else { return };
        input.answer = Some(answer.into());
        self.send_inputs(id);
    }

    /// Brings the server what it does not have yet.
    pub(super) fn send_inputs(&mut self, id: u64) {
        if self.state != State::Ready {
            return;
        }
        let Some(task) = self.tasks.followed.get(&id) else { return };
        let name = task.name.clone();
        let due: Vec<(usize, String)> = task
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| input.sent.is_none())
            .filter_map(|(index, input)| {
                let answer = input.answer.as_deref()?;
                Some((index, format!(",\"inputResponses\":{{\"{}\":{answer}}}", input.name)))
            })
            .collect();
        for (index, more) in due {
            let sent =
                self.ask_of_task(Exchange::Task(id, Step::Update(index)), method::TASKS_UPDATE, &name, &more);
            if let Some(input) = self.tasks.followed.get_mut(&id).and_then(|task| task.inputs.get_mut(index))
            {
                input.sent = Some(sent);
            }
        }
    }

    /// The server has an input.
    pub(super) fn input_taken(&mut self, id: u64, index: usize) {
        if let Some(input) = self.tasks.followed.get_mut(&id).and_then(|task| task.inputs.get_mut(index)) {
            (input.answer, input.sent) = (None, None);
        }
    }

    /// The application refused an input of a task: its call ends, and the task with it.
    pub(in super::super) fn task_input_refused(&mut self, now: Instant, id: u64, why: &str) {
        self.withdraw_task(id);
        self.input_refused(now, id, why);
    }
}
