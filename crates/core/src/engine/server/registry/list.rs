//! An ordered list of entries that clients read in pages, and cursors: opaque to clients, and the same in every process that registered
//! the same entries in the same order.
//!
//! A cursor names its list and the place of the last entry that was given. It steers nothing but where a page begins, so it is
//! checked against mistakes and guesses, not sealed: what a client may see is decided for each page again.

use super::Kind;
use super::definition::Invalid;
use crate::engine::hashing::Keyed;
use crate::json;
use crate::protocol::Revision;
#[cfg(feature = "draft")]
use crate::protocol::draft::digest;
use crate::sorted::SortedMap;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Bound;
#[cfg(feature = "draft")]
use std::sync::OnceLock;

/// What a list holds.
pub trait ListEntry {
    /// What it is called, and the member of its definition that it is found by.
    const NAMED: (&str, &str);
    /// What the entry is found by.
    fn key(&self) -> &str;
    /// Its definition, a JSON object.
    fn definition(&self) -> &str;
    /// The first revision that knows a member of the definition with that value; `None` for a member that all know.
    fn since(member: &str, _value: &str) -> Option<Revision> {
        match member {
            "title" | "_meta" => Some(Revision::V2025_06_18),
            "icons" => Some(Revision::V2025_11_25),
            _ => None,
        }
    }
}

/// An entry, and what is made of its definition once.
#[derive(Debug)]
struct Listed<E> {
    entry: E,
    /// Its digest, since it was first asked for; `None` in it if the definition has no canonical text.
    #[cfg(feature = "draft")]
    digest: OnceLock<Option<Box<str>>>,
}

impl<E: ListEntry> Listed<E> {
    fn new(entry: E) -> Listed<E> {
        Listed {
            entry,
            #[cfg(feature = "draft")]
            digest: OnceLock::new(),
        }
    }

    #[cfg(feature = "draft")]
    fn digest(&self, depth: usize) -> Option<&str> {
        let make = || digest::of_definition(self.entry.definition(), depth).map(String::into_boxed_str);
        self.digest.get_or_init(make).as_deref()
    }
}

/// Entries in the order in which they were added. A place is never used twice, so that a walk through the pages meets what was
/// there when it began exactly once, whatever is added or removed meanwhile (S-PA-03).
#[derive(Debug)]
pub struct EntryList<E> {
    entries: SortedMap<u64, Listed<E>>,
    places: HashMap<Box<str>, u64, Keyed>,
    next: u64,
    /// Whether there ever was an entry: what was announced once stays announced.
    used: bool,
}

impl<E: ListEntry> EntryList<E> {
    pub fn new() -> EntryList<E> {
        EntryList { entries: SortedMap::new(), places: HashMap::default(), next: 1, used: false }
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
            let (noun, member) = E::NAMED;
            return Err(Invalid::new(
                member,
                format!("the {noun} '{}' exists already; remove it first", entry.key()),
            ));
        }
        self.places.insert(entry.key().into(), self.next);
        self.entries.insert(self.next, Listed::new(entry));
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
            let text = format!("'{}' does not exist: add it first", entry.key());
            return Err(Invalid::new("name", text));
        };
        Ok(std::mem::replace(old, Listed::new(entry)).entry)
    }

    /// Takes an entry out.
    pub fn remove(&mut self, key: &str) -> Option<E> {
        self.entries.remove(&self.places.remove(key)?).map(|listed| listed.entry)
    }

    /// The entry with that name.
    pub fn get(&self, key: &str) -> Option<&E> {
        self.entries.get(self.places.get(key)?).map(|listed| &listed.entry)
    }

    /// The digest of the entry with that name, whose definition nests at most that deep.
    #[cfg(feature = "draft")]
    pub fn digest(&self, key: &str, depth: usize) -> Option<&str> {
        self.entries.get(self.places.get(key)?)?.digest(depth)
    }

    /// All entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = &E> {
        self.entries.values().map(|listed| &listed.entry)
    }

    /// A number that is another one when the definitions, or their order, are others.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.iter().for_each(|entry| entry.definition().hash(&mut hasher));
        hasher.finish()
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
        let mut rest =
            behind.map(|(place, listed)| (place, &listed.entry)).filter(|(_, entry)| allows(entry));
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
fn write_at<E: ListEntry>(entry: &E, revision: Revision, out: &mut String) {
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

/// The cursor of the page that follows the place `after` of a list.
pub fn write_cursor(list: Kind, after: u64) -> String {
    write_cursor_of(cursor_tag(list), "", after)
}

/// The place that a cursor of this list names; `None` for anything else, cursors of other lists among it (S-PA-01).
pub fn read_cursor(list: Kind, text: &str) -> Option<u64> {
    read_cursor_of(cursor_tag(list), "", text)
}

/// The same for a list that is not one of the registry: `list` is its letter, and `name` which of several it is.
pub fn write_cursor_of(list: u8, name: &str, after: u64) -> String {
    let mut bytes = vec![list];
    bytes.extend_from_slice(&after.to_be_bytes());
    bytes.extend_from_slice(&checksum(&bytes, name).to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Room for the 13 bytes of a cursor, in the steps of its decoder: what is longer is no cursor, and takes no memory.
const CURSOR_BYTES: usize = 16;

/// The place that a cursor of [`write_of`] names.
pub fn read_cursor_of(list: u8, name: &str, text: &str) -> Option<u64> {
    let mut room = [0; CURSOR_BYTES];
    let length = URL_SAFE_NO_PAD.decode_slice(text, &mut room).ok()?;
    let (body, sum) = room.get(..length)?.split_last_chunk::<4>()?;
    let (own, place) = body.split_first()?;
    let is_ours = *own == list && u32::from_be_bytes(*sum) == checksum(body, name);
    is_ours.then_some(u64::from_be_bytes(place.try_into().ok()?))
}

fn cursor_tag(list: Kind) -> u8 {
    match list {
        Kind::Tool => b't',
        Kind::Resource => b'r',
        Kind::Template => b'u',
        Kind::Prompt => b'p',
    }
}

/// FNV-1a: a slip of one byte is noticed.
fn checksum(bytes: &[u8], name: &str) -> u32 {
    bytes
        .iter()
        .chain(name.as_bytes())
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_in_its_own_list_only() {
        let cursor = write_cursor(Kind::Tool, 77);
        assert_eq!(read_cursor(Kind::Tool, &cursor), Some(77));
        assert_eq!(read_cursor(Kind::Prompt, &cursor), None);
        let cursor = write_cursor_of(b'd', "x", 3);
        assert_eq!(read_cursor_of(b'd', "x", &cursor), Some(3));
        assert_eq!(read_cursor_of(b'd', "y", &cursor), None);
        assert_eq!(read_cursor_of(b's', "x", &cursor), None);
    }

    #[test]
    #[cfg(feature = "draft")]
    fn a_digest_is_made_once_for_each_definition() {
        #[derive(Debug)]
        struct Named(String);
        impl ListEntry for Named {
            const NAMED: (&str, &str) = ("tool", "name");
            fn key(&self) -> &'static str {
                "a"
            }
            fn definition(&self) -> &str {
                &self.0
            }
        }
        let named = |title: &str| Named(format!(r#"{{"name":"a","title":"{title}"}}"#));
        let mut list = EntryList::new();
        list.add(named("one")).expect("added");
        let first = list.digest("a", 16).expect("a digest");
        assert_eq!(Some(first), digest::of_definition(&named("one").0, 16).as_deref());
        assert!(std::ptr::eq(first, list.digest("a", 16).expect("the same")));
        let first = first.to_owned();
        list.change(named("two")).expect("changed");
        let second = list.digest("a", 16).map(str::to_owned);
        assert!(second.is_some() && second.as_deref() != Some(first.as_str()));
        assert_eq!(list.digest("b", 16), None);
        list.remove("a");
        assert_eq!(list.digest("a", 16), None);
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let good = write_cursor(Kind::Tool, 1);
        for bad in ["", "x", "1", "AAAA", &good[1..], &good.replace('A', "B"), "\u{e9}"] {
            assert_eq!(read_cursor(Kind::Tool, bad), None, "{bad}");
        }
    }
}
