//! What arrives at one of the two sides, and what the link tells it.

use super::link::{Delivery, POSTS};
use super::world::World;
use crate::engine::server::Stream;
use crate::engine::{Error, Failure, Status};
use serde_json::Value;

impl World {
    /// What is due next is done.
    pub fn deliver(&mut self) {
        let Some(((at, _), (generation, what))) = self.queue.pop_first() else { return };
        self.now = self.now.max(at);
        self.note(|| match &what {
            Delivery::ToServer { number, frame } => format!("> {number} {}", String::from_utf8_lossy(frame)),
            Delivery::ToClient { exchange, frame } => {
                format!("< {exchange:?} {}", String::from_utf8_lossy(frame))
            }
            other => format!("{generation} {other:?}"),
        });
        let lost = |what: &str| Error::new(Status::Transport, "connection", what);
        let now = self.now;
        match what {
            Delivery::Opened => self.client.opened(now, generation),
            Delivery::OpenFailed => {
                self.attempts_failed += 1;
                self.client.lost(now, generation, lost("it cannot be opened"));
            }
            Delivery::ToServer { number, frame } => self.arrive_at_server(generation, number, &frame),
            Delivery::ToClient { exchange, frame } => {
                if let Some(exchange) = exchange
                    && !self.connections.get(&generation).is_some_and(|it| it.exchanges.contains(&exchange))
                {
                    return;
                }
                self.arrive_at_client(generation, exchange, frame);
            }
            Delivery::StreamClosed { number } => {
                if let Some(session) =
                    self.connections.get(&generation).and_then(|connection| connection.session)
                {
                    self.server.stream_closed(Stream { session, number });
                }
            }
            Delivery::ExchangeLost { exchange, kind } => {
                if let Some(connection) = self.connections.get_mut(&generation) {
                    connection.exchanges.remove(&exchange);
                }
                self.cuts += 1;
                if let Some(call) =
                    self.exchanges.get(&(generation, exchange)).and_then(|it| self.calls.get_mut(it))
                {
                    call.broke_off = true;
                }
                let failure = Failure { kind, error: lost("the answer broke off"), http: None, spoken: None };
                self.client.exchange_failed(now, generation, exchange, failure);
            }
            Delivery::IncomingOpen => {
                if let Some(connection) = self.connections.get_mut(&generation) {
                    connection.listens = true;
                    for frame in std::mem::take(&mut connection.held) {
                        self.put(generation, (false, 0), Delivery::ToClient { exchange: None, frame });
                    }
                }
                self.client.incoming_is_open(now, generation);
            }
            Delivery::ClientLost => self.client.lost(now, generation, lost("the connection was cut")),
            Delivery::ServerLost => self.end_session(generation),
            Delivery::Shut => self.client.shut(generation),
        }
        self.pump();
    }

    /// The session of a connection ends at the server.
    pub fn end_session(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        if let Some(session) = connection.session.take() {
            self.subscriptions.retain(|(of, _)| *of != session);
            self.confirmed.remove(&session);
            self.server.close(session);
            self.pump();
        }
    }

    fn arrive_at_server(&mut self, generation: u64, number: u64, frame: &[u8]) {
        let http = self.is_http();
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        let text = String::from_utf8_lossy(frame);
        if connection.session.is_none() {
            let handshakes = text.contains(r#""method":"initialize""#);
            let modern = text.contains("io.modelcontextprotocol/protocolVersion");
            if connection.had_session && http && !handshakes && !modern {
                // 404: there is no such session.
                self.reached.insert("session forgotten");
                self.cuts += 1;
                let exchange = (number < POSTS).then(|| number.wrapping_sub(1));
                let error = Error::new(Status::Transport, "connection", "there is no such session");
                connection.exchanges.retain(|other| Some(*other) != exchange);
                let ended = self.client.session_ended(self.now, generation, exchange, error);
                self.note(|| format!("no such session; it ended: {ended}"));
                return;
            }
            if connection.had_session && !http {
                return;
            }
            let Some(session) = self.server.open(http) else { panic!("more sessions than connections") };
            connection.session = Some(session);
            connection.had_session = true;
        }
        let session = connection.session.expect("it was opened");
        if let Ok(value) = serde_json::from_slice::<Value>(frame) {
            self.server_reads(generation, session, &value);
        }
        let now = self.server_now();
        self.server.frame(now, Stream { session, number }, frame);
    }

    fn arrive_at_client(&mut self, generation: u64, exchange: Option<u64>, frame: Vec<u8>) {
        let value = serde_json::from_slice::<Value>(&frame).ok();
        let awaited = value.as_ref().and_then(|value| self.answer_arrives(generation, value));
        self.client.frame_on(self.now, generation, exchange, frame);
        self.pump();
        if let (Some(ticket), Some(value)) = (awaited, value) {
            self.answer_was_taken(ticket, &value);
        }
        // The answer is the end of its stream.
    }
}
