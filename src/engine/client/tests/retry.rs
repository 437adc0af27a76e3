//! Calls that are sent again after the connection was lost.

use super::stage::{Made, Stage, legacy, ms};
use crate::engine::{CallOptions, Reconnect, Retry, Settings, State, Status};
use serde_json::json;

fn retrying() -> Settings {
    let reconnect = Some(Reconnect { jitter: 0.0, ..Reconnect::default() });
    Settings { retry: Retry::Safe, reconnect, ..legacy() }
}

fn back_again(stage: &mut Stage) {
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
}

#[test]
fn by_default_a_call_under_way_ends_with_the_connection() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/list");
    stage.lose("it exited with status 3");
    assert_eq!(stage.status(call), Status::Transport);
    assert_eq!(
        (stage.error(call).message.as_str(), stage.error(call).retryable),
        ("it exited with status 3", true)
    );
    assert_eq!(stage.counters().lost_calls, 1);
}

#[test]
fn a_safe_call_is_sent_again_with_a_new_id_and_ends_once() {
    let mut stage = Stage::ready(retrying());
    let call = stage
        .try_call("resources/read", Some(r#"{"uri":"file:///a"}"#), &CallOptions::default())
        .expect("accepted");
    let first = stage.sent_one();
    stage.lose("it died");
    assert_eq!(stage.reply(call), None);
    back_again(&mut stage);
    let second = stage.sent().pop().expect("the call again");
    assert_eq!((&second["method"], &second["params"]), (&first["method"], &first["params"]));
    assert_ne!(second["id"], first["id"]);
    stage.answer(&first, &json!({"old": true}));
    assert_eq!((stage.reply(call), stage.counters().late_answers), (None, 1));
    stage.answer(&second, &json!({"new": true}));
    assert_eq!(stage.result(call), json!({"new": true}));
    assert_eq!((stage.counters().retries, stage.counters().calls), (1, 1));
}

#[test]
fn a_tool_call_is_never_sent_twice() {
    let mut stage = Stage::ready(retrying());
    let call = stage.call("tools/call");
    let unknown = stage.call("made/up");
    stage.lose("it died");
    assert_eq!((stage.status(call), stage.status(unknown)), (Status::Transport, Status::Transport));
}

#[test]
fn a_tool_that_says_it_does_no_harm_is_called_again() {
    let mut stage = Stage::ready(retrying());
    stage.call("tools/list");
    let request = stage.sent_one();
    let read_only = json!({"name": "look", "annotations": {"readOnlyHint": true}});
    stage.answer(&request, &json!({"tools": [read_only, {"name": "write"}]}));
    let options = CallOptions::default();
    let safe = stage.try_call("tools/call", Some(r#"{"name":"look"}"#), &options).expect("accepted");
    let unsafe_one = stage.try_call("tools/call", Some(r#"{"name":"write"}"#), &options).expect("accepted");
    stage.lose("it died");
    assert_eq!((stage.reply(safe), stage.status(unsafe_one)), (None, Status::Transport));
    back_again(&mut stage);
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/call"]);
    let stale = stage.try_call("tools/call", Some(r#"{"name":"look"}"#), &options).expect("accepted");
    stage.lose("it died");
    assert_eq!(stage.status(stale), Status::Transport, "the next server may have another tool of that name");
}

#[test]
fn the_call_goes_before_the_config() {
    let mut stage = Stage::ready(retrying());
    let never = CallOptions { retry: Some(Retry::Never), ..CallOptions::default() };
    let call = stage.call_with("tools/list", never);
    stage.lose("it died");
    assert_eq!(stage.status(call), Status::Transport);

    let mut stage = Stage::ready(legacy());
    let safe = CallOptions { retry: Some(Retry::Safe), ..CallOptions::default() };
    let call = stage.call_with("tools/list", safe);
    stage.lose("it died");
    assert_eq!(stage.reply(call), None);
}

#[test]
fn a_call_is_sent_again_no_more_often_than_configured() {
    let mut stage = Stage::ready(Settings { max_retries: 2, ..retrying() });
    let call =
        stage.call_with("tools/list", CallOptions { timeout: Some(ms(60_000)), ..CallOptions::default() });
    for _ in 0..2 {
        stage.lose("it died");
        assert_eq!(stage.reply(call), None);
        back_again(&mut stage);
    }
    stage.lose("it died");
    assert_eq!((stage.status(call), stage.counters().retries), (Status::Transport, 2));
}

#[test]
fn the_time_of_a_call_goes_on_while_it_waits_to_be_sent_again() {
    let mut stage = Stage::ready(retrying());
    let call =
        stage.call_with("tools/list", CallOptions { timeout: Some(ms(1500)), ..CallOptions::default() });
    stage.lose("it died");
    stage.come_back();
    assert_eq!(stage.reply(call), None);
    stage.pass(ms(500));
    assert_eq!(stage.status(call), Status::Timeout);
    assert_eq!(stage.error(call).details["sent"], true, "on the connection before");
}

#[test]
fn a_failed_attempt_in_between_does_not_end_it_but_the_last_one_does() {
    let reconnect = Some(Reconnect { max_attempts: Some(2), ..Reconnect::default() });
    let mut stage = Stage::ready(Settings { reconnect, ..retrying() });
    let call = stage.call("tools/list");
    stage.lose("it died");
    stage.come_back();
    stage.lose("it could not be started");
    assert_eq!(stage.reply(call), None);
    stage.come_back();
    stage.lose("nor this time");
    assert_eq!((stage.engine.state(), stage.status(call)), (State::Closed, Status::Transport));
}

#[test]
fn without_reconnection_there_is_nothing_to_be_sent_again_on() {
    let mut stage = Stage::ready(Settings { reconnect: None, ..retrying() });
    let call = stage.call("tools/list");
    stage.lose("it died");
    assert_eq!((stage.status(call), stage.counters().retries), (Status::Transport, 0));
}

#[test]
fn calls_sent_again_keep_their_order_before_those_made_meanwhile() {
    let mut stage = Stage::ready(Settings { wait_when_unavailable: true, ..retrying() });
    let methods = ["tools/list", "prompts/list", "resources/list"];
    let calls: Vec<Made> = methods.map(|method| stage.call(method)).into();
    stage.lose("it died");
    stage.call("completion/complete");
    back_again(&mut stage);
    let mut expected = vec!["notifications/initialized"];
    expected.extend(methods);
    expected.push("completion/complete");
    assert_eq!(stage.sent_methods(), expected);
    assert!(calls.iter().all(|call| stage.reply(*call).is_none()));
}

#[test]
fn a_call_that_waits_to_be_sent_again_can_be_cancelled_in_silence() {
    let mut stage = Stage::ready(retrying());
    let call = stage.call("tools/list");
    stage.lose("it died");
    assert!(stage.cancel(call, ""));
    back_again(&mut stage);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
}
