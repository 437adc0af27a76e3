//! Connecting, and calls made before the connection is ready.

use super::stage::{Saw, Stage, legacy, modern, ms};
use crate::engine::{CallOptions, Settings, State, Status};

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
    assert!(message.ends_with("is no MCP message: Usage: server [OPTIONS]"), "{message}");
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
            error.message.starts_with("this is no MCP server: it repeats what it is sent"),
            "{}",
            error.message
        );
        assert!(stage.sent().is_empty(), "nothing is answered");
    }
}
