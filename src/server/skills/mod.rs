//! Skills from a folder: reading all of them, with bounds, into what the engine publishes.
//!
//! The files:
//!
//! * `load`: reads the folder
//! * `media_type`: the media type of a file, by its name

mod load;
mod media_type;
#[cfg(all(test, unix))]
mod tests;

use super::Server;
use crate::config::fields::{Fields, parse_object, wrong};
use crate::engine::server::SkillSet;
use crate::engine::{Error, Status};
use crate::transport::folder::Folder;
use load::OPERATION;

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
        let set = load::load(&folder, &base, &self.skills, self.file_bytes)?;
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
