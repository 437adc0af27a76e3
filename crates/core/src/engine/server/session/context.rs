//! What is known of the sender of one request: its revision, what it can do, what it wants to hear.
//!
//! In the legacy era the session knows that since its handshake; in 2026-07-28 each request says it again in its `_meta`
//! (`basic/index`). What follows asks this, and not the era.

use crate::engine::server::access::{MissingScopes, Principal};
use crate::engine::server::requests::params::RequestParams;
use crate::engine::server::settings::Severity;
use crate::json;
use crate::json::{Kind, Wanted};
use crate::protocol::content::{APP_EXTENSION, APP_MEDIA_TYPE};
use crate::protocol::envelope::META_MEMBERS;
use crate::protocol::{Era, Revision, error_code, lenient, meta, task};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a client can do: a JSON object, as text. A tree of it would take ten times the memory in each session.
pub type Capabilities = Arc<str>;

/// The longest text of capabilities. Those of clients have a few hundred bytes.
const MOST_CAPABILITIES: usize = 16 * 1024;

/// Capabilities, if they are short and can be read: they nest no deeper than a tree of them may, for the application.
///
/// # Errors
/// `INVALID_PARAMS`, with the reason.
pub fn read_capabilities(text: &str) -> Result<Capabilities, ErrorResponse> {
    let refused = |why: String| Err(ErrorResponse::params(format!("the client's capabilities {why}")));
    if text.len() > MOST_CAPABILITIES {
        return refused(format!("have {} bytes, and {MOST_CAPABILITIES} are allowed", text.len()));
    }
    match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(_) => Ok(text.into()),
        Err(error) => refused(format!("cannot be read: {error}")),
    }
}

/// The sender of one request.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The revision of the request.
    pub revision: Revision,
    /// What the client can do.
    pub capabilities: Capabilities,
    /// The least severe log message that it wants; `None` for none.
    pub severity: Option<Severity>,
    /// The token of its progress, as JSON text.
    pub progress: Option<Box<str>>,
    /// Who it comes from, where requests are authorized.
    pub principal: Option<Arc<Principal>>,
    /// Which of the languages of the settings its answer is to be in (draft `language`).
    #[cfg(feature = "draft")]
    pub language: Option<u16>,
}

impl RequestContext {
    /// The era of the request.
    pub fn era(&self) -> Era {
        self.revision.era()
    }

    /// Who the request comes from; empty where requests are not authorized.
    pub fn principal_id(&self) -> &str {
        self.principal.as_ref().map_or("", |principal| &principal.id)
    }

    /// Whether the client declared the extension `io.modelcontextprotocol/tasks`.
    pub fn declares_tasks(&self) -> bool {
        self.can("extensions", Some(task::EXTENSION))
    }

    /// Whether the client declared an extension, the name of which has a slash. Pages of tools it shows only if it names their type.
    pub fn has_extension(&self, name: &str) -> bool {
        let all = json::member(&self.capabilities, "extensions").unwrap_or("{}");
        let Some(own) = json::member(all, name).filter(|own| lenient::is_declared(own)) else { return false };
        name != APP_EXTENSION
            || lenient::list(own, "mimeTypes").is_some_and(|types| {
                json::elements(&types).filter_map(json::string).any(|it| it == APP_MEDIA_TYPE)
            })
    }

    /// Whether the client declared the capability `name`, or the part of it that `inner` names.
    pub fn can(&self, name: &str, inner: Option<&str>) -> bool {
        lenient::declares(&self.capabilities, name)
            && inner.is_none_or(|inner| {
                json::member(&self.capabilities, name).is_some_and(|it| lenient::declares(it, inner))
            })
    }
}

/// A refusal: the code, the text and the data of a JSON-RPC error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorResponse {
    /// `error.code`.
    pub code: i64,
    /// `error.message`.
    pub message: String,
    /// `error.data`, JSON text.
    pub data: Option<String>,
    /// The scopes that its sender lacks, if that is why.
    pub lacks: Option<MissingScopes>,
}

impl ErrorResponse {
    /// A bound is reached, whose key is `limit`. The same request may be taken later.
    pub fn busy(limit: &str, what: &str) -> ErrorResponse {
        let text = format!("the server is busy: {what} ({limit}); try again later");
        ErrorResponse::new(error_code::BUSY, text)
            .with(&serde_json::json!({ "retryable": true, "limit": limit }))
    }

    /// A refusal without data.
    pub fn new(code: i64, message: impl Into<String>) -> ErrorResponse {
        ErrorResponse { code, message: message.into(), data: None, lacks: None }
    }

    /// Parameters that are not what the method wants.
    pub fn params(message: impl Into<String>) -> ErrorResponse {
        ErrorResponse::new(error_code::INVALID_PARAMS, message)
    }

    /// A method that does not exist, or is not offered.
    pub fn method(method: &str) -> ErrorResponse {
        ErrorResponse::new(error_code::METHOD_NOT_FOUND, format!("the method '{method}' is not offered"))
    }

    /// What needs the extension of tasks, for a client that does not declare it (S-TX-07).
    pub fn without_tasks(what: &str) -> ErrorResponse {
        let data = serde_json::json!({ "requiredCapabilities": { "extensions": { task::EXTENSION: {} } } });
        let text =
            format!("{what} needs the extension '{}', which the client does not declare", task::EXTENSION);
        ErrorResponse::new(error_code::MISSING_CLIENT_CAPABILITY, text).with(&data)
    }

    /// The same refusal with data.
    pub fn with(mut self, data: &Value) -> ErrorResponse {
        self.data = Some(data.to_string());
        self
    }
}

const WANTED: [Wanted; META_MEMBERS.len()] = [
    Wanted { name: META_MEMBERS[0], inner: &[] },
    Wanted { name: META_MEMBERS[1], inner: &[] },
    Wanted { name: META_MEMBERS[2], inner: &[] },
    Wanted { name: META_MEMBERS[3], inner: &[] },
];

/// The members of a request's `_meta` that steer the server.
#[derive(Debug, Default)]
pub struct RequestMeta<'a> {
    version: Option<&'a str>,
    capabilities: Option<&'a str>,
    log_level: Option<&'a str>,
    token: Option<&'a str>,
}

impl<'a> RequestMeta<'a> {
    /// Reads the `_meta` of parameters.
    ///
    /// # Errors
    /// `_meta` is not an object, or says something twice.
    pub fn read(params: &RequestParams<'a>, depth: usize) -> Result<RequestMeta<'a>, ErrorResponse> {
        let Some(text) = params.meta else { return Ok(RequestMeta::default()) };
        // The scan of the frame has checked it; one that says something twice is looked at again for the error.
        if let Some(members) = params.meta_members.or_else(|| json::pick_single(text, META_MEMBERS)) {
            return Ok(RequestMeta::of(members));
        }
        let mut found = [None; META_MEMBERS.len()];
        json::scan_object(text.as_bytes(), &WANTED, depth, &mut found).map_err(|error| {
            ErrorResponse::params(format!("the member '_meta' of the parameters: {error}"))
        })?;
        Ok(RequestMeta::of(found.map(|value| value.map(|value| value.span.str(text)))))
    }

    /// A member that is null is absent.
    fn of(members: [Option<&'a str>; META_MEMBERS.len()]) -> RequestMeta<'a> {
        let [version, capabilities, log_level, token] = members.map(|value| value.filter(|it| *it != "null"));
        RequestMeta { version, capabilities, log_level, token }
    }

    /// Whether the request is of the modern era: it names its version (S-MD-14).
    pub fn is_modern(&self) -> bool {
        self.version.is_some()
    }

    /// The progress token, if it is a string or a number of at most `limit` bytes.
    pub fn token(&self, limit: usize) -> Option<Box<str>> {
        let token = self.token?;
        let fits = matches!(json::kind(token), Some(Kind::String | Kind::Number)) && token.len() <= limit;
        fits.then(|| token.into())
    }

    /// The sender of a modern request. `read` reads its capabilities.
    ///
    /// # Errors
    /// What is missing or not supported: -32602 or -32022 (S-MD-02 to S-MD-04, S-LG-03).
    pub fn modern(
        &self,
        supported: &[Revision],
        limit: usize,
        read: impl FnOnce(&str) -> Result<Capabilities, ErrorResponse>,
    ) -> Result<RequestContext, ErrorResponse> {
        let Some(version) = self.version.and_then(json::string) else {
            return Err(missing(meta::PROTOCOL_VERSION, "a string"));
        };
        let Some(capabilities) = self.capabilities.and_then(lenient::as_object) else {
            return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
        };
        let modern = |revision: &Revision| revision.era() == Era::Modern;
        let Some(revision) = Revision::parse(&version).filter(|it| modern(it) && supported.contains(it))
        else {
            let names: Vec<&str> = supported.iter().filter(|it| modern(it)).map(|it| it.as_str()).collect();
            return Err(ErrorResponse::new(
                error_code::UNSUPPORTED_VERSION,
                format!("the protocol version '{version}' is not supported"),
            )
            .with(&serde_json::json!({ "supported": names, "requested": version })));
        };
        let severity = match self.log_level {
            None => None,
            Some(level) => match json::string(level).and_then(|level| Severity::parse(&level)) {
                Some(level) => Some(level),
                None => return Err(missing(meta::LOG_LEVEL, "a log level")),
            },
        };
        let capabilities = read(capabilities)?;
        Ok(RequestContext {
            revision,
            capabilities,
            severity,
            progress: self.token(limit),
            principal: None,
            #[cfg(feature = "draft")]
            language: None,
        })
    }
}

fn missing(name: &str, what: &str) -> ErrorResponse {
    ErrorResponse::params(format!("the member '{name}' of the parameters' '_meta' must be {what}"))
}

impl From<MissingScopes> for ErrorResponse {
    fn from(lacks: MissingScopes) -> ErrorResponse {
        let text = format!("insufficient_scope: this needs the scopes '{}'", lacks.scopes().join(" "));
        ErrorResponse { lacks: Some(lacks), ..ErrorResponse::new(error_code::INVALID_REQUEST, text) }
    }
}

/// A member that must be a string.
///
/// # Errors
/// It is not a string.
pub fn text_member(object: Option<&str>, name: &str) -> Result<String, ErrorResponse> {
    let value = object.and_then(|object| json::member(object, name)).and_then(json::string);
    value.map(Into::into).ok_or_else(|| ErrorResponse::params(format!("'{name}' must be a string")))
}
