//! The look at the resources of apps, when a client asks for the list of tools.

use super::effect::SessionId;
use super::router::Server;
use crate::engine::counters::Level;

/// The media type of the resource of an app.
const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

impl<H: Clone> Server<H> {
    /// Looks at the apps of tools that are listed for the first time. What is wrong goes to the log: the tools work without.
    pub(super) fn look_at_apps(&mut self) {
        for name in self.apps.take() {
            let Some(uri) = self.registry.app_of(&name) else { continue };
            if !self.is_resource(&uri) {
                let text = format!(
                    "the tool '{name}' names the resource '{uri}' as its app, and there is none: add it before clients ask"
                );
                self.record(Level::Warn, SessionId(0), text);
                continue;
            }
            if let Some(other) = self.registry.media_type_of(&uri).filter(|it| it != MEDIA_TYPE) {
                let text = format!(
                    "the resource '{uri}' is the app of the tool '{name}', and its 'mimeType' is '{other}': it must be '{MEDIA_TYPE}'"
                );
                self.record(Level::Warn, SessionId(0), text);
            }
        }
    }
}
