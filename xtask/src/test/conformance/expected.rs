//! `tests/conformance/expected.txt` and `expected-server.txt`: every scenario of the suite for one side, with the checks that
//! must succeed in it, or what it waits for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The revisions whose scenarios must all be in the files.
pub const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Which side a scenario tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Client,
    Server,
}

impl fmt::Display for Side {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(match self {
            Side::Client => "client",
            Side::Server => "server",
        })
    }
}

/// A scenario at a revision.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Scenario {
    pub revision: String,
    pub name: String,
}

/// The ids of the checks that succeed, and how often each does: some are made once for each method or value. Of those that are
/// made once for each request it is only said that they succeed ([`OFTEN`]): how many requests a login takes depends on which
/// ports are free.
pub type Checks = BTreeMap<String, usize>;

/// At least once.
pub const OFTEN: usize = usize::MAX;

/// Whether exactly the expected checks succeeded.
pub fn same(expected: &Checks, succeeded: &Checks) -> bool {
    expected.keys().eq(succeeded.keys())
        && expected.iter().all(|(id, times)| *times == OFTEN || succeeded.get(id) == Some(times))
}

#[derive(Debug, PartialEq, Eq)]
pub enum Expected {
    Checks(Checks),
    /// The feature that the library lacks.
    Later(String),
}

impl Expected {
    /// The checks, if the scenario does not wait.
    pub fn checks(&self) -> Option<&Checks> {
        match self {
            Expected::Checks(checks) => Some(checks),
            Expected::Later(_) => None,
        }
    }
}

/// Reads lines such as `2026-07-28 tools_call: tool-add-numbers` and `2026-07-28 auth/dpop later: authorization`.
pub fn read(text: &str) -> Result<Vec<(Scenario, Expected)>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            read_line(line).ok_or_else(|| format!("the expectations of the suite: what is '{line}'?"))
        })
        .collect()
}

fn read_line(line: &str) -> Option<(Scenario, Expected)> {
    let (head, tail) = line.split_once(": ")?;
    let mut words = head.split(' ');
    let scenario = Scenario { revision: words.next()?.to_owned(), name: words.next()?.to_owned() };
    let expected = match words.next() {
        None => Expected::Checks(tail.split(' ').map(read_check).collect::<Option<_>>()?),
        Some("later") => Expected::Later(tail.to_owned()),
        Some(_) => return None,
    };
    Some((scenario, expected))
}

/// `ID`, `ID*N` for one that succeeds N times, or `ID+` for one that does at least once.
fn read_check(text: &str) -> Option<(String, usize)> {
    if let Some(id) = text.strip_suffix('+') {
        return Some((id.to_owned(), OFTEN));
    }
    match text.split_once('*') {
        None => Some((text.to_owned(), 1)),
        Some((id, times)) => Some((id.to_owned(), times.parse().ok()?)),
    }
}

/// Checks as a line of the file has them.
pub fn written(checks: &Checks) -> String {
    let each = checks.iter().map(|(id, times)| match *times {
        1 => id.clone(),
        OFTEN => format!("{id}+"),
        times => format!("{id}*{times}"),
    });
    each.collect::<Vec<_>>().join(" ")
}

/// The scenarios of one side in what `conformance list --requirements` prints: those that are scored have a heading of their
/// own, the others a mark.
pub fn listed(text: &str, side: Side) -> BTreeSet<String> {
    let (heading, mark) = match side {
        Side::Client => ("Client scenarios", " [client]"),
        Side::Server => ("Server scenarios", " [server]"),
    };
    let mut names = BTreeSet::new();
    let mut below_heading = false;
    for line in text.lines() {
        match line.trim().strip_prefix("- ") {
            Some(item) => match item.strip_suffix(mark) {
                Some(name) => drop(names.insert(name.to_owned())),
                None if below_heading && !item.contains(' ') => drop(names.insert(item.to_owned())),
                None => {}
            },
            None if line.trim().is_empty() => {}
            None => below_heading = line.starts_with(heading),
        }
    }
    names
}
