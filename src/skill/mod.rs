//! What a skill is (extension `io.modelcontextprotocol/skills` and the Agent Skills specification): its front matter, the rules
//! for its name, digests of its files. Both sides need it: a client checks with it, a server publishes with it.
//!
//! The files:
//!
//! * `front_matter`: reads the front matter of `SKILL.md`, and compares it with an entry
//! * `yaml`: `Yaml`: a small tree, with bounds
//! * `name`: the rules for names

mod front_matter;
#[cfg(feature = "server")]
mod name;
mod yaml;

pub(crate) use front_matter::compare;
#[cfg(feature = "server")]
pub(crate) use front_matter::read;
#[cfg(feature = "server")]
pub(crate) use name::check as check_name;

use ring::digest::{SHA256, digest};

/// The file at the root of every skill.
pub(crate) const MAIN: &str = "SKILL.md";

/// SHA-256 of the bytes of a file.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut sum = [0; 32];
    sum.copy_from_slice(digest(&SHA256, bytes).as_ref());
    sum
}
