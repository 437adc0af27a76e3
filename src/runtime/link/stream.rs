//! What the background thread does with the bytes of a connection, whether they come through pipes or a socket: it reads
//! while nobody drives, writes what found no room, and throws away what a server that is being ended still says.

use crate::runtime::background::runtime::{Command, Runtime};
use crate::runtime::connection::{Connection, TransportSettings};
use crate::runtime::link::driving::DriverGuard;
use crate::runtime::link::pipe::{Link, Part, token};
use crate::runtime::lock;
use crate::transport::poller::Interest;
use crate::transport::stdio::{Incoming, Read};
use std::sync::Arc;

/// Reads in one go before others get their turn.
const READS_PER_TURN: usize = 16;
/// Reads of what a dead server left in the pipe, which holds a mebibyte at the most. An heir with a session of its own could
/// write for ever.
const LAST_READS: usize = 64;

impl TransportSettings {
    /// Frames from what a server writes to `output`.
    pub(crate) fn incoming(&self, output: rustix::fd::OwnedFd) -> Incoming {
        Incoming::new(Arc::new(output), self.framing, self.frame_bytes, self.discard_bytes)
    }
}

/// There is something to read.
pub(crate) fn read(runtime: &Runtime, connection: &Arc<Connection>, mine: &Link) {
    if connection.queue.holds_up(&connection.as_resume()) {
        return;
    }
    let Some(link) = connection.driver.claim_in_background() else {
        if connection.driver.look_later() {
            runtime.grace(Arc::clone(connection));
        }
        return;
    };
    let guard = DriverGuard { connection, waiter: None, at_once: true };
    if link.number == mine.number {
        let mut incoming = lock(&link.incoming);
        for _ in 0..READS_PER_TURN {
            // A thread that waits for what comes reads it in its own time and memory.
            if connection.read_and_dispatch(&link, &mut incoming, None) != Read::More
                || connection.driver.is_wanted()
            {
                break;
            }
        }
    }
    drop(guard);
}

/// There is room to write.
pub(crate) fn write(runtime: &Runtime, connection: &Connection, link: &Link) {
    let outcome = match lock(&link.outgoing).as_mut() {
        Some(out) => link.flush(out, &runtime.poller),
        None => Ok(()),
    };
    connection.write_rest();
    if let Err(errno) = outcome {
        runtime.command(Command::InputClosed { link: link.number, errno });
    }
}

/// Reads what a server said before its end. The link must be stopped.
pub(crate) fn read_last(connection: &Connection, link: &Arc<Link>) {
    let mut incoming = lock(&link.incoming);
    for _ in 0..LAST_READS {
        if matches!(connection.read_and_dispatch(link, &mut incoming, None), Read::Ended | Read::Nothing) {
            break;
        }
    }
}

/// Throws away what a server that is being ended still says. Says whether it has ended its output.
pub(crate) fn discard(runtime: &Runtime, link: &Link) -> bool {
    let mut incoming = lock(&link.incoming);
    let mut last = Read::Nothing;
    for _ in 0..READS_PER_TURN {
        last = incoming.read();
        while incoming.next_piece().is_some() {}
        if last != Read::More {
            break;
        }
    }
    drop(incoming);
    let has_ended = last == Read::Ended;
    if !has_ended {
        listen_once(runtime, link);
    }
    has_ended
}

/// Has the background thread told when there is something to read.
pub(crate) fn listen_once(runtime: &Runtime, link: &Link) {
    let token = token(link.number, Part::Output);
    let _ended_already = runtime.poller.rearm(&link.output, token, Interest::ReadableOnce);
}
