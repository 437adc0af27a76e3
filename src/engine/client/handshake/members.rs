//! The `_meta` members that every request of a connection carries.

use crate::engine::client::settings::Settings;
use crate::json;
use crate::protocol::{Revision, capability, meta, task, tool_mode};

#[derive(Default, Debug)]
pub(in crate::engine::client) struct Members {
    text: String,
    /// The same for a call that must not become a task. It does not name the session.
    without_tasks: String,
    /// How long the text is before the capabilities.
    before_capabilities: usize,
    /// How long the text is without the session, while it names one.
    plain: Option<usize>,
}

impl Members {
    /// What requests of this revision carry. They name no session.
    pub(super) fn of(revision: Revision, settings: &Settings) -> Members {
        let capabilities = capability::declared_at(&settings.capabilities, revision);
        let text = meta::connection_members(revision, &settings.client_info, &capabilities);
        let before_capabilities = meta::before_capabilities(&text, &capabilities);
        let without = capability::without_extension(&settings.capabilities, task::EXTENSION);
        let without = capability::declared_at(&without, revision);
        let without_tasks = meta::connection_members(revision, &settings.client_info, &without);
        Members { text, without_tasks, before_capabilities, plain: None }
    }

    /// The members as JSON text without braces.
    pub(in crate::engine::client) fn text(&self) -> &str {
        &self.text
    }

    /// Adds them to `out`; without tasks for a call that must not become one, and without the capabilities for one that declares its
    /// own in `meta`.
    pub(in crate::engine::client) fn push(&self, without_tasks: bool, meta: &str, out: &mut String) {
        let declares = meta::has_capabilities(meta);
        if !without_tasks && !declares {
            return out.push_str(&self.text);
        }
        out.push_str(match declares {
            true => self.text.get(..self.before_capabilities).unwrap_or_default(),
            false => &self.without_tasks,
        });
        // The session stands behind the rest, with its comma if there is a rest.
        out.push_str(self.plain.and_then(|plain| self.text.get(plain..)).unwrap_or_default());
    }

    /// Whether they name the session.
    pub(in crate::engine::client) fn name_session(&self) -> bool {
        self.plain.is_some()
    }

    /// Has them name the session.
    pub(in crate::engine::client) fn add_session(&mut self, id: &str) {
        self.drop_session();
        self.plain = Some(self.text.len());
        if !self.text.is_empty() {
            self.text.push(',');
        }
        json::quote_into(tool_mode::SESSION_ID, &mut self.text);
        self.text.push(':');
        json::quote_into(id, &mut self.text);
    }

    /// They name no session any more.
    pub(in crate::engine::client) fn drop_session(&mut self) {
        if let Some(plain) = self.plain.take() {
            self.text.truncate(plain);
        }
    }
}
