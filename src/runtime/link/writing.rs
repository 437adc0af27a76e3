//! Frames on their way out over pipes: several in one write where that saves work, in order, and never waiting for another
//! thread's writing.

use super::owner::{Context, Driven};
use super::pipe::Pipe;
use super::pipes::Pipes;
use crate::runtime::background::runtime::Command;
use crate::runtime::queue::Attention;
use crate::runtime::sync::lock;
use std::sync::atomic::Ordering;

/// The most frames held back, and their bytes. Fewer with a small `limits.outgoing_bytes`, which they count for.
const HELD: (usize, usize) = (32, 16 * 1024);

impl Pipes {
    /// Takes a frame for the next flush. Without a pipe there is nothing that it could be sent to.
    pub(in crate::runtime) fn send(&self, frame: Vec<u8>) {
        let mut outbox = lock(&self.outbox);
        if outbox.pipe.is_some() {
            outbox.frames.push(frame);
        }
    }

    /// With what is held back, or left here by a thread that found another one writing.
    pub(super) fn waiting_bytes(&self) -> usize {
        let outbox = lock(&self.outbox);
        outbox.pipe.as_ref().map_or(0, |pipe| pipe.waiting_bytes() + outbox.frames.bytes())
    }

    pub(super) fn has_been_read(&self) -> Option<bool> {
        let outbox = lock(&self.outbox);
        if outbox.frames.is_empty() { outbox.pipe.as_ref()?.has_been_read() } else { Some(false) }
    }

    /// Writes what was sent, or holds it back for the grace time at the most.
    pub(in crate::runtime) fn flush_or_hold_back(&self, owner: &dyn Driven, may_wait: bool) {
        let context = owner.context();
        let attention = if may_wait { context.queue.attention() } else { Attention::Other };
        if !self.may_hold_back(context, attention) {
            return self.flush(context);
        }
        // After the frame was put into the outbox, under whose lock the background thread decides to look no longer.
        if !self.held_back.swap(true, Ordering::SeqCst)
            && let Some(owner) = owner.this()
        {
            self.runtime.grace(owner);
        }
        if let Attention::Loop { .. } = attention
            && !self.is_told.swap(true, Ordering::SeqCst)
        {
            context.queue.tell_host_of_held_back(owner.shown());
        }
    }

    /// Whether a frame may wait for others: the application will come back to wait, or its loop is told to look.
    fn may_hold_back(&self, context: &Context, attention: Attention) -> bool {
        let mut outbox = lock(&self.outbox);
        let is_held_back = outbox.frames.len() < HELD.0
            && outbox.frames.bytes() < HELD.1.min(context.transport.outgoing_bytes / 2)
            && outbox.pipe.as_ref().is_some_and(|pipe| pipe.waiting_bytes() == 0)
            && match attention {
                Attention::None => context.owns_queue,
                Attention::Loop { turn } => outbox.turns.has_others(turn),
                Attention::Other => false,
            };
        if is_held_back && !self.held_back.load(Ordering::SeqCst) {
            outbox.turns.begin_grace();
        }
        is_held_back
    }

    /// Writes what was held back, before the application waits.
    pub(super) fn flush_held_back(&self, owner: &dyn Driven) {
        if self.held_back.load(Ordering::SeqCst) {
            self.flush(owner.context());
        }
    }

    /// The host's loop has looked, and looks no longer for this connection: writes what was held back for it.
    pub(in crate::runtime) fn flush_for_host(&self, owner: &dyn Driven) {
        // First, so that the loop is told again of a frame that comes after the write.
        self.is_told.store(false, Ordering::SeqCst);
        self.flush(owner.context());
    }

    /// The grace time is over: nothing is held back any longer. Says whether to look again.
    pub(super) fn end_holding_back(&self, owner: &dyn Driven) -> bool {
        if !self.held_back.load(Ordering::SeqCst) {
            return false;
        }
        let mut outbox = lock(&self.outbox);
        if outbox.frames.is_empty() {
            // Under the lock with which the next frame is put there.
            self.held_back.store(false, Ordering::SeqCst);
            return false;
        }
        outbox.turns.end_grace();
        drop(outbox);
        self.flush(owner.context());
        true
    }

    /// The background thread is told that there is room to write.
    pub(crate) fn writable(&self, owner: &dyn Driven, pipe: &Pipe) {
        let outcome = match lock(&pipe.outgoing).as_mut() {
            Some(out) => pipe.flush(out, &self.runtime.poller),
            None => Ok(()),
        };
        // What was left because this thread was writing.
        self.flush(owner.context());
        if let Err(errno) = outcome {
            self.runtime.command(Command::InputClosed { link: pipe.number, errno });
        }
    }

    /// Writes what waits, in order. No thread waits for another one's writing: one that finds the writer busy leaves the
    /// frames, and the writer looks again after it is done.
    fn flush(&self, context: &Context) {
        let mut outbox = lock(&self.outbox);
        loop {
            if outbox.frames.is_empty() {
                return;
            }
            let Some(pipe) = outbox.pipe.clone() else {
                outbox.frames.clear();
                return;
            };
            let Ok(mut outgoing) = pipe.outgoing.try_lock() else {
                outbox.writer_is_busy = true;
                return;
            };
            let Some(out) = outgoing.as_mut() else {
                outbox.frames.clear();
                return;
            };
            let most = context.transport.outgoing_bytes.saturating_mul(2);
            if out.bytes() > most && out.bytes().saturating_sub(out.largest()) > most {
                // Calls and notifications stop at the bound, which only the last of them goes over. So this is what a server
                // made us say that asks and never reads.
                outbox.frames.clear();
                let why = "the server sends requests and reads no answers".to_owned();
                return self.runtime.command(Command::Broken { link: pipe.number, why });
            }
            let is_mine = pipe.push(out, outbox.frames.take());
            outbox.writer_is_busy = false;
            drop(outbox);
            let outcome = if is_mine { pipe.flush(out, &self.runtime.poller) } else { Ok(()) };
            drop(outgoing);
            if let Err(errno) = outcome {
                return self.runtime.command(Command::InputClosed { link: pipe.number, errno });
            }
            outbox = lock(&self.outbox);
            if !outbox.writer_is_busy {
                return;
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::runtime::background::runtime::Runtime;
    use crate::transport::framing::Framing;
    use crate::transport::incoming::Incoming;
    use crate::transport::outgoing::Outgoing;
    use crate::transport::poller::Poller;
    use rustix::pipe::pipe;
    use std::sync::Arc;

    #[test]
    fn what_no_thread_has_written_yet_counts_for_the_bound() {
        let (output, _server) = pipe().expect("two descriptors");
        let (_their_input, input) = pipe().expect("two descriptors");
        let incoming = Incoming::new(Arc::new(output), Framing::Newline, 1024, 1024);
        let outgoing = Outgoing::new(input, Framing::Newline);
        let runtime = Arc::new(Runtime::new(Poller::new().expect("descriptors")));
        let pipe = Arc::new(Pipe::new(1, 1, None, outgoing, incoming).expect("a descriptor"));
        let pipes = Pipes::new(&runtime);
        pipes.install(&pipe);
        // As with a thread that is interrupted while it writes.
        let writing = lock(&pipe.outgoing);
        pipes.send(vec![b' '; 100]);
        pipes.send(vec![b' '; 50]);
        assert_eq!((pipes.waiting_bytes(), pipe.waiting_bytes()), (150, 0));
        drop(writing);
        pipes.close(1, 1);
        assert_eq!(pipes.waiting_bytes(), 0);
    }
}
