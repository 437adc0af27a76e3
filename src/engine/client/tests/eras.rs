//! What is remembered of a server's era from one connection to the next, and what makes it doubtful.

use super::stage::{Saw, Stage, initialized_at};
use crate::engine::{Settings, State, Status};
use crate::protocol::Era;
use serde_json::Value;

#[test]
fn a_server_that_ends_when_it_is_probed_is_started_again_for_initialize() {
    let mut stage = Stage::new(Settings::default());
    let waiter = stage.connect(None);
    let call = stage.call("tools/list");
    stage.open();
    stage.take();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    stage.lose("it exited with status 1");

    let ends_and_starts: Vec<String> = stage
        .take()
        .iter()
        .filter(|saw| matches!(saw, Saw::Shut(_) | Saw::Opened(_)))
        .map(|saw| format!("{saw:?}"))
        .collect();
    assert_eq!(ends_and_starts, ["Shut(1)", "Opened(2)"], "the first process goes before the second comes");
    assert_eq!(stage.engine.state(), State::Starting, "at once, without a wait");
    assert_eq!(stage.connected(waiter), None);
    stage.open();
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.answer(&request, &initialized_at("2025-11-25"));
    assert_eq!(stage.connected(waiter), Some(Ok(())));
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"]);
    assert_eq!(stage.reply(call), None);
    assert_eq!(stage.counters().failed_attempts, 0);
}

#[test]
fn a_legacy_server_is_not_probed_again_when_it_comes_back() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.refuse(&probe, -32601, &Value::Null);
    stage.shake_hands();
    for _ in 0..3 {
        stage.lose("it died");
        stage.come_back();
        stage.sent();
        stage.open();
        stage.shake_hands();
        assert_eq!(stage.engine.era(), Some(Era::Legacy));
    }
    assert_eq!(stage.counters().connections, 4);
}

#[test]
fn a_modern_server_is_asked_again_since_it_may_have_been_updated() {
    let mut stage = Stage::ready(Settings::default());
    stage.lose("it died");
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
}

#[test]
fn an_era_inferred_from_silence_is_forgotten_when_initialize_then_fails() {
    let mut stage = Stage::opened(Settings::default());
    stage.pass_to_deadline();
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
    stage.lose("it died");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods(), ["server/discover"]);
}

#[test]
fn a_server_that_ends_whatever_it_is_told_is_given_a_wait() {
    let mut stage = Stage::opened(Settings::default());
    stage.lose("it died");
    assert_eq!(stage.engine.state(), State::Starting);
    stage.open();
    stage.lose("it died again");
    assert_eq!(stage.engine.state(), State::Backoff);
    assert_eq!(stage.counters().failed_attempts, 1);
}

#[test]
fn a_failed_start_says_nothing_of_the_era() {
    let mut stage = Stage::opened(Settings::default());
    stage.lose("it exited when it was probed");
    stage.lose("it could not be started");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, Some(Era::Legacy)));
}

#[test]
fn a_modern_server_replaced_by_a_legacy_one_that_ends_when_probed_is_found_again() {
    let mut stage = Stage::ready(Settings::default());
    stage.lose("it was replaced");
    stage.come_back();
    stage.open();
    stage.lose("it exited when it was probed");
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    stage.lose("it exited when it was probed");
    stage.sent();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.engine.era(), Some(Era::Legacy));
}

#[test]
fn a_legacy_server_replaced_by_a_modern_one_is_found_again() {
    let mut stage = Stage::opened(Settings::default());
    let probe = stage.sent_one();
    stage.refuse(&probe, -32601, &Value::Null);
    stage.shake_hands();
    stage.lose("it was updated");
    stage.come_back();
    stage.sent();
    let waiter = stage.connect(None);
    stage.open();
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.refuse(&request, -32601, &Value::Null);
    assert_eq!(stage.connected(waiter), Some(Err(Status::Server)));
    stage.come_back();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.engine.era(), Some(Era::Modern));
}
