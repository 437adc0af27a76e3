//! A transport that the host brings: it carries frames wherever it likes, and delivers what comes back.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// Carries frames for one client. `open`, `send` and `close` are called one at a time, on whichever thread uses the client
/// or on one of the library's, with no lock held. They must not block, nor wait for the client. They may deliver. The whole
/// is dropped after the last of them, when the client is.
pub trait Transport: Send + Sync {
    /// Opens a connection, which `channel` stands for until it is closed. There is only one at a time.
    ///
    /// # Errors
    /// Why there is none; the attempt has failed, and `close` is not called.
    fn open(&self, channel: &Channel) -> Result<(), Refused>;

    /// Sends one frame: a JSON text without line breaks.
    ///
    /// # Errors
    /// Why it cannot; the connection is lost.
    fn send(&self, channel: &Channel, frame: Vec<u8>) -> Result<(), Refused>;

    /// Ends the connection. Called exactly once for each that was opened, also when it was the transport that ended it.
    fn close(&self, channel: &Channel);
}

/// Why a transport does not do what it is asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// In words.
    pub message: String,
    /// The number that a C function returned.
    pub code: Option<i32>,
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        Refused { message: message.to_owned(), code: None }
    }
}

/// Why a frame was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Undelivered {
    /// The connection has ended.
    #[error("the connection has ended")]
    Closed,
    /// There is nothing in it.
    #[error("the frame is empty")]
    Empty,
    /// It is over the bound.
    #[error("the frame is over limits.frame_bytes ({bound})")]
    TooLarge {
        /// How large a frame may be.
        bound: usize,
    },
    /// The system gives no memory for it.
    #[error("the system gives no memory for the frame")]
    NoMemory,
    /// The queue is full and holds its connections up: this notification may be delivered again later.
    #[error("the queue is full (limits.overflow is \"block\")")]
    Full,
}

/// Who takes what a transport delivers.
pub trait Receiver: Send + Sync {
    /// A frame has come.
    ///
    /// # Errors
    /// Why it is not taken.
    fn deliver(&self, generation: u64, frame: &[u8]) -> Result<(), Undelivered>;

    /// The same for a frame whose memory the receiver may keep.
    ///
    /// # Errors
    /// Why it is not taken.
    #[cfg(all(feature = "client", feature = "server"))]
    fn take(&self, generation: u64, frame: Vec<u8>) -> Result<(), Undelivered> {
        self.deliver(generation, &frame)
    }

    /// The connection has ended.
    fn closed(&self, generation: u64, reason: &str);
}

struct ChannelState {
    number: u64,
    generation: u64,
    has_ended: AtomicBool,
    receiver: Weak<dyn Receiver>,
}

/// One connection as a transport sees it. It may be kept, and used on any thread; after the end it does nothing.
#[derive(Clone)]
pub struct Channel {
    inside: Arc<ChannelState>,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl Channel {
    pub(crate) fn new(generation: u64, receiver: Weak<dyn Receiver>) -> Channel {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Channel {
            inside: Arc::new(ChannelState {
                number,
                generation,
                has_ended: AtomicBool::new(false),
                receiver,
            }),
        }
    }

    /// Names it among all of the process.
    pub fn number(&self) -> u64 {
        self.inside.number
    }

    pub(crate) fn generation(&self) -> u64 {
        self.inside.generation
    }

    /// Delivers one message of the server, without what a framing may have put around it.
    ///
    /// # Errors
    /// Why it is not taken.
    pub fn deliver(&self, frame: &[u8]) -> Result<(), Undelivered> {
        self.receiver()?.deliver(self.inside.generation, frame)
    }

    /// The same for a message whose memory the receiver may keep.
    ///
    /// # Errors
    /// Why it is not taken.
    #[cfg(all(feature = "client", feature = "server"))]
    pub(crate) fn take(&self, frame: Vec<u8>) -> Result<(), Undelivered> {
        self.receiver()?.take(self.inside.generation, frame)
    }

    /// Says that the connection has ended, and why.
    ///
    /// # Errors
    /// It had ended before.
    pub fn closed(&self, reason: &str) -> Result<(), Undelivered> {
        let receiver = self.receiver()?;
        if self.end() {
            receiver.closed(self.inside.generation, reason);
            Ok(())
        } else {
            Err(Undelivered::Closed)
        }
    }

    fn receiver(&self) -> Result<Arc<dyn Receiver>, Undelivered> {
        if self.inside.has_ended.load(Ordering::Acquire) {
            return Err(Undelivered::Closed);
        }
        self.inside.receiver.upgrade().ok_or(Undelivered::Closed)
    }

    /// Nothing more is taken. Says whether that is new.
    pub(crate) fn end(&self) -> bool {
        !self.inside.has_ended.swap(true, Ordering::AcqRel)
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel").field("number", &self.inside.number).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl Receiver for Seen {
        fn deliver(&self, generation: u64, frame: &[u8]) -> Result<(), Undelivered> {
            self.0.lock().unwrap().push(format!("{generation} {}", String::from_utf8_lossy(frame)));
            Ok(())
        }

        fn closed(&self, generation: u64, reason: &str) {
            self.0.lock().unwrap().push(format!("{generation} closed: {reason}"));
        }
    }

    #[test]
    fn what_a_channel_brings_arrives_until_its_end() {
        let seen = Arc::new(Seen::default());
        let weak: Weak<dyn Receiver> = Arc::downgrade(&(Arc::clone(&seen) as Arc<dyn Receiver>));
        let channel = Channel::new(7, weak);
        assert_eq!(channel.deliver(b"{}"), Ok(()));
        assert_eq!(channel.clone().closed("enough"), Ok(()));
        assert_eq!(channel.deliver(b"{}"), Err(Undelivered::Closed));
        assert_eq!(channel.closed("again"), Err(Undelivered::Closed));
        assert_eq!(*seen.0.lock().unwrap(), ["7 {}", "7 closed: enough"]);
    }

    #[test]
    fn a_channel_whose_client_is_gone_takes_nothing() {
        let seen: Arc<dyn Receiver> = Arc::new(Seen::default());
        let first = Channel::new(1, Arc::downgrade(&seen));
        let second = Channel::new(2, Arc::downgrade(&seen));
        assert_ne!(first.number(), second.number());
        drop(seen);
        assert_eq!(first.deliver(b"{}"), Err(Undelivered::Closed));
        assert_eq!(second.closed(""), Err(Undelivered::Closed));
    }
}
