//! `doctor`: what a server does against the specification, in words with the fix; every revision that it speaks, with times.
//!
//! The files:
//!
//! * `revisions`: which revisions the server speaks, and how long a connection takes in each
//! * `conversation`: what it answers: lists, unknown names, wrong arguments
//! * `definitions`: what it says of its tools, resources and prompts
//! * `schemas`: what is wrong with a JSON Schema

mod conversation;
mod definitions;
mod revisions;
mod schemas;

use crate::arguments::{Common, Format, Place};
use crate::failure::Failure;
use crate::output::{ERROR, FAINT, STRONG, Screen, Text, counted, one_line, styled, text};
use crate::target::split;
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

/// How many findings with the same fix are shown as text.
const ALIKE: usize = 5;
const GOOD: Style = AnsiColor::Green.on_default();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grade {
    Good,
    /// It works, and could be better.
    Advice,
    /// It is against the specification.
    Fault,
}

/// What one check found.
#[derive(Debug)]
struct Finding {
    grade: Grade,
    /// Such as "tools/list".
    about: String,
    what: String,
    /// How to mend it; empty for what is good.
    fix: String,
}

/// What was found so far.
#[derive(Debug, Default)]
struct Report {
    findings: Vec<Finding>,
    revisions: Vec<Value>,
}

impl Report {
    fn good(&mut self, about: &str, what: impl Into<String>) {
        self.add(Grade::Good, about, &what.into(), "");
    }

    fn advice(&mut self, about: &str, what: impl Into<String>, fix: &str) {
        self.add(Grade::Advice, about, &what.into(), fix);
    }

    fn fault(&mut self, about: &str, what: impl Into<String>, fix: &str) {
        self.add(Grade::Fault, about, &what.into(), fix);
    }

    fn add(&mut self, grade: Grade, about: &str, what: &str, fix: &str) {
        self.findings.push(Finding {
            grade,
            about: one_line(about),
            what: one_line(what),
            fix: fix.to_owned(),
        });
    }

    fn count(&self, grade: Grade) -> usize {
        self.findings.iter().filter(|finding| finding.grade == grade).count()
    }
}

/// The same of a session: what is examined is its server, which is started once more with the command line of the session.
pub fn of_session(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let word = place.words.first().filter(|_| place.program.is_empty());
    match word.and_then(|word| crate::session_daemon::origin(word, common)).transpose()? {
        None => doctor(screen, place, common),
        Some((origin, common)) => {
            Screen::said(format!(
                "the server of {} is started once more: a session answers for itself",
                one_line(&place.words[0])
            ));
            doctor(screen, &origin, &common)
        }
    }
}

fn doctor(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (target, rest) = split(&place.words, &place.program, common)?;
    if let Some(extra) = rest.first() {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    let mut report = Report::default();
    // A server that cannot be reached at all is not a patient.
    let session = revisions::check(&target, common, &mut report)?;
    let lists = conversation::check(&session, &mut report)?;
    definitions::check(&lists, &mut report);
    match screen.format {
        Format::Json | Format::Yaml => screen.json(&json(&report).to_string())?,
        Format::Names => {
            let faults = report.findings.iter().filter(|finding| finding.grade == Grade::Fault);
            screen.names(&faults.map(|finding| finding.about.clone()).collect::<Vec<_>>())?;
        }
        Format::Text => screen.write(text(&report))?,
    }
    match report.count(Grade::Fault) {
        0 => Ok(()),
        count => Err(Failure::found(counted(count, "fault"))),
    }
}

fn json(report: &Report) -> Value {
    let finding = |finding: &Finding| {
        let grade = match finding.grade {
            Grade::Good => "good",
            Grade::Advice => "advice",
            Grade::Fault => "fault",
        };
        let mut value = json!({"grade": grade, "about": finding.about, "what": finding.what});
        if !finding.fix.is_empty() {
            value["fix"] = finding.fix.as_str().into();
        }
        value
    };
    json!({
        "revisions": report.revisions,
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "faults": report.count(Grade::Fault),
        "advice": report.count(Grade::Advice),
    })
}

fn text(report: &Report) -> Text {
    let mut text = text![styled(STRONG, "Revisions"), "\n"];
    for entry in &report.revisions {
        let word = |name: &str| entry[name].as_str().unwrap_or_default();
        let line = match entry["milliseconds"].as_f64() {
            Some(time) => {
                text!["  ", styled(GOOD, word("revision")), format!("  {}, {time:.0} ms", word("era"))]
            }
            None => styled(FAINT, format!("  {}  {}", word("revision"), word("why"))),
        };
        text.push(text![line, "\n"]);
    }
    text.push(text!["\n", styled(STRONG, "Findings"), "\n"]);
    // What has the same fix stands together, and the fix once.
    let mut left: Vec<&Finding> = report.findings.iter().collect();
    while let Some(&first) = left.first() {
        let (alike, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|finding| {
            std::ptr::eq(*finding, first)
                || !first.fix.is_empty() && (finding.grade, &finding.fix) == (first.grade, &first.fix)
        });
        let (style, word) = match first.grade {
            Grade::Good => (GOOD, "good  "),
            Grade::Advice => (DOUBTFUL, "advice"),
            Grade::Fault => (ERROR, "fault "),
        };
        for finding in alike.iter().take(ALIKE) {
            text.push(text!["  ", styled(style, word), format!(" {}: {}\n", finding.about, finding.what)]);
        }
        if alike.len() > ALIKE {
            text.push(format!("         and {} more (-o json has all)\n", alike.len() - ALIKE));
        }
        if !first.fix.is_empty() {
            text.push(text!["         ", styled(FAINT, &first.fix), "\n"]);
        }
        left = others;
    }
    let (faults, advice) = (report.count(Grade::Fault), report.count(Grade::Advice));
    let advice = if advice == 1 { "1 piece".to_owned() } else { format!("{advice} pieces") };
    text.push(format!("\n{}, {advice} of advice\n", counted(faults, "fault")));
    text
}
