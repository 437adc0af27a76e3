//! Which changes of a task's status there are, and how often its client is told of them.

use super::random::Random;
use super::stage::settings;
use super::tasks::{DONE, about, begin, session, stage};
use crate::engine::server::effect::{Now, SessionId};
use crate::engine::server::task_pace::TaskPace;
use crate::engine::server::tasks::{Beginning, Bounds, End, TaskId, Tasks};
use crate::engine::server::{Outcome, Started, TaskOptions};
use crate::protocol::task::{Form, Status};
use crate::shares::Holder;
use std::time::{Duration, Instant};

fn is_legal(from: Status, to: Status) -> bool {
    use Status::{Cancelled, Completed, Failed, InputRequired, Working};
    match from {
        Working | InputRequired => true,
        Completed | Failed | Cancelled => from == to,
    }
}

#[test]
fn only_legal_changes_of_the_status_happen_under_any_schedule() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut now = Now { at: Instant::now(), unix: 1_800_000_000 };
        let mut tasks = Tasks::new(Bounds { all: 8, per_session: 3, bytes: 200 });
        let mut known: Vec<(TaskId, Status)> = Vec::new();
        for step in 0..60u8 {
            let session = SessionId(random.next(3) as u64);
            let pick = (!known.is_empty()).then(|| random.of(&known).0.clone());
            match (random.next(8), pick) {
                (0 | 1, _) => {
                    let form = *random.of(&[Form::Core, Form::Extension]);
                    let holder = Holder::Session(session.0 / 2);
                    if tasks.admit(session, &holder, &mut Vec::new()).is_ok() {
                        let ttl = Duration::from_secs(random.next(5) as u64);
                        let beginning = Beginning {
                            form,
                            session,
                            owner: "",
                            holder,
                            tool: ("t", true),
                            request: None,
                            ttl,
                            poll_ms: None,
                            message: None,
                        };
                        tasks.insert(now, TaskId::new([step; 16]), &beginning);
                        known.push((TaskId::new([step; 16]), Status::Working));
                    }
                }
                (2, Some(id)) => drop(tasks.set_waiting(now, &id, true)),
                (3, Some(id)) => drop(tasks.set_waiting(now, &id, false)),
                (4, Some(id)) => {
                    let end = End::Result("x".repeat(random.next(60)).into());
                    let fails = random.next(2) == 0;
                    tasks.finish(now, &id, end, fails);
                }
                (5, Some(id)) => drop(tasks.cancel(now, &id)),
                (6, _) => drop(tasks.end_session(session)),
                _ => {
                    now.at += Duration::from_secs(1);
                    while let Some((id, _)) = tasks.expired(now.at) {
                        assert!(tasks.get(id.as_str()).is_none());
                    }
                }
            }
            known.retain_mut(|(id, before)| {
                let Some(task) = tasks.get(id.as_str()) else { return false };
                assert!(is_legal(*before, task.status), "seed {seed}: {before:?} to {:?}", task.status);
                assert!(!task.is_over() || task.request.is_none());
                *before = task.status;
                true
            });
            assert_eq!(known.len(), tasks.count(), "seed {seed}");
            assert!(tasks.count() <= 8 && tasks.shared() == tasks.count(), "seed {seed}");
        }
    }
}

#[test]
fn a_client_is_told_of_changes_once_per_interval() {
    let mut stage = stage(settings());
    let session = session(&mut stage);
    let task = begin(&mut stage, session, 1.into(), serde_json::json!({}));
    let run = stage.run();
    let mut told = Vec::new();
    for step in 0..50 {
        let message = format!("step {step}");
        let options = TaskOptions { message: Some(&message), ..TaskOptions::default() };
        assert_eq!(stage.server.start_task(stage.now, run.request, options), Started::Task);
        told.extend(stage.advance(Duration::from_millis(10)));
    }
    told.extend(stage.advance(Duration::from_millis(100)));
    assert_eq!(told.len(), 6, "{told:?}");
    assert_eq!(told[0]["params"]["statusMessage"], "step 0");
    assert_eq!(told[5]["params"]["statusMessage"], "step 49", "the last state is told");
    assert_eq!(stage.advance(Duration::from_secs(1)), [] as [serde_json::Value; 0]);
    let same = TaskOptions { message: Some("step 49"), ..TaskOptions::default() };
    stage.server.start_task(stage.now, run.request, same);
    assert_eq!(stage.sent(), [] as [serde_json::Value; 0], "nothing has changed");
    let long = "\u{e9}".repeat(4096);
    let poll = Some(Duration::from_millis(250));
    stage.server.start_task(stage.now, run.request, TaskOptions { message: Some(&long), poll, ttl: None });
    let told = stage.sent();
    let shown = told[0]["params"]["statusMessage"].as_str().expect("a text");
    assert_eq!((shown.len(), &told[0]["params"]["pollInterval"]), (4096, &250.into()));
    let odd = format!("x{long}");
    stage.advance(Duration::from_secs(1));
    stage.server.start_task(
        stage.now,
        run.request,
        TaskOptions { message: Some(&odd), ..TaskOptions::default() },
    );
    assert_eq!(
        stage.sent()[0]["params"]["statusMessage"].as_str().map(str::len),
        Some(4095),
        "no half a character"
    );
    stage.advance(Duration::from_secs(1));
    stage.respond(run.request, Outcome::Result(DONE));
    assert_eq!(about(&mut stage, session, 2, "tasks/get", &task)[0]["result"]["status"], "completed");
    let over = stage.server.start_task(stage.now, run.request, TaskOptions::default());
    assert_eq!(over, Started::Gone);
}

#[test]
fn the_pace_remembers_nothing_of_tasks_that_are_gone() {
    let mut pace = TaskPace::default();
    let start = Instant::now();
    let (one, two) = (TaskId::new([1; 16]), TaskId::new([2; 16]));
    assert!(pace.changed(&one, start) && pace.changed(&two, start));
    assert!(!pace.changed(&one, start) && !pace.changed(&one, start + Duration::from_millis(99)));
    assert_eq!(pace.due(), Some(start + Duration::from_millis(100)));
    assert_eq!(pace.take(start + Duration::from_millis(99)), None);
    // Later than due, without a tick in between.
    assert!(pace.changed(&one, start + Duration::from_millis(150)));
    assert_eq!((pace.due(), pace.take(start + Duration::from_secs(9))), (None, None));
    assert!(!pace.changed(&one, start + Duration::from_millis(160)));
    assert_eq!(pace.take(start + Duration::from_millis(250)), Some(one.clone()));
    assert!(!pace.changed(&one, start + Duration::from_millis(251)));
    pace.forget(&one);
    pace.forget(&two);
    assert_eq!(pace.count(), 0);
}
