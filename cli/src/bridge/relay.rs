//! The relay: one thread that takes what arrives from clients and from the servers behind, and gives each to its part.

use super::catalog::Catalog;
use super::check::Checker;
use super::checks::Checked;
use super::given_up::GivenUp;
use super::upstream::{FIRST_CALL, Listing, OF_CONNECTION, OF_LIST, OF_ORDER, Upstream, text};
use super::waiting::Waiting;
use crate::failure::Failure;
use crate::listen::{Ending, STOP};
use crate::login;
use crate::output::{FAINT, Screen, one_line, styled};
use crate::session::note_usual_path;
use mcp::client::json_text::member;
use mcp::client::{Kind, Message, Polled, Queue, Status, poll_queue};
use mcp::server::{LEVEL, Request, SUBSCRIPTIONS, Server};
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long a call waits for the answers of its client, which may have gone without a word.
pub const QUESTION: Duration = Duration::from_secs(600);
/// The sessions that the bridge's own server has open at most.
pub const SESSIONS: usize = 10_000;
/// Requests at one time: what a client has under way at one server (`limits.in_flight`).
pub const REQUESTS: usize = 10_000;
/// Their bytes: a server behind sees all clients as one, and reads no more of any of them where that one has its share, which is 128 MiB
/// of a server that this library serves (`limits.request_bytes`).
pub const REQUEST_BYTES: usize = 96 << 20;

/// A call of a client that is under way at a server behind.
#[derive(Debug)]
pub struct Flight {
    pub upstream: usize,
    /// The number of the call there.
    pub call: u64,
    pub request: Request,
    pub method: String,
    /// The number by which the program of `--check` was shown it.
    pub shown: Option<u64>,
    /// The message of the request; gone while its client is asked something.
    pub message: Option<Message>,
    /// The session of the client (legacy era); of 2026-07-28 each request is one.
    pub session: u64,
    /// The number of its client, for what clients share.
    pub client: u64,
    pub questions: Vec<Question>,
    /// The number of the next question.
    pub next_question: u64,
    /// The names of the questions so far.
    pub asked: HashSet<String>,
    /// The outcome, if it came while the client was asked.
    pub outcome: Option<Message>,
    /// The page that is read, whose contents are to be those of a snapshot.
    pub page: Option<String>,
}

/// What the server behind wants to know for a call.
#[derive(Debug)]
pub struct Question {
    pub key: String,
    pub message: Message,
    pub is_sent: bool,
}

/// What is told when a server goes (the reason) or comes back, and how often servers came back.
pub struct Told(pub Box<Tell>);

type Tell = dyn Fn(Option<&str>, u64);

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Told")
    }
}

/// Everything.
#[derive(Debug)]
pub struct Relay {
    pub queue: Arc<Queue>,
    pub server: Option<Arc<Server>>,
    /// Its end, when the program is told to end.
    pub ending: Ending,
    pub upstreams: Vec<Upstream>,
    pub catalog: Catalog,
    pub flights: BTreeMap<u64, Flight>,
    /// The flights by the numbers of their requests.
    pub by_request: HashMap<u64, u64>,
    /// The flights whose clients are being asked, and when each is given up.
    pub waiting: Waiting,
    pub next: u64,
    /// Which process of a bridge this is, in what its clients hold: another one with the same keys has other calls under the same numbers.
    pub process: u64,
    /// Whose calls were given up lately.
    pub given_up: GivenUp,
    /// The resources that the servers behind were asked to tell of: as clients know them, and whose each is and its URI there.
    pub subscribed: HashMap<String, (usize, String)>,
    /// What the program of `--check` says of the subscriptions that clients want.
    pub judged: HashMap<(usize, String), Option<bool>>,
    /// The sessions of the legacy era, newest last.
    pub sessions: Vec<u64>,
    /// Questions that were asked outside of any call, by tag.
    pub asked: HashMap<u64, (usize, Message)>,
    /// The calls with questions that are put when nothing else waits: a server may ask several things at once.
    pub to_ask: BTreeSet<u64>,
    /// The program of `--check`, and what waits for it.
    pub checker: Option<Checker<Checked>>,
    /// What is told when a server goes or comes back.
    pub told: Option<Told>,
    /// How often servers came back.
    restarts: u64,
    /// What a call may take.
    pub limit_ms: u64,
    pub verbose: u8,
    /// Whether what clients may use is told by tokens: then only what is in a list is used.
    pub is_authorized: bool,
    /// What a connection may take.
    start: Option<Duration>,
    /// When a client was heard last.
    used: Instant,
    /// Whether the bridge has started: then a server that is refused no longer ends it.
    pub has_started: bool,
    /// Why the relay ends.
    ended: Option<Result<(), Failure>>,
}

impl Relay {
    pub fn new(queue: Arc<Queue>, upstreams: Vec<Upstream>, limit: Duration, verbose: u8) -> Relay {
        let names: Vec<String> = upstreams.iter().map(|upstream| upstream.name.clone()).collect();
        Relay {
            queue,
            server: None,
            ending: Ending::default(),
            upstreams,
            catalog: Catalog::new(&names),
            flights: BTreeMap::new(),
            by_request: HashMap::new(),
            waiting: Waiting::default(),
            next: FIRST_CALL,
            process: RandomState::new().hash_one(std::process::id()),
            given_up: GivenUp::default(),
            subscribed: HashMap::new(),
            judged: HashMap::new(),
            sessions: Vec::new(),
            asked: HashMap::new(),
            to_ask: BTreeSet::new(),
            checker: None,
            told: None,
            restarts: 0,
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
            verbose,
            is_authorized: false,
            start: None,
            used: Instant::now(),
            has_started: false,
            ended: None,
        }
    }

    /// Connects to every server behind, and reads what they say of themselves.
    pub fn connect(&mut self, limit: Duration) -> Result<(), Failure> {
        let limit = (!limit.is_zero()).then_some(limit);
        self.start = limit;
        for upstream in &self.upstreams {
            upstream.client.connect_start(limit, OF_CONNECTION)?;
        }
        // The library ends each attempt within its time; this bounds the wait for it.
        let until = limit.map(|limit| Instant::now() + limit + Duration::from_secs(5));
        let is_awaited = |it: &Upstream| !it.was_ready && it.missing.is_none();
        while self.upstreams.iter().any(is_awaited) && self.ended.is_none() {
            if !self.turn(until) {
                return Err(Failure::machine("the servers behind the bridge were not reached in time"));
            }
        }
        self.ended.take().unwrap_or(Ok(()))
    }

    /// Whether clients may use the tools of `--allow` and nothing else.
    pub fn is_limited(&self) -> bool {
        self.upstreams.iter().any(|upstream| upstream.rules.allowed.is_some())
    }

    /// The server that gets what is in no list: the only one, unless clients may use nothing else than is allowed.
    pub fn only_upstream(&self) -> Option<usize> {
        let is_open = |it: &Upstream| it.rules.refusal().is_ok();
        (self.upstreams.iter().all(is_open) && self.upstreams.len() == 1 && !self.is_limited()).then_some(0)
    }

    /// Fails if an option names a tool that a server does not have: it may be mistyped; or if this server is not to be offered.
    pub fn fits(&self, upstream: usize) -> Result<(), Failure> {
        let Upstream { rules, shown, was_ready, has_joined, .. } = &self.upstreams[upstream];
        rules.refusal()?;
        // One that joins later is looked at then.
        if !*was_ready || *has_joined {
            return Ok(());
        }
        rules.fit(shown)?;
        self.catalog
            .search
            .as_ref()
            .map_or(Ok(()), |search| search.fit(upstream, shown, |tool| rules.lists(tool)))
    }

    /// Waits until every list of a server has come once. One server of several does not hold up the others: what it has is offered when
    /// it comes.
    pub fn gather(&mut self, upstream: usize, limit: Duration) -> Result<(), Failure> {
        let until = (!limit.is_zero()).then(|| Instant::now() + limit);
        let is_awaited = |listing: &Listing| listing.is_asked && !listing.has_come;
        while self.upstreams[upstream].listing.iter().any(is_awaited) && self.ended.is_none() {
            if self.turn(until) {
                continue;
            }
            let is_only = self.upstreams.len() == 1;
            let it = &mut self.upstreams[upstream];
            let late = format!("the lists of the server '{}' did not come in time", one_line(&it.name));
            if is_only {
                return Err(Failure::machine(late));
            }
            // Tools that have come are looked at as those of any other: another list that is late does not hide what they are.
            it.has_joined = is_awaited(&it.listing[0]);
            Screen::said(format!("{late}; they are offered when they come"));
            return Ok(());
        }
        self.ended.take().unwrap_or(Ok(()))
    }

    /// Relays until everything that is served has ended, or the program is told to end.
    pub fn run(&mut self, idle: Option<Duration>) -> Result<(), Failure> {
        self.has_started = true;
        self.used = Instant::now();
        while self.ended.is_none() {
            self.try_missing(Instant::now());
            let again = self.upstreams.iter().filter_map(|it| it.missing.map(|(at, _)| at)).min();
            let until = idle.map(|idle| self.used + idle);
            let in_time = self.turn(until.into_iter().chain(again).min());
            let is_idle = !in_time && until.is_some_and(|until| until <= Instant::now());
            // A client that is there and says nothing uses it, too.
            if is_idle && self.has_clients() {
                self.used = Instant::now();
            } else if is_idle {
                self.end(Ok(()));
            }
        }
        self.ended.take().unwrap_or(Ok(()))
    }

    /// Tries servers again that were not there at the start.
    fn try_missing(&mut self, now: Instant) {
        for it in &mut self.upstreams {
            let Some((at, wait)) = it.missing.filter(|(at, _)| *at <= now) else { continue };
            let wait = (wait * 2).min(LONGEST_WAIT);
            it.missing = Some((at.max(now) + wait, wait));
            // It is told as the outcome of the connection.
            let _begun = it.client.connect_start(None, OF_CONNECTION);
        }
    }

    pub fn end(&mut self, how: Result<(), Failure>) {
        self.ended.get_or_insert(how);
    }

    /// Whether a client is connected or waits for an answer.
    fn has_clients(&self) -> bool {
        let info = self.server.as_deref().map(Server::info).unwrap_or_default();
        let sessions = member(&info, "sessions").and_then(|it| it.parse::<u64>().ok()).unwrap_or_default();
        sessions > 0 || !self.flights.is_empty()
    }

    /// Does what arrives next. `false` when the time is over.
    fn turn(&mut self, until: Option<Instant>) -> bool {
        let now = Instant::now();
        let checked = self.checker.as_ref().and_then(Checker::first);
        let first = self.waiting.first().into_iter().chain(until).chain(checked).min();
        let wait = match self.to_ask.is_empty() {
            true => first.map(|at| at.saturating_duration_since(now)),
            false => Some(Duration::ZERO),
        };
        match poll_queue(&self.queue, wait) {
            Polled::Message(message) => self.arrived(message),
            Polled::Closed => self.end(Ok(())),
            Polled::Empty => {
                for tag in std::mem::take(&mut self.to_ask) {
                    self.put_questions(tag);
                }
            }
            Polled::Woken => {}
        }
        let ends = match &self.server {
            Some(server) => self.ending.is_over(server, &self.queue),
            None => STOP.load(Ordering::Relaxed),
        };
        if ends {
            self.end(Ok(()));
        }
        self.go_on_checked(Instant::now());
        self.give_up_overdue(Instant::now());
        until.is_none_or(|until| Instant::now() < until)
    }

    fn arrived(&mut self, message: Message) {
        if message.kind() == Kind::Lost {
            return self.catch_up();
        }
        if self.server.as_ref().is_some_and(|server| server.number() == message.client()) {
            return self.take_from_client(message);
        }
        let of = self.upstreams.iter().position(|upstream| upstream.client.number() == message.client());
        if let Some(upstream) = of {
            self.take_from_server(upstream, message);
        }
    }

    /// The queue was full, and notifications were dropped. They do not say which: everything that they tell of is looked at again.
    fn catch_up(&mut self) {
        for upstream in 0..self.upstreams.len() {
            self.list_all(upstream, true);
        }
        self.roots_changed();
        self.subscriptions_changed(&[]);
        self.level_changed(0);
    }

    /// Something of the bridge's own server, and so of a client.
    fn take_from_client(&mut self, message: Message) {
        self.used = Instant::now();
        match message.kind() {
            Kind::Request => self.requested(message),
            Kind::Reply => self.answered_outside(&message),
            Kind::State if text(message.json(), "state").as_deref() == Some("closed") => self.end(Ok(())),
            Kind::Notification => match message.method().unwrap_or_default() {
                "notifications/cancelled" => self.withdrawn(message.call()),
                "notifications/roots/list_changed" => self.roots_changed(),
                "notifications/initialized" => {
                    let server = self.server.as_ref();
                    let is_open = |session| server.is_some_and(|server| server.has_session(session));
                    add_session(&mut self.sessions, message.tag(), is_open);
                    self.roots_changed();
                }
                SUBSCRIPTIONS => self.subscriptions_changed(&[]),
                LEVEL => self.level_changed(message.tag()),
                method => self.notify_servers(method, message.json()),
            },
            _ => {}
        }
    }

    /// Something of a server behind.
    fn take_from_server(&mut self, upstream: usize, message: Message) {
        match message.kind() {
            Kind::Reply => match message.tag() {
                tag if OF_LIST.contains(&tag) => self.listed(upstream, tag, &message),
                OF_CONNECTION => self.connected(upstream, &message),
                OF_ORDER => self.in_order(upstream, message.call()),
                tag => self.landed(tag, message),
            },
            Kind::Request => self.asked(upstream, message),
            Kind::Progress => self.progressed(&message),
            Kind::Notification => self.notified(upstream, &message),
            Kind::State => self.state_changed(upstream, &message),
            Kind::Auth => {
                let Upstream { client, shown, .. } = &self.upstreams[upstream];
                // A bridge has no person before it; the error of the call says what to do.
                let _given_up = login::asked(client, &message, None, shown);
            }
            Kind::Stderr if self.verbose > 0 => {
                let line = text(message.json(), "line").unwrap_or_default();
                Screen::note(styled(FAINT, format!("[stderr] {}", one_line(&line))));
            }
            Kind::Stderr | Kind::Lost => {}
        }
    }

    fn connected(&mut self, upstream: usize, outcome: &Message) {
        let (others, it) = (self.upstreams.len() - 1, &mut self.upstreams[upstream]);
        if outcome.status() == Status::Ok {
            let was_missing = it.missing.is_some();
            if let Some((url, _)) = it.usual.take() {
                note_usual_path(&url);
            }
            (it.was_ready, it.missing) = (true, None);
            if was_missing {
                it.has_joined = true;
                Screen::said(format!("the server '{}' is there", one_line(&it.name)));
            }
            if self.server.is_some() {
                it.learn();
                self.list_all(upstream, true);
            }
            return;
        }
        let failure = match it.at_usual_path(Failure::reply(outcome), self.start, &self.queue) {
            Ok(()) => return,
            Err(failure) => failure,
        };
        // One of several takes the others with it neither now nor later.
        if others == 0 {
            return self.end(Err(failure));
        }
        if it.missing.is_none() {
            let (name, why) = (one_line(&it.name), one_line(&failure.text()));
            Screen::said(format!("the server '{name}' is not there and is tried again: {why}"));
            it.missing = Some((Instant::now() + FIRST_WAIT, FIRST_WAIT));
        }
        if self.upstreams.iter().all(|it| !it.was_ready && it.missing.is_some()) && self.server.is_none() {
            self.end(Err(failure));
        }
    }

    fn state_changed(&mut self, upstream: usize, message: &Message) {
        let state = text(message.json(), "state").unwrap_or_default();
        let it = &mut self.upstreams[upstream];
        if self.verbose > 0 {
            Screen::note(styled(FAINT, format!("[state] {}: {state}", one_line(&it.shown))));
        }
        let was_away = it.is_away;
        match state.as_str() {
            "ready" if was_away => {
                it.is_away = false;
                Screen::said(format!("the server '{}' is there again", one_line(&it.name)));
                self.restarts += 1;
                if let Some(Told(tell)) = &self.told {
                    tell(None, self.restarts);
                }
            }
            "ready" => {}
            _ if it.was_ready && !was_away && !STOP.load(Ordering::Relaxed) => {
                it.is_away = true;
                let reason = text(message.json(), "reason").map(|why| one_line(&why)).unwrap_or_default();
                let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                Screen::said(format!("the server '{}' has gone{why}", one_line(&it.name)));
                if let Some(Told(tell)) = &self.told {
                    tell(Some(&reason), self.restarts);
                }
            }
            _ => {}
        }
        match state.as_str() {
            // The first time, the lists are read once it is known what there is.
            "ready" if it.was_ready && self.server.is_some() => {
                it.learn();
                self.list_all(upstream, false);
            }
            "closed" => {
                it.is_gone = true;
                let reason = text(message.json(), "reason").unwrap_or_default();
                let shown = it.shown.clone();
                if self.server.is_some() && self.upstreams.iter().all(|upstream| upstream.is_gone) {
                    let what = format!("the server behind the bridge ({shown}) is gone: {reason}");
                    self.end(Err(Failure::unreached(what)));
                }
            }
            _ => {}
        }
    }
}

/// The waits before a server is tried again that was not there at the start.
const FIRST_WAIT: Duration = Duration::from_secs(5);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Adds a session to those that are known. An open one is never forgotten: it would look as if another client were the only one.
fn add_session(sessions: &mut Vec<u64>, session: u64, is_open: impl Fn(u64) -> bool) {
    // No more than half of these can be open, so that it is seldom that all are looked at.
    if sessions.len() >= 2 * SESSIONS {
        sessions.retain(|session| is_open(*session));
    }
    sessions.push(session);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_session_is_known_whatever_number_comes_after_it() {
        let mut sessions = Vec::new();
        for session in 0..5 * SESSIONS as u64 {
            add_session(&mut sessions, session, |session| session == 0);
            assert!(sessions.len() <= 2 * SESSIONS);
        }
        assert_eq!(sessions.first(), Some(&0), "it is open");
    }
}
