//! What a string spells: escapes are decoded, in blocks; and text as a JSON string.

use crate::json::bitmask::{CHUNK, backslashes, escaped, stops};
use crate::json::body::{ascii, unescaped_run};
use crate::json::dispatch::widest;
use std::borrow::Cow;

/// What a JSON string, given with its quotes, spells. Borrowed if there is no escape in it. A lone surrogate, which
/// has no place in UTF-8, becomes U+FFFD.
pub fn string(value: &str) -> Option<Cow<'_, str>> {
    // Mostly there is no white space around it.
    let raw = match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(raw) => raw,
        None => value.trim_matches(crate::json::value::is_space).strip_prefix('"')?.strip_suffix('"')?,
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

/// How much is copied at once, needed or not: copying more than there is costs less than finding out how much.
const RUN: usize = 32;
/// A chunk, and behind it what is looked at: the letter of an escape that begins in its last place, the end of a copy.
/// A power of two, so that a place in it needs no check.
const WINDOW: usize = 2 * CHUNK;
/// What is decoded goes through a block on the stack: growing a vector by a few bytes costs more than writing them.
const BLOCK: usize = 512;
/// The most that a chunk fills of it: itself, and an escape that begins in its last place.
const MOST: usize = CHUNK + 4;

type Block = [u8; BLOCK + RUN];

/// What a backslash and each byte spell; 0 for none. A table, since which letter comes next cannot be foreseen.
static SHORT: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0c;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};

widest! {
    /// Appends what the string body that begins at `start` spells, up to its closing quote or the end of `text`, and gives
    /// the place of that; `None` if the body is not well-formed. `out` needs no capacity; some avoids growing it.
    pub(super) fn decode(text: &[u8], start: usize, out: &mut Vec<u8>) -> Option<usize> = decode_anywhere;
}

/// See [`decode`].
#[expect(
    clippy::inline_always,
    reason = "it is to be compiled for the processor of the caller, see `widest`"
)]
#[inline(always)]
pub(super) fn decode_anywhere(text: &[u8], start: usize, out: &mut Vec<u8>) -> Option<usize> {
    let mut block: Block = [0; BLOCK + RUN];
    // How much of the block is filled: a value that goes in and comes out of functions, for a field would go through memory
    // at every step, and each step waits for the one before.
    let mut filled = 0;
    let mut last = [0; WINDOW];
    let mut at = start;
    // Up to where the chunk at `at` was taken with the one before, escapes that go from one into the other.
    let mut from = 0;
    let mut carry = 0;
    while at < text.len() {
        // Each chunk finds room for all that can come of it, so that its steps need not ask.
        if filled > BLOCK - MOST {
            out.extend_from_slice(block.get(..filled)?);
            filled = 0;
        }
        let window = window(text, at, &mut last);
        let chunk = window.first_chunk()?;
        let slashes = backslashes(chunk);
        let escaped = escaped(slashes, &mut carry);
        let stops = stops(chunk) & !escaped;
        let mut starts = slashes & !escaped;
        let mut end = CHUNK.min(text.len() - at);
        if stops != 0 {
            // Nothing from the first stop on.
            starts &= (stops & stops.wrapping_neg()) - 1;
            end = stops.trailing_zeros() as usize;
        }
        starts &= not_before(from);
        while starts != 0 {
            let place = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            filled = take(window, from, place, &mut block, filled);
            let letter = window[(place + 1) % WINDOW];
            let spelled = SHORT[usize::from(letter)];
            if spelled == 0 {
                let escape = text.get(at + place + 1..)?;
                let (c, length) = long_escape(escape)?;
                from = place + 1 + length;
                starts &= not_before(from);
                out.extend_from_slice(block.get(..filled)?);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                filled = 0;
            } else {
                block[filled % BLOCK] = spelled;
                filled += 1;
                from = place + 2;
            }
        }
        if from < end {
            filled = take(window, from, end, &mut block, filled);
        }
        if stops != 0 {
            out.extend_from_slice(block.get(..filled)?);
            let end = at + end;
            return (text.get(end) == Some(&b'"')).then_some(end);
        }
        from = from.saturating_sub(CHUNK);
        at += CHUNK;
    }
    out.extend_from_slice(block.get(..filled)?);
    Some(text.len())
}

/// The bytes at `at`; at the end of the text, filled up in `last` with what is nothing special.
#[inline]
fn window<'w>(text: &'w [u8], at: usize, last: &'w mut [u8; WINDOW]) -> &'w [u8; WINDOW] {
    let rest = text.get(at..).unwrap_or_default();
    rest.first_chunk().unwrap_or_else(|| {
        last.fill(b' ');
        if let Some(place) = last.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        last
    })
}

/// The bytes of a chunk that are not before `from`.
#[inline]
fn not_before(from: usize) -> u64 {
    if from < CHUNK { u64::MAX << from } else { 0 }
}

/// What the escape spells whose letter `escape` begins with, and how long it is from there.
#[cold]
fn long_escape(escape: &[u8]) -> Option<(char, usize)> {
    let digits = escape.strip_prefix(b"u")?;
    let (c, left) = unicode(digits)?;
    Some((c, escape.len() - left.len()))
}

/// Takes text that stands for itself, all of it in one chunk, and gives how far the block is filled then.
#[inline]
fn take(window: &[u8; WINDOW], from: usize, to: usize, block: &mut Block, filled: usize) -> usize {
    let length = to - from;
    copy(window, from, block, filled);
    let mut done = RUN;
    while done < length {
        copy(window, from + done, block, filled + done);
        done += RUN;
    }
    filled + length
}

/// Copies [`RUN`] bytes, needed or not. The places are within their bounds: the remainders only tell the compiler so.
#[inline]
fn copy(window: &[u8; WINDOW], from: usize, block: &mut Block, to: usize) {
    debug_assert!(from < CHUNK && to < BLOCK, "{from}, {to}");
    let run = window.get(from % CHUNK..).and_then(|rest| rest.first_chunk::<RUN>());
    let place = block.get_mut(to % BLOCK..).and_then(|rest| rest.first_chunk_mut::<RUN>());
    if let (Some(run), Some(place)) = (run, place) {
        *place = *run;
    }
}

/// The character that `\u` spells, given what follows it, and what follows the escape. A pair of surrogates is one
/// character in two escapes.
pub(super) fn unicode(text: &[u8]) -> Option<(char, &[u8])> {
    let (first, rest) = four_digits(text)?;
    if matches!(first, 0xd800..0xdc00)
        && let Some((second @ 0xdc00..0xe000, rest)) = rest.strip_prefix(b"\\u").and_then(four_digits)
    {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return Some((char::from_u32(code)?, rest));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), rest))
}

fn four_digits(text: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_first_chunk::<4>()?;
    let mut code = 0;
    for digit in digits {
        code = code * 16 + char::from(*digit).to_digit(16)?;
    }
    Some((code, rest))
}

/// Appends `text` to `out` as a JSON string, quotes included, with as few and as short escapes as the grammar allows:
/// the quote, the backslash and the control characters.
pub fn quote_into(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    // A byte that needs an escape is ASCII, so both cuts are between characters.
    while let Some((text, stop)) = rest.split_at_checked(unescaped_run(rest.as_bytes(), 0).end) {
        let Some((escape, left)) = stop.split_at_checked(1) else { break };
        out.push_str(text);
        push_escape(escape, out);
        rest = left;
    }
    out.push_str(rest);
    out.push('"');
}

/// How many bytes [`quote_into`] appends for `text`.
pub fn quoted_length(text: &str) -> usize {
    let more = |byte: u8| match byte {
        b'"' | b'\\' | 0x08 | 0x0c | b'\n' | b'\r' | b'\t' => 1,
        0..=0x1f => 5,
        _ => 0,
    };
    text.bytes().map(more).sum::<usize>().saturating_add(text.len()).saturating_add(2)
}

/// `text` as a JSON string, as [`quote_into`] writes it.
pub fn quote(text: &str) -> String {
    let mut out = String::new();
    quote_into(text, &mut out);
    out
}

fn push_escape(escape: &str, out: &mut String) {
    match escape {
        "\"" => out.push_str("\\\""),
        "\\" => out.push_str("\\\\"),
        "\u{8}" => out.push_str("\\b"),
        "\u{c}" => out.push_str("\\f"),
        "\n" => out.push_str("\\n"),
        "\r" => out.push_str("\\r"),
        "\t" => out.push_str("\\t"),
        _ => {
            out.push_str("\\u00");
            for byte in escape.bytes() {
                out.extend(
                    [byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)),
                );
            }
        }
    }
}

/// The value with its escapes decoded; `None` where they are not two hexadecimal digits, or make no UTF-8.
pub fn percent_decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
