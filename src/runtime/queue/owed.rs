//! Outcomes and requests in the order of arrival, with the requests of different holders by turns.

use super::super::message::Message;
#[cfg(feature = "server")]
use crate::shares::half_may_pass;
use std::collections::{BTreeMap, VecDeque};

/// A server of this process, and one holder of what its clients share.
pub(super) type Key = (u64, u64);

/// What is owed to the application. A holder's requests are taken in their order; where several holders have requests here, each is taken
/// from at every turn, so that none waits behind the thousand requests of another; and each has its share of the bytes.
pub(super) struct Owed {
    /// In the order of arrival, each with its place. At a place without a message, one of `requests` is taken.
    entries: VecDeque<(u64, Option<Message>)>,
    requests: BTreeMap<Key, Waiting>,
    /// The keys of `requests`, each once, the next one first.
    turns: VecDeque<Key>,
    /// An empty list, so that one request after another makes no new one.
    spare: VecDeque<Message>,
    /// The bytes of `requests`, and how many there may be.
    bytes: usize,
    most: usize,
}

/// The requests of one holder, and their bytes.
struct Waiting {
    messages: VecDeque<Message>,
    bytes: usize,
}

impl Owed {
    /// Nothing is owed, and there is room for so many bytes of requests.
    pub fn new(bytes: usize) -> Owed {
        Owed {
            entries: VecDeque::new(),
            requests: BTreeMap::new(),
            turns: VecDeque::new(),
            spare: VecDeque::new(),
            bytes: 0,
            most: bytes,
        }
    }

    /// The bytes of requests.
    #[cfg(feature = "server")]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether a holder may have a request of so many bytes here, beside so many bytes of other messages.
    #[cfg(feature = "server")]
    pub fn has_room(&self, holder: Key, bytes: usize, others: usize) -> bool {
        let held = self.requests.get(&holder).map_or(0, |waiting| waiting.bytes);
        half_may_pass(self.most.saturating_sub(others), self.bytes, held, bytes, 1)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The place of what is taken next.
    pub fn first(&self) -> Option<u64> {
        self.entries.front().map(|(place, _)| *place)
    }

    pub fn push(&mut self, place: u64, message: Message) {
        let Some(key) = message.holder() else { return self.entries.push_back((place, Some(message))) };
        self.entries.push_back((place, None));
        self.bytes += message.bytes();
        let spare = &mut self.spare;
        let waiting =
            self.requests.entry(key).or_insert_with(|| Waiting { messages: std::mem::take(spare), bytes: 0 });
        if waiting.messages.is_empty() {
            self.turns.push_back(key);
        }
        waiting.bytes += message.bytes();
        waiting.messages.push_back(message);
    }

    pub fn pop(&mut self) -> Option<Message> {
        let (_, message) = self.entries.pop_front()?;
        message.or_else(|| self.request(0, 0))
    }

    /// Takes the next request of a server's that has a handler.
    #[cfg(feature = "server")]
    pub fn take_handled(&mut self, server: u64) -> Option<Message> {
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
    pub fn take_back(&mut self, server: u64, request: u64) -> Option<Message> {
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

    /// Takes out all of a client or server.
    pub fn forget(&mut self, client: u64, gone: &mut Vec<Message>) {
        let empty = Owed::new(self.most);
        for (place, message) in std::mem::replace(self, empty).into_all() {
            if message.client() == client {
                gone.push(message);
            } else {
                self.push(place, message);
            }
        }
    }

    fn into_all(mut self) -> Vec<(u64, Message)> {
        let mut all = Vec::with_capacity(self.entries.len());
        while let Some(place) = self.first() {
            all.extend(self.pop().map(|message| (place, message)));
        }
        all
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

    fn remove(&mut self, key: Key, at: usize) -> Option<Message> {
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
