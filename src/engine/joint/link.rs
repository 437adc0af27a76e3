//! The link between the two engines: one stream in each direction, in order, or an exchange for each request as over HTTP. It
//! delays, is cut (within a frame, too), doubles what the server sends, breaks single exchanges, and forgets sessions.

use super::world::World;
use crate::engine::server::{SessionId, Stream};
use crate::engine::{FailureKind, Wire};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Streams of messages over HTTP that have no answer come after those of requests.
pub const POSTS: u64 = 1_000_000;

/// Something on its way.
#[derive(Clone, Debug)]
pub enum Delivery {
    Opened,
    OpenFailed,
    ToServer {
        number: u64,
        frame: Vec<u8>,
    },
    ToClient {
        exchange: Option<u64>,
        frame: Vec<u8>,
    },
    /// The server learns that the client left a stream.
    StreamClosed {
        number: u64,
    },
    /// The client learns that no answer comes.
    ExchangeLost {
        exchange: u64,
        kind: FailureKind,
    },
    IncomingOpen,
    ClientLost,
    ServerLost,
    Shut,
}

/// One connection.
#[derive(Default, Debug)]
pub struct Connection {
    pub session: Option<SessionId>,
    pub had_session: bool,
    /// Neither side has ended it.
    pub is_open: bool,
    /// The stream of the server's own messages is there (HTTP); what waits for it.
    pub listens: bool,
    pub held: Vec<Vec<u8>>,
    /// Exchanges whose answers the client still reads (HTTP).
    pub exchanges: BTreeSet<u64>,
    posts: u64,
    /// When the last delivery of each direction is made; over HTTP, of each exchange.
    last: BTreeMap<(bool, u64), Instant>,
}

impl World {
    pub fn is_http(&self) -> bool {
        self.wire == Wire::Http
    }

    /// Puts something on its way, after what went the same way before.
    pub fn put(&mut self, generation: u64, way: (bool, u64), what: Delivery) {
        let slow = self.dice.chance(10);
        let delay = self.dice.millis(
            0,
            if self.calm {
                2
            } else if slow {
                400
            } else {
                8
            },
        );
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        let last = connection.last.entry(way).or_insert(self.now);
        *last = (*last).max(self.now + delay);
        let at = *last;
        self.serial += 1;
        self.queue.insert((at, self.serial), (generation, what));
    }

    /// The client opens a connection.
    pub fn open(&mut self, generation: u64) {
        self.connections.insert(generation, Connection { is_open: true, ..Connection::default() });
        let fails = !self.calm && self.dice.chance(8);
        self.put(generation, (true, 0), if fails { Delivery::OpenFailed } else { Delivery::Opened });
    }

    /// The client sends a frame.
    pub fn client_sends(&mut self, exchange: Option<u64>, frame: Vec<u8>) {
        let generation = self.client.generation();
        let http = self.is_http();
        let Some(connection) = self.connections.get_mut(&generation).filter(|connection| connection.is_open)
        else {
            // It was cut, and the client does not know yet.
            if let (true, Some(exchange)) = (http, exchange) {
                self.put(
                    generation,
                    (false, exchange),
                    Delivery::ExchangeLost { exchange, kind: FailureKind::Lost },
                );
            }
            return;
        };
        let number = match exchange {
            Some(exchange) if http => {
                connection.exchanges.insert(exchange);
                exchange + 1
            }
            None if http => {
                connection.posts += 1;
                POSTS + connection.posts
            }
            _ => 0,
        };
        if let (true, Some(exchange)) = (http, exchange)
            && !self.calm
            && self.dice.chance(2)
        {
            self.reach("broken stream");
            let kind = *self.dice.pick(&[FailureKind::Lost, FailureKind::Unreachable]);
            return self.put(generation, (false, exchange), Delivery::ExchangeLost { exchange, kind });
        }
        self.put(generation, (true, 0), Delivery::ToServer { number, frame });
    }

    /// The server sends a frame.
    pub fn server_sends(&mut self, to: Stream, frame: Vec<u8>) {
        let found = self.connections.iter().find(|(_, connection)| connection.session == Some(to.session));
        let generation = *found.unwrap_or_else(|| panic!("a frame for {to:?}, which has ended")).0;
        let http = self.is_http();
        let connection = self.connections.get_mut(&generation).expect("found");
        if !connection.is_open {
            return;
        }
        if http && to.number == 0 && !connection.listens {
            return connection.held.push(frame);
        }
        let exchange = (to.number > 0).then(|| to.number.wrapping_sub(1));
        if exchange.is_some_and(|exchange| !connection.exchanges.contains(&exchange)) {
            return;
        }
        let twice = !self.calm && self.dice.chance(2);
        for _ in 0..=u8::from(twice) {
            self.put(generation, (false, to.number), Delivery::ToClient { exchange, frame: frame.clone() });
        }
        if twice {
            self.reach("doubled frame");
        }
    }

    /// The client wants the stream of the server's own messages (HTTP).
    pub fn listen(&mut self, generation: u64) {
        self.put(generation, (true, 0), Delivery::IncomingOpen);
    }

    /// The client leaves the answer of an exchange (HTTP).
    pub fn abort(&mut self, exchange: u64) {
        let generation = self.client.generation();
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        if connection.exchanges.remove(&exchange) {
            self.put(generation, (true, 0), Delivery::StreamClosed { number: exchange + 1 });
        }
    }

    /// The client ends a connection. The server reads what was written before.
    pub fn shut(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        connection.is_open = false;
        connection.exchanges.clear();
        let mut due = self.now;
        for (at, (of, what)) in &self.queue {
            if *of == generation && matches!(what, Delivery::ToServer { .. }) {
                due = due.max(at.0);
            }
        }
        for what in [Delivery::ServerLost, Delivery::Shut] {
            self.serial += 1;
            self.queue.insert((due, self.serial), (generation, what));
        }
    }

    /// The newest connection is cut: of what is on its way in each direction a part still arrives, at most one frame of it cut.
    pub fn cut(&mut self, at_once: bool) {
        let generation = self.client.generation();
        let is_open = self.connections.get(&generation).is_some_and(|connection| connection.is_open);
        let is_opened = !self
            .queue
            .values()
            .any(|(of, what)| *of == generation && matches!(what, Delivery::Opened | Delivery::OpenFailed));
        if !is_open || !is_opened {
            return;
        }
        self.reach("cut");
        self.note(|| format!("cut {generation}"));
        self.cuts += 1;
        for to_server in [true, false] {
            let keys: Vec<_> = self
                .queue
                .iter()
                .filter(|(_, (of, what))| {
                    *of == generation
                        && match what {
                            Delivery::ToServer { .. }
                            | Delivery::StreamClosed { .. }
                            | Delivery::IncomingOpen => to_server,
                            Delivery::ToClient { .. } => !to_server,
                            _ => false,
                        }
                })
                .map(|(key, _)| *key)
                .collect();
            let kept = if at_once { 0 } else { self.dice.index(keys.len() + 1) };
            let torn = !self.is_http() && self.dice.chance(50);
            for (index, key) in keys.iter().enumerate().skip(kept) {
                let Some((_, what)) = self.queue.get_mut(key) else { continue };
                match what {
                    // What is left of a line at the end of input is read like a line.
                    Delivery::ToServer { frame, .. } | Delivery::ToClient { frame, .. }
                        if index == kept && torn =>
                    {
                        frame.truncate(frame.len() / 2);
                        self.reached.insert("cut frame");
                    }
                    _ => drop(self.queue.remove(key)),
                }
            }
        }
        let http = self.is_http();
        let due = |world: &World, to_server: bool| {
            let of = world.queue.iter().filter(|(_, (of, what))| {
                *of == generation && matches!(what, Delivery::ToServer { .. }) == to_server
            });
            of.map(|(key, _)| key.0).max().unwrap_or(world.now)
        };
        let (server, client) = (due(self, true), due(self, false));
        let connection = self.connections.get_mut(&generation).expect("looked at before");
        connection.is_open = false;
        let exchanges = std::mem::take(&mut connection.exchanges);
        let mut put = |at, what| {
            self.serial += 1;
            self.queue.insert((at, self.serial), (generation, what));
        };
        put(server, Delivery::ServerLost);
        if http {
            for exchange in exchanges {
                put(client, Delivery::ExchangeLost { exchange, kind: FailureKind::Lost });
            }
            // The next request opens another connection to the same address.
            connection.is_open = true;
        } else {
            put(client, Delivery::ClientLost);
        }
    }

    /// The answer of one exchange breaks off (HTTP).
    pub fn break_exchange(&mut self) {
        let generation = self.client.generation();
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        let all: Vec<u64> = connection.exchanges.iter().copied().collect();
        if all.is_empty() {
            return;
        }
        let exchange = *self.dice.pick(&all);
        connection.exchanges.remove(&exchange);
        self.cuts += 1;
        self.queue.retain(|_, (of, what)| {
            !(*of == generation
                && matches!(what, Delivery::ToClient { exchange: Some(other), .. } if *other == exchange))
        });
        self.reach("broken stream");
        self.note(|| format!("the answer of {exchange} breaks off"));
        self.put(
            generation,
            (false, exchange + 1),
            Delivery::ExchangeLost { exchange, kind: FailureKind::Lost },
        );
        self.put(generation, (true, 0), Delivery::StreamClosed { number: exchange + 1 });
    }
}
