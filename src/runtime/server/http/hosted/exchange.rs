//! One request and its answer. The threads of the program that read the answer poll what makes it; no lock is held meanwhile,
//! since that may call functions of the program.

use super::super::body::ServerBody;
use super::super::responses::refused;
use super::head::Head;
use super::owner::Of;
use super::signal::{Notice, Signal};
use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use crate::transport::http_server::refusal::Refusal;
use bytes::Bytes;
use hyper::Response;
use hyper::body::Body as _;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, Wake as _, Waker};
use std::time::{Duration, Instant};

/// What makes the head of an answer.
type Answering = Pin<Box<dyn Future<Output = Response<ServerBody>> + Send>>;

/// Why there is nothing to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// There is nothing yet.
    Empty,
    /// The program did not read in time: the rest of the answer is lost.
    Cut,
    /// The exchange was freed.
    Freed,
}

/// How far an exchange has come.
enum Stage {
    /// A thread polls it.
    Polled,
    Answering(Answering),
    Writing(ServerBody),
    /// Nothing more follows behind what was not read.
    Complete,
    Cut,
    Freed,
}

impl Stage {
    fn is_over(&self) -> bool {
        matches!(self, Stage::Complete | Stage::Cut | Stage::Freed)
    }
}

struct Held {
    stage: Stage,
    /// What the program has not read yet: one frame of the body, or all of them once the server closes.
    unread: VecDeque<Bytes>,
    /// The thread that polls is to end it.
    ends: bool,
    /// The thread that polls is to look once more, for another one that came meanwhile.
    contended: bool,
    freed: bool,
}

/// One request and its answer.
pub(crate) struct Exchange {
    of: Of,
    signal: Arc<Signal>,
    head: OnceLock<Head>,
    held: Mutex<Held>,
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("number", &self.of.number).finish_non_exhaustive()
    }
}

/// The right to poll. Its end gives the stage back, also when polling panics.
struct Turn<'a> {
    exchange: &'a Exchange,
    stage: Stage,
    more: VecDeque<Bytes>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let stage = std::mem::replace(&mut self.stage, Stage::Polled);
        let mut held = lock(&self.exchange.held);
        let unwanted = if held.freed {
            held.stage = Stage::Freed;
            Some(stage)
        } else {
            held.unread.append(&mut self.more);
            held.stage = stage;
            None
        };
        let (ends, contended) = (std::mem::take(&mut held.ends), std::mem::take(&mut held.contended));
        drop(held);
        // Its end tells the server that the client is gone, without the lock.
        drop(unwanted);
        if ends {
            self.exchange.end_soon();
        } else if contended {
            self.exchange.signal.wake_by_ref();
        }
    }
}

impl Exchange {
    pub(super) fn new(
        of: Of,
        answering: Answering,
        notice: Option<Notice>,
        runtime: &Arc<HttpRuntime>,
    ) -> Exchange {
        Exchange::at(Stage::Answering(answering), of, notice, runtime)
    }

    /// A request that is not served.
    pub(super) fn refused(refusal: &Refusal, notice: Option<Notice>, runtime: &Arc<HttpRuntime>) -> Exchange {
        let exchange = Exchange::at(Stage::Complete, Of::default(), notice, runtime);
        exchange.refuse(refusal);
        exchange
    }

    fn at(stage: Stage, of: Of, notice: Option<Notice>, runtime: &Arc<HttpRuntime>) -> Exchange {
        let held = Held { stage, unread: VecDeque::new(), ends: false, contended: false, freed: false };
        Exchange {
            of,
            signal: Arc::new(Signal::new(notice, runtime)),
            head: OnceLock::new(),
            held: Mutex::new(held),
        }
    }

    /// Answers with a refusal. Only for the thread that polls, or before another one can.
    fn refuse(&self, refusal: &Refusal) {
        let mut stage = Stage::Writing(self.heading(refused(refusal, None)));
        let mut more = VecDeque::new();
        while poll_once(self, &mut stage, &mut more, &mut Context::from_waker(Waker::noop())) {}
        lock(&self.held).unread.append(&mut more);
    }

    /// Takes note of the head; gives the body.
    fn heading(&self, response: Response<ServerBody>) -> ServerBody {
        let (head, body) = Head::of(response);
        // There is one answer.
        let _is_first = self.head.set(head);
        body
    }

    /// Gives the request to the server.
    pub(super) fn begin(&self) {
        // What came of it is there when the program asks.
        let _came_or_not = self.poll_in_turn();
    }

    /// The head of the answer, waiting at most until then.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn head(&self, until: Option<Instant>) -> Result<&Head, Stop> {
        self.advance(until, |_| self.head.get().map(Ok))
    }

    /// The head, if it is there.
    pub(crate) fn known_head(&self) -> Option<&Head> {
        self.head.get()
    }

    /// The next bytes of the body, at most so many, waiting at most until then. `None` at the end.
    ///
    /// # Errors
    /// Why there are none.
    pub(crate) fn read(&self, most: usize, until: Option<Instant>) -> Result<Option<Bytes>, Stop> {
        self.advance(until, |held| {
            while let Some(first) = held.unread.front_mut() {
                let part = first.split_to(first.len().min(most));
                if first.is_empty() {
                    held.unread.pop_front();
                }
                if !part.is_empty() {
                    return Some(Ok(Some(part)));
                }
            }
            matches!(held.stage, Stage::Complete).then_some(Ok(None))
        })
    }

    /// Polls until `look` finds what it looks for, the exchange is over, or the time is.
    fn advance<R>(
        &self,
        until: Option<Instant>,
        mut look: impl FnMut(&mut Held) -> Option<Result<R, Stop>>,
    ) -> Result<R, Stop> {
        loop {
            let seen = self.signal.look();
            {
                let mut held = lock(&self.held);
                let found = match held.stage {
                    Stage::Cut => Some(Err(Stop::Cut)),
                    Stage::Freed => Some(Err(Stop::Freed)),
                    _ if held.freed => Some(Err(Stop::Freed)),
                    _ => look(&mut held),
                };
                if let Some(found) = found {
                    let has_all = held.stage.is_over() && held.unread.is_empty();
                    drop(held);
                    if has_all {
                        self.signal.gave_all();
                    } else {
                        self.signal.gave();
                    }
                    return found;
                }
            }
            if !self.poll_in_turn() && !self.signal.wait(seen, until) {
                return Err(Stop::Empty);
            }
        }
    }

    /// Polls once, unless another thread does. Whether something came of it.
    fn poll_in_turn(&self) -> bool {
        if self.is_over() {
            return true;
        }
        // It stays until the stage is back: with it ends what the timers of the stage need. Without it another thread is about
        // to end the exchange, and says so.
        let Some(hosted) = self.of.lifetime() else { return false };
        let mut turn = {
            let mut held = lock(&self.held);
            match std::mem::replace(&mut held.stage, Stage::Polled) {
                Stage::Polled => {
                    held.contended = true;
                    return false;
                }
                stage => Turn { exchange: self, stage, more: VecDeque::new() },
            }
        };
        let entered = self.signal.runtime().enter();
        let waker = Waker::from(Arc::clone(&self.signal));
        let came = turn.poll(&mut Context::from_waker(&waker));
        drop((entered, turn));
        drop(hosted);
        if came {
            self.signal.moved();
        }
        came
    }

    /// Whether nothing more comes from the server.
    pub(super) fn is_over(&self) -> bool {
        lock(&self.held).stage.is_over()
    }

    /// The server closes: what was answered by now is what the program can read. The runtime must be there until this returns.
    pub(super) fn end_soon(&self) {
        let mut turn = {
            let mut held = lock(&self.held);
            if held.stage.is_over() {
                return;
            }
            match std::mem::replace(&mut held.stage, Stage::Polled) {
                Stage::Polled => {
                    held.ends = true;
                    return;
                }
                stage => Turn { exchange: self, stage, more: VecDeque::new() },
            }
        };
        let entered = self.signal.runtime().enter();
        let mut context = Context::from_waker(Waker::noop());
        while turn.poll(&mut context) {}
        // Its end tells the server that the client is gone.
        let is_cut = matches!(std::mem::replace(&mut turn.stage, Stage::Complete), Stage::Cut);
        if self.head.get().is_none() {
            let mut body =
                Stage::Writing(self.heading(refused(&Refusal::full("the server is closing"), None)));
            while poll_once(self, &mut body, &mut turn.more, &mut context) {}
        }
        if is_cut {
            turn.stage = Stage::Cut;
        }
        drop((entered, turn));
        self.signal.ring_now();
        if let Some(owner) = self.of.owner() {
            // The thread in `close` waits for this.
            owner.wake_server();
        }
    }

    /// Ends it if the program has read nothing for that long, although there is something.
    pub(super) fn cut_if_unread(&self, limit: Duration) -> bool {
        if !self.signal.is_unread(limit) {
            return false;
        }
        let (stage, unread) = {
            let mut held = lock(&self.held);
            let has_all = matches!(held.stage, Stage::Complete) && held.unread.is_empty();
            if has_all || matches!(held.stage, Stage::Polled | Stage::Cut | Stage::Freed) {
                return false;
            }
            (std::mem::replace(&mut held.stage, Stage::Cut), std::mem::take(&mut held.unread))
        };
        drop((stage, unread));
        self.signal.ring_now();
        true
    }

    /// The program wants no more of it: its client is gone, or has everything.
    pub(crate) fn free(&self) {
        let (stage, unread) = {
            let mut held = lock(&self.held);
            held.freed = true;
            let stage = match held.stage {
                // The thread that polls ends it.
                Stage::Polled => None,
                _ => Some(std::mem::replace(&mut held.stage, Stage::Freed)),
            };
            (stage, std::mem::take(&mut held.unread))
        };
        drop((stage, unread));
        self.signal.end();
        if let Some(owner) = self.of.owner() {
            owner.forget(self.of.number);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.free();
    }
}

impl Turn<'_> {
    /// Polls once; whether something came of it. A panic leaves the exchange cut off.
    fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let mut stage = std::mem::replace(&mut self.stage, Stage::Cut);
        let came = poll_once(self.exchange, &mut stage, &mut self.more, context);
        self.stage = stage;
        came
    }
}

/// Polls once; whether something came of it, and more may.
fn poll_once(
    exchange: &Exchange,
    stage: &mut Stage,
    more: &mut VecDeque<Bytes>,
    context: &mut Context<'_>,
) -> bool {
    match stage {
        Stage::Answering(answering) => match answering.as_mut().poll(context) {
            Poll::Ready(response) => {
                *stage = Stage::Writing(exchange.heading(response));
                true
            }
            Poll::Pending => false,
        },
        Stage::Writing(body) => match Pin::new(body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    more.push_back(data);
                }
                true
            }
            Poll::Ready(Some(Err(_cut))) => {
                *stage = Stage::Cut;
                true
            }
            Poll::Ready(None) => {
                *stage = Stage::Complete;
                true
            }
            Poll::Pending => false,
        },
        Stage::Polled | Stage::Complete | Stage::Cut | Stage::Freed => false,
    }
}
