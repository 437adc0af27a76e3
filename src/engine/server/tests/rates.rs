//! Progress and log messages at the rates that a session may have.

use super::stage::{Stage, settings};
use crate::engine::server::{Outcome, RequestId, SessionId, Severity};
use serde_json::{Value, json};
use std::time::Duration;

const MILLISECOND: Duration = Duration::from_millis(1);

fn started(stage: &mut Stage, session: SessionId, id: u64) -> RequestId {
    let params = json!({ "name": "typed", "_meta": { "progressToken": id } });
    stage.ask_legacy(session, json!(id), "tools/call", params);
    stage.run().request
}

fn values(frames: &[Value]) -> Vec<f64> {
    let progress = frames.iter().filter(|frame| frame["method"] == "notifications/progress");
    progress.filter_map(|frame| frame["params"]["progress"].as_f64()).collect()
}

#[test]
fn a_flood_of_progress_is_thinned_out_and_its_last_value_sent() {
    let mut stage = Stage::new(settings());
    let session = stage.legacy("2025-11-25", &json!({}));
    let request = started(&mut stage, session, 1);
    let mut sent = Vec::new();
    for step in 1..=1_000_000_u32 {
        assert!(stage.server.progress(stage.now, request, f64::from(step), None, None));
        if step % 1_000 == 0 {
            sent.extend(values(&stage.sent()));
            sent.extend(values(&stage.advance(MILLISECOND)));
        }
    }
    // One second: the permits of one second, and those that came back meanwhile.
    assert!((190..=210).contains(&sent.len()), "{}", sent.len());
    assert!(sent.windows(2).all(|pair| pair[0] < pair[1]), "values rise");
    assert!(stage.server.progress(stage.now, request, 1_000_001.0, None, None));
    assert!(stage.sent().is_empty());
    let (_, frames) = stage.respond(request, Outcome::Failure("done"));
    assert_eq!(values(&frames), [1_000_001.0], "the last value is never missing");
    assert_eq!(frames[1]["id"], 1, "and goes out before the answer");
    assert!(stage.advance(Duration::from_secs(9)).is_empty(), "nothing after the answer");
    assert_eq!(stage.server.deadline(), None);
}

#[test]
fn what_is_held_back_goes_out_when_its_time_comes() {
    let mut settings = settings();
    settings.limits.progress_per_second = 2;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let (one, two) = (started(&mut stage, session, 1), started(&mut stage, session, 2));
    let report = |stage: &mut Stage, request, value| {
        assert!(stage.server.progress(stage.now, request, value, None, None));
        values(&stage.sent())
    };
    assert_eq!(report(&mut stage, one, 1.0), [1.0]);
    assert_eq!(report(&mut stage, one, 2.0), [2.0]);
    for value in [3.0, 4.0, 5.0] {
        assert!(report(&mut stage, one, value).is_empty());
    }
    assert!(report(&mut stage, two, 7.0).is_empty(), "the rate is of the session");
    let other = stage.legacy("2025-11-25", &json!({}));
    let elsewhere = started(&mut stage, other, 3);
    assert_eq!(report(&mut stage, elsewhere, 9.0), [9.0], "another session has its own");
    assert_eq!(stage.server.deadline(), Some(stage.now.at + MILLISECOND * 500));
    assert!(stage.advance(MILLISECOND * 499).is_empty());
    assert_eq!(values(&stage.advance(MILLISECOND)), [5.0], "the newest one, of the oldest request");
    assert_eq!(values(&stage.advance(MILLISECOND * 500)), [7.0]);
    // A value that may go out at once takes the place of the one that waits.
    assert!(report(&mut stage, one, 6.0).is_empty());
    stage.now.at += MILLISECOND * 500;
    assert_eq!(report(&mut stage, one, 7.0), [7.0]);
    assert!(values(&stage.advance(Duration::from_secs(1))).is_empty());
    // What waits for a request that is withdrawn is dropped.
    for value in [8.0, 9.0, 10.0] {
        report(&mut stage, one, value);
    }
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(stage.ask(session, &cancel).is_empty());
    assert!(values(&stage.advance(Duration::from_secs(9))).is_empty());
}

#[test]
fn the_last_progress_goes_out_before_every_kind_of_end() {
    let mut settings = settings();
    settings.limits.progress_per_second = 1;
    for end in 0..3 {
        let mut stage = Stage::new(settings.clone());
        let session = stage.server.open(false).expect("a session");
        let mut params = Stage::modern(json!({ "name": "typed" }), &json!({ "roots": {} }));
        params["_meta"]["progressToken"] = json!("t");
        stage.ask(session, &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let request = stage.run().request;
        for value in [1.0, 2.0, 3.0] {
            stage.server.progress(stage.now, request, value, None, None);
        }
        assert_eq!(values(&stage.sent()), [1.0]);
        match end {
            0 => {
                stage.server.ask(request, "k", "roots/list", "{}");
                stage.server.returned(stage.now, request);
            }
            1 => stage.server.refuse_all("closing"),
            _ => stage.now.at += Duration::from_secs(300),
        }
        let frames = if end == 2 { stage.advance(Duration::ZERO) } else { stage.sent() };
        assert_eq!(values(&frames), [3.0], "{end}");
        assert_eq!(frames.last().expect("an answer")["id"], 1);
    }
}

#[test]
fn log_messages_over_the_rate_are_left_out_counted_and_told_once() {
    let mut settings = settings();
    settings.limits.logs_per_second = 3;
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let request = started(&mut stage, session, 1);
    let log = |stage: &mut Stage| stage.server.log(stage.now, request, Severity::Error, None, "1");
    assert_eq!((0..10).filter(|_| log(&mut stage)).count(), 3);
    assert!(!stage.server.log(stage.now, request, Severity::Debug, None, "1"), "the client does not want it");
    assert_eq!(stage.server.log_to_all(stage.now, Severity::Error, None, "1"), 0);
    assert_eq!(stage.sent().len(), 3);
    let other = stage.legacy("2025-11-25", &json!({}));
    assert_eq!(
        stage.server.log_to_all(stage.now, Severity::Error, None, "1"),
        1,
        "{other:?} has a rate of its own"
    );
    assert_eq!(stage.sent().len(), 1);
    assert_eq!(stage.server.counters().dropped_logs, 9);
    assert!(stage.records.is_empty());
    stage.advance(Duration::from_secs(1));
    assert_eq!(stage.records.len(), 1, "{:?}", stage.records);
    assert!(
        stage.records[0].starts_with("9 log messages") && stage.records[0].contains("limits.logs_per_second")
    );
    assert!(log(&mut stage), "the permits are back");
    // The end of the session tells the rest.
    while log(&mut stage) {}
    stage.server.close(session);
    stage.sent();
    assert_eq!(stage.records.len(), 2);
    assert!(stage.records[1].starts_with("1 log message"), "{:?}", stage.records);
    stage.advance(Duration::from_secs(9));
    assert_eq!(stage.records.len(), 2);
    assert_eq!(stage.server.deadline(), None);
}
