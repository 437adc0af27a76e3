//! `_meta` keys, and the members that the modern era puts into every request (2026-07-28 `basic/index`).

use super::revision::{Era, Revision};
use crate::json;

/// The member of params and results that carries metadata.
pub const META: &str = "_meta";
/// Modern: the revision this request speaks.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Modern: who we are.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Modern: what we can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Modern, in results: who the server is. For display and logs only.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The token that `notifications/progress` comes back with.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// The members that every request of a connection carries, as JSON text without braces; empty in the legacy era.
///
/// `client_info` and `capabilities` are JSON objects; the capabilities are already cut to the revision.
pub fn connection_members(revision: Revision, client_info: &str, capabilities: &str) -> String {
    if revision.era() == Era::Legacy {
        return String::new();
    }
    let mut text = String::with_capacity(160 + client_info.len() + capabilities.len());
    for (name, value) in [
        (PROTOCOL_VERSION, json::quote(revision.as_str()).as_str()),
        (CLIENT_INFO, client_info),
        (CLIENT_CAPABILITIES, capabilities),
    ] {
        if !text.is_empty() {
            text.push(',');
        }
        json::quote_into(name, &mut text);
        text.push(':');
        text.push_str(value);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_requests_carry_no_metadata_of_the_connection() {
        assert_eq!(connection_members(Revision::V2025_11_25, "{}", "{}"), "");
    }

    #[test]
    fn modern_requests_carry_version_client_and_capabilities() {
        let text = format!(
            "{{{}}}",
            connection_members(Revision::V2026_07_28, r#"{"name":"a"}"#, r#"{"roots":{}}"#)
        );
        assert_eq!(json::member(&text, PROTOCOL_VERSION), Some("\"2026-07-28\""));
        assert_eq!(json::member(&text, CLIENT_INFO), Some(r#"{"name":"a"}"#));
        assert_eq!(json::member(&text, CLIENT_CAPABILITIES), Some(r#"{"roots":{}}"#));
    }
}
