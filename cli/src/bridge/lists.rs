//! The lists that a server has.

use mcp::client::features::Request;
use mcp::server::{Entry, Kind};

/// The lists, in the order of their tags.
pub const LISTS: [List; 4] = [
    List {
        kind: Kind::Tool,
        entry: Entry::Tool,
        request: Request::ToolsList,
        capability: "tools",
        member: "tools",
        key: "name",
    },
    List {
        kind: Kind::Resource,
        entry: Entry::Resource,
        request: Request::ResourcesList,
        capability: "resources",
        member: "resources",
        key: "uri",
    },
    List {
        kind: Kind::Template,
        entry: Entry::Template,
        request: Request::TemplatesList,
        capability: "resources",
        member: "resourceTemplates",
        key: "uriTemplate",
    },
    List {
        kind: Kind::Prompt,
        entry: Entry::Prompt,
        request: Request::PromptsList,
        capability: "prompts",
        member: "prompts",
        key: "name",
    },
];

/// One list of a server.
#[derive(Debug)]
pub struct List {
    pub kind: Kind,
    pub entry: Entry,
    /// What asks for it.
    pub request: Request<'static>,
    /// The capability that a server with it declares.
    pub capability: &'static str,
    /// The member of the result that has the entries.
    pub member: &'static str,
    /// The member by which an entry is used.
    pub key: &'static str,
}
