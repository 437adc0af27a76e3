//! JSON-RPC error codes that mean something to a client.
//!
//! `-32000..=-32019` belong to implementations: of these only [`BUSY`] has a meaning here; `-32020..=-32099` are the
//! specification's own (2026-07-28 `basic/index`). The draft numbers -32001, -32003 and -32004 of the modern errors mean nothing.

/// The peer could not parse the message.
pub const PARSE_ERROR: i64 = -32700;
/// The message is not a valid request (JSON-RPC 2.0, section 5.1).
pub const INVALID_REQUEST: i64 = -32600;
/// The method does not exist.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// Legacy: the resource does not exist. In the modern era that is [`INVALID_PARAMS`].
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// The parameters are wrong.
pub const INVALID_PARAMS: i64 = -32602;
/// The peer failed inside.
pub const INTERNAL_ERROR: i64 = -32603;
/// Ours: a bound is reached, and nothing of the request was done. `data` has `retryable` and, in `limit`, the key of the bound.
pub const BUSY: i64 = -32010;
/// 2025-11-25 only: pages must be visited before the request can be answered (`data.elicitations`).
pub const URL_ELICITATION_REQUIRED: i64 = -32042;
/// Modern: HTTP headers and body disagree.
pub const HEADER_MISMATCH: i64 = -32020;
/// Modern: the request needs a client capability that was not declared (`data.requiredCapabilities`).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// Modern: the version is not supported (`data.supported`, `data.requested`).
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// All of them: what else a peer says means nothing here.
pub const ALL: [i64; 11] = [
    PARSE_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    INVALID_PARAMS,
    INTERNAL_ERROR,
    BUSY,
    URL_ELICITATION_REQUIRED,
    HEADER_MISMATCH,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
];
