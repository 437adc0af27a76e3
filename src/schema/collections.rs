//! Checks of arrays and objects: their number, and each of their parts.

use super::check::{PathPart, Run, Seen, long};
use super::model::{Failure, NodeId, Rule};
use super::same::canonical;
use super::shown::shown;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// How many names can be looked up in the time of a step.
const LOOKUPS: usize = 8;

impl Run<'_> {
    fn item(&mut self, index: usize, node: NodeId, item: &Value) -> Result<(), Failure> {
        self.path.push(PathPart::Index(index));
        let outcome = self.node(node, item);
        self.path.pop();
        outcome.map(drop)
    }

    #[inline(never)]
    pub(super) fn array(&mut self, rule: &Rule, items: &[Value], seen: &mut Seen) -> Result<(), Failure> {
        let tracks = self.schema.tracks;
        match rule {
            Rule::MinItems(least) if long(items.len()) < *least => {
                return self.no("minItems", format!("has {} items, fewer than {least}", items.len()));
            }
            Rule::MaxItems(most) if long(items.len()) > *most => {
                return self.no("maxItems", format!("has {} items, more than {most}", items.len()));
            }
            Rule::Unique => {
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
            Rule::Items { prefix, rest } => {
                for (index, item) in items.iter().enumerate() {
                    let Some(node) = prefix.get(index).or(rest.as_ref()) else { break };
                    self.item(index, *node, item)?;
                    if tracks {
                        seen.add_item(index);
                    }
                }
            }
            Rule::Contains { node, least, most, evaluates } => {
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
            Rule::UnevaluatedItems(node) => {
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
        rule: &Rule,
        members: &Map<String, Value>,
        seen: &mut Seen,
    ) -> Result<(), Failure> {
        let tracks = self.schema.tracks;
        match rule {
            Rule::MinProperties(least) if long(members.len()) < *least => {
                return self
                    .no("minProperties", format!("has {} members, fewer than {least}", members.len()));
            }
            Rule::MaxProperties(most) if long(members.len()) > *most => {
                return self.no("maxProperties", format!("has {} members, more than {most}", members.len()));
            }
            Rule::Required(names) => {
                self.steps_of(names.len() / LOOKUPS)?;
                if let Some(missing) = names.iter().find(|name| !members.contains_key(*name)) {
                    return self.no("required", format!("has no member '{missing}'"));
                }
            }
            Rule::Properties { named, patterns, rest } => {
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
            Rule::Names(node) => {
                for name in members.keys() {
                    self.member(name, *node, &Value::String(name.clone()))?;
                }
            }
            Rule::DependentRequired(each) => {
                self.steps_of(each.iter().map(|(_, wanted)| 1 + wanted.len()).sum::<usize>() / LOOKUPS)?;
                for (name, wanted) in each.iter().filter(|(name, _)| members.contains_key(name)) {
                    if let Some(missing) = wanted.iter().find(|name| !members.contains_key(*name)) {
                        let what = format!("has '{name}', and then needs '{missing}'");
                        return self.no("dependentRequired", what);
                    }
                }
            }
            Rule::UnevaluatedProperties(node) => {
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
