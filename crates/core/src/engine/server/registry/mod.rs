//! What a server offers: tools, resources, templates, prompts, completers, methods of extensions.
//!
//! Everything is checked when it is added, so that nothing has to be doubted when it is used. Each list keeps the order in
//! which its entries were added, in every revision (S-TL-03). What serves a request is given to a [`ScopedReader`] only, which is asked
//! first; the rest is for the application, whose entries they are.
//!
//! [`Registry`], the part, is in this file.
//!
//! The files:
//!
//! * `definition`: the checks of a definition when it is added
//! * `list`: `EntryList`: entries in order, read in pages; cursors

pub(super) mod definition;
pub(super) mod list;

pub use super::access::Kind;
pub use definition::Invalid;
pub(super) use list::{EntryList, ListEntry};

use super::Server;
use super::access::{MissingScopes, ScopedReader};
use crate::json;
use crate::protocol::Revision;
use crate::protocol::content::APP_MEDIA_TYPE;
#[cfg(feature = "http")]
use crate::protocol::header_parameters::Parameter;
use crate::protocol::task::Support;
#[cfg(feature = "schema")]
use crate::schema::{FastPath, Schema};
use crate::sorted::{SortedMap, SortedSet};
use definition::check_extension_method;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A template, and what its variables are in a URI.
pub type Matching<'a, H> = (&'a TemplateEntry<H>, BTreeMap<String, String>);

/// Everything that a server offers. Owns the entries; `H` is what the application wants back with a request.
#[derive(Debug)]
pub struct Registry<H> {
    tools: EntryList<ToolEntry<H>>,
    resources: EntryList<ResourceEntry<H>>,
    templates: EntryList<TemplateEntry<H>>,
    prompts: EntryList<PromptEntry<H>>,
    completers: SortedMap<(String, String), Completer<H>>,
    extensions: SortedMap<String, ExtensionMethod<H>>,
    /// Whether there ever was a tool that may run as a task: what was announced once stays announced.
    runs_tasks: bool,
    /// Whether calls may become tasks whatever tools say.
    allows_tasks: bool,
    /// The tools with an app that were added since clients asked for the list of tools.
    new_apps: SortedSet<Box<str>>,
}

impl<H: Clone> Registry<H> {
    /// A registry of nothing.
    pub fn new() -> Registry<H> {
        Registry {
            tools: EntryList::new(),
            resources: EntryList::new(),
            templates: EntryList::new(),
            prompts: EntryList::new(),
            completers: SortedMap::new(),
            extensions: SortedMap::new(),
            runs_tasks: false,
            allows_tasks: false,
            new_apps: SortedSet::new(),
        }
    }

    /// A number that is another one when definitions of a kind, or their order, are others; the same in all processes of one build.
    pub fn fingerprint(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Tool => self.tools.fingerprint(),
            Kind::Resource => self.resources.fingerprint(),
            Kind::Template => self.templates.fingerprint(),
            Kind::Prompt => self.prompts.fingerprint(),
        }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// The name is taken.
    pub fn add_tool(&mut self, tool: ToolEntry<H>) -> Result<(), Invalid> {
        let runs_as_task = tool.support != Support::Forbidden;
        let app_of = tool.app.is_some().then(|| tool.name.as_str().into());
        self.tools.add(tool)?;
        self.runs_tasks |= runs_as_task;
        self.new_apps.extend(app_of);
        Ok(())
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// The URI is taken.
    pub fn add_resource(&mut self, resource: ResourceEntry<H>) -> Result<(), Invalid> {
        self.resources.add(resource)
    }

    /// Replaces the resource of the same URI. Gives the old one.
    ///
    /// # Errors
    /// There is none with its URI.
    pub fn change_resource(&mut self, resource: ResourceEntry<H>) -> Result<ResourceEntry<H>, Invalid> {
        self.resources.change(resource)
    }

    /// Adds a template.
    ///
    /// # Errors
    /// The text of the template is taken.
    pub fn add_template(&mut self, template: TemplateEntry<H>) -> Result<(), Invalid> {
        self.templates.add(template)
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// The name is taken.
    pub fn add_prompt(&mut self, prompt: PromptEntry<H>) -> Result<(), Invalid> {
        self.prompts.add(prompt)
    }

    /// Calls may become tasks whatever the definitions of tools say.
    pub fn allow_tasks(&mut self) {
        self.allows_tasks = true;
    }

    /// Whether tools may run as tasks.
    pub fn runs_tasks(&self) -> bool {
        self.runs_tasks || self.allows_tasks
    }

    /// Whether a tool says so, which is what clients of the core form go by.
    pub fn has_tools_for_tasks(&self) -> bool {
        self.runs_tasks
    }

    /// Takes an entry out. Gives whether there was one, and its handler.
    pub fn remove(&mut self, kind: Kind, name: &str) -> (bool, Option<H>) {
        match kind {
            Kind::Tool => handler_of(self.tools.remove(name), |tool| Some(tool.handler)),
            Kind::Resource => handler_of(self.resources.remove(name), |resource| resource.content.handler()),
            Kind::Template => handler_of(self.templates.remove(name), |template| Some(template.handler)),
            Kind::Prompt => handler_of(self.prompts.remove(name), |prompt| Some(prompt.handler)),
        }
    }

    /// Whether there is an entry of that name or URI.
    pub fn has(&self, kind: Kind, key: &str) -> bool {
        match kind {
            Kind::Tool => self.tools.get(key).is_some(),
            Kind::Resource => self.resources.get(key).is_some(),
            Kind::Template => self.templates.get(key).is_some(),
            Kind::Prompt => self.prompts.get(key).is_some(),
        }
    }

    /// Whether there ever was an entry in a list.
    pub fn had(&self, kind: Kind) -> bool {
        match kind {
            Kind::Tool => self.tools.was_used(),
            Kind::Resource => self.resources.was_used(),
            Kind::Template => self.templates.was_used(),
            Kind::Prompt => self.prompts.was_used(),
        }
    }

    /// Whether a template matches a URI.
    pub fn has_matching(&self, uri: &str) -> bool {
        self.templates.iter().any(|it| crate::uri_template::matches(&it.pattern, uri).is_some())
    }

    /// A tool.
    ///
    /// # Errors
    /// What its reader needs for one of that name.
    pub fn tool(
        &self,
        reader: &ScopedReader<'_>,
        name: &str,
    ) -> Result<Option<&ToolEntry<H>>, MissingScopes> {
        reader.entry(Kind::Tool, name)?;
        Ok(self.tools.get(name))
    }

    /// A prompt.
    ///
    /// # Errors
    /// What its reader needs for one of that name.
    pub fn prompt(
        &self,
        reader: &ScopedReader<'_>,
        name: &str,
    ) -> Result<Option<&PromptEntry<H>>, MissingScopes> {
        reader.entry(Kind::Prompt, name)?;
        Ok(self.prompts.get(name))
    }

    /// A template, by its text.
    ///
    /// # Errors
    /// What its reader needs for one of that text.
    pub fn template(
        &self,
        reader: &ScopedReader<'_>,
        text: &str,
    ) -> Result<Option<&TemplateEntry<H>>, MissingScopes> {
        reader.entry(Kind::Template, text)?;
        Ok(self.templates.get(text))
    }

    /// The resource that was added with this URI.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn resource(
        &self,
        reader: &ScopedReader<'_>,
        uri: &str,
    ) -> Result<Option<&ResourceEntry<H>>, MissingScopes> {
        let Some(resource) = self.resources.get(uri) else { return Ok(None) };
        reader.resource(uri, &resource.within)?;
        Ok(Some(resource))
    }

    /// The first template that matches a URI, and the variables.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn matching(
        &self,
        reader: &ScopedReader<'_>,
        uri: &str,
    ) -> Result<Option<Matching<'_, H>>, MissingScopes> {
        let mut all = self.templates.iter();
        let found = all.find_map(|it| Some((it, crate::uri_template::matches(&it.pattern, uri)?)));
        if let Some((template, _)) = &found {
            reader.spelled(uri, Some(&template.pattern))?;
        }
        Ok(found)
    }

    /// The digest of an entry's definition, which nests at most that deep. It is made once.
    #[cfg(feature = "draft")]
    pub fn digest(&self, kind: Kind, key: &str, depth: usize) -> Option<&str> {
        match kind {
            Kind::Tool => self.tools.digest(key, depth),
            Kind::Resource => self.resources.digest(key, depth),
            Kind::Template => self.templates.digest(key, depth),
            Kind::Prompt => self.prompts.digest(key, depth),
        }
    }

    /// One page of a list, written for `revision`: the entries that its reader sees as JSON text, and the place of the next page.
    pub fn page(
        &self,
        reader: &ScopedReader<'_>,
        kind: Kind,
        revision: Revision,
        after: u64,
        size: usize,
    ) -> (String, Option<u64>) {
        let sees = |key: &str| reader.sees(kind, key, &[]);
        match kind {
            Kind::Tool => self.tools.page(revision, after, size, &|tool| sees(&tool.name)),
            Kind::Resource => self
                .resources
                .page(revision, after, size, &|resource| reader.sees(kind, &resource.uri, &resource.within)),
            Kind::Template => self.templates.page(revision, after, size, &|template| sees(&template.pattern)),
            Kind::Prompt => self.prompts.page(revision, after, size, &|prompt| sees(&prompt.name)),
        }
    }

    /// Sets what completes `argument` of the prompt or template `reference`. Gives the handler that did so before.
    pub fn set_completer(&mut self, reference: &str, argument: &str, completer: Completer<H>) -> Option<H> {
        match self.completers.insert((reference.to_owned(), argument.to_owned()), completer) {
            Some(Completer::Handler(handler)) => Some(handler),
            Some(Completer::Values(_)) | None => None,
        }
    }

    /// What completes `argument` of the prompt or template `reference`.
    ///
    /// # Errors
    /// What its reader needs for that prompt or template.
    pub fn completer(
        &self,
        reader: &ScopedReader<'_>,
        (kind, reference): (Kind, &str),
        argument: &str,
    ) -> Result<Option<&Completer<H>>, MissingScopes> {
        reader.entry(kind, reference)?;
        Ok(self.completers.get(&(reference.to_owned(), argument.to_owned())))
    }

    /// Whether anything completes.
    pub fn completes(&self) -> bool {
        !self.completers.is_empty()
    }

    /// Adds a method of an extension.
    ///
    /// # Errors
    /// The name is taken, or belongs to the protocol.
    pub fn add_extension(&mut self, method: &str, extension: ExtensionMethod<H>) -> Result<(), Invalid> {
        check_extension_method(method)?;
        if self.extensions.contains_key(method) {
            return Err(Invalid::new("name", format!("the method '{method}' exists already")));
        }
        self.extensions.insert(method.to_owned(), extension);
        Ok(())
    }

    /// The method of an extension by which its reader asks, at a revision that it is for.
    ///
    /// # Errors
    /// What its reader needs for the method.
    pub fn extension(
        &self,
        reader: &ScopedReader<'_>,
        revision: Revision,
    ) -> Result<Option<&ExtensionMethod<H>>, MissingScopes> {
        reader.method()?;
        let extension = self.extensions.get(reader.method_name());
        Ok(extension.filter(|extension| extension.revisions.contains(&revision)))
    }

    /// Whether there is a tool of this name, for any sender.
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.get(name).is_some()
    }

    /// The same for a prompt.
    pub fn has_prompt(&self, name: &str) -> bool {
        self.prompts.get(name).is_some()
    }

    /// Whether a method of an extension was added, for any revision.
    pub fn has_extension(&self, method: &str) -> bool {
        self.extensions.contains_key(method)
    }

    /// The identifiers of the extensions that methods were added for, each with its settings, at a revision.
    pub fn extension_capabilities(&self, revision: Revision) -> SortedMap<&str, &str> {
        let at_revision = self.extensions.values().filter(|it| it.revisions.contains(&revision));
        json::inserted(at_revision.filter_map(|it| Some((it.capability.as_deref()?, it.settings.as_str()))))
    }
}

impl<H: Clone> Server<H> {
    /// Checks the apps (the extension `io.modelcontextprotocol/ui`) of tools that are listed for the first time: the resource that such
    /// a tool names must exist with its media type (S-AP-01), and may be added after the tool. Faults go to the log: the tools work
    /// without their apps.
    pub(super) fn check_new_apps(&mut self) {
        for name in std::mem::take(&mut self.registry.new_apps) {
            let Some(uri) = self.registry.tools.get(&name).and_then(|tool| tool.app.clone()) else {
                continue;
            };
            let resource = self.registry.resources.get(&uri);
            let mime = resource.map(|it| json::member(&it.definition, "mimeType").and_then(json::string));
            let text = match mime.map(Option::unwrap_or_default) {
                None if !self.is_resource(&uri) => format!(
                    "the tool '{name}' names the resource '{uri}' as its app, and no such resource was added: add it before clients ask"
                ),
                Some(other) if other != APP_MEDIA_TYPE => format!(
                    "the resource '{uri}' is the app of the tool '{name}', and its 'mimeType' is '{other}': it must be '{APP_MEDIA_TYPE}'"
                ),
                _ => continue,
            };
            self.warn(text);
        }
    }
}

fn handler_of<E, H>(entry: Option<E>, handler: impl FnOnce(E) -> Option<H>) -> (bool, Option<H>) {
    (entry.is_some(), entry.and_then(handler))
}

/// What the results of a tool are checked against. A request keeps it, so that a change of the tool does not change what its
/// handler owes.
#[cfg(feature = "schema")]
pub type OutputSchema = Arc<Schema>;
/// This build checks no results.
#[cfg(not(feature = "schema"))]
pub type OutputSchema = ();

/// A tool.
#[derive(Debug)]
pub struct ToolEntry<H> {
    pub name: String,
    pub definition: String,
    #[cfg(feature = "schema")]
    pub input: Arc<Schema>,
    /// The same for arguments that can be checked as text.
    #[cfg(feature = "schema")]
    pub plain_input: Option<FastPath>,
    pub output: Option<OutputSchema>,
    /// The arguments that headers of a call over HTTP repeat.
    #[cfg(feature = "http")]
    pub header_parameters: Vec<Parameter>,
    /// The URI of the resource that its app is, if it has one.
    pub app: Option<Box<str>>,
    /// Whether its calls may or must be tasks.
    pub support: Support,
    pub handler: H,
}

/// What a resource or a completion is answered from.
#[derive(Clone, Debug)]
pub enum EntryContent<H> {
    /// The handler of the application.
    Handler(H),
    /// A result that does not change, as JSON text without `_meta`.
    Fixed(Arc<str>),
}

impl<H> EntryContent<H> {
    /// The handler, if that is what answers.
    pub fn handler(self) -> Option<H> {
        match self {
            EntryContent::Handler(handler) => Some(handler),
            EntryContent::Fixed(_) => None,
        }
    }
}

/// A resource.
#[derive(Debug)]
pub struct ResourceEntry<H> {
    pub uri: String,
    pub definition: String,
    pub content: EntryContent<H>,
    /// The URIs of what it is a part of: rules about them hold for it, too.
    pub within: Vec<String>,
}

/// A resource template.
#[derive(Debug)]
pub struct TemplateEntry<H> {
    pub pattern: String,
    pub definition: String,
    pub handler: H,
}

/// A prompt.
#[derive(Debug)]
pub struct PromptEntry<H> {
    pub name: String,
    pub definition: String,
    /// The names of its arguments, and whether each is required.
    pub arguments: Vec<(String, bool)>,
    pub handler: H,
}

/// What completes one argument.
#[derive(Clone, Debug)]
pub enum Completer<H> {
    /// The handler of the application.
    Handler(H),
    /// These values; those are given that begin with what the person typed.
    Values(Arc<[String]>),
}

/// A method of an extension.
#[derive(Clone, Debug)]
pub struct ExtensionMethod<H> {
    /// The extension that a client must have declared.
    pub capability: Option<String>,
    /// What the server declares for it, a JSON object.
    pub settings: String,
    /// The revisions that have the method.
    pub revisions: Vec<Revision>,
    pub handler: H,
}

impl<H> ListEntry for ToolEntry<H> {
    const NAMED: (&str, &str) = ("tool", "name");
    fn key(&self) -> &str {
        &self.name
    }

    fn definition(&self) -> &str {
        &self.definition
    }

    fn since(member: &str, value: &str) -> Option<Revision> {
        match member {
            // Until 2025-11-25 a structured result is an object.
            "outputSchema"
                if json::member(value, "type").and_then(json::string).as_deref() != Some("object") =>
            {
                Some(Revision::V2026_07_28)
            }
            "annotations" => Some(Revision::V2025_03_26),
            "title" | "outputSchema" | "_meta" => Some(Revision::V2025_06_18),
            "icons" | "execution" => Some(Revision::V2025_11_25),
            _ => None,
        }
    }
}

impl<H> ListEntry for ResourceEntry<H> {
    const NAMED: (&str, &str) = ("resource", "uri");
    fn key(&self) -> &str {
        &self.uri
    }

    fn definition(&self) -> &str {
        &self.definition
    }
}

impl<H> ListEntry for TemplateEntry<H> {
    const NAMED: (&str, &str) = ("resource template", "uriTemplate");
    fn key(&self) -> &str {
        &self.pattern
    }

    fn definition(&self) -> &str {
        &self.definition
    }
}

impl<H> ListEntry for PromptEntry<H> {
    const NAMED: (&str, &str) = ("prompt", "name");
    fn key(&self) -> &str {
        &self.name
    }

    fn definition(&self) -> &str {
        &self.definition
    }
}
