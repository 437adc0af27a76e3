//! String bodies: from the opening quote to the closing one, as fast as memory allows, since nearly all bytes of a
//! large frame are in one string. Knows nothing of what is around a string.
//!
//! Three modes. *Plain* text is skipped (see `unescaped_run`). *Short escapes* (`\n`, `\"`, …) are checked 64 bytes at once, as
//! bits of words (see `bitmask`). What neither can do (the end, `\u`, faults) goes through a *machine*, a table-driven
//! automaton that takes every byte in the same short time without a branch.

use crate::json::bitmask;
use crate::json::bitmask::{CHUNK, ONES, STEP, backslashes, escaped, is_quote_or_control, letters, stops};
use crate::json::dispatch::widest;

/// The most bytes that are brought into the nearest cache at once (see [`EscapeWalk::escapes`]).
const BLOCK: usize = 4096;
/// How far the machine goes before the vector check of short escapes is tried again, so that text in which it keeps
/// failing (all `\u`) does not pay for it much.
const STINT: usize = 4 * CHUNK;

/// A string body that is closed.
pub(super) struct StringEnd {
    /// The place of the closing quote.
    pub end: usize,
    /// Whether there is a backslash in it.
    pub escaped: bool,
    /// Whether it is known to be all ASCII. If not, its UTF-8 is still to be checked.
    pub ascii: bool,
}

/// A fault in a string body: where, and what.
pub(super) struct Flaw {
    pub at: usize,
    pub what: &'static str,
}

const CONTROL: &str = "control character in a string";
const UNFINISHED: &str = "unfinished string";
const ESCAPE: &str = "unknown escape in a string";
const HEX: &str = "expected four hexadecimal digits after '\\u'";

widest! {
    /// Walks to the closing quote from the end of the plain stretch that the body begins with.
    #[inline(never)]
    pub(super) fn body(text: &[u8], stretch: Stretch) -> Result<StringEnd, Flaw> = body_anywhere;
}

/// See [`body`].
#[expect(
    clippy::inline_always,
    reason = "it is to be compiled for the processor of the caller, see `widest`"
)]
#[inline(always)]
pub(super) fn body_anywhere(text: &[u8], stretch: Stretch) -> Result<StringEnd, Flaw> {
    EscapeWalk { text, at: stretch.end, ascii: stretch.ascii }.finish()
}

/// The walk through a body that is not plain to its end.
struct EscapeWalk<'t> {
    text: &'t [u8],
    at: usize,
    ascii: bool,
}

impl EscapeWalk<'_> {
    #[expect(clippy::inline_always, reason = "as for `body_anywhere`")]
    #[inline(always)]
    fn finish(mut self) -> Result<StringEnd, Flaw> {
        let mut escaped = false;
        let mut block = CHUNK;
        loop {
            match self.text.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => escaped = true,
                Some(_) => return Err(Flaw { at: self.at, what: CONTROL }),
                None => return Err(Flaw { at: self.at, what: UNFINISHED }),
            }
            if self.escapes(block)? {
                break;
            }
            block = BLOCK.min(block * 2);
            let Stretch { end, ascii } = unescaped_run(self.text, self.at);
            self.at = end;
            self.ascii &= ascii;
        }
        Ok(StringEnd { end: self.at, escaped, ascii: self.ascii })
    }

    /// Takes `block` bytes (a little more to finish an escape) that hold escapes, less if the body ends within them,
    /// and says whether it did.
    ///
    /// Looking for non-ASCII bytes in the whole block first is not only cheap: it brings the block into the cache at
    /// the full speed of memory, which the loops here would not, as they have too much to do for each line of it to
    /// run far ahead. On a 16 MiB string that doubles their speed. Blocks begin small for the many strings that end soon.
    #[expect(clippy::inline_always, reason = "as for `body_anywhere`")]
    #[inline(always)]
    fn escapes(&mut self, block: usize) -> Result<bool, Flaw> {
        let until = self.text.len().min(self.at + block);
        let bytes = self.text.get(self.at..until).unwrap_or_default();
        self.ascii &= bytes.iter().fold(0, |bits, byte| bits | byte) < 0x80;
        while self.at < until {
            if block > CHUNK
                && until - self.at >= CHUNK
                && let Some(taken) = short_escapes(self.text, self.at)
            {
                self.at += taken;
                continue;
            }
            if self.machine(until.min(self.at + STINT))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the bytes up to `until` (a little more to finish an escape) one by one and says whether the body ended.
    fn machine(&mut self, until: usize) -> Result<bool, Flaw> {
        let mut state = BODY;
        while until.saturating_sub(self.at) >= HALF {
            let Some(chunk) = self.text.get(self.at..).and_then(|rest| rest.first_chunk::<HALF>()) else {
                break;
            };
            let next = chunk.iter().fold(state, |state, byte| step(state, *byte));
            if matches!(next & STATE, END | FAULT) {
                // Somewhere in this chunk: the loop below finds the byte.
                break;
            }
            state = next;
            self.at += HALF;
        }
        while let Some(&byte) = self.text.get(self.at) {
            if self.at >= until && state & STATE == BODY {
                return Ok(false);
            }
            let next = step(state, byte);
            match next & STATE {
                END => return Ok(true),
                FAULT => return Err(Flaw { at: self.at, what: fault_in(state) }),
                _ => {}
            }
            state = next;
            self.at += 1;
        }
        if state & STATE == BODY { Ok(false) } else { Err(Flaw { at: self.at, what: UNFINISHED }) }
    }
}

/// Checks the 64 bytes at `at`, where no escape is pending, for being body with short escapes only, and says how many
/// of them to take: a backslash at the end is left for the next step. `None` if this check cannot vouch for them.
#[inline]
fn short_escapes(text: &[u8], at: usize) -> Option<usize> {
    let chunk = chunk(text, at)?;
    let mut dangling = 0;
    let escaped = escaped(backslashes(chunk), &mut dangling);
    let bad = (escaped & !letters(chunk)) | (stops(chunk) & !escaped);
    (bad == 0).then_some(CHUNK - usize::from(dangling != 0))
}

/// Whether a backslash before `byte` makes a complete escape.
#[inline]
const fn is_short_escape(byte: u8) -> bool {
    byte == b'"'
        || byte == b'\\'
        || byte == b'/'
        || byte == b'b'
        || byte == b'f'
        || byte == b'n'
        || byte == b'r'
        || byte == b't'
}

/// How many bytes the machine takes between two looks at its state.
const HALF: usize = 32;

// The machine. A state is a bit offset, and the row of a byte holds, at the offset of each state, the state that
// follows: `row >> state` is the whole transition, one load (that waits for nothing) and one shift. Only the low six
// bits of a state count.
const STATE: u64 = 63;
const FAULT: u64 = 0;
const BODY: u64 = 6;
const ESCAPED: u64 = 12;
const HEX_4: u64 = 18;
const HEX_3: u64 = 24;
const HEX_2: u64 = 30;
const HEX_1: u64 = 36;
const END: u64 = 42;

static ROWS: [u64; 256] = {
    let mut rows = [0; 256];
    let mut byte = 0u8;
    loop {
        rows[byte as usize] = row(byte);
        if byte == u8::MAX {
            break rows;
        }
        byte += 1;
    }
};

const fn row(byte: u8) -> u64 {
    let body = match byte {
        b'"' => END,
        b'\\' => ESCAPED,
        0..=0x1f => FAULT,
        _ => BODY,
    };
    let escaped = match byte {
        b'u' => HEX_4,
        _ if is_short_escape(byte) => BODY,
        _ => FAULT,
    };
    let hex = if byte.is_ascii_hexdigit() {
        (HEX_3 << HEX_4) | (HEX_2 << HEX_3) | (HEX_1 << HEX_2) | (BODY << HEX_1)
    } else {
        FAULT
    };
    (body << BODY) | (escaped << ESCAPED) | hex | (END << END)
}

#[inline]
fn step(state: u64, byte: u8) -> u64 {
    ROWS[usize::from(byte)] >> (state & STATE)
}

fn fault_in(state: u64) -> &'static str {
    match state & STATE {
        BODY => CONTROL,
        ESCAPED => ESCAPE,
        _ => HEX,
    }
}

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
        let marks = stops_or_high_in_word(word);
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
        let stops = stops_in_word(word);
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
        let stops = stops_in_word(word);
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
fn stops_in_word(word: u64) -> u64 {
    let flipped = word ^ (2 * ONES);
    let quote_or_control = flipped.wrapping_sub(0x21 * ONES) & !flipped;
    let slash = word ^ (0x5c * ONES);
    let backslash = slash.wrapping_sub(ONES) & !slash;
    (quote_or_control | backslash) & TOPS
}

/// Marks the top bit of the first byte in `word` that is a stop or not ASCII. As in [`stops_in_word`], only the lowest mark
/// counts; a top bit that is set by itself needs no care here, which makes this the cheaper one.
#[inline]
fn stops_or_high_in_word(word: u64) -> u64 {
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
