//! Random schedules of calls, tasks, answers good and bad, losses and passing time. Whatever happens, a call has one outcome (the
//! stage fails at a second one), no later than its time; what is to become a task is never cancelled like another request;
//! and after the end nothing is left.

use super::play::{call, core_server, core_task, extension_server, extension_task, plain, tasked};
use crate::engine::client::tests::stage::{Made, Saw, Stage, legacy, modern, ms};
use crate::engine::{Answer, CallOptions, Settings, State, TaskSettings};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;

const SEEDS: u64 = 400;
const STEPS: u32 = 120;
const LIFE: Duration = Duration::from_secs(600);

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^= mixed >> 27;
        mixed.wrapping_mul(0x94d0_49bb_1331_11eb) % sides
    }
}

struct Play {
    stage: Stage,
    dice: Dice,
    extension: bool,
    calls: Vec<Made>,
    requests: Vec<Value>,
    keys: Vec<u64>,
    /// Ids of requests that asked to become tasks, or are about tasks (no call only watches one here).
    of_tasks: HashSet<u64>,
    named: u64,
}

impl Play {
    fn new(seed: u64) -> Play {
        let mut dice = Dice(seed);
        let extension = dice.roll(2) == 0;
        let tasks = TaskSettings { limit: 3, life: LIFE, ..TaskSettings::default() };
        let base = if extension { modern() } else { legacy() };
        let settings = Settings { tasks: Some(tasks), max_retries: 1, seed, ..tasked(base) };
        let mut play = Play {
            stage: Stage::new(settings),
            dice,
            extension,
            calls: Vec::new(),
            requests: Vec::new(),
            keys: Vec::new(),
            of_tasks: HashSet::new(),
            named: 0,
        };
        play.stage.connect(None);
        play.handshake();
        play
    }

    fn handshake(&mut self) {
        self.stage.open();
        let request = self.stage.sent_one();
        self.requests.clear();
        self.stage.answer(&request, &if self.extension { extension_server() } else { core_server() });
        self.look();
    }

    /// Takes up what the engine did.
    fn look(&mut self) {
        for frame in self.stage.sent() {
            let method = frame["method"].as_str().unwrap_or_default();
            if method == "notifications/cancelled" {
                let id = frame["params"]["requestId"].as_u64().expect("a number");
                assert!(!self.of_tasks.contains(&id), "request {id} was to become a task, or is about one");
            }
            let Some(id) = frame["id"].as_u64().filter(|_| !method.is_empty()) else { continue };
            if frame["params"].get("task").is_some() || method.starts_with("tasks/") {
                self.of_tasks.insert(id);
            }
            self.requests.push(frame);
        }
        for saw in self.stage.take() {
            if let Saw::Asked { key, .. } = saw {
                self.keys.push(key);
            }
        }
    }

    fn task(&mut self, id: &Value) -> Value {
        let status = ["working", "input_required", "completed", "failed", "cancelled", "working", "asleep"]
            [usize::try_from(self.dice.roll(7)).expect("small")];
        let mut task = if self.extension { extension_task(status) } else { core_task(status) };
        task["taskId"] = id.clone();
        match status {
            "completed" if self.dice.roll(4) > 0 => task["result"] = json!({"content": []}),
            "failed" if self.dice.roll(4) > 0 => task["error"] = json!({"code": -1, "message": "no"}),
            "input_required" => {
                let name = self.dice.roll(4).to_string();
                task["inputRequests"] =
                    json!({name: {"method": "elicitation/create", "params": {"message": "?"}}});
            }
            _ => {}
        }
        task
    }

    fn answer(&mut self) {
        if self.requests.is_empty() || self.stage.engine.state() != State::Ready {
            return;
        }
        let sides = u64::try_from(self.requests.len()).expect("small");
        let request = self.requests.swap_remove(usize::try_from(self.dice.roll(sides)).expect("small"));
        if self.dice.roll(8) == 0 {
            return self.stage.refuse(&request, -32603, &Value::Null);
        }
        let result = match request["method"].as_str() {
            Some("tools/list") => {
                json!({"tools": [{"name": "must", "execution": {"taskSupport": "required"}}]})
            }
            Some("tools/call") if self.dice.roll(4) > 0 => {
                self.named += 1;
                let mut task = self.task(&json!(format!("t-{}", self.named)));
                task["resultType"] = "task".into();
                if self.extension { task } else { json!({ "task": task }) }
            }
            Some("tasks/get") => {
                let id = request["params"]["taskId"].clone();
                self.task(&id)
            }
            _ => json!({"content": []}),
        };
        self.stage.answer(&request, &result);
    }

    fn step(&mut self) {
        match self.dice.roll(13) {
            0 | 1 if self.calls.len() < 12 => {
                let options = CallOptions { progress: self.dice.roll(2) == 0, ..plain() };
                if !matches!(self.stage.engine.state(), State::Backoff) {
                    let made = call(&mut self.stage, "must", &options);
                    self.calls.push(made);
                }
            }
            2..=6 => self.answer(),
            7 | 8 => {
                let wait = [1, 100, 2000, 31_000][usize::try_from(self.dice.roll(4)).expect("small")];
                self.stage.pass(ms(wait));
            }
            9 if !self.calls.is_empty() => {
                let sides = u64::try_from(self.calls.len()).expect("small");
                let made = self.calls[usize::try_from(self.dice.roll(sides)).expect("small")];
                self.stage.cancel(made, "");
            }
            10 if !self.keys.is_empty() => {
                let key = self.keys.remove(0);
                let refuses = self.dice.roll(5) == 0;
                let refusal = Answer::Error { code: -1, message: "no", data: None };
                let answer = if refuses { refusal } else { Answer::Result(r#"{"action":"decline"}"#) };
                // Whether anybody still waits for it is not the point.
                let _outcome = self.stage.engine.respond(self.stage.now, key, answer);
                self.stage.pass(ms(0));
            }
            11 => match self.stage.engine.state() {
                State::Ready if self.dice.roll(3) == 0 => self.stage.lose("gone"),
                State::Backoff => {
                    self.look();
                    self.stage.come_back();
                    return self.handshake();
                }
                State::Starting => {
                    self.look();
                    return self.handshake();
                }
                _ => {}
            },
            _ => {
                let id = json!(format!("t-{}", self.named));
                let task = self.task(&id);
                let method =
                    if self.extension { "notifications/tasks" } else { "notifications/tasks/status" };
                self.stage.notified(method, &task);
            }
        }
        self.look();
    }
}

#[test]
fn whatever_happens_a_call_ends_once_and_in_its_time() {
    let mut tasks = 0;
    for seed in 0..SEEDS {
        let mut play = Play::new(seed);
        for _ in 0..STEPS {
            play.step();
        }
        if seed % 2 == 0 {
            // Time alone ends everything as well.
            for _ in 0..2000 {
                if play.calls.iter().all(|made| play.stage.reply(*made).is_some()) {
                    break;
                }
                play.stage.pass_to_deadline();
                if play.stage.engine.state() == State::Starting {
                    play.look();
                    play.handshake();
                }
                play.look();
            }
        } else {
            play.stage.close();
        }
        for made in &play.calls {
            assert!(play.stage.reply(*made).is_some(), "seed {seed}: call {} has no outcome", made.call);
        }
        assert_eq!((play.stage.engine.pending(), play.stage.engine.tasks.len()), (0, 0), "seed {seed}");
        assert!(
            play.stage.engine.exchanges.all().len() < 200,
            "seed {seed}: what no call waits for is bounded"
        );
        tasks += play.stage.counters().tasks;
    }
    assert!(tasks > 2 * SEEDS, "calls become tasks: {tasks}");
}
