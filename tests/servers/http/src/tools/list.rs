//! What `tools/list` says, and the other methods that both eras have.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{TOOLS, tasks};
use crate::message;
use crate::server::Server;

/// The result of a method that means the same in both eras; none if there is no such method.
pub fn common(server: &Server, method: &str, params: &Value) -> Option<Value> {
    Some(match method {
        "tools/list" => page(server, &listed(server), params),
        "resources/list" => {
            json!({ "resources": [{ "uri": "test://greeting", "name": "greeting", "mimeType": "text/plain" }] })
        }
        "resources/templates/list" => json!({ "resourceTemplates": [] }),
        "resources/read" => {
            json!({ "contents": [{ "uri": params["uri"], "mimeType": "text/plain", "text": "Hello over HTTP" }] })
        }
        _ => return tasks::answer(method, params),
    })
}

fn page(server: &Server, tools: &[Value], params: &Value) -> Value {
    let Some(size) = server.script().number("page-size").and_then(|size| usize::try_from(size).ok()) else {
        return json!({ "tools": tools });
    };
    let from = params["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
    let mut result = json!({ "tools": tools.iter().skip(from).take(size).collect::<Vec<_>>() });
    if from + size < tools.len() {
        result["nextCursor"] = (from + size).to_string().into();
    }
    result
}

fn listed(server: &Server) -> Vec<Value> {
    let mut list: Vec<Value> = TOOLS
        .iter()
        .map(|tool| {
            let description = format!("{} Arguments: {}", tool.about, tool.arguments);
            let mut tool = json!({
                "name": tool.name, "description": description, "inputSchema": { "type": "object" },
            });
            if tool["name"] == "work" {
                tool["execution"] = json!({ "taskSupport": "optional" });
            }
            if matches!(tool["name"].as_str(), Some("echo" | "add" | "stats")) {
                tool["annotations"] = json!({ "readOnlyHint": true });
            }
            tool
        })
        .collect();
    for tool in &mut list {
        let stateful = server
            .script()
            .text("stateful")
            .is_some_and(|names| names.split('+').any(|name| tool["name"] == name));
        if stateful {
            tool["_meta"] = json!({ "mode": "stateful" });
        }
        match tool["name"].as_str() {
            Some("headers") => tool["inputSchema"] = headers_schema(),
            Some("moved") => {
                let hidden =
                    server.script().has("late-header") && !server.tells_of_header.load(Ordering::SeqCst);
                tool["inputSchema"] = moved_schema(hidden);
            }
            _ => {}
        }
    }
    if server.script().has("broken-tools") {
        list.extend(broken());
    }
    list
}

fn headers_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "count": { "type": "integer", "x-mcp-header": "Count" },
            "flag": { "type": "boolean", "x-mcp-header": "Flag" },
            "place": {
                "type": "object",
                "properties": { "city": { "type": "string", "x-mcp-header": "City" } },
            },
            "plain": { "type": "string" },
        },
    })
}

fn moved_schema(hidden: bool) -> Value {
    let mut schema = json!({ "type": "object", "properties": { "region": { "type": "string" } } });
    if !hidden {
        schema["properties"]["region"]["x-mcp-header"] = "Region".into();
    }
    schema
}

/// The headers that a tool's schema names, in lower case, each with the place of its parameter.
pub fn headers_of(tool: &str) -> &'static [(&'static str, &'static str)] {
    match tool {
        "headers" => &[("region", "region"), ("count", "count"), ("flag", "flag"), ("city", "place/city")],
        "moved" => &[("region", "region")],
        _ => &[],
    }
}

/// Tools that a client over HTTP must leave out, each for one reason.
fn broken() -> Vec<Value> {
    let of = |name: &str, properties: Value| {
        json!({
            "name": format!("broken-{name}"),
            "description": message::MODERN,
            "inputSchema": { "type": "object", "properties": properties },
        })
    };
    let one = |name: &str, kind: &str, header: Value| {
        of(name, json!({ "a": { "type": kind, "x-mcp-header": header } }))
    };
    vec![
        one("empty", "string", json!("")),
        one("blank", "string", json!("A B")),
        one("colon", "string", json!("A:B")),
        one("break", "string", json!("A\r\nB")),
        one("latin", "string", json!("R\u{e9}gion")),
        one("number", "number", json!("A")),
        one("object", "object", json!("A")),
        one("array", "array", json!("A")),
        one("null", "null", json!("A")),
        one("no-text", "string", json!(7)),
        of(
            "twice",
            json!({
                "a": { "type": "string", "x-mcp-header": "Same" },
                "b": { "type": "string", "x-mcp-header": "sAME" },
            }),
        ),
        of(
            "in-items",
            json!({ "a": { "type": "array", "items": { "type": "string", "x-mcp-header": "A" } } }),
        ),
    ]
}
