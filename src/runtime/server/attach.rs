//! Clients over a transport of the application, or of the same process: what they deliver goes to the engine on the thread that
//! delivers, and answers are sent by whichever thread has them.

use super::serving::{Serving, closed};
use super::session::{Attached, ClientSession};
use crate::engine::server::{SessionId, Stream};
use crate::engine::{Error, Status};
#[cfg(feature = "client")]
use crate::runtime::lock;
use crate::shares::Holder;
#[cfg(feature = "client")]
use crate::transport::custom::Refused;
use crate::transport::custom::{Channel, Receiver, Transport, Undelivered};
#[cfg(feature = "client")]
use std::sync::Mutex;
use std::sync::{Arc, Weak};

/// Brings what a client sends to its server.
struct SessionInbox {
    serving: Weak<Serving>,
    session: SessionId,
}

impl Receiver for SessionInbox {
    fn deliver(&self, _generation: u64, frame: &[u8]) -> Result<(), Undelivered> {
        self.serving.upgrade().ok_or(Undelivered::Closed)?.deliver(self.session, frame)
    }

    #[cfg(feature = "client")]
    fn take(&self, _generation: u64, frame: Vec<u8>) -> Result<(), Undelivered> {
        self.serving.upgrade().ok_or(Undelivered::Closed)?.deliver(self.session, frame)
    }

    fn closed(&self, _generation: u64, reason: &str) {
        if let Some(serving) = self.serving.upgrade() {
            let reason = if reason.is_empty() { "it gave no reason" } else { reason };
            serving.end_session(self.session, &format!("its transport was closed: {reason}"));
        }
    }
}

impl Serving {
    /// Serves one client over a transport. Gives what the client's messages come in by. The transport is dropped after its last
    /// function has returned, or when this fails.
    ///
    /// # Errors
    /// `CLOSED`; `BACKPRESSURE` when there are as many sessions as there may be; `TRANSPORT` when it does not open; `INTERNAL`.
    pub(crate) fn attach(&self, transport: Arc<dyn Transport>) -> Result<Channel, Error> {
        self.start_threads()?;
        let mut inside = self.with_room(&Holder::Program);
        if inside.closed || inside.is_over() {
            return Err(closed());
        }
        let id = Serving::open_session(&mut inside)?;
        let inbox = Arc::new(SessionInbox { serving: Weak::clone(&self.this), session: id });
        let attached = Attached::new(id.0, inbox, transport);
        let channel = attached.channel();
        let session = Arc::new(ClientSession::over_transport(id, attached, &self.limits));
        inside.sessions.insert(id.0, Arc::clone(&session));
        drop(inside);
        match session.attached().map_or(Ok(()), Attached::open) {
            Ok(()) => {
                self.written(&session, session.write_all(&self.poller));
                Ok(channel)
            }
            Err(refused) => {
                drop(session.attached().map(Attached::discard));
                self.end_session(id, "its transport did not open");
                let what = format!("the application's transport failed to open: {}", refused.message);
                let error = Error::new(Status::Transport, "server_attach", what).with("function", "open");
                Err(match refused.code {
                    Some(code) => error.with("transport_status", code),
                    None => error,
                })
            }
        }
    }

    /// A client sent one message.
    fn deliver<F>(&self, id: SessionId, frame: F) -> Result<(), Undelivered>
    where
        F: AsRef<[u8]> + Into<Vec<u8>>,
    {
        let length = frame.as_ref().len();
        if length == 0 {
            return Err(Undelivered::Empty);
        }
        let mut inside = self.inside();
        if !inside.sessions.contains_key(&id.0) {
            return Err(Undelivered::Closed);
        }
        let from = Stream { session: id, number: 0 };
        let bound = self.limits.frame_bytes;
        let taken = if length > bound {
            inside.engine.oversized_frame(from, bound);
            Err(Undelivered::TooLarge { bound })
        } else {
            inside.engine.take_frame(Serving::now(), from, frame.into());
            Ok(())
        };
        self.pump_and_wake(inside);
        taken
    }
}

#[cfg(feature = "client")]
/// The transport of a client that leads to a server of the same process.
pub(crate) struct ToServer {
    serving: Weak<Serving>,
    /// What the server takes messages from, while there is a connection.
    channel: Mutex<Option<Channel>>,
}

#[cfg(feature = "client")]
/// The transport of the session that such a client has.
struct ToClient {
    channel: Channel,
}

#[cfg(feature = "client")]
impl ToServer {
    pub(crate) fn new(serving: &Arc<Serving>) -> ToServer {
        ToServer { serving: Arc::downgrade(serving), channel: Mutex::default() }
    }
}

#[cfg(feature = "client")]
impl Transport for ToServer {
    fn open(&self, channel: &Channel) -> Result<(), Refused> {
        let serving = self.serving.upgrade().ok_or("the server was freed")?;
        let back = ToClient { channel: channel.clone() };
        let there = serving
            .attach(Arc::new(back))
            .map_err(|error| Refused { message: error.message, code: Some(error.status as i32) })?;
        *lock(&self.channel) = Some(there);
        Ok(())
    }

    fn send(&self, _: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        let there = lock(&self.channel).clone();
        match there.map_or(Err(Undelivered::Closed), |there| there.take(frame)) {
            // The server has told of one that is too large.
            Ok(()) | Err(Undelivered::TooLarge { .. }) => Ok(()),
            Err(refused) => Err(Refused { message: refused.to_string(), code: None }),
        }
    }

    fn close(&self, _: &Channel) {
        let there = lock(&self.channel).take();
        if let Some(there) = there {
            // The server may have ended it first.
            let _ended_either_way = there.closed("the client has closed");
        }
    }
}

#[cfg(feature = "client")]
impl Transport for ToClient {
    fn open(&self, _: &Channel) -> Result<(), Refused> {
        Ok(())
    }

    fn send(&self, _: &Channel, frame: Vec<u8>) -> Result<(), Refused> {
        match self.channel.take(frame) {
            // The client has told of one that it cannot hold.
            Ok(()) | Err(Undelivered::TooLarge { .. } | Undelivered::NoMemory) => Ok(()),
            Err(refused) => Err(Refused { message: refused.to_string(), code: None }),
        }
    }

    fn close(&self, _: &Channel) {
        // The client may have ended it first.
        let _ended_either_way = self.channel.closed("the server ended the session");
    }
}
