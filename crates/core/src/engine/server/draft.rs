//! What a server does for the drafts that are on: one place for each, so that a draft goes by taking out its functions and their callers.
//! All of it is for clients of 2026-07-28.

use super::Server;
use super::access::{MissingScopes, ScopedReader};
use super::effect::RequestId;
use super::registry::{Kind, ListEntry as _};
use super::requests::params::{RequestParams, given};
use super::session::context::{ErrorResponse, RequestContext};
use crate::json;
use crate::protocol::draft::{Drafts, capabilities, digest, errors, language};
use crate::protocol::{Era, error_code, meta, method};
use std::borrow::Cow;

/// What of a definition a call is about: the digests by which a client may know it, its own first.
type KnownDigests<'a> = [Option<&'a str>; 2];

impl<H: Clone> Server<H> {
    /// What drafts want of a request before it is served. Its sender may use the method.
    pub(super) fn check_drafts(
        &self,
        context: &mut RequestContext,
        name: &str,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        let drafts = self.settings.draft;
        if context.era() != Era::Modern {
            return Ok(());
        }
        if drafts.has(Drafts::LANGUAGE) {
            context.language = self.language_of(name, params.meta);
        }
        if !matches!(name, method::TOOLS_CALL | method::PROMPTS_GET | method::RESOURCES_READ) {
            return Ok(());
        }
        let reader = self.reader(context.principal.as_deref(), name);
        if drafts.has(Drafts::DIGEST) {
            self.check_expected_digest(&reader, name, params)?;
        }
        if drafts.has(Drafts::REQUIRED_CAPABILITIES) && name == method::TOOLS_CALL {
            self.check_required_capabilities(&reader, context, params)?;
        }
        Ok(())
    }

    // Digests of definitions.

    /// A call that knows another definition than the one there is does not run: not even its arguments are looked at.
    fn check_expected_digest(
        &self,
        reader: &ScopedReader<'_>,
        name: &str,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        let Some(expected) = given(params.meta, digest::EXPECTED) else { return Ok(()) };
        let Some(expected) = json::string(expected) else {
            let text =
                format!("the member '{}' of the parameters' '_meta' must be a string", digest::EXPECTED);
            return Err(ErrorResponse::params(text));
        };
        let about = about(name, params);
        let Some(known) =
            about.as_deref().map(|about| self.digests(reader, name, about)).transpose()?.flatten()
        else {
            // Another server behind this one has it, or there is none: what serves the call says so.
            return Ok(());
        };
        if known.iter().flatten().any(|known| *known == expected) {
            return Ok(());
        }
        let text = format!(
            "the definition of '{}' is another one than the call expects: list again, and make the call by what that says",
            about.unwrap_or_default()
        );
        let [own, template] = known;
        let data = own.or(template).map(|current| serde_json::json!({ digest::DIGEST: current }));
        Err(ErrorResponse::new(digest::CHANGED, text).with(&data.unwrap_or_else(|| serde_json::json!({}))))
    }

    /// The digests of what a call is about; `None` if it is not in a list of this server.
    fn digests(
        &self,
        reader: &ScopedReader<'_>,
        name: &str,
        about: &str,
    ) -> Result<Option<KnownDigests<'_>>, MissingScopes> {
        let of = |kind: Kind, key: &str| self.registry.digest(kind, key, self.settings.limits.depth);
        Ok(match name {
            method::TOOLS_CALL => {
                self.registry.tool(reader, about)?.map(|tool| [of(Kind::Tool, tool.key()), None])
            }
            method::PROMPTS_GET => {
                self.registry.prompt(reader, about)?.map(|prompt| [of(Kind::Prompt, prompt.key()), None])
            }
            method::RESOURCES_READ => {
                let resource = self.registry.resource(reader, about)?.map(|it| of(Kind::Resource, it.key()));
                let template =
                    self.registry.matching(reader, about)?.map(|(it, _)| of(Kind::Template, it.key()));
                (resource.is_some() || template.is_some()).then(|| [resource.flatten(), template.flatten()])
            }
            _ => None,
        })
    }

    /// The entries of a list, each with its digest.
    pub(super) fn with_digests(&self, context: &RequestContext, kind: Kind, entries: String) -> String {
        if !self.settings.draft.has(Drafts::DIGEST) || context.era() != Era::Modern {
            return entries;
        }
        let mut out = String::with_capacity(entries.len() * 2);
        out.push('[');
        for entry in json::elements(&entries) {
            if out.len() > 1 {
                out.push(',');
            }
            let key = json::member(entry, kind.named_by()).and_then(json::string);
            match key.and_then(|key| self.registry.digest(kind, &key, self.settings.limits.depth)) {
                Some(own) => out.push_str(&meta::with(entry, digest::DIGEST, &json::quote(own))),
                None => out.push_str(entry),
            }
        }
        out.push(']');
        out
    }

    /// Whether results of a method get a digest, so that no quick way around them may be taken.
    pub(super) fn adds_to_results(&self) -> bool {
        self.settings.draft.has(Drafts::DIGEST)
    }

    /// The result of what is about an entry, with the entry's digest as it is now, and with that of the contents of a resource.
    pub(super) fn with_digest<'a>(
        &self,
        context: &RequestContext,
        name: &str,
        about: &str,
        result: &'a str,
    ) -> Cow<'a, str> {
        if !self.adds_to_results() || context.era() != Era::Modern {
            return Cow::Borrowed(result);
        }
        let reader = self.reader(context.principal.as_deref(), name);
        let known = self.digests(&reader, name, about).ok().flatten();
        let mut result = Cow::Borrowed(result);
        if let Some(own) = known.and_then(|[own, template]| own.or(template)) {
            result = Cow::Owned(meta::with(&result, digest::DIGEST, &json::quote(own)));
        }
        let has_own =
            json::member(&result, meta::META).and_then(|it| json::member(it, digest::CONTENT)).is_some();
        if name == method::RESOURCES_READ && !has_own {
            let contents = json::member(&result, "contents").unwrap_or("[]");
            if let Some(own) = digest::of_contents(contents, self.settings.limits.depth) {
                result = Cow::Owned(meta::with(&result, digest::CONTENT, &json::quote(&own)));
            }
        }
        result
    }

    /// Adds what the server says of its digests to its capabilities.
    pub(super) fn push_draft_capabilities(&self, all: &mut serde_json::Map<String, serde_json::Value>) {
        if self.settings.draft.has(Drafts::DIGEST) {
            all.insert(digest::CAPABILITY.to_owned(), serde_json::json!({}));
        }
    }

    // The capabilities that a tool needs.

    fn check_required_capabilities(
        &self,
        reader: &ScopedReader<'_>,
        context: &RequestContext,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        let Some(name) = about(method::TOOLS_CALL, params) else { return Ok(()) };
        let Some(tool) = self.registry.tool(reader, &name)? else { return Ok(()) };
        let required = capabilities::of(tool.definition());
        let missing = required.and_then(|required| capabilities::missing(required, &context.capabilities));
        let Some(missing) = missing else { return Ok(()) };
        let text =
            format!("the tool '{name}' needs capabilities that the client does not declare: {missing}");
        let mut refusal = ErrorResponse::new(error_code::MISSING_CLIENT_CAPABILITY, text);
        refusal.data = Some(format!("{{\"requiredCapabilities\":{missing}}}"));
        Err(refusal)
    }

    // Errors.

    /// An error by which a handler says that there were too many requests: it must say when to come back. `None` for any other.
    pub(super) fn rate_limited(
        &self,
        context: &RequestContext,
        code: i64,
        message: &str,
        data: Option<&str>,
    ) -> Option<Result<ErrorResponse, String>> {
        let is_meant = self.settings.draft.has(Drafts::ERRORS) && context.era() == Era::Modern;
        if !is_meant || code != errors::RATE_LIMITED {
            return None;
        }
        let data = data.filter(|data| json::scan_value(data.as_bytes(), self.settings.limits.depth).is_ok());
        let (.., wait) = errors::meaning(code, data);
        if wait.is_none() {
            return Some(Err(format!("the error {code} needs 'retryAfterMs' in its data, a whole number")));
        }
        let data = data.map(str::to_owned);
        Some(Ok(ErrorResponse { data, ..ErrorResponse::new(code, message) }))
    }

    // The language that a user prefers.

    /// The place of a request's language in the list of those that the server offers. The texts of lists and of the server itself are
    /// written once, in the first of them.
    fn language_of(&self, name: &str, metadata: Option<&str>) -> Option<u16> {
        let offered: Vec<&str> = self.settings.languages.iter().map(|it| &**it).collect();
        let is_written_once = method::listed(name).is_some() || name == method::DISCOVER;
        let preference = given(metadata, language::ACCEPT).and_then(json::string);
        let preference = preference.filter(|_| !is_written_once);
        let chosen = language::select(preference.as_deref(), &offered)?;
        u16::try_from(offered.iter().position(|it| *it == chosen)?).ok()
    }

    /// The language in which a request is to be answered.
    pub(super) fn answer_language(&self, context: &RequestContext) -> Option<&str> {
        Some(self.settings.languages.get(usize::from(context.language?))?)
    }

    /// The language of a progress message, as JSON text.
    pub(super) fn progress_language(&self, number: RequestId, message: Option<&str>) -> Option<String> {
        message.filter(|_| self.settings.draft.has(Drafts::LANGUAGE))?;
        self.answer_language(&self.requests.get(number)?.context).map(json::quote)
    }

    /// What a message says of its language, unless it says so itself.
    pub(super) fn with_language<'a>(&self, context: &RequestContext, object: &'a str) -> Cow<'a, str> {
        match self.answer_language(context).filter(|_| language::of(object, language::CONTENT).is_none()) {
            Some(own) => Cow::Owned(meta::with(object, language::CONTENT, &json::quote(own))),
            None => Cow::Borrowed(object),
        }
    }
}

/// What a request is about: the tool, the prompt or the resource.
fn about<'a>(name: &str, params: RequestParams<'a>) -> Option<Cow<'a, str>> {
    let member = match name {
        method::TOOLS_CALL => params.name,
        method::PROMPTS_GET => given(params.text, "name"),
        _ => given(params.text, "uri"),
    };
    member.and_then(json::string)
}

impl<H> Server<H> {
    /// What is wrong with what a tool says it needs, for its author.
    pub(super) fn capabilities_warning(drafts: Drafts, tool: &str) -> Option<String> {
        let said = json::member(json::member(tool, meta::META)?, capabilities::REQUIRED)?;
        (drafts.has(Drafts::REQUIRED_CAPABILITIES) && capabilities::of(tool).is_none()).then(|| {
            let name = json::member(tool, "name").and_then(json::string).unwrap_or_default();
            let key = capabilities::REQUIRED;
            format!("'{key}' of the tool '{name}' is {said} and must be an object: the tool needs nothing")
        })
    }
}
