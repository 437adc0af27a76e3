//! What the types of the model are in Swift. What the templates call is in `Open.swift` there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::keys::Keys;
use super::model::{Member, Model, Shape, Type, Unit, large_camel, small_camel, timeless};
use super::types;

/// Names that would hide Swift's own.
const RENAMED: [(&str, &str); 3] =
    [("Config", "ClientConfiguration"), ("Result", "EmptyResult"), ("Task", "LegacyTask")];

/// Swift's own words.
const KEYWORDS: &str = "as break case catch class continue default do else enum extension false for func if import \
    in init inout internal is let nil private protocol public repeat return self throw true var";

pub fn types(keys: &Keys, protocol: &Model) -> Value {
    let mut config = keys.with_one_type_of_options();
    for definition in &mut config.definitions {
        if let (Shape::Object(members), "CallOptions") = (&mut definition.shape, definition.name.as_str()) {
            members.retain(|it| it.name != "progress"); // who gives a function for it wants it
        }
    }
    let all = |model: &Model| -> Vec<Value> {
        let one =
            |it| types::definition(model, it, |of| plain(model, of), |members| properties(model, members));
        model.definitions.iter().map(one).collect()
    };
    json!({"config": all(&config), "protocol": all(protocol)})
}

pub fn type_name(name: &str) -> String {
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == name) {
        return (*new).to_owned();
    }
    match name.strip_suffix("Config") {
        Some(rest) => format!("{rest}Configuration"),
        None => name.to_owned(),
    }
}

/// The words of an open enum, each with the name of its case; the same in another spelling is left out.
pub fn cases(words: Vec<String>) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    words
        .into_iter()
        .map(|word| (case_name(&word), word))
        .filter(|(case, _)| seen.insert(case.clone()))
        .collect()
}

pub fn case_name(word: &str) -> String {
    let camel = if word.chars().all(|it| it.is_uppercase() || it.is_ascii_digit()) {
        word.to_lowercase()
    } else {
        small_camel(word)
    };
    escaped(&camel)
}

fn properties(model: &Model, members: &[Member]) -> Vec<Value> {
    let mut names: Vec<String> = Vec::new();
    members.iter().map(|it| property(model, it, &mut names)).collect()
}

fn property(model: &Model, member: &Member, names: &mut Vec<String>) -> Value {
    let kind = model.resolve(&member.kind);
    let name = timeless(small_camel(&member.name), &kind, names);
    let own = if let Type::Words(..) = kind { nested_name(&member.name) } else { plain(model, &kind) };
    let at = format!("forKey: .{}", escaped(&name));
    let escaped = escaped(&name);
    let is_collection = matches!(kind, Type::List(_) | Type::Map(_) | Type::Object | Type::OneOrMany(_));
    let unit = |unit: Unit| match unit {
        Unit::Milliseconds => "milliseconds",
        Unit::Seconds => "seconds",
    };
    let (decode, encode) = match &kind {
        Type::Time(of) => {
            let of = unit(*of);
            (format!("duration(.{of}, {at})"), format!("encode({escaped}, .{of}, {at})"))
        }
        Type::Map(of) if matches!(**of, Type::Time(_)) => {
            (format!("durations({at})"), format!("encodeDurations({escaped}, {at})"))
        }
        Type::OneOrMany(of) => {
            let of = plain(model, of);
            let missing = if member.is_required { " ?? []" } else { "" };
            (format!("oneOrMany({of}.self, {at}){missing}"), format!("encodeOneOrMany({escaped}, {at})"))
        }
        Type::Nullable(of) => {
            let of = plain(model, of);
            let call = if member.is_required { "encode" } else { "encodeIfPresent" };
            (format!("decodeIfPresent({of}.self, {at})"), format!("{call}({escaped}, {at})"))
        }
        _ if member.is_required && is_collection => {
            let empty = if let Type::List(_) = kind { "[]" } else { "[:]" };
            (format!("decodeIfPresent({own}.self, {at}) ?? {empty}"), format!("encode({escaped}, {at})"))
        }
        _ if member.is_required => (format!("decode({own}.self, {at})"), format!("encode({escaped}, {at})")),
        _ => (format!("decodeIfPresent({own}.self, {at})"), format!("encodeIfPresent({escaped}, {at})")),
    };
    let is_nullable = matches!(kind, Type::Nullable(_));
    json!({
        "id": name,
        "nested": nested_name(&member.name),
        "kind": if member.is_required || is_nullable { own } else { format!("{own}?") },
        "decode": decode,
        "encode": encode,
    })
}

/// The name of a type within a struct. `Type` has a meaning of its own.
fn nested_name(member: &str) -> String {
    let name = large_camel(member);
    if name == "Type" { "Kind".to_owned() } else { name }
}

fn plain(model: &Model, of: &Type) -> String {
    match of {
        Type::Any => "JSONValue".to_owned(),
        Type::Object => "[String: JSONValue]".to_owned(),
        Type::Flag => "Bool".to_owned(),
        Type::Whole => "Int".to_owned(),
        Type::Number => "Double".to_owned(),
        Type::Text | Type::Constant(_) | Type::Words(..) => "String".to_owned(),
        Type::Time(_) => "Duration".to_owned(),
        Type::List(of) | Type::OneOrMany(of) => format!("[{}]", plain(model, &model.resolve(of))),
        Type::Map(of) => format!("[String: {}]", plain(model, &model.resolve(of))),
        Type::Nullable(of) => format!("{}?", plain(model, of)),
        Type::Named(name) => type_name(name),
        Type::Either(kinds) => match kinds.iter().find(|it| matches!(it, Type::Named(_))) {
            Some(named) => plain(model, named),
            None => "JSONValue".to_owned(),
        },
        Type::Switch(name) => format!("Switch<{}>", type_name(name)),
    }
}

pub fn escaped(name: &str) -> String {
    if KEYWORDS.split_whitespace().any(|it| it == name) { format!("`{name}`") } else { name.to_owned() }
}
