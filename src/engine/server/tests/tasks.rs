//! Calls of tools that become tasks in 2025-11-25.

use super::stage::{QUESTION, Stage, code, settings};
use crate::engine::server::{Asked, Outcome, Responded, SessionId, Severity, Started, TaskOptions};
use serde_json::{Value, json};
use std::time::Duration;

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
            Started::Unsupported(text) => assert!(text.contains(why), "{text}"),
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
        Asked::Pending
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
    assert!(matches!(stage.server.ask(run.request, "k", "elicitation/create", QUESTION), Asked::Answered(_)));
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
    assert_eq!(stage.server.ask(run.request, "k", "elicitation/create", QUESTION), Asked::Pending);
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
