//! What the types of the model are in Python.

use serde_json::{Value, json};

use super::keys::Keys;
use super::model::{Definition, Member, Model, Shape, Type, Unit};
use super::types;

/// Words that no attribute and no keyword argument can have.
const KEYWORDS: &str = "and as class def del from global import in is not pass";

pub fn types(keys: &Keys, protocol: &Model) -> Value {
    let all = |model: &Model| -> Vec<Value> { ordered(model).into_iter().map(|it| one(model, it)).collect() };
    let duration = |(object, key, unit): &super::keys::Duration| json!({"object": object, "key": key, "unit": unit.sign()});
    json!({
        "config": all(&keys.model),
        "protocol": all(protocol),
        "durations": keys.durations.iter().map(duration).collect::<Vec<_>>(),
        "roots": keys.roots,
    })
}

/// Aliases last: what they stand for is looked up when the module is loaded. Later aliases would be needed there: what they stand for is
/// written out.
fn ordered(model: &Model) -> Vec<&Definition> {
    let (objects, others): (Vec<_>, Vec<_>) =
        model.definitions.iter().partition(|it| matches!(it.shape, Shape::Object(_)));
    let (words, unions): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| matches!(it.shape, Shape::Words(..)));
    [words, objects, unions].concat()
}

fn one(model: &Model, of: &Definition) -> Value {
    let is_alias = matches!(of.shape, Shape::Alias(_));
    let kind = |of: &Type| if is_alias { kind(&model.resolve(of)) } else { kind(of) };
    types::definition(model, of, kind, |members| {
        members.iter().map(|it| json!({"is_name": is_name(it)})).collect()
    })
}

fn is_name(member: &Member) -> bool {
    let is_keyword = KEYWORDS.split(' ').any(|it| it == member.name);
    !is_keyword && member.name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn kind(of: &Type) -> String {
    match of {
        Type::Any => "Any".to_owned(),
        Type::Object => "dict[str, Any]".to_owned(),
        Type::Flag => "bool".to_owned(),
        Type::Whole => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::Constant(word) => format!("Literal[\"{word}\"]"),
        Type::Words(words, open) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            let known = format!("Literal[{}]", words.join(", "));
            // What a later revision may add is a string like any other.
            if *open { format!("Union[{known}, str]") } else { known }
        }
        Type::Time(Unit::Milliseconds) => "Milliseconds".to_owned(),
        Type::Time(Unit::Seconds) => "Seconds".to_owned(),
        Type::List(of) => format!("list[{}]", kind(of)),
        Type::Map(of) => format!("dict[str, {}]", kind(of)),
        Type::Nullable(of) => format!("Union[{}, None]", kind(of)),
        Type::Named(name) => name.clone(),
        Type::OneOrMany(of) => format!("Union[{}, list[{}]]", kind(of), kind(of)),
        Type::Either(kinds) => format!("Union[{}]", kinds.iter().map(kind).collect::<Vec<_>>().join(", ")),
        Type::Switch(name) => format!("Union[bool, {name}]"),
    }
}
