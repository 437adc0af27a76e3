//! What requests of a principal need, from what they are about.

use super::access::{Principal, has};
use super::context::Refusal;
use super::effect::SessionId;
use super::registry::Kind;
use super::router::Server;
use crate::json;
use crate::protocol::{error_code, method};
use std::sync::Arc;

impl<H: Clone> Server<H> {
    /// Says who the frames of a session that follow come from. The driver has checked that; a session stays with one principal.
    #[cfg(feature = "http")]
    pub fn authorize(&mut self, session: SessionId, principal: Option<Arc<Principal>>) {
        self.sessions.authorize(session, principal);
    }

    /// All scopes that a request needs besides those of every request (S-AU-04).
    pub fn needed_scopes(&self, name: &str, params: Option<&str>) -> Vec<String> {
        let access = &self.settings.access;
        if access.is_empty() {
            return Vec::new();
        }
        let mut needed = access.of_method(name).to_vec();
        let text = |object: Option<&str>, member: &str| {
            object
                .and_then(|object| json::member(object, member))
                .and_then(json::string)
                .map(std::borrow::Cow::into_owned)
        };
        let about = match name {
            method::TOOLS_CALL => text(params, "name").map(|name| (Kind::Tool, name)),
            method::PROMPTS_GET => text(params, "name").map(|name| (Kind::Prompt, name)),
            method::RESOURCES_READ | method::SUBSCRIBE | method::DIRECTORY_READ => {
                text(params, "uri").map(|uri| self.entry_of(uri))
            }
            method::COMPLETE => {
                let reference = params.and_then(|params| json::member(params, "ref"));
                let prompt = text(reference, "name").map(|name| (Kind::Prompt, name));
                prompt.or_else(|| text(reference, "uri").map(|uri| (Kind::Template, uri)))
            }
            _ => None,
        };
        for scope in about.iter().flat_map(|(kind, key)| access.of_entry(*kind, key)) {
            if !needed.contains(scope) {
                needed.push(scope.clone());
            }
        }
        needed
    }

    /// The entry that serves a URI. A rule is about entries: a URI can be written in several ways, and a template decodes it.
    fn entry_of(&self, uri: String) -> (Kind, String) {
        if self.registry.resources.get(&uri).is_some() || self.skills.file(&uri).is_some() {
            return (Kind::Resource, uri);
        }
        let matching = self
            .registry
            .templates
            .iter()
            .find(|template| crate::uri_template::matches(&template.pattern, &uri).is_some());
        match matching {
            Some(template) => (Kind::Template, template.pattern.clone()),
            None => (Kind::Resource, uri),
        }
    }

    /// Whether a principal may use what serves a URI.
    pub(super) fn may_use(&self, principal: Option<&Principal>, uri: &str) -> bool {
        if principal.is_none() || self.settings.access.is_empty() {
            return true;
        }
        let (kind, key) = self.entry_of(uri.to_owned());
        self.settings.access.allows(principal, kind, &key)
    }

    /// Whether the sender may ask this. Over HTTP the client was asked for more scopes before; here is what no way around that
    /// leads past (SF-21).
    ///
    /// # Errors
    /// Which scopes are missing.
    pub(super) fn admit_principal(
        &self,
        principal: Option<&Arc<Principal>>,
        name: &str,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        let Some(principal) = principal else { return Ok(()) };
        let needed = self.needed_scopes(name, params);
        if has(principal, &needed) {
            return Ok(());
        }
        let text = format!("insufficient_scope: this needs the scopes '{}'", needed.join(" "));
        Err(Refusal::new(error_code::INVALID_REQUEST, text))
    }
}
