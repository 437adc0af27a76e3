//! The skills that a server publishes (extension `io.modelcontextprotocol/skills`), as they were when their folders were read:
//! entries, files and folders always belong together (S-SK-02).

use super::access::{Lacks, Reader};
use super::registry::{Entry, Invalid, Kind, List};
use crate::json;
use crate::protocol::Revision;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// What one folder of skills has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillSet {
    /// Its skills.
    pub skills: Vec<Skill>,
    /// The results of reading its files, by URI: JSON text.
    pub files: BTreeMap<String, Arc<str>>,
    /// The direct children of its folders, by URI: `Resource` objects as JSON text.
    pub folders: BTreeMap<String, Vec<String>>,
    /// The bytes of its files.
    pub bytes: usize,
}

/// One skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// That file as a `Resource` object, JSON text.
    pub resource: String,
    /// Its entry, JSON text.
    pub entry: String,
}

impl Skill {
    /// The URI of its folder.
    fn root(&self) -> &str {
        self.uri.rsplit_once('/').map_or("", |(root, _)| root)
    }
}

impl Entry for Skill {
    fn key(&self) -> &str {
        &self.uri
    }

    fn definition(&self) -> &str {
        &self.entry
    }

    fn since(_member: &str, _value: &str) -> Option<Revision> {
        None
    }
}

/// What became different.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// `SKILL.md` files that are there no more.
    pub gone: Vec<String>,
    /// Files that were changed, added or removed.
    pub files: Vec<String>,
}

/// The folders of skills. Owns them.
#[derive(Debug)]
pub(super) struct Skills {
    list: List<Skill>,
    /// What each folder has, by its name.
    sets: BTreeMap<Box<str>, SkillSet>,
    /// Counts the changes: a cursor in the middle of a folder is good until the next one.
    version: u64,
}

impl Skills {
    /// No skills.
    pub fn new() -> Skills {
        Skills { list: List::new(), sets: BTreeMap::new(), version: 0 }
    }

    /// Whether the server has the extension: it ever had a folder of skills.
    pub fn are_served(&self) -> bool {
        self.version > 0
    }

    /// The `SKILL.md` files of one folder.
    pub fn uris_of(&self, folder: &str) -> BTreeSet<String> {
        let skills = self.sets.get(folder).map(|set| set.skills.as_slice()).unwrap_or_default();
        skills.iter().map(|skill| skill.uri.clone()).collect()
    }

    /// Sets what a folder has, in place of what it had before.
    ///
    /// # Errors
    /// Another folder has one of its skills, or one within it; there are too many, or they are too large. Nothing has changed then.
    pub fn set(
        &mut self,
        folder: &str,
        set: SkillSet,
        most: usize,
        bytes: usize,
    ) -> Result<Difference, Invalid> {
        let others = || self.sets.iter().filter(|(name, _)| name.as_ref() != folder).map(|(_, set)| set);
        let count = others().map(|set| set.skills.len()).sum::<usize>() + set.skills.len();
        if count > most {
            let what = format!("there would be {count} skills (limits.skills is {most})");
            return Err(Invalid::new("", what));
        }
        let total = others().map(|set| set.bytes).sum::<usize>() + set.bytes;
        if total > bytes {
            let what =
                format!("the files of all skills would have {total} bytes (limits.skills_bytes is {bytes})");
            return Err(Invalid::new("", what));
        }
        for skill in &set.skills {
            let (uri, root) = (&skill.uri, skill.root());
            if let Some(other) =
                others().flat_map(|set| &set.skills).find(|other| overlap(root, other.root()))
            {
                let what = format!("'{uri}' and '{}' of another folder are within one another", other.uri);
                return Err(Invalid::new("", what));
            }
        }
        let before = self.sets.insert(folder.into(), set).unwrap_or_default();
        let now = &self.sets[folder];
        let mut difference = Difference::default();
        for uri in before.files.keys().chain(now.files.keys()).collect::<BTreeSet<_>>() {
            if before.files.get(uri) != now.files.get(uri) {
                difference.files.push(uri.clone());
            }
        }
        let kept: BTreeSet<&str> = now.skills.iter().map(|skill| skill.uri.as_str()).collect();
        for skill in before.skills.iter().filter(|skill| !kept.contains(skill.uri.as_str())) {
            self.list.remove(&skill.uri);
            difference.gone.push(skill.uri.clone());
        }
        for skill in &now.skills {
            match self.list.get(&skill.uri) {
                Some(_) => drop(self.list.change(skill.clone())?),
                None => self.list.add(skill.clone())?,
            }
        }
        self.version += 1;
        Ok(difference)
    }

    /// The folders of skills that a URI is in or is, and the `SKILL.md` files in them: who may not have one of these may have nothing
    /// below it. The innermost is the last.
    pub fn within(&self, uri: &str) -> Vec<String> {
        let ends = uri.match_indices('/').map(|(at, _)| at).chain([uri.len()]);
        let folders = ends.filter_map(|end| uri.get(..end)).filter(|it| self.has_folder(it));
        let both = folders.flat_map(|folder| [folder.to_owned(), format!("{folder}/SKILL.md")]);
        both.filter(|it| it != uri).collect()
    }

    /// The entries after the place `after` that a reader sees, and the place of the last one if more follow.
    pub fn page(
        &self,
        reader: &Reader<'_>,
        revision: Revision,
        after: u64,
        size: usize,
    ) -> (String, Option<u64>) {
        let (entries, next) =
            self.list.page(revision, after, size, &|skill| self.is_seen(reader, &skill.uri));
        if !reader.is_asked() {
            return (entries, next);
        }
        let entries: Vec<Cow<'_, str>> =
            json::elements(&entries).map(|entry| self.seen_of(reader, entry)).collect();
        (format!("[{}]", entries.join(",")), next)
    }

    /// The entry of a skill, listed by the URI of its `SKILL.md`, with the files that a reader sees.
    ///
    /// # Errors
    /// What the reader needs.
    pub fn entry(&self, reader: &Reader<'_>, uri: &str) -> Result<Option<String>, Lacks> {
        reader.resource(uri, &self.within(uri))?;
        Ok(self.list.get(uri).map(|skill| self.seen_of(reader, &skill.entry).into_owned()))
    }

    /// The result of reading a file.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn file(&self, reader: &Reader<'_>, uri: &str) -> Result<Option<Arc<str>>, Lacks> {
        let Some(file) = self.sets.values().find_map(|set| set.files.get(uri)) else { return Ok(None) };
        reader.resource(uri, &self.within(uri))?;
        Ok(Some(Arc::clone(file)))
    }

    /// Whether there is a file.
    pub fn has_file(&self, uri: &str) -> bool {
        self.sets.values().any(|set| set.files.contains_key(uri))
    }

    /// The direct children of a folder that a reader sees.
    ///
    /// # Errors
    /// What the reader needs for the folder.
    pub fn folder(&self, reader: &Reader<'_>, uri: &str) -> Result<Option<Vec<&str>>, Lacks> {
        reader.resource(uri, &self.within(uri))?;
        let Some(children) = self.sets.values().find_map(|set| set.folders.get(uri)) else { return Ok(None) };
        let is_seen = |child: &&str| {
            let uri = json::member(child, "uri").and_then(json::string);
            uri.is_some_and(|uri| self.is_seen(reader, &uri))
        };
        Ok(Some(children.iter().map(String::as_str).filter(is_seen).collect()))
    }

    fn has_folder(&self, uri: &str) -> bool {
        self.sets.values().any(|set| set.folders.contains_key(uri))
    }

    /// Whether lists have a file or folder for a reader: a folder, if they have a file below it or if it is empty.
    fn is_seen(&self, reader: &Reader<'_>, uri: &str) -> bool {
        if !reader.is_asked() {
            return true;
        }
        if !reader.sees(Kind::Resource, uri, &self.within(uri)) {
            return false;
        }
        if !self.has_folder(uri) {
            return true;
        }
        let below = format!("{uri}/");
        let mut files = self
            .sets
            .values()
            .flat_map(|set| set.files.range::<str, _>((Bound::Excluded(&*below), Bound::Unbounded)))
            .map(|(file, _)| file)
            .filter(|file| file.starts_with(&below))
            .peekable();
        files.peek().is_none() || files.any(|file| reader.sees(Kind::Resource, file, &self.within(file)))
    }

    /// An entry without the files that its reader does not see.
    fn seen_of<'e>(&self, reader: &Reader<'_>, entry: &'e str) -> Cow<'e, str> {
        let files = json::member(entry, "resources").unwrap_or("[]");
        let is_seen = |file: &&str| {
            let uri = json::member(file, "uri").and_then(json::string);
            uri.is_some_and(|uri| self.is_seen(reader, &uri))
        };
        if !reader.is_asked() || json::elements(files).all(|file| is_seen(&file)) {
            return Cow::Borrowed(entry);
        }
        let seen: Vec<&str> = json::elements(files).filter(is_seen).collect();
        let mut text = Vec::new();
        json::splice_into(entry, &[("resources", &format!("[{}]", seen.join(",")))], &mut text);
        Cow::Owned(String::from_utf8_lossy(&text).into_owned())
    }

    /// What the cursors of a folder are for: the same folder, unchanged.
    pub fn cursor_name(&self, uri: &str) -> String {
        format!("{}:{uri}", self.version)
    }
}

/// Whether one folder is within the other, or is the same.
fn overlap(one: &str, other: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(one, other) || within(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_within_another_is_found_by_whole_names() {
        assert!(overlap("skill://a", "skill://a") && overlap("skill://a/b", "skill://a"));
        assert!(overlap("skill://a", "skill://a/b/c"));
        assert!(!overlap("skill://a", "skill://ab") && !overlap("skill://a/b", "skill://a/c"));
    }
}
