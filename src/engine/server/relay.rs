//! What a relay knows: a server that stands before another one.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What a relay needs beside what every server has.
#[derive(Debug)]
pub(super) struct Relay<H> {
    /// Gets the requests that no entry of the registry is for.
    pub handler: H,
    /// The capabilities of the server behind, of which those are announced that the engine does not have by itself.
    pub capabilities: Map<String, Value>,
    /// The resources that clients were subscribed to when the application was told last.
    pub subscribed: BTreeSet<Box<str>>,
}

/// The extension of tasks, which is announced where tools may run as tasks.
const TASKS: &str = crate::protocol::task::EXTENSION;

/// Whether a server with these capabilities decides for each call whether it becomes a task.
pub(super) fn decides_about_tasks(capabilities: &Map<String, Value>) -> bool {
    capabilities.get("extensions").is_some_and(|extensions| extensions.get(TASKS).is_some())
}
