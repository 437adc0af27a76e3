use super::*;
use crate::engine::client::settings::Retry;
use crate::protocol::ParamsBuf;
use std::borrow::Cow;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn call(now: Instant) -> Call<()> {
    let stored = Stored { params: Some(ParamsBuf::written("ping", "{}")), meta: "".into() };
    Call {
        ticket: (),
        tag: 5,
        method: Cow::Borrowed("tools/call"),
        row: None,
        started: now,
        timeout: SECOND,
        deadline: now + SECOND,
        latest: now + 10 * SECOND,
        reset_on_progress: true,
        progress: true,
        exchange: None,
        sent: false,
        sent_before: false,
        capabilities: None,
        stored: Some(stored),
        feature: Feature::Raw,
        task: None,
        task_ttl: None,
        augmented: false,
        total_given: false,
        retry: Retry::Safe,
        waits: true,
        retries: 0,
        rounds: 0,
        logs_in: false,
        left: None,
        listed_anew: false,
        renewed: false,
        stateful: false,
        queued: false,
        sampled: false,
    }
}

#[test]
fn the_calls_that_wait_are_taken_in_order_and_their_memory_is_counted() {
    let (mut calls, now) = (Calls::default(), Instant::now());
    let ids: Vec<u64> = (0..3).map(|_| calls.add(call(now))).collect();
    for id in &ids {
        calls.enqueue(*id);
    }
    assert_eq!((calls.waiting(), calls.waiting_bytes()), (ids.clone(), 6));
    assert!(calls.end(ids[1]).is_some() && calls.end(ids[1]).is_none(), "a call ends once");
    assert_eq!(calls.waiting_bytes(), 4);
    assert_eq!(calls.next_waiting().map(|(id, _)| id), Some(ids[0]));
    assert_eq!(calls.next_waiting().map(|(id, _)| id), Some(ids[2]));
    assert!(calls.next_waiting().is_none() && calls.waiting_bytes() == 0);
    assert!(calls.number() > ids[2], "numbers are not used again");
}

#[test]
fn a_call_that_could_not_be_sent_again_was_sent_all_the_same() {
    let (mut calls, now) = (Calls::default(), Instant::now());
    let id = calls.add(call(now));
    let is_sent = |calls: &Calls<()>| calls.get(id).is_some_and(|call| call.sent);
    assert!(calls.sent(id, 1).is_some());
    calls.was_not_sent(id);
    assert!(!is_sent(&calls));
    calls.sent(id, 2);
    calls.leave_exchange(id);
    calls.sent(id, 3);
    calls.was_not_sent(id);
    assert!(is_sent(&calls), "its first request went out");
    assert!(calls.renew(id) && !calls.renew(id), "a session is renewed once for it");
}

#[test]
fn a_login_stops_the_time_of_a_call_and_gives_the_rest_back() {
    let (mut calls, now) = (Calls::default(), Instant::now());
    let id = calls.add(call(now));
    assert_eq!(calls.stop_time(now, id, false), None, "it was never stopped");
    assert_eq!(calls.stop_time(now, id, true), Some(now + 10 * SECOND));
    assert_eq!(calls.stop_time(now + 3 * SECOND, id, true), Some(now + 10 * SECOND));
    assert_eq!(calls.end_logins(now + 4 * SECOND), [(id, now + 5 * SECOND)]);
    assert!(calls.is_due(id, now + 5 * SECOND) && !calls.is_due(id, now + SECOND));
    assert!(calls.end_logins(now + 4 * SECOND).is_empty());
}

#[test]
fn progress_moves_the_deadline_of_a_request_under_way_and_of_no_task() {
    let (mut calls, now) = (Calls::default(), Instant::now());
    let id = calls.add(call(now));
    assert_eq!(calls.progress(now, id, false), None, "nothing is under way");
    calls.sent(id, 1);
    let moved = Progress { tag: 5, deadline: Some(now + 2 * SECOND) };
    assert_eq!(calls.progress(now + SECOND, id, false), Some(moved));
    assert_eq!(calls.progress(now + SECOND, id, false), Some(Progress { deadline: None, ..moved }));
    calls.leave_exchange(id);
    assert_eq!(calls.become_task(id, 60 * SECOND), Some(now + 60 * SECOND));
    assert_eq!(calls.progress(now, id, true), Some(Progress { deadline: None, ..moved }));
    assert_eq!(calls.await_input(id), Some(now + 60 * SECOND));
    assert_eq!(calls.restart_time(now, id), Some(now + SECOND));
    assert_eq!(calls.progress(now, id + 1, false), None);
}
