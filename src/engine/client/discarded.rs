//! Answers that were thrown away before the engine saw them: what becomes of the exchange that they were for.

use super::counters::Level;
use super::effect::State;
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::protocol::Id;
use crate::protocol::probe::Answer;
use std::time::Instant;

impl<T> Engine<T> {
    /// The system gave no memory for a frame of `bytes` bytes, which was thrown away; `id` is the request that it answers,
    /// where that could be read for certain.
    pub fn unheld(&mut self, now: Instant, generation: u64, id: Option<u64>, bytes: u64) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.log(Level::Error, "memory.refused", || {
            fields([("what", "a frame".into()), ("bytes", bytes.into())])
        });
        self.discarded(now, id, &Error::no_memory(bytes), "larger than the memory that the system gives");
    }

    /// Ends what waited for the answer, which was thrown away for being `what`; a call with `error`.
    pub(super) fn discarded(&mut self, now: Instant, id: Option<u64>, error: &Error, what: &str) {
        let Some(id) = id else { return };
        match self.take_exchange(Id::Number(id)) {
            Some(asked @ (Exchange::Call(id) | Exchange::Task(id, _))) => {
                let Some(call) = self.without_its_task(id, asked) else { return };
                let error = error.of(call.method.as_ref());
                self.complete(now, id, Err(error));
            }
            Some(Exchange::Handshake) => self.handshake_malformed(now, &format!("it is {what}")),
            Some(Exchange::LateProbe) => self.late_probe_answered(now, id, Answer::Closed),
            Some(Exchange::Restore) => self.not_restored(now, &format!("the answer is {what}")),
            Some(Exchange::Tools(call)) => self.tools_failed(now, call, &format!("the list is {what}")),
            Some(Exchange::Listen) => drop(self.stream_ended(now, id, "its end is too large")),
            Some(Exchange::Orphan | Exchange::TaskCancel) => self.task_cancel_answered(id, None),
            None => {}
        }
    }
}

impl Error {
    /// The system gave no memory for a message of at least `bytes` bytes.
    pub fn no_memory(bytes: u64) -> Error {
        let message = format!(
            "the system gave no memory for the answer, of which {bytes} bytes had come; it was thrown away. Free memory, lower \
             limits.frame_bytes, or ask the server for less"
        );
        Error::new(Status::NoMemory, "", message).with("bytes", bytes)
    }
}
