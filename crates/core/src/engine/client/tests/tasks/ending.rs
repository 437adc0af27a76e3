//! Calls and connections that end while a task is under way: one outcome, a task that goes on is found again, one that no call
//! wants is cancelled as a task; over HTTP and streams. Then random schedules: whatever happens, a call has one outcome (the
//! stage fails at a second one), no later than its time, and after the end nothing is left.

use super::{
    as_task, back, call, completed, core_called, core_server, core_task, core_tasks, extension_called,
    extension_server, extension_task, extension_tasks, list_tools, lost, plain, ready, secs, sent, tasked,
    told,
};
use crate::engine::client::tests::stage::{Made, Saw, Stage, initialized_at, legacy, modern, ms};
use crate::engine::{
    CallOptions, ExchangeFailure, FailureKind, RequestAnswer, Settings, State, Status, TaskSettings, Wire,
};
use crate::protocol::Revision;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;

#[test]
fn a_task_survives_the_connection() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    for _ in 0..5 {
        stage.lose("gone");
        assert!(stage.reply(made).is_none());
        let sent = back(&mut stage, &core_server());
        assert_eq!(sent.last().expect("a poll")["method"], "tasks/get");
    }
    stage.lose("gone");
    let poll = back(&mut stage, &core_server()).pop().expect("a poll");
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.lose("gone");
    let poll = back(&mut stage, &core_server()).pop().expect("asked again");
    stage.answer(&fetch, &json!({"late": true}));
    assert!(stage.reply(made).is_none(), "an answer of the connection before does not count");
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn a_server_that_forgot_the_task_says_so() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    stage.lose("gone");
    let poll = back(&mut stage, &extension_server()).pop().expect("a poll");
    stage.refuse(&poll, -32602, &Value::Null);
    let error = stage.error(made);
    assert_eq!((error.status, error.code), (Status::Server, Some(-32602)));
    assert_eq!(error.details["task"], "t-1");
    assert!(stage.sent().is_empty());
}

#[test]
fn a_server_that_comes_back_without_such_tasks_ends_the_call() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.lose("gone");
    back(&mut stage, &initialized_at("2025-06-18"));
    assert_eq!(stage.status(made), Status::Transport);
}

#[test]
fn without_reconnection_the_task_ends_with_the_connection_and_is_told_by_name() {
    let mut stage = ready(Settings { reconnect: None, ..tasked(legacy()) }, &core_server());
    let made = core_called(&mut stage);
    stage.lose("gone");
    assert_eq!(stage.status(made), Status::Transport);
    assert_eq!(stage.error(made).details["task"], "t-1");
}

#[test]
fn a_call_that_is_not_a_task_yet_is_lost_with_the_connection() {
    let mut stage = core_tasks();
    let made = call(&mut stage, "must", &plain());
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    stage.lose("while the tools were looked up");
    assert_eq!(stage.status(made), Status::Transport);
    back(&mut stage, &core_server());
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    assert_eq!(stage.sent_methods(), ["tools/call"]);
    stage.lose("while it was called");
    assert_eq!(stage.status(made), Status::Transport);
}

#[test]
fn a_task_is_cancelled_as_a_task() {
    for (mut stage, called) in [
        (core_tasks(), core_called as fn(&mut Stage) -> Made),
        (extension_tasks(), extension_called as fn(&mut Stage) -> Made),
    ] {
        let made = called(&mut stage);
        assert!(stage.cancel(made, "enough"));
        let cancel = sent(&mut stage, "tasks/cancel");
        assert_eq!(stage.status(made), Status::Cancelled);
        stage.refuse(&cancel, -32602, &Value::Null);
        stage.pass(secs(7200));
        assert!(stage.sent().is_empty());
        assert_eq!(stage.engine.pending(), 0);
    }
}

#[test]
fn a_request_that_is_to_become_a_task_is_never_cancelled_like_another() {
    let mut stage = core_tasks();
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    let request = stage.sent_one();
    stage.cancel(made, "enough");
    assert!(stage.sent().is_empty());
    stage.answer(&request, &json!({"task": core_task("working")}));
    sent(&mut stage, "tasks/cancel");
    assert_eq!(stage.counters().late_answers, 1);
    // The extension knows only afterwards that it was to be one.
    let mut stage = extension_tasks();
    let made = call(&mut stage, "x", &plain());
    let request = stage.sent_one();
    stage.cancel(made, "enough");
    assert_eq!(stage.sent_methods(), ["notifications/cancelled"]);
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    stage.answer(&request, &task);
    sent(&mut stage, "tasks/cancel");
    assert_eq!(stage.status(made), Status::Cancelled);
}

#[test]
fn a_task_cancelled_without_a_connection_is_cancelled_on_the_next() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.lose("gone");
    stage.cancel(made, "enough");
    assert!(stage.sent().is_empty());
    let sent = back(&mut stage, &core_server());
    let methods: Vec<&Value> = sent.iter().map(|frame| &frame["method"]).collect();
    assert_eq!(methods, ["notifications/initialized", "tasks/cancel"]);
}

#[test]
fn a_server_that_may_not_have_heard_of_the_end_of_a_task_is_told_on_the_next_connection() {
    for by_itself in [false, true] {
        let mut stage = core_tasks();
        let made = core_called(&mut stage);
        stage.cancel(made, "enough");
        let cancel = sent(&mut stage, "tasks/cancel");
        if by_itself {
            stage.fail(cancel["id"].as_u64().expect("an id"), lost());
        }
        stage.lose("gone");
        let again = back(&mut stage, &core_server());
        let methods: Vec<&Value> = again.iter().map(|frame| &frame["method"]).collect();
        assert_eq!(methods, ["notifications/initialized", "tasks/cancel"]);
        // It is told once.
        stage.answer(&again[1], &core_task("cancelled"));
        stage.lose("gone");
        let again = back(&mut stage, &core_server());
        assert_eq!(again.len(), 1, "{again:?}");
    }
}

#[test]
fn a_server_that_cannot_cancel_tasks_is_not_asked_to() {
    let mut handshake = core_server();
    handshake["capabilities"]["tasks"].as_object_mut().expect("an object").remove("cancel");
    let mut stage = ready(tasked(legacy()), &handshake);
    let made = core_called(&mut stage);
    stage.cancel(made, "enough");
    assert!(stage.sent().is_empty());
    assert_eq!(stage.status(made), Status::Cancelled);
}

#[test]
fn polls_that_nobody_answers_are_repeated_and_then_end_the_call() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    stage.pass(ms(2000));
    let mut polls = vec![sent(&mut stage, "tasks/get")];
    for _ in 0..2 {
        stage.pass(secs(30));
        assert!(stage.sent().is_empty());
        stage.pass(ms(2000));
        polls.push(sent(&mut stage, "tasks/get"));
    }
    assert!(stage.reply(made).is_none());
    stage.pass(secs(30));
    assert_eq!(stage.status(made), Status::Timeout);
    assert!(stage.error(made).message.contains("30000 ms"), "{}", stage.error(made).message);
    sent(&mut stage, "tasks/cancel");
    for poll in polls {
        stage.answer(&poll, &extension_task("working"));
    }
    assert_eq!(stage.counters().late_answers, 3);
}

#[test]
fn a_task_has_a_life_of_its_own_unless_the_call_says_how_long() {
    for (options, life) in
        [(plain(), secs(3600)), (CallOptions { max_total: Some(secs(90)), ..plain() }, secs(90))]
    {
        let mut stage = extension_tasks();
        let made = call(&mut stage, "x", &options);
        let request = stage.sent_one();
        let mut task = extension_task("working");
        (task["resultType"], task["pollIntervalMs"]) = ("task".into(), 60_000.into());
        stage.answer(&request, &task);
        let start = stage.now;
        while stage.reply(made).is_none() {
            stage.pass_to_deadline();
            for poll in stage.sent() {
                if poll["method"] == "tasks/get" {
                    stage.answer(&poll, &task);
                }
            }
        }
        assert_eq!((stage.status(made), stage.now - start), (Status::Timeout, life));
        assert!(
            stage.error(made).message.contains("the task did not finish"),
            "{}",
            stage.error(made).message
        );
    }
}

#[test]
fn tasks_are_bounded_in_number() {
    let tasks = TaskSettings { limit: 1, ..TaskSettings::default() };
    let mut stage = ready(Settings { tasks: Some(tasks.clone()), ..tasked(legacy()) }, &core_server());
    let first = core_called(&mut stage);
    let second = call(&mut stage, "must", &plain());
    assert_eq!(stage.status(second), Status::Backpressure);
    assert!(stage.sent().is_empty(), "nothing is sent for it");
    stage.cancel(first, "");
    stage.sent();
    core_called(&mut stage);
    let settings = Settings { tasks: Some(tasks), change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    extension_called(&mut stage);
    let second = extension_called(&mut stage);
    let error = stage.error(second);
    assert_eq!(error.status, Status::Backpressure, "where the server decides, it is known only then");
    assert!(error.details["sent"] == true && !error.retryable, "the server has begun it: {error}");
    sent(&mut stage, "tasks/cancel");
    let watch = stage.try_call("tasks/result", Some(r#"{"taskId":"x"}"#), &plain()).expect("accepted");
    assert_eq!(stage.status(watch), Status::Backpressure);
}

#[test]
fn a_task_begun_elsewhere_is_watched_to_its_end() {
    for (mut stage, working) in
        [(core_tasks(), core_task("working")), (extension_tasks(), extension_task("working"))]
    {
        let watch = stage.try_call("tasks/result", Some(r#"{"taskId":"t-1"}"#), &plain()).expect("accepted");
        let poll = sent(&mut stage, "tasks/get");
        stage.answer(&poll, &working);
        stage.pass(ms(2000));
        let poll = sent(&mut stage, "tasks/get");
        stage.answer(&poll, &completed(working));
        if let Some(fetch) = stage.sent().pop() {
            stage.answer(&fetch, &json!({"content": []}));
        }
        assert_eq!(stage.result(watch), json!({"content": []}));
        assert_eq!(told(&mut stage), ["working", "completed"]);
    }
}

#[test]
fn one_who_only_watches_leaves_the_task_alone() {
    let mut stage = core_tasks();
    let watch = stage.try_call("tasks/result", Some(r#"{"taskId":"t-1"}"#), &plain()).expect("accepted");
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("input_required"));
    sent(&mut stage, "tasks/result");
    stage.cancel(watch, "later");
    assert_eq!(
        stage.sent_methods(),
        ["notifications/cancelled"],
        "of the request that waits, not of the task"
    );
    assert_eq!(stage.status(watch), Status::Cancelled);
    let mut stage = extension_tasks();
    let watch = stage.try_call("tasks/result", Some(r#"{"taskId":"t-1"}"#), &plain()).expect("accepted");
    sent(&mut stage, "tasks/get");
    stage.cancel(watch, "later");
    assert!(stage.sent().is_empty());
}

#[test]
fn closing_ends_the_call_and_leaves_the_task_to_be_taken_up_again() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.close();
    assert_eq!(stage.status(made), Status::Closed);
    assert_eq!(stage.error(made).details["task"], "t-1");
    assert!(stage.sent().is_empty());
}

#[test]
fn an_answer_about_a_task_that_cannot_be_taken_ends_the_task_as_well() {
    let broken = |id: &Value| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"half"#);
    for (form, method) in
        [(core_tasks(), "tasks/get"), (core_tasks(), "tasks/result"), (extension_tasks(), "tasks/get")]
    {
        let (mut stage, is_core) = (form, method == "tasks/result");
        let made = if stage.engine.revision() == Some(Revision::V2025_11_25) {
            core_called(&mut stage)
        } else {
            extension_called(&mut stage)
        };
        if is_core {
            stage.notified("notifications/tasks/status", &core_task("input_required"));
        } else {
            stage.pass(secs(2));
        }
        let request = sent(&mut stage, method);
        stage.text(broken(&request["id"]));
        assert_eq!(stage.status(made), Status::Protocol);
        sent(&mut stage, "tasks/cancel");
    }
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    stage.pass(secs(2));
    let id = sent(&mut stage, "tasks/get")["id"].as_u64();
    stage.engine.oversized(stage.now, stage.engine.generation(), id, 1 << 30, 1 << 20);
    stage.pass(ms(0));
    assert_eq!(stage.status(made), Status::TooLarge);
    sent(&mut stage, "tasks/cancel");
}

#[test]
fn a_result_that_is_awaited_and_cannot_be_taken_is_answered_and_not_ended_once_more() {
    let mut stage = core_tasks();
    let made =
        stage.try_call("tasks/result", Some(r#"{"taskId":"t-1"}"#), &plain()).expect("the server has tasks");
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("input_required"));
    let awaited = sent(&mut stage, "tasks/result");
    stage.text(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"half"#, awaited["id"]));
    assert_eq!(stage.status(made), Status::Protocol);
    assert_eq!(stage.sent_methods(), [""; 0], "who only watches a task does not end it, either");
}

#[test]
fn what_is_told_of_a_task_in_the_midst_of_a_handshake_sends_nothing_and_is_asked_for_after_it() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.lose("gone");
    stage.come_back();
    stage.open();
    let initialize = stage.sent_one();
    stage.take();
    for status in ["completed", "asleep"] {
        stage.notified("notifications/tasks/status", &core_task(status));
        assert!(stage.sent().is_empty() && stage.reply(made).is_none(), "{status}");
    }
    stage.answer(&initialize, &core_server());
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tasks/get"]);
    assert_eq!(told(&mut stage), [""; 0]);
}

#[test]
fn over_http_a_request_about_a_task_may_fail_alone() {
    let settings = Settings { wire: Wire::Http, change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    let made = call(&mut stage, "must", &as_task(true));
    list_tools(&mut stage);
    let request = stage.sent_one();
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    stage.answer(&request, &task);
    for _ in 0..2 {
        stage.pass(ms(2000));
        let poll = sent(&mut stage, "tasks/get");
        stage.fail(poll["id"].as_u64().expect("an id"), lost());
    }
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &completed(extension_task("completed")));
    assert_eq!(stage.status(made), Status::Ok);
    let made = call(&mut stage, "must", &plain());
    let request = stage.sent_one();
    stage.answer(&request, &task);
    for _ in 0..3 {
        stage.pass(ms(2000));
        let poll = sent(&mut stage, "tasks/get");
        stage.fail(poll["id"].as_u64().expect("an id"), lost());
    }
    assert_eq!(stage.status(made), Status::Transport);
}

#[test]
fn over_http_a_server_that_is_gone_is_waited_for() {
    let settings = Settings { wire: Wire::Http, change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    let request = stage.sent_one();
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    stage.answer(&request, &task);
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    stage.fail(
        poll["id"].as_u64().expect("an id"),
        ExchangeFailure { kind: FailureKind::Unreachable, ..lost() },
    );
    assert!(stage.reply(made).is_none());
    let poll = back(&mut stage, &extension_server()).pop().expect("a poll");
    stage.answer(&poll, &completed(extension_task("completed")));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn over_http_a_task_survives_the_end_of_its_session() {
    let on_session = |stage: &mut Stage| {
        let request = stage.sent_one();
        assert_eq!(request["method"], "initialize");
        stage.answer(&request, &core_server());
        stage.listening();
        assert_eq!(stage.engine.state(), State::Ready);
        stage.sent()
    };
    let mut stage = Stage::opened(Settings { wire: Wire::Http, ..tasked(legacy()) });
    on_session(&mut stage);
    let made = core_called(&mut stage);
    stage.pass(secs(20));
    let poll = sent(&mut stage, "tasks/get");
    stage.end_session(poll["id"].as_u64());
    assert!(stage.reply(made).is_none());
    stage.open();
    let poll = on_session(&mut stage).pop().expect("a poll");
    assert_eq!((&poll["method"], &poll["params"]["taskId"]), (&json!("tasks/get"), &json!("t-1")));
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn over_http_a_login_takes_no_time_of_the_polls() {
    let settings = Settings { wire: Wire::Http, change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    let request = stage.sent_one();
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    stage.answer(&request, &task);
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    let (generation, exchange) = (stage.engine.generation(), poll["id"].as_u64().expect("an id"));
    stage.engine.waits_for_login(stage.now, generation, exchange, crate::engine::LoginWait::Person);
    stage.pass(secs(250));
    assert!(stage.sent().is_empty(), "the same request is still waited for");
    stage.engine.waits_for_login(stage.now, generation, exchange, crate::engine::LoginWait::Over);
    stage.answer(&poll, &completed(extension_task("completed")));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn over_http_a_cancelled_poll_is_ended_with_its_exchange() {
    let settings = Settings { wire: Wire::Http, change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    let request = stage.sent_one();
    let mut task = extension_task("working");
    task["resultType"] = "task".into();
    stage.answer(&request, &task);
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get")["id"].as_u64().expect("an id");
    stage.take();
    stage.cancel(made, "");
    assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Aborted(exchange) if *exchange == poll)));
    sent(&mut stage, "tasks/cancel");
}

#[test]
fn tasks_are_listened_to_where_the_server_lets_them() {
    let mut stage = ready(tasked(modern()), &extension_server());
    let made = extension_called(&mut stage);
    let listen = stage.sent_one();
    assert_eq!(listen["params"]["notifications"], json!({"taskIds": ["t-1"]}));
    let stream = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
    stage.notified(
        "notifications/subscriptions/acknowledged",
        &json!({"notifications": {"taskIds": ["t-1"]}, "_meta": stream}),
    );
    let mut done = completed(extension_task("completed"));
    done["_meta"] = stream;
    stage.notified("notifications/tasks", &done);
    assert_eq!(stage.status(made), Status::Ok, "without a poll");
    assert_eq!(told(&mut stage), ["working", "completed"]);
}

#[test]
fn a_server_that_lets_nobody_listen_to_tasks_is_polled_and_keeps_the_other_subscriptions() {
    let mut handshake = extension_server();
    handshake["capabilities"]["tools"] = json!({"listChanged": true});
    let mut stage = Stage::opened(tasked(modern()));
    let probe = stage.sent_one();
    stage.answer(&probe, &handshake);
    let listen = stage.sent_one();
    let granted = listen["params"]["notifications"].clone();
    let acknowledge = |stage: &mut Stage, listen: &Value| {
        let stream = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
        let params = json!({"notifications": listen["params"]["notifications"], "_meta": stream});
        stage.notified("notifications/subscriptions/acknowledged", &params);
    };
    acknowledge(&mut stage, &listen);
    let made = extension_called(&mut stage);
    let with_tasks = stage.sent_one();
    assert_eq!(with_tasks["params"]["notifications"]["taskIds"], json!(["t-1"]));
    stage.refuse(&with_tasks, -32602, &Value::Null);
    let without = stage.sent_one();
    assert_eq!(without["params"]["notifications"], granted);
    acknowledge(&mut stage, &without);
    stage.sent();
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &completed(extension_task("completed")));
    assert_eq!(stage.status(made), Status::Ok);
    extension_called(&mut stage);
    assert!(stage.sent().is_empty(), "it is not tried with every task");
}

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
                let refusal = RequestAnswer::Error { code: -1, message: "no", data: None };
                let answer = if refuses { refusal } else { RequestAnswer::Result(r#"{"action":"decline"}"#) };
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
