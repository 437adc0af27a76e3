//! The inside of a string, decoded: escapes found 64 bytes at once, as bits of a word, and what is between them copied
//! in steps of 16 bytes. Text full of escapes (a log, JSON within JSON, code) has one every few bytes, so that a step per
//! escape has to be short and must not wait for the one before.

use super::plain::is_quote_or_control;
use super::string::unicode;

/// How many bytes are looked at together: one bit each.
const CHUNK: usize = 64;
/// How much a short run takes at once.
const RUN: usize = 16;
/// What is decoded goes through a block on the stack: growing a vector by a few bytes costs more than writing them.
const BLOCK: usize = 256;
/// The byte 1 in every place.
const ONES: u64 = u64::from_le_bytes([1; 8]);

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
    let mut block = [0; BLOCK];
    // How much of the block is filled: a value that goes in and comes out of functions, for a field would go through memory
    // at every step, and each step waits for the one before.
    let mut filled = 0;
    // What is before `from` was taken.
    let mut from = start;
    let mut at = start;
    let mut carry = 0;
    while at < text.len() {
        let marks = Marks::of(text, at);
        let escaped = escaped(marks.backslashes, &mut carry);
        let stops = marks.stops & !escaped;
        let mut starts = marks.backslashes & !escaped;
        if stops != 0 {
            // Nothing from the first stop on.
            starts &= (stops & stops.wrapping_neg()) - 1;
        }
        starts &= not_before(from, at);
        while starts != 0 {
            let place = at + starts.trailing_zeros() as usize;
            starts &= starts - 1;
            filled = run(text, from, place, &mut block, filled, out)?;
            let letter = *text.get(place + 1)?;
            let spelled = SHORT[usize::from(letter)];
            if spelled != 0 {
                block[filled % BLOCK] = spelled;
                filled += 1;
                from = place + 2;
            } else if letter == b'u' {
                let (c, left) = unicode(text.get(place + 2..)?)?;
                out.extend_from_slice(block.get(..filled)?);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                filled = 0;
                from = text.len() - left.len();
                starts &= not_before(from, at);
            } else {
                return None;
            }
        }
        if stops != 0 {
            let end = at + stops.trailing_zeros() as usize;
            if text.get(end) != Some(&b'"') {
                return None;
            }
            at = end;
            break;
        }
        at += CHUNK;
    }
    let end = at.min(text.len());
    out.extend_from_slice(block.get(..filled)?);
    out.extend_from_slice(text.get(from..end)?);
    Some(end)
}

/// The bytes of the chunk at `at` that are not before `from`: a pair of surrogates is two escapes taken at once.
#[inline]
fn not_before(from: usize, at: usize) -> u64 {
    u64::MAX.checked_shl(from.saturating_sub(at).try_into().unwrap_or(u32::MAX)).unwrap_or(0)
}

/// Takes text that stands for itself and gives how far the block is filled then: never to its end, so that there is room
/// for what an escape spells.
#[inline]
fn run(
    text: &[u8],
    from: usize,
    to: usize,
    block: &mut [u8; BLOCK],
    filled: usize,
    out: &mut Vec<u8>,
) -> Option<usize> {
    let length = to - from;
    // Most runs are short: copying more than there is costs less than finding out how much.
    if length < RUN
        && let Some(run) = text.get(from..)?.first_chunk::<RUN>()
        && let Some(place) = block.get_mut(filled..)?.first_chunk_mut::<RUN>()
    {
        *place = *run;
        return Some(filled + length);
    }
    out.extend_from_slice(block.get(..filled)?);
    out.extend_from_slice(text.get(from..to)?);
    Some(0)
}

/// Which bytes of a chunk are backslashes, and which are quotes or control characters.
struct Marks {
    backslashes: u64,
    stops: u64,
}

impl Marks {
    #[inline]
    fn of(text: &[u8], at: usize) -> Marks {
        let rest = text.get(at..).unwrap_or_default();
        // Filled up with what is neither.
        let mut last = [b' '; CHUNK];
        let chunk = rest.first_chunk::<CHUNK>().unwrap_or_else(|| {
            if let Some(place) = last.get_mut(..rest.len()) {
                place.copy_from_slice(rest);
            }
            &last
        });
        let mut backslashes = [0; CHUNK];
        let mut stops = [0; CHUNK];
        for (index, byte) in chunk.iter().enumerate() {
            let bit = 1 << (index % 8);
            backslashes[index] = if *byte == b'\\' { bit } else { 0 };
            stops[index] = if is_quote_or_control(*byte) { bit } else { 0 };
        }
        Marks { backslashes: gather(&backslashes), stops: gather(&stops) }
    }
}

/// One bit of each byte: eight bytes of which each has at most its own bit set, added up, are the eight bits.
#[inline]
fn gather(bits: &[u8; CHUNK]) -> u64 {
    let (words, _) = bits.as_chunks::<8>();
    let mut gathered = 0;
    for (index, word) in words.iter().enumerate() {
        gathered |= (u64::from_le_bytes(*word).wrapping_mul(ONES) >> 56) << (8 * index);
    }
    gathered
}

/// Which bytes have a backslash before them that is not escaped itself. `carry` says, of this chunk and then of the next,
/// whether that is so of its first byte.
#[inline]
fn escaped(backslashes: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    if backslashes == 0 {
        return std::mem::take(carry);
    }
    let backslashes = backslashes & !*carry;
    let follows = (backslashes << 1) | *carry;
    // Adding carries through a run of backslashes to the place after it, so that whether its length is odd shows in
    // whether that place is an even one.
    let odd_starts = backslashes & !EVEN & !follows;
    let (even_runs, overflow) = odd_starts.overflowing_add(backslashes);
    *carry = u64::from(overflow);
    (EVEN ^ (even_runs << 1)) & follows
}
