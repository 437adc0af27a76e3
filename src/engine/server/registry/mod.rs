//! What a server offers: tools, resources, templates, prompts, completers, methods of extensions.
//!
//! Everything is checked when it is added, so that nothing has to be doubted when it is used. Each list keeps the order in
//! which its entries were added, in every revision (S-TL-03).

pub(super) mod check;
mod entry;
mod invalid;
mod list;

pub(super) use entry::{Completer, Content, Extension, Prompt, Resource, Template, Tool};
pub use invalid::Invalid;
pub(super) use list::List;

use crate::protocol::Revision;
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
        }
    }

    /// Removes an entry; whether there was one.
    pub fn remove(&mut self, kind: Kind, name: &str) -> bool {
        match kind {
            Kind::Tool => self.tools.remove(name),
            Kind::Resource => self.resources.remove(name),
            Kind::Template => self.templates.remove(name),
            Kind::Prompt => self.prompts.remove(name),
        }
    }

    /// One page of a list, written for `revision`: the entries as JSON text, and the place of the next page.
    pub fn page(&self, kind: Kind, revision: Revision, after: u64, size: usize) -> (String, Option<u64>) {
        match kind {
            Kind::Tool => self.tools.page(revision, after, size),
            Kind::Resource => self.resources.page(revision, after, size),
            Kind::Template => self.templates.page(revision, after, size),
            Kind::Prompt => self.prompts.page(revision, after, size),
        }
    }

    /// Sets what completes `argument` of the prompt or template `reference`.
    pub fn set_completer(&mut self, reference: &str, argument: &str, completer: Completer<H>) {
        self.completers.insert((reference.to_owned(), argument.to_owned()), completer);
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

    /// The identifiers of the extensions that methods were added for, each with its settings, at a revision.
    pub fn extension_capabilities(&self, revision: Revision) -> BTreeMap<&str, &str> {
        self.extensions
            .values()
            .filter(|extension| extension.revisions.contains(&revision))
            .filter_map(|extension| Some((extension.capability.as_deref()?, extension.settings.as_str())))
            .collect()
    }
}
