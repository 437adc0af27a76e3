//! A connection over pipes whose server writes lines: the first byte of a line says which waiter it is for.

use crate::engine::Error;
use crate::runtime::background::shared::Runtime;
use crate::runtime::link::owner::{Driven, LinkContext, LinkOwner};
use crate::runtime::link::owner::{LinkTarget, StderrTo, TransportSettings};
use crate::runtime::link::pipe::{Pipe, PipePart, token};
use crate::runtime::link::pipes::Pipes;
use crate::runtime::message::Message;
use crate::runtime::polling::{Polled, poll_queue};
use crate::runtime::queue::wake_state::Shown;
use crate::runtime::queue::{Queue, QueueLimits};
use crate::runtime::sync::{Mutex, lock};
use crate::runtime::waiter::{Arrival, Waiter};
use crate::transport::Framing;
use crate::transport::framing::Piece;
use crate::transport::poller::{Interest, Poller, model};
use crate::transport::stderr::StderrLimits;
use crate::transport::stream::{Incoming, Outgoing};
use rustix::fd::OwnedFd;
use rustix::pipe::{PipeFlags, pipe_with};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Peer {
    context: LinkContext,
    pub(super) runtime: Arc<Runtime>,
    pub(super) pipes: Pipes,
    pub(super) pipe: Arc<Pipe>,
    /// What the server writes to.
    server: OwnedFd,
    /// What the server reads.
    input: OwnedFd,
    /// The waiters, by the number that lines have.
    waiters: Mutex<Vec<Arc<Waiter>>>,
    /// How many lines came for no waiter. Changed in steps of the model's kernel.
    unclaimed: AtomicUsize,
    ended: AtomicUsize,
    /// A loop watches the queue, to which lines for no waiter go.
    has_loop: bool,
    myself: Weak<Peer>,
}

/// A connection of one run of a model.
pub(super) struct OpenedPeer(pub(super) Arc<Peer>);

impl Deref for OpenedPeer {
    type Target = Arc<Peer>;

    fn deref(&self) -> &Arc<Peer> {
        &self.0
    }
}

impl Drop for OpenedPeer {
    /// What waits for the grace time keeps the connection, and the connection what it waits in.
    fn drop(&mut self) {
        drop(self.0.runtime.take_graced());
    }
}

fn pipe() -> (OwnedFd, OwnedFd) {
    pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).expect("two descriptors")
}

const NUMBER: u64 = 1;
const BOUND: usize = 1024;

fn settings() -> TransportSettings {
    TransportSettings {
        endpoint: LinkTarget::Custom,
        framing: Framing::Newline,
        frame_bytes: BOUND,
        discard_bytes: BOUND,
        outgoing_bytes: BOUND,
        server_requests: 1,
        stderr: StderrLimits { line_bytes: BOUND, lines: 1 },
        stderr_to: StderrTo::default(),
        connect: Duration::ZERO,
        exit_wait: Duration::ZERO,
        term_wait: Duration::ZERO,
        close: Duration::ZERO,
    }
}

impl Peer {
    /// A connection that is open, which the background thread would read.
    pub(super) fn new(waiters: usize) -> OpenedPeer {
        Peer::open(waiters, false)
    }

    /// The same, which a loop sees, too.
    pub(super) fn with_loop(waiters: usize) -> OpenedPeer {
        let peer = Peer::open(waiters, true);
        peer.context.queue.fd().expect("a descriptor");
        // The thread that reads it has the loop see it afterwards.
        peer.pipes.readable(&**peer, &peer.pipe);
        peer
    }

    fn open(waiters: usize, has_loop: bool) -> OpenedPeer {
        let (output, server) = pipe();
        let (their_input, input) = pipe();
        let incoming = Incoming::new(Arc::new(output), Framing::Newline, BOUND, BOUND);
        let outgoing = Outgoing::new(input, Framing::Newline);
        let runtime = Arc::new(Runtime::new(Poller::new().expect("descriptors")));
        let pipe = Arc::new(Pipe::new(NUMBER, NUMBER, None, outgoing, incoming).expect("a descriptor"));
        runtime.poller.watch(&pipe.output, token(NUMBER, PipePart::Output), Interest::None).expect("a watch");
        let peer = Arc::new_cyclic(|myself| Peer {
            context: LinkContext {
                client: NUMBER,
                name: "model".to_owned(),
                transport: settings(),
                queue: Queue::new(QueueLimits::default()),
                owns_queue: true,
                callbacks: Arc::clone(&runtime.callbacks),
                peer: Arc::default(),
            },
            pipes: Pipes::new(&runtime),
            runtime,
            pipe,
            server,
            input: their_input,
            waiters: Mutex::new((0..waiters).map(|_| Arc::new(Waiter::of_call())).collect()),
            unclaimed: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            has_loop,
            myself: Weak::clone(myself),
        });
        peer.pipes.install(&peer.pipe);
        OpenedPeer(peer)
    }

    pub(super) fn waiter(&self, number: usize) -> Arc<Waiter> {
        Arc::clone(&lock(&self.waiters)[number])
    }

    /// The server writes the line of a waiter, or of none.
    pub(super) fn says(&self, number: usize) {
        let line = format!("{number}\n");
        let written = model::change(|| rustix::io::write(&self.server, line.as_bytes()));
        assert_eq!(written, Ok(line.len()));
    }

    /// A thread that calls: waits for its line.
    pub(super) fn call(&self, number: usize) {
        let waiter = self.waiter(number);
        self.pipes.wait(self, &waiter, None);
        assert!(matches!(waiter.take(), Some(Arrival::Look)), "the wait ended without a reason");
    }

    /// The background thread, with a grace time that passes at once.
    pub(super) fn reads_in_background(&self) {
        let mut ready = Vec::new();
        loop {
            self.runtime.poller.wait(&mut ready, None);
            if self.ended.load(Ordering::SeqCst) > 0 {
                return;
            }
            if ready.contains(&token(NUMBER, PipePart::Output)) {
                self.pipes.readable(self, &self.pipe);
            }
            if !self.runtime.take_graced().is_empty() {
                while self.pipes.grace_is_over(self) {}
            }
        }
    }

    pub(super) fn end_background(&self) {
        self.ended.store(1, Ordering::SeqCst);
        self.runtime.poller.wake();
    }

    /// A thread of a loop: takes so many messages, and goes back to its loop when there is nothing.
    pub(super) fn loops(&self, mut count: usize) {
        let queue = &self.context.queue;
        while count > 0 {
            model::wait(|| self.is_ready().then_some(()));
            while let Polled::Message(_) = poll_queue(queue, Some(Duration::ZERO)) {
                count -= 1;
            }
        }
    }

    /// A thread that starts a call, whose frame may be held back.
    pub(super) fn starts(&self) {
        self.pipes.send(b"x".to_vec());
        self.pipes.flush_or_hold_back(self, true);
        // The server sees what was written at once.
        model::change(|| ());
    }

    /// How many frames the server reads now.
    pub(super) fn reads_frames(&self) -> usize {
        let mut read = [0; BOUND];
        match rustix::io::read(&self.input, &mut read[..]) {
            Ok(count) => read[..count].iter().filter(|byte| **byte == b'\n').count(),
            Err(_) => 0,
        }
    }

    /// A thread of a loop, beside a server that reads: until so many messages were taken and so many frames were read.
    pub(super) fn loops_and_writes(&self, mut messages: usize, mut frames: usize) {
        loop {
            frames -= self.reads_frames();
            if messages == 0 && frames == 0 {
                return;
            }
            model::wait(|| (self.is_ready() || self.has_frames()).then_some(()));
            messages -= self.loops_once();
        }
    }

    fn has_frames(&self) -> bool {
        rustix::io::ioctl_fionread(&self.input).is_ok_and(|bytes| bytes > 0)
    }

    /// One turn of a loop: gives how many messages it took.
    pub(super) fn loops_once(&self) -> usize {
        let mut messages = 0;
        while let Polled::Message(_) = poll_queue(&self.context.queue, Some(Duration::ZERO)) {
            messages += 1;
        }
        messages
    }

    /// Whether a loop would wake now.
    pub(super) fn is_ready(&self) -> bool {
        self.context.queue.wake_state().is_ready()
    }

    /// Waits until so many lines for no waiter were read.
    pub(super) fn until_unclaimed(&self, count: usize) {
        model::wait(|| (self.unclaimed.load(Ordering::SeqCst) == count).then_some(()));
    }
}

impl LinkOwner for Peer {
    fn context(&self) -> &LinkContext {
        &self.context
    }

    fn opened(&self, _generation: u64, _install: &mut dyn FnMut()) -> bool {
        unreachable!("the connection is open from the beginning")
    }

    fn failed_to_start(&self, _generation: u64, _error: Error) {}

    fn lost(&self, _generation: u64, _error: Error) {}

    fn gone(&self, _generation: u64) {}

    fn received(
        &self,
        _generation: u64,
        _exchange: Option<u64>,
        next: &mut dyn FnMut() -> Option<Piece>,
        by: Option<&Arc<Waiter>>,
    ) -> bool {
        while let Some(Piece::Frame(line)) = next() {
            let number = usize::from(line[0] - b'0');
            let waiter = lock(&self.waiters).get(number).cloned();
            match waiter {
                Some(waiter) => waiter.arrive(Arrival::Look, by),
                None if self.has_loop => {
                    self.context.queue.push(Message::log(NUMBER, "line"), by);
                }
                None => {
                    model::change(|| self.unclaimed.fetch_add(1, Ordering::SeqCst));
                }
            }
        }
        true
    }

    fn is_held_up(&self) -> bool {
        false
    }
}

impl Driven for Peer {
    fn this(&self) -> Option<Arc<dyn Driven>> {
        Some(self.myself.upgrade()?)
    }

    fn shown(&self) -> Weak<dyn Shown> {
        Weak::clone(&self.myself) as Weak<dyn Shown>
    }

    fn due(&self) -> u64 {
        u64::MAX
    }

    fn forget_due(&self) {}

    fn tick(&self, _by: Option<&Arc<Waiter>>) {}

    fn grace_is_over(&self) -> bool {
        self.pipes.grace_is_over(self)
    }

    fn carry(&self) {}

    fn opened_pipe(&self, _pipe: &Arc<Pipe>) -> bool {
        false
    }

    fn readable(&self, pipe: &Pipe) {
        self.pipes.readable(self, pipe);
    }

    fn writable(&self, _pipe: &Pipe) {}

    fn read_rest(&self, _pipe: &Arc<Pipe>) {}
}

impl Shown for Peer {
    fn read_now(&self) {
        self.pipes.read_for_host(self);
    }

    fn write_now(&self) {
        self.pipes.flush_for_host(self);
    }
}
