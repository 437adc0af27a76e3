//! What a relay knows: a server that stands before another one.

use crate::protocol::task::EXTENSION as TASKS;
use crate::protocol::{Era, Revision, capability, task::Support};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The capabilities that the engine announces by what it offers; those of tasks it has by its tools.
const OWN: [&str; 5] = ["tools", "resources", "prompts", "logging", "tasks"];

/// The most clients whose changes are remembered until the application asks.
const MOST_CHANGED: usize = 10_000;

/// What a relay needs beside what every server has.
#[derive(Debug)]
pub(super) struct Relay<H> {
    /// Gets the requests that no entry of the registry is for.
    handler: H,
    /// What the server behind declares.
    capabilities: Map<String, Value>,
    /// The application was told that subscriptions have changed, and has not asked for them since.
    is_told: bool,
    /// Whose have changed since then.
    changed_by: BTreeSet<u64>,
}

impl<H: Clone> Relay<H> {
    pub fn new(handler: H, capabilities: Map<String, Value>) -> Relay<H> {
        Relay { handler, capabilities, is_told: false, changed_by: BTreeSet::new() }
    }

    pub fn handler(&self) -> H {
        self.handler.clone()
    }

    /// Whether the server behind completes arguments.
    pub fn completes(&self) -> bool {
        self.capabilities.get("completions").is_some_and(capability::says)
    }

    /// Whether the server behind decides for each call whether it becomes a task.
    pub fn decides_about_tasks(&self) -> bool {
        capability::has_extension(&self.capabilities, TASKS)
    }

    /// What a tool says of tasks. In 2026-07-28 it need not say it.
    pub fn support_of(&self, said: Support, era: Era) -> Support {
        match said {
            Support::Forbidden if self.decides_about_tasks() && era == Era::Modern => Support::Optional,
            said => said,
        }
    }

    /// Whether the server behind takes subscriptions to resources.
    pub fn takes_subscriptions(&self) -> bool {
        let resources = self.capabilities.get("resources");
        resources.and_then(|it| it.get("subscribe")).is_some_and(|it| *it == Value::Bool(true))
    }

    /// Adds to the announced capabilities those of the server behind that the engine does not have by itself.
    pub fn push_capabilities(&self, revision: Revision, all: &mut Map<String, Value>) {
        let knows_extensions = revision.differences().extensions;
        for (name, value) in &self.capabilities {
            match name.as_str() {
                _ if !capability::says(value) => {}
                own if OWN.contains(&own) => {}
                "completions" if revision < Revision::V2025_03_26 => {}
                "extensions" if !knows_extensions => {}
                "extensions" => {
                    let there = all.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
                    if let (Value::Object(there), Value::Object(more)) = (there, value) {
                        // That of tasks is announced where tools may run as tasks.
                        for (name, settings) in more.iter().filter(|(name, _)| *name != TASKS) {
                            there.entry(name).or_insert_with(|| settings.clone());
                        }
                    }
                }
                _ => {
                    all.entry(name).or_insert_with(|| value.clone());
                }
            }
        }
        if all.get("extensions").and_then(Value::as_object).is_some_and(Map::is_empty) {
            all.remove("extensions");
        }
    }

    /// Subscriptions of a client may have changed. Whether the application must be told: once, until it asks for them.
    pub fn must_tell(&mut self, holder: u64) -> bool {
        // A session that has ended has no holder. The application asks soon, and who it does not learn of waits for nothing.
        if holder != 0 && self.changed_by.len() < MOST_CHANGED {
            self.changed_by.insert(holder);
        }
        !std::mem::replace(&mut self.is_told, true)
    }

    /// The application has asked for the subscriptions. Gives whose have changed since the last time.
    pub fn was_asked(&mut self) -> BTreeSet<u64> {
        self.is_told = false;
        std::mem::take(&mut self.changed_by)
    }
}
