//! Which revisions a server speaks, and how long a connection takes in each.

use super::Report;
use crate::arguments::Common;
use crate::failure::{AUTH, Failure, INTERRUPTED};
use crate::ordered::sort_by_key;
use crate::output::{beginning, one_line};
use crate::progress::{self, Progress};
use crate::questions::Questions;
use crate::session::Session;
use crate::target::Target;
use mcp::client::json_text::{member, string};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The revisions of the protocol, the newest first.
const REVISIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// How many connections are tried at one time, each of which may be a process.
const AT_A_TIME: usize = 3;

/// Characters of a reason that are shown.
const REASON: usize = 100;

/// A connection as every program makes it.
pub fn open(target: &Target, common: &Common) -> Result<Session, Failure> {
    Session::open_quietly(target.clone(), common, Questions::new(None), None)
}

/// Connects as every program does, and then in each revision, a few at one time. Gives the first session, or that of a revision where a connection as every
/// program makes it fails for what the server answers; `None` where each fails.
pub fn check(target: &Target, common: &Common, report: &mut Report) -> Result<Option<Session>, Failure> {
    // The first connection of a program may have to load it; that time is not a time of the protocol.
    let begin = Instant::now();
    let first = open(target, common);
    let elapsed = begin.elapsed();
    let mut session = match first {
        Ok(session) => Some(session),
        // A server that cannot be reached at all is not a patient.
        Err(failure) if !failure.is_of_answer() => return Err(failure),
        Err(failure) => {
            report.fault(
                "initialize",
                failure.text(),
                "answer initialize with the revision that the client asks for, or with the newest that the server knows, and with \
                 capabilities and serverInfo",
            );
            None
        }
    };
    if session.is_some() {
        let time = elapsed.as_secs_f64() * 1000.0;
        report.good("connection", format!("the first one is ready after {time:.0} ms"));
    }
    if let Some(session) = session.take_if(|_| common.protocol != "auto") {
        let revision = member(&session.info(), "revision").and_then(string).unwrap_or_default().into_owned();
        report
            .revisions
            .push(json!({"revision": revision, "era": "", "milliseconds": elapsed.as_secs_f64() * 1000.0}));
        return Ok(Some(session));
    }
    let has_failed = session.is_none();
    let mut spoken = 0;
    let waits = Progress::spinner("connecting in each revision");
    let tried = each(&REVISIONS, AT_A_TIME, |revision| tried(target, revision, common, has_failed));
    drop(waits);
    for (revision, tried) in REVISIONS.into_iter().zip(tried) {
        match tried {
            Ok(Spoken { era, taken, kept }) => {
                let time = taken.as_secs_f64() * 1000.0;
                report.revisions.push(json!({"revision": revision, "era": era, "milliseconds": time}));
                spoken += 1;
                session = session.or(kept);
            }
            Err(failure) if [AUTH, INTERRUPTED].contains(&failure.exit) => return Err(failure),
            Err(failure) => {
                let why = one_line(&failure.text());
                report.revisions.push(json!({"revision": revision, "why": beginning(&why, REASON)}));
            }
        }
    }
    if spoken == 0 && !has_failed {
        report.fault(
            "initialize",
            "the server accepts a connection, and none that asks for one known revision",
            "answer initialize with the revision that the client asks for, or with the newest that the server knows",
        );
    }
    Ok(session)
}

/// A connection in one revision.
struct Spoken {
    era: String,
    taken: Duration,
    /// Where it is needed still.
    kept: Option<Session>,
}

fn tried(target: &Target, revision: &str, common: &Common, is_kept: bool) -> Result<Spoken, Failure> {
    let mut target = target.clone();
    target.config.insert("protocol".to_owned(), revision.into());
    let begin = Instant::now();
    let session = open(&target, common)?;
    let taken = begin.elapsed();
    let era = member(&session.info(), "era").and_then(string).unwrap_or_default().into_owned();
    Ok(Spoken { era, taken, kept: Some(session).filter(|_| is_kept) })
}

/// Does something with each item, a few at one time and without a word of progress, and gives what came of them in their order. This thread
/// works, too, so that a thread that the system refuses leaves its share to the others.
fn each<I: Sync, T: Send>(items: &[I], at_a_time: usize, work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let share = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match items.get(at) {
                Some(item) => done.push((at, work(item))),
                None => return done,
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let beside = 1..at_a_time.min(items.len());
        let quietly = || progress::silently(share);
        let start =
            |_| std::thread::Builder::new().name("mcp-doctor".to_owned()).spawn_scoped(scope, quietly).ok();
        let threads: Vec<_> = beside.filter_map(start).collect();
        let mut all = quietly();
        for thread in threads {
            match thread.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    sort_by_key(&mut all, |(at, _)| *at);
    all.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex};

    #[test]
    fn c37_a_few_are_tried_at_one_time_and_no_more() {
        for (count, most) in [(0, 3), (1, 3), (5, 3), (7, 1)] {
            // How many are under way and were at most. Each waits until as many as may be are, or none is left to come.
            let (state, changed) = (Mutex::new((0, 0, 0)), Condvar::new());
            let items: Vec<usize> = (0..count).collect();
            let done = each(&items, most, |item| {
                let mut now = state.lock().expect("no panic");
                now.0 += 1;
                now.1 = now.1.max(now.0);
                now.2 += 1;
                changed.notify_all();
                let wanted = most.min(count);
                let now = changed.wait_while(now, |(_, highest, _)| *highest < wanted);
                now.expect("no panic").0 -= 1;
                item * 2
            });
            assert_eq!(done, items.iter().map(|item| item * 2).collect::<Vec<_>>(), "{count} by {most}");
            let (left, highest, begun) = *state.lock().expect("no panic");
            assert_eq!((left, highest, begun), (0, most.min(count), count), "{count} by {most}");
        }
    }
}
