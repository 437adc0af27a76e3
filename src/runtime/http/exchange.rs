//! One request and everything that belongs to it: the POST, its answer as JSON or as a stream, and the stream taken up again
//! where it broke off (legacy).

use super::errors::ExchangeContext;
use super::event_stream::{Delivered, Reading, StreamOutcome};
use super::{HttpTransport, errors};
use crate::engine::{ExchangeFailure, FailureKind, Level, Shape, Status};
use crate::protocol::{Era, Frame, FrameKind, Revision, method};
use crate::transport::framing::Piece;
use crate::transport::http::body::BodyError;
use crate::transport::http::client::{Endpoint, Received};
use crate::transport::http::header::{Header, MCP_SESSION_ID};
use crate::transport::http::request::{SessionId, Speaking};
use crate::transport::http::response::{Answer, Sent};
use crate::transport::http::{request, response};
use hyper::Method;
use hyper::body::Bytes;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a notification or an answer of ours may take to be accepted.
const NOTICE: Duration = Duration::from_secs(10);
/// How long the body of a refusal is waited for, where it is not the answer.
#[cfg(feature = "auth")]
const LOOK: Duration = Duration::from_millis(250);
/// How much of an answer without meaning is read so that its connection can be used again.
const DRAINED: usize = 16 * 1024;
/// How much of an answer is kept to be shown: more than an error shows, so that a secret at its end is seen whole.
const SHOWN: usize = 4096;
/// The first wait before a broken stream is taken up again, and the longest, where the server says nothing of it.
pub(super) const FIRST_WAIT: Duration = Duration::from_secs(1);
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// What is known of a request that was sent.
struct SentRequest<'a> {
    exchange: u64,
    operation: &'a str,
    revision: Revision,
    /// Whether it carried a session id.
    with_session: bool,
    /// Whether its answer lists tools, in the modern era.
    lists_tools: bool,
    /// What it said of drafts.
    #[cfg(feature = "draft")]
    draft: super::draft::SentDrafts,
}

impl HttpTransport {
    /// Sends a request and brings its answer.
    pub(super) async fn exchange(self: &Arc<Self>, exchange: u64, frame: Frame, revision: Revision) {
        let Frame { text, info } = frame;
        let body = hyper::body::Bytes::from(text);
        let called = &*info.method;
        self.introduced().await;
        let session = self.session().filter(|_| called != method::INITIALIZE);
        let speaking = Speaking { revision, initialized: true, session: session.as_ref() };
        let modern = revision.era() == Era::Modern;
        let mut headers = request::post(&info, &body, speaking);
        #[cfg_attr(not(feature = "draft"), expect(unused_mut, reason = "only drafts send a request again"))]
        let mut request = SentRequest {
            exchange,
            operation: called,
            revision,
            with_session: session.is_some(),
            lists_tools: modern && called == "tools/list",
            #[cfg(feature = "draft")]
            draft: match modern && self.settings.draft.is_any() {
                true => {
                    #[cfg(feature = "auth")]
                    let login = self.authenticator.as_ref().and_then(|it| it.login());
                    #[cfg(not(feature = "auth"))]
                    let login = None;
                    self.validated.push_headers((self.settings.draft, login), &info, &body, &mut headers)
                }
                false => super::draft::SentDrafts::default(),
            },
        };
        if modern && called == "tools/call" {
            match self.tools.headers(&info, &body) {
                Ok(more) => headers.extend(more),
                Err(why) => {
                    let error = crate::engine::Error::new(Status::InvalidArgument, called, why.to_string());
                    let failure =
                        ExchangeFailure { kind: FailureKind::Refused, error, http: None, spoken: None };
                    return self.fail(exchange, failure);
                }
            }
        }
        #[cfg(feature = "auth")]
        let about = self.authenticator.as_ref().and_then(|_| info.name(&body));
        #[cfg(not(feature = "auth"))]
        let about: Option<std::borrow::Cow<'_, str>> = None;
        let purpose = SendPurpose { operation: called, about: about.as_deref(), exchange: Some(exchange) };
        #[cfg_attr(not(feature = "draft"), expect(unused_mut, reason = "only drafts send a request again"))]
        let mut answer = self.request(Method::POST, self.target(), &headers, body.clone(), purpose).await;
        #[cfg(feature = "draft")]
        if let Ok(received) = &mut answer
            && self.validated.is_of_another(&mut request.draft, received, &mut headers)
        {
            // Once: it asks for the whole now.
            received.body.drain(DRAINED).await;
            answer = self.request(Method::POST, self.target(), &headers, body.clone(), purpose).await;
        }
        match answer {
            Err(failure) => self.fail(exchange, failure),
            Ok(received) => self.answered(&request, received).await,
        }
    }

    async fn answered(self: &Arc<Self>, request: &SentRequest<'_>, mut received: Received) {
        let context = self.context(request.operation);
        if request.operation == method::INITIALIZE
            && received.status < 300
            // An empty one names no session.
            && let Some(id) = received.header_bytes(MCP_SESSION_ID).filter(|id| !id.is_empty())
            && self.shape == Shape::Streamable
        {
            match SessionId::parse(id) {
                Ok(id) => self.begin_session(id, request.revision),
                Err(why) => {
                    let error = crate::engine::Error::new(Status::Protocol, request.operation, why);
                    let failure =
                        ExchangeFailure { kind: FailureKind::Lost, error, http: None, spoken: None };
                    return self.fail(request.exchange, failure);
                }
            }
        }
        #[cfg(feature = "draft")]
        if let Some(frame) =
            super::draft::ValidatedResults::unchanged(&request.draft, &received, request.exchange)
        {
            received.body.drain(DRAINED).await;
            let _answered = self.deliver(Some((request.exchange, request.lists_tools)), frame);
            return;
        }
        let answer = response::by_head(Sent::Request, received.head(request.with_session));
        match answer {
            // A stream of its own brings every answer there.
            _ if self.shape == Shape::Sse && (200..300).contains(&received.status) => {
                received.body.drain(DRAINED).await;
            }
            Some(Answer::Json) => self.whole(request, &mut received).await,
            Some(Answer::EventStream) => {
                let reading = Reading::new(received.body, self.bounds());
                self.stream(request, reading).await;
            }
            Some(Answer::Accepted) => {
                received.body.drain(DRAINED).await;
                self.accepted(request, received.status);
            }
            Some(Answer::Fault(fault)) => {
                let failure = errors::of_fault(fault, received.refused.as_deref(), &context);
                self.refused(request, failure);
            }
            None if (200..300).contains(&received.status) => self.perhaps(request, &mut received).await,
            None => {
                let failure =
                    errors::read(Sent::Request, &mut received, request.with_session, &context).await;
                self.refused(request, failure);
            }
        }
    }

    /// The request was accepted, and the body of that says nothing.
    fn accepted(&self, request: &SentRequest<'_>, status: u16) {
        // The stream of the server's own messages is opened only after the handshake.
        let nowhere_else = request.operation == method::INITIALIZE;
        if nowhere_else || request.revision.era() == Era::Modern {
            let what =
                format!("the server accepted the request with HTTP status {status} and sent no answer");
            self.fail(request.exchange, errors::lost(&what, &self.context(request.operation)));
        }
        // In the legacy era the answer may come on the stream of the server's own messages.
    }

    /// A success whose head does not say what it is.
    async fn perhaps(self: &Arc<Self>, request: &SentRequest<'_>, received: &mut Received) {
        let context = self.context(request.operation);
        let body = match received.body.whole(self.settings.message_bytes).await {
            Ok(body) => body,
            Err(BodyError::NoMemory(bytes)) => return self.no_memory(request, bytes),
            Err(why) => return self.fail(request.exchange, errors::unread(&why, &context)),
        };
        match response::by_body(Sent::Request, received.head(request.with_session), &body) {
            Answer::Json => self.bring_whole(request, received, body),
            Answer::Fault(mut fault) => {
                fault.excerpt = response::excerpt(&received.without_secrets(&body));
                self.refused(request, errors::of_fault(fault, None, &context));
            }
            Answer::Accepted => self.accepted(request, received.status),
            Answer::EventStream => {
                self.fail(request.exchange, errors::no_answer(received, &body, &context));
            }
        }
    }

    async fn whole(self: &Arc<Self>, request: &SentRequest<'_>, received: &mut Received) {
        match received.body.whole(self.settings.message_bytes).await {
            Ok(body) => self.bring_whole(request, received, body),
            Err(BodyError::TooLarge(bound)) => {
                let bytes = received.header("content-length").and_then(|length| length.parse().ok());
                let exchange = Some(request.exchange);
                let bytes = bytes.unwrap_or(bound as u64 + 1);
                self.receive(exchange, Piece::Oversized { id: exchange, bytes });
            }
            Err(BodyError::NoMemory(bytes)) => self.no_memory(request, bytes),
            Err(why) => {
                self.fail(request.exchange, errors::unread(&why, &self.context(request.operation)));
            }
        }
    }

    fn no_memory(&self, request: &SentRequest<'_>, bytes: usize) {
        let exchange = Some(request.exchange);
        // It is over.
        let _answered = self.receive(exchange, Piece::Unheld { id: exchange, bytes: bytes as u64 });
    }

    fn bring_whole(&self, request: &SentRequest<'_>, received: &Received, body: Vec<u8>) {
        #[cfg(feature = "draft")]
        if self.settings.draft.is_any()
            && let Err(error) =
                self.validated.read(self.settings.draft, &request.draft, received, &body, request.operation)
        {
            let failure = ExchangeFailure { kind: FailureKind::Refused, error, http: None, spoken: None };
            return self.fail(request.exchange, failure);
        }
        // The engine takes the body. Its start is kept to be shown if it is not the answer, with what stands behind that
        // and is not to be shown.
        let start = body.get(..body.len().min(SHOWN)).unwrap_or_default().to_vec();
        let on = Some((request.exchange, request.lists_tools));
        let delivered =
            if response::is_events(&body) { self.bring_all(&body, on) } else { self.deliver(on, body) };
        let status = received.head(request.with_session).status;
        if delivered == Delivered::GoesOn && status == 202 {
            self.accepted(request, status);
        } else if delivered == Delivered::GoesOn {
            let failure = errors::no_answer(received, &start, &self.context(request.operation));
            self.fail(request.exchange, failure);
        }
    }

    fn refused(&self, request: &SentRequest<'_>, failure: ExchangeFailure) {
        if let Some(body) = failure.error.details.get("body") {
            self.log(
                Level::Trace,
                "http.body",
                &[("method", request.operation.into()), ("body", body.clone())],
            );
        }
        if let Some(failure) =
            self.unless_session_ended(Some(request.exchange), request.with_session, failure)
        {
            self.fail(request.exchange, failure);
        }
    }

    /// Tells the engine if the server has ended the session, else gives the failure back.
    fn unless_session_ended(
        &self,
        exchange: Option<u64>,
        with_session: bool,
        failure: ExchangeFailure,
    ) -> Option<ExchangeFailure> {
        let gone = with_session && failure.kind == FailureKind::SessionGone;
        let Some(connection) = self.connection().filter(|_| gone) else { return Some(failure) };
        connection.session_ended(self.generation, exchange, failure, &mut || self.session_is_gone());
        None
    }

    /// Reads the answer's stream; in the legacy era takes it up again where it broke off.
    async fn stream(self: &Arc<Self>, request: &SentRequest<'_>, mut reading: Reading) {
        let context = self.context(request.operation);
        let on = Some((request.exchange, request.lists_tools));
        let mut attempts = 0;
        let mut before: Option<String> = None;
        let mut why = loop {
            let why = match self.read(&mut reading, on).await {
                StreamOutcome::Answered | StreamOutcome::Gone => return,
                StreamOutcome::Ended => "the server ended the answer's stream without an answer".to_owned(),
                StreamOutcome::Broken(BodyError::Lost(why)) => {
                    format!("the answer's stream broke off: {why}")
                }
                StreamOutcome::Broken(BodyError::NoMemory(bytes)) => return self.no_memory(request, bytes),
                StreamOutcome::Broken(why) => {
                    return self.fail(request.exchange, errors::unread(&why, &context));
                }
            };
            // No other answer has come: that was it, and would be too large again.
            if let Some(bytes) = reading.perhaps_too_large() {
                let exchange = Some(request.exchange);
                // It is over.
                let _answered = self.receive(exchange, Piece::Oversized { id: exchange, bytes });
                return;
            }
            if std::mem::take(&mut reading.progressed) {
                attempts = 0;
            }
            let resumable = request.revision.era() == Era::Legacy && self.shape == Shape::Streamable;
            let Some(id) = reading.parser().last_id().filter(|id| resumable && request::is_resumable(id))
            else {
                break why;
            };
            let id = id.to_owned();
            // A server may have its client come back again and again while it works (2025-11-25 `basic/transports`): each
            // new event is progress, also one without data. The call's own time bounds that.
            if before.as_ref() != Some(&id) {
                attempts = 0;
            }
            before = Some(id.clone());
            // Seldom needed and large: every call would carry the room for it.
            let taken = Box::pin(self.take_up(&mut reading, &id, request.revision, &mut attempts, &context));
            match taken.await {
                Ok(()) => {}
                Err(more) => break format!("{why}, and could not be taken up again: {more}"),
            }
        };
        why.push_str("; what the request did on the server is not known");
        self.fail(request.exchange, errors::lost(&why, &context));
    }

    /// Asks for the rest of a stream, until there is one or the attempts are used up.
    async fn take_up(
        self: &Arc<Self>,
        reading: &mut Reading,
        id: &str,
        revision: Revision,
        attempts: &mut u32,
        context: &ExchangeContext<'_>,
    ) -> Result<(), String> {
        loop {
            let wait = pause(reading.parser().last_retry(), *attempts);
            *attempts += 1;
            if *attempts > self.settings.resume_attempts {
                return Err(format!(
                    "{} attempts brought nothing new (reconnect.stream_attempts)",
                    self.settings.resume_attempts
                ));
            }
            tokio::time::sleep(wait).await;
            let session = self.session();
            let speaking = Speaking { revision, initialized: true, session: session.as_ref() };
            let headers: Vec<Header> = request::get(speaking, Some(id));
            let started = Instant::now();
            let purpose = SendPurpose::of(context.operation);
            let sent =
                self.request(Method::GET, self.target(), &headers, hyper::body::Bytes::new(), purpose).await;
            let why = match sent {
                Ok(mut received) => {
                    if let Some(Answer::EventStream) =
                        response::by_head(Sent::Listen, received.head(session.is_some()))
                    {
                        reading.reopen(received.body);
                        return Ok(());
                    }
                    let failure = errors::read(Sent::Listen, &mut received, session.is_some(), context).await;
                    if !failure.error.retryable {
                        return Err(failure.error.message);
                    }
                    failure.error.message
                }
                Err(failure) => failure.error.message,
            };
            let elapsed = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.log(
                Level::Info,
                "stream.not_resumed",
                &[("why", why.into()), ("attempt", (*attempts).into()), ("elapsed_ms", elapsed.into())],
            );
        }
    }

    /// Posts a notification, or an answer of ours, which wants no answer.
    pub(super) async fn say(self: &Arc<Self>, frame: Frame, revision: Revision) {
        let Frame { text, info } = frame;
        let called = if info.kind == FrameKind::Answer { "respond" } else { &*info.method };
        let session = self.session();
        let speaking = Speaking { revision, initialized: true, session: session.as_ref() };
        let headers = request::post(&info, &text, speaking);
        let body = hyper::body::Bytes::from(text);
        let context = self.context(called);
        let sending = async {
            let purpose = SendPurpose::of(called);
            // The transport sends it again where a kept connection was dead.
            let sent = self.request(Method::POST, self.target(), &headers, body, purpose).await;
            let mut received = match sent {
                Ok(received) => received,
                Err(failure) => return Some(failure),
            };
            if let Some(Answer::Accepted) = response::by_head(Sent::Notice, received.head(session.is_some()))
            {
                received.body.drain(DRAINED).await;
                return None;
            }
            Some(errors::read(Sent::Notice, &mut received, session.is_some(), &context).await)
        };
        let why = match tokio::time::timeout(NOTICE, sending).await {
            Ok(None) => return,
            // A server that does not get it asks nothing and tells of no change.
            Ok(Some(failure))
                if called == method::INITIALIZED
                    && matches!(failure.kind, FailureKind::Lost | FailureKind::Unreachable) =>
            {
                if let Some(connection) = self.connection() {
                    connection.lost(self.generation, failure.error);
                }
                return;
            }
            Ok(Some(failure)) => match self.unless_session_ended(None, session.is_some(), failure) {
                None => return,
                Some(failure) => failure.error.message,
            },
            Err(_) => format!("the server did not accept it within {} ms", NOTICE.as_millis()),
        };
        self.log(Level::Warn, "notice.failed", &[("method", called.into()), ("why", why.into())]);
    }

    /// Gives a frame to the engine.
    pub(super) fn deliver(&self, exchange: Option<(u64, bool)>, mut frame: Vec<u8>) -> Delivered {
        if let Some((_, true)) = exchange {
            frame = self.tools.read(frame, &|tool, why| {
                self.log(Level::Warn, "tool.left_out", &[("tool", tool.into()), ("why", why.into())]);
            });
        }
        let exchange = exchange.map(|(exchange, _)| exchange);
        // Some servers say it with a success.
        if exchange.is_some()
            && self.session().is_some()
            && let Some(fault) = response::lost_session(&frame)
        {
            let failure = errors::of_fault(fault, None, &self.context("request"));
            if self.unless_session_ended(exchange, true, failure).is_none() {
                return Delivered::Answered;
            }
        }
        self.receive(exchange, Piece::Frame(frame))
    }

    /// Gives the engine what came: a frame, or that one was thrown away.
    pub(super) fn receive(&self, exchange: Option<u64>, piece: Piece) -> Delivered {
        let Some(connection) = self.connection() else { return Delivered::Nowhere };
        let mut piece = Some(piece);
        let goes_on = connection.received(self.generation, exchange, &mut || piece.take(), None);
        if goes_on { Delivered::GoesOn } else { Delivered::Answered }
    }

    fn fail(&self, exchange: u64, failure: ExchangeFailure) {
        if let Some(connection) = self.connection() {
            connection.exchange_failed(self.generation, exchange, failure);
        }
    }
}

/// The wait before a stream is taken up again: what the server asked for at the least, and longer each time that nothing new
/// came (full jitter on what is added).
pub(super) fn pause(retry: Option<Duration>, attempts: u32) -> Duration {
    let least = retry.unwrap_or(if attempts == 0 { Duration::ZERO } else { FIRST_WAIT });
    if attempts == 0 {
        return if retry.is_some() { least } else { FIRST_WAIT / 10 };
    }
    let grown = FIRST_WAIT.saturating_mul(1 << attempts.min(10)).min(LONGEST_WAIT);
    let more = grown.saturating_sub(least);
    let share = u32::try_from(crate::runtime::seed() % 1000).unwrap_or(0);
    least + more * share / 1000
}

/// The step that ends a session with its DELETE.
pub(super) const SESSION_END: &str = "session end";

/// What a request is for.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "auth"),
    expect(dead_code, reason = "only authorization asks what a request is about")
)]
/// A request to the MCP server, with what authorizes it: sent again when the server wanted another token and there is one.
pub(super) struct SendPurpose<'a> {
    /// The protocol's method, or a step such as "listen".
    pub(super) operation: &'a str,
    /// What it is about, such as the tool: more scopes are asked for one thing and not for all.
    pub(super) about: Option<&'a str>,
    /// The exchange whose time stands still while a person logs in.
    pub(super) exchange: Option<u64>,
}

impl<'a> SendPurpose<'a> {
    pub(super) fn of(operation: &'a str) -> SendPurpose<'a> {
        SendPurpose { operation, about: None, exchange: None }
    }

    /// Whether the request may reach the server twice: what asks without an effect, and what wants no answer. (A request for the
    /// handshake that was lost with its connection opened nothing that anyone knows of.) The end of a session is said once:
    /// it is part of a close, which has its bound.
    fn repeats(&self) -> bool {
        self.exchange.is_none() && self.operation != SESSION_END
            || matches!(self.operation, method::DISCOVER | method::INITIALIZE)
            || method::listed(self.operation).is_some()
    }
}

/// Headers whose values the log shows; of the others of a request it has the names.
const SHOWN_HEADERS: [&str; 14] = [
    "accept",
    "content-length",
    "content-type",
    "date",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "retry-after",
    "server",
    "traceparent",
    "user-agent",
    "www-authenticate",
    "x-request-id",
];
/// Headers that are there, and whose values are as good as a credential.
const HIDDEN_HEADERS: [&str; 3] = ["mcp-session-id", "set-cookie", "dpop-nonce"];
const HIDDEN: &str = "****";
/// The most bytes of a value that is shown.
const VALUE_BYTES: usize = 1000;

/// The headers of a request as the log shows them.
fn of_request<'h>(headers: impl Iterator<Item = (&'h str, &'h str)>) -> serde_json::Value {
    let shown = |name: &str, value: &str| match SHOWN_HEADERS.contains(&name) {
        true => value.chars().take(VALUE_BYTES).collect::<String>(),
        false => HIDDEN.to_owned(),
    };
    let shown = headers.map(|(name, value)| (name.to_owned(), serde_json::Value::from(shown(name, value))));
    serde_json::Value::Object(crate::json::inserted(shown))
}

/// The headers of an answer that are the protocol's, as the log shows them.
fn of_answer<'r>(header: impl Fn(&str) -> Option<&'r str>) -> serde_json::Value {
    let shown = SHOWN_HEADERS.iter().filter_map(|name| Some((*name, header(name)?)));
    let hidden = HIDDEN_HEADERS.iter().filter_map(|name| header(name).map(|_| (*name, HIDDEN)));
    of_request(shown.chain(hidden))
}

/// Where a request went, without what may be a secret in it.
fn shown_url(to: &Endpoint) -> String {
    let (origin, target) = (to.address().origin(), to.address().target());
    let scheme = if origin.tls { "https" } else { "http" };
    let (path, query) = target.split_once('?').map_or((target, ""), |(path, _)| (path, "?****"));
    format!("{scheme}://{}:{}{path}{query}", origin.host, origin.port)
}

impl HttpTransport {
    /// Sends a request once, which the log tells of with its answer. Each answer that refuses one is there at a level of its own, also
    /// where a login lets the next one pass.
    async fn sent(
        &self,
        method: Method,
        to: &Endpoint,
        headers: &[Header],
        body: Bytes,
        purpose: SendPurpose<'_>,
    ) -> Result<Received, ExchangeFailure> {
        // What is costly is made for those who want it.
        let is_traced = Level::Trace as u8 <= crate::runtime::logger::verbosity();
        let traced = is_traced.then(|| (method.clone(), body.len(), Instant::now()));
        let answer = self.client.send(method, to, headers, body, purpose.repeats()).await;
        let answer = answer.map_err(|why| errors::unanswered(why, &self.context(purpose.operation)));
        if let Some((verb, bytes, begin)) = traced {
            let ms = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
            #[expect(clippy::cast_precision_loss, reason = "a time of years has no need of microseconds")]
            let ms = ms as f64 / 1000.0;
            let of_this = headers.iter().map(|it| (it.name.as_ref(), it.value.as_ref()));
            let sent = of_request(self.client.of_every_request().chain(of_this));
            let mut what = vec![
                ("verb", verb.as_str().into()),
                ("url", shown_url(to).into()),
                ("method", purpose.operation.into()),
                ("sent_bytes", bytes.into()),
                ("ms", ms.into()),
                ("request_headers", sent),
            ];
            match &answer {
                Ok(received) => {
                    what.push(("status", received.status.into()));
                    what.push(("response_headers", of_answer(|name| received.header(name))));
                }
                Err(failure) => what.push(("error", failure.error.message.as_str().into())),
            }
            self.log(Level::Trace, "http.exchange", &what);
        }
        let received = answer?;
        if received.status >= 400 {
            let what = [("method", purpose.operation.into()), ("status", received.status.into())];
            self.log(Level::Debug, "http.refused", &what);
        }
        Ok(received)
    }

    /// Sends a request and gives the head of its answer.
    #[cfg(feature = "auth")]
    pub(super) async fn request(
        &self,
        method: Method,
        to: &Endpoint,
        headers: &[Header],
        body: Bytes,
        purpose: SendPurpose<'_>,
    ) -> Result<Received, ExchangeFailure> {
        use super::authenticator::Pass;
        use crate::auth::{Challenges, Refusal};
        let Some(authenticator) = &self.authenticator else {
            return self.sent(method, to, headers, body, purpose).await;
        };
        let waits = |wait| {
            if let Some(exchange) = purpose.exchange
                && let Some(connection) = self.connection()
            {
                connection.waits_for_login(self.generation, exchange, wait);
            }
        };
        let failed = |failure: crate::auth::Failure| ExchangeFailure {
            kind: crate::engine::FailureKind::NotLoggedIn,
            error: errors::login(&failure, purpose.operation),
            http: Some(401),
            spoken: None,
        };
        let operation = match purpose.about {
            Some(about) => format!("{} {about}", purpose.operation),
            None => purpose.operation.to_owned(),
        };
        let mut refusals = 0;
        loop {
            let Pass { generation, headers: more, failure } =
                authenticator.access(method.as_str(), to.address(), &waits).await.map_err(failed)?;
            self.client.belongs_to(|| authenticator.login());
            let mut all = headers.to_vec();
            all.extend(
                more.into_iter().map(|(name, value)| Header {
                    name: name.into(),
                    value: value.expose().to_owned().into(),
                }),
            );
            let mut received = self.sent(method.clone(), to, &all, body.clone(), purpose).await?;
            let nonce = received.header("dpop-nonce").map(str::to_owned);
            let in_session = headers.iter().any(|header| header.name == MCP_SESSION_ID);
            if !matches!(received.status, 401 | 403) {
                if in_session && purpose.exchange.is_some() {
                    authenticator.session_answered();
                }
                authenticator.accepted(generation, &operation, nonce.as_deref());
                return Ok(received);
            }
            refusals += 1;
            let challenges = received.headers_of("www-authenticate");
            let refusal = Refusal {
                status: received.status,
                challenges: Challenges::parse(challenges.iter().map(String::as_str)),
                nonce: nonce.as_deref(),
                peer: received.peer,
                generation,
                operation: &operation,
                refusals,
            };
            // It was to have one, and why it had none is known.
            if let Some(failure) = failure.filter(|_| refusal.wants_token()) {
                return Err(failed(failure));
            }
            // Some servers say so that a session is over: a login would not bring it back.
            if in_session && received.status == 401 && challenges.is_empty() {
                let begin = received.body.peek(response::LOST_SESSION_BYTES, LOOK).await;
                if response::refuses_session(begin) && authenticator.may_be_the_session() {
                    return Ok(received);
                }
            }
            if !authenticator.refused(refusal, &waits).await.map_err(failed)? {
                return Ok(received);
            }
            // So that its connection can be used again.
            let _drained_or_not = tokio::time::timeout(LOOK, received.body.drain(16 * 1024)).await;
        }
    }

    /// Sends a request and gives the head of its answer.
    #[cfg(not(feature = "auth"))]
    pub(super) async fn request(
        &self,
        method: Method,
        to: &Endpoint,
        headers: &[Header],
        body: Bytes,
        purpose: SendPurpose<'_>,
    ) -> Result<Received, ExchangeFailure> {
        self.sent(method, to, headers, body, purpose).await
    }
}
