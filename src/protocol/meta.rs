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
/// Modern: the least level of log messages that a request's server may send.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Modern: which stream a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The token that `notifications/progress` comes back with.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// An object (parameters, a result) with one more member in its `_meta`. `object` and `value` are checked JSON text.
pub fn with(object: &str, name: &str, value: &str) -> String {
    let mut meta = Vec::new();
    json::splice_into(json::member(object, META).unwrap_or("{}"), &[(name, value)], &mut meta);
    // Spliced from text, as is what follows.
    let meta = String::from_utf8(meta).unwrap_or_default();
    let mut out = Vec::new();
    json::splice_into(object, &[(META, &meta)], &mut out);
    String::from_utf8(out).unwrap_or_default()
}

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

/// How members begin that declare capabilities of their own, instead of those of the connection.
const OWN_CAPABILITIES: &str = "\"io.modelcontextprotocol/clientCapabilities\":";

/// Puts capabilities (an object) before members of a request, both JSON text.
pub fn with_capabilities(capabilities: &str, members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!("{OWN_CAPABILITIES}{capabilities}{comma}{members}")
}

/// Whether the members of a request declare capabilities of their own.
pub fn has_capabilities(members: &str) -> bool {
    members.starts_with(OWN_CAPABILITIES)
}

/// The members of a request without capabilities of its own.
pub fn without_capabilities(members: &str) -> &str {
    let Some(rest) = members.strip_prefix(OWN_CAPABILITIES) else { return members };
    let object = format!("{{{members}}}");
    let length = json::members(&object).next().map_or(0, |(_, value)| value.len());
    rest.get(length..).unwrap_or_default().trim_start_matches(',')
}

/// How long the members of a connection are before its capabilities, which are `capabilities` and stand last.
pub fn before_capabilities(members: &str, capabilities: &str) -> usize {
    let its = OWN_CAPABILITIES.len() + capabilities.len();
    // With the comma before them.
    members.len().saturating_sub(its + 1)
}

/// Whether `key` has the form of a `_meta` key: a name, with or without a prefix before a slash.
pub fn is_key(key: &str) -> bool {
    match key.split_once('/') {
        Some((prefix, name)) => is_prefix(prefix) && is_name(name),
        None => is_name(key),
    }
}

/// Whether `id` has the form of an extension's identifier: a `_meta` key with a prefix.
pub fn is_extension_id(id: &str) -> bool {
    id.contains('/') && is_key(id)
}

/// Labels with dots between them; each begins with a letter and ends with a letter or digit, hyphens inside.
fn is_prefix(prefix: &str) -> bool {
    prefix.split('.').all(|label| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(|c: char| c.is_ascii_alphanumeric())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    })
}

/// Begins and ends with a letter or digit. The specification lets it be empty.
fn is_name(name: &str) -> bool {
    let at_an_end = |c: char| c.is_ascii_alphanumeric();
    name.is_empty()
        || name.starts_with(at_an_end)
            && name.ends_with(at_an_end)
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
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

    #[test]
    fn a_request_declares_capabilities_once() {
        let (own, connection) = (r#"{"sampling":{}}"#, r#"{"roots":{}}"#);
        let members = connection_members(Revision::V2026_07_28, r#"{"name":"a"}"#, connection);
        let before = members.get(..before_capabilities(&members, connection)).unwrap_or_default();
        assert!(before.ends_with(r#"{"name":"a"}"#), "{before}");
        for (more, count) in [("", 3), ("\"a\":1", 4)] {
            let more = with_capabilities(own, more);
            assert!(has_capabilities(&more) && !has_capabilities(&members));
            let text = format!("{{{before},{more}}}");
            assert_eq!(json::member(&text, CLIENT_CAPABILITIES), Some(own));
            assert_eq!(json::members(&text).count(), count);
        }
        assert_eq!(without_capabilities(&with_capabilities(own, r#""a":1"#)), r#""a":1"#);
        assert_eq!(without_capabilities(&with_capabilities(own, "")), "");
        assert_eq!(without_capabilities("\"a\":1"), "\"a\":1");
    }

    #[test]
    fn a_key_is_a_name_that_may_have_a_prefix_of_labels() {
        for key in ["progressToken", "a", "7", "a-b_c.d", "com.example/x", "a/b", "x-1.y/", CLIENT_INFO] {
            assert!(is_key(key), "{key}");
        }
        for key in ["/x", "1a/x", "-a/x", "a-/x", "a..b/x", "a_b/x", "a/b/c", "_x", "x-", "a b", "\u{e9}"] {
            assert!(!is_key(key), "{key}");
        }
    }

    #[test]
    fn an_extension_is_named_by_a_key_with_a_prefix() {
        assert!(is_extension_id("io.modelcontextprotocol/tasks"));
        assert!(!is_extension_id("tasks"));
        assert!(!is_extension_id("/tasks"));
    }
}
