//! The look at the resources of apps, when a client asks for the list of tools.

use super::effect::SessionId;
use super::router::Server;
use crate::engine::counters::Level;
use crate::json;

/// The media type of the resource of an app.
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

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
