//! Tests of the handshake without the engine around it.

use super::*;
use crate::engine::client::exchanges::Spoken;
use crate::protocol::error_code;
use crate::protocol::probe::Answer;

const SECOND: Duration = Duration::from_secs(1);

/// Asks the first question of `settings` in exchange 1.
fn asked(settings: &Settings, now: Instant) -> (Handshake, Question) {
    let mut handshake = Handshake::default();
    let Next::Ask(question) = handshake.begin(settings) else { panic!("nothing is asked") };
    let (frame, until) = handshake.ask(now, 1, question, settings);
    let method = if question.revision.era() == Era::Modern { method::DISCOVER } else { method::INITIALIZE };
    assert!(String::from_utf8_lossy(&frame.text).contains(method));
    assert!(handshake.is_due(1, until) && !handshake.is_due(2, until) && until > now);
    (handshake, question)
}

fn refusal(code: i64, data: Option<&str>) -> Spoken {
    Spoken { code, message: "no".to_owned(), data: data.map(str::to_owned) }
}

fn legacy_only() -> Settings {
    Settings { allowed: vec![Revision::LATEST_LEGACY], ..Settings::default() }
}

#[test]
fn a_server_that_does_not_know_the_probe_is_sent_initialize() {
    let (settings, now) = (Settings::default(), Instant::now());
    let (mut handshake, question) = asked(&settings, now);
    assert_eq!(question.revision.era(), Era::Modern);
    assert!(handshake.may_have_died_of_the_probe(&settings));
    let next = handshake.refused(&refusal(error_code::METHOD_NOT_FOUND, None), &settings);
    let Next::AskLegacy(question, _) = next else { panic!("{next:?}") };
    assert_eq!((question.revision.era(), handshake.era()), (Era::Legacy, Some(Era::Legacy)));
    handshake.ask(now, 2, question, &settings);
    let result = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    assert!(matches!(handshake.answered(result, &settings), Next::Initialized));
    assert_eq!(handshake.revision(), Some(Revision::V2025_06_18));
    assert_eq!(handshake.capabilities(), r#"{"tools":{}}"#);
}

#[test]
fn a_probe_without_an_answer_is_awaited_while_initialize_waits() {
    let (settings, now) = (Settings::default(), Instant::now());
    let (mut handshake, _) = asked(&settings, now);
    assert!(matches!(handshake.timed_out(now, 7, &settings), Next::Wait), "another exchange's time");
    assert!(matches!(handshake.timed_out(now, 1, &settings), Next::AskLegacy(..)));
    assert_eq!(handshake.late_probe(), Some(1));
    assert!(matches!(handshake.late_probe_answered(Answer::Closed, &settings), Next::Wait));
    assert_eq!(handshake.late_probe(), None);
}

#[test]
fn a_revision_that_a_refusal_names_is_asked_for_once() {
    let (settings, now) = (Settings::default(), Instant::now());
    let (mut handshake, _) = asked(&legacy_only(), now);
    let names = refusal(error_code::UNSUPPORTED_VERSION, Some(r#"{"supported":["2025-03-26"]}"#));
    let next = handshake.refused(&names, &settings);
    let Next::Turn(revision) = next else { panic!("{next:?}") };
    handshake.ask(now, 2, Question { revision, again: true }, &settings);
    assert!(matches!(handshake.refused(&names, &settings), Next::Failed { permanent: false, .. }));
    let other = refusal(error_code::UNSUPPORTED_VERSION, Some(r#"{"supported":["1999-01-01"]}"#));
    assert!(matches!(handshake.refused(&other, &settings), Next::Failed { permanent: true, .. }));
}

#[test]
fn what_was_assumed_is_dropped_when_initialize_leads_to_nothing() {
    let (settings, now) = (Settings::default(), Instant::now());
    let mut handshake = Handshake::default();
    assert!(handshake.assume_legacy(Shape::Streamable, &settings));
    assert!(!handshake.assume_legacy(Shape::Streamable, &settings), "the era is known");
    let Next::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
    assert_eq!(question.revision.era(), Era::Legacy);
    handshake.ask(now, 1, question, &settings);
    assert!(matches!(handshake.unusable("it is cut off", &settings), Next::BeginAgain(_)));
    assert!(handshake.end_assumption() && handshake.era().is_none());
    let Next::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
    assert_eq!(question.revision.era(), Era::Modern);
}

#[test]
fn the_times_begin_at_the_first_sign_of_life() {
    let (mut settings, now) = (Settings::default(), Instant::now());
    settings.timeouts.start = Some(60 * SECOND);
    let mut handshake = Handshake::default();
    assert!(handshake.begin_start(now, &settings).is_some() && handshake.looks_for_life());
    let Next::Ask(question) = handshake.begin(&settings) else { panic!("nothing is asked") };
    let (_, until) = handshake.ask(now, 1, question, &settings);
    handshake.has_not_read();
    let next = handshake.timed_out(until, 1, &settings);
    assert!(matches!(next, Next::WaitUntil(1, at) if at == now + 60 * SECOND), "{next:?}");
    let moved = handshake.is_alive(now + 20 * SECOND);
    assert_eq!(moved, Some((1, until + 20 * SECOND)));
    assert!(handshake.is_alive(now + 20 * SECOND).is_none() && !handshake.looks_for_life());
}

#[test]
fn a_login_stops_the_time_of_its_own_step_only() {
    let (settings, now) = (Settings::default(), Instant::now());
    let (mut handshake, _) = asked(&settings, now);
    assert_eq!(handshake.wait_for_login(now, 9, (true, true), SECOND), None);
    assert_eq!(handshake.wait_for_login(now, 1, (true, true), 900 * SECOND), Some(now + 900 * SECOND));
    assert!(handshake.logs_in());
    assert!(handshake.wait_for_login(now, 1, (false, false), 900 * SECOND) < Some(now + 900 * SECOND));
    assert!(!handshake.logs_in() && handshake.leave_step().is_some() && handshake.step().is_none());
}

#[test]
fn requests_name_the_session_until_the_connection_ends() {
    let (settings, now) = (Settings::default(), Instant::now());
    let (mut handshake, _) = asked(&settings, now);
    let plain = handshake.members().text().to_owned();
    handshake.members_mut().add_session("abc");
    assert!(handshake.members().name_session() && handshake.members().text().ends_with(":\"abc\""));
    let mut without_tasks = String::new();
    handshake.members().push(true, None, &mut without_tasks);
    assert!(without_tasks.ends_with(":\"abc\""));
    let mut declaring = String::new();
    handshake.members().push(false, Some(r#"{"sampling":{}}"#), &mut declaring);
    assert!(declaring.ends_with(":\"abc\""), "{declaring}");
    let declared = if plain.is_empty() { None } else { Some(r#"{"sampling":{}}"#) };
    let members = format!("{{{declaring}}}");
    assert_eq!(crate::json::member(&members, crate::protocol::meta::CLIENT_CAPABILITIES), declared);
    assert_eq!(declaring.matches("clientCapabilities").count(), usize::from(declared.is_some()));
    handshake.connection_ended();
    assert_eq!(handshake.members().text(), plain);
}
