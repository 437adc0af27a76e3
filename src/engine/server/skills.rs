//! The skills that a server publishes (extension `io.modelcontextprotocol/skills`), as they were when their folders were read:
//! entries, files and folders always belong together (S-SK-02).

use super::registry::{Entry, Invalid, List};
use crate::protocol::Revision;
use std::collections::{BTreeMap, BTreeSet};
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

    /// The entries after the place `after`, and the place of the last one if more follow.
    pub fn page(&self, revision: Revision, after: u64, size: usize) -> (String, Option<u64>) {
        self.list.page(revision, after, size, &|_| true)
    }

    /// The entry of a skill, listed by the URI of its `SKILL.md`.
    pub fn entry(&self, uri: &str) -> Option<&str> {
        self.list.get(uri).map(|skill| skill.entry.as_str())
    }

    /// The result of reading a file.
    pub fn file(&self, uri: &str) -> Option<Arc<str>> {
        self.sets.values().find_map(|set| set.files.get(uri)).cloned()
    }

    /// The direct children of a folder.
    pub fn folder(&self, uri: &str) -> Option<&[String]> {
        self.sets.values().find_map(|set| set.folders.get(uri)).map(Vec::as_slice)
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
