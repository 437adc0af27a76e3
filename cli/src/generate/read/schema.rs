//! What schemas say beside their types, and schemas joined to one.

use crate::ordered::Gathered;
use mcp::client::json_text::{elements, members, string};
use mcp::client::percent_decoded;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

pub fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "description"
            | "default"
            | "examples"
            | "$schema"
            | "$id"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$defs"
            | "definitions"
            | "nullable"
            | "format"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "minimum"
            | "maximum"
    ) || key.starts_with("x-")
}

/// What a schema says about itself, with its format and default.
pub fn describe(schema: &Value) -> String {
    let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut all = text("description").to_owned();
    if all.is_empty() {
        text("title").clone_into(&mut all);
    }
    let mut more = Vec::new();
    if !text("format").is_empty() {
        more.push(format!("format: {}", text("format")));
    }
    if let Some(default) = schema.get("default").filter(|it| !it.is_object() && !it.is_array()) {
        more.push(format!("default: {default}"));
    }
    if !more.is_empty() {
        all = format!("{all} ({})", more.join(", "));
    }
    all.trim().to_owned()
}

/// The schema, or what its reference leads to.
pub fn followed<'a>(schema: &'a Value, root: &'a Value) -> Option<&'a Map<String, Value>> {
    let mut schema = schema;
    for _ in 0..16 {
        let object = schema.as_object()?;
        let Some(target) = object.get("$ref").and_then(Value::as_str) else { return Some(object) };
        schema = root.pointer(&percent_decoded(target.strip_prefix('#')?)?)?;
    }
    None
}

/// One schema that demands what both do, where that can be said.
pub fn merge(a: &Map<String, Value>, b: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut whole = a.clone();
    for (key, value) in b {
        let Some(there) = whole.get(key).cloned() else {
            whole.insert(key.clone(), value.clone());
            continue;
        };
        if &there == value || is_annotation(key) {
            continue;
        }
        let merged = match (key.as_str(), &there, value) {
            ("properties", Value::Object(x), Value::Object(y)) => {
                let mut all = x.clone();
                for (name, schema) in y {
                    let both = match all.get(name) {
                        Some(other) if other != schema => serde_json::json!({"allOf": [other, schema]}),
                        _ => schema.clone(),
                    };
                    all.insert(name.clone(), both);
                }
                Value::Object(all)
            }
            ("required" | ORDER, Value::Array(x), Value::Array(y)) => {
                let mut all = x.clone();
                all.extend(y.iter().filter(|it| !x.contains(it)).cloned());
                Value::Array(all)
            }
            ("enum", Value::Array(x), Value::Array(y)) => {
                Value::Array(x.iter().filter(|it| y.contains(it)).cloned().collect())
            }
            ("type", Value::String(x), Value::String(y))
                if [x.as_str(), y] == ["number", "integer"] || [x.as_str(), y] == ["integer", "number"] =>
            {
                Value::String("integer".to_owned())
            }
            ("type", Value::Array(list), one @ Value::String(_))
            | ("type", one @ Value::String(_), Value::Array(list))
                if list.contains(one) =>
            {
                one.clone()
            }
            ("additionalProperties", Value::Bool(true), other)
            | ("additionalProperties", other, Value::Bool(true)) => other.clone(),
            ("additionalProperties", Value::Bool(false), _)
            | ("additionalProperties", _, Value::Bool(false)) => Value::Bool(false),
            (
                "minItems" | "maxItems" | "uniqueItems" | "multipleOf" | "minProperties" | "maxProperties"
                | "exclusiveMinimum" | "exclusiveMaximum",
                ..,
            ) => there,
            ("allOf", Value::Array(x), Value::Array(y)) => Value::Array([x.as_slice(), y].concat()),
            _ => return None,
        };
        whole.insert(key.clone(), merged);
    }
    Some(whole)
}

/// The member of an object of a schema that has the names of its properties in the order of the server. No schema has it.
pub const ORDER: &str = "\0order";

/// The name of a member, as it is written between quotes.
fn plain(name: &str) -> Option<String> {
    string(&format!("\"{name}\"")).map(std::borrow::Cow::into_owned)
}

/// Notes the order of properties in a schema, whose text this is: the tree has its members by name.
pub fn ordered(schema: &mut Value, text: &str) {
    match schema {
        Value::Object(object) => {
            object.remove(ORDER);
            let mut order = None;
            for (name, inside) in members(text) {
                let Some(name) = plain(name) else { continue };
                if name == "properties" {
                    let names = members(inside).filter_map(|(name, _)| plain(name));
                    order = Some(names.map(Value::from).collect::<Vec<_>>());
                }
                if let Some(value) = object.get_mut(&name) {
                    ordered(value, inside);
                }
            }
            if let Some(order) = order.filter(|_| object.get("properties").is_some_and(Value::is_object)) {
                object.insert(ORDER.to_owned(), Value::Array(order));
            }
        }
        Value::Array(list) => {
            for (value, inside) in list.iter_mut().zip(elements(text)) {
                ordered(value, inside);
            }
        }
        _ => {}
    }
}

/// The names of the members of an object, those of the schema's order first.
pub fn in_order<'a>(object: &'a Map<String, Value>, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut left: BTreeSet<&str> = names.gathered();
    let order = object.get(ORDER).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut all: Vec<&str> = order.filter(|name| left.remove(name)).collect();
    all.extend(left);
    all
}
