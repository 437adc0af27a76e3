//! Holds the engine to `docs/reference/lifecycle.toml`: every cell, every row of its violations; and to what must be true
//! whatever the order of things.

use super::stage::{Made, Saw, Stage, declaring, legacy, modern, ms};
use crate::engine::client::connection::handshake::Awaits;
use crate::engine::{CallOptions, Error, Reconnect, RequestAnswer, Settings, State, Status, Timeouts};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

#[test]
fn the_engine_does_what_every_cell_of_the_page_says() {
    let cells = cells();
    for event in EVENTS {
        for place in Place::ALL {
            let of_it: Vec<_> =
                cells.iter().filter(|cell| cell.event == event.name && cell.place == place).collect();
            assert_eq!(of_it.len(), 1, "one cell for '{}' in {place:?}", event.name);
            let mut scene = Scene::at(place, event);
            let happened = scene.play(event);
            let what = format!("'{}' in {place:?}", event.name);
            assert_eq!(happened.effects, of_it[0].effects, "{what}");
            assert_eq!(happened.place, of_it[0].next.unwrap_or(place), "{what}");
        }
    }
    assert_eq!(cells.len(), EVENTS.len() * Place::ALL.len(), "no event on the page that is not tested");
}

#[test]
fn the_page_says_why_where_nothing_happens() {
    for cell in cells() {
        let what = format!("'{}' in {:?}", cell.event, cell.place);
        assert!(!cell.text.is_empty(), "{what}");
        if cell.text.starts_with("ignored") {
            let reason = cell.text.strip_prefix("ignored: ").unwrap_or_default();
            assert!(!reason.is_empty(), "{what}");
            assert!(cell.effects.is_empty() && cell.next.is_none(), "{what}");
        }
    }
}

#[test]
fn there_is_no_way_out_of_closed_and_only_two_out_of_backoff() {
    use crate::engine::State;
    let ways_out = |from| State::ALL.into_iter().filter(move |to| is_legal(from, *to)).collect::<Vec<_>>();
    assert_eq!(ways_out(State::Closed), []);
    assert_eq!(ways_out(State::Backoff), [State::Starting, State::Closed]);
    assert_eq!(ways_out(State::Closing), [State::Closed]);
    for from in State::ALL {
        assert_eq!(is_legal(from, State::Ready), from == State::Initializing, "{from:?}");
    }
}

const PAGE: &str = include_str!("../../../../../../docs/reference/lifecycle.toml");

/// A column of the tables: a state, with `initializing` in its two halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Idle,
    Starting,
    Probing,
    Initializing,
    Ready,
    Backoff,
    Closing,
    Closed,
}

impl Place {
    pub const ALL: [Place; 8] = [
        Place::Idle,
        Place::Starting,
        Place::Probing,
        Place::Initializing,
        Place::Ready,
        Place::Backoff,
        Place::Closing,
        Place::Closed,
    ];

    fn named(name: &str) -> Place {
        let found = Place::ALL.into_iter().find(|place| format!("{place:?}").eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("the page names a state '{name}'"))
    }

    pub fn state(self) -> State {
        match self {
            Place::Idle => State::Idle,
            Place::Starting => State::Starting,
            Place::Probing | Place::Initializing => State::Initializing,
            Place::Ready => State::Ready,
            Place::Backoff => State::Backoff,
            Place::Closing => State::Closing,
            Place::Closed => State::Closed,
        }
    }
}

/// One cell: what happens at an event in a state.
pub struct Cell {
    pub event: &'static str,
    pub place: Place,
    pub text: &'static str,
    pub effects: Vec<&'static str>,
    pub next: Option<Place>,
}

/// The rows of a section, each with the names of its cells and their texts.
pub fn table(title: &str) -> Vec<Vec<(&'static str, &'static str)>> {
    let (_, section) =
        PAGE.split_once(&format!("\ntitle = \"{title}\"\n")).expect("the file has this section");
    let section = section.split("\n[[section]]\n").next().unwrap_or_default();
    let cell = |line: &'static str| line.strip_suffix('"').and_then(|line| line.split_once(" = \""));
    section.split("\n[[section.").skip(1).map(|row| row.lines().filter_map(cell).collect()).collect()
}

/// The texts in a cell that stand between backquotes.
pub fn code(text: &'static str) -> Vec<&'static str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Every cell of the four tables of events.
pub fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for heading in
        ["Events of the application", "Events of the transport", "Messages of the server", "Timers"]
    {
        for row in table(heading) {
            let names: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
            for &(name, text) in &row[1..] {
                for place in places(name, &names) {
                    let next = text.split_once("→ ").map(|(_, state)| Place::named(state));
                    cells.push(Cell { event: row[0].1, place, text, effects: code(text), next });
                }
            }
        }
    }
    cells
}

fn places(column: &str, header: &[&str]) -> Vec<Place> {
    if column != "any_other_state" {
        return vec![Place::named(column)];
    }
    let named: Vec<Place> = header
        .iter()
        .filter(|name| **name != column && **name != "event")
        .map(|name| Place::named(name))
        .collect();
    Place::ALL.into_iter().filter(|place| !named.contains(place)).collect()
}

static LEGAL: LazyLock<HashSet<(State, State)>> = LazyLock::new(|| {
    let mut legal = HashSet::new();
    for cell in cells() {
        if let Some(next) = cell.next
            && next.state() != cell.place.state()
        {
            legal.insert((cell.place.state(), next.state()));
            if next == Place::Backoff {
                // "Where a cell leads to `backoff`, it leads to `closed` when reconnection is off", or used up.
                legal.insert((cell.place.state(), State::Closed));
            }
        }
    }
    legal
});

/// Whether the page has a transition.
pub fn is_legal(from: State, to: State) -> bool {
    LEGAL.contains(&(from, to))
}

const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_secs(1);

/// What may become due. All are far off but the one that an event is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    None,
    Handshake,
    Call,
    Wait,
    Attempt,
    Stable,
}

pub struct Event {
    pub name: &'static str,
    timer: Timer,
    happen: fn(&mut Scene),
}

pub struct Scene {
    pub stage: Stage,
    timer: Timer,
    call: Option<Made>,
    /// The id of the last handshake request, and of C's.
    handshake_id: Value,
    pub call_id: Value,
    request: u64,
    refused: Option<Status>,
}

/// What an event led to.
pub struct Happened {
    pub effects: Vec<String>,
    pub place: Place,
}

impl Scene {
    pub fn at(place: Place, event: &Event) -> Scene {
        Scene::with(place, event.timer)
    }

    pub fn with(place: Place, timer: Timer) -> Scene {
        let time = |of| if of == timer { SHORT } else { LONG };
        let timeouts = Timeouts {
            call: time(Timer::Call),
            initialize: time(Timer::Handshake),
            probe: time(Timer::Handshake),
            ..Timeouts::default()
        };
        let (initial, stable) = (time(Timer::Attempt), time(Timer::Stable));
        let reconnect = Some(Reconnect { initial, max: initial, jitter: 0.0, stable, max_attempts: None });
        let settings = Settings { timeouts, reconnect, ..Settings::default() };
        let mut scene = Scene {
            stage: Stage::new(declaring(settings, &json!({"sampling": {}}))),
            timer,
            call: None,
            handshake_id: json!(1),
            call_id: json!(4711),
            request: 4711,
            refused: None,
        };
        scene.go(place);
        scene.stage.take();
        scene.stage.sent();
        scene
    }

    fn go(&mut self, place: Place) {
        match place {
            Place::Idle => {}
            Place::Starting => {
                self.wait();
                self.call(CallOptions::default());
            }
            Place::Probing => {
                self.go(Place::Starting);
                self.stage.open();
                self.handshake_id = self.stage.sent_one()["id"].clone();
            }
            Place::Initializing => {
                self.go(Place::Probing);
                let error = json!({"code": -32601, "message": "Method not found"});
                self.stage.frame(&json!({"jsonrpc": "2.0", "id": self.handshake_id, "error": error}));
                self.handshake_id = self.stage.sent_one()["id"].clone();
            }
            Place::Ready => {
                self.go(Place::Initializing);
                self.answer(&good());
                self.call_id = self.stage.sent().pop().expect("C is sent")["id"].clone();
                self.ask("sampling/createMessage");
                let Some(Saw::Asked { key, .. }) = self.stage.take().pop() else { panic!("R arrives") };
                self.request = key;
            }
            Place::Backoff => {
                self.go(Place::Ready);
                self.stage.lose("it died");
                self.wait();
                self.call(CallOptions { wait_when_unavailable: Some(true), ..CallOptions::default() });
            }
            Place::Closing => {
                self.go(Place::Ready);
                self.stage.close();
            }
            Place::Closed => {
                self.go(Place::Closing);
                let generation = self.stage.engine.generation();
                self.stage.engine.shut(generation);
                self.stage.pass(ms(0));
            }
        }
    }

    fn wait(&mut self) {
        let limit = if self.timer == Timer::Wait { SHORT } else { LONG };
        self.stage.connect(Some(limit));
    }

    fn call(&mut self, options: CallOptions) {
        let options = CallOptions { progress: true, ..options };
        match self.stage.try_call("tools/list", None, &options) {
            Ok(made) => self.call = Some(made),
            Err(error) => self.refused = Some(error.status),
        }
    }

    pub fn c(&self) -> Made {
        self.call.expect("C was made")
    }

    fn answer(&mut self, result: &Value) {
        self.stage.frame(&json!({"jsonrpc": "2.0", "id": self.handshake_id, "result": result}));
    }

    fn refuse(&mut self, code: i64) {
        self.refuse_naming(code, "2026-07-28");
    }

    fn refuse_naming(&mut self, code: i64, revision: &str) {
        let error = json!({"code": code, "message": "no", "data": {"supported": [revision]}});
        self.stage.frame(&json!({"jsonrpc": "2.0", "id": self.handshake_id, "error": error}));
    }

    fn ask(&mut self, method: &str) {
        self.stage.frame(&json!({"jsonrpc": "2.0", "id": "r", "method": method}));
    }

    /// Has the event happen, and tells what the engine did.
    pub fn play(&mut self, event: &Event) -> Happened {
        (event.happen)(self);
        self.stage.pass(ms(0));
        let mut effects: Vec<String> = self.stage.take().iter().filter_map(named).collect();
        effects.extend(self.refused.map(|status| format!("refuse {}", upper(status))));
        Happened { effects, place: self.place() }
    }

    fn place(&self) -> Place {
        let probes = self.stage.engine.handshake.step().is_some_and(|step| step.awaits == Awaits::Discovery);
        match self.stage.engine.state() {
            State::Initializing if probes => Place::Probing,
            state => Place::ALL
                .into_iter()
                .find(|place| place.state() == state && *place != Place::Probing)
                .expect("every state has a place"),
        }
    }
}

fn upper(status: Status) -> String {
    status.as_str().to_uppercase()
}

fn outcome<T>(outcome: &Result<T, Error>) -> String {
    outcome.as_ref().map_or_else(|error| upper(error.status), |_| "OK".to_owned())
}

/// An effect as the page names it; a change of state is told by its arrow.
fn named(saw: &Saw) -> Option<String> {
    Some(match saw {
        Saw::Opened(_) => "open".to_owned(),
        Saw::Shut(_) => "shut".to_owned(),
        Saw::Aborted(_) => "abort".to_owned(),
        Saw::Listens(_) => "listen".to_owned(),
        Saw::Sent(frame) => match frame["method"].as_str() {
            Some(method) => format!("send {method}"),
            None if frame.get("result").is_some() => "send result".to_owned(),
            None => "send error".to_owned(),
        },
        Saw::Ended { reply, .. } => format!("complete {}", outcome(reply)),
        Saw::Connected(told) => format!("connected {}", outcome(told)),
        Saw::Notified { .. } => "notification".to_owned(),
        Saw::Told { .. } => "task".to_owned(),
        Saw::Asked { .. } => "request".to_owned(),
        Saw::Progressed { .. } => "progress".to_owned(),
        Saw::Moved { .. } | Saw::Logged(_) => return None,
    })
}

/// An answer that ends the handshake of either era well.
fn good() -> Value {
    json!({"supportedVersions": ["2026-07-28"], "protocolVersion": "2025-11-25", "capabilities": {}})
}

const fn event(name: &'static str, happen: fn(&mut Scene)) -> Event {
    Event { name, timer: Timer::None, happen }
}

const fn due(name: &'static str, timer: Timer) -> Event {
    Event { name, timer, happen: |scene| scene.stage.pass(SHORT) }
}

pub const EVENTS: &[Event] = &[
    event("a call", |scene| scene.call(CallOptions::default())),
    event("connect", Scene::wait),
    event("cancel C", |scene| {
        if let Some(call) = scene.call {
            scene.stage.cancel(call, "");
        }
    }),
    event("notify", |scene| {
        let now = scene.stage.now;
        let told = scene.stage.engine.notify(now, "notifications/roots/list_changed", None);
        scene.refused = told.err().map(|error| error.status);
    }),
    event("respond to R", |scene| {
        let told = scene.stage.engine.respond(scene.stage.now, scene.request, RequestAnswer::Result("{}"));
        scene.refused = told.err().map(|error| error.status);
    }),
    event("free R unanswered", |scene| scene.stage.engine.abandon(scene.stage.now, scene.request)),
    event("close", |scene| scene.stage.close()),
    event("opened", |scene| scene.stage.open()),
    event("lost", |scene| scene.stage.lose("it died")),
    event("shut", |scene| scene.stage.engine.shut(scene.stage.engine.generation())),
    event("anything of an earlier connection", |scene| {
        let (now, engine) = (scene.stage.now, &mut scene.stage.engine);
        let earlier = engine.generation().wrapping_sub(1);
        let id = scene.handshake_id.as_u64();
        engine.opened(now, earlier);
        engine.frame(
            now,
            earlier,
            format!(r#"{{"jsonrpc":"2.0","id":{id:?},"result":{}}}"#, good()).into_bytes(),
        );
        engine.frame(now, earlier, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.to_vec());
        engine.oversized(now, earlier, id, 1 << 30, 1 << 24);
        engine.lost(now, earlier, Error::new(Status::Transport, "connection", "it died"));
        engine.shut(earlier);
    }),
    event("a good answer to the handshake", |scene| scene.answer(&good())),
    event("error -32022 naming a modern revision in common", |scene| scene.refuse(-32022)),
    event("error -32022 naming only legacy revisions in common", |scene| {
        scene.refuse_naming(-32022, "2025-06-18");
    }),
    event("a discovery of only legacy revisions in common", |scene| {
        scene.answer(&json!({"supportedVersions": ["2025-06-18"], "capabilities": {}}));
    }),
    event("an answer with no revision in common", |scene| {
        scene.answer(&json!({"supportedVersions": ["2031-01-01"], "protocolVersion": "1999-01-01"}));
    }),
    event("error -32020 or -32021 to the handshake", |scene| scene.refuse(-32021)),
    event("another error to the handshake", |scene| scene.refuse(-32601)),
    event("another result of the handshake", |scene| scene.answer(&json!({}))),
    event("a broken answer to the handshake", |scene| {
        let error = json!({"code": 1, "message": "both"});
        scene.stage.frame(&json!({"jsonrpc": "2.0", "id": scene.handshake_id, "result": {}, "error": error}));
    }),
    event("an oversized answer", |scene| {
        let id = if scene.place() == Place::Ready { &scene.call_id } else { &scene.handshake_id }.as_u64();
        let (now, engine) = (scene.stage.now, &mut scene.stage.engine);
        engine.oversized(now, engine.generation(), id, 1 << 30, 1 << 24);
    }),
    event("the result of C", |scene| {
        scene.stage.frame(&json!({"jsonrpc": "2.0", "id": scene.call_id, "result": {}}));
    }),
    event("an error for C", |scene| {
        let error = json!({"code": -32602, "message": "no"});
        scene.stage.frame(&json!({"jsonrpc": "2.0", "id": scene.call_id, "error": error}));
    }),
    event("a broken answer to C", |scene| {
        scene.stage.frame(&json!({"jsonrpc": "1.0", "id": scene.call_id, "result": {}}));
    }),
    event("an answer to nothing", |scene| {
        scene.stage.frame(&json!({"jsonrpc": "2.0", "id": 999, "result": 1}));
    }),
    event("progress of C", |scene| {
        let token = scene.call.map_or(0, |call| call.call);
        scene.stage.notified("notifications/progress", &json!({"progressToken": token, "progress": 1}));
    }),
    event("a notification", |scene| scene.stage.notified("notifications/message", &json!({}))),
    event("R is withdrawn", |scene| {
        scene.stage.notified("notifications/cancelled", &json!({"requestId": "r"}));
    }),
    event("ping", |scene| scene.ask("ping")),
    event("a request that was enabled", |scene| scene.ask("sampling/createMessage")),
    event("a request that was not enabled", |scene| scene.ask("elicitation/create")),
    event("a line that is no message", |scene| scene.stage.text("Server listening on stdio")),
    due("the handshake's time is over", Timer::Handshake),
    due("C's time is over", Timer::Call),
    due("W's time is over", Timer::Wait),
    due("the next attempt is due", Timer::Attempt),
    due("ready long enough to be stable", Timer::Stable),
];

type Send = fn(&mut Stage, &Value);

/// Sends a frame in which `#` stands for the id of C.
macro_rules! frame {
    ($text:expr) => {
        |stage: &mut Stage, id: &Value| stage.text($text.replace('#', &id.to_string()))
    };
}

const VIOLATIONS: [(&str, Send); 23] = [
    ("a line that is no JSON object", frame!("Server listening on stdio")),
    (
        "invalid JSON or UTF-8 in an answer to C, if certain",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{"unfinished"#),
    ),
    ("an answer nested deeper than limits.json_depth, if certain", |stage, id| {
        let (open, close) = ("[".repeat(200), "]".repeat(200));
        stage.text(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{open}{close}}}"#));
    }),
    ("an answer over limits.frame_bytes, if certain", |stage, id| oversized(stage, id.as_u64())),
    ("a frame over limits.frame_bytes that is not certainly an answer to a call", |stage, _| {
        oversized(stage, None);
    }),
    ("wrong jsonrpc", frame!(r#"{"jsonrpc":"1.0","id":#,"result":{}}"#)),
    (
        "both result and error",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{},"error":{"code":1,"message":""}}"#),
    ),
    ("neither result nor error", frame!(r#"{"jsonrpc":"2.0","id":#}"#)),
    ("an error that is neither an object nor a text", frame!(r#"{"jsonrpc":"2.0","id":#,"error":7}"#)),
    ("an envelope member that stands twice", frame!(r#"{"jsonrpc":"2.0","id":#,"result":1,"result":2}"#)),
    (
        "a result of an unknown type (modern)",
        frame!(r#"{"jsonrpc":"2.0","id":#,"result":{"resultType":"?"}}"#),
    ),
    ("a result that is not an object", frame!(r#"{"jsonrpc":"2.0","id":#,"result":42}"#)),
    (
        "an id that is neither a number nor the text of one",
        frame!(r#"{"jsonrpc":"2.0","id":"x#","result":{}}"#),
    ),
    ("an id that was never sent", frame!(r#"{"jsonrpc":"2.0","id":4711,"result":{}}"#)),
    ("an answer that comes too late or twice", frame!(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)),
    (
        "an error without an id",
        frame!(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#),
    ),
    (
        "a batch where the revision has none",
        frame!(r#"[{"jsonrpc":"2.0","method":"notifications/message","params":{}}]"#),
    ),
    ("an empty batch", frame!("[]")),
    (
        "a request of the server with a broken id, method or params",
        frame!(r#"{"jsonrpc":"2.0","id":#,"method":7}"#),
    ),
    ("a request of the server in the modern era", frame!(r#"{"jsonrpc":"2.0","id":#,"method":"ping"}"#)),
    (
        "a list_changed that names no subscription of ours (modern, not over HTTP)",
        frame!(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
    ),
    ("a second initialize, from the server", frame!(r#"{"jsonrpc":"2.0","id":#,"method":"initialize"}"#)),
    (
        "progress that no call waits for",
        frame!(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"x"}}"#),
    ),
];

fn oversized(stage: &mut Stage, id: Option<u64>) {
    let (now, generation) = (stage.now, stage.engine.generation());
    stage.engine.oversized(now, generation, id, 1 << 30, 1 << 24);
}

/// A ready connection with C under way on it.
fn with_a_call(is_modern: bool) -> (Stage, Made, Value) {
    if is_modern {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let id = stage.sent_one()["id"].clone();
        (stage, call, id)
    } else {
        let scene = Scene::with(Place::Ready, Timer::None);
        let (call, id) = (scene.c(), scene.call_id.clone());
        (scene.stage, call, id)
    }
}

#[test]
fn each_violation_has_the_action_the_counter_and_the_log_event_that_the_page_names() {
    let rows = table("Protocol violations");
    let rows: Vec<Vec<&'static str>> =
        rows.iter().map(|row| row.iter().map(|(_, text)| *text).collect()).collect();
    let named: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    let tested: Vec<&str> = VIOLATIONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(named, tested);
    for (row, (name, send)) in rows.iter().zip(VIOLATIONS) {
        let (mut stage, call, id) = with_a_call(name.contains("modern"));
        let (before, answers) = (stage.counters().to_map(), code(row[1]));
        stage.take();
        send(&mut stage, &id);
        stage.pass(std::time::Duration::ZERO);
        let ended = stage.reply(call).is_some().then(|| stage.status(call).as_str().to_uppercase());
        assert_eq!(ended.as_deref(), answers.first().copied().filter(|_| row[1].contains("for C")), "{name}");
        let refused = stage.sent().iter().filter(|frame| frame["error"]["code"] == json!(-32601)).count();
        assert_eq!(refused == 1, answers.contains(&"send error"), "{name}");

        let (counter, event) = (code(row[2])[0], code(row[3])[0]);
        let counted = |map: &serde_json::Map<String, Value>| map[counter].as_u64().expect("a number");
        assert_eq!(counted(&stage.counters().to_map()), counted(&before) + 1, "{name}: {counter}");
        let logged = |saw: &Saw| matches!(saw, Saw::Logged(record) if record.event == event);
        assert!(stage.take().iter().any(logged), "{name}: {event}");
        assert_eq!(stage.engine.state(), State::Ready, "{name}: the connection stays");
    }
}

/// A ready connection with `count` calls under way, and their requests.
fn calling(count: usize) -> (Stage, Vec<Made>, Vec<Value>) {
    let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
    let calls = (0..count).map(|_| stage.call("tools/call")).collect();
    let requests = stage.sent();
    (stage, calls, requests)
}

/// From 1 to 50 calls, and an order in which they are answered.
fn reordered() -> impl Strategy<Value = Vec<usize>> {
    (1..=50usize).prop_flat_map(|count| Just((0..count).collect::<Vec<_>>()).prop_shuffle())
}

/// Things that may happen without time passing and without the server agreeing to anything.
const WITHOUT_PROGRESS: [fn(&mut Stage); 11] = [
    |stage| _ = stage.try_call("tools/list", None, &CallOptions::default()),
    |stage| _ = stage.connect(None),
    Stage::open,
    Stage::open,
    |stage| stage.lose("it died"),
    |stage| stage.engine.shut(stage.engine.generation()),
    |stage| stage.text(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#),
    |stage| {
        let data = json!({"supported": ["2026-07-28"]});
        stage.refuse(&json!({"id": 2}), -32022, &data);
    },
    |stage| stage.text("no message"),
    |stage| stage.text(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#),
    |stage| stage.pass(ms(0)),
];

proptest! {
    #[test]
    fn correlation_is_one_to_one_under_reordering(order in reordered()) {
        let (mut stage, calls, requests) = calling(order.len());
        let ids: HashSet<String> = requests.iter().map(|request| request["id"].to_string()).collect();
        prop_assert_eq!(ids.len(), calls.len());
        for (answered, at) in order.iter().enumerate() {
            stage.answer(&requests[*at], &json!({"of": at}));
            let ended = calls.iter().filter(|call| stage.reply(**call).is_some()).count();
            prop_assert_eq!(ended, answered + 1, "each answer ends one call");
        }
        for (at, call) in calls.iter().enumerate() {
            prop_assert_eq!(stage.result(*call), json!({"of": at}));
        }
        prop_assert_eq!(stage.engine.pending(), 0);
    }

    #[test]
    fn timeouts_do_not_leak(calls in proptest::collection::vec((1..500u64, any::<bool>(), any::<bool>()), 1..50)) {
        let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
        let made: Vec<Made> = calls
            .iter()
            .map(|(timeout, ..)| {
                let options = CallOptions { timeout: Some(ms(*timeout)), progress: true, ..CallOptions::default() };
                stage.call_with("tools/call", options)
            })
            .collect();
        let requests = stage.sent();
        for (request, (_, in_time, _)) in requests.iter().zip(&calls) {
            if *in_time {
                stage.answer(request, &json!({}));
            }
        }
        let mut ticks = 0;
        while stage.engine.next_deadline().is_some() {
            stage.pass_to_deadline();
            ticks += 1;
        }
        prop_assert!(ticks <= calls.len(), "each deadline is due once");
        for (call, (_, in_time, _)) in made.iter().zip(&calls) {
            prop_assert_eq!(stage.status(*call), if *in_time { Status::Ok } else { Status::Timeout });
        }
        let late: Vec<_> = requests.iter().zip(&calls).filter(|(_, (.., comes_late))| *comes_late).collect();
        for (request, _) in &late {
            stage.answer(request, &json!({}));
        }
        prop_assert_eq!(stage.counters().late_answers, late.len() as u64);
        let engine = &stage.engine;
        let left = (engine.calls.len(), engine.exchanges.all().len(), engine.deadlines.len(), engine.calls.waiting().len());
        prop_assert_eq!(left, (0, 0, 0, 0));
    }

    #[test]
    fn cancellation_is_idempotent(times in 1..=10usize, count in 1..10usize, which in any::<prop::sample::Index>()) {
        let cancelled = |times: usize| {
            let (mut stage, calls, _) = calling(count);
            let call = calls[which.index(count)];
            stage.take();
            let told: Vec<bool> = (0..times).map(|_| stage.cancel(call, "enough")).collect();
            let effects: Vec<String> = stage.take().iter().map(|saw| format!("{saw:?}")).collect();
            (told, effects, stage.counters(), stage.engine.pending())
        };
        let (once, often) = (cancelled(1), cancelled(times));
        prop_assert_eq!(often.0.iter().filter(|was_there| **was_there).count(), 1);
        prop_assert_eq!((&once.1, once.2, once.3), (&often.1, often.2, often.3));
    }

    #[test]
    fn transitions_are_acyclic_without_progress(events in proptest::collection::vec(0..11usize, 0..80), closes in any::<bool>()) {
        let mut stage = Stage::new(Settings::default());
        let mut been = HashSet::from([(State::Idle, 0)]);
        for event in events {
            WITHOUT_PROGRESS[event](&mut stage);
            for saw in stage.take() {
                if let Saw::Moved { to, .. } = saw {
                    // Two moves may come of one event, but then the generation goes up with the first.
                    prop_assert!(been.insert((to, stage.engine.generation())), "{:?} again", to);
                }
            }
        }
        if closes {
            stage.close();
            stage.engine.shut(stage.engine.generation());
            prop_assert_eq!(stage.engine.state(), State::Closed);
        }
        // Idle, starting, initializing, both once more after a probe that killed the server, backoff.
        prop_assert!(been.len() <= 6, "{:?}", been);
    }

    #[test]
    fn notifications_reach_the_application_or_are_counted_as_lost(kinds in proptest::collection::vec(0..4u8, 0..60)) {
        let mut stage = Stage::ready(legacy());
        let wanted = stage.call_with("tools/call", CallOptions { progress: true, ..CallOptions::default() });
        stage.take();
        for (at, kind) in kinds.iter().enumerate() {
            match kind {
                0 => stage.notified("notifications/progress", &json!({"progressToken": wanted.call, "progress": at})),
                1 => stage.notified("notifications/progress", &json!({"progressToken": "unknown", "progress": at})),
                2 => stage.notified("notifications/message", &json!({"progress": at})),
                _ => stage.frame(&json!([{"jsonrpc": "2.0", "method": "made/up", "params": {"progress": at}}])),
            }
        }
        let reached: Vec<Value> = stage
            .take()
            .into_iter()
            .filter_map(|saw| match saw {
                Saw::Notified { params, .. } | Saw::Progressed { params, .. } => Some(params["progress"].clone()),
                _ => None,
            })
            .collect();
        let expected: Vec<Value> =
            kinds.iter().enumerate().filter(|(_, kind)| **kind != 1).map(|(at, _)| json!(at)).collect();
        prop_assert_eq!(&reached, &expected, "in order, and each once");
        let lost = stage.counters().ignored_progress;
        prop_assert_eq!(stage.counters().notifications, reached.len() as u64 + lost);
    }
}
