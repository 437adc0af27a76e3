//! The store of a server, which is honest until the input says otherwise: what another process, or one who can write to it, may have left.

use crate::{Input, text};
use mcp::engine::server::{Expected, Operation, StoreOutcome, StoreStatus};
use std::collections::BTreeMap;

const STATUSES: [StoreStatus; 7] = [
    StoreStatus::Done,
    StoreStatus::Empty,
    StoreStatus::Conflict,
    StoreStatus::Unavailable,
    StoreStatus::PerhapsDone,
    StoreStatus::TooLarge,
    StoreStatus::Refused,
];

/// Numbers that a record may have in the place of a time, a count or a version.
const NUMBERS: [&str; 6] = ["0", "1", "-1", "18446744073709551615", "1e300", "null"];

/// Values with their versions, and streams. Nothing ends by time: what is over stays, as in a store whose clock was set back.
#[derive(Default)]
pub struct Store {
    values: BTreeMap<Box<str>, (Vec<u8>, u64)>,
    streams: BTreeMap<Box<str>, Vec<Vec<u8>>>,
    next: u64,
}

impl Store {
    /// A key that is there.
    pub fn key(&self, input: &mut Input<'_>) -> Option<String> {
        let at = input.below(256) % self.values.len().max(1);
        self.values.keys().nth(at).map(|key| key.to_string())
    }

    /// Writes over a value or an entry, as no process does.
    pub fn write(&mut self, input: &mut Input<'_>) {
        self.next += 1;
        let (at, next) = (input.below(256), self.next);
        let (values, streams) = (self.values.len().max(1), self.streams.len().max(1));
        if input.bool()
            && let Some(stream) = self.streams.values_mut().nth(at % streams)
        {
            stream.iter_mut().for_each(|entry| *entry = forged(entry, input));
        } else if let Some((value, version)) = self.values.values_mut().nth(at % values) {
            (*value, *version) = (forged(value, input), next);
        }
    }

    /// An answer that has nothing to do with what was asked.
    pub fn anything(&self, input: &mut Input<'_>) -> StoreOutcome {
        StoreOutcome {
            status: input.pick(&STATUSES),
            value: input.bool().then(|| input.until(0).to_vec()),
            version: input.pick(&[0, 1, u64::MAX]),
            entries: (0..input.below(3)).map(|_| (input.number(), input.until(0).to_vec())).collect(),
            unix_ms: input.pick(&[0, 1, 1_800_000_000_000, u64::MAX]),
        }
    }

    /// What it says to an operation: mostly what is so.
    pub fn outcome(&mut self, operation: Operation, unix: u64, input: &mut Input<'_>) -> StoreOutcome {
        match input.below(16) {
            0 => return StoreOutcome::of(input.pick(&STATUSES)),
            1 => return self.anything(input),
            _ => {}
        }
        let mut said = self.done(operation);
        said.unix_ms = unix * 1000;
        match input.below(16) {
            0 => said.status = input.pick(&STATUSES),
            1 => said.value = said.value.map(|value| forged(&value, input)),
            2 => said.version = input.pick(&[0, said.version.wrapping_add(1), u64::MAX]),
            3 => said.unix_ms = input.pick(&[0, said.unix_ms + 100_000, u64::MAX]),
            4 => said.entries.reverse(),
            5 => said.entries.iter_mut().for_each(|(place, _)| *place = input.number()),
            _ => {}
        }
        said
    }

    fn done(&mut self, operation: Operation) -> StoreOutcome {
        let mut said = StoreOutcome::of(StoreStatus::Done);
        match operation {
            Operation::Get { key } => match self.values.get(&key) {
                Some((value, version)) => (said.value, said.version) = (Some(value.clone()), *version),
                None => said.status = StoreStatus::Empty,
            },
            Operation::Put { key, value, expected, life } => {
                assert!(key.len() <= 200 && key.is_ascii() && !life.is_zero(), "{key}: {life:?}");
                let there = self.values.get(&key);
                let fits = match expected {
                    Expected::Any => true,
                    Expected::Absent => there.is_none(),
                    Expected::Version(version) => there.is_some_and(|(_, is)| *is == version),
                };
                if !fits {
                    let (value, version) = there.cloned().unzip();
                    said.status = StoreStatus::Conflict;
                    (said.value, said.version) = (value, version.unwrap_or_default());
                    return said;
                }
                self.next += 1;
                said.version = self.next;
                match value {
                    Some(value) => drop(self.values.insert(key, (value, self.next))),
                    None => drop(self.values.remove(&key)),
                }
            }
            Operation::Append { stream, entry, place, most, .. } => {
                let all = self.streams.entry(stream).or_default();
                if place != 0 && place != all.len() as u64 + 1 {
                    (said.status, said.version) = (StoreStatus::Conflict, all.len() as u64);
                    return said;
                }
                assert!(most > 0);
                all.push(entry);
                said.version = all.len() as u64;
            }
            Operation::Read { stream, after, most, .. } => match self.streams.get(&stream) {
                None => said.status = StoreStatus::Empty,
                Some(all) => {
                    let entries = (1..).zip(all.iter().cloned()).filter(|(place, _)| *place > after);
                    said.entries = entries.take(most as usize).collect();
                }
            },
            Operation::Publish { .. } | Operation::Watch { .. } | Operation::Unwatch { .. } => {}
        }
        said
    }
}

/// A value in the place of another one: bytes of the input, or the same with a part, or a number, changed.
fn forged(value: &[u8], input: &mut Input<'_>) -> Vec<u8> {
    let mut bytes = value.to_vec();
    let at = usize::try_from(input.number()).expect("two bytes") % bytes.len().max(1);
    match input.below(4) {
        0 => input.until(0).to_vec(),
        1 => {
            bytes.truncate(at);
            bytes
        }
        2 => {
            let more = input.bytes(4);
            bytes.splice(at..(at + more.len()).min(bytes.len()), more.iter().copied());
            bytes
        }
        _ => {
            let of = text(&bytes).into_owned();
            let Some(begin) =
                of[..].char_indices().filter(|(place, _)| *place >= at).find(|(_, it)| it.is_ascii_digit())
            else {
                return bytes;
            };
            let digits = of[begin.0..].bytes().take_while(u8::is_ascii_digit).count();
            format!("{}{}{}", &of[..begin.0], input.pick(&NUMBERS), &of[begin.0 + digits..]).into_bytes()
        }
    }
}
