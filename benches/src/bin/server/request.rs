//! Where the few values that the server needs stand in a request. This is a byte search, not a parser:
//! clients order and space the members differently, but each of the keys looked for occurs only once in the
//! requests of the benchmark. Inside a JSON string a quote is escaped, so `"id"` followed by a colon is a key
//! and never text.

use memchr::memmem::Finder;

/// Finds keys with wide instructions; the searchers are built once.
pub struct Keys {
    id: Finder<'static>,
    method: Finder<'static>,
    text: Finder<'static>,
    bytes: Finder<'static>,
    escapes: Finder<'static>,
}

impl Keys {
    pub fn new() -> Self {
        Self {
            id: Finder::new("\"id\""),
            method: Finder::new("\"method\""),
            text: Finder::new("\"text\""),
            bytes: Finder::new("\"bytes\""),
            escapes: Finder::new("\"escapes\""),
        }
    }

    /// The id as it was written, quotes included. A notification has none.
    pub fn id<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        value(&self.id, frame)
    }

    /// The method, without quotes.
    pub fn method<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        value(&self.method, frame).map(inside)
    }

    /// The argument of `echo`, still escaped, without quotes.
    pub fn text<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        value(&self.text, frame).map(inside)
    }

    /// The arguments of `big`.
    pub fn big(&self, frame: &[u8]) -> Option<(usize, bool)> {
        let bytes = std::str::from_utf8(value(&self.bytes, frame)?).ok()?.parse().ok()?;
        Some((bytes, value(&self.escapes, frame) == Some(b"true")))
    }
}

fn inside(string: &[u8]) -> &[u8] {
    string.get(1..string.len() - 1).unwrap_or_default()
}

/// The value after the first `"key"` that a colon follows: a string with its quotes, or a number or word.
fn value<'a>(key: &Finder<'_>, frame: &'a [u8]) -> Option<&'a [u8]> {
    let mut rest = frame;
    loop {
        rest = &rest[key.find(rest)? + key.needle().len()..];
        let Some(after) = trimmed(rest).strip_prefix(b":") else { continue };
        let value = trimmed(after);
        let length = if value.first() == Some(&b'"') { string(value)? } else { word(value)? };
        return Some(&value[..length]);
    }
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    // The compact form is the usual one, and then there is nothing to look for.
    if bytes.first().is_some_and(|byte| *byte > b' ') { bytes } else { bytes.trim_ascii_start() }
}

/// The length of a string with its quotes.
fn string(value: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', &value[at..])?;
        if value[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
        if at > value.len() {
            return None;
        }
    }
}

fn word(value: &[u8]) -> Option<usize> {
    value.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_any_order_and_spacing() {
        let keys = Keys::new();
        let compact = br#"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a\"b"}}}"#;
        let spaced = br#"{ "method": "tools/call", "params" : {"arguments": {"text": "a\"b"}, "name": "echo"}, "id" : 17 }"#;
        for frame in [&compact[..], &spaced[..]] {
            assert_eq!(keys.id(frame), Some(&b"17"[..]));
            assert_eq!(keys.method(frame), Some(&b"tools/call"[..]));
            assert_eq!(keys.text(frame), Some(&br#"a\"b"#[..]));
        }
    }

    #[test]
    fn a_string_id_keeps_its_quotes_and_text_is_no_key() {
        let keys = Keys::new();
        let frame = br#"{"params":{"arguments":{"text":"\"id\":1 \"id"}},"id":"x-1"}"#;
        assert_eq!(keys.id(frame), Some(&b"\"x-1\""[..]));
    }

    #[test]
    fn a_notification_has_no_id() {
        let keys = Keys::new();
        assert_eq!(
            keys.id(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#),
            None
        );
    }

    #[test]
    fn cut_frames_have_no_values() {
        let keys = Keys::new();
        for frame in [&b"\"id\""[..], b"\"id\":", b"\"id\":\"", b"\"id\":\"\\", b"\"id\":1"] {
            assert_eq!(keys.id(frame), None);
        }
    }

    #[test]
    fn big_has_two_arguments() {
        let keys = Keys::new();
        assert_eq!(keys.big(br#"{"bytes":10,"escapes":true}"#), Some((10, true)));
        assert_eq!(keys.big(br#"{"bytes":10}"#), Some((10, false)));
        assert_eq!(keys.big(br#"{"bytes":"ten"}"#), None);
    }
}
