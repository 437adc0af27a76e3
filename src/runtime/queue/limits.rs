//! The bounds of a queue: their numbers, their defaults, and what becomes of what is over them.

use crate::runtime::message::{Kind, Message};
#[cfg(feature = "server")]
use crate::shares::half_may_pass;
use std::collections::{BTreeMap, VecDeque};

/// How far over its bound a queue may go that holds up its connections: what was read before that took effect.
pub(super) const READ_MESSAGES: usize = 4096;
/// The same in bytes.
pub(super) const READ_BYTES: usize = 32 * 1024 * 1024;

/// What becomes of droppable messages that a full queue cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Overflow {
    /// The oldest is dropped.
    #[default]
    DropOldest,
    /// What arrives is dropped.
    DropNewest,
    /// Nothing is read from the servers until there is room. What one read brought may go over the bound, and a thread
    /// that waits for a call's outcome still reads, since the outcome comes behind those messages; far over the bound
    /// ([`READ_MESSAGES`], [`READ_BYTES`]) the oldest is dropped then.
    Block,
}

/// Bounds of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLimits {
    /// Messages that may wait. Default 10,000.
    pub messages: usize,
    /// Their bytes. Default 64 MiB.
    pub bytes: usize,
    /// What becomes of droppable messages over the bound. Default: the oldest is dropped.
    pub overflow: Overflow,
}

impl Default for QueueLimits {
    fn default() -> Self {
        QueueLimits { messages: 10_000, bytes: 64 * 1024 * 1024, overflow: Overflow::DropOldest }
    }
}

/// Which messages a look into the queue is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// All.
    All,
    /// Notifications, for a thread that waits for them: what else is there is for others.
    Notifications,
    /// Notifications, for a loop of the host's that takes nothing else: it is not told again of what else is there.
    OnlyNotifications,
    /// The outcome of this call of this client.
    Reply {
        /// The client.
        client: u64,
        /// The number of the call.
        call: u64,
    },
    /// Requests to the server with this number for which a function of the application is to run.
    #[cfg(feature = "server")]
    Handled(u64),
    /// The same for a thread of the library, which no wake is meant for.
    #[cfg(feature = "server")]
    ByWorker(u64),
}

impl Take {
    /// Whether a wake ends this wait.
    pub(super) fn may_be_woken(self) -> bool {
        match self {
            Take::All | Take::Notifications | Take::OnlyNotifications => true,
            Take::Reply { .. } => false,
            #[cfg(feature = "server")]
            Take::Handled(_) => true,
            #[cfg(feature = "server")]
            Take::ByWorker(_) => false,
        }
    }
}

/// How an application waits for a queue, other than with a thread that looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QueueWatch {
    /// It does not.
    Not,
    /// A function of its own is called.
    Callback,
    /// A loop of its own has the descriptor.
    Loop,
}

/// Who has to be told of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attention {
    /// No one: the application comes by itself.
    None,
    /// A loop of the host's, by the descriptor.
    Loop {
        /// How often a look has found nothing: what is started until the next one belongs together.
        turn: u64,
    },
    /// Threads that wait, or a function of the application: they do not come before there is a message.
    Other,
}

/// A server of this process, and one holder of what its clients share.
pub(super) type RequestHolder = (u64, u64);

/// What is owed to the application. A holder's requests are taken in their order; where several holders have requests here, each is taken
/// from at every turn, so that none waits behind the thousand requests of another; and each has its share of the bytes.
pub(super) struct Owed {
    /// In the order of arrival, each with its place. At a place without a message, one of `requests` is taken.
    entries: VecDeque<(u64, Option<Message>)>,
    requests: BTreeMap<RequestHolder, WaitingRequests>,
    /// The keys of `requests`, each once, the next one first.
    turns: VecDeque<RequestHolder>,
    /// An empty list, so that one request after another makes no new one.
    spare: VecDeque<Message>,
    /// The bytes of `requests`, and how many there may be.
    bytes: usize,
    most: usize,
}

/// The requests of one holder, and their bytes.
struct WaitingRequests {
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
    pub fn has_room(&self, holder: RequestHolder, bytes: usize, others: usize) -> bool {
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

    pub fn pop(&mut self) -> Option<Message> {
        let (_, message) = self.entries.pop_front()?;
        message.or_else(|| self.request(0, 0))
    }

    /// Takes the outcome of a call of a client.
    pub fn take_reply(&mut self, client: u64, call: u64) -> Option<Message> {
        let is_it = |message: &Message| {
            message.kind() == Kind::Reply && message.call() == call && message.client() == client
        };
        let at = self.entries.iter().position(|(_, message)| message.as_ref().is_some_and(is_it))?;
        self.entries.remove(at)?.1
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
