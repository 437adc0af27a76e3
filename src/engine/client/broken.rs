//! Frames that break the rules or a bound: each ends the call that it certainly answers, and is counted and logged.

use super::counters::Level;
use super::effect::State;
use super::handshake::excerpt;
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::json::ErrorKind;
use crate::protocol::probe::Answer;
use crate::protocol::{Id, Malformed, Violation};
use std::time::Instant;

impl<T> Engine<T> {
    pub(super) fn malformed(&mut self, now: Instant, frame: &[u8], malformed: Malformed) {
        let Malformed { violation, id } = malformed;
        let too_deep =
            matches!(&violation, Violation::InvalidJson(error) if matches!(error.kind, ErrorKind::Depth(_)));
        if violation.is_noise() && id.is_none() {
            // A banner, a log line: what has no place on this stream but does no harm.
            self.counters.garbage_frames += 1;
            let level = if self.garbage_reported { Level::Debug } else { Level::Warn };
            self.garbage_reported = true;
            let line = excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)]));
            self.log(level, "protocol.garbage", || {
                fields([("what", violation.to_string().into()), ("line", line.as_str().into())])
            });
            self.garbage.get_or_insert(line);
            return;
        }
        let what = violation.to_string();
        self.violation(&what, frame);
        let Some(id) = id else { return };
        match self.take_exchange(Id::Number(id)) {
            Some(asked @ (Exchange::Call(id) | Exchange::Task(id, _))) => {
                let Some(call) = self.without_its_task(id, asked) else { return };
                let (status, why) = match too_deep {
                    true => (Status::TooLarge, "cannot be taken (limits.json_depth)"),
                    false => (Status::Protocol, "breaks the protocol"),
                };
                let message = format!("the server's answer {why}: {what}");
                let error = Error::new(status, call.method.as_ref(), message)
                    .with("frame", excerpt(&String::from_utf8_lossy(&frame[..frame.len().min(1024)])));
                self.complete(now, id, Err(error));
            }
            Some(Exchange::Handshake) => self.handshake_malformed(now, &what),
            Some(Exchange::LateProbe) => self.late_probe_answered(now, id, Answer::Closed),
            Some(Exchange::Restore) => self.not_restored(now, &what),
            Some(Exchange::Tools(call)) => self.tools_failed(now, call, &what),
            Some(Exchange::Listen) => drop(self.stream_ended(now, id, &what)),
            Some(Exchange::Orphan | Exchange::TaskCancel) => self.task_cancel_answered(id, None),
            None => {}
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
        self.discarded(now, id, &error, "larger than limits.frame_bytes");
    }
}
