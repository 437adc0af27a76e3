//! The port: what a server asks of a store, whatever makes the store. It seals what goes out and opens what comes in, gives each
//! operation one end within the time of the store, and drops and counts what comes later.

use super::Purpose;
use crate::engine::seal::KeyRing;
use crate::engine::server::{Expected, Operation, STORE_VALUE_BYTES, StoreOutcome, StoreStatus};
use crate::engine::{Error, Status};
use crate::runtime::{clock, lock};
use crate::sorted::SortedMap;
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

/// Operations that a store has not answered. One more is not begun.
pub(crate) const MOST_OPEN: usize = 10_000;
/// The longest text that says what a store is.
const GENERATION_BYTES: usize = 200;

/// What a sealed value is, which is its first byte: what is kept under a key, a message of a channel, an entry that may stand at any place
/// of its stream, or one that is good at one place only. Who can write to the store makes none into another.
const KEPT: u8 = 1;
const MESSAGE: u8 = 2;
const ENTRY: u8 = 3;
const PLACED: u8 = 4;
/// What stands before it: what it is, the process that wrote it, and the number of the value.
const WRITER: usize = 16;
const HEAD: usize = 1 + WRITER + size_of::<u64>();
/// What sealing adds: the head, a salt and a tag.
const ADDED: usize = HEAD + KeyRing::ADDED;

/// What makes a store. No function waits. The port holds no lock meanwhile and calls `begin`, `watch` and `unwatch` one at a time.
pub(crate) trait Adapter: Send + Sync {
    /// A server uses it, with names that begin so.
    ///
    /// # Errors
    /// What the system lacks.
    fn bound(&self, port: Weak<Port>, prefix: &str, timeout: Duration) -> Result<(), Error> {
        let _not_needed = (port, prefix, timeout);
        Ok(())
    }

    /// Begins an operation, whose names are whole. It ends by [`Call::done`], also inside this function.
    ///
    /// # Errors
    /// It was not begun: why.
    fn begin(&self, call: &Arc<Call>) -> Result<(), StoreStatus>;

    /// From now on messages of a channel go to [`Watch::event`]; [`Watch::missed`] comes once the watch has begun.
    ///
    /// # Errors
    /// It was not begun: why.
    fn watch(&self, watch: &Arc<Watch>) -> Result<(), StoreStatus>;

    /// That ends.
    fn unwatch(&self, watch: &Arc<Watch>);

    /// An operation has ended. When it `is_late`, its time is over, and an answer is waited for no longer.
    fn ended(&self, call: &Arc<Call>, is_late: bool);
}

/// Whose operations they are.
pub(crate) trait StoreUser: Send + Sync {
    /// The end of an operation.
    fn stored(&self, purpose: Purpose, outcome: StoreOutcome);
    /// A message of a channel; `None` when some may have been missed.
    fn event(&self, channel: &str, data: Option<&[u8]>);
    /// The store can be asked, and what it is; or it cannot, and why.
    fn ready(&self, is: Result<&str, &str>);
}

/// What a server says of its use of a store.
pub(crate) struct Bound {
    pub(crate) user: Box<dyn StoreUser>,
    /// What keys of this server begin with: the braces keep those of one space on one shard.
    pub(crate) prefix: String,
    pub(crate) ring: KeyRing,
    /// How long an answer may take.
    pub(crate) timeout: Duration,
}

struct InUse {
    user: Box<dyn StoreUser>,
    prefix: String,
    ring: Mutex<KeyRing>,
    timeout: Duration,
    writer: [u8; WRITER],
    written: AtomicU64,
}

/// A store, and what was asked of it.
pub(crate) struct Port {
    this: Weak<Port>,
    adapter: Box<dyn Adapter>,
    in_use: OnceLock<InUse>,
    inside: Mutex<Inside>,
    late: AtomicU64,
}

#[derive(Default)]
struct Inside {
    generation: Option<Box<str>>,
    is_ready: bool,
    /// Why it cannot be asked, once that was told.
    away: Option<Box<str>>,
    steps: VecDeque<Step>,
    /// A thread takes the steps.
    is_taken: bool,
    /// The server has the store, and is told of it from now on.
    is_used: bool,
    /// Those that the store has, by the time until which they are waited for.
    open: SortedMap<(Instant, u64), Arc<Call>>,
    /// Those that are perhaps done, and begin once more when the store is ready.
    again: Vec<(Purpose, Arc<Call>)>,
    watches: SortedMap<Box<str>, Arc<Watch>>,
    next: u64,
}

impl Inside {
    /// Whether the store can be asked, where that was told.
    fn known(&self) -> Option<Is> {
        match (&self.generation, &self.away) {
            (Some(generation), _) if self.is_ready => Some(Ok(generation.clone())),
            (_, Some(why)) => Some(Err(why.clone())),
            _ => None,
        }
    }
}

/// What a store is, or why it cannot be asked.
type Is = Result<Box<str>, Box<str>>;

/// What is to be done without the lock, in this order.
enum Step {
    Tell(Is),
    Begin(Purpose, Operation),
    Again(Purpose, Arc<Call>),
    Late(Arc<Call>),
    End(Purpose, StoreOutcome),
}

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Port").finish_non_exhaustive()
    }
}

impl Port {
    /// A store that an adapter makes.
    #[cfg(any(test, feature = "redis"))]
    pub(crate) fn new(adapter: Box<dyn Adapter>) -> Arc<Port> {
        Port::with(|_| adapter)
    }

    /// The same, where the adapter knows it.
    pub(crate) fn with(adapter: impl FnOnce(&Weak<Port>) -> Box<dyn Adapter>) -> Arc<Port> {
        Arc::new_cyclic(|this| Port {
            this: Weak::clone(this),
            adapter: adapter(this),
            in_use: OnceLock::new(),
            inside: Mutex::default(),
            late: AtomicU64::new(0),
        })
    }

    /// Gives it to a server, which calls `begin_use` next.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when one does already; `INTERNAL` when the system gives no random numbers.
    pub(crate) fn bind(&self, bound: Bound) -> Result<(), Error> {
        let Bound { user, prefix, mut ring, timeout } = bound;
        let mut writer = [0; WRITER];
        if !ring.random(&mut writer) {
            return Err(Error::new(
                Status::Internal,
                "server_set_store",
                "the system gives no random numbers",
            ));
        }
        let ring = Mutex::new(ring);
        let in_use = InUse { user, prefix, ring, timeout, writer, written: AtomicU64::new(0) };
        if self.in_use.set(in_use).is_err() {
            return Err(Error::new(
                Status::InvalidArgument,
                "server_set_store",
                "store: a server uses it already",
            ));
        }
        Ok(())
    }

    /// Tells the server what is known of the store so far, and has the adapter begin. The server has the store by now.
    ///
    /// # Errors
    /// `INTERNAL` when the system lacks something.
    pub(crate) fn begin_use(&self) -> Result<(), Error> {
        let Some(by) = self.in_use.get() else { return Ok(()) };
        let mut inside = lock(&self.inside);
        inside.is_used = true;
        if let Some(is) = inside.known() {
            inside.steps.push_front(Step::Tell(is));
        }
        drop(inside);
        self.take_steps();
        self.adapter.bound(Weak::clone(&self.this), &by.prefix, by.timeout)
    }

    /// Operations that are not answered.
    pub(crate) fn open(&self) -> usize {
        let inside = lock(&self.inside);
        inside.open.len() + inside.again.len()
    }

    /// Answers that came too late, or twice.
    pub(crate) fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }

    pub(crate) fn count_late(&self) {
        self.late.fetch_add(1, Ordering::Relaxed);
    }

    /// What the store is, while it can be asked.
    pub(crate) fn generation(&self) -> Option<Box<str>> {
        let inside = lock(&self.inside);
        inside.generation.clone().filter(|_| inside.is_ready)
    }

    /// What the store was when it could be asked last.
    pub(crate) fn last_generation(&self) -> Option<Box<str>> {
        lock(&self.inside).generation.clone()
    }

    /// A text that only processes of this server can make: that the store was of this generation.
    #[cfg(feature = "auth")]
    pub(crate) fn nonce(&self, generation: &str) -> Option<String> {
        let by = self.in_use.get()?;
        lock(&by.ring).seal(generation.as_bytes(), &by.nonce_binding())
    }

    /// The generation of which such a text says that.
    #[cfg(feature = "auth")]
    pub(crate) fn generation_of(&self, nonce: &str) -> Option<String> {
        let by = self.in_use.get()?;
        let opened = lock(&by.ring).open(nonce, &by.nonce_binding())?;
        String::from_utf8(opened).ok()
    }

    /// Until when the first operation is waited for.
    pub(crate) fn due(&self) -> Option<Instant> {
        let inside = lock(&self.inside);
        let again = inside.again.iter().map(|(_, call)| call.until).min();
        inside.open.keys().next().map(|(until, _)| *until).into_iter().chain(again).min()
    }

    /// Asks the store. Never with a lock of the server: what is known at once is told inside this function.
    pub(crate) fn start(&self, operations: impl IntoIterator<Item = (Purpose, Operation)>) {
        let steps = operations.into_iter().map(|(purpose, operation)| Step::Begin(purpose, operation));
        lock(&self.inside).steps.extend(steps);
        self.take_steps();
    }

    /// Ends what has waited for too long.
    pub(crate) fn tick(&self, now: Instant) {
        let mut inside = lock(&self.inside);
        while inside.open.first_key_value().is_some_and(|((until, _), _)| *until <= now) {
            let Some((_, call)) = inside.open.pop_first() else { break };
            inside.steps.push_back(Step::Late(call));
        }
        let again = std::mem::take(&mut inside.again);
        let (late, again) = again.into_iter().partition(|(_, call)| call.until <= now);
        inside.again = again;
        inside.steps.extend(ended(late));
        drop(inside);
        self.take_steps();
    }

    /// The store can be asked. Another generation from when it may have forgotten what it has acknowledged.
    pub(crate) fn ready(&self, generation: &str) -> bool {
        if generation.is_empty() || generation.len() > GENERATION_BYTES {
            return false;
        }
        let mut inside = lock(&self.inside);
        let is_same = inside.generation.as_deref() == Some(generation);
        inside.generation = Some(generation.into());
        inside.is_ready = true;
        inside.away = None;
        if inside.is_used {
            inside.steps.push_back(Step::Tell(Ok(generation.into())));
        }
        let again = std::mem::take(&mut inside.again);
        if is_same {
            inside.steps.extend(again.into_iter().map(|(purpose, call)| Step::Again(purpose, call)));
        } else {
            // What another store has done of it is not known.
            inside.steps.extend(ended(again));
        }
        drop(inside);
        self.take_steps();
        true
    }

    /// The store cannot be asked until it is ready again.
    pub(crate) fn lost(&self, why: &str) {
        let mut inside = lock(&self.inside);
        inside.is_ready = false;
        let is_known = inside.away.replace(why.into()).is_some();
        if !is_known && inside.is_used {
            inside.steps.push_back(Step::Tell(Err(why.into())));
        }
        drop(inside);
        self.take_steps();
    }

    /// One thread takes all steps: what is begun inside the end of another one is begun after it, so that no stack grows with their number.
    fn take_steps(&self) {
        let Some(by) = self.in_use.get() else { return };
        let mut inside = lock(&self.inside);
        if std::mem::replace(&mut inside.is_taken, true) {
            return;
        }
        let mut taking = Taking { port: self, is_over: false };
        while let Some(step) = inside.steps.pop_front() {
            drop(inside);
            match step {
                // In the order in which it came about: what was told last is so.
                Step::Tell(is) => by.user.ready(is.as_deref().map_err(|why| &**why)),
                Step::Begin(purpose, operation) => self.begin(by, purpose, operation),
                Step::Again(purpose, call) => {
                    self.begin_call(purpose, call.operation.clone(), call.until, true);
                }
                Step::Late(call) => {
                    if let Some(open) = lock(&call.open).take() {
                        self.adapter.ended(&call, true);
                        by.user.stored(open.purpose, StoreOutcome::of(unanswered(&call.operation)));
                    }
                }
                Step::End(purpose, outcome) => by.user.stored(purpose, outcome),
            }
            inside = lock(&self.inside);
        }
        // Under the lock: a step that comes now is taken by the thread that brings it.
        inside.is_taken = false;
        taking.is_over = true;
    }

    fn begin(&self, by: &InUse, purpose: Purpose, operation: Operation) {
        match self.prepared(by, operation) {
            Ok(operation) => self.begin_call(purpose, operation, clock::now() + by.timeout, false),
            Err(status) => by.user.stored(purpose, StoreOutcome::of(status)),
        }
    }

    /// The operation as the store gets it: with whole names and sealed values. Watches are begun and ended here.
    fn prepared(&self, by: &InUse, operation: Operation) -> Result<Operation, StoreStatus> {
        let whole = |name: &str| -> Box<str> { format!("{}{name}", by.prefix).into() };
        Ok(match operation {
            Operation::Get { key } => Operation::Get { key: whole(&key) },
            Operation::Put { key, value, expected, life } => {
                let key = whole(&key);
                let value = value.map(|value| by.sealed(KEPT, &key, 0, &value)).transpose()?;
                Operation::Put { key, value, expected, life }
            }
            Operation::Append { stream, entry, place, most, life } => {
                let stream = whole(&stream);
                let form = if place == 0 { ENTRY } else { PLACED };
                let entry = by.sealed(form, &stream, place, &entry)?;
                Operation::Append { stream, entry, place, most, life }
            }
            Operation::Read { stream, after, most, bytes } => {
                Operation::Read { stream: whole(&stream), after, most, bytes }
            }
            Operation::Publish { channel, data } => {
                let channel = whole(&channel);
                let data = by.sealed(MESSAGE, &channel, 0, &data)?;
                Operation::Publish { channel, data }
            }
            Operation::Watch { channel } => {
                let watch = Arc::new(Watch {
                    port: Weak::clone(&self.this),
                    whole: whole(&channel),
                    channel: channel.clone(),
                    mark: AtomicUsize::new(0),
                });
                if lock(&self.inside).watches.contains_key(&channel) {
                    return Err(StoreStatus::Done);
                }
                lock(&self.inside).watches.insert(channel.clone(), Arc::clone(&watch));
                let begun = self.adapter.watch(&watch);
                if begun.is_err() {
                    lock(&self.inside).watches.remove(&channel);
                }
                return Err(begun.err().unwrap_or(StoreStatus::Done));
            }
            Operation::Unwatch { channel } => {
                let watch = lock(&self.inside).watches.remove(&channel);
                if let Some(watch) = watch {
                    self.adapter.unwatch(&watch);
                }
                return Err(StoreStatus::Done);
            }
        })
    }

    fn begin_call(&self, purpose: Purpose, operation: Operation, until: Instant, is_repeat: bool) {
        let mut inside = lock(&self.inside);
        inside.next += 1;
        let number = inside.next;
        let can_begin = inside.is_ready && inside.open.len() < MOST_OPEN;
        let open = Open { purpose, value: None, entries: Vec::new(), bytes: 0, is_too_much: false };
        let call = Arc::new(Call {
            port: Weak::clone(&self.this),
            number,
            until,
            operation,
            is_repeat,
            open: Mutex::new(Some(open)),
            mark: AtomicUsize::new(0),
        });
        if can_begin {
            inside.open.insert((until, number), Arc::clone(&call));
        }
        drop(inside);
        let begun = if can_begin { self.adapter.begin(&call) } else { Err(StoreStatus::Unavailable) };
        if let Err(status) = begun {
            // The first attempt may have done it.
            let status = if is_repeat { unanswered(&call.operation) } else { status };
            call.done(status, 0, 0);
        }
    }

    /// The store has answered.
    fn answered(&self, call: &Arc<Call>, open: Open, answer: (StoreStatus, u64, u64)) {
        let Some(by) = self.in_use.get() else { return };
        let (mut status, version, unix_ms) = answer;
        let Open { purpose, value, entries, is_too_much, .. } = open;
        let mut inside = lock(&self.inside);
        inside.open.remove(&(call.until, call.number));
        if status == StoreStatus::PerhapsDone && !call.is_repeat && may_repeat(&call.operation) {
            if inside.is_ready {
                inside.steps.push_back(Step::Again(purpose, Arc::clone(call)));
            } else {
                inside.again.push((purpose, Arc::clone(call)));
            }
            drop(inside);
            self.adapter.ended(call, false);
            return self.take_steps();
        }
        drop(inside);
        self.adapter.ended(call, false);
        let (name, written) = name_and_value(&call.operation);
        if status == StoreStatus::Conflict && call.is_repeat {
            status = match (&value, written) {
                // It was done at the first attempt.
                (Some(there), Some(ours)) if there.0.get(..HEAD) == ours.get(..HEAD) => StoreStatus::Done,
                _ => StoreStatus::PerhapsDone,
            };
        }
        let mut outcome = StoreOutcome { version, unix_ms, ..StoreOutcome::of(status) };
        let forms = forms_of(&call.operation);
        let opened = by.opened(forms, name, value, entries).filter(|_| !is_too_much);
        match opened {
            Some((value, entries)) if !matches!(status, StoreStatus::Unavailable) => {
                if let Some((value, version)) = value {
                    outcome.value = Some(value).filter(|_| status != StoreStatus::Done || written.is_none());
                    outcome.version = version;
                }
                outcome.entries = entries;
            }
            Some(_) => {}
            // Another form, another key, or another place: it is left as it is.
            None => outcome = StoreOutcome::of(StoreStatus::Unavailable),
        }
        by.user.stored(purpose, outcome);
    }
}

/// Gives the steps free for other threads when an adapter unwinds.
struct Taking<'a> {
    port: &'a Port,
    is_over: bool,
}

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            lock(&self.port.inside).is_taken = false;
        }
    }
}

/// Those of which it is not known whether the store has done them.
fn ended(calls: Vec<(Purpose, Arc<Call>)>) -> impl Iterator<Item = Step> {
    calls.into_iter().map(|(purpose, call)| Step::End(purpose, StoreOutcome::of(unanswered(&call.operation))))
}

/// What an operation has come to that was begun and not answered.
fn unanswered(operation: &Operation) -> StoreStatus {
    match operation {
        Operation::Get { .. } | Operation::Read { .. } => StoreStatus::Unavailable,
        _ => StoreStatus::PerhapsDone,
    }
}

/// Whether an operation may begin once more when it was perhaps done.
fn may_repeat(operation: &Operation) -> bool {
    match operation {
        Operation::Get { .. } | Operation::Read { .. } => true,
        Operation::Put { expected, .. } => *expected != Expected::Any,
        // Of the next place it would be there twice.
        Operation::Append { place, .. } => *place != 0,
        _ => false,
    }
}

/// What a value is bound to, and the value that is written.
fn name_and_value(operation: &Operation) -> (&str, Option<&[u8]>) {
    match operation {
        Operation::Get { key } => (key, None),
        Operation::Put { key, value, .. } => (key, Some(value.as_deref().unwrap_or_default())),
        Operation::Append { stream, entry, .. } => (stream, Some(entry)),
        Operation::Read { stream, .. } => (stream, None),
        Operation::Publish { channel, data } => (channel, Some(data)),
        Operation::Watch { channel } | Operation::Unwatch { channel } => (channel, None),
    }
}

/// What a store may give for an operation.
fn forms_of(operation: &Operation) -> &'static [u8] {
    match operation {
        Operation::Append { .. } | Operation::Read { .. } => &[ENTRY, PLACED],
        _ => &[KEPT],
    }
}

type Opened = (Option<(Vec<u8>, u64)>, Vec<(u64, Vec<u8>)>);

/// What a value is bound to: its head, its name and, where it is good at one only, its place.
fn bound_to(head: &[u8], name: &str, place: u64) -> Vec<u8> {
    let place = place.to_be_bytes();
    let place: &[u8] = if head.first() == Some(&PLACED) { &place } else { &[] };
    [head, name.as_bytes(), place].concat()
}

impl InUse {
    /// A value as the store gets it, bound to what and where it is. The head says who wrote it, so that a process knows its own.
    fn sealed(&self, form: u8, name: &str, place: u64, value: &[u8]) -> Result<Vec<u8>, StoreStatus> {
        if value.len() + ADDED > STORE_VALUE_BYTES {
            return Err(StoreStatus::TooLarge);
        }
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let mut sealed = Vec::with_capacity(value.len() + ADDED);
        sealed.push(form);
        sealed.extend_from_slice(&self.writer);
        sealed.extend_from_slice(&number.to_be_bytes());
        let bound = bound_to(&sealed, name, place);
        let body = lock(&self.ring).seal_bytes(value, &bound).ok_or(StoreStatus::Unavailable)?;
        sealed.extend_from_slice(&body);
        Ok(sealed)
    }

    #[cfg(feature = "auth")]
    fn nonce_binding(&self) -> Vec<u8> {
        [b"nonce of ", self.prefix.as_bytes()].concat()
    }

    fn open(&self, forms: &[u8], name: &str, place: u64, sealed: &[u8]) -> Option<Vec<u8>> {
        let (head, body) = sealed.split_at_checked(HEAD)?;
        head.first().filter(|form| forms.contains(form))?;
        lock(&self.ring).open_bytes(body, &bound_to(head, name, place))
    }

    /// What a store gave; `None` when some of it cannot be opened.
    fn opened(
        &self,
        forms: &[u8],
        name: &str,
        value: Option<(Vec<u8>, u64)>,
        entries: Vec<(u64, Vec<u8>)>,
    ) -> Option<Opened> {
        let value = match value {
            // Of an entry the version is its place.
            Some((value, version)) => Some((self.open(forms, name, version, &value)?, version)),
            None => None,
        };
        let open = |(place, entry): (u64, Vec<u8>)| Some((place, self.open(forms, name, place, &entry)?));
        Some((value, entries.into_iter().map(open).collect::<Option<_>>()?))
    }
}

/// One operation that a store has.
pub(crate) struct Call {
    port: Weak<Port>,
    number: u64,
    until: Instant,
    operation: Operation,
    is_repeat: bool,
    open: Mutex<Option<Open>>,
    /// A number that the adapter gives it.
    pub(crate) mark: AtomicUsize,
}

/// What has come of an operation so far.
struct Open {
    purpose: Purpose,
    value: Option<(Vec<u8>, u64)>,
    entries: Vec<(u64, Vec<u8>)>,
    bytes: usize,
    is_too_much: bool,
}

impl Call {
    /// The store that has it.
    pub(crate) fn port(&self) -> &Weak<Port> {
        &self.port
    }

    /// What is to be done.
    pub(crate) fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Until when the answer is waited for.
    #[cfg(feature = "redis")]
    pub(crate) fn until(&self) -> Instant {
        self.until
    }

    /// What is there under the key. `false` when the operation has ended.
    pub(crate) fn found(&self, value: &[u8], version: u64) -> bool {
        let mut open = lock(&self.open);
        let Some(open) = open.as_mut() else { return false };
        match value.len() <= STORE_VALUE_BYTES {
            true => open.value = Some((value.to_vec(), version)),
            false => open.is_too_much = true,
        }
        true
    }

    /// The next entry of the stream. `false` when the operation has ended.
    pub(crate) fn entry(&self, place: u64, entry: &[u8]) -> bool {
        let mut open = lock(&self.open);
        let Some(open) = open.as_mut() else { return false };
        let Operation::Read { most, bytes, after, .. } = &self.operation else { return false };
        let last = open.entries.last().map_or(*after, |(place, _)| *place);
        let is_full = open.entries.len() >= usize::try_from(*most).unwrap_or(usize::MAX)
            || !open.entries.is_empty() && open.bytes.saturating_add(entry.len()) > *bytes;
        if is_full || entry.len() > STORE_VALUE_BYTES || place <= last {
            open.is_too_much |= !is_full;
        } else {
            open.bytes += entry.len();
            open.entries.push((place, entry.to_vec()));
        }
        true
    }

    /// The end of the operation. `false` when it has ended already: this answer is dropped and counted.
    pub(crate) fn done(self: &Arc<Call>, status: StoreStatus, version: u64, unix_ms: u64) -> bool {
        let Some(port) = self.port.upgrade() else { return false };
        let Some(open) = lock(&self.open).take() else {
            port.count_late();
            return false;
        };
        port.answered(self, open, (status, version, unix_ms));
        true
    }
}

/// A channel that is watched.
pub(crate) struct Watch {
    port: Weak<Port>,
    channel: Box<str>,
    whole: Box<str>,
    /// A number that the adapter gives it.
    pub(crate) mark: AtomicUsize,
}

impl Watch {
    /// The whole name of the channel.
    pub(crate) fn whole_name(&self) -> &str {
        &self.whole
    }

    /// A message. What no process of this server has sealed for this channel is dropped.
    pub(crate) fn event(&self, data: &[u8]) {
        let Some(port) = self.port.upgrade() else { return };
        let Some(by) = port.in_use.get() else { return };
        if let Some(data) = by.open(&[MESSAGE], &self.whole, 0, data) {
            by.user.event(&self.channel, Some(&data));
        }
    }

    /// Messages may have been missed, or the watch begins.
    pub(crate) fn missed(&self) {
        let Some(port) = self.port.upgrade() else { return };
        if let Some(by) = port.in_use.get() {
            by.user.event(&self.channel, None);
        }
    }
}
