//! Tasks of both forms: their states, bounds, notifications and streams.

use super::task_extension::{ask, begin as begin_modern};
use super::{QUESTION, Random, Stage, code, settings};
use crate::engine::seal::KeyRing;
use crate::engine::server::Now;
use crate::engine::server::tasks::table::{NewTask, TaskBounds, TaskEnd, TaskId, TaskTable};
use crate::engine::server::tasks::waiters::TaskNotificationPace;
use crate::engine::server::{
    AskOutcome, Effect, Outcome, Responded, Server, SessionId, Severity, Stream, TaskOptions, TaskStart,
};
use crate::protocol::task::{Form, Status};
use crate::shares::Holder;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub const RELATED: &str = "io.modelcontextprotocol/related-task";
pub const DONE: &str = r#"{"content":[{"type":"text","text":"done"}]}"#;

/// A stage with a tool that may run as a task and one that must.
pub fn stage(settings: crate::engine::server::Settings) -> Stage {
    let mut stage = Stage::new(settings);
    for support in ["optional", "required"] {
        let tool = json!({ "name": support, "execution": { "taskSupport": support },
            "inputSchema": { "type": "object", "properties": { "n": { "type": "number" } } } });
        stage.server.add_tool(stage.now, &tool.to_string(), support).expect("a tool");
    }
    // The changed list is told before any test looks.
    stage.advance(Duration::from_secs(1));
    stage
}

/// A session of 2025-11-25 that can answer questions.
pub fn session(stage: &mut Stage) -> SessionId {
    stage.legacy("2025-11-25", &json!({ "elicitation": {} }))
}

/// Calls a tool as a task; gives the task.
#[expect(clippy::needless_pass_by_value, reason = "callers make the values in place")]
pub fn begin(stage: &mut Stage, session: SessionId, id: Value, task: Value) -> Value {
    let answer =
        stage.ask_legacy(session, id.clone(), "tools/call", json!({ "name": "optional", "task": task }));
    assert_eq!((answer.len(), &answer[0]["id"]), (1, &id), "{answer:?}");
    answer[0]["result"]["task"].clone()
}

/// A request about a task.
pub fn about(stage: &mut Stage, session: SessionId, id: u64, method: &str, task: &Value) -> Vec<Value> {
    stage.ask_legacy(session, json!(id), method, json!({ "taskId": task["taskId"] }))
}

#[test]
fn tasks_are_declared_where_a_tool_runs_as_one_and_else_the_wish_is_ignored() {
    let mut with = stage(settings());
    let mut without = Stage::new(settings());
    let declared = |stage: &mut Stage, revision: &str| {
        let session = stage.server.open(false).expect("a session");
        let params = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": {} });
        stage.ask_legacy(session, json!(1), "initialize", params)[0]["result"]["capabilities"]["tasks"]
            .clone()
    };
    let whole = json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
    assert_eq!(declared(&mut with, "2025-11-25"), whole);
    assert_eq!(declared(&mut with, "2025-06-18"), Value::Null);
    assert_eq!(declared(&mut without, "2025-11-25"), Value::Null);
    let session = without.legacy("2025-11-25", &json!({}));
    let params = json!({ "name": "typed", "task": {} });
    assert!(without.ask_legacy(session, json!(1), "tools/call", params).is_empty(), "it runs as a call");
    let (responded, frames) = {
        let run = without.run();
        without.respond(run.request, Outcome::Result(r#"{"content":[],"structuredContent":{"n":1}}"#))
    };
    assert_eq!((responded, &frames[0]["id"]), (Responded::Sent, &json!(1)));
    for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"] {
        let params = json!({ "taskId": "x" });
        assert_eq!(code(&without.ask_legacy(session, json!(2), method, params)), -32601, "{method}");
    }
}

#[test]
fn a_task_is_answered_at_once_and_its_handler_answers_late() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!("c"), json!({ "ttl": 60_000 }));
    let id = task["taskId"].as_str().expect("a name").to_owned();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "128 bits: {id}");
    let whole = json!({ "taskId": id, "status": "working", "ttl": 60_000,
        "createdAt": "2027-01-15T08:00:02Z", "lastUpdatedAt": "2027-01-15T08:00:02Z" });
    assert_eq!(task, whole);
    assert_eq!(
        about(&mut stage, session, 1, "tasks/get", &task)[0]["result"],
        task,
        "it can be read at once"
    );
    let run = stage.run();
    let context: Value =
        serde_json::from_str(&stage.server.describe_request(run.request, stage.now.at).expect("there"))
            .expect("JSON");
    assert_eq!((&context["task"], &context["deadline_ms"]), (&json!(id), &json!(60_000)));
    assert!(stage.server.is_task(run.request));
    stage.advance(Duration::from_secs(10));
    let (_, told) = stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!((told.len(), &told[0]["method"]), (1, &json!("notifications/tasks/status")));
    assert_eq!(told[0]["params"]["status"], "completed");
    assert_eq!(told[0]["params"]["lastUpdatedAt"], "2027-01-15T08:00:12Z");
    assert_eq!(told[0]["params"]["_meta"], Value::Null);
    let result = about(&mut stage, session, 2, "tasks/result", &task);
    assert_eq!(result[0]["result"]["content"][0]["text"], "done");
    assert_eq!(result[0]["result"]["_meta"][RELATED]["taskId"], id);
    assert_eq!(stage.respond(run.request, Outcome::Result(DONE)).0, Responded::Late);
}

#[test]
fn the_tool_decides_which_calls_may_and_which_must_be_tasks() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let mut call = |params: Value| stage.ask_legacy(session, json!(1), "tools/call", params);
    assert_eq!(code(&call(json!({ "name": "required" }))), -32601);
    assert_eq!(code(&call(json!({ "name": "add", "arguments": { "a": 1 }, "task": {} }))), -32601);
    for task in [json!(7), json!([1]), json!({ "ttl": "1" }), json!({ "ttl": -1 }), json!({ "ttl": 1.5 })] {
        assert_eq!(code(&call(json!({ "name": "optional", "task": task }))), -32602, "{task}");
    }
    assert!(call(json!({ "name": "required", "task": {} }))[0]["result"]["task"].is_object());
    assert!(call(json!({ "name": "optional" })).is_empty(), "it is a plain call");
    assert_eq!(stage.runs.len(), 2);
    // Before there were tasks, the tool is called as any other.
    let old = stage.legacy("2025-06-18", &json!({}));
    assert!(stage.ask_legacy(old, json!(2), "tools/call", json!({ "name": "required" })).is_empty());
    let plain = stage.runs[1].request;
    for (number, why) in [(plain, "did not ask"), (stage.runs[2].request, "2025-06-18")] {
        match stage.server.start_task(stage.now, number, TaskOptions::default()) {
            TaskStart::Unsupported(text) => assert!(text.contains(why), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn support_for_tasks_is_checked_when_a_tool_is_added() {
    let mut stage = Stage::new(settings());
    for execution in [json!(1), json!({ "taskSupport": "sometimes" }), json!({ "taskSupport": true })] {
        let tool = json!({ "name": "x", "inputSchema": { "type": "object" }, "execution": execution });
        let error = stage.server.add_tool(stage.now, &tool.to_string(), "x").expect_err("refused");
        assert_eq!(error.member, "execution", "{error}");
    }
}

#[test]
fn wrong_arguments_of_a_task_fail_the_task() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let params = json!({ "name": "optional", "arguments": { "n": "x" }, "task": {} });
    let frames = stage.ask_legacy(session, json!(1), "tools/call", params);
    assert_eq!(frames[0]["result"]["task"]["status"], "working");
    assert_eq!(frames[1]["params"]["status"], "failed");
    let task = &frames[0]["result"]["task"];
    let result = about(&mut stage, session, 2, "tasks/result", task);
    assert_eq!(result[0]["result"]["isError"], true);
    assert!(stage.runs.is_empty());
}

#[test]
fn a_result_is_waited_for_and_a_state_is_not() {
    for (outcome, status) in [
        (Outcome::Result(DONE), "completed"),
        (Outcome::Failure("broken"), "failed"),
        (Outcome::Error { code: 7, message: "no", data: Some("[1]") }, "failed"),
        (Outcome::Result("not JSON"), "failed"),
    ] {
        let mut stage = stage(settings());
        let session = session(&mut stage);
        let task = begin(&mut stage, session, json!(1), json!({}));
        for id in [2, 3] {
            assert!(about(&mut stage, session, id, "tasks/result", &task).is_empty(), "it waits");
        }
        assert_eq!(about(&mut stage, session, 4, "tasks/get", &task)[0]["result"]["status"], "working");
        let run = stage.run();
        let (_, frames) = stage.respond(run.request, outcome);
        assert_eq!(frames[0]["params"]["status"], status);
        assert_eq!((&frames[1]["id"], &frames[2]["id"]), (&json!(2), &json!(3)), "{frames:?}");
        let again = about(&mut stage, session, 5, "tasks/result", &task);
        for answer in [&frames[1], &frames[2], &again[0]] {
            match outcome {
                Outcome::Error { .. } => {
                    assert_eq!(answer["error"], json!({ "code": 7, "message": "no", "data": [1] }));
                    assert_eq!(frames[0]["params"]["statusMessage"], "no");
                }
                Outcome::Result("not JSON") => assert_eq!(answer["error"]["code"], -32603),
                _ => {
                    assert_eq!(answer["result"]["_meta"][RELATED], json!({ "taskId": task["taskId"] }));
                    assert_eq!(answer["result"]["isError"] == true, status == "failed");
                }
            }
        }
        assert_eq!(stage.server.open_counts()[1], 0);
    }
}

#[test]
fn messages_of_a_task_name_it_until_its_end() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let params = json!({ "name": "optional", "task": {}, "_meta": { "progressToken": "p" } });
    let task = stage.ask_legacy(session, json!(1), "tools/call", params)[0]["result"]["task"].clone();
    let related = json!({ RELATED: { "taskId": task["taskId"] } });
    let run = stage.run();
    assert!(stage.server.progress(stage.now, run.request, 1.0, Some(2.0), Some("half")));
    assert!(stage.server.log(stage.now, run.request, Severity::Error, None, "\"x\""));
    assert_eq!(
        stage.server.ask(
            run.request,
            "k",
            "elicitation/create",
            r#"{"message":"?","requestedSchema":{"type":"object","properties":{}},"_meta":{"x":1}}"#
        ),
        AskOutcome::Pending
    );
    stage.server.returned(stage.now, run.request);
    let frames = stage.sent();
    let methods: Vec<_> = frames.iter().filter_map(|frame| frame["method"].as_str()).collect();
    assert_eq!(
        methods,
        [
            "notifications/progress",
            "notifications/message",
            "elicitation/create",
            "notifications/tasks/status"
        ]
    );
    assert_eq!(
        (&frames[0]["params"]["progressToken"], &frames[0]["params"]["_meta"]),
        (&json!("p"), &related)
    );
    assert_eq!(frames[1]["params"]["_meta"], related);
    assert_eq!(frames[2]["params"]["_meta"][RELATED], related[RELATED]);
    assert_eq!(frames[2]["params"]["_meta"]["x"], 1);
    assert_eq!(frames[3]["params"]["status"], "input_required");
    assert!(about(&mut stage, session, 2, "tasks/result", &task).is_empty());
    let answer =
        json!({ "jsonrpc": "2.0", "id": frames[2]["id"], "result": { "action": "accept", "content": {} } });
    assert!(stage.ask(session, &answer).is_empty(), "the change is told when its interval is over");
    let again = stage.run();
    assert_eq!((again.request, again.round), (run.request, 1));
    assert!(matches!(
        stage.server.ask(run.request, "k", "elicitation/create", QUESTION),
        AskOutcome::Answered(_)
    ));
    assert_eq!(stage.advance(Duration::from_millis(100))[0]["params"]["status"], "working");
    stage.advance(Duration::from_millis(100));
    let (_, frames) = stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!((frames.len(), &frames[1]["id"]), (2, &json!(2)));
    assert!(!stage.server.progress(stage.now, run.request, 3.0, None, None), "the token lived until the end");
    assert!(!stage.server.log(stage.now, run.request, Severity::Error, None, "1"));
}

#[test]
fn a_question_of_a_task_that_is_not_answered_lets_it_continue() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!(1), json!({}));
    let run = stage.run();
    assert_eq!(stage.server.ask(run.request, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
    stage.server.dropped(stage.now, run.request);
    stage.sent();
    assert_eq!(about(&mut stage, session, 2, "tasks/get", &task)[0]["result"]["status"], "input_required");
    stage.advance(Duration::from_secs(60));
    assert_eq!(stage.run().request, run.request);
    assert_eq!(about(&mut stage, session, 3, "tasks/get", &task)[0]["result"]["status"], "working");
    // A handler that then says nothing fails the task.
    stage.advance(Duration::from_millis(100));
    stage.server.dropped(stage.now, run.request);
    assert_eq!(stage.sent()[0]["params"]["status"], "failed");
}

#[test]
fn bad_names_cursors_and_cancellations_are_refused() {
    let mut settings = settings();
    settings.page_size = 2;
    let mut stage = stage(settings);
    let session = session(&mut stage);
    let tasks: Vec<Value> = (0..5).map(|id| begin(&mut stage, session, json!(id), json!({}))).collect();
    let unknown = json!({ "taskId": "00000000000000000000000000000000" });
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert_eq!(code(&about(&mut stage, session, 10, method, &unknown)), -32602, "{method}");
        assert_eq!(code(&stage.ask_legacy(session, json!(10), method, json!({}))), -32602, "{method}");
    }
    let (mut found, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = stage.ask_legacy(session, json!(11), "tasks/list", params);
        let listed = page[0]["result"]["tasks"].as_array().expect("tasks");
        assert!(listed.len() <= 2);
        found.extend(listed.clone());
        match page[0]["result"].get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(found, tasks, "what can be read is listed");
    let other = stage.legacy("2025-11-25", &json!({}));
    for (session, cursor) in
        [(session, json!("x")), (session, json!(1)), (session, json!("AAAA")), (other, cursor)]
    {
        let params = json!({ "cursor": cursor });
        assert_eq!(code(&stage.ask_legacy(session, json!(12), "tasks/list", params)), -32602);
    }
    assert!(about(&mut stage, session, 13, "tasks/result", &tasks[0]).is_empty());
    let frames = about(&mut stage, session, 14, "tasks/cancel", &tasks[0]);
    assert_eq!(frames[0]["params"]["status"], "cancelled");
    assert_eq!((&frames[1]["id"], &frames[1]["error"]["code"]), (&json!(13), &json!(-32600)));
    assert_eq!((&frames[2]["id"], &frames[2]["result"]["status"]), (&json!(14), &json!("cancelled")));
    assert_eq!(stage.withdrawn, [stage.runs[0].request], "its handler is told");
    assert_eq!(code(&about(&mut stage, session, 15, "tasks/cancel", &tasks[0])), -32602, "it is over");
    let late = stage.runs[0].request;
    assert_eq!(stage.respond(late, Outcome::Result(DONE)).0, Responded::Late);
    assert_eq!(about(&mut stage, session, 16, "tasks/get", &tasks[0])[0]["result"]["status"], "cancelled");
    assert_eq!(code(&about(&mut stage, session, 17, "tasks/result", &tasks[0])), -32600);
}

#[test]
fn a_task_belongs_to_the_session_that_made_it() {
    let mut stage = stage(settings());
    let (one, other) = (session(&mut stage), session(&mut stage));
    let task = begin(&mut stage, one, json!(1), json!({}));
    for method in ["tasks/get", "tasks/result", "tasks/cancel"] {
        assert_eq!(code(&about(&mut stage, other, 2, method, &task)), -32602, "{method}");
    }
    let listed = stage.ask_legacy(other, json!(3), "tasks/list", json!({}));
    assert_eq!(listed[0]["result"], json!({ "tasks": [] }));
    let extensions = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    let params = Stage::modern(json!({ "taskId": task["taskId"] }), &extensions);
    let modern = json!({ "jsonrpc": "2.0", "id": 4, "method": "tasks/get", "params": params });
    assert_eq!(code(&stage.ask(one, &modern)), -32602, "the other form does not know it");
    let run = stage.run();
    let (_, told) = stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!(told.len(), 1, "one session is told: {told:?}");
}

#[test]
fn a_notification_cancels_the_wait_for_a_result_and_not_the_task() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, json!(1), json!({}));
    assert!(about(&mut stage, session, 2, "tasks/result", &task).is_empty());
    assert_eq!(code(&about(&mut stage, session, 2, "tasks/result", &task)), -32600, "the id is in use");
    for id in [json!(1), json!(2), task["taskId"].clone()] {
        let params = json!({ "requestId": id });
        stage.ask(
            session,
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }),
        );
    }
    assert!(stage.withdrawn.is_empty());
    assert_eq!(stage.server.counters().cancelled, 1);
    assert_eq!(about(&mut stage, session, 3, "tasks/get", &task)[0]["result"]["status"], "working");
    let run = stage.run();
    let (_, frames) = stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!(frames.len(), 1, "nothing waits: {frames:?}");
    // The id of the call is free for another request.
    assert_eq!(
        stage.ask_legacy(session, json!(1), "tools/call", json!({ "name": "optional" })),
        [] as [Value; 0]
    );
}

fn is_legal(from: Status, to: Status) -> bool {
    use Status::{Cancelled, Completed, Failed, InputRequired, Working};
    match from {
        Working | InputRequired => true,
        Completed | Failed | Cancelled => from == to,
    }
}

#[test]
fn only_legal_changes_of_the_status_happen_under_any_schedule() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut now = Now { at: Instant::now(), unix: 1_800_000_000 };
        let mut tasks = TaskTable::new(TaskBounds { all: 8, per_session: 3, bytes: 200 });
        let mut known: Vec<(TaskId, Status)> = Vec::new();
        for step in 0..60u8 {
            let session = SessionId(random.next(3) as u64);
            let pick = (!known.is_empty()).then(|| random.of(&known).0.clone());
            match (random.next(8), pick) {
                (0 | 1, _) => {
                    let form = *random.of(&[Form::Core, Form::Extension]);
                    let holder = Holder::Session(session.0 / 2);
                    if tasks.admit(session, &holder, &mut Vec::new()).is_ok() {
                        let ttl = Duration::from_secs(random.next(5) as u64);
                        let beginning = NewTask {
                            form,
                            session,
                            owner: "",
                            holder,
                            tool: ("t", true),
                            request: None,
                            ttl,
                            poll_ms: None,
                            message: None,
                            begun: None,
                        };
                        tasks.insert(now, TaskId::new([step; 16]), &beginning);
                        known.push((TaskId::new([step; 16]), Status::Working));
                    }
                }
                (2, Some(id)) => drop(tasks.set_waiting(now, &id, true)),
                (3, Some(id)) => drop(tasks.set_waiting(now, &id, false)),
                (4, Some(id)) => {
                    let end = TaskEnd::Result("x".repeat(random.next(60)).into());
                    let fails = random.next(2) == 0;
                    tasks.finish(now, &id, end, fails);
                }
                (5, Some(id)) => drop(tasks.cancel(now, &id)),
                (6, _) => drop(tasks.end_session(session, |_| false)),
                _ => {
                    now.at += Duration::from_secs(1);
                    while let Some((id, _)) = tasks.expired(now.at) {
                        assert!(tasks.get(id.as_str()).is_none());
                    }
                }
            }
            known.retain_mut(|(id, before)| {
                let Some(task) = tasks.get(id.as_str()) else { return false };
                assert!(is_legal(*before, task.status), "seed {seed}: {before:?} to {:?}", task.status);
                assert!(!task.is_over() || task.request.is_none());
                *before = task.status;
                true
            });
            assert_eq!(known.len(), tasks.count(), "seed {seed}");
            assert!(tasks.count() <= 8 && tasks.shared() == tasks.count(), "seed {seed}");
        }
    }
}

#[test]
fn a_client_is_told_of_changes_once_per_interval() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, 1.into(), serde_json::json!({}));
    let run = stage.run();
    let mut told = Vec::new();
    for step in 0..50 {
        let message = format!("step {step}");
        let options = TaskOptions { message: Some(&message), ..TaskOptions::default() };
        assert_eq!(stage.server.start_task(stage.now, run.request, options), TaskStart::Task);
        told.extend(stage.advance(Duration::from_millis(10)));
    }
    told.extend(stage.advance(Duration::from_millis(100)));
    assert_eq!(told.len(), 6, "{told:?}");
    assert_eq!(told[0]["params"]["statusMessage"], "step 0");
    assert_eq!(told[5]["params"]["statusMessage"], "step 49", "the last state is told");
    assert_eq!(stage.advance(Duration::from_secs(1)), [] as [serde_json::Value; 0]);
    let same = TaskOptions { message: Some("step 49"), ..TaskOptions::default() };
    stage.server.start_task(stage.now, run.request, same);
    assert_eq!(stage.sent(), [] as [serde_json::Value; 0], "nothing has changed");
    let long = "\u{e9}".repeat(4096);
    let poll = Some(Duration::from_millis(250));
    stage.server.start_task(
        stage.now,
        run.request,
        TaskOptions { message: Some(&long), poll, ..TaskOptions::default() },
    );
    let told = stage.sent();
    let shown = told[0]["params"]["statusMessage"].as_str().expect("a text");
    assert_eq!((shown.len(), &told[0]["params"]["pollInterval"]), (4096, &250.into()));
    let odd = format!("x{long}");
    stage.advance(Duration::from_secs(1));
    stage.server.start_task(
        stage.now,
        run.request,
        TaskOptions { message: Some(&odd), ..TaskOptions::default() },
    );
    assert_eq!(
        stage.sent()[0]["params"]["statusMessage"].as_str().map(str::len),
        Some(4095),
        "no half a character"
    );
    stage.advance(Duration::from_secs(1));
    stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!(about(&mut stage, session, 2, "tasks/get", &task)[0]["result"]["status"], "completed");
    let over = stage.server.start_task(stage.now, run.request, TaskOptions::default());
    assert_eq!(over, TaskStart::Gone);
}

#[test]
fn the_pace_remembers_nothing_of_tasks_that_are_gone() {
    let mut pace = TaskNotificationPace::default();
    let start = Instant::now();
    let (one, two) = (TaskId::new([1; 16]), TaskId::new([2; 16]));
    assert!(pace.changed(&one, start) && pace.changed(&two, start));
    assert!(!pace.changed(&one, start) && !pace.changed(&one, start + Duration::from_millis(99)));
    assert_eq!(pace.due(), Some(start + Duration::from_millis(100)));
    assert_eq!(pace.take(start + Duration::from_millis(99)), None);
    // Later than due, without a tick in between.
    assert!(pace.changed(&one, start + Duration::from_millis(150)));
    assert_eq!((pace.due(), pace.take(start + Duration::from_secs(9))), (None, None));
    assert!(!pace.changed(&one, start + Duration::from_millis(160)));
    assert_eq!(pace.take(start + Duration::from_millis(250)), Some(one.clone()));
    assert!(!pace.changed(&one, start + Duration::from_millis(251)));
    pace.forget(&one);
    pace.forget(&two);
    assert_eq!(pace.count(), 0);
}

/// The frames that are to be sent, each with the stream that it goes to.
fn on_streams(stage: &mut Stage) -> Vec<(u64, Value)> {
    let mut frames = Vec::new();
    while let Some(effect) = stage.server.effect() {
        match effect {
            Effect::Send { to, frame, .. } => {
                frames.push((to.number, serde_json::from_slice(&frame).expect("JSON")));
            }
            Effect::Run(run) => stage.runs.push(*run),
            _ => {}
        }
    }
    frames
}

#[test]
fn a_question_of_a_task_goes_to_the_stream_that_waits_for_it() {
    let mut stage = stage(settings());
    let session = stage.server.open(true).expect("a session");
    let send = |stage: &mut Stage, number: u64, mut message: Value| {
        message["jsonrpc"] = json!("2.0");
        stage.server.frame(stage.now, Stream { session, number }, message.to_string().as_bytes());
        on_streams(stage)
    };
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
    send(&mut stage, 1, json!({ "id": 1, "method": "initialize", "params": params }));
    send(&mut stage, 2, json!({ "method": "notifications/initialized" }));
    let call = json!({ "id": 1, "method": "tools/call", "params": { "name": "optional", "task": {} } });
    let begun = send(&mut stage, 3, call);
    assert_eq!((begun.len(), begun[0].0), (1, 3));
    let task = begun[0].1["result"]["task"]["taskId"].clone();
    let request = stage.run().request;
    stage.server.stream_closed(Stream { session, number: 3 });
    let ask = |stage: &mut Stage, key: &str| {
        assert_eq!(stage.server.ask(request, key, "elicitation/create", QUESTION), AskOutcome::Pending);
        stage.server.returned(stage.now, request);
        on_streams(stage)
    };
    let asked = ask(&mut stage, "first");
    assert_eq!((asked.len(), asked[0].0, asked[1].0), (2, 0, 0), "no stream waits: {asked:?}");
    let wait = json!({ "id": 1, "method": "tasks/result", "params": { "taskId": task } });
    assert_eq!(send(&mut stage, 4, wait), []);
    send(&mut stage, 5, json!({ "id": asked[0].1["id"], "result": { "action": "cancel" } }));
    assert_eq!(stage.run().request, request);
    let asked = ask(&mut stage, "second");
    assert_eq!((asked[0].0, &asked[0].1["method"]), (4, &json!("elicitation/create")));
    send(&mut stage, 5, json!({ "id": asked[0].1["id"], "result": { "action": "cancel" } }));
    let _sent = stage.server.respond(stage.now, request, Outcome::Result(DONE));
    let frames = on_streams(&mut stage);
    assert!(frames.iter().any(|(number, frame)| *number == 4 && frame["result"].is_object()), "{frames:?}");
}

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
        stage.server.held_by(session, Holder::process(1));
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
        stage.server.held_by(session, Holder::process(process));
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
    stage.server.held_by(gone, Holder::process(1));
    let left = begin_modern(&mut stage, gone, 1);
    let run = stage.run();
    stage.respond(run.request, Outcome::Result(DONE));
    stage.server.close(gone);
    let session = session(&mut stage);
    stage.server.held_by(session, Holder::process(1));
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
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
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
    assert_eq!(stage.server.ask(request, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
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
    stage.server.refuse_all(stage.now, "closing");
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
