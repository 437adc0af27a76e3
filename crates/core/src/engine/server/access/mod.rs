//! Which scopes requests need, and who a request comes from. Whether a sender is who it says was checked before the engine.
//!
//! The registry, the skills, the tasks and the relay give what they have against a [`ScopedReader`] only, and ask it first: there is no way to
//! an entry that leads past its scopes.
//!
//! The files:
//!
//! * `resolve`: what a request is about, found once, for its sender
//! * `uri_equivalence`: which spellings of a URI are the same

pub(super) mod resolve;
mod uri_equivalence;

use crate::protocol::method;
use crate::sorted::SortedMap;
use uri_equivalence::UriEquivalence;

/// Which list an entry is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Kind {
    /// `tools/list`.
    Tool,
    /// `resources/list`.
    Resource,
    /// `resources/templates/list`.
    Template,
    /// `prompts/list`.
    Prompt,
}

impl Kind {
    /// The member of the list's result that holds the entries.
    pub(super) fn member(self) -> &'static str {
        match self {
            Kind::Tool => "tools",
            Kind::Resource => "resources",
            Kind::Template => "resourceTemplates",
            Kind::Prompt => "prompts",
        }
    }

    /// The member of an entry that names it.
    #[cfg(feature = "draft")]
    pub(super) fn named_by(self) -> &'static str {
        match self {
            Kind::Tool | Kind::Prompt => "name",
            Kind::Resource => "uri",
            Kind::Template => "uriTemplate",
        }
    }
}

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
pub type ScopesByName = SortedMap<String, Vec<String>>;

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
    pub resources: ResourceRules,
    /// Whether lists have what their reader may not use.
    pub lists_all: bool,
}

impl AccessRules {
    /// Whether nothing needs a scope of its own.
    pub fn is_empty(&self) -> bool {
        [&self.methods, &self.tools, &self.prompts, &self.resources.as_written]
            .iter()
            .all(|rules| rules.is_empty())
    }

    fn of_kind(&self, kind: Kind) -> &ScopesByName {
        match kind {
            Kind::Tool => &self.tools,
            Kind::Prompt => &self.prompts,
            Kind::Resource | Kind::Template => &self.resources.as_written,
        }
    }
}

/// The rules about resources. A URI can be written in several ways, and what serves it may read each of them.
#[derive(Clone, Default, Debug)]
pub struct ResourceRules {
    as_written: ScopesByName,
    /// The same, for other spellings.
    spelled: Vec<ResourceRule>,
}

#[derive(Clone, Debug)]
struct ResourceRule {
    rule: UriEquivalence,
    /// If it is a template: as it was added.
    template: Option<String>,
    scopes: Vec<String>,
}

impl From<ScopesByName> for ResourceRules {
    fn from(as_written: ScopesByName) -> ResourceRules {
        let spelled = as_written.iter().map(|(uri, scopes)| ResourceRule {
            rule: UriEquivalence::of_rule(uri),
            template: uri.contains('{').then(|| uri.clone()),
            scopes: scopes.clone(),
        });
        ResourceRules { spelled: spelled.collect(), as_written }
    }
}

/// Scopes that are needed together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct NeededScopes(Vec<String>);

impl NeededScopes {
    fn add(&mut self, scopes: &[String]) {
        for scope in scopes {
            if !self.0.contains(scope) {
                self.0.push(scope.clone());
            }
        }
    }

    fn add_named(&mut self, rules: &ScopesByName, name: &str) {
        self.add(rules.get(name).map_or(&[], Vec::as_slice));
    }
}

/// All scopes that a request needs besides those of every request, some of which its sender does not have (S-AU-04).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingScopes(Vec<String>);

impl MissingScopes {
    /// The scopes.
    pub fn scopes(&self) -> &[String] {
        &self.0
    }

    /// What two requests need together.
    pub(super) fn with(self, other: &MissingScopes) -> MissingScopes {
        let mut all = NeededScopes(self.0);
        all.add(&other.0);
        MissingScopes(all.0)
    }
}

/// Who wants something of a server, and by which method. Who is not authorized is asked for nothing: its transport needs no token.
#[derive(Clone, Copy, Debug)]
pub struct ScopedReader<'a> {
    /// The rules, and who must keep them.
    asked: Option<(&'a AccessRules, &'a Principal)>,
    method: &'a str,
}

impl<'a> ScopedReader<'a> {
    pub fn new(
        rules: &'a AccessRules,
        principal: Option<&'a Principal>,
        method: &'a str,
    ) -> ScopedReader<'a> {
        ScopedReader {
            asked: principal.filter(|_| !rules.is_empty()).map(|principal| (rules, principal)),
            method,
        }
    }

    /// Whether rules are asked at all. Where they are, a request must not say two things about what it wants.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// The method by which it asks.
    pub fn method_name(&self) -> &'a str {
        self.method
    }

    /// Whether it may ask by this method.
    ///
    /// # Errors
    /// What it needs.
    pub fn method(&self) -> Result<(), MissingScopes> {
        self.needs(|_, _| {})
    }

    /// Whether it may have a tool, a prompt, or what belongs to a template.
    ///
    /// # Errors
    /// What it needs.
    pub fn entry(&self, kind: Kind, key: &str) -> Result<(), MissingScopes> {
        self.needs(|rules, needs| needs.add_named(rules.of_kind(kind), key))
    }

    /// Whether it may have the resource that was added with this URI. `within` are the URIs of what it is a part of.
    ///
    /// # Errors
    /// What it needs.
    pub fn resource(&self, uri: &str, within: &[String]) -> Result<(), MissingScopes> {
        self.needs(|rules, needs| add_resource(rules, uri, within, needs))
    }

    /// Whether it may have what a template makes of a URI, or a server behind this one.
    ///
    /// # Errors
    /// What it needs.
    pub fn spelled(&self, uri: &str, template: Option<&str>) -> Result<(), MissingScopes> {
        self.needs(|rules, needs| {
            if let Some(template) = template {
                needs.add_named(&rules.resources.as_written, template);
            }
            add_spelled(rules, uri, needs);
        })
    }

    /// Whether it may have what is in no list and a server behind this one may have: that needs as much as anything of its kind. What of
    /// another kind than these it is, only the rules about methods know.
    ///
    /// # Errors
    /// What it needs.
    pub fn unlisted(&self, kind: Option<Kind>) -> Result<(), MissingScopes> {
        self.needs(|rules, needs| {
            for scopes in kind.iter().flat_map(|kind| rules.of_kind(*kind).values()) {
                needs.add(scopes);
            }
        })
    }

    /// Whether it may ask about what a call of a tool has become: as much as the call needs.
    ///
    /// # Errors
    /// What it needs.
    pub fn call(&self, tool: &str, is_listed: bool) -> Result<(), MissingScopes> {
        self.needs(|rules, needs| {
            needs.add_named(&rules.methods, method::TOOLS_CALL);
            needs.add_named(&rules.tools, tool);
            for scopes in rules.tools.values().filter(|_| !is_listed) {
                needs.add(scopes);
            }
        })
    }

    /// Whether a list that it reads has an entry: if it may use it, which also the method for that decides.
    pub fn sees(&self, kind: Kind, key: &str, within: &[String]) -> bool {
        let Some((rules, _)) = self.asked.filter(|(rules, _)| !rules.lists_all) else { return true };
        let using = match kind {
            Kind::Tool => method::TOOLS_CALL,
            Kind::Prompt => method::PROMPTS_GET,
            Kind::Resource | Kind::Template => method::RESOURCES_READ,
        };
        let mut needs = NeededScopes::default();
        needs.add_named(&rules.methods, using);
        match kind {
            Kind::Resource => add_resource(rules, key, within, &mut needs),
            kind => needs.add_named(rules.of_kind(kind), key),
        }
        self.has(&needs)
    }

    fn needs(&self, of_entry: impl FnOnce(&AccessRules, &mut NeededScopes)) -> Result<(), MissingScopes> {
        let Some((rules, _)) = self.asked else { return Ok(()) };
        let mut needs = NeededScopes::default();
        needs.add_named(&rules.methods, self.method);
        of_entry(rules, &mut needs);
        if self.has(&needs) { Ok(()) } else { Err(MissingScopes(needs.0)) }
    }

    fn has(&self, needs: &NeededScopes) -> bool {
        self.asked.is_none_or(|(_, principal)| {
            needs.0.iter().all(|scope| principal.scopes.iter().any(|own| **own == **scope))
        })
    }
}

/// A resource that was added with this URI needs what the rules say of the URI, of the same one in another spelling, and of what it is a
/// part of.
fn add_resource(rules: &AccessRules, uri: &str, within: &[String], needs: &mut NeededScopes) {
    let rules = &rules.resources;
    if rules.spelled.is_empty() {
        return;
    }
    for uri in std::iter::once(uri).chain(within.iter().map(String::as_str)) {
        let spelling = UriEquivalence::of(uri);
        needs.add_named(&rules.as_written, uri);
        for same in rules.spelled.iter().filter(|it| spelling.is(&it.rule)) {
            needs.add(&same.scopes);
        }
    }
}

/// A URI that is served by what is not a resource of its own needs what the rules say of any resource or template that it may lead to.
fn add_spelled(rules: &AccessRules, uri: &str, needs: &mut NeededScopes) {
    let rules = &rules.resources;
    if rules.spelled.is_empty() {
        return;
    }
    let spelling = UriEquivalence::of(uri);
    for it in &rules.spelled {
        let is_of_template = |template| crate::uri_template::matches(template, uri).is_some();
        if it.template.as_deref().is_some_and(is_of_template) || spelling.may_be(&it.rule) {
            needs.add(&it.scopes);
        }
    }
}
