//! Where requests travel alone (HTTP), and where states are listened to (the streams of the modern era).

use super::play::{
    as_task, back, call, completed, core_called, core_server, core_task, extension_called, extension_server,
    extension_task, list_tools, lost, plain, ready, secs, sent, tasked, told,
};
use crate::engine::client::tests::stage::{Saw, Stage, legacy, modern, ms};
use crate::engine::{Failure, FailureKind, Settings, State, Status, Wire};
use serde_json::{Value, json};

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
    stage.fail(poll["id"].as_u64().expect("an id"), Failure { kind: FailureKind::Unreachable, ..lost() });
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
