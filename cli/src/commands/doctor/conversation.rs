//! What a server answers: its lists, unknown names and methods, wrong arguments.

use super::Report;
use crate::commands::lists::declares;
use crate::failure::{Failure, INTERRUPTED};
use crate::output::one_line;
use crate::session::Session;
use mcp::client::features::Request;
use mcp::client::json_text::{member, string};
use mcp::client::{Message, Status};
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

pub fn check(session: &Session, report: &mut Report) -> Result<Lists, Failure> {
    let info = session.info();
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
    let mut lists = Lists {
        instructions: member(&info, "instructions").and_then(string).map(std::borrow::Cow::into_owned),
        ..Lists::default()
    };
    if is_legacy {
        answers(
            session,
            report,
            "ping",
            None,
            Want::Result,
            "answer ping with an empty result, in every state",
        )?;
    }
    unknown(session, report, "libmcp/doctor", "refuse a method that the server does not have with -32601")?;
    for (capability, request, list) in [
        ("tools", Request::ToolsList, &mut lists.tools),
        ("resources", Request::ResourcesList, &mut lists.resources),
        ("resources", Request::TemplatesList, &mut lists.templates),
        ("prompts", Request::PromptsList, &mut lists.prompts),
    ] {
        let method = request.method();
        if has(capability) {
            *list = listed(session, report, &request)?;
        } else if method != "resources/templates/list" {
            let outcome = session.raw(method, None)?;
            if outcome.status() == Status::Ok {
                report.fault(
                    method,
                    format!("the server answers, and does not declare the capability '{capability}'"),
                    "declare the capability, or clients that keep to the specification never ask",
                );
            }
        }
    }
    if lists.tools.is_some() {
        let params = format!("{{\"name\":\"{NOWHERE}\",\"arguments\":{{}}}}");
        let fix = "refuse a tool that does not exist with the error -32602";
        answers(session, report, "tools/call", Some(&params), Want::ErrorOrToolError(&[-32602]), fix)?;
    }
    if lists.resources.is_some() {
        let params = format!("{{\"uri\":\"libmcp-doctor://{NOWHERE}\"}}");
        let fix = "refuse a resource that does not exist with the error -32602 (until 2025-11-25: -32002)";
        answers(session, report, "resources/read", Some(&params), Want::Error(&[-32602, -32002]), fix)?;
    }
    if lists.prompts.is_some() {
        let params = format!("{{\"name\":\"{NOWHERE}\"}}");
        let fix = "refuse a prompt that does not exist with the error -32602";
        answers(session, report, "prompts/get", Some(&params), Want::Error(&[-32602]), fix)?;
    }
    if has("completions") {
        let params = format!(
            "{{\"ref\":{{\"type\":\"ref/prompt\",\"name\":\"{NOWHERE}\"}},\"argument\":{{\"name\":\"x\",\"value\":\"\"}}}}"
        );
        let fix = "refuse a completion for a prompt that does not exist with the error -32602";
        answers(session, report, "completion/complete", Some(&params), Want::Error(&[-32602]), fix)?;
    }
    if !is_legacy && has("logging") && member(member(capabilities, "logging").unwrap_or("{}"), "x").is_some()
    {
        report.advice("logging", "members that the specification does not know", "leave them out");
    }
    broken_arguments(session, report, &lists)?;
    counted(session, report);
    Ok(lists)
}

/// What the library took all the same, or could not take.
fn counted(session: &Session, report: &mut Report) {
    let info = session.info();
    let count = |name: &str| -> u64 {
        let counters = member(&info, "counters").unwrap_or("{}");
        member(counters, name).and_then(|count| count.parse().ok()).unwrap_or(0)
    };
    let lines = count("garbage_frames");
    if lines > 0 {
        report.fault(
            "standard output",
            match lines {
                1 => "a line on standard output is not a message".to_owned(),
                lines => format!("{lines} lines on standard output are not messages"),
            },
            "write logs and greetings to standard error: standard output is for messages alone",
        );
    }
    let tolerated = count("tolerated");
    if tolerated > 0 {
        report.advice(
            "messages",
            match tolerated {
                1 => "a message is not written as the specification has it, and was understood".to_owned(),
                count => {
                    format!("{count} messages are not written as the specification has them, and were understood")
                }
            },
            "see `mcp --verbose --verbose`: ids as integers, no member that is null, objects and not empty arrays",
        );
    }
}

/// A list with all its pages.
fn listed(session: &Session, report: &mut Report, request: &Request<'_>) -> Result<Option<String>, Failure> {
    let begin = Instant::now();
    let outcome = session.outcome(request)?;
    let method = request.method();
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
    let again = session.outcome(request)?;
    if again.status() == Status::Ok && canonical(again.json()) != canonical(outcome.json()) {
        report.advice(
            method,
            "two lists in a row differ",
            "list the same entries in the same order, so that clients and caches of models can compare them",
        );
    }
    Ok(Some(outcome.json().to_owned()))
}

fn canonical(text: &str) -> String {
    let mut out = String::new();
    mcp::client::json_text::canonical_into(text, &mut out);
    out
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
    session: &Session,
    report: &mut Report,
    method: &str,
    params: Option<&str>,
    want: Want<'_>,
    fix: &str,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let outcome = session.raw(method, params)?;
    let time = format!("{:.1} ms", begin.elapsed().as_secs_f64() * 1000.0);
    match (want, outcome.status()) {
        (_, Status::Closed | Status::Transport | Status::Unavailable) => {
            return Err(Failure::reply(&outcome));
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

fn unknown(session: &Session, report: &mut Report, method: &str, fix: &str) -> Result<(), Failure> {
    let outcome = session.raw(method, Some("{}"))?;
    let about = "unknown method";
    match (outcome.status(), code(&outcome)) {
        (Status::Server, Some(-32601)) => report.good(about, "refused with -32601"),
        (Status::Server, other) => {
            let code = other.map_or("no code".to_owned(), |code| code.to_string());
            report.fault(about, format!("refused with {code}"), fix);
        }
        (Status::Ok, _) => report.fault(about, "answered with a result", fix),
        (Status::Timeout, _) => report.fault(about, "no answer came in time", fix),
        (Status::Closed | Status::Transport | Status::Unavailable, _) => {
            let failure = Failure::reply(&outcome);
            if failure.exit == INTERRUPTED {
                return Err(failure);
            }
            report.fault(about, format!("the connection ends: {}", said(&outcome)), fix);
            return Err(failure);
        }
        _ => report.fault(about, said(&outcome), fix),
    }
    Ok(())
}

/// A call with arguments that no schema with required members allows.
fn broken_arguments(session: &Session, report: &mut Report, lists: &Lists) -> Result<(), Failure> {
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
    let outcome = session.raw("tools/call", Some(&format!("{{\"name\":{name},\"arguments\":{{}}}}")))?;
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
