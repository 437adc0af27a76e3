//! Tasks of processes that are gone, also where no client asks for them. [`ProcessList`], the part, is in this file.
//!
//! Each process stands in a stream of the store, and in a stream of its own are the tasks that it works on. With each renewal of its lease a
//! process looks whether the next one in the order of names is there. It looks after the tasks of one that is gone, and then at the one
//! after that: each process is looked at by one other, however many there are.

use super::shared::MOST_LOOKS;
use crate::engine::server::Server;
use crate::engine::server::effect::Now;
use crate::engine::server::store::operation::{Operation, StoreOutcome, StoreStatus, process_key};
use crate::engine::server::store::waiting::{AskedTask, SweepStep, TaskWish, Waiting};
use crate::sorted::SortedSet;
use std::collections::VecDeque;
use std::ops::Bound;
use std::time::Duration;

/// The stream of the processes, and how many stand in it.
const PROCESSES: &str = "processes";
const MOST_PROCESSES: usize = 1024;
/// How long it stays after the last one came.
const LIST_LIFE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Entries that are read at one time, and their bytes.
const PAGE: usize = 256;
const PAGE_BYTES: usize = 768 * 1024;
/// Tasks in one entry.
const NOTED_TOGETHER: usize = 8192;
/// Entries, beside two for each open task, after which a process writes its stream again.
const MOST_NOTES: usize = 64;

/// The stream of the tasks that a process works on.
fn tasks_of(process: &str) -> Box<str> {
    format!("runs/{process}").into()
}

/// What this process knows of the others, and what they may know of its tasks.
#[derive(Debug, Default)]
pub struct ProcessList {
    /// Its place in the stream of processes.
    place: Option<u64>,
    is_joining: bool,
    /// The place up to which that stream was read.
    read: u64,
    /// Others whose tasks were not looked after yet.
    others: SortedSet<Box<str>>,
    is_looking: bool,
    gone: Option<Gone>,
    /// All of its tasks are in its stream, which has so many entries.
    is_noted: bool,
    notes: usize,
}

/// A process that is gone, or this one, and what was done for its tasks.
#[derive(Debug)]
struct Gone {
    process: Box<str>,
    /// The place up to which its stream was read.
    after: u64,
    left: VecDeque<Box<str>>,
    looked_at: usize,
    /// Nothing of it is left.
    is_whole: bool,
}

impl ProcessList {
    /// Whether a process is the one whose tasks are being looked after.
    pub fn looks_after(&self, process: &str) -> bool {
        self.gone.as_ref().is_some_and(|gone| *gone.process == *process)
    }

    /// What other processes know of this one may be lost, or they count it as gone.
    pub fn forget(&mut self, is_other_store: bool) {
        (self.place, self.is_noted) = (None, false);
        if is_other_store {
            self.read = 0;
        }
    }
}

impl<H: Clone> Server<H> {
    /// The lease was renewed: others are looked at.
    pub(in crate::engine::server) fn look_after_others(&mut self, now: Now) {
        if !self.registry.runs_tasks() {
            return;
        }
        if !self.processes.is_noted && self.shared_tasks.has_own() {
            self.note_all_tasks(now);
        }
        if self.processes.place.is_none() && !self.processes.is_joining {
            self.processes.is_joining = true;
            let join = Operation::Append {
                stream: PROCESSES.into(),
                entry: self.store.process().as_bytes().to_vec(),
                place: 0,
                most: u32::try_from(MOST_PROCESSES).unwrap_or(u32::MAX),
                life: LIST_LIFE.max(self.settings.timeouts.task_ttl),
            };
            self.ask_store(now, join, Waiting::Sweep(SweepStep::Join));
        }
        if self.processes.is_looking {
            return;
        }
        self.processes.is_looking = true;
        let abandoned = self.shared_tasks.take_abandoned();
        if abandoned.is_empty() {
            return self.read_processes(now);
        }
        self.look_after(now, self.store.process().into(), abandoned);
    }

    /// Another process ends: what it gave up is not left until the next look.
    pub(in crate::engine::server) fn process_ends(&mut self, now: Now, process: &str) {
        if self.registry.runs_tasks() && self.store.is_ready() && !self.processes.is_looking {
            self.processes.is_looking = true;
            self.look_after(now, process.into(), VecDeque::new());
        }
    }

    /// A task of this process is to be found by others.
    pub(super) fn note_task(&mut self, now: Now, key: &str) {
        let list = &mut self.processes;
        if !list.is_noted || list.notes > MOST_NOTES + 2 * self.shared_tasks.own_count() {
            return self.note_all_tasks(now);
        }
        list.notes += 1;
        let most = list.notes;
        self.append_tasks(now, key.as_bytes().to_vec(), most);
    }

    /// What was there before goes: most of it is over.
    fn note_all_tasks(&mut self, now: Now) {
        let keys = self.shared_tasks.noted_keys();
        let entries: Vec<Vec<u8>> =
            keys.chunks(NOTED_TOGETHER).map(|keys| keys.join("\n").into_bytes()).collect();
        (self.processes.is_noted, self.processes.notes) = (true, entries.len());
        let most = entries.len();
        for entry in entries {
            self.append_tasks(now, entry, most);
        }
    }

    fn append_tasks(&mut self, now: Now, entry: Vec<u8>, most: usize) {
        let stream = tasks_of(self.store.process());
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let life = self.settings.timeouts.task_ttl + self.lease();
        let append = Operation::Append { stream, entry, place: 0, most, life };
        self.ask_store(now, append, Waiting::Sweep(SweepStep::Note));
    }

    fn read_processes(&mut self, now: Now) {
        let after = self.processes.read;
        let most = u32::try_from(PAGE).unwrap_or(u32::MAX);
        let read = Operation::Read { stream: PROCESSES.into(), after, most, bytes: PAGE_BYTES };
        self.ask_store(now, read, Waiting::Sweep(SweepStep::Others));
    }

    /// What the store says.
    pub(in crate::engine::server) fn sweep_told(
        &mut self,
        now: Now,
        step: SweepStep,
        outcome: &StoreOutcome,
    ) {
        let is_done = outcome.status == StoreStatus::Done;
        match step {
            SweepStep::Join => {
                self.processes.is_joining = false;
                self.processes.place = is_done.then_some(outcome.version);
            }
            SweepStep::Note => self.processes.is_noted &= is_done,
            SweepStep::Over => {}
            SweepStep::Others if is_done || outcome.status == StoreStatus::Empty => {
                self.others_told(now, outcome);
            }
            SweepStep::Alive(process) if self.is_gone(now, &process, outcome) => {
                self.look_after(now, process, VecDeque::new());
            }
            SweepStep::Tasks if is_done || outcome.status == StoreStatus::Empty => {
                self.tasks_of_gone_told(now, outcome);
            }
            SweepStep::Tasks => {
                self.processes.gone = None;
                self.processes.is_looking = false;
            }
            SweepStep::Others | SweepStep::Alive(_) => self.processes.is_looking = false,
        }
    }

    fn others_told(&mut self, now: Now, outcome: &StoreOutcome) {
        let list = &mut self.processes;
        for (place, name) in &outcome.entries {
            list.read = list.read.max(*place);
            let name = String::from_utf8_lossy(name);
            if *name != *self.store.process() && list.others.len() < MOST_PROCESSES {
                list.others.insert(name.into_owned().into());
            }
        }
        // An old entry goes when there are many newer ones.
        let half = MOST_PROCESSES as u64 / 2;
        list.place = list.place.filter(|place| list.read.saturating_sub(*place) < half);
        // A store may give fewer than there are: that nothing follows it says with none.
        if outcome.entries.is_empty() { self.look_at_other(now) } else { self.read_processes(now) }
    }

    /// Looks whether the next process is there.
    fn look_at_other(&mut self, now: Now) {
        let own: Box<str> = self.store.process().into();
        let others = &self.processes.others;
        let next = others.range((Bound::Excluded(own), Bound::Unbounded)).next().or_else(|| others.first());
        let Some(next) = next.cloned() else {
            self.processes.is_looking = false;
            return;
        };
        let get = Operation::Get { key: process_key(&next).into() };
        self.ask_store(now, get, Waiting::Sweep(SweepStep::Alive(next)));
    }

    fn look_after(&mut self, now: Now, process: Box<str>, left: VecDeque<Box<str>>) {
        self.processes.gone = Some(Gone { process, after: 0, left, looked_at: 0, is_whole: true });
        self.look_after_gone(now);
    }

    /// Looks at tasks of the process that is gone, some at one time.
    fn look_after_gone(&mut self, now: Now) {
        while let Some(gone) = &mut self.processes.gone {
            if gone.looked_at >= MOST_LOOKS {
                return;
            }
            let Some(key) = gone.left.pop_front() else { break };
            gone.looked_at += 1;
            let asked = AskedTask::unasked(TaskWish::Sweep, "".into(), key);
            self.read_task(now, asked);
        }
        let Some(gone) = &self.processes.gone else { return };
        if gone.looked_at == 0 && *gone.process == *self.store.process() {
            self.processes.gone = None;
            self.read_processes(now);
        } else if gone.looked_at == 0 {
            let (stream, after) = (tasks_of(&gone.process), gone.after);
            let most = u32::try_from(PAGE).unwrap_or(u32::MAX);
            let read = Operation::Read { stream, after, most, bytes: PAGE_BYTES };
            self.ask_store(now, read, Waiting::Sweep(SweepStep::Tasks));
        }
    }

    fn tasks_of_gone_told(&mut self, now: Now, outcome: &StoreOutcome) {
        let Some(gone) = &mut self.processes.gone else { return };
        for (place, keys) in &outcome.entries {
            gone.after = *place;
            gone.left.extend(String::from_utf8_lossy(keys).lines().map(Box::from));
        }
        if !outcome.entries.is_empty() {
            return self.look_after_gone(now);
        }
        let Some(Gone { process, after, is_whole, .. }) = self.processes.gone.take() else { return };
        if !is_whole {
            // Next time.
            self.processes.is_looking = false;
            return;
        }
        self.processes.others.remove(&process);
        if after > 0 {
            // Nothing is left for others to do, unless it goes on after all and has written more.
            let (stream, life) = (tasks_of(&process), self.lease());
            let over = Operation::Append { stream, entry: Vec::new(), place: after + 1, most: 1, life };
            self.ask_store(now, over, Waiting::Sweep(SweepStep::Over));
        }
        self.look_at_other(now);
    }

    /// A task of a process that is gone was looked at.
    pub(super) fn swept(&mut self, now: Now, key: &str, is_done: bool) {
        if !is_done && self.processes.looks_after(self.store.process()) {
            self.shared_tasks.abandon(key);
        }
        if let Some(gone) = &mut self.processes.gone {
            gone.looked_at = gone.looked_at.saturating_sub(1);
            gone.is_whole &= is_done;
        }
        self.look_after_gone(now);
    }
}
