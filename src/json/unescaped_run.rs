//! Plain stretches of a string body: how far does text go on in which every byte stands for itself? Knows nothing of
//! what ends a stretch.
//!
//! A stretch is mostly either short or very long, so the search begins in steps of eight bytes, in a `u64`, which cost
//! next to nothing, and goes on in steps of 64 bytes, in a loop that compiles to vector code on every target.

use super::bitmask::{self, CHUNK, ONES, STEP, is_quote_or_control};
use super::widest::widest;

/// How many words are looked at before the wide loop starts.
const NEAR: usize = 8;
/// The top bit of every byte: set in all bytes of a non-ASCII character.
const TOPS: u64 = u64::from_le_bytes([0x80; 8]);

/// A plain stretch.
#[derive(Clone, Copy)]
pub(super) struct Stretch {
    /// The byte after it: a stop, or the end of the text.
    pub end: usize,
    /// Whether it is all ASCII.
    pub ascii: bool,
}

/// Up to where plain ASCII goes on from `start` as far as can be seen quickly: the byte there may be anything. Most
/// strings are short, and a message has a dozen of them, so that here every instruction counts.
#[inline]
pub(super) fn ascii(text: &[u8], start: usize) -> usize {
    let Some((bytes, rest)) = text.get(start..).and_then(<[u8]>::split_first_chunk) else {
        return ascii_near_the_end(text, start);
    };
    let marks = bitmask::stops_or_high(bytes);
    if marks != 0 {
        return start + marks.trailing_zeros() as usize;
    }
    more_ascii(rest, start + STEP)
}

/// Goes on in `rest`, which begins at `at`, for at most 80 bytes.
#[inline(never)]
fn more_ascii(rest: &[u8], at: usize) -> usize {
    let (mut at, mut rest) = (at, rest);
    for _ in 0..5 {
        let Some((bytes, after)) = rest.split_first_chunk() else {
            return at + ascii_near_the_end(rest, 0);
        };
        let marks = bitmask::stops_or_high(bytes);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize;
        }
        at += STEP;
        rest = after;
    }
    at
}

/// The same where fewer than 16 bytes are left.
#[inline(never)]
fn ascii_near_the_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    if let Some(word) = word(text, at) {
        let marks = stops_or_high(word);
        if marks != 0 {
            return at + count_before(marks);
        }
        at += 8;
    }
    while let Some(byte) = text.get(at)
        && byte.is_ascii()
        && !is_stop(*byte)
    {
        at += 1;
    }
    at
}

/// The plain stretch that begins at `start`.
#[inline]
pub(super) fn unescaped_run(text: &[u8], start: usize) -> Stretch {
    let mut high = 0;
    let mut at = start;
    for _ in 0..NEAR {
        let Some(word) = word(text, at) else { break };
        let stops = stops(word);
        if stops != 0 {
            high |= keep_before(word, stops);
            return Stretch { end: at + count_before(stops), ascii: high & TOPS == 0 };
        }
        high |= word;
        at += 8;
    }
    far(text, Stretch { end: at, ascii: high & TOPS == 0 })
}

widest! {
    /// Goes on with a stretch that did not end soon.
    #[inline(never)]
    pub(super) fn far(text: &[u8], stretch: Stretch) -> Stretch = far_anywhere;
}

/// See [`far`].
#[expect(
    clippy::inline_always,
    reason = "it is to be compiled for the processor of the caller, see `widest`"
)]
#[inline(always)]
pub(super) fn far_anywhere(text: &[u8], stretch: Stretch) -> Stretch {
    let Stretch { end: mut at, mut ascii } = stretch;
    while let Some(chunk) = chunk(text, at) {
        let (plain, all_ascii) = survey(chunk);
        if !plain {
            break;
        }
        ascii &= all_ascii;
        at += CHUNK;
    }
    while let Some(word) = word(text, at) {
        let stops = stops(word);
        if stops != 0 {
            ascii &= keep_before(word, stops) & TOPS == 0;
            return Stretch { end: at + count_before(stops), ascii };
        }
        ascii &= word & TOPS == 0;
        at += 8;
    }
    while let Some(&byte) = text.get(at)
        && !is_stop(byte)
    {
        ascii &= byte.is_ascii();
        at += 1;
    }
    Stretch { end: at, ascii }
}

/// Where the next quote, bracket or brace is, or the end of the text: mostly, for the byte there may be another one.
#[inline]
pub(super) fn bracket_or_quote(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(word) = word(text, at) {
        // The bits in which the four differ, set: what becomes 0x7f is one of them, or `Y`, `_`, `y` or DEL.
        let bracket = (word | (0x26 * ONES)) ^ (0x7f * ONES);
        let quote = word ^ (0x22 * ONES);
        let marks = ((bracket.wrapping_sub(ONES) & !bracket) | (quote.wrapping_sub(ONES) & !quote)) & TOPS;
        if marks != 0 {
            return at + count_before(marks);
        }
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'[' | b']' | b'{' | b'}')).unwrap_or(rest.len())
}

/// Whether `byte` does not stand for itself in a string body: a quote, a backslash, or a control character.
#[inline]
fn is_stop(byte: u8) -> bool {
    is_quote_or_control(byte) || byte == b'\\'
}

/// The 64 bytes at `at`.
#[inline]
pub(super) fn chunk(text: &[u8], at: usize) -> Option<&[u8; CHUNK]> {
    text.get(at..)?.first_chunk()
}

/// Whether all of `chunk` is plain, and whether all of it is ASCII. There is no early exit and no short-circuit
/// operator in this loop, so that it becomes vector code.
#[inline]
pub(super) fn survey(chunk: &[u8; CHUNK]) -> (bool, bool) {
    let mut stop = false;
    let mut high = false;
    for &byte in chunk {
        stop |= is_stop(byte);
        high |= byte >= 0x80;
    }
    (!stop, !high)
}

/// The eight bytes at `at`, the first one lowest.
#[inline]
fn word(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Marks the top bit of the first stop in `word`. Bytes above that one may be marked by mistake, since the subtraction
/// borrows, so that only the lowest mark counts.
#[inline]
fn stops(word: u64) -> u64 {
    let flipped = word ^ (2 * ONES);
    let quote_or_control = flipped.wrapping_sub(0x21 * ONES) & !flipped;
    let slash = word ^ (0x5c * ONES);
    let backslash = slash.wrapping_sub(ONES) & !slash;
    (quote_or_control | backslash) & TOPS
}

/// Marks the top bit of the first byte in `word` that is a stop or not ASCII. As in [`stops`], only the lowest mark
/// counts; a top bit that is set by itself needs no care here, which makes this the cheaper one.
#[inline]
fn stops_or_high(word: u64) -> u64 {
    let quote_or_control = (word ^ (2 * ONES)).wrapping_sub(0x21 * ONES);
    let backslash = (word ^ (0x5c * ONES)).wrapping_sub(ONES);
    (quote_or_control | backslash | word) & TOPS
}

/// How many bytes are before the lowest mark.
#[inline]
fn count_before(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// The bytes of `word` before the lowest mark, and zeros from there on.
#[inline]
fn keep_before(word: u64, marks: u64) -> u64 {
    let lowest = marks & marks.wrapping_neg();
    word & (lowest >> 7).wrapping_sub(1)
}
