//! What a server offers: tools, resources, templates, prompts, completers, methods of extensions.
//!
//! Everything is checked when it is added, so that nothing has to be doubted when it is used. Each list keeps the order in
//! which its entries were added, in every revision (S-TL-03).
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

use crate::protocol::Revision;
use crate::protocol::task::Support;
use std::collections::BTreeMap;

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
}

/// Everything that a server offers. Owns the entries; `H` is what the application wants back with a request.
#[derive(Debug)]
pub(super) struct Registry<H> {
    pub tools: List<Tool<H>>,
    pub resources: List<Resource<H>>,
    pub templates: List<Template<H>>,
    pub prompts: List<Prompt<H>>,
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

    /// Replaces the tool of the same name. Gives the old one.
    ///
    /// # Errors
    /// There is none with its name.
    pub fn change_tool(&mut self, tool: Tool<H>) -> Result<Tool<H>, Invalid> {
        let runs_as_task = tool.support != Support::Forbidden;
        let old = self.tools.change(tool)?;
        self.runs_tasks |= runs_as_task;
        Ok(old)
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

    /// One page of a list, written for `revision`: the entries that `allows` as JSON text, and the place of the next page.
    pub fn page(
        &self,
        kind: Kind,
        revision: Revision,
        after: u64,
        size: usize,
        allows: &dyn Fn(&str) -> bool,
    ) -> (String, Option<u64>) {
        match kind {
            Kind::Tool => self.tools.page(revision, after, size, allows),
            Kind::Resource => self.resources.page(revision, after, size, allows),
            Kind::Template => self.templates.page(revision, after, size, allows),
            Kind::Prompt => self.prompts.page(revision, after, size, allows),
        }
    }

    /// Sets what completes `argument` of the prompt or template `reference`. Gives the handler that did so before.
    pub fn set_completer(&mut self, reference: &str, argument: &str, completer: Completer<H>) -> Option<H> {
        match self.completers.insert((reference.to_owned(), argument.to_owned()), completer) {
            Some(Completer::Handler(handler)) => Some(handler),
            Some(Completer::Values(_)) | None => None,
        }
    }

    /// What completes `argument` of `reference`.
    pub fn completer(&self, reference: &str, argument: &str) -> Option<&Completer<H>> {
        self.completers.get(&(reference.to_owned(), argument.to_owned()))
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

    /// The method of an extension, at a revision that it is for.
    pub fn extension(&self, method: &str, revision: Revision) -> Option<&Extension<H>> {
        self.extensions.get(method).filter(|extension| extension.revisions.contains(&revision))
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
