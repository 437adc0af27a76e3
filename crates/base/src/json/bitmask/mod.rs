//! What the bytes of a chunk of text are, as bits of a word: one bit a byte, the first byte lowest. Where strings are full
//! of escapes, a step per byte is too much; with words, 64 bytes are looked at together, and a word says where to go next.
//!
//! Every x86-64 processor has instructions that compare 16 bytes and gather the answers (`sse2`), every 64-bit ARM processor some that
//! compare and some that add neighbours (`neon`); elsewhere a loop that compiles to vector code does the same (`portable`).
//!
//! The files:
//!
//! * `chunk`: how many bytes are looked at together, and what is told of them
//! * `sse2`: with the instructions of x86-64
//! * `neon`: with the instructions of 64-bit ARM
//! * `portable`: with a loop, elsewhere

mod chunk;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub(super) use chunk::{CHUNK, ONES, STEP, Structure, is_quote_or_control};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use neon as wide;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))))]
use portable as wide;
#[cfg(target_arch = "x86_64")]
use sse2 as wide;
pub(super) use wide::{backslashes, letters, stops, stops_or_high, structure};

/// The bytes from each quote up to the next one, which is not among them.
#[inline]
pub(super) fn between(quotes: u64) -> u64 {
    let mut bits = quotes;
    for by in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << by;
    }
    bits
}

/// Which bytes have a backslash before them that is not escaped itself. `carry` says, of this chunk and then of the next,
/// whether that is so of its first byte.
#[inline]
pub(super) fn escaped(backslashes: u64, carry: &mut u64) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bits by their definition.
    fn bits(chunk: &[u8], mut holds: impl FnMut(u8) -> bool) -> u64 {
        chunk.iter().enumerate().fold(0, |bits, (at, byte)| bits | (u64::from(holds(*byte)) << at))
    }

    fn check(chunk: &[u8; CHUNK]) {
        let slashes = bits(chunk, |byte| byte == b'\\');
        let stop = bits(chunk, |byte| byte < 0x20 || byte == b'"');
        let letter = bits(chunk, |byte| b"\"\\/bfnrt".contains(&byte));
        assert_eq!((backslashes(chunk), stops(chunk), letters(chunk)), (slashes, stop, letter));
        let other = (portable::backslashes(chunk), portable::stops(chunk), portable::letters(chunk));
        assert_eq!(other, (slashes, stop, letter));
        let places = Structure {
            quotes: bits(chunk, |byte| byte == b'"'),
            backslashes: slashes,
            opening: bits(chunk, |byte| byte == b'{' || byte == b'['),
            closing: bits(chunk, |byte| byte == b'}' || byte == b']'),
        };
        assert_eq!((structure(chunk), portable::structure(chunk)), (places, places));
        let mut inside = false;
        let strings = bits(chunk, |byte| {
            inside ^= byte == b'"';
            inside
        });
        assert_eq!(between(places.quotes), strings);
        for step in chunk.as_chunks::<STEP>().0 {
            let wanted = bits(step, |byte| byte == b'\\' || is_quote_or_control(byte) || !byte.is_ascii());
            assert_eq!((stops_or_high(step), portable::stops_or_high(step)), (wanted, wanted));
        }
    }

    #[test]
    fn every_byte_in_every_place_is_what_it_is() {
        for byte in 0..=u8::MAX {
            for at in 0..CHUNK {
                let mut chunk = [b'a'; CHUNK];
                chunk[at] = byte;
                check(&chunk);
            }
        }
    }

    proptest! {
        #[test]
        fn any_chunk_is_seen_as_it_is(chunk in prop::array::uniform32(any::<[u8; 2]>())) {
            let mut bytes = [0; CHUNK];
            bytes.copy_from_slice(chunk.as_flattened());
            check(&bytes);
        }

        #[test]
        fn what_a_backslash_escapes_is_told_over_chunks(
            text in prop::collection::vec(prop::sample::select(vec![b'\\', b'\\', b'a']), 4 * CHUNK),
        ) {
            let (chunks, _) = text.as_chunks::<CHUNK>();
            let (mut carry, mut is_escaped) = (0, false);
            for chunk in chunks {
                let escaped = escaped(backslashes(chunk), &mut carry);
                for (at, byte) in chunk.iter().enumerate() {
                    prop_assert_eq!(escaped >> at & 1 == 1, is_escaped);
                    is_escaped = *byte == b'\\' && !is_escaped;
                }
            }
            prop_assert_eq!(carry == 1, is_escaped);
        }
    }
}
