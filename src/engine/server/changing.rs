//! Entries that are replaced while the server runs. Each keeps its place in its list, so that a client that is in the middle of
//! the pages neither misses it nor meets it twice (S-PA-03).
//!
//! Requests under way keep the handler that they began with. Clients are told only if the definition differs: that is all they
//! see of an entry, and a notice without a change makes them read every page again (S-SU-10).

use super::effect::Now;
use super::listens::Changed;
use super::registry::{self, Content, Invalid};
use super::router::Server;

impl<H: Clone> Server<H> {
    /// Replaces the tool of the same name.
    ///
    /// # Errors
    /// Which member of the definition is wrong, or that there is no such tool. Nothing has changed then.
    pub fn change_tool(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let tool = registry::check::tool(definition, handler)?;
        self.apps.added(&tool.name, tool.app.is_some());
        let old = self.registry.change_tool(tool)?;
        self.changed_from(now, &old.definition, definition, Changed::Tools);
        self.discard(Some(old.handler));
        Ok(())
    }

    /// Replaces the resource of the same URI by one that a handler reads.
    ///
    /// # Errors
    /// As for [`change_tool`](Self::change_tool).
    pub fn change_resource(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let mut resource = registry::check::resource(definition, Content::Handler(handler))?;
        resource.within = self.skills.within(&resource.uri);
        let old = self.registry.change_resource(resource)?;
        self.changed_from(now, &old.definition, definition, Changed::Resources);
        self.discard(old.content.handler());
        Ok(())
    }

    /// Replaces the resource template of the same pattern.
    ///
    /// # Errors
    /// As for [`change_tool`](Self::change_tool).
    pub fn change_template(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let old = self.registry.change_template(registry::check::template(definition, handler)?)?;
        self.changed_from(now, &old.definition, definition, Changed::Resources);
        self.discard(Some(old.handler));
        Ok(())
    }

    /// Replaces the prompt of the same name.
    ///
    /// # Errors
    /// As for [`change_tool`](Self::change_tool).
    pub fn change_prompt(&mut self, now: Now, definition: &str, handler: H) -> Result<(), Invalid> {
        let old = self.registry.change_prompt(registry::check::prompt(definition, handler)?)?;
        self.changed_from(now, &old.definition, definition, Changed::Prompts);
        self.discard(Some(old.handler));
        Ok(())
    }

    fn changed_from(&mut self, now: Now, before: &str, after: &str, list: Changed) {
        if before != after {
            self.changed(now, list);
        }
    }
}
