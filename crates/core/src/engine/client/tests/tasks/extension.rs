//! The extension of 2026-07-28: the server says which calls are tasks, and brings inputs and result with the state. Types of results
//! that extensions bring are handed on where the application declared the extension.

use super::{
    EXTENSION, as_task, call, created, extension_called, extension_server, extension_task, extension_tasks,
    plain, ready, sent, tasked, told,
};
use crate::engine::client::tests::stage::{Saw, Stage, declaring, modern, ms};
use crate::engine::{CallOptions, Feature, RequestAnswer, Settings, Status};
use serde_json::{Value, json};

fn ask(message: &str) -> Value {
    json!({"method": "elicitation/create", "params": {"message": message}})
}

fn needing(inputs: &Value) -> Value {
    let mut task = extension_task("input_required");
    task["inputRequests"] = inputs.clone();
    task
}

/// Polls, and answers with this.
fn poll(stage: &mut Stage, task: &Value) {
    stage.pass(ms(2000));
    let request = sent(stage, "tasks/get");
    stage.answer(&request, task);
}

fn asked(stage: &mut Stage) -> Vec<(u64, String)> {
    let asked = stage.take().into_iter().filter_map(|saw| match saw {
        Saw::Asked { key, params, .. } => {
            Some((key, params["message"].as_str().unwrap_or_default().to_owned()))
        }
        _ => None,
    });
    asked.collect()
}

fn respond(stage: &mut Stage, key: u64, answer: RequestAnswer<'_>) -> Result<(), Status> {
    let outcome = stage.engine.respond(stage.now, key, answer);
    stage.pass(ms(0));
    outcome.map_err(|error| error.status)
}

#[test]
fn the_extension_is_declared_unless_the_call_must_not_become_a_task() {
    let mut stage = extension_tasks();
    let declared = |request: &Value| {
        let capabilities = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        capabilities["extensions"].get(EXTENSION).is_some()
    };
    for options in [plain(), as_task(true), CallOptions::default()] {
        call(&mut stage, "x", &options);
        assert!(declared(&stage.sent_one()));
    }
    let made = call(&mut stage, "x", &as_task(false));
    let request = stage.sent_one();
    assert!(!declared(&request));
    stage.answer(&request, &created());
    assert_eq!(stage.status(made), Status::Protocol, "then a task is no answer");
}

#[test]
fn the_task_is_polled_and_its_result_is_the_calls() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    poll(&mut stage, &extension_task("working"));
    let mut done = extension_task("completed");
    done["result"] = json!({"content": [], "structuredContent": {"n": 1.5}});
    // As the examples of the specification show it.
    done["resultType"] = "task".into();
    poll(&mut stage, &done);
    assert_eq!(stage.result(made), done["result"]);
    let states: Vec<Value> = stage
        .take()
        .into_iter()
        .filter_map(|saw| match saw {
            Saw::Told { params, method, .. } => {
                assert_eq!(method, "notifications/tasks");
                Some(params)
            }
            _ => None,
        })
        .collect();
    assert_eq!(states.len(), 2);
    assert!(states.iter().all(|state| state.get("result").is_none() && state["taskId"] == "t-1"));
}

#[test]
fn a_server_may_answer_at_once_and_a_task_may_be_over_when_it_is_told() {
    let mut stage = extension_tasks();
    let made = call(&mut stage, "x", &as_task(true));
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "complete", "content": []}));
    assert_eq!(stage.status(made), Status::Ok);
    let made = call(&mut stage, "x", &plain());
    let request = stage.sent_one();
    let mut done = extension_task("completed");
    (done["resultType"], done["result"]) = ("task".into(), json!({"content": []}));
    stage.answer(&request, &done);
    assert_eq!(stage.result(made), json!({"content": []}));
}

#[test]
fn a_failed_task_is_the_servers_error_and_a_cancelled_one_is_cancelled() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    let mut failed = extension_task("failed");
    failed["error"] = json!({"code": -32050, "message": "broken", "data": {"x": 1}});
    poll(&mut stage, &failed);
    let error = stage.error(made);
    assert_eq!((error.status, error.code, error.message.as_str()), (Status::Server, Some(-32050), "broken"));
    assert_eq!(error.data.as_deref(), Some(r#"{"x":1}"#));
    let made = extension_called(&mut stage);
    let mut cancelled = extension_task("cancelled");
    cancelled["statusMessage"] = "out of quota".into();
    poll(&mut stage, &cancelled);
    assert_eq!(stage.status(made), Status::Cancelled);
    assert!(stage.error(made).message.contains("out of quota"));
    assert_eq!(told(&mut stage), ["working", "failed", "working", "cancelled"]);
    assert!(stage.sent().is_empty(), "a task that is over is not cancelled");
}

#[test]
fn inputs_are_asked_once_and_each_answer_is_brought_when_it_is_there() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    let inputs = json!({"a\"b": ask("first"), "c": ask("second")});
    poll(&mut stage, &needing(&inputs));
    let keys = asked(&mut stage);
    assert_eq!(keys.iter().map(|(_, message)| message.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    poll(&mut stage, &needing(&inputs));
    assert!(asked(&mut stage).is_empty(), "what the server repeats is not asked again");
    assert_eq!(respond(&mut stage, keys[1].0, RequestAnswer::Result(r#"{"action":"decline"}"#)), Ok(()));
    let update = sent(&mut stage, "tasks/update");
    assert_eq!(update["params"]["inputResponses"], json!({"c": {"action": "decline"}}));
    poll(&mut stage, &needing(&json!({"a\"b": ask("first")})));
    stage.answer(&update, &json!({"resultType": "complete"}));
    assert_eq!(respond(&mut stage, keys[0].0, RequestAnswer::Result(r#"{"action":"cancel"}"#)), Ok(()));
    let update = sent(&mut stage, "tasks/update");
    assert_eq!(update["params"]["inputResponses"], json!({"a\"b": {"action": "cancel"}}));
    stage.answer(&update, &json!({"resultType": "complete"}));
    poll(&mut stage, &needing(&json!({"d": ask("third")})));
    assert_eq!(asked(&mut stage).len(), 1);
    let mut done = extension_task("completed");
    done["result"] = json!({});
    poll(&mut stage, &done);
    let body = stage.reply(made).expect("ended").as_ref().expect("a result");
    assert!(body.asked, "a result that took input is not kept");
}

#[test]
fn an_input_that_the_application_refuses_ends_call_and_task() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    poll(&mut stage, &needing(&json!({"a": ask("x"), "b": ask("y")})));
    let keys = asked(&mut stage);
    let refusal = RequestAnswer::Error { code: -1, message: "no", data: None };
    assert_eq!(respond(&mut stage, keys[0].0, refusal), Ok(()));
    sent(&mut stage, "tasks/cancel");
    assert_eq!(stage.status(made), Status::Cancelled);
    assert_eq!(
        respond(&mut stage, keys[1].0, RequestAnswer::Result("{}")),
        Err(Status::Cancelled),
        "no call waits for it"
    );
}

#[test]
fn an_input_that_is_not_answered_ends_call_and_task() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    poll(&mut stage, &needing(&json!({"a": ask("x")})));
    let key = asked(&mut stage)[0].0;
    stage.engine.abandon(stage.now, key);
    stage.pass(ms(0));
    sent(&mut stage, "tasks/cancel");
    assert_eq!(stage.status(made), Status::Cancelled);
}

#[test]
fn what_the_server_of_a_task_may_not_do_ends_call_and_task() {
    let undeclared = needing(&json!({"s": {"method": "sampling/createMessage", "params": {}}}));
    let mut many = serde_json::Map::new();
    for number in 0..300 {
        many.insert(number.to_string(), ask("?"));
    }
    let mut other = extension_task("working");
    other["taskId"] = "another".into();
    let mut unknown_type = extension_task("working");
    unknown_type["resultType"] = "novel".into();
    for task in [
        undeclared,
        needing(&Value::Object(many)),
        other,
        unknown_type,
        json!({"taskId": "t-1"}),
        json!({"taskId": "t-1", "status": "asleep"}),
        extension_task("completed"),
        extension_task("failed"),
    ] {
        let mut stage = extension_tasks();
        let made = extension_called(&mut stage);
        poll(&mut stage, &task);
        assert_eq!(stage.status(made), Status::Protocol, "{task}");
        assert_eq!(stage.sent_methods(), ["tasks/cancel"], "{task}");
        assert_eq!(stage.counters().violations, 1, "{task}");
    }
    let mut stage = extension_tasks();
    let made = call(&mut stage, "x", &plain());
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "task", "status": "working"}));
    assert_eq!(stage.status(made), Status::Protocol, "a task without a name");
}

#[test]
fn static_roots_are_brought_by_the_library() {
    let settings = Settings {
        roots: Some(r#"{"roots":[]}"#.to_owned()),
        change_notifications: false,
        ..tasked(modern())
    };
    let mut stage = ready(settings, &extension_server());
    extension_called(&mut stage);
    poll(&mut stage, &needing(&json!({"r": {"method": "roots/list"}})));
    assert_eq!(sent(&mut stage, "tasks/update")["params"]["inputResponses"], json!({"r": {"roots": []}}));
}

#[test]
fn answers_that_a_lost_connection_may_have_lost_are_brought_again() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    poll(&mut stage, &needing(&json!({"a": ask("x"), "b": ask("y")})));
    let keys = asked(&mut stage);
    respond(&mut stage, keys[0].0, RequestAnswer::Result(r#"{"n":1}"#)).expect("open");
    sent(&mut stage, "tasks/update");
    stage.lose("gone");
    respond(&mut stage, keys[1].0, RequestAnswer::Result(r#"{"n":2}"#)).expect("the task still waits for it");
    assert!(stage.sent().is_empty());
    stage.come_back();
    stage.open();
    let probe = stage.sent_one();
    stage.answer(&probe, &extension_server());
    let again = stage.sent();
    let updates: Vec<&Value> = again.iter().filter(|it| it["method"] == "tasks/update").collect();
    assert_eq!(updates[0]["params"]["inputResponses"], json!({"a": {"n": 1}}));
    assert_eq!(updates[1]["params"]["inputResponses"], json!({"b": {"n": 2}}));
    assert_eq!((updates.len(), again.last().map(|it| it["method"].clone())), (2, Some("tasks/get".into())));
    for update in updates {
        stage.answer(update, &json!({}));
    }
    let mut done = extension_task("completed");
    done["result"] = json!({"content": []});
    stage.answer(again.last().expect("a poll"), &done);
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn an_update_that_the_server_refuses_ends_the_call() {
    let mut stage = extension_tasks();
    let made = extension_called(&mut stage);
    poll(&mut stage, &needing(&json!({"a": ask("x")})));
    let key = asked(&mut stage)[0].0;
    respond(&mut stage, key, RequestAnswer::Result("{}")).expect("open");
    let update = sent(&mut stage, "tasks/update");
    stage.refuse(&update, -32602, &Value::Null);
    assert_eq!((stage.error(made).status, stage.error(made).code), (Status::Server, Some(-32602)));
}

#[test]
fn a_list_of_tasks_is_what_the_extension_does_not_have() {
    let mut stage = extension_tasks();
    let error = stage.try_call("tasks/list", None, &plain()).expect_err("refused");
    assert_eq!(error.status, Status::Unsupported);
    let mut bare = ready(tasked(modern()), &crate::engine::client::tests::stage::discovery());
    for method in ["tasks/get", "tasks/result"] {
        let error = bare.try_call(method, Some(r#"{"taskId":"x"}"#), &plain()).expect_err("refused");
        assert!(error.message.contains("extensions.io.modelcontextprotocol/tasks"), "{error}");
    }
    let error = bare.try_call("tools/call", Some(r#"{"name":"x"}"#), &as_task(true)).expect_err("refused");
    assert_eq!(error.status, Status::Unsupported);
}

fn outcome(
    settings: Settings,
    method: &str,
    feature: Feature,
    result: &Value,
) -> Result<(Value, bool), Status> {
    let mut stage = Stage::ready(settings);
    let made = stage.call_with(method, CallOptions { feature, ..plain() });
    let request = stage.sent_one();
    stage.answer(&request, result);
    match stage.reply(made).expect("it has ended") {
        Ok(body) => Ok((serde_json::from_slice(body.json.of(&body.frame)).expect("JSON"), body.extended)),
        Err(error) => Err(error.status),
    }
}

fn with_partial() -> Settings {
    let extensions = json!({"extensions": {"com.example/x": {"level": 2}}});
    Settings { result_types: vec!["partial".to_owned()], ..declaring(modern(), &extensions) }
}

#[test]
fn a_declared_type_is_handed_on_as_it_is_and_another_is_an_error() {
    let partial = json!({"resultType": "partial", "more": [1]});
    for (method, feature) in [
        ("tools/call", Feature::Raw),
        ("tools/call", Feature::Plain),
        ("tools/list", Feature::AllPages),
        ("com.example/own", Feature::Raw),
    ] {
        assert_eq!(
            outcome(with_partial(), method, feature, &partial),
            Ok((partial.clone(), true)),
            "{method}"
        );
        assert_eq!(outcome(modern(), method, feature, &partial), Err(Status::Protocol), "{method}");
        let novel = json!({"resultType": "novel"});
        assert_eq!(outcome(with_partial(), method, feature, &novel), Err(Status::Protocol), "{method}");
    }
    let complete = json!({"resultType": "complete"});
    assert_eq!(outcome(with_partial(), "tools/call", Feature::Raw, &complete), Ok((complete, false)));
}

#[test]
fn the_error_says_where_types_are_declared() {
    let mut stage = Stage::ready(modern());
    let made = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "novel"}));
    let message = &stage.error(made).message;
    assert!(message.contains("novel") && message.contains("result_types"), "{message}");
}

#[test]
fn a_task_is_handed_on_to_who_declared_the_extension_and_follows_it_alone() {
    let alone = || declaring(modern(), &json!({"extensions": {EXTENSION: {}}}));
    assert_eq!(outcome(alone(), "tools/call", Feature::Raw, &created()), Ok((created(), true)));
    assert_eq!(outcome(alone(), "tools/call", Feature::Plain, &created()), Ok((created(), true)));
    assert_eq!(outcome(alone(), "prompts/get", Feature::Raw, &created()), Err(Status::Protocol));
    assert_eq!(outcome(modern(), "tools/call", Feature::Raw, &created()), Err(Status::Protocol));
}

#[test]
fn settings_of_extensions_are_declared_as_the_application_wrote_them() {
    let mut stage = Stage::ready(with_partial());
    stage.call("tools/list");
    let request = stage.sent_one();
    let capabilities = &request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    assert_eq!(capabilities["extensions"], json!({"com.example/x": {"level": 2}}));
}
