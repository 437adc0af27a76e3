//! What the processes of one server share in a store: what is asked of it, whether it can be, and whether other processes count this one as
//! there. [`StoreLink`], the part, is in this file.
//!
//! A store is below the driver: an engine that others maintain, or functions of the program. The engine asks with
//! [`Effect::Store`](super::Effect::Store) and is told with [`Server::stored`]. Each operation is atomic for one key. A driver answers each
//! one once, within the time that the store has; what comes later, or twice, is dropped.
//!
//! The driver seals values, entries and messages, each for its key in the space of the server. What it cannot open, because it has other
//! keys or is of a later version, is as if the store were away: it is neither read nor written over.
//!
//! The files:
//!
//! * `operation`: the operations, and what a store says to them
//! * `waiting`: what its answers are for

pub(super) mod operation;
pub(super) mod waiting;

use super::Server;
use super::effect::{Effect, Now};
use crate::sorted::{SortedMap, SortedSet};
use operation::{
    CHANGES, Expected, Operation, SharedStore, StoreOutcome, StoreStatus, Ticket, inbox_of, process_key,
};
use std::time::{Duration, Instant};
use waiting::Waiting;

/// Other processes of which the lease was seen: about as many as there are.
const MOST_SEEN: usize = 1024;

/// Whether other processes count this one as there.
#[derive(Debug, Default)]
struct Lease {
    is_asked: bool,
    /// Until when it holds: counted from before it was asked for.
    until: Option<Instant>,
    /// Since when every renewal was answered in time.
    since: Option<Instant>,
    /// When it is to be renewed; at once, if there is none.
    next: Option<Instant>,
}

/// What is known of the store, and what was asked of it.
#[derive(Debug, Default)]
pub struct StoreLink {
    /// What the store is: another text from when it may have forgotten what it has acknowledged.
    generation: Option<Box<str>>,
    /// Whether it can be asked.
    is_ready: bool,
    /// The name of this process, 64 random bits.
    process: Box<str>,
    lease: Lease,
    /// The clock of the store, and when it was read.
    clock: Option<(u64, Instant)>,
    /// The leases of other processes: the version that was read, and when first.
    seen: SortedMap<Box<str>, (u64, Instant)>,
    next: u64,
    /// Channels that are to be watched and are not: it is tried again with the next renewal.
    unwatched: SortedSet<Box<str>>,
    /// This process closes, and says no longer that it is there.
    has_left: bool,
    /// What was asked, oldest first, and when an answer comes too late. All have the same time.
    waiting: SortedMap<Ticket, (Instant, Waiting)>,
}

impl StoreLink {
    /// What the store is, if it was reached since the start.
    pub fn generation(&self) -> Option<&str> {
        self.generation.as_deref()
    }

    /// The name of this process.
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Where other processes leave word for this one.
    pub fn inbox(&self) -> String {
        inbox_of(&self.process)
    }

    /// A number that nothing else has.
    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// The clock of the store, in milliseconds since 1970.
    pub fn unix_ms(&self, now: Now) -> u64 {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match self.clock {
            Some((clock, read)) => clock.saturating_add(ms(now.at.saturating_duration_since(read))),
            None => now.unix.saturating_mul(1000),
        }
    }

    /// The store said what its clock is. One that was set forward has ended all leases at once, so that no process is to be declared gone
    /// before each could renew its own.
    fn read_clock(&mut self, now: Now, unix_ms: u64, lease: Duration) {
        if unix_ms == 0 {
            return;
        }
        let jump = Duration::from_millis(unix_ms.saturating_sub(self.unix_ms(now)));
        if self.clock.is_some() && jump > lease / 2 {
            (self.lease.since, self.lease.next) = (None, Some(now.at));
        }
        self.clock = Some((unix_ms, now.at));
    }

    /// Whether a process has not renewed its lease for longer than one may be: the store ends it by its own clock, which may have been set
    /// back.
    fn is_unrenewed(&mut self, now: Now, process: &str, version: u64, most: Duration) -> bool {
        match self.seen.get_mut(process) {
            Some((seen, since)) if *seen == version => return *since + most <= now.at,
            Some(seen) => *seen = (version, now.at),
            None => {
                if self.seen.len() >= MOST_SEEN {
                    self.seen.clear();
                }
                self.seen.insert(process.into(), (version, now.at));
            }
        }
        false
    }

    /// Until when other processes count this one as there.
    pub fn held_until(&self) -> Option<Instant> {
        self.lease.until
    }

    /// This process says no longer that it is there.
    pub fn leave(&mut self) {
        (self.has_left, self.is_ready) = (true, false);
    }

    /// Whether it can be asked.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Whether other processes count this one as there.
    pub fn is_held(&self, now: Now) -> bool {
        self.is_ready && self.lease.until.is_some_and(|until| until > now.at)
    }

    /// Whether this process may say of another one that it is gone: its own renewals were all answered for as long as the other one would
    /// have had to miss them. A store that was paused loses all processes at once.
    fn may_declare(&self, now: Now, lease: Duration) -> bool {
        self.is_held(now) && self.lease.since.is_some_and(|since| since + lease <= now.at)
    }
}

impl<H: Clone> Server<H> {
    /// From now on what the processes of this server share is kept in a store: which request states were used, tasks, and word of changes.
    ///
    /// # Errors
    /// It has a store, a client has a task, or there is no randomness for the name of this process.
    pub fn keep_in_store(&mut self, store: SharedStore) -> Result<(), &'static str> {
        if self.settings.store.is_some() {
            return Err("the server has one already");
        }
        if self.tasks.count() > 0 {
            return Err(
                "clients have tasks already, which no other process would know: set it before the server serves",
            );
        }
        let mut bits = [0; 8];
        if !self.keys.random(&mut bits) {
            return Err("the system gives no random numbers for the name of this process in the store");
        }
        self.store.process = format!("{:016x}", u64::from_be_bytes(bits)).into();
        self.settings.shares_states = true;
        self.settings.store = Some(store);
        Ok(())
    }

    /// The name of this process in the store.
    pub fn process(&self) -> &str {
        self.store.process()
    }

    /// Whether another process is gone, as far as this one may say so, by what the store said to a `Get` of its key.
    pub fn is_gone(&mut self, now: Now, process: &str, outcome: &StoreOutcome) -> bool {
        let (lease, timeout) =
            (self.lease(), self.settings.store.as_ref().map_or(Duration::ZERO, |it| it.timeout));
        self.store.read_clock(now, outcome.unix_ms, lease);
        let is_over = match outcome.status {
            StoreStatus::Done if outcome.version > 0 => {
                // Clocks may run apart by a tenth, and an answer is this late at most.
                let most = lease + lease / 3 + timeout * 2;
                self.store.is_unrenewed(now, process, outcome.version, most)
            }
            StoreStatus::Empty => {
                self.store.seen.remove(process);
                true
            }
            _ => false,
        };
        is_over && self.store.may_declare(now, lease)
    }

    /// The store can be asked. `generation` is another text from when it may have forgotten what it has acknowledged: request states
    /// that were made for another one are refused.
    pub fn store_ready(&mut self, now: Now, generation: &str) {
        let is_new = self.store.generation.as_deref() != Some(generation);
        if is_new {
            self.store.generation = Some(generation.into());
        }
        if !self.uses_store() {
            return;
        }
        if self.store.has_left {
            return;
        }
        if is_new {
            self.processes.forget(true);
            // Versions repeat in another one.
            self.store.seen.clear();
        }
        if is_new || !self.store.is_ready {
            (self.store.lease.since, self.store.lease.next) = (None, None);
        }
        let is_first = self.store.next == 0;
        self.store.is_ready = true;
        if is_first {
            for channel in [self.store.inbox().as_str(), CHANGES] {
                self.watch_channel(now, channel.into());
            }
        }
        self.keep_lease(now);
        if is_new {
            self.look_at_own_tasks(now);
        }
    }

    /// The store cannot be asked until it is ready again. What was asked is still answered.
    pub fn store_lost(&mut self, _now: Now) {
        self.store.is_ready = false;
        self.store.lease.since = None;
    }

    /// What became of an operation. A second answer, and one to nothing that was asked, changes nothing.
    #[expect(clippy::needless_pass_by_value, reason = "the driver has no use for it afterwards")]
    pub fn stored(&mut self, now: Now, ticket: Ticket, outcome: StoreOutcome) {
        let waiting = if self.uses_store() { self.store.waiting.remove(&ticket) } else { None };
        let Some((_, waiting)) = waiting else {
            self.counters.late += 1;
            return;
        };
        self.store.read_clock(now, outcome.unix_ms, self.lease());
        self.told(now, waiting, &outcome);
    }

    fn told(&mut self, now: Now, waiting: Waiting, outcome: &StoreOutcome) {
        match waiting {
            Waiting::Nothing => {}
            Waiting::Changes => self.changes_told(outcome.status),
            Waiting::Watch(_) if outcome.status == StoreStatus::Done => {}
            Waiting::Watch(channel) => drop(self.store.unwatched.insert(channel)),
            Waiting::Lease { sent } => self.lease_told(now, sent, outcome.status),
            Waiting::Task(step) => self.task_told(now, step, outcome),
            Waiting::Sweep(step) => self.sweep_told(now, step, outcome),
        }
    }

    /// A message of a channel that is watched. `None` says that some may have been missed; so begins every watch.
    pub fn store_event(&mut self, now: Now, channel: &str, data: Option<&[u8]>) {
        if !self.uses_store() {
            return;
        }
        if channel == CHANGES {
            return self.changed_elsewhere(now, data);
        }
        if channel != self.store.inbox() {
            self.task_changed_elsewhere(now, channel);
            return;
        }
        match data {
            None => self.look_at_own_tasks(now),
            // It names what is to be looked at, and says nothing else of it: a forged one costs a look.
            Some(data) => self.look_at_task(now, &String::from_utf8_lossy(data)),
        }
    }

    /// Whether more than uses of request states is kept in a store.
    pub(super) fn uses_store(&self) -> bool {
        cfg!(feature = "store") && self.settings.store.is_some()
    }

    /// How long a process that says nothing counts as there.
    pub(super) fn lease(&self) -> Duration {
        self.settings.store.as_ref().map_or(Duration::MAX, |store| store.lease)
    }

    /// Asks the store.
    pub(super) fn ask_store(&mut self, now: Now, operation: Operation, waiting: Waiting) {
        let timeout = self.settings.store.as_ref().map_or(Duration::ZERO, |store| store.timeout);
        let ticket = Ticket(self.store.number());
        // The driver has the time of the store for an answer. One that does not keep to that does not hold up a request for ever.
        self.store.waiting.insert(ticket, (now.at + timeout * 2, waiting));
        self.effects.push_back(Effect::Store { ticket, operation: Box::new(operation) });
    }

    /// From now on messages of a channel come here.
    pub(super) fn watch_channel(&mut self, now: Now, channel: Box<str>) {
        self.ask_store(now, Operation::Watch { channel: channel.clone() }, Waiting::Watch(channel));
    }

    /// When [`tick_store`](Self::tick_store) is to be called.
    pub(super) fn store_deadline(&self) -> Option<Instant> {
        if !self.uses_store() {
            return None;
        }
        let answer = self.store.waiting.first_key_value().map(|(_, (until, _))| *until);
        let lease = &self.store.lease;
        let lease = lease.next.filter(|_| self.store.is_ready && !lease.is_asked);
        let give_up = self.give_up_at().filter(|_| !self.store.has_left);
        [answer, lease, give_up, self.shared_tasks.deadline(), self.notices.due()].into_iter().flatten().min()
    }

    pub(super) fn tick_store(&mut self, now: Now) {
        if !self.uses_store() {
            return;
        }
        while self.store.waiting.first_key_value().is_some_and(|(_, (until, _))| *until <= now.at) {
            let Some((_, (_, waiting))) = self.store.waiting.pop_first() else { break };
            self.told(now, waiting, &StoreOutcome::of(StoreStatus::PerhapsDone));
        }
        self.keep_lease(now);
        self.give_up_tasks(now);
        self.tick_shared_tasks(now);
    }

    /// Says again that this process is there, if it is time.
    fn keep_lease(&mut self, now: Now) {
        let link = &self.store;
        if !link.is_ready || link.lease.is_asked || link.lease.next.is_some_and(|next| next > now.at) {
            return;
        }
        let (key, value) = (process_key(&link.process), Vec::new());
        self.store.lease.is_asked = true;
        let life = self.lease();
        let put = Operation::Put { key: key.into(), value: Some(value), expected: Expected::Any, life };
        self.ask_store(now, put, Waiting::Lease { sent: now.at });
    }

    fn lease_told(&mut self, now: Now, sent: Instant, status: StoreStatus) {
        let time = self.lease();
        let lease = &mut self.store.lease;
        lease.is_asked = false;
        if status != StoreStatus::Done {
            (lease.since, lease.next) = (None, Some(now.at + time / 10));
            return;
        }
        // After a gap it begins again.
        if lease.until.is_none_or(|until| until < now.at) {
            lease.since = None;
            self.processes.forget(false);
        }
        lease.since.get_or_insert(sent);
        (lease.until, lease.next) = (Some(sent + time), Some(sent + time / 3));
        for channel in std::mem::take(&mut self.store.unwatched) {
            if *channel == *self.store.inbox() || *channel == *CHANGES || self.listens_to_task(&channel) {
                self.watch_channel(now, channel);
            }
        }
        self.repair_changes(now);
        self.look_after_others(now);
    }
}
