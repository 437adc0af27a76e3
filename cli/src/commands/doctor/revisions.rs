//! Which revisions a server speaks, and how long a connection takes in each.

use super::Report;
use crate::arguments::Common;
use crate::failure::{AUTH, Failure, INTERRUPTED};
use crate::output::one_line;
use crate::questions::Questions;
use crate::session::Session;
use crate::target::Target;
use mcp::client::json_text::{member, string};
use serde_json::json;
use std::time::Instant;

/// The revisions of the protocol, the newest first.
const REVISIONS: [&str; 5] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Connects in each revision, and then as every program does: that session is given back.
pub fn check(target: &Target, common: &Common, report: &mut Report) -> Result<Session, Failure> {
    let open = |target: Target| Session::open(target, common, Questions::new(None), None);
    // The first connection of a program may have to load it; that time is not a time of the protocol.
    let begin = Instant::now();
    let session = open(target.clone())?;
    let elapsed = begin.elapsed();
    report
        .good("connection", format!("the first one is ready after {:.0} ms", elapsed.as_secs_f64() * 1000.0));
    if common.protocol != "auto" {
        let revision = member(&session.info(), "revision").and_then(string).unwrap_or_default().into_owned();
        report
            .revisions
            .push(json!({"revision": revision, "era": "", "milliseconds": elapsed.as_secs_f64() * 1000.0}));
        return Ok(session);
    }
    let mut spoken = 0;
    for revision in REVISIONS {
        let mut target = target.clone();
        target.config.insert("protocol".to_owned(), revision.into());
        let begin = Instant::now();
        match open(target) {
            Ok(session) => {
                let info = session.info();
                let era = member(&info, "era").and_then(string).unwrap_or_default();
                let time = begin.elapsed().as_secs_f64() * 1000.0;
                report.revisions.push(json!({"revision": revision, "era": era, "milliseconds": time}));
                spoken += 1;
            }
            Err(failure) if [AUTH, INTERRUPTED].contains(&failure.exit) => return Err(failure),
            Err(failure) => {
                let why = one_line(&failure.text());
                report.revisions.push(json!({"revision": revision, "why": short(&why)}));
            }
        }
    }
    if spoken == 0 {
        report.fault(
            "initialize",
            "the server accepts a connection, and none that asks for one known revision",
            "answer initialize with the revision that the client asks for, or with the newest that the server knows",
        );
    }
    Ok(session)
}

/// The beginning of a long reason.
fn short(why: &str) -> String {
    const MOST: usize = 100;
    if why.chars().count() <= MOST { why.to_owned() } else { why.chars().take(MOST).chain(['…']).collect() }
}
