//! What goes into a tool and what handlers answer, checked before the other side sees it: arguments and results against their schemas
//! (S-TL-06, S-TL-09), results by their method, errors by their code. What is small and clear is completed instead of refused.
//!
//! A check against a schema may take as long as the bounds of `crates/core/src/schema` allow, so the engine does none itself: it says which check
//! is to be made, the caller makes it without holding the engine, and gives the verdict back. Only arguments that are found to fit in
//! one pass over their text need no such check.

use super::content::{BlockPosition, spelled};
use super::{PendingRequest, content};
use crate::engine::server::registry::{OutputSchema, ToolEntry};
use crate::engine::server::session::context::{ErrorResponse, RequestContext};
use crate::engine::server::settings::Settings;
use crate::json;
use crate::json::{Kind, pick};
use crate::protocol::{Era, Revision, error_code, method};
#[cfg(feature = "schema")]
use crate::schema::{Failure, Schema};
use crate::sorted::SortedSet;
#[cfg(feature = "schema")]
use std::sync::Arc;

/// Values that one completion may give (S-CO-02).
pub const COMPLETIONS: usize = 100;

/// A result that may go out.
#[derive(Debug, Default)]
pub struct CheckedResult {
    /// The result, where it differs from what the handler gave.
    pub text: Option<String>,
    /// What the application should know all the same.
    pub note: Option<String>,
}

/// Checks the result of a request. `verdict` is what its schema says of it; a text has none, and is not structured.
///
/// # Errors
/// What the method, the tool or the revision promises, and the result does not keep.
pub fn check_result<H>(
    request: &PendingRequest<H>,
    result: &str,
    verdict: Option<ResultVerdict>,
    settings: &Settings,
) -> Result<CheckedResult, String> {
    let value = json::scan_value(result.as_bytes(), settings.limits.depth)
        .map_err(|error| format!("the result is not JSON: {error}"))?;
    if value.kind != Kind::Object {
        return Err(format!("the result is {}, and must be an object", value.kind));
    }
    if request.method.is_empty() {
        // What an extension's results have is the extension's.
        return Ok(CheckedResult::default());
    }
    if let Some(kind) =
        pick(result, ["resultType"])[0].filter(|kind| json::string(kind).as_deref() != Some("complete"))
    {
        // S-MD-07, S-MR-01: only the library answers with questions.
        return Err(format!("'resultType' is {kind}: to ask the client, use mcp_request_ask()"));
    }
    match request.method {
        method::TOOLS_CALL => check_tool_result(request, result, verdict, settings),
        method::RESOURCES_READ => check_resource_result(result, settings),
        method::PROMPTS_GET => check_prompt_result(result, settings, request.context.revision),
        method::COMPLETE => check_completion_result(result),
        _ => Ok(CheckedResult::default()),
    }
}

/// S-TL-06 to S-TL-08, S-TL-13.
fn check_tool_result<H>(
    request: &PendingRequest<H>,
    result: &str,
    verdict: Option<ResultVerdict>,
    settings: &Settings,
) -> Result<CheckedResult, String> {
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
        content::blocks(content, BlockPosition::Result, revision)?;
    }
    let mut checked = CheckedResult::default();
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
fn check_resource_result(result: &str, settings: &Settings) -> Result<CheckedResult, String> {
    let contents = pick(result, ["contents"])[0].unwrap_or("null");
    if json::kind(contents) != Some(Kind::Array) || json::count(contents) == Some(0) {
        return Err("the result of reading a resource must have 'contents' that are not empty".to_owned());
    }
    if settings.check_content {
        for (index, element) in json::elements(contents).enumerate() {
            content::resource_contents(element).map_err(|what| format!("'contents' at {index}: {what}"))?;
        }
    }
    Ok(CheckedResult::default())
}

/// S-PR-03.
fn check_prompt_result(
    result: &str,
    settings: &Settings,
    revision: Revision,
) -> Result<CheckedResult, String> {
    let messages = pick(result, ["messages"])[0].unwrap_or("null");
    if json::kind(messages) != Some(Kind::Array) {
        return Err("the result of a prompt must have an array 'messages'".to_owned());
    }
    if settings.check_content {
        for (index, message) in json::elements(messages).enumerate() {
            prompt_message(message, revision).map_err(|what| format!("'messages' at {index}: {what}"))?;
        }
    }
    Ok(CheckedResult::default())
}

fn prompt_message(message: &str, revision: Revision) -> Result<(), String> {
    let [role, content] = pick(message, ["role", "content"]);
    match role.and_then(json::string).as_deref() {
        Some("user" | "assistant") => {}
        _ => return Err("'role' must be \"user\" or \"assistant\"".to_owned()),
    }
    content::block(content.unwrap_or("null"), BlockPosition::Result, revision)
}

/// S-CO-02: more values than a completion may have are cut, with the true total.
fn check_completion_result(result: &str) -> Result<CheckedResult, String> {
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
        return Ok(CheckedResult::default());
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
    Ok(CheckedResult { text: Some(text), note: Some(note) })
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
pub fn check_error(
    context: &RequestContext,
    code: i64,
    message: &str,
    data: Option<&str>,
) -> Result<ErrorResponse, String> {
    if let Some(data) = data {
        json::scan_value(data.as_bytes(), 64).map_err(|error| format!("the error's data: {error}"))?;
    }
    let revision = context.revision;
    // What does not exist has a code of its own in the legacy era alone.
    let is_moved = code == error_code::RESOURCE_NOT_FOUND && context.era() == Era::Modern;
    let code = if is_moved { error_code::INVALID_PARAMS } else { code };
    if context.era() == Era::Modern && (-32768..=-32000).contains(&code) && !may_be_sent(code) {
        return Err(format!(
            "the error code {code} may not be sent at {}: codes of an application are outside of -32768 to -32000",
            revision.as_str()
        ));
    }
    if code == error_code::URL_ELICITATION_REQUIRED {
        url_elicitations(context, data)?;
    }
    Ok(ErrorResponse { data: data.map(str::to_owned), ..ErrorResponse::new(code, message) })
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
fn url_elicitations(context: &RequestContext, data: Option<&str>) -> Result<(), String> {
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
    let mut ids = SortedSet::new();
    for (index, elicitation) in json::elements(list).enumerate() {
        let wrong = |what: String| format!("'elicitations' at {index}: {what}");
        if pick(elicitation, ["mode"])[0].and_then(json::string).as_deref() != Some("url") {
            return Err(wrong("'mode' must be \"url\"".to_owned()));
        }
        let id = check_url_elicitation(context.revision, elicitation).map_err(wrong)?;
        if !ids.insert(id) {
            return Err(wrong("duplicate 'elicitationId'".to_owned()));
        }
    }
    Ok(())
}

/// Checks an elicitation by URL; gives its id, which only 2025-11-25 has (S-EL-03, S-EL-04).
///
/// # Errors
/// What is wrong with it.
pub fn check_url_elicitation(revision: Revision, elicitation: &str) -> Result<Option<String>, String> {
    let [url, message, id] = pick(elicitation, ["url", "message", "elicitationId"]);
    let Some(url) = url.and_then(json::string) else {
        return Err("'url' must be a string".to_owned());
    };
    if let Some(fault) = content::page_fault(&url) {
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

/// The arguments of a call are to be checked before the application sees it.
#[cfg(feature = "schema")]
#[derive(Clone, Debug)]
pub struct ArgumentCheck(Arc<Schema>);

/// This build checks no arguments.
#[cfg(not(feature = "schema"))]
#[derive(Clone, Debug)]
pub enum ArgumentCheck {}

/// What a check of arguments has found: what is wrong, if anything is.
#[derive(Debug)]
pub struct ArgumentVerdict(pub(super) Option<String>);

/// The result of a tool is to be checked before it goes out.
#[derive(Clone, Debug)]
pub struct ResultCheck(pub(super) OutputSchema);

impl PartialEq for ResultCheck {
    fn eq(&self, other: &ResultCheck) -> bool {
        #[cfg(feature = "schema")]
        return Arc::ptr_eq(&self.0, &other.0);
        #[cfg(not(feature = "schema"))]
        return self.0 == other.0;
    }
}

impl Eq for ResultCheck {}

/// What a check of a result has found.
#[derive(Debug)]
pub struct ResultVerdict(pub(super) Result<(), String>);

/// What the arguments of a call may take as values, about, while they are checked.
#[cfg(feature = "schema")]
const MOST_TREE: usize = 128 << 20;

/// What is wrong with a result that has to be structured.
pub const UNSTRUCTURED: &str = "the tool has an output schema, and its result no 'structuredContent'";

/// The check that the arguments of a call need; `None` for those that fit.
#[cfg(feature = "schema")]
pub fn argument_check<H>(tool: &ToolEntry<H>, arguments: &str) -> Option<ArgumentCheck> {
    if tool.plain_input.as_ref().is_some_and(|plain| plain.fits(arguments)) {
        return None;
    }
    Some(ArgumentCheck(Arc::clone(&tool.input)))
}

#[cfg(not(feature = "schema"))]
pub fn argument_check<H>(_tool: &ToolEntry<H>, _arguments: &str) -> Option<ArgumentCheck> {
    None
}

impl ArgumentCheck {
    /// Checks the arguments in the parameters of a call.
    #[cfg(feature = "schema")]
    pub fn run(&self, params: &str) -> ArgumentVerdict {
        let arguments = crate::json::member(params, "arguments").unwrap_or("{}");
        // As values they may take many times their text.
        if crate::json::tree_bytes(arguments) > MOST_TREE {
            return ArgumentVerdict(Some("they have more values than can be checked".to_owned()));
        }
        ArgumentVerdict(fits(&self.0, arguments).err())
    }

    /// There is none.
    #[cfg(not(feature = "schema"))]
    pub fn run(&self, _params: &str) -> ArgumentVerdict {
        match *self {}
    }
}

impl ResultCheck {
    /// Checks the structured content of a result.
    #[cfg(feature = "schema")]
    pub fn run(&self, result: &str) -> ResultVerdict {
        let Some(structured) = crate::json::pick(result, ["structuredContent"])[0] else {
            return ResultVerdict(Err(UNSTRUCTURED.to_owned()));
        };
        let checked = fits(&self.0, structured);
        ResultVerdict(checked.map_err(|what| format!("'structuredContent': {what}")))
    }

    /// Finds nothing wrong.
    #[cfg(not(feature = "schema"))]
    pub fn run(&self, _result: &str) -> ResultVerdict {
        let () = self.0;
        ResultVerdict(Ok(()))
    }
}

#[cfg(feature = "schema")]
fn fits(schema: &Schema, text: &str) -> Result<(), String> {
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    schema.check(&value).map_err(|failure| match failure {
        Failure::Mismatch(mismatch) => mismatch.to_string(),
        Failure::Bound(bound) => format!("the check reached its bound of {bound}"),
    })
}
