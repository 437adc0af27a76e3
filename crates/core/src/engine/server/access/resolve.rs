//! What a request is about, found once, for its sender: the entry that serves it, or the server behind this one. Each function here reads
//! the parameters of a method and asks for the scopes of what it finds; who serves the request uses what it gives.

use super::{MissingScopes, Principal, ScopedReader};
use crate::engine::server::Server;
use crate::engine::server::effect::SessionId;
use crate::engine::server::registry::{EntryContent, Kind, PromptEntry, ToolEntry};
use crate::engine::server::requests::params::RequestParams;
use crate::engine::server::session::context::{ErrorResponse, text_member};
use crate::json;
use crate::protocol::method;
use crate::protocol::method::NamedEntry;
use std::borrow::Cow;
use std::sync::Arc;

/// What serves a request.
pub enum ServedBy<E, H> {
    /// An entry.
    Here(E),
    /// A server behind this one, which is asked by this handler.
    Behind(H),
    /// Nothing.
    Nowhere,
}

/// The name of a tool, and what serves a call of it.
type CalledTool<'p, 'a, H> = (Cow<'p, str>, ServedBy<&'a ToolEntry<H>, H>);

/// What serves a resource.
pub enum ResourceSource<H> {
    /// A result that does not change.
    Fixed(Arc<str>),
    /// A handler, and the template that matches the URI with its variables, a JSON object.
    Handler(H, Option<String>),
}

/// What an argument of a prompt or a template is completed for.
pub struct CompletionTarget {
    pub kind: Kind,
    pub reference: String,
    pub argument: String,
}

impl<H: Clone> Server<H> {
    /// Says who the frames of a session that follow come from. The driver has checked that; a session stays with one principal.
    pub fn authorize(&mut self, session: SessionId, principal: Option<Arc<Principal>>) {
        self.sessions.authorize(session, principal);
    }

    /// Who asks by a method.
    pub(in crate::engine::server) fn reader<'a>(
        &'a self,
        principal: Option<&'a Principal>,
        method: &'a str,
    ) -> ScopedReader<'a> {
        ScopedReader::new(&self.settings.access, principal, method)
    }

    /// Whether the sender of a message may send it at all, whatever it is about.
    pub(in crate::engine::server) fn admit_method(
        &self,
        session: SessionId,
        name: &str,
    ) -> Result<(), MissingScopes> {
        let principal = self.sessions.principal(session);
        self.reader(principal.as_deref(), name).method()
    }

    /// What a request lacks, before anything of it is done: all requests of an array are refused together. Requests of methods that are
    /// not in arrays are asked when they are served.
    pub(in crate::engine::server) fn missing_scopes(
        &self,
        reader: &ScopedReader<'_>,
        params: RequestParams<'_>,
    ) -> Result<(), MissingScopes> {
        let named = method::find(reader.method_name()).map_or(NamedEntry::Nothing, |row| row.names);
        let found = match named {
            NamedEntry::Tool => self.called_tool(reader, params).map(drop),
            NamedEntry::Prompt => self.requested_prompt(reader, params.text).map(drop),
            NamedEntry::Resource => self.requested_resource(reader, params.text).map(drop),
            NamedEntry::Completion => self.completion_target(reader, params.text).map(drop),
            NamedEntry::Skill => self.skill(reader, params.text).map(drop),
            NamedEntry::Directory => self.directory(reader, params.text).map(drop),
            NamedEntry::Nothing => Ok(()),
        };
        match found {
            Err(ErrorResponse { lacks: Some(lacks), .. }) => Err(lacks),
            // What else is wrong with it, who serves it says.
            Ok(()) | Err(_) => reader.method(),
        }
    }

    /// The tool that is to be called.
    ///
    /// # Errors
    /// It has no name, or its sender may not call it.
    pub(in crate::engine::server) fn called_tool<'p, 'a>(
        &'a self,
        reader: &ScopedReader<'_>,
        params: RequestParams<'p>,
    ) -> Result<CalledTool<'p, 'a, H>, ErrorResponse> {
        single(reader, params.text, "name")?;
        let Some(name) = params.name.and_then(json::string) else {
            return Err(ErrorResponse::params("'name' must be a string"));
        };
        let tool = self.registry.tool(reader, &name)?;
        let found = match tool {
            Some(tool) => ServedBy::Here(tool),
            None => self.behind(reader, Some(Kind::Tool))?,
        };
        Ok((name, found))
    }

    /// The prompt that is asked for.
    ///
    /// # Errors
    /// It has no name, or its sender may not have it.
    pub(in crate::engine::server) fn requested_prompt(
        &self,
        reader: &ScopedReader<'_>,
        params: Option<&str>,
    ) -> Result<(String, ServedBy<&PromptEntry<H>, H>), ErrorResponse> {
        let name = wanted(reader, params, "name")?;
        let found = match self.registry.prompt(reader, &name)? {
            Some(prompt) => ServedBy::Here(prompt),
            None => self.behind(reader, Some(Kind::Prompt))?,
        };
        Ok((name, found))
    }

    /// The resource that is asked for.
    ///
    /// # Errors
    /// It has no URI, or its sender may not have it.
    pub(in crate::engine::server) fn requested_resource(
        &self,
        reader: &ScopedReader<'_>,
        params: Option<&str>,
    ) -> Result<(String, ServedBy<ResourceSource<H>, H>), ErrorResponse> {
        let uri = wanted(reader, params, "uri")?;
        let found = match self.source(reader, &uri)? {
            Some(source) => ServedBy::Here(source),
            None => self.behind(reader, Some(Kind::Resource))?,
        };
        Ok((uri, found))
    }

    /// What serves a URI here.
    ///
    /// # Errors
    /// What the reader needs.
    pub(in crate::engine::server) fn source(
        &self,
        reader: &ScopedReader<'_>,
        uri: &str,
    ) -> Result<Option<ResourceSource<H>>, MissingScopes> {
        if let Some(resource) = self.registry.resource(reader, uri)? {
            return Ok(Some(match &resource.content {
                EntryContent::Fixed(result) => ResourceSource::Fixed(Arc::clone(result)),
                EntryContent::Handler(handler) => ResourceSource::Handler(handler.clone(), None),
            }));
        }
        if let Some(file) = self.skills.file(reader, uri)? {
            return Ok(Some(ResourceSource::Fixed(file)));
        }
        if let Some((template, variables)) = self.registry.matching(reader, uri)? {
            let matched =
                serde_json::json!({ "template": template.pattern, "variables": variables }).to_string();
            return Ok(Some(ResourceSource::Handler(template.handler.clone(), Some(matched))));
        }
        if self.relay.is_none() {
            // Whether it is there is not for a reader either that may not have it. A server behind is asked for with all scopes.
            reader.spelled(uri, None)?;
        }
        Ok(None)
    }

    /// The argument that is to be completed, of a prompt or a template that is here.
    ///
    /// # Errors
    /// What is wrong with the parameters, that there is no such prompt, template or argument, or that its sender may not have it.
    pub(in crate::engine::server) fn completion_target(
        &self,
        reader: &ScopedReader<'_>,
        params: Option<&str>,
    ) -> Result<CompletionTarget, ErrorResponse> {
        single(reader, params, "ref")?;
        let object = |name| params.and_then(|params| json::member(params, name));
        let reference = object("ref");
        match wanted(reader, reference, "type")?.as_str() {
            "ref/prompt" => {
                let name = wanted(reader, reference, "name")?;
                let Some(prompt) = self.registry.prompt(reader, &name)? else {
                    return Err(ErrorResponse::params(format!("there is no prompt '{name}'")));
                };
                let argument = wanted(reader, object("argument"), "name")?;
                if !prompt.arguments.iter().any(|(known, _)| *known == argument) {
                    let text = format!("the prompt '{name}' has no argument '{argument}'");
                    return Err(ErrorResponse::params(text));
                }
                Ok(CompletionTarget { kind: Kind::Prompt, reference: name, argument })
            }
            "ref/resource" => {
                let uri = wanted(reader, reference, "uri")?;
                if self.registry.template(reader, &uri)?.is_none() {
                    return Err(ErrorResponse::params(format!("there is no resource template '{uri}'")));
                }
                let argument = wanted(reader, object("argument"), "name")?;
                if !crate::uri_template::has_variable(&uri, &argument) {
                    let text = format!("the template '{uri}' has no variable '{argument}'");
                    return Err(ErrorResponse::params(text));
                }
                Ok(CompletionTarget { kind: Kind::Template, reference: uri, argument })
            }
            other => Err(ErrorResponse::params(format!("there is no reference of type '{other}'"))),
        }
    }

    /// The server behind this one, for what is in no list.
    fn behind<E>(
        &self,
        reader: &ScopedReader<'_>,
        kind: Option<Kind>,
    ) -> Result<ServedBy<E, H>, MissingScopes> {
        let handler = self.relay_handler(reader, kind)?;
        Ok(handler.map_or(ServedBy::Nowhere, ServedBy::Behind))
    }
}

/// A member that must be a string.
///
/// # Errors
/// It is not a string, or it is there twice and rules are asked about what it says.
pub fn wanted(reader: &ScopedReader<'_>, object: Option<&str>, name: &str) -> Result<String, ErrorResponse> {
    single(reader, object, name)?;
    text_member(object, name)
}

/// Refuses parameters that say something twice where rules are asked about it: the handler, or the server behind this one, may take the one
/// that was not asked about.
fn single(reader: &ScopedReader<'_>, object: Option<&str>, name: &str) -> Result<(), ErrorResponse> {
    match object {
        Some(object) if reader.is_asked() && json::pick_single(object, [name]).is_none() => {
            Err(ErrorResponse::params(format!("duplicate key '{name}'")))
        }
        _ => Ok(()),
    }
}
