//! Reads a list of tools into modules.

use super::model::{Module, Tool, Type};
use super::naming::{Names, pascal, words};
use super::read::{Reader, ordered};
use super::{hash, text};
use crate::commands::did_you_mean;
use crate::failure::Failure;
use mcp::client::json_text::{elements, member, string};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// How many tools become code.
const TOOLS: usize = 10_000;
/// The longest schema that is read.
const BYTES: usize = 1 << 20;

/// What the names of functions, types and files of all languages must not be.
const TAKEN: &[&str] = &[
    "asyncclient",
    "callotions",
    "calloptions",
    "client",
    "generatedtool",
    "index",
    "init",
    "jsonvalue",
    "manifest",
    "mcperror",
    "mcpgenerated",
    "null",
    "nullable",
    "report",
    "some",
    "support",
    "toolchanged",
    "toolerror",
    "toolfailure",
    "tooloptions",
    "toolresult",
    "typealias",
    "typeddict",
];

/// What a person says of tools.
#[derive(Debug, Default)]
pub struct Overrides(Map<String, Value>);

impl Overrides {
    pub fn read(path: Option<&Path>) -> Result<Overrides, Failure> {
        let Some(path) = path else { return Ok(Overrides::default()) };
        let fault =
            |why: String| Failure::usage(format!("cannot use the overrides in {}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| fault(error.to_string()))?;
        let Some(tools) = value.get("tools").and_then(Value::as_object) else {
            return Err(fault("it is not an object with \"tools\"".to_owned()));
        };
        for (name, one) in tools {
            let Some(keys) = one.as_object() else { return Err(fault(format!("'{name}' is not an object"))) };
            if let Some(key) =
                keys.keys().find(|key| !["function", "outputSchema", "skip"].contains(&key.as_str()))
            {
                return Err(fault(format!(
                    "'{name}' has '{key}'; there are function, outputSchema and skip"
                )));
            }
        }
        Ok(Overrides(tools.clone()))
    }

    fn of(&self, tool: &str, key: &str) -> Option<&Value> {
        self.0.get(tool)?.get(key)
    }

    /// The tools that the server does not have.
    fn unknown<'a>(&'a self, known: &BTreeMap<String, &str>) -> Option<&'a String> {
        self.0.keys().find(|name| !known.contains_key(*name))
    }
}

/// The tools of a list as modules: one for the server, and one for each prefix `server__`.
pub fn modules(
    list: &str,
    server: &str,
    only: &[String],
    overrides: &Overrides,
) -> Result<Vec<Module>, Failure> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for tool in elements(member(list, "tools").unwrap_or("[]")).take(TOOLS) {
        let Some(name) = member(tool, "name").and_then(string) else { continue };
        known.entry(name.into_owned()).or_insert(tool);
    }
    if let Some(name) = only.iter().find(|name| !known.contains_key(*name)) {
        let near = did_you_mean(name, known.keys().map(String::as_str));
        let list = if near.is_empty() { "; `mcp tools` lists those that it has" } else { "" };
        return Err(Failure::usage(format!("the server has no tool '{name}'{near}{list}")));
    }
    if let Some(name) = overrides.unknown(&known) {
        return Err(Failure::usage(format!(
            "the overrides name the tool '{name}', which the server does not have{}",
            did_you_mean(name, known.keys().map(String::as_str))
        )));
    }
    let mut groups: BTreeMap<Vec<String>, Vec<(String, String, &str)>> = BTreeMap::new();
    for (name, tool) in known {
        let is_named = only.contains(&name);
        let is_wanted = is_named || (only.is_empty() && !is_for_apps(tool));
        if !is_wanted || overrides.of(&name, "skip") == Some(&Value::Bool(true)) {
            continue;
        }
        let (group, own) = match prefix(&name) {
            Some((server, own)) => (words(server), own.to_owned()),
            None => (words(server), name.clone()),
        };
        let own = overrides.of(&name, "function").and_then(Value::as_str).map_or(own, str::to_owned);
        groups.entry(group).or_default().push((name, own, tool));
    }
    Ok(groups.into_iter().map(|(words, tools)| module(words, tools, overrides)).collect())
}

/// Whether only an MCP App may call a tool, and no model.
pub fn is_for_apps(tool: &str) -> bool {
    !mcp::apps::visibility(tool).model
}

/// The server and the tool in `google_drive__get_document`.
fn prefix(name: &str) -> Option<(&str, &str)> {
    let (server, tool) = name.split_once("__")?;
    let is_name = |part: &str| part.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_name(server) && is_name(tool)).then_some((server, tool))
}

fn module(module_words: Vec<String>, tools: Vec<(String, String, &str)>, overrides: &Overrides) -> Module {
    let mut names = Names::with(TAKEN);
    let reserved = format!("{}tools", pascal(&module_words).to_lowercase());
    names.unique(vec![reserved]);
    // All functions have their names before the types, so that a type never takes that of a function. Python has one more for
    // each, and C and Go a constant.
    let ends = ["", "async", "tool", "index"];
    let named: Vec<(String, Vec<String>, &str)> = tools
        .into_iter()
        .map(|(name, own, tool)| {
            let words = names.unique_with(words(&own), &ends);
            (name, words, tool)
        })
        .collect();
    let tools = named
        .into_iter()
        .map(|(name, words, tool)| read_tool(name, words, tool, overrides, &mut names))
        .collect();
    Module { words: module_words, tools }
}

fn read_tool(name: String, words: Vec<String>, tool: &str, overrides: &Overrides, names: &mut Names) -> Tool {
    let mut losses = Vec::new();
    let mut schema = |key: &str| match member(tool, key) {
        None => None,
        Some(text) if text.len() > BYTES => {
            losses.push(format!("{key}: the schema is too long"));
            Some(Value::Bool(true))
        }
        Some(text) => Some(serde_json::from_str(text).unwrap_or_else(|_| {
            losses.push(format!("{key}: it nests too deep, or has a number that no double holds"));
            Value::Bool(true)
        })),
    };
    let input = schema("inputSchema");
    let output = schema("outputSchema").filter(|it| !it.is_null());
    let hash = hash::pair(input.as_ref().unwrap_or(&Value::Null), output.as_ref().unwrap_or(&Value::Null));
    let (mut input, mut output) = (input, output);
    for (schema, key) in [(&mut input, "inputSchema"), (&mut output, "outputSchema")] {
        if let (Some(schema), Some(text)) = (schema, member(tool, key)) {
            ordered(schema, text);
        }
    }
    let own = overrides.of(&name, "outputSchema");
    let mut reader = Reader::new(words.clone(), names);
    let mut arguments = reader.arguments(input.as_ref().unwrap_or(&Value::Null));
    let mut result = own.or(output.as_ref()).map(|schema| reader.result(schema));
    let mut roots: Vec<&mut Type> = vec![&mut arguments];
    roots.extend(result.as_mut());
    let (declarations, more) = reader.finish(&mut roots);
    losses.extend(more);
    let word = |key: &str| member(tool, key).and_then(string).unwrap_or_default().into_owned();
    Tool {
        title: word("title"),
        description: text::plain(&word("description"), 2000),
        words,
        declarations,
        arguments,
        result,
        is_overridden: own.is_some(),
        hash,
        losses,
        name,
    }
}
