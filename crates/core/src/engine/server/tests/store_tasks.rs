//! Tasks that several processes share through a store: what clients see at each of them, whatever becomes of processes and store.

use super::model_store::{Fleet, LEASE, TIMEOUT, settings};
use super::{QUESTION, Random};
use crate::engine::server::access::Principal;
use crate::engine::server::{
    AskOutcome, Outcome, RequestId, SessionId, Settings, StoreOutcome, StoreStatus, TaskOptions, TaskStart,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

const BUSY: i64 = -32010;

/// Begins a task at a process; gives its name and the request.
fn begin(fleet: &mut Fleet, process: usize) -> (Value, RequestId) {
    begin_with(fleet, process, TaskOptions::default())
}

/// The same of one that may begin again.
fn begin_twice(fleet: &mut Fleet, process: usize) -> (Value, RequestId) {
    begin_with(fleet, process, TaskOptions { attempts: 2, ..TaskOptions::default() })
}

fn begin_with(fleet: &mut Fleet, process: usize, options: TaskOptions<'_>) -> (Value, RequestId) {
    let id = fleet.send(process, "tools/call", json!({ "name": "t" }));
    let now = fleet.now();
    let it = fleet.of(process);
    let request = it.runs.pop().expect("its handler runs");
    assert_eq!(it.server.start_task(now, request, options), TaskStart::Task);
    fleet.settle();
    let answer = fleet.answer(process, id).expect("the task");
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    (answer["result"]["taskId"].clone(), request)
}

fn about(fleet: &mut Fleet, process: usize, method: &str, task: &Value) -> Value {
    fleet.ask(process, method, json!({ "taskId": task }))
}

fn status(fleet: &mut Fleet, process: usize, task: &Value) -> String {
    let answer = about(fleet, process, "tasks/get", task);
    answer["result"]["status"].as_str().unwrap_or_else(|| panic!("no status: {answer}")).to_owned()
}

fn finish(fleet: &mut Fleet, process: usize, request: RequestId, text: &str) {
    let now = fleet.now();
    drop(fleet.of(process).server.respond(now, request, Outcome::Text(text)));
    fleet.collect();
}

/// The handler asks its client by this key.
fn question(fleet: &mut Fleet, process: usize, request: RequestId, key: &str) {
    let server = &mut fleet.of(process).server;
    assert_eq!(server.ask(request, key, "elicitation/create", QUESTION), AskOutcome::Pending);
}

fn returned(fleet: &mut Fleet, process: usize, request: RequestId) {
    let now = fleet.now();
    fleet.of(process).server.dropped(now, request);
    fleet.settle();
}

fn lost(answer: &Value) -> bool {
    answer["result"]["error"]["data"]["reason"] == "worker_lost"
}

#[test]
fn a_client_gets_the_name_of_a_task_after_its_record_is_there() {
    let mut fleet = Fleet::new(2);
    let id = fleet.send(0, "tools/call", json!({ "name": "t" }));
    let now = fleet.now();
    let request = fleet.of(0).runs.pop().expect("it runs");
    assert_eq!(fleet.of(0).server.start_task(now, request, TaskOptions::default()), TaskStart::Task);
    fleet.collect();
    assert_eq!((fleet.answer(0, id), fleet.asked.len()), (None, 2), "its record, and where others find it");
    fleet.settle();
    let answer = fleet.answer(0, id).expect("the task");
    assert_eq!(status(&mut fleet, 1, &answer["result"]["taskId"]), "working");
}

#[test]
fn a_store_that_is_away_is_an_error_and_never_a_task_that_is_not_there() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    fleet.is_away = true;
    for method in ["tasks/get", "tasks/cancel"] {
        for process in [0, 1] {
            let answer = about(&mut fleet, process, method, &task);
            assert_eq!(answer["error"]["code"], BUSY, "{method}: {answer}");
            assert_eq!(answer["error"]["data"]["retryable"], true);
        }
    }
    let answer = fleet.ask(1, "tasks/update", json!({ "taskId": task, "inputResponses": {} }));
    assert_eq!(answer["error"]["code"], BUSY);
    // A call that would become a task fails, and its handler learns it.
    let id = fleet.send(1, "tools/call", json!({ "name": "t" }));
    let now = fleet.now();
    let other = fleet.of(1).runs.pop().expect("it runs");
    assert_eq!(fleet.of(1).server.start_task(now, other, TaskOptions::default()), TaskStart::Task);
    fleet.settle();
    assert_eq!(fleet.answer(1, id).expect("an answer")["error"]["code"], BUSY);
    assert_eq!(fleet.of(1).withdrawn, [other]);
    // The result waits in memory.
    finish(&mut fleet, 0, request, "done");
    fleet.live(Duration::from_secs(60));
    fleet.is_away = false;
    fleet.live(Duration::from_secs(3));
    let answer = about(&mut fleet, 1, "tasks/get", &task);
    assert_eq!(answer["result"]["result"]["content"][0]["text"], "done", "{answer}");
    assert_eq!(fleet.of(0).server.task_count(), 0, "what is in the store is not kept twice");
    // One whose lease is over starts none, and says so at once.
    fleet.is_away = true;
    fleet.live(LEASE * 2);
    fleet.send(1, "tools/call", json!({ "name": "t" }));
    let now = fleet.now();
    let late = fleet.of(1).runs.pop().expect("it runs");
    let started = fleet.of(1).server.start_task(now, late, TaskOptions::default());
    assert!(matches!(started, TaskStart::Full(_)), "{started:?}");
}

#[test]
fn every_method_works_at_another_process() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    for key in ["a", "b"] {
        question(&mut fleet, 0, request, key);
    }
    returned(&mut fleet, 0, request);
    let read = about(&mut fleet, 1, "tasks/get", &task);
    assert_eq!(read["result"]["status"], "input_required");
    assert_eq!(read["result"]["inputRequests"].as_object().map(serde_json::Map::len), Some(2), "{read}");
    let answer = json!({ "action": "accept", "content": { "name": "n" } });
    let one = json!({ "taskId": task, "inputResponses": { "a": answer, "unknown": answer } });
    assert_eq!(fleet.ask(1, "tasks/update", one)["error"], Value::Null);
    assert!(fleet.of(0).runs.is_empty(), "one answer is missing");
    let read = about(&mut fleet, 1, "tasks/get", &task);
    assert_eq!(read["result"]["inputRequests"]["a"], Value::Null);
    let other = json!({ "taskId": task, "inputResponses": { "b": { "action": "decline" } } });
    assert_eq!(fleet.ask(1, "tasks/update", other)["error"], Value::Null);
    assert_eq!(fleet.of(0).runs, [request], "it runs again where it was started");
    assert!(matches!(
        fleet.of(0).server.ask(request, "a", "elicitation/create", QUESTION),
        AskOutcome::Answered(_)
    ));
    assert_eq!(status(&mut fleet, 1, &task), "working");
    assert_eq!(about(&mut fleet, 1, "tasks/cancel", &task)["error"], Value::Null);
    assert_eq!(fleet.of(0).withdrawn, [request], "its handler learns it");
    for process in [0, 1] {
        assert_eq!(status(&mut fleet, process, &task), "cancelled");
        assert_eq!(about(&mut fleet, process, "tasks/cancel", &task)["error"], Value::Null);
    }
    let (task, request) = begin(&mut fleet, 1);
    finish(&mut fleet, 1, request, "done");
    fleet.settle();
    let read = about(&mut fleet, 0, "tasks/get", &task);
    assert_eq!(
        (&read["result"]["status"], &read["result"]["result"]["content"][0]["text"]),
        (&json!("completed"), &json!("done"))
    );
    assert_eq!((fleet.of(0).server.task_count(), fleet.of(1).server.task_count()), (0, 0));
}

#[test]
fn of_a_cancellation_and_a_result_one_ends_the_task() {
    for finish_first in [true, false] {
        let mut fleet = Fleet::new(2);
        let (task, request) = begin(&mut fleet, 0);
        // Both have read the same version when they write.
        let id = fleet.send(1, "tasks/cancel", json!({ "taskId": task }));
        for _ in 0..2 {
            fleet.serve(0, None);
        }
        finish(&mut fleet, 0, request, "done");
        assert_eq!(fleet.asked.len(), 2, "{:?}", fleet.asked);
        fleet.serve(usize::from(finish_first), None);
        fleet.settle();
        assert_eq!(fleet.answer(1, id).expect("an answer")["error"], Value::Null);
        let wanted = if finish_first { "completed" } else { "cancelled" };
        for process in [0, 1] {
            assert_eq!(status(&mut fleet, process, &task), wanted);
        }
        assert_eq!(fleet.of(0).server.task_count(), 0);
        assert_eq!(fleet.of(0).server.counters().cancelled, u64::from(!finish_first));
    }
}

#[test]
fn the_messages_of_a_task_are_written_once_a_second() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    let say = |fleet: &mut Fleet, text: &str| {
        let (now, message) = (fleet.now(), Some(text));
        let options = TaskOptions { message, ..TaskOptions::default() };
        fleet.count = 0;
        assert_eq!(fleet.of(0).server.start_task(now, request, options), TaskStart::Task);
        fleet.settle();
        fleet.count
    };
    let read = |fleet: &mut Fleet| about(fleet, 1, "tasks/get", &task)["result"]["statusMessage"].clone();
    assert_eq!((say(&mut fleet, "a tenth"), say(&mut fleet, "a half")), (0, 0), "it was written just now");
    fleet.live(Duration::from_secs(1));
    assert_eq!(read(&mut fleet), "a half");
    fleet.live(Duration::from_secs(1));
    assert!(say(&mut fleet, "nearly all") > 0, "the last write is a second old");
    assert_eq!(read(&mut fleet), "nearly all");
}

#[test]
fn two_updates_begin_one_round() {
    let mut fleet = Fleet::new(3);
    let (task, request) = begin(&mut fleet, 0);
    question(&mut fleet, 0, request, "k");
    returned(&mut fleet, 0, request);
    let answer = json!({ "taskId": task, "inputResponses": { "k": { "action": "decline" } } });
    let ids = [1, 2].map(|process| (process, fleet.send(process, "tasks/update", answer.clone())));
    fleet.settle();
    for (process, id) in ids {
        assert_eq!(fleet.answer(process, id).expect("an answer")["error"], Value::Null);
    }
    assert_eq!(fleet.of(0).runs, [request]);
    fleet.live(LEASE * 3);
    assert_eq!(fleet.of(0).runs, [request], "and no look makes it two");
}

#[test]
fn a_process_that_is_gone_is_found_out_by_who_asks_and_by_who_listens() {
    let mut fleet = Fleet::new(3);
    fleet.live(LEASE * 2);
    let (task, _) = begin(&mut fleet, 0);
    let listen = json!({ "notifications": { "taskIds": [task, "unknown"] } });
    fleet.send(2, "subscriptions/listen", listen);
    fleet.settle();
    let acknowledged: Vec<Value> = fleet.of(2).frames.drain(..).collect();
    assert!(
        acknowledged.iter().any(|frame| frame["params"]["notifications"]["taskIds"] == json!([task])),
        "{acknowledged:?}"
    );
    fleet.live(Duration::from_secs(4));
    fleet.kill(0);
    fleet.live(Duration::from_secs(8));
    assert_eq!(status(&mut fleet, 1, &task), "working", "its lease has not ended");
    fleet.live(LEASE + Duration::from_secs(5));
    let told = &fleet.of(2).frames;
    let told: Vec<&Value> =
        told.iter().filter(|frame| frame["params"]["error"]["data"]["reason"] == "worker_lost").collect();
    assert_eq!(told.len(), 1, "who listens is told, unasked");
    let read = about(&mut fleet, 1, "tasks/get", &task);
    assert_eq!((&read["result"]["status"], lost(&read)), (&json!("failed"), true), "{read}");
    assert_eq!(read["result"]["error"]["code"], -32603);
    // Another process in its place does not know the task, either.
    fleet.start(0, settings());
    fleet.settle();
    assert_eq!(status(&mut fleet, 0, &task), "failed");
}

#[test]
fn who_listens_elsewhere_is_told_of_every_change() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    fleet.send(1, "subscriptions/listen", json!({ "notifications": { "taskIds": [task] } }));
    fleet.settle();
    let mut told = Vec::new();
    let mut look = |fleet: &mut Fleet| {
        let frames: Vec<Value> = fleet.of(1).frames.drain(..).collect();
        told.extend(frames.iter().filter_map(|it| Some(it["params"]["status"].as_str()?.to_owned())));
    };
    question(&mut fleet, 0, request, "k");
    returned(&mut fleet, 0, request);
    look(&mut fleet);
    let answer = json!({ "taskId": task, "inputResponses": { "k": { "action": "decline" } } });
    fleet.ask(1, "tasks/update", answer);
    look(&mut fleet);
    finish(&mut fleet, 0, request, "done");
    fleet.settle();
    look(&mut fleet);
    told.dedup();
    assert_eq!(told, ["working", "input_required", "working", "completed"]);
    // Nothing is watched for a stream that has ended.
    let session = fleet.of(1).session;
    fleet.of(1).server.close(session);
    fleet.live(LEASE * 2);
    assert_eq!(fleet.of(1).server.watched_tasks(), 0);
}

#[test]
fn a_process_that_was_stopped_for_longer_than_its_lease_ends_no_task() {
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (task, request) = begin(&mut fleet, 0);
    for _ in 0..40 {
        fleet.pass(Duration::from_secs(1), Some(0));
        fleet.settle();
    }
    assert!(lost(&about(&mut fleet, 1, "tasks/get", &task)));
    // It goes on, and its handler answers: too late.
    finish(&mut fleet, 0, request, "late");
    fleet.live(LEASE);
    for process in [0, 1] {
        let read = about(&mut fleet, process, "tasks/get", &task);
        assert!(lost(&read), "{read}");
    }
    assert_eq!(fleet.of(0).server.task_count(), 0);
    assert!(fleet.of(0).server.counters().late > 0);
}

#[test]
fn a_store_that_was_stopped_makes_no_process_look_gone() {
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (task, request) = begin(&mut fleet, 0);
    fleet.is_frozen = true;
    fleet.live(LEASE * 3);
    fleet.is_frozen = false;
    // What was asked meanwhile is lost, and one process looks for the other before that could renew its lease.
    fleet.asked.clear();
    let id = fleet.send(1, "tasks/get", json!({ "taskId": task }));
    while let Some(at) = fleet.asked.iter().position(|(of, ..)| *of == 1) {
        fleet.serve(at, None);
    }
    assert_eq!(fleet.answer(1, id).expect("an answer")["result"]["status"], "working");
    for _ in 0..40 {
        fleet.live(Duration::from_secs(1));
        assert_eq!(status(&mut fleet, 1, &task), "working");
    }
    finish(&mut fleet, 0, request, "done");
    fleet.live(Duration::from_secs(3));
    assert_eq!(status(&mut fleet, 1, &task), "completed");
}

#[test]
fn a_version_that_comes_again_in_another_generation_of_the_store_makes_no_process_look_gone() {
    let mut fleet = Fleet::new(1);
    let is_gone = |fleet: &mut Fleet| {
        let now = fleet.now();
        let kept = StoreOutcome { version: 5, ..StoreOutcome::of(StoreStatus::Done) };
        fleet.of(0).server.is_gone(now, "other", &kept)
    };
    fleet.live(LEASE * 2);
    assert!(!is_gone(&mut fleet), "it was not seen before");
    fleet.live(LEASE * 2);
    assert!(is_gone(&mut fleet), "it has renewed nothing");
    fleet.renew();
    // By then this process may say of another one that it is gone.
    fleet.live(LEASE * 2);
    assert!(!is_gone(&mut fleet), "what was seen was in another generation");
    fleet.live(LEASE * 2);
    assert!(is_gone(&mut fleet));
}

#[test]
fn a_clock_of_the_store_that_is_set_makes_no_process_look_gone_and_keeps_none() {
    const FAR: i64 = 300_000;
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (task, _) = begin(&mut fleet, 0);
    // It is set forward: all leases are over, and one process looks for the other before that could renew its own.
    fleet.skew_ms = FAR;
    for _ in 0..40 {
        assert_eq!(status(&mut fleet, 1, &task), "working");
        fleet.live(Duration::from_secs(1));
    }
    // It is set back when the process is killed, whose lease stays for as long.
    fleet.skew_ms = 0;
    fleet.kill(0);
    fleet.live(LEASE);
    assert_eq!(recorded(&fleet), ["working"]);
    fleet.live(LEASE);
    assert_eq!(recorded(&fleet), ["failed"]);
    assert!(lost(&about(&mut fleet, 1, "tasks/get", &task)));
}

#[test]
fn a_store_that_says_nothing_holds_up_no_request_for_ever_and_not_too_many() {
    let mut fleet = Fleet::with(1, || {
        let mut settings = settings();
        settings.limits.requests_per_session = 3;
        settings.limits.waiting_per_session = 0;
        settings
    });
    let (task, _) = begin(&mut fleet, 0);
    fleet.is_frozen = true;
    let ids: Vec<u64> = (0..4).map(|_| fleet.send(0, "tasks/get", json!({ "taskId": task }))).collect();
    let refused = fleet.answer(0, ids[3]).expect("one too many");
    assert_eq!(refused["error"]["data"]["limit"], "limits.session_requests", "{refused}");
    fleet.pass(TIMEOUT * 2, None);
    for id in &ids[..3] {
        assert_eq!(fleet.answer(0, *id).expect("an answer")["error"]["code"], BUSY);
    }
    fleet.is_frozen = false;
    fleet.settle();
    assert!(fleet.of(0).frames.is_empty(), "what the store says after that is dropped");
    assert_eq!(status(&mut fleet, 0, &task), "working");
}

#[test]
fn a_client_that_leaves_a_request_that_waits_for_the_store_gets_nothing() {
    let mut fleet = Fleet::new(2);
    let (task, _) = begin(&mut fleet, 0);
    let id = fleet.send(1, "tasks/get", json!({ "taskId": task }));
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    let now = fleet.now();
    let it = fleet.of(1);
    let from = crate::engine::server::Stream { session: it.session, number: 0 };
    it.server.frame(now, from, cancelled.to_string().as_bytes());
    it.waiting.remove(&id);
    fleet.settle();
    assert_eq!(fleet.answer(1, id), None);
    // One that leaves before it has the name of its task: no client could ask for it.
    let id = fleet.send(1, "tools/call", json!({ "name": "t" }));
    let now = fleet.now();
    let request = fleet.of(1).runs.pop().expect("it runs");
    assert_eq!(fleet.of(1).server.start_task(now, request, TaskOptions::default()), TaskStart::Task);
    let it = fleet.of(1);
    it.server.close(it.session);
    it.waiting.remove(&id);
    fleet.settle();
    assert_eq!((fleet.of(1).withdrawn.clone(), fleet.of(1).server.task_count()), (vec![request], 0));
    assert_eq!(fleet.store.values.keys().filter(|key| key.starts_with("task/")).count(), 1);
    assert_eq!(fleet.of(1).server.open_counts(), [0; 4]);
}

#[test]
fn a_task_is_for_its_principal_and_what_a_later_version_wrote_is_left() {
    let mut fleet = Fleet::new(2);
    let as_principal = |fleet: &mut Fleet, process: usize, id: &str| {
        let principal = Principal { id: id.into(), scopes: Vec::new(), text: "{}".into() };
        let it = fleet.of(process);
        it.server.authorize(it.session, Some(Arc::new(principal)));
    };
    as_principal(&mut fleet, 0, "ann");
    as_principal(&mut fleet, 1, "ann");
    let (task, request) = begin(&mut fleet, 0);
    finish(&mut fleet, 0, request, "the result");
    fleet.settle();
    assert_eq!(status(&mut fleet, 1, &task), "completed");
    as_principal(&mut fleet, 1, "eve");
    for method in ["tasks/get", "tasks/cancel"] {
        let answer = about(&mut fleet, 1, method, &task);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer, {
            let mut other = about(&mut fleet, 1, method, &json!("unknown"));
            other["id"] = answer["id"].clone();
            other
        });
    }
    let name = task.as_str().expect("a name").to_owned();
    // Values are sealed below; keys are not.
    for key in fleet.store.values.keys() {
        assert!(!key.contains(&name) && !key.contains("ann"), "{key}");
    }
    // What another version wrote is not read, and not written over.
    as_principal(&mut fleet, 1, "ann");
    let key = fleet.store.values.keys().find(|key| key.starts_with("task/")).cloned().expect("a record");
    let later = br#"{"form":2}"#.to_vec();
    fleet.store.values.get_mut(&key).expect("a record").0.clone_from(&later);
    for method in ["tasks/get", "tasks/cancel"] {
        assert_eq!(about(&mut fleet, 1, method, &task)["error"]["code"], BUSY);
    }
    assert_eq!(fleet.store.values[&key].0, later);
}

#[test]
fn who_waits_for_a_task_that_becomes_unreadable_is_told_so_at_every_process() {
    let mut fleet = Fleet::new(2);
    let sessions = fleet.shared_session();
    let (task, request) = begin_in(&mut fleet, 0, sessions[0]);
    let waiting = [0, 1].map(|process| {
        let by_name = json!({ "taskId": task });
        fleet.send_in(process, sessions[process], "tasks/result", &by_name)
    });
    fleet.settle();
    let key = fleet.store.values.keys().find(|key| key.starts_with("task/")).cloned().expect("a record");
    let record = fleet.store.values.get_mut(&key).expect("a record");
    // A later version wrote it, and its own process hears of that when it writes.
    (record.0, record.1) = (br#"{"form":2}"#.to_vec(), u64::MAX);
    finish(&mut fleet, 0, request, "done");
    fleet.live(LEASE * 2);
    for (process, id) in waiting.into_iter().enumerate() {
        let answer = fleet.answer(process, id).unwrap_or_else(|| panic!("{process} waits for ever"));
        assert_eq!(answer["error"]["code"], BUSY, "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("read")), "{answer}");
    }
}

#[test]
fn a_result_of_megabytes_is_kept_in_parts_and_one_of_more_than_all_parts_is_an_error() {
    let mut fleet = Fleet::with(2, || {
        let mut settings = settings();
        settings.limits.task_bytes = 1 << 30;
        settings
    });
    let (task, request) = begin(&mut fleet, 0);
    fleet.send(1, "subscriptions/listen", json!({ "notifications": { "taskIds": [task] } }));
    fleet.settle();
    // Characters of several bytes, which parts cut.
    let text = "\u{20ac}\"".repeat(200_000);
    finish(&mut fleet, 0, request, &text);
    fleet.settle();
    let heard = fleet.of(1).frames.iter().any(|it| it["params"]["result"]["content"][0]["text"] == *text);
    assert!(heard, "who listens elsewhere has all of it");
    for process in [0, 1] {
        let read = about(&mut fleet, process, "tasks/get", &task);
        assert_eq!(read["result"]["status"], "completed");
        assert_eq!(read["result"]["result"]["content"][0]["text"], *text);
    }
    assert_eq!(fleet.of(0).server.task_count(), 0);
    // Of a part it is not known whether it is there, whether it is or not: it is written again, and is there once.
    for is_lost in [true, false] {
        let (task, request) = begin(&mut fleet, 0);
        finish(&mut fleet, 0, request, &text);
        fleet.serve(0, None);
        fleet.serve(0, Some(is_lost));
        fleet.settle();
        assert_eq!(status(&mut fleet, 1, &task), "working");
        fleet.live(Duration::from_secs(1));
        let read = about(&mut fleet, 1, "tasks/get", &task);
        assert_eq!(read["result"]["result"]["content"][0]["text"], *text);
    }
    // No more than some are read at one time.
    let ids: Vec<u64> = (0..9).map(|_| fleet.send(1, "tasks/get", json!({ "taskId": task }))).collect();
    fleet.settle();
    let refused = ids.iter().filter(|id| fleet.answer(1, **id).expect("an answer")["error"]["code"] == BUSY);
    assert_eq!(refused.count(), 1);
    let (task, request) = begin(&mut fleet, 0);
    finish(&mut fleet, 0, request, &"x".repeat(4 << 20));
    fleet.settle();
    let read = about(&mut fleet, 1, "tasks/get", &task);
    assert_eq!(read["result"]["status"], "failed");
    let message = read["result"]["error"]["message"].as_str().expect("a text");
    assert!(message.contains("3141632"), "{message}");
    fleet.live(Duration::from_secs(3660));
    assert!(fleet.store.streams.keys().all(|key| !key.starts_with("result/")), "parts have a life");
}

/// The end that the record of each task has, unasked.
/// Begins a task of an older session at a process.
fn begin_in(fleet: &mut Fleet, process: usize, session: SessionId) -> (Value, RequestId) {
    let answer = fleet.ask_in(process, session, "tools/call", &json!({ "name": "t", "task": {} }));
    let task = answer["result"]["task"]["taskId"].clone();
    assert!(task.is_string(), "{answer}");
    (task, fleet.of(process).runs.pop().expect("its handler runs"))
}

#[test]
fn a_task_of_an_older_session_is_for_that_session_at_every_process() {
    let mut fleet = Fleet::new(3);
    let sessions = fleet.shared_session();
    let others = fleet.shared_session();
    let by_name = |task: &Value| json!({ "taskId": task });
    let (task, request) = begin_in(&mut fleet, 0, sessions[0]);
    let read = fleet.ask_in(1, sessions[1], "tasks/get", &by_name(&task));
    assert_eq!((&read["result"]["taskId"], &read["result"]["status"]), (&task, &json!("working")));
    // Neither another session, nor a client of the newest revision, has it.
    for answer in [
        fleet.ask_in(1, others[1], "tasks/get", &by_name(&task)),
        fleet.ask_in(0, others[0], "tasks/cancel", &by_name(&task)),
        fleet.ask_in(0, others[0], "tasks/result", &by_name(&task)),
        about(&mut fleet, 1, "tasks/get", &task),
        about(&mut fleet, 0, "tasks/cancel", &task),
    ] {
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    // What it came to goes to who waits, wherever that is.
    let waiting =
        [0, 1, 2].map(|process| fleet.send_in(process, sessions[process], "tasks/result", &by_name(&task)));
    fleet.settle();
    finish(&mut fleet, 0, request, "done");
    fleet.settle();
    for (process, id) in waiting.into_iter().enumerate() {
        let answer = fleet.answer(process, id).unwrap_or_else(|| panic!("{process} waits"));
        assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
        let related = &answer["result"]["_meta"]["io.modelcontextprotocol/related-task"];
        assert_eq!(related["taskId"], task);
    }
    let again = fleet.ask_in(2, sessions[2], "tasks/result", &by_name(&task));
    assert_eq!(again["result"]["content"][0]["text"], "done");
    let late = fleet.ask_in(1, sessions[1], "tasks/cancel", &by_name(&task));
    assert!(late["error"]["message"].as_str().is_some_and(|text| text.contains("'completed'")), "{late}");
    // Its client cancels it elsewhere: its handler learns it, and so does who waits.
    let (task, request) = begin_in(&mut fleet, 1, sessions[1]);
    let waits = fleet.send_in(0, sessions[0], "tasks/result", &by_name(&task));
    fleet.settle();
    let cancelled = fleet.ask_in(2, sessions[2], "tasks/cancel", &by_name(&task));
    assert_eq!(cancelled["result"]["status"], "cancelled", "{cancelled}");
    fleet.live(Duration::from_secs(1));
    assert_eq!(fleet.of(1).withdrawn, [request]);
    assert_eq!(fleet.answer(0, waits).expect("an answer")["error"]["code"], -32600);
}

#[test]
fn the_tasks_of_an_older_session_are_listed_at_every_process_and_page_by_page() {
    let mut fleet = Fleet::with(2, || Settings { page_size: 2, ..settings() });
    let sessions = fleet.shared_session();
    let others = fleet.shared_session();
    let tasks: Vec<Value> =
        (0..5).map(|number| begin_in(&mut fleet, number % 2, sessions[number % 2]).0).collect();
    begin_in(&mut fleet, 0, others[0]);
    // A store may give fewer than it is asked for.
    for (process, gives) in [(0, None), (1, None), (0, Some(1)), (1, Some(2))] {
        fleet.store.gives = gives;
        let (mut seen, mut cursor) = (Vec::new(), json!({}));
        for _ in 0..3 {
            let answer = fleet.ask_in(process, sessions[process], "tasks/list", &cursor);
            let listed = answer["result"]["tasks"].as_array().expect("tasks");
            seen.extend(listed.iter().map(|task| task["taskId"].clone()));
            match &answer["result"]["nextCursor"] {
                Value::Null => cursor = Value::Null,
                next => cursor = json!({ "cursor": next }),
            }
        }
        assert_eq!((seen, cursor), (tasks.clone(), Value::Null), "{gives:?}");
    }
    let wrong = fleet.ask_in(0, sessions[0], "tasks/list", &json!({ "cursor": "x" }));
    assert_eq!(wrong["error"]["code"], -32602);
    fleet.is_away = true;
    let away = fleet.ask_in(1, sessions[1], "tasks/list", &json!({}));
    assert_eq!(away["error"]["code"], BUSY, "no list is said to be empty: {away}");
    let none = fleet.ask_in(1, sessions[1], "tools/call", &json!({ "name": "t", "task": {} }));
    assert_eq!((none["error"]["code"].as_i64(), fleet.of(1).runs.len()), (Some(BUSY), 0));
}

#[test]
fn a_task_of_an_older_session_outlives_the_session_of_one_process_and_ends_with_its_process() {
    let mut fleet = Fleet::new(2);
    let sessions = fleet.shared_session();
    let (task, request) = begin_in(&mut fleet, 0, sessions[0]);
    // It was not used there for long. Its client is elsewhere.
    fleet.of(0).server.close(sessions[0]);
    fleet.settle();
    let waits = fleet.send_in(1, sessions[1], "tasks/result", &json!({ "taskId": task }));
    fleet.settle();
    finish(&mut fleet, 0, request, "done");
    fleet.settle();
    assert_eq!(fleet.answer(1, waits).expect("an answer")["result"]["content"][0]["text"], "done");
    // One whose process is gone fails, for who waits, too. It does not begin again: what it asks goes to its session.
    let sessions = fleet.shared_session();
    let (task, _) = begin_in(&mut fleet, 0, sessions[0]);
    let waits = fleet.send_in(1, sessions[1], "tasks/result", &json!({ "taskId": task }));
    fleet.settle();
    fleet.kill(0);
    fleet.live(LEASE * 3);
    let answer = fleet.answer(1, waits).expect("an answer");
    assert_eq!(answer["error"]["data"]["reason"], "worker_lost", "{answer}");
    assert_eq!(fleet.of(1).server.watched_tasks(), 0);
    // What its client ended is over at the process that works on it, and leaves no record.
    let (_, request) = begin_in(&mut fleet, 1, sessions[1]);
    let now = fleet.now();
    fleet.of(1).server.end_tasks_of(now, sessions[1]);
    fleet.of(1).server.close(sessions[1]);
    fleet.settle();
    assert_eq!((fleet.of(1).withdrawn.clone(), fleet.of(1).server.task_count()), (vec![request], 0));
    let left = fleet.store.values.keys().filter(|key| key.starts_with("task/")).count();
    assert_eq!(left, 2, "those of before");
}

fn recorded(fleet: &Fleet) -> Vec<String> {
    let records = fleet.store.values.iter().filter(|(key, _)| key.starts_with("task/"));
    let record = |text: &[u8]| serde_json::from_slice::<Value>(text).expect("a record");
    records.map(|(_, (text, ..))| record(text)["status"].as_str().expect("a status").to_owned()).collect()
}

#[test]
fn tasks_of_a_process_that_is_gone_fail_although_no_client_asks() {
    let mut fleet = Fleet::new(3);
    fleet.live(LEASE * 2);
    for _ in 0..200 {
        let (_, request) = begin(&mut fleet, 0);
        finish(&mut fleet, 0, request, "done");
        fleet.settle();
    }
    let open: Vec<Value> = (0..40).map(|_| begin(&mut fleet, 0).0).collect();
    let (stays, _) = begin(&mut fleet, 1);
    let noted = fleet.store.streams.iter().find(|(key, (all, _))| key.starts_with("runs/") && all.len() > 1);
    assert!(noted.is_some_and(|(_, (all, _))| all.len() < 160), "what is over is not noted for ever");
    fleet.kill(0);
    fleet.live(LEASE + LEASE / 3 + Duration::from_secs(1));
    let lost = recorded(&fleet).iter().filter(|status| *status == "failed").count();
    assert_eq!(lost, open.len());
    assert_eq!(status(&mut fleet, 2, &stays), "working");
    // That is done once, also by processes that come later.
    fleet.start(0, settings());
    fleet.live(LEASE * 2);
    fleet.count = 0;
    fleet.live(LEASE);
    assert!(fleet.count <= 30, "{} operations of three idle processes", fleet.count);
}

#[test]
fn a_process_that_comes_late_knows_the_others_however_few_names_a_store_gives_at_one_time() {
    let mut fleet = Fleet::new(2);
    for _ in 0..20 {
        fleet.kill(0);
        fleet.start(0, settings());
        fleet.live(Duration::from_secs(1));
    }
    begin(&mut fleet, 0);
    fleet.store.gives = Some(1);
    fleet.kill(1);
    fleet.start(1, settings());
    fleet.live(LEASE);
    fleet.kill(0);
    fleet.live(LEASE + LEASE / 3 + Duration::from_secs(1));
    assert_eq!(recorded(&fleet), ["failed"]);
}

#[test]
fn a_process_that_goes_on_after_its_lease_is_looked_after_again() {
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (first, _) = begin(&mut fleet, 0);
    for _ in 0..40 {
        fleet.pass(Duration::from_secs(1), Some(0));
        fleet.settle();
    }
    assert_eq!(recorded(&fleet), ["failed"]);
    // What it begins afterwards is not lost with that, and is found when it is gone at last.
    fleet.live(LEASE);
    let (second, _) = begin(&mut fleet, 0);
    fleet.live(LEASE * 2);
    assert_eq!(
        (status(&mut fleet, 1, &first), status(&mut fleet, 1, &second)),
        ("failed".into(), "working".into())
    );
    fleet.kill(0);
    fleet.live(LEASE * 2);
    assert_eq!(recorded(&fleet), ["failed", "failed"]);
}

#[test]
fn a_task_that_may_begin_again_does_so_in_another_process_and_once() {
    let mut fleet = Fleet::new(3);
    fleet.live(LEASE * 2);
    let principal =
        Principal { id: "ann".into(), scopes: vec!["s".into()], text: r#"{"principal":"ann"}"#.into() };
    let it = fleet.of(0);
    it.server.authorize(it.session, Some(Arc::new(principal)));
    let (task, request) = begin_twice(&mut fleet, 0);
    question(&mut fleet, 0, request, "k");
    returned(&mut fleet, 0, request);
    fleet.kill(0);
    fleet.live(LEASE * 2);
    let again: Vec<(usize, RequestId)> = (1..3)
        .flat_map(|process| fleet.of(process).runs.clone().into_iter().map(move |it| (process, it)))
        .collect();
    let [(process, request)] = again[..] else { panic!("one process begins it: {again:?}") };
    let now = fleet.at;
    let context = fleet.of(process).server.describe_request(request, now).expect("it is there");
    let context: Value = serde_json::from_str(&context).expect("JSON");
    assert_eq!(
        (&context["attempt"], &context["task"], &context["principal"]),
        (&json!(2), &task, &json!({ "principal": "ann" }))
    );
    let about_as = |fleet: &mut Fleet, process: usize| {
        let ann = Principal { id: "ann".into(), scopes: Vec::new(), text: "{}".into() };
        let it = fleet.of(process);
        it.server.authorize(it.session, Some(Arc::new(ann)));
        about(fleet, process, "tasks/get", &task)
    };
    assert_eq!(about_as(&mut fleet, 3 - process)["result"]["status"], "working", "nothing is asked any more");
    finish(&mut fleet, process, request, "the second");
    fleet.of(process).runs.clear();
    fleet.settle();
    let read = about_as(&mut fleet, 3 - process);
    assert_eq!(read["result"]["result"]["content"][0]["text"], "the second");
    assert_eq!(fleet.of(process).server.open_counts(), [1, 0, 0, 0], "the session of its client");
    // There is no third.
    let (task, _) = begin_twice(&mut fleet, 1);
    fleet.start(0, settings());
    fleet.live(LEASE * 2);
    fleet.kill(1);
    fleet.live(LEASE * 2);
    let runs = [0, 2].map(|process| fleet.of(process).runs.len());
    assert_eq!(runs.iter().sum::<usize>(), 1, "{runs:?}");
    let second = if runs[0] == 1 { 0 } else { 2 };
    fleet.start(1, settings());
    fleet.live(LEASE * 2);
    fleet.kill(second);
    fleet.live(LEASE * 2);
    assert!(recorded(&fleet).iter().any(|status| status == "failed"), "{task}");
    let other = 2 - second;
    assert!(fleet.of(other).runs.is_empty() && fleet.of(1).runs.is_empty());
}

#[test]
fn what_a_process_says_of_a_task_that_another_one_has_begun_again_is_dropped() {
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (task, request) = begin_twice(&mut fleet, 0);
    for _ in 0..40 {
        fleet.pass(Duration::from_secs(1), Some(0));
        fleet.settle();
    }
    let again = fleet.of(1).runs.pop().expect("it begins again");
    finish(&mut fleet, 0, request, "late");
    fleet.settle();
    assert_eq!(status(&mut fleet, 0, &task), "working");
    assert_eq!(fleet.of(0).withdrawn, [], "it has answered");
    assert!(fleet.of(0).server.counters().late > 0);
    finish(&mut fleet, 1, again, "second");
    fleet.live(LEASE);
    for process in [0, 1] {
        let read = about(&mut fleet, process, "tasks/get", &task);
        assert_eq!(read["result"]["result"]["content"][0]["text"], "second", "{read}");
    }
}

#[test]
fn a_process_without_a_store_stops_what_others_may_begin_before_its_lease_ends() {
    let mut fleet = Fleet::new(2);
    fleet.live(LEASE * 2);
    let (task, request) = begin_twice(&mut fleet, 0);
    let (plain, _) = begin(&mut fleet, 0);
    fleet.is_away = true;
    fleet.live(LEASE * 3 / 5);
    assert_eq!(fleet.of(0).withdrawn, []);
    let at = fleet.of(0).server.give_up_at().expect("a lease");
    assert!(fleet.of(0).server.store_deadline().is_some_and(|next| next <= at), "it wakes in time");
    let left = at - fleet.now().at;
    fleet.pass(left, None);
    assert_eq!(fleet.of(0).withdrawn, [request], "others go on, and it is awake at that time only");
    fleet.live((LEASE * 2 / 5).saturating_sub(left));
    assert_eq!(fleet.of(0).withdrawn, [request], "once");
    fleet.is_away = false;
    fleet.live(LEASE * 2);
    let runs = [0, 1].map(|process| fleet.of(process).runs.len());
    assert_eq!((runs[0] + runs[1], status(&mut fleet, 1, &task)), (1, "working".to_owned()), "{runs:?}");
    assert_eq!(status(&mut fleet, 1, &plain), "working");
}

#[test]
fn a_server_that_closes_gives_its_tasks_up_at_once() {
    let mut fleet = Fleet::new(2);
    let (task, _) = begin(&mut fleet, 0);
    let (again, _) = begin_twice(&mut fleet, 0);
    let now = fleet.now();
    fleet.of(0).server.refuse_all(now, "closing");
    fleet.settle();
    assert_eq!(fleet.of(1).runs.len(), 1, "what may begin again does, unasked");
    assert!(lost(&about(&mut fleet, 1, "tasks/get", &task)));
    assert_eq!(status(&mut fleet, 1, &again), "working");
    fleet.live(LEASE * 2);
    let processes = fleet.store.values.keys().filter(|key| key.starts_with("process/")).count();
    assert_eq!(processes, 1, "a process that has left says no longer that it is there");
}

#[test]
fn a_task_that_has_expired_is_unknown_everywhere_and_leaves_nothing() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    let (other, _) = begin(&mut fleet, 0);
    finish(&mut fleet, 0, request, "done");
    fleet.live(Duration::from_secs(3601));
    for task in [task, other] {
        for process in [0, 1] {
            assert_eq!(about(&mut fleet, process, "tasks/get", &task)["error"]["code"], -32602);
        }
    }
    assert_eq!(fleet.of(0).server.task_count(), 0);
    assert!(
        fleet.store.values.keys().all(|key| key.starts_with("process/")),
        "{:?}",
        fleet.store.values.keys()
    );
}

#[test]
fn what_a_store_has_forgotten_is_written_again_by_who_works_on_it() {
    let mut fleet = Fleet::new(2);
    let (task, request) = begin(&mut fleet, 0);
    fleet.store.values.clear();
    fleet.renew();
    fleet.settle();
    assert_eq!(status(&mut fleet, 1, &task), "working");
    finish(&mut fleet, 0, request, "done");
    fleet.settle();
    assert_eq!(status(&mut fleet, 1, &task), "completed");
}

#[test]
fn round_trips_are_as_they_are_documented_and_a_call_makes_none() {
    let mut fleet = Fleet::new(2);
    fleet.count = 0;
    for (method, params) in [
        ("tools/list", json!({})),
        ("server/discover", json!({})),
        ("ping", json!({})),
        ("tools/call", json!({ "name": "none" })),
    ] {
        fleet.ask(0, method, params);
    }
    let id = fleet.send(0, "tools/call", json!({ "name": "t" }));
    let request = fleet.of(0).runs.pop().expect("it runs");
    finish(&mut fleet, 0, request, "done");
    assert!(fleet.answer(0, id).is_some());
    assert_eq!(fleet.count, 0, "a call that becomes no task asks the store nothing");
    let counted = |fleet: &mut Fleet, what: &str, most: usize| {
        assert!(fleet.count <= most, "{what} took {} operations", fleet.count);
        fleet.count = 0;
    };
    let (task, request) = begin(&mut fleet, 0);
    counted(&mut fleet, "a start, and where others find it", 2);
    status(&mut fleet, 1, &task);
    counted(&mut fleet, "the first look at a task of another process", 2);
    status(&mut fleet, 1, &task);
    counted(&mut fleet, "a look", 1);
    finish(&mut fleet, 0, request, "done");
    fleet.settle();
    counted(&mut fleet, "an end, and its message", 2);
    fleet.pass(LEASE, None);
    fleet.settle();
    counted(&mut fleet, "two idle processes that say that they are there, and look at each other", 6);
}

/// What a world may do to processes and store.
#[derive(Clone, Copy)]
struct Faults {
    /// Requests and replies are lost, and late.
    losses: bool,
    /// Processes are killed and stopped.
    deaths: bool,
    /// The store is away or stopped for a while.
    outages: bool,
    /// An old copy of the store goes on.
    rollbacks: bool,
}

struct World {
    random: Random,
    fleet: Fleet,
    faults: Faults,
    stopped: Option<usize>,
    /// Tasks whose names were given: the end that was seen.
    tasks: BTreeMap<String, Option<String>>,
    /// Requests about tasks: the process, the id, the task, and the end that was known when it was asked.
    asked: Vec<(usize, u64, String, Option<String>)>,
    starting: Vec<(usize, u64)>,
    /// Rounds of handlers that have begun.
    rounds: BTreeMap<(usize, u64, RequestId), usize>,
    /// How often calls of tasks began again.
    again: BTreeMap<String, usize>,
    lives: [u64; 3],
    old: super::model_store::ModelStore,
    seen: BTreeMap<String, usize>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let mut may = || random.next(2) == 0;
        let faults = Faults { losses: may(), deaths: may(), outages: may(), rollbacks: may() && may() };
        let mut fleet = Fleet::new(3);
        fleet.store.gives = (seed % 8 == 7).then_some(1);
        fleet.live(LEASE * 2);
        let old = fleet.store.clone();
        World {
            random,
            fleet,
            faults,
            stopped: None,
            tasks: BTreeMap::new(),
            asked: Vec::new(),
            starting: Vec::new(),
            rounds: BTreeMap::new(),
            again: BTreeMap::new(),
            lives: [0; 3],
            old,
            seen: BTreeMap::new(),
        }
    }

    fn process(&mut self) -> Option<usize> {
        let process = self.random.next(3);
        (self.fleet.processes[process].is_some() && self.stopped != Some(process)).then_some(process)
    }

    fn client(&mut self) {
        let Some(process) = self.process() else { return };
        let known: Vec<String> = self.tasks.keys().cloned().collect();
        if known.is_empty() || self.random.next(4) == 0 {
            let id = self.fleet.send(process, "tools/call", json!({ "name": "t" }));
            return self.starting.push((process, id));
        }
        let task = self.random.of(&known).clone();
        let end = self.tasks[&task].clone();
        let mut params = json!({ "taskId": task });
        let method = *self.random.of(&[
            "tasks/get",
            "tasks/get",
            "tasks/get",
            "tasks/cancel",
            "tasks/update",
            "listen",
        ]);
        if method == "listen" {
            self.fleet.send(
                process,
                "subscriptions/listen",
                json!({ "notifications": { "taskIds": [task] } }),
            );
            return;
        }
        if method == "tasks/update" {
            params["inputResponses"] = json!({ "k": { "action": "decline" } });
        }
        let id = self.fleet.send(process, method, params);
        self.asked.push((process, id, task, end));
    }

    fn handler(&mut self) {
        let Some(process) = self.process() else { return };
        let now = self.fleet.now();
        let it = self.fleet.of(process);
        if it.runs.is_empty() {
            return;
        }
        let at = self.random.next(it.runs.len());
        let request = it.runs[at];
        match self.random.next(6) {
            0 | 1 => {
                let message = format!("m{}", self.random.next(3));
                let attempts = u32::try_from(self.random.next(2)).expect("small") + 1;
                let options = TaskOptions { message: Some(&message), attempts, ..TaskOptions::default() };
                let _started = it.server.start_task(now, request, options);
            }
            2 | 3 => {
                if it.server.is_task(request)
                    && it.server.ask(request, "k", "elicitation/create", QUESTION) == AskOutcome::Pending
                {
                    it.runs.swap_remove(at);
                    it.server.dropped(now, request);
                }
            }
            _ => {
                it.runs.swap_remove(at);
                let outcome = *self
                    .random
                    .of(&[Outcome::Text("done"), Outcome::Error { code: 1, message: "no", data: None }]);
                drop(it.server.respond(now, request, outcome));
            }
        }
        self.fleet.collect();
    }

    fn network(&mut self) {
        let fleet = &mut self.fleet;
        if !fleet.told.is_empty() && self.random.next(2) == 0 {
            let at = self.random.next(fleet.told.len());
            if self.faults.losses && fleet.told[at].2.is_some() && self.random.next(8) == 0 {
                fleet.told.remove(at);
                return;
            }
            return fleet.deliver(at);
        }
        if fleet.asked.is_empty() || fleet.is_frozen {
            return;
        }
        let at = self.random.next(fleet.asked.len());
        let lost = (self.faults.losses && self.random.next(6) == 0).then(|| self.random.next(2) == 0);
        fleet.serve(at, lost);
    }

    fn fault(&mut self) {
        match self.random.next(8) {
            0 if self.faults.outages => self.fleet.is_away = !self.fleet.is_away,
            1 if self.faults.outages => self.fleet.is_frozen = !self.fleet.is_frozen,
            2 if self.faults.deaths => {
                let process = self.random.next(3);
                if self.fleet.processes[process].is_some() {
                    self.fleet.kill(process);
                    self.asked.retain(|(of, ..)| *of != process);
                    self.starting.retain(|(of, _)| *of != process);
                } else {
                    self.lives[process] += 1;
                    self.fleet.start(process, settings());
                }
            }
            3 if self.faults.deaths => {
                let process = self.random.next(3);
                self.stopped = if self.stopped.is_some() { None } else { Some(process) };
            }
            4 if self.faults.rollbacks => {
                if self.random.next(2) == 0 {
                    self.old = self.fleet.store.clone();
                } else {
                    self.fleet.store.values = self.old.values.clone();
                    self.fleet.renew();
                }
            }
            _ => {
                if !self.faults.losses {
                    // Nothing is late, but where the store does not answer.
                    self.fleet.settle();
                    self.look();
                }
                let time = Duration::from_millis(*self.random.of(&[100, 1000, 1000, 3000]));
                self.fleet.pass(time, self.stopped);
            }
        }
    }

    /// Looks at what clients got.
    fn look(&mut self) {
        for process in 0..3 {
            let Some(it) = &mut self.fleet.processes[process] else { continue };
            for (request, round) in std::mem::take(&mut it.begun) {
                let before = self.rounds.insert((process, self.lives[process], request), round as usize);
                assert!(before.is_none_or(|before| before < round as usize), "a round was begun twice");
                let again = it.server.task_of(request).filter(|_| before.is_none());
                if let Some(task) = again {
                    *self.seen.entry("begun again".to_owned()).or_default() += 1;
                    let times = self.again.entry(task).or_insert(0);
                    *times += 1;
                    assert!(*times == 1 || self.faults.rollbacks, "a call began more often than it may");
                }
            }
            for frame in std::mem::take(&mut it.frames) {
                let id = frame["id"].as_u64();
                if let Some(at) = id.and_then(|id| self.starting.iter().position(|it| *it == (process, id))) {
                    self.starting.swap_remove(at);
                    if let Some(task) = frame["result"]["taskId"].as_str() {
                        self.tasks.insert(task.to_owned(), None);
                    }
                }
                let asked = id.and_then(|id| self.asked.iter().position(|it| (it.0, it.1) == (process, id)));
                let asked = asked.map(|at| self.asked.swap_remove(at));
                if let Some(code) = frame["error"]["code"].as_i64() {
                    assert!(
                        code == BUSY || code == 1 || self.faults.rollbacks && code == -32602,
                        "a name that was given is known, and a store that is away is no other error: {frame}"
                    );
                }
                let said = if asked.is_some() { &frame["result"] } else { &frame["params"] };
                let Some(status) = said["status"].as_str() else { continue };
                *self.seen.entry(status.to_owned()).or_default() += 1;
                let is_lost = said["error"]["data"]["reason"] == "worker_lost";
                *self.seen.entry("worker_lost".to_owned()).or_default() += usize::from(is_lost);
                assert!(
                    !is_lost || self.faults.deaths || self.faults.losses || self.faults.rollbacks,
                    "no process was gone: {frame}"
                );
                if self.faults.rollbacks {
                    continue;
                }
                let task = said["taskId"].as_str().expect("a name").to_owned();
                let is_over = !["working", "input_required"].contains(&status);
                if let Some((.., Some(end))) = &asked {
                    assert_eq!(end, status, "{task} was over when it was asked for");
                }
                let end = self.tasks.entry(task.clone()).or_default();
                if is_over {
                    let before = end.replace(status.to_owned());
                    assert!(before.is_none_or(|before| before == status), "{task}: {end:?}");
                }
            }
        }
    }

    fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.next(16) {
                0..=2 => self.client(),
                3..=5 => self.handler(),
                6..=13 => self.network(),
                _ => self.fault(),
            }
            self.look();
        }
        // Everything is well again.
        (self.fleet.is_away, self.fleet.is_frozen, self.stopped) = (false, false, None);
        for process in 0..3 {
            if self.fleet.processes[process].is_none() {
                self.lives[process] += 1;
                self.fleet.start(process, settings());
            }
        }
        self.fleet.live(LEASE * 4);
        self.look();
        // Handlers that are left answer; a question that is open is answered.
        let open: Vec<String> = self.tasks.keys().cloned().collect();
        for task in &open {
            let answer = json!({ "taskId": task, "inputResponses": { "k": { "action": "decline" } } });
            let id = self.fleet.send(0, "tasks/update", answer);
            self.asked.push((0, id, task.clone(), None));
        }
        self.fleet.live(Duration::from_secs(5));
        for process in 0..3 {
            for request in std::mem::take(&mut self.fleet.of(process).runs) {
                finish(&mut self.fleet, process, request, "the end");
            }
        }
        self.fleet.live(LEASE * 2);
        self.look();
        assert!(self.asked.is_empty() && self.starting.is_empty(), "each request is answered");
        for it in self.fleet.processes.iter().flatten() {
            assert!(it.waiting.is_empty(), "each request is answered: {:?}", it.waiting);
        }
        if self.faults.rollbacks {
            return;
        }
        for task in open {
            let read = about(&mut self.fleet, 2, "tasks/get", &json!(task));
            let status = read["result"]["status"].as_str().unwrap_or_else(|| panic!("{read}"));
            assert!(
                !["working", "input_required"].contains(&status),
                "its handler answered, or its process is gone: {read}"
            );
        }
        for it in self.fleet.processes.iter().flatten() {
            assert_eq!(it.server.task_count(), 0, "what is over is not kept");
        }
    }
}

#[test]
fn shared_tasks_keep_their_promises_under_any_schedule() {
    let seeds = super::store_simulator::seeds();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 1..=seeds {
        let mut world = World::new(seed);
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.play(250)));
        assert!(played.is_ok(), "seed {seed}");
        for (status, count) in world.seen {
            *seen.entry(status).or_default() += count;
        }
    }
    for status in
        ["working", "input_required", "completed", "failed", "cancelled", "worker_lost", "begun again"]
    {
        assert!(
            seen.get(status).is_some_and(|count| *count as u64 * 50 > seeds),
            "the schedules reach {status}: {seen:?}"
        );
    }
}
