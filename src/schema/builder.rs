//! What is known of a schema while it is read: its resources and anchors, and which node is at which place.

use super::model::{Bounds, Dialect, Node, NodeId, Resource};
use super::pattern::PROGRAMS;
use super::reference::join;
use serde_json::{Map, Value};
use std::collections::HashMap;

pub(super) struct Builder<'a> {
    pub(super) document: &'a Value,
    pub(super) dialect: Dialect,
    pub(super) bounds: Bounds,
    pub(super) nodes: Vec<Node>,
    pub(super) resources: Vec<Resource>,
    pub(super) by_pointer: HashMap<String, NodeId>,
    /// The bytes of all places in it.
    places: usize,
    /// The bytes that are left for the programs of patterns.
    pub(super) programs: usize,
    pub(super) tracks: bool,
}

/// The most bytes that the places of a schema may have together: a long name stands in the place of all that is below it.
const PLACES: usize = 4 * 1024 * 1024;

fn dialect_of(schema: &Value) -> Result<Dialect, String> {
    let Some(named) = schema.get("$schema") else { return Ok(Dialect::Draft2020) };
    let Some(named) = named.as_str() else { return Err("$schema is no string".to_owned()) };
    match named.trim_end_matches('#') {
        "https://json-schema.org/draft/2020-12/schema" => Ok(Dialect::Draft2020),
        "http://json-schema.org/draft-07/schema" | "https://json-schema.org/draft-07/schema" => {
            Ok(Dialect::Draft7)
        }
        _ => Err(format!("its dialect {named} is not supported; 2020-12 and draft-07 are")),
    }
}

/// Keywords whose value is a schema, a list of schemas, or an object of schemas.
const ONE: [&str; 12] = [
    "additionalProperties",
    "additionalItems",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies"];

/// One step down a JSON Pointer.
pub(super) fn under(pointer: &str, token: &str) -> String {
    format!("{pointer}/{}", token.replace('~', "~0").replace('/', "~1"))
}

impl<'a> Builder<'a> {
    /// Looks through the whole schema, and reads no keyword yet.
    pub(super) fn new(document: &'a Value, bounds: Bounds) -> Result<Builder<'a>, String> {
        let mut builder = Builder {
            document,
            dialect: dialect_of(document)?,
            bounds,
            nodes: Vec::new(),
            resources: vec![Resource::default()],
            by_pointer: HashMap::new(),
            places: 0,
            programs: PROGRAMS,
            tracks: false,
        };
        builder.survey(document, "", 0, 0)?;
        Ok(builder)
    }

    /// Finds every resource and anchor of the document, and holds the bounds of depth and number.
    fn survey(&mut self, schema: &Value, pointer: &str, resource: usize, depth: usize) -> Result<(), String> {
        let Value::Object(members) = schema else { return Ok(()) };
        if depth > self.bounds.depth {
            return Err(format!("it nests more than {} levels", self.bounds.depth));
        }
        self.place(pointer, usize::MAX)?;
        if self.by_pointer.len() > self.bounds.parts {
            return Err(format!("it has more than {} parts", self.bounds.parts));
        }
        let resource = self.identify(members, pointer, resource);
        for (name, value) in members {
            let at = under(pointer, name);
            if ONE.contains(&name.as_str()) && value.is_object() {
                self.survey(value, &at, resource, depth + 1)?;
            } else if let (true, Value::Array(list)) = (LISTS.contains(&name.as_str()), value) {
                for (index, each) in list.iter().enumerate() {
                    self.survey(each, &under(&at, &index.to_string()), resource, depth + 1)?;
                }
            } else if let (true, Value::Object(named)) = (NAMED.contains(&name.as_str()), value) {
                for (key, each) in named {
                    self.survey(each, &under(&at, key), resource, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Remembers which node is at a place.
    pub(super) fn place(&mut self, pointer: &str, node: NodeId) -> Result<(), String> {
        if let Some(known) = self.by_pointer.get_mut(pointer) {
            *known = node;
            return Ok(());
        }
        self.places += pointer.len();
        if self.places > PLACES {
            return Err(format!(
                "the places in it have more than {PLACES} bytes together; its names are too long"
            ));
        }
        self.by_pointer.insert(pointer.to_owned(), node);
        Ok(())
    }

    /// Takes note of the names that a schema gives itself; gives the resource it belongs to.
    fn identify(&mut self, members: &Map<String, Value>, pointer: &str, outer: usize) -> usize {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let mut resource = outer;
        let hidden = self.dialect == Dialect::Draft7 && members.contains_key("$ref");
        if let Some(id) = text("$id").filter(|_| !hidden) {
            let (address, fragment) = join(&self.resources[outer].address, id);
            if self.dialect == Dialect::Draft7 && id.starts_with('#') {
                self.resources[outer].anchors.insert(fragment, pointer.to_owned());
            } else if pointer.is_empty() {
                self.resources[0].address = address;
            } else {
                resource = self.resources.len();
                self.resources.push(Resource { address, pointer: pointer.to_owned(), ..Resource::default() });
            }
        }
        if self.dialect == Dialect::Draft2020 {
            if let Some(anchor) = text("$anchor") {
                self.resources[resource].anchors.insert(anchor.to_owned(), pointer.to_owned());
            }
            if let Some(anchor) = text("$dynamicAnchor") {
                self.resources[resource].anchors.insert(anchor.to_owned(), pointer.to_owned());
                self.resources[resource].dynamic_at.push((anchor.to_owned(), pointer.to_owned()));
            }
        }
        resource
    }

    /// The resource that a place of the document is in.
    pub(super) fn resource_at(&self, pointer: &str) -> usize {
        let inside = |resource: &Resource| {
            pointer
                .strip_prefix(resource.pointer.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let all = self.resources.iter().enumerate().filter(|(_, resource)| inside(resource));
        all.max_by_key(|(_, resource)| resource.pointer.len()).map_or(0, |(index, _)| index)
    }

    pub(super) fn target(&self, reference: &str, resource: usize) -> Result<String, String> {
        let outside =
            || format!("it refers to {reference}, which is not in the schema itself; nothing is fetched");
        let (address, fragment) = join(&self.resources[resource].address, reference);
        let named = self.resources.iter().find(|known| known.address.trim_end_matches('#') == address);
        let found = named.ok_or_else(outside)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Ok(format!("{}{fragment}", found.pointer));
        }
        found.anchors.get(&fragment).cloned().ok_or_else(outside)
    }
}

pub(super) fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "its root" } else { pointer }
}
