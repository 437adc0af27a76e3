//! The bounds of tasks: their number, their bytes, their time; and what goes when a session or the server ends.

use super::stage::{QUESTION, Stage, code, settings};
use super::task_extension::{ask, begin as begin_modern};
use super::tasks::{DONE, about, begin, session, stage};
use crate::engine::seal::KeyRing;
use crate::engine::server::{Asked, Outcome, Server};
use crate::shares::Holder;
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn a_session_has_a_bound_of_tasks_and_so_has_the_server() {
    let mut settings = settings();
    settings.limits.tasks_per_session = 2;
    settings.limits.tasks = 4;
    let mut stage = stage(settings);
    let (one, other) = (session(&mut stage), session(&mut stage));
    let params = json!({ "name": "optional", "task": {} });
    for id in [1, 2] {
        begin(&mut stage, one, json!(id), json!({}));
    }
    let refused = stage.ask_legacy(one, json!(3), "tools/call", params.clone());
    assert_eq!(code(&refused), -32010);
    assert!(
        refused[0]["error"]["message"].as_str().is_some_and(|text| text.contains("limits.session_tasks"))
    );
    begin(&mut stage, other, json!(1), json!({}));
    let refused = stage.ask_legacy(other, json!(2), "tools/call", params);
    assert!(refused[0]["error"]["message"].as_str().is_some_and(|text| text.contains("(limits.tasks)")));
    assert_eq!((stage.runs.len(), stage.server.open_counts()[1]), (3, 3), "what is refused does not run");
    assert_eq!(stage.server.discarded(), Some("optional"));
}

#[test]
fn tasks_that_are_over_go_first_when_their_session_has_ended() {
    let mut settings = settings();
    settings.limits.tasks = 4;
    let mut stage = stage(settings);
    let open = |stage: &mut Stage| {
        let session = stage.server.open(false).expect("a session");
        stage.server.held_by(session, Holder::Process(1));
        session
    };
    let gone = open(&mut stage);
    let [over, working] = [1, 2].map(|id| begin_modern(&mut stage, gone, id));
    let (first, second) = (stage.runs[0].request, stage.runs[1].request);
    stage.respond(first, Outcome::Result(DONE));
    let other = open(&mut stage);
    let full = ask(&mut stage, other, 1, "tools/call", json!({ "name": "optional" }));
    assert!(full.is_empty(), "it runs, and its handler may answer without a task");
    stage.server.close(gone);
    assert_eq!(
        ask(&mut stage, other, 2, "tasks/get", json!({ "taskId": over }))[0]["result"]["status"],
        "completed"
    );
    begin_modern(&mut stage, other, 3);
    assert_eq!(
        code(&ask(&mut stage, other, 4, "tasks/get", json!({ "taskId": over }))),
        -32602,
        "it had to go"
    );
    let kept = ask(&mut stage, other, 5, "tasks/get", json!({ "taskId": working }));
    assert_eq!(kept[0]["result"]["status"], "working");
    let refused = stage.ask_legacy(other, json!(6), "ping", json!({}));
    assert!(refused[0]["result"].is_object());
    // The second task is over now, too, and goes for the next one.
    stage.respond(second, Outcome::Result(DONE));
    begin_modern(&mut stage, other, 7);
    assert_eq!(code(&ask(&mut stage, other, 8, "tasks/get", json!({ "taskId": working }))), -32602);
    assert_eq!(stage.server.task_count(), 2);
}

#[test]
fn no_client_takes_the_place_or_the_bytes_of_anothers_tasks() {
    let mut settings = settings();
    (settings.limits.tasks, settings.limits.task_bytes) = (20, 1000);
    let mut stage = stage(settings);
    let request_of = |stage: &mut Stage, process| {
        let session = stage.server.open(false).expect("a session");
        stage.server.held_by(session, Holder::Process(process));
        session
    };
    let is_there = |stage: &mut Stage, task: &Value| {
        let asks = stage.server.open(false).expect("a session");
        let answer = ask(stage, asks, 1, "tasks/get", json!({ "taskId": task }));
        stage.server.close(asks);
        answer[0]["result"]["status"] == "completed"
    };
    let innocent = request_of(&mut stage, 1);
    let first = begin_modern(&mut stage, innocent, 1);
    let run = stage.run();
    stage.respond(run.request, Outcome::Result(DONE));
    stage.server.close(innocent);
    // As over HTTP each request is a session of its own, which ends with its answer.
    let flood: Vec<Value> = (0..100)
        .map(|id| {
            let request = request_of(&mut stage, 2);
            let task = begin_modern(&mut stage, request, id);
            let run = stage.run();
            stage.respond(run.request, Outcome::Result(DONE));
            stage.server.close(request);
            task
        })
        .collect();
    assert!(is_there(&mut stage, &first), "its result waits for it");
    assert!(!is_there(&mut stage, &flood[80]) && is_there(&mut stage, &flood[99]), "it lost its own");
    assert!(stage.server.task_count() <= 11);
    // More than one client: the share of the first is smaller, which it learns with its next task.
    for other in 3..8 {
        for _ in 0..4 {
            let request = request_of(&mut stage, other);
            let params = json!({ "name": "optional" });
            ask(&mut stage, request, 1, "tools/call", params);
            while !stage.runs.is_empty() {
                let run = stage.runs.remove(0);
                stage.server.start_task(
                    stage.now,
                    run.request,
                    crate::engine::server::TaskOptions::default(),
                );
                stage.respond(run.request, Outcome::Result(DONE));
            }
            stage.server.close(request);
        }
    }
    let request = request_of(&mut stage, 2);
    begin_modern(&mut stage, request, 999);
    let run = stage.run();
    stage.respond(run.request, Outcome::Result(DONE));
    stage.server.close(request);
    assert!(stage.server.task_count() <= 20);
    let innocent = request_of(&mut stage, 1);
    let second = begin_modern(&mut stage, innocent, 2);
    let run = stage.run();
    stage.respond(run.request, Outcome::Result(DONE));
    assert!(is_there(&mut stage, &second));
}

#[test]
fn a_result_without_room_fails_its_task() {
    let mut settings = settings();
    settings.limits.task_bytes = 160;
    let mut stage = stage(settings);
    let gone = stage.server.open(false).expect("a session");
    stage.server.held_by(gone, Holder::Process(1));
    let left = begin_modern(&mut stage, gone, 1);
    let run = stage.run();
    stage.respond(run.request, Outcome::Result(DONE));
    stage.server.close(gone);
    let session = session(&mut stage);
    stage.server.held_by(session, Holder::Process(1));
    let tasks = [1, 2].map(|id| begin(&mut stage, session, json!(id), json!({})));
    // The first result takes the room of one that nothing is left of; the second finds none.
    for status in ["completed", "failed"] {
        let request = stage.runs.remove(0).request;
        let (_, told) = stage.respond(request, Outcome::Result(DONE));
        assert_eq!(told[0]["params"]["status"], status);
    }
    let answer = about(&mut stage, session, 3, "tasks/result", &tasks[1]);
    assert_eq!(code(&answer), -32603);
    assert!(
        answer[0]["error"]["message"].as_str().is_some_and(|text| text.contains("room for 80 bytes")),
        "{answer:?}"
    );
    let other = stage.server.open(false).expect("a session");
    assert_eq!(code(&ask(&mut stage, other, 1, "tasks/get", json!({ "taskId": left }))), -32602);
}

#[test]
fn a_task_expires_with_its_handler_and_those_that_wait() {
    let mut settings = settings();
    settings.timeouts.task_ttl = Duration::from_secs(100);
    settings.timeouts.request = Some(Duration::from_secs(5));
    let mut stage = stage(settings);
    let session = session(&mut stage);
    let long = begin(&mut stage, session, json!(1), json!({ "ttl": 3_600_000 }));
    let default = begin(&mut stage, session, json!(2), json!({ "ttl": null }));
    let short = begin(&mut stage, session, json!(3), json!({ "ttl": 50_000 }));
    assert_eq!([&long["ttl"], &default["ttl"], &short["ttl"]], [100_000, 100_000, 50_000]);
    assert!(about(&mut stage, session, 4, "tasks/result", &short).is_empty());
    let requests: Vec<_> = stage.runs.iter().map(|run| run.request).collect();
    assert_eq!(stage.advance(Duration::from_millis(49_999)), [] as [Value; 0], "no other deadline ends it");
    let woken = stage.advance(Duration::from_millis(1));
    assert_eq!((woken.len(), &woken[0]["id"], &woken[0]["error"]["code"]), (1, &json!(4), &json!(-32602)));
    assert_eq!(stage.withdrawn, [requests[2]]);
    assert_eq!(code(&about(&mut stage, session, 5, "tasks/get", &short)), -32602);
    stage.respond(requests[0], Outcome::Result(DONE));
    stage.advance(Duration::from_secs(50));
    assert_eq!(stage.withdrawn, [requests[2], requests[1]], "one that is over has no handler");
    assert_eq!((stage.server.task_count(), stage.server.deadline()), (0, None));
    assert_eq!(stage.server.counters().overdue, 2);
}

#[test]
fn a_task_that_expires_does_not_run_again_when_its_question_is_over_at_the_same_time() {
    let mut settings = settings();
    settings.timeouts.question = Duration::from_secs(5);
    let mut stage = stage(settings);
    let session = session(&mut stage);
    begin(&mut stage, session, json!(1), json!({ "ttl": 5_000 }));
    let request = stage.run().request;
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", QUESTION), Asked::Pending);
    stage.server.returned(stage.now, request);
    let asked = stage.sent();
    assert!(asked.iter().any(|frame| frame["method"] == "elicitation/create"), "{asked:?}");
    stage.advance(Duration::from_secs(5));
    assert!(stage.runs.is_empty(), "it would work for a task that has expired");
    assert_eq!(stage.withdrawn, [request]);
    assert_eq!((stage.server.task_count(), stage.server.deadline()), (0, None));
}

#[test]
fn what_a_task_asks_before_the_handshake_is_confirmed_is_asked_then() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
    stage.ask_legacy(session, json!(1), "initialize", params);
    let task = begin(&mut stage, session, json!(2), json!({}));
    let request = stage.run().request;
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", QUESTION), Asked::Pending);
    stage.server.returned(stage.now, request);
    let asks = |frames: &[Value]| frames.iter().any(|frame| frame["method"] == "elicitation/create");
    assert!(!asks(&stage.sent()), "nothing is asked before the confirmation");
    let confirmed = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let asked = stage.ask(session, &confirmed);
    assert!(asks(&asked), "{task}: {asked:?}");
    let id = asked.iter().find(|frame| frame.get("id").is_some()).map(|frame| frame["id"].clone());
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } }));
    assert_eq!((stage.runs.len(), stage.run().request), (1, request));
}

#[test]
fn what_waits_for_a_result_counts_as_a_request_of_its_session() {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (3, 0);
    let mut stage = stage(settings);
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!(1), json!({}));
    for id in [2, 3] {
        assert!(about(&mut stage, session, id, "tasks/result", &task).is_empty());
    }
    for method in ["tasks/result", "tools/call"] {
        let params = json!({ "taskId": task["taskId"], "name": "optional" });
        assert_eq!(code(&stage.ask_legacy(session, json!(4), method, params)), -32010, "{method}");
    }
    assert_eq!((stage.server.open_counts()[1], stage.server.pending(session)), (3, 2));
}

#[test]
fn the_end_of_a_session_drops_what_no_client_can_ask_for() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!(1), json!({}));
    let kept = begin_modern(&mut stage, session, 2);
    assert!(about(&mut stage, session, 3, "tasks/result", &task).is_empty());
    let requests: Vec<_> = stage.runs.iter().map(|run| run.request).collect();
    stage.server.close(session);
    assert_eq!(stage.sent(), [] as [Value; 0]);
    assert_eq!(stage.withdrawn, requests[..1]);
    assert_eq!((stage.server.open_counts()[1], stage.server.task_count()), (1, 1));
    assert!(!stage.server.progress(stage.now, requests[0], 1.0, None, None));
    // The task of the extension is there for other sessions.
    assert!(!stage.server.progress(stage.now, requests[1], 1.0, None, None));
    stage.respond(requests[1], Outcome::Result(DONE));
    let other = stage.server.open(false).expect("a session");
    let task = ask(&mut stage, other, 1, "tasks/get", json!({ "taskId": kept }));
    assert_eq!(task[0]["result"]["result"]["content"][0]["text"], "done");
}

#[test]
fn a_server_that_closes_refuses_what_waits_for_tasks() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!(1), json!({}));
    assert!(about(&mut stage, session, 2, "tasks/result", &task).is_empty());
    stage.server.refuse_all("closing");
    let frames = stage.sent();
    assert_eq!(
        (frames.len(), &frames[0]["id"], &frames[0]["error"]["message"]),
        (1, &json!(2), &json!("closing"))
    );
    assert_eq!((stage.withdrawn.len(), stage.server.open_counts()[1]), (1, 0));
}

#[test]
fn without_random_numbers_there_is_no_task() {
    let mut stage = stage(settings());
    let keys = KeyRing::new(vec![[7; 32]], Box::new(|_| false)).expect("a key was given");
    stage.server = Server::new(settings(), keys);
    let tool =
        r#"{"name":"optional","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}"#;
    stage.server.add_tool(stage.now, tool, "optional").expect("a tool");
    let session = session(&mut stage);
    let params = json!({ "name": "optional", "task": {} });
    assert_eq!(code(&stage.ask_legacy(session, json!(1), "tools/call", params)), -32603);
    assert_eq!((stage.server.open_counts()[1], stage.server.task_count()), (0, 0));
}
