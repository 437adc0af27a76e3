//! References, and the end of reading: each place that was referred to while it was read becomes what it turned out to be.

use super::super::model::{Declaration, Shape, Type};
use super::super::naming::{pascal, words};
use super::super::text;
use super::graph::{decide, each_type, endless, gather, reaches, renumbered, shallow};
use super::{COLLECTIONS, Place, Reader, Reference, nullable};
use mcp::client::percent_decoded;
use serde_json::Value;
use std::collections::HashMap;

impl Reader<'_> {
    pub(super) fn reference(&mut self, target: &Value, place: Place<'_>, hint: &[String]) -> Type {
        let Some(target) = target.as_str() else { return self.lose(place.path, "the reference is not text") };
        let Some(pointer) = target.strip_prefix('#').filter(|it| it.is_empty() || it.starts_with('/')) else {
            return self.lose(place.path, "the reference does not lead to a place in the document");
        };
        let key = (place.is_result, pointer.to_owned());
        match self.references.get(&key) {
            Some(Reference::Read(kind)) => return kind.clone(),
            Some(Reference::Reading(Some(slot))) => return Type::Named(*slot),
            Some(Reference::Reading(None)) => {
                let slot = self.declarations.len();
                self.declarations.push(None);
                self.references.insert(key, Reference::Reading(Some(slot)));
                return Type::Named(slot);
            }
            None => {}
        }
        let found =
            percent_decoded(pointer).and_then(|decoded| Some((place.root.pointer(&decoded)?, decoded)));
        let Some((schema, decoded)) = found else {
            return self.lose(place.path, "the reference leads nowhere");
        };
        self.references.insert(key.clone(), Reference::Reading(None));
        let last = decoded.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
        let own = if last.is_empty() { hint.to_vec() } else { words(&last) };
        let kind = self.read(schema, place.deeper(), &own);
        if let Some(Reference::Reading(Some(slot))) =
            self.references.insert(key, Reference::Read(kind.clone()))
        {
            self.aliases.insert(slot, kind.clone());
        }
        kind
    }

    /// The declarations that the types need, and the types with the numbers of these.
    pub fn finish(mut self, roots: &mut [&mut Type]) -> (Vec<Declaration>, Vec<String>) {
        let mut order: Vec<usize> = Vec::new();
        for root in roots.iter_mut() {
            **root = self.settled(root, &mut Vec::new());
            gather(root, &mut order);
        }
        let mut at = 0;
        while at < order.len() {
            let number = order[at];
            if let Some(Some(mut declaration)) = self.declarations.get(number).cloned() {
                let mut found = Vec::new();
                each_type(&mut declaration.shape, &mut |kind| found.push(kind.clone()));
                let mut settled = found
                    .iter()
                    .map(|kind| self.settled(kind, &mut Vec::new()))
                    .collect::<Vec<_>>()
                    .into_iter();
                each_type(&mut declaration.shape, &mut |kind| {
                    if let Some(new) = settled.next() {
                        gather(&new, &mut order);
                        *kind = new;
                    }
                });
                self.declarations[number] = Some(declaration);
            }
            at += 1;
        }
        let places: HashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let renumber = |kind: &mut Type| renumbered(kind, &places);
        let mut kept: Vec<Declaration> = Vec::new();
        for number in &order {
            let mut declaration =
                self.declarations.get(*number).cloned().flatten().unwrap_or_else(|| Declaration {
                    name: format!("Unknown{number}"),
                    description: String::new(),
                    shape: Shape::Enumeration(Vec::new()),
                    is_recursive: false,
                });
            each_type(&mut declaration.shape, &mut |kind| renumber(kind));
            kept.push(declaration);
        }
        for root in roots.iter_mut() {
            renumber(root);
        }
        let mut flattened = 0;
        let mut flatten = |kind: &mut Type| flattened += shallow(kind, COLLECTIONS);
        for declaration in &mut kept {
            each_type(&mut declaration.shape, &mut flatten);
        }
        for root in roots.iter_mut() {
            flatten(root);
        }
        if flattened > 0 {
            self.note(&pascal(&self.prefix), "lists in lists are any JSON where they nest deep");
        }
        for _ in 0..kept.len() {
            let Some((number, field)) = endless(&kept) else { break };
            if let Some(Shape::Object(object)) = kept.get_mut(number).map(|it| &mut it.shape) {
                object.fields[field].kind = Type::Json;
                let path =
                    format!("{}/{}", pascal(&self.prefix), text::plain(&object.fields[field].wire, 60));
                self.note(&path, "a value would contain itself without an end");
            }
        }
        decide(&mut kept);
        for number in 0..kept.len() {
            kept[number].is_recursive = reaches(&kept, number);
        }
        if self.lost > self.losses.len() {
            let more = self.lost - self.losses.len();
            self.losses.push(format!("and {more} more"));
        }
        (kept, self.losses)
    }

    /// The type with the places that were referred to while they were read as what they became.
    pub(super) fn settled(&mut self, kind: &Type, open: &mut Vec<usize>) -> Type {
        match kind {
            Type::Named(number) => {
                let Some(alias) = self.aliases.get(number).cloned() else {
                    return if self.declarations.get(*number).is_some_and(Option::is_some) {
                        kind.clone()
                    } else {
                        self.lose("a reference", "it leads to itself")
                    };
                };
                if open.contains(number) {
                    return self.lose("a reference", "it leads to itself with no object between");
                }
                open.push(*number);
                let settled = self.settled(&alias, open);
                open.pop();
                settled
            }
            Type::Array(item) => Type::Array(Box::new(self.settled(item, open))),
            Type::Map(item) => Type::Map(Box::new(self.settled(item, open))),
            Type::Nullable(item) => nullable(self.settled(item, open)),
            other => other.clone(),
        }
    }
}
