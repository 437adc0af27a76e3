//! The skills that a server publishes (extension `io.modelcontextprotocol/skills`, 2026-07-28): entries, files and folders, as they were
//! when their folders were read (S-SK-02), and their methods. The files are resources, in every revision.

use super::Server;
use super::access::resolve::wanted;
use super::access::{MissingScopes, ScopedReader};
use super::effect::Now;
use super::registry::definition::DefinitionCheck;
use super::registry::list::{read_cursor_of, write_cursor_of};
use super::registry::{EntryContent, EntryList, Invalid, Kind, ListEntry};
use super::requests::RequestHead;
use super::requests::params::given;
use super::session::context::{ErrorResponse, RequestContext};
use super::subscriptions::ListChange;
use crate::json;
use crate::protocol::{Revision, method};
use crate::sorted::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::ops::Bound;
use std::sync::Arc;

/// What one folder of skills has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillSet {
    /// Its skills.
    pub skills: Vec<Skill>,
    /// The results of reading its files, by URI: JSON text.
    pub files: SortedMap<String, Arc<str>>,
    /// The direct children of its folders, by URI: `ResourceEntry` objects as JSON text.
    pub folders: SortedMap<String, Vec<String>>,
    /// The bytes of its files.
    pub bytes: usize,
}

/// One skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// That file as a `ResourceEntry` object, JSON text.
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

impl ListEntry for Skill {
    const NAMED: (&str, &str) = ("skill", "uri");
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
pub struct Difference {
    /// `SKILL.md` files that are there no more.
    pub gone: Vec<String>,
    /// Files that were changed, added or removed.
    pub files: Vec<String>,
}

/// The folders of skills. Owns them.
#[derive(Debug)]
pub struct Skills {
    list: EntryList<Skill>,
    /// What each folder has, by its name.
    sets: SortedMap<Box<str>, SkillSet>,
    /// Counts the changes: a cursor in the middle of a folder is good until the next one.
    version: u64,
}

impl Skills {
    /// No skills.
    pub fn new() -> Skills {
        Skills { list: EntryList::new(), sets: SortedMap::new(), version: 0 }
    }

    /// Whether the server has the extension: it ever had a folder of skills.
    pub fn are_served(&self) -> bool {
        self.version > 0
    }

    /// The `SKILL.md` files of one folder.
    pub fn uris_of(&self, folder: &str) -> SortedSet<String> {
        let skills = self.sets.get(folder).map(|set| set.skills.as_slice()).unwrap_or_default();
        json::inserted(skills.iter().map(|skill| skill.uri.clone()))
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
        let nothing = SkillSet::default();
        let now = self.sets.get(folder).unwrap_or(&nothing);
        let mut difference = Difference::default();
        let uris: SortedSet<&String> = json::inserted(before.files.keys().chain(now.files.keys()));
        for uri in uris {
            if before.files.get(uri) != now.files.get(uri) {
                difference.files.push(uri.clone());
            }
        }
        let kept: SortedSet<&str> = json::inserted(now.skills.iter().map(|skill| skill.uri.as_str()));
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
        reader: &ScopedReader<'_>,
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
    pub fn entry(&self, reader: &ScopedReader<'_>, uri: &str) -> Result<Option<String>, MissingScopes> {
        reader.resource(uri, &self.within(uri))?;
        Ok(self.list.get(uri).map(|skill| self.seen_of(reader, &skill.entry).into_owned()))
    }

    /// The result of reading a file.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn file(&self, reader: &ScopedReader<'_>, uri: &str) -> Result<Option<Arc<str>>, MissingScopes> {
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
    pub fn folder(&self, reader: &ScopedReader<'_>, uri: &str) -> Result<Option<Vec<&str>>, MissingScopes> {
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
    fn is_seen(&self, reader: &ScopedReader<'_>, uri: &str) -> bool {
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
            .flat_map(|set| set.files.range::<str>((Bound::Excluded(&*below), Bound::Unbounded)))
            .map(|(file, _)| file)
            .filter(|file| file.starts_with(&below))
            .peekable();
        files.peek().is_none() || files.any(|file| reader.sees(Kind::Resource, file, &self.within(file)))
    }

    /// An entry without the files that its reader does not see.
    fn seen_of<'e>(&self, reader: &ScopedReader<'_>, entry: &'e str) -> Cow<'e, str> {
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

/// The extension, and what a server declares for it.
pub const SKILLS_EXTENSION: (&str, &str) = ("io.modelcontextprotocol/skills", "{\"directoryRead\":true}");

/// The letters of the cursors.
const LIST: u8 = b's';
const FOLDER: u8 = b'd';

impl<H: Clone> Server<H> {
    /// Publishes the skills of a folder, in place of what that folder had before. From the first folder on the server declares the
    /// extension.
    ///
    /// # Errors
    /// A URI is taken, or a bound is reached. Nothing has changed then.
    pub fn set_skills(&mut self, now: Now, folder: &str, set: SkillSet) -> Result<(), Invalid> {
        let own = self.skills.uris_of(folder);
        let mut resources = Vec::with_capacity(set.skills.len());
        for skill in &set.skills {
            if !own.contains(&skill.uri) && self.registry.has(Kind::Resource, &skill.uri) {
                return Err(Invalid::new("uri", format!("the resource '{}' exists already", skill.uri)));
            }
            let content = set.files.get(&skill.uri).cloned().unwrap_or_default();
            resources.push(
                DefinitionCheck { is_strict: true }
                    .resource(&skill.resource, EntryContent::Fixed(content))?,
            );
        }
        let limits = &self.settings.limits;
        let difference = self.skills.set(folder, set, limits.skills, limits.skills_bytes)?;
        let mut is_other_list = !difference.gone.is_empty();
        for uri in &difference.gone {
            let (_, handler) = self.registry.remove(Kind::Resource, uri);
            self.discard(handler);
        }
        for mut resource in resources {
            resource.within = self.skills.within(&resource.uri);
            if !self.registry.has(Kind::Resource, &resource.uri) {
                self.registry.add_resource(resource)?;
                is_other_list = true;
                continue;
            }
            let definition = resource.definition.clone();
            let old = self.registry.change_resource(resource)?;
            is_other_list |= old.definition != definition;
            self.discard(old.content.handler());
        }
        if is_other_list {
            self.changed(now, ListChange::Resources);
        }
        if self.sessions.count() > 0 {
            for uri in &difference.files {
                self.resource_updated(now, uri);
            }
        }
        Ok(())
    }

    /// Whether skills of that folder are published.
    pub fn has_skills(&self, folder: &str) -> bool {
        !self.skills.uris_of(folder).is_empty()
    }

    /// Answers `skills/list`, `skills/get` and `resources/directory/read` (S-SK-01, S-SK-03).
    pub(super) fn skills_method(
        &mut self,
        head: &RequestHead<'_>,
        name: &str,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        let reader = self.reader(head.context.principal.as_deref(), name);
        let result = match name {
            method::SKILLS_LIST => self.skills_list(&reader, &head.context, params)?,
            method::SKILLS_GET => self.skill(&reader, params)?,
            _ => self.directory(&reader, params)?,
        };
        self.give_result(head, name, &result);
        Ok(())
    }

    fn skills_list(
        &self,
        reader: &ScopedReader<'_>,
        context: &RequestContext,
        params: Option<&str>,
    ) -> Result<String, ErrorResponse> {
        reader.method()?;
        let after = place(params, LIST, "")?;
        let (entries, next) = self.skills.page(reader, context.revision, after, self.settings.page_size);
        Ok(page("skills", &entries, next.map(|next| write_cursor_of(LIST, "", next))))
    }

    /// The result of `skills/get`.
    pub(super) fn skill(
        &self,
        reader: &ScopedReader<'_>,
        params: Option<&str>,
    ) -> Result<String, ErrorResponse> {
        let uri = wanted(reader, params, "uri")?;
        let entry = self.skills.entry(reader, &uri)?;
        let entry = entry.ok_or_else(|| absent(format!("there is no skill '{uri}'"), &uri))?;
        Ok(format!("{{\"skill\":{entry}}}"))
    }

    /// The result of `resources/directory/read`.
    pub(super) fn directory(
        &self,
        reader: &ScopedReader<'_>,
        params: Option<&str>,
    ) -> Result<String, ErrorResponse> {
        let uri = wanted(reader, params, "uri")?;
        let Some(children) = self.skills.folder(reader, &uri)? else {
            return Err(absent(format!("'{uri}' is not a directory resource"), &uri));
        };
        let name = self.skills.cursor_name(&uri);
        let start = usize::try_from(place(params, FOLDER, &name)?).unwrap_or(usize::MAX);
        let rest = children.get(start..).unwrap_or_default();
        let size = self.settings.page_size.max(1);
        let next = (rest.len() > size).then(|| write_cursor_of(FOLDER, &name, (start + size) as u64));
        let entries = rest.get(..size).unwrap_or(rest).join(",");
        Ok(page("resources", &format!("[{entries}]"), next))
    }
}

/// Where the page begins that a request asks for.
fn place(params: Option<&str>, list: u8, name: &str) -> Result<u64, ErrorResponse> {
    match given(params, "cursor") {
        None => Ok(0),
        Some(text) => {
            json::string(text).and_then(|text| read_cursor_of(list, name, &text)).ok_or_else(|| {
                ErrorResponse::params("the cursor is not one of this list, or the list has changed since")
            })
        }
    }
}

fn page(member: &str, entries: &str, next: Option<String>) -> String {
    let next = next.map(|cursor| format!(",\"nextCursor\":{}", json::quote(&cursor)));
    format!("{{\"{member}\":{entries}{}}}", next.unwrap_or_default())
}

fn absent(text: String, uri: &str) -> ErrorResponse {
    ErrorResponse::params(text).with(&serde_json::json!({ "uri": uri }))
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
