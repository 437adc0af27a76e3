//! What a task came to, where it is more than one value of the store: it is written as a stream of parts, and then the record, which names the
//! stream. This process alone writes that stream, so that a part that is there was written, whatever was heard of it.

use super::asked::{away, unknown, unreadable};
use super::record::{SHORTEST_PAUSE, StoredTask};
use super::table::TaskEnd;
use crate::engine::server::Server;
use crate::engine::server::effect::Now;
use crate::engine::server::session::context::ErrorResponse;
use crate::engine::server::store::operation::{Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus};
use crate::engine::server::store::waiting::{AskStep, AskedTask, TaskStep, Waiting};
use std::time::Duration;

/// The bytes of a part: sealing adds some.
const PART_BYTES: usize = STORE_VALUE_BYTES - 1024;
/// The parts of one result. In tests fewer, so that one with more is no long text.
const MOST_PARTS: usize = if cfg!(test) { 4 } else { 32 };
/// The largest result.
pub(super) const MOST_RESULT_BYTES: usize = PART_BYTES * MOST_PARTS;
/// Large results that are read at one time.
const MOST_READING: usize = 8;

/// How far the parts of a result are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenParts {
    stream: Box<str>,
    count: u64,
    written: u64,
}

impl WrittenParts {
    /// The stream and the number of its parts, once all are there.
    pub fn whole(&self) -> Option<(Box<str>, u64)> {
        (self.written == self.count).then(|| (self.stream.clone(), self.count))
    }
}

impl<H: Clone> Server<H> {
    /// Writes the next part of what a task came to. `false` where it is too large for that, too, or is an error.
    pub(super) fn write_parts(&mut self, now: Now, key: &str) -> bool {
        let process: Box<str> = self.store.process().into();
        let Some(own) = self.shared_tasks.own_mut(key) else { return false };
        let Some(TaskEnd::Result(text)) = self.tasks.get(own.id.as_str()).and_then(|task| task.end.as_ref())
        else {
            return false;
        };
        if text.len() > MOST_RESULT_BYTES {
            return false;
        }
        let number = own.number;
        let parts = own.parts.get_or_insert_with(|| WrittenParts {
            stream: format!("{}/{process}/{number}", key.replacen("task/", "result/", 1)).into(),
            count: text.len().div_ceil(PART_BYTES) as u64,
            written: 0,
        });
        let at = usize::try_from(parts.written).unwrap_or(usize::MAX).saturating_mul(PART_BYTES);
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let entry = rest.get(..PART_BYTES).unwrap_or(rest).to_vec();
        let (stream, place) = (parts.stream.clone(), parts.written + 1);
        let most = u32::try_from(parts.count).unwrap_or(u32::MAX);
        own.is_busy = true;
        let left = own.until.saturating_sub(self.store.unix_ms(now)).max(1);
        let append = Operation::Append { stream, entry, place, most, life: Duration::from_millis(left) };
        self.ask_store(now, append, Waiting::Task(TaskStep::Part { key: key.into() }));
        true
    }

    /// A part is written, or is not.
    pub(super) fn part_told(&mut self, now: Now, key: &str, outcome: &StoreOutcome) {
        let Some(own) = self.shared_tasks.own_mut(key) else { return };
        own.is_busy = false;
        let Some(parts) = &mut own.parts else { return };
        match outcome.status {
            StoreStatus::Done => {}
            StoreStatus::Conflict if outcome.version == parts.written + 1 => {}
            // Of what was acknowledged some is lost.
            StoreStatus::Conflict | StoreStatus::Empty => {
                own.parts = None;
                return self.write_later(now, key);
            }
            _ => return self.write_later(now, key),
        }
        own.pause = SHORTEST_PAUSE;
        parts.written += 1;
        if parts.whole().is_none() {
            self.write_parts(now, key);
            return;
        }
        self.write_task(now, key);
    }

    /// Reads what a task came to, of which `bytes` are there, up to the part `after`.
    pub(super) fn read_parts(
        &mut self,
        now: Now,
        asked: AskedTask,
        (stored, version): (Box<StoredTask>, u64),
        bytes: Vec<u8>,
        after: u64,
    ) {
        let Some((stream, count)) = stored.parts.clone() else {
            return self.found(now, asked, stored, version);
        };
        if self.shared_tasks.reading >= MOST_READING {
            let refusal = ErrorResponse::busy("store", "large results of other tasks are being read");
            return self.asked(now, asked, Err(refusal));
        }
        self.shared_tasks.reading += 1;
        let most = u32::try_from(count.saturating_sub(after)).unwrap_or(u32::MAX);
        let read = Operation::Read { stream, after, most, bytes: STORE_VALUE_BYTES };
        let step = AskStep::Parts(stored, version, bytes, after);
        self.ask_store(now, read, Waiting::Task(TaskStep::Asked(Box::new(asked), step)));
    }

    /// Some parts were read, or were not.
    pub(super) fn parts_told(
        &mut self,
        now: Now,
        asked: AskedTask,
        (mut stored, version): (Box<StoredTask>, u64),
        (mut bytes, mut place): (Vec<u8>, u64),
        outcome: &StoreOutcome,
    ) {
        match outcome.status {
            StoreStatus::Done => {}
            // They go with the record.
            StoreStatus::Empty => return self.asked(now, asked, Err(unknown())),
            _ => return self.asked(now, asked, Err(away())),
        }
        let count = stored.parts.as_ref().map_or(0, |(_, count)| *count);
        let before = place;
        for (at, part) in &outcome.entries {
            if *at != place + 1 || bytes.len() + part.len() > MOST_RESULT_BYTES {
                return self.asked(now, asked, Err(unreadable()));
            }
            bytes.extend_from_slice(part);
            place = *at;
        }
        if place < count && place > before {
            return self.read_parts(now, asked, (stored, version), bytes, place);
        }
        let text = String::from_utf8(bytes).ok().filter(|_| place == count);
        let Some(text) = text else { return self.asked(now, asked, Err(unreadable())) };
        stored.task.end = Some(TaskEnd::Result(text.into()));
        self.found(now, asked, stored, version);
    }
}
