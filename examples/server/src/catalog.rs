//! What there is to read besides tools: two resources, one resource template, one prompt, and completions for both.

use serde_json::{Map, Value, json};

use crate::protocol::{Caller, RpcError};

pub const GREETING: &str = "demo://greeting";
const LOGO: &str = "demo://logo";
const GREETING_TEMPLATE: &str = "demo://greeting/{name}";
/// A PNG of one transparent pixel.
const LOGO_PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/// Whom the completions know.
const NAMES: [&str; 6] = ["Ada", "Alan", "Barbara", "Edsger", "Grace", "Tony"];

pub fn resources() -> Vec<Value> {
    vec![
        json!({
            "uri": GREETING,
            "name": "greeting",
            "title": "Greeting",
            "description": "A text resource",
            "mimeType": "text/plain",
        }),
        json!({
            "uri": LOGO,
            "name": "logo",
            "title": "Logo",
            "description": "A binary resource",
            "mimeType": "image/png",
        }),
    ]
}

pub fn resource_templates() -> Vec<Value> {
    vec![json!({
        "uriTemplate": GREETING_TEMPLATE,
        "name": "greeting-by-name",
        "title": "Personal greeting",
        "description": "A text resource for each name",
        "mimeType": "text/plain",
    })]
}

pub fn read_resource(caller: &Caller, params: &Map<String, Value>) -> Result<Map<String, Value>, RpcError> {
    let uri = text(params, "uri")?;
    let contents = if uri == LOGO {
        json!({ "uri": uri, "mimeType": "image/png", "blob": LOGO_PNG })
    } else {
        let name = if uri == GREETING { Some("world") } else { name_in(uri) };
        let name = name.ok_or_else(|| RpcError::resource_not_found(uri, caller.modern()))?;
        json!({ "uri": uri, "mimeType": "text/plain", "text": format!("Hello, {name}!") })
    };
    Ok(object(json!({ "contents": [contents] })))
}

/// Whether there is something to read, or to subscribe to, at this URI.
pub fn exists(uri: &str) -> bool {
    uri == GREETING || uri == LOGO || name_in(uri).is_some()
}

/// The `{name}` of [`GREETING_TEMPLATE`], which matches one path segment as it stands.
fn name_in(uri: &str) -> Option<&str> {
    let name = uri.strip_prefix(GREETING)?.strip_prefix('/')?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

pub fn prompts() -> Vec<Value> {
    vec![json!({
        "name": "greet",
        "title": "Greet a person",
        "description": "Asks the model for a friendly greeting",
        "arguments": [{ "name": "name", "description": "Whom to greet", "required": true }],
    })]
}

pub fn get_prompt(params: &Map<String, Value>) -> Result<Map<String, Value>, RpcError> {
    let prompt = text(params, "name")?;
    if prompt != "greet" {
        return Err(RpcError::invalid_params(format!("No such prompt: {prompt}")));
    }
    let name = params.get("arguments").and_then(|arguments| arguments.get("name")).and_then(Value::as_str);
    let name = name.ok_or_else(|| RpcError::invalid_params("The prompt greet needs the argument name"))?;
    Ok(object(json!({
        "description": "A friendly greeting",
        "messages": [{
            "role": "user",
            "content": { "type": "text", "text": format!("Please write a friendly greeting for {name}.") },
        }],
    })))
}

pub fn complete(params: &Map<String, Value>) -> Result<Map<String, Value>, RpcError> {
    let reference = params.get("ref").cloned().unwrap_or_default();
    let known = match reference["type"].as_str() {
        Some("ref/prompt") => reference["name"] == "greet",
        Some("ref/resource") => reference["uri"] == GREETING_TEMPLATE,
        _ => false,
    };
    let argument = params.get("argument").cloned().unwrap_or_default();
    if !known || argument["name"] != "name" {
        return Err(RpcError::invalid_params("Nothing to complete there"));
    }
    let typed = argument["value"].as_str().unwrap_or_default().to_lowercase();
    let values: Vec<&str> =
        NAMES.into_iter().filter(|name| name.to_lowercase().starts_with(&typed)).collect();
    Ok(object(json!({ "completion": { "values": values, "total": values.len(), "hasMore": false } })))
}

fn text<'a>(params: &'a Map<String, Value>, key: &str) -> Result<&'a str, RpcError> {
    let found = params.get(key).and_then(Value::as_str);
    found.ok_or_else(|| RpcError::invalid_params(format!("params.{key} must be a string")))
}

/// The map inside a JSON object literal.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("written as an object: {other}"),
    }
}
