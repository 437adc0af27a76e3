//! Checks a value against a schema, step by step within the bounds.

use super::model::{Failure, Keyword, Mismatch, NodeId, Schema, SchemaNode};
use super::values::{canonical, float_of, is_of_format, same, shown, whole};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::time::Instant;

/// How many values of an enumeration an error shows.
const VALUES: usize = 10;

/// What the parts of a schema that matched have looked at, of one array or object. Small while no keyword asks: it stands in
/// every frame of a check.
#[derive(Default, Debug)]
pub(super) struct Evaluated(Option<Box<Looked>>);

#[derive(Default, Debug)]
struct Looked {
    names: HashSet<String>,
    items: HashSet<usize>,
}

impl Evaluated {
    fn join(&mut self, other: Evaluated) {
        match (&mut self.0, other.0) {
            (_, None) => {}
            (mine @ None, theirs) => *mine = theirs,
            (Some(mine), Some(theirs)) => {
                mine.names.extend(theirs.names);
                mine.items.extend(theirs.items);
            }
        }
    }

    pub(super) fn add_item(&mut self, index: usize) {
        self.0.get_or_insert_default().items.insert(index);
    }

    pub(super) fn add_name(&mut self, name: &str) {
        self.0.get_or_insert_default().names.insert(name.to_owned());
    }

    pub(super) fn has_item(&self, index: usize) -> bool {
        self.0.as_ref().is_some_and(|looked| looked.items.contains(&index))
    }

    pub(super) fn has_name(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|looked| looked.names.contains(name))
    }
}

pub(super) struct Check<'s> {
    pub(super) schema: &'s Schema,
    steps: usize,
    until: Instant,
    depth: usize,
    /// The resources that the check came through.
    scopes: Vec<usize>,
    /// Where in the value it is.
    pub(super) path: Vec<PathPart>,
}

pub(super) enum PathPart {
    Name(String),
    Index(usize),
}

pub(super) fn check(schema: &Schema, value: &Value) -> Result<(), Failure> {
    let mut run = Check {
        schema,
        steps: 0,
        until: Instant::now() + schema.bounds.time,
        depth: 0,
        scopes: Vec::new(),
        path: Vec::new(),
    };
    run.node(schema.root, value).map(drop)
}

/// How many steps go by between two looks at the clock.
const CLOCK: usize = 1024;

pub(super) type NodeResult = Result<Evaluated, Failure>;

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match (value, name) {
        (Value::Number(number), "integer") => whole(number).is_some(),
        _ => kind(value) == name,
    }
}

pub(super) fn long(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

// Checks go as deep as their bound allows, on the stack of a thread of the application's: what recurses is kept apart, so
// that no frame of it holds what another needs.
impl Check<'_> {
    pub(super) fn step(&mut self) -> Result<(), Failure> {
        self.steps_of(1)
    }

    /// What takes as long as so many steps: a look at a long text, or at many members.
    pub(super) fn steps_of(&mut self, steps: usize) -> Result<(), Failure> {
        let before = self.steps;
        self.steps = before.saturating_add(steps);
        if self.steps > self.schema.bounds.steps {
            return Err(Failure::Bound("it takes too many steps"));
        }
        if before / CLOCK != self.steps / CLOCK && Instant::now() > self.until {
            return Err(Failure::Bound("it takes too long"));
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn no<R>(&self, keyword: &'static str, what: String) -> Result<R, Failure> {
        let at = self.path.iter().fold(String::new(), |at, step| match step {
            PathPart::Name(name) => format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
            PathPart::Index(index) => format!("{at}/{index}"),
        });
        Err(Failure::Mismatch(Box::new(Mismatch { at, keyword, what })))
    }

    pub(super) fn node(&mut self, id: NodeId, value: &Value) -> NodeResult {
        self.step()?;
        let schema = self.schema;
        match schema.nodes.get(id) {
            Some(SchemaNode::Bool(true)) => Ok(Evaluated::default()),
            Some(SchemaNode::Rules { rules, resource }) => {
                if self.depth > schema.bounds.depth {
                    return Err(Failure::Bound("it goes too deep"));
                }
                self.depth += 1;
                let enters = self.scopes.last() != Some(resource);
                if enters {
                    self.scopes.push(*resource);
                }
                let outcome = self.rules(rules, value);
                if enters {
                    self.scopes.pop();
                }
                self.depth -= 1;
                outcome
            }
            Some(SchemaNode::Bool(false) | SchemaNode::Pending) | None => {
                self.no("false", "is not allowed here".to_owned())
            }
        }
    }

    #[inline(never)]
    fn rules(&mut self, rules: &[Keyword], value: &Value) -> NodeResult {
        let mut seen = Evaluated::default();
        for rule in rules {
            self.step()?;
            match value {
                Value::Number(number) => self.number(rule, number)?,
                Value::String(text) => self.text(rule, text)?,
                Value::Array(items) => self.array(rule, items, &mut seen)?,
                Value::Object(members) => self.object(rule, members, &mut seen)?,
                Value::Null | Value::Bool(_) => {}
            }
            self.value(rule, value)?;
            self.combined(rule, value, &mut seen)?;
        }
        Ok(seen)
    }

    #[inline(never)]
    fn number(&self, rule: &Keyword, number: &serde_json::Number) -> Result<(), Failure> {
        let float = float_of(number);
        match rule {
            Keyword::Least { bound, exclusive } if float < *bound || *exclusive && float <= *bound => {
                self.no("minimum", format!("is {number}, below {bound}"))
            }
            Keyword::Most { bound, exclusive } if float > *bound || *exclusive && float >= *bound => {
                self.no("maximum", format!("is {number}, above {bound}"))
            }
            Keyword::MultipleOf(factor) => {
                let quotient = float / factor;
                let off = (quotient - quotient.round()).abs();
                if quotient.is_finite() && off <= quotient.abs() * f64::EPSILON * 4.0 {
                    return Ok(());
                }
                self.no("multipleOf", format!("is {number}, not a multiple of {factor}"))
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn text(&mut self, rule: &Keyword, text: &str) -> Result<(), Failure> {
        self.steps_of(match rule {
            Keyword::MinLength(_) | Keyword::MaxLength(_) => text.len() / 1024,
            Keyword::Pattern(pattern) => pattern.steps(text),
            Keyword::Format(_) if self.schema.formats => text.len() / 64,
            _ => 0,
        })?;
        let length = || long(text.chars().count());
        match rule {
            Keyword::MinLength(least) if length() < *least => {
                self.no("minLength", format!("has {} characters, fewer than {least}", length()))
            }
            Keyword::MaxLength(most) if length() > *most => {
                self.no("maxLength", format!("has {} characters, more than {most}", length()))
            }
            Keyword::Pattern(pattern) if !pattern.is_match(text) => {
                self.no("pattern", format!("does not match {}", pattern.as_str()))
            }
            Keyword::Format(name) if self.schema.formats && is_of_format(name, text) == Some(false) => {
                self.no("format", format!("is not a valid {name}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a part matches; only a bound is an error.
    fn attempt(&mut self, node: NodeId, value: &Value) -> Result<Result<Evaluated, Box<Mismatch>>, Failure> {
        match self.node(node, value) {
            Ok(seen) => Ok(Ok(seen)),
            Err(Failure::Mismatch(mismatch)) => Ok(Err(mismatch)),
            Err(bound) => Err(bound),
        }
    }

    #[inline(never)]
    fn value(&self, rule: &Keyword, value: &Value) -> Result<(), Failure> {
        match rule {
            Keyword::Types(names) if !names.iter().any(|name| is_of_type(value, name)) => {
                self.no("type", format!("is {} and not of type {}", shown(value), names.join(" or ")))
            }
            Keyword::Enum(values) if !values.iter().any(|known| same(known, value)) => {
                let mut known: Vec<String> = values.iter().take(VALUES).map(shown).collect();
                if values.len() > VALUES {
                    known.push("…".to_owned());
                }
                self.no(
                    "enum",
                    format!("is {}, not one of the values allowed: {}", shown(value), known.join(", ")),
                )
            }
            Keyword::Const(known) if !same(known, value) => {
                self.no("const", format!("is {} and not {}", shown(value), shown(known)))
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn combined(&mut self, rule: &Keyword, value: &Value, seen: &mut Evaluated) -> Result<(), Failure> {
        match rule {
            Keyword::AllOf(nodes) => {
                for node in nodes {
                    seen.join(self.node(*node, value)?);
                }
                Ok(())
            }
            Keyword::AnyOf(nodes) => self.any_of(nodes, value, seen),
            Keyword::OneOf(nodes) => self.one_of(nodes, value, seen),
            Keyword::Not(node) => match self.attempt(*node, value)? {
                Ok(_) => self.no("not", "has a form that it must not have".to_owned()),
                Err(_) => Ok(()),
            },
            Keyword::If { test, then, otherwise } => {
                let branch = match self.attempt(*test, value)? {
                    Ok(tested) => {
                        seen.join(tested);
                        then
                    }
                    Err(_) => otherwise,
                };
                if let Some(node) = branch {
                    seen.join(self.node(*node, value)?);
                }
                Ok(())
            }
            Keyword::DependentSchemas(each) => {
                for (name, node) in each {
                    if value.get(name).is_some() {
                        seen.join(self.node(*node, value)?);
                    }
                }
                Ok(())
            }
            Keyword::Reference(node) => {
                seen.join(self.node(*node, value)?);
                Ok(())
            }
            Keyword::DynamicReference { fallback, name } => {
                let schema = self.schema;
                let outermost = name.as_ref().and_then(|name| {
                    self.scopes.iter().find_map(|scope| schema.resources.get(*scope)?.dynamic.get(name))
                });
                seen.join(self.node(*outermost.unwrap_or(fallback), value)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn any_of(&mut self, nodes: &[NodeId], value: &Value, seen: &mut Evaluated) -> Result<(), Failure> {
        let mut nearest: Option<Box<Mismatch>> = None;
        let mut matches = false;
        for node in nodes {
            match self.attempt(*node, value)? {
                Ok(found) => {
                    matches = true;
                    seen.join(found);
                    if !self.schema.tracks {
                        return Ok(());
                    }
                }
                // What failed deepest inside says most.
                Err(other) if nearest.as_ref().is_none_or(|known| other.at.len() > known.at.len()) => {
                    nearest = Some(other);
                }
                Err(_) => {}
            }
        }
        match nearest {
            Some(nearest) if !matches => Err(Failure::Mismatch(nearest)),
            None if !matches => self.no("anyOf", "has none of the forms allowed".to_owned()),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn one_of(&mut self, nodes: &[NodeId], value: &Value, seen: &mut Evaluated) -> Result<(), Failure> {
        let mut matches = 0;
        let mut mismatch = None;
        for node in nodes {
            match self.attempt(*node, value)? {
                Ok(found) => {
                    matches += 1;
                    seen.join(found);
                }
                Err(other) => mismatch = Some(other),
            }
        }
        match (matches, mismatch) {
            (1, _) => Ok(()),
            (0, Some(only)) if nodes.len() == 1 => Err(Failure::Mismatch(only)),
            (0, _) => self.no("oneOf", "has none of the forms allowed".to_owned()),
            _ => self.no("oneOf", format!("has {matches} of the forms of which it may have one")),
        }
    }
}

/// How many names can be looked up in the time of a step.
const LOOKUPS: usize = 8;

impl Check<'_> {
    fn item(&mut self, index: usize, node: NodeId, item: &Value) -> Result<(), Failure> {
        self.path.push(PathPart::Index(index));
        let outcome = self.node(node, item);
        self.path.pop();
        outcome.map(drop)
    }

    #[inline(never)]
    pub(super) fn array(
        &mut self,
        rule: &Keyword,
        items: &[Value],
        seen: &mut Evaluated,
    ) -> Result<(), Failure> {
        let tracks = self.schema.tracks;
        match rule {
            Keyword::MinItems(least) if long(items.len()) < *least => {
                return self.no("minItems", format!("has {} items, fewer than {least}", items.len()));
            }
            Keyword::MaxItems(most) if long(items.len()) > *most => {
                return self.no("maxItems", format!("has {} items, more than {most}", items.len()));
            }
            Keyword::Unique => {
                let mut known = HashSet::new();
                for item in items {
                    self.step()?;
                    let mut text = String::new();
                    canonical(item, &mut text);
                    self.steps_of(text.len() / 64)?;
                    if !known.insert(text) {
                        return self.no("uniqueItems", format!("has {} twice", shown(item)));
                    }
                }
            }
            Keyword::Items { prefix, rest } => {
                for (index, item) in items.iter().enumerate() {
                    let Some(node) = prefix.get(index).or(rest.as_ref()) else { break };
                    self.item(index, *node, item)?;
                    if tracks {
                        seen.add_item(index);
                    }
                }
            }
            Keyword::Contains { node, least, most, evaluates } => {
                let mut found = 0;
                for (index, item) in items.iter().enumerate() {
                    match self.item(index, *node, item) {
                        Ok(()) => {
                            found += 1;
                            if tracks && *evaluates {
                                seen.add_item(index);
                            }
                        }
                        Err(Failure::Mismatch(_)) => {}
                        Err(bound) => return Err(bound),
                    }
                }
                if found < *least {
                    return self
                        .no("contains", format!("has {found} items of the wanted form, fewer than {least}"));
                }
                if let Some(most) = most.filter(|most| found > *most) {
                    return self
                        .no("maxContains", format!("has {found} items of that form, more than {most}"));
                }
            }
            Keyword::UnevaluatedItems(node) => {
                for (index, item) in items.iter().enumerate() {
                    if !seen.has_item(index) {
                        self.item(index, *node, item)?;
                        seen.add_item(index);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn member(&mut self, name: &str, node: NodeId, value: &Value) -> Result<(), Failure> {
        self.path.push(PathPart::Name(name.to_owned()));
        let outcome = self.node(node, value);
        self.path.pop();
        outcome.map(drop)
    }

    #[inline(never)]
    pub(super) fn object(
        &mut self,
        rule: &Keyword,
        members: &Map<String, Value>,
        seen: &mut Evaluated,
    ) -> Result<(), Failure> {
        let tracks = self.schema.tracks;
        match rule {
            Keyword::MinProperties(least) if long(members.len()) < *least => {
                return self
                    .no("minProperties", format!("has {} members, fewer than {least}", members.len()));
            }
            Keyword::MaxProperties(most) if long(members.len()) > *most => {
                return self.no("maxProperties", format!("has {} members, more than {most}", members.len()));
            }
            Keyword::Required(names) => {
                self.steps_of(names.len() / LOOKUPS)?;
                if let Some(missing) = names.iter().find(|name| !members.contains_key(*name)) {
                    return self.no("required", format!("has no member '{missing}'"));
                }
            }
            Keyword::Properties { named, patterns, rest } => {
                self.steps_of(members.len() / LOOKUPS)?;
                for (name, value) in members {
                    let mut known = false;
                    if let Some(node) = named.get(name) {
                        known = true;
                        self.member(name, *node, value)?;
                    }
                    for (pattern, node) in patterns {
                        self.steps_of(1 + pattern.steps(name))?;
                        if pattern.is_match(name) {
                            known = true;
                            self.member(name, *node, value)?;
                        }
                    }
                    if let (false, Some(node)) = (known, rest) {
                        known = true;
                        self.member(name, *node, value)?;
                    }
                    if tracks && known {
                        seen.add_name(name);
                    }
                }
            }
            Keyword::Names(node) => {
                for name in members.keys() {
                    self.member(name, *node, &Value::String(name.clone()))?;
                }
            }
            Keyword::DependentRequired(each) => {
                self.steps_of(each.iter().map(|(_, wanted)| 1 + wanted.len()).sum::<usize>() / LOOKUPS)?;
                for (name, wanted) in each.iter().filter(|(name, _)| members.contains_key(name)) {
                    if let Some(missing) = wanted.iter().find(|name| !members.contains_key(*name)) {
                        let what = format!("has '{name}', and then needs '{missing}'");
                        return self.no("dependentRequired", what);
                    }
                }
            }
            Keyword::UnevaluatedProperties(node) => {
                self.steps_of(members.len() / LOOKUPS)?;
                for (name, value) in members {
                    if !seen.has_name(name) {
                        self.member(name, *node, value)?;
                        seen.add_name(name);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
