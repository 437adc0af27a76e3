//! The inside of a string, decoded: escapes found 64 bytes at once, as bits of a word (see `marks`), and what is between
//! them copied in steps of 16 bytes. Text full of escapes (a log, JSON within JSON, code) has one every few bytes, so that
//! a step per escape has to be short and must not wait for the one before.

use super::marks::{CHUNK, backslashes, escaped, stops};
use super::string::unicode;

/// How much is copied at once, needed or not: copying more than there is costs less than finding out how much.
const RUN: usize = 16;
/// A chunk and what is looked at behind it: the letter of an escape that begins in its last place, and the end of a copy.
const WINDOW: usize = CHUNK + RUN;
/// What is decoded goes through a block on the stack: growing a vector by a few bytes costs more than writing them.
const BLOCK: usize = 512;

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

/// Appends what the string body that begins at `start` spells, up to its closing quote or the end of `text`, and gives
/// the place of that; `None` if the body is not well-formed. `out` needs no capacity; some avoids growing it.
pub(super) fn decode(text: &[u8], start: usize, out: &mut Vec<u8>) -> Option<usize> {
    let mut block = Block::new();
    // What is before `from` was taken.
    let mut from = start;
    let mut at = start;
    let mut carry = 0;
    while at < text.len() {
        block.make_room(out);
        let mut last = [b' '; WINDOW];
        let window = window(text, at, &mut last);
        let chunk = window.first_chunk()?;
        let slashes = backslashes(chunk);
        let escaped = escaped(slashes, &mut carry);
        let stops = stops(chunk) & !escaped;
        let mut starts = slashes & !escaped;
        if stops != 0 {
            // Nothing from the first stop on.
            starts &= (stops & stops.wrapping_neg()) - 1;
        }
        // A pair of surrogates is two escapes taken at once, perhaps beyond the chunk.
        starts &= not_before(from, at);
        while starts != 0 {
            let place = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            block.take(window, from - at, place);
            let letter = window[(place + 1) % WINDOW];
            let spelled = SHORT[usize::from(letter)];
            if spelled != 0 {
                block.push(spelled);
                from = at + place + 2;
            } else if letter == b'u' {
                let (c, left) = unicode(text.get(at + place + 2..)?)?;
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    block.push(byte);
                }
                from = text.len() - left.len();
                starts &= not_before(from, at);
            } else {
                return None;
            }
        }
        let end = if stops == 0 { CHUNK.min(text.len() - at) } else { stops.trailing_zeros() as usize };
        if from < at + end {
            block.take(window, from - at, end);
            from = at + end;
        }
        if stops != 0 {
            block.flush(out);
            let end = at + end;
            return (text.get(end) == Some(&b'"')).then_some(end);
        }
        at += CHUNK;
    }
    block.flush(out);
    // A backslash without its letter.
    (carry == 0).then_some(text.len())
}

/// The bytes at `at`; at the end of the text, filled up in `last` with what is nothing special.
#[inline]
fn window<'w>(text: &'w [u8], at: usize, last: &'w mut [u8; WINDOW]) -> &'w [u8; WINDOW] {
    let rest = text.get(at..).unwrap_or_default();
    rest.first_chunk().unwrap_or_else(|| {
        if let Some(place) = last.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        last
    })
}

/// The bytes of the chunk at `at` that are not before `from`.
#[inline]
fn not_before(from: usize, at: usize) -> u64 {
    u64::MAX.checked_shl(from.saturating_sub(at).try_into().unwrap_or(u32::MAX)).unwrap_or(0)
}

/// What is decoded and not yet in the vector. Each chunk finds room for all that can come of it, so that the steps need
/// not ask for it.
struct Block {
    bytes: [u8; BLOCK],
    filled: usize,
}

impl Block {
    fn new() -> Block {
        Block { bytes: [0; BLOCK], filled: 0 }
    }

    /// Makes room for a chunk. A chunk of escapes by surrogates spells less than it has bytes, but for the last one.
    #[inline]
    fn make_room(&mut self, out: &mut Vec<u8>) {
        if self.filled > BLOCK - 2 * WINDOW {
            self.flush(out);
        }
    }

    #[inline]
    fn flush(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes.get(..self.filled).unwrap_or_default());
        self.filled = 0;
    }

    /// Takes text that stands for itself.
    #[inline]
    fn take(&mut self, window: &[u8; WINDOW], from: usize, to: usize) {
        let length = to.saturating_sub(from);
        let mut done = 0;
        while done < length {
            let run = window.get(from + done..).and_then(|rest| rest.first_chunk::<RUN>());
            let place =
                self.bytes.get_mut(self.filled + done..).and_then(|rest| rest.first_chunk_mut::<RUN>());
            if let (Some(run), Some(place)) = (run, place) {
                *place = *run;
            }
            done += RUN;
        }
        self.filled += length;
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.filled % BLOCK] = byte;
        self.filled += 1;
    }
}
