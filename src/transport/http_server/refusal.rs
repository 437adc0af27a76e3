//! A request that is not served: the status, and the JSON-RPC error in the body (S-HM-13).

use crate::protocol::{error_code, write};
use hyper::StatusCode;

/// Why a request is not served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The status of HTTP.
    pub(crate) status: StatusCode,
    /// The code of the JSON-RPC error.
    pub(crate) code: i64,
    /// Its text.
    pub(crate) message: String,
    /// The key of the bound that is reached.
    pub(crate) limit: Option<&'static str>,
    /// The methods that the path has, where another was used.
    pub(crate) allow: Option<&'static str>,
    /// After how many seconds another attempt makes sense.
    pub(crate) retry_after: Option<u32>,
    /// What its sender is to log in with: values of `WWW-Authenticate`.
    pub(crate) challenges: Vec<String>,
    /// What its proof of possession is to have: the value of `DPoP-Nonce` (RFC 9449, section 9).
    pub(crate) nonce: Option<Box<str>>,
}

impl Refusal {
    /// A refusal with a code of its own.
    pub(crate) fn new(status: StatusCode, code: i64, message: impl Into<String>) -> Refusal {
        Refusal {
            status,
            code,
            message: message.into(),
            limit: None,
            allow: None,
            retry_after: None,
            challenges: Vec::new(),
            nonce: None,
        }
    }

    /// An invalid request.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_REQUEST, message)
    }

    /// Headers that do not say what the body says (-32020).
    pub(crate) fn mismatch(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error_code::HEADER_MISMATCH, message)
    }

    /// The sender may not ask this server.
    pub(crate) fn forbidden(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, error_code::INVALID_REQUEST, message)
    }

    /// The path does not have this method.
    pub(crate) fn method(allow: &'static str) -> Refusal {
        let text = format!("this path has only the methods {allow}");
        let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error_code::INVALID_REQUEST, text);
        Refusal { allow: Some(allow), ..refusal }
    }

    /// The limit of this key is reached; the request had no effect.
    pub(crate) fn at_limit(limit: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { limit: Some(limit), ..Refusal::full(message) }
    }

    /// The request is not served now, and nothing of it was done.
    pub(crate) fn full(message: impl Into<String>) -> Refusal {
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error_code::BUSY, message);
        Refusal { retry_after: Some(1), ..refusal }
    }

    /// The body. `id` is that of the request as JSON text, where it could be read.
    pub(crate) fn body(&self, id: Option<&str>) -> Vec<u8> {
        let data = (self.code == error_code::BUSY).then(|| match self.limit {
            Some(limit) => format!(r#"{{"retryable":true,"limit":"{limit}"}}"#),
            None => r#"{"retryable":true}"#.to_owned(),
        });
        write::error(id, self.code, &self.message, data.as_deref()).text
    }
}
