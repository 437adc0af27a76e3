//! The inside of a string, decoded: escapes found 64 bytes at once, as bits of a word (see `bitmask`), and what is between
//! them copied in steps of 32 bytes. Text full of escapes (a log, JSON within JSON, code) has one every few bytes, so that
//! a step per escape has to be short and must not wait for the one before.

use super::bitmask::{CHUNK, backslashes, escaped, stops};
use super::widest::widest;

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
