//! Reads a schema into nodes: each schema in it is one, and each keyword that says something is a rule of its node.

use super::builder::{Builder, place, under};
use super::model::{Bounds, Dialect, Node, NodeId, Rule, Schema};
use super::pattern::Pattern;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Reads a schema.
pub(super) fn read(schema: &Value, bounds: Bounds) -> Result<Schema, String> {
    let mut builder = Builder::new(schema, bounds)?;
    let root = builder.node("", 0)?;
    for index in 0..builder.resources.len() {
        for (name, pointer) in std::mem::take(&mut builder.resources[index].dynamic_at) {
            let node = builder.node(&pointer, 0)?;
            builder.resources[index].dynamic.insert(name, node);
        }
    }
    let Builder { nodes, resources, tracks, .. } = builder;
    Ok(Schema { nodes, resources, root, bounds, tracks, formats: false })
}

impl Builder<'_> {
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
            return Err(format!("there is nothing at {pointer}, to which it refers"));
        };
        let id = self.nodes.len();
        self.nodes.push(Node::Pending);
        self.place(pointer, id)?;
        self.nodes[id] = match schema {
            Value::Bool(value) => Node::Bool(*value),
            Value::Object(members) => {
                let resource = self.resource_at(pointer);
                Node::Rules { rules: self.rules(members, pointer, resource, depth)?, resource }
            }
            other => return Err(format!("{other} at {} is no schema", place(pointer))),
        };
        Ok(id)
    }

    fn rules(
        &mut self,
        members: &Map<String, Value>,
        pointer: &str,
        resource: usize,
        depth: usize,
    ) -> Result<Vec<Rule>, String> {
        if let (Dialect::Draft7, Some(reference)) = (self.dialect, members.get("$ref")) {
            // In draft-07 nothing stands beside a reference.
            return Ok(vec![Rule::Reference(self.refer(reference, resource, depth)?)]);
        }
        let mut reader = Reader { builder: self, members, pointer, resource, depth };
        let mut rules = Vec::new();
        reader.values(&mut rules)?;
        reader.arrays(&mut rules)?;
        reader.objects(&mut rules)?;
        reader.combined(&mut rules)?;
        // Last: these ask what the others have looked at.
        reader.unevaluated(&mut rules)?;
        Ok(rules)
    }

    /// The node that a reference leads to. It must be in the document: nothing is fetched.
    fn refer(&mut self, reference: &Value, resource: usize, depth: usize) -> Result<NodeId, String> {
        let Some(reference) = reference.as_str() else { return Err("a $ref is no string".to_owned()) };
        let pointer = self.target(reference, resource)?;
        self.node(&pointer, depth + 1)
    }
}

/// Reads the keywords of one schema.
struct Reader<'b, 'a, 'm> {
    builder: &'b mut Builder<'a>,
    members: &'m Map<String, Value>,
    pointer: &'m str,
    resource: usize,
    depth: usize,
}

impl Reader<'_, '_, '_> {
    fn wrong<R>(&self, name: &str, wanted: &str) -> Result<R, String> {
        Err(format!("'{name}' at {} is not {wanted}", place(self.pointer)))
    }

    fn count(&self, name: &str) -> Result<Option<u64>, String> {
        match self.members.get(name) {
            None => Ok(None),
            Some(Value::Number(number)) => match super::same::whole(number).map(u64::try_from) {
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

    fn values(&mut self, rules: &mut Vec<Rule>) -> Result<(), String> {
        match self.members.get("type") {
            None => {}
            Some(Value::String(name)) => rules.push(Rule::Types(vec![name.clone()])),
            Some(list) => rules.push(Rule::Types(self.strings("type", list)?)),
        }
        if let Some(Rule::Types(types)) = rules.last() {
            const KNOWN: [&str; 7] = ["null", "boolean", "number", "integer", "string", "array", "object"];
            if let Some(odd) = types.iter().find(|name| !KNOWN.contains(&name.as_str())) {
                return Err(format!("'{odd}' at {} is no type", place(self.pointer)));
            }
        }
        match self.members.get("enum") {
            None => {}
            Some(Value::Array(values)) => rules.push(Rule::Enum(values.clone())),
            Some(_) => return self.wrong("enum", "a list"),
        }
        if let Some(value) = self.members.get("const") {
            rules.push(Rule::Const(value.clone()));
        }
        if let Some(factor) = self.number("multipleOf")? {
            if factor <= 0.0 {
                return self.wrong("multipleOf", "above 0");
            }
            rules.push(Rule::MultipleOf(factor));
        }
        for (name, exclusive) in [("minimum", false), ("exclusiveMinimum", true)] {
            if let Some(bound) = self.number(name)? {
                rules.push(Rule::Least { bound, exclusive });
            }
        }
        for (name, exclusive) in [("maximum", false), ("exclusiveMaximum", true)] {
            if let Some(bound) = self.number(name)? {
                rules.push(Rule::Most { bound, exclusive });
            }
        }
        rules.extend(self.count("minLength")?.map(Rule::MinLength));
        rules.extend(self.count("maxLength")?.map(Rule::MaxLength));
        match self.members.get("pattern") {
            None => {}
            Some(Value::String(text)) => rules.push(Rule::Pattern(self.pattern(text)?)),
            Some(_) => return self.wrong("pattern", "a string"),
        }
        if let Some(format) = self.members.get("format").and_then(Value::as_str) {
            rules.push(Rule::Format(format.to_owned()));
        }
        Ok(())
    }

    fn arrays(&mut self, rules: &mut Vec<Rule>) -> Result<(), String> {
        rules.extend(self.count("minItems")?.map(Rule::MinItems));
        rules.extend(self.count("maxItems")?.map(Rule::MaxItems));
        match self.members.get("uniqueItems") {
            None | Some(Value::Bool(false)) => {}
            Some(Value::Bool(true)) => rules.push(Rule::Unique),
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
            rules.push(Rule::Items { prefix: prefix.unwrap_or_default(), rest });
        }
        if let Some(node) = self.schema("contains")? {
            let modern = self.builder.dialect == Dialect::Draft2020;
            let least = self.count("minContains")?.filter(|_| modern).unwrap_or(1);
            let most = self.count("maxContains")?.filter(|_| modern);
            rules.push(Rule::Contains { node, least, most, evaluates: modern });
        }
        Ok(())
    }

    fn objects(&mut self, rules: &mut Vec<Rule>) -> Result<(), String> {
        rules.extend(self.count("minProperties")?.map(Rule::MinProperties));
        rules.extend(self.count("maxProperties")?.map(Rule::MaxProperties));
        if let Some(list) = self.members.get("required") {
            rules.push(Rule::Required(self.strings("required", list)?));
        }
        let named: HashMap<String, NodeId> = self.named("properties")?.into_iter().collect();
        let mut patterns = Vec::new();
        for (pattern, node) in self.named("patternProperties")? {
            patterns.push((self.pattern(&pattern)?, node));
        }
        let rest = self.schema("additionalProperties")?;
        if !named.is_empty() || !patterns.is_empty() || rest.is_some() {
            rules.push(Rule::Properties { named, patterns, rest });
        }
        rules.extend(self.schema("propertyNames")?.map(Rule::Names));
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
            rules.push(Rule::DependentRequired(required));
        }
        if !schemas.is_empty() {
            rules.push(Rule::DependentSchemas(schemas));
        }
        Ok(())
    }

    fn combined(&mut self, rules: &mut Vec<Rule>) -> Result<(), String> {
        rules.extend(self.schemas("allOf")?.map(Rule::AllOf));
        rules.extend(self.schemas("anyOf")?.map(Rule::AnyOf));
        rules.extend(self.schemas("oneOf")?.map(Rule::OneOf));
        rules.extend(self.schema("not")?.map(Rule::Not));
        if let Some(test) = self.schema("if")? {
            let (then, otherwise) = (self.schema("then")?, self.schema("else")?);
            rules.push(Rule::If { test, then, otherwise });
        }
        let (members, resource, depth) = (self.members, self.resource, self.depth);
        if let Some(reference) = members.get("$ref") {
            rules.push(Rule::Reference(self.builder.refer(reference, resource, depth)?));
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
            rules.push(Rule::DynamicReference { fallback, name });
        }
        Ok(())
    }

    fn unevaluated(&mut self, rules: &mut Vec<Rule>) -> Result<(), String> {
        if self.builder.dialect == Dialect::Draft2020 {
            rules.extend(self.schema("unevaluatedItems")?.map(Rule::UnevaluatedItems));
            rules.extend(self.schema("unevaluatedProperties")?.map(Rule::UnevaluatedProperties));
            let asks =
                |rule: &Rule| matches!(rule, Rule::UnevaluatedItems(_) | Rule::UnevaluatedProperties(_));
            self.builder.tracks |= rules.last().is_some_and(asks);
        }
        Ok(())
    }
}
