//! The `_meta` members that every request of a connection carries.

use crate::engine::client::settings::Settings;
use crate::json;
use crate::protocol::{Revision, capability, meta, task, tool_mode};

#[derive(Default, Debug)]
pub(in crate::engine::client) struct Members {
    text: String,
    /// The same for a call that must not become a task. It does not name the session.
    without_tasks: String,
    /// The same for a call that declares its own capabilities. It names neither the session nor capabilities.
    without_capabilities: String,
    /// How long the text is without the session, while it names one.
    plain: Option<usize>,
}

impl Members {
    /// What requests of this revision carry. They name no session.
    pub(super) fn of(revision: Revision, settings: &Settings) -> Members {
        let capabilities = capability::declared_at(&settings.capabilities, revision);
        let text = meta::connection_members(revision, &settings.client_info, &capabilities);
        let without = capability::without_extension(&settings.capabilities, task::EXTENSION);
        let without = capability::declared_at(&without, revision);
        let without_tasks = meta::connection_members(revision, &settings.client_info, &without);
        let without_capabilities = meta::client_members(revision, &settings.client_info);
        Members { text, without_tasks, without_capabilities, plain: None }
    }

    /// The members as JSON text without braces.
    pub(in crate::engine::client) fn text(&self) -> &str {
        &self.text
    }

    /// Adds them to `out`; without tasks for a call that must not become one, and with the capabilities of a call that declares its
    /// own. In the legacy era requests declare none.
    pub(in crate::engine::client) fn push(
        &self,
        without_tasks: bool,
        capabilities: Option<&str>,
        out: &mut String,
    ) {
        match capabilities.filter(|_| !self.without_capabilities.is_empty()) {
            Some(capabilities) => {
                out.push_str(&self.without_capabilities);
                meta::push_capabilities(capabilities, out);
            }
            None if without_tasks => out.push_str(&self.without_tasks),
            None => return out.push_str(&self.text),
        }
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
