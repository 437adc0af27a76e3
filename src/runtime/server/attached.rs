//! The transport of a session that has no descriptors: its functions are called one at a time and with no lock held.

use super::ends::Written;
use crate::runtime::lock;
use crate::transport::custom::{Channel, Receiver, Refused, Transport};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// The transport of one session.
pub(super) struct Attached {
    channel: Channel,
    /// Gone once it is closed.
    transport: Mutex<Option<Arc<dyn Transport>>>,
    /// What the channel leads to: it knows it only weakly.
    _inbox: Arc<dyn Receiver>,
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attached").field("channel", &self.channel).finish_non_exhaustive()
    }
}

impl Attached {
    /// A transport that is not open. `inbox` gets what its client sends.
    pub(super) fn new(number: u64, inbox: Arc<dyn Receiver>, transport: Arc<dyn Transport>) -> Attached {
        let channel = Channel::new(number, Arc::downgrade(&inbox));
        Attached { channel, transport: Mutex::new(Some(transport)), _inbox: inbox }
    }

    /// What its client's messages come in by.
    pub(super) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    fn transport(&self) -> Option<Arc<dyn Transport>> {
        lock(&self.transport).clone()
    }

    /// Opens it. Only for the thread that writes.
    pub(super) fn open(&self) -> Result<(), Refused> {
        match self.transport() {
            Some(transport) => guarded(|| transport.open(&self.channel)),
            None => Ok(()),
        }
    }

    /// Sends frames in order. None is left in `frames`. Only for the thread that writes.
    pub(super) fn send(&self, frames: &mut Vec<Vec<u8>>) -> Written {
        let frames = frames.drain(..);
        let Some(transport) = self.transport() else { return Written::All };
        for frame in frames {
            if let Err(refused) = guarded(|| transport.send(&self.channel, frame)) {
                return Written::Broken(format!(
                    "the application's transport failed to send: {}",
                    refused.message
                ));
            }
        }
        Written::All
    }

    /// Closes the transport and lets it go. The first call counts; no `send` may be under way.
    pub(super) fn close(&self) {
        let Some(transport) = self.discard() else { return };
        // It can only have panicked, and it is over.
        let _over_either_way = guarded(|| {
            transport.close(&self.channel);
            Ok(())
        });
    }

    /// Takes the transport out without closing it: it was never open.
    pub(super) fn discard(&self) -> Option<Arc<dyn Transport>> {
        self.channel.end();
        lock(&self.transport).take()
    }
}

/// A transport written in Rust may panic; that must not stop the server.
fn guarded(function: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| Err("it panicked".into()))
}
