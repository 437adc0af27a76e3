//! Where messages for the application arrive: bounded, waited on by threads or through a descriptor.
//!
//! Outcomes and requests are owed and never dropped. What becomes of droppable messages (notifications, progress, states, log lines) when
//! the queue is full is the application's choice; where something is dropped, one LOST message says how many.
//!
//! [`Queue`] is in this file.
//!
//! * `lanes`: `Lanes`: what waits, of each client and server by turns
//! * `limits`: `QueueLimits`: the bounds and their defaults
//! * `wake_state`: `WakeState`: what a signal handler may touch; `HostSet`: what a loop of the host's watches

mod lanes;
mod limits;
#[cfg(test)]
mod tests;
pub(crate) mod wake_state;

pub(crate) use limits::{Attention, QueueWatch, Take};
pub use limits::{Overflow, QueueLimits};
pub use wake_state::WakeState;

use super::message::{Kind, Message};
use super::sync::atomic::{AtomicUsize, Ordering};
use super::sync::{Mutex, MutexGuard, lock};
use super::waiter::{Arrival, Waiter};
use crate::engine::Error;
use crate::protocol::method::Topic;
use crate::sorted::SortedSet;
use lanes::Lanes;
#[cfg(feature = "server")]
use lanes::RequestHolder;
use limits::{READ_BYTES, READ_MESSAGES};
use std::sync::{Arc, Weak};
use wake_state::{HostSet, Shown};

/// What a full queue holds up.
pub(crate) trait Resume: Send + Sync {
    /// There is room again.
    fn resume(&self);
}

/// What a look into the queue gave.
#[derive(Debug)]
pub(crate) enum Look {
    Message(Message),
    Woken,
    Closed,
    Nothing,
}

/// Called once each time the queue turns non-empty, on a thread of the library's.
pub type Ready = Arc<dyn Fn() + Send + Sync>;

struct Inside {
    /// What waits, each with its place in the order of arrival.
    waiting: Lanes,
    next: u64,
    bytes: usize,
    /// How many were lost, and before which place in the order of arrival.
    lost: u64,
    lost_before: u64,
    /// Connections that are not read because the queue is full.
    paused: Vec<Weak<dyn Resume>>,
    /// The changes of lists that wait: another one that says the same while one waits says nothing more.
    changes: SortedSet<Change>,
    closed: bool,
    /// An application that takes notifications only has seen that none is left: the descriptor is readable again when a
    /// message arrives, or is taken by a look for all.
    is_passed_over: bool,
    waiters: Vec<Arc<Waiter>>,
    /// Threads that read connections and look then: the descriptor is not set meanwhile.
    lookers: usize,
    /// Connections that hold frames back until the host's loop looks: the descriptor is readable till then.
    held_back: Vec<Weak<dyn Shown>>,
    /// How often the host's loop has found nothing.
    turn: u64,
    ready: Option<Ready>,
}

impl Inside {
    /// Nothing waits, and requests have room for so many bytes.
    fn new(bytes: usize) -> Inside {
        Inside {
            waiting: Lanes::new(bytes),
            next: 0,
            bytes: 0,
            lost: 0,
            lost_before: 0,
            paused: Vec::new(),
            changes: SortedSet::new(),
            closed: false,
            is_passed_over: false,
            waiters: Vec::new(),
            lookers: 0,
            held_back: Vec::new(),
            turn: 0,
            ready: None,
        }
    }

    /// A message that may be dropped has left the queue.
    fn left(&mut self, message: &Message) {
        if !self.changes.is_empty()
            && let Some(change) = change(message)
        {
            self.changes.remove(&change);
        }
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.lost == 0
    }
}

/// Whose list has changed, which one, and what else the notification says.
type Change = (u64, i32, Box<str>);

/// Longer parameters than this are rare, and would be held twice.
const CHANGE_BYTES: usize = 256;

/// What a notification that a list has changed says; `None` for every other message.
fn change(message: &Message) -> Option<Change> {
    if message.kind() != Kind::Notification || message.json().len() > CHANGE_BYTES {
        return None;
    }
    match message.topic() {
        topic @ (Topic::ToolsChanged | Topic::ResourcesChanged | Topic::PromptsChanged) => {
            Some((message.client(), topic as i32, message.json().into()))
        }
        _ => None,
    }
}

/// A queue of messages.
pub struct Queue {
    limits: QueueLimits,
    inside: Mutex<Inside>,
    /// Changed without the lock: a signal handler may interrupt a thread that holds it.
    wake_state: Arc<WakeState>,
    /// Clients that deliver to it.
    clients: AtomicUsize,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Queue {
    /// An empty queue.
    pub fn new(limits: QueueLimits) -> Arc<Queue> {
        Arc::new(Queue {
            limits,
            inside: Mutex::new(Inside::new(limits.bytes)),
            wake_state: Arc::default(),
            clients: AtomicUsize::new(0),
        })
    }

    /// What ends its waits, also from a signal handler.
    pub fn wake_state(&self) -> &Arc<WakeState> {
        &self.wake_state
    }

    /// Its bounds.
    #[cfg(all(feature = "client", feature = "server"))]
    pub(crate) fn limits(&self) -> QueueLimits {
        self.limits
    }

    /// How many clients deliver to it.
    pub fn clients(&self) -> usize {
        self.clients.load(Ordering::Relaxed)
    }

    pub(crate) fn add_client(&self) {
        self.clients.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds a message; `by` is the waiter of the thread that calls this, if it has one. Gives a callback to run (without
    /// any lock held) when the queue turned non-empty.
    pub(crate) fn push(&self, message: Message, by: Option<&Arc<Waiter>>) -> Option<Ready> {
        // Dropped after the lock: a dropped request answers the server, which takes other locks.
        let mut dropped = Vec::new();
        let ready = {
            let mut inside = lock(&self.inside);
            if let Some(change) = change(&message)
                && !inside.changes.insert(change)
            {
                return None;
            }
            let was_empty = inside.is_empty() || std::mem::take(&mut inside.is_passed_over);
            let place = inside.next;
            inside.next += 1;
            inside.bytes += message.bytes();
            let may_drop = message.kind().is_droppable();
            if may_drop && self.limits.overflow == Overflow::DropNewest && self.is_over(&inside, 1) {
                inside.bytes -= message.bytes();
                if inside.lost == 0 {
                    inside.lost_before = place;
                }
                inside.lost += 1;
                inside.left(&message);
                dropped.push(message);
            } else {
                inside.waiting.push(place, message);
            }
            while let Some(too_many) = self.must_drop(&inside) {
                let Some(oldest) = inside.waiting.drop_oldest(too_many) else { break };
                inside.bytes -= oldest.bytes();
                inside.lost += 1;
                inside.lost_before = 0;
                inside.left(&oldest);
                dropped.push(oldest);
            }
            for waiter in &inside.waiters {
                waiter.arrive(Arrival::Look, by);
            }
            self.wake_state.notify();
            if was_empty && inside.lookers == 0 {
                self.wake_state.set();
            }
            if was_empty { inside.ready.clone() } else { None }
        };
        drop(dropped);
        ready
    }

    /// A look has ended although there is more: who hears of changes only hears of them once more. Gives a callback to run as
    /// [`Queue::push`] does.
    #[cfg(feature = "server")]
    pub(crate) fn tell_of_rest(&self) -> Option<Ready> {
        let inside = lock(&self.inside);
        if inside.is_empty() {
            return None;
        }
        if inside.lookers == 0 {
            self.wake_state.set();
        }
        inside.ready.clone()
    }

    /// Takes back a request of a client to a server, if the application has not taken it yet.
    #[cfg(feature = "server")]
    pub(crate) fn take_back(&self, server: u64, request: u64) -> Option<Message> {
        let mut inside = lock(&self.inside);
        let message = inside.waiting.take_back(server, request)?;
        inside.bytes -= message.bytes();
        self.calm(&inside);
        Some(message)
    }

    /// Takes the next message. Not inlined, for there are many looks.
    #[inline(never)]
    pub(crate) fn take(&self, which: Take) -> Look {
        let mut inside = lock(&self.inside);
        if which == Take::All
            && inside.lost > 0
            && inside.waiting.first().is_none_or(|first| inside.lost_before <= first)
        {
            let count = std::mem::take(&mut inside.lost);
            return self.taken(which, inside, Message::lost(count), 0);
        }
        let taken = inside.waiting.pick(which);
        match taken {
            Some(message) => {
                let bytes = message.bytes();
                self.taken(which, inside, message, bytes)
            }
            None if which.may_be_woken() && self.wake_state.take() => {
                self.calm(&inside);
                Look::Woken
            }
            None if inside.closed => Look::Closed,
            None => {
                if which == Take::OnlyNotifications && !inside.is_empty() {
                    inside.is_passed_over = true;
                    self.calm(&inside);
                } else if self.wake_state.is_stale() {
                    self.calm(&inside);
                }
                Look::Nothing
            }
        }
    }

    /// The descriptor is readable only while there is something to take, or a wait is to end.
    fn calm(&self, inside: &Inside) {
        if (inside.is_empty() || inside.is_passed_over) && !inside.closed && inside.held_back.is_empty() {
            self.wake_state.clear();
        }
    }

    fn taken(&self, which: Take, mut inside: MutexGuard<'_, Inside>, message: Message, bytes: usize) -> Look {
        inside.bytes -= bytes;
        inside.left(&message);
        if which == Take::All && std::mem::take(&mut inside.is_passed_over) && !inside.is_empty() {
            self.wake_state.set();
        }
        self.calm(&inside);
        let paused = std::mem::take(&mut inside.paused);
        drop(inside);
        resume(&paused);
        #[cfg(feature = "server")]
        message.taken();
        Look::Message(message)
    }

    pub(crate) fn add_waiter(&self, waiter: &Arc<Waiter>) {
        lock(&self.inside).waiters.push(Arc::clone(waiter));
    }

    pub(crate) fn remove_waiter(&self, waiter: &Arc<Waiter>) {
        let mut inside = lock(&self.inside);
        inside.waiters.retain(|other| !Arc::ptr_eq(other, waiter));
        if self.wake_state.is_requested() {
            // The one that leaves may have been about to take it.
            for waiter in &inside.waiters {
                waiter.arrive(Arrival::Look, None);
            }
        }
    }

    /// Ends one wait in progress, or the next one. Not for a signal handler: that of a shared queue uses its [`WakeState`].
    pub fn wake(&self) {
        self.wake_state.wake();
        // The first of them that looks takes it, unless it is a thread that no wake is meant for.
        for waiter in &lock(&self.inside).waiters {
            waiter.arrive(Arrival::Look, None);
        }
    }

    /// Nothing more will come: waits end once the queue is empty.
    pub(crate) fn close(&self) {
        let mut inside = lock(&self.inside);
        inside.closed = true;
        self.wake_state.set();
        self.wake_state.notify();
        for waiter in &inside.waiters {
            waiter.arrive(Arrival::Look, None);
        }
    }

    /// Drops what waits for a client that is freed.
    pub(crate) fn forget(&self, client: u64) {
        let mut inside = lock(&self.inside);
        let dropped = inside.waiting.forget(client);
        for message in &dropped {
            inside.left(message);
        }
        inside.bytes -= dropped.iter().map(Message::bytes).sum::<usize>();
        self.calm(&inside);
        let paused = std::mem::take(&mut inside.paused);
        drop(inside);
        self.clients.fetch_sub(1, Ordering::Relaxed);
        resume(&paused);
        drop(dropped);
    }

    /// A descriptor that is readable while something waits. Made at the first call, it belongs to the queue.
    ///
    /// # Errors
    /// When no descriptor is left.
    pub fn fd(&self) -> Result<i32, Error> {
        let inside = lock(&self.inside);
        self.wake_state.descriptor(!inside.is_empty() || inside.closed)
    }

    /// Sets (or takes away) what is called when the queue turns non-empty; called at once if it is not empty now.
    pub(crate) fn set_ready(&self, ready: Option<Ready>) -> Option<Ready> {
        let (before, now) = {
            let mut inside = lock(&self.inside);
            let before = std::mem::replace(&mut inside.ready, ready);
            let now = if inside.is_empty() { None } else { inside.ready.clone() };
            (before, now)
        };
        // What it holds is released without the lock.
        drop(before);
        now
    }

    /// Whether the application waits for this queue in a way of its own (descriptor, callback), so that messages must be
    /// fetched without a thread asking for them.
    #[cfg(feature = "server")]
    pub(crate) fn is_watched(&self) -> bool {
        self.watch() != QueueWatch::Not
    }

    /// Who has to be told when there is a message, now.
    pub(crate) fn attention(&self) -> Attention {
        let inside = lock(&self.inside);
        if !inside.waiters.is_empty() || self.wake_state.has_sleepers() || inside.ready.is_some() {
            Attention::Other
        } else if self.host().is_some() {
            Attention::Loop { turn: inside.turn }
        } else {
            Attention::None
        }
    }
}

/// Lets connections go that were held up. If there is still no room they are held up again.
fn resume(paused: &[Weak<dyn Resume>]) {
    for connection in paused.iter().filter_map(Weak::upgrade) {
        connection.resume();
    }
}

impl Queue {
    /// Whether a droppable message must go: because there are too many messages, or else too many bytes.
    fn must_drop(&self, inside: &Inside) -> Option<bool> {
        let (messages, bytes) = match self.limits.overflow {
            Overflow::DropNewest => return None,
            Overflow::DropOldest => (self.limits.messages, self.limits.bytes),
            Overflow::Block => (self.limits.messages + READ_MESSAGES, self.limits.bytes + READ_BYTES),
        };
        let too_many = inside.waiting.len() > messages;
        (too_many || inside.bytes > bytes).then_some(too_many)
    }

    fn is_over(&self, inside: &Inside, more: usize) -> bool {
        inside.waiting.len() + more > self.limits.messages || inside.bytes > self.limits.bytes
    }

    /// Whether a connection is not to be read now. If so it is resumed when there is room.
    pub(crate) fn holds_up(&self, connection: &Weak<dyn Resume>) -> bool {
        if self.limits.overflow != Overflow::Block {
            return false;
        }
        let mut inside = lock(&self.inside);
        if !self.is_over(&inside, 1) {
            return false;
        }
        if !inside.paused.iter().any(|known| Weak::ptr_eq(known, connection)) {
            inside.paused.push(Weak::clone(connection));
        }
        true
    }

    /// Whether droppable messages have to wait until there is room.
    pub(crate) fn is_held_up(&self) -> bool {
        self.limits.overflow == Overflow::Block && self.is_over(&lock(&self.inside), 1)
    }

    /// Whether the outcomes that wait already reach the bound, so that no further call may be started.
    pub(crate) fn is_full(&self) -> bool {
        let inside = lock(&self.inside);
        inside.waiting.owed() >= self.limits.messages || inside.bytes >= self.limits.bytes
    }

    /// Tells a server when something is taken from the queue, unless there is room for one of these requests now: whose each is, and
    /// its bytes. Gives whether it will be told.
    #[cfg(feature = "server")]
    pub(crate) fn tell_when_room(
        &self,
        wanted: &[(RequestHolder, usize)],
        server: &Weak<dyn Resume>,
    ) -> bool {
        let mut inside = lock(&self.inside);
        if wanted.iter().any(|(holder, bytes)| self.has_share(&inside, *holder, *bytes)) {
            return false;
        }
        if !inside.paused.iter().any(|known| Weak::ptr_eq(known, server)) {
            inside.paused.push(Weak::clone(server));
        }
        true
    }

    /// Whether a request could never come in, however empty the queue is.
    #[cfg(feature = "server")]
    pub(crate) fn is_too_large(&self, bytes: usize) -> bool {
        bytes > self.limits.bytes
    }

    /// Whether a request of a client of a server may come in: its sender has a share of the bytes, until it is taken.
    #[cfg(feature = "server")]
    pub(crate) fn has_room_for_request_of(&self, holder: RequestHolder, bytes: usize) -> bool {
        self.has_share(&lock(&self.inside), holder, bytes)
    }

    /// Whether a request of a server may come in: it waits until it is taken, and counts against the bytes till then.
    pub(crate) fn has_room_for_request(&self, bytes: usize) -> bool {
        self.fits(&lock(&self.inside), |held| held.saturating_add(bytes) <= self.limits.bytes)
    }

    #[cfg(feature = "server")]
    fn has_share(&self, inside: &Inside, holder: RequestHolder, bytes: usize) -> bool {
        let of_requests = inside.waiting.request_bytes();
        self.fits(inside, |held| inside.waiting.has_room(holder, bytes, held.saturating_sub(of_requests)))
    }

    /// Whether something fits beside what is held; what is dropped for it does not count.
    fn fits(&self, inside: &Inside, fits: impl Fn(usize) -> bool) -> bool {
        let not_counted = match self.limits.overflow {
            Overflow::DropOldest => inside.waiting.droppable_bytes(),
            Overflow::DropNewest => 0,
            // A connection that is held up brings what it had read.
            Overflow::Block => READ_BYTES,
        };
        fits(inside.bytes) || fits(inside.bytes.saturating_sub(not_counted))
    }
}

// What a loop of the host's sees of the connections that deliver to a queue: the queue's descriptor is readable as soon as a server
// has written, and the look that follows reads it. No thread of the library's is woken for that.

/// While this is there the descriptor is not set: the thread that has it looks before it goes back to its loop.
struct Unset<'a>(&'a Queue);

impl Drop for Unset<'_> {
    fn drop(&mut self) {
        let mut inside = lock(&self.0.inside);
        inside.lookers -= 1;
        let has_news = !inside.is_empty() && !inside.is_passed_over;
        if inside.lookers == 0 && (has_news || !inside.held_back.is_empty() && !self.0.wake_state.is_set()) {
            self.0.wake_state.set();
        }
    }
}

impl Queue {
    /// How the application waits for it.
    pub(crate) fn watch(&self) -> QueueWatch {
        match lock(&self.inside).ready.is_some() {
            true => QueueWatch::Callback,
            false if self.host().is_some() => QueueWatch::Loop,
            false => QueueWatch::Not,
        }
    }

    /// What a loop of the host's watches, if it does.
    pub(crate) fn host(&self) -> Option<&Arc<HostSet>> {
        self.wake_state.host()
    }

    /// Whether a thread sleeps until there is a message.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.wake_state.has_sleepers()
    }

    /// Reads the connections that are shown and readable, and takes a message that came of it. Not inlined: most queues have no
    /// descriptor.
    #[inline(never)]
    pub(crate) fn take_shown(&self, which: Take) -> Look {
        let Some(host) = self.host() else { return Look::Nothing };
        let readable = host.readable();
        if readable.is_empty() {
            return Look::Nothing;
        }
        lock(&self.inside).lookers += 1;
        let _unset = Unset(self);
        for connection in readable {
            connection.read_now();
        }
        self.take(which)
    }
}

impl Queue {
    /// A connection holds frames back until the host's loop looks, which it is to do now. Not again before it was told to write.
    pub(crate) fn tell_host_of_held_back(&self, connection: Weak<dyn Shown>) {
        let mut inside = lock(&self.inside);
        let is_told = !inside.held_back.is_empty();
        inside.held_back.push(connection);
        // For a message it is told already, or will be by the thread that is looking.
        if !is_told && inside.lookers == 0 && (inside.is_empty() || inside.is_passed_over) {
            self.wake_state.set();
        }
    }

    /// A look has found nothing, so that a turn of the host's loop is over: has written what connections have held back.
    pub(crate) fn end_turn(&self) {
        if self.host().is_none() {
            return;
        }
        let connections = {
            let mut inside = lock(&self.inside);
            inside.turn += 1;
            let connections = std::mem::take(&mut inside.held_back);
            if !connections.is_empty() {
                self.calm(&inside);
            }
            connections
        };
        for connection in connections.iter().filter_map(Weak::upgrade) {
            connection.write_now();
        }
    }
}
