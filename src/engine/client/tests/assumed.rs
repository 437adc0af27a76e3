//! What clients of one process know of a server from one another, and what is said again before calls, over HTTP.

use super::stage::{Stage, discovery, initialized_at, legacy, ms};
use crate::engine::{CallOptions, Error, Failure, FailureKind, Settings, Shape, State, Status, Wire};
use crate::protocol::Era;
use serde_json::{Value, json};

fn http(settings: Settings) -> Settings {
    Settings { wire: Wire::Http, ..settings }
}

fn refused(status: u16) -> Failure {
    let error = Error::new(Status::Transport, "x", "it was refused");
    Failure { kind: FailureKind::Refused, error, http: Some(status), spoken: None }
}

/// A connection being opened to a server that is said to be of the legacy era.
fn assumed(shape: Shape) -> Stage {
    let mut stage = Stage::new(http(Settings::default()));
    assert!(stage.engine.assume_legacy(shape));
    stage.connect(None);
    stage.open();
    stage
}

/// Answers `initialize` and opens the stream of the server's own messages.
fn initialized(stage: &mut Stage) {
    let request = stage.sent_one();
    assert_eq!(request["method"], "initialize");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
}

#[test]
fn who_knows_of_a_legacy_server_does_not_probe() {
    let mut stage = assumed(Shape::Streamable);
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.remembered, [], "it was not found out again");
}

#[test]
fn an_era_that_the_application_pinned_was_not_found_out() {
    let mut stage = Stage::opened(http(legacy()));
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.remembered, []);
}

#[test]
fn what_a_handshake_showed_is_told_to_others() {
    let mut stage = Stage::opened(http(Settings::default()));
    let probe = stage.sent_one();
    stage.answer(&probe, &discovery());
    assert_eq!(stage.remembered, [None], "a modern server may have been a legacy one before");
    let mut stage = Stage::opened(http(Settings::default()));
    let probe = stage.sent_one();
    stage.fail(probe["id"].as_u64().expect("an id"), refused(404));
    initialized(&mut stage);
    assert_eq!(stage.remembered, [Some(Shape::Streamable)]);
}

#[test]
fn an_assumption_that_proves_wrong_is_dropped_and_the_server_probed_at_once() {
    // An error of the protocol, an HTTP status that else means the transport of 2024-11-05, and nonsense.
    for way in 0..3 {
        let mut stage = assumed(Shape::Streamable);
        let request = stage.sent_one();
        match way {
            0 => stage.refuse(&request, -32601, &Value::Null),
            1 => stage.fail(request["id"].as_u64().expect("an id"), refused(400)),
            _ => stage.answer(&request, &json!({})),
        }
        assert_eq!(stage.remembered, [None]);
        let probe = stage.sent_one();
        assert_eq!(probe["method"], "server/discover");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        assert_eq!(stage.counters().failed_attempts, 0);
    }
}

#[test]
fn an_assumption_ends_with_its_attempt_and_is_of_no_use_where_something_is_known() {
    let mut stage = assumed(Shape::Sse);
    stage.lose("there is no such stream");
    assert_eq!(stage.remembered, [None]);
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
    stage.come_back();
    stage.open();
    assert_eq!(stage.sent_methods().last().map(String::as_str), Some("server/discover"));
    let mut only_legacy = Stage::new(http(legacy()));
    assert!(!only_legacy.engine.assume_legacy(Shape::Streamable));
}

#[test]
fn a_busy_answer_to_the_probe_is_a_failed_attempt_and_no_verdict() {
    for status in [408, 429, 502, 503, 504] {
        let mut stage = Stage::opened(http(Settings::default()));
        let probe = stage.sent_one();
        stage.fail(probe["id"].as_u64().expect("an id"), refused(status));
        assert_eq!(stage.sent(), Vec::<Value>::new(), "no initialize");
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Backoff, None));
        stage.come_back();
        stage.open();
        stage.shake_hands();
        assert_eq!(stage.engine.era(), Some(Era::Modern));
    }
}

#[test]
fn one_who_connects_to_a_busy_server_is_told_when_to_come_back() {
    for (settings, status) in [(Settings::default(), 429), (legacy(), 503)] {
        let mut stage = Stage::new(http(settings));
        let ticket = stage.connect(None);
        stage.open();
        let request = stage.sent_one();
        let busy = Error::new(Status::Unavailable, "x", "it is busy").with("retry_after_s", 7);
        stage.fail(request["id"].as_u64().expect("an id"), Failure { error: busy, ..refused(status) });
        assert_eq!(stage.connected(ticket), Some(Err(Status::Unavailable)));
        let error = stage.connect_error(ticket).expect("an error");
        assert!(error.retryable && error.details["retry_after_s"] == 7, "{error}");
    }
}

/// A legacy connection over HTTP that was told a log level, lost, and has just shaken hands again, with a call that waits.
fn back_again() -> (Stage, super::stage::Made, Vec<Value>) {
    let mut stage = Stage::opened(http(Settings { wait_when_unavailable: true, ..legacy() }));
    initialized(&mut stage);
    let level = json!({"level": "debug"}).to_string();
    let options = CallOptions::default();
    stage.sent();
    stage.try_call("logging/setLevel", Some(&level), &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    stage.lose("it died");
    let call = stage.call("tools/list");
    stage.come_back();
    stage.open();
    initialized(&mut stage);
    assert_eq!(stage.engine.state(), State::Initializing);
    let mut sent = stage.sent();
    sent.retain(|frame| frame.get("id").is_some());
    (stage, call, sent)
}

#[test]
fn over_http_calls_wait_for_the_answers_to_what_is_restored() {
    let (mut stage, call, sent) = back_again();
    let [level] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(level["method"], "logging/setLevel");
    stage.answer(level, &json!({}));
    assert_eq!(stage.engine.state(), State::Ready);
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    assert!(stage.reply(call).is_none());
}

#[test]
fn over_http_calls_wait_no_longer_for_what_cannot_be_restored() {
    let (mut stage, _, sent) = back_again();
    stage.refuse(&sent[0], -32601, &Value::Null);
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    let (mut stage, _, sent) = back_again();
    stage.fail(sent[0]["id"].as_u64().expect("an id"), refused(500));
    assert_eq!(stage.sent_methods(), ["tools/list"]);
    let (mut stage, _, _) = back_again();
    stage.pass(ms(2000));
    assert_eq!(stage.sent_methods(), ["tools/list"], "timeouts.listen_ms");
}
