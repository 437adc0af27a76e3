//! `anyOf`, `oneOf` and lists of types.

use super::super::model::{Shape, Type, Union, Variant};
use super::super::naming::{Names, words};
use super::schema::{followed, is_annotation, merge};
use super::{BRANCHES, Place, Reader, nullable};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

impl Reader<'_> {
    pub(super) fn alternatives(
        &mut self,
        object: &Map<String, Value>,
        key: &str,
        branches: &[Value],
        place: Place<'_>,
        hint: &[String],
    ) -> Type {
        let mut base = object.clone();
        base.remove(key);
        for note in [
            "title",
            "description",
            "default",
            "examples",
            "discriminator",
            "$schema",
            "$defs",
            "definitions",
        ] {
            if key != "type" || !matches!(note, "title" | "description") {
                base.remove(note);
            }
        }
        if branches.is_empty() || branches.len() > BRANCHES {
            return self.lose(place.path, "it has no branches or too many");
        }
        let has_type = |branch: &Value| {
            branch.as_object().is_some_and(|it| {
                ["type", "properties", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "items"]
                    .iter()
                    .any(|key| it.contains_key(*key))
            })
        };
        if key != "type" && !base.is_empty() && !branches.iter().any(has_type) {
            self.note(place.path, &format!("{key} only restricts, which is not expressed"));
            return self.read(&Value::Object(base), place.deeper(), hint);
        }
        let mut variants: Vec<Type> = Vec::new();
        let mut hints: Vec<Vec<String>> = Vec::new();
        let mut has_null = false;
        let before = self.declarations.len();
        for (number, branch) in branches.iter().enumerate() {
            let path = format!("{}/{key}/{number}", place.path);
            let own = branch_hint(branch, hint, number, branches.len());
            let kind = if base.is_empty() || base.keys().all(|key| is_annotation(key)) {
                self.read(branch, place.at(&path), &own)
            } else {
                let merged = followed(branch, place.root).and_then(|branch| merge(&base, branch));
                match merged {
                    Some(merged) => self.read(&Value::Object(merged), place.at(&path), &own),
                    None => return self.lose(&path, "it does not join with what stands beside it"),
                }
            };
            let (kind, is_nullable) = match self.resolved(&kind) {
                Type::Nullable(inner) => (*inner, true),
                _ => (kind, false),
            };
            has_null |= is_nullable || kind == Type::Null;
            match kind {
                Type::Null => {}
                Type::Json => return Type::Json,
                kind => self.flatten(kind, own, &mut variants, &mut hints),
            }
        }
        let finish = |kind: Type| if has_null { nullable(kind) } else { kind };
        self.join(place, &mut variants, &mut hints, before);
        match variants.len() {
            0 => Type::Null,
            1 => finish(variants.remove(0)),
            _ => {
                let mut taken = Names::default();
                let variants = variants
                    .into_iter()
                    .zip(hints)
                    .map(|(kind, words)| Variant { words: taken.unique(words), kind, tags: Vec::new() })
                    .collect();
                let number = self.declare(object, hint);
                if let Some(Some(slot)) = self.declarations.get_mut(number) {
                    slot.shape = Shape::Union(Union { variants, tag: None, is_decidable: false });
                }
                finish(Type::Named(number))
            }
        }
    }

    /// The variants of a union in a union are its own.
    pub(super) fn flatten(
        &self,
        kind: Type,
        hint: Vec<String>,
        variants: &mut Vec<Type>,
        hints: &mut Vec<Vec<String>>,
    ) {
        if let Type::Named(number) = self.resolved(&kind)
            && let Some(Shape::Union(union)) = self.shape(number)
            && !union.variants.is_empty()
        {
            for variant in &union.variants {
                if !variants.contains(&variant.kind) {
                    variants.push(variant.kind.clone());
                    hints.push(variant.words.clone());
                }
            }
        } else if !variants.contains(&kind) {
            variants.push(kind);
            hints.push(hint);
        }
    }

    /// Joins variants that are one type in every language.
    pub(super) fn join(
        &mut self,
        place: Place<'_>,
        variants: &mut Vec<Type>,
        hints: &mut Vec<Vec<String>>,
        _before: usize,
    ) {
        let numbers: Vec<usize> = (0..variants.len())
            .filter(|at| matches!(variants[*at], Type::Int | Type::Number | Type::Literals(_)))
            .filter(
                |at| !matches!(&variants[*at], Type::Literals(list) if list.iter().all(Value::is_boolean)),
            )
            .collect();
        let mut gone: BTreeSet<usize> = BTreeSet::new();
        if numbers.len() > 1 {
            let all_int = numbers.iter().all(|at| variants[*at].widened() == Type::Int);
            variants[numbers[0]] = if all_int { Type::Int } else { Type::Number };
            gone.extend(&numbers[1..]);
            self.note(place.path, "several kinds of numbers are one");
        }
        let booleans: Vec<usize> =
            (0..variants.len()).filter(|at| variants[*at].widened() == Type::Bool).collect();
        if booleans.len() > 1 {
            variants[booleans[0]] = Type::Bool;
            gone.extend(&booleans[1..]);
        }
        let texts: Vec<usize> = (0..variants.len())
            .filter(|at| match &variants[*at] {
                Type::String => true,
                Type::Named(number) => matches!(self.shape(*number), Some(Shape::Enumeration(_))),
                _ => false,
            })
            .collect();
        if texts.len() > 1 {
            self.note(place.path, "several kinds of texts are one");
            variants[texts[0]] = Type::String;
            gone.extend(&texts[1..]);
        }
        for at in gone.into_iter().rev() {
            variants.remove(at);
            hints.remove(at);
        }
    }
}

/// What a branch of a union is called: by its tag, its title, its reference or its type.
fn branch_hint(branch: &Value, hint: &[String], number: usize, count: usize) -> Vec<String> {
    if count == 1 {
        return hint.to_vec();
    }
    if let Some(title) = branch.get("title").and_then(Value::as_str).filter(|it| !it.is_empty()) {
        return words(title);
    }
    if let Some(target) = branch.get("$ref").and_then(Value::as_str) {
        return words(target.rsplit('/').next().unwrap_or_default());
    }
    if let Some(properties) = branch.get("properties").and_then(Value::as_object) {
        for key in ["type", "kind"] {
            let tag = properties.get(key).and_then(|it| it.get("const").or_else(|| it.pointer("/enum/0")));
            if let Some(tag) = tag.and_then(Value::as_str) {
                return words(tag);
            }
        }
    }
    match branch.get("type").and_then(Value::as_str) {
        Some("object") | None => [hint, &[format!("option{}", number + 1)]].concat(),
        Some(name) => words(name),
    }
}
