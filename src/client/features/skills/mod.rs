//! Skills that a server publishes (extension `io.modelcontextprotocol/skills`): a file is handed over only if it is what the
//! skill's entry says of it, and nothing is read that was not asked for.
//!
//! An entry comes from `skills/list` or `skills/get` by way of the application, which holds it while it acts on the skill. So
//! the library keeps nothing of its own that could differ from what a person agreed to.
//!
//! This file decides which check goes with a request for a file of a skill.
//!
//! The files:
//!
//! * `entry`: `Entry`: the files of a skill, their sizes and hashes
//! * `check`: what a read brought against the entry

mod check;
mod entry;

pub(super) use check::Check;

use super::Request;
use crate::client::config::features::SkillLimits;
use crate::engine::{Error, Status};
use entry::Entry;

/// The check that goes with a request for a skill's file; `None` for every other request. Nothing has been sent by then: an
/// invalid entry, a skill that is too large and a file that it does not have end here.
///
/// # Errors
/// `INVALID_ARGUMENT`, `TOO_LARGE`, `UNSUPPORTED` for a dynamic skill without `allow_dynamic`.
pub(super) fn check_of(
    request: &Request<'_>,
    depth: usize,
    limits: SkillLimits,
    allow_dynamic: bool,
) -> Result<Option<Check>, Error> {
    let (operation, entry, path) = match request {
        Request::SkillLoad { entry } => ("skill_load", entry, None),
        Request::SkillRead { entry, path } => ("skill_read", entry, Some(*path)),
        _ => return Ok(None),
    };
    let invalid = |why: String| {
        Error::new(Status::InvalidArgument, operation, format!("{why}. Nothing was read"))
            .with("check", "entry")
    };
    let entry = Entry::read(entry, depth).map_err(invalid)?;
    if entry.is_dynamic() && !allow_dynamic {
        let why = format!(
            "the files of {} are \"dynamic\": the server gives no sizes and digests to check them by. Nothing was read; \
             with the option allow_dynamic they are read unchecked",
            entry.uri
        );
        return Err(Error::new(Status::Unsupported, operation, why)
            .with("uri", entry.uri)
            .with("check", "digest"));
    }
    let (files, bytes) = entry.weight();
    if files > limits.files || bytes > limits.bytes as u64 {
        let why = format!(
            "{} has {files} files of {bytes} bytes, and limits.skill_files and limits.skill_bytes allow {} of {}. \
             Nothing was read",
            entry.uri, limits.files, limits.bytes
        );
        let error = Error::new(Status::TooLarge, operation, why).with("uri", entry.uri);
        return Err(error.with("files", files).with("bytes", bytes));
    }
    let file = match path {
        None => entry.main(),
        Some(path) => entry.file(path).map_err(|why| {
            let message =
                format!("{why}. Nothing was read; a skill that has changed has a new entry (skills/get)");
            Error::new(Status::InvalidArgument, operation, message)
                .with("check", "listed")
                .with("skill", entry.uri.clone())
                .with("path", path)
        })?,
    };
    Ok(Some(Check::new(operation, entry, file, limits.bytes)))
}
