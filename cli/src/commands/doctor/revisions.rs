//! Which revisions a server speaks, and how long a connection takes in each.

use super::Report;
use crate::arguments::Common;
use crate::failure::{AUTH, Failure, INTERRUPTED};
use crate::output::{beginning, one_line};
use crate::questions::Questions;
use crate::session::Session;
use crate::target::Target;
use mcp::client::json_text::{member, string};
use serde_json::json;
use std::time::Instant;

/// The revisions of the protocol, the newest first.
const REVISIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Characters of a reason that are shown.
const REASON: usize = 100;

/// A connection as every program makes it.
pub fn open(target: &Target, common: &Common) -> Result<Session, Failure> {
    Session::open_quietly(target.clone(), common, Questions::new(None), None)
}

/// Connects as every program does, and in each revision. Gives the first session, or that of a revision where a connection as every
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
    for revision in REVISIONS {
        let mut target = target.clone();
        target.config.insert("protocol".to_owned(), revision.into());
        let begin = Instant::now();
        match open(&target, common) {
            Ok(other) => {
                let info = other.info();
                let era = member(&info, "era").and_then(string).unwrap_or_default();
                let time = begin.elapsed().as_secs_f64() * 1000.0;
                report.revisions.push(json!({"revision": revision, "era": era, "milliseconds": time}));
                spoken += 1;
                session = session.or(Some(other));
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
