//! Servers that are slow to start, and answers to the probe that come when `initialize` is under way.

use super::stage::{Stage, discovery, initialized_at, ms};
use crate::engine::{Settings, State, Status, Timeouts, Wire};
use crate::protocol::Era;
use serde_json::{Value, json};

/// A process whose first sign of life is awaited for 10 s, with 1 s for the probe and 2 s for `initialize`.
fn process() -> Settings {
    let timeouts =
        Timeouts { probe: ms(1000), initialize: ms(2000), start: Some(ms(10_000)), ..Timeouts::default() };
    Settings { timeouts, ..Settings::default() }
}

/// Passes time up to here, and tells each time that something is due what the process has done by then.
fn pass_looking(stage: &mut Stage, total: u64, has_read: Option<bool>) {
    let end = stage.now + ms(total);
    while let Some(at) = stage.engine.next_deadline().filter(|at| *at <= end) {
        let step = at.saturating_duration_since(stage.now);
        stage.now += step;
        let now = stage.now;
        if stage.engine.looks_for_life() {
            stage.engine.has_read(now, has_read);
        }
        stage.pass(ms(0));
    }
    let rest = end.saturating_duration_since(stage.now);
    stage.pass(rest);
}

fn late(wire: Wire) -> (Stage, Value, Value) {
    let mut stage = Stage::opened(Settings { wire, ..Settings::default() });
    let probe = stage.sent_one();
    stage.pass_to_deadline();
    let initialize = stage.sent_one();
    assert_eq!(initialize["method"], "initialize");
    (stage, probe, initialize)
}

#[test]
fn a_late_good_answer_to_the_probe_is_taken_while_initialize_waits() {
    for wire in [Wire::Stream, Wire::Http] {
        let (mut stage, probe, initialize) = late(wire);
        let call = stage.call("tools/list");
        stage.answer(&probe, &discovery());
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Modern)));
        let request = stage.sent_one();
        assert_eq!(request["method"], "tools/list");
        assert!(request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string());
        // What it then says to initialize changes nothing.
        stage.refuse(&initialize, -32022, &json!({"supported": ["2026-07-28"]}));
        assert_eq!((stage.engine.state(), stage.counters().late_answers), (State::Ready, 1));
        assert!(stage.reply(call).is_none());
    }
}

#[test]
fn a_late_answer_that_says_nothing_of_the_modern_era_is_counted_and_initialize_goes_on() {
    let answers: [fn(&mut Stage, &Value); 4] = [
        |stage, probe| stage.refuse(probe, -32601, &Value::Null),
        |stage, probe| stage.answer(probe, &json!({})),
        |stage, probe| stage.answer(probe, &json!({"supportedVersions": ["2025-11-25"]})),
        |stage, probe| stage.text(format!(r#"{{"jsonrpc":"1.0","id":{},"result":{{}}}}"#, probe["id"])),
    ];
    for answer in answers {
        let (mut stage, probe, initialize) = late(Wire::Stream);
        answer(&mut stage, &probe);
        assert_eq!(stage.counters().late_answers, 1);
        assert_eq!(stage.sent(), Vec::<Value>::new());
        stage.answer(&initialize, &initialized_at("2025-11-25"));
        assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Legacy)));
    }
}

#[test]
fn a_late_refusal_that_names_a_modern_revision_is_followed() {
    let (mut stage, probe, _) = late(Wire::Stream);
    stage.refuse(&probe, -32022, &json!({"supported": ["2026-07-28"]}));
    let again = stage.sent_one();
    assert_eq!(again["method"], "server/discover");
    stage.answer(&again, &discovery());
    assert_eq!(stage.engine.era(), Some(Era::Modern));
}

#[test]
fn after_the_answer_to_initialize_a_late_answer_to_the_probe_is_dropped() {
    let (mut stage, probe, initialize) = late(Wire::Stream);
    stage.answer(&initialize, &initialized_at("2025-11-25"));
    stage.answer(&probe, &discovery());
    assert_eq!((stage.engine.state(), stage.engine.era()), (State::Ready, Some(Era::Legacy)));
    assert_eq!(stage.counters().late_answers, 1);
}

#[test]
fn an_error_without_an_id_still_answers_initialize() {
    let (mut stage, _, _) = late(Wire::Stream);
    let waiter = stage.connect(None);
    stage.frame(&json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32603, "message": "no database"}}));
    assert_eq!(stage.connected(waiter), Some(Err(Status::Server)));
}

#[test]
fn the_time_until_a_process_reads_does_not_count_as_the_probes() {
    let mut stage = Stage::opened(process());
    let probe = stage.sent_one();
    pass_looking(&mut stage, 9000, Some(false));
    assert_eq!(stage.sent(), Vec::<Value>::new(), "it has not even read the probe");
    let now = stage.now;
    stage.engine.has_read(now, Some(true));
    pass_looking(&mut stage, 900, None);
    assert_eq!(stage.sent(), Vec::<Value>::new());
    stage.answer(&probe, &discovery());
    assert_eq!(stage.engine.era(), Some(Era::Modern));
    // And one that says nothing after it has read costs no more than the probe's time.
    let mut stage = Stage::opened(process());
    pass_looking(&mut stage, 5000, Some(false));
    let now = stage.now;
    stage.engine.has_read(now, Some(true));
    pass_looking(&mut stage, 1000, None);
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
}

#[test]
fn a_line_that_a_process_writes_is_a_sign_of_life() {
    let mut stage = Stage::opened(process());
    pass_looking(&mut stage, 5000, Some(false));
    stage.text("starting the server");
    pass_looking(&mut stage, 1000, Some(false));
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"]);
}

#[test]
fn where_nobody_knows_what_was_read_initialize_has_the_time_of_the_start() {
    let mut stage = Stage::new(process());
    let waiter = stage.connect(None);
    stage.open();
    pass_looking(&mut stage, 1000, None);
    assert_eq!(stage.sent_methods(), ["server/discover", "initialize"], "the probe's time is over");
    pass_looking(&mut stage, 8999, None);
    assert_eq!(stage.connected(waiter), None);
    pass_looking(&mut stage, 1, None);
    assert_eq!(stage.connected(waiter), Some(Err(Status::Timeout)));
}

#[test]
fn a_process_that_never_reads_is_told_as_that() {
    let mut stage = Stage::opened(process());
    let call = stage.call("tools/list");
    pass_looking(&mut stage, 10_000, Some(false));
    assert_eq!((stage.status(call), stage.engine.state()), (Status::Timeout, State::Backoff));
    assert_eq!(stage.sent_methods(), ["server/discover"]);
    let message = &stage.error(call).message;
    assert!(
        message.contains("neither read nor written") && message.contains("timeouts.start_ms"),
        "{message}"
    );
    assert_eq!(stage.error(call).details["limit_ms"], 10_000);
}
