//! The tools. Each group is a table of names with one function each; a tool writes its answer itself, since how it does
//! so is the point of most of them.

pub mod answers;
pub mod asking;
mod basic;
mod bytes;
mod inspect;
mod noise;
mod pages;
pub mod research;
pub mod rounds;
mod schemas;
pub mod tasks;
pub mod timing;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::message;
use crate::session::{Call, Session};

pub struct Tool {
    pub name: &'static str,
    /// For `--help`: the arguments, with `?` where one may be left out.
    pub arguments: &'static str,
    pub about: &'static str,
    run: fn(&Arc<Session>, &Call),
}

const fn t(
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&Arc<Session>, &Call),
) -> Tool {
    Tool { name, arguments, about, run }
}

/// Groups as `--help` shows them.
pub const GROUPS: &[(&str, &[Tool])] = &[
    ("well behaved", basic::TOOLS),
    ("time", timing::TOOLS),
    ("answers that break JSON-RPC (right_after: the right answer follows)", answers::TOOLS),
    ("answers that break JSON, UTF-8 or the framing", bytes::TOOLS),
    ("noise", noise::TOOLS),
    ("requests to the client", asking::TOOLS),
    ("what the server sees", inspect::TOOLS),
    ("modern era", rounds::TOOLS),
    ("schemas", schemas::TOOLS),
    ("pages to visit (2025-11-25)", pages::TOOLS),
    ("tasks", tasks::TOOLS),
    ("tasks without a fault", research::TOOLS),
];

fn all() -> impl Iterator<Item = &'static Tool> {
    GROUPS.iter().flat_map(|(_, group)| group.iter())
}

/// For `tools/list`. `stateful` names the tools that are, joined by +.
pub fn listed(stateful: Option<&str>, modern: bool) -> Vec<Value> {
    let stateful: Vec<&str> = stateful.map(|names| names.split('+').collect()).unwrap_or_default();
    let listed = |tool: &Tool| {
        let description = format!("{} Arguments: {}", tool.about, tool.arguments);
        let (input, output) = schemas::of(tool.name);
        let mut listed = json!({ "name": tool.name, "description": description, "inputSchema": input });
        if tool.name == "work" {
            listed["execution"] = json!({ "taskSupport": "optional" });
        }
        if tool.name == research::TOOL && !modern {
            listed["execution"] = json!({ "taskSupport": "required" });
        }
        if let Some(output) = output {
            listed["outputSchema"] = output;
        }
        if stateful.contains(&tool.name) {
            listed["mode"] = "stateful".into();
        }
        listed
    };
    all().map(listed).collect()
}

/// `tools/call`.
pub fn call(session: &Arc<Session>, id: &Value, params: &Map<String, Value>) {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let Some(tool) = all().find(|tool| tool.name == name) else {
        return session.send(&message::error(id, -32602, &format!("Unknown tool: {name}")));
    };
    let arguments = params.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    (tool.run)(session, &Call { id: id.clone(), arguments, params: params.clone() });
}

/// Ends a tool that answered wrongly: with the right answer if the caller, or else the tool, wants one.
fn right_after(session: &Session, call: &Call, default: bool) {
    if call.flag("right_after").unwrap_or(default) {
        session.answer(call, message::text("right"));
    }
}
