//! A transport of the host's: its functions are called in order by one thread at a time, with no lock held, and what it
//! delivers goes to the engine on the thread that delivers.
//!
//! What is to be done stands in a line. The thread that puts something there does it, unless another one does already: then that
//! one goes on with it. So a transport may deliver from inside `send`, and what the engine answers to that is sent next.

use super::owner::{Driven, LinkOwner};
use crate::engine::{Error, Status};
use crate::runtime::lock;
use crate::runtime::threads::this_thread;
use crate::transport::custom::{Channel, Receiver, Refused, Transport, Undelivered};
use crate::transport::framing::Oversized;
use crate::transport::framing::Piece;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How much one thread does before the background thread goes on: it has a deadline of its own.
pub(crate) const JOBS_PER_TURN: usize = 256;

/// How long the end of a client waits for a function that is running still, after the time that closing had.
const LAST_WAIT: Duration = Duration::from_millis(500);

/// Something for the transport to do.
#[derive(Debug)]
enum CustomOperation {
    Open(u64),
    Send(u64, Vec<u8>),
    Close(u64),
    /// Too much waits to be sent.
    PileUp(u64),
}

#[derive(Default)]
struct CustomQueue {
    /// Gone once the client is freed.
    transport: Option<Arc<dyn Transport>>,
    jobs: VecDeque<CustomOperation>,
    /// Bytes of frames that wait.
    bytes: usize,
    /// Who works on the line.
    runner: Option<u64>,
    /// The connection that is open.
    open: Option<Channel>,
    /// Its generation, while the engine wants it.
    current: Option<u64>,
    /// The generation whose frames pile up, or were refused: nothing more of it is sent.
    failed: Option<u64>,
    ended: bool,
}

/// What a client has of its transport for as long as it lives, whatever connections come and go.
pub(crate) struct Custom {
    line: Mutex<CustomQueue>,
    /// No thread works on the line any more.
    idle: Condvar,
    /// Takes what the transport delivers.
    inbox: OnceLock<Arc<Inbox>>,
    /// The most bytes that may wait.
    most: usize,
}

impl std::fmt::Debug for Custom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Custom").finish_non_exhaustive()
    }
}

impl Custom {
    pub(crate) fn new(transport: Box<dyn Transport>, outgoing_bytes: usize) -> Custom {
        let line = CustomQueue { transport: Some(Arc::from(transport)), ..CustomQueue::default() };
        // Calls and notifications stop at the bound, which only the last of them goes over.
        Custom {
            line: Mutex::new(line),
            idle: Condvar::new(),
            inbox: OnceLock::new(),
            most: outgoing_bytes.saturating_mul(2),
        }
    }

    pub(super) fn waiting_bytes(&self) -> usize {
        let line = lock(&self.line);
        line.current.map_or(0, |_| line.bytes)
    }

    pub(super) fn open(&self, generation: u64) {
        self.add(&mut lock(&self.line), CustomOperation::Open(generation));
    }

    /// Puts a frame at the end of the line, if there is a connection.
    pub(super) fn send(&self, frame: Vec<u8>) {
        let mut line = lock(&self.line);
        if let Some(generation) = line.current {
            self.add(&mut line, CustomOperation::Send(generation, frame));
        }
    }

    pub(super) fn close(&self, generation: u64) {
        let mut line = lock(&self.line);
        line.current.take_if(|current| *current == generation);
        self.add(&mut line, CustomOperation::Close(generation));
    }

    /// Puts something at the end of the line.
    fn add(&self, line: &mut CustomQueue, job: CustomOperation) {
        if line.ended {
            return;
        }
        if let CustomOperation::Send(generation, frame) = &job {
            if line.failed == Some(*generation) {
                return;
            }
            if line.bytes > self.most && line.bytes.saturating_sub(line.largest()) > self.most {
                // What a server made us say that asks, while the transport takes nothing.
                let generation = *generation;
                line.fail(generation);
                line.jobs.push_back(CustomOperation::PileUp(generation));
                return;
            }
            line.bytes += frame.len();
        }
        line.jobs.push_back(job);
    }

    /// Does what stands in the line, unless another thread does already. Says whether more is left: this one has a deadline of
    /// its own.
    pub(super) fn run(&self, owner: &dyn Driven) -> bool {
        let mut line = lock(&self.line);
        if line.runner.is_some() || line.jobs.is_empty() || line.ended {
            return false;
        }
        line.runner = Some(this_thread());
        let mut done = 0;
        while !line.ended && done < JOBS_PER_TURN {
            let Some(job) = line.jobs.pop_front() else { break };
            done += 1;
            if let CustomOperation::Send(_, frame) = &job {
                line.bytes = line.bytes.saturating_sub(frame.len());
            }
            let Some(transport) = line.transport.clone() else { break };
            let open = line.open.clone();
            let failed = line.failed;
            drop(line);
            self.perform(owner, &transport, job, open, failed);
            drop(transport);
            line = lock(&self.line);
        }
        if line.ended {
            end(line);
            line = lock(&self.line);
        }
        line.runner = None;
        let (goes_on, is_awaited) = (!line.jobs.is_empty(), line.ended);
        drop(line);
        // Each notice takes a system call.
        if is_awaited {
            self.idle.notify_all();
        }
        goes_on
    }

    fn perform(
        &self,
        owner: &dyn Driven,
        transport: &Arc<dyn Transport>,
        job: CustomOperation,
        open: Option<Channel>,
        failed: Option<u64>,
    ) {
        match job {
            CustomOperation::Open(generation) => {
                let channel = Channel::new(generation, self.receiver(owner));
                match guarded(|| transport.open(&channel)) {
                    Ok(()) => {
                        lock(&self.line).open = Some(channel);
                        // If it is no longer wanted, its end stands in the line already.
                        owner.opened(generation, &mut || lock(&self.line).current = Some(generation));
                    }
                    Err(refused) => {
                        channel.end();
                        owner.failed_to_start(generation, refusal("connect", "open", &refused));
                        owner.gone(generation);
                    }
                }
            }
            CustomOperation::Send(generation, frame) => {
                let Some(channel) = open.filter(|channel| channel.generation() == generation) else { return };
                if failed == Some(generation) {
                    return;
                }
                if let Err(refused) = guarded(|| transport.send(&channel, frame)) {
                    lock(&self.line).fail(generation);
                    owner.lost(generation, refusal("connection", "send", &refused));
                }
            }
            CustomOperation::PileUp(generation) => {
                let why = "the server sends requests, and the transport takes no answers";
                owner.lost(generation, Error::new(Status::Protocol, "connection", why));
            }
            CustomOperation::Close(generation) => {
                let Some(channel) = open.filter(|channel| channel.generation() == generation) else { return };
                lock(&self.line).open = None;
                close(&**transport, &channel);
                owner.gone(generation);
            }
        }
    }

    fn receiver(&self, owner: &dyn Driven) -> Weak<dyn Receiver> {
        let Some(owner) = owner.this() else { return Weak::<Inbox>::new() };
        let owner: Arc<dyn LinkOwner> = owner;
        let inbox = self.inbox.get_or_init(|| Arc::new(Inbox { owner: Arc::downgrade(&owner) }));
        let inbox: Arc<dyn Receiver> = Arc::<Inbox>::clone(inbox);
        Arc::downgrade(&inbox)
    }

    /// Lets the transport go, after the last of its functions: here, or where one still runs that does not return in time.
    pub(super) fn finish(&self) {
        let until = Instant::now() + LAST_WAIT;
        let mut line = lock(&self.line);
        line.ended = true;
        line.jobs.clear();
        while line.runner.is_some_and(|runner| runner != this_thread()) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            line = self.idle.wait_timeout(line, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        if line.runner.is_none() {
            end(line);
        }
    }
}

impl CustomQueue {
    fn largest(&self) -> usize {
        let bytes =
            |job: &CustomOperation| if let CustomOperation::Send(_, frame) = job { frame.len() } else { 0 };
        self.jobs.iter().map(bytes).max().unwrap_or(0)
    }

    /// Nothing more of a generation is sent.
    fn fail(&mut self, generation: u64) {
        self.failed = Some(generation);
        self.jobs.retain(|job| !matches!(job, CustomOperation::Send(its, _) if *its == generation));
        self.bytes = 0;
    }
}

/// The last of the transport: a connection that is still open is closed first.
fn end(mut line: MutexGuard<'_, CustomQueue>) {
    let transport = line.transport.take();
    let open = line.open.take();
    drop(line);
    if let (Some(transport), Some(channel)) = (&transport, open) {
        close(&**transport, &channel);
    }
    // What the host wants done at the end is done here.
    drop(transport);
}

fn close(transport: &dyn Transport, channel: &Channel) {
    channel.end();
    let closed = guarded(|| {
        transport.close(channel);
        Ok(())
    });
    // It can only have panicked, and it is over.
    drop(closed);
}

/// A transport written in Rust may panic; that must not stop the client.
fn guarded(function: impl FnOnce() -> Result<(), Refused>) -> Result<(), Refused> {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|_| Err("it panicked".into()))
}

fn refusal(operation: &str, function: &str, refused: &Refused) -> Error {
    let message = format!("the program's transport failed to {function}: {}", refused.message);
    let error = Error::new(Status::Transport, operation, message).with("function", function);
    match refused.code {
        Some(code) => error.with("transport_status", code),
        None => error,
    }
}

/// Brings what the transport delivers to the connection.
struct Inbox {
    owner: Weak<dyn LinkOwner>,
}

impl Inbox {
    fn throw_away(
        owner: &dyn LinkOwner,
        generation: u64,
        frame: &[u8],
        piece: impl FnOnce(Option<u64>, u64) -> Piece,
    ) {
        let mut kept = Oversized::default();
        kept.take(frame);
        let mut piece = Some(piece(kept.id(), kept.bytes()));
        owner.received(generation, None, &mut || piece.take(), None);
    }

    fn receive(owner: &dyn LinkOwner, generation: u64, frame: Vec<u8>) {
        let mut piece = Some(Piece::Frame(frame));
        owner.received(generation, None, &mut || piece.take(), None);
    }

    /// Whom a frame is for, if it may come.
    fn owner_for(&self, generation: u64, frame: &[u8]) -> Result<Arc<dyn LinkOwner>, Undelivered> {
        let Some(owner) = self.owner.upgrade() else { return Err(Undelivered::Closed) };
        let bound = owner.context().transport.frame_bytes;
        if frame.is_empty() {
            return Err(Undelivered::Empty);
        }
        if frame.len() > bound {
            Inbox::throw_away(&*owner, generation, frame, |id, bytes| Piece::Oversized { id, bytes });
            return Err(Undelivered::TooLarge { bound });
        }
        // What is owed is always taken. Only notifications can wait, and the sender knows for how long.
        if owner.context().queue.is_held_up() && is_notification(frame) {
            return Err(Undelivered::Full);
        }
        Ok(owner)
    }
}

impl Receiver for Inbox {
    fn deliver(&self, generation: u64, frame: &[u8]) -> Result<(), Undelivered> {
        let owner = self.owner_for(generation, frame)?;
        // One byte more, so that a NUL can be put after the frame without growing it.
        let mut copy = Vec::new();
        if copy.try_reserve_exact(frame.len() + 1).is_err() {
            Inbox::throw_away(&*owner, generation, frame, |id, bytes| Piece::Unheld { id, bytes });
            return Err(Undelivered::NoMemory);
        }
        copy.extend_from_slice(frame);
        Inbox::receive(&*owner, generation, copy);
        Ok(())
    }

    #[cfg(all(feature = "client", feature = "server"))]
    fn take(&self, generation: u64, frame: Vec<u8>) -> Result<(), Undelivered> {
        Inbox::receive(&*self.owner_for(generation, &frame)?, generation, frame);
        Ok(())
    }

    fn closed(&self, generation: u64, reason: &str) {
        let Some(owner) = self.owner.upgrade() else { return };
        let why = if reason.is_empty() { "it gave no reason" } else { reason };
        let message = format!("the program's transport was closed: {why}");
        owner.lost(generation, Error::new(Status::Transport, "connection", message));
    }
}

fn is_notification(frame: &[u8]) -> bool {
    std::str::from_utf8(frame).is_ok_and(|text| {
        crate::json::member(text, "method").is_some() && crate::json::member(text, "id").is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transport that is never called.
    struct Idle;

    impl Transport for Idle {
        fn open(&self, _: &Channel) -> Result<(), Refused> {
            Ok(())
        }
        fn send(&self, _: &Channel, _: Vec<u8>) -> Result<(), Refused> {
            Ok(())
        }
        fn close(&self, _: &Channel) {}
    }

    #[test]
    fn frames_that_pile_up_are_bounded() {
        let custom = Custom::new(Box::new(Idle), 1000);
        let send = |generation, bytes| {
            lock(&custom.line).current = Some(generation);
            custom.send(vec![b' '; bytes]);
        };
        for _ in 0..100 {
            send(3, 100);
        }
        // Up to the bound and the last one over it, then nothing of this generation.
        assert_eq!(custom.waiting_bytes(), 0);
        let line = lock(&custom.line);
        assert!(line.jobs.len() == 1 && matches!(line.jobs[0], CustomOperation::PileUp(3)));
        assert_eq!(line.failed, Some(3));
        drop(line);
        // One frame may have any size; it does not count.
        send(4, 10_000);
        send(4, 100);
        assert_eq!(custom.waiting_bytes(), 10_100);
        custom.finish();
        custom.close(4);
        assert!(lock(&custom.line).jobs.is_empty());
    }
}
