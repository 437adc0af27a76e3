//! Requests that stand in line, because as many as may be are under way.

use super::stage::{QUESTION, Stage, code, settings};
use crate::engine::server::{Asked, Outcome, Principal, SessionId};
use crate::shares::Holder;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

fn stage(per_session: usize, waiting: usize) -> (Stage, SessionId) {
    let mut settings = settings();
    (settings.limits.requests_per_session, settings.limits.waiting_per_session) = (per_session, waiting);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({ "elicitation": {} }));
    (stage, session)
}

fn call(stage: &mut Stage, session: SessionId, id: u64) -> Vec<Value> {
    stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "add", "arguments": { "a": id } }))
}

fn answer_first(stage: &mut Stage) -> Value {
    let request = stage.runs.remove(0).request;
    let (_, frames) = stage.respond(request, Outcome::Text("done"));
    frames.into_iter().next().expect("its answer")
}

#[test]
fn a_thousand_requests_of_a_session_are_all_answered_in_order() {
    let (mut stage, session) = stage(4, 1_000);
    for id in 0..1_000 {
        assert!(call(&mut stage, session, id).is_empty(), "none is refused");
        assert!(stage.runs.len() <= 4);
    }
    for id in 0..1_000 {
        assert_eq!(answer_first(&mut stage)["id"], id);
    }
    assert_eq!((stage.server.counters().held, stage.server.counters().busy), (996, 0));
    assert_eq!(stage.server.open_counts()[1], 0);
}

#[test]
fn a_client_that_waits_is_still_heard_and_answered() {
    let (mut stage, session) = stage(1, 2);
    assert!(call(&mut stage, session, 1).is_empty());
    let asked = stage.runs.remove(0).request;
    assert_eq!(stage.server.ask(asked, "k", "elicitation/create", QUESTION), Asked::Pending);
    stage.server.dropped(stage.now, asked);
    let question = stage.sent();
    for id in [2, 3] {
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert!(stage.server.reads(session), "the answer to a question must come in");
    assert!(stage.ask_legacy(session, json!(9), "ping", json!({}))[0]["result"].is_object());
    assert!(stage.ask_legacy(session, json!(9), "tools/list", json!({}))[0]["result"].is_object());
    assert_eq!(call(&mut stage, session, 4)[0]["error"]["code"], -32010, "what finds no room meanwhile");
    // One that stands in line is withdrawn, and leaves its id to another.
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }),
    );
    assert_eq!(call(&mut stage, session, 3)[0]["error"]["code"], -32600, "its id is in use");
    assert!(call(&mut stage, session, 2).is_empty());
    let answer = json!({ "jsonrpc": "2.0", "id": question[0]["id"], "result": { "action": "decline" } });
    assert!(stage.ask(session, &answer).is_empty());
    assert_eq!(stage.runs[0].request, asked, "its handler runs again");
    let order: Vec<Value> = (0..3).map(|_| answer_first(&mut stage)["id"].clone()).collect();
    assert_eq!(order, [1, 3, 2]);
}

#[test]
fn a_session_that_fills_its_line_is_not_read_and_others_are() {
    let (mut stage, session) = stage(1, 2);
    let other = stage.legacy("2025-11-25", &json!({}));
    for id in 1..=3 {
        assert!(stage.server.reads(session));
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert!(!stage.server.reads(session) && stage.server.reads(other));
    assert!(call(&mut stage, other, 1).is_empty());
    assert_eq!(stage.runs.len(), 2, "the other session has a place of its own");
    answer_first(&mut stage);
    assert!(stage.server.reads(session));
    stage.server.close(session);
    stage.sent();
    assert_eq!(stage.server.open_counts()[1], 1, "what stood in line ends with its session");
}

#[test]
fn what_the_queue_has_no_room_for_waits_and_runs_later() {
    let (mut stage, session) = stage(10, 10);
    let other = stage.legacy("2025-11-25", &json!({}));
    stage.room = 0;
    for (session, id) in [(session, 1), (other, 1), (session, 2)] {
        assert!(call(&mut stage, session, id).is_empty() && stage.runs.is_empty());
    }
    assert_eq!(stage.server.counters().runs, 0);
    stage.ask(
        session,
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
    );
    stage.room = usize::MAX;
    assert!(stage.sent().is_empty());
    assert_eq!((stage.runs.len(), stage.server.counters().runs), (2, 2), "the withdrawn one does not run");
    for _ in 0..2 {
        answer_first(&mut stage);
    }
    assert_eq!(stage.server.open_counts()[1], 0);
}

#[test]
fn a_client_that_has_its_share_of_the_queue_holds_up_no_other() {
    let (mut stage, session) = stage(10, 10);
    let again = stage.legacy("2025-11-25", &json!({}));
    let other = stage.legacy("2025-11-25", &json!({}));
    for session in [session, again] {
        stage.server.held_by(session, Holder::Process(1));
    }
    call(&mut stage, session, 1);
    stage.full_for = vec![stage.runs[0].holder];
    for (session, id) in [(session, 2), (again, 1), (session, 3), (again, 2)] {
        assert!(call(&mut stage, session, id).is_empty());
    }
    assert_eq!(
        (stage.runs.len(), stage.server.wants_room().len()),
        (1, 1),
        "one of it waits, the others behind it"
    );
    for id in 1..=3 {
        call(&mut stage, other, id);
    }
    assert_eq!(stage.runs.len(), 4, "the other one is served");
    stage.full_for.clear();
    assert!(stage.sent().is_empty());
    assert_eq!((stage.runs.len(), stage.server.counters().busy), (8, 0));
    for session in [session, again, other] {
        stage.server.close(session);
    }
    assert!(!stage.server.is_holding() && stage.server.wants_room().is_empty());
}

#[test]
fn large_requests_of_a_client_wait_until_the_application_has_released_others() {
    let mut settings = settings();
    settings.limits.request_bytes = 1 << 20;
    let mut stage = Stage::new(settings);
    let large = |stage: &mut Stage, process: u32, session: SessionId, id: u64, bytes: usize| {
        stage.server.held_by(session, Holder::Process(process));
        let text = "x".repeat(bytes);
        let arguments = json!({ "a": 1, "text": text });
        stage.ask_legacy(session, json!(id), "tools/call", json!({ "name": "add", "arguments": arguments }))
    };
    let sessions: Vec<_> = (0..6).map(|_| stage.legacy("2025-11-25", &json!({}))).collect();
    // However many sessions it has.
    for (id, session) in sessions[..5].iter().enumerate() {
        assert!(large(&mut stage, 1, *session, id as u64, 140_000).is_empty());
    }
    assert_eq!(stage.runs.len(), 3, "half of the bytes");
    large(&mut stage, 2, sessions[5], 10, 140_000);
    assert!(call(&mut stage, sessions[0], 11).is_empty());
    assert_eq!(stage.runs.len(), 5, "another one has its share, and what is small needs none");
    // It is over, and the application still has it.
    let first = stage.runs.remove(0).request;
    stage.server.begun(stage.now.at, first);
    stage.server.close(sessions[0]);
    stage.sent();
    assert_eq!(stage.runs.len(), 4, "nothing is free yet");
    assert!(
        !stage.server.is_under_way(first) && stage.server.released(first) && !stage.server.released(first)
    );
    stage.sent();
    assert_eq!((stage.runs.len(), stage.server.counters().busy), (5, 0));
    // One that is larger than a share comes in alone.
    for session in &sessions[1..] {
        stage.server.close(*session);
    }
    stage.sent();
    stage.runs.clear();
    let [one, two] = [1, 2].map(|_| stage.legacy("2025-11-25", &json!({})));
    large(&mut stage, 1, one, 1, 900_000);
    large(&mut stage, 2, two, 1, 900_000);
    assert_eq!(stage.runs.len(), 1);
    answer_first(&mut stage);
    assert_eq!(stage.runs.len(), 1);
    answer_first(&mut stage);
    assert!(!stage.server.is_holding());
}

#[test]
fn the_wait_for_a_place_ends_with_an_error_that_says_to_try_again() {
    let (mut stage, session) = stage(1, 5);
    call(&mut stage, session, 1);
    stage.advance(Duration::from_secs(200));
    call(&mut stage, session, 2);
    // The first request is over, and the second one has its place.
    stage.advance(Duration::from_secs(100));
    assert_eq!(stage.runs.len(), 2);
    call(&mut stage, session, 3);
    let task = stage.runs.remove(1).request;
    let frames = stage.advance(Duration::from_secs(299));
    assert!(frames.is_empty() && stage.server.pending(session) == 2, "{frames:?}");
    let frames = stage.advance(Duration::from_secs(1));
    let codes: Vec<_> = frames.iter().map(|frame| (&frame["id"], &frame["error"]["code"])).collect();
    assert_eq!(codes[0], (&json!(2), &json!(-32603)), "its handler took too long");
    assert!(stage.withdrawn.contains(&task));
}

#[test]
fn what_stands_in_line_keeps_the_rights_that_it_came_with() {
    let mut settings = settings();
    settings.limits.requests_per_session = 1;
    settings.access.methods.insert("tools/call".into(), vec!["call".into()]);
    let mut stage = Stage::new(settings);
    let session = stage.legacy("2025-11-25", &json!({}));
    let with = |scopes: &[&str]| {
        let scopes = scopes.iter().map(|scope| (*scope).into()).collect();
        Some(Arc::new(Principal { id: "p".into(), scopes, text: "{}".into() }))
    };
    stage.server.authorize(session, with(&["call"]));
    assert!(call(&mut stage, session, 1).is_empty() && call(&mut stage, session, 2).is_empty());
    stage.server.authorize(session, with(&[]));
    assert_eq!(
        code(&call(&mut stage, session, 3)),
        -32600,
        "the third one may not call, and learns it at once"
    );
    answer_first(&mut stage);
    answer_first(&mut stage);
    assert!(stage.runs.is_empty());
    assert_eq!(stage.server.open_counts()[1], 0);
}
