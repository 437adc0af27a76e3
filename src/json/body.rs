//! String bodies: from the opening quote to the closing one, as fast as memory allows, since nearly all bytes of a
//! large frame are in one string. Knows nothing of what is around a string.
//!
//! Three modes. *Plain* text is skipped (see `unescaped_run`). *Short escapes* (`\n`, `\"`, …) are checked 64 bytes at once, as
//! bits of words (see `bitmask`). What neither can do (the end, `\u`, faults) goes through a *machine*, a table-driven
//! automaton that takes every byte in the same short time without a branch.

use super::bitmask::{CHUNK, backslashes, escaped, letters, stops};
use super::unescaped_run::{Stretch, chunk, unescaped_run};
use super::widest::widest;

/// The most bytes that are brought into the nearest cache at once (see [`Walk::escapes`]).
const BLOCK: usize = 4096;
/// How far the machine goes before the vector check of short escapes is tried again, so that text in which it keeps
/// failing (all `\u`) does not pay for it much.
const STINT: usize = 4 * CHUNK;

/// A string body that is closed.
pub(super) struct Body {
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
    pub(super) fn body(text: &[u8], stretch: Stretch) -> Result<Body, Flaw> = body_anywhere;
}

/// See [`body`].
#[expect(
    clippy::inline_always,
    reason = "it is to be compiled for the processor of the caller, see `widest`"
)]
#[inline(always)]
pub(super) fn body_anywhere(text: &[u8], stretch: Stretch) -> Result<Body, Flaw> {
    Walk { text, at: stretch.end, ascii: stretch.ascii }.finish()
}

/// The walk through a body that is not plain to its end.
struct Walk<'t> {
    text: &'t [u8],
    at: usize,
    ascii: bool,
}

impl Walk<'_> {
    #[expect(clippy::inline_always, reason = "as for `body_anywhere`")]
    #[inline(always)]
    fn finish(mut self) -> Result<Body, Flaw> {
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
        Ok(Body { end: self.at, escaped, ascii: self.ascii })
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
