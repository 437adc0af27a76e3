//! Clients that take their streams up again at other processes, in virtual time: the store is slow, loses requests and replies, is away and
//! emptied; processes are killed and stopped for longer than their lease. What a client gets has no hole and nothing twice, and each request
//! that was accepted one answer, unless its client is told that its stream is not kept.

use super::simulated::{Fate, Fleet, TIMEOUT, seeds, settle};
use crate::engine::server::{Outcome, OutgoingKind, RequestId};
use crate::runtime::clock::simulated::WALL;
use crate::runtime::http::HttpRuntime;
use crate::runtime::lock;
use crate::runtime::message::Message;
use crate::runtime::server::http::HttpLimits;
use crate::runtime::server::http::simulated::{SimulatedAnswer, SimulatedExchange};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use mcp_core::testing::dice::Dice;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;
use tokio::sync::Notify;

const PROCESSES: usize = 5;

fn bounds(limits: &mut HttpLimits) {
    const LONG: Duration = Duration::from_secs(3600);
    (limits.events, limits.event_age, limits.session, limits.head) = (1000, LONG, LONG, LONG);
}

/// A call, as its client knows it.
#[derive(Default)]
struct Call {
    /// Its client leaves the stream that it reads.
    breaks: Arc<Notify>,
    /// Where its client reads, and the last event that it has.
    at: usize,
    last: Option<(u64, u64)>,
    progress: f64,
    answers: usize,
    is_over: bool,
}

/// A request that waits for the application of its process.
struct Work {
    process: usize,
    request: RequestId,
    call: usize,
    progress: f64,
    _message: Box<Message>,
}

#[derive(Default)]
struct World {
    calls: Vec<Call>,
    work: Vec<Work>,
    gone: BTreeSet<usize>,
    stopped: BTreeSet<usize>,
    is_faulty: bool,
    /// Whether processes were killed or stopped, so that a call may be lost.
    is_disturbed: bool,
    counts: BTreeMap<&'static str, usize>,
}

impl World {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn running(&self) -> Vec<usize> {
        (0..PROCESSES).filter(|it| !self.gone.contains(it) && !self.stopped.contains(it)).collect()
    }
}

struct Client {
    fleet: Arc<Fleet>,
    world: Arc<Mutex<World>>,
    session: String,
}

/// What comes first: the end of something, or that its client leaves.
async fn unless_left<T>(future: impl Future<Output = T>, breaks: &Notify) -> Option<T> {
    let (mut left, mut future) = (pin!(breaks.notified()), pin!(future));
    poll_fn(|context| match left.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => future.as_mut().poll(context).map(Some),
    })
    .await
}

impl Client {
    async fn send(
        &self,
        to: usize,
        method: &str,
        more: &[(&'static str, &str)],
        body: &Value,
    ) -> SimulatedAnswer {
        let mut headers = HeaderMap::new();
        let common = [("host", "localhost"), ("content-type", "application/json")];
        let session = [("mcp-session-id", self.session.as_str())];
        let session = session.iter().filter(|_| !self.session.is_empty());
        for (name, value) in common.iter().chain(session).chain(more) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"));
        }
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.fleet.processes[to].0.front().serve(method, "/mcp", &headers, body.as_bytes()).await
    }

    /// Makes a call and comes back for its answer until there is one.
    async fn call(self: Arc<Self>, number: usize, accept: &'static str) {
        let breaks = Arc::clone(&lock(&self.world).calls[number].breaks);
        let body = json!({ "jsonrpc": "2.0", "id": number, "method": "tools/call", "params": { "name": "work",
            "arguments": { "k": number }, "_meta": { "progressToken": number } } });
        let at = lock(&self.world).calls[number].at;
        let begun = unless_left(self.send(at, "POST", &[("accept", accept)], &body), &breaks).await;
        let mut answer = match begun {
            Some(answer) if answer.status == 200 => Some(answer),
            Some(answer) => {
                assert!(answer.status == 503 || lock(&self.world).is_faulty, "{}", answer.status);
                return self.ends(number, "not begun");
            }
            None => None,
        };
        loop {
            if let Some(answer) = answer.take()
                && self.read(number, answer, &breaks).await
            {
                return self.ends(number, "answered");
            }
            let (at, last) = {
                let world = lock(&self.world);
                (world.calls[number].at, world.calls[number].last)
            };
            // It has nothing that it could come back with.
            let Some((stream, place)) = last else { return self.ends(number, "left") };
            let id = format!("{stream}-{place}");
            let headers = [("accept", "text/event-stream"), ("last-event-id", id.as_str())];
            let Some(again) = unless_left(self.send(at, "GET", &headers, &Value::Null), &breaks).await else {
                continue;
            };
            lock(&self.world).count("came back");
            match again.status {
                200 => answer = Some(again),
                // Nothing that it has not: of a request without an answer, which no client withdrew, that is wrong.
                204 => panic!("the stream is over, and call {number} has no answer"),
                400 => return self.ends(number, "not kept"),
                404 if lock(&self.world).is_faulty => return self.ends(number, "no session"),
                503 => {
                    assert!(again.headers.contains_key("retry-after"));
                    lock(&self.world).count("store away");
                    breaks.notified().await;
                }
                other => panic!("{other}"),
            }
        }
    }

    fn ends(&self, number: usize, how: &'static str) {
        let mut world = lock(&self.world);
        world.calls[number].is_over = true;
        world.count(how);
    }

    /// Reads a stream until it ends. Whether the answer was there.
    async fn read(&self, number: usize, mut answer: SimulatedAnswer, breaks: &Notify) -> bool {
        let mut text = String::new();
        let is_json = answer.headers.get("content-type").is_some_and(|it| it == "application/json");
        loop {
            let Some(part) = unless_left(answer.part(), breaks).await else { return false };
            if let Some(Ok(part)) = &part {
                text.push_str(&String::from_utf8_lossy(part));
            }
            if is_json && part.is_none() {
                self.hears(number, None, &serde_json::from_str(&text).expect("JSON"));
            }
            while let Some((event, rest)) = text.split_once("\n\n").filter(|_| !is_json) {
                let field = |name: &str| {
                    event
                        .lines()
                        .find_map(|line| line.strip_prefix(name))
                        .map(|value| value.trim().to_owned())
                };
                let id = field("id:").map(|id| {
                    let (stream, place) = id.split_once('-').expect("an id");
                    (stream.parse().expect("a number"), place.parse().expect("a number"))
                });
                let data = field("data:").filter(|data| !data.is_empty());
                let data = data.map(|data| serde_json::from_str(&data).expect("JSON"));
                match data {
                    Some(message) => self.hears(number, id, &message),
                    None => {
                        let mut world = lock(&self.world);
                        let last = &mut world.calls[number].last;
                        assert!(id.is_none() || last.is_none() || *last == id, "{id:?} {last:?}");
                        *last = last.or(id);
                    }
                }
                text = rest.to_owned();
            }
            if lock(&self.world).calls[number].answers > 0 {
                return true;
            }
            if !matches!(part, Some(Ok(_))) {
                return false;
            }
        }
    }

    fn hears(&self, number: usize, id: Option<(u64, u64)>, message: &Value) {
        let mut world = lock(&self.world);
        let is_disturbed = world.is_disturbed;
        let call = &mut world.calls[number];
        if let Some((stream, place)) = id {
            let before = call.last.unwrap_or((stream, 0));
            assert_eq!((stream, place), (before.0, before.1 + 1), "a hole, or something twice: {message}");
            call.last = id;
        }
        if message["method"] == "notifications/progress" {
            assert_eq!(message["params"]["progressToken"], number, "an event of another call");
            let value = message["params"]["progress"].as_f64().expect("a number");
            assert!(value > call.progress, "{message}");
            call.progress = value;
            return;
        }
        assert_eq!(message["id"], number, "{message}");
        call.answers += 1;
        assert_eq!(call.answers, 1, "one answer");
        if message["error"].is_null() {
            assert_eq!(message["result"]["content"][0]["text"], format!("done {number}"));
            return;
        }
        assert_eq!(message["error"]["data"]["reason"], "worker_lost", "{message}");
        assert!(is_disturbed, "its process is there");
        world.count("worker lost");
    }
}

/// The application of each process that runs takes what is there.
fn take(fleet: &Fleet, world: &Arc<Mutex<World>>) {
    let running = lock(world).running();
    for process in running {
        while let Some(told) = fleet.processes[process].0.told() {
            if let SimulatedExchange::Run { request, params, message, .. } = told {
                let params: Value = serde_json::from_str(&params).expect("JSON");
                let call = params["arguments"]["k"].as_u64().expect("a number");
                let call = usize::try_from(call).expect("a number");
                lock(world).work.push(Work { process, request, call, progress: 0.0, _message: message });
            }
        }
    }
}

fn work(fleet: &Fleet, world: &Arc<Mutex<World>>, at: usize, ends: bool) {
    let mut work = lock(world).work.swap_remove(at);
    let server = &fleet.processes[work.process].0;
    if ends {
        let text = format!("done {}", work.call);
        server.with(|engine, now| engine.respond(now, work.request, Outcome::Text(&text)));
        return;
    }
    work.progress += 1.0;
    server.with(|engine, now| engine.progress(now, work.request, work.progress, None, None));
    lock(world).work.push(work);
}

async fn pass(fleet: &Fleet, world: &Arc<Mutex<World>>, time: Duration) {
    tokio::time::advance(time).await;
    let running = lock(world).running();
    for process in running {
        fleet.processes[process].0.tick();
    }
    settle().await;
}

/// Everything of the store that waits is done, but what stopped processes have to do with.
async fn drain(fleet: &Fleet, dice: &mut Dice) {
    settle().await;
    loop {
        let (asked, told) = (fleet.store.asked_by_running(), fleet.store.told_to_running());
        match (asked.is_empty(), told.is_empty()) {
            (false, _) => fleet.store.serve(*dice.pick(&asked), Fate::Served),
            (true, false) => fleet.store.deliver(*dice.pick(&told), false),
            (true, true) => return,
        }
        settle().await;
    }
}

async fn open(fleet: &Arc<Fleet>, world: &Arc<Mutex<World>>, dice: &mut Dice) -> Client {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let body = json!({ "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": params });
    let mut client = Client { fleet: Arc::clone(fleet), world: Arc::clone(world), session: String::new() };
    let opening = Client { fleet: Arc::clone(fleet), world: Arc::clone(world), session: String::new() };
    let accept = [("accept", "application/json, text/event-stream")];
    let opened = tokio::spawn(async move { opening.send(0, "POST", &accept, &body).await.headers });
    drain(fleet, dice).await;
    let headers = opened.await.expect("it ends well");
    client.session = headers["mcp-session-id"].to_str().expect("text").to_owned();
    let confirming =
        Client { fleet: Arc::clone(fleet), world: Arc::clone(world), session: client.session.clone() };
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let accept = [("accept", "application/json, text/event-stream")];
    let confirmed = tokio::spawn(async move { confirming.send(1, "POST", &accept, &body).await.status });
    drain(fleet, dice).await;
    assert_eq!(confirmed.await.expect("it ends well"), 202);
    client
}

/// Something happens to a process: it is killed, stopped or goes on. Clients that read there leave it.
fn disturb(fleet: &Fleet, world: &Arc<Mutex<World>>, dice: &mut Dice) {
    let running = lock(world).running();
    let stopped = lock(world).stopped.first().copied();
    let process = *dice.pick(&running);
    match dice.roll(3) {
        0 if running.len() > 2 => {
            fleet.store.kill(process, dice);
            let mut world = lock(world);
            world.gone.insert(process);
            world.work.retain(|work| work.process != process);
            world.count("killed");
        }
        1 if running.len() > 2 => {
            fleet.store.stop(process, true);
            lock(world).stopped.insert(process);
            lock(world).count("stopped");
        }
        _ => {
            if let Some(process) = stopped {
                fleet.store.stop(process, false);
                lock(world).stopped.remove(&process);
            }
            return;
        }
    }
    let mut world = lock(world);
    world.is_disturbed = true;
    let running = world.running();
    for call in world.calls.iter_mut().filter(|call| call.at == process && !call.is_over) {
        call.at = *dice.pick(&running);
        call.breaks.notify_one();
    }
}

async fn play(seed: u64) -> BTreeMap<&'static str, usize> {
    let mut dice = Dice::new(seed);
    let fleet = Arc::new(Fleet::with(PROCESSES, &mut dice, bounds));
    let (is_faulty, is_calm, kills) = (seed % 4 == 3, seed % 4 < 2, seed % 2 == 1);
    let world = Arc::new(Mutex::new(World { is_faulty, ..World::default() }));
    drain(&fleet, &mut dice).await;
    // All have said for a lease that they are there.
    for _ in 0..8 {
        pass(&fleet, &world, Duration::from_secs(5)).await;
        drain(&fleet, &mut dice).await;
    }
    let client = Arc::new(open(&fleet, &world, &mut dice).await);
    let mut tasks = Vec::new();
    for _ in 0..200 {
        take(&fleet, &world);
        let count = lock(&world).calls.len();
        let runs: Vec<usize> = {
            let world = lock(&world);
            (0..world.work.len()).filter(|at| !world.stopped.contains(&world.work[*at].process)).collect()
        };
        match dice.roll(20) {
            0..=2 => {
                let number = count;
                let mut world = lock(&world);
                let at = *dice.pick(&world.running());
                world.calls.push(Call { at, ..Call::default() });
                let accept = *dice.pick(&["text/event-stream", "application/json, text/event-stream"]);
                tasks.push(tokio::spawn(Arc::clone(&client).call(number, accept)));
            }
            3..=7 if !runs.is_empty() => work(&fleet, &world, *dice.pick(&runs), dice.chance(25)),
            8..=10 if count > 0 => {
                if is_calm {
                    drain(&fleet, &mut dice).await;
                }
                let mut world = lock(&world);
                let at = *dice.pick(&world.running());
                let call = &mut world.calls[count - 1 - dice.index(count.min(4))];
                call.at = at;
                call.breaks.notify_one();
            }
            11 if kills => {
                if is_calm {
                    drain(&fleet, &mut dice).await;
                }
                disturb(&fleet, &world, &mut dice);
            }
            12 if is_faulty => fleet.fault(&mut dice),
            13 => {
                if !is_faulty {
                    drain(&fleet, &mut dice).await;
                }
                pass(&fleet, &world, dice.millis(1, 9000)).await;
            }
            _ => {
                let (asked, told) = (fleet.store.asked_by_running(), fleet.store.told_to_running());
                let fate = match dice.roll(if is_faulty { 10 } else { 1 }) {
                    8 => Fate::Lost,
                    9 => Fate::Unheard,
                    _ => Fate::Served,
                };
                if !asked.is_empty() && (told.is_empty() || dice.chance(60)) {
                    fleet.store.serve(*dice.pick(&asked), fate);
                } else if !told.is_empty() {
                    fleet.store.deliver(*dice.pick(&told), dice.chance(30));
                }
            }
        }
        settle().await;
    }
    // All is well again, and each call comes to its end.
    fleet.heal();
    for process in lock(&world).running() {
        fleet.hears(process);
    }
    let stopped = std::mem::take(&mut lock(&world).stopped);
    for process in stopped {
        fleet.store.stop(process, false);
    }
    for _ in 0..20 {
        take(&fleet, &world);
        while !lock(&world).work.is_empty() {
            work(&fleet, &world, 0, true);
        }
        drain(&fleet, &mut dice).await;
        pass(&fleet, &world, Duration::from_secs(6)).await;
        drain(&fleet, &mut dice).await;
        for call in lock(&world).calls.iter().filter(|call| !call.is_over) {
            call.breaks.notify_one();
        }
        settle().await;
    }
    drain(&fleet, &mut dice).await;
    let open: Vec<usize> = {
        let world = lock(&world);
        (0..world.calls.len()).filter(|at| !world.calls[*at].is_over).collect()
    };
    assert!(open.is_empty(), "calls without an end: {open:?}, {:?}", lock(&world).counts);
    for task in tasks {
        task.await.expect("it ends well");
    }
    let counts = lock(&world).counts.clone();
    assert!(!is_calm || !counts.contains_key("not kept"), "nothing was lost: {counts:?}");
    counts
}

/// What a client has of a stream: the status, the ids of its events, and whether it has ended.
#[derive(Default)]
struct Heard {
    status: u16,
    ids: Vec<(u64, u64)>,
    has_ended: bool,
}

/// Two processes with a session, in which the first one works on a request.
struct Pair {
    client: Client,
    dice: Dice,
    request: RequestId,
    _message: Box<Message>,
    /// What the client has of its stream there.
    own: Arc<Mutex<Heard>>,
}

impl Pair {
    async fn new() -> Pair {
        let mut dice = Dice::new(1);
        let fleet = Arc::new(Fleet::with(2, &mut dice, bounds));
        drain(&fleet, &mut dice).await;
        let client = open(&fleet, &Arc::default(), &mut dice).await;
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "work",
            "_meta": { "progressToken": 7 } } });
        let (own, _) = reader(&client, 0, "POST", None, body);
        drain(&fleet, &mut dice).await;
        let Some(SimulatedExchange::Run { request, message, .. }) = fleet.processes[0].0.told() else {
            panic!("its handler runs")
        };
        let server = &fleet.processes[0].0;
        server.with(|engine, now| engine.progress(now, request, 1.0, None, None));
        drain(&fleet, &mut dice).await;
        Pair { client, dice, request, _message: message, own }
    }

    async fn drain(&mut self) {
        drain(&self.client.fleet, &mut self.dice).await;
    }

    /// Reads a stream at a process, as far as it is there before any time passes.
    async fn listen(&mut self, at: usize, behind: Option<(u64, u64)>) -> Arc<Mutex<Heard>> {
        let (heard, _) = reader(&self.client, at, "GET", behind, Value::Null);
        self.drain().await;
        heard
    }

    /// The first process says something on a stream, which is an entry of its own.
    async fn say(&mut self, stream: u64) {
        let serving = self.client.fleet.processes[0].0.serving();
        let sessions: Vec<_> =
            serving.inside().sessions.values().filter_map(|it| it.http().cloned()).collect();
        for session in sessions {
            let text = br#"{"jsonrpc":"2.0","method":"notifications/message"}"#.to_vec();
            session.push(stream, text, OutgoingKind::Notification);
        }
        serving.write_events();
        self.drain().await;
    }
}

fn reader(
    client: &Client,
    at: usize,
    method: &'static str,
    behind: Option<(u64, u64)>,
    body: Value,
) -> (Arc<Mutex<Heard>>, tokio::task::JoinHandle<()>) {
    let (fleet, world) = (Arc::clone(&client.fleet), Arc::clone(&client.world));
    let reader = Client { fleet, world, session: client.session.clone() };
    let heard = Arc::new(Mutex::new(Heard::default()));
    let hears = Arc::clone(&heard);
    let task = tokio::spawn(async move {
        let behind = behind.map(|(stream, place)| format!("{stream}-{place}"));
        let mut headers = vec![("accept", "text/event-stream")];
        headers.extend(behind.iter().map(|id| ("last-event-id", id.as_str())));
        let mut answer = reader.send(at, method, &headers, &body).await;
        lock(&hears).status = answer.status;
        while let Some(Ok(part)) = answer.part().await {
            let text = String::from_utf8(part.to_vec()).expect("text");
            let ids = text.lines().filter_map(|line| line.strip_prefix("id:")?.trim().split_once('-'));
            let read = |text: &str| text.parse::<u64>().expect("a number");
            lock(&hears).ids.extend(ids.map(|(stream, place)| (read(stream), read(place))));
        }
        lock(&hears).has_ended = true;
    });
    (heard, task)
}

#[test]
fn what_follows_an_event_is_found_behind_any_number_of_entries_in_any_number_of_reads() {
    HttpRuntime::simulated().simulate(async {
        let mut pair = Pair::new().await;
        let unrelated = pair.listen(0, None).await;
        let mut begins = Vec::new();
        for heard in [unrelated, Arc::clone(&pair.own)] {
            let (stream, first) = *lock(&heard).ids.last().expect("an id");
            for _ in 0..200 {
                pair.say(stream).await;
            }
            assert_eq!(lock(&heard).ids.last(), Some(&(stream, first + 200)));
            begins.push((stream, first));
        }
        for gives in [None, Some(1)] {
            pair.client.fleet.store.gives(gives);
            for &(stream, first) in &begins {
                let heard = pair.listen(1, Some((stream, first + 150))).await;
                let expected: Vec<(u64, u64)> = (151..=200).map(|at| (stream, first + at)).collect();
                let heard = lock(&heard);
                assert_eq!((heard.status, heard.has_ended), (200, false));
                // Behind what was missed the second process says what it says by itself.
                let its = |id: &(u64, u64)| (id.0, id.1 >> 32) == (stream, first >> 32);
                let ids: Vec<(u64, u64)> = heard.ids.iter().copied().filter(its).collect();
                assert_eq!(ids, expected, "{gives:?}");
            }
        }
        let (stream, first) = begins[1];
        let server = &pair.client.fleet.processes[0].0;
        server.with(|engine, now| engine.respond(now, pair.request, Outcome::Text("done")));
        pair.drain().await;
        for (place, status) in [(200, 200), (201, 204)] {
            let heard = pair.listen(1, Some((stream, first + place))).await;
            let heard = lock(&heard);
            assert_eq!((heard.status, heard.has_ended), (status, true), "behind {place}");
        }
    });
    WALL.set(None);
}

#[test]
fn a_client_that_leaves_anywhere_leaves_no_watch_and_one_that_is_refused_takes_none() {
    HttpRuntime::simulated().simulate(async {
        let mut pair = Pair::new().await;
        let stream = lock(&pair.own).ids.last().expect("an id").0;
        let store = pair.client.fleet.store.clone();
        let watched = store.watched_by(1);
        // It is reset while the store is asked for the stream, however often.
        for _ in 0..3 {
            let (heard, task) = reader(&pair.client, 1, "GET", Some((stream, 0)), Value::Null);
            settle().await;
            assert_eq!((store.asked(), lock(&heard).status), (1, 0));
            task.abort();
            pair.drain().await;
        }
        assert_eq!(store.watched_by(1), watched);
        let first = pair.listen(1, Some((stream, 0))).await;
        assert_eq!((lock(&first).status, store.watched_by(1)), (200, watched + 1));
        // While another one is read the store goes away.
        let (refused, _) = reader(&pair.client, 1, "GET", Some((stream, 0)), Value::Null);
        settle().await;
        assert_eq!((store.asked(), lock(&refused).status), (1, 0));
        pair.client.fleet.goes_away(true);
        pair.client.fleet.pass(TIMEOUT * 2).await;
        assert_eq!(lock(&refused).status, 503);
        pair.client.fleet.goes_away(false);
        pair.drain().await;
        pair.say(stream).await;
        assert_eq!(lock(&first).ids, [(stream, 1), (stream, 2)], "it is woken");
    });
    WALL.set(None);
}

#[test]
fn a_stream_is_taken_up_at_any_process_without_a_hole_whatever_becomes_of_its_own() {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds(200) {
        let played = std::panic::catch_unwind(|| HttpRuntime::simulated().simulate(play(seed)));
        let Ok(counts) = played else { panic!("seed {seed}") };
        for (what, count) in counts {
            *all.entry(what).or_default() += count;
        }
    }
    WALL.set(None);
    for what in ["answered", "came back", "worker lost", "not kept", "store away", "killed", "stopped"] {
        assert!(all.get(what).is_some_and(|count| *count > 5), "the schedules play everything: {all:?}");
    }
}
