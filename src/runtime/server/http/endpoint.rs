//! One URL: which requests are served there, the sessions of its clients (legacy era), and where each message goes.

#[cfg(feature = "auth")]
use super::authorization::Authorization;
use super::documents::{Documents, HttpMeters, ServedDocument, is_at};
use super::limits::{HEADERS, HttpLimits};
use super::request_body::RequestBody as Received;
use super::response::{ALL_METHODS, AnswerForm, no_content, preflight, refused, show_to};
use super::response::{ServerBody, StreamReader};
use super::seats::ConnectionGivesWay;
#[cfg(feature = "store")]
use super::sessions::SessionChange;
use super::sessions::{HttpSession, HttpStreams, KnownSession, Resumed, SessionKind, UNRELATED};
use super::{Caller, RequestSource, response};
use crate::engine::server::{SessionId, Stream};
use crate::engine::telemetry::TraceContext;
#[cfg(feature = "draft")]
use crate::protocol::draft::Drafts;
use crate::protocol::{Era, Revision, error_code};
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::runtime::server::budget::Budget;
use crate::runtime::telemetry;
use crate::transport::http::header::LAST_EVENT_ID;
use crate::transport::http_server::event_stream::EventId;
use crate::transport::http_server::guard::Guard;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use crate::transport::http_server::routing_headers::Accepted;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    IF_NONE_MATCH, ORIGIN,
};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode, Version};
use ring::rand::SystemRandom;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};
#[cfg(not(feature = "auth"))]
use unauthorized::Authorization;

/// The methods of the path where only the modern era is served.
const MODERN_METHODS: &str = "POST";
/// The time between two looks at sessions that may be due.
const SHORTEST_LOOK: Duration = Duration::from_millis(20);

/// What an endpoint is made of.
#[derive(Clone, Debug)]
pub(crate) struct EndpointSettings {
    /// The path of the URL.
    pub(crate) path: String,
    /// The path of HTTP+SSE, if it is served.
    pub(crate) sse: Option<String>,
    /// Who may ask.
    pub(crate) guard: Guard,
    /// Bounds.
    pub(crate) limits: HttpLimits,
    /// Whether names of sessions are sealed, so that other processes go on with them.
    pub(crate) seals: bool,
    /// The revisions that are served.
    pub(crate) revisions: Vec<Revision>,
    /// How deep JSON may nest.
    pub(crate) depth: usize,
    /// Messages in one batch.
    pub(crate) batch: usize,
    /// The drafts that are on.
    #[cfg(feature = "draft")]
    pub(crate) draft: Drafts,
    /// What is at other paths.
    pub(crate) documents: Documents,
    /// What checks tokens, where requests need one.
    pub(crate) authorization: Option<Arc<Authorization>>,
}

/// What each header takes of memory beside its name and value.
const EACH_HEADER: usize = 96;

/// One URL.
pub(crate) struct HttpEndpoint {
    this: Weak<HttpEndpoint>,
    pub(super) serving: Weak<Serving>,
    pub(super) settings: EndpointSettings,
    pub(super) random: SystemRandom,
    pub(super) meters: Arc<HttpMeters>,
    pub(super) sessions: Mutex<HashMap<Box<str>, Arc<HttpSession>>>,
    /// The bytes that the server holds for all its clients.
    pub(super) budget: Arc<Budget>,
    /// Something of sessions that are kept in a store is to be looked after.
    #[cfg(feature = "store")]
    pub(super) stirred: tokio::sync::Notify,
}

impl std::fmt::Debug for HttpEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpEndpoint").finish_non_exhaustive()
    }
}

impl HttpEndpoint {
    pub(crate) fn new(serving: &Arc<Serving>, settings: EndpointSettings) -> Arc<HttpEndpoint> {
        let endpoint = Arc::new_cyclic(|this| HttpEndpoint {
            this: Weak::clone(this),
            serving: Arc::downgrade(serving),
            random: SystemRandom::new(),
            meters: serving.http_meters(),
            sessions: Mutex::default(),
            budget: Arc::clone(&serving.budget),
            #[cfg(feature = "store")]
            stirred: tokio::sync::Notify::new(),
            settings,
        });
        #[cfg(feature = "store")]
        if endpoint.speaks(Era::Legacy) && !endpoint.settings.seals {
            serving.has_sessions_at(endpoint.known());
        }
        endpoint
    }

    /// Whether other processes may go on with a session, each with numbers of its own for its streams.
    pub(super) fn moves_sessions(&self) -> bool {
        #[cfg(feature = "store")]
        let is_kept = self.shares_sessions();
        #[cfg(not(feature = "store"))]
        let is_kept = false;
        self.settings.seals || is_kept
    }

    /// Where sessions that end say so.
    pub(super) fn known(&self) -> Weak<dyn KnownSession> {
        let this: Weak<HttpEndpoint> = Weak::clone(&self.this);
        this
    }

    /// The thread that closes the server is to look again.
    pub(super) fn wake_server(&self) {
        if let Some(serving) = self.serving.upgrade() {
            serving.interrupt();
        }
    }

    /// Whether requests at a path are for this endpoint.
    pub(super) fn has_path(&self, path: &str) -> bool {
        let of_tokens = self.settings.authorization.as_ref().is_some_and(|it| it.document_at(path).is_some());
        let is_document = self.settings.documents.at(path, &self.settings.path).is_some();
        is_at(&self.settings.path, path)
            || self.settings.sse.as_deref() == Some(path)
            || of_tokens
            || is_document
    }

    pub(super) fn limits(&self) -> &HttpLimits {
        &self.settings.limits
    }

    pub(super) fn speaks(&self, era: Era) -> bool {
        self.settings.revisions.iter().any(|revision| revision.era() == era)
    }

    /// Answers a request. What is wrong with it is in the answer.
    pub(super) async fn serve(
        self: Arc<Self>,
        request: Request<Received>,
        source: RequestSource,
    ) -> Response<ServerBody> {
        let (head, body) = request.into_parts();
        let is_shown = !self.settings.guard.origins.is_empty();
        let origin = if is_shown { head.headers.get(ORIGIN).cloned() } else { None };
        let authority = head.uri.authority().map(|authority| authority.as_str().to_owned());
        let path = head.uri.path();
        if !head.uri.scheme_str().is_none_or(|scheme| matches!(scheme, "http" | "https")) {
            return refused(&Refusal::bad("the request target is not an http or https URL"), None);
        }
        if let Some(document) = self.document(&head.method, path, &head.headers, authority.as_deref()) {
            return document;
        }
        let served = async {
            // Those of HTTP/1.1 are counted as they come.
            if head.headers.len() > HEADERS {
                let text = format!("the request has more than {HEADERS} headers");
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                return Err(Refusal::new(status, error_code::INVALID_REQUEST, text));
            }
            self.settings.guard.check(&head.headers, authority.as_deref())?;
            if let Some(document) = self.metadata(&head.method, path) {
                return Ok(document);
            }
            let is_sse = self.settings.sse.as_deref() == Some(path);
            if !is_at(&self.settings.path, path) && !is_sse {
                return Err(HttpEndpoint::nothing_at(path));
            }
            // Browsers ask without a token whether a page may send one.
            if head.method == Method::OPTIONS && self.is_preflight(&head.headers) {
                return Ok(preflight(&head.headers));
            }
            let listens = source.listens.clone();
            let caller = self.caller(&head, source).await?;
            if is_sse {
                return self.sse(&head.method, &head.headers, head.uri.query(), &caller, body).await;
            }
            match head.method {
                Method::POST => {
                    let most = self.settings.limits.listens;
                    let place =
                        listens.map(|listens| listens.take(&head.headers, most)).transpose()?.flatten();
                    let mut response = self.post(&head.headers, &caller, body).await?;
                    if let ServerBody::Events(events) = response.body_mut() {
                        events.place = place;
                    }
                    Ok(response)
                }
                Method::GET => self.get(&head.headers, &caller).await,
                Method::DELETE => self.delete(&head.headers, &caller).await,
                _ => Err(Refusal::method(self.methods())),
            }
        };
        let mut response = match served.await {
            Ok(response) => response,
            Err(refusal) => refused(&refusal, None),
        };
        if is_shown {
            show_to(origin.filter(|origin| self.is_listed(origin)), &mut response);
        }
        response
    }

    /// The metadata of the resource (S-AU-01). Reading it needs no token.
    fn metadata(&self, method: &Method, path: &str) -> Option<Response<ServerBody>> {
        let document = self.settings.authorization.as_ref()?.document_at(path)?;
        (method == Method::GET).then(|| response::json_response(StatusCode::OK, document.into()))
    }

    /// Who a request comes from: each brings its token (S-AU-07).
    async fn caller(&self, head: &Parts, source: RequestSource) -> Result<Caller, Refusal> {
        let RequestSource { from, way, .. } = source;
        let mut caller = match &self.settings.authorization {
            None => Caller { from, ..Caller::default() },
            Some(authorization) => authorization.check(&self.serving()?, head, from).await?,
        };
        caller.head_bytes =
            head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + EACH_HEADER).sum();
        if telemetry::is_on() {
            let named = head.headers.get("traceparent").and_then(|value| value.to_str().ok());
            caller.link = named.and_then(TraceContext::parse);
        }
        if let Some(ConnectionGivesWay(way)) = way {
            caller.account = self.budget.account(caller.holder(), way);
        }
        Ok(caller)
    }

    fn is_listed(&self, origin: &HeaderValue) -> bool {
        origin.to_str().is_ok_and(|origin| self.settings.guard.allows_origin(origin))
    }

    pub(super) fn is_preflight(&self, headers: &HeaderMap) -> bool {
        headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
            && headers.get(ORIGIN).is_some_and(|origin| self.is_listed(origin))
    }

    fn methods(&self) -> &'static str {
        if self.speaks(Era::Legacy) { ALL_METHODS } else { MODERN_METHODS }
    }

    /// The stream of messages that belong to no request, or a stream that broke off.
    async fn get(&self, headers: &HeaderMap, caller: &Caller) -> Result<Response<ServerBody>, Refusal> {
        let version = self.refuse_modern(headers)?;
        let session = self.session_of(headers, version, caller).await?;
        if !routing_headers::accepted(headers).events {
            let text = "Accept must have text/event-stream";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        // What its client did elsewhere is to be so here, where it reads.
        #[cfg(feature = "store")]
        self.looked_up(&session, true).await?;
        let last = routing_headers::only(headers, LAST_EVENT_ID)?.filter(|last| !last.is_empty());
        let (number, source) = match last {
            None => (UNRELATED, session.listen(&caller.account)),
            Some(last) => {
                let unknown =
                    || Refusal::bad("the event of Last-Event-ID is not kept in this session any more");
                let id = EventId::parse(last).ok_or_else(unknown)?;
                match self.resumed(&session, id, caller).await? {
                    Resumed::Goes(source) => (id.stream, Some(source)),
                    // With a stream that ends at once the client would come back again and again.
                    Resumed::Over => return Ok(no_content()),
                    Resumed::Unknown => return Err(unknown()),
                }
            }
        };
        let source = source.ok_or_else(|| self.gone())?;
        #[cfg(feature = "store")]
        if number == UNRELATED {
            self.tell_missed(&session);
        }
        session.begin_writing();
        let stream = Stream { session: session.id, number };
        let prime = (last.is_none() && session.revision() == Some(Revision::V2025_11_25))
            .then(|| session.before_first(number));
        let serving = Weak::clone(&self.serving);
        let reader = StreamReader { source, stream, streams: HttpStreams::Session(session), serving };
        let accepted = Accepted { json: false, events: true };
        let form = AnswerForm { prime, until: caller.until, ..AnswerForm::of(accepted, self.limits()) };
        Ok(response::events(reader, &form, Vec::new(), b""))
    }

    /// The rest of a stream behind an event.
    #[cfg_attr(not(feature = "store"), expect(clippy::unused_async, reason = "only a store is waited for"))]
    async fn resumed(
        &self,
        session: &Arc<HttpSession>,
        behind: EventId,
        caller: &Caller,
    ) -> Result<Resumed, Refusal> {
        #[cfg(feature = "store")]
        if let Some(resumed) = self.resumed_elsewhere(session, behind, caller).await? {
            return Ok(resumed);
        }
        // What was missed is not known here; each list is told of where a session goes on.
        if self.moves_sessions() && session.is_foreign(behind) {
            return Ok(Resumed::Goes(session.listen(&caller.account).ok_or_else(|| self.gone())?));
        }
        Ok(session.resume(behind, &caller.account))
    }

    /// Ends a session.
    async fn delete(&self, headers: &HeaderMap, caller: &Caller) -> Result<Response<ServerBody>, Refusal> {
        let version = self.refuse_modern(headers)?;
        let session = self.session_of(headers, version, caller).await?;
        #[cfg(feature = "store")]
        self.end_shared(&session).await?;
        let serving = self.serving()?;
        if let Some((name, Some(seal))) =
            routing_headers::only(headers, &routing_headers::SESSION)?.map(|it| self.parts_of(it))
        {
            serving.end_sealed(name, seal);
        }
        serving.end_everywhere(session.id, "its client ended it");
        Ok(no_content())
    }

    /// The modern era has POST only. Gives what the header says of the version.
    fn refuse_modern<'a>(&self, headers: &'a HeaderMap) -> Result<Option<&'a str>, Refusal> {
        let version = routing_headers::only(headers, &routing_headers::VERSION)?;
        let is_modern = version.and_then(Revision::parse).is_some_and(|it| it.era() == Era::Modern);
        if !self.speaks(Era::Legacy) || is_modern {
            return Err(Refusal::method(MODERN_METHODS));
        }
        Ok(version)
    }

    /// The session that a request of the legacy era names, and whose revision it speaks: `version` is that of its header.
    pub(super) async fn session_of(
        &self,
        headers: &HeaderMap,
        version: Option<&str>,
        caller: &Caller,
    ) -> Result<Arc<HttpSession>, Refusal> {
        if !self.speaks(Era::Legacy) {
            return Err(Refusal::bad("this server speaks 2026-07-28 only, which has no sessions"));
        }
        // A header without a value says nothing.
        let given = |text: &&str| !text.is_empty();
        let version = version.filter(given);
        if let Some(version) = version {
            let known = Revision::parse(version).filter(|it| self.settings.revisions.contains(it));
            if known.is_none() {
                let names: Vec<&str> = self.settings.revisions.iter().map(|it| it.as_str()).collect();
                return Err(Refusal::bad(format!(
                    "the header MCP-Protocol-Version is '{}', and this server speaks {}",
                    version.chars().take(40).collect::<String>(),
                    names.join(", ")
                )));
            }
        }
        let Some(name) = routing_headers::only(headers, &routing_headers::SESSION)?.filter(given) else {
            return Err(Refusal::bad("the header Mcp-Session-Id is missing: send 'initialize' first"));
        };
        let (name, seal) = self.parts_of(name);
        let known = lock(&self.sessions).get(name).map(Arc::clone);
        let session = match (known, seal) {
            (Some(session), _) => session,
            (None, Some(seal)) => self.adopted(name, seal, caller)?,
            #[cfg(feature = "store")]
            (None, None) => self.taken_up(name, caller).await?,
            #[cfg(not(feature = "store"))]
            (None, None) => return Err(unknown_session()),
        };
        // Whose session it is, only its principal learns (S-HL-15).
        if session.kind() != SessionKind::Streamable || session.principal() != caller.id() {
            return Err(unknown_session());
        }
        session.touch_as(version).map_err(|agreed| {
            let version = version.unwrap_or_default();
            Refusal::bad(format!(
                "the header MCP-Protocol-Version is '{version}', and the session agreed on {}",
                agreed.as_str()
            ))
        })?;
        #[cfg(feature = "store")]
        self.checked(&session).await?;
        Ok(session)
    }

    pub(super) fn serving(&self) -> Result<Arc<Serving>, Refusal> {
        self.serving.upgrade().ok_or_else(|| Refusal::full("the server is closing"))
    }

    /// Why a session takes nothing more.
    pub(super) fn gone(&self) -> Refusal {
        match self.serving() {
            Ok(serving) if !serving.is_closed() => unknown_session(),
            _ => Refusal::full("the server is closing"),
        }
    }

    /// Ends all sessions: no client reaches them any more.
    pub(super) fn end_sessions(&self, why: &str) {
        let Some(serving) = self.serving.upgrade() else { return };
        let all: Vec<_> = lock(&self.sessions).values().map(|session| session.id).collect();
        for id in all {
            serving.end_session(id, why);
        }
    }

    /// Ends sessions that were not used for their time; gives when the next one may be due.
    pub(super) fn end_unused(&self, now: Instant) -> Option<Instant> {
        let serving = self.serving.upgrade()?;
        let mut due = Vec::new();
        let mut next = now + self.settings.limits.session.min(self.settings.limits.head);
        for session in lock(&self.sessions).values() {
            session.drop_old_events(now);
            let Some(since) = session.unused_since() else { continue };
            let (patience, why) = session.patience(&self.settings.limits);
            let at = since + patience;
            if at <= now && !serving.is_busy(session.id) {
                due.push((session.id, why));
            } else {
                next = next.min(at.max(now + SHORTEST_LOOK));
            }
        }
        for (id, why) in due {
            serving.end_session(id, why);
        }
        Some(next)
    }
}

impl KnownSession for HttpEndpoint {
    fn forget(&self, name: &str, id: SessionId) {
        let mut sessions = lock(&self.sessions);
        let session =
            sessions.get(name).is_some_and(|session| session.id == id).then(|| sessions.remove(name));
        drop(sessions);
        drop(session);
    }

    #[cfg(feature = "store")]
    fn heard(&self, change: Option<&SessionChange>) {
        self.heard_of_session(change);
    }
}

/// No session has the name that a request gives.
pub(in crate::runtime::server) fn unknown_session() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, error_code::INVALID_REQUEST, "unknown session: send 'initialize'")
}

// The answers of documents, and what is done with every answer before it goes out: it is counted, and while the server drains it
// is the last one of its connection.

/// The methods of a document.
const METHODS: &str = "GET, HEAD";

/// The entity tag of a text.
fn tag_of(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

impl HttpEndpoint {
    /// The document at a path; `None` if there is none. Health and counters are for programs only: no page reads them.
    pub(super) fn document(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        authority: Option<&str>,
    ) -> Option<Response<ServerBody>> {
        let document = self.settings.documents.at(path, &self.settings.path)?;
        let guard = &self.settings.guard;
        let checked = match document {
            ServedDocument::Health | ServedDocument::Metrics => guard.check(headers, authority),
            ServedDocument::Public(..) => guard.check_host(headers, authority),
        };
        let is_options = method == Method::OPTIONS && matches!(document, ServedDocument::Public(..));
        let mut response = match checked {
            Err(refusal) => return Some(refused(&refusal, None)),
            Ok(()) if is_options => empty(StatusCode::NO_CONTENT),
            Ok(()) if method != Method::GET && method != Method::HEAD => {
                return Some(refused(&Refusal::method(METHODS), None));
            }
            Ok(()) => match document {
                ServedDocument::Health => self.health(),
                ServedDocument::Metrics => self.metrics(),
                ServedDocument::Public(media, text) => {
                    let tag = tag_of(text);
                    let is_known = headers
                        .get_all(IF_NONE_MATCH)
                        .iter()
                        .any(|known| routing_headers::names_tag(known, &tag));
                    let mut response = match is_known {
                        true => empty(StatusCode::NOT_MODIFIED),
                        false => of_type(media, text.to_owned()),
                    };
                    if let Ok(tag) = HeaderValue::try_from(tag) {
                        response.headers_mut().insert(ETAG, tag);
                    }
                    let cached = HeaderValue::from_static("public, max-age=3600");
                    response.headers_mut().insert(CACHE_CONTROL, cached);
                    response
                }
            },
        };
        if matches!(document, ServedDocument::Public(..)) {
            let shown = response.headers_mut();
            shown.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            shown.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET"));
            shown.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
        } else {
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if method == Method::HEAD {
            *response.body_mut() = ServerBody::empty();
        }
        Some(response)
    }

    fn health(&self) -> Response<ServerBody> {
        if self.is_leaving() {
            let mut response = of_type("text/plain", "draining\n".to_owned());
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            return response;
        }
        of_type("text/plain", "serving\n".to_owned())
    }

    fn metrics(&self) -> Response<ServerBody> {
        match self.serving() {
            Ok(serving) => of_type("text/plain; version=0.0.4; charset=utf-8", serving.metrics()),
            Err(refusal) => refused(&refusal, None),
        }
    }

    fn is_leaving(&self) -> bool {
        self.serving().map_or(true, |serving| serving.is_leaving())
    }

    /// An answer is about to go out: it is counted, and while the server drains the last one of its connection. HTTP/2 says so
    /// with GOAWAY.
    pub(super) fn going_out(&self, version: Version, response: &mut Response<ServerBody>) {
        self.meters.answered(response.status());
        if matches!(response.body(), ServerBody::Events(_)) {
            self.meters.streams.add(1);
        }
        if version == Version::HTTP_11 && self.is_leaving() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
    }

    /// What is at no path.
    fn nothing_at(path: &str) -> Refusal {
        let text = format!("there is nothing at '{}'", path.chars().take(100).collect::<String>());
        Refusal::new(StatusCode::NOT_FOUND, error_code::INVALID_REQUEST, text)
    }
}

fn empty(status: StatusCode) -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::empty());
    *response.status_mut() = status;
    response
}

fn of_type(media: &'static str, text: String) -> Response<ServerBody> {
    let mut response = Response::new(ServerBody::text(text.into_bytes()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media));
    response
}

/// A build without authorization: nothing of this type is ever made.
#[cfg(not(feature = "auth"))]
pub(super) mod unauthorized {
    use super::super::Caller;
    use crate::runtime::server::Serving;
    use crate::shares::Holder;
    use crate::transport::http_server::refusal::Refusal;
    use hyper::http::request::Parts;
    use std::sync::Arc;

    /// What checks tokens: this build has nothing that does.
    #[derive(Debug)]
    pub(crate) enum Authorization {}

    impl Authorization {
        pub(in crate::runtime::server::http) async fn check(
            self: &Arc<Self>,
            _: &Arc<Serving>,
            _: &Parts,
            _: Holder,
        ) -> Result<Caller, Refusal> {
            match **self {}
        }

        pub(in crate::runtime::server::http) fn lacks(&self, _: &[String]) -> Refusal {
            match *self {}
        }

        pub(in crate::runtime::server::http) fn document_at(&self, _: &str) -> Option<&str> {
            match *self {}
        }
    }
}
