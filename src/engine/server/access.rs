//! Which scopes requests need, and who a request comes from. Whether a sender is who it says was checked before the engine.

use super::registry::Kind;
use crate::protocol::method;
use std::collections::BTreeMap;

/// Who a request comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Principal {
    /// What sessions, tasks and states of requests are bound to.
    pub id: Box<str>,
    /// What it may do.
    pub scopes: Vec<Box<str>>,
    /// What the application is told of it, a JSON object.
    pub text: Box<str>,
}

/// Scopes by name.
pub type ScopesByName = BTreeMap<String, Vec<String>>;

/// Which scopes are needed besides those of every request.
#[derive(Clone, Default, Debug)]
pub struct AccessRules {
    /// By method.
    pub methods: ScopesByName,
    /// By the name of a tool.
    pub tools: ScopesByName,
    /// By the name of a prompt.
    pub prompts: ScopesByName,
    /// By the URI of a resource or the text of a template, as it was added.
    pub resources: ScopesByName,
    /// Whether lists have what their reader may not use.
    pub lists_all: bool,
}

impl AccessRules {
    /// Whether nothing needs a scope of its own.
    pub fn is_empty(&self) -> bool {
        [&self.methods, &self.tools, &self.prompts, &self.resources].iter().all(|rules| rules.is_empty())
    }

    /// What an entry of the registry needs.
    pub fn of_entry(&self, kind: Kind, key: &str) -> &[String] {
        let rules = match kind {
            Kind::Tool => &self.tools,
            Kind::Prompt => &self.prompts,
            Kind::Resource | Kind::Template => &self.resources,
        };
        rules.get(key).map_or(&[], Vec::as_slice)
    }

    /// What a method needs, whatever it is about.
    pub fn of_method(&self, name: &str) -> &[String] {
        self.methods.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a principal has what an entry needs. Who is not authorized is asked for nothing: its transport needs no token.
    pub fn allows(&self, principal: Option<&Principal>, kind: Kind, key: &str) -> bool {
        principal.is_none_or(|principal| has(principal, self.of_entry(kind, key)))
    }

    /// Whether an entry is in the lists of a principal.
    pub fn lists(&self, principal: Option<&Principal>, kind: Kind, key: &str) -> bool {
        if self.lists_all || principal.is_none() {
            return true;
        }
        let method = match kind {
            Kind::Tool => method::TOOLS_CALL,
            Kind::Prompt => method::PROMPTS_GET,
            Kind::Resource | Kind::Template => method::RESOURCES_READ,
        };
        self.allows(principal, kind, key)
            && principal.is_some_and(|principal| has(principal, self.of_method(method)))
    }
}

/// Whether a principal has all of these scopes.
pub(super) fn has(principal: &Principal, needed: &[String]) -> bool {
    needed.iter().all(|scope| principal.scopes.iter().any(|own| **own == **scope))
}
