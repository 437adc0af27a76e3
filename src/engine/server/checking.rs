//! What a handler answers, checked before a client sees it: results by their method, and errors by their code. What is small and
//! clear is completed instead of refused.

use super::content::{self, Place, spelled};
use super::context::{Context, Refusal};
use super::requests::Request;
use super::schema_checks::{ResultVerdict, UNSTRUCTURED};
use super::settings::Settings;
use super::uri;
use crate::json::{self, Kind, pick};
use crate::protocol::{Era, Revision, error_code, method};
use std::collections::BTreeSet;

/// Values that one completion may give (S-CO-02).
pub(super) const COMPLETIONS: usize = 100;

/// A result that may go out.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The result, where it differs from what the handler gave.
    pub text: Option<String>,
    /// What the application should know all the same.
    pub note: Option<String>,
}

/// Checks the result of a request. `verdict` is what its schema says of it; a text has none, and is not structured.
///
/// # Errors
/// What the method, the tool or the revision promises, and the result does not keep.
pub(super) fn result<H>(
    request: &Request<H>,
    result: &str,
    verdict: Option<ResultVerdict>,
    settings: &Settings,
) -> Result<Checked, String> {
    let value = json::scan_value(result.as_bytes(), settings.limits.depth)
        .map_err(|error| format!("the result is not JSON: {error}"))?;
    if value.kind != Kind::Object {
        return Err(format!("the result is {}, and must be an object", value.kind));
    }
    if request.method.is_empty() {
        // What an extension's results have is the extension's.
        return Ok(Checked::default());
    }
    if let Some(kind) =
        pick(result, ["resultType"])[0].filter(|kind| json::string(kind).as_deref() != Some("complete"))
    {
        // S-MD-07, S-MR-01: only the library answers with questions.
        return Err(format!("'resultType' is {kind}: to ask the client, use mcp_request_ask()"));
    }
    match request.method {
        method::TOOLS_CALL => tool(request, result, verdict, settings),
        method::RESOURCES_READ => resource(result, settings),
        method::PROMPTS_GET => prompt(result, settings, request.context.revision),
        method::COMPLETE => completion(result),
        _ => Ok(Checked::default()),
    }
}

/// S-TL-06 to S-TL-08, S-TL-13.
fn tool<H>(
    request: &Request<H>,
    result: &str,
    verdict: Option<ResultVerdict>,
    settings: &Settings,
) -> Result<Checked, String> {
    let revision = request.context.revision;
    let [content, structured, is_error] = pick(result, ["content", "structuredContent", "isError"]);
    let Some(content) = content.filter(|content| json::kind(content) == Some(Kind::Array)) else {
        return Err("the result of a tool must have an array 'content'".to_owned());
    };
    let failed = match is_error {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(format!("'isError' is {other}, and must be a boolean")),
    };
    if settings.check_content {
        content::blocks(content, Place::Result, revision)?;
    }
    let mut checked = Checked::default();
    let mut is_left_out = false;
    if request.output.is_some() && settings.check_results && (!failed || structured.is_some()) {
        match verdict.map_or_else(|| Err(UNSTRUCTURED.to_owned()), |verdict| verdict.0) {
            Ok(()) => {}
            Err(what) if failed => {
                is_left_out = true;
                checked.note = Some(format!("'structuredContent' of a failed result was left out: {what}"));
            }
            Err(what) => return Err(what),
        }
    }
    let Some(structured) = structured else { return Ok(checked) };
    // Before 2026-07-28 it is an object. A client that would refuse anything else gets it as text.
    is_left_out |= request.context.era() == Era::Legacy && json::kind(structured) != Some(Kind::Object);
    let has_text = json::elements(content).any(|block| content::type_of(block).as_deref() == Some("text"));
    let is_told_as_text = !has_text && (settings.structured_as_text || is_left_out);
    if is_left_out || is_told_as_text {
        let content = if is_told_as_text { with_text(content, structured) } else { content.to_owned() };
        checked.text = Some(with_content(result, &content, is_left_out));
    }
    Ok(checked)
}

/// `content` with a block that has `structured` as text.
fn with_text(content: &str, structured: &str) -> String {
    let mut text = content.trim().strip_suffix(']').unwrap_or("[").to_owned();
    if json::count(content).unwrap_or(0) > 0 {
        text.push(',');
    }
    text.push_str("{\"type\":\"text\",\"text\":");
    json::quote_into(structured, &mut text);
    text.push_str("}]");
    text
}

/// The result of a tool with other content, with or without `structuredContent`.
fn with_content(result: &str, content: &str, is_left_out: bool) -> String {
    let mut text = String::from("{\"content\":");
    text.push_str(content);
    for (name, value) in json::members(result) {
        let meant = spelled(name);
        if meant == "content" || is_left_out && meant == "structuredContent" {
            continue;
        }
        text.push_str(",\"");
        text.push_str(name);
        text.push_str("\":");
        text.push_str(value);
    }
    text.push('}');
    text
}

/// S-RS-02, S-RS-04.
fn resource(result: &str, settings: &Settings) -> Result<Checked, String> {
    let contents = pick(result, ["contents"])[0].unwrap_or("null");
    if json::kind(contents) != Some(Kind::Array) || json::count(contents) == Some(0) {
        return Err("the result of reading a resource must have 'contents' that are not empty".to_owned());
    }
    if settings.check_content {
        for (index, element) in json::elements(contents).enumerate() {
            content::resource_contents(element).map_err(|what| format!("'contents' at {index}: {what}"))?;
        }
    }
    Ok(Checked::default())
}

/// S-PR-03.
fn prompt(result: &str, settings: &Settings, revision: Revision) -> Result<Checked, String> {
    let messages = pick(result, ["messages"])[0].unwrap_or("null");
    if json::kind(messages) != Some(Kind::Array) {
        return Err("the result of a prompt must have an array 'messages'".to_owned());
    }
    if settings.check_content {
        for (index, message) in json::elements(messages).enumerate() {
            prompt_message(message, revision).map_err(|what| format!("'messages' at {index}: {what}"))?;
        }
    }
    Ok(Checked::default())
}

fn prompt_message(message: &str, revision: Revision) -> Result<(), String> {
    let [role, content] = pick(message, ["role", "content"]);
    match role.and_then(json::string).as_deref() {
        Some("user" | "assistant") => {}
        _ => return Err("'role' must be \"user\" or \"assistant\"".to_owned()),
    }
    content::block(content.unwrap_or("null"), Place::Result, revision)
}

/// S-CO-02: more values than a completion may have are cut, with the true total.
fn completion(result: &str) -> Result<Checked, String> {
    let completion = pick(result, ["completion"])[0].unwrap_or("null");
    if json::kind(completion) != Some(Kind::Object) {
        return Err("the result of a completion must have an object 'completion'".to_owned());
    }
    let [values, total, has_more] = pick(completion, ["values", "total", "hasMore"]);
    let values = values.unwrap_or("null");
    let is_text = |value: &str| json::kind(value) == Some(Kind::String);
    if json::kind(values) != Some(Kind::Array) || !json::elements(values).all(is_text) {
        return Err("a completion must have an array 'values' of strings".to_owned());
    }
    let count = json::count(values).unwrap_or(0);
    let given = count.min(COMPLETIONS);
    let total = match total {
        None => None,
        Some(text) => match json::integer(text).and_then(|total| usize::try_from(total).ok()) {
            Some(total) if total >= count => Some(total),
            _ => return Err(format!("'total' is {text}, and must be a whole number of at least {count}")),
        },
    };
    let is_more = match has_more {
        None => None,
        Some("true") => Some(true),
        Some("false") => Some(false),
        Some(other) => return Err(format!("'hasMore' is {other}, and must be a boolean")),
    };
    if let (Some(total), Some(is_more)) = (total, is_more)
        && given == count
        && is_more != (total > count)
    {
        return Err(format!("'hasMore' is {is_more}, with {count} values of a total of {total}"));
    }
    if given == count {
        return Ok(Checked::default());
    }
    let mut cut = String::from("[");
    for value in json::elements(values).take(COMPLETIONS) {
        if cut.len() > 1 {
            cut.push(',');
        }
        cut.push_str(value);
    }
    cut.push(']');
    let total = total.unwrap_or(count).to_string();
    let completion = spliced(completion, &[("values", &cut), ("total", &total), ("hasMore", "true")]);
    let text = spliced(result, &[("completion", &completion)]);
    let note = format!("a completion may have {COMPLETIONS} values: {count} were cut");
    Ok(Checked { text: Some(text), note: Some(note) })
}

fn spliced(object: &str, members: &[(&str, &str)]) -> String {
    let mut text = Vec::new();
    json::splice_into(object, members, &mut text);
    json::utf8(&text).to_owned()
}

/// An error of the application's, if it may be sent at that revision (S-JR-06, S-JR-07, S-EL-04).
///
/// # Errors
/// Why it may not be sent.
pub(super) fn error(
    context: &Context,
    code: i64,
    message: &str,
    data: Option<&str>,
) -> Result<Refusal, String> {
    if let Some(data) = data {
        json::scan_value(data.as_bytes(), 64).map_err(|error| format!("the error's data: {error}"))?;
    }
    let revision = context.revision;
    if context.era() == Era::Modern && (-32768..=-32000).contains(&code) && !may_be_sent(code) {
        return Err(format!(
            "the error code {code} may not be sent at {}: codes of an application are outside of -32768 to -32000",
            revision.as_str()
        ));
    }
    if code == error_code::URL_ELICITATION_REQUIRED {
        url_elicitations(context, data)?;
    }
    Ok(Refusal { data: data.map(str::to_owned), ..Refusal::new(code, message) })
}

/// The codes of JSON-RPC's range that mean the same to every client of 2026-07-28.
fn may_be_sent(code: i64) -> bool {
    matches!(
        code,
        error_code::INVALID_REQUEST
            | error_code::METHOD_NOT_FOUND
            | error_code::INVALID_PARAMS
            | error_code::INTERNAL_ERROR
            | error_code::MISSING_CLIENT_CAPABILITY
            | error_code::BUSY
    )
}

/// -32042 belongs to 2025-11-25, and lists the pages that are to be visited first.
fn url_elicitations(context: &Context, data: Option<&str>) -> Result<(), String> {
    if context.revision != Revision::V2025_11_25 {
        return Err(format!("the error -32042 does not exist at {}", context.revision.as_str()));
    }
    if !context.can("elicitation", Some("url")) {
        return Err("the error -32042 is for clients that declare elicitation by URL".to_owned());
    }
    let list = data.and_then(|data| pick(data, ["elicitations"])[0]).unwrap_or("null");
    if json::kind(list) != Some(Kind::Array) || json::count(list) == Some(0) {
        return Err("the data of the error -32042 must have 'elicitations' that are not empty".to_owned());
    }
    let mut ids = BTreeSet::new();
    for (index, elicitation) in json::elements(list).enumerate() {
        let wrong = |what: String| format!("'elicitations' at {index}: {what}");
        if pick(elicitation, ["mode"])[0].and_then(json::string).as_deref() != Some("url") {
            return Err(wrong("'mode' must be \"url\"".to_owned()));
        }
        let id = page(context.revision, elicitation).map_err(wrong)?;
        if !ids.insert(id) {
            return Err(wrong("its 'elicitationId' is there twice".to_owned()));
        }
    }
    Ok(())
}

/// Checks an elicitation by URL; gives its id, which only 2025-11-25 has (S-EL-03, S-EL-04).
///
/// # Errors
/// What is wrong with it.
pub(super) fn page(revision: Revision, elicitation: &str) -> Result<Option<String>, String> {
    let [url, message, id] = pick(elicitation, ["url", "message", "elicitationId"]);
    let Some(url) = url.and_then(json::string) else {
        return Err("'url' must be a string".to_owned());
    };
    if let Some(fault) = uri::page_fault(&url) {
        return Err(format!("'url': {fault}"));
    }
    if message.and_then(json::kind) != Some(Kind::String) {
        return Err("'message' must be a string".to_owned());
    }
    if revision != Revision::V2025_11_25 {
        return Ok(None);
    }
    match id.and_then(json::string) {
        Some(id) if !id.is_empty() => Ok(Some(id.into_owned())),
        _ => Err("'elicitationId' must be a string that is not empty".to_owned()),
    }
}
