//! The scene that the page sets, in each state, and its events.

use super::super::stage::{Made, Saw, Stage, declaring, ms};
use super::page::Place;
use crate::engine::client::connection::handshake::Awaits;
use crate::engine::{Answer, CallOptions, Error, Reconnect, Settings, State, Status, Timeouts};
use serde_json::{Value, json};
use std::time::Duration;

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
        let told = scene.stage.engine.respond(scene.stage.now, scene.request, Answer::Result("{}"));
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
