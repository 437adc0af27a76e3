//! Skills from a folder: reading all of them, with bounds, into what the engine publishes.

#[cfg(all(test, unix))]
mod tests;

use super::Server;
use super::config::SkillBounds;
use crate::config::fields::parse_object;
use crate::config::fields::{Fields, wrong};
use crate::engine::server::{Skill, SkillSet, contents_of};
use crate::engine::{Error, Status};
use crate::skill;
use crate::skill::MAIN;
use crate::transport::folder::{EntryKind, Folder, Listed, Unread};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

impl Server {
    /// Publishes the skills below a folder, in place of what the server has of that folder.
    ///
    /// # Errors
    /// `UNAVAILABLE` when something cannot be read; `INVALID_ARGUMENT` for what is no skill or a name that is taken; `TOO_LARGE`.
    /// Nothing has changed then.
    pub fn add_skills(&self, path: &str, options: Option<&str>) -> Result<(), Error> {
        let prefix = match options {
            None => None,
            Some(options) => {
                let object = parse_object(options, "options")?;
                let mut fields = Fields::new("", &object);
                let prefix = fields.string("uri_prefix")?;
                fields.finish()?;
                prefix
            }
        };
        let base = base(prefix.as_deref().unwrap_or("skill://"))?;
        let folder = Folder::open(path).map_err(|errno| {
            let what = format!("the folder '{path}' cannot be opened: {errno}");
            Error::new(Status::Unavailable, OPERATION, what)
        })?;
        let set = load(&folder, &base, &self.skills, self.file_bytes)?;
        self.change(OPERATION, |engine, now| engine.set_skills(now, path, set))
    }

    /// Removes the skills of a folder; whether there were any.
    ///
    /// # Errors
    /// None today: taking away violates no rule.
    pub(crate) fn remove_skills(&self, path: &str) -> Result<bool, Error> {
        let mut had = false;
        self.change("server_remove", |engine, now| {
            had = engine.has_skills(path);
            if had { engine.set_skills(now, path, SkillSet::default()) } else { Ok(()) }
        })?;
        Ok(had)
    }
}

/// The text that every URI begins with, with a slash at its end.
fn base(prefix: &str) -> Result<String, Error> {
    let bad = |why: &str| {
        let what = format!("'{prefix}' {why}; use for example \"skill://\" or \"skill://acme/billing\"");
        wrong("uri_prefix", what)
    };
    let Some((scheme, path)) = prefix.split_once("://") else { return Err(bad("has no scheme")) };
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme {
        return Err(bad("has no scheme"));
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(format!("{scheme}://"));
    }
    let may_stand = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&byte);
    if !path.bytes().all(may_stand) {
        return Err(bad("has characters that may not stand there"));
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(bad("has an empty name, '.' or '..' between its slashes"));
    }
    Ok(format!("{scheme}://{path}/"))
}

// Reading the skills below a folder. A folder with a `SKILL.md` is a skill; all that is below it belongs to it, skills within it
// too, which are also skills of their own (page "Skills", "Nested Skills"). Names that begin with a dot are left out.

/// What errors name.
const OPERATION: &str = "server_add_skills";

/// Reads all skills. `base` is what every URI begins with, with a slash at its end.
///
/// # Errors
/// Which file or folder is wrong, why, and which bound was reached.
fn load(folder: &Folder, base: &str, limits: &SkillBounds, file_bytes: usize) -> Result<SkillSet, Error> {
    let mut loading = Loading {
        folder,
        limits,
        file_bytes,
        set: SkillSet::default(),
        // No folder of skills within the bounds has more names than that.
        names_left: limits.skills.saturating_mul(limits.skill_files.saturating_add(1)),
    };
    loading.visit("", base, 0, false)?;
    Ok(loading.set)
}

/// What an entry says of a file.
#[derive(Clone)]
struct SkillFile {
    uri: String,
    size: usize,
    digest: String,
}

struct Loading<'a> {
    folder: &'a Folder,
    limits: &'a SkillBounds,
    file_bytes: usize,
    set: SkillSet,
    names_left: usize,
}

impl Loading<'_> {
    /// Reads a folder and what is below it. Gives the files, if they belong to a skill.
    fn visit(
        &mut self,
        path: &str,
        base: &str,
        depth: usize,
        is_within: bool,
    ) -> Result<Vec<SkillFile>, Error> {
        if depth > self.limits.skill_depth {
            let most = self.limits.skill_depth;
            return Err(too_large(
                path,
                format!("'{path}' is more than {most} folders deep (limits.skill_depth)"),
            ));
        }
        let listed = self.names(path)?;
        let has_main = listed.iter().any(|entry| entry.name == MAIN && entry.kind == EntryKind::File);
        let is_within = is_within || has_main;
        let mut files: Vec<SkillFile> = Vec::new();
        let mut children: Vec<String> = Vec::new();
        let mut front_matter = Map::new();
        for Listed { name, kind } in listed {
            let inner = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            let uri = format!("{base}{}", encoded(&name));
            match kind {
                EntryKind::Directory => {
                    files.extend(self.visit(&inner, &format!("{uri}/"), depth + 1, is_within)?);
                    children
                        .push(json!({ "uri": uri, "name": name, "mimeType": "inode/directory" }).to_string());
                }
                EntryKind::File if !is_within => {}
                EntryKind::File => {
                    let bytes = self.read(&inner)?;
                    let text = std::str::from_utf8(&bytes).ok();
                    let media_type = media_type(&name, text.is_some());
                    let mut resource = json!({ "uri": uri, "name": name, "mimeType": media_type });
                    if name == MAIN {
                        front_matter = described(&inner, text, base)?;
                        for field in ["name", "description"] {
                            resource[field] = front_matter.get(field).cloned().unwrap_or_default();
                        }
                    }
                    let resource = resource.to_string();
                    let result = contents_of(&uri, &resource, &bytes);
                    self.set.files.insert(uri.clone(), result.into());
                    children.push(resource);
                    files.push(SkillFile { uri, size: bytes.len(), digest: digest(&bytes) });
                }
                EntryKind::Link => {
                    return Err(invalid(
                        &inner,
                        "is a symbolic link, which is not followed: copy what it leads to",
                    ));
                }
                EntryKind::Other => return Err(invalid(&inner, "is neither a file nor a folder")),
            }
        }
        if !is_within {
            return Ok(Vec::new());
        }
        if has_main {
            self.add(path, &format!("{base}{MAIN}"), &front_matter, &files, &children)?;
        }
        self.set.folders.insert(base.trim_end_matches('/').to_owned(), children);
        Ok(files)
    }

    /// The names in a folder that count.
    fn names(&mut self, path: &str) -> Result<Vec<Listed>, Error> {
        let mut listed = self.folder.list(path, self.names_left).map_err(|why| match why {
            Unread::TooLarge { .. } => {
                let what = "there are more files and folders than limits.skills and limits.skill_files allow";
                too_large(path, what.to_owned())
            }
            why => unavailable(path, &why),
        })?;
        self.names_left = self.names_left.saturating_sub(listed.len());
        listed.retain(|entry| !entry.name.starts_with('.'));
        match listed.iter().find(|entry| entry.name.contains('\\')) {
            Some(entry) => {
                let inner =
                    if path.is_empty() { entry.name.clone() } else { format!("{path}/{}", entry.name) };
                Err(invalid(&inner, "has a backslash in its name, which clients may take for a slash"))
            }
            None => Ok(listed),
        }
    }

    fn read(&mut self, path: &str) -> Result<Vec<u8>, Error> {
        let bytes = self.folder.read(path, self.file_bytes).map_err(|why| match why {
            Unread::TooLarge { limit } => {
                too_large(path, format!("'{path}' has more than {limit} bytes (limits.file_bytes)"))
            }
            why => unavailable(path, &why),
        })?;
        self.set.bytes = self.set.bytes.saturating_add(bytes.len());
        let most = self.limits.skills_bytes;
        if self.set.bytes > most {
            let what = format!("with '{path}' all files have more than {most} bytes (limits.skills_bytes)");
            return Err(too_large(path, what));
        }
        Ok(bytes)
    }

    /// Adds a skill whose files are all read.
    fn add(
        &mut self,
        path: &str,
        uri: &str,
        front_matter: &Map<String, Value>,
        files: &[SkillFile],
        children: &[String],
    ) -> Result<(), Error> {
        let SkillBounds { skills, skill_files: most, skill_bytes: bytes, .. } = *self.limits;
        if self.set.skills.len() >= skills {
            return Err(too_large(path, format!("there are more than {skills} skills (limits.skills)")));
        }
        if files.len() > most {
            let what = format!("the skill '{path}' has {} files (limits.skill_files is {most})", files.len());
            return Err(too_large(path, what));
        }
        let size = files.iter().map(|file| file.size).sum::<usize>();
        if size > bytes {
            let what = format!("the skill '{path}' has {size} bytes (limits.skill_bytes is {bytes})");
            return Err(too_large(path, what));
        }
        let listed = |file: &SkillFile| json!({ "uri": file.uri, "digest": file.digest, "size": file.size });
        let resources: Value = files.iter().map(listed).collect();
        let entry = json!({ "uri": uri, "frontmatter": front_matter, "resources": resources }).to_string();
        let is_main = |resource: &&String| json_uri(resource).as_deref() == Some(uri);
        let resource = children.iter().find(is_main).cloned().unwrap_or_default();
        self.set.skills.push(Skill { uri: uri.to_owned(), resource, entry });
        Ok(())
    }
}

fn json_uri(resource: &str) -> Option<String> {
    crate::json::member(resource, "uri").and_then(crate::json::string).map(std::borrow::Cow::into_owned)
}

/// The front matter of a `SKILL.md` in the folder at `base`.
fn described(path: &str, text: Option<&str>, base: &str) -> Result<Map<String, Value>, Error> {
    let text = text.ok_or_else(|| invalid(path, "is not UTF-8 text"))?;
    let front_matter =
        skill::read(text).map_err(|why| invalid(path, &format!("is not a valid skill: {why}")))?;
    let name = skill::check_name(&front_matter)
        .map_err(|why| invalid(path, &format!("is not a valid skill: {why}")))?;
    let folder = base.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    if folder == name {
        return Ok(front_matter);
    }
    let what = match folder.ends_with(':') || folder.is_empty() {
        true => format!("is a skill itself: give the folder above it, or uri_prefix \"skill://{name}\""),
        false => format!(
            "has the name '{name}' in its front matter and is in the folder '{folder}': they must be the same"
        ),
    };
    Err(invalid(path, &what))
}

/// A name as a part of a URI (RFC 3986, "unreserved").
fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _written = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn digest(bytes: &[u8]) -> String {
    let mut text = String::from("sha256:");
    for byte in skill::sha256(bytes) {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
    }
    text
}

fn invalid(path: &str, what: &str) -> Error {
    Error::new(Status::InvalidArgument, OPERATION, format!("'{path}' {what}")).with("path", path)
}

fn too_large(path: &str, what: String) -> Error {
    Error::new(Status::TooLarge, OPERATION, what).with("path", path)
}

fn unavailable(path: &str, why: &Unread) -> Error {
    Error::new(Status::Unavailable, OPERATION, format!("'{path}' cannot be read: {why}")).with("path", path)
}

const TYPES: &[(&str, &str)] = &[
    ("bash", "application/x-sh"),
    ("c", "text/x-c"),
    ("cpp", "text/x-c++"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("go", "text/x-go"),
    ("gz", "application/gzip"),
    ("h", "text/x-c"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("java", "text/x-java"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("rs", "text/x-rust"),
    ("sh", "application/x-sh"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("ts", "text/x-typescript"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// The media type of a file; without a known end of its name, what its bytes are.
fn media_type(name: &str, is_text: bool) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    let found = TYPES.binary_search_by(|(known, _)| (*known).cmp(end.as_str())).ok();
    let known = found.and_then(|at| TYPES.get(at)).map(|(_, name)| *name);
    known.unwrap_or(if is_text { "text/plain" } else { "application/octet-stream" })
}

#[cfg(test)]
mod media_types {
    use super::*;

    #[test]
    fn every_row_is_found() {
        for (end, name) in TYPES {
            assert_eq!(media_type(&format!("x.{end}"), true), *name);
        }
        assert_eq!(media_type("README.MD", true), "text/markdown");
        assert_eq!(media_type("LICENSE", true), "text/plain");
        assert_eq!(media_type("x.bin", false), "application/octet-stream");
    }
}
