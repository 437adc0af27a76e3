//! Features: tools, resources, prompts, completion, logging, roots, each meaning the same on every revision. What differs
//! on the wire is the engine's business; here a request becomes a call, and what a result needs is done to it.
//!
//! The pages of a list are collected by the engine (`crates/core/src/engine/client/lists/`).
//!
//! This file prepares a request (checks of arguments, kept results), makes the call, blocking or started, and clears the cache.
//!
//! The files:
//!
//! * `request`: `Request`: each feature with its arguments, and the method and parameters that these become
//! * `state`: `FeatureState`: what one client knows beside its connection: `KnownTools` and the cache; `FinishCall`: what is done to an
//!   outcome on the thread that takes it
//! * `tools`: `KnownTools`: the schemas of a server's tools; results, arguments and other values against a schema
//! * `elicitation`: answers to elicitation: defaults filled in, checked against the form
//! * `skills`: skills, checked before they are handed over

mod elicitation;
mod request;
#[cfg(feature = "skills")]
mod skills;
mod state;
#[cfg(feature = "schema")]
pub(super) mod tools;

pub use elicitation::Decision;
pub use request::Request;
pub(crate) use state::{FeatureState, FinishCall};

use super::cache::{CacheKey, CacheOrigin, CacheUse};
use super::{Client, Message, config};
use crate::engine::{CallOptions, Error, Feature, Status};
use crate::protocol::params::Params;
use crate::protocol::{Era, method};
use crate::runtime::connection::Ticket;
use crate::{json, uri_template};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

/// Expands a URI template (RFC 6570) with a JSON object of variables.
///
/// # Errors
/// `INVALID_ARGUMENT`, saying which expression or variable is wrong.
pub fn expand_template(template: &str, variables: &str) -> Result<String, Error> {
    uri_template::expand(template, variables).map_err(|wrong| {
        let error = Error::new(Status::InvalidArgument, "template", wrong.message);
        let error = match wrong.expression {
            Some(expression) => error.with("expression", expression),
            None => error,
        };
        match wrong.offset {
            Some(offset) => error.with("offset", offset),
            None => error,
        }
    })
}

/// Whether a URI is one of those that a URI template has.
pub fn template_has(template: &str, uri: &str) -> bool {
    uri_template::matches(template, uri).is_some()
}

/// A request with everything that a call needs.
struct PreparedCall<'a> {
    method: &'a str,
    params: Option<Cow<'a, str>>,
    /// The same, where they had to be read before the call.
    checked: Option<Params<'a>>,
    options: CallOptions,
    finish: FinishCall,
}

/// What a request becomes.
enum Plan<'a> {
    /// A call.
    Call(Box<PreparedCall<'a>>),
    /// Nothing: its result is there.
    Cached(Arc<str>),
}

impl Client {
    /// Asks, and waits for the one outcome.
    pub fn request(&self, request: &Request<'_>, options: Option<&str>) -> Message {
        match self.prepare(request, options) {
            Err(error) => Message::failure(self.number(), &error),
            Ok(Plan::Cached(result)) => {
                let call = self.connection.core().engine.number();
                Message::kept(self.number(), call, 0, &result)
            }
            Ok(Plan::Call(prepared)) => {
                let PreparedCall { method, params, checked, options, finish } = *prepared;
                let params = match checked {
                    None => self.check_params(method, params.as_deref()),
                    checked => Ok(checked),
                };
                let outcome = match params {
                    Ok(params) => self.wait_for_call(method, params, &options),
                    Err(error) => Message::failure(self.number(), &error),
                };
                // Also an error of a call that could not be made may have something to stand in for it.
                finish.run(outcome)
            }
        }
    }

    /// Asks and returns at once; the outcome arrives on the queue with `tag`. Gives the call's number.
    ///
    /// # Errors
    /// The call was not made: those of [`Client::start`], and `UNSUPPORTED` for what the server does not have.
    pub fn start_request(
        &self,
        request: &Request<'_>,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        self.start_prepared(self.prepare(request, options)?, request.method(), tag)
    }

    /// The same for another asker than this client: a server of 2026-07-28 is told these capabilities instead of those of the configuration,
    /// and they must be among those. Servers of the legacy era are told at the handshake, and this says nothing to them.
    ///
    /// # Errors
    /// Those of [`Client::start_request`].
    pub fn start_request_for(
        &self,
        capabilities: &str,
        request: &Request<'_>,
        options: Option<&str>,
        tag: u64,
    ) -> Result<u64, Error> {
        let mut way = self.prepare(request, options)?;
        if let Plan::Call(prepared) = &mut way {
            prepared.options.capabilities = Some(capabilities.into());
        }
        self.start_prepared(way, request.method(), tag)
    }

    fn start_prepared(&self, way: Plan<'_>, method: &str, tag: u64) -> Result<u64, Error> {
        self.room_for_outcome(method)?;
        match way {
            Plan::Cached(result) => {
                let call = self.connection.core().engine.number();
                let message = Message::kept(self.number(), call, tag, &result);
                if let Some(ready) = self.connection.context.queue.push(message, None) {
                    self.connection.context.callbacks.run(ready);
                }
                Ok(call)
            }
            Plan::Call(prepared) => {
                let PreparedCall { method, params, checked, options, finish } = *prepared;
                let params = match checked {
                    None => self.check_params(method, params.as_deref())?,
                    checked => checked,
                };
                let finish = finish.is_needed().then(|| finish.boxed());
                let ticket = Ticket::Started { tag, finish };
                self.begin(method, params, &options, ticket, tag, None).map(|(call, _)| call)
            }
        }
    }

    fn prepare<'a>(&self, request: &Request<'a>, options: Option<&str>) -> Result<Plan<'a>, Error> {
        let method = request.method();
        let (mut options, more) = match options {
            None => Default::default(),
            Some(text) => config::options::parse_feature(text).map_err(|error| error.of(method))?,
        };
        let row = method::find(method).filter(|row| row.is_feature() && !more.raw);
        let is_of_skill = matches!(request, Request::SkillLoad { .. } | Request::SkillRead { .. });
        if more.allow_dynamic && !is_of_skill {
            let message = "the option allow_dynamic is for the files of skills";
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        #[cfg(feature = "skills")]
        let skill = skills::check_of(request, self.json_depth, self.features.skills, more.allow_dynamic)?;
        #[cfg(feature = "skills")]
        let asked = skill.as_ref().map(skills::SkillCheck::params);
        #[cfg(not(feature = "skills"))]
        let asked = None;
        let mut params = match asked {
            Some(params) => Some(Cow::Owned(params)),
            None => request.params(self.json_depth, row.is_none())?,
        };
        let lists = row.is_some_and(|row| row.list.is_some_and(|list| list.in_pages));
        if !lists && (more.one_page || more.cursor.is_some()) {
            let message = "the options cursor and one_page are for lists";
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        if method != method::TOOLS_CALL && (more.task.is_some() || more.task_ttl_ms.is_some()) {
            let message = "the options task and task_ttl_ms are for calls of tools";
            return Err(Error::new(Status::InvalidArgument, method, message));
        }
        (options.task, options.task_ttl) = (more.task, more.task_ttl_ms);
        if lists && let Some(cursor) = &more.cursor {
            let mut text = Vec::new();
            let members = [("cursor", &*json::quote(cursor))];
            json::splice_into(params.as_deref().unwrap_or("{}"), &members, &mut text);
            params = Some(Cow::Owned(String::from_utf8(text).unwrap_or_default()));
        }
        let at_cursor =
            || params.as_deref().and_then(|it| json::member(it, "cursor")).is_some_and(|it| it != "null");
        let whole = lists && !more.one_page && !at_cursor();
        options.feature = match row {
            None => Feature::Raw,
            Some(_) if whole => Feature::AllPages,
            Some(_) => Feature::Plain,
        };
        let state = &self.features;
        let (connection, is_legacy, is_open) = {
            let core = self.connection.core();
            let engine = &core.engine;
            (engine.freshness(), engine.era() == Some(Era::Legacy), engine.is_open())
        };
        let mut finish = FinishCall {
            state: Arc::clone(state),
            #[cfg(feature = "schema")]
            lists_tools_of: (row.is_some() && method == method::TOOLS_LIST).then_some(connection),
            keep: None,
            #[cfg(feature = "schema")]
            check: None,
            tool: None,
            #[cfg(feature = "skills")]
            skill,
        };
        let origin = CacheOrigin { connection, login: state.login() };
        if more.cache != CacheUse::Bypass
            && let Some(row) = row.filter(|row| row.kept_until.is_some())
            && let Some(mut cache) = state.cache()
        {
            let key = CacheKey {
                method: row.name,
                params: params.as_deref().unwrap_or_default().to_owned(),
                whole,
                #[cfg(feature = "draft")]
                language: asked_language(&options.meta),
                #[cfg(not(feature = "draft"))]
                language: None,
            };
            if more.cache == CacheUse::Use
                && is_open
                && let Some(result) = cache.get(Instant::now(), &origin, &key)
                && finish.passes(&result)
            {
                return Ok(Plan::Cached(result));
            }
            let stamp = cache.stamp(&origin, row.name);
            finish.keep = Some((key, stamp, is_legacy));
        }
        let mut checked = None;
        match *request {
            Request::ToolsCall { name, arguments } => {
                self.look_at_tool(name, arguments, connection, &mut finish)?;
            }
            Request::Method { params: Some(params), .. }
                if row.is_some() && method == method::TOOLS_CALL && state.looks_at_tools() =>
            {
                checked = self.check_params(method, Some(params))?;
                let [name, arguments] = json::pick(params, ["name", "arguments"]);
                if let Some(name) = name.and_then(json::string) {
                    self.look_at_tool(&name, arguments, connection, &mut finish)?;
                }
            }
            _ => {}
        }
        Ok(Plan::Call(Box::new(PreparedCall { method, params, checked, options, finish })))
    }

    /// What is known of a tool that is called: what it changes, what it wants, what it promises.
    #[cfg_attr(not(feature = "schema"), expect(clippy::unnecessary_wraps, reason = "nothing is checked"))]
    fn look_at_tool(
        &self,
        name: &str,
        arguments: Option<&str>,
        generation: u64,
        finish: &mut FinishCall,
    ) -> Result<(), Error> {
        let state = &self.features;
        if let Some(mut cache) = state.cache() {
            cache.tool_called(name);
            finish.tool = Some(name.to_owned());
        }
        #[cfg(feature = "schema")]
        {
            use crate::protocol::Revision;
            let connection = &self.connection;
            let schema = |side| {
                let say = |why: String| tools::say(connection, "schema.unusable", name, &why);
                state.tools().schema(generation, name, side, say)
            };
            if state.settings.validate_arguments
                && let Some(schema) = schema(tools::Side::Arguments)
            {
                tools::check_arguments(&schema, name, arguments.unwrap_or("{}"))?;
            }
            // Before that revision there were no such results.
            let structured = connection.core().engine.revision() >= Some(Revision::V2025_06_18);
            if state.settings.validate_results
                && structured
                && let Some(schema) = schema(tools::Side::Result)
            {
                let connection = Arc::downgrade(connection);
                finish.check = Some(tools::ResultCheck { tool: name.to_owned(), schema, connection });
            }
        }
        #[cfg(not(feature = "schema"))]
        let _ = (arguments, generation);
        Ok(())
    }

    /// Drops every result that was kept.
    pub fn clear_cache(&self) {
        self.features.clear_cache();
    }

    /// Sets the roots that servers are told, and tells those that can be told of a change.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what is not a list of roots, `UNSUPPORTED` when the client has not declared roots.
    pub fn set_roots(&self, roots: &str) -> Result<(), Error> {
        let roots = config::parse_roots(roots)?;
        let mut core = self.connection.core();
        core.engine.set_roots(roots)?;
        self.connection.run_effects(core, None);
        Ok(())
    }
}

/// The language that a call asks for by its own `_meta`, whose members these are.
#[cfg(feature = "draft")]
fn asked_language(members: &str) -> Option<String> {
    let key = crate::protocol::draft::language::ACCEPT;
    // Most calls say nothing.
    if members.is_empty() {
        return None;
    }
    json::member(&format!("{{{members}}}"), key).and_then(json::string).map(Into::into)
}
