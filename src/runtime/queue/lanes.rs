//! What waits in a queue: each client and each server that delivers to it has a lane, and the lanes are taken from by turns, so that
//! the answer of one does not wait behind the thousand log records of another. Within its lane everything keeps its order.

use super::limits::Take;
use crate::runtime::message::{Kind, Message};
#[cfg(feature = "server")]
use crate::shares::half_may_pass;
use crate::sorted::SortedMap;
use std::collections::VecDeque;

/// So many lanes stay when they are empty: one message after another makes no new one.
const EMPTY_LANES: usize = 16;

/// The lanes of a queue.
pub(super) struct Lanes {
    /// By the number of the client or server.
    by_number: SortedMap<u64, Box<Lane>>,
    /// Whose turn it is, the next one first. Each lane in which something waits is here once; one that became empty may still be.
    turns: VecDeque<u64>,
    /// Of all lanes.
    total: Size,
    /// How many bytes of requests there may be.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "only clients of servers have shares"))]
    request_bytes: usize,
    /// Of whom something was dropped last: probably the next one, too.
    dropped: u64,
}

/// What waits in a lane, or in all of them.
#[derive(Clone, Copy, Default)]
struct Size {
    owed: usize,
    request_bytes: usize,
    droppable: usize,
    droppable_bytes: usize,
    /// Lanes with something that may be dropped.
    holders: usize,
}

impl Size {
    /// A part of it has changed.
    fn replace(&mut self, before: Size, after: Size) {
        let changed = |total: &mut usize, before: usize, after: usize| *total = *total - before + after;
        changed(&mut self.owed, before.owed, after.owed);
        changed(&mut self.request_bytes, before.request_bytes, after.request_bytes);
        changed(&mut self.droppable, before.droppable, after.droppable);
        changed(&mut self.droppable_bytes, before.droppable_bytes, after.droppable_bytes);
        changed(&mut self.holders, before.holders, after.holders);
    }
}

/// What waits of one client or server.
#[derive(Default)]
struct Lane {
    /// Outcomes and requests, with their places in the order of arrival.
    owed: Owed,
    /// Messages that a full queue may drop, likewise.
    droppable: VecDeque<(u64, Message)>,
    droppable_bytes: usize,
    has_turn: bool,
}

impl Lane {
    fn size(&self) -> Size {
        Size {
            owed: self.owed.len(),
            request_bytes: self.owed.bytes,
            droppable: self.droppable.len(),
            droppable_bytes: self.droppable_bytes,
            holders: usize::from(!self.droppable.is_empty()),
        }
    }

    /// The place of what is taken next.
    fn first(&self) -> Option<u64> {
        let droppable = self.droppable.front().map(|(place, _)| *place);
        self.owed.first().into_iter().chain(droppable).min()
    }

    fn pop(&mut self) -> Option<Message> {
        match (self.owed.first(), self.droppable.front()) {
            (Some(owed), Some((droppable, _))) if owed < *droppable => self.owed.pop(),
            (_, Some(_)) => self.remove(0),
            (_, None) => self.owed.pop(),
        }
    }

    /// Takes out a message that may be dropped.
    fn remove(&mut self, at: usize) -> Option<Message> {
        let (_, message) = self.droppable.remove(at)?;
        self.droppable_bytes -= message.bytes();
        Some(message)
    }

    /// Takes the first notification.
    fn notification(&mut self) -> Option<Message> {
        let at = self.droppable.iter().position(|(_, message)| message.kind() == Kind::Notification)?;
        self.remove(at)
    }
}

impl Lanes {
    /// Nothing waits, and there is room for so many bytes of requests.
    pub fn new(request_bytes: usize) -> Lanes {
        Lanes {
            by_number: SortedMap::new(),
            turns: VecDeque::new(),
            total: Size::default(),
            request_bytes,
            dropped: 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many messages wait.
    pub fn len(&self) -> usize {
        self.total.owed + self.total.droppable
    }

    #[cfg(test)]
    pub fn lanes(&self) -> usize {
        self.by_number.len()
    }

    /// How many of them are owed.
    pub fn owed(&self) -> usize {
        self.total.owed
    }

    /// The bytes of those that may be dropped.
    pub fn droppable_bytes(&self) -> usize {
        self.total.droppable_bytes
    }

    /// The bytes of requests of servers' clients.
    #[cfg(feature = "server")]
    pub fn request_bytes(&self) -> usize {
        self.total.request_bytes
    }

    /// Whether a holder may have a request of so many bytes here, beside so many bytes of other messages.
    #[cfg(feature = "server")]
    pub fn has_room(&self, holder: RequestHolder, bytes: usize, others: usize) -> bool {
        let held = self.by_number.get(&holder.0).map_or(0, |lane| lane.owed.held(holder));
        half_may_pass(self.request_bytes.saturating_sub(others), self.total.request_bytes, held, bytes, 1)
    }

    pub fn push(&mut self, place: u64, message: Message) {
        let client = message.client();
        let lane = self.by_number.entry(client).or_default();
        let before = lane.size();
        if message.kind().is_droppable() {
            lane.droppable_bytes += message.bytes();
            lane.droppable.push_back((place, message));
        } else {
            lane.owed.push(place, message);
        }
        self.total.replace(before, lane.size());
        if !std::mem::replace(&mut lane.has_turn, true) {
            self.turns.push_back(client);
        }
    }

    /// The place of what is taken next.
    pub fn first(&mut self) -> Option<u64> {
        loop {
            let client = *self.turns.front()?;
            let lane = self.by_number.get_mut(&client);
            if let Some(place) = lane.as_ref().and_then(|lane| lane.first()) {
                return Some(place);
            }
            self.turns.pop_front();
            if let Some(lane) = lane {
                lane.has_turn = false;
                if self.by_number.len() > EMPTY_LANES {
                    self.by_number.remove(&client);
                }
            }
        }
    }

    /// Takes the next message; the other lanes come before the next one of its lane.
    pub fn pop(&mut self) -> Option<Message> {
        self.first()?;
        let client = *self.turns.front()?;
        self.turns.rotate_left(1);
        self.take(client, Lane::pop)
    }

    /// Takes what a look that is not for all is for.
    pub fn pick(&mut self, which: Take) -> Option<Message> {
        match which {
            Take::All => self.pop(),
            Take::Notifications | Take::OnlyNotifications => self.notification(),
            Take::Reply { client, call } => self.take(client, |lane| lane.owed.take_reply(client, call)),
            #[cfg(feature = "server")]
            Take::Handled(server) | Take::ByWorker(server) => {
                self.take(server, |lane| lane.owed.take_handled(server))
            }
        }
    }

    /// Takes out the request of that number of a server.
    #[cfg(feature = "server")]
    pub fn take_back(&mut self, server: u64, request: u64) -> Option<Message> {
        self.take(server, |lane| lane.owed.take_back(server, request))
    }

    /// Takes out the oldest message that may be dropped of a lane that has at least an equal share of what is too much: their
    /// number, or their bytes.
    pub fn drop_oldest(&mut self, too_many: bool) -> Option<Message> {
        let measure = |size: Size| if too_many { size.droppable } else { size.droppable_bytes };
        let share = measure(self.total).checked_div(self.total.holders)?;
        let is_it = |lane: &Lane| !lane.droppable.is_empty() && measure(lane.size()) >= share;
        if !self.by_number.get(&self.dropped).is_some_and(|lane| is_it(lane)) {
            self.dropped = *self.by_number.iter().find(|(_, lane)| is_it(lane))?.0;
        }
        self.take(self.dropped, |lane| lane.remove(0))
    }

    /// Takes out all of a client or server.
    pub fn forget(&mut self, client: u64) -> Vec<Message> {
        let Some(mut lane) = self.by_number.remove(&client) else { return Vec::new() };
        self.total.replace(lane.size(), Size::default());
        if lane.has_turn {
            self.turns.retain(|other| *other != client);
        }
        std::iter::from_fn(|| lane.pop()).collect()
    }

    fn notification(&mut self) -> Option<Message> {
        for turn in 0..self.turns.len() {
            let client = *self.turns.get(turn)?;
            if let Some(message) = self.take(client, Lane::notification) {
                self.turns.remove(turn);
                self.turns.push_back(client);
                return Some(message);
            }
        }
        None
    }

    fn take(&mut self, client: u64, take: impl FnOnce(&mut Lane) -> Option<Message>) -> Option<Message> {
        let lane = self.by_number.get_mut(&client)?;
        let before = lane.size();
        let message = take(lane);
        self.total.replace(before, lane.size());
        message
    }
}

/// A server of this process, and one holder of what its clients share.
pub(super) type RequestHolder = (u64, u64);

/// What is owed to the application of one client or server. A holder's requests are taken in their order; where several holders have requests here, each is taken
/// from at every turn, so that none waits behind the thousand requests of another; and each has its share of the bytes.
#[derive(Default)]
struct Owed {
    /// In the order of arrival, each with its place. At a place without a message, one of `requests` is taken.
    entries: VecDeque<(u64, Option<Message>)>,
    requests: SortedMap<RequestHolder, WaitingRequests>,
    /// The keys of `requests`, each once, the next one first.
    turns: VecDeque<RequestHolder>,
    /// An empty list, so that one request after another makes no new one.
    spare: VecDeque<Message>,
    /// The bytes of `requests`.
    bytes: usize,
}

/// The requests of one holder, and their bytes.
struct WaitingRequests {
    messages: VecDeque<Message>,
    bytes: usize,
}

impl Owed {
    /// The bytes of a holder's requests.
    #[cfg(feature = "server")]
    fn held(&self, holder: RequestHolder) -> usize {
        self.requests.get(&holder).map_or(0, |waiting| waiting.bytes)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    /// The place of what is taken next.
    fn first(&self) -> Option<u64> {
        self.entries.front().map(|(place, _)| *place)
    }

    fn push(&mut self, place: u64, message: Message) {
        let Some(key) = message.holder() else { return self.entries.push_back((place, Some(message))) };
        self.entries.push_back((place, None));
        self.bytes += message.bytes();
        let spare = &mut self.spare;
        let waiting = self
            .requests
            .entry(key)
            .or_insert_with(|| WaitingRequests { messages: std::mem::take(spare), bytes: 0 });
        if waiting.messages.is_empty() {
            self.turns.push_back(key);
        }
        waiting.bytes += message.bytes();
        waiting.messages.push_back(message);
    }

    fn pop(&mut self) -> Option<Message> {
        let (_, message) = self.entries.pop_front()?;
        message.or_else(|| self.request(0, 0))
    }

    /// Takes the outcome of a call of a client.
    fn take_reply(&mut self, client: u64, call: u64) -> Option<Message> {
        let is_it = |message: &Message| {
            message.kind() == Kind::Reply && message.call() == call && message.client() == client
        };
        let at = self.entries.iter().position(|(_, message)| message.as_ref().is_some_and(is_it))?;
        self.entries.remove(at)?.1
    }

    /// Takes the next request of a server's that has a handler.
    #[cfg(feature = "server")]
    fn take_handled(&mut self, server: u64) -> Option<Message> {
        let is_it = |message: &Message| message.has_handler() && message.server() == server;
        if let Some((turn, at)) = self.find(server, is_it) {
            let place = self.entries.iter().position(|(_, message)| message.is_none())?;
            self.entries.remove(place);
            return self.request(turn, at);
        }
        let at = self.entries.iter().position(|(_, message)| message.as_ref().is_some_and(is_it))?;
        self.entries.remove(at)?.1
    }

    /// Takes the request of that number of a server out.
    #[cfg(feature = "server")]
    fn take_back(&mut self, server: u64, request: u64) -> Option<Message> {
        let is_it = |message: &Message| message.carries(server, request);
        if let Some((turn, at)) = self.find(server, is_it) {
            // The latest place: nothing else that waits moves back.
            let place = self.entries.iter().rposition(|(_, message)| message.is_none())?;
            self.entries.remove(place);
            let key = *self.turns.get(turn)?;
            let message = self.remove(key, at);
            if !self.requests.contains_key(&key) {
                self.turns.remove(turn);
            }
            return message;
        }
        let at = self.entries.iter().position(|(_, message)| message.as_ref().is_some_and(is_it))?;
        self.entries.remove(at)?.1
    }

    /// The first request of a server's clients that is looked for: whose turn it is, and where it stands among that holder's.
    #[cfg(feature = "server")]
    fn find(&self, server: u64, is_it: impl Fn(&Message) -> bool + Copy) -> Option<(usize, usize)> {
        let of_server = self.turns.iter().enumerate().filter(|(_, key)| key.0 == server);
        of_server
            .into_iter()
            .find_map(|(turn, key)| Some((turn, self.requests.get(key)?.messages.iter().position(is_it)?)))
    }

    /// Takes a request out; the other holders come before the next one of its holder.
    fn request(&mut self, turn: usize, at: usize) -> Option<Message> {
        let key = self.turns.remove(turn)?;
        let message = self.remove(key, at);
        if self.requests.contains_key(&key) {
            self.turns.push_back(key);
        }
        message
    }

    fn remove(&mut self, key: RequestHolder, at: usize) -> Option<Message> {
        let waiting = self.requests.get_mut(&key)?;
        let message = waiting.messages.remove(at)?;
        waiting.bytes -= message.bytes();
        self.bytes -= message.bytes();
        if waiting.messages.is_empty() {
            self.spare = self.requests.remove(&key)?.messages;
        }
        Some(message)
    }
}
