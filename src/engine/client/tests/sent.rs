//! What every error of a call says of whether the server may have it (`details.sent`), and whether the call may be made again
//! (`retryable`).

use super::stage::{Made, Stage, declaring, legacy, modern, ms};
use super::tasks::play;
use crate::engine::{CallOptions, Error, Failure, FailureKind, Retry, Settings, State, Status, Wire};
use crate::protocol::Revision;
use serde_json::json;

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
        let mut stage = play::core();
        let made = play::core_called(&mut stage);
        (stage, made)
    }),
    ("a task of the extension", || {
        let mut stage = play::extension();
        let made = play::extension_called(&mut stage);
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
        Failure { kind, error, http: None, spoken: None }
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
        let failure = Failure { kind: FailureKind::Refused, error, http: Some(503), spoken: None };
        stage.fail(request["id"].as_u64().expect("an id"), failure);
        let error = stage.error(made);
        assert_eq!((error.status, error.retryable), (Status::Unavailable, retryable), "{method}: {error}");
    }
}

/// What becomes of a request about a task says nothing of the task: the tool may be running.
#[test]
fn a_server_that_is_busy_when_asked_about_a_task_invites_nobody_to_call_again() {
    for status in [Status::Unavailable, Status::Backpressure, Status::Auth] {
        let mut stage = play::extension();
        let made = play::extension_called(&mut stage);
        for _ in 0..20 {
            stage.pass(ms(61_000));
            for request in stage.sent() {
                let error = Error::new(status, "tasks/get", "not now").retryable(true);
                let failure = Failure { kind: FailureKind::Refused, error, http: Some(503), spoken: None };
                stage.fail(request["id"].as_u64().expect("an id"), failure);
            }
        }
        let error = stage.error(made);
        assert_eq!(error.status, status, "{error}");
        assert!(error.details["sent"] == true && !error.retryable, "{error}");
    }
}
