//! Calls: cancelled, out of time, with progress, with metadata, refused by a busy server, and what every error says of whether the
//! server may have the call (`details.sent`) and whether it may be made again (`retryable`).

use super::stage::{Made, Saw, Stage, declaring, initialized_at, legacy, modern, ms};
use super::tasks;
use crate::engine::{
    CallOptions, Error, ExchangeFailure, FailureKind, Retry, Settings, State, Status, Timeouts, Wire,
};
use crate::protocol::Revision;
use serde_json::{Value, json};

#[test]
fn a_cancelled_call_ends_at_once_and_the_server_is_told_why() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        assert!(stage.cancel(call, "the user pressed \"Escape\""));
        assert_eq!(stage.status(call), Status::Cancelled);
        assert_eq!(stage.error(call).message, "cancelled by the application: the user pressed \"Escape\"");
        assert_eq!(stage.error(call).operation, "tools/call");
        assert!(!stage.error(call).retryable);
        assert_eq!(
            stage.sent_one(),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": request["id"], "reason": "the user pressed \"Escape\""}})
        );
    }
}

#[test]
fn a_cancellation_without_a_reason_gives_the_server_none() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    let request = stage.sent_one();
    stage.cancel(call, "");
    assert_eq!(stage.sent_one()["params"], json!({"requestId": request["id"]}));
    assert_eq!(stage.error(call).message, "cancelled by the application");
}

#[test]
fn all_calls_up_to_one_are_cancelled_and_no_later_one() {
    let mut stage = Stage::ready(legacy());
    let (first, second, later) = (stage.call("ping"), stage.call("ping"), stage.call("ping"));
    stage.sent();
    stage.cancel_all(second, "interrupted");
    assert_eq!(stage.error(first).message, "cancelled by the application: interrupted");
    assert_eq!(stage.status(second), Status::Cancelled);
    assert_eq!(stage.sent().len(), 2, "the server is told");
    assert!(stage.cancel(later, "it was still there"));
}

#[test]
fn cancelling_again_does_nothing() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    assert!(stage.cancel(call, "once"));
    stage.sent();
    stage.take();
    for _ in 0..10 {
        assert!(!stage.cancel(call, "again"));
    }
    assert!(stage.take().is_empty());
    assert_eq!(stage.error(call).message, "cancelled by the application: once");
    assert_eq!(stage.counters().cancelled, 1);
}

#[test]
fn an_answer_that_came_first_wins_and_one_that_comes_later_is_late() {
    let mut stage = Stage::ready(legacy());
    let answered = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"won": true}));
    assert!(!stage.cancel(answered, ""));
    assert_eq!(stage.sent(), Vec::<Value>::new());
    assert_eq!(stage.result(answered), json!({"won": true}));

    let cancelled = stage.call("tools/call");
    let request = stage.sent_one();
    stage.cancel(cancelled, "");
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(cancelled), Status::Cancelled);
    assert_eq!(stage.counters().late_answers, 1);
}

#[test]
fn a_call_that_was_not_sent_is_cancelled_without_a_word_to_the_server() {
    let mut stage = Stage::opened(Settings::default());
    let call = stage.call("tools/call");
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    stage.cancel(call, "");
    assert_eq!(stage.status(call), Status::Cancelled);
    assert_eq!(stage.sent(), Vec::<Value>::new(), "nor is the handshake ever cancelled");
    stage.pass(ms(10_000));
    assert_eq!(stage.sent_methods(), ["initialize"]);
    stage.pass(ms(10_000));
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

#[test]
fn a_number_that_no_call_has_is_no_call() {
    let mut stage = Stage::ready(legacy());
    let now = stage.now;
    for number in [0, 1, u64::MAX] {
        assert!(!stage.engine.cancel(now, number, ""));
    }
}

fn within(millis: u64) -> CallOptions {
    CallOptions { timeout: Some(ms(millis)), ..CallOptions::default() }
}

#[test]
fn a_call_without_an_answer_ends_after_thirty_seconds_unless_told_otherwise() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    stage.pass(ms(29_999));
    assert_eq!(stage.reply(call), None);
    stage.pass(ms(1));
    assert_eq!(stage.status(call), Status::Timeout);
    let error = stage.error(call);
    assert_eq!(
        error.message,
        "the server did not answer within 30000 ms; raise timeout_ms for this call or timeouts in the config"
    );
    assert_eq!((error.details["elapsed_ms"].as_u64(), error.retryable), (Some(30_000), false));
    assert_eq!(stage.counters().timeouts, 1);
}

#[test]
fn a_call_without_an_answer_is_told_the_first_line_that_came_and_was_no_message() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    stage.text("Server listening on stdio");
    stage.text("and on a port");
    stage.pass(ms(30_000));
    let message = stage.error(call).message.clone();
    assert!(
        message.ends_with(
            ". Of what came so far, 2 were no messages; the first that was no message: Server listening on stdio"
        ),
        "{message}"
    );
    assert_eq!(stage.engine.stray_output(), Some("Server listening on stdio"));
}

#[test]
fn the_call_goes_before_its_method_and_the_method_before_the_default() {
    let mut timeouts = Timeouts { call: ms(300), ..Timeouts::default() };
    timeouts.methods.insert("resources/read".to_owned(), ms(200));
    let mut stage = Stage::ready(Settings { timeouts, ..legacy() });
    let by_default = stage.call("tools/call");
    let by_method = stage.call("resources/read");
    let by_call = stage.call_with("resources/read", within(100));
    for call in [by_call, by_method, by_default] {
        assert_eq!(stage.reply(call), None);
        assert_eq!(stage.pass_to_deadline(), ms(100));
        assert_eq!(stage.status(call), Status::Timeout);
    }
}

#[test]
fn the_server_is_told_that_the_result_is_no_longer_wanted() {
    for settings in [legacy(), modern()] {
        let mut stage = Stage::ready(settings);
        stage.call_with("tools/call", within(50));
        let request = stage.sent_one();
        stage.pass(ms(50));
        assert_eq!(
            stage.sent_one(),
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                   "params": {"requestId": request["id"], "reason": "timeout"}})
        );
    }
}

#[test]
fn a_late_answer_is_dropped_and_counted_apart_from_an_unknown_one() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(50));
    let request = stage.sent_one();
    stage.pass(ms(50));
    stage.answer(&request, &json!({"late": true}));
    stage.refuse(&request, -32800, &Value::Null);
    assert_eq!(stage.status(call), Status::Timeout);
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (2, 0));
    stage.answer(&json!({"id": 4711}), &json!({}));
    stage.answer(&json!({"id": 0}), &json!({}));
    assert_eq!((stage.counters().late_answers, stage.counters().unknown_answers), (2, 2));
    assert_eq!(stage.counters().results, 0);
}

#[test]
fn an_answer_that_is_there_before_the_clock_is_looked_at_counts() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(50));
    let request = stage.sent_one();
    stage.now += ms(60);
    stage.answer(&request, &json!({}));
    stage.pass(ms(0));
    assert_eq!(stage.status(call), Status::Ok);
    assert_eq!(stage.sent(), Vec::<Value>::new());
}

#[test]
fn the_total_bounds_a_call_whatever_its_own_time_is() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions { max_total: Some(ms(40)), ..within(50) };
    let call = stage.call_with("tools/call", options);
    assert_eq!(stage.pass_to_deadline(), ms(40));
    assert!(
        stage.error(call).message.starts_with("the server did not finish within 40 ms; raise max_total_ms")
    );
}

#[test]
fn a_time_longer_than_the_default_total_is_what_the_call_asked_for() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", within(3_600_000));
    assert_eq!(stage.pass_to_deadline(), ms(3_600_000));
    let message = &stage.error(call).message;
    assert!(message.contains("raise timeout_ms"), "raising the total would not help: {message}");
}

#[test]
fn calls_that_are_due_together_end_together() {
    let mut stage = Stage::ready(legacy());
    let calls: Vec<_> = (0..20).map(|at| stage.call_with("tools/list", within(50 + at))).collect();
    stage.pass(ms(1000));
    assert!(calls.iter().all(|call| stage.status(*call) == Status::Timeout));
    assert_eq!(stage.engine.pending(), 0);
    assert_eq!(stage.sent_methods().len(), 40);
}

#[test]
fn a_call_that_has_ended_is_due_no_more() {
    let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
    stage.call_with("tools/list", within(50));
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.engine.next_deadline(), None);
    stage.pass(ms(50));
    assert_eq!(stage.counters().timeouts, 0);
}

fn wanting_progress() -> CallOptions {
    CallOptions { progress: true, timeout: Some(ms(100)), ..CallOptions::default() }
}

fn resetting() -> CallOptions {
    CallOptions { reset_on_progress: Some(true), ..wanting_progress() }
}

/// A call that wants progress, and its token.
fn called(stage: &mut Stage, options: CallOptions) -> (Made, Value) {
    let call = stage.call_with("tools/call", options);
    let request = stage.sent().pop().expect("the call");
    (call, request["params"]["_meta"]["progressToken"].clone())
}

fn progress(stage: &mut Stage, token: &Value) {
    stage.notified("notifications/progress", &json!({"progressToken": token, "progress": 1}));
}

fn progress_seen(stage: &mut Stage) -> usize {
    stage.take().iter().filter(|saw| matches!(saw, Saw::Progressed { .. })).count()
}

#[test]
fn a_token_is_sent_only_when_progress_is_wanted_and_no_two_calls_share_one() {
    let mut stage = Stage::ready(legacy());
    let (_, first) = called(&mut stage, wanting_progress());
    let (_, second) = called(&mut stage, wanting_progress());
    let (_, none) = called(&mut stage, CallOptions::default());
    assert!(first.is_u64() && second.is_u64() && first != second);
    assert_eq!(none, Value::Null);
}

#[test]
fn progress_comes_with_the_call_and_the_applications_own_number() {
    let mut stage = Stage::ready(legacy());
    called(&mut stage, wanting_progress());
    let (call, token) = called(&mut stage, wanting_progress());
    stage.take();
    progress(&mut stage, &token);
    let saw = stage.take();
    let Some(Saw::Progressed { call: of, tag, params }) = saw.last() else { panic!("{saw:?}") };
    assert_eq!((*of, *tag > 0), (call.call, true));
    assert_eq!(params["progress"], 1);
}

#[test]
fn progress_resets_the_time_only_where_that_was_chosen() {
    let mut stage = Stage::ready(legacy());
    let (plain, token) = called(&mut stage, wanting_progress());
    stage.pass(ms(99));
    progress(&mut stage, &token);
    stage.pass(ms(1));
    assert_eq!(stage.status(plain), Status::Timeout);

    let (resetting, token) = called(&mut stage, resetting());
    for _ in 0..5 {
        stage.pass(ms(99));
        progress(&mut stage, &token);
    }
    assert_eq!(stage.reply(resetting), None);
    stage.pass(ms(100));
    assert_eq!(stage.status(resetting), Status::Timeout);

    let timeouts = Timeouts { reset_on_progress: true, ..Timeouts::default() };
    let mut stage = Stage::ready(Settings { timeouts, ..legacy() });
    let (by_config, token) = called(&mut stage, wanting_progress());
    stage.pass(ms(99));
    progress(&mut stage, &token);
    stage.pass(ms(99));
    assert_eq!(stage.reply(by_config), None);
}

#[test]
fn no_amount_of_progress_takes_a_call_over_its_total() {
    let mut stage = Stage::ready(legacy());
    let options = CallOptions { max_total: Some(ms(250)), ..resetting() };
    let (call, token) = called(&mut stage, options);
    for _ in 0..2 {
        stage.pass(ms(90));
        progress(&mut stage, &token);
    }
    assert_eq!(stage.pass_to_deadline(), ms(70));
    assert_eq!(stage.status(call), Status::Timeout);
    assert!(stage.error(call).message.contains("raise max_total_ms"));
}

#[test]
fn a_flood_of_progress_leaves_nothing_behind() {
    let mut stage = Stage::ready(legacy());
    stage.call_with("tools/list", CallOptions { timeout: Some(ms(1)), ..CallOptions::default() });
    stage.sent();
    let options = CallOptions { max_total: Some(ms(150)), ..resetting() };
    let (_, token) = called(&mut stage, options);
    for step in 0..1000 {
        stage.now += std::time::Duration::from_micros(step % 2);
        progress(&mut stage, &token);
    }
    assert!(stage.engine.deadlines.len() <= 80, "{} deadlines", stage.engine.deadlines.len());
    stage.now += ms(99);
    for _ in 0..1000 {
        progress(&mut stage, &token);
    }
    assert!(stage.engine.deadlines.len() <= 80, "{} deadlines", stage.engine.deadlines.len());
}

#[test]
fn there_is_no_progress_after_the_outcome() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call_with("tools/call", wanting_progress());
    let request = stage.sent_one();
    stage.answer(&request, &json!({}));
    assert_eq!(stage.status(call), Status::Ok);
    progress(&mut stage, &request["params"]["_meta"]["progressToken"]);
    assert_eq!(progress_seen(&mut stage), 0);
    assert_eq!((stage.counters().notifications, stage.counters().ignored_progress), (1, 1));
}

#[test]
fn tokens_that_belong_to_nobody_are_ignored_and_counted() {
    let mut stage = Stage::ready(legacy());
    let (silent, _) = called(&mut stage, CallOptions::default());
    let (call, _) = called(&mut stage, wanting_progress());
    let wrong = [json!(silent.call), json!(call.call + 1), json!(-1), json!(1.5), json!(null), json!({})];
    stage.take();
    for token in &wrong {
        progress(&mut stage, token);
    }
    stage.text(r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#);
    stage.text(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#);
    assert_eq!(progress_seen(&mut stage), 0);
    assert_eq!(stage.counters().ignored_progress, wrong.len() as u64 + 2);
}

#[test]
fn a_call_that_waits_for_a_connection_makes_no_progress() {
    let mut stage = Stage::opened(legacy());
    let call = stage.call_with("tools/call", resetting());
    progress(&mut stage, &json!(call.call));
    assert_eq!(progress_seen(&mut stage), 0);
    stage.pass(ms(100));
    assert_eq!(stage.status(call), Status::Timeout);
}

const BOOK: Option<&str> = Some(r#"{"name":"book","arguments":{}}"#);

fn book(stage: &mut Stage) -> Made {
    stage.try_call("tools/call", BOOK, &CallOptions::default()).expect("accepted")
}

/// A call that the server has, in one of the ways in which it may have it.
type Phase = (&'static str, fn() -> (Stage, Made));
/// A way in which a call ends.
type End = (&'static str, fn(&mut Stage, Made));

const PHASES: [Phase; 6] = [
    ("legacy, not answered", || {
        let mut stage = Stage::ready(legacy());
        let made = book(&mut stage);
        (stage, made)
    }),
    ("modern, not answered", || {
        let mut stage = Stage::ready(modern());
        let made = book(&mut stage);
        (stage, made)
    }),
    ("a task of 2025-11-25", || {
        let mut stage = tasks::core_tasks();
        let made = tasks::core_called(&mut stage);
        (stage, made)
    }),
    ("a task of the extension", || {
        let mut stage = tasks::extension_tasks();
        let made = tasks::extension_called(&mut stage);
        (stage, made)
    }),
    ("an input that the application has not answered", || {
        let mut stage = Stage::ready(declaring(modern(), &json!({"elicitation": {}})));
        let made = book(&mut stage);
        let request = stage.sent_one();
        let ask = json!({"method": "elicitation/create", "params": {"message": "Sure?"}});
        stage.answer(&request, &json!({"resultType": "input_required", "inputRequests": {"a": ask}}));
        (stage, made)
    }),
    ("a page that was not visited", || {
        let settings = declaring(Settings::default(), &json!({"elicitation": {"form": {}, "url": {}}}));
        let mut stage = Stage::ready_at(Revision::V2025_11_25, settings);
        let made = book(&mut stage);
        let request = stage.sent_one();
        let page =
            json!({"mode": "url", "elicitationId": "a", "url": "https://example.com/a", "message": "?"});
        stage.refuse(&request, -32042, &json!({"elicitations": [page]}));
        (stage, made)
    }),
];

const ENDS: [End; 6] = [
    ("cancelled", |stage, made| assert!(stage.cancel(made, ""))),
    ("closed", |stage, _| stage.close()),
    ("out of time", |stage, _| stage.pass(ms(2 * 3_600_000))),
    ("lost and cancelled", |stage, made| {
        stage.lose("it died");
        stage.cancel(made, "");
    }),
    ("lost and closed", |stage, _| {
        stage.lose("it died");
        stage.close();
    }),
    ("lost and out of time", |stage, _| {
        stage.lose("it died");
        stage.pass(ms(2 * 3_600_000));
    }),
];

#[test]
fn every_error_of_a_call_that_the_server_may_have_says_so_and_invites_nobody_to_repeat_it() {
    for (phase, begin) in PHASES {
        for (way, end) in ENDS {
            let (mut stage, made) = begin();
            assert!(stage.reply(made).is_none(), "{phase}");
            end(&mut stage, made);
            let error = stage.error(made);
            assert_eq!(error.details["sent"], true, "{phase}, {way}: {error}");
            assert!(!error.retryable, "{phase}, {way}: {error}");
        }
    }
}

#[test]
fn every_error_of_a_call_that_never_left_says_so() {
    let ends: [End; 4] = [ENDS[0], ENDS[1], ENDS[2], ("failed", |stage, _| stage.lose("no such program"))];
    for (way, end) in ends {
        let mut stage = Stage::new(legacy());
        stage.connect(None);
        let made = book(&mut stage);
        end(&mut stage, made);
        let error = stage.error(made);
        assert_eq!(error.details["sent"], false, "{way}: {error}");
        assert_eq!(error.retryable, matches!(error.status, Status::Timeout | Status::Transport), "{way}");
    }
    let mut stage = Stage::ready(Settings { in_flight: 0, ..legacy() });
    let bound = stage.refused_call("tools/call");
    stage.lose("it died");
    let backoff = stage.refused_call("tools/call");
    stage.close();
    let errors = [bound, backoff, stage.refused_call("tools/call"), stage.refused_call("initialize")];
    let statuses = [Status::Backpressure, Status::Unavailable, Status::Closed, Status::InvalidArgument];
    for (error, status) in errors.iter().zip(statuses) {
        assert_eq!((error.status, &error.details["sent"]), (status, &json!(false)));
        assert_eq!(error.retryable, matches!(status, Status::Backpressure | Status::Unavailable));
    }
}

#[test]
fn an_error_of_the_server_and_an_answer_that_cannot_be_taken_say_that_it_was_sent() {
    let mut stage = Stage::ready(legacy());
    let refused = book(&mut stage);
    let request = stage.sent_one();
    stage.refuse(&request, -32602, &json!(null));
    assert_eq!(stage.error(refused).details["sent"], true);
    let broken = book(&mut stage);
    let request = stage.sent_one();
    stage.text(format!(r#"{{"jsonrpc":"1.0","id":{},"result":{{}}}}"#, request["id"]));
    assert_eq!(
        (stage.status(broken), &stage.error(broken).details["sent"]),
        (Status::Protocol, &json!(true))
    );
}

#[test]
fn what_does_no_harm_twice_may_be_repeated() {
    let mut stage = Stage::ready(legacy());
    let list = stage.call("tools/list");
    let unknown = stage.call("made/up");
    stage.lose("it died");
    assert_eq!((&stage.error(list).details["sent"], stage.error(list).retryable), (&json!(true), true));
    assert!(!stage.error(unknown).retryable, "what it does is unknown");
    // A tool that says that it does no harm, where the program takes its word.
    let mut stage = Stage::ready(Settings { retry: Retry::Safe, max_retries: 0, ..legacy() });
    stage.call("tools/list");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"tools": [{"name": "book", "annotations": {"readOnlyHint": true}}]}));
    let made = book(&mut stage);
    stage.pass(ms(3_600_000));
    assert_eq!((stage.status(made), stage.error(made).retryable), (Status::Timeout, true));
}

/// Sent once, and waiting to be sent again on the next connection.
#[test]
fn a_call_that_waits_to_be_sent_again_was_sent() {
    let mut stage = Stage::ready(Settings { retry: Retry::Safe, ..legacy() });
    let made = stage.call("tools/list");
    stage.lose("it died");
    assert_eq!((stage.engine.state(), stage.reply(made).is_none()), (State::Backoff, true));
    stage.cancel(made, "");
    assert_eq!(stage.error(made).details["sent"], true);
}

/// Over HTTP a request is known not to have left when the server cannot be reached.
#[test]
fn over_http_only_what_left_was_sent() {
    let failed = |kind| {
        let error = Error::new(Status::Transport, "x", "it failed");
        ExchangeFailure { kind, error, http: None, spoken: None }
    };
    for (kind, sent) in
        [(FailureKind::Unreachable, false), (FailureKind::Lost, true), (FailureKind::Refused, true)]
    {
        let mut stage = Stage::ready(Settings { wire: Wire::Http, ..modern() });
        let (one, other) = (stage.call("prompts/list"), stage.call("prompts/list"));
        let requests = stage.sent();
        stage.fail(requests[0]["id"].as_u64().expect("an id"), failed(kind));
        assert_eq!(stage.error(one).details["sent"], sent, "{kind:?}");
        assert!(stage.reply(other).is_none());
    }
}

/// A gateway answers 503 also when it lost the server behind it in the middle of the work. Only what says when to come back has
/// turned the request away.
#[test]
fn a_server_that_is_unavailable_invites_to_call_again_only_if_it_says_when() {
    for (method, wait, retryable) in [
        ("tools/call", None, false),
        ("tools/call", Some(7), true),
        ("tools/list", None, true),
        ("tools/list", Some(7), true),
    ] {
        let mut stage = Stage::ready(Settings { wire: Wire::Http, ..modern() });
        let made = stage.call(method);
        let request = stage.sent_one();
        let mut error = Error::new(Status::Unavailable, method, "not now").retryable(true);
        if let Some(wait) = wait {
            error = error.with("retry_after_s", wait);
        }
        let failure = ExchangeFailure { kind: FailureKind::Refused, error, http: Some(503), spoken: None };
        stage.fail(request["id"].as_u64().expect("an id"), failure);
        let error = stage.error(made);
        assert_eq!((error.status, error.retryable), (Status::Unavailable, retryable), "{method}: {error}");
    }
}

/// What becomes of a request about a task says nothing of the task: the tool may be running.
#[test]
fn a_server_that_is_busy_when_asked_about_a_task_invites_nobody_to_call_again() {
    for status in [Status::Unavailable, Status::Backpressure, Status::Auth] {
        let mut stage = tasks::extension_tasks();
        let made = tasks::extension_called(&mut stage);
        for _ in 0..20 {
            stage.pass(ms(61_000));
            for request in stage.sent() {
                let error = Error::new(status, "tasks/get", "not now").retryable(true);
                let failure =
                    ExchangeFailure { kind: FailureKind::Refused, error, http: Some(503), spoken: None };
                stage.fail(request["id"].as_u64().expect("an id"), failure);
            }
        }
        let error = stage.error(made);
        assert_eq!(error.status, status, "{error}");
        assert!(error.details["sent"] == true && !error.retryable, "{error}");
    }
}

#[test]
fn every_modern_request_says_which_revision_who_and_what() {
    let mut stage =
        Stage::opened(declaring(modern(), &json!({"roots": {"listChanged": true}, "sampling": {}})));
    stage.call("tools/list");
    let mut requests = stage.sent();
    stage.answer(&requests[0], &super::stage::discovery());
    requests.extend(stage.sent());
    stage.try_call("tools/call", Some(r#"{"name":"echo"}"#), &CallOptions::default()).expect("accepted");
    stage.try_call("tools/call", Some(r#"{"_meta":{"own":1}}"#), &CallOptions::default()).expect("accepted");
    requests.extend(stage.sent());
    assert_eq!(requests.len(), 4);
    for request in &requests {
        let meta = &request["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28", "{request}");
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "libmcp");
        let capabilities = &meta["io.modelcontextprotocol/clientCapabilities"];
        assert_eq!(*capabilities, json!({"roots": {}, "sampling": {}}), "cut to what the revision knows");
    }
    assert_eq!(requests[2]["params"]["name"], "echo");
    assert_eq!(requests[3]["params"]["_meta"]["own"], 1, "the application's own metadata is kept");
}

#[test]
fn a_legacy_request_carries_only_what_the_application_gave() {
    let mut stage = Stage::ready(legacy());
    stage.call("tools/list");
    assert_eq!(stage.sent_one().get("params"), None);
    let options =
        CallOptions { meta: r#""traceparent":"00-1""#.to_owned(), progress: true, ..CallOptions::default() };
    let made = stage.call_with("tools/list", options);
    assert_eq!(
        stage.sent_one()["params"],
        json!({"_meta": {"progressToken": made.call, "traceparent": "00-1"}})
    );
}

#[test]
fn a_result_without_a_type_or_of_the_type_complete_is_the_result() {
    for written in
        [r#"{"x":1}"#, r#"{"x":1,"resultType":"complete"}"#, r#"{"x":1,"resultType":"compl\u0065te"}"#]
    {
        let mut stage = Stage::ready(modern());
        let call = stage.call("tools/call");
        let id = stage.sent_one()["id"].clone();
        stage.text(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{written}}}"#));
        assert_eq!(stage.result(call)["x"], 1, "{written}");
    }
}

#[test]
fn a_result_of_a_type_nobody_declared_is_no_result() {
    let mut stage = Stage::ready(modern());
    for (kind, status) in [
        (json!("task"), Status::Protocol),
        (json!(""), Status::Protocol),
        (json!(7), Status::Protocol),
        (json!(null), Status::Ok),
        (json!("input_required"), Status::Protocol),
    ] {
        let call = stage.call("tools/call");
        let request = stage.sent_one();
        stage.answer(&request, &json!({"resultType": kind}));
        assert_eq!(stage.status(call), status, "{kind}");
        assert_eq!(stage.sent(), Vec::<Value>::new(), "it was answered: there is nothing to cancel");
    }
}

#[test]
fn the_legacy_era_has_no_result_types_so_any_is_just_a_member() {
    let mut stage = Stage::ready(legacy());
    let call = stage.call("tools/call");
    let request = stage.sent_one();
    stage.answer(&request, &json!({"resultType": "anything"}));
    assert_eq!(stage.result(call), json!({"resultType": "anything"}));
}

const TOOL: Option<&str> = Some(r#"{"name":"slow","arguments":{"n":1}}"#);

fn ready(wire: Wire) -> Stage {
    let mut stage = Stage::opened(Settings { wire, ..legacy() });
    let request = stage.sent().pop().expect("a handshake request");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    stage.sent();
    stage
}

fn call(stage: &mut Stage) -> Made {
    stage.try_call("tools/call", TOOL, &CallOptions::default()).expect("accepted")
}

fn busy(stage: &mut Stage, request: &Value) {
    stage.refuse(request, -32010, &json!({ "retryable": true, "limit": "limits.session_requests" }));
}

/// A client that makes many calls of a server with this many places: all succeed. Gives how many requests were sent, and how often
/// one went out while the server had no place.
fn plays(stage: &mut Stage, calls: usize, places: usize) -> (usize, usize) {
    let made: Vec<Made> = (0..calls).map(|_| call(stage)).collect();
    let (mut sent, mut refused) = (0, 0);
    let mut at_work: Vec<Value> = Vec::new();
    for _ in 0..10_000 {
        for request in stage.sent() {
            sent += 1;
            assert_eq!(request["params"]["name"], "slow", "the whole request is sent again: {request}");
            if at_work.len() < places {
                at_work.push(request);
            } else {
                refused += 1;
                busy(stage, &request);
            }
        }
        if at_work.is_empty() {
            break;
        }
        let first = at_work.remove(0);
        stage.answer(&first, &json!({ "content": [] }));
    }
    for made in made {
        assert!(stage.reply(made).expect("it has ended").is_ok());
    }
    (sent, refused)
}

#[test]
fn a_thousand_calls_of_a_server_with_few_places_all_succeed() {
    for wire in [Wire::Http, Wire::Stream] {
        let mut stage = ready(wire);
        // Over one stream the first calls are not kept: such a server has places for them.
        let (sent, refused) = plays(&mut stage, 1000, 70);
        assert!(refused >= 930 && sent < 2 * 1000 + 100, "{sent} requests, {refused} refused");
        // From then on it goes out as before.
        assert_eq!(plays(&mut stage, 60, 70), (60, 0));
    }
}

#[test]
fn a_call_waits_and_is_sent_again_where_no_other_is_under_way() {
    let mut stage = ready(Wire::Http);
    let first = call(&mut stage);
    let request = stage.sent_one();
    busy(&mut stage, &request);
    let second = call(&mut stage);
    assert!(stage.sent().is_empty(), "the second one waits behind the first");
    let mut waits = Vec::new();
    let request = loop {
        waits.push(stage.pass_to_deadline());
        let request = stage.sent_one();
        if waits.len() == 4 {
            break request;
        }
        busy(&mut stage, &request);
    };
    assert!(waits[0] <= ms(100) && waits[3] >= ms(300), "{waits:?}");
    stage.answer(&request, &json!({ "content": [] }));
    assert!(stage.reply(first).expect("it has ended").is_ok());
    let request = stage.sent_one();
    stage.answer(&request, &json!({ "content": [] }));
    assert!(stage.reply(second).expect("it has ended").is_ok());
}

#[test]
fn a_call_without_a_place_ends_with_its_time_and_says_why() {
    let mut stage = ready(Wire::Http);
    let options = CallOptions { timeout: Some(ms(200)), ..CallOptions::default() };
    let made = stage.try_call("tools/call", TOOL, &options).expect("accepted");
    for _ in 0..10 {
        for request in stage.sent() {
            busy(&mut stage, &request);
        }
        if stage.reply(made).is_some() {
            break;
        }
        stage.pass_to_deadline();
    }
    let error = stage.reply(made).expect("it has ended").as_ref().expect_err("no place");
    assert_eq!(error.status, Status::Timeout);
    assert!(error.message.contains("accepted no further call") && error.retryable, "{error:?}");
    assert_eq!(error.details["sent"], false);
}

#[test]
fn a_refusal_that_says_nothing_of_later_or_of_a_call_that_is_not_kept_ends_it() {
    let later = || json!({ "retryable": true, "limit": "limits.session_requests" });
    for (wire, method, code, data, status, retryable) in [
        (Wire::Http, "tools/call", -32010, json!({ "retryable": false }), Status::Backpressure, false),
        (Wire::Http, "tools/call", -32010, json!({}), Status::Backpressure, false),
        (Wire::Http, "tools/call", -32603, later(), Status::Server, false),
        (Wire::Stream, "x/y", -32010, later(), Status::Backpressure, true),
    ] {
        let mut stage = ready(wire);
        let made = stage.try_call(method, TOOL, &CallOptions::default()).expect("accepted");
        let request = stage.sent_one();
        stage.refuse(&request, code, &data);
        let error = stage.reply(made).expect("it has ended").as_ref().expect_err("refused");
        assert_eq!(
            (error.status, error.code, error.retryable),
            (status, Some(code), retryable),
            "{method} {code} {data}"
        );
    }
}

#[test]
fn calls_that_were_held_back_go_to_the_next_connection() {
    let mut stage = ready(Wire::Http);
    let held = [call(&mut stage), call(&mut stage)];
    let requests = stage.sent();
    busy(&mut stage, &requests[0]);
    let made = call(&mut stage);
    stage.lose("gone");
    assert!(stage.reply(held[1]).expect("it has ended").is_err(), "the server may be doing it");
    stage.come_back();
    stage.open();
    let request = stage.sent().pop().expect("a handshake request");
    stage.answer(&request, &initialized_at("2025-11-25"));
    stage.listening();
    assert_eq!(stage.sent().iter().filter(|request| request["method"] == "tools/call").count(), 2);
    assert!(stage.reply(held[0]).is_none() && stage.reply(made).is_none());
}
