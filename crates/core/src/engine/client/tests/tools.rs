//! Tool modes: sessions as long as their connection, stateful calls one at a time and in order, others at once.

use super::stage::{Made, Stage, legacy, modern, ms};
use crate::engine::{
    CallOptions, Feature, Reconnect, Retry, SessionFacts, Settings, Status, ToolFilter, ToolModes, Wire,
};
use serde_json::{Value, json};

fn auto(settings: Settings) -> Settings {
    Settings { tool_modes: Some(ToolModes { waiting: 3, secret: [1, 2] }), ..settings }
}

fn tools() -> Value {
    json!({"tools": [{"name": "s", "mode": "stateful"}, {"name": "m", "_meta": {"mode": "stateful"}},
                     {"name": "f", "mode": "stateless"}, {"name": "g"}]})
}

fn call_with(stage: &mut Stage, name: &str, options: &CallOptions) -> Made {
    let params = json!({"name": name}).to_string();
    stage.try_call("tools/call", Some(&params), options).expect("accepted")
}

fn call(stage: &mut Stage, name: &str) -> Made {
    call_with(stage, name, &CallOptions::default())
}

fn within(millis: u64) -> CallOptions {
    CallOptions { timeout: Some(ms(millis)), ..CallOptions::default() }
}

/// Lists the tools as an application does.
fn list(stage: &mut Stage, result: &Value) {
    let options = CallOptions { feature: Feature::AllPages, ..CallOptions::default() };
    let made = stage.try_call("tools/list", None, &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, result);
    assert_eq!(stage.status(made), Status::Ok);
}

/// A ready connection whose tools are known.
fn listed(settings: Settings) -> Stage {
    let mut stage = Stage::ready(auto(settings));
    list(&mut stage, &tools());
    stage
}

fn session(frame: &Value) -> Option<&str> {
    frame["params"]["_meta"]["session_id"].as_str()
}

fn name(frame: &Value) -> &str {
    frame["params"]["name"].as_str().unwrap_or_else(|| frame["method"].as_str().expect("a request"))
}

fn names(stage: &mut Stage) -> Vec<String> {
    stage.sent().iter().map(|frame| name(frame).to_owned()).collect()
}

#[test]
fn without_the_setting_modes_mean_nothing() {
    let mut stage = Stage::ready(legacy());
    list(&mut stage, &tools());
    call(&mut stage, "s");
    call(&mut stage, "s");
    let sent = stage.sent();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|frame| session(frame).is_none()));
    assert_eq!(stage.engine.session(), None);
}

#[test]
fn a_filter_refuses_calls_whose_tool_it_cannot_tell() {
    let denied = || ToolFilter { denied: vec!["rm*".to_owned()], ..ToolFilter::default() };
    let mut stage = Stage::ready(Settings { tools: denied(), ..legacy() });
    for (params, why) in [
        (r#"{"name":"read","arguments":{"name":"rm"}}"#, None),
        (r#"{"name":"rm_all"}"#, Some("is one of deny_tools")),
        (r#"{"name":"rm_all","name":"read"}"#, Some("several members \"name\"")),
        (r#"{"name":"read","n\u0061me":"rm_all"}"#, Some("several members \"name\"")),
    ] {
        let made = stage.try_call("tools/call", Some(params), &CallOptions::default());
        match (made, why) {
            (Err(error), Some(why)) => {
                assert!(
                    error.status == Status::InvalidArgument && error.message.contains(why),
                    "{params}: {error:?}"
                );
            }
            (made, why) => assert_eq!(made.is_err(), why.is_some(), "{params}"),
        }
    }
    assert_eq!(names(&mut stage), ["read"]);
}

#[test]
fn one_stateful_tool_has_every_request_name_the_session() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(auto(settings));
        stage.call("prompts/get");
        assert_eq!(session(&stage.sent_one()), None, "no tool is known yet");
        list(&mut stage, &tools());
        let facts = SessionFacts { required: true, stateful_tools: 2, waiting: 0 };
        assert_eq!(stage.engine.session(), Some(facts));
        stage.call("prompts/get");
        call(&mut stage, "f");
        call(&mut stage, "s");
        stage.call("ping");
        let sent = stage.sent();
        assert_eq!(sent.len(), 4);
        let id = session(&sent[0]).expect("a session");
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(sent.iter().all(|frame| session(frame) == Some(id)));
        let progress = CallOptions { progress: true, ..CallOptions::default() };
        let params = r#"{"name":"f","_meta":{"session_id":"mine","own":1}}"#;
        stage.try_call("tools/call", Some(params), &progress).expect("accepted");
        let meta = &stage.sent_one()["params"]["_meta"];
        assert_eq!((&meta["session_id"], &meta["own"]), (&json!(id), &json!(1)));
        assert!(meta["progressToken"].is_u64());
    }
}

#[test]
fn a_list_without_stateful_tools_ends_it() {
    let mut stage = listed(modern());
    list(&mut stage, &json!({"tools": [{"name": "s", "mode": "stateless"}, {"name": "m"}]}));
    call(&mut stage, "s");
    call(&mut stage, "s");
    let sent = stage.sent();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|frame| session(frame).is_none()));
    assert!(sent[0]["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string());
    list(&mut stage, &tools());
    call(&mut stage, "f");
    assert!(session(&stage.sent_one()).is_some());
}

#[test]
fn a_list_read_page_by_page_counts_when_it_is_whole() {
    let mut stage = listed(legacy());
    let page = |stage: &mut Stage, cursor: Option<&str>, result: &Value| {
        let params = cursor.map(|cursor| json!({ "cursor": cursor }).to_string());
        stage.try_call("tools/list", params.as_deref(), &CallOptions::default()).expect("accepted");
        let request = stage.sent_one();
        stage.answer(&request, result);
    };
    page(&mut stage, None, &json!({"tools": [{"name": "s"}], "nextCursor": "2"}));
    call(&mut stage, "m");
    assert!(session(&stage.sent_one()).is_some(), "what a further page may bring still counts");
    page(&mut stage, Some("2"), &json!({"tools": [{"name": "m"}]}));
    assert_eq!(stage.engine.session().map(|session| session.required), Some(false));
}

#[test]
fn a_session_lasts_as_long_as_its_connection() {
    let mut stage = listed(legacy());
    call(&mut stage, "s");
    let first = stage.sent_one();
    stage.lose("it died");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    stage.sent();
    assert_eq!(stage.engine.session().map(|session| session.required), Some(false), "nothing is known of it");
    stage.call("ping");
    assert_eq!(session(&stage.sent_one()), None);
    list(&mut stage, &tools());
    call(&mut stage, "s");
    let second = stage.sent_one();
    assert!(session(&second).is_some());
    assert_ne!(session(&first), session(&second));
}

#[test]
fn an_answer_of_an_earlier_session_is_dropped() {
    let mut stage = listed(legacy());
    call(&mut stage, "s");
    let old = stage.sent_one();
    let earlier = stage.engine.generation();
    stage.lose("it died");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    stage.sent();
    list(&mut stage, &tools());
    let made = call(&mut stage, "s");
    let new = stage.sent_one();
    let frame = json!({"jsonrpc": "2.0", "id": new["id"], "result": {"of": "the old one"}}).to_string();
    stage.engine.frame(stage.now, earlier, frame.into_bytes());
    stage.answer(&old, &json!({"of": "the old one"}));
    assert!(stage.reply(made).is_none());
    assert_eq!(stage.counters().late_answers, 1);
    stage.answer(&new, &json!({"of": "the new one"}));
    assert_eq!(stage.result(made)["of"], "the new one");
}

#[test]
fn stateful_calls_go_out_one_at_a_time_and_others_at_once() {
    let mut stage = listed(legacy());
    let calls = ["s", "m", "f", "s", "g"].map(|name| call(&mut stage, name));
    let sent = stage.sent();
    assert_eq!(sent.iter().map(name).collect::<Vec<_>>(), ["s", "f", "g"]);
    stage.answer(&sent[1], &json!({"n": 2}));
    assert_eq!(stage.result(calls[2])["n"], 2);
    assert!(stage.sent().is_empty(), "a stateless call frees no turn");
    stage.answer(&sent[0], &json!({"n": 0}));
    let second = stage.sent_one();
    assert_eq!(name(&second), "m");
    stage.refuse(&second, -1, &Value::Null);
    let third = stage.sent_one();
    assert_eq!(name(&third), "s");
    stage.answer(&third, &json!({"n": 3}));
    assert_eq!(calls.map(|made| stage.reply(made).is_some()), [true, true, true, true, false]);
    assert_eq!((stage.status(calls[1]), stage.status(calls[3])), (Status::Server, Status::Ok));
}

#[test]
fn a_waiting_call_keeps_its_own_time_and_can_be_cancelled() {
    let mut stage = listed(legacy());
    let first = call_with(&mut stage, "s", &within(1000));
    let [cancelled, late, last] = [500, 300, 5000].map(|time| call_with(&mut stage, "s", &within(time)));
    assert_eq!(stage.engine.session().map(|session| session.waiting), Some(3));
    stage.sent();
    assert!(stage.cancel(cancelled, "not needed"));
    stage.pass(ms(300));
    assert_eq!((stage.status(cancelled), stage.status(late)), (Status::Cancelled, Status::Timeout));
    assert!(stage.error(late).message.contains("one at a time"), "{}", stage.error(late).message);
    assert_eq!(stage.error(late).details["sent"], false);
    assert!(stage.sent().is_empty(), "the server never heard of them");
    stage.pass(ms(700));
    assert_eq!(stage.status(first), Status::Timeout);
    assert_eq!(stage.sent_methods(), ["notifications/cancelled", "tools/call"]);
    assert!(stage.reply(last).is_none());
    assert_eq!(stage.engine.session().map(|session| session.waiting), Some(0));
}

#[test]
fn a_call_whose_time_is_over_is_not_sent_when_its_turn_comes() {
    let mut stage = listed(legacy());
    call_with(&mut stage, "s", &within(100));
    let [over, next] = [100, 900].map(|time| call_with(&mut stage, "s", &within(time)));
    stage.sent();
    stage.pass(ms(100));
    assert_eq!(stage.status(over), Status::Timeout);
    assert_eq!(stage.sent_methods(), ["notifications/cancelled", "tools/call"]);
    assert!(stage.reply(next).is_none());
}

#[test]
fn the_row_is_bounded() {
    let mut stage = listed(legacy());
    for _ in 0..4 {
        call(&mut stage, "s");
    }
    let params = Some(r#"{"name":"m"}"#);
    let error = stage.try_call("tools/call", params, &CallOptions::default()).expect_err("one too many");
    assert_eq!(error.status, Status::Backpressure);
    assert!(error.message.contains("limits.stateful_calls"), "{}", error.message);
    call(&mut stage, "f");
    let sent = stage.sent();
    assert_eq!(sent.len(), 2, "others go on");
    stage.answer(&sent[0], &json!({}));
    call(&mut stage, "m");
}

#[test]
fn calls_that_waited_for_the_connection_are_bounded_the_same() {
    let mut stage = Stage::new(auto(legacy()));
    let calls = [(); 6].map(|()| call(&mut stage, "s"));
    stage.open();
    stage.shake_hands();
    let list = stage.sent().pop().expect("the list of tools");
    assert_eq!(list["method"], "tools/list");
    stage.answer(&list, &tools());
    assert_eq!(names(&mut stage), ["s"]);
    for made in &calls[4..] {
        assert_eq!(stage.status(*made), Status::Backpressure);
    }
    assert!(calls[..4].iter().all(|made| stage.reply(*made).is_none()));
}

#[test]
fn what_waits_for_its_turn_ends_with_the_connection_and_is_never_repeated() {
    for closes in [false, true] {
        let mut stage = listed(Settings { retry: Retry::Safe, max_retries: 5, ..legacy() });
        list(
            &mut stage,
            &json!({"tools": [{"name": "s", "mode": "stateful", "annotations": {"readOnlyHint": true}},
                                           {"name": "f", "annotations": {"readOnlyHint": true}}]}),
        );
        let calls = [(); 3].map(|()| call(&mut stage, "s"));
        let free = call(&mut stage, "f");
        assert_eq!(names(&mut stage), ["s", "f"]);
        if closes {
            stage.close();
            assert!(calls.iter().all(|made| stage.status(*made) == Status::Closed));
            continue;
        }
        stage.lose("it died");
        assert!(calls.iter().all(|made| stage.status(*made) == Status::Transport));
        let sent = calls.map(|made| stage.error(made).details["sent"].clone());
        assert_eq!(sent, [true, false, false]);
        assert!(stage.reply(free).is_none(), "a stateless one is repeated as ever");
        stage.come_back();
        stage.open();
        stage.shake_hands();
        let list = stage.sent().pop().expect("the list of tools");
        stage.answer(&list, &tools());
        assert_eq!(names(&mut stage), ["f"]);
    }
}

#[test]
fn the_library_lists_the_tools_before_the_first_call_and_after_a_change() {
    let mut stage = Stage::ready(auto(legacy()));
    let [first, second] = ["s", "s"].map(|name| call(&mut stage, name));
    let list = stage.sent_one();
    assert_eq!(list["method"], "tools/list");
    stage.answer(&list, &json!({"tools": [{"name": "f"}], "nextCursor": "2"}));
    let list = stage.sent_one();
    assert_eq!(list["params"]["cursor"], "2");
    stage.answer(&list, &tools());
    let sent = stage.sent_one();
    assert_eq!(name(&sent), "s");
    assert!(session(&sent).is_some());
    call(&mut stage, "unlisted");
    assert_eq!(names(&mut stage), ["unlisted"], "everything is known");

    stage.notified("notifications/tools/list_changed", &json!({}));
    stage.pass(ms(1));
    call(&mut stage, "f");
    let third = call(&mut stage, "s");
    let list = stage.sent_one();
    assert_eq!((name(&list), session(&list)), ("tools/list", session(&sent)));
    stage.answer(&sent, &json!({}));
    assert_eq!(stage.status(first), Status::Ok);
    let next = stage.sent_one();
    stage.answer(&list, &json!({"tools": [{"name": "s"}, {"name": "f"}]}));
    let [f, s] = <[Value; 2]>::try_from(stage.sent()).expect("two calls");
    assert_eq!([name(&f), name(&s)], ["f", "s"]);
    assert!(session(&f).is_none() && session(&s).is_none(), "no tool is stateful any more");
    for (request, made) in [(next, second), (s, third)] {
        stage.answer(&request, &json!({}));
        assert_eq!(stage.status(made), Status::Ok);
    }
}

#[test]
fn a_list_that_changed_while_it_was_read_is_read_again() {
    let mut stage = Stage::ready(auto(legacy()));
    call(&mut stage, "f");
    let list = stage.sent_one();
    stage.pass(ms(1));
    stage.notified("notifications/tools/list_changed", &json!({}));
    stage.answer(&list, &tools());
    assert_eq!(names(&mut stage), ["f"], "it waits for one list only");
    stage.pass(ms(1));
    call(&mut stage, "f");
    let list = stage.sent_one();
    assert_eq!(name(&list), "tools/list");
    stage.answer(&list, &tools());
    assert_eq!(names(&mut stage), ["f"]);
    call(&mut stage, "f");
    assert_eq!(names(&mut stage), ["f"]);
}

#[test]
fn a_stateful_call_does_not_overtake_one_that_waits_for_the_list() {
    let mut stage = listed(legacy());
    stage.notified("notifications/tools/list_changed", &json!({}));
    stage.pass(ms(1));
    let request = {
        stage.try_call("tools/list", None, &CallOptions::default()).expect("accepted");
        stage.sent_one()
    };
    stage.answer(&request, &json!({"tools": [{"name": "s", "mode": "stateful"}], "nextCursor": "2"}));
    call(&mut stage, "m");
    let list = stage.sent_one();
    assert_eq!(name(&list), "tools/list", "not on the first page");
    call(&mut stage, "s");
    assert!(stage.sent().is_empty());
    stage.answer(&list, &tools());
    let m = stage.sent_one();
    assert_eq!(name(&m), "m");
    stage.answer(&m, &json!({}));
    assert_eq!(names(&mut stage), ["s"]);
}

#[test]
fn a_list_that_nobody_waits_for_any_more_is_asked_for_anew() {
    let mut stage = Stage::ready(auto(legacy()));
    let late = call_with(&mut stage, "s", &within(100));
    let list = stage.sent_one();
    stage.pass(ms(100));
    assert_eq!(stage.status(late), Status::Timeout);
    assert!(stage.error(late).message.contains("did not list its tools"), "{}", stage.error(late).message);
    let cancelled = stage.sent_one();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], list["id"]);
    call(&mut stage, "s");
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    stage.lose("it died");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    stage.sent();
    call(&mut stage, "s");
    assert_eq!(stage.sent_methods(), ["tools/list"], "the next server is asked too");
}

#[test]
fn a_server_without_a_list_is_called_at_once() {
    let mut stage = Stage::opened(auto(legacy()));
    let request = stage.sent_one();
    stage.answer(&request, &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}));
    stage.sent();
    call(&mut stage, "s");
    assert_eq!(names(&mut stage), ["s"]);

    let mut stage = Stage::ready(auto(legacy()));
    let made = call(&mut stage, "s");
    let list = stage.sent_one();
    stage.refuse(&list, -32601, &Value::Null);
    let sent = stage.sent_one();
    stage.answer(&sent, &json!({}));
    assert_eq!(stage.status(made), Status::Ok);
}

#[test]
fn a_session_of_the_applications_own_is_refused() {
    let mut stage = Stage::ready(auto(legacy()));
    let own = CallOptions { meta: r#""session_id":"mine""#.to_owned(), ..CallOptions::default() };
    let error = stage.try_call("ping", None, &own).expect_err("the library's");
    assert_eq!(error.status, Status::InvalidArgument);
    assert!(error.message.contains("tool_modes"), "{}", error.message);
    let mut stage = Stage::ready(legacy());
    stage.try_call("ping", None, &own).expect("anybody's");
    assert_eq!(session(&stage.sent_one()), Some("mine"));
}

#[test]
fn a_call_that_asks_for_input_keeps_its_turn() {
    let mut stage = listed(super::stage::declaring(modern(), &json!({"elicitation": {}})));
    let [first, second] = ["s", "s"].map(|name| call(&mut stage, name));
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "input_required", "requestState": "1"}));
    let again = stage.sent_one();
    assert_eq!((name(&again), &again["params"]["requestState"]), ("s", &json!("1")));
    stage.answer(&again, &json!({"resultType": "complete"}));
    assert_eq!(stage.status(first), Status::Ok);
    let next = stage.sent_one();
    stage.answer(&next, &json!({"resultType": "complete"}));
    assert_eq!(stage.status(second), Status::Ok);
}

#[test]
fn over_http_a_lost_exchange_frees_the_turn() {
    use crate::engine::{Error, ExchangeFailure, FailureKind};
    let mut stage = listed(Settings { wire: Wire::Http, reconnect: Some(Reconnect::default()), ..modern() });
    let [first, second] = ["s", "m"].map(|name| call(&mut stage, name));
    let sent = stage.sent_one();
    let error = Error::new(Status::Transport, "connection", "the stream ended");
    let exchange = sent["id"].as_u64().expect("an id");
    stage.fail(exchange, ExchangeFailure { kind: FailureKind::Lost, error, http: None, spoken: None });
    assert_eq!(stage.status(first), Status::Transport);
    assert_eq!(names(&mut stage), ["m"]);
    assert!(stage.reply(second).is_none());
}

#[test]
fn with_more_stateful_tools_than_are_remembered_every_tool_counts_as_one() {
    let mut stage = Stage::ready(auto(legacy()));
    let many: Vec<Value> =
        (0..=10_000).map(|number| json!({"name": format!("t{number}"), "mode": "stateful"})).collect();
    list(&mut stage, &json!({ "tools": many }));
    assert_eq!(stage.engine.session().map(|session| session.stateful_tools), Some(10_000));
    call(&mut stage, "t10000");
    call(&mut stage, "t1");
    assert_eq!(names(&mut stage), ["t10000"]);
}
