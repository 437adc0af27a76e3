//! The methods of skills (extension `io.modelcontextprotocol/skills`, 2026-07-28): the list, one entry, the children of a folder.
//! The files are resources, in every revision.

use super::access::Reader;
use super::authorizing::wanted;
use super::context::{Context, Refusal};
use super::cursor;
use super::effect::{Now, Stream};
use super::listens::Changed;
use super::params::given;
use super::registry::check::Check;
use super::registry::{Content, Invalid, Kind};
use super::router::Server;
use super::skills::SkillSet;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::method;

/// The extension, and what a server declares for it.
pub(super) const EXTENSION: (&str, &str) = ("io.modelcontextprotocol/skills", "{\"directoryRead\":true}");

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
                return Err(Invalid::new("uri", format!("the resource '{}' is there already", skill.uri)));
            }
            let content = set.files.get(&skill.uri).cloned().unwrap_or_default();
            resources.push(Check { is_strict: true }.resource(&skill.resource, Content::Fixed(content))?);
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
            self.changed(now, Changed::Resources);
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
        from: Stream,
        id: &WireId,
        context: &Context,
        name: &str,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let reader = self.reader(context.principal.as_deref(), name);
        let result = match name {
            method::SKILLS_LIST => self.skills_list(&reader, context, params)?,
            method::SKILLS_GET => self.skill(&reader, params)?,
            _ => self.directory(&reader, params)?,
        };
        self.result(from, id, Some((context, name)), &result);
        Ok(())
    }

    fn skills_list(
        &self,
        reader: &Reader<'_>,
        context: &Context,
        params: Option<&str>,
    ) -> Result<String, Refusal> {
        reader.method()?;
        let after = place(params, LIST, "")?;
        let (entries, next) = self.skills.page(reader, context.revision, after, self.settings.page_size);
        Ok(page("skills", &entries, next.map(|next| cursor::write_of(LIST, "", next))))
    }

    /// The result of `skills/get`.
    pub(super) fn skill(&self, reader: &Reader<'_>, params: Option<&str>) -> Result<String, Refusal> {
        let uri = wanted(reader, params, "uri")?;
        let entry = self.skills.entry(reader, &uri)?;
        let entry = entry.ok_or_else(|| absent(format!("there is no skill '{uri}'"), &uri))?;
        Ok(format!("{{\"skill\":{entry}}}"))
    }

    /// The result of `resources/directory/read`.
    pub(super) fn directory(&self, reader: &Reader<'_>, params: Option<&str>) -> Result<String, Refusal> {
        let uri = wanted(reader, params, "uri")?;
        let Some(children) = self.skills.folder(reader, &uri)? else {
            return Err(absent(format!("'{uri}' is not a directory resource"), &uri));
        };
        let name = self.skills.cursor_name(&uri);
        let start = usize::try_from(place(params, FOLDER, &name)?).unwrap_or(usize::MAX);
        let rest = children.get(start..).unwrap_or_default();
        let size = self.settings.page_size.max(1);
        let next = (rest.len() > size).then(|| cursor::write_of(FOLDER, &name, (start + size) as u64));
        let entries = rest.get(..size).unwrap_or(rest).join(",");
        Ok(page("resources", &format!("[{entries}]"), next))
    }
}

/// Where the page begins that a request asks for.
fn place(params: Option<&str>, list: u8, name: &str) -> Result<u64, Refusal> {
    match given(params, "cursor") {
        None => Ok(0),
        Some(text) => {
            json::string(text).and_then(|text| cursor::read_of(list, name, &text)).ok_or_else(|| {
                Refusal::params("the cursor is not one of this list, or the list has changed since")
            })
        }
    }
}

fn page(member: &str, entries: &str, next: Option<String>) -> String {
    let next = next.map(|cursor| format!(",\"nextCursor\":{}", json::quote(&cursor)));
    format!("{{\"{member}\":{entries}{}}}", next.unwrap_or_default())
}

fn absent(text: String, uri: &str) -> Refusal {
    Refusal::params(text).with(&serde_json::json!({ "uri": uri }))
}
