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
    marks(chunk, |bytes| is(bytes, b'\\'))
}

/// The bytes that no string body has unescaped: quotes and control characters.
#[inline]
pub(in crate::json) fn stops(chunk: &[u8; CHUNK]) -> u64 {
    marks(chunk, is_stop)
}

/// The bytes that a backslash before them makes a whole escape: the letters of `\n`, `\"` and their like, but not of `\u`.
#[inline]
pub(in crate::json) fn letters(chunk: &[u8; CHUNK]) -> u64 {
    marks(chunk, is_letter)
}

/// Where strings, objects and arrays begin and end.
#[inline]
pub(in crate::json) fn structure(chunk: &[u8; CHUNK]) -> Structure {
    // Brackets and braces differ in one bit only.
    Structure {
        quotes: marks(chunk, |bytes| is(bytes, b'"')),
        backslashes: backslashes(chunk),
        opening: marks(chunk, |bytes| is(or(bytes, every(0x20)), b'{')),
        closing: marks(chunk, |bytes| is(or(bytes, every(0x20)), b'}')),
    }
}

/// The bytes at which plain ASCII ends: quotes, backslashes, control characters and parts of longer characters.
#[inline]
pub(in crate::json) fn stops_or_high(step: &[u8; STEP]) -> u64 {
    gathered(is_stop_or_high(load(step)), 0)
}

#[expect(clippy::inline_always, reason = "a call would outweigh what a caller takes of the loop")]
#[inline(always)]
fn marks(chunk: &[u8; CHUNK], of: impl Fn(__m128i) -> __m128i) -> u64 {
    let (parts, _) = chunk.as_chunks::<16>();
    parts.iter().enumerate().fold(0, |marks, (index, part)| marks | gathered(of(load(part)), index))
}

/// Functions of a few instructions of SSE2. A call would outweigh them, also where the compiler is told to keep code small, and
/// a function cannot be both `target_feature` and `inline(always)`.
macro_rules! sse2 {
    ($($(#[doc = $doc:literal])* fn $name:ident($($argument:ident: $type:ty),*) -> $out:ty { $value:expr })*) => {$(
        $(#[doc = $doc])*
        #[inline(always)]
        fn $name($($argument: $type),*) -> $out {
            // SAFETY: SSE2 belongs to x86-64, and this file is compiled for that only. All take and give numbers, but for `load`, whose
            // sixteen bytes are there and may be anywhere.
            unsafe { $value }
        }
    )*};
}

sse2! {
    fn load(bytes: &[u8; 16]) -> __m128i { _mm_loadu_si128(bytes.as_ptr().cast()) }

    fn every(byte: u8) -> __m128i { _mm_set1_epi8(byte.cast_signed()) }

    fn is(bytes: __m128i, byte: u8) -> __m128i { _mm_cmpeq_epi8(bytes, every(byte)) }

    fn or(one: __m128i, other: __m128i) -> __m128i { _mm_or_si128(one, other) }

    /// With bit 1 flipped the quote comes to stand right behind the control characters, as in `unescaped_run`.
    fn flipped(bytes: __m128i) -> __m128i { _mm_xor_si128(bytes, every(2)) }

    fn is_stop(bytes: __m128i) -> __m128i {
        _mm_cmpeq_epi8(_mm_min_epu8(flipped(bytes), every(0x20)), flipped(bytes))
    }

    /// As signed numbers, the bytes beyond ASCII are below the control characters.
    fn is_stop_or_high(bytes: __m128i) -> __m128i {
        or(_mm_cmplt_epi8(flipped(bytes), every(0x21)), is(bytes, b'\\'))
    }

    /// The answers of sixteen bytes, at their place among those of a chunk.
    fn gathered(answers: __m128i, index: usize) -> u64 {
        u64::from(_mm_movemask_epi8(answers).cast_unsigned()) << (16 * index)
    }
}

/// `f` and `n` differ in one bit only, and so do `b` and `r`.
#[expect(clippy::inline_always, reason = "a few instructions")]
#[inline(always)]
fn is_letter(bytes: __m128i) -> __m128i {
    let f_or_n = is(or(bytes, every(8)), b'n');
    let b_or_r = is(or(bytes, every(0x10)), b'r');
    let quote_or_slash = or(is(bytes, b'"'), is(bytes, b'/'));
    let backslash_or_t = or(is(bytes, b'\\'), is(bytes, b't'));
    or(or(f_or_n, b_or_r), or(quote_or_slash, backslash_or_t))
}
