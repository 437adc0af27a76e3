//! What a server offers: tools, resources, templates, prompts, completers, methods of extensions.
//!
//! Everything is checked when it is added, so that nothing has to be doubted when it is used. Each list keeps the order in
//! which its entries were added, in every revision (S-TL-03). What serves a request is given to a [`Reader`] only, which is asked
//! first; the rest is for the application, whose entries they are.
//!
//! [`Registry`], the part, is in this file.
//!
//! The files:
//!
//! * `list`: `List`: entries in order, read in pages
//! * `entry`: the types of entries
//! * `check`: the checks of a definition when it is added: limits of names, and schemas
//! * `invalid`: `Invalid`: what is wrong with a definition

pub(super) mod check;
mod entry;
mod invalid;
mod list;

pub(super) use entry::{Completer, Content, Extension, Output, Prompt, Resource, Template, Tool};
pub use invalid::Invalid;
pub(super) use list::{Entry, List};

pub use super::access::Kind;
use super::access::{Lacks, Reader};
use crate::json;
use crate::protocol::Revision;
use crate::protocol::task::Support;
use std::collections::BTreeMap;

/// A template, and what its variables are in a URI.
pub(super) type Matching<'a, H> = (&'a Template<H>, BTreeMap<String, String>);

/// Everything that a server offers. Owns the entries; `H` is what the application wants back with a request.
#[derive(Debug)]
pub(super) struct Registry<H> {
    tools: List<Tool<H>>,
    resources: List<Resource<H>>,
    templates: List<Template<H>>,
    prompts: List<Prompt<H>>,
    completers: BTreeMap<(String, String), Completer<H>>,
    extensions: BTreeMap<String, Extension<H>>,
    /// Whether there ever was a tool that may run as a task: what was announced once stays announced.
    runs_tasks: bool,
    /// Whether calls may become tasks whatever tools say.
    allows_tasks: bool,
}

impl<H: Clone> Registry<H> {
    /// A registry of nothing.
    pub fn new() -> Registry<H> {
        Registry {
            tools: List::new(),
            resources: List::new(),
            templates: List::new(),
            prompts: List::new(),
            completers: BTreeMap::new(),
            extensions: BTreeMap::new(),
            runs_tasks: false,
            allows_tasks: false,
        }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// The name is taken.
    pub fn add_tool(&mut self, tool: Tool<H>) -> Result<(), Invalid> {
        let runs_as_task = tool.support != Support::Forbidden;
        self.tools.add(tool)?;
        self.runs_tasks |= runs_as_task;
        Ok(())
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// The URI is taken.
    pub fn add_resource(&mut self, resource: Resource<H>) -> Result<(), Invalid> {
        self.resources.add(resource)
    }

    /// Replaces the resource of the same URI. Gives the old one.
    ///
    /// # Errors
    /// There is none with its URI.
    pub fn change_resource(&mut self, resource: Resource<H>) -> Result<Resource<H>, Invalid> {
        self.resources.change(resource)
    }

    /// Adds a template.
    ///
    /// # Errors
    /// The text of the template is taken.
    pub fn add_template(&mut self, template: Template<H>) -> Result<(), Invalid> {
        self.templates.add(template)
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// The name is taken.
    pub fn add_prompt(&mut self, prompt: Prompt<H>) -> Result<(), Invalid> {
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

    /// The URI of the resource that the app of a tool is, for the application.
    pub fn app_of(&self, tool: &str) -> Option<Box<str>> {
        self.tools.get(tool)?.app.clone()
    }

    /// The media type of a resource that was added with its URI, for the application; empty without one.
    pub fn media_type_of(&self, uri: &str) -> Option<String> {
        let definition = &self.resources.get(uri)?.definition;
        Some(json::member(definition, "mimeType").and_then(json::string).unwrap_or_default().into_owned())
    }

    /// A tool.
    ///
    /// # Errors
    /// What its reader needs for one of that name.
    pub fn tool(&self, reader: &Reader<'_>, name: &str) -> Result<Option<&Tool<H>>, Lacks> {
        reader.entry(Kind::Tool, name)?;
        Ok(self.tools.get(name))
    }

    /// A prompt.
    ///
    /// # Errors
    /// What its reader needs for one of that name.
    pub fn prompt(&self, reader: &Reader<'_>, name: &str) -> Result<Option<&Prompt<H>>, Lacks> {
        reader.entry(Kind::Prompt, name)?;
        Ok(self.prompts.get(name))
    }

    /// A template, by its text.
    ///
    /// # Errors
    /// What its reader needs for one of that text.
    pub fn template(&self, reader: &Reader<'_>, text: &str) -> Result<Option<&Template<H>>, Lacks> {
        reader.entry(Kind::Template, text)?;
        Ok(self.templates.get(text))
    }

    /// The resource that was added with this URI.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn resource(&self, reader: &Reader<'_>, uri: &str) -> Result<Option<&Resource<H>>, Lacks> {
        let Some(resource) = self.resources.get(uri) else { return Ok(None) };
        reader.resource(uri, &resource.within)?;
        Ok(Some(resource))
    }

    /// The first template that matches a URI, and the variables.
    ///
    /// # Errors
    /// What its reader needs.
    pub fn matching(&self, reader: &Reader<'_>, uri: &str) -> Result<Option<Matching<'_, H>>, Lacks> {
        let mut all = self.templates.iter();
        let found = all.find_map(|it| Some((it, crate::uri_template::matches(&it.pattern, uri)?)));
        if let Some((template, _)) = &found {
            reader.spelled(uri, Some(&template.pattern))?;
        }
        Ok(found)
    }

    /// One page of a list, written for `revision`: the entries that its reader sees as JSON text, and the place of the next page.
    pub fn page(
        &self,
        reader: &Reader<'_>,
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
        reader: &Reader<'_>,
        (kind, reference): (Kind, &str),
        argument: &str,
    ) -> Result<Option<&Completer<H>>, Lacks> {
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
    pub fn add_extension(&mut self, method: &str, extension: Extension<H>) -> Result<(), Invalid> {
        check::extension_method(method)?;
        if self.extensions.contains_key(method) {
            return Err(Invalid::new("name", format!("the method '{method}' is there already")));
        }
        self.extensions.insert(method.to_owned(), extension);
        Ok(())
    }

    /// The method of an extension by which its reader asks, at a revision that it is for.
    ///
    /// # Errors
    /// What its reader needs for the method.
    pub fn extension(&self, reader: &Reader<'_>, revision: Revision) -> Result<Option<&Extension<H>>, Lacks> {
        reader.method()?;
        let extension = self.extensions.get(reader.method_name());
        Ok(extension.filter(|extension| extension.revisions.contains(&revision)))
    }

    /// Whether a method of an extension was added, for any revision.
    pub fn has_extension(&self, method: &str) -> bool {
        self.extensions.contains_key(method)
    }

    /// The identifiers of the extensions that methods were added for, each with its settings, at a revision.
    pub fn extension_capabilities(&self, revision: Revision) -> BTreeMap<&str, &str> {
        self.extensions
            .values()
            .filter(|extension| extension.revisions.contains(&revision))
            .filter_map(|extension| Some((extension.capability.as_deref()?, extension.settings.as_str())))
            .collect()
    }
}

fn handler_of<E, H>(entry: Option<E>, handler: impl FnOnce(E) -> Option<H>) -> (bool, Option<H>) {
    (entry.is_some(), entry.and_then(handler))
}
