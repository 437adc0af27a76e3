//! Connections: opened, waited for, lost, made again, closed. What calls made meanwhile get, which calls are sent again, what a new
//! connection is told again, and logins, whose time is not the server's.

use super::exchanges::{failure, http, id};
use super::stage::{Made, Saw, Stage, declaring, legacy, modern, ms};
use crate::engine::{CallOptions, FailureKind, LoginWait, Reconnect, Retry, Settings, State, Status};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn nothing_happens_until_somebody_connects_or_calls() {
    let mut stage = Stage::new(legacy());
    stage.pass(ms(1_000_000));
    assert_eq!((stage.engine.state(), stage.engine.next_deadline()), (State::Idle, None));
    assert!(stage.take().is_empty());

    stage.call("tools/list");
    assert_eq!(stage.engine.state(), State::Starting);
    assert!(stage.take().iter().any(|saw| matches!(saw, Saw::Opened(1))));
}

#[test]
fn calls_made_before_ready_wait_and_are_sent_in_the_order_they_were_made() {
    let mut stage = Stage::new(legacy());
    let methods = ["tools/list", "prompts/list", "resources/list", "tools/call"];
    stage.call(methods[0]);
    stage.call(methods[1]);
    stage.open();
    stage.call(methods[2]);
    stage.call(methods[3]);
    assert_eq!(stage.sent_methods(), ["initialize"]);
    let mut stage = Stage::new(legacy());
    let calls: Vec<_> = methods.map(|method| stage.call(method)).into();
    stage.open();
    stage.shake_hands();
    assert_eq!(
        stage.sent_methods(),
        ["notifications/initialized", "tools/list", "prompts/list", "resources/list", "tools/call"]
    );
    assert!(calls.iter().all(|call| stage.reply(*call).is_none()));
}

#[test]
fn parameters_and_metadata_of_a_call_that_waited_are_sent_unchanged() {
    let mut stage = Stage::new(legacy());
    let options = CallOptions { meta: r#""traceparent":"00-1""#.to_owned(), ..CallOptions::default() };
    stage.try_call("tools/call", Some(r#"{"name":"echo","deep":[[[[]]]]}"#), &options).expect("accepted");
    stage.open();
    stage.shake_hands();
    let request = stage.sent().pop().expect("the call");
    assert_eq!(request["params"]["name"], "echo");
    assert_eq!(request["params"]["deep"], serde_json::json!([[[[]]]]));
    assert_eq!(request["params"]["_meta"]["traceparent"], "00-1");
}

#[test]
fn a_call_that_ends_while_it_waits_is_never_sent() {
    let mut stage = Stage::new(legacy());
    let cancelled = stage.call("tools/list");
    let timed_out =
        stage.call_with("tools/list", CallOptions { timeout: Some(ms(5)), ..CallOptions::default() });
    let kept = stage.call("prompts/list");
    stage.cancel(cancelled, "");
    stage.pass(ms(5));
    assert_eq!((stage.status(cancelled), stage.status(timed_out)), (Status::Cancelled, Status::Timeout));
    assert!(stage.error(timed_out).message.starts_with("the server was not ready within 5 ms"));
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.sent_methods(), ["notifications/initialized", "prompts/list"]);
    assert_eq!(stage.reply(kept), None);
}

#[test]
fn calls_that_end_while_they_wait_leave_nothing_behind() {
    let mut stage = Stage::new(legacy());
    for _ in 0..10_000 {
        let made = stage.call("tools/list");
        stage.cancel(made, "");
    }
    assert!(
        stage.engine.calls.waiting().len() <= 70,
        "{} places in the row",
        stage.engine.calls.waiting().len()
    );
    assert!(stage.engine.deadlines.len() <= 70);
}

#[test]
fn each_one_who_connects_gets_exactly_one_answer() {
    let mut stage = Stage::new(legacy());
    let before = stage.connect(None);
    stage.open();
    let during = stage.connect(Some(ms(60_000)));
    assert_eq!((stage.connected(before), stage.connected(during)), (None, None));
    stage.shake_hands();
    let after = stage.connect(None);
    for waiter in [before, during, after] {
        assert_eq!(stage.connected(waiter), Some(Ok(())));
    }
    // The stage fails on a second answer.
    stage.pass(ms(100_000));
    stage.lose("it died");
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
}

#[test]
fn one_who_connects_is_told_of_the_first_failed_attempt() {
    let mut stage = Stage::new(legacy());
    let waiter = stage.connect(None);
    stage.lose("there is no such command");
    assert_eq!(stage.connected(waiter), Some(Err(Status::Transport)));
    assert_eq!(stage.engine.failure().map(|error| error.message.as_str()), Some("there is no such command"));

    let in_backoff = stage.connect(None);
    assert_eq!(stage.connected(in_backoff), None, "waits for the next attempt");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    assert_eq!(stage.connected(in_backoff), Some(Ok(())));
    assert_eq!(stage.engine.failure(), None);
}

#[test]
fn one_who_connects_waits_no_longer_than_it_said() {
    let mut stage = Stage::new(legacy());
    let patient = stage.connect(Some(ms(500)));
    let hasty = stage.connect(Some(ms(100)));
    assert_eq!(stage.pass_to_deadline(), ms(100));
    assert_eq!((stage.connected(hasty), stage.connected(patient)), (Some(Err(Status::Timeout)), None));
    assert_eq!(stage.pass_to_deadline(), ms(400));
    assert_eq!(stage.connected(patient), Some(Err(Status::Timeout)));
    assert_eq!(stage.engine.state(), State::Starting, "the attempt itself goes on");
}

#[test]
fn no_more_calls_are_under_way_than_the_bound_allows() {
    let mut stage = Stage::ready(Settings { in_flight: 2, ..legacy() });
    let first = stage.call("tools/list");
    stage.call("tools/list");
    let error = stage.refused_call("tools/list");
    assert_eq!(error.status, Status::Backpressure);
    assert!(error.message.contains("limits.in_flight"));
    let requests = stage.sent();
    stage.answer(&requests[0], &serde_json::json!({}));
    assert_eq!(stage.status(first), Status::Ok);
    stage.call("tools/list");

    let mut stage = Stage::new(Settings { in_flight: 1, ..legacy() });
    stage.call("tools/list");
    assert_eq!(stage.refused_call("tools/list").status, Status::Backpressure, "those that wait count");
}

#[test]
fn the_handshake_belongs_to_the_library() {
    let mut stage = Stage::ready(legacy());
    assert_eq!(stage.refused_call("initialize").status, Status::InvalidArgument);
    assert_eq!(stage.engine.pending(), 0);
}

#[test]
fn a_notification_needs_a_ready_connection() {
    let mut stage = Stage::new(legacy());
    let told = |stage: &mut Stage| {
        let now = stage.now;
        stage.engine.notify(now, "notifications/roots/list_changed", None).map_err(|error| error.status)
    };
    assert_eq!(told(&mut stage), Err(Status::Unavailable));
    stage.connect(None);
    assert_eq!(told(&mut stage), Err(Status::Unavailable));
    stage.open();
    assert_eq!(told(&mut stage), Err(Status::Unavailable));
    stage.shake_hands();
    stage.sent();
    assert_eq!(told(&mut stage), Ok(()));
    stage.pass(ms(0));
    assert_eq!(stage.sent_methods(), ["notifications/roots/list_changed"]);
    stage.lose("it died");
    assert_eq!(told(&mut stage), Err(Status::Unavailable));
    stage.close();
    assert_eq!(told(&mut stage), Err(Status::Closed));
}

#[test]
fn a_connect_that_times_out_names_the_step_and_the_last_failure() {
    let told = |stage: &mut Stage| {
        let ticket = stage.connect(Some(ms(5)));
        stage.pass(ms(5));
        let error = stage.connect_error(ticket).expect("an error");
        (error.details["step"].as_str().unwrap_or_default().to_owned(), error.message.clone())
    };
    let mut stage = Stage::new(Settings::default());
    assert_eq!(
        told(&mut stage),
        (
            "starting".to_owned(),
            "the server was not ready within 5 ms: it is being started or connected to; allow more time; the \
             attempt goes on"
                .to_owned()
        )
    );
    stage.open();
    let (step, message) = told(&mut stage);
    assert_eq!(step, "probing");
    assert!(message.contains("it has not answered server/discover"), "{message}");
    stage.text("Usage: server [OPTIONS]");
    let (_, message) = told(&mut stage);
    assert!(message.ends_with("is not an MCP message: Usage: server [OPTIONS]"), "{message}");
    stage.pass(Settings::default().timeouts.probe);
    let (step, message) = told(&mut stage);
    assert_eq!(step, "initialize");
    assert!(message.contains("it has not answered initialize"), "{message}");
    stage.lose("it exited with status 3");
    let ticket = stage.connect(Some(ms(1)));
    stage.pass(ms(1));
    let error = stage.connect_error(ticket).expect("an error");
    assert_eq!(error.details["step"], "backoff");
    assert!(error.message.contains("the next attempt to connect is in "), "{}", error.message);
    assert!(
        error.message.contains("; the last attempt failed: it exited with status 3"),
        "{}",
        error.message
    );
}

#[test]
fn a_call_that_times_out_before_the_connection_names_the_step() {
    let mut stage = Stage::new(legacy());
    let call = stage.call_with("tools/list", CallOptions { timeout: Some(ms(5)), ..CallOptions::default() });
    stage.open();
    stage.pass(ms(5));
    let error = stage.error(call);
    assert_eq!(
        (error.details["step"].as_str(), error.details["sent"].as_bool()),
        (Some("initialize"), Some(false))
    );
    assert_eq!(
        error.message,
        "the server was not ready within 5 ms: it has not answered initialize; raise timeout_ms if the server starts \
         slowly"
    );
}

#[test]
fn a_program_that_repeats_what_it_is_sent_is_no_server() {
    for settings in [legacy(), modern(), Settings::default()] {
        let mut stage = Stage::opened(settings);
        let ticket = stage.connect(None);
        let request = stage.sent_one();
        stage.frame(&request);
        let error = stage.connect_error(ticket).expect("an error");
        assert_eq!(error.status, Status::Protocol);
        assert!(
            error.message.starts_with("this is not an MCP server: it echoes what it receives"),
            "{}",
            error.message
        );
        assert!(stage.sent().is_empty(), "nothing is answered");
    }
}

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
        engine.waiters.len(),
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

/// Makes a call that the server grants.
fn granted(stage: &mut Stage, method: &str, params: &Value) {
    let options = CallOptions::default();
    let call = stage.try_call(method, Some(&params.to_string()), &options).expect("accepted");
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
}

fn lose_and_reconnect(stage: &mut Stage) {
    stage.lose("it died");
    stage.come_back();
    stage.sent();
    stage.open();
    stage.shake_hands();
}

#[test]
fn the_log_level_and_the_live_subscriptions_are_restored_before_any_call_is_sent() {
    let mut stage = Stage::ready(Settings { wait_when_unavailable: true, ..legacy() });
    granted(&mut stage, "logging/setLevel", &json!({"level": "info"}));
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    for uri in ["file:///a", "file:///b"] {
        granted(&mut stage, "resources/subscribe", &json!({"uri": uri}));
    }
    granted(&mut stage, "resources/unsubscribe", &json!({"uri": "file:///a"}));
    stage.lose("it died");
    stage.call("tools/list");
    stage.come_back();
    stage.open();
    stage.shake_hands();
    let sent: Vec<(Value, Value)> =
        stage.sent().iter().map(|frame| (frame["method"].clone(), frame["params"].clone())).collect();
    assert_eq!(
        sent,
        [
            (json!("notifications/initialized"), Value::Null),
            (json!("logging/setLevel"), json!({"level": "debug"})),
            (json!("resources/subscribe"), json!({"uri": "file:///b"})),
            (json!("tools/list"), Value::Null),
        ]
    );
}

#[test]
fn what_the_server_did_not_grant_is_not_restored() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions::default();
    stage.try_call("resources/subscribe", Some(r#"{"uri":"file:///a"}"#), &options).expect("accepted");
    let request = stage.sent_one();
    stage.refuse(&request, -32602, &Value::Null);
    lose_and_reconnect(&mut stage);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
}

#[test]
fn the_answer_to_what_is_restored_goes_to_nobody_and_a_refusal_is_logged() {
    let mut stage = Stage::ready(legacy());
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    granted(&mut stage, "resources/subscribe", &json!({"uri": "file:///a"}));
    lose_and_reconnect(&mut stage);
    let sent = stage.sent();
    stage.take();
    stage.answer(&sent[1], &json!({}));
    stage.refuse(&sent[2], -32602, &Value::Null);
    let saw = stage.take();
    let [Saw::Logged(record)] = saw.as_slice() else { panic!("{saw:?}") };
    assert_eq!(record.event, "connection.restore_failed");
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (0, 0));
    assert!(stage.engine.exchanges.all().len() == 0);
}

#[test]
fn a_modern_server_keeps_nothing_so_nothing_is_restored() {
    let mut stage = Stage::ready(modern());
    granted(&mut stage, "logging/setLevel", &json!({"level": "debug"}));
    lose_and_reconnect(&mut stage);
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

fn retrying() -> Settings {
    let reconnect = Some(Reconnect { jitter: 0.0, ..Reconnect::default() });
    Settings { retry: Retry::Safe, reconnect, ..legacy() }
}

fn reconnect(stage: &mut Stage) {
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
    reconnect(&mut stage);
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
    reconnect(&mut stage);
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
        reconnect(&mut stage);
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
    reconnect(&mut stage);
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
    reconnect(&mut stage);
    assert_eq!(stage.sent_methods(), ["notifications/initialized"]);
}

fn login(stage: &mut Stage, exchange: u64, waits: bool) {
    let generation = stage.engine.generation();
    let wait = if waits { LoginWait::Person } else { LoginWait::Over };
    stage.engine.waits_for_login(stage.now, generation, exchange, wait);
    stage.pass(ms(0));
}

/// The time until a call is over, as things stand.
fn left(stage: &Stage, made: Made) -> u64 {
    let deadline = stage.engine.deadline_of(made.call).expect("under way");
    u64::try_from((deadline - stage.now).as_millis()).expect("small")
}

#[test]
fn a_handshake_that_is_signed_at_each_attempt_gives_nobody_their_time_anew() {
    let mut stage = Stage::new(http(Settings { wait_when_unavailable: true, ..modern() }));
    let made = stage.call("tools/list");
    let (mut signing, start) = (ms(0), stage.now);
    while stage.reply(made).is_none() {
        assert!(stage.now - start < ms(120_000), "the call waits longer than its time");
        match stage.engine.state() {
            State::Starting => {
                stage.open();
                let probe = stage.sent_one();
                login(&mut stage, id(&probe), true);
                stage.pass(ms(500));
                signing += ms(500);
                login(&mut stage, id(&probe), false);
            }
            _ => drop(stage.pass_to_deadline()),
        }
    }
    assert_eq!(stage.status(made), Status::Timeout);
    assert_eq!(stage.now - start, ms(30_000) + signing);
    assert!(signing > ms(500), "it was tried more than once");
}

#[test]
fn a_call_goes_on_after_a_login_with_what_it_had_left() {
    let mut stage = Stage::ready(http(Settings { change_notifications: false, ..modern() }));
    let made = stage.call("prompts/list");
    let request = stage.sent_one();
    stage.pass(ms(20_000));
    login(&mut stage, id(&request), true);
    // Told twice: it is one login all the same.
    stage.pass(ms(15_000));
    login(&mut stage, id(&request), true);
    stage.pass(ms(60_000));
    assert_eq!(left(&stage, made), 600_000 - 95_000);
    login(&mut stage, id(&request), false);
    assert_eq!(left(&stage, made), 10_000);
    login(&mut stage, id(&request), false);
    stage.pass(ms(9_999));
    assert!(stage.reply(made).is_none());
    stage.pass(ms(1));
    assert_eq!(stage.status(made), Status::Timeout);
}

#[test]
fn a_login_that_ends_with_its_connection_stops_no_time_any_more() {
    let mut stage = Stage::new(http(Settings { wait_when_unavailable: true, ..legacy() }));
    let made = stage.call("prompts/list");
    stage.open();
    let initialize = stage.sent_one();
    stage.pass(ms(5_000));
    login(&mut stage, id(&initialize), true);
    stage.pass(ms(40_000));
    stage.fail(id(&initialize), failure(FailureKind::Unreachable, None));
    assert_eq!((stage.engine.state(), left(&stage, made)), (State::Backoff, 25_000));
}

#[test]
fn an_answer_that_comes_in_the_midst_of_a_login_ends_it() {
    let mut stage = Stage::new(http(Settings { change_notifications: false, ..Settings::default() }));
    let made = stage.call("prompts/list");
    stage.open();
    let probe = stage.sent_one();
    login(&mut stage, id(&probe), true);
    stage.pass(ms(40_000));
    stage.refuse(&probe, -32601, &serde_json::Value::Null);
    let initialize = stage.sent_one();
    assert_eq!((initialize["method"].as_str(), left(&stage, made)), (Some("initialize"), 30_000));
    login(&mut stage, id(&initialize), true);
    stage.pass(ms(40_000));
    stage.answer(&initialize, &super::stage::initialized_at("2025-11-25"));
    stage.listening();
    assert_eq!((stage.engine.state(), left(&stage, made)), (State::Ready, 30_000));
}

#[test]
fn what_a_login_asks_servers_counts_as_the_calls_time() {
    let mut stage = Stage::ready(http(Settings { change_notifications: false, ..modern() }));
    let made = stage.call("prompts/list");
    let exchange = id(&stage.sent_one());
    let generation = stage.engine.generation();
    let asks = |stage: &mut Stage, wait| {
        stage.engine.waits_for_login(stage.now, generation, exchange, wait);
        stage.pass(ms(0));
    };
    asks(&mut stage, LoginWait::Servers);
    stage.pass(ms(10_000));
    assert_eq!(left(&stage, made), 20_000);
    asks(&mut stage, LoginWait::Person);
    stage.pass(ms(60_000));
    asks(&mut stage, LoginWait::Servers);
    assert_eq!(left(&stage, made), 20_000, "the person's time does not");
    stage.pass(ms(20_000));
    assert_eq!(stage.status(made), Status::Timeout);
}

#[test]
fn a_step_of_the_handshake_waits_for_what_a_login_asks_servers_and_a_call_does_not() {
    let mut stage = Stage::new(http(Settings::default()));
    let made = stage.call("tools/list");
    stage.open();
    let probe = stage.sent_one();
    let generation = stage.engine.generation();
    stage.engine.waits_for_login(stage.now, generation, id(&probe), LoginWait::Servers);
    stage.pass(ms(30_000));
    assert_eq!(stage.status(made), Status::Timeout);
    assert_eq!(stage.engine.state(), State::Initializing);
    assert!(stage.sent().is_empty(), "the probe is not given up: the server has not had it");
}
