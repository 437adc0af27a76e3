//! A client and a server of the same process: each is the other's transport, with nothing between them.

use super::serving::Serving;
use crate::runtime::lock;
use crate::transport::custom::{Channel, Refused, Transport, Undelivered};
use std::sync::{Arc, Mutex, Weak};

/// The transport of a client that leads to a server of the same process.
pub(crate) struct ToServer {
    serving: Weak<Serving>,
    /// What the server takes messages from, while there is a connection.
    channel: Mutex<Option<Channel>>,
}

/// The transport of the session that such a client has.
struct ToClient {
    channel: Channel,
}

impl ToServer {
    pub(crate) fn new(serving: &Arc<Serving>) -> ToServer {
        ToServer { serving: Arc::downgrade(serving), channel: Mutex::default() }
    }
}

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
