//! The tools: what `tools/list` shows, and what a call means. Nothing happens here; a call returns its [`Outcome`],
//! and the server carries it out.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::ask;
use crate::catalog::object;
use crate::protocol::{Caller, RpcError, notification};
use crate::tasks;

const MAX_BIG: u64 = 256 << 20;
const MAX_STEPS: u64 = 10_000;
const MAX_NOTIFICATIONS: u64 = 100_000;
const MAX_WAIT: u64 = 24 * 60 * 60 * 1000;

/// What a tool call leads to.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    Answer(Map<String, Value>),
    /// Messages on the way and the answer, each after its delay.
    Later {
        progress: Vec<(Duration, Value)>,
        answer_after: Duration,
        answer: Map<String, Value>,
    },
    /// A question to a legacy client; its answer is the answer of the call.
    Ask(String),
    Announce {
        count: u64,
        text: String,
        changes: bool,
    },
    Exit(u8),
}

/// Every tool in the order of `tools/list`, with the arguments it takes and those it needs.
pub fn list(caller: &Caller) -> Vec<Value> {
    let string = json!({ "type": "string" });
    let number = json!({ "type": "number" });
    let whole = json!({ "type": "integer", "minimum": 0 });
    let flag = json!({ "type": "boolean" });
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        let mut tool = json!({
            "name": name,
            "description": description,
            "inputSchema": { "type": "object", "properties": properties, "required": required },
        });
        if caller.since("2025-03-26") {
            let read_only = !matches!(name, "notify" | "crash");
            tool["annotations"] = json!({ "readOnlyHint": read_only, "openWorldHint": false });
        }
        if name == "add" && caller.since("2025-06-18") {
            tool["outputSchema"] =
                json!({ "type": "object", "properties": { "sum": number }, "required": ["sum"] });
        }
        tool
    };
    let mut tools = vec![
        tool("echo", "Returns its text", json!({ "text": string }), &["text"]),
        tool("add", "Adds two numbers", json!({ "a": number, "b": number }), &["a", "b"]),
        tool(
            "slow",
            "Waits, reports progress if asked to, and can be cancelled",
            json!({ "ms": whole, "steps": whole }),
            &["ms"],
        ),
        tool(
            "notify",
            "Sends log messages and announces changes",
            json!({ "count": whole, "text": string, "changes": flag }),
            &["count"],
        ),
        tool("ask", "Asks the user a question", json!({ "question": string }), &["question"]),
        tool(
            "big",
            "Returns that many bytes of text",
            json!({ "bytes": whole, "escapes": flag }),
            &["bytes"],
        ),
        tool("crash", "Ends the server process at once", json!({ "code": whole }), &[]),
        tool("fail", "Reports a tool error", json!({}), &[]),
        tool("env", "Returns an environment variable", json!({ "name": string }), &["name"]),
        tool("pid", "Returns the server's process id", json!({}), &[]),
    ];
    tools.extend(tasks::listed(caller));
    tools
}

/// `tools/call`. An unknown tool is a protocol error; arguments that do not fit are a tool error, which a model can
/// read and mend.
pub fn call(caller: &Caller, params: &Map<String, Value>) -> Result<Outcome, RpcError> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| RpcError::invalid_params("params.name must be a string"))?;
    let arguments = match params.get("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(RpcError::invalid_params("params.arguments must be an object")),
    };
    let outcome = match name {
        "echo" => string(&arguments, "text").map(|text| Outcome::Answer(tool_text(&text))),
        "add" => add(caller, &arguments),
        "slow" => slow(caller, &arguments),
        "notify" => notify(&arguments),
        "ask" => match string(&arguments, "question") {
            Ok(question) if caller.modern() => Ok(Outcome::Answer(ask::modern(caller, &question, params)?)),
            Ok(question) if caller.answers_forms() => Ok(Outcome::Ask(question)),
            Ok(_) => Err("The client does not offer elicitation".to_owned()),
            Err(complaint) => Err(complaint),
        },
        "big" => big(&arguments),
        "crash" => whole(&arguments, "code", Some(1), 255)
            .map(|code| Outcome::Exit(u8::try_from(code).unwrap_or(u8::MAX))),
        "fail" => Err("This tool always fails".to_owned()),
        "env" => string(&arguments, "name").and_then(|name| match std::env::var(&name) {
            Ok(value) => Ok(Outcome::Answer(tool_text(&value))),
            Err(_) => Err(format!("No such variable: {name}")),
        }),
        "pid" => Ok(Outcome::Answer(tool_text(&std::process::id().to_string()))),
        unknown => return Err(RpcError::invalid_params(format!("Unknown tool: {unknown}"))),
    };
    Ok(outcome.unwrap_or_else(|complaint| Outcome::Answer(tool_error(&complaint))))
}

/// The result of a tool that says one thing.
pub fn tool_text(text: &str) -> Map<String, Value> {
    object(json!({ "content": [{ "type": "text", "text": text }] }))
}

/// The result of a tool that failed.
pub fn tool_error(text: &str) -> Map<String, Value> {
    let mut result = tool_text(text);
    result.insert("isError".to_owned(), true.into());
    result
}

fn add(caller: &Caller, arguments: &Map<String, Value>) -> Result<Outcome, String> {
    let number = |key: &str| {
        let value = arguments.get(key).filter(|value| value.is_number());
        value.ok_or_else(|| format!("{key} must be a number"))
    };
    let (a, b) = (number("a")?, number("b")?);
    // Whole numbers stay whole; everything else, and a sum that overflows, is a float.
    let whole = a.as_i64().zip(b.as_i64()).and_then(|(a, b)| a.checked_add(b));
    let sum = match whole {
        Some(sum) => json!(sum),
        None => json!(a.as_f64().unwrap_or_default() + b.as_f64().unwrap_or_default()),
    };
    let mut result = tool_text(&sum.to_string());
    if caller.since("2025-06-18") {
        result.insert("structuredContent".to_owned(), json!({ "sum": sum }));
    }
    Ok(Outcome::Answer(result))
}

fn slow(caller: &Caller, arguments: &Map<String, Value>) -> Result<Outcome, String> {
    let ms = whole(arguments, "ms", None, MAX_WAIT)?;
    let steps = whole(arguments, "steps", Some(1), MAX_STEPS)?.max(1);
    let mut progress = Vec::new();
    if let Some(token) = &caller.progress_token {
        for step in 1..=steps {
            let mut params = json!({ "progressToken": token, "progress": step, "total": steps });
            if caller.since("2025-03-26") {
                params["message"] = format!("step {step} of {steps}").into();
            }
            let due = Duration::from_millis(ms * step / steps);
            progress.push((due, notification("notifications/progress", &params)));
        }
    }
    let answer = tool_text(&format!("waited {ms} ms"));
    Ok(Outcome::Later { progress, answer_after: Duration::from_millis(ms), answer })
}

fn notify(arguments: &Map<String, Value>) -> Result<Outcome, String> {
    let count = whole(arguments, "count", None, MAX_NOTIFICATIONS)?;
    let text = match arguments.get("text") {
        None => "hello".to_owned(),
        Some(_) => string(arguments, "text")?,
    };
    Ok(Outcome::Announce { count, text, changes: flag(arguments, "changes", true)? })
}

fn big(arguments: &Map<String, Value>) -> Result<Outcome, String> {
    let bytes = whole(arguments, "bytes", None, MAX_BIG)?;
    // With escapes nearly every byte needs one on the wire, where most of them are two bytes and \u0001 is six.
    let pattern = if flag(arguments, "escapes", false)? { "\"\\\n\t\u{1}" } else { "x" };
    let text: String = pattern.chars().cycle().take(usize::try_from(bytes).unwrap_or(0)).collect();
    let mut block = json!({ "type": "text" });
    block["text"] = Value::String(text);
    let mut result = Map::new();
    result.insert("content".to_owned(), Value::Array(vec![block]));
    Ok(Outcome::Answer(result))
}

fn string(arguments: &Map<String, Value>, key: &str) -> Result<String, String> {
    let text = arguments.get(key).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| format!("{key} must be a string"))
}

fn whole(arguments: &Map<String, Value>, key: &str, default: Option<u64>, most: u64) -> Result<u64, String> {
    let value = match arguments.get(key) {
        None => default,
        Some(value) => value.as_u64().filter(|number| *number <= most),
    };
    value.ok_or_else(|| format!("{key} must be a whole number from 0 to {most}"))
}

fn flag(arguments: &Map<String, Value>, key: &str, default: bool) -> Result<bool, String> {
    match arguments.get(key) {
        None => Ok(default),
        Some(value) => value.as_bool().ok_or_else(|| format!("{key} must be true or false")),
    }
}
