//! The waits between attempts to connect, and what calls made meanwhile get.

use super::stage::{Saw, Stage, legacy, ms};
use crate::engine::{CallOptions, Reconnect, Settings, State, Status};
use std::time::Duration;

fn steady() -> Settings {
    Settings { reconnect: Some(Reconnect { jitter: 0.0, ..Reconnect::default() }), ..legacy() }
}

fn failing(settings: Settings, attempts: usize) -> Vec<Duration> {
    let mut stage = Stage::new(settings);
    stage.connect(None);
    stage.lose("it could not be started");
    (0..attempts)
        .map(|_| {
            let wait = stage.come_back();
            stage.lose("it could not be started");
            wait
        })
        .collect()
}

#[test]
fn waits_double_from_the_first_to_the_longest() {
    let seconds: Vec<u64> = failing(steady(), 8).iter().map(Duration::as_secs).collect();
    assert_eq!(seconds, [1, 2, 4, 8, 16, 30, 30, 30]);
}

#[test]
fn waits_are_spread_within_the_jitter_and_by_the_seed_alone() {
    let waits = |seed| failing(Settings { seed, ..legacy() }, 8);
    assert_eq!(waits(1), waits(1));
    assert_ne!(waits(1), waits(2));
    let exact = failing(steady(), 8);
    let (mut shorter, mut longer) = (0, 0);
    for seed in 0..200 {
        for (wait, exact) in waits(seed).iter().zip(&exact) {
            let share = wait.as_secs_f64() / exact.as_secs_f64();
            assert!((0.8..=1.2).contains(&share), "{wait:?} for {exact:?}");
            shorter += usize::from(share < 0.9);
            longer += usize::from(share > 1.1);
        }
    }
    assert!(shorter > 300 && longer > 300, "{shorter} short and {longer} long of 1600");
}

#[test]
fn nothing_but_time_or_close_ends_the_wait() {
    let mut stage = Stage::new(steady());
    stage.connect(None);
    stage.lose("it could not be started");
    let generation = stage.engine.generation();
    stage.take();
    stage.open();
    stage.lose("again");
    stage.engine.shut(generation);
    stage.text(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    stage.connect(None);
    stage.pass(ms(999));
    assert!(stage.take().is_empty());
    assert_eq!(stage.engine.state(), State::Backoff);
    stage.pass(ms(1));
    assert_eq!((stage.engine.state(), stage.engine.generation()), (State::Starting, generation + 1));
}

#[test]
fn a_first_connection_that_is_ready_waits_for_nothing() {
    let mut stage = Stage::ready(steady());
    assert_eq!(stage.engine.next_deadline(), None, "a thread would wake for it");
    stage.lose("it is gone");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    assert!(stage.engine.next_deadline().is_some(), "the attempts are forgotten at some time");
}

#[test]
fn a_connection_that_stays_ready_long_enough_starts_the_waits_over() {
    let mut stage = Stage::ready(steady());
    for (ready_for, wait) in [(0, 1), (9_999, 2), (10_000, 1), (5_000, 2), (30_000, 1)] {
        stage.pass(ms(ready_for));
        stage.lose("it died");
        assert_eq!(stage.come_back().as_secs(), wait, "after {ready_for} ms");
        stage.sent();
        stage.open();
        stage.shake_hands();
    }
}

#[test]
fn after_the_last_attempt_the_client_closes() {
    let reconnect = Some(Reconnect { max_attempts: Some(2), ..Reconnect::default() });
    let settings = Settings { reconnect, wait_when_unavailable: true, ..legacy() };
    let mut stage = Stage::ready(settings.clone());
    stage.lose("it died");
    let waits = stage.call("tools/list");
    stage.come_back();
    stage.lose("first attempt");
    stage.come_back();
    assert_eq!(stage.reply(waits), None);
    stage.lose("second attempt");
    assert_eq!(stage.engine.state(), State::Closed);
    assert_eq!(stage.status(waits), Status::Transport);
    let error = stage.refused_call("tools/list");
    assert_eq!(
        (error.status, error.message.as_str()),
        (Status::Closed, "the client is closed: second attempt")
    );

    let mut stage = Stage::new(settings);
    stage.connect(None);
    stage.lose("the first start");
    stage.come_back();
    stage.lose("first attempt");
    stage.come_back();
    stage.lose("second attempt");
    assert_eq!(stage.engine.state(), State::Closed, "the first start is no attempt to connect again");
}

#[test]
fn without_reconnection_a_lost_connection_is_the_end() {
    let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
    let call = stage.call("tools/list");
    stage.take();
    stage.lose("it died");
    assert_eq!((stage.engine.state(), stage.status(call)), (State::Closed, Status::Transport));
    assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Shut(1))), "its process may still be there");
}

#[test]
fn a_call_made_in_backoff_fails_with_the_time_of_the_next_attempt() {
    let mut stage = Stage::ready(steady());
    stage.lose("it exited with status 3");
    stage.pass(ms(400));
    let error = stage.refused_call("tools/list");
    assert_eq!(error.status, Status::Unavailable);
    assert_eq!(error.details["next_attempt_in_ms"], 600);
    assert!(error.message.contains("it exited with status 3"), "{}", error.message);
    assert!(error.retryable);
}

#[test]
fn a_call_made_in_backoff_waits_where_that_was_chosen() {
    let waits = CallOptions { wait_when_unavailable: Some(true), ..CallOptions::default() };
    let mut stage = Stage::ready(steady());
    stage.lose("it died");
    let patient = stage.call_with("tools/list", waits.clone());
    let hasty = stage.call_with("tools/list", CallOptions { timeout: Some(ms(500)), ..waits });
    stage.pass(ms(500));
    assert_eq!((stage.status(hasty), stage.reply(patient)), (Status::Timeout, None));
    stage.come_back();
    stage.lose("not yet");
    assert_eq!(stage.reply(patient), None, "a failed attempt is not the end of it");
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "tools/list"]);

    let fails = CallOptions { wait_when_unavailable: Some(false), ..CallOptions::default() };
    let mut stage = Stage::ready(Settings { wait_when_unavailable: true, ..steady() });
    stage.lose("it died");
    let error = stage.try_call("tools/list", None, &fails).expect_err("told not to wait");
    assert_eq!(error.status, Status::Unavailable);
}

#[test]
fn a_call_that_started_the_server_is_told_when_it_does_not_start() {
    let mut stage = Stage::new(legacy());
    let call = stage.call("tools/list");
    stage.lose("there is no such command");
    assert_eq!(stage.status(call), Status::Transport);
    assert_eq!(stage.error(call).message, "there is no such command");
    assert_eq!(stage.error(call).operation, "tools/list");
}

#[test]
fn the_state_message_says_when_the_next_attempt_is() {
    let mut stage = Stage::ready(steady());
    stage.take();
    stage.lose("it died");
    let saw = stage.take();
    let Some(Saw::Moved { from: State::Ready, to: State::Backoff, reason, next_attempt }) = saw.last() else {
        panic!("{saw:?}")
    };
    assert_eq!((reason.as_str(), *next_attempt), ("it died", Some(stage.now + ms(1000))));
}
