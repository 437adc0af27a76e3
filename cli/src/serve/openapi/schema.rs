//! Schemas of an OpenAPI file as the one schema of a tool's arguments: what they refer to stands in `$defs`, and what OpenAPI 3.0 writes
//! in a way of its own is written as JSON Schema does.

use super::ALL_BYTES;
use super::document::{Document, Wrong};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How deep schemas may be.
const DEPTH: usize = 64;
/// What the schemas of one tool may take.
const BYTES: usize = 1 << 20;
const DEFINITIONS: usize = 1000;

/// Members with a schema, with a list of them, with schemas by names.
const ONE: [&str; 11] = [
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
/// Members that say nothing about values.
const WITHOUT: [&str; 6] = ["discriminator", "example", "externalDocs", "xml", "$schema", "$id"];

/// The schemas of one tool.
pub struct Schemas<'d> {
    document: &'d Document,
    is_30: bool,
    /// The names in `$defs`, by reference.
    names: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    waiting: VecDeque<(String, String, Vec<String>)>,
    /// What the schemas of all tools of the file may still take.
    left: &'d Cell<usize>,
}

impl<'d> Schemas<'d> {
    pub fn new(document: &'d Document, is_30: bool, left: &'d Cell<usize>) -> Schemas<'d> {
        let (names, taken) = (BTreeMap::new(), BTreeSet::new());
        Schemas { document, is_30, names, taken, waiting: VecDeque::new(), left }
    }

    /// A schema; `place` is where it is used.
    pub fn schema(&mut self, schema: &Value, place: &[String]) -> Result<Value, Wrong> {
        let made = self.at_depth(schema, place, 0)?;
        self.count(&made, place)?;
        Ok(made)
    }

    /// The bytes of a schema, which count for the file as a whole.
    fn count(&self, made: &Value, place: &[String]) -> Result<usize, Wrong> {
        let bytes = made.to_string().len();
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(bytes)
            }
            None => {
                let why = format!(
                    "the schemas of the operations up to here have more than {ALL_BYTES} bytes: let a schema refer to a smaller one, \
                     or make files of several parts of the API"
                );
                Err(Wrong::at(place, &why))
            }
        }
    }

    fn at_depth(&mut self, schema: &Value, place: &[String], depth: usize) -> Result<Value, Wrong> {
        let Value::Object(members) = schema else { return Ok(schema.clone()) };
        if depth > DEPTH {
            return Err(Wrong::at(place, &format!("a schema is deeper than {DEPTH}")));
        }
        let mut made = Map::new();
        for (name, value) in members {
            let value = match (name.as_str(), value) {
                ("$ref", Value::String(reference)) => self.reference(reference, place)?.into(),
                (name, _) if WITHOUT.contains(&name) => continue,
                // In 3.0 nothing counts beside a reference.
                (name, _) if self.is_30 && members.contains_key("$ref") && name != "description" => continue,
                (name, value) if ONE.contains(&name) => self.at_depth(value, place, depth + 1)?,
                (name, Value::Array(list)) if LISTS.contains(&name) => list
                    .iter()
                    .map(|one| self.at_depth(one, place, depth + 1))
                    .collect::<Result<Vec<_>, _>>()?
                    .into(),
                (name, Value::Object(named)) if NAMED.contains(&name) => {
                    let each = named
                        .iter()
                        .map(|(name, one)| Ok((name.clone(), self.at_depth(one, place, depth + 1)?)));
                    Value::Object(each.collect::<Result<_, Wrong>>()?)
                }
                (_, value) => value.clone(),
            };
            made.insert(name.clone(), value);
        }
        if self.is_30 {
            as_json_schema(&mut made);
        }
        Ok(Value::Object(made))
    }

    /// The reference to a definition of the tool's schema.
    fn reference(&mut self, reference: &str, place: &[String]) -> Result<String, Wrong> {
        if !self.names.contains_key(reference) {
            let (_, names) = self.document.target(reference, place)?;
            let last = names.last().map(String::as_str).unwrap_or_default();
            let plain: String =
                last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(60).collect();
            let mut name = plain.clone();
            let mut number = 2;
            while !self.taken.insert(name.clone()) {
                name = format!("{plain}_{number}");
                number += 1;
            }
            self.names.insert(reference.to_owned(), name.clone());
            self.waiting.push_back((reference.to_owned(), name, place.to_vec()));
        }
        Ok(format!("#/$defs/{}", self.names.get(reference).map(String::as_str).unwrap_or_default()))
    }

    /// All that the schemas so far refer to; the inner error says that it is too much.
    pub fn definitions(&mut self) -> Result<Result<Map<String, Value>, String>, Wrong> {
        let (mut all, mut bytes) = (Map::new(), 0);
        while let Some((reference, name, place)) = self.waiting.pop_front() {
            let (schema, names) = self.document.target(&reference, &place)?;
            let made = self.at_depth(schema, &names, 0)?;
            bytes += self.count(&made, &names)?;
            all.insert(name, made);
            if bytes > BYTES || all.len() > DEFINITIONS {
                return Ok(Err(format!(
                    "its schemas have more than {BYTES} bytes or {DEFINITIONS} definitions"
                )));
            }
        }
        Ok(Ok(all))
    }
}

/// What OpenAPI 3.0 writes otherwise: `nullable`, and bounds that are excluded.
fn as_json_schema(schema: &mut Map<String, Value>) {
    for (excluded, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        match schema.get(excluded) {
            Some(Value::Bool(true)) => {
                schema.remove(excluded);
                if let Some(value) = schema.remove(bound) {
                    schema.insert(excluded.to_owned(), value);
                }
            }
            Some(Value::Bool(false)) => {
                schema.remove(excluded);
            }
            _ => {}
        }
    }
    if schema.remove("nullable") != Some(Value::Bool(true)) {
        return;
    }
    match schema.get("type").cloned() {
        Some(kind @ Value::String(_)) => {
            schema.insert("type".to_owned(), json!([kind, "null"]));
            if let Some(Value::Array(values)) = schema.get_mut("enum")
                && !values.contains(&Value::Null)
            {
                values.push(Value::Null);
            }
        }
        Some(_) => {}
        None if schema.is_empty() => {}
        None => {
            let whole = Value::Object(std::mem::take(schema));
            schema.insert("anyOf".to_owned(), json!([whole, {"type": "null"}]));
        }
    }
}
