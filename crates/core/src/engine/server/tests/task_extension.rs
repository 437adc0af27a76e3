//! Calls of tools that become tasks in 2026-07-28, with the extension `io.modelcontextprotocol/tasks`.

use super::tasks::{DONE, stage};
use super::{QUESTION, Stage, code, settings};
use crate::engine::server::{Answer, AskOutcome, Outcome, SessionId, Severity, TaskOptions, TaskStart};
use serde_json::{Value, json};
use std::time::Duration;

const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// A request of a client that declares the extension.
pub fn ask(stage: &mut Stage, session: SessionId, id: u64, method: &str, params: Value) -> Vec<Value> {
    let capabilities = json!({ "elicitation": {}, "extensions": { EXTENSION: {} } });
    let params = Stage::modern(params, &capabilities);
    stage.ask(session, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

/// Calls a tool whose handler makes a task of it; gives its name.
pub fn begin(stage: &mut Stage, session: SessionId, id: u64) -> Value {
    assert!(ask(stage, session, id, "tools/call", json!({ "name": "optional" })).is_empty());
    let number = stage.runs.last().expect("it runs").request;
    assert_eq!(stage.server.start_task(stage.now, number, TaskOptions::default()), TaskStart::Task);
    let frames = stage.sent();
    assert_eq!((frames.len(), &frames[0]["id"]), (1, &json!(id)));
    frames[0]["result"]["taskId"].clone()
}

fn get(stage: &mut Stage, session: SessionId, task: &Value) -> Value {
    let frames = ask(stage, session, 900, "tasks/get", json!({ "taskId": task }));
    assert_eq!(frames[0]["result"]["resultType"], "complete", "{frames:?}");
    frames[0]["result"].clone()
}

#[test]
fn tasks_are_for_clients_that_declared_the_extension() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let discovered = ask(&mut stage, session, 1, "server/discover", json!({}));
    assert_eq!(discovered[0]["result"]["capabilities"]["extensions"], json!({ EXTENSION: {} }));
    assert_eq!(discovered[0]["result"]["capabilities"]["tasks"], Value::Null);
    stage.ask_modern(session, json!(2), "tools/call", json!({ "name": "optional", "task": {} }));
    let number = stage.run().request;
    match stage.server.start_task(stage.now, number, TaskOptions::default()) {
        TaskStart::Unsupported(why) => assert!(why.contains(EXTENSION), "{why}"),
        other => panic!("{other:?}"),
    }
    let (_, frames) = stage.respond(number, Outcome::Result(DONE));
    assert_eq!(frames[0]["result"]["content"][0]["text"], "done", "it is done at once");
    let refused = stage.ask_modern(session, json!(3), "tools/call", json!({ "name": "required" }));
    assert_eq!(code(&refused), -32021);
    let wanted = json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } });
    assert_eq!(refused[0]["error"]["data"], wanted);
    // A tool that says nothing of tasks is called only.
    ask(&mut stage, session, 4, "tools/call", json!({ "name": "typed" }));
    let number = stage.run().request;
    let started = stage.server.start_task(stage.now, number, TaskOptions::default());
    assert!(matches!(started, TaskStart::Unsupported(_)), "{started:?}");
    let mut plain = Stage::new(settings());
    let session = plain.server.open(false).expect("a session");
    let discovered = ask(&mut plain, session, 1, "server/discover", json!({}));
    assert_eq!(discovered[0]["result"]["capabilities"]["extensions"], Value::Null);
}

#[test]
fn the_answer_is_flat_and_the_task_can_be_read_at_once() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    assert!(ask(&mut stage, session, 1, "tools/call", json!({ "name": "optional" })).is_empty());
    let number = stage.run().request;
    let options = TaskOptions {
        ttl: Some(Duration::from_secs(60)),
        poll: Some(Duration::from_millis(500)),
        message: Some("begins"),
        ..TaskOptions::default()
    };
    assert_eq!(stage.server.start_task(stage.now, number, options), TaskStart::Task);
    let frames = stage.sent();
    let mut answer = frames[0]["result"].clone();
    assert_eq!(answer["resultType"], "task");
    let members = answer.as_object_mut().expect("an object");
    members.remove("_meta").expect("the name of the server");
    let whole = json!({ "resultType": "task", "taskId": members["taskId"], "status": "working", "statusMessage": "begins",
        "createdAt": "2027-01-15T08:00:02Z", "lastUpdatedAt": "2027-01-15T08:00:02Z", "ttlMs": 60_000,
        "pollIntervalMs": 500 });
    assert_eq!(answer, whole);
    let mut read = get(&mut stage, session, &answer["taskId"]);
    read.as_object_mut().expect("an object").remove("_meta");
    answer["resultType"] = json!("complete");
    assert_eq!(read, answer);
    // The handler may say again that it is a task: in its next run it does not know.
    assert_eq!(stage.server.start_task(stage.now, number, TaskOptions::default()), TaskStart::Task);
    assert_eq!(stage.sent(), [] as [Value; 0]);
}

#[test]
fn a_task_is_read_with_what_it_came_to() {
    for (outcome, status) in [
        (Outcome::Result(DONE), "completed"),
        (Outcome::Failure("broken"), "completed"),
        (Outcome::Error { code: 7, message: "no", data: Some("{\"a\":[1]}") }, "failed"),
    ] {
        let mut stage = stage(settings());
        let (session, other) =
            (stage.server.open(false).expect("a session"), stage.server.open(false).expect("a session"));
        let task = begin(&mut stage, session, 1);
        let run = stage.run();
        assert_eq!(stage.respond(run.request, outcome).1, [] as [Value; 0], "no answer follows the first");
        for session in [session, other] {
            let read = get(&mut stage, session, &task);
            assert_eq!(read["status"], status);
            match outcome {
                Outcome::Error { .. } => {
                    assert_eq!(read["error"], json!({ "code": 7, "message": "no", "data": { "a": [1] } }));
                    assert_eq!((&read["statusMessage"], &read["result"]), (&json!("no"), &Value::Null));
                }
                _ => {
                    assert_eq!(read["result"]["resultType"], "complete");
                    assert_eq!(read["result"]["isError"] == true, matches!(outcome, Outcome::Failure(_)));
                    assert_eq!(read["error"], Value::Null);
                }
            }
        }
    }
}

fn form(key: &str) -> Value {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    json!({ "message": format!("{key}?"), "requestedSchema": schema })
}

#[test]
fn answers_to_questions_of_a_task_may_come_in_parts() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let task = begin(&mut stage, session, 1);
    let run = stage.run();
    for key in ["a", "b"] {
        let params = form(key).to_string();
        assert_eq!(stage.server.ask(run.request, key, "elicitation/create", &params), AskOutcome::Pending);
    }
    stage.server.dropped(stage.now, run.request);
    assert_eq!(stage.sent(), [] as [Value; 0]);
    let read = get(&mut stage, session, &task);
    assert_eq!(read["status"], "input_required");
    let request = |key: &str| json!({ "method": "elicitation/create", "params": form(key) });
    assert_eq!(read["inputRequests"], json!({ "a": request("a"), "b": request("b") }));
    let update = |stage: &mut Stage, responses: Value| {
        let frames =
            ask(stage, session, 2, "tasks/update", json!({ "taskId": task, "inputResponses": responses }));
        assert_eq!(frames.len(), 1, "{frames:?}");
        frames[0].clone()
    };
    for wrong in [json!(null), json!([1]), json!({ "a": 7 }), json!({ "a": { "action": "accept" }, "b": 1 })]
    {
        assert_eq!(update(&mut stage, wrong.clone())["error"]["code"], -32602, "{wrong}");
    }
    let accept = |name: &str| json!({ "action": "accept", "content": { "name": name } });
    let acknowledged = update(&mut stage, json!({ "a": accept("Ada"), "c": {} }));
    assert_eq!(acknowledged["result"]["resultType"], "complete");
    assert_eq!(
        acknowledged["result"].as_object().map(serde_json::Map::len),
        Some(2),
        "and the server's name"
    );
    update(&mut stage, json!({ "a": accept("Eve") }));
    assert!(stage.runs.is_empty());
    assert_eq!(get(&mut stage, session, &task)["inputRequests"], json!({ "b": request("b") }));
    update(&mut stage, json!({ "b": { "action": "sometimes" } }));
    assert_eq!(get(&mut stage, session, &task)["status"], "working");
    let again = stage.run();
    assert_eq!((again.request, again.round), (run.request, 1));
    match stage.server.ask(run.request, "a", "elicitation/create", QUESTION) {
        AskOutcome::Answered(Answer::Result(text)) => {
            assert!(text.contains("Ada"), "the first answer counts: {text}");
        }
        other => panic!("{other:?}"),
    }
    let wrong = stage.server.ask(run.request, "b", "elicitation/create", QUESTION);
    assert!(matches!(wrong, AskOutcome::Answered(Answer::Failed(_))), "{wrong:?}");
    stage.respond(run.request, Outcome::Result(DONE));
    update(&mut stage, json!({ "b": accept("Bob") }));
    assert!(stage.runs.is_empty(), "one that is over takes no answers");
}

#[test]
fn a_cancellation_is_acknowledged_whatever_the_task_is() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let task = begin(&mut stage, session, 1);
    let run = stage.run();
    // What cancels a request means nothing for the task that it has become.
    let params = json!({ "requestId": 1 });
    stage.ask(session, &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    stage.server.stream_closed(crate::engine::server::Stream { session, number: 0 });
    assert_eq!(get(&mut stage, session, &task)["status"], "working");
    for _ in 0..2 {
        let frames = ask(&mut stage, session, 2, "tasks/cancel", json!({ "taskId": task }));
        assert_eq!(frames[0]["result"]["resultType"], "complete");
        assert_eq!(frames[0]["result"]["status"], Value::Null);
    }
    assert_eq!(stage.withdrawn, [run.request]);
    assert_eq!(get(&mut stage, session, &task)["status"], "cancelled");
}

#[test]
fn each_refusal_of_a_request_about_tasks_has_its_code() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let task = begin(&mut stage, session, 1);
    let params = json!({ "taskId": task, "inputResponses": {} });
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let refused = stage.ask_modern(session, json!(2), method, params.clone());
        assert_eq!(code(&refused), -32021, "{method}");
        let unknown = json!({ "taskId": "x", "inputResponses": {} });
        assert_eq!(code(&ask(&mut stage, session, 3, method, unknown)), -32602, "{method}");
        assert_eq!(code(&ask(&mut stage, session, 3, method, json!({ "taskId": 7 }))), -32602, "{method}");
    }
    for method in ["tasks/list", "tasks/result"] {
        assert_eq!(code(&ask(&mut stage, session, 4, method, params.clone())), -32601, "{method}");
    }
    let listen = json!({ "notifications": { "taskIds": [task] } });
    assert_eq!(code(&stage.ask_modern(session, json!(5), "subscriptions/listen", listen)), -32021);
    for ids in [json!("x"), json!([1]), json!({})] {
        let listen = json!({ "notifications": { "taskIds": ids } });
        assert_eq!(code(&ask(&mut stage, session, 6, "subscriptions/listen", listen)), -32602, "{ids}");
    }
}

#[test]
fn a_stream_that_asks_is_told_of_the_whole_task_and_nothing_else_is() {
    let mut settings = settings();
    settings.limits.subscriptions_per_session = 2;
    let mut stage = stage(settings);
    let (session, other) =
        (stage.server.open(false).expect("a session"), stage.server.open(false).expect("a session"));
    let task = begin(&mut stage, session, 1);
    let run = stage.run();
    let listen = json!({ "notifications": { "taskIds": [task, "unknown"] } });
    let frames = ask(&mut stage, other, 2, "subscriptions/listen", listen);
    assert_eq!(frames[0]["params"]["notifications"], json!({ "taskIds": [task] }));
    let many = json!({ "notifications": { "taskIds": [task, "b", "c", task] } });
    assert_eq!(ask(&mut stage, other, 3, "subscriptions/listen", many).len(), 1);
    assert!(!stage.server.progress(stage.now, run.request, 1.0, None, None));
    assert!(!stage.server.log(stage.now, run.request, Severity::Error, None, "1"));
    assert_eq!(stage.server.ask(run.request, "k", "elicitation/create", QUESTION), AskOutcome::Pending);
    stage.server.returned(stage.now, run.request);
    let told = stage.sent();
    assert_eq!(told.len(), 2, "one for each stream: {told:?}");
    for (frame, id) in told.iter().zip([2, 3]) {
        assert_eq!(frame["method"], "notifications/tasks");
        assert_eq!(frame["params"]["status"], "input_required");
        assert_eq!(frame["params"]["inputRequests"]["k"]["method"], "elicitation/create");
        assert_eq!(frame["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    }
    stage.server.close(other);
    let (_, told) = stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!(told, [] as [Value; 0]);
}

#[test]
fn a_question_before_the_task_goes_out_without_one() {
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    ask(&mut stage, session, 1, "tools/call", json!({ "name": "optional" }));
    let run = stage.run();
    assert_eq!(stage.server.ask(run.request, "first", "elicitation/create", QUESTION), AskOutcome::Pending);
    stage.server.returned(stage.now, run.request);
    let frames = stage.sent();
    assert_eq!(frames[0]["result"]["resultType"], "input_required");
    let answers = json!({ "first": { "action": "decline" } });
    ask(&mut stage, session, 2, "tools/call", json!({ "name": "optional", "inputResponses": answers }));
    let run = stage.run();
    assert_eq!(stage.server.start_task(stage.now, run.request, TaskOptions::default()), TaskStart::Task);
    let task = stage.sent()[0]["result"]["taskId"].clone();
    assert!(matches!(
        stage.server.ask(run.request, "first", "elicitation/create", QUESTION),
        AskOutcome::Answered(_)
    ));
    assert_eq!(stage.server.ask(run.request, "second", "elicitation/create", QUESTION), AskOutcome::Pending);
    stage.server.returned(stage.now, run.request);
    assert_eq!(stage.sent(), [] as [Value; 0]);
    let asked = get(&mut stage, session, &task)["inputRequests"].clone();
    assert_eq!(
        asked.as_object().map(|asked| asked.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["second".to_owned()])
    );
}

#[test]
fn names_of_tasks_are_random_bits_and_are_not_listed() {
    // The ring of the stages gives bytes that count: the names are all that it gave, and nothing of the task is in them.
    let mut stage = stage(settings());
    let session = stage.server.open(false).expect("a session");
    let names = [1, 2, 3].map(|id| begin(&mut stage, session, id));
    for name in &names {
        let name = name.as_str().expect("a text");
        let byte = name.get(..2).expect("a byte");
        assert_eq!(name, byte.repeat(16), "16 bytes of the source of random bits");
    }
    assert!(names[0] != names[1] && names[1] != names[2]);
    assert_eq!(code(&ask(&mut stage, session, 5, "tasks/list", json!({}))), -32601);
}
