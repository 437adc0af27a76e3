//! One request and its answer. The threads of the program that read the answer poll what makes it; no lock is held meanwhile,
//! since that may call functions of the program. While the program gives the body, a thread of the library polls it, too: the
//! program may be waiting for its client when the time of the body is over.

use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use crate::runtime::server::budget::GivesWay;
use crate::runtime::server::http::request_body::{Feed, Notice, Put, Signal};
use crate::runtime::server::http::response::ServerBody;
use crate::runtime::server::http::response::refused;
use crate::runtime::server::http::seats::ConnectionGivesWay;
use crate::transport::http_server::refusal::Refusal;
use bytes::Bytes;
use hyper::Response;
use hyper::body::Body as _;
use std::any::Any;
use std::collections::VecDeque;
use std::ffi::CString;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::task::{Context, Poll, Wake as _, Waker};
use std::time::{Duration, Instant};

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

struct HeldResponse {
    stage: Stage,
    /// What the program has not read yet: one frame of the body, or all of them once the server closes.
    unread: VecDeque<Bytes>,
    /// The thread that polls is to end it.
    ends: bool,
    /// The thread that polls is to look once more, for another one that came meanwhile.
    contended: bool,
    /// The thread that polls is to end it for others, which need the room.
    yields: bool,
    freed: bool,
}

/// One request and its answer.
pub(crate) struct HostedExchange {
    this: Weak<HostedExchange>,
    of: Of,
    signal: Arc<Signal>,
    /// Where the program gives the body in parts.
    feed: Option<Feed>,
    /// The owner knows that no more of the body is wanted.
    has_body: AtomicBool,
    head: OnceLock<HostedHead>,
    held: Mutex<HeldResponse>,
}

impl fmt::Debug for HostedExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedExchange").field("number", &self.of.number).finish_non_exhaustive()
    }
}

/// The right to poll. Its end gives the stage back, also when polling panics.
struct ExchangeTurn<'a> {
    exchange: &'a HostedExchange,
    stage: Stage,
    more: VecDeque<Bytes>,
}

impl Drop for ExchangeTurn<'_> {
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
        let yields = std::mem::take(&mut held.yields);
        drop(held);
        // Its end tells the server that the client is gone, without the lock.
        drop(unwanted);
        if ends {
            self.exchange.end_soon();
        } else if yields {
            self.exchange.make_room();
        } else if contended {
            self.exchange.signal.wake_by_ref();
        }
    }
}

impl HostedExchange {
    /// `answering` makes the answer of what gives way where others need the room that it takes.
    pub(super) fn new(
        of: Of,
        feed: Option<Feed>,
        answering: impl FnOnce(ConnectionGivesWay) -> Answering,
        notice: Option<Notice>,
        runtime: &Arc<HttpRuntime>,
    ) -> Arc<HostedExchange> {
        let is_fed = feed.is_some();
        let exchange = Arc::new_cyclic(|this: &Weak<HostedExchange>| {
            let way: Weak<HostedExchange> = Weak::clone(this);
            let answering = Stage::Answering(answering(ConnectionGivesWay(way)));
            HostedExchange::at(Weak::clone(this), answering, of, feed, notice, runtime)
        });
        if is_fed {
            let this = Arc::downgrade(&exchange);
            exchange.signal.poll_with(Arc::new(move || {
                if let Some(exchange) = this.upgrade() {
                    exchange.poll_for_program();
                }
            }));
        }
        exchange
    }

    /// A request that is not served.
    pub(super) fn refused(
        refusal: &Refusal,
        notice: Option<Notice>,
        runtime: &Arc<HttpRuntime>,
    ) -> HostedExchange {
        let exchange = HostedExchange::at(Weak::new(), Stage::Complete, Of::default(), None, notice, runtime);
        refuse(refusal, &exchange.head, &mut lock(&exchange.held).unread);
        exchange
    }

    fn at(
        this: Weak<HostedExchange>,
        stage: Stage,
        of: Of,
        feed: Option<Feed>,
        notice: Option<Notice>,
        runtime: &Arc<HttpRuntime>,
    ) -> HostedExchange {
        let held = HeldResponse {
            stage,
            unread: VecDeque::new(),
            ends: false,
            contended: false,
            yields: false,
            freed: false,
        };
        HostedExchange {
            this,
            of,
            signal: Arc::new(Signal::new(notice, runtime)),
            feed,
            has_body: AtomicBool::new(false),
            head: OnceLock::new(),
            held: Mutex::new(held),
        }
    }

    /// Gives the request to the server.
    pub(super) fn poll_first(&self) {
        // What came of it is there when the program asks.
        let _came_or_not = self.poll_in_turn();
    }

    /// How many bytes of the body the program may read from its client and give, waiting at most until then. 0 when no more of it is
    /// wanted: the answer follows.
    ///
    /// # Errors
    /// Why that is not known.
    pub(crate) fn permit(&self, until: Option<Instant>) -> Result<usize, Stop> {
        let permit = || match &self.feed {
            None => Some(0),
            Some(_) if self.head.get().is_some() => Some(0),
            Some(feed) if feed.is_open() => feed.permit(),
            Some(_) => Some(0),
        };
        loop {
            let found = self.advance(until, |_| permit().map(Ok))?;
            let seen = self.signal.look();
            // While the program reads from its client it is told when the body is not wanted any more.
            if found == 0 || permit() == Some(found) && self.signal.waits_for_client(seen) {
                return Ok(found);
            }
        }
    }

    /// Takes a part of the body.
    pub(crate) fn write(&self, part: &[u8], is_last: bool) -> Put {
        // A request that is refused at once, or came with its body, wants no part.
        let Some(feed) = &self.feed else { return Put::Taken };
        self.signal.look();
        self.signal.gave();
        let put = feed.put(part, is_last);
        // What came of it is there when the program asks.
        let _came_or_not = self.poll_in_turn();
        put
    }

    /// Polls on a thread of the runtime.
    fn poll_for_program(&self) {
        if self.is_over() {
            return;
        }
        let asked = self.asks();
        // The runtime is there: it polls this.
        let came = self.turn().is_some_and(|turn| self.poll_turn(turn));
        if came {
            self.signal.moved();
        }
        if !(asked && self.asks()) {
            self.signal.ring_now();
        }
    }

    /// Whether a part of the body is wanted now.
    fn asks(&self) -> bool {
        self.feed.as_ref().is_some_and(|feed| feed.permit().is_some())
    }

    /// The head of the answer, waiting at most until then.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn head(&self, until: Option<Instant>) -> Result<&HostedHead, Stop> {
        self.advance(until, |_| self.head.get().map(Ok))
    }

    /// The head, if it is there.
    pub(crate) fn known_head(&self) -> Option<&HostedHead> {
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
        mut look: impl FnMut(&mut HeldResponse) -> Option<Result<R, Stop>>,
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
        let Some(turn) = self.turn() else { return false };
        let came = self.poll_turn(turn);
        drop(hosted);
        if came {
            self.signal.moved();
        }
        came
    }

    /// The right to poll, unless another thread has it.
    fn turn(&self) -> Option<ExchangeTurn<'_>> {
        let mut held = lock(&self.held);
        match std::mem::replace(&mut held.stage, Stage::Polled) {
            Stage::Polled => {
                held.contended = true;
                None
            }
            stage => Some(ExchangeTurn { exchange: self, stage, more: VecDeque::new() }),
        }
    }

    /// Polls once. Whether something came of it: a part of the answer, or a wish for a part of the body.
    fn poll_turn(&self, mut turn: ExchangeTurn<'_>) -> bool {
        let asked = self.asks();
        let entered = self.signal.runtime().enter();
        let waker = Waker::from(Arc::clone(&self.signal));
        let came = turn.poll(&mut Context::from_waker(&waker));
        drop((entered, turn));
        if !self.feed.as_ref().is_some_and(Feed::is_open) && !self.has_body.swap(true, Relaxed) {
            self.signal.leave_to_program();
            if let Some(owner) = self.of.owner() {
                owner.has_body(self.of.number);
            }
        }
        came || !asked && self.asks()
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
                stage => ExchangeTurn { exchange: self, stage, more: VecDeque::new() },
            }
        };
        let entered = self.signal.runtime().enter();
        let mut context = Context::from_waker(Waker::noop());
        while turn.poll(&mut context) {}
        // Its end tells the server that the client is gone.
        let is_cut = matches!(std::mem::replace(&mut turn.stage, Stage::Complete), Stage::Cut);
        if self.head.get().is_none() {
            refuse(&Refusal::full("the server is closing"), &self.head, &mut turn.more);
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

    /// Refuses the request if its body is not whole: there is no room for it any more. Whether it did.
    pub(super) fn give_way(&self, refusal: &Refusal) -> bool {
        if !self.feed.as_ref().is_some_and(Feed::is_open) {
            return false;
        }
        let Some(mut turn) = self.turn() else { return false };
        if !matches!(turn.stage, Stage::Answering(_)) {
            return false;
        }
        let entered = self.signal.runtime().enter();
        drop(std::mem::replace(&mut turn.stage, Stage::Complete));
        refuse(refusal, &self.head, &mut turn.more);
        drop((entered, turn));
        self.signal.leave_to_program();
        self.ring_later();
        true
    }

    /// Others need the room that it takes: its body is refused, or what is left of its answer is lost.
    fn make_room(&self) {
        let refusal =
            Refusal::at_limit("limits.shared_bytes", "other clients need the room that this request takes");
        loop {
            {
                let mut held = lock(&self.held);
                match held.stage {
                    // The thread that polls it ends it then.
                    Stage::Polled => {
                        held.yields = true;
                        return;
                    }
                    Stage::Cut | Stage::Freed => return,
                    Stage::Complete if held.unread.is_empty() => return,
                    _ => {}
                }
            }
            if self.give_way(&refusal) || self.cut() {
                return;
            }
        }
    }

    /// Has the program told on a thread of the library: this one may have come with another request.
    fn ring_later(&self) {
        let signal = Arc::clone(&self.signal);
        self.signal.runtime().spawn(async move { signal.ring_now() });
    }

    /// Ends it if the program has read nothing for that long, although there is something.
    pub(super) fn cut_if_unread(&self, limit: Duration) -> bool {
        if !self.signal.is_unread(limit) {
            return false;
        }
        self.cut()
    }

    /// Ends it, so that the program cuts its connection. Whether it did: not if the program has everything, or a thread polls it.
    pub(super) fn cut(&self) -> bool {
        let (stage, unread) = {
            let mut held = lock(&self.held);
            let has_all = matches!(held.stage, Stage::Complete) && held.unread.is_empty();
            if has_all || matches!(held.stage, Stage::Polled | Stage::Cut | Stage::Freed) {
                return false;
            }
            (std::mem::replace(&mut held.stage, Stage::Cut), std::mem::take(&mut held.unread))
        };
        drop((stage, unread));
        self.ring_later();
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

impl GivesWay for HostedExchange {
    /// On a thread of the library: this one may be about to give way itself.
    fn give_way(&self, _bytes: usize) {
        let Some(this) = self.this.upgrade() else { return };
        self.signal.runtime().spawn(async move { this.make_room() });
    }
}

impl Drop for HostedExchange {
    fn drop(&mut self) {
        self.free();
    }
}

impl ExchangeTurn<'_> {
    /// Polls once; whether something came of it. A panic leaves the exchange cut off.
    fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let mut stage = std::mem::replace(&mut self.stage, Stage::Cut);
        let came = stage.poll(&self.exchange.head, &mut self.more, context);
        self.stage = stage;
        came
    }
}

/// What makes the head of an answer.
pub(super) type Answering = Pin<Box<dyn Future<Output = Response<ServerBody>> + Send>>;

/// How far an exchange has come.
pub(super) enum Stage {
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
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Stage::Complete | Stage::Cut | Stage::Freed)
    }

    /// Polls once; whether something came of it, and more may.
    pub(super) fn poll(
        &mut self,
        head: &OnceLock<HostedHead>,
        more: &mut VecDeque<Bytes>,
        context: &mut Context<'_>,
    ) -> bool {
        match self {
            Stage::Answering(answering) => match answering.as_mut().poll(context) {
                Poll::Ready(response) => {
                    *self = Stage::Writing(heading(head, response));
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
                    *self = Stage::Cut;
                    true
                }
                Poll::Ready(None) => {
                    *self = Stage::Complete;
                    true
                }
                Poll::Pending => false,
            },
            Stage::Polled | Stage::Complete | Stage::Cut | Stage::Freed => false,
        }
    }
}

/// Answers with a refusal, whose bytes go behind `more`.
pub(super) fn refuse(refusal: &Refusal, head: &OnceLock<HostedHead>, more: &mut VecDeque<Bytes>) {
    let mut stage = Stage::Writing(heading(head, refused(refusal, None)));
    while stage.poll(head, more, &mut Context::from_waker(Waker::noop())) {}
}

/// Takes note of the head; gives the body.
fn heading(head: &OnceLock<HostedHead>, response: Response<ServerBody>) -> ServerBody {
    let (found, body) = HostedHead::of(response);
    // There is one answer.
    let _is_first = head.set(found);
    body
}

/// The head of an answer.
#[derive(Debug)]
pub(crate) struct HostedHead {
    pub(crate) status: u16,
    /// The bytes of the body, where that is not a stream.
    pub(crate) length: Option<u64>,
    /// Names and values.
    pub(crate) headers: Vec<(CString, CString)>,
}

impl HostedHead {
    /// Takes an answer apart.
    pub(super) fn of(response: Response<ServerBody>) -> (HostedHead, ServerBody) {
        let (parts, body) = response.into_parts();
        // Both are without NUL, as HTTP has it.
        let text = |bytes: &[u8]| CString::new(bytes).ok();
        let headers = parts
            .headers
            .iter()
            .filter_map(|(name, value)| Some((text(name.as_ref())?, text(value.as_bytes())?)))
            .collect();
        (HostedHead { status: parts.status.as_u16(), length: body.size_hint().exact(), headers }, body)
    }
}

/// Who looks after exchanges.
pub(super) trait ExchangeOwner: Send + Sync {
    /// The program has freed an exchange.
    fn forget(&self, number: u64);

    /// The body of an exchange is whole, or is not wanted.
    fn has_body(&self, number: u64);

    /// The thread that closes the server is to look again.
    fn wake_server(&self);
}

/// What an exchange belongs to, and its number there. A request that is refused at once belongs to nothing.
#[derive(Default)]
pub(super) struct Of {
    pub(super) number: u64,
    /// As long as it lives, so does what the timers of an exchange need.
    pub(super) hosted: Option<Weak<dyn Any + Send + Sync>>,
    pub(super) owner: Option<Weak<dyn ExchangeOwner>>,
}

impl Of {
    pub(super) fn lifetime(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.hosted.as_ref().and_then(Weak::upgrade)
    }

    pub(super) fn owner(&self) -> Option<Arc<dyn ExchangeOwner>> {
        self.owner.as_ref().and_then(Weak::upgrade)
    }
}
