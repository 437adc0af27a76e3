//! Arrays, objects and enumerations.

use super::super::model::{Declaration, Field, Object, Shape, Type, Word};
use super::super::naming::{Names, pascal, words};
use super::super::text;
use super::schema::{describe, in_order};
use super::{BRANCHES, MEMBERS, Place, Reader, TEXT, TEXTS, item_hint, nullable};
use crate::ordered::Gathered;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

impl Reader<'_> {
    pub(super) fn array(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        let tuple = match (object.get("prefixItems"), object.get("items")) {
            (Some(Value::Array(list)), _) | (None, Some(Value::Array(list))) => list,
            (_, Some(items)) => {
                let path = format!("{}/items", place.path);
                let item = self.read(items, place.at(&path), &item_hint(hint));
                return Type::Array(Box::new(item));
            }
            (_, None) => return Type::Array(Box::new(Type::Json)),
        };
        let path = format!("{}/items", place.path);
        let before = self.declarations.len();
        let kinds: Vec<Type> = tuple
            .iter()
            .take(BRANCHES)
            .map(|item| self.read(item, place.at(&path), &item_hint(hint)))
            .collect();
        let is_open = |key: &str| !matches!(object.get(key), Some(Value::Bool(false)));
        let rest = if object.contains_key("prefixItems") { "items" } else { "additionalItems" };
        // What stands behind the tuple is of any type unless it says otherwise.
        let same = kinds.windows(2).all(|pair| pair[0] == pair[1]) && !is_open(rest);
        match kinds.into_iter().next() {
            Some(kind) if same && self.declarations.len() == before => Type::Array(Box::new(kind)),
            _ => {
                self.note(place.path, "a tuple is a list of any JSON");
                Type::Array(Box::new(Type::Json))
            }
        }
    }

    pub(super) fn object(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        let none = Map::new();
        let properties = match object.get("properties") {
            Some(Value::Object(properties)) => properties,
            Some(_) => return self.lose(place.path, "properties is not an object"),
            None => &none,
        };
        let required: BTreeSet<&str> = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .gathered();
        if properties.len() + required.len() > MEMBERS {
            self.note(place.path, "an object with so many members is one of any JSON");
            return Type::Map(Box::new(Type::Json));
        }
        let patterns = object.get("patternProperties").and_then(Value::as_object).filter(|it| !it.is_empty());
        let path = format!("{}/additionalProperties", place.path);
        let value_hint = item_hint(hint);
        let additional = match (object.get("additionalProperties"), patterns) {
            (Some(Value::Bool(false)), Some(patterns)) if patterns.len() == 1 => {
                self.note(place.path, "the pattern of names is not expressed");
                patterns.values().next().map(|it| self.read(it, place.at(&path), &value_hint))
            }
            (_, Some(_)) => {
                self.note(place.path, "patternProperties are any JSON");
                Some(Type::Json)
            }
            (Some(Value::Bool(false)) | None, None) => None,
            (Some(schema), None) => Some(self.read(schema, place.at(&path), &value_hint)),
        };
        if properties.is_empty() && required.is_empty() {
            return Type::Map(Box::new(additional.unwrap_or(Type::Json)));
        }
        let number = self.declare(object, hint);
        let mut fields = Vec::new();
        let mut taken = Names::with(&["additional"]);
        let all = in_order(object, properties.keys().map(String::as_str).chain(required.iter().copied()));
        for wire in all {
            if wire.contains('\0') || wire.len() > TEXT {
                self.note(place.path, "a member whose name contains NUL or is too long is left out");
                continue;
            }
            let path = format!("{}/{}", place.path, text::plain(wire, 60));
            // C has `has_x` beside a member `x` that may be missing.
            let words = taken.unique_with(words(wire), &["", "^has"]);
            let (kind, description) = match properties.get(wire) {
                Some(schema) => (self.read(schema, place.at(&path), &words), describe(schema)),
                None => (additional.clone().unwrap_or(Type::Json), String::new()),
            };
            fields.push(Field {
                wire: wire.to_owned(),
                words,
                kind,
                required: required.contains(wire),
                description,
            });
        }
        if fields.is_empty() {
            return Type::Map(Box::new(additional.unwrap_or(Type::Json)));
        }
        if let Some(Some(slot)) = self.declarations.get_mut(number) {
            slot.shape = Shape::Object(Object { fields, additional });
        }
        Type::Named(number)
    }

    pub(super) fn declare(&mut self, object: &Map<String, Value>, hint: &[String]) -> usize {
        let name = self.name(object, hint);
        let description = object.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let shape = Shape::Object(Object::default());
        self.declarations.push(Some(Declaration { name, description, shape, is_recursive: false }));
        self.declarations.len() - 1
    }

    pub(super) fn name(&mut self, object: &Map<String, Value>, hint: &[String]) -> String {
        let title = object.get("title").and_then(Value::as_str).filter(|title| {
            let is_root = hint == ["arguments"] || hint == ["result"];
            !is_root
                && !title.is_empty()
                && title.len() <= 40
                && title.chars().any(|c| c.is_ascii_alphabetic())
        });
        let own = title.map_or_else(|| hint.to_vec(), words);
        let mut all = self.prefix.clone();
        all.extend(own);
        // What the functions of the type in C are called, and the prototype in other languages.
        pascal(&self.names.unique_with(all, &["", "init", "encode", "decode", "free", "required"]))
    }

    pub(super) fn enumeration(
        &mut self,
        values: &[Value],
        object: &Map<String, Value>,
        place: Place<'_>,
        hint: &[String],
    ) -> Type {
        let has_null = values.iter().any(Value::is_null);
        let mut kept: Vec<&Value> = Vec::new();
        for value in values.iter().filter(|value| !value.is_null()) {
            if kept.len() > TEXTS {
                break;
            }
            if !kept.contains(&value) {
                kept.push(value);
            }
        }
        let finish = |kind: Type| if has_null { nullable(kind) } else { kind };
        if kept.is_empty() {
            return if has_null { Type::Null } else { self.lose(place.path, "the enumeration is empty") };
        }
        if kept.len() > TEXTS {
            return self.lose(place.path, "the enumeration is too long");
        }
        if kept.iter().all(|value| value.is_string()) {
            let texts = kept.iter().filter_map(|value| value.as_str());
            if texts.clone().any(|text| text.contains('\0') || text.len() > TEXT) {
                self.note(place.path, "a text of the enumeration contains NUL or is too long");
                return finish(Type::String);
            }
            let mut taken = Names::default();
            let shape = Shape::Enumeration(
                texts.map(|text| Word { wire: text.to_owned(), words: taken.unique(words(text)) }).collect(),
            );
            let number = self.declare(object, hint);
            if let Some(Some(slot)) = self.declarations.get_mut(number) {
                slot.shape = shape;
            }
            return finish(Type::Named(number));
        }
        let is_same = |test: fn(&Value) -> bool| kept.iter().all(|value| test(value));
        if is_same(Value::is_boolean) || is_same(Value::is_number) {
            return finish(Type::Literals(kept.into_iter().cloned().collect()));
        }
        self.lose(place.path, "the values of the enumeration have several types")
    }
}
