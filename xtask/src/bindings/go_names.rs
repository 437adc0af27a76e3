//! What things are called in Go.

use std::fmt::Write as _;

use super::model::{Model, Shape, Type, capital, words, wrapped};

/// Parts of names that Go writes in capitals.
const INITIALISMS: [&str; 14] =
    ["api", "ca", "dpop", "http", "id", "json", "jwks", "mcp", "sse", "tls", "ttl", "uri", "url", "urls"];

/// Types of the protocol that a configuration names are objects.
pub fn is_object(model: &Model, name: &str) -> bool {
    model.find(name).is_none_or(|it| matches!(it.shape, Shape::Object(_) | Shape::Untagged(_)))
}

pub fn plain_kind(model: &Model, of: &Type) -> String {
    match of {
        Type::Any | Type::Object => "json.RawMessage".to_owned(),
        Type::Flag => "bool".to_owned(),
        Type::Whole => "int64".to_owned(),
        Type::Number => "float64".to_owned(),
        Type::Text | Type::Constant(_) | Type::Words(..) => "string".to_owned(),
        Type::Time(_) => "time.Duration".to_owned(),
        Type::List(of) | Type::OneOrMany(of) => format!("[]{}", plain_kind(model, &model.resolve(of))),
        Type::Map(of) => format!("map[string]{}", plain_kind(model, &model.resolve(of))),
        Type::Nullable(of) => format!("*{}", plain_kind(model, of)),
        Type::Named(name) => match model.find(name).map(|it| &it.shape) {
            Some(Shape::Alias(of)) => plain_kind(model, of),
            _ => type_name(name),
        },
        Type::Either(kinds) => match kinds.iter().find(|it| matches!(it, Type::Named(_))) {
            Some(named) => plain_kind(model, named),
            None => "any".to_owned(),
        },
        Type::Switch(name) => format!("Switch[{}]", type_name(name)),
    }
}

pub fn type_name(name: &str) -> String {
    camel(name)
}

/// `uriTemplate` as `URITemplate`.
pub fn camel(name: &str) -> String {
    let word = |word: &String| {
        if INITIALISMS.contains(&word.as_str()) { word.to_uppercase() } else { capital(word) }
    };
    // Names of types are right already, but for abbreviations of which only the first letter is large.
    let parts = if name.starts_with(|it: char| it.is_uppercase()) { apart(name) } else { words(name) };
    parts.iter().map(word).collect()
}

/// `ElicitRequestURLParams` in words.
fn apart(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (place, letter) in letters.iter().enumerate() {
        let next_is_small = letters.get(place + 1).is_some_and(|it| it.is_lowercase());
        let was_small = place > 0 && letters.get(place - 1).is_some_and(|it| !it.is_uppercase());
        if letter.is_uppercase() && (was_small || next_is_small || place == 0) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|it| !it.is_empty());
    words
}

pub fn small(name: &str) -> String {
    let large = name.chars().take_while(|it| it.is_uppercase()).count();
    let count = if large > 1 && large < name.len() { large - 1 } else { large };
    name[..count].to_lowercase() + &name[count..]
}

pub fn comment(text: &mut String, indent: &str, doc: &str) {
    for line in wrapped(doc, 116) {
        let _ = writeln!(text, "{}", format!("{indent}// {line}").trim_end());
    }
}
