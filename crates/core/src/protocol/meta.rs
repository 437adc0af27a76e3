//! `_meta` keys, and the members that the modern era puts into every request (2026-07-28 `basic/index`); the convention of tool modes
//! (`docs/reference/tool-modes.md`), which names a session there.

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
    let mut text = client_members(revision, client_info);
    if !text.is_empty() {
        push_capabilities(capabilities, &mut text);
    }
    text
}

/// The same without the capabilities.
pub fn client_members(revision: Revision, client_info: &str) -> String {
    if revision.era() == Era::Legacy {
        return String::new();
    }
    let mut text = String::with_capacity(160 + client_info.len());
    push_member(PROTOCOL_VERSION, &json::quote(revision.as_str()), &mut text);
    push_member(CLIENT_INFO, client_info, &mut text);
    text
}

/// Adds what a client can do (an object, JSON text) to its members.
pub fn push_capabilities(capabilities: &str, members: &mut String) {
    push_member(CLIENT_CAPABILITIES, capabilities, members);
}

/// Adds a member (JSON text) to others.
pub fn push_member(name: &str, value: &str, members: &mut String) {
    if !members.is_empty() {
        members.push(',');
    }
    json::quote_into(name, members);
    members.push(':');
    members.push_str(value);
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

/// The member of a request's `_meta` that names the session.
pub const SESSION_ID: &str = "session_id";

/// Whether calls of a tool depend on one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolMode {
    /// The server keeps something from one call to the next.
    Stateful,
    /// Every call stands alone.
    Stateless,
}

/// What the definition of a tool (a JSON object) says: its member `mode`, or else that of its `_meta`. `None` where it says
/// nothing that is known.
pub fn tool_mode(tool: &str) -> Option<ToolMode> {
    let inner = json::member(tool, META).filter(|meta| json::kind(meta) == Some(json::Kind::Object));
    let said = [json::member(tool, "mode"), inner.and_then(|meta| json::member(meta, "mode"))];
    said.into_iter().flatten().find_map(|mode| match json::string(mode)?.as_ref() {
        "stateful" => Some(ToolMode::Stateful),
        "stateless" => Some(ToolMode::Stateless),
        _ => None,
    })
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

    #[test]
    fn a_definition_says_its_mode_itself_or_in_its_metadata() {
        for (tool, mode) in [
            (r#"{"name":"t","mode":"stateful"}"#, Some(ToolMode::Stateful)),
            (r#"{"name":"t","mode":"stateless"}"#, Some(ToolMode::Stateless)),
            (r#"{"name":"t","_meta":{"mode":"state\u0066ul"}}"#, Some(ToolMode::Stateful)),
            (r#"{"mode":"stateless","_meta":{"mode":"stateful"}}"#, Some(ToolMode::Stateless)),
            (r#"{"mode":"sometimes","_meta":{"mode":"stateful"}}"#, Some(ToolMode::Stateful)),
            (r#"{"mode":true,"_meta":[{"mode":"stateful"}]}"#, None),
            (r#"{"mode":"Stateful"}"#, None),
            (r#"{"name":"t","annotations":{"mode":"stateful"}}"#, None),
            (r#"{"name":"t"}"#, None),
        ] {
            assert_eq!(tool_mode(tool), mode, "{tool}");
        }
    }
}
