//! Exchanges that travel alone: each fails by itself, and what was begun for it ends with it.

use super::stage::{Made, Saw, Stage, discovery, initialized_at, legacy, modern, ms};
use crate::engine::{
    CallOptions, Error, ExchangeFailure, FailureKind, Retry, RpcError, Settings, State, Status, Wire,
};
use serde_json::{Value, json};

pub fn http(settings: Settings) -> Settings {
    Settings { wire: Wire::Http, ..settings }
}

pub fn failure(kind: FailureKind, status: Option<u16>) -> ExchangeFailure {
    let error =
        Error::new(if status == Some(401) { Status::Auth } else { Status::Transport }, "x", "it failed");
    ExchangeFailure { kind, error, http: status, spoken: None }
}

fn spoken(code: i64, data: &Value) -> ExchangeFailure {
    let spoken = RpcError { code, message: "no".to_owned(), data: Some(data.to_string()) };
    ExchangeFailure { spoken: Some(spoken), ..failure(FailureKind::Refused, Some(400)) }
}

pub fn id(frame: &Value) -> u64 {
    frame["id"].as_u64().expect("a request")
}

fn aborted(stage: &mut Stage) -> Vec<u64> {
    let saw = stage.take();
    saw.iter()
        .filter_map(|saw| if let Saw::Aborted(exchange) = saw { Some(*exchange) } else { None })
        .collect()
}

/// A ready modern connection whose tools are known.
fn ready(settings: Settings) -> Stage {
    let mut stage = Stage::ready(http(settings));
    let list = stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [{"name": "t"}], "resultType": "complete"}));
    assert_eq!(stage.status(list), Status::Ok);
    stage.take();
    stage
}

fn call_tool(stage: &mut Stage, name: &str, options: &CallOptions) -> Made {
    let params = json!({"name": name}).to_string();
    stage.try_call("tools/call", Some(&params), options).expect("accepted")
}

#[test]
fn a_lost_exchange_ends_its_call_and_no_other() {
    let mut stage = ready(modern());
    let (one, two) = (stage.call("tools/list"), stage.call("prompts/list"));
    let sent = stage.sent();
    stage.fail(id(&sent[0]), failure(FailureKind::Lost, None));
    assert_eq!(stage.status(one), Status::Transport);
    assert_eq!(stage.error(one).details["sent"], true);
    assert!(stage.reply(two).is_none());
    assert_eq!(stage.engine.state(), State::Ready);
    stage.answer(&sent[1], &json!({"resultType": "complete"}));
    assert_eq!(stage.status(two), Status::Ok);
}

#[test]
fn what_ended_already_cannot_fail_any_more() {
    let mut stage = ready(modern());
    let call = stage.call("prompts/list");
    let sent = stage.sent_one();
    stage.answer(&sent, &json!({"resultType": "complete"}));
    stage.fail(id(&sent), failure(FailureKind::Lost, None));
    stage.fail(9999, failure(FailureKind::Unreachable, None));
    assert_eq!(stage.status(call), Status::Ok);
    assert_eq!(stage.engine.state(), State::Ready);
}

#[test]
fn a_server_that_cannot_be_reached_is_a_lost_connection_unless_something_else_is_under_way() {
    let mut stage = ready(modern());
    let (one, two) = (stage.call("prompts/list"), stage.call("resources/list"));
    let sent = stage.sent();
    stage.fail(id(&sent[0]), failure(FailureKind::Unreachable, None));
    assert_eq!(stage.status(one), Status::Transport);
    assert_eq!(stage.error(one).details["sent"], false);
    assert_eq!(stage.engine.state(), State::Ready);
    stage.fail(id(&sent[1]), failure(FailureKind::Unreachable, None));
    assert_eq!(stage.status(two), Status::Transport);
    assert_eq!(stage.engine.state(), State::Backoff);
}

#[test]
fn a_safe_call_is_sent_again_as_a_new_exchange_and_not_for_ever() {
    let mut stage = ready(Settings { retry: Retry::Safe, max_retries: 2, ..modern() });
    let call = stage.call("prompts/list");
    for _ in 0..2 {
        let sent = stage.sent_one();
        stage.fail(id(&sent), failure(FailureKind::Lost, None));
        assert!(stage.reply(call).is_none());
    }
    let sent = stage.sent_one();
    stage.fail(id(&sent), failure(FailureKind::Lost, None));
    assert_eq!(stage.status(call), Status::Transport);
}

#[test]
fn what_a_server_says_with_an_http_error_is_the_servers_error() {
    let mut stage = ready(modern());
    let call = stage.call("prompts/list");
    let sent = stage.sent_one();
    stage.fail(id(&sent), spoken(-32601, &json!({"x": 1})));
    let error = stage.error(call);
    assert_eq!((error.status, error.code), (Status::Server, Some(-32601)));
    assert_eq!(error.details["http_status"], 400);
    assert_eq!(error.data.as_deref(), Some(r#"{"x":1}"#));
}

#[test]
fn an_error_without_an_id_belongs_to_the_exchange_it_came_in() {
    let mut stage = ready(modern());
    let (one, two) = (stage.call("prompts/list"), stage.call("resources/list"));
    let sent = stage.sent();
    stage.frame_in(
        id(&sent[1]),
        &json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "x"}}),
    );
    assert_eq!(stage.status(two), Status::Server);
    assert!(stage.reply(one).is_none());
}

#[test]
fn the_modern_era_cancels_by_ending_the_exchange_and_the_legacy_era_says_it_too() {
    let mut stage = ready(modern());
    let call = stage.call("prompts/list");
    let sent = stage.sent_one();
    stage.cancel(call, "enough");
    assert_eq!(aborted(&mut stage), [id(&sent)]);
    assert!(stage.sent().is_empty());

    let mut stage = legacy_ready();
    let call = stage.call("prompts/list");
    let sent = stage.sent_one();
    stage.cancel(call, "enough");
    assert_eq!(aborted(&mut stage), [id(&sent)]);
    assert_eq!(stage.sent_methods(), ["notifications/cancelled"]);
}

#[test]
fn a_timed_out_call_ends_its_exchange_and_the_legacy_era_says_it_too() {
    let timed_out = |mut stage: Stage| {
        let call =
            stage.call_with("prompts/list", CallOptions { timeout: Some(ms(10)), ..CallOptions::default() });
        let sent = stage.sent_one();
        stage.pass(ms(10));
        assert_eq!(stage.status(call), Status::Timeout);
        assert_eq!(aborted(&mut stage), [id(&sent)]);
        stage.sent_methods()
    };
    assert!(timed_out(ready(modern())).is_empty());
    assert_eq!(timed_out(legacy_ready()), ["notifications/cancelled"]);
}

fn legacy_ready() -> Stage {
    let mut stage = Stage::opened(http(legacy()));
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    assert_eq!(stage.engine.state(), State::Ready);
    stage.take();
    stage.sent();
    stage
}

#[test]
fn the_legacy_era_is_ready_when_it_was_tried_to_listen() {
    let mut stage = Stage::opened(http(legacy()));
    let request = stage.sent_one();
    let call = stage.call("tools/list");
    stage.answer(&request, &initialized_at("2025-11-25"));
    assert_eq!(stage.engine.state(), State::Initializing);
    assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Listens(1))));
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
    stage.listening();
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    stage.listening();
    assert!(stage.reply(call).is_none());
}

#[test]
fn a_server_that_sends_no_head_holds_up_nothing() {
    let mut stage = Stage::opened(http(legacy()));
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2025-03-26"));
    stage.pass(ms(1999));
    assert_eq!(stage.engine.state(), State::Initializing);
    stage.pass(ms(1));
    assert_eq!(stage.engine.state(), State::Ready);
}

#[test]
fn an_ended_session_is_opened_anew_for_all_and_the_refused_call_sent_again() {
    let mut stage = legacy_ready();
    stage.pass(ms(20_000));
    let (refused, lost) = (stage.call("tools/call"), stage.call("prompts/list"));
    let sent = stage.sent();
    stage.end_session(Some(id(&sent[0])));
    assert_eq!(stage.engine.state(), State::Starting);
    assert!(stage.reply(refused).is_none());
    assert_eq!(stage.status(lost), Status::Transport);
    stage.open();
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    let again = stage.sent().pop().expect("sent again");
    assert_eq!(again["method"], "tools/call");
    assert_ne!(again["id"], sent[0]["id"]);
    stage.answer(&again, &json!({"content": []}));
    assert_eq!(stage.status(refused), Status::Ok);
}

#[test]
fn a_session_that_ends_again_and_again_is_not_opened_without_a_pause() {
    let mut stage = legacy_ready();
    let first = stage.call("tools/list");
    let sent = stage.sent_one();
    stage.end_session(Some(id(&sent)));
    stage.open();
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    // The same call once more: that is the call's error, and costs no other session.
    let sent = stage.sent().pop().expect("the call");
    stage.end_session(Some(id(&sent)));
    assert_eq!((stage.status(first), stage.engine.state()), (Status::Transport, State::Ready));
    assert!(stage.error(first).message.contains("it said so again on a new session"));
    // Another one: the session is lost again.
    let second = stage.call("tools/list");
    let sent = stage.sent_one();
    stage.end_session(Some(id(&sent)));
    assert_eq!(stage.engine.state(), State::Backoff);
    assert!(stage.reply(second).is_none());
    stage.come_back();
    stage.open();
    let request = stage.sent_one();
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    // What the server says in an error of its own is the outcome of a call that is not sent a third time.
    let again = stage.sent().pop().expect("sent again");
    let said = RpcError { code: -32000, message: "Session expired".to_owned(), data: None };
    stage.end_session_saying(Some(id(&again)), Some(said));
    assert_eq!((stage.status(second), stage.engine.state()), (Status::Server, State::Ready));
    assert!(stage.error(second).message.contains("Session expired"));
}

#[test]
fn an_unknown_tool_is_listed_before_it_is_called() {
    let mut stage = Stage::ready(http(modern()));
    let call = call_tool(&mut stage, "t", &CallOptions::default());
    let other = call_tool(&mut stage, "u", &CallOptions::default());
    let list = stage.sent_one();
    assert_eq!(list["method"], "tools/list");
    assert!(list["params"]["_meta"].is_object());
    stage.answer(&list, &json!({"tools": [{"name": "t"}], "nextCursor": "p2", "resultType": "complete"}));
    let list = stage.sent_one();
    assert_eq!(list["params"]["cursor"], "p2");
    stage.answer(&list, &json!({"tools": [], "resultType": "complete"}));
    let sent = stage.sent();
    assert_eq!(sent.len(), 2);
    stage.answer(&sent[0], &json!({"resultType": "complete"}));
    stage.answer(&sent[1], &json!({"resultType": "complete"}));
    assert_eq!((stage.status(call), stage.status(other)), (Status::Ok, Status::Ok));
    // Everything is known now, so nothing is listed for a tool that is not there.
    call_tool(&mut stage, "never", &CallOptions::default());
    assert_eq!(stage.sent_methods(), ["tools/call"]);
    stage.notified("notifications/tools/list_changed", &json!({}));
    call_tool(&mut stage, "t", &CallOptions::default());
    assert_eq!(stage.sent_methods(), ["tools/list"]);
}

#[test]
fn a_list_that_cannot_be_had_keeps_no_call_back() {
    let mut stage = Stage::ready(http(modern()));
    let call = call_tool(&mut stage, "t", &CallOptions::default());
    let list = stage.sent_one();
    stage.fail(id(&list), failure(FailureKind::Lost, None));
    let sent = stage.sent_one();
    assert_eq!(sent["method"], "tools/call");
    stage.answer(&sent, &json!({"resultType": "complete"}));
    assert_eq!(stage.status(call), Status::Ok);
}

#[test]
fn headers_that_do_not_match_have_the_tools_listed_again_once() {
    let mut stage = ready(modern());
    let call = call_tool(&mut stage, "t", &CallOptions::default());
    let first = stage.sent_one();
    stage.fail(id(&first), spoken(-32020, &Value::Null));
    let list = stage.sent_one();
    assert_eq!(list["method"], "tools/list");
    stage.answer(&list, &json!({"tools": [{"name": "t"}], "resultType": "complete"}));
    let second = stage.sent_one();
    assert_ne!(first["id"], second["id"]);
    stage.fail(id(&second), spoken(-32020, &Value::Null));
    assert_eq!(stage.error(call).code, Some(-32020));
    assert!(stage.sent().is_empty());
}

#[test]
fn the_probe_is_judged_by_its_http_status() {
    for (status, next) in [(400, "initialize"), (404, "initialize"), (500, "initialize")] {
        let mut stage = Stage::opened(http(Settings::default()));
        let probe = stage.sent_one();
        stage.fail(id(&probe), failure(FailureKind::Refused, Some(status)));
        assert_eq!(stage.sent_one()["method"], next, "{status}");
    }
    let mut stage = Stage::opened(http(Settings::default()));
    let probe = stage.sent_one();
    let data = json!({"supported": ["2026-07-28"]});
    stage.fail(id(&probe), spoken(-32022, &data));
    let probe = stage.sent_one();
    assert_eq!(probe["method"], "server/discover");
    stage.answer(&probe, &discovery());
    assert_eq!(stage.engine.state(), State::Ready);
}

#[test]
fn a_server_for_which_there_is_no_login_says_nothing_of_its_era_and_is_not_asked_again() {
    let mut stage = Stage::new(http(Settings::default()));
    let connect = stage.connect(None);
    stage.open();
    let probe = stage.sent_one();
    stage.fail(id(&probe), failure(FailureKind::NotLoggedIn, Some(401)));
    assert_eq!(stage.connected(connect), Some(Err(Status::Auth)));
    assert_eq!(stage.engine.state(), State::Closed);
}

/// adcontextprotocol/adcp-client#2434: a gateway that permits the methods that it knows.
#[test]
fn a_probe_that_is_not_permitted_is_followed_by_initialize_which_may_be() {
    for status in [401, 403] {
        let mut stage = Stage::new(http(Settings::default()));
        let connect = stage.connect(None);
        stage.open();
        let probe = stage.sent_one();
        stage.fail(id(&probe), failure(FailureKind::Refused, Some(status)));
        let initialize = stage.sent_one();
        assert_eq!(initialize["method"], "initialize");
        stage.answer(&initialize, &initialized_at("2025-11-25"));
        assert_eq!(stage.sent()[0]["method"], "notifications/initialized");
        assert_eq!(stage.connected(connect), None, "the stream of the server is awaited");
        // Where that is refused, too, the first refusal is the outcome, unless the second says what to do.
        for second in [status, 404, 405] {
            let mut stage = Stage::new(http(Settings::default()));
            let connect = stage.connect(None);
            stage.open();
            let probe = stage.sent_one();
            let mut refused = failure(FailureKind::Refused, Some(401));
            refused.http = Some(status);
            stage.fail(id(&probe), refused);
            let initialize = stage.sent_one();
            stage.fail(id(&initialize), failure(FailureKind::Refused, Some(second)));
            assert_eq!(stage.connected(connect), Some(Err(Status::Auth)), "{status} {second}");
            assert_eq!(stage.engine.state(), State::Closed);
        }
    }
}

/// Opens a connection to a server that permits `server/discover` to no client. Gives the request for `initialize`.
fn initialize_after_a_forbidden_probe(stage: &mut Stage) -> Value {
    stage.open();
    let probe = stage.sent_one();
    assert_eq!(probe["method"], "server/discover");
    stage.fail(id(&probe), failure(FailureKind::Refused, Some(403)));
    let initialize = stage.sent_one();
    assert_eq!(initialize["method"], "initialize");
    initialize
}

#[test]
fn a_login_that_fails_for_initialize_is_told_and_not_the_probe_that_was_forbidden() {
    for kind in [FailureKind::NotLoggedIn, FailureKind::Refused] {
        let mut stage = Stage::new(http(Settings::default()));
        let connect = stage.connect(None);
        let initialize = initialize_after_a_forbidden_probe(&mut stage);
        let mut refused = failure(kind, Some(401));
        refused.error.message = "run `login`".to_owned();
        refused.error = refused.error.with("oauth_error", "access_denied");
        stage.fail(id(&initialize), refused);
        assert_eq!(stage.connected(connect), Some(Err(Status::Auth)));
        assert_eq!(stage.engine.state(), State::Closed);
        let told = stage.engine.failure().expect("a failure");
        assert_eq!((&*told.message, &told.details["oauth_error"]), ("run `login`", &json!("access_denied")));
    }
}

#[test]
fn a_server_that_forbids_the_probe_and_restarts_is_connected_to_again() {
    for status in [408, 425, 429, 500, 502, 503, 504] {
        let mut stage = Stage::new(http(Settings::default()));
        let connect = stage.connect(None);
        let initialize = initialize_after_a_forbidden_probe(&mut stage);
        stage.answer(&initialize, &initialized_at("2025-11-25"));
        stage.listening();
        assert_eq!(stage.connected(connect), Some(Ok(())));
        stage.sent();
        stage.lose("it restarts");
        stage.come_back();
        stage.open();
        // The era is known from before, and forgotten with this failure.
        let initialize = stage.sent_one();
        assert_eq!(initialize["method"], "initialize");
        stage.fail(id(&initialize), failure(FailureKind::Refused, Some(status)));
        for _ in 0..2 {
            assert_eq!(stage.engine.state(), State::Backoff, "{status}");
            stage.come_back();
            let initialize = initialize_after_a_forbidden_probe(&mut stage);
            stage.fail(id(&initialize), failure(FailureKind::Refused, Some(status)));
        }
        assert_eq!(stage.engine.state(), State::Backoff, "{status}");
        assert_eq!(stage.engine.failure().expect("a failure").message, "it failed");
        stage.come_back();
        let initialize = initialize_after_a_forbidden_probe(&mut stage);
        stage.answer(&initialize, &initialized_at("2025-11-25"));
        stage.listening();
        assert_eq!(stage.engine.state(), State::Ready, "{status}");
    }
}

#[test]
fn a_login_that_may_succeed_the_next_time_is_tried_again() {
    let mut stage = Stage::new(http(Settings::default()));
    let connect = stage.connect(None);
    stage.open();
    let probe = stage.sent_one();
    let mut failure = failure(FailureKind::Refused, Some(401));
    failure.error.retryable = true;
    stage.fail(id(&probe), failure);
    assert_eq!(stage.connected(connect), Some(Err(Status::Auth)));
    assert_eq!(stage.engine.state(), State::Backoff);
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_one()["method"], "server/discover");
}

#[test]
fn a_refused_initialize_is_tried_as_a_server_of_2024_11_05_and_both_stories_are_told() {
    let mut stage = Stage::new(http(Settings::default()));
    let connect = stage.connect(None);
    stage.open();
    let probe = stage.sent_one();
    stage.fail(id(&probe), failure(FailureKind::Refused, Some(404)));
    let initialize = stage.sent_one();
    stage.fail(id(&initialize), failure(FailureKind::Refused, Some(405)));
    assert_eq!(stage.engine.state(), State::Starting);
    let error = Error::new(Status::Protocol, "connect", "no stream there");
    stage.engine.failed_to_start(stage.now, stage.engine.generation(), error);
    stage.pass(ms(0));
    assert_eq!(stage.connected(connect), Some(Err(Status::Protocol)));
    let story = &stage.engine.failure().expect("a failure").message;
    assert!(story.contains("it failed") && story.contains("no stream there"), "{story}");
    // The next attempt begins at the top again.
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_one()["method"], "server/discover");
}

#[test]
fn a_server_of_2024_11_05_is_ready_without_listening() {
    let mut stage = Stage::opened(http(legacy()));
    let initialize = stage.sent_one();
    stage.fail(id(&initialize), failure(FailureKind::Refused, Some(404)));
    stage.open();
    let initialize = stage.sent_one();
    stage.answer(&initialize, &initialized_at("2024-11-05"));
    assert_eq!(stage.engine.state(), State::Ready);
}

#[test]
fn without_permission_for_2024_11_05_there_is_no_falling_back() {
    let mut stage = Stage::opened(http(Settings {
        allowed: vec![crate::protocol::Revision::V2025_11_25],
        ..Settings::default()
    }));
    let initialize = stage.sent_one();
    stage.fail(id(&initialize), failure(FailureKind::Refused, Some(404)));
    assert_eq!(stage.engine.state(), State::Backoff);
}

#[test]
fn who_waits_for_the_connection_waits_for_the_login() {
    let mut stage = Stage::new(http(Settings::default()));
    let before = stage.call("tools/list");
    stage.open();
    let probe = stage.sent_one();
    let generation = stage.engine.generation();
    stage.engine.waits_for_login(stage.now, generation, id(&probe), crate::engine::LoginWait::Person);
    let meanwhile = stage.call("tools/list");
    stage.pass(ms(120_000));
    assert!(stage.reply(before).is_none() && stage.reply(meanwhile).is_none(), "the person's time");
    stage.engine.waits_for_login(stage.now, generation, id(&probe), crate::engine::LoginWait::Over);
    stage.pass(ms(29_000));
    assert!(stage.reply(before).is_none() && stage.reply(meanwhile).is_none(), "all of their own time again");
    stage.pass(ms(2_000));
    assert_eq!((stage.status(before), stage.status(meanwhile)), (Status::Timeout, Status::Timeout));
}
