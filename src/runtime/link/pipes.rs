//! A link over the pipes of server processes or over sockets. The thread that waits drives: it reads for itself, passes on what
//! arrives for others, and gives the role back. The background thread reads while no thread waits.

use super::owner::{Driven, LinkContext};
use super::pipe::{Pipe, READS_PER_TURN};
use crate::runtime::background::shared::{BackgroundCommand, Runtime};
use crate::runtime::driver::{After, DriverLock, NextDriver};
use crate::runtime::queue::{Attention, QueueWatch};
use crate::runtime::sync::atomic::AtomicBool;
use crate::runtime::sync::{Mutex, lock};
use crate::runtime::waiter::{Interrupt, Waiter};
use crate::transport::framing::Piece;
use crate::transport::poller::wait_for;
use crate::transport::stream::{Incoming, Read};
use rustix::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Reads of what a dead server left in the pipe, which holds a mebibyte at the most. An heir with a session of its own could
/// write for ever.
const LAST_READS: usize = 64;

/// What is to be written.
#[derive(Default, Debug)]
pub(super) struct PipeOutbox {
    /// The pipe that is open.
    pub(super) pipe: Option<Arc<Pipe>>,
    pub(super) frames: Frames,
    /// Some thread left frames here because another one was writing.
    writer_is_busy: bool,
    pub(super) turns: HostTurns,
}

/// What a connection has of its pipes for as long as it lives, whatever servers come and go.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(super) runtime: Arc<Runtime>,
    driver: DriverLock,
    pub(super) outbox: Mutex<PipeOutbox>,
    /// Frames may be held back, and the background thread will look.
    pub(super) held_back: AtomicBool,
    /// The host's loop is told of frames that are held back, and will look.
    pub(super) is_told: AtomicBool,
}

impl Pipes {
    pub(in crate::runtime) fn new(runtime: &Arc<Runtime>) -> Pipes {
        Pipes {
            runtime: Arc::clone(runtime),
            driver: DriverLock::default(),
            outbox: Mutex::default(),
            held_back: AtomicBool::new(false),
            is_told: AtomicBool::new(false),
        }
    }

    pub(super) fn open(&self, connection: Arc<dyn Driven>, generation: u64) {
        self.runtime.command(BackgroundCommand::Open { connection, generation });
    }

    /// The pipe of a generation is open.
    pub(crate) fn install(&self, pipe: &Arc<Pipe>) {
        lock(&self.outbox).pipe = Some(Arc::clone(pipe));
        self.driver.connected(Arc::clone(pipe), &self.runtime.poller);
    }

    /// Writes what was sent before the end, such as a cancellation, and has the server ended.
    pub(in crate::runtime) fn close(&self, client: u64, generation: u64) {
        let mut outbox = lock(&self.outbox);
        if let Some(pipe) = outbox.pipe.take_if(|pipe| pipe.generation == generation)
            && let Some(out) = lock(&pipe.outgoing).as_mut()
            && pipe.push(out, outbox.frames.take())
        {
            // The connection is ending anyway.
            let _not_written = pipe.flush(out, &self.runtime.poller);
        }
        outbox.frames.clear();
        drop(outbox);
        self.driver.disconnected();
        self.runtime.command(BackgroundCommand::Shut { client, generation, by: None });
    }

    pub(crate) fn pid(&self) -> Option<u32> {
        lock(&self.outbox).pipe.as_ref()?.pid
    }

    /// Waits until something arrives for `waiter` or the time is over, driving if no other thread does.
    pub(in crate::runtime) fn wait(&self, owner: &dyn Driven, waiter: &Arc<Waiter>, until: Option<Instant>) {
        loop {
            let pipe = self.driver.claim(waiter).or_else(|| {
                waiter.park(until);
                self.driver.leave(waiter)
            });
            if let Some(pipe) = pipe {
                let guard = PipesDriver { pipes: self, owner, waiter: Some(waiter), at_once: false };
                self.drive(owner, &pipe, waiter, until);
                drop(guard);
            }
            if waiter.has_arrived() || until.is_some_and(|until| Instant::now() >= until) {
                return;
            }
        }
    }

    fn drive(&self, owner: &dyn Driven, pipe: &Arc<Pipe>, waiter: &Arc<Waiter>, until: Option<Instant>) {
        let mut incoming = lock(&pipe.incoming);
        let mut arrived = waiter.set_driving(Some(Arc::clone(pipe) as Arc<dyn Interrupt>));
        if !arrived && !pipe.is_stopped() {
            // A server on the same processor often runs as soon as it is written to, and has answered by now.
            self.read_and_dispatch(owner, pipe, &mut incoming, Some(waiter));
            arrived = waiter.has_arrived();
        }
        while !arrived && !pipe.is_stopped() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let found = wait_for(pipe.output.as_fd(), pipe.wake(), left);
            if found.woken {
                pipe.wake().clear();
            }
            if found.readable {
                self.read_and_dispatch(owner, pipe, &mut incoming, Some(waiter));
            }
            arrived = waiter.has_arrived();
        }
    }

    /// Reads once and passes on what is complete.
    fn read_and_dispatch(
        &self,
        owner: &dyn Driven,
        pipe: &Pipe,
        incoming: &mut Incoming,
        by: Option<&Arc<Waiter>>,
    ) -> Read {
        #[cfg(mcp_loom)]
        crate::transport::poller::model::look();
        let read = incoming.read();
        if read == Read::Ended {
            pipe.stop();
            self.runtime.command(BackgroundCommand::OutputEnded {
                link: pipe.number,
                partial: incoming.is_partial(),
                errno: incoming.error(),
            });
        }
        let mut first = incoming.next_piece();
        if first.is_some() {
            let mut next = || match first.take().or_else(|| incoming.next_piece())? {
                Piece::Broken(why) => {
                    self.runtime.command(BackgroundCommand::Broken { link: pipe.number, why });
                    None
                }
                piece => Some(piece),
            };
            owner.received(pipe.generation, None, &mut next, by);
        }
        read
    }

    /// The background thread is told that there is something to read.
    pub(crate) fn readable(&self, owner: &dyn Driven, mine: &Pipe) {
        if owner.is_held_up() {
            return;
        }
        let is_for_host = mine.is_shown() && !owner.context().queue.has_sleepers();
        if is_for_host && self.driver.gives_host_time() {
            return self.look_later(owner);
        }
        let Some(pipe) = self.driver.claim_in_background() else { return self.look_later(owner) };
        let mut guard = PipesDriver { pipes: self, owner, waiter: None, at_once: true };
        if pipe.number == mine.number {
            let mut incoming = lock(&pipe.incoming);
            for _ in 0..READS_PER_TURN {
                // A thread that waits for what comes reads it in its own time and memory.
                if self.read_and_dispatch(owner, &pipe, &mut incoming, None) != Read::More
                    || self.driver.is_wanted()
                {
                    break;
                }
                if incoming.has_begun_large() {
                    // The thread that has just made the call may not have come to wait for it: it gets a grace time for that.
                    guard.at_once = false;
                    break;
                }
            }
        }
        drop(guard);
    }

    /// The background thread looks after a grace time who reads what is there.
    fn look_later(&self, owner: &dyn Driven) {
        if self.driver.look_later()
            && let Some(owner) = owner.this()
        {
            self.runtime.grace(owner);
        }
    }

    /// A thread of a loop of the host's looks what is there, in its own time and memory.
    pub(crate) fn read_for_host(&self, owner: &dyn Driven) {
        if owner.is_held_up() {
            // A resume that comes first has shown it: then the background thread finds it after the grace time.
            return self.driver.hide();
        }
        let Some(pipe) = self.driver.claim_for_host() else { return };
        let guard = PipesDriver { pipes: self, owner, waiter: None, at_once: false };
        let mut incoming = lock(&pipe.incoming);
        for _ in 0..READS_PER_TURN {
            if self.read_and_dispatch(owner, &pipe, &mut incoming, None) != Read::More {
                break;
            }
        }
        drop(incoming);
        drop(guard);
    }

    /// Reads what a server said before its end. The pipe must be stopped.
    pub(crate) fn read_rest(&self, owner: &dyn Driven, pipe: &Pipe) {
        let mut incoming = lock(&pipe.incoming);
        for _ in 0..LAST_READS {
            let read = self.read_and_dispatch(owner, pipe, &mut incoming, None);
            if matches!(read, Read::Ended | Read::Nothing) {
                break;
            }
        }
    }

    /// The grace time is over. Says whether to look again after another one.
    pub(crate) fn grace_is_over(&self, owner: &dyn Driven) -> bool {
        let holding = self.end_holding_back(owner);
        self.driver.grace_is_over(&self.runtime.poller) || holding
    }

    /// Gives the role of driver back.
    fn give_back(&self, owner: &dyn Driven, at_once: bool) {
        let queue = &owner.context().queue;
        let show = |pipe: &Pipe| queue.host().is_some_and(|host| pipe.show(host, owner.shown()));
        let next = match queue.watch() {
            QueueWatch::Loop if !queue.has_sleepers() => NextDriver::Host(&show),
            QueueWatch::Not if !at_once => NextDriver::Grace,
            _ => NextDriver::Background,
        };
        if self.driver.release(&self.runtime.poller, next) == After::Grace
            && let Some(owner) = owner.this()
        {
            self.runtime.grace(owner);
        }
    }

    /// There is room in the queue. Taking the role and giving it back has the background thread listen again. A thread that has
    /// the role now will do that.
    pub(super) fn resume(&self, owner: &dyn Driven) {
        if self.driver.claim_in_background().is_some() {
            self.give_back(owner, true);
        }
    }
}

/// The role of driver while a thread has it: given back also when the thread panics in it.
struct PipesDriver<'a> {
    pipes: &'a Pipes,
    owner: &'a dyn Driven,
    waiter: Option<&'a Arc<Waiter>>,
    at_once: bool,
}

impl Drop for PipesDriver<'_> {
    fn drop(&mut self) {
        if let Some(waiter) = self.waiter {
            waiter.set_driving(None);
        }
        self.pipes.give_back(self.owner, self.at_once);
    }
}

// Frames on their way out over pipes: several in one write where that saves work, in order, and never waiting for another
// thread's writing.

/// The most frames held back, and their bytes. Fewer with a small `limits.outgoing_bytes`, which they count for.
const HELD: (usize, usize) = (32, 16 * 1024);

impl Pipes {
    /// Takes a frame for the next flush. Without a pipe there is nothing that it could be sent to.
    pub(crate) fn send(&self, frame: Vec<u8>) {
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

    pub(crate) fn has_been_read(&self) -> Option<bool> {
        let outbox = lock(&self.outbox);
        if outbox.frames.is_empty() { outbox.pipe.as_ref()?.has_been_read() } else { Some(false) }
    }

    /// Writes what was sent, or holds it back for the grace time at the most.
    pub(crate) fn flush_or_hold_back(&self, owner: &dyn Driven, may_wait: bool) {
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
    fn may_hold_back(&self, context: &LinkContext, attention: Attention) -> bool {
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
    pub(crate) fn flush_held_back(&self, owner: &dyn Driven) {
        if self.held_back.load(Ordering::SeqCst) {
            self.flush(owner.context());
        }
    }

    /// The host's loop has looked, and looks no longer for this connection: writes what was held back for it.
    pub(crate) fn flush_for_host(&self, owner: &dyn Driven) {
        // First, so that the loop is told again of a frame that comes after the write.
        self.is_told.store(false, Ordering::SeqCst);
        self.flush(owner.context());
    }

    /// The grace time is over: nothing is held back any longer. Says whether to look again.
    fn end_holding_back(&self, owner: &dyn Driven) -> bool {
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
            self.runtime.command(BackgroundCommand::InputClosed { link: pipe.number, errno });
        }
    }

    /// Writes what waits, in order. No thread waits for another one's writing: one that finds the writer busy leaves the
    /// frames, and the writer looks again after it is done.
    fn flush(&self, context: &LinkContext) {
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
                return self.runtime.command(BackgroundCommand::Broken { link: pipe.number, why });
            }
            let is_mine = pipe.push(out, outbox.frames.take());
            outbox.writer_is_busy = false;
            drop(outbox);
            let outcome = if is_mine { pipe.flush(out, &self.runtime.poller) } else { Ok(()) };
            drop(outgoing);
            if let Err(errno) = outcome {
                return self.runtime.command(BackgroundCommand::InputClosed { link: pipe.number, errno });
            }
            outbox = lock(&self.outbox);
            if !outbox.writer_is_busy {
                return;
            }
        }
    }
}

/// Frames that no thread has begun to write, and how many bytes they are.
#[derive(Default, Debug)]
pub(super) struct Frames {
    list: Vec<Vec<u8>>,
    bytes: usize,
}

impl Frames {
    pub(super) fn push(&mut self, frame: Vec<u8>) {
        self.bytes += frame.len();
        self.list.push(frame);
    }

    /// All of them, in order. The room stays.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.bytes = 0;
        self.list.drain(..)
    }

    pub(super) fn clear(&mut self) {
        self.bytes = 0;
        self.list.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Calls of a turn whose frames go out at once: a loop that starts no more would pay for a second turn and save no write.
const AT_ONCE: u64 = 2;

/// Turns in which nothing is held back for a loop that did not look in the grace time, at first: it had other work.
const LATE: u64 = 8;
/// At the most, when it is late again and again: it comes by a clock of its own.
const LATE_AGAIN: u64 = 1024;

/// How many calls a connection has in each turn of a loop of the host's.
#[derive(Default, Debug)]
pub(super) struct HostTurns {
    /// The number of the turn that the last call was started in.
    turn: u64,
    /// How many were in it by then.
    calls: u64,
    /// How many were in the turn before that had any.
    before: u64,
    /// The turn in which the grace time began.
    graced: u64,
    /// The turn from which on frames are held back, and how many there were before it without.
    from: u64,
    without: u64,
}

impl HostTurns {
    /// A call is started in a turn. Says whether its frame is worth holding back, because others come with it: this turn has some
    /// already, or the one before had.
    pub(super) fn has_others(&mut self, turn: u64) -> bool {
        if turn != self.turn {
            *self = HostTurns { turn, calls: 0, before: self.calls, ..*self };
        }
        self.calls += 1;
        self.turn >= self.from && (self.calls > AT_ONCE || self.before > AT_ONCE)
    }

    /// A grace time begins for a frame that is held back.
    fn begin_grace(&mut self) {
        self.graced = self.turn;
    }

    /// A grace time is over, and frames are still held back. If the loop has not looked since it began, it is late.
    fn end_grace(&mut self) {
        if self.graced == self.turn {
            let is_late_again = self.turn < self.from + LATE;
            self.without = if is_late_again { (self.without * 2).clamp(LATE, LATE_AGAIN) } else { LATE };
            self.from = self.turn + self.without;
        }
        self.graced = self.turn;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::runtime::background::shared::Runtime;
    use crate::transport::framing::Framing;
    use crate::transport::poller::Poller;
    use crate::transport::stream::Incoming;
    use crate::transport::stream::Outgoing;
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

#[cfg(all(test, not(mcp_loom)))]
mod turns {
    use super::*;

    #[test]
    fn frames_are_held_back_where_turns_start_many_calls() {
        let mut turns = HostTurns::default();
        let mut turn = |turn, calls| -> Vec<bool> { (0..calls).map(|_| turns.has_others(turn)).collect() };
        assert_eq!(turn(0, 2), [false, false]);
        assert_eq!(turn(1, 4), [false, false, true, true]);
        // As the turn before had many, the first of this one waits for others, too.
        assert_eq!(turn(2, 1), [true]);
        assert_eq!(turn(3, 2), [false, false]);
        // A turn that starts nothing says nothing of the next.
        assert_eq!(turn(4, 3), [false, false, true]);
        assert_eq!(turn(9, 1), [true]);
    }

    #[test]
    fn nothing_is_held_back_for_a_loop_that_is_late() {
        let mut turns = HostTurns::default();
        assert!([0, 0, 0].map(|turn| turns.has_others(turn))[2]);
        turns.begin_grace();
        // It has looked meanwhile: what is held back now is of its next turn.
        assert!(turns.has_others(1));
        turns.end_grace();
        assert!(turns.has_others(1));
        turns.end_grace();
        assert!(!turns.has_others(1), "a grace time has passed since it looked");
        for _ in 0..3 {
            assert!(!turns.has_others(LATE));
        }
        assert!(turns.has_others(1 + LATE));
    }

    /// Gives in how many of so many turns of a loop that comes by a clock something was held back.
    fn late(turns: &mut HostTurns, from: u64, count: u64) -> usize {
        let held_back = (from..from + count).filter(|turn| {
            let is_held_back = [0; 3].map(|_| turns.has_others(*turn))[2];
            if is_held_back {
                turns.begin_grace();
                turns.end_grace();
            }
            is_held_back
        });
        held_back.count()
    }

    #[test]
    fn a_loop_that_is_always_late_has_little_held_back() {
        let mut turns = HostTurns::default();
        assert_eq!(late(&mut turns, 0, 2_000), 8);
        assert_eq!(late(&mut turns, 2_000, 10_240), 10);
        // One that was late once has it soon again.
        let mut turns = HostTurns::default();
        for turn in 0..100 {
            for _ in 0..3 {
                turns.has_others(turn);
            }
        }
        assert_eq!(late(&mut turns, 100, 1), 1);
        assert_eq!(late(&mut turns, 101, 7), 0);
        assert_eq!(late(&mut turns, 108, 1), 1);
    }
}
