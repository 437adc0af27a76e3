//! The core form of 2025-11-25: the client asks for a task where its tool wants that, polls, and fetches the result. Tasks beside
//! what else a call may go through: tool modes, pages to visit, lists of tools that change, logins.

use super::{
    EXTENSION, as_task, call, core_called, core_server, core_task, core_tasks, extension_server,
    extension_tasks, list_tools, plain, ready, secs, sent, tasked, told,
};
use crate::engine::client::tests::stage::{Saw, Stage, legacy, modern, ms};
use crate::engine::{CallOptions, Feature, RequestAnswer, Settings, Status, TaskSettings, ToolModes, Wire};
use crate::protocol::Revision;
use serde_json::{Value, json};

/// How a call of this tool goes out, or the status that it ends with.
fn goes_out(tool: &str, task: Option<bool>) -> Result<Option<Value>, Status> {
    let mut stage = core_tasks();
    let made = call(&mut stage, tool, &CallOptions { task, ..plain() });
    list_tools(&mut stage);
    match stage.sent().pop() {
        Some(request) => Ok(request["params"].get("task").cloned()),
        None => Err(stage.status(made)),
    }
}

#[test]
fn what_a_tool_says_of_tasks_is_obeyed() {
    let asks = Ok(Some(json!({})));
    assert_eq!(goes_out("must", None), asks);
    assert_eq!(goes_out("must", Some(true)), asks);
    assert_eq!(goes_out("must", Some(false)), Err(Status::Unsupported));
    assert_eq!(goes_out("may", None), Ok(None));
    assert_eq!(goes_out("may", Some(true)), asks);
    assert_eq!(goes_out("may", Some(false)), Ok(None));
    for tool in ["must-not", "silent", "unheard-of"] {
        assert_eq!(goes_out(tool, None), Ok(None), "{tool}");
        assert_eq!(goes_out(tool, Some(true)), Err(Status::Unsupported), "{tool}");
    }
}

#[test]
fn tools_are_looked_up_once_and_again_when_they_changed() {
    let mut stage = core_tasks();
    core_called(&mut stage);
    call(&mut stage, "may", &plain());
    assert_eq!(stage.sent_methods(), ["tools/call"]);
    stage.notified("notifications/tools/list_changed", &json!({}));
    call(&mut stage, "may", &plain());
    list_tools(&mut stage);
    assert_eq!(stage.sent_methods(), ["tools/call"]);
}

#[test]
fn nothing_becomes_a_task_where_client_server_or_revision_have_none() {
    let off = Settings { tasks: None, ..tasked(legacy()) };
    let mut stage = ready(off, &core_server());
    call(&mut stage, "must", &plain());
    assert_eq!(stage.sent_one()["params"].get("task"), None);
    let error = stage.try_call("tools/call", Some(r#"{"name":"must"}"#), &as_task(true)).expect_err("off");
    assert!(error.status == Status::Unsupported && error.message.contains("'tasks': true"), "{error}");
    for handshake in [
        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "tasks": {"list": {}}}, "serverInfo": {}}),
        json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {}}),
    ] {
        let mut stage = ready(tasked(legacy()), &handshake);
        call(&mut stage, "must", &plain());
        assert_eq!(stage.sent_one()["params"].get("task"), None, "and nothing is looked up");
        let error =
            stage.try_call("tools/call", Some(r#"{"name":"x"}"#), &as_task(true)).expect_err("refused");
        assert!(
            error.status == Status::Unsupported && error.message.contains("tasks.requests.tools.call"),
            "{error}"
        );
    }
}

#[test]
fn only_a_call_of_a_tool_becomes_a_task() {
    let settings = Settings { capability_checks: false, ..tasked(legacy()) };
    let mut stage = ready(settings, &core_server());
    call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    assert!(stage.sent_one()["params"]["task"].is_object());
    stage.try_call("prompts/get", Some(r#"{"name":"must"}"#), &plain()).expect("accepted");
    assert_eq!(stage.sent_one()["params"].get("task"), None);
}

#[test]
fn a_raw_call_is_left_alone() {
    let mut stage = core_tasks();
    let raw = CallOptions::default();
    let made = stage.try_call("tools/call", Some(r#"{"name":"must","task":{}}"#), &raw).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"task": core_task("working")}));
    assert_eq!(stage.result(made)["task"]["taskId"], "t-1");
}

#[test]
fn a_server_that_answers_at_once_is_taken_at_its_word() {
    let mut stage = core_tasks();
    let made = call(&mut stage, "may", &as_task(true));
    list_tools(&mut stage);
    let request = stage.sent_one();
    stage.answer(&request, &json!({"content": []}));
    assert_eq!(stage.result(made), json!({"content": []}));
}

#[test]
fn the_task_is_polled_at_the_servers_pace_and_its_result_is_the_calls() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    assert_eq!(stage.pass_to_deadline(), ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    let mut slower = core_task("working");
    slower["pollInterval"] = 7000.into();
    stage.answer(&poll, &slower);
    assert_eq!(stage.pass_to_deadline(), ms(7000));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    assert!(stage.reply(made).is_none());
    stage.answer(&fetch, &json!({"content": [], "isError": false}));
    assert_eq!(stage.result(made), json!({"content": [], "isError": false}));
    assert_eq!(told(&mut stage), ["working", "completed"], "each state once");
    assert_eq!((stage.counters().tasks, stage.engine.pending()), (1, 0));
    stage.pass(ms(3_600_000));
    assert!(stage.sent().is_empty(), "nothing is asked of a task that is over");
}

#[test]
fn the_pace_is_bounded() {
    for (interval, wait) in
        [(json!(0), 100), (json!(9_999_999), 60_000), (json!(-5), 1000), (json!("soon"), 1000)]
    {
        let mut stage = core_tasks();
        call(&mut stage, "must", &plain());
        list_tools(&mut stage);
        let request = stage.sent_one();
        let mut task = core_task("working");
        task["pollInterval"] = interval;
        stage.answer(&request, &json!({"task": task}));
        stage.pass(ms(wait - 1));
        assert!(stage.sent().is_empty(), "{wait} ms");
        stage.pass(ms(1));
        sent(&mut stage, "tasks/get");
    }
}

#[test]
fn the_states_are_told_with_the_call_and_without_what_comes_by_other_ways() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    let saw = stage.take().into_iter().find_map(|saw| match saw {
        Saw::Told { call, tag, method, params } => Some((call, tag, method, params)),
        _ => None,
    });
    let (call, tag, method, params) = saw.expect("told");
    assert_eq!((call, method.as_str()), (made.call, "notifications/tasks/status"));
    assert!(tag > 0 && params == core_task("working"));
}

#[test]
fn a_failed_task_ends_as_its_call_would_have() {
    for code in [None, Some(-32603)] {
        let mut stage = core_tasks();
        let made = core_called(&mut stage);
        stage.pass_to_deadline();
        let poll = sent(&mut stage, "tasks/get");
        stage.answer(&poll, &core_task("failed"));
        let fetch = sent(&mut stage, "tasks/result");
        match code {
            None => {
                stage.answer(&fetch, &json!({"content": [], "isError": true}));
                assert_eq!(stage.result(made)["isError"], true);
            }
            Some(code) => {
                stage.refuse(&fetch, code, &Value::Null);
                assert_eq!((stage.error(made).status, stage.error(made).code), (Status::Server, Some(code)));
                assert_eq!(stage.error(made).details["task"], "t-1");
            }
        }
    }
}

#[test]
fn a_task_that_needs_input_is_awaited_and_its_servers_requests_are_answered_in_its_name() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.pass_to_deadline();
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("input_required"));
    let fetch = sent(&mut stage, "tasks/result");
    let related = json!({"io.modelcontextprotocol/related-task": {"taskId": "t-1"}});
    stage.take();
    stage.frame(&json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create",
                        "params": {"message": "Sure?", "_meta": related}}));
    let key = stage.take().into_iter().find_map(|saw| match saw {
        Saw::Asked { key, .. } => Some(key),
        _ => None,
    });
    stage.pass(ms(120_000));
    assert!(stage.sent().is_empty(), "the answer to tasks/result may take its time, and nothing is polled");
    stage
        .engine
        .respond(stage.now, key.expect("asked"), RequestAnswer::Result(r#"{"action":"decline"}"#))
        .expect("open");
    stage.pass(ms(0));
    let answer = stage.sent_one();
    assert_eq!(answer["result"], json!({"action": "decline", "_meta": related}));
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn a_task_whose_result_is_refused_before_it_is_over_is_cancelled() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.pass_to_deadline();
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("input_required"));
    let fetch = sent(&mut stage, "tasks/result");
    // As a server does that has as many requests of the session as it may have.
    stage.refuse(&fetch, -32603, &Value::Null);
    assert_eq!((stage.error(made).status, stage.error(made).code), (Status::Server, Some(-32603)));
    assert_eq!(sent(&mut stage, "tasks/cancel")["params"]["taskId"], "t-1", "it would wait for its input");
}

#[test]
fn roots_are_answered_in_the_tasks_name() {
    let settings = Settings { roots: Some(r#"{"roots":[]}"#.to_owned()), ..tasked(legacy()) };
    let mut stage = ready(settings, &core_server());
    let related = json!({"io.modelcontextprotocol/related-task": {"taskId": "t-1"}});
    stage.frame(&json!({"jsonrpc": "2.0", "id": 4, "method": "roots/list", "params": {"_meta": related}}));
    assert_eq!(stage.sent_one()["result"], json!({"roots": [], "_meta": related}));
}

#[test]
fn a_notification_spares_a_poll_and_one_of_another_task_is_handed_on() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.take();
    stage.notified("notifications/tasks/status", &json!({"taskId": "other", "status": "working"}));
    assert!(
        matches!(&stage.take()[..], [Saw::Logged(_), Saw::Notified { method, .. }] if method == "notifications/tasks/status")
    );
    stage.notified("notifications/tasks/status", &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
    assert_eq!(told(&mut stage), ["completed"]);
}

#[test]
fn a_state_that_the_end_of_the_task_overtook_is_not_told() {
    let mut stage = core_tasks();
    let made = core_called(&mut stage);
    stage.pass_to_deadline();
    let poll = sent(&mut stage, "tasks/get");
    stage.notified("notifications/tasks/status", &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    // Over HTTP the answer to the poll may be on its way since before.
    for late in ["working", "input_required"] {
        stage.notified("notifications/tasks/status", &core_task(late));
    }
    stage.answer(&poll, &core_task("working"));
    assert!(stage.sent().is_empty());
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
    assert_eq!(told(&mut stage), ["working", "completed"]);
}

#[test]
fn the_progress_token_lasts_as_long_as_the_task() {
    let mut stage = core_tasks();
    let made = call(&mut stage, "must", &CallOptions { progress: true, ..plain() });
    list_tools(&mut stage);
    let request = stage.sent_one();
    let token = request["params"]["_meta"]["progressToken"].clone();
    stage.answer(&request, &json!({"task": core_task("working")}));
    stage.take();
    stage.notified("notifications/progress", &json!({"progressToken": token, "progress": 1}));
    let progressed = |saw: &Saw| matches!(saw, Saw::Progressed { call, .. } if *call == made.call);
    assert!(stage.take().iter().any(progressed));
    stage.pass(ms(2000));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.answer(&fetch, &json!({}));
    stage.take();
    stage.notified("notifications/progress", &json!({"progressToken": token, "progress": 2}));
    assert!(!stage.take().iter().any(progressed), "never after the outcome");
}

#[test]
fn how_long_the_task_is_kept_is_said_by_the_call_or_the_config() {
    let tasks = TaskSettings { ttl: Some(ms(9000)), ..TaskSettings::default() };
    let mut stage = ready(Settings { tasks: Some(tasks), ..tasked(legacy()) }, &core_server());
    call(&mut stage, "must", &plain());
    list_tools(&mut stage);
    assert_eq!(stage.sent_one()["params"]["task"], json!({"ttl": 9000}));
    call(&mut stage, "must", &CallOptions { task_ttl: Some(ms(50)), ..plain() });
    let params = stage.sent_one()["params"].clone();
    assert_eq!((&params["task"], &params["arguments"]), (&json!({"ttl": 50}), &json!({"n": 1})));
}

#[test]
fn tasks_are_listed_got_and_cancelled_where_the_server_has_that() {
    let mut stage = core_tasks();
    let all = CallOptions { feature: Feature::AllPages, ..plain() };
    let made = stage.try_call("tasks/list", None, &all).expect("declared");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tasks": [{"taskId": "a"}], "nextCursor": "c"}));
    let request = stage.sent_one();
    assert_eq!(request["params"]["cursor"], "c");
    stage.answer(&request, &json!({"tasks": [{"taskId": "b"}]}));
    assert_eq!(stage.result(made), json!({"tasks": [{"taskId": "a"}, {"taskId": "b"}]}));
    for method in ["tasks/get", "tasks/cancel"] {
        let made = stage.try_call(method, Some(r#"{"taskId":"t-1"}"#), &plain()).expect("declared");
        let request = sent(&mut stage, method);
        stage.answer(&request, &core_task("working"));
        assert_eq!(stage.result(made), core_task("working"));
    }
    let mut bare = Stage::ready(tasked(legacy()));
    for method in ["tasks/list", "tasks/get", "tasks/cancel", "tasks/result"] {
        let error = bare.try_call(method, Some(r#"{"taskId":"t-1"}"#), &plain()).expect_err("not declared");
        assert_eq!(error.status, Status::Unsupported, "{method}");
    }
    let mut off = Stage::ready(legacy());
    assert_eq!(off.try_call("tasks/get", None, &plain()).expect_err("off").status, Status::Unsupported);
}

#[test]
fn a_revision_without_tasks_refuses_them_whatever_the_server_declares() {
    let mut server = core_server();
    server["protocolVersion"] = "2025-06-18".into();
    let settings = Settings { allowed: vec![Revision::V2025_06_18], ..tasked(legacy()) };
    let mut stage = Stage::opened(settings);
    let initialize = stage.sent_one();
    let early = call(&mut stage, "may", &as_task(true));
    stage.answer(&initialize, &server);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
    assert_eq!(stage.status(early), Status::Unsupported);
    let params = json!({"name": "may"}).to_string();
    let error = stage.try_call("tools/call", Some(&params), &as_task(true)).expect_err("refused");
    assert_eq!(error.status, Status::Unsupported);
    assert!(error.message.contains("2025-06-18"), "{}", error.message);
    // Who does not want a task calls as ever.
    call(&mut stage, "may", &plain());
    assert_eq!(stage.sent_methods(), ["tools/call"]);
}

#[test]
fn a_call_that_must_not_become_a_task_says_all_that_others_say() {
    let mut without_tasks = Stage::ready(modern());
    for stage in [&mut without_tasks, &mut extension_tasks()] {
        call(stage, "may", &as_task(false));
        let meta = &stage.sent_one()["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{meta}");
        assert!(meta["io.modelcontextprotocol/clientCapabilities"].is_object(), "{meta}");
    }
    let modes = Some(ToolModes { waiting: 3, secret: [1, 2] });
    let mut stage = ready(Settings { tool_modes: modes, ..tasked(legacy()) }, &core_server());
    let made = call(&mut stage, "s", &as_task(false));
    let list = stage.sent_one();
    stage.answer(&list, &json!({"tools": [{"name": "s", "mode": "stateful"}]}));
    assert!(stage.sent_one()["params"]["_meta"]["session_id"].is_string());
    assert!(stage.reply(made).is_none());
}

#[test]
fn a_stateful_task_ends_with_its_session_and_counts_as_sent() {
    let modes = Some(ToolModes { waiting: 3, secret: [1, 2] });
    let mut stage = ready(Settings { tool_modes: modes, ..tasked(legacy()) }, &core_server());
    let made = call(&mut stage, "s", &as_task(true));
    let list = stage.sent_one();
    let tool = json!({"name": "s", "mode": "stateful", "execution": {"taskSupport": "optional"}});
    stage.answer(&list, &json!({"tools": [tool]}));
    let request = stage.sent_one();
    stage.answer(&request, &json!({"task": core_task("working")}));
    let behind = call(&mut stage, "s", &plain());
    stage.lose("gone");
    let error = stage.error(made);
    assert_eq!((error.status, &error.details["sent"]), (Status::Transport, &json!(true)));
    assert_eq!(stage.error(behind).details["sent"], json!(false), "it stood in line");
}

#[test]
fn a_call_that_waited_for_the_list_was_not_sent() {
    let mut stage = core_tasks();
    let made = call(&mut stage, "must", &plain());
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    stage.lose("while the tools were looked up");
    assert_eq!(stage.error(made).details["sent"], json!(false));
}

#[test]
fn a_list_that_changed_while_it_was_read_proves_no_tool_absent() {
    let mut stage = core_tasks();
    let first = call(&mut stage, "must", &plain());
    let page = stage.sent_one();
    stage.answer(
        &page,
        &json!({"tools": [{"name": "must", "execution": {"taskSupport": "required"}}], "nextCursor": "2"}),
    );
    let page = stage.sent_one();
    stage.notified("notifications/tools/list_changed", &json!({}));
    stage.answer(&page, &json!({"tools": []}));
    stage.sent();
    let second = call(&mut stage, "must", &plain());
    assert_eq!(stage.sent_methods(), ["tools/list"], "what was read before the change is not known");
    assert!(stage.reply(first).is_none() && stage.reply(second).is_none());
}

#[test]
fn a_task_that_wants_a_page_visited_is_over_and_the_call_may_become_another() {
    let capabilities = json!({"elicitation": {"url": {}}, "extensions": {EXTENSION: {}}});
    let settings = crate::engine::client::tests::stage::declaring(tasked(legacy()), &capabilities);
    let mut stage = ready(settings, &core_server());
    let made = core_called(&mut stage);
    stage.pass(secs(2));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("failed"));
    let fetch = sent(&mut stage, "tasks/result");
    let page =
        json!({"mode": "url", "elicitationId": "a", "url": "https://example.com/a", "message": "Please"});
    stage.refuse(&fetch, -32042, &json!({"elicitations": [page]}));
    let keys: Vec<u64> = stage
        .take()
        .into_iter()
        .filter_map(|saw| if let Saw::Asked { key, .. } = saw { Some(key) } else { None })
        .collect();
    assert_eq!(keys.len(), 1);
    stage.pass(secs(120));
    assert!(stage.sent().is_empty(), "the old task is asked for no more");
    stage.engine.respond(stage.now, keys[0], RequestAnswer::Result(r#"{"action":"accept"}"#)).expect("taken");
    stage.pass(secs(0));
    let again = stage.sent_one();
    assert_eq!(again["method"], "tools/call");
    stage.answer(&again, &json!({"task": core_task("working")}));
    stage.pass(secs(2));
    let poll = sent(&mut stage, "tasks/get");
    stage.answer(&poll, &core_task("completed"));
    let fetch = sent(&mut stage, "tasks/result");
    stage.answer(&fetch, &json!({"content": []}));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn a_login_for_the_list_of_tools_takes_none_of_the_calls_time() {
    let settings = Settings { wire: Wire::Http, change_notifications: false, ..tasked(modern()) };
    let mut stage = ready(settings, &extension_server());
    let made = call(&mut stage, "must", &plain());
    let exchange = stage.sent.first().and_then(|frame| frame["id"].as_u64()).expect("a list");
    let generation = stage.engine.generation();
    stage.engine.waits_for_login(stage.now, generation, exchange, crate::engine::LoginWait::Person);
    stage.pass(secs(60));
    assert!(stage.reply(made).is_none(), "the person takes their time");
    stage.engine.waits_for_login(stage.now, generation, exchange, crate::engine::LoginWait::Over);
    stage.pass(secs(0));
    list_tools(&mut stage);
    assert_eq!(stage.sent_methods(), ["tools/call"]);
}
