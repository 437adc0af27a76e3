//! Closing: from every state, any number of times, and nothing left behind.

use super::stage::{Saw, Stage, declaring, legacy, ms};
use crate::engine::{CallOptions, Settings, State, Status};
use serde_json::{Value, json};

/// Every state a client can be in, by a name and a way there.
fn everywhere() -> Vec<(&'static str, Stage)> {
    let settings = || Settings { wait_when_unavailable: true, ..Settings::default() };
    let starting = || {
        let mut stage = Stage::new(settings());
        stage.connect(None);
        stage
    };
    let backoff = || {
        let mut stage = starting();
        stage.lose("it could not be started");
        stage
    };
    let closing = || {
        let mut stage = Stage::ready(settings());
        stage.close();
        stage
    };
    let closed = || {
        let mut stage = closing();
        stage.engine.shut(1);
        stage
    };
    let initializing = || {
        let mut stage = Stage::opened(settings());
        stage.pass_to_deadline();
        stage
    };
    vec![
        ("idle", Stage::new(settings())),
        ("starting", starting()),
        ("probing", Stage::opened(settings())),
        ("initializing", initializing()),
        ("ready", Stage::ready(settings())),
        ("backoff", backoff()),
        ("closing", closing()),
        ("closed", closed()),
    ]
}

fn assert_nothing_is_left(stage: &mut Stage, of: &str) {
    let engine = &mut stage.engine;
    assert_eq!(engine.state(), State::Closed, "{of}");
    assert_eq!(engine.next_deadline(), None, "{of}");
    let left = (
        engine.calls.len(),
        engine.exchanges.all().len(),
        engine.calls.waiting().len(),
        engine.connects.len(),
        engine.unanswered(),
    );
    assert_eq!(left, (0, 0, 0, 0, 0), "{of}");
}

#[test]
fn a_client_closes_from_every_state_and_as_often_as_it_is_told_to() {
    for (name, mut stage) in everywhere() {
        let call = stage.try_call("tools/list", None, &CallOptions::default()).ok();
        let waiter = stage.connect(Some(ms(5000)));
        stage.close();
        stage.take();
        for _ in 0..3 {
            stage.close();
        }
        assert!(stage.take().is_empty(), "{name}: closing again does nothing");
        if stage.engine.state() == State::Closing {
            let generation = stage.engine.generation();
            stage.engine.shut(generation);
        }
        if let Some(call) = call {
            assert_eq!(stage.status(call), Status::Closed, "{name}");
        }
        let told = stage.connected(waiter).expect("an answer");
        assert!(told == Err(Status::Closed) || (name == "ready" && told == Ok(())), "{name}: {told:?}");
        assert_nothing_is_left(&mut stage, name);
    }
}

#[test]
fn a_transport_that_is_or_may_be_open_is_told_to_end() {
    for (name, mut stage) in everywhere() {
        stage.take();
        stage.close();
        let shut = stage.take().iter().any(|saw| matches!(saw, Saw::Shut(1)));
        let expected = matches!(name, "starting" | "probing" | "initializing" | "ready");
        assert_eq!(shut, expected, "{name}");
    }
}

#[test]
fn after_close_everything_is_refused_and_nothing_is_sent() {
    for (name, mut stage) in everywhere() {
        stage.close();
        stage.sent();
        let error = stage.refused_call("tools/list");
        assert_eq!(
            (error.status, error.message.as_str()),
            (Status::Closed, "the client is closed"),
            "{name}"
        );
        let waiter = stage.connect(None);
        assert_eq!(stage.connected(waiter), Some(Err(Status::Closed)), "{name}");
        stage.open();
        stage.text(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
        stage.pass(ms(1_000_000));
        assert_eq!(stage.sent(), Vec::<Value>::new(), "{name}");
    }
}

#[test]
fn a_transport_that_ends_by_itself_while_closing_is_closed_as_well() {
    let mut stage = Stage::ready(legacy());
    stage.close();
    stage.lose("it exited");
    assert_eq!(stage.engine.state(), State::Closed);
    stage.take();
    stage.engine.shut(1);
    stage.lose("and was reaped");
    assert!(stage.take().is_empty());
}

#[test]
fn another_connections_end_does_not_close_this_one() {
    let mut stage = Stage::ready(legacy());
    stage.lose("it died");
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
    stage.engine.shut(1);
    assert_eq!(stage.engine.state(), State::Ready);
    stage.close();
    stage.engine.shut(1);
    assert_eq!(stage.engine.state(), State::Closing);
    stage.engine.shut(2);
    assert_eq!(stage.engine.state(), State::Closed);
}

#[test]
fn pending_calls_end_as_closed_in_the_order_they_were_made() {
    let mut stage = Stage::ready(declaring(legacy(), &json!({"sampling": {}})));
    let calls: Vec<u64> = (0..20).map(|_| stage.call("tools/call").call).collect();
    stage.sent();
    stage.take();
    stage.close();
    let ended: Vec<u64> = stage
        .take()
        .iter()
        .filter_map(|saw| match saw {
            Saw::Ended { call, .. } => Some(*call),
            _ => None,
        })
        .collect();
    assert_eq!(ended, calls);
    assert_eq!(stage.sent(), Vec::<Value>::new(), "the end of the stream says it all");
}

#[test]
fn a_client_that_gave_up_says_why_and_one_that_was_closed_does_not_blame_the_server() {
    let mut stage = Stage::new(Settings { reconnect: None, ..legacy() });
    stage.connect(None);
    stage.lose("there is no such command");
    assert_eq!(stage.refused_call("tools/list").message, "the client is closed: there is no such command");
    stage.close();
    assert_eq!(stage.refused_call("tools/list").message, "the client is closed: there is no such command");

    let mut stage = Stage::new(legacy());
    stage.connect(None);
    stage.lose("there is no such command");
    stage.close();
    assert_eq!(stage.refused_call("tools/list").message, "the client is closed");
}
