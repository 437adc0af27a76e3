//! What a server answers: its lists, unknown names and methods, wrong arguments.

use super::Report;
use crate::commands::lists::declares;
use crate::failure::{AUTH, Failure, INTERRUPTED};
use crate::output::one_line;
use crate::session::{Remark, Session, noise};
use mcp::client::features::Request;
use mcp::client::json_text::{canonical, member, string};
use mcp::client::names::{INVALID_PARAMS, METHOD_NOT_FOUND};
use mcp::client::{Message, Status};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The lists that the server gave, JSON text; empty for what it does not have.
#[derive(Debug, Default)]
pub struct Lists {
    pub tools: Option<String>,
    pub resources: Option<String>,
    pub templates: Option<String>,
    pub prompts: Option<String>,
    pub instructions: Option<String>,
}

/// A name that no server has.
const NOWHERE: &str = "libmcp-doctor-asks-for-nothing";

/// The server that is examined.
struct Patient<'a> {
    session: Session,
    open: &'a dyn Fn() -> Result<Session, Failure>,
}

impl Patient<'_> {
    /// The session; a new one where a check before has ended it.
    fn session(&mut self) -> Result<&Session, Failure> {
        if self.session.is_closed() {
            self.session = (self.open)()?;
        }
        Ok(&self.session)
    }

    fn raw(&mut self, method: &str, params: Option<&str>) -> Result<Message, Failure> {
        let outcome = self.session()?.raw(method, params)?;
        unless_interrupted(outcome)
    }

    fn outcome(&mut self, request: &Request<'_>) -> Result<Message, Failure> {
        let outcome = self.session()?.outcome(request)?;
        unless_interrupted(outcome)
    }
}

/// What the person ends is not a fault of the server.
fn unless_interrupted(outcome: Message) -> Result<Message, Failure> {
    let failure = Some(&outcome).filter(|outcome| outcome.status() != Status::Ok).map(Failure::reply);
    match failure.filter(|failure| failure.exit == INTERRUPTED) {
        Some(failure) => Err(failure),
        None => Ok(outcome),
    }
}

/// Examines what a server answers. Where that ends the connection, there is a new one for the checks behind it.
pub fn check(
    session: Session,
    open: &dyn Fn() -> Result<Session, Failure>,
    report: &mut Report,
) -> Result<Lists, Failure> {
    let mut lists = Lists::default();
    let mut patient = Patient { session, open };
    match examine(&mut patient, report, &mut lists) {
        Err(failure) if [AUTH, INTERRUPTED].contains(&failure.exit) => return Err(failure),
        Err(failure) => report.fault(
            "connection",
            format!("it ends, and there is no further one: {}", failure.text()),
            "answer every request, also with an error, and go on",
        ),
        Ok(()) => {}
    }
    counted(&patient.session, report);
    Ok(lists)
}

fn examine(patient: &mut Patient<'_>, report: &mut Report, lists: &mut Lists) -> Result<(), Failure> {
    let info = patient.session.info();
    let server = member(&info, "server").unwrap_or("null");
    if member(server, "name").and_then(string).is_none_or(|name| name.trim().is_empty()) {
        report.fault("serverInfo", "the server has no name", "give serverInfo a name and a version");
    }
    if member(server, "version").and_then(string).is_none_or(|version| version.trim().is_empty()) {
        report.fault("serverInfo", "the server has no version", "give serverInfo a version");
    }
    let capabilities = member(&info, "capabilities").unwrap_or("{}");
    let has = |name: &str| declares(&info, name);
    let is_legacy = member(&info, "era").and_then(string).as_deref() == Some("legacy");
    lists.instructions = member(&info, "instructions").and_then(string).map(std::borrow::Cow::into_owned);
    if is_legacy {
        answers(
            patient,
            report,
            "ping",
            None,
            Want::Result,
            "answer ping with an empty result, in every state",
        )?;
    }
    unknown(patient, report, "libmcp/doctor", "refuse a method that the server does not have with -32601")?;
    for (capability, request, list) in [
        ("tools", Request::ToolsList, &mut lists.tools),
        ("resources", Request::ResourcesList, &mut lists.resources),
        ("resources", Request::TemplatesList, &mut lists.templates),
        ("prompts", Request::PromptsList, &mut lists.prompts),
    ] {
        let method = request.method();
        if has(capability) {
            *list = listed(patient, report, &request)?;
        } else if method != "resources/templates/list" {
            let outcome = patient.raw(method, None)?;
            if outcome.status() == Status::Ok {
                report.fault(
                    method,
                    format!("the server answers, and does not declare the capability '{capability}'"),
                    "declare the capability, or clients that keep to the specification never ask",
                );
                *list = Some(outcome.json().to_owned());
            }
        }
    }
    if lists.tools.is_some() {
        let params = format!("{{\"name\":\"{NOWHERE}\",\"arguments\":{{}}}}");
        let fix = "refuse a tool that does not exist with the error -32602";
        answers(patient, report, "tools/call", Some(&params), Want::ErrorOrToolError(&[-32602]), fix)?;
    }
    if lists.resources.is_some() {
        let params = format!("{{\"uri\":\"libmcp-doctor://{NOWHERE}\"}}");
        let fix = "refuse a resource that does not exist with the error -32602 (until 2025-11-25: -32002)";
        answers(patient, report, "resources/read", Some(&params), Want::Error(&[-32602, -32002]), fix)?;
    }
    if lists.prompts.is_some() {
        let params = format!("{{\"name\":\"{NOWHERE}\"}}");
        let fix = "refuse a prompt that does not exist with the error -32602";
        answers(patient, report, "prompts/get", Some(&params), Want::Error(&[-32602]), fix)?;
    }
    if has("completions") {
        let params = format!(
            "{{\"ref\":{{\"type\":\"ref/prompt\",\"name\":\"{NOWHERE}\"}},\"argument\":{{\"name\":\"x\",\"value\":\"\"}}}}"
        );
        let fix = "refuse a completion for a prompt that does not exist with the error -32602";
        answers(patient, report, "completion/complete", Some(&params), Want::Error(&[-32602]), fix)?;
    }
    if !is_legacy && has("logging") && member(member(capabilities, "logging").unwrap_or("{}"), "x").is_some()
    {
        report.advice("logging", "members that the specification does not know", "leave them out");
    }
    broken_arguments(patient, report, lists)
}

/// What the library took all the same, or could not take.
fn counted(session: &Session, report: &mut Report) {
    let info = session.info();
    let count = |name: &str| -> u64 {
        let counters = member(&info, "counters").unwrap_or("{}");
        member(counters, name).and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    let lines = count("garbage_frames");
    if let Some(noise) = noise(&info, lines) {
        report.fault(
            "standard output",
            noise,
            "write logs and greetings to standard error: standard output is for messages alone",
        );
    }
    let unknown = count("unknown_answers");
    if unknown > 0 {
        report.fault(
            "messages",
            format!("{unknown} of the answers were to no request of this client"),
            "answer each request once, with the id that it has",
        );
    }
}

/// What the library logged of messages that are not as they should be.
pub fn remarked(remarks: &Mutex<Vec<Remark>>, report: &mut Report) {
    for remark in remarks.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let Remark { is_tolerated, what, message } = remark;
        let what = match (what.is_empty(), message.is_empty()) {
            (true, _) => message.clone(),
            (false, true) => what.clone(),
            (false, false) => format!("{what}: {message}"),
        };
        if *is_tolerated {
            report.advice(
                "messages",
                format!("understood, and not written as the specification has it: {what}"),
                "write ids as integers, objects as {} and not as [], leave out members that are not set, and declare what there is",
            );
        } else {
            report.fault("messages", what, "write messages as the specification has them");
        }
    }
}

/// A list with all its pages.
fn listed(
    patient: &mut Patient<'_>,
    report: &mut Report,
    request: &Request<'_>,
) -> Result<Option<String>, Failure> {
    let begin = Instant::now();
    let outcome = patient.outcome(request)?;
    let method = request.method();
    // Many servers have resources, and no templates of them.
    let has_none = || {
        let code = member(outcome.json(), "code").and_then(|code| code.parse().ok());
        matches!(request, Request::TemplatesList) && code == Some(METHOD_NOT_FOUND)
    };
    if outcome.status() != Status::Ok && has_none() {
        report.advice(
            method,
            "the server has resources and does not know this list",
            "answer it with an empty list where there are no templates",
        );
        return Ok(None);
    }
    if outcome.status() != Status::Ok {
        report.fault(
            method,
            format!("the server declares the capability and does not answer: {}", said(&outcome)),
            "answer the list, or do not declare the capability",
        );
        return Ok(None);
    }
    report.good(method, format!("answered after {:.1} ms", begin.elapsed().as_secs_f64() * 1000.0));
    // The same list twice: a client that compares them must not see changes where nothing changed.
    let again = patient.outcome(request)?;
    if again.status() == Status::Ok && canonical(again.json()) != canonical(outcome.json()) {
        report.advice(
            method,
            "two lists in a row differ",
            "list the same entries in the same order, so that clients and caches of models can compare them",
        );
    }
    Ok(Some(outcome.json().to_owned()))
}

/// What an answer should be.
enum Want<'a> {
    Result,
    /// A JSON-RPC error with one of these codes.
    Error(&'a [i64]),
    /// The same, or a result that says that the tool failed, as older servers write it.
    ErrorOrToolError(&'a [i64]),
}

fn answers(
    patient: &mut Patient<'_>,
    report: &mut Report,
    method: &str,
    params: Option<&str>,
    want: Want<'_>,
    fix: &str,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let outcome = patient.raw(method, params)?;
    let time = format!("{:.1} ms", begin.elapsed().as_secs_f64() * 1000.0);
    match (want, outcome.status()) {
        (_, Status::Closed | Status::Transport | Status::Unavailable) => {
            report.fault(method, format!("the connection ends: {}", said(&outcome)), fix);
        }
        (Want::Result, Status::Ok) => report.good(method, format!("answered after {time}")),
        (Want::Result, _) => report.fault(method, said(&outcome), fix),
        (Want::ErrorOrToolError(_), Status::Ok) if outcome.is_tool_error() => {
            report.advice(method, "an unknown tool is answered with a result that has isError", fix);
        }
        (Want::Error(_) | Want::ErrorOrToolError(_), Status::Ok) => {
            report.fault(method, "something that does not exist is answered with a result", fix);
        }
        (Want::Error(codes) | Want::ErrorOrToolError(codes), Status::Server) => {
            let code = code(&outcome);
            if code.is_some_and(|code| codes.contains(&code)) {
                report.good(method, format!("refuses what does not exist, after {time}"));
            } else {
                let code = code.map_or("no code".to_owned(), |code| code.to_string());
                report.advice(method, format!("refuses what does not exist with {code}"), fix);
            }
        }
        (_, Status::Timeout) => {
            report.fault(method, "no answer came in time", "answer every request, also with an error");
        }
        _ => report.fault(method, said(&outcome), fix),
    }
    Ok(())
}

fn unknown(patient: &mut Patient<'_>, report: &mut Report, method: &str, fix: &str) -> Result<(), Failure> {
    let outcome = patient.raw(method, Some("{}"))?;
    let about = "unknown method";
    match (outcome.status(), code(&outcome)) {
        (Status::Server, code) => refused(report, about, code, fix),
        (Status::Ok, _) => report.fault(about, "answered with a result", fix),
        (Status::Timeout, _) => report.fault(about, "no answer came in time", fix),
        (Status::Closed | Status::Transport | Status::Unavailable, _) => {
            report.fault(about, format!("the connection ends: {}", said(&outcome)), fix);
        }
        _ => report.fault(about, said(&outcome), fix),
    }
    Ok(())
}

/// The error of an unknown method. The official Python SDK 1 checks a request against the methods that it knows before it looks for a
/// handler: no server that is made with it can answer otherwise.
fn refused(report: &mut Report, about: &str, code: Option<i64>, fix: &str) {
    match code {
        Some(METHOD_NOT_FOUND) => report.good(about, format!("refused with {METHOD_NOT_FOUND}")),
        Some(INVALID_PARAMS) => report.advice(
            about,
            format!("refused with {INVALID_PARAMS}, as every server of the official Python SDK 1 does"),
            &format!("{fix}; version 2 of that SDK does so"),
        ),
        Some(code) => report.fault(about, format!("refused with {code}"), fix),
        None => report.fault(about, "refused without a code", fix),
    }
}

/// A call with arguments that no schema with required members allows.
fn broken_arguments(patient: &mut Patient<'_>, report: &mut Report, lists: &Lists) -> Result<(), Failure> {
    let tools = super::super::lists::list(lists.tools.as_deref().unwrap_or("{}"), "tools");
    let is_safe = |tool: &&&str| {
        let schema = member(tool, "inputSchema").unwrap_or("{}");
        let hints = member(tool, "annotations").unwrap_or("{}");
        let needs =
            mcp::client::json_text::elements(member(schema, "required").unwrap_or("[]")).next().is_some();
        needs && member(hints, "readOnlyHint") == Some("true")
    };
    // Only a tool that says that it changes nothing is called at all.
    let Some(tool) = tools.iter().find(is_safe) else { return Ok(()) };
    let name = member(tool, "name").unwrap_or("\"\"");
    let outcome = patient.raw("tools/call", Some(&format!("{{\"name\":{name},\"arguments\":{{}}}}")))?;
    let about = format!("tools/call {}", one_line(&string(name).unwrap_or_default()));
    match outcome.status() {
        Status::Ok if outcome.is_tool_error() => {
            report.good(&about, "reports missing arguments as an error of the tool, which a model can mend");
        }
        Status::Server => report.good(&about, "refuses missing arguments"),
        Status::Ok => report.fault(
            &about,
            "arguments that the schema requires are missing, and the call succeeds",
            "check the arguments against inputSchema, and answer with isError and what is missing",
        ),
        _ => report.fault(&about, said(&outcome), "answer with isError and what is missing"),
    }
    Ok(())
}

fn code(outcome: &Message) -> Option<i64> {
    let details = member(outcome.json(), "details")?;
    let code = member(details, "code").or_else(|| member(outcome.json(), "code"))?;
    code.trim().parse().ok()
}

fn said(outcome: &Message) -> String {
    one_line(&member(outcome.json(), "message").and_then(string).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::Grade;
    use super::*;

    #[test]
    fn what_no_server_of_an_official_sdk_can_do_otherwise_is_no_fault_of_the_server() {
        for (code, grade, text) in [
            (Some(METHOD_NOT_FOUND), Grade::Good, "refused with -32601"),
            (Some(INVALID_PARAMS), Grade::Advice, "official Python SDK 1"),
            (Some(-32600), Grade::Fault, "refused with -32600"),
            (Some(0), Grade::Fault, "refused with 0"),
            (None, Grade::Fault, "without a code"),
        ] {
            let mut report = Report::default();
            refused(&mut report, "unknown method", code, "refuse it with -32601");
            let [finding] = &report.findings[..] else { panic!("{code:?}: {report:?}") };
            assert_eq!(finding.grade, grade, "{code:?}: {finding:?}");
            assert!(finding.what.contains(text), "{code:?}: {finding:?}");
        }
    }
}
