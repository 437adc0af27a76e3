//! A server over HTTP that a simulation drives: requests come as values, the time is that of the runtime that it is polled in, and
//! no thread is its own.

use super::RequestSource;
use super::connection::sweep;
use super::endpoint::{EndpointSettings, HttpEndpoint};
use super::hosted::RequestParts;
use super::request_body::RequestBody;
use super::response::ServerBody;
use super::response::refused;
use crate::engine::server::{Now, RequestId, Server, SessionId, Withdrawn};
use crate::runtime::lock;
use crate::runtime::message::{Handler, Kind, Message};
use crate::runtime::queue::{Look, Queue, QueueLimits, Take};
use crate::runtime::server::{Serving, ServingParts, StreamLimits};
use bytes::Bytes;
use hyper::body::Body as _;
use hyper::header::HeaderMap;
use serde_json::Value;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

/// One start of a server.
pub(crate) struct SimulatedServer {
    serving: Arc<Serving>,
    endpoint: Arc<HttpEndpoint>,
    queue: Arc<Queue>,
}

/// What the server tells its application.
pub(crate) enum SimulatedExchange {
    /// A request is to be answered. It is over when the message is dropped.
    Run {
        request: RequestId,
        method: String,
        params: String,
        round: u32,
        is_modern: bool,
        message: Box<Message>,
    },
    /// It is not wanted any more.
    Withdrawn { request: RequestId, why: Withdrawn },
    /// Anything else.
    Other,
}

/// An answer whose head is there.
pub(crate) struct SimulatedAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    body: ServerBody,
}

impl SimulatedAnswer {
    /// One without a body, of what stands before the server.
    pub(crate) fn refusal(status: u16, headers: HeaderMap) -> SimulatedAnswer {
        SimulatedAnswer { status, headers, body: ServerBody::empty() }
    }

    /// The next part of the body. `None` at its end; an error when it is cut.
    pub(crate) async fn part(&mut self) -> Option<Result<Bytes, String>> {
        let frame = poll_fn(|cx| Pin::new(&mut self.body).poll_frame(cx)).await?;
        Some(match frame {
            Ok(frame) => Ok(frame.into_data().unwrap_or_default()),
            Err(cut) => Err(cut.to_string()),
        })
    }
}

/// What takes the requests of a [`SimulatedServer`].
#[derive(Clone)]
pub(crate) struct Front(Arc<HttpEndpoint>);

impl Front {
    /// Serves a request.
    pub(crate) async fn serve(
        self,
        method: &str,
        path: &str,
        headers: &HeaderMap,
        body: &[u8],
    ) -> SimulatedAnswer {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_ref(), value.as_bytes())).collect();
        let parts = RequestParts { method: method.as_bytes(), target: path.as_bytes(), headers: &headers };
        let limits = self.0.limits();
        let response = match parts.request(limits.head_bytes, || RequestBody::given(body, limits.body_bytes))
        {
            Ok(request) => Arc::clone(&self.0).serve(request, RequestSource::default()).await,
            Err(refusal) => refused(&refusal, None),
        };
        let (head, body) = response.into_parts();
        SimulatedAnswer { status: head.status.as_u16(), headers: head.headers, body }
    }

    /// What ends the sessions that are not used.
    pub(crate) fn sweep(&self) -> impl Future<Output = ()> + Send + use<> {
        sweep(Arc::clone(&self.0))
    }
}

impl SimulatedServer {
    pub(crate) fn new(
        engine: Server<Handler>,
        limits: StreamLimits,
        settings: EndpointSettings,
    ) -> SimulatedServer {
        let queue = Queue::new(QueueLimits::default());
        let made = ServingParts {
            number: 1,
            name: "simulated".to_owned(),
            engine,
            limits,
            queue: Arc::clone(&queue),
            owns_queue: true,
        };
        let serving = Serving::new(made).expect("descriptors are left");
        let endpoint = HttpEndpoint::new(&serving, settings);
        SimulatedServer { serving, endpoint, queue }
    }

    pub(in crate::runtime::server) fn serving(&self) -> &Arc<Serving> {
        &self.serving
    }

    pub(crate) fn front(&self) -> Front {
        Front(Arc::clone(&self.endpoint))
    }

    /// Lets the engine take something in, and does what it wants then.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Server<Handler>, Now) -> R) -> R {
        self.serving.with_engine(work)
    }

    /// When something is due.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.serving.inside().due()
    }

    /// Does what is due.
    pub(crate) fn tick(&self) {
        self.serving.tick();
    }

    /// The next that the application is told.
    pub(crate) fn told(&self) -> Option<SimulatedExchange> {
        let Look::Message(message) = self.queue.take(Take::All) else { return None };
        let request = RequestId(message.call());
        match message.kind() {
            Kind::Request => {
                message.taken();
                let Some(message) = message.work() else { return Some(SimulatedExchange::Other) };
                let Some((number, by)) = message.request() else { return Some(SimulatedExchange::Other) };
                let Some(context) = by.context(number) else { return Some(SimulatedExchange::Other) };
                let context: Value = serde_json::from_str(&context).expect("JSON");
                Some(SimulatedExchange::Run {
                    request: RequestId(number),
                    method: message.method().unwrap_or_default().to_owned(),
                    params: message.json().to_owned(),
                    round: context["round"].as_u64().and_then(|round| round.try_into().ok()).unwrap_or(0),
                    is_modern: context["era"] == "modern",
                    message: Box::new(message),
                })
            }
            Kind::Notification if message.method() == Some("notifications/cancelled") => {
                let why = match message.json() {
                    r#"{"reason":"cancelled"}"# => Withdrawn::Cancelled,
                    r#"{"reason":"deadline"}"# => Withdrawn::Deadline,
                    _ => Withdrawn::SessionEnded,
                };
                Some(SimulatedExchange::Withdrawn { request, why })
            }
            _ => Some(SimulatedExchange::Other),
        }
    }

    /// The session of a name.
    pub(crate) fn session(&self, name: &str) -> Option<SessionId> {
        lock(&self.endpoint.sessions).get(name).map(|session| session.id)
    }

    /// Forgets a session.
    pub(crate) fn forget(&self, session: SessionId) {
        self.serving.end_session(session, "the simulation forgets it");
    }

    /// Every session that has not ended, those of one request included.
    pub(crate) fn sessions(&self) -> usize {
        self.serving.inside().sessions.len()
    }
}
