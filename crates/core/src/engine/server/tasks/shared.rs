//! Tasks that the processes of one server share, where they have a store: its record of a task is what clients read, at whichever process
//! they ask. A task of the core form is shared where other processes go on with its session, and is for that session alone; the names of
//! those of one session are in a stream of the store.
//!
//! A task is worked on where it was started, and nowhere else: no round of a handler is begun twice. That process writes how the task is;
//! each write names the version that it replaces, so that of two that end a task one does. Other processes write answers of the client, that
//! the task is cancelled, and, when the process is gone, that it failed: the handler learns of all that by a message, and at the latest when
//! it wants to write. Nothing that a client is told is taken back: it is told after the write is done.
//!
//! A process is gone when its lease has ended and another one, which has renewed its own all the time, looks: for a client that asks or
//! listens, or on its own account (`sweep.rs`). Then the task fails, or begins again in another process if its handler allows that
//! (`restart.rs`).

use super::asked::{away, unknown, unreadable, whole_of};
use super::parts::{MOST_RESULT_BYTES, WrittenParts};
use super::record::{SHORTEST_PAUSE, StoredTask, key_of, tasks_of_session, too_many};
use super::table::{TaskEnd, TaskId};
use super::waiters::ResultWaiter;
use crate::engine::counters::Level;
use crate::engine::server::Server;
use crate::engine::server::effect::{Now, SessionId, Stream, Withdrawn};
use crate::engine::server::requests::params::WireId;
use crate::engine::server::session::context::{ErrorResponse, RequestContext};
use crate::engine::server::store::operation::{
    Expected, Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus, process_key,
};
use crate::engine::server::store::waiting::{AskStep, AskedTask, TaskStep, TaskWish, Waiting};
use crate::protocol::error_code;
use crate::protocol::task::{Form, Status};
use crate::sorted::{SortedMap, SortedSet};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Records that are looked at on one's own account at one time.
pub(super) const MOST_LOOKS: usize = 32;
/// The longest time between two attempts to write, while the store is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The least time between two writes that only say something else of a task.
const BETWEEN_WORDS: Duration = Duration::from_secs(1);
/// Other processes of which it is remembered that they were there.
const MOST_ALIVE: usize = 1024;

/// A task that this process works on.
#[derive(Debug)]
pub(super) struct OwnTask {
    pub(super) id: TaskId,
    /// Core form: the session whose it is, by its name in the store.
    session: Option<Box<str>>,
    /// The version of the record as this process knows it; 0 for none.
    version: u64,
    /// How often it was written.
    pub(super) number: u64,
    /// Until when it is kept, by the clock of the store.
    pub(super) until: u64,
    /// An operation on it is under way: there is one at a time.
    pub(super) is_busy: bool,
    /// What is here is not in the record.
    is_changed: bool,
    /// The record may have been changed by others.
    is_doubtful: bool,
    /// What it came to is kept, and whether that is a failure. It is over when that is written.
    ends: Option<bool>,
    /// Which attempt it is, of how many there may be.
    attempt: u32,
    most_attempts: u32,
    /// What it came to is more than one value of the store.
    pub(super) parts: Option<WrittenParts>,
    /// When the next write is tried.
    due: Option<Instant>,
    pub(super) pause: Duration,
    written: Instant,
}

impl OwnTask {
    fn new(now: Now, id: TaskId, until: u64) -> OwnTask {
        OwnTask {
            id,
            session: None,
            version: 0,
            number: 1,
            until,
            is_busy: false,
            is_changed: false,
            is_doubtful: false,
            ends: None,
            attempt: 1,
            most_attempts: 1,
            parts: None,
            due: None,
            pause: SHORTEST_PAUSE,
            written: now.at,
        }
    }

    /// Whether another process may begin it again.
    fn may_begin_again(&self) -> bool {
        self.ends.is_none() && self.attempt < self.most_attempts
    }

    /// Whether others can know that.
    fn may_be_given_up(&self) -> bool {
        self.version > 0 && self.may_begin_again()
    }
}

/// A task that streams of this process listen to, or for whose end requests wait here.
#[derive(Debug)]
struct WatchedTask {
    id: Box<str>,
    /// The version that they were told of.
    told: u64,
}

/// What this process knows of the tasks in the store.
#[derive(Debug, Default)]
pub struct SharedTasks {
    own: HashMap<Box<str>, OwnTask>,
    due: SortedSet<(Instant, Box<str>)>,
    watched: SortedMap<Box<str>, WatchedTask>,
    /// Records to be looked at, and how many are being looked at.
    looks: VecDeque<Box<str>>,
    pub(super) looking: usize,
    /// When it is time for the next round of looks.
    review: Option<Instant>,
    /// Until when a process was there when it was last seen.
    alive: HashMap<Box<str>, Instant>,
    /// Tasks whose records may say that this process works on them, and on which it does not: it gave them up, or does not know what became of
    /// its write. It looks at them.
    abandoned: SortedSet<Box<str>>,
    /// The end of the lease before which tasks were given up.
    pub(super) given_up_for: Option<Instant>,
    /// How many large results are being read.
    pub(super) reading: usize,
}

impl SharedTasks {
    /// When the next write, or the next round of looks, is due.
    pub fn deadline(&self) -> Option<Instant> {
        let review = self.review.filter(|_| !self.own.is_empty() || !self.watched.is_empty());
        [self.due.first().map(|(at, _)| *at), review].into_iter().flatten().min()
    }

    /// Whether this process works on the task with that key.
    pub(super) fn is_own(&self, key: &str) -> bool {
        self.own.contains_key(key)
    }

    /// Whether it works on any.
    pub(super) fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// How many those are.
    pub(super) fn own_count(&self) -> usize {
        self.own.len()
    }

    /// The keys of those and of those that it gave up.
    pub(super) fn noted_keys(&self) -> Vec<&str> {
        self.own.keys().chain(self.abandoned.iter()).map(AsRef::as_ref).collect()
    }

    /// Which attempt of how many a task is.
    pub(super) fn attempts(&self, id: &TaskId) -> Option<(u32, u32)> {
        if self.own.is_empty() {
            return None;
        }
        self.own.get(&*key_of(id.as_str())).map(|own| (own.attempt, own.most_attempts))
    }

    /// Those that may begin again, with their keys.
    pub(super) fn restartable(&self) -> Vec<(Box<str>, TaskId)> {
        let all = self.own.iter().filter(|(_, own)| own.may_be_given_up());
        all.map(|(key, own)| (key.clone(), own.id.clone())).collect()
    }

    /// A task was given up, or may be.
    pub(super) fn abandon(&mut self, key: &str) {
        self.abandoned.insert(key.into());
    }

    /// The tasks that were given up, which are looked at now.
    pub(super) fn take_abandoned(&mut self) -> VecDeque<Box<str>> {
        let mut keys = VecDeque::new();
        while let Some(key) = self.abandoned.pop_first() {
            keys.push_back(key);
        }
        keys
    }

    /// Whether a process was there a short time ago.
    pub(super) fn is_alive(&self, process: &str, now: Now) -> bool {
        self.alive.get(process).is_some_and(|until| *until > now.at)
    }

    /// A process is there, and is not looked for until then.
    pub(super) fn found_alive(&mut self, process: &str, until: Instant) {
        if self.alive.len() >= MOST_ALIVE {
            self.alive.clear();
        }
        self.alive.insert(process.into(), until);
    }

    /// A task that this process works on.
    pub(super) fn own_mut(&mut self, key: &str) -> Option<&mut OwnTask> {
        self.own.get_mut(key)
    }

    fn set_due(&mut self, key: &str, due: Option<Instant>) {
        let Some(own) = self.own.get_mut(key) else { return };
        if let Some(before) = std::mem::replace(&mut own.due, due) {
            self.due.remove(&(before, key.into()));
        }
        self.due.extend(due.map(|due| (due, key.into())));
    }

    fn remove(&mut self, key: &str) -> Option<OwnTask> {
        self.set_due(key, None);
        self.own.remove(key)
    }
}

impl<H: Clone> Server<H> {
    /// How many tasks of the store streams of this process listen to.
    #[cfg(test)]
    pub fn watched_tasks(&self) -> usize {
        self.shared_tasks.watched.len()
    }

    /// Whether a task of this form and session is in the store.
    pub(super) fn is_shared(&self, form: Form, session: SessionId) -> bool {
        self.uses_store() && (form == Form::Extension || self.sessions.store_name(session).is_some())
    }

    /// Whether a task can be started: other processes count this one as there.
    pub(super) fn may_share_task(&self, now: Now) -> Result<(), ErrorResponse> {
        if self.store.is_held(now) { Ok(()) } else { Err(away()) }
    }

    /// A task was made here: its client gets the answer when the record is there.
    pub(super) fn share_task(
        &mut self,
        now: Now,
        id: &TaskId,
        waiter: (Stream, u64, WireId),
        answer: (RequestContext, String),
        most_attempts: u32,
    ) {
        let key: Box<str> = key_of(id.as_str()).into();
        let ttl = self.tasks.get(id.as_str()).map_or(Duration::ZERO, |task| task.ttl);
        let until =
            self.store.unix_ms(now).saturating_add(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
        let wait = TaskId::of_store(self.store.number());
        let (stream, space, wire) = waiter;
        let holder = self.sessions.holder_number(stream.session);
        self.waiters.add(&wait, ResultWaiter { stream, space, id: wire, holder });
        let form = self.tasks.get(id.as_str()).map(|task| task.form);
        let session = self.sessions.store_name(stream.session).filter(|_| form == Some(Form::Core));
        let session: Option<Box<str>> = session.map(Into::into);
        // What it asks goes to its session, which no other process may have.
        let most_attempts = if session.is_some() { 1 } else { most_attempts };
        let own = OwnTask {
            session: session.clone(),
            is_busy: true,
            most_attempts,
            ..OwnTask::new(now, id.clone(), until)
        };
        self.shared_tasks.own.insert(key.clone(), own);
        self.shared_tasks.review.get_or_insert(now.at + self.lease());
        // Before the record: what is in the store is found.
        self.note_task(now, &key);
        let answer = Box::new(answer);
        let Some(name) = session else {
            return self.put_start(now, TaskStep::Start { key, wait, answer });
        };
        let append = Operation::Append {
            stream: tasks_of_session(&name).into(),
            entry: id.as_str().into(),
            place: 0,
            most: u32::try_from(self.settings.limits.tasks_per_session).unwrap_or(u32::MAX).max(1),
            life: self.settings.timeouts.task_ttl.max(Duration::from_secs(1)),
        };
        self.ask_store(now, append, Waiting::Task(TaskStep::Enter { key, wait, answer }));
    }

    /// Writes the first record of a task, for the step that takes what the store says to that.
    fn put_start(&mut self, now: Now, step: TaskStep) {
        let put = match &step {
            TaskStep::Start { key, .. } => {
                self.stored_of(key).map(|stored| self.put_task(now, key, &stored, Expected::Absent))
            }
            _ => None,
        };
        match put {
            Some(put) => self.ask_store(now, put, Waiting::Task(step)),
            None => self.task_told(now, step, &StoreOutcome::of(StoreStatus::Unavailable)),
        }
    }

    /// Whether this process works on a task that is in the store.
    pub(super) fn is_own(&self, id: &TaskId) -> bool {
        self.uses_store() && self.shared_tasks.own.contains_key(&*key_of(id.as_str()))
    }

    /// How a task is has changed here. Whether that is written first.
    pub(super) fn task_to_write(&mut self, now: Now, id: &TaskId, is_urgent: bool) -> bool {
        if !self.uses_store() {
            return false;
        }
        let key = key_of(id.as_str());
        let Some(own) = self.shared_tasks.own.get_mut(&*key) else { return false };
        own.is_changed = true;
        let due = own.written + BETWEEN_WORDS;
        if !is_urgent && own.due.is_none() && due > now.at {
            self.shared_tasks.set_due(&key, Some(due));
        } else if is_urgent && own.pause == SHORTEST_PAUSE {
            self.shared_tasks.set_due(&key, None);
        }
        self.write_task(now, &key);
        true
    }

    /// What a task came to is kept, and it is over when that is written.
    pub(super) fn task_to_end(&mut self, now: Now, id: &TaskId, end: TaskEnd, is_failure: bool) {
        let (kept, evicted) = self.tasks.keep_end(id, end, is_failure);
        self.forget_paces(evicted);
        if let (Some(is_failure), Some(own)) = (kept, self.shared_tasks.own.get_mut(&*key_of(id.as_str()))) {
            own.ends = Some(is_failure);
        }
        self.task_to_write(now, id, true);
    }

    /// A task has expired here. The store forgets it by itself.
    pub(super) fn shared_task_expired(&mut self, id: &TaskId) {
        if self.uses_store() {
            self.shared_tasks.remove(&key_of(id.as_str()));
        }
    }

    /// This process works on a task that another one, or this one, worked on before.
    pub(super) fn own_again(&mut self, now: Now, key: &str, id: &TaskId, stored: &StoredTask, version: u64) {
        let own = OwnTask {
            version,
            attempt: stored.attempt,
            most_attempts: stored.most_attempts,
            ..OwnTask::new(now, id.clone(), stored.until)
        };
        self.shared_tasks.abandoned.remove(key);
        self.shared_tasks.own.insert(key.into(), own);
        self.shared_tasks.review.get_or_insert(now.at + self.lease());
    }

    /// The server closes: others begin its tasks again that may begin again, and a client that asks for one of the others learns at once that
    /// it is lost.
    pub(in crate::engine::server) fn release_tasks(&mut self, now: Now) {
        if !self.uses_store() {
            return;
        }
        let keys: Vec<Box<str>> = self.shared_tasks.own.keys().cloned().collect();
        for key in keys {
            let version = self.shared_tasks.own.get(&key).map_or(0, |own| own.version);
            let Some(mut stored) = self.stored_of(&key) else { continue };
            if stored.call.is_some() {
                stored.release(now);
            } else if !stored.task.is_over() {
                stored.lose(now);
            }
            self.shared_tasks.remove(&key);
            if version > 0 {
                let put = self.put_task(now, &key, &stored, Expected::Version(version));
                self.ask_store(now, put, Waiting::Nothing);
                self.tell_of_task(now, &key);
            }
        }
        if self.store.is_ready() {
            let key = process_key(self.store.process()).into();
            let put =
                Operation::Put { key, value: None, expected: Expected::Any, life: Duration::from_secs(1) };
            self.ask_store(now, put, Waiting::Nothing);
            self.publish_end(now);
        }
        // The lease is not renewed.
        self.store.leave();
    }

    /// A task of this process as its record is to be.
    fn stored_of(&self, key: &str) -> Option<StoredTask> {
        let own = self.shared_tasks.own.get(key)?;
        let mut task = self.tasks.get(own.id.as_str())?.clone();
        match own.ends {
            Some(is_failure) => task.status = if is_failure { Status::Failed } else { Status::Completed },
            None => task.end = None,
        }
        let request_number = task.request;
        let request =
            task.request.and_then(|number| self.requests.get(number)).filter(|_| own.ends.is_none());
        let questions =
            request.map(|request| request.questions.all_open().cloned().collect()).unwrap_or_default();
        let process: Box<str> = self.store.process().into();
        Some(StoredTask {
            session: own.session.clone(),
            task,
            written: (process.clone(), own.number),
            process,
            until: own.until,
            questions,
            answers: SortedMap::new(),
            attempt: own.attempt,
            most_attempts: own.most_attempts,
            call: if own.may_begin_again() { self.stored_call(&own.id, request_number) } else { None },
            parts: own.parts.as_ref().and_then(WrittenParts::whole),
        })
    }

    /// The operation that writes a record.
    pub(super) fn put_task(&self, now: Now, key: &str, stored: &StoredTask, expected: Expected) -> Operation {
        let left = stored.until.saturating_sub(self.store.unix_ms(now)).max(1);
        Operation::Put {
            key: key.into(),
            value: Some(stored.write().into_bytes()),
            expected,
            life: Duration::from_millis(left),
        }
    }

    /// Writes the record of a task that this process works on, if it is to be written and can be. Before that it is looked at, if others
    /// may have changed it.
    pub(super) fn write_task(&mut self, now: Now, key: &str) {
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        if own.is_busy || own.due.is_some_and(|due| due > now.at) {
            return;
        }
        if own.is_doubtful {
            (own.is_doubtful, own.is_busy) = (false, true);
            self.shared_tasks.looking += 1;
            let step = TaskStep::Look { key: key.into() };
            return self.ask_store(now, Operation::Get { key: key.into() }, Waiting::Task(step));
        }
        if !own.is_changed {
            return;
        }
        own.number += 1;
        let expected = if own.version == 0 { Expected::Absent } else { Expected::Version(own.version) };
        let ends = own.ends.is_some();
        let Some(put) = self.stored_of(key).map(|stored| self.put_task(now, key, &stored, expected)) else {
            return;
        };
        if let Some(bytes) = too_many(&put) {
            return match ends && self.write_parts(now, key) {
                true => {}
                false => self.task_too_large(now, key, bytes),
            };
        }
        if let Some(own) = self.shared_tasks.own.get_mut(key) {
            (own.is_busy, own.is_changed, own.written) = (true, false, now.at);
        }
        self.shared_tasks.set_due(key, None);
        self.ask_store(now, put, Waiting::Task(TaskStep::Write { key: key.into(), ends }));
    }

    /// The store did not take it: it is tried again.
    pub(super) fn write_later(&mut self, now: Now, key: &str) {
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        let due = now.at + own.pause;
        own.pause = (own.pause * 2).min(LONGEST_PAUSE);
        self.shared_tasks.set_due(key, Some(due));
    }

    /// What a task came to, or asked, is more than the store takes.
    pub(super) fn task_too_large(&mut self, now: Now, key: &str, bytes: usize) {
        let Some(id) = self.shared_tasks.own.get(key).map(|own| own.id.clone()) else { return };
        let text = format!(
            "the task came to {bytes} bytes, and the store that keeps it takes {MOST_RESULT_BYTES}: let the tool give a link to a resource instead"
        );
        let end = TaskEnd::Error(ErrorResponse::new(error_code::INTERNAL_ERROR, text));
        if let Some(number) = self.tasks.get(id.as_str()).and_then(|task| task.request) {
            self.withdraw(number, Withdrawn::Cancelled);
        }
        self.task_to_end(now, &id, end, true);
    }

    /// Tells other processes that the record of a task has changed.
    pub(super) fn tell_of_task(&mut self, now: Now, key: &str) {
        let publish = Operation::Publish { channel: key.into(), data: key.as_bytes().to_vec() };
        self.ask_store(now, publish, Waiting::Nothing);
    }

    /// Retries what is due, and looks at what others may have changed or left.
    pub(in crate::engine::server) fn tick_shared_tasks(&mut self, now: Now) {
        while let Some((_, key)) = self.shared_tasks.due.first().filter(|(at, _)| *at <= now.at).cloned() {
            self.shared_tasks.set_due(&key, None);
            self.write_task(now, &key);
        }
        if self.shared_tasks.review.is_none_or(|at| at > now.at) {
            return;
        }
        let is_needed = !self.shared_tasks.own.is_empty() || !self.shared_tasks.watched.is_empty();
        self.shared_tasks.review = is_needed.then(|| now.at + self.lease());
        self.shared_tasks.alive.retain(|_, until| *until > now.at);
        let over: Vec<Box<str>> = self
            .shared_tasks
            .watched
            .iter()
            .filter(|(_, watched)| {
                self.listens.of_task(&watched.id).is_empty() && !self.waiters.wait_for(&watched.id)
            })
            .map(|(key, _)| key.clone())
            .collect();
        for channel in over {
            self.shared_tasks.watched.remove(&channel);
            self.ask_store(now, Operation::Unwatch { channel }, Waiting::Nothing);
        }
        // A message that was lost is made up for: of answers, and of the end of a process.
        let waits = |own: &OwnTask| {
            self.tasks.get(own.id.as_str()).is_some_and(|task| task.status == Status::InputRequired)
        };
        let own = self.shared_tasks.own.iter().filter(|(_, own)| waits(own)).map(|(key, _)| key.clone());
        let keys: Vec<Box<str>> = own.chain(self.shared_tasks.watched.keys().cloned()).collect();
        for key in keys {
            self.look_at_task(now, &key);
        }
    }

    /// All tasks of this process may have been changed by others.
    pub(in crate::engine::server) fn look_at_own_tasks(&mut self, now: Now) {
        let keys: Vec<Box<str>> = self.shared_tasks.own.keys().cloned().collect();
        for key in keys {
            self.look_at_task(now, &key);
        }
    }

    /// Whether streams of this process listen to a task.
    pub(in crate::engine::server) fn listens_to_task(&self, key: &str) -> bool {
        self.shared_tasks.watched.contains_key(key)
    }

    /// The record of a task has changed, for the streams that listen to it. Of its own tasks this process is told by itself.
    pub(in crate::engine::server) fn task_changed_elsewhere(&mut self, now: Now, key: &str) {
        if !self.shared_tasks.own.contains_key(key) {
            self.look_at_task(now, key);
        }
    }

    /// A task may have been changed by others.
    pub(in crate::engine::server) fn look_at_task(&mut self, now: Now, key: &str) {
        let tasks = &mut self.shared_tasks;
        let is_watched = tasks.watched.contains_key(key);
        if (is_watched || tasks.own.contains_key(key)) && !tasks.looks.iter().any(|other| **other == *key) {
            tasks.looks.push_back(key.into());
        }
        self.look_at_next(now);
    }

    pub(super) fn look_at_next(&mut self, now: Now) {
        while self.shared_tasks.looking < MOST_LOOKS {
            let Some(key) = self.shared_tasks.looks.pop_front() else { return };
            if let Some(own) = self.shared_tasks.own.get_mut(&key) {
                own.is_doubtful = true;
                self.write_task(now, &key);
                continue;
            }
            let Some(watched) = self.shared_tasks.watched.get(&key) else { continue };
            self.shared_tasks.looking += 1;
            let asked = AskedTask::unasked(TaskWish::Tell, watched.id.clone(), key);
            self.read_task(now, asked);
        }
    }

    /// What the store says about a task.
    pub(in crate::engine::server) fn task_told(&mut self, now: Now, step: TaskStep, outcome: &StoreOutcome) {
        match step {
            TaskStep::Enter { key, wait, answer } if outcome.status == StoreStatus::Done => {
                self.put_start(now, TaskStep::Start { key, wait, answer });
            }
            // What is in the list and has no record is not there for its clients.
            TaskStep::Enter { key, wait, answer } => {
                let away = StoreOutcome::of(StoreStatus::Unavailable);
                self.start_told(now, &key, &wait, *answer, &away);
            }
            TaskStep::Start { key, wait, answer } => self.start_told(now, &key, &wait, *answer, outcome),
            TaskStep::Write { key, ends } => self.write_told(now, &key, ends, outcome),
            TaskStep::Part { key } => self.part_told(now, &key, outcome),
            TaskStep::Look { key } => {
                self.shared_tasks.looking = self.shared_tasks.looking.saturating_sub(1);
                self.look_told(now, &key, outcome);
                self.look_at_next(now);
            }
            TaskStep::Asked(asked, step) => match step {
                AskStep::Read => self.read_told(now, *asked, outcome),
                AskStep::Names => self.names_told(now, *asked, outcome),
                AskStep::Alive(stored, version) => self.alive_told(now, *asked, stored, version, outcome),
                AskStep::Lost(stored) | AskStep::Write(stored) => {
                    self.ask_told(now, *asked, &stored, outcome);
                }
                AskStep::Begin(stored) if outcome.status == StoreStatus::Done => {
                    self.tell_of_task(now, &asked.key);
                    self.begin_again(now, *asked, stored, outcome.version);
                }
                AskStep::Begin(stored) => self.ask_told(now, *asked, &stored, outcome),
                AskStep::Parts(stored, version, bytes, place) => {
                    self.shared_tasks.reading = self.shared_tasks.reading.saturating_sub(1);
                    self.parts_told(now, *asked, (stored, version), (bytes, place), outcome);
                }
            },
        }
    }

    fn look_told(&mut self, now: Now, key: &str, outcome: &StoreOutcome) {
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        own.is_busy = false;
        match outcome.status {
            StoreStatus::Done => self.take_record(now, key, outcome),
            // Acknowledged writes were lost.
            StoreStatus::Empty => (own.version, own.is_changed, own.parts) = (0, true, None),
            _ => {
                own.is_doubtful = true;
                return self.write_later(now, key);
            }
        }
        self.write_task(now, key);
    }

    fn start_told(
        &mut self,
        now: Now,
        key: &str,
        wait: &TaskId,
        (context, answer): (RequestContext, String),
        outcome: &StoreOutcome,
    ) {
        let is_own_write = |server: &Self| {
            let stored = StoredTask::read(now, outcome.value.as_deref()?)?;
            (*stored.written.0 == *server.store.process()).then_some(())
        };
        let is_done = match outcome.status {
            StoreStatus::Done => true,
            StoreStatus::Conflict => is_own_write(self).is_some(),
            _ => false,
        };
        let waiters = self.waiters.take(wait);
        let id = self.shared_tasks.own.get(key).map(|own| own.id.clone());
        if is_done && !waiters.is_empty() && id.is_some() {
            if let Some(own) = self.shared_tasks.own.get_mut(key) {
                (own.is_busy, own.version) = (false, outcome.version);
            }
            for waiter in waiters {
                // No method is named: the answer may not be kept.
                self.result(waiter.stream, &waiter.id, Some((&context, "")), &answer);
            }
            return self.write_task(now, key);
        }
        for waiter in waiters {
            self.refuse(waiter.stream, Some(&waiter.id), &if is_done { unknown() } else { away() });
        }
        // No client knows its name, or will.
        if let Some(number) = id.and_then(|id| {
            self.task_pace.forget(&id);
            self.tasks.forget(&id)
        }) {
            self.withdraw(number, Withdrawn::Cancelled);
        }
        self.shared_tasks.remove(key);
        if is_done || outcome.status == StoreStatus::PerhapsDone {
            let life = Duration::from_secs(1);
            let put = Operation::Put { key: key.into(), value: None, expected: Expected::Any, life };
            self.ask_store(now, put, Waiting::Nothing);
        }
    }

    fn write_told(&mut self, now: Now, key: &str, ends: bool, outcome: &StoreOutcome) {
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        own.is_busy = false;
        match outcome.status {
            StoreStatus::Done => return self.written(now, key, ends, outcome.version),
            StoreStatus::Conflict if outcome.value.is_some() => {
                own.is_changed = true;
                let number = own.number;
                let stored = outcome.value.as_deref().and_then(|value| StoredTask::read(now, value));
                match stored {
                    // A write of which no answer came.
                    Some(stored) if stored.written == (self.store.process().into(), number) => {
                        return self.written(now, key, ends, outcome.version);
                    }
                    _ => self.take_record(now, key, outcome),
                }
            }
            StoreStatus::Conflict | StoreStatus::Empty => {
                // Acknowledged writes were lost.
                (own.version, own.is_changed, own.parts) = (0, true, None);
            }
            StoreStatus::TooLarge => return self.task_too_large(now, key, STORE_VALUE_BYTES),
            StoreStatus::Unavailable | StoreStatus::PerhapsDone | StoreStatus::Refused => {
                own.is_changed = true;
                return self.write_later(now, key);
            }
        }
        self.write_task(now, key);
    }

    /// A record is written: now its readers are told.
    fn written(&mut self, now: Now, key: &str, ends: bool, version: u64) {
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        (own.version, own.pause) = (version, SHORTEST_PAUSE);
        let id = own.id.clone();
        if !ends {
            // What changed meanwhile is not in the record.
            if !own.is_changed {
                self.notify_task(&id);
            }
            self.tell_of_task(now, key);
            return self.write_task(now, key);
        }
        let stored = self.stored_of(key);
        self.leave_task(&id, key, Withdrawn::Cancelled);
        if let Some(stored) = stored {
            self.tell_streams(key, version, id.as_str(), &stored);
        }
        self.tell_of_task(now, key);
    }

    /// This process does not work on a task any more.
    pub(super) fn leave_task(&mut self, id: &TaskId, key: &str, why: Withdrawn) {
        self.shared_tasks.remove(key);
        self.task_pace.forget(id);
        if let Some(number) = self.tasks.forget(id) {
            self.withdraw(number, why);
        }
    }

    /// What another process wrote into the record of a task that this one works on: that it is over, or answers of its client.
    fn take_record(&mut self, now: Now, key: &str, outcome: &StoreOutcome) {
        let stored = outcome.value.as_deref().and_then(|value| StoredTask::read(now, value));
        let Some(own) = self.shared_tasks.own.get_mut(key) else { return };
        let id = own.id.clone();
        let Some(mut stored) = stored else {
            // It is not written over.
            let text =
                format!("the store has the task '{}' in a form that this process cannot read", id.as_str());
            self.record(Level::Error, SessionId(0), text);
            self.refuse_waiters_of(&id, &unreadable());
            return self.leave_task(&id, key, Withdrawn::Cancelled);
        };
        own.version = outcome.version;
        if stored.task.is_over() {
            if let Some(task) = self.tasks.get(id.as_str()) {
                stored.task.session = task.session;
            }
            // Its handler may have answered, too late.
            self.counters.late += u64::from(own.ends.is_some());
            self.counters.cancelled += 1;
            self.leave_task(&id, key, Withdrawn::Cancelled);
            return self.tell_streams(key, outcome.version, id.as_str(), &stored);
        }
        if *stored.process != *self.store.process() {
            // Another process has begun it again.
            self.counters.late += u64::from(own.ends.is_some());
            return self.leave_task(&id, key, Withdrawn::SessionEnded);
        }
        if stored.answers.is_empty() {
            return;
        }
        own.is_changed = true;
        let Some(number) = self.tasks.get(id.as_str()).and_then(|task| task.request) else { return };
        let mut is_complete = false;
        for (question, answer) in stored.answers {
            let Some(request) = self.requests.get_mut(number) else { return };
            is_complete |= request.questions.answered(&question, answer);
        }
        if is_complete {
            self.run_again(now, number);
        }
    }

    /// Tells the streams of this process how a task is, and the requests that wait for its end what it came to.
    pub(super) fn tell_streams(&mut self, key: &str, version: u64, id: &str, stored: &StoredTask) {
        if stored.task.is_over() {
            let id = TaskId::known(id);
            for waiter in self.waiters.take(&id) {
                self.give_end(&waiter, &id, stored.task.end.as_ref());
            }
        }
        if let Some(watched) = self.shared_tasks.watched.get_mut(key)
            && std::mem::replace(&mut watched.told, version) == version
        {
            return;
        }
        match stored.task.form {
            Form::Core => self.notify_session(id, &stored.task),
            Form::Extension => {
                let whole = whole_of(id, stored);
                self.notify_streams(id, &stored.task, &whole);
            }
        }
    }

    /// A request waits for the end of a task on which another process works, or this one.
    pub(super) fn wait_for_end(&mut self, now: Now, asked: &AskedTask) {
        let id = TaskId::known(&asked.task);
        for waiter in self.waiters.take(&asked.wait) {
            self.waiters.add(&id, waiter);
        }
        if !self.shared_tasks.is_own(&asked.key) {
            self.watch_task(now, &asked.task);
        }
    }

    /// The client of a session ended it: no process goes on with it, and no client can ask for its tasks.
    pub fn end_tasks_of(&mut self, now: Now, session: SessionId) {
        for id in self.tasks.of_session(session) {
            let key = key_of(id.as_str());
            if !self.shared_tasks.is_own(&key) {
                continue;
            }
            self.leave_task(&id, &key, Withdrawn::SessionEnded);
            let life = Duration::from_secs(1);
            let put = Operation::Put { key: key.into(), value: None, expected: Expected::Any, life };
            self.ask_store(now, put, Waiting::Nothing);
        }
    }

    /// A stream of this process listens to a task from now on.
    pub(super) fn watch_task(&mut self, now: Now, id: &str) {
        let key = key_of(id);
        if let Some(watched) = self.shared_tasks.watched.get_mut(&*key) {
            // What the other streams were told of before is repeated for this one.
            watched.told = 0;
            return self.look_at_task(now, &key);
        }
        self.shared_tasks.watched.insert(key.as_str().into(), WatchedTask { id: id.into(), told: 0 });
        self.shared_tasks.review.get_or_insert(now.at + self.lease());
        self.watch_channel(now, key.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_looks_is_due_while_there_is_something_to_look_at() {
        let now = Instant::now();
        let mut tasks = SharedTasks { review: Some(now), ..SharedTasks::default() };
        assert_eq!(tasks.deadline(), None);
        tasks.watched.insert("task/a".into(), WatchedTask { id: "a".into(), told: 0 });
        assert_eq!(tasks.deadline(), Some(now));
    }
}
