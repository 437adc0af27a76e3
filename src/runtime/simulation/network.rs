//! The network between the two engines of HTTP: requests and answers are late, are lost on their way there or back, break off,
//! overtake those of other streams, are sent twice by a proxy, and vanish while both sides take the connection for alive.

use super::logins::Logins;
use crate::runtime::lock;
use crate::runtime::server::http::simulated::{Front, SimulatedAnswer};
use crate::transport::http::header::MCP_SESSION_ID;
use crate::transport::http::simulated::{Answered, Network as Way, Sending, Unanswered};
use hyper::body::Bytes;
use hyper::header::{HOST, HeaderMap, WWW_AUTHENTICATE};
use hyper::{Method, Uri};
use mcp_core::testing::dice::Dice;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::Poll;
use std::time::Duration;
use tokio::sync::{Notify, broadcast, mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout_at};

/// What is wrong on purpose, in the simulation only, so that it can be seen to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlantedFault {
    /// The client's side drops an answer that has come.
    AnswerDropped,
    /// An event of a stream comes twice.
    EventTwice,
    /// An event that tells of a change does not come.
    ChangeLost,
    /// The server never learns that a client has left a stream.
    StateKept,
    /// The client's side does not say that a stream was opened again.
    GapUncounted,
    /// A request whose connection was lost is sent once more, whatever it asks for.
    SentAgain,
    /// Over a stream: the server is not told that a task is no longer wanted.
    TaskEndLost,
    /// Over a stream: the client gets no answer to what it asks about tasks.
    TaskSilent,
    /// A refresh token goes to the other authorization server.
    RefreshElsewhere,
    /// A code goes to its token endpoint twice.
    CodeTwice,
    /// A message of HTTP+SSE goes to the server twice.
    PostTwice,
}

impl PlantedFault {
    /// Whether it is in what carries HTTP.
    pub fn is_over_http(self) -> bool {
        !matches!(self, PlantedFault::TaskEndLost | PlantedFault::TaskSilent)
    }
}

/// What happened to requests.
#[derive(Clone, Debug)]
pub enum NetworkEvent {
    /// Something went wrong, with a request of this call.
    Fault(&'static str, Option<u64>),
    /// The client's stream of this session was opened.
    Streams(String),
    /// Something that the schedules must lead to.
    Reached(&'static str),
    /// A rule of logins does not hold.
    Broken(String),
    /// For the trace.
    Note(String),
}

#[derive(Debug)]
struct RequestInTransit {
    method: Method,
    path: Uri,
    headers: HeaderMap,
    body: Bytes,
    repeats: bool,
}

impl RequestInTransit {
    /// The call that it is for.
    fn call(&self) -> Option<u64> {
        let text = std::str::from_utf8(&self.body).ok()?;
        let (_, rest) = text.split_once("\"x/n\":")?;
        rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
    }
}

/// What becomes of a request.
#[derive(Clone, Copy, Default, Debug)]
struct RequestFate {
    up: Duration,
    down: Duration,
    unreachable: bool,
    lost_there: bool,
    lost_back: bool,
    doubled: bool,
    /// The answer breaks off after this time, or after so many parts.
    dies: Option<Duration>,
    breaks: Option<u32>,
    /// For how long neither side knows of what broke off.
    silent: Option<Duration>,
    /// After which time the server knows that the client has left.
    notice: Duration,
}

struct NetworkState {
    dice: Dice,
    calm: bool,
    plant: Option<PlantedFault>,
    traces: bool,
    front: Option<Front>,
    open: usize,
    happened: Vec<NetworkEvent>,
}

pub struct FaultyNetwork {
    this: Weak<FaultyNetwork>,
    inside: Mutex<NetworkState>,
    /// The servers of logins, where the MCP server wants tokens.
    pub logins: Mutex<Option<Logins>>,
    /// Cuts every connection. Those are told in the order in which they wait.
    cuts: broadcast::Sender<()>,
    /// Something has happened that the simulation must look at.
    stirred: Notify,
}

impl std::fmt::Debug for FaultyNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// How waiting for one side ended.
enum Race<T> {
    Done(T),
    Cut,
    Left,
}

/// Waits for the server, until the connection is cut or the client has left.
async fn race<T>(
    work: impl Future<Output = T>,
    cut: &mut broadcast::Receiver<()>,
    left: impl Future<Output = ()>,
) -> Race<T> {
    let (mut work, mut cut, mut left) = (pin!(work), pin!(cut.recv()), pin!(left));
    poll_fn(|cx| {
        if cut.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Race::Cut);
        }
        if let Poll::Ready(done) = work.as_mut().poll(cx) {
            return Poll::Ready(Race::Done(done));
        }
        left.as_mut().poll(cx).map(|()| Race::Left)
    })
    .await
}

impl FaultyNetwork {
    pub fn new(
        seed: u64,
        plant: Option<PlantedFault>,
        traces: bool,
        logins: Option<Logins>,
    ) -> Arc<FaultyNetwork> {
        let inside = NetworkState {
            dice: Dice::new(seed),
            calm: false,
            plant,
            traces,
            front: None,
            open: 0,
            happened: Vec::new(),
        };
        Arc::new_cyclic(|this| FaultyNetwork {
            this: Weak::clone(this),
            inside: Mutex::new(inside),
            logins: Mutex::new(logins),
            cuts: broadcast::Sender::new(16),
            stirred: Notify::new(),
        })
    }

    /// Where requests go from now on.
    pub fn lead_to(&self, front: Option<Front>) {
        lock(&self.inside).front = front;
    }

    /// Nothing new goes wrong.
    pub fn be_calm(&self, calm: bool) {
        lock(&self.inside).calm = calm;
    }

    /// Breaks every connection.
    pub fn cut(&self) {
        // There may be none.
        let _listened = self.cuts.send(());
    }

    pub fn happened(&self) -> Vec<NetworkEvent> {
        std::mem::take(&mut lock(&self.inside).happened)
    }

    /// Requests and answers that are on their way.
    pub fn open(&self) -> usize {
        lock(&self.inside).open
    }

    pub fn stir(&self) {
        self.stirred.notify_one();
    }

    pub fn stirred(&self) -> impl Future<Output = ()> {
        self.stirred.notified()
    }

    pub fn this(&self) -> Option<Arc<FaultyNetwork>> {
        self.this.upgrade()
    }

    /// One more is on its way, until what is given is dropped.
    pub fn counted(self: &Arc<Self>) -> impl Drop + use<> {
        InFlight::new(self)
    }

    /// Rolls what becomes of a request; nothing while it is calm.
    pub fn roll_unless_calm(&self, sides: u64) -> Option<u64> {
        let inside = &mut *lock(&self.inside);
        (!inside.calm).then(|| inside.dice.roll(sides))
    }

    /// Something went wrong with a request of a login.
    pub fn login_fault(&self, what: &'static str) {
        lock(&self.inside).happened.push(NetworkEvent::Fault(what, None));
        self.stir();
    }

    pub fn reached(&self, what: &'static str) {
        lock(&self.inside).happened.push(NetworkEvent::Reached(what));
    }

    /// A rule of logins does not hold.
    pub fn broken(&self, what: String) {
        lock(&self.inside).happened.push(NetworkEvent::Broken(what));
        self.stir();
    }

    /// What the MCP server answers to a request whose token it does not take.
    fn refused(&self, request: &RequestInTransit) -> Option<SimulatedAnswer> {
        let value: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let operation = value["method"].as_str().unwrap_or_default();
        let now = crate::runtime::clock::now();
        let refusal = self.with_logins(|logins| logins.refusal(&request.headers, operation, now))?;
        let (status, challenge) = refusal.unwrap_or_else(|broken| {
            self.broken(broken);
            None
        })?;
        let challenge = challenge.parse().expect("a header");
        Some(SimulatedAnswer::refusal(status, HeaderMap::from_iter([(WWW_AUTHENTICATE, challenge)])))
    }

    fn note(&self, text: impl FnOnce() -> String) {
        let mut inside = lock(&self.inside);
        if inside.traces {
            inside.happened.push(NetworkEvent::Note(text()));
        }
    }

    fn fault(&self, what: &'static str, request: &RequestInTransit) {
        lock(&self.inside).happened.push(NetworkEvent::Fault(what, request.call()));
        self.note(|| format!("{what}: {} {}", request.method, String::from_utf8_lossy(&request.body)));
        self.stir();
    }

    pub fn has(&self, plant: PlantedFault) -> bool {
        lock(&self.inside).plant == Some(plant)
    }

    fn is_calm(&self) -> bool {
        lock(&self.inside).calm
    }

    pub fn delay(&self) -> Duration {
        let inside = &mut *lock(&self.inside);
        let slow = !inside.calm && inside.dice.chance(10);
        inside.dice.millis(0, if slow { 400 } else { 8 })
    }

    fn fate(&self, request: &RequestInTransit) -> RequestFate {
        let (up, down, notice) = (self.delay(), self.delay(), self.delay());
        let inside = &mut *lock(&self.inside);
        let mut fate = RequestFate { up, down, notice, ..RequestFate::default() };
        if inside.calm {
            return fate;
        }
        let dice = &mut inside.dice;
        match dice.roll(50) {
            0 => fate.unreachable = true,
            1 => fate.lost_there = true,
            2 => fate.lost_back = true,
            3 if request.method == Method::POST => fate.doubled = true,
            4..=5 => fate.breaks = Some(u32::try_from(dice.roll(4)).expect("a small number")),
            6..=12 => fate.dies = Some(dice.millis(0, 3000)),
            _ => {}
        }
        fate.silent = dice.chance(15).then(|| dice.millis(100, 2500));
        fate
    }

    /// Takes a request there and its answer back.
    async fn carry(
        self: Arc<Self>,
        request: RequestInTransit,
        mut head: oneshot::Sender<Result<Answered, Unanswered>>,
    ) {
        let mut cut = self.cuts.subscribe();
        let mut fate = self.fate(&request);
        let lost = |what: &str| Unanswered::Lost(what.to_owned());
        let mut is_again = false;
        let mut answer = loop {
            sleep(fate.up).await;
            let front = lock(&self.inside).front.clone();
            let Some(front) = front.filter(|_| !fate.unreachable) else {
                self.fault("unreachable", &request);
                let _left = head.send(Err(Unanswered::Unreachable("refused".to_owned())));
                return;
            };
            let is_lost = fate.lost_there || !cut.is_empty();
            // As where a connection that was kept turns out to be dead.
            if is_lost && !is_again && (request.repeats || self.has(PlantedFault::SentAgain)) {
                (is_again, fate) = (true, self.fate(&request));
                cut = cut.resubscribe();
                continue;
            }
            if is_lost {
                self.fault("lost on its way there", &request);
                let _left = head.send(Err(lost("lost on its way there")));
                return;
            }
            if fate.doubled {
                self.fault("doubled", &request);
                tokio::spawn(Arc::clone(&self).double(front.clone(), &request));
            }
            self.note(|| format!("> {} {}", request.method, String::from_utf8_lossy(&request.body)));
            let path = request.path.to_string();
            if self.has(PlantedFault::PostTwice) && request.path.query().is_some() {
                tokio::spawn(Arc::clone(&self).double(front.clone(), &request));
            }
            let refused = self.refused(&request);
            let mut serving = pin!(async {
                match refused {
                    Some(refused) => refused,
                    None => {
                        front.serve(request.method.as_str(), &path, &request.headers, &request.body).await
                    }
                }
            });
            let served = race(self.watched(serving.as_mut()), &mut cut, head.closed()).await;
            match served {
                Race::Done(_) if fate.lost_back && !is_again && self.has(PlantedFault::SentAgain) => {
                    (is_again, fate) = (true, self.fate(&request));
                }
                Race::Done(answer) => break answer,
                Race::Cut => {
                    self.fault("cut", &request);
                    let _left = head.send(Err(lost("cut before the answer")));
                    return;
                }
                Race::Left => {
                    self.linger(fate.silent.unwrap_or(fate.notice), self.watched(serving)).await;
                    return;
                }
            }
        };
        sleep(fate.down).await;
        if fate.lost_back && !self.is_calm() {
            self.fault("lost on its way back", &request);
            if let Some(silent) = fate.silent {
                self.discard(&mut answer, silent).await;
            }
            let _left = head.send(Err(lost("lost on its way back")));
            return;
        }
        self.note(|| format!("< {} for {}", answer.status, String::from_utf8_lossy(&request.body)));
        let (parts, body) = mpsc::unbounded_channel();
        let headers = std::mem::take(&mut answer.headers);
        if head.send(Ok((answer.status, headers, body))).is_err() {
            self.discard(&mut answer, fate.silent.unwrap_or(fate.notice)).await;
            return;
        }
        if let Some(session) = request.headers.get(MCP_SESSION_ID).and_then(|name| name.to_str().ok())
            && (request.method == Method::GET && answer.status == 200)
        {
            lock(&self.inside).happened.push(NetworkEvent::Streams(session.to_owned()));
        }
        self.carry_body(&request, fate, answer, &parts, cut).await;
    }

    async fn carry_body(
        &self,
        request: &RequestInTransit,
        fate: RequestFate,
        mut answer: SimulatedAnswer,
        parts: &mpsc::UnboundedSender<Result<Bytes, String>>,
        mut cut: broadcast::Receiver<()>,
    ) {
        let far = Instant::now() + Duration::from_secs(1_000_000);
        let mut until = fate.dies.map_or(far, |dies| Instant::now() + dies);
        let mut count = 0;
        let why = loop {
            let next = race(self.watched(answer.part()), &mut cut, parts.closed());
            let broken = match timeout_at(until, next).await {
                Ok(Race::Done(Some(Ok(part)))) => {
                    sleep(self.delay()).await;
                    count += 1;
                    if fate.breaks.is_some_and(|breaks| count > breaks) && !self.is_calm() {
                        "broken stream"
                    } else {
                        self.pass(part, parts).await;
                        continue;
                    }
                }
                Ok(Race::Done(Some(Err(cut)))) => break cut,
                Ok(Race::Done(None)) => return,
                Ok(Race::Cut) => {
                    self.fault("cut", request);
                    break "cut".to_owned();
                }
                Ok(Race::Left) => {
                    let time = fate.silent.filter(|_| !self.is_calm()).unwrap_or(fate.notice);
                    if self.has(PlantedFault::StateKept) {
                        #[expect(clippy::disallowed_methods, reason = "the planted fault is a leak")]
                        std::mem::forget(answer);
                    } else {
                        self.discard(&mut answer, time).await;
                    }
                    return;
                }
                Err(_) if self.is_calm() => {
                    until = far;
                    continue;
                }
                Err(_) => "broken stream",
            };
            self.fault(if fate.silent.is_some() { "half-open" } else { broken }, request);
            if let Some(silent) = fate.silent {
                // What comes now is lost, and the server believes that it was read.
                self.discard(&mut answer, silent).await;
            }
            break broken.to_owned();
        };
        drop(answer);
        // A client that has left wants none.
        let _left = parts.send(Err(why));
    }

    /// Gives the client a part, in two pieces at times.
    async fn pass(&self, part: Bytes, parts: &mpsc::UnboundedSender<Result<Bytes, String>>) {
        let tells = |what: &[u8]| memchr::memmem::find(&part, what).is_some();
        let is_change = tells(b"list_changed") || tells(b"resources/updated");
        self.note(|| format!("< {}", unnamed(&part)));
        if is_change && self.has(PlantedFault::ChangeLost) {
            return;
        }
        let twice = tells(b"data: {") && self.has(PlantedFault::EventTwice);
        let at = {
            let dice = &mut lock(&self.inside).dice;
            if dice.chance(10) { dice.index(part.len() + 1) } else { part.len() }
        };
        for _ in 0..=u8::from(twice) {
            let mut rest = part.clone();
            let _left = parts.send(Ok(rest.split_to(at)));
            if !rest.is_empty() {
                sleep(self.delay()).await;
                let _left = parts.send(Ok(rest));
            }
        }
    }

    /// A proxy sends a request once more, and throws the answer away.
    fn double(self: Arc<Self>, front: Front, request: &RequestInTransit) -> impl Future<Output = ()> + use<> {
        let (method, path) = (request.method.clone(), request.path.to_string());
        let (headers, body) = (request.headers.clone(), request.body.clone());
        let mut cut = self.cuts.subscribe();
        let refused = self.refused(request);
        async move {
            sleep(self.delay()).await;
            let _counted = InFlight::new(&self);
            let until = Instant::now() + Duration::from_secs(1);
            let serving = async {
                let mut answer = match refused {
                    Some(refused) => refused,
                    None => self.watched(front.serve(method.as_str(), &path, &headers, &body)).await,
                };
                while self.watched(answer.part()).await.is_some() {}
            };
            let _over = Box::pin(timeout_at(until, race(serving, &mut cut, std::future::pending()))).await;
        }
    }

    /// The client has left, and the server does not know.
    async fn linger<T>(&self, time: Duration, work: impl Future<Output = T>) {
        let _over = timeout_at(Instant::now() + time, work).await;
    }

    /// Reads an answer for this time, for nothing.
    async fn discard(&self, answer: &mut SimulatedAnswer, time: Duration) {
        self.linger(time, async { while self.watched(answer.part()).await.is_some() {} }).await;
        if self.has(PlantedFault::StateKept) {
            std::future::pending::<()>().await;
        }
    }

    /// Does it, and the simulation looks after each of its turns.
    async fn watched<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|cx| {
            let polled = work.as_mut().poll(cx);
            self.stir();
            polled
        })
        .await
    }
}

/// One that is on its way, until this is dropped.
struct InFlight(Arc<FaultyNetwork>);

impl InFlight {
    fn new(network: &Arc<FaultyNetwork>) -> InFlight {
        lock(&network.inside).open += 1;
        InFlight(Arc::clone(network))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        lock(&self.0.inside).open -= 1;
        self.0.stir();
    }
}

impl Way for FaultyNetwork {
    fn send(&self, method: Method, path: Uri, mut headers: HeaderMap, body: Bytes, repeats: bool) -> Sending {
        // The server behind it knows one name of its own.
        headers.insert(HOST, hyper::header::HeaderValue::from_static("localhost"));
        let this = self.this.upgrade();
        Box::pin(async move {
            let lost = || Unanswered::Lost("the network is gone".to_owned());
            let this = this.ok_or_else(lost)?;
            let (head, answered) = oneshot::channel();
            let request = RequestInTransit { method, path, headers, body, repeats };
            let counted = InFlight::new(&this);
            tokio::spawn(async move {
                this.carry(request, head).await;
                drop(counted);
            });
            answered.await.unwrap_or_else(|_| Err(lost()))
        })
    }
}

/// What a part of an answer says, without the name of a session, which is drawn from the system and is another one each time.
fn unnamed(part: &[u8]) -> String {
    let said = String::from_utf8_lossy(part);
    match said.split_once("?session_id=") {
        Some((before, _)) => format!("{before}?session_id=…"),
        None => said.into_owned(),
    }
}
