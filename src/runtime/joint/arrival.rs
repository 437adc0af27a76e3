//! What arrives at one of the two sides over a stream, and what the link tells it.

use super::link::Delivery;
use super::network::Plant;
use super::world::World;
use crate::engine::server::Stream;
use crate::engine::{Error, Status};
use serde_json::Value;

impl World {
    /// What is due next is done.
    pub fn deliver(&mut self) {
        let Some(((at, _), (generation, what))) = self.queue.pop_first() else { return };
        self.now = self.now.max(at);
        self.note(|| match &what {
            Delivery::ToServer { frame } => format!("> {}", String::from_utf8_lossy(frame)),
            Delivery::ToClient { frame } => format!("< {}", String::from_utf8_lossy(frame)),
            other => format!("{generation} {other:?}"),
        });
        let lost = |what: &str| Error::new(Status::Transport, "connection", what);
        let now = self.now;
        match what {
            Delivery::Opened => self.client().opened(now, generation),
            Delivery::OpenFailed => {
                self.attempts_failed += 1;
                self.client().lost(now, generation, lost("it cannot be opened"));
            }
            Delivery::ToServer { frame } => self.arrive_at_server(generation, &frame),
            Delivery::ToClient { frame } => self.arrive_at_client(generation, frame),
            Delivery::ClientLost => self.client().lost(now, generation, lost("the connection was cut")),
            Delivery::ServerLost => self.end_session(generation),
            Delivery::Shut => self.client().shut(generation),
        }
        self.pump();
    }

    /// The session of a connection ends at the server.
    pub fn end_session(&mut self, generation: u64) {
        let Some(connection) = self.connections.get_mut(&generation) else { return };
        if let Some(session) = connection.session.take() {
            self.subscriptions.retain(|(of, _)| *of != session);
            self.confirmed.remove(&session);
            self.server(|server, _| server.close(session));
            self.pump();
        }
    }

    fn arrive_at_server(&mut self, generation: u64, frame: &[u8]) {
        let Some(connection) = self.connections.get(&generation) else { return };
        let session = match connection.session {
            Some(session) => session,
            None if connection.had_session => return,
            None => self.server(|server, _| server.open(false)).expect("fewer sessions than there may be"),
        };
        let connection = self.connections.get_mut(&generation).expect("looked at before");
        (connection.session, connection.had_session) = (Some(session), true);
        if let Ok(value) = serde_json::from_slice::<Value>(frame) {
            self.server_reads(generation, session, &value);
        }
        self.server(|server, now| server.frame(now, Stream { session, number: 0 }, frame));
    }

    fn arrive_at_client(&mut self, generation: u64, frame: Vec<u8>) {
        let value = serde_json::from_slice::<Value>(&frame).ok();
        if self.plant == Some(Plant::TaskSilent)
            && value.as_ref().is_some_and(|value| self.is_about_task(generation, value))
        {
            return;
        }
        if let Some(value) = &value {
            let id = value["id"].as_u64();
            let is_awaited = id.is_some_and(|id| self.client().is_under_way(generation, id));
            self.task_frame_comes(generation, value, is_awaited);
        }
        let awaited = value.as_ref().and_then(|value| self.answer_arrives(generation, value));
        self.client().frame_on(self.now, generation, None, frame);
        self.pump();
        if let (Some(ticket), Some(value)) = (awaited, value) {
            self.answer_was_taken(ticket, &value);
        }
    }
}
