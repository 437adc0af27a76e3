//! Marks by the vector instructions that every x86-64 processor has: sixteen bytes at a time.

#![allow(unsafe_code)]

use super::chunk::{CHUNK, STEP, Structure};
use std::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128,
    _mm_set1_epi8, _mm_xor_si128,
};

/// The backslashes of a chunk.
#[inline]
pub(in crate::json) fn backslashes(chunk: &[u8; CHUNK]) -> u64 {
    marks(chunk).1.backslashes
}

/// The bytes that no string body has unescaped: quotes and control characters.
#[inline]
pub(in crate::json) fn stops(chunk: &[u8; CHUNK]) -> u64 {
    marks(chunk).0.0
}

/// The bytes that a backslash before them makes a whole escape: the letters of `\n`, `\"` and their like, but not of `\u`.
#[inline]
pub(in crate::json) fn letters(chunk: &[u8; CHUNK]) -> u64 {
    marks(chunk).0.1
}

/// Where strings, objects and arrays begin and end.
#[inline]
pub(in crate::json) fn structure(chunk: &[u8; CHUNK]) -> Structure {
    marks(chunk).1
}

/// The bytes at which plain ASCII ends: quotes, backslashes, control characters and parts of longer characters.
#[inline]
pub(in crate::json) fn stops_or_high(step: &[u8; STEP]) -> u64 {
    // SAFETY: As in `marks`.
    unsafe { stops_or_high_with_sse2(step) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn stops_or_high_with_sse2(step: &[u8; STEP]) -> u64 {
    // SAFETY: The sixteen bytes are there, and they may be anywhere.
    let bytes = unsafe { _mm_loadu_si128(step.as_ptr().cast()) };
    // As signed numbers, the bytes beyond ASCII are below the control characters.
    let stop_or_high = _mm_cmplt_epi8(_mm_xor_si128(bytes, every(2)), every(0x21));
    gathered(_mm_or_si128(stop_or_high, is(bytes, b'\\')), 0)
}

/// All of them, stops and letters first: what a caller does not take is not computed.
#[inline]
fn marks(chunk: &[u8; CHUNK]) -> ((u64, u64), Structure) {
    // SAFETY: SSE2 belongs to x86-64, and this file is compiled for that only. The function takes and gives numbers.
    unsafe { marks_with_sse2(chunk) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn marks_with_sse2(chunk: &[u8; CHUNK]) -> ((u64, u64), Structure) {
    let (parts, _) = chunk.as_chunks::<16>();
    let (mut stops, mut letters) = (0, 0);
    let mut structure = Structure { quotes: 0, backslashes: 0, opening: 0, closing: 0 };
    for (index, part) in parts.iter().enumerate() {
        // SAFETY: The sixteen bytes are there, and they may be anywhere.
        let bytes = unsafe { _mm_loadu_si128(part.as_ptr().cast()) };
        stops |= gathered(is_stop(bytes), index);
        letters |= gathered(is_letter(bytes), index);
        structure.quotes |= gathered(is(bytes, b'"'), index);
        structure.backslashes |= gathered(is(bytes, b'\\'), index);
        // Brackets and braces differ in one bit only.
        let braces = _mm_or_si128(bytes, every(0x20));
        structure.opening |= gathered(is(braces, b'{'), index);
        structure.closing |= gathered(is(braces, b'}'), index);
    }
    ((stops, letters), structure)
}

/// As in `unescaped_run`: with bit 1 flipped, the quote comes to stand right behind the control characters.
#[inline]
#[target_feature(enable = "sse2")]
fn is_stop(bytes: __m128i) -> __m128i {
    let flipped = _mm_xor_si128(bytes, every(2));
    _mm_cmpeq_epi8(_mm_min_epu8(flipped, every(0x20)), flipped)
}

/// `f` and `n` differ in one bit only, and so do `b` and `r`.
#[inline]
#[target_feature(enable = "sse2")]
fn is_letter(bytes: __m128i) -> __m128i {
    let f_or_n = is(_mm_or_si128(bytes, every(8)), b'n');
    let b_or_r = is(_mm_or_si128(bytes, every(0x10)), b'r');
    let quote_or_slash = _mm_or_si128(is(bytes, b'"'), is(bytes, b'/'));
    let backslash_or_t = _mm_or_si128(is(bytes, b'\\'), is(bytes, b't'));
    _mm_or_si128(_mm_or_si128(f_or_n, b_or_r), _mm_or_si128(quote_or_slash, backslash_or_t))
}

#[inline]
#[target_feature(enable = "sse2")]
fn is(bytes: __m128i, byte: u8) -> __m128i {
    _mm_cmpeq_epi8(bytes, every(byte))
}

#[inline]
#[target_feature(enable = "sse2")]
fn every(byte: u8) -> __m128i {
    _mm_set1_epi8(byte.cast_signed())
}

/// The answers of sixteen bytes, at their place among those of a chunk.
#[inline]
#[target_feature(enable = "sse2")]
fn gathered(answers: __m128i, index: usize) -> u64 {
    u64::from(_mm_movemask_epi8(answers).cast_unsigned()) << (16 * index)
}
