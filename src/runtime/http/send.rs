//! A request to the MCP server, with what authorizes it: sent again when the server wanted another token and there is one.

use super::HttpLink;
use super::faults;
use crate::engine::{Failure, Level};
use crate::protocol::method;
use crate::transport::http::client::{Endpoint, Received};
use crate::transport::http::header::Header;
use hyper::Method;
use hyper::body::Bytes;

/// The step that ends a session with its DELETE.
pub(super) const SESSION_END: &str = "session end";

/// What a request is for.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(feature = "auth"),
    expect(dead_code, reason = "only authorization asks what a request is about")
)]
pub(super) struct Purpose<'a> {
    /// The protocol's method, or a step such as "listen".
    pub(super) operation: &'a str,
    /// What it is about, such as the tool: more scopes are asked for one thing and not for all.
    pub(super) about: Option<&'a str>,
    /// The exchange whose time stands still while a person logs in.
    pub(super) exchange: Option<u64>,
}

impl<'a> Purpose<'a> {
    pub(super) fn of(operation: &'a str) -> Purpose<'a> {
        Purpose { operation, about: None, exchange: None }
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

impl HttpLink {
    /// The log has each answer that refuses a request, also where a login lets the next one pass.
    fn told(&self, operation: &str, received: Received) -> Received {
        if received.status >= 400 {
            let what = [("method", operation.into()), ("status", received.status.into())];
            self.log(Level::Debug, "http.refused", &what);
        }
        received
    }

    /// Sends a request and gives the head of its answer.
    #[cfg(feature = "auth")]
    pub(super) async fn request(
        &self,
        method: Method,
        to: &Endpoint,
        headers: &[Header],
        body: Bytes,
        purpose: Purpose<'_>,
    ) -> Result<Received, Failure> {
        use super::authenticator::Pass;
        use crate::auth::{Challenges, Refusal};
        let context = self.context(purpose.operation);
        let unanswered = |why| faults::unanswered(why, &context);
        let Some(authenticator) = &self.authenticator else {
            let sent = self.client.send(method, to, headers, body, purpose.repeats()).await;
            return sent.map(|received| self.told(purpose.operation, received)).map_err(unanswered);
        };
        let waits = |wait| {
            if let Some(exchange) = purpose.exchange
                && let Some(connection) = self.connection()
            {
                connection.waits_for_login(self.generation, exchange, wait);
            }
        };
        let failed = |failure: crate::auth::Failure| Failure {
            kind: crate::engine::FailureKind::Refused,
            error: faults::login(&failure, purpose.operation),
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
            let sent = self.client.send(method.clone(), to, &all, body.clone(), purpose.repeats()).await;
            let mut received = self.told(purpose.operation, sent.map_err(unanswered)?);
            let nonce = received.header("dpop-nonce").map(str::to_owned);
            if !matches!(received.status, 401 | 403) {
                authenticator.accepted(generation, &operation, nonce.as_deref());
                return Ok(received);
            }
            if let Some(failure) = failure.filter(|_| received.status == 401) {
                return Err(failed(failure));
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
            if !authenticator.refused(refusal, &waits).await.map_err(failed)? {
                return Ok(received);
            }
            // So that its connection can be used again.
            let _drained_or_not =
                tokio::time::timeout(std::time::Duration::from_millis(250), received.body.drain(16 * 1024))
                    .await;
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
        purpose: Purpose<'_>,
    ) -> Result<Received, Failure> {
        let sent = self.client.send(method, to, headers, body, purpose.repeats()).await;
        sent.map(|received| self.told(purpose.operation, received))
            .map_err(|why| faults::unanswered(why, &self.context(purpose.operation)))
    }
}
