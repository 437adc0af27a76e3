//! Plain stretches of a string body: how far does text go on in which every byte stands for itself? Knows nothing of
//! what ends a stretch.
//!
//! A stretch is mostly either short or very long, so the search begins in steps of eight bytes, in a `u64`, which cost
//! next to nothing, and goes on in steps of 64 bytes, in a loop that compiles to vector code on every target.

/// How many bytes the vector loops take at once.
pub(super) const CHUNK: usize = 64;
/// How many words are looked at before the wide loop starts.
const NEAR: usize = 8;
/// The byte 1 in every place.
const ONES: u64 = u64::from_le_bytes([1; 8]);
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

/// The plain stretch that begins at `start`.
#[inline]
pub(super) fn plain(text: &[u8], start: usize) -> Stretch {
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

/// The eight bytes at `at`, and how many of them are plain before the first that is not.
#[inline]
pub(super) fn near(text: &[u8], at: usize) -> Option<(&[u8; 8], usize)> {
    let bytes = text.get(at..)?.first_chunk()?;
    // Without a mark this is all eight of them.
    Some((bytes, count_before(stops(u64::from_le_bytes(*bytes)))))
}

/// Goes on with a stretch that did not end soon.
#[inline(never)]
fn far(text: &[u8], stretch: Stretch) -> Stretch {
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

/// Whether `byte` does not stand for itself in a string body: a quote, a backslash, or a control character.
#[inline]
fn is_stop(byte: u8) -> bool {
    is_quote_or_control(byte) || byte == b'\\'
}

/// Flipping bit 1 puts the quote (0x22) right behind the control characters and moves nothing else there, so that one
/// comparison finds both.
#[inline]
pub(super) fn is_quote_or_control(byte: u8) -> bool {
    (byte ^ 2) < 0x21
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
