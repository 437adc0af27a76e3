//! Strings and what they spell: decodes escapes (RFC 8259, section 7). Its input was checked before, so that what is
//! not well-formed is answered with `None` here and not explained.

use std::borrow::Cow;

use super::decode::{decode, unicode};
use super::unescaped_run::{ascii, unescaped_run};

/// What a JSON string, given with its quotes, spells. Borrowed if there is no escape in it. A lone surrogate, which
/// has no place in UTF-8, becomes U+FFFD.
pub fn string(value: &str) -> Option<Cow<'_, str>> {
    // Mostly there is no white space around it.
    let raw = match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(raw) => raw,
        None => value.trim_matches(super::value::is_space).strip_prefix('"')?.strip_suffix('"')?,
    };
    let plain = ascii(raw.as_bytes(), 0);
    if plain == raw.len() || unescaped_run(raw.as_bytes(), plain).end == raw.len() {
        return Some(Cow::Borrowed(raw));
    }
    let mut spelled = Vec::with_capacity(raw.len());
    decode_into(raw.as_bytes(), &mut spelled)?;
    String::from_utf8(spelled).ok().map(Cow::Owned)
}

/// Whether a raw string body spells `name`, found out without allocating.
pub(super) fn spells(raw: &str, name: &str) -> bool {
    if !raw.contains('\\') {
        return raw == name;
    }
    let mut rest = raw;
    for c in name.chars() {
        match first(rest) {
            Some((spelled, left)) if spelled == c => rest = left,
            _ => return false,
        }
    }
    rest.is_empty()
}

/// Appends what a raw string body spells, as UTF-8 if the body is; `None` if it is not well-formed.
pub(super) fn decode_into(text: &[u8], spelled: &mut Vec<u8>) -> Option<()> {
    // Decoding never makes text longer: two bytes of escape spell one, six spell three at most.
    spelled.reserve(text.len());
    (decode(text, 0, spelled)? == text.len()).then_some(())
}

/// The first character that a raw string body spells, and the rest of the body.
fn first(raw: &str) -> Option<(char, &str)> {
    let Some(escape) = raw.strip_prefix('\\') else {
        let c = raw.chars().next()?;
        return Some((c, raw.get(c.len_utf8()..)?));
    };
    if let Some(digits) = escape.strip_prefix('u') {
        let (c, rest) = unicode(digits.as_bytes())?;
        // Escapes are ASCII, so the cut is between characters.
        return Some((c, raw.get(raw.len() - rest.len()..)?));
    }
    let c = short(*escape.as_bytes().first()?)?;
    Some((char::from(c), escape.get(1..)?))
}

/// What a backslash and `letter` spell.
fn short(letter: u8) -> Option<u8> {
    match letter {
        b'"' | b'\\' | b'/' => Some(letter),
        b'b' => Some(0x08),
        b'f' => Some(0x0c),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        _ => None,
    }
}
