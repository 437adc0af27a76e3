//! Reads JSON Schemas into the intermediate form.
//!
//! Schemas come from servers: depth, parts and members are bounded, references lead to places inside the document only, and
//! what cannot be expressed becomes any JSON, with a line in the report. Nothing makes a schema fail.
//!
//! The files:
//!
//! * `collections`: arrays, objects, enumerations
//! * `unions`: `anyOf`, `oneOf`, lists of types
//! * `reference`: references, and the end of reading
//! * `schema`: what schemas say beside their types; schemas joined to one
//! * `graph`: declarations that hold each other

mod collections;
mod graph;
mod reference;
mod schema;
mod unions;

pub use graph::each_type;
pub use schema::ordered;

use super::model::{Declaration, Shape, Type};
use super::naming::Names;
use super::text;
use schema::{followed, is_empty, merge};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How deep a schema is followed.
const DEPTH: u32 = 48;
/// How many parts of the schemas of one tool are read.
const PARTS: u32 = 20_000;
/// How many types the schemas of one tool have.
const DECLARATIONS: usize = 1000;
/// How many members of an object, texts of an enumeration, and branches of a union have a type.
const MEMBERS: usize = 1000;
const TEXTS: usize = 500;
const BRANCHES: usize = 100;
/// How long the name of a member or a text of an enumeration is; longer literals are no standard C.
const TEXT: usize = 1000;
/// How many lists and maps stand in each other: the name of such a type in C++ doubles with each.
const COLLECTIONS: u32 = 5;
/// How many losses of one tool are told one by one.
const LOSSES: usize = 200;

/// Reads the schemas of one tool.
#[derive(Debug)]
pub struct Reader<'a> {
    /// What the names of types begin with.
    prefix: Vec<String>,
    names: &'a mut Names,
    declarations: Vec<Option<Declaration>>,
    /// What a place that was referred to while it was read became.
    aliases: HashMap<usize, Type>,
    references: HashMap<(bool, String), Reference>,
    losses: Vec<String>,
    lost: usize,
    parts: u32,
}

#[derive(Clone, Debug)]
enum Reference {
    Reading(Option<usize>),
    Read(Type),
}

/// A document and where in it the reader is.
#[derive(Clone, Copy)]
struct Place<'a> {
    root: &'a Value,
    is_result: bool,
    path: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    pub fn new(prefix: Vec<String>, names: &'a mut Names) -> Reader<'a> {
        Reader {
            prefix,
            names,
            declarations: Vec::new(),
            aliases: HashMap::new(),
            references: HashMap::new(),
            losses: Vec::new(),
            lost: 0,
            parts: 0,
        }
    }

    /// The type of the arguments; `Type::Null` for a tool without any.
    pub fn arguments(&mut self, schema: &Value) -> Type {
        let place = Place { root: schema, is_result: false, path: "inputSchema", depth: 0 };
        let is_closed = |object: &Map<String, Value>| {
            !["properties", "patternProperties", "required", "$ref", "allOf", "anyOf", "oneOf", "enum", "if"]
                .iter()
                .any(|key| object.get(*key).is_some_and(|it| !is_empty(it)))
                && matches!(object.get("additionalProperties"), None | Some(Value::Bool(false)))
        };
        match schema {
            Value::Null => Type::Null,
            Value::Object(object) if is_closed(object) => Type::Null,
            _ => {
                let read = self.read(schema, place, &["arguments".to_owned()]);
                match self.resolved(&read) {
                    Type::Map(_) | Type::Json => read,
                    Type::Named(number) if matches!(self.shape(number), Some(Shape::Object(_)) | None) => {
                        read
                    }
                    _ => self.lose("inputSchema", "it is not only of objects"),
                }
            }
        }
    }

    pub fn result(&mut self, schema: &Value) -> Type {
        let place = Place { root: schema, is_result: true, path: "outputSchema", depth: 0 };
        self.read(schema, place, &["result".to_owned()])
    }

    fn shape(&self, number: usize) -> Option<&Shape> {
        self.declarations.get(number)?.as_ref().map(|it| &it.shape)
    }

    /// Follows what a place became.
    fn resolved(&self, kind: &Type) -> Type {
        let mut kind = kind.clone();
        for _ in 0..DEPTH {
            match &kind {
                Type::Named(number) => match self.aliases.get(number) {
                    Some(other) => kind = other.clone(),
                    None => break,
                },
                _ => break,
            }
        }
        kind
    }

    fn lose(&mut self, path: &str, why: &str) -> Type {
        self.note(path, why);
        Type::Json
    }

    fn note(&mut self, path: &str, why: &str) {
        self.lost += 1;
        if self.losses.len() < LOSSES {
            self.losses.push(format!("{path}: {why}"));
        }
    }

    fn read(&mut self, schema: &Value, place: Place<'_>, hint: &[String]) -> Type {
        self.parts += 1;
        if place.depth > DEPTH {
            return self.lose(place.path, "it nests too deep");
        }
        if self.parts > PARTS || self.declarations.len() > DECLARATIONS {
            return self.lose(place.path, "the schema has too many parts");
        }
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(true) => return Type::Json,
            Value::Bool(false) => return self.lose(place.path, "no value is valid"),
            _ => return self.lose(place.path, "it is not a schema"),
        };
        let kind = self.read_object(object, place, hint);
        if object.get("nullable") == Some(&Value::Bool(true)) { nullable(kind) } else { kind }
    }

    fn read_object(&mut self, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = object.get(key) {
                if ["properties", "allOf", "anyOf", "oneOf", "enum"]
                    .iter()
                    .any(|key| object.contains_key(*key))
                {
                    self.note(place.path, "what stands beside a reference is not used");
                }
                return self.reference(target, place, hint);
            }
        }
        if let Some(Value::Array(branches)) = object.get("allOf") {
            let mut whole = object.clone();
            whole.remove("allOf");
            for branch in branches.iter().take(BRANCHES) {
                let Some(branch) = followed(branch, place.root) else { continue };
                let Some(merged) = merge(&whole, branch) else {
                    return self.lose(place.path, "the parts of allOf do not join to one type");
                };
                whole = merged;
            }
            return self.read(&Value::Object(whole), place.deeper(), hint);
        }
        if let Some(values) = object.get("enum") {
            return match values {
                Value::Array(values) => self.enumeration(values, object, place, hint),
                _ => self.lose(place.path, "enum is not a list"),
            };
        }
        if let Some(value) = object.get("const") {
            return self.enumeration(std::slice::from_ref(value), object, place, hint);
        }
        for key in ["not", "if", "dependentSchemas", "dependencies", "unevaluatedProperties", "propertyNames"]
        {
            if object.contains_key(key) {
                self.note(place.path, &format!("{key} is not expressed"));
            }
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = object.get(key) {
                return self.alternatives(object, key, branches, place, hint);
            }
        }
        match object.get("type") {
            Some(Value::String(name)) => self.typed(name, object, place, hint),
            Some(Value::Array(names)) => {
                let branches: Vec<Value> =
                    names.iter().map(|name| serde_json::json!({"type": name})).collect();
                let mut base = object.clone();
                base.remove("type");
                self.alternatives(&base, "type", &branches, place, hint)
            }
            _ if ["properties", "required", "additionalProperties", "patternProperties"]
                .iter()
                .any(|key| object.contains_key(*key)) =>
            {
                self.typed("object", object, place, hint)
            }
            _ if object.contains_key("items") || object.contains_key("prefixItems") => {
                self.typed("array", object, place, hint)
            }
            Some(_) => self.lose(place.path, "its type has no name"),
            None => Type::Json,
        }
    }

    fn typed(&mut self, name: &str, object: &Map<String, Value>, place: Place<'_>, hint: &[String]) -> Type {
        match name {
            "string" => Type::String,
            "boolean" => Type::Bool,
            "null" => Type::Null,
            "number" => Type::Number,
            "integer" => {
                let beyond = |key: &str| {
                    object.get(key).is_some_and(|it| {
                        (it.is_number() && it.as_f64().is_none_or(|it| it.abs() > 9.3e18))
                            || it.as_u64().is_some_and(|it| i64::try_from(it).is_err())
                    })
                };
                if ["maximum", "minimum"].into_iter().any(beyond) {
                    self.note(place.path, "integers beyond 64 bits are numbers");
                    return Type::Number;
                }
                Type::Int
            }
            "array" => self.array(object, place, hint),
            "object" => self.object(object, place, hint),
            other => self.lose(place.path, &format!("there is no type {}", text::plain(other, 40))),
        }
    }
}

impl<'a> Place<'a> {
    fn at(self, path: &'a str) -> Place<'a> {
        Place { path, depth: self.depth + 1, ..self }
    }

    fn deeper(self) -> Place<'a> {
        Place { depth: self.depth + 1, ..self }
    }
}

fn nullable(kind: Type) -> Type {
    match kind {
        Type::Json | Type::Null | Type::Nullable(_) => kind,
        other => Type::Nullable(Box::new(other)),
    }
}

/// `items` gives `item`, everything else has `Item` behind it.
fn item_hint(hint: &[String]) -> Vec<String> {
    let mut own = hint.to_vec();
    match own.last_mut() {
        Some(last) if last.len() > 3 && last.ends_with('s') && !last.ends_with("ss") => {
            last.pop();
        }
        _ => own.push("item".to_owned()),
    }
    own
}
