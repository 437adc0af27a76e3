//! What the types of the model are in Go: their names, and how their fields are read and written. What the templates call is in
//! `bindings/go/open.go`.

use serde_json::{Value, json};

use super::keys::Keys;
use super::model::{Definition, Member, Model, Shape, Type, Unit, capital, timeless, words};
use super::types;

pub fn types(keys: &Keys, protocol: &Model) -> Value {
    let all = |model: &Model, omit: &str| -> Vec<Value> {
        model.definitions.iter().map(|it| definition(model, it, omit)).collect()
    };
    json!({"config": all(&keys.model, "omitzero"), "protocol": all(protocol, "omitempty")})
}

/// `omit` is the option by which JSON leaves out a field that is not required.
fn definition(model: &Model, of: &Definition, omit: &str) -> Value {
    let mut seen = types::definition(
        model,
        of,
        |it| plain_kind(model, it),
        |members| {
            let mut names = Vec::new();
            members.iter().map(|it| field(model, of, it, omit, &mut names)).collect()
        },
    );
    if let Shape::Alias(kind) = &of.shape {
        // Where another one is used, its own type stands.
        seen["shape"]["is_plain"] = (matches!(kind, Type::Named(_)) && model.resolve(kind) == *kind).into();
    }
    seen
}

/// A field, as Go sees it. `tag` is what JSON calls it, with options; `-` when the encoder and the decoder see something else instead,
/// `out` and `into`: a type, and the value of that type or how the value comes from it.
fn field(model: &Model, owner: &Definition, member: &Member, omit: &str, names: &mut Vec<String>) -> Value {
    let kind = model.resolve(&member.kind);
    let name = timeless(camel(&member.name), &kind, names);
    let own = if member.name == "_meta" { "map[string]any".to_owned() } else { plain_kind(model, &kind) };
    let is_pointer = !member.is_required
        && match &kind {
            Type::Flag | Type::Whole | Type::Number | Type::Time(_) => member.zero_counts,
            Type::Named(of) => !model.is_union(of) && is_object(model, of),
            _ => false,
        };
    let typed = if is_pointer { format!("*{own}") } else { own };
    let mut tag = if member.is_required { member.name.clone() } else { format!("{},{omit}", member.name) };
    // A required list or object that is nil is written as this.
    let empty = match &kind {
        _ if !member.is_required => None,
        Type::List(_) | Type::Map(_) | Type::OneOrMany(_) => Some(format!("{typed}{{}}")),
        Type::Object => Some("json.RawMessage(\"{}\")".to_owned()),
        Type::Any => Some("json.RawMessage(\"null\")".to_owned()),
        _ => None,
    };
    let union = |of: &Type| match of {
        Type::Named(name) if model.is_union(name) => Some(format!("decode{name}")),
        _ => None,
    };
    let seen = |kind: &str, value: String| Some([kind.to_owned(), value]);
    let (mut out, into) = match &kind {
        Type::Time(unit) => {
            let unit = match unit {
                Unit::Milliseconds => "time.Millisecond",
                Unit::Seconds => "time.Second",
            };
            let (kind, to, from) =
                if is_pointer { ("*int64", "countTime", "timeOf") } else { ("int64", "count", "timeFrom") };
            (seen(kind, format!("{to}(v.{name}, {unit})")), seen(kind, format!("{from}(in.{name}, {unit})")))
        }
        Type::Map(of) if matches!(**of, Type::Time(_)) => (
            seen("map[string]int64", format!("countTimes(v.{name})")),
            seen("map[string]int64", format!("timesOf(in.{name})")),
        ),
        Type::OneOrMany(of) => {
            let decode = union(of).unwrap_or_else(|| format!("decodePlain[{}]", plain_kind(model, of)));
            (
                seen("any", format!("oneOrMany(v.{name})")),
                seen("json.RawMessage", format!("decodeOneOrMany(in.{name}, {decode})")),
            )
        }
        Type::List(of) => {
            (None, union(of).and_then(|it| seen("[]json.RawMessage", format!("decodeEach(in.{name}, {it})"))))
        }
        Type::Map(of) => (
            None,
            union(of)
                .and_then(|it| seen("map[string]json.RawMessage", format!("decodeMembers(in.{name}, {it})"))),
        ),
        of => (None, union(of).and_then(|it| seen("json.RawMessage", format!("decodeOne(in.{name}, {it})")))),
    };
    if out.is_some() {
        "-".clone_into(&mut tag);
    }
    if owner.name == "ResourceContents" && member.name == "text" {
        // One of the two must be there, and an empty text is one.
        out = seen("*string", "textUnless(v.Blob, v.Text)".to_owned());
    }
    let is_always_there = empty.is_some() || tag == member.name;
    let out_tag = if is_always_there { member.name.clone() } else { format!("{},omitzero", member.name) };
    json!({"id": name, "go": typed, "tag": tag, "empty": empty, "out": out, "into": into, "out_tag": out_tag})
}

/// Parts of names that Go writes in capitals.
const INITIALISMS: &str = "api ca dpop http id json jwks mcp sse tls ttl uri url urls";

/// Types of the protocol that a configuration names are objects.
fn is_object(model: &Model, name: &str) -> bool {
    model.find(name).is_none_or(|it| matches!(it.shape, Shape::Object(_) | Shape::Untagged(_)))
}

fn plain_kind(model: &Model, of: &Type) -> String {
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
            _ => camel(name),
        },
        Type::Either(kinds) => match kinds.iter().find(|it| matches!(it, Type::Named(_))) {
            Some(named) => plain_kind(model, named),
            None => "any".to_owned(),
        },
        Type::Switch(name) => format!("Switch[{}]", camel(name)),
    }
}

/// `uriTemplate` as `URITemplate`.
pub fn camel(name: &str) -> String {
    let word = |word: &String| {
        if INITIALISMS.split(' ').any(|it| it == word) { word.to_uppercase() } else { capital(word) }
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
