//! Marks by a loop over bytes that compiles to vector code on every target.

use super::chunk::{CHUNK, ONES, STEP, Structure, is_quote_or_control};

/// The backslashes of a chunk.
#[inline]
pub(in crate::json) fn backslashes(chunk: &[u8; CHUNK]) -> u64 {
    gather(chunk, |byte| byte == b'\\')
}

/// The bytes that no string body has unescaped: quotes and control characters.
#[inline]
pub(in crate::json) fn stops(chunk: &[u8; CHUNK]) -> u64 {
    gather(chunk, is_quote_or_control)
}

/// The bytes that a backslash before them makes a whole escape: the letters of `\n`, `\"` and their like, but not of `\u`.
#[inline]
pub(in crate::json) fn letters(chunk: &[u8; CHUNK]) -> u64 {
    // `f` and `n` differ in one bit only, and so do `b` and `r`. No table, so that it becomes vector code.
    gather(chunk, |byte| {
        byte | 8 == b'n' || byte | 0x10 == b'r' || matches!(byte, b'"' | b'\\' | b'/' | b't')
    })
}

/// Where strings, objects and arrays begin and end.
#[inline]
pub(in crate::json) fn structure(chunk: &[u8; CHUNK]) -> Structure {
    // Brackets and braces differ in one bit only.
    Structure {
        quotes: gather(chunk, |byte| byte == b'"'),
        backslashes: backslashes(chunk),
        opening: gather(chunk, |byte| byte | 0x20 == b'{'),
        closing: gather(chunk, |byte| byte | 0x20 == b'}'),
    }
}

/// The bytes at which plain ASCII ends: quotes, backslashes, control characters and parts of longer characters.
#[inline]
pub(in crate::json) fn stops_or_high(step: &[u8; STEP]) -> u64 {
    gather(step, |byte| is_quote_or_control(byte) || byte == b'\\' || !byte.is_ascii())
}

/// Eight bytes of which each has at most its own bit set, added up, are the eight bits.
#[inline]
fn gather<const N: usize>(chunk: &[u8; N], holds: impl Fn(u8) -> bool) -> u64 {
    let mut bits = [0; N];
    for (index, byte) in chunk.iter().enumerate() {
        bits[index] = if holds(*byte) { 1 << (index % 8) } else { 0 };
    }
    let (words, _) = bits.as_chunks::<8>();
    let mut gathered = 0;
    for (index, word) in words.iter().enumerate() {
        gathered |= (u64::from_le_bytes(*word).wrapping_mul(ONES) >> 56) << (8 * index);
    }
    gathered
}
