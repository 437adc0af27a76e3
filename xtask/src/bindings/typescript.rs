//! What the types of the model are in TypeScript.

use serde_json::{Value, json};

use super::keys::Keys;
use super::model::{Model, Shape, Type, small_camel};
use super::types;

/// Options that a program gives by their names in JavaScript.
const IN_CAMEL_CASE: [&str; 3] = ["CallOptions", "FeatureOptions", "TaskOptions"];

pub fn types(keys: &Keys, protocol: &Model) -> Value {
    let mut config = keys.model.clone();
    for definition in &mut config.definitions {
        if IN_CAMEL_CASE.contains(&definition.name.as_str()) {
            if let Shape::Object(members) = &mut definition.shape {
                for member in members {
                    member.name = small_camel(&member.name);
                }
            }
            definition.name = definition.name.replace("Options", "Keys");
        }
    }
    let all = |model: &Model| -> Vec<Value> {
        model.definitions.iter().map(|it| types::definition(model, it, kind, types::nothing)).collect()
    };
    json!({"config": all(&config), "protocol": all(protocol)})
}

fn kind(of: &Type) -> String {
    match of {
        Type::Any => "unknown".to_owned(),
        Type::Object => "JsonObject".to_owned(),
        Type::Flag => "boolean".to_owned(),
        Type::Whole | Type::Number | Type::Time(_) => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Constant(word) => format!("'{word}'"),
        Type::Words(words, open) => {
            // What a later revision may add keeps the known words for editors.
            let others = open.then(|| "(string & {})".to_owned());
            words.iter().map(|word| format!("'{word}'")).chain(others).collect::<Vec<_>>().join(" | ")
        }
        Type::List(of) => many(of),
        Type::Map(of) => format!("{{ [name: string]: {} }}", kind(of)),
        Type::Nullable(of) => format!("{} | null", kind(of)),
        Type::Named(name) => name.clone(),
        Type::OneOrMany(of) => format!("{} | {}", kind(of), many(of)),
        Type::Either(kinds) => kinds.iter().map(kind).collect::<Vec<_>>().join(" | "),
        Type::Switch(name) => format!("boolean | {name}"),
    }
}

fn many(of: &Type) -> String {
    let of = kind(of);
    if of.contains(" | ") { format!("({of})[]") } else { format!("{of}[]") }
}
