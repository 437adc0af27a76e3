//! Tools with an app (the extension `io.modelcontextprotocol/ui`): the resource that such a tool names has to be there, with its
//! media type (S-AP-01). It may be added after the tool, so the engine looks when a client asks for the list of tools.

use super::effect::SessionId;
use super::router::Server;
use crate::engine::counters::Level;
use crate::json;
use std::collections::BTreeSet;

/// The media type of the resource of an app.
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

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
    fn take(&mut self) -> BTreeSet<Box<str>> {
        std::mem::take(&mut self.unseen)
    }
}

impl<H: Clone> Server<H> {
    /// Looks at the apps of tools that are listed for the first time. What is wrong goes to the log: the tools work without.
    pub(super) fn look_at_apps(&mut self) {
        for name in self.apps.take() {
            let Some(uri) = self.registry.tools.get(&name).and_then(|tool| tool.app.clone()) else {
                continue;
            };
            if !self.is_resource(&uri) {
                let text = format!(
                    "the tool '{name}' names the resource '{uri}' as its app, and there is none: add it before clients ask"
                );
                self.record(Level::Warn, SessionId(0), text);
                continue;
            }
            let definition = self.registry.resources.get(&uri).map(|resource| resource.definition.as_str());
            let media_type =
                definition.map(|it| json::member(it, "mimeType").and_then(json::string).unwrap_or_default());
            if let Some(other) = media_type.filter(|it| it != MEDIA_TYPE) {
                let text = format!(
                    "the resource '{uri}' is the app of the tool '{name}', and its 'mimeType' is '{other}': it must be '{MEDIA_TYPE}'"
                );
                self.record(Level::Warn, SessionId(0), text);
            }
        }
    }
}
