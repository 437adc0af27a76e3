//! Digests of definitions: a server puts one onto each entry of a list, a client gives it back with a call, and what was changed in
//! between is refused before it runs (transports-wg, proposal "Deterministic Per-Primitive Digests").

use crate::json;
use crate::protocol::meta::META;
use std::borrow::Cow;

/// In `_meta` of an entry and of the result of what it is used for: the digest of its definition.
pub const DIGEST: &str = "io.modelcontextprotocol/digest";
/// In `_meta` of a request: the digest of the definition that the client knows.
pub const EXPECTED: &str = "io.modelcontextprotocol/expectedDigest";
/// In `_meta` of what `resources/read` gives: a validator of the contents, which are not the definition.
pub const CONTENT: &str = "io.modelcontextprotocol/contentDigest";
/// The capability by which a server says that it has digests. It is a hint.
pub const CAPABILITY: &str = "primitiveDigests";
/// The code of a refusal, as the text has it. It is of the band that belongs to implementations, so it will change.
pub const CHANGED: i64 = -32005;
/// The header that repeats [`DIGEST`] of a result.
pub const HEADER: &str = "mcp-digest";
/// The header that repeats [`EXPECTED`] of a request.
pub const EXPECTED_HEADER: &str = "mcp-expected-digest";
/// The longest digest that is kept or sent. Ours have 71 bytes; one of another computation may have more.
pub const LONGEST: usize = 256;

/// The digest in the `_meta` of an object, if it is one that can be sent back, over HTTP too.
pub fn of<'a>(object: &'a str, key: &str) -> Option<Cow<'a, str>> {
    json::string(json::member(json::member(object, META)?, key)?).filter(|digest| is_digest(digest))
}

/// Whether a text can be a digest. It is opaque, and travels in a header.
pub fn is_digest(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b'!'..=b'~'))
}

/// The digest of a definition: the SHA-256 of its canonical text without `_meta`. `None` if it has no canonical text.
#[cfg(feature = "server")]
pub fn of_definition(definition: &str, depth: usize) -> Option<String> {
    super::canonical::object_without(definition, META, depth).map(|text| of_text(&text))
}

/// The digest of contents.
#[cfg(feature = "server")]
pub fn of_contents(contents: &str, depth: usize) -> Option<String> {
    super::canonical::value(contents, depth).map(|text| of_text(&text))
}

/// The SHA-256 of a text, as digests write it.
#[cfg(feature = "server")]
pub fn of_text(text: &str) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    let mut out = String::with_capacity(71);
    out.push_str("sha256:");
    for byte in hash.as_ref() {
        for half in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(half.into(), 16));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_visible_ascii_of_a_bounded_length() {
        let entry = |digest: &str| format!(r#"{{"name":"a","_meta":{{"{DIGEST}":{digest}}}}}"#);
        assert_eq!(of(&entry("\"v7\""), DIGEST).as_deref(), Some("v7"));
        for wrong in [
            "7",
            "null",
            "\"\"",
            "\"a b\"",
            "\"é\"",
            "\"a\\r\\nX: y\"",
            &json::quote(&"x".repeat(LONGEST + 1)),
        ] {
            assert_eq!(of(&entry(wrong), DIGEST), None, "{wrong}");
        }
        assert_eq!(of("{}", DIGEST), None);
    }

    #[test]
    #[cfg(feature = "server")]
    fn a_digest_is_that_of_the_definition_without_its_metadata() {
        // `printf '{"description":"d","inputSchema":{"type":"object"},"name":"a"}' | sha256sum`
        let known = of_text(r#"{"description":"d","inputSchema":{"type":"object"},"name":"a"}"#);
        assert_eq!(known, "sha256:38946fac1e4488e2b202262ab109b4a9d3334b95a8c556592567243c9e8b679c");
        for same in [
            r#"{"name":"a","description":"d","inputSchema":{"type":"object"}}"#,
            r#"{ "inputSchema" : {"type":"object"}, "\u006eame":"\u0061", "_meta":{"x":1}, "description":"d" }"#,
        ] {
            assert_eq!(of_definition(same, 16).as_deref(), Some(known.as_str()), "{same}");
        }
        for other in [
            r#"{"name":"b","description":"d","inputSchema":{"type":"object"}}"#,
            r#"{"name":"a","description":"D","inputSchema":{"type":"object"}}"#,
            r#"{"name":"a","description":"d","inputSchema":{"type":"object","x":1}}"#,
            r#"{"name":"a","title":"","description":"d","inputSchema":{"type":"object"}}"#,
        ] {
            assert_ne!(of_definition(other, 16).as_deref(), Some(known.as_str()), "{other}");
        }
        assert_eq!(of_definition(r#"{"name":"a","inputSchema":{"maximum":1e999}}"#, 16), None);
    }
}
