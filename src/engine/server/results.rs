//! Results as text: what a revision wants around what a handler gave.

use super::context::Context;
use super::settings::Caching;
use crate::json;
use crate::protocol::{Era, meta};
use base64::Engine as _;

/// The result of reading a resource whose text does not change.
pub(super) fn fixed_text(uri: &str, definition: &str, text: &str) -> String {
    contents(uri, definition, "text", &json::quote(text))
}

/// The same for bytes.
pub(super) fn fixed_blob(uri: &str, definition: &str, bytes: &[u8]) -> String {
    let blob = base64::engine::general_purpose::STANDARD.encode(bytes);
    contents(uri, definition, "blob", &json::quote(&blob))
}

/// The result of reading a resource that a file is: text where it is UTF-8, else its bytes. `definition` says the MIME type.
pub fn contents_of(uri: &str, definition: &str, bytes: &[u8]) -> String {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => fixed_text(uri, definition, text),
        Err(_) => fixed_blob(uri, definition, bytes),
    }
}

fn contents(uri: &str, definition: &str, member: &str, value: &str) -> String {
    let mut result = String::from("{\"contents\":[{\"uri\":");
    json::quote_into(uri, &mut result);
    if let Some(mime) = json::member(definition, "mimeType") {
        result.push_str(",\"mimeType\":");
        result.push_str(mime);
    }
    result.push_str(",\"");
    result.push_str(member);
    result.push_str("\":");
    result.push_str(value);
    result.push_str("}]}");
    result
}

/// The result of a tool that is one block of text.
pub(super) fn tool_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 48);
    result.push_str("{\"content\":[{\"type\":\"text\",\"text\":");
    json::quote_into(text, &mut result);
    result.push_str("}]}");
    result
}

/// The result of a tool whose work failed, with a text that a model can use.
pub(super) fn tool_error(text: &str) -> String {
    let mut result = String::from("{\"content\":[{\"type\":\"text\",\"text\":");
    json::quote_into(text, &mut result);
    result.push_str("}],\"isError\":true}");
    result
}

/// What the modern era adds to a result: its type, who the server is, how long it may be kept.
pub(super) struct Modern<'a> {
    /// `resultType`, where the result has none of its own.
    pub result_type: &'a str,
    /// `serverInfo`, a JSON object.
    pub info: Option<&'a str>,
    /// The hints for caches, where the method has them (S-CA-01).
    pub caching: Option<Caching>,
    /// Whether it is for its reader only, whatever the hints and the handler say: others may not have the scopes for it.
    pub is_private: bool,
}

/// Appends `result` (a checked JSON object) as the era of `context` wants it.
pub(super) fn write(context: &Context, result: &str, modern: &Modern<'_>, out: &mut Vec<u8>) {
    if context.era() == Era::Legacy {
        json::one_line_into(result, out);
        return;
    }
    let mut add: Vec<(&str, &str)> = Vec::with_capacity(4);
    let result_type = json::quote(modern.result_type);
    if json::member(result, "resultType").is_none() {
        add.push(("resultType", &result_type));
    }
    let ttl = modern.caching.map(|caching| caching.ttl_ms.to_string());
    if let (Some(caching), Some(ttl)) = (modern.caching, ttl.as_deref()) {
        if json::member(result, "ttlMs").is_none() {
            add.push(("ttlMs", ttl));
        }
        if modern.is_private {
            add.push(("cacheScope", "\"private\""));
        } else if json::member(result, "cacheScope").is_none() {
            add.push(("cacheScope", if caching.public { "\"public\"" } else { "\"private\"" }));
        }
    }
    let meta = modern.info.and_then(|info| with_info(json::member(result, meta::META), info));
    if let Some(meta) = &meta {
        add.push((meta::META, meta));
    }
    json::splice_into(result, &add, out);
}

/// The `_meta` of a result with the server's name in it (S-MD-09); `None` where it has it already.
fn with_info(own: Option<&str>, info: &str) -> Option<String> {
    let own = own.unwrap_or("{}");
    if json::member(own, meta::SERVER_INFO).is_some() {
        return None;
    }
    let mut text = Vec::new();
    json::splice_into(own, &[(meta::SERVER_INFO, info)], &mut text);
    String::from_utf8(text).ok()
}
