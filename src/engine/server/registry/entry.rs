//! The entries of a registry.

use super::list::Entry;
use crate::json;
use crate::protocol::Revision;
use crate::protocol::task::Support;
#[cfg(feature = "schema")]
use crate::schema::{Plain, Schema};
use std::sync::Arc;

/// What the results of a tool are checked against. A request keeps it, so that a change of the tool does not change what its
/// handler owes.
#[cfg(feature = "schema")]
pub type Output = Arc<Schema>;
/// This build checks no results.
#[cfg(not(feature = "schema"))]
pub type Output = ();

/// A tool.
#[derive(Debug)]
pub struct Tool<H> {
    pub name: String,
    pub definition: String,
    #[cfg(feature = "schema")]
    pub input: Arc<Schema>,
    /// The same for arguments that can be checked as text.
    #[cfg(feature = "schema")]
    pub plain_input: Option<Plain>,
    pub output: Option<Output>,
    /// Whether headers of a call over HTTP may repeat arguments of it.
    #[cfg(feature = "http")]
    pub has_header_parameters: bool,
    /// The URI of the resource that its app is, if it has one.
    pub app: Option<Box<str>>,
    /// Whether its calls may or must be tasks.
    pub support: Support,
    pub handler: H,
}

/// What a resource or a completion is answered from.
#[derive(Clone, Debug)]
pub enum Content<H> {
    /// The handler of the application.
    Handler(H),
    /// A result that does not change, as JSON text without `_meta`.
    Fixed(Arc<str>),
}

impl<H> Content<H> {
    /// The handler, if that is what answers.
    pub fn handler(self) -> Option<H> {
        match self {
            Content::Handler(handler) => Some(handler),
            Content::Fixed(_) => None,
        }
    }
}

/// A resource.
#[derive(Debug)]
pub struct Resource<H> {
    pub uri: String,
    pub definition: String,
    pub content: Content<H>,
    /// The URIs of what it is a part of: rules about them hold for it, too.
    pub within: Vec<String>,
}

/// A resource template.
#[derive(Debug)]
pub struct Template<H> {
    pub pattern: String,
    pub definition: String,
    pub handler: H,
}

/// A prompt.
#[derive(Debug)]
pub struct Prompt<H> {
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
pub struct Extension<H> {
    /// The extension that a client must have declared.
    pub capability: Option<String>,
    /// What the server declares for it, a JSON object.
    pub settings: String,
    /// The revisions that have the method.
    pub revisions: Vec<Revision>,
    pub handler: H,
}

impl<H> Entry for Tool<H> {
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

impl<H> Entry for Resource<H> {
    fn key(&self) -> &str {
        &self.uri
    }

    fn definition(&self) -> &str {
        &self.definition
    }

    fn since(member: &str, _value: &str) -> Option<Revision> {
        since_of_resources(member)
    }
}

impl<H> Entry for Template<H> {
    fn key(&self) -> &str {
        &self.pattern
    }

    fn definition(&self) -> &str {
        &self.definition
    }

    fn since(member: &str, _value: &str) -> Option<Revision> {
        since_of_resources(member)
    }
}

impl<H> Entry for Prompt<H> {
    fn key(&self) -> &str {
        &self.name
    }

    fn definition(&self) -> &str {
        &self.definition
    }

    fn since(member: &str, _value: &str) -> Option<Revision> {
        match member {
            "title" | "_meta" => Some(Revision::V2025_06_18),
            "icons" => Some(Revision::V2025_11_25),
            _ => None,
        }
    }
}

fn since_of_resources(member: &str) -> Option<Revision> {
    match member {
        "title" | "_meta" => Some(Revision::V2025_06_18),
        "icons" => Some(Revision::V2025_11_25),
        _ => None,
    }
}
