//! The link between the two engines where it is one stream in each direction, in order. It delays, is cut (within a frame, too), and
//! doubles what the server sends.

use super::network::Plant;
use super::world::World;
use crate::engine::server::{SessionId, Stream};
use std::collections::BTreeMap;
use std::time::Instant;

/// Something on its way.
#[derive(Clone, Debug)]
pub enum Delivery {
    Opened,
    OpenFailed,
    ToServer { frame: Vec<u8> },
    ToClient { frame: Vec<u8> },
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
    /// When the last delivery of each direction is made.
    last: BTreeMap<bool, Instant>,
}

impl World {
    /// Puts something on its way, after what went the same way before.
    fn put(&mut self, generation: u64, to_server: bool, what: Delivery) {
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
        let last = connection.last.entry(to_server).or_insert(self.now);
        *last = (*last).max(self.now + delay);
        let at = *last;
        self.serial += 1;
        self.queue.insert((at, self.serial), (generation, what));
    }

    /// The client opens a connection.
    pub fn open(&mut self, generation: u64) {
        self.connections.insert(generation, Connection { is_open: true, ..Connection::default() });
        let fails = !self.calm && self.dice.chance(8);
        self.put(generation, true, if fails { Delivery::OpenFailed } else { Delivery::Opened });
    }

    /// The client sends a frame.
    pub fn client_sends(&mut self, frame: Vec<u8>) {
        let generation = self.client().generation();
        if self.plant == Some(Plant::TaskEndLost) && memchr::memmem::find(&frame, b"tasks/cancel").is_some() {
            return;
        }
        // If it was cut, the client does not know yet.
        if self.connections.get(&generation).is_some_and(|connection| connection.is_open) {
            self.put(generation, true, Delivery::ToServer { frame });
        }
    }

    /// The server sends a frame.
    pub fn server_sends(&mut self, to: Stream, frame: &[u8]) {
        let found = self.connections.iter().find(|(_, connection)| connection.session == Some(to.session));
        let (generation, connection) = found.unwrap_or_else(|| panic!("a frame for {to:?}, which has ended"));
        let generation = *generation;
        if !connection.is_open {
            return;
        }
        let twice = !self.calm && self.dice.chance(2);
        for _ in 0..=u8::from(twice) {
            self.put(generation, false, Delivery::ToClient { frame: frame.to_vec() });
        }
        if twice {
            self.reach("doubled frame");
        }
    }

    /// The client ends a connection. The server reads what was written before.
    pub fn shut(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        connection.is_open = false;
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
        let generation = self.client().generation();
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
                            Delivery::ToServer { .. } => to_server,
                            Delivery::ToClient { .. } => !to_server,
                            _ => false,
                        }
                })
                .map(|(key, _)| *key)
                .collect();
            let kept = if at_once { 0 } else { self.dice.index(keys.len() + 1) };
            let torn = self.dice.chance(50);
            for (index, key) in keys.iter().enumerate().skip(kept) {
                let Some((_, what)) = self.queue.get_mut(key) else { continue };
                match what {
                    // What is left of a line at the end of input is read like a line.
                    Delivery::ToServer { frame } | Delivery::ToClient { frame } if index == kept && torn => {
                        frame.truncate(frame.len() / 2);
                        self.reached.insert("cut frame");
                    }
                    _ => drop(self.queue.remove(key)),
                }
            }
        }
        let due = |world: &World, to_server: bool| {
            let of = world.queue.iter().filter(|(_, (of, what))| {
                *of == generation && matches!(what, Delivery::ToServer { .. }) == to_server
            });
            of.map(|(key, _)| key.0).max().unwrap_or(world.now)
        };
        let (server, client) = (due(self, true), due(self, false));
        self.connections.get_mut(&generation).expect("looked at before").is_open = false;
        for (at, what) in [(server, Delivery::ServerLost), (client, Delivery::ClientLost)] {
            self.serial += 1;
            self.queue.insert((at, self.serial), (generation, what));
        }
    }
}
