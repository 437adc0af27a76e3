//! The listener that gets every frame of every client, for programs that show what is spoken: on the thread of callbacks, in the
//! order of each connection, never under a lock.

use crate::runtime::lock;
use crate::transport::process::per_process::PerProcess;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The bytes of frames that wait for the listener at most; further frames are dropped, and the next one says how many.
pub(crate) const MOST_BYTES: usize = 16 * 1024 * 1024;

/// One frame that a client sent or received.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The name of the client, as its configuration or the library gave it.
    pub client: &'a str,
    /// Whether the client sent it; otherwise the server did.
    pub is_sent: bool,
    /// When it was handed to the transport, or had been read.
    pub at: Instant,
    /// The message as it was on the wire. What a server sent may be no JSON.
    pub text: &'a [u8],
    /// How many frames before this one were dropped because the listener was too slow.
    pub dropped: u64,
}

/// What receives the frames.
pub type FrameListener = Arc<dyn Fn(&Frame<'_>) + Send + Sync>;

/// Read for each frame.
static IS_SET: AtomicBool = AtomicBool::new(false);
/// A child of `fork` begins without, as it does with the logger.
static LISTENER: PerProcess<Mutex<Option<FrameListener>>> = PerProcess::new(Mutex::default);

/// Sets what receives every frame of every client, or nothing. Frames carry what the program and its servers exchange,
/// secrets included; the listener must not show them as they are.
pub fn set_frame_listener(listener: Option<FrameListener>) {
    let before = {
        let mut current = lock(LISTENER.get());
        IS_SET.store(listener.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut *current, listener)
    };
    // What it holds is released without the lock.
    drop(before);
}

#[inline]
pub(crate) fn is_set() -> bool {
    IS_SET.load(Ordering::Relaxed)
}

/// A frame that waits for the listener.
pub(crate) struct Kept {
    is_sent: bool,
    at: Instant,
    text: Vec<u8>,
    dropped: u64,
}

impl Kept {
    pub(crate) fn new(is_sent: bool, text: &[u8], dropped: u64) -> Kept {
        Kept { is_sent, at: Instant::now(), text: text.to_vec(), dropped }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn deliver(&self, client: &str) {
        let listener = lock(LISTENER.get()).clone();
        if let Some(listener) = listener {
            let Kept { is_sent, at, ref text, dropped } = *self;
            listener(&Frame { client, is_sent, at, text, dropped });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, set_frame_listener};
    use crate::runtime::logger::Callbacks;
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    #[test]
    fn frames_come_whole_and_in_order_and_those_without_room_are_counted() {
        let callbacks = Arc::new(Callbacks::default());
        let (tell, heard) = channel();
        let tell = Mutex::new(tell);
        // Other tests of this process have clients, too.
        let name = "frame-listener-test";
        set_frame_listener(Some(Arc::new(move |frame| {
            if frame.client == name {
                let seen = (frame.is_sent, frame.text.to_vec(), frame.dropped);
                tell.lock().expect("no panic").send(seen).expect("the test waits");
            }
        })));
        callbacks.frame(name, "frame.sent", b"{\"id\":1}");
        callbacks.frame(name, "frame.received", &vec![b'x'; MOST_BYTES + 1]);
        callbacks.frame(name, "frame.received", &vec![b'y'; 1000]);
        let next = || heard.recv_timeout(Duration::from_secs(30)).expect("a frame");
        assert_eq!(next(), (true, b"{\"id\":1}".to_vec(), 0));
        assert_eq!(next(), (false, vec![b'y'; 1000], 1));
        set_frame_listener(None);
        callbacks.frame(name, "frame.sent", b"{}");
        callbacks.stop();
        assert!(heard.try_recv().is_err());
    }
}
