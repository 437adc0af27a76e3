//! Frames that break the rules or a bound: each ends the call that it certainly answers, and is counted and logged.

use super::counters::Level;
use super::effect::State;
use super::excerpt;
use super::outcomes::Outcome;
use super::status::{Error, Status};
use super::{Engine, fields};
use crate::json::ErrorKind;
use crate::protocol::{Id, Malformed, Violation};
use std::time::Instant;

impl<T> Engine<T> {
    pub(super) fn malformed(&mut self, now: Instant, frame: &[u8], malformed: Malformed) {
        let Malformed { violation, ids } = malformed;
        let too_deep =
            matches!(&violation, Violation::InvalidJson(error) if matches!(error.kind, ErrorKind::Depth(_)));
        if violation.is_noise() && ids.is_empty() {
            // A banner, a log line: what has no place on this stream but does no harm.
            self.counters.garbage_frames += 1;
            let line = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
            let level = self.stray_output.note(line.clone());
            self.log(level, "protocol.garbage", || {
                fields([("what", violation.to_string().into()), ("line", line.as_str().into())])
            });
            return;
        }
        let what = violation.to_string();
        self.violation(&what, frame);
        let (status, means) = match too_deep {
            true => (Status::TooLarge, "cannot be taken (limits.json_depth)"),
            false => (Status::Protocol, "breaks the protocol"),
        };
        for id in ids {
            let error = Error::new(status, "", format!("the server's answer {means}: {what}"))
                .with("frame", excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)])));
            self.answered(now, &Id::Number(id), Outcome::Unusable { error, why: &what });
        }
    }

    pub(super) fn violation(&mut self, what: &str, frame: &[u8]) {
        self.counters.violations += 1;
        let start = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
        self.log(Level::Warn, "protocol.violation", || {
            fields([("what", what.into()), ("frame", start.into())])
        });
    }

    /// A frame larger than the bound is thrown away as it comes, and `bytes` of it are known to be there; `id` is the call it
    /// answers, if that could be read.
    pub fn oversized(&mut self, now: Instant, generation: u64, id: Option<u64>, bytes: u64, bound: usize) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.counters.oversized_frames += 1;
        self.log(Level::Warn, "protocol.violation", || {
            fields([
                ("what", "a frame over limits.frame_bytes".into()),
                ("bytes", bytes.into()),
                ("bound", bound.into()),
            ])
        });
        let error = Error::new(
            Status::TooLarge,
            "",
            format!(
                "the answer has {bytes} bytes or more, and limits.frame_bytes allows {bound}; it is thrown away. Raise the \
                 limit or ask the server for less"
            ),
        )
        .with("bytes", bytes)
        .with("frame_bytes", bound);
        self.discarded(now, id, error, "the answer is larger than limits.frame_bytes");
    }

    /// The system gave no memory for a frame of `bytes` bytes, which was thrown away; `id` is the request that it answers,
    /// where that could be read for certain.
    pub fn unheld(&mut self, now: Instant, generation: u64, id: Option<u64>, bytes: u64) {
        if generation != self.generation || !matches!(self.state, State::Initializing | State::Ready) {
            return;
        }
        self.log(Level::Error, "memory.refused", || {
            fields([("what", "a frame".into()), ("bytes", bytes.into())])
        });
        self.discarded(
            now,
            id,
            Error::no_memory(bytes),
            "the answer is larger than the memory that the system gives",
        );
    }

    /// The answer to this request was thrown away.
    fn discarded(&mut self, now: Instant, id: Option<u64>, error: Error, why: &str) {
        if let Some(id) = id {
            self.answered(now, &Id::Number(id), Outcome::Unusable { error, why });
        }
    }

    /// A message was taken that is not written as it should be.
    pub(super) fn tolerate(&mut self, tolerated: bool, frame: &[u8]) {
        if tolerated {
            self.counters.tolerated += 1;
            let start = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
            // Once a connection it is told louder.
            let first = std::mem::replace(&mut self.tolerated_on, self.generation) != self.generation;
            let level = if first { Level::Info } else { Level::Debug };
            self.log(level, "protocol.tolerated", || fields([("frame", start.into())]));
        }
    }
}

impl Error {
    /// The system gave no memory for a call that was to be sent.
    pub fn no_memory_for_call() -> Error {
        let message =
            "the system gave no memory for the call; it was not sent. Free memory, or send less at one time";
        Error::new(Status::NoMemory, "", message)
    }

    /// The system gave no memory for a message of at least `bytes` bytes.
    pub fn no_memory(bytes: u64) -> Error {
        let message = format!(
            "the system gave no memory for the answer, of which {bytes} bytes had come; it was thrown away. Free memory, lower \
             limits.frame_bytes, or ask the server for less"
        );
        Error::new(Status::NoMemory, "", message).with("bytes", bytes)
    }
}
