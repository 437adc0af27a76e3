//! Tools with an app (the extension `io.modelcontextprotocol/ui`): the resource that such a tool names has to be there, with its
//! media type (S-AP-01). It may be added after the tool, so the engine looks when a client asks for the list of tools.

use std::collections::BTreeSet;

/// The part. Owns the names of the tools with an app that were added since the last look. The registry bounds them.
#[derive(Debug, Default)]
pub(super) struct Apps {
    unseen: BTreeSet<Box<str>>,
}

impl Apps {
    /// A tool was added, or has another definition.
    pub fn added(&mut self, tool: &str, has_app: bool) {
        if has_app {
            self.unseen.insert(tool.into());
        }
    }

    /// The tools that were not looked at yet.
    pub fn take(&mut self) -> BTreeSet<Box<str>> {
        std::mem::take(&mut self.unseen)
    }
}
