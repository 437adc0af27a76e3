//! Why a login failed: the step, the check that failed, and both values.

use super::token::Secret;
use crate::protocol::visible::is_hidden;

/// The longest piece of a server's text that is shown.
const SHOWN_CHARS: usize = 200;

/// Where on the way to a token something went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginStep {
    /// What the configuration says.
    Settings,
    /// Reading or writing what is kept between logins.
    Store,
    /// Finding out which authorization server the MCP server trusts (RFC 9728).
    ResourceMetadata,
    /// Finding out where that server's endpoints are (RFC 8414).
    ServerMetadata,
    /// Getting a client id (RFC 7591).
    Registration,
    /// The person's part, up to the answer of the authorization endpoint.
    Authorization,
    /// Exchanging an identity assertion at the identity provider (RFC 8693).
    Exchange,
    /// Asking for a token.
    Token,
    /// Asking for a new token with a refresh token.
    Refresh,
    /// The application's part: a token, an assertion or a signature that it was asked for.
    Application,
    /// Telling the authorization server that a login is over (RFC 7009).
    Revocation,
    /// Using the token at the MCP server.
    Access,
}

impl LoginStep {
    /// The step as errors name it.
    pub fn as_str(self) -> &'static str {
        match self {
            LoginStep::Settings => "configuration",
            LoginStep::Store => "token store",
            LoginStep::ResourceMetadata => "protected resource metadata",
            LoginStep::ServerMetadata => "authorization server metadata",
            LoginStep::Registration => "client registration",
            LoginStep::Authorization => "authorization",
            LoginStep::Exchange => "token exchange",
            LoginStep::Token => "token request",
            LoginStep::Refresh => "token refresh",
            LoginStep::Application => "credentials from the application",
            LoginStep::Revocation => "revocation",
            LoginStep::Access => "access",
        }
    }
}

/// What kind of failure it is, for who decides what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A check failed or a server refused: the same thing would happen again.
    Refused,
    /// A server could not be reached, or has a fault of its own, which may be gone the next time.
    Unreachable,
    /// Nothing came in time.
    TimedOut,
    /// The application or the person gave up.
    GivenUp,
    /// The fault is ours or this machine's.
    Internal,
}

/// Why there is no token.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {message}", .step.as_str())]
pub struct Failure {
    /// The step.
    pub step: LoginStep,
    /// The check of that step, in a few words.
    pub check: &'static str,
    /// What kind.
    pub cause: Cause,
    /// The story, with the values and the fix.
    pub message: String,
    /// What should have been there, and what was.
    pub values: Option<(String, String)>,
    /// The `error` that a server named (RFC 6749, section 5.2).
    pub code: Option<String>,
}

impl Failure {
    /// A check that did not hold, or a refusal.
    pub fn new(step: LoginStep, check: &'static str, message: impl Into<String>) -> Failure {
        Failure { step, check, cause: Cause::Refused, message: message.into(), values: None, code: None }
    }

    /// Another kind of failure.
    #[must_use]
    pub fn because(self, cause: Cause) -> Failure {
        Failure { cause, ..self }
    }

    /// Both values of the check that failed.
    #[must_use]
    pub fn values(self, expected: &str, found: &str) -> Failure {
        Failure { values: Some((shown(expected), shown(found))), ..self }
    }

    /// What the server called it.
    #[must_use]
    pub fn code(self, code: Option<&str>) -> Failure {
        Failure { code: code.map(shown), ..self }
    }

    /// Whether the same thing may well succeed when tried again.
    pub fn retryable(&self) -> bool {
        matches!(self.cause, Cause::Unreachable | Cause::TimedOut)
    }

    /// Whether another attempt is pointless for a while. Giving up is not: the person may have closed the wrong window.
    pub(super) fn is_lasting(&self) -> bool {
        self.cause == Cause::Refused
    }
}

/// A text of another program as it may be shown: one line, printable, short.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(SHOWN_CHARS)
        .map(|character| if is_hidden(character) { '\u{fffd}' } else { character })
        .collect();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// The same, without what the server was sent in confidence and might repeat.
pub(super) fn shown_without(text: &str, secrets: &[&Secret]) -> String {
    let mut text = text.to_owned();
    for secret in secrets {
        // A short secret would take half of every sentence with it, and is not secret.
        if secret.expose().len() >= 4 {
            text = text.replace(secret.expose(), "…");
        }
    }
    shown(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_servers_are_cut_and_cleaned() {
        assert_eq!(shown("a\r\nb\u{202e}c"), "a\u{fffd}\u{fffd}b\u{fffd}c");
        assert_eq!(shown(&"é".repeat(300)).chars().count(), 201);
        let secret = Secret::new("s3cr3t-token");
        assert_eq!(shown_without("bad token s3cr3t-token here", &[&secret]), "bad token … here");
    }

    #[test]
    fn a_failure_reads_as_step_and_story_and_keeps_both_values() {
        let failure = Failure::new(LoginStep::ServerMetadata, "issuer", "it differs").values("a", "b");
        assert_eq!(failure.to_string(), "authorization server metadata: it differs");
        assert_eq!(failure.values, Some(("a".into(), "b".into())));
        assert!(!failure.retryable() && failure.is_lasting());
        assert!(failure.because(Cause::Unreachable).retryable());
    }
}
