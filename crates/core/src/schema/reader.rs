//! Reads a schema into nodes: its resources and anchors, its keywords, and references inside the document (just enough of RFC 3986 to
//! join a reference to its base).

use super::model::{Bounds, Dialect, Keyword, NodeId, PROGRAMS, Pattern, Schema, SchemaNode, SchemaResource};
use super::values::whole;
use crate::json::percent_decoded;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Reads a schema.
pub(super) fn read(schema: &Value, bounds: Bounds) -> Result<Schema, String> {
    let mut builder = SchemaReader::new(schema, bounds)?;
    let root = builder.node("", 0)?;
    for index in 0..builder.resources.len() {
        for (name, pointer) in std::mem::take(&mut builder.resources[index].dynamic_at) {
            let node = builder.node(&pointer, 0)?;
            builder.resources[index].dynamic.insert(name, node);
        }
    }
    let SchemaReader { mut nodes, resources, tracks, .. } = builder;
    // A server may have a hundred thousand of them.
    nodes.shrink_to_fit();
    Ok(Schema { nodes, resources, root, bounds, tracks, formats: false })
}

impl SchemaReader<'_> {
    /// The node of the schema at a place of the document.
    fn node(&mut self, pointer: &str, depth: usize) -> Result<NodeId, String> {
        if let Some(node) = self.by_pointer.get(pointer).copied().filter(|node| *node != usize::MAX) {
            return Ok(node);
        }
        if depth > self.bounds.depth || self.nodes.len() >= self.bounds.parts.saturating_mul(2) {
            return Err(format!(
                "it nests more than {} levels or has more than {} parts",
                self.bounds.depth, self.bounds.parts
            ));
        }
        let document = self.document;
        let Some(schema) = document.pointer(pointer) else {
            return Err(format!("no schema found at {pointer}, which it refers to"));
        };
        let id = self.nodes.len();
        self.nodes.push(SchemaNode::Pending);
        self.place(pointer, id)?;
        self.nodes[id] = match schema {
            Value::Bool(value) => SchemaNode::Bool(*value),
            Value::Object(members) => {
                let resource = self.resource_at(pointer);
                SchemaNode::Rules { rules: self.rules(members, pointer, resource, depth)?, resource }
            }
            other => return Err(format!("{other} at {} is not a schema", place(pointer))),
        };
        Ok(id)
    }

    fn rules(
        &mut self,
        members: &Map<String, Value>,
        pointer: &str,
        resource: usize,
        depth: usize,
    ) -> Result<Vec<Keyword>, String> {
        if let (Dialect::Draft7, Some(reference)) = (self.dialect, members.get("$ref")) {
            // In draft-07 nothing stands beside a reference.
            return Ok(vec![Keyword::Reference(self.refer(reference, resource, depth)?)]);
        }
        let mut reader = KeywordReader { builder: self, members, pointer, resource, depth };
        let mut rules = Vec::new();
        reader.values(&mut rules)?;
        reader.arrays(&mut rules)?;
        reader.objects(&mut rules)?;
        reader.combined(&mut rules)?;
        // Last: these ask what the others have looked at.
        reader.unevaluated(&mut rules)?;
        rules.shrink_to_fit();
        Ok(rules)
    }

    /// The node that a reference leads to. It must be in the document: nothing is fetched.
    fn refer(&mut self, reference: &Value, resource: usize, depth: usize) -> Result<NodeId, String> {
        let Some(reference) = reference.as_str() else { return Err("$ref is not a string".to_owned()) };
        let pointer = self.target(reference, resource)?;
        self.node(&pointer, depth + 1)
    }
}

/// Reads the keywords of one schema.
struct KeywordReader<'b, 'a, 'm> {
    builder: &'b mut SchemaReader<'a>,
    members: &'m Map<String, Value>,
    pointer: &'m str,
    resource: usize,
    depth: usize,
}

impl KeywordReader<'_, '_, '_> {
    fn wrong<R>(&self, name: &str, wanted: &str) -> Result<R, String> {
        Err(format!("'{name}' at {} is not {wanted}", place(self.pointer)))
    }

    fn count(&self, name: &str) -> Result<Option<u64>, String> {
        match self.members.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => match whole(number).map(u64::try_from) {
                Some(Ok(count)) => Ok(Some(count)),
                _ => self.wrong(name, "a whole number from 0"),
            },
            Some(_) => self.wrong(name, "a whole number from 0"),
        }
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        match self.members.get(name) {
            None => Ok(None),
            Some(value) => {
                value.as_f64().map_or_else(|| self.wrong(name, "a number"), |number| Ok(Some(number)))
            }
        }
    }

    fn strings(&self, name: &str, value: &Value) -> Result<Vec<String>, String> {
        let list = value.as_array().map(|list| list.iter().map(|each| each.as_str().map(str::to_owned)));
        match list.and_then(Iterator::collect) {
            Some(strings) => Ok(strings),
            None => self.wrong(name, "a list of strings"),
        }
    }

    fn pattern(&mut self, text: &str) -> Result<Pattern, String> {
        Pattern::new(text, &mut self.builder.programs)
    }

    fn under(&mut self, tokens: &[&str]) -> Result<NodeId, String> {
        let pointer = tokens.iter().fold(self.pointer.to_owned(), |pointer, token| under(&pointer, token));
        self.builder.node(&pointer, self.depth + 1)
    }

    fn schema(&mut self, name: &str) -> Result<Option<NodeId>, String> {
        if self.members.contains_key(name) { self.under(&[name]).map(Some) } else { Ok(None) }
    }

    fn schemas(&mut self, name: &str) -> Result<Option<Vec<NodeId>>, String> {
        let Some(value) = self.members.get(name) else { return Ok(None) };
        let Value::Array(list) = value else { return self.wrong(name, "a list of schemas") };
        (0..list.len())
            .map(|index| self.under(&[name, &index.to_string()]))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn named(&mut self, name: &str) -> Result<Vec<(String, NodeId)>, String> {
        let members = self.members;
        match members.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Object(named)) => {
                named.keys().map(|key| Ok((key.clone(), self.under(&[name, key])?))).collect()
            }
            Some(_) => self.wrong(name, "an object of schemas"),
        }
    }

    fn values(&mut self, rules: &mut Vec<Keyword>) -> Result<(), String> {
        match self.members.get("type") {
            None => {}
            Some(Value::String(name)) => rules.push(Keyword::Types(vec![name.clone()])),
            Some(list) => rules.push(Keyword::Types(self.strings("type", list)?)),
        }
        if let Some(Keyword::Types(types)) = rules.last() {
            const KNOWN: [&str; 7] = ["null", "boolean", "number", "integer", "string", "array", "object"];
            if let Some(odd) = types.iter().find(|name| !KNOWN.contains(&name.as_str())) {
                return Err(format!("'{odd}' at {} is not a type", place(self.pointer)));
            }
        }
        match self.members.get("enum") {
            None => {}
            Some(Value::Array(values)) => rules.push(Keyword::Enum(values.clone())),
            Some(_) => return self.wrong("enum", "a list"),
        }
        if let Some(value) = self.members.get("const") {
            rules.push(Keyword::Const(value.clone()));
        }
        if let Some(factor) = self.number("multipleOf")? {
            if factor <= 0.0 {
                return self.wrong("multipleOf", "above 0");
            }
            rules.push(Keyword::MultipleOf(factor));
        }
        for (name, exclusive) in [("minimum", false), ("exclusiveMinimum", true)] {
            if let Some(bound) = self.number(name)? {
                rules.push(Keyword::Least { bound, exclusive });
            }
        }
        for (name, exclusive) in [("maximum", false), ("exclusiveMaximum", true)] {
            if let Some(bound) = self.number(name)? {
                rules.push(Keyword::Most { bound, exclusive });
            }
        }
        rules.extend(self.count("minLength")?.map(Keyword::MinLength));
        rules.extend(self.count("maxLength")?.map(Keyword::MaxLength));
        match self.members.get("pattern") {
            None => {}
            Some(Value::String(text)) => rules.push(Keyword::Pattern(self.pattern(text)?)),
            Some(_) => return self.wrong("pattern", "a string"),
        }
        if let Some(format) = self.members.get("format").and_then(Value::as_str) {
            rules.push(Keyword::Format(format.to_owned()));
        }
        Ok(())
    }

    fn arrays(&mut self, rules: &mut Vec<Keyword>) -> Result<(), String> {
        rules.extend(self.count("minItems")?.map(Keyword::MinItems));
        rules.extend(self.count("maxItems")?.map(Keyword::MaxItems));
        match self.members.get("uniqueItems") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => rules.push(Keyword::Unique),
            Some(_) => return self.wrong("uniqueItems", "true or false"),
        }
        let listed = self.members.get("items").is_some_and(Value::is_array);
        let (prefix, rest_name) = match self.builder.dialect {
            Dialect::Draft2020 => (self.schemas("prefixItems")?, "items"),
            Dialect::Draft7 if listed => (self.schemas("items")?, "additionalItems"),
            Dialect::Draft7 => (None, "items"),
        };
        let rest = self.schema(rest_name)?;
        if prefix.is_some() || rest.is_some() {
            rules.push(Keyword::Items { prefix: prefix.unwrap_or_default(), rest });
        }
        if let Some(node) = self.schema("contains")? {
            let modern = self.builder.dialect == Dialect::Draft2020;
            let least = self.count("minContains")?.filter(|_| modern).unwrap_or(1);
            let most = self.count("maxContains")?.filter(|_| modern);
            rules.push(Keyword::Contains { node, least, most, evaluates: modern });
        }
        Ok(())
    }

    fn objects(&mut self, rules: &mut Vec<Keyword>) -> Result<(), String> {
        rules.extend(self.count("minProperties")?.map(Keyword::MinProperties));
        rules.extend(self.count("maxProperties")?.map(Keyword::MaxProperties));
        if let Some(list) = self.members.get("required") {
            rules.push(Keyword::Required(self.strings("required", list)?));
        }
        let named: HashMap<String, NodeId> = self.named("properties")?.into_iter().collect();
        let mut patterns = Vec::new();
        for (pattern, node) in self.named("patternProperties")? {
            patterns.push((self.pattern(&pattern)?, node));
        }
        let rest = self.schema("additionalProperties")?;
        if !named.is_empty() || !patterns.is_empty() || rest.is_some() {
            rules.push(Keyword::Properties { named, patterns, rest });
        }
        rules.extend(self.schema("propertyNames")?.map(Keyword::Names));
        let members = self.members;
        let (mut required, mut schemas) = (Vec::new(), Vec::new());
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            // The last one is of draft-07, and both in one.
            let Some(value) = members.get(keyword) else { continue };
            let Value::Object(each) = value else { return self.wrong(keyword, "an object") };
            for (name, wanted) in each {
                if keyword == "dependentRequired" || keyword == "dependencies" && wanted.is_array() {
                    required.push((name.clone(), self.strings(keyword, wanted)?));
                } else {
                    schemas.push((name.clone(), self.under(&[keyword, name])?));
                }
            }
        }
        if !required.is_empty() {
            rules.push(Keyword::DependentRequired(required));
        }
        if !schemas.is_empty() {
            rules.push(Keyword::DependentSchemas(schemas));
        }
        Ok(())
    }

    fn combined(&mut self, rules: &mut Vec<Keyword>) -> Result<(), String> {
        rules.extend(self.schemas("allOf")?.map(Keyword::AllOf));
        rules.extend(self.schemas("anyOf")?.map(Keyword::AnyOf));
        rules.extend(self.schemas("oneOf")?.map(Keyword::OneOf));
        rules.extend(self.schema("not")?.map(Keyword::Not));
        if let Some(test) = self.schema("if")? {
            let (then, otherwise) = (self.schema("then")?, self.schema("else")?);
            rules.push(Keyword::If { test, then, otherwise });
        }
        let (members, resource, depth) = (self.members, self.resource, self.depth);
        if let Some(reference) = members.get("$ref") {
            rules.push(Keyword::Reference(self.builder.refer(reference, resource, depth)?));
        }
        if let Some(reference) =
            members.get("$dynamicRef").filter(|_| self.builder.dialect == Dialect::Draft2020)
        {
            let fallback = self.builder.refer(reference, resource, depth)?;
            let text = reference.as_str().unwrap_or_default();
            let target = self.builder.target(text, resource)?;
            let fragment = text.split_once('#').map_or("", |(_, fragment)| fragment);
            let named =
                self.builder.document.pointer(&target).and_then(|schema| schema.get("$dynamicAnchor"));
            let name = named.and_then(Value::as_str).filter(|name| *name == fragment).map(str::to_owned);
            rules.push(Keyword::DynamicReference { fallback, name });
        }
        Ok(())
    }

    fn unevaluated(&mut self, rules: &mut Vec<Keyword>) -> Result<(), String> {
        if self.builder.dialect == Dialect::Draft2020 {
            rules.extend(self.schema("unevaluatedItems")?.map(Keyword::UnevaluatedItems));
            rules.extend(self.schema("unevaluatedProperties")?.map(Keyword::UnevaluatedProperties));
            let asks = |rule: &Keyword| {
                matches!(rule, Keyword::UnevaluatedItems(_) | Keyword::UnevaluatedProperties(_))
            };
            self.builder.tracks |= rules.last().is_some_and(asks);
        }
        Ok(())
    }
}

pub(super) struct SchemaReader<'a> {
    pub(super) document: &'a Value,
    pub(super) dialect: Dialect,
    pub(super) bounds: Bounds,
    pub(super) nodes: Vec<SchemaNode>,
    pub(super) resources: Vec<SchemaResource>,
    pub(super) by_pointer: HashMap<String, NodeId>,
    /// The bytes of all places in it.
    places: usize,
    /// The bytes that are left for the programs of patterns.
    pub(super) programs: usize,
    pub(super) tracks: bool,
}

/// The most bytes that the places of a schema may have together: a long name stands in the place of all that is below it.
const POINTER_BYTES: usize = 4 * 1024 * 1024;

fn dialect_of(schema: &Value) -> Result<Dialect, String> {
    let Some(named) = schema.get("$schema") else { return Ok(Dialect::Draft2020) };
    let Some(named) = named.as_str() else { return Err("$schema is not a string".to_owned()) };
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

impl<'a> SchemaReader<'a> {
    /// Looks through the whole schema, and reads no keyword yet.
    pub(super) fn new(document: &'a Value, bounds: Bounds) -> Result<SchemaReader<'a>, String> {
        let mut builder = SchemaReader {
            document,
            dialect: dialect_of(document)?,
            bounds,
            nodes: Vec::new(),
            resources: vec![SchemaResource::default()],
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
        if self.places > POINTER_BYTES {
            return Err(format!(
                "the places in it have more than {POINTER_BYTES} bytes together; its names are too long"
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
                self.resources.push(SchemaResource {
                    address,
                    pointer: pointer.to_owned(),
                    ..SchemaResource::default()
                });
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
        let inside = |resource: &SchemaResource| {
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

/// A reference joined to its base: the address of a schema resource, and the fragment in it, decoded.
pub(super) fn join(base: &str, reference: &str) -> (String, String) {
    let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let address = if address.is_empty() { base.to_owned() } else { absolute(base, address) };
    (address, percent_decoded(fragment).unwrap_or_else(|| fragment.to_owned()))
}

fn absolute(base: &str, reference: &str) -> String {
    if has_scheme(reference) {
        return reference.to_owned();
    }
    let scheme_end = base.find(':').map_or(0, |colon| colon + 1);
    if reference.starts_with("//") {
        return format!("{}{reference}", &base[..scheme_end]);
    }
    let authority_end = match base[scheme_end..].strip_prefix("//") {
        Some(rest) => base.len() - rest.len() + rest.find('/').unwrap_or(rest.len()),
        None => scheme_end,
    };
    let (root, path) = base.split_at(authority_end);
    let path = if reference.starts_with('/') {
        reference.to_owned()
    } else {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        let folder = if folder.is_empty() && authority_end > scheme_end { "/" } else { folder };
        format!("{folder}{reference}")
    };
    format!("{root}{}", without_dots(&path))
}

fn has_scheme(reference: &str) -> bool {
    reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

/// Section 5.2.4: `.` is here, `..` is one up.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." && parts.len() > 1 {
                    parts.pop();
                }
                if last {
                    parts.push("");
                }
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_joined_to_their_base() {
        for (base, reference, address, fragment) in [
            ("http://a/b/c", "#/x%25y", "http://a/b/c", "/x%y"),
            ("http://a/b/c", "d.json#e", "http://a/b/d.json", "e"),
            ("http://a/b/c", "/d", "http://a/d", ""),
            ("http://a/b/c/", "../d", "http://a/b/d", ""),
            ("http://a", "d", "http://a/d", ""),
            ("http://a/b", "urn:x:y", "urn:x:y", ""),
            ("http://a/b", "//c/d", "http://c/d", ""),
            ("", "d", "d", ""),
        ] {
            assert_eq!(
                join(base, reference),
                (address.to_owned(), fragment.to_owned()),
                "{base} {reference}"
            );
        }
    }
}
