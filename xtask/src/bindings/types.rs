//! The types of the model as the templates see them: what all languages have in common.

use serde_json::{Value, json};

use super::model::{Definition, Member, Model, Shape, Type, deprecation};

/// A definition, with its types spelt by `kind` and what a language has to say of each member besides.
pub fn definition(
    model: &Model,
    of: &Definition,
    kind: impl Fn(&Type) -> String,
    besides: impl FnOnce(&[Member]) -> Vec<Value>,
) -> Value {
    let members = model.members(&of.name);
    let shape = match &of.shape {
        Shape::Object(_) => json!({"is": "object"}),
        Shape::Words(words, open) => {
            json!({"is": "words", "words": words, "kind": kind(&Type::Words(words.clone(), *open))})
        }
        Shape::Tagged { tag, variants } => {
            let names: Vec<&String> = variants.iter().map(|(_, name)| name).collect();
            json!({"is": "tagged", "tag": tag, "variants": variants, "names": names})
        }
        Shape::Untagged(names) => json!({"is": "untagged", "names": names}),
        Shape::Alias(of) => json!({"is": "alias", "kind": kind(of)}),
    };
    let plain = |it: &Member| {
        let constant = if let Type::Constant(word) = &it.kind { Some(word) } else { None };
        let words = if let Type::Words(words, _) = &it.kind { Some(words) } else { None };
        json!({
            "name": it.name, "doc": it.doc, "is_required": it.is_required, "kind": kind(&it.kind),
            "constant": constant, "words": words,
        })
    };
    let besides = besides(&members);
    let members = members.iter().enumerate().map(|(place, it)| {
        let mut all = plain(it);
        if let (Some(all), Some(Value::Object(more))) = (all.as_object_mut(), besides.get(place)) {
            all.extend(more.clone());
        }
        all
    });
    json!({
        "name": of.name,
        "doc": of.doc,
        "deprecated": deprecation(&of.name),
        "is_union": matches!(of.shape, Shape::Tagged { .. }),
        "shape": shape,
        "members": members.collect::<Vec<_>>(),
        "unions": model.unions_of(&of.name).into_iter().map(|(union, ..)| union).collect::<Vec<_>>(),
    })
}

/// Nothing besides.
pub fn nothing(_: &[Member]) -> Vec<Value> {
    Vec::new()
}
