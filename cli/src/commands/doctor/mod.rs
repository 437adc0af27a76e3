//! `doctor`: what a server does against the specification, in words with the fix; every revision that it speaks, with times.
//!
//! The files:
//!
//! * `revisions`: which revisions the server speaks, and how long a connection takes in each
//! * `conversation`: what it answers: lists, unknown names, wrong arguments
//! * `definitions`: what it says of its tools, resources and prompts
//! * `schemas`: what is wrong with a JSON Schema
//! * `hosts`: what programs refuse beyond the specification
//!
//! What a store lacks is told by `of_store`; `src/runtime/server/store/examine.rs` looks at it.

mod conversation;
mod definitions;
mod hosts;
mod revisions;
mod schemas;

pub use hosts::Host;

use crate::arguments::{Common, Doctor, Format, Output, Place};
use crate::failure::Failure;
use crate::output::{Case, ERROR, FAINT, STRONG, Screen, Text, counted, junit, one_line, styled, text};
use crate::session;
use crate::store;
use crate::target::{Target, split};
use anstyle::{AnsiColor, Style};
use mcp::server::{StoreExamined, StoreGrade};
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
    /// What each host says, where that was asked for.
    verdicts: Vec<Value>,
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
pub fn of_session(screen: Screen, arguments: &Doctor, common: &Common) -> Result<(), Failure> {
    let Doctor { place, hosts, store } = arguments;
    let mut report = Report::default();
    if let Some(examined) = store::looked_at(store)? {
        of_store(&examined, &mut report);
        if place.words.is_empty() && place.program.is_empty() {
            return told(screen, &report, &one_line(&examined.place), common);
        }
    }
    let word = place.words.first().filter(|_| place.program.is_empty());
    match word.and_then(|word| crate::session_daemon::origin(word, common)).transpose()? {
        None => doctor(screen, place, hosts, common, report),
        Some((origin, common)) => {
            Screen::said(format!(
                "the server of {} is started once more: a session answers for itself",
                one_line(&place.words[0])
            ));
            doctor(screen, &origin, hosts, &common, report)
        }
    }
}

/// What a store lacks for the processes of a server.
fn of_store(examined: &StoreExamined, report: &mut Report) {
    let about = format!("store {}", examined.place);
    for finding in &examined.findings {
        let grade = match finding.grade {
            StoreGrade::Good => Grade::Good,
            StoreGrade::Advice => Grade::Advice,
            StoreGrade::Away | StoreGrade::Fault => Grade::Fault,
        };
        report.add(grade, &about, &finding.what, &store::fix(finding.fix));
    }
}

/// Examines a server. What is known of its store is in the report already.
fn doctor(
    screen: Screen,
    place: &Place,
    hosts: &[Host],
    common: &Common,
    store: Report,
) -> Result<(), Failure> {
    let (target, rest) = split(&place.words, &place.program, common)?;
    if let Some(extra) = rest.first() {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    let shown = one_line(&target.shown);
    let remarks = session::remarks_of(common.verbose);
    let mut report = examined(target, hosts, common, false)?;
    conversation::remarked(&remarks, &mut report);
    report.findings.extend(store.findings);
    told(screen, &report, &shown, common)
}

/// Writes a report. A fault in it is a failure.
fn told(screen: Screen, report: &Report, shown: &str, common: &Common) -> Result<(), Failure> {
    match screen.format {
        _ if common.output == Output::Sarif => screen.json(&sarif(report, shown).to_string())?,
        _ if common.output == Output::Junit => screen.own(junit("mcp doctor", &cases(report)).as_bytes())?,
        Format::Json | Format::Yaml => screen.json(&json(report).to_string())?,
        Format::Names => {
            let faults = report.findings.iter().filter(|finding| finding.grade == Grade::Fault);
            screen.names(&faults.map(|finding| finding.about.clone()).collect::<Vec<_>>())?;
        }
        Format::Text => screen.write(text(report))?,
    }
    match report.count(Grade::Fault) {
        0 => Ok(()),
        count => Err(Failure::found(counted(count, "fault"))),
    }
}

/// What is wrong with a server, but for what the library logs of its messages.
fn examined(
    mut target: Target,
    hosts: &[Host],
    common: &Common,
    has_verdicts: bool,
) -> Result<Report, Failure> {
    // The server is examined, and not what a file uses of it.
    target.config.retain(|key, _| !["allow_tools", "deny_tools"].contains(&key.as_str()));
    let shown = one_line(&target.shown);
    let mut report = Report::default();
    if let Some(session) = revisions::check(&target, common, &mut report)? {
        let open = || revisions::open(&target, common);
        let lists = conversation::check(session, &open, &mut report)?;
        definitions::check(&lists, &mut report);
        hosts::check(hosts, &shown, &lists, &mut report);
        if has_verdicts {
            report.verdicts = hosts::verdicts(&shown, &lists);
        }
    }
    Ok(report)
}

/// The same as JSON with the verdicts of all hosts, for a caller that has a log of its own.
#[cfg(feature = "page")]
pub fn examine(target: Target, common: &Common) -> Result<Value, Failure> {
    let mut report = examined(target, &[], common, true)?;
    let verdicts = std::mem::take(&mut report.verdicts);
    let mut value = json(&report);
    value["hosts"] = verdicts.into();
    Ok(value)
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

/// The findings as checks: a fault is one that failed.
fn cases(report: &Report) -> Vec<Case> {
    let case = |finding: &Finding| {
        let whole = if finding.fix.is_empty() {
            finding.what.clone()
        } else {
            format!("{}\n{}", finding.what, finding.fix)
        };
        let (failure, note) = match finding.grade {
            Grade::Fault => (Some(whole), String::new()),
            Grade::Advice => (None, whole),
            Grade::Good => (None, String::new()),
        };
        Case { class: finding.about.clone(), name: finding.what.clone(), failure, note, ..Case::default() }
    };
    report.findings.iter().map(case).collect()
}

/// The longest name of a rule.
const RULE: usize = 60;

/// The name of the rule behind a finding, from the words of its fix, which is the same for all findings of the rule.
fn rule(finding: &Finding) -> String {
    let words = finding.fix.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.len() + word.len() > RULE {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(&word.to_ascii_lowercase());
    }
    if name.is_empty() { "finding".to_owned() } else { name }
}

/// What is wrong as a run of SARIF 2.1.0. A server has no lines: places are the names of what it offers.
fn sarif(report: &Report, server: &str) -> Value {
    let found: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.grade != Grade::Good).collect();
    let mut rules: Vec<Value> = Vec::new();
    for finding in &found {
        let id = rule(finding);
        if !rules.iter().any(|rule| rule["id"] == id.as_str()) {
            rules.push(
                json!({"id": id, "shortDescription": {"text": finding.fix}, "help": {"text": finding.fix}}),
            );
        }
    }
    let result = |finding: &&Finding| {
        json!({
            "ruleId": rule(finding),
            "level": if finding.grade == Grade::Fault { "error" } else { "note" },
            "message": {"text": format!("{}: {}", finding.about, finding.what)},
            "locations": [{"logicalLocations": [{"name": finding.about, "fullyQualifiedName": format!("{server}/{}", finding.about)}]}],
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "mcp doctor",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "results": found.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn text(report: &Report) -> Text {
    let mut text = Text::default();
    if !report.revisions.is_empty() {
        text.push(text![styled(STRONG, "Revisions"), "\n"]);
    }
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
    if !report.revisions.is_empty() {
        text.push("\n");
    }
    text.push(text![styled(STRONG, "Findings"), "\n"]);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = Report::default();
        report.good("ping", "answered");
        report.advice("tool a", "no description", "say what it does");
        report.fault("tool a", "no inputSchema", "give one: {\"type\": \"object\"}");
        report.fault("tool b", "no inputSchema", "give one: {\"type\": \"object\"}");
        report
    }

    #[test]
    fn sarif_has_each_rule_once_and_each_finding_with_its_place() {
        let sarif = sarif(&report(), "./server");
        let run = &sarif["runs"][0];
        let rules: Vec<&str> = run["tool"]["driver"]["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .filter_map(|rule| rule["id"].as_str())
            .collect();
        assert_eq!(rules, ["say-what-it-does", "give-one-type-object"]);
        let results: Vec<[&str; 3]> = run["results"]
            .as_array()
            .expect("results")
            .iter()
            .map(|one| {
                let place = &one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
                [&one["ruleId"], &one["level"], place].map(|text| text.as_str().unwrap_or_default())
            })
            .collect();
        assert_eq!(
            results,
            [
                ["say-what-it-does", "note", "./server/tool a"],
                ["give-one-type-object", "error", "./server/tool a"],
                ["give-one-type-object", "error", "./server/tool b"],
            ]
        );
    }

    #[test]
    fn a_fault_is_a_check_that_failed_and_advice_is_not() {
        let failed: Vec<bool> = cases(&report()).iter().map(|case| case.failure.is_some()).collect();
        assert_eq!(failed, [false, false, true, true]);
    }
}
