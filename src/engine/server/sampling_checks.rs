//! What may be asked by `sampling/createMessage` (S-SA-01).

use super::content::{self, Place};
use crate::json::{self, Kind, pick};
use crate::protocol::Revision;
use std::collections::BTreeSet;

/// Checks the parameters.
///
/// # Errors
/// What is wrong with them.
pub(super) fn params(revision: Revision, params: &str) -> Result<(), String> {
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
    let mut turns = Turns::default();
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
struct Turns {
    /// The uses of the message before that wait for their results.
    open: BTreeSet<String>,
}

impl Turns {
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
        let (mut uses, mut results, mut others) = (BTreeSet::new(), BTreeSet::new(), 0);
        for block in blocks {
            content::block(block, Place::Sampling, revision)?;
            let (ids, member) = match content::type_of(block).as_deref() {
                Some("tool_use") => (&mut uses, "id"),
                Some("tool_result") => (&mut results, "toolUseId"),
                _ => {
                    others += 1;
                    continue;
                }
            };
            let id = pick(block, [member])[0].and_then(json::string).unwrap_or_default().into_owned();
            if let Some(twice) = ids.replace(id) {
                return Err(format!("the tool use '{twice}' is there twice"));
            }
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
                list(&results),
                list(&self.open)
            ));
        }
        self.open = uses;
        Ok(())
    }

    fn end(self) -> Result<(), String> {
        if self.open.is_empty() {
            return Ok(());
        }
        Err(format!("the results of the tool uses [{}] are missing", list(&self.open)))
    }
}

fn list(ids: &BTreeSet<String>) -> String {
    ids.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}
