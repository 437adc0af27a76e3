//! What went wrong with an exchange, as an error that says what to look at.

use crate::engine::{Error, ExchangeFailure, FailureKind, RpcError, Status};
use crate::transport::http::address::Address;
use crate::transport::http::body::BodyError;
use crate::transport::http::client::Received;
use crate::transport::http::error::{HeadBounds, Unanswered};
use crate::transport::http::response;
use crate::transport::http::response::{Answer, Fault, FaultKind, Sent};
use std::time::Duration;

/// What was being done, and where.
#[derive(Clone, Copy)]
pub(super) struct ExchangeContext<'a> {
    pub(super) operation: &'a str,
    pub(super) url: &'a Address,
}

/// The most of a body that is read to say what is wrong.
const BODY: usize = 64 * 1024;
/// How long that may take.
const PATIENCE: Duration = Duration::from_secs(2);

impl ExchangeContext<'_> {
    fn error(&self, status: Status, message: String) -> Error {
        // Without the query, where some services have their keys.
        let place =
            format!("{}{}", self.url.origin(), self.url.target().split('?').next().unwrap_or_default());
        Error::new(status, self.operation, message).with("url", place)
    }
}

/// There is no answer.
pub(super) fn unanswered(why: Unanswered, context: &ExchangeContext<'_>) -> ExchangeFailure {
    let origin = context.url.origin();
    let (kind, error) = match why {
        Unanswered::Unreachable(why) => (
            FailureKind::Unreachable,
            context.error(Status::Transport, format!("cannot reach the server at {origin}: {why}")),
        ),
        Unanswered::Untrusted(distrust) => {
            let what = format!("no connection to {origin} that can be trusted: {}", distrust.why);
            let mut error =
                context.error(Status::Transport, what).with("tls", distrust.fault).retryable(false);
            for (name, value) in distrust.values {
                error = error.with(name, value);
            }
            (FailureKind::Unreachable, error)
        }
        Unanswered::Lost(why) => (
            FailureKind::Lost,
            context.error(
                Status::Transport,
                format!("the connection to {origin} was lost before the answer: {why}"),
            ),
        ),
        Unanswered::Unusable(why) => (FailureKind::Refused, context.error(Status::Protocol, why)),
        Unanswered::TooLarge(HeadBounds { bytes, headers }) => {
            let what = format!(
                "the head of the answer has more than {bytes} bytes (limits.header_bytes) or more than {headers} headers; raise \
                 the limit if the server needs them"
            );
            (FailureKind::Refused, context.error(Status::TooLarge, what).with("header_bytes", bytes))
        }
    };
    ExchangeFailure { kind, error, http: None, spoken: None }
}

/// The answer's body cannot be read to its end.
pub(super) fn unread(why: &BodyError, context: &ExchangeContext<'_>) -> ExchangeFailure {
    let bound = match why {
        BodyError::Lost(_) | BodyError::NoMemory(_) => return lost(&why.to_string(), context),
        BodyError::TooLarge(bound) | BodyError::UnpacksTooLarge(bound) => *bound,
    };
    let what = format!("{why}; it was thrown away. Raise the limit or ask the server for less");
    // So much was read of it at the least.
    let error =
        context.error(Status::TooLarge, what).with("bytes", bound as u64 + 1).with("frame_bytes", bound);
    ExchangeFailure { kind: FailureKind::Refused, error, http: None, spoken: None }
}

/// A success that is not the answer to the request, though it may be called JSON. `start` is how its body begins.
pub(super) fn no_answer(received: &Received, start: &[u8], context: &ExchangeContext<'_>) -> ExchangeFailure {
    let kind = match received.header("content-type") {
        Some(named) => format!("content type '{}'", response::excerpt(named.as_bytes())),
        None => "no content type".to_owned(),
    };
    let excerpt = response::excerpt(&received.without_secrets(start));
    let body = match excerpt.is_empty() {
        true => "the body is empty".to_owned(),
        false => format!("the body begins: {excerpt}"),
    };
    let status = received.status;
    let what = format!(
        "the server's answer, with HTTP status {status} and {kind}, is not the answer to this request: {body}"
    );
    let mut error = context.error(Status::Protocol, what).with("http_status", received.status);
    if !excerpt.is_empty() {
        error = error.with("body", excerpt);
    }
    ExchangeFailure { kind: FailureKind::Refused, error, http: None, spoken: None }
}

/// The answer's stream or body ended early.
pub(super) fn lost(why: &str, context: &ExchangeContext<'_>) -> ExchangeFailure {
    let error = context.error(Status::Transport, why.to_owned());
    ExchangeFailure { kind: FailureKind::Lost, error, http: None, spoken: None }
}

/// Reads the text of a response that is not an MCP answer, as far as that goes in a short time.
pub(super) async fn read(
    sent: Sent,
    received: &mut Received,
    with_session: bool,
    context: &ExchangeContext<'_>,
) -> ExchangeFailure {
    let body = tokio::time::timeout(PATIENCE, received.body.start(BODY)).await.unwrap_or_default();
    match response::by_body(sent, received.head(with_session), &body) {
        Answer::Fault(mut fault) => {
            // What it means is told by the body as it is.
            fault.excerpt = response::excerpt(&received.without_secrets(&body));
            of_fault(fault, received.refused.as_deref(), context)
        }
        Answer::Json | Answer::EventStream | Answer::Accepted => {
            let what = format!("the server answered with HTTP status {} and no MCP message", received.status);
            let error = context.error(Status::Protocol, what).with("http_status", received.status);
            ExchangeFailure { kind: FailureKind::Refused, error, http: Some(received.status), spoken: None }
        }
    }
}

/// An answer that is not what was asked for. `refused` says why a redirect was not followed.
pub(super) fn of_fault(
    fault: Fault,
    refused: Option<&str>,
    context: &ExchangeContext<'_>,
) -> ExchangeFailure {
    let status = match fault.kind {
        FaultKind::Unauthorized | FaultKind::Forbidden => Status::Auth,
        FaultKind::TooMany => Status::Backpressure,
        FaultKind::Unavailable => Status::Unavailable,
        FaultKind::SessionGone | FaultKind::Server => Status::Transport,
        FaultKind::TooLarge | FaultKind::HeadersTooLarge => Status::TooLarge,
        FaultKind::BadRequest
        | FaultKind::NotFound
        | FaultKind::MethodNotAllowed
        | FaultKind::Redirect
        | FaultKind::NotMcp
        | FaultKind::Other => Status::Protocol,
    };
    let message = match refused {
        Some(why) => why.to_owned(),
        None => fault.to_string(),
    };
    let mut error =
        context.error(status, message).with("http_status", fault.status).retryable(fault.is_temporary());
    if !fault.excerpt.is_empty() {
        error = error.with("body", fault.excerpt.as_str());
    }
    if let Some(wait) = fault.retry_after {
        // A date may name a part of a second.
        let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
        error = error.with("retry_after_s", seconds);
    }
    let http = Some(fault.status);
    // What turns requests away before they are looked at may write an error that answers none of them.
    let turned_away = matches!(fault.kind, FaultKind::TooMany | FaultKind::Unavailable);
    let spoken = fault.error.filter(|error| !turned_away || error.id.is_some());
    let spoken = spoken.map(|error| RpcError { code: error.code, message: error.message, data: error.data });
    let kind = match fault.kind {
        FaultKind::SessionGone => FailureKind::SessionGone,
        _ => FailureKind::Refused,
    };
    ExchangeFailure { kind, error, http, spoken }
}

#[cfg(feature = "auth")]
/// A failure of authorization as the application gets it.
pub(crate) fn login(failure: &crate::auth::Failure, operation: &str) -> Error {
    let mut error = Error::new(Status::Auth, operation, failure.to_string())
        .with("step", failure.step.as_str())
        .with("check", failure.check)
        .retryable(failure.retryable());
    if let Some((expected, found)) = &failure.values {
        error = error.with("expected", expected.as_str()).with("found", found.as_str());
    }
    if let Some(code) = &failure.code {
        error = error.with("oauth_error", code.as_str());
    }
    error
}
