//! Calls and connections that end while a task is under way: one outcome, a task that goes on is found again, one that no call
//! wants is cancelled as a task.

use super::play::{
    back, call, completed, core, core_called, core_server, core_task, extension, extension_called,
    extension_server, extension_task, list_tools, lost, plain, ready, secs, sent, tasked, told,
};
use crate::engine::client::tests::stage::{Made, Stage, initialized_at, legacy, modern, ms};
use crate::engine::{CallOptions, Settings, Status, TaskSettings};
use crate::protocol::Revision;
use serde_json::{Value, json};

#[test]
fn a_task_survives_the_connection() {
    let mut stage = core();
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
    let mut stage = extension();
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
    let mut stage = core();
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
    let mut stage = core();
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
        (core(), core_called as fn(&mut Stage) -> Made),
        (extension(), extension_called as fn(&mut Stage) -> Made),
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
    let mut stage = core();
    let made = call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    let request = stage.sent_one();
    stage.cancel(made, "enough");
    assert!(stage.sent().is_empty());
    stage.answer(&request, &json!({"task": core_task("working")}));
    sent(&mut stage, "tasks/cancel");
    assert_eq!(stage.counters().late_answers, 1);
    // The extension knows only afterwards that it was to be one.
    let mut stage = extension();
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
    let mut stage = core();
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
        let mut stage = core();
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
    let mut stage = extension();
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
        let mut stage = extension();
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
    for (mut stage, working) in [(core(), core_task("working")), (extension(), extension_task("working"))] {
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
    let mut stage = core();
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
    let mut stage = extension();
    let watch = stage.try_call("tasks/result", Some(r#"{"taskId":"t-1"}"#), &plain()).expect("accepted");
    sent(&mut stage, "tasks/get");
    stage.cancel(watch, "later");
    assert!(stage.sent().is_empty());
}

#[test]
fn closing_ends_the_call_and_leaves_the_task_to_be_taken_up_again() {
    let mut stage = core();
    let made = core_called(&mut stage);
    stage.close();
    assert_eq!(stage.status(made), Status::Closed);
    assert_eq!(stage.error(made).details["task"], "t-1");
    assert!(stage.sent().is_empty());
}

#[test]
fn an_answer_about_a_task_that_cannot_be_taken_ends_the_task_as_well() {
    let broken = |id: &Value| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"half"#);
    for (form, method) in [(core(), "tasks/get"), (core(), "tasks/result"), (extension(), "tasks/get")] {
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
    let mut stage = extension();
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
    let mut stage = core();
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
    let mut stage = core();
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
