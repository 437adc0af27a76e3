//! What a server may ask its client, by `mcp_request_ask` and by `mcp_server_call_start`: forms (S-EL-01, S-EL-02, S-MR-10), URLs and
//! sampling (S-SA-01); and the answers that fit.

use super::questions::{as_answer, failure, wrong_shape};
use crate::engine::server::requests::content::BlockPosition;
use crate::engine::server::requests::{checks, content};
use crate::json;
use crate::json::{Kind, pick};
use crate::protocol::{Revision, method};
use crate::sorted::SortedSet;
use serde_json::{Map, Value};

/// Checks the parameters of a question, a JSON object; gives the id of an elicitation by URL, where the revision has one.
///
/// # Errors
/// What is wrong with them.
pub fn check_question(revision: Revision, name: &str, params: &str) -> Result<Option<String>, String> {
    match name {
        method::SAMPLING => check_sampling(revision, params).map(|()| None),
        method::ELICITATION => {
            let mode = pick(params, ["mode"])[0].and_then(json::string);
            if mode.as_deref() == Some("url") {
                return checks::check_url_elicitation(revision, params);
            }
            check_form(revision, params).map(|()| None)
        }
        _ => Ok(None),
    }
}

/// The schema that the answer to a question must fit; `None` if there is none.
pub fn answer_schema<'a>(name: &str, params: &'a str) -> Option<&'a str> {
    if name == method::ELICITATION { form_schema(params) } else { None }
}

/// Checks what a client answered.
///
/// # Errors
/// The failure that stands for it, a JSON-RPC error.
pub fn check_answer(name: &str, schema: Option<&str>, result: &str) -> Result<(), Box<str>> {
    let result = &*as_answer(name, result).ok_or_else(|| wrong_shape(name))?;
    let Some(schema) = schema else { return Ok(()) };
    check_form_answer(schema, result)
        .map_err(|what| failure(&format!("the client's answer to '{name}' does not fit: {what}")))
}

/// The steps and the time that the check of an answer may take.
#[cfg(feature = "schema")]
const ANSWER_STEPS: usize = 100_000;
#[cfg(feature = "schema")]
const ANSWER_TIME: std::time::Duration = std::time::Duration::from_millis(50);

/// Checks the parameters of a question by form.
///
/// # Errors
/// What is wrong with them.
pub fn check_form(revision: Revision, params: &str) -> Result<(), String> {
    let [message, schema] = pick(params, ["message", "requestedSchema"]);
    if message.and_then(json::kind) != Some(Kind::String) {
        return Err("'message' must be a string".to_owned());
    }
    let schema: Value = serde_json::from_str(schema.unwrap_or("null"))
        .map_err(|error| format!("'requestedSchema': {error}"))?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("'requestedSchema' must be an object with \"type\":\"object\"".to_owned());
    }
    let Some(fields) = schema.get("properties").and_then(Value::as_object) else {
        return Err("'requestedSchema' must have an object 'properties'".to_owned());
    };
    for (name, field) in fields {
        check_field(field, revision)
            .map_err(|what| format!("the field '{name}' of 'requestedSchema': {what}"))?;
    }
    if let Some(required) = schema.get("required") {
        let is_field = |name: &Value| name.as_str().is_some_and(|name| fields.contains_key(name));
        if !required.as_array().is_some_and(|names| names.iter().all(is_field)) {
            return Err("'required' of 'requestedSchema' must be an array of names of its fields".to_owned());
        }
    }
    usable(&schema)
}

/// One field: forms are flat, so that every client can show them.
fn check_field(field: &Value, revision: Revision) -> Result<(), String> {
    let Some(members) = field.as_object() else { return Err("it must be an object".to_owned()) };
    for member in ["title", "description"] {
        if members.get(member).is_some_and(|text| !text.is_string()) {
            return Err(format!("'{member}' must be a string"));
        }
    }
    let default = members.get("default");
    let fits = match members.get("type").and_then(Value::as_str) {
        Some("string") => {
            check_text(members, revision)?;
            default.is_none_or(Value::is_string)
        }
        Some("number") => default.is_none_or(Value::is_number),
        Some("integer") => default.is_none_or(|it| it.is_i64() || it.is_u64()),
        Some("boolean") => default.is_none_or(Value::is_boolean),
        Some("array") if revision >= Revision::V2025_11_25 => {
            let items = members.get("items").and_then(Value::as_object);
            let items = items.ok_or("a list must have an object 'items'")?;
            let is_text = items.get("type").is_none_or(|kind| kind == "string");
            match (is_text, items.get("enum"), items.get("anyOf")) {
                (true, Some(words), None) => check_words(words)?,
                (_, None, Some(choices)) => check_choices(choices, "anyOf")?,
                _ => return Err("'items' must have an 'enum' of strings, or 'anyOf'".to_owned()),
            }
            default.is_none_or(|list| list.as_array().is_some_and(|list| list.iter().all(Value::is_string)))
        }
        Some("array") => return Err("a choice of several came with 2025-11-25".to_owned()),
        _ => {
            let text = "'type' must be \"string\", \"number\", \"integer\" or \"boolean\", or \"array\" for a choice of several: forms are flat";
            return Err(text.to_owned());
        }
    };
    if fits { Ok(()) } else { Err("'default' is of another type".to_owned()) }
}

fn check_text(members: &Map<String, Value>, revision: Revision) -> Result<(), String> {
    match members.get("format").map(Value::as_str) {
        None | Some(Some("email" | "uri" | "date" | "date-time")) => {}
        Some(Some("password")) => {
            return Err("a secret may not be asked for by form: use \"mode\":\"url\"".to_owned());
        }
        Some(_) => {
            return Err("'format' must be \"email\", \"uri\", \"date\" or \"date-time\"".to_owned());
        }
    }
    if let Some(words) = members.get("enum") {
        check_words(words)?;
        let names = members.get("enumNames").and_then(Value::as_array).map(Vec::len);
        if names.is_some_and(|names| Some(names) != words.as_array().map(Vec::len)) {
            return Err("'enumNames' must have one name for each value of 'enum'".to_owned());
        }
    }
    match members.get("oneOf") {
        None => Ok(()),
        Some(_) if revision < Revision::V2025_11_25 => {
            Err("'oneOf' came with 2025-11-25: use 'enum' with 'enumNames'".to_owned())
        }
        Some(choices) => check_choices(choices, "oneOf"),
    }
}

fn check_words(words: &Value) -> Result<(), String> {
    match words.as_array() {
        Some(list) if !list.is_empty() && list.iter().all(Value::is_string) => Ok(()),
        _ => Err("'enum' must be an array of strings that is not empty".to_owned()),
    }
}

fn check_choices(choices: &Value, name: &str) -> Result<(), String> {
    let is_choice =
        |choice: &Value| ["const", "title"].iter().all(|it| choice.get(it).is_some_and(Value::is_string));
    match choices.as_array() {
        Some(list) if !list.is_empty() && list.iter().all(is_choice) => Ok(()),
        _ => Err(format!("'{name}' must be an array of objects with 'const' and 'title' that is not empty")),
    }
}

/// Whether a client's answer fits what was asked. `answer` has the shape of one.
///
/// # Errors
/// What does not fit.
pub fn check_form_answer(schema: &str, answer: &str) -> Result<(), String> {
    let [action, content] = pick(answer, ["action", "content"]);
    if action.and_then(json::string).as_deref() != Some("accept") {
        return Ok(());
    }
    let read = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    fits(&read(schema)?, &read(content.unwrap_or("{}"))?)
}

/// The schema of a question by form, which its answer must fit.
pub fn form_schema(params: &str) -> Option<&str> {
    let [mode, schema] = pick(params, ["mode", "requestedSchema"]);
    schema.filter(|_| mode.and_then(json::string).as_deref() != Some("url"))
}

#[cfg(feature = "schema")]
fn usable(schema: &Value) -> Result<(), String> {
    use crate::schema::{Bounds, Schema};
    Schema::new(schema, Bounds::default()).map(drop).map_err(|what| format!("'requestedSchema': {what}"))
}

#[cfg(feature = "schema")]
fn fits(schema: &Value, content: &Value) -> Result<(), String> {
    use crate::schema::{Bounds, Failure, Schema};
    // Forms are flat: what fits one needs few steps, and the engine is held meanwhile.
    let bounds = Bounds { steps: ANSWER_STEPS, time: ANSWER_TIME, ..Bounds::default() };
    let schema = Schema::new(schema, bounds)?.with_formats();
    schema.check(content).map_err(|failure| match failure {
        Failure::Mismatch(mismatch) => format!("'content': {mismatch}"),
        Failure::Bound(bound) => format!("the check reached its bound of {bound}"),
    })
}

/// A build without schemas checks no content.
#[cfg(not(feature = "schema"))]
fn usable(_schema: &Value) -> Result<(), String> {
    Ok(())
}

#[cfg(not(feature = "schema"))]
fn fits(_schema: &Value, _content: &Value) -> Result<(), String> {
    Ok(())
}

/// Checks the parameters.
///
/// # Errors
/// What is wrong with them.
pub fn check_sampling(revision: Revision, params: &str) -> Result<(), String> {
    let [messages, most, tools, choice] = pick(params, ["messages", "maxTokens", "tools", "toolChoice"]);
    if most.and_then(|most| json::whole(most.as_bytes()).ok()).is_none_or(|most| most < 1) {
        return Err("'maxTokens' must be a whole number of at least 1".to_owned());
    }
    if let Some(tools) = tools {
        check_tools(tools)?;
    }
    if let Some(choice) = choice {
        let mode = pick(choice, ["mode"])[0];
        let is_known = mode
            .is_none_or(|mode| matches!(json::string(mode).as_deref(), Some("auto" | "required" | "none")));
        if json::kind(choice) != Some(Kind::Object) || !is_known {
            return Err("'mode' of 'toolChoice' must be \"auto\", \"required\" or \"none\"".to_owned());
        }
    }
    let messages = messages.unwrap_or("null");
    if json::kind(messages) != Some(Kind::Array) {
        return Err("'messages' must be an array".to_owned());
    }
    let mut turns = ToolUseOrder::default();
    for (index, message) in json::elements(messages).enumerate() {
        turns.message(message, revision).map_err(|what| format!("'messages' at {index}: {what}"))?;
    }
    turns.end()
}

fn check_tools(tools: &str) -> Result<(), String> {
    let is_tool = |tool: &str| {
        let [name, schema] = pick(tool, ["name", "inputSchema"]);
        name.and_then(json::string).is_some_and(|name| !name.is_empty())
            && schema.and_then(json::kind) == Some(Kind::Object)
    };
    if json::kind(tools) == Some(Kind::Array) && json::elements(tools).all(is_tool) {
        return Ok(());
    }
    Err("'tools' must be an array of objects with 'name' and 'inputSchema'".to_owned())
}

/// The order of tool uses and results: after a message of the assistant that uses tools comes one of the user with the results
/// of those, and nothing else.
#[derive(Default)]
struct ToolUseOrder {
    /// The uses of the message before that wait for their results.
    open: SortedSet<String>,
}

impl ToolUseOrder {
    fn message(&mut self, message: &str, revision: Revision) -> Result<(), String> {
        let [role, content] = pick(message, ["role", "content"]);
        let role = role.and_then(json::string).unwrap_or_default();
        if !matches!(role.as_ref(), "user" | "assistant") {
            return Err("'role' must be \"user\" or \"assistant\"".to_owned());
        }
        let content = content.unwrap_or("null");
        let blocks: Vec<&str> = match json::kind(content) {
            Some(Kind::Array) if revision >= Revision::V2025_11_25 => json::elements(content).collect(),
            Some(Kind::Array) => {
                return Err("'content' may be an array since 2025-11-25: give one block".to_owned());
            }
            _ => vec![content],
        };
        let (mut uses, mut results, mut others) = (SortedSet::new(), SortedSet::new(), 0);
        for block in blocks {
            content::block(block, BlockPosition::Sampling, revision)?;
            let (ids, member) = match content::type_of(block).as_deref() {
                Some("tool_use") => (&mut uses, "id"),
                Some("tool_result") => (&mut results, "toolUseId"),
                _ => {
                    others += 1;
                    continue;
                }
            };
            let id = pick(block, [member])[0].and_then(json::string).unwrap_or_default().into_owned();
            if ids.contains(&id) {
                return Err(format!("duplicate tool use '{id}'"));
            }
            ids.insert(id);
        }
        if !uses.is_empty() && role != "assistant" {
            return Err("only the assistant uses tools".to_owned());
        }
        if !results.is_empty() && (role != "user" || others > 0) {
            return Err("results of tools come in a message of the user that has nothing else".to_owned());
        }
        if results != self.open {
            return Err(format!(
                "the results of tools are for [{}], and the message before used [{}]",
                joined(&results),
                joined(&self.open)
            ));
        }
        self.open = uses;
        Ok(())
    }

    fn end(self) -> Result<(), String> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(format!("the results of the tool uses [{}] are missing", joined(&self.open)))
    }
}

fn joined(ids: &SortedSet<String>) -> String {
    ids.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
