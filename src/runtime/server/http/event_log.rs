//! Events of the streams of one process that are kept in a store, so that a client finds them at another process: one stream of the store
//! for each stream of a session, written by the process that has it, in order, one entry at a time.
//!
//! A log begins when a client may have an id of its stream: an answer that goes out as JSON has none. What waits for the store is what the
//! session keeps in memory; what that drops meanwhile is a hole in the log, at which no client goes on. Each entry has the place that follows
//! the last one, so that a process that was taken for gone writes nothing behind the end that another one has written.

use crate::engine::server::{Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus};
use crate::json;
use crate::runtime::lock;
use crate::sorted::SortedMap;
use crate::transport::http_server::event_stream::{EventId, EventStore};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// What streams of the store and channels begin with that are of events.
pub(in crate::runtime::server) const EVENTS: &str = "events/";
/// The bits of a stream's number, and of the places of unrelated messages, that say at which process it is.
pub(super) const PROCESS_BITS: u64 = !0xffff_ffff;

/// The form of an entry. Another one is not read.
const FORM: u64 = 1;
/// Bytes of the events that are written together.
const TOGETHER: usize = 256 * 1024;
/// Bytes of one event that is written: beside it the head of its entry must have room.
const LARGEST: usize = STORE_VALUE_BYTES - 128 * 1024;
/// So many sessions have a full share of what may be under way to the store.
const SHARES: usize = 8;
/// How long a log stays that gives way to newer ones.
const AT_ONCE: Duration = Duration::from_secs(1);
/// Logs of one session that have begun, and those that are over and are known here.
const MOST_LOGS: usize = 256;
/// Logs of one process that have begun: what has none is not kept.
const MOST_BEGUN: usize = 20_000;
/// How many entries stay before an end that is written late, and how long: there may be another end before it.
const BEFORE_END: u32 = 10_000;
const END_STAYS: Duration = Duration::from_secs(60);
/// Entries that are under way at one time.
const MOST_UNDERWAY: usize = 256;

/// What an entry of a log says.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Entry<'a> {
    /// The process that wrote it.
    pub(super) by: Box<str>,
    /// The place of its first event, or of the one that follows.
    pub(super) from: u64,
    pub(super) events: Vec<&'a [u8]>,
    /// The ids of the requests that are not answered so far, as JSON text.
    pub(super) open: Vec<Box<str>>,
    /// Nothing follows. What is not answered then never will be.
    pub(super) ends: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn text(&self) -> Vec<u8> {
        let sizes: Vec<usize> = self.events.iter().map(|event| event.len()).collect();
        let head = json!({
            "form": FORM, "by": self.by, "from": self.from, "sizes": sizes, "open": self.open, "ends": self.ends,
        });
        let mut text = head.to_string().into_bytes();
        text.push(b'\n');
        self.events.iter().for_each(|event| text.extend_from_slice(event));
        text
    }

    /// What was written; `None` where it is of another form.
    pub(super) fn read(text: &'a [u8]) -> Option<Entry<'a>> {
        let (head, mut rest) = text.split_at(memchr::memchr(b'\n', text)?);
        let head: Value = serde_json::from_slice(head).ok()?;
        if head.get("form")?.as_u64()? != FORM {
            return None;
        }
        rest = rest.get(1..)?;
        let mut events = Vec::new();
        for size in head.get("sizes")?.as_array()? {
            let (event, after) = rest.split_at_checked(size.as_u64()?.try_into().ok()?)?;
            events.push(event);
            rest = after;
        }
        let open = head.get("open")?.as_array()?.iter();
        Some(Entry {
            by: head.get("by")?.as_str()?.into(),
            from: head.get("from")?.as_u64()?,
            events,
            open: open.map(|id| Some(id.as_str()?.into())).collect::<Option<_>>()?,
            ends: head.get("ends")?.as_bool()?,
        })
    }

    /// The place behind its last event.
    pub(super) fn next(&self) -> u64 {
        self.from.saturating_add(self.events.len() as u64)
    }
}

/// What has logs: the streams of a session.
pub(in crate::runtime::server) trait Logged:
    Send + Sync + std::fmt::Debug
{
    /// What is to be written of a stream next, and its bytes.
    fn next_entry(&self, number: u64) -> Option<(Operation, usize)>;
    /// What became of that; gives what else is to be asked.
    fn entry_written(&self, number: u64, outcome: &StoreOutcome) -> Vec<Operation>;
    /// A client reads the stream at another process, which is told of what is written from now on.
    fn read_elsewhere(&self, number: u64) -> Option<Operation>;
}

/// An entry that is under way to the store.
#[derive(Debug)]
pub(crate) struct Underway {
    log: Arc<dyn Logged>,
    number: u64,
    bytes: usize,
}

/// The events of one server that go to its store, and the clients that read events of other processes.
#[derive(Debug)]
pub(in crate::runtime::server) struct SharedEvents {
    /// The name of this process in the store.
    pub(super) process: Box<str>,
    /// The bytes that may be under way at one time.
    most: usize,
    is_due: AtomicBool,
    is_parked: AtomicBool,
    inside: Mutex<Inside>,
}

#[derive(Default, Debug)]
struct Inside {
    /// What is under way.
    entries: usize,
    bytes: usize,
    due: VecDeque<(Arc<dyn Logged>, u64)>,
    /// Those that the store did not take. They are due again when it may.
    parked: Vec<(Arc<dyn Logged>, u64)>,
    /// Those that have begun, by their names.
    named: SortedMap<Box<str>, (Weak<dyn Logged>, u64)>,
    /// The clients that read what other processes write, by its name.
    readers: SortedMap<Box<str>, Arc<Notify>>,
}

impl SharedEvents {
    /// Those of a process, of which so many bytes may be under way at one time.
    pub(in crate::runtime::server) fn new(process: Box<str>, most: usize) -> SharedEvents {
        let [is_due, is_parked] = [(); 2].map(|()| AtomicBool::new(false));
        SharedEvents { process, most, is_due, is_parked, inside: Mutex::default() }
    }

    /// The channel on which a process hears who reads its streams elsewhere.
    pub(in crate::runtime::server) fn channel_of(process: &str) -> String {
        format!("streams/{process}")
    }

    /// The channel of this process.
    pub(in crate::runtime::server) fn channel(&self) -> String {
        SharedEvents::channel_of(&self.process)
    }

    fn is_due(&self, log: Arc<dyn Logged>, number: u64) {
        lock(&self.inside).due.push_back((log, number));
        self.is_due.store(true, Ordering::Release);
    }

    /// What the store is to be asked: as much as may be under way.
    pub(in crate::runtime::server) fn entries(&self) -> Vec<(Underway, Operation)> {
        let mut entries = Vec::new();
        if !self.is_due.load(Ordering::Acquire) {
            return entries;
        }
        loop {
            let (log, number) = {
                let mut inside = lock(&self.inside);
                if inside.bytes >= self.most || inside.entries >= MOST_UNDERWAY {
                    return entries;
                }
                let Some(due) = inside.due.pop_front() else {
                    self.is_due.store(false, Ordering::Release);
                    return entries;
                };
                due
            };
            if let Some((operation, bytes)) = log.next_entry(number) {
                let mut inside = lock(&self.inside);
                (inside.entries, inside.bytes) = (inside.entries + 1, inside.bytes + bytes);
                entries.push((Underway { log, number, bytes }, operation));
            }
        }
    }

    /// What became of an entry; gives what else is to be asked.
    pub(in crate::runtime::server) fn written(
        &self,
        entry: Underway,
        outcome: &StoreOutcome,
    ) -> Vec<Operation> {
        let Underway { log, number, bytes } = entry;
        let more = log.entry_written(number, outcome);
        let mut inside = lock(&self.inside);
        (inside.entries, inside.bytes) = (inside.entries - 1, inside.bytes - bytes);
        if matches!(outcome.status, StoreStatus::Unavailable | StoreStatus::PerhapsDone) {
            inside.parked.push((log, number));
            self.is_parked.store(true, Ordering::Release);
        }
        more
    }

    /// The store has done something: it may take what it did not take before.
    pub(in crate::runtime::server) fn try_again(&self) {
        if !self.is_parked.swap(false, Ordering::AcqRel) {
            return;
        }
        let mut inside = lock(&self.inside);
        let parked = std::mem::take(&mut inside.parked);
        inside.due.extend(parked);
        self.is_due.store(!inside.due.is_empty(), Ordering::Release);
    }

    /// A message of a channel: of a stream that is read here, or of one of this process that is read elsewhere.
    pub(in crate::runtime::server) fn heard(&self, channel: &str, data: Option<&[u8]>) -> Option<Operation> {
        if channel.starts_with(EVENTS) {
            if let Some(reader) = lock(&self.inside).readers.get(channel) {
                reader.notify_one();
            }
            return None;
        }
        let name = std::str::from_utf8(data?).ok()?;
        let found = lock(&self.inside).named.get(name).cloned();
        match found {
            Some((log, number)) => log.upgrade()?.read_elsewhere(number),
            // Its reader has found no end, so the store has lost that; or it was written meanwhile, and stands before this one.
            None => Some(self.end_of(name, 0, BEFORE_END, END_STAYS)),
        }
    }

    /// Has a log end: no client goes on behind this.
    fn end_of(&self, name: &str, place: u64, most: u32, life: Duration) -> Operation {
        let (by, from) = (self.process.clone(), u64::MAX);
        let entry = Entry { by, from, events: Vec::new(), open: Vec::new(), ends: true }.text();
        Operation::Append { stream: name.into(), entry, place, most, life }
    }

    /// A client reads a stream here from now on. One that read it before does so no longer.
    pub(super) fn reads(&self, name: &str, wake: &Arc<Notify>) {
        lock(&self.inside).readers.insert(name.into(), Arc::clone(wake));
    }

    /// It does so no longer. Whether no other one does.
    pub(super) fn left(&self, name: &str, wake: &Arc<Notify>) -> bool {
        let mut inside = lock(&self.inside);
        let is_last = inside.readers.get(name).is_some_and(|reader| Arc::ptr_eq(reader, wake));
        if is_last {
            inside.readers.remove(name);
        }
        is_last
    }
}

/// What is kept of one session in a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogBounds {
    pub(super) events: usize,
    pub(super) bytes: usize,
    /// How long a log stays that is over, and an event of one that is not.
    pub(super) age: Duration,
    /// How long a log stays that is not over; by half of that it is written again.
    pub(super) open: Duration,
}

/// The logs of one session.
#[derive(Debug)]
pub(super) struct Logs {
    this: Weak<dyn Logged>,
    /// What their names begin with.
    prefix: Box<str>,
    shared: Arc<SharedEvents>,
    bounds: LogBounds,
    streams: SortedMap<u64, Log>,
    /// Those that are over, the oldest first: the name, how many entries, their bytes, since when.
    over: VecDeque<(Box<str>, u64, usize, Instant)>,
    over_bytes: usize,
    /// Streams whose end another process has written: what its client gets is there.
    taken: VecDeque<u64>,
    /// The bytes that are under way, and the logs that wait for their share of that.
    underway: usize,
    waiting: VecDeque<u64>,
}

#[derive(Debug)]
struct Log {
    name: Box<str>,
    /// Its client may have an id of it.
    has_begun: bool,
    /// The requests that are answered on it, and the places of their answers.
    requests: Vec<(Box<str>, Option<u64>)>,
    /// The place of the last event, and of the last one that is written.
    last: u64,
    written: u64,
    end: End,
    /// How many entries there are, and the bytes of those that stay.
    entries: u64,
    sizes: VecDeque<(Instant, usize)>,
    underway: Option<Part>,
    is_due: bool,
    /// The store did not take what was written last: it is written again when the store may.
    is_parked: bool,
    is_read_elsewhere: bool,
    /// Its stream ends before its answer, as soon as all of it is written: after which time its client comes back.
    early: Option<Duration>,
    at: Instant,
}

/// Whether a log ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    No,
    /// All is answered, or withdrawn by the client.
    Whole,
    /// The process has given it up.
    Lost,
}

/// What is under way of a log.
#[derive(Debug)]
struct Part {
    upto: u64,
    ends: bool,
    bytes: usize,
}

impl Log {
    fn new(name: Box<str>, now: Instant) -> Log {
        Log {
            name,
            has_begun: false,
            requests: Vec::new(),
            last: 0,
            written: 0,
            end: End::No,
            entries: 0,
            sizes: VecDeque::new(),
            underway: None,
            is_due: false,
            is_parked: false,
            is_read_elsewhere: false,
            early: None,
            at: now,
        }
    }

    /// Whether something of it is not written.
    fn has_more(&self) -> bool {
        self.entries == 0 || self.written < self.last || self.end != End::No
    }

    /// The requests that are not answered by an event up to a place.
    fn open_at(&self, place: u64) -> Vec<Box<str>> {
        let is_open = |answer: &Option<u64>| answer.is_none_or(|at| at > place);
        self.requests.iter().filter(|(_, answer)| is_open(answer)).map(|(id, _)| id.clone()).collect()
    }

    /// How many of its entries stay beside the next one.
    fn keep_newest(&mut self, bounds: &LogBounds, next: usize, now: Instant) -> usize {
        let (mut bytes, mut count) = (next, 0);
        for (at, size) in self.sizes.iter().rev() {
            bytes += size;
            let is_old = now.saturating_duration_since(*at) > bounds.age;
            if is_old || bytes > bounds.bytes || count + 1 >= bounds.events {
                break;
            }
            count += 1;
        }
        self.sizes.drain(..self.sizes.len() - count);
        count
    }
}

/// What follows from an entry that was written, or was not.
#[derive(Default, Debug)]
pub(super) struct Written {
    /// What else the store is to be asked.
    pub(super) asked: Vec<Operation>,
    /// The stream ends now: after which time its client comes back.
    pub(super) early: Option<Duration>,
    /// Another process has written the end of the stream.
    pub(super) is_taken: bool,
}

/// The name of the log of a stream, of which an event has this id.
pub(super) fn name_of(prefix: &str, id: EventId) -> Box<str> {
    let number = if id.stream == 0 { id.place & PROCESS_BITS } else { id.stream };
    format!("{prefix}{number:x}").into()
}

impl Logs {
    pub(super) fn new(
        this: Weak<dyn Logged>,
        prefix: Box<str>,
        shared: Arc<SharedEvents>,
        bounds: LogBounds,
    ) -> Logs {
        Logs {
            this,
            prefix,
            shared,
            bounds,
            streams: SortedMap::new(),
            over: VecDeque::new(),
            over_bytes: 0,
            taken: VecDeque::new(),
            underway: 0,
            waiting: VecDeque::new(),
        }
    }

    /// Whether another process has written the end of a stream.
    pub(super) fn is_taken(&self, number: u64) -> bool {
        self.taken.contains(&number)
    }

    /// What the names of its logs begin with.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// A stream is there, on which these requests are answered.
    pub(super) fn add(&mut self, number: u64, ids: Vec<Box<str>>, now: Instant) {
        let mut log = Log::new(name_of(&self.prefix, EventId { stream: number, place: 0 }), now);
        log.requests = ids.into_iter().map(|id| (id, None)).collect();
        self.streams.insert(number, log);
    }

    /// From now on the client may have an id of a stream. Of one that has no request, `first` is the place before the first event and `last`
    /// that of the last one.
    pub(super) fn begin(&mut self, number: u64, (first, last): (u64, u64), now: Instant) {
        if number == 0 && !self.streams.contains_key(&0) {
            let mut log = Log::new(name_of(&self.prefix, EventId { stream: 0, place: first }), now);
            (log.written, log.last) = (first, last);
            self.streams.insert(0, log);
        }
        let begun = self.streams.values().filter(|log| log.has_begun).count();
        let Some(log) = self.streams.get_mut(&number).filter(|log| !log.has_begun) else { return };
        {
            let named = &mut lock(&self.shared.inside).named;
            if begun >= MOST_LOGS || named.len() >= MOST_BEGUN {
                return;
            }
            named.insert(log.name.clone(), (Weak::clone(&self.this), number));
        }
        log.has_begun = true;
        self.due(number);
    }

    /// An event of a stream has a place. `answers`: it is an answer.
    pub(super) fn pushed(&mut self, id: EventId, frame: &[u8], answers: bool) {
        let Some(log) = self.streams.get_mut(&id.stream) else { return };
        log.last = id.place;
        if answers {
            let answered = json::member(json::utf8(frame), "id").unwrap_or("null");
            let same = |(id, at): &&mut (Box<str>, Option<u64>)| at.is_none() && **id == *answered;
            if let Some((_, at)) = log.requests.iter_mut().find(same) {
                *at = Some(id.place);
            }
        }
        self.due(id.stream);
    }

    /// Nothing more follows on a stream.
    pub(super) fn finish(&mut self, number: u64) {
        if let Some(log) = self.streams.get_mut(&number)
            && log.end == End::No
        {
            log.end = End::Whole;
            self.due(number);
        }
    }

    /// The client of a stream is gone: nothing is left to end early, and if it has no id of it, it does not come back.
    pub(super) fn left(&mut self, number: u64) {
        let Some(log) = self.streams.get_mut(&number) else { return };
        log.early = None;
        if !log.has_begun {
            self.streams.remove(&number);
        }
    }

    /// Its session has ended here.
    pub(super) fn end(&mut self) {
        self.streams.retain(|_, log| log.has_begun);
        let open: Vec<u64> = self.streams.keys().copied().collect();
        for number in open {
            if let Some(log) = self.streams.get_mut(&number)
                && log.end == End::No
            {
                log.end = End::Lost;
                self.due(number);
            }
        }
    }

    /// A stream is to end before its answer. `false` where that need not wait, or cannot: the store may be away for long.
    pub(super) fn ends_early(&mut self, number: u64, retry: Duration) -> bool {
        let waits = |log: &&mut Log| log.has_begun && log.has_more() && !log.is_parked;
        let Some(log) = self.streams.get_mut(&number).filter(waits) else { return false };
        log.early = Some(retry);
        true
    }

    /// Logs that stay no longer by themselves are written again.
    pub(super) fn renew(&mut self, now: Instant) {
        let is_old =
            |log: &Log| log.has_begun && now.saturating_duration_since(log.at) > self.bounds.open / 2;
        let old: Vec<u64> =
            self.streams.iter().filter(|(_, log)| is_old(log)).map(|(number, _)| *number).collect();
        for number in old {
            if let Some(log) = self.streams.get_mut(&number)
                && log.underway.is_none()
                && !std::mem::replace(&mut log.is_due, true)
                && let Some(this) = self.this.upgrade()
            {
                self.shared.is_due(this, number);
            }
        }
    }

    /// Something of a log is to be written.
    fn due(&mut self, number: u64) {
        let Some(log) = self.streams.get_mut(&number) else { return };
        if log.has_begun && log.has_more() && log.underway.is_none() && !log.is_due {
            log.is_due = true;
            if let Some(this) = self.this.upgrade() {
                self.shared.is_due(this, number);
            }
        }
    }

    /// What is to be written of a log next, of what is kept in memory, and its bytes.
    pub(super) fn next_entry<H>(
        &mut self,
        number: u64,
        kept: &EventStore<H>,
        now: Instant,
    ) -> Option<(Operation, usize)> {
        let share = self.shared.most / SHARES;
        let log = self.streams.get_mut(&number).filter(|log| log.underway.is_none())?;
        if self.underway > 0 && self.underway >= share {
            self.waiting.push_back(number);
            return None;
        }
        (log.is_due, log.is_parked) = (false, false);
        let (mut from, mut events, mut bytes) = (log.last + 1, Vec::new(), 0);
        for (id, event) in kept.kept_behind(EventId { stream: number, place: log.written }) {
            let next = from + events.len() as u64;
            let is_together = events.is_empty() || id.place == next && bytes + event.len() <= TOGETHER;
            if event.len() > LARGEST && events.is_empty() {
                continue;
            }
            if !is_together || event.len() > LARGEST {
                break;
            }
            if events.is_empty() {
                from = id.place;
            }
            bytes += event.len();
            events.push(event);
        }
        let upto = from + events.len() as u64 - 1;
        let ends = upto >= log.last && log.end != End::No;
        let open = if ends && log.end == End::Whole { Vec::new() } else { log.open_at(upto) };
        let entry = Entry { by: self.shared.process.clone(), from, events, open, ends }.text();
        let bytes = entry.len();
        let most = log.keep_newest(&self.bounds, bytes, now) + 1;
        log.underway = Some(Part { upto, ends, bytes });
        self.underway += bytes;
        let append = Operation::Append {
            stream: log.name.clone(),
            entry,
            place: log.entries + 1,
            most: u32::try_from(most).unwrap_or(u32::MAX),
            life: if ends { self.bounds.age } else { self.bounds.open },
        };
        Some((append, bytes))
    }

    /// What became of that.
    pub(super) fn entry_written(&mut self, number: u64, outcome: &StoreOutcome, now: Instant) -> Written {
        let mut written = Written::default();
        let Some(log) = self.streams.get_mut(&number) else { return written };
        let Some(mut part) = log.underway.take() else { return written };
        self.underway -= part.bytes;
        if let Some(waits) = self.waiting.pop_front()
            && let Some(this) = self.this.upgrade()
        {
            self.shared.is_due(this, waits);
        }
        let there = outcome.value.as_deref().and_then(Entry::read);
        let is_written = match (outcome.status, &there) {
            (StoreStatus::Done, _) => true,
            // An earlier attempt, of which no answer came, has done it.
            (StoreStatus::Conflict, Some(there)) => {
                (part.upto, part.ends) = (there.next().saturating_sub(1), there.ends);
                there.by == self.shared.process && outcome.version == log.entries + 1
            }
            (StoreStatus::Unavailable | StoreStatus::PerhapsDone, _) => {
                // It is due again when the store may take it. A stream that is to end does not wait for that.
                (log.is_due, log.is_parked) = (true, true);
                written.early = log.early.take();
                return written;
            }
            _ => false,
        };
        written.is_taken = number != 0 && there.is_some_and(|there| there.by != self.shared.process);
        if is_written {
            (log.entries, log.written, log.at) = (log.entries + 1, part.upto, now);
            log.sizes.push_back((now, part.bytes));
            if log.is_read_elsewhere {
                written.asked.push(word_of(&log.name));
            }
        }
        let is_over = !is_written || part.ends;
        if is_over || !log.has_more() {
            written.early = log.early.take();
        }
        if !is_over {
            self.due(number);
            return written;
        }
        // All is written, or another process has written the end, or the store has lost it.
        if let Some(log) = self.streams.remove(&number) {
            lock(&self.shared.inside).named.remove(&log.name);
            if !is_written && !written.is_taken {
                // Nothing follows here on what the store has. Readers that do not hear it ask.
                let end = self.shared.end_of(&log.name, 0, BEFORE_END, END_STAYS);
                written.asked.extend([end, word_of(&log.name)]);
            }
            let bytes = log.sizes.iter().map(|(_, bytes)| bytes).sum();
            self.over_bytes += bytes;
            self.over.push_back((log.name, log.entries, bytes, now));
        }
        if written.is_taken {
            if self.taken.len() == MOST_LOGS {
                self.taken.pop_front();
            }
            self.taken.push_back(number);
        }
        self.give_way(now, &mut written.asked);
        written
    }

    /// The oldest logs that are over give way to newer ones.
    fn give_way(&mut self, now: Instant, asked: &mut Vec<Operation>) {
        while let Some((_, _, bytes, since)) = self.over.front() {
            let is_gone = now.saturating_duration_since(*since) > self.bounds.age;
            if !is_gone && self.over_bytes <= self.bounds.bytes && self.over.len() <= MOST_LOGS {
                return;
            }
            self.over_bytes -= bytes;
            let Some((name, entries, ..)) = self.over.pop_front() else { return };
            if !is_gone {
                asked.push(self.shared.end_of(&name, entries + 1, 1, AT_ONCE));
            }
        }
    }

    /// A client reads a stream at another process.
    pub(super) fn read_elsewhere(&mut self, number: u64) -> Option<Operation> {
        let log = self.streams.get_mut(&number)?;
        log.is_read_elsewhere = true;
        Some(word_of(&log.name))
    }
}

/// Word that there is more of a log.
fn word_of(name: &str) -> Operation {
    Operation::Publish { channel: name.into(), data: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGE: Duration = Duration::from_secs(60);

    /// The logs, the events, and whether the last write ended the stream early.
    #[derive(Debug)]
    struct Streams(Mutex<(Logs, EventStore<()>, Option<Duration>)>);

    impl Logged for Streams {
        fn next_entry(&self, number: u64) -> Option<(Operation, usize)> {
            let inside = &mut *lock(&self.0);
            inside.0.next_entry(number, &inside.1, Instant::now())
        }

        fn entry_written(&self, number: u64, outcome: &StoreOutcome) -> Vec<Operation> {
            let inside = &mut *lock(&self.0);
            let written = inside.0.entry_written(number, outcome, Instant::now());
            inside.2 = written.early;
            written.asked
        }

        fn read_elsewhere(&self, number: u64) -> Option<Operation> {
            lock(&self.0).0.read_elsewhere(number)
        }
    }

    fn streams(shared: &Arc<SharedEvents>, events: usize, bytes: usize) -> Arc<Streams> {
        Arc::new_cyclic(|this: &Weak<Streams>| {
            let this: Weak<dyn Logged> = this.clone();
            let bounds = LogBounds { events, bytes, age: AGE, open: AGE };
            let logs = Logs::new(this, "events/s/".into(), Arc::clone(shared), bounds);
            Streams(Mutex::new((logs, EventStore::new(1000, 1 << 24, AGE), None)))
        })
    }

    impl Streams {
        fn begin(&self, number: u64) {
            let logs = &mut lock(&self.0).0;
            logs.add(number, vec!["7".into()], Instant::now());
            logs.begin(number, (0, 0), Instant::now());
        }

        fn push(&self, stream: u64, place: u64, bytes: usize) {
            let inside = &mut *lock(&self.0);
            let (id, frame) = (EventId { stream, place }, vec![b'x'; bytes]);
            inside.1.keep(id, frame.clone(), (), Instant::now());
            inside.0.pushed(id, &frame, false);
        }
    }

    fn of(operation: &Operation) -> (&str, u64, u32, Entry<'_>) {
        let Operation::Append { stream, entry, place, most, .. } = operation else { panic!("{operation:?}") };
        (stream, *place, *most, Entry::read(entry).expect("an entry"))
    }

    fn done(shared: &SharedEvents, entry: Underway) -> Vec<Operation> {
        shared.written(entry, &StoreOutcome::of(StoreStatus::Done))
    }

    fn shared(most: usize) -> Arc<SharedEvents> {
        Arc::new(SharedEvents::new("p".into(), most))
    }

    #[test]
    fn an_entry_is_read_as_it_was_written_and_what_is_cut_is_not() {
        let events: Vec<&[u8]> = vec![b"{\"a\":1}", b"", b"\n"];
        let entry = Entry { by: "p".into(), from: 3, events, open: vec!["\"a\\n\"".into()], ends: true };
        let text = entry.text();
        assert_eq!(Entry::read(&text), Some(entry));
        for length in 0..text.len() {
            assert_eq!(Entry::read(&text[..length]), None, "{length}");
        }
        assert_eq!(Entry::read(b"{\"form\":2}\n"), None);
    }

    #[test]
    fn what_is_under_way_to_a_store_and_what_stays_there_has_a_bound() {
        let shared = shared(1 << 20);
        let all: Vec<_> = (0..40).map(|_| streams(&shared, 100, 1 << 20)).collect();
        for streams in &all {
            for number in 1..=4 {
                streams.begin(number);
                streams.push(number, 1, 100_000);
            }
        }
        let mut underway = shared.entries();
        let bytes =
            |underway: &[(Underway, Operation)]| -> usize { underway.iter().map(|(it, _)| it.bytes).sum() };
        assert!((1 << 20..2 << 20).contains(&bytes(&underway)), "{}", bytes(&underway));
        let of_first = underway.iter().filter(|(_, operation)| of(operation).0 == "events/s/1").count();
        assert!(of_first >= 5, "a session does not take the room of the others: {of_first}");
        // All is written in the end.
        let mut written = 0;
        while let Some((entry, _)) = underway.pop() {
            written += 1;
            assert!(done(&shared, entry).is_empty());
            underway.extend(shared.entries());
            assert!(bytes(&underway) < 2 << 20);
        }
        assert_eq!((written, lock(&shared.inside).bytes), (160, 0));
        // In the store the newest stay, of one stream and of those that are over.
        let one = streams(&shared, 3, 1 << 20);
        one.begin(1);
        for place in 1..=6 {
            one.push(1, place, 10);
            for (entry, append) in shared.entries() {
                assert_eq!(
                    (of(&append).1, of(&append).2),
                    (place, u32::try_from(place.min(3)).expect("small"))
                );
                done(&shared, entry);
            }
        }
        let many = streams(&shared, 100, 250_000);
        let mut dropped = Vec::new();
        for number in 1..=5 {
            many.begin(number);
            many.push(number, 1, 100_000);
            lock(&many.0).0.finish(number);
            for (entry, _) in shared.entries() {
                dropped.extend(done(&shared, entry));
            }
        }
        let dropped: Vec<_> =
            dropped.iter().map(|append| (of(append).0.to_owned(), of(append).3.from)).collect();
        let gone = |number: u64| (format!("events/s/{number}"), u64::MAX);
        assert_eq!(dropped, [gone(1), gone(2), gone(3)], "the oldest give way");
    }

    #[test]
    fn a_stream_ends_early_at_once_while_the_store_is_away_and_not_for_a_client_that_left() {
        const RETRY: Duration = Duration::from_secs(2);
        let shared = shared(1 << 20);
        let one = streams(&shared, 100, 1 << 20);
        one.begin(1);
        one.push(1, 1, 10);
        let ends_early = || lock(&one.0).0.ends_early(1, RETRY);
        let underway = || shared.entries().pop().expect("an entry").0;
        let written = |entry: Underway, status: StoreStatus| {
            shared.written(entry, &StoreOutcome::of(status));
            lock(&one.0).2
        };
        // It waits for the entry that is under way, but not for a store that is away.
        let entry = underway();
        assert!(ends_early());
        assert_eq!(written(entry, StoreStatus::Unavailable), Some(RETRY));
        assert!(!ends_early(), "nothing would end it");
        // The store is back, and the client leaves before the entry is written.
        shared.try_again();
        let entry = underway();
        assert!(ends_early());
        lock(&one.0).0.left(1);
        assert_eq!(written(entry, StoreStatus::Done), None);
    }

    #[test]
    fn what_was_not_taken_is_written_again_and_nothing_behind_the_end_of_another() {
        let shared = shared(1 << 20);
        let one = streams(&shared, 100, 1 << 20);
        one.begin(1);
        one.push(1, 1, 10);
        let (entry, first) = shared.entries().pop().expect("an entry");
        shared.written(entry, &StoreOutcome::of(StoreStatus::PerhapsDone));
        one.push(1, 2, 10);
        assert!(shared.entries().is_empty(), "not before the store may take it");
        shared.try_again();
        let (entry, second) = shared.entries().pop().expect("an entry");
        assert_eq!((of(&second).1, of(&second).3.events.len()), (1, 2));
        // The first attempt was done after all: what it has not follows.
        let Operation::Append { entry: there, .. } = first else { panic!("an append") };
        let conflict = |value: Vec<u8>, version| StoreOutcome {
            value: Some(value),
            version,
            ..StoreOutcome::of(StoreStatus::Conflict)
        };
        shared.written(entry, &conflict(there, 1));
        let (entry, third) = shared.entries().pop().expect("an entry");
        assert_eq!((of(&third).1, of(&third).3.from, of(&third).3.events.len()), (2, 2, 1));
        // Another process has taken this one for gone.
        let events = Vec::new();
        let end = Entry { by: "q".into(), from: 2, events, open: vec!["7".into()], ends: true };
        shared.written(entry, &conflict(end.text(), 2));
        one.push(1, 3, 10);
        assert!(shared.entries().is_empty() && lock(&one.0).0.is_taken(1));
    }
}
