//! Tasks beside what else a call may go through: tool modes, pages to visit, lists of tools that change, logins.

use super::play::{
    as_task, call, core, core_called, core_server, core_task, extension, extension_server, list_tools, plain,
    ready, secs, sent, tasked,
};
use crate::engine::client::tests::stage::{Saw, Stage, legacy, modern};
use crate::engine::{Answer, Settings, Status, ToolModes, Wire};
use serde_json::json;

#[test]
fn a_call_that_must_not_become_a_task_says_all_that_others_say() {
    let mut without_tasks = Stage::ready(modern());
    for stage in [&mut without_tasks, &mut extension()] {
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
    let mut stage = core();
    let made = call(&mut stage, "must", &plain());
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    stage.lose("while the tools were looked up");
    assert_eq!(stage.error(made).details["sent"], json!(false));
}

#[test]
fn a_list_that_changed_while_it_was_read_proves_no_tool_absent() {
    let mut stage = core();
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
    let capabilities = json!({"elicitation": {"url": {}}, "extensions": {super::play::EXTENSION: {}}});
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
    stage.engine.respond(stage.now, keys[0], Answer::Result(r#"{"action":"accept"}"#)).expect("taken");
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
