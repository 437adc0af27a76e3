//! An ordered list of entries that clients read in pages.

use super::invalid::Invalid;
use crate::engine::hashing::Keyed;
use crate::json;
use crate::protocol::Revision;
use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

/// What a list holds.
pub trait Entry {
    /// What the entry is found by.
    fn key(&self) -> &str;
    /// Its definition, a JSON object.
    fn definition(&self) -> &str;
    /// The first revision that knows a member of the definition with that value; `None` for a member that all know.
    fn since(member: &str, value: &str) -> Option<Revision>;
}

/// Entries in the order in which they were added. A place is never used twice, so that a walk through the pages meets what was
/// there when it began exactly once, whatever is added or removed meanwhile (S-PA-03).
#[derive(Debug)]
pub struct List<E> {
    entries: BTreeMap<u64, E>,
    places: HashMap<Box<str>, u64, Keyed>,
    next: u64,
    /// Whether there ever was an entry: what was announced once stays announced.
    used: bool,
}

impl<E: Entry> List<E> {
    pub fn new() -> List<E> {
        List { entries: BTreeMap::new(), places: HashMap::default(), next: 1, used: false }
    }

    /// Whether there ever was an entry.
    pub fn was_used(&self) -> bool {
        self.used
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// There is one with its name already.
    pub fn add(&mut self, entry: E) -> Result<(), Invalid> {
        if self.places.contains_key(entry.key()) {
            return Err(Invalid::new("name", format!("'{}' is there already", entry.key())));
        }
        self.places.insert(entry.key().into(), self.next);
        self.entries.insert(self.next, entry);
        self.next += 1;
        self.used = true;
        Ok(())
    }

    /// Replaces the entry of the same name, at its place. Gives the old one.
    ///
    /// # Errors
    /// There is none with its name.
    pub fn change(&mut self, entry: E) -> Result<E, Invalid> {
        let place = self.places.get(entry.key());
        let Some(old) = place.and_then(|place| self.entries.get_mut(place)) else {
            let text = format!("'{}' is not there: add it first", entry.key());
            return Err(Invalid::new("name", text));
        };
        Ok(std::mem::replace(old, entry))
    }

    /// Takes an entry out.
    pub fn remove(&mut self, key: &str) -> Option<E> {
        self.entries.remove(&self.places.remove(key)?)
    }

    /// The entry with that name.
    pub fn get(&self, key: &str) -> Option<&E> {
        self.entries.get(self.places.get(key)?)
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = &E> {
        self.entries.values()
    }

    /// The page after the place `after`: an array of the entries that `allows`, as JSON text, and the place of its last entry
    /// if another page follows.
    pub fn page(
        &self,
        revision: Revision,
        after: u64,
        size: usize,
        allows: &dyn Fn(&E) -> bool,
    ) -> (String, Option<u64>) {
        let mut text = String::from("[");
        let mut last = after;
        let behind = self.entries.range((Bound::Excluded(after), Bound::Unbounded));
        let mut rest = behind.filter(|(_, entry)| allows(entry));
        for (place, entry) in rest.by_ref().take(size.max(1)) {
            if last != after {
                text.push(',');
            }
            last = *place;
            write_at(entry, revision, &mut text);
        }
        text.push(']');
        let more = rest.next().is_some();
        (text, more.then_some(last))
    }
}

/// Writes a definition without the members that came after `revision` (S-LC-04).
fn write_at<E: Entry>(entry: &E, revision: Revision, out: &mut String) {
    let is_newer = |(name, value): &(&str, &str)| E::since(name, value).is_some_and(|since| revision < since);
    let definition = entry.definition();
    if !json::members(definition).any(|member| is_newer(&member)) {
        out.push_str(definition);
        return;
    }
    out.push('{');
    let mut first = true;
    for (name, value) in json::members(definition).filter(|member| !is_newer(member)) {
        if !first {
            out.push(',');
        }
        first = false;
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        out.push_str(value);
    }
    out.push('}');
}
