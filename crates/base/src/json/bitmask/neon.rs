//! Marks by the vector instructions that every 64-bit ARM processor has: sixteen bytes at a time.

#![allow(unsafe_code)]

use super::chunk::{CHUNK, STEP, Structure};
use std::arch::aarch64::{
    uint8x16_t, vaddvq_u16, vandq_u8, vceqq_u8, vcgeq_u8, vcltq_u8, vdupq_n_u8, veorq_u8, vextq_u8,
    vgetq_lane_u64, vld1q_u8, vorrq_u8, vpaddq_u8, vreinterpretq_u16_u8, vreinterpretq_u64_u8, vzip1q_u8,
};

/// The bit of each byte among eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// The backslashes of a chunk.
#[inline]
pub(in crate::json) fn backslashes(chunk: &[u8; CHUNK]) -> u64 {
    // SAFETY: NEON belongs to 64-bit ARM, and this file is compiled for that only. The function takes and gives numbers.
    unsafe { gathered(parts(chunk).map(|bytes| is(bytes, b'\\'))) }
}

/// The bytes that no string body has unescaped: quotes and control characters.
#[inline]
pub(in crate::json) fn stops(chunk: &[u8; CHUNK]) -> u64 {
    // SAFETY: As in `backslashes`.
    unsafe { gathered(parts(chunk).map(|bytes| is_stop(bytes))) }
}

/// The bytes that a backslash before them makes a whole escape: the letters of `\n`, `\"` and their like, but not of `\u`.
#[inline]
pub(in crate::json) fn letters(chunk: &[u8; CHUNK]) -> u64 {
    // SAFETY: As in `backslashes`.
    unsafe { gathered(parts(chunk).map(|bytes| is_letter(bytes))) }
}

/// Where strings, objects and arrays begin and end.
#[inline]
pub(in crate::json) fn structure(chunk: &[u8; CHUNK]) -> Structure {
    // SAFETY: As in `backslashes`.
    unsafe {
        let parts = parts(chunk);
        // Brackets and braces differ in one bit only.
        let braces = parts.map(|bytes| vorrq_u8(bytes, vdupq_n_u8(0x20)));
        Structure {
            quotes: gathered(parts.map(|bytes| is(bytes, b'"'))),
            backslashes: gathered(parts.map(|bytes| is(bytes, b'\\'))),
            opening: gathered(braces.map(|bytes| is(bytes, b'{'))),
            closing: gathered(braces.map(|bytes| is(bytes, b'}'))),
        }
    }
}

/// The bytes at which plain ASCII ends: quotes, backslashes, control characters and parts of longer characters.
#[inline]
pub(in crate::json) fn stops_or_high(step: &[u8; STEP]) -> u64 {
    // SAFETY: As in `backslashes`.
    unsafe {
        let bytes = load(step);
        let ends = vorrq_u8(is_stop(bytes), vorrq_u8(is(bytes, b'\\'), vcgeq_u8(bytes, vdupq_n_u8(0x80))));
        let bits = vandq_u8(ends, load(&BITS));
        // Bytes of the lower half are the even ones of the pairs, those of the upper half the odd ones.
        let pairs = vzip1q_u8(bits, vextq_u8::<8>(bits, bits));
        u64::from(vaddvq_u16(vreinterpretq_u16_u8(pairs)))
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: The sixteen bytes are there, and they may be anywhere.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn parts(chunk: &[u8; CHUNK]) -> [uint8x16_t; 4] {
    let mut loaded = [vdupq_n_u8(0); 4];
    for (place, part) in loaded.iter_mut().zip(chunk.as_chunks::<16>().0) {
        *place = load(part);
    }
    loaded
}

#[inline]
#[target_feature(enable = "neon")]
fn is(bytes: uint8x16_t, byte: u8) -> uint8x16_t {
    vceqq_u8(bytes, vdupq_n_u8(byte))
}

/// As in `unescaped_run`: with bit 1 flipped, the quote comes to stand right behind the control characters.
#[inline]
#[target_feature(enable = "neon")]
fn is_stop(bytes: uint8x16_t) -> uint8x16_t {
    vcltq_u8(veorq_u8(bytes, vdupq_n_u8(2)), vdupq_n_u8(0x21))
}

/// `f` and `n` differ in one bit only, and so do `b` and `r`.
#[inline]
#[target_feature(enable = "neon")]
fn is_letter(bytes: uint8x16_t) -> uint8x16_t {
    let f_or_n = is(vorrq_u8(bytes, vdupq_n_u8(8)), b'n');
    let b_or_r = is(vorrq_u8(bytes, vdupq_n_u8(0x10)), b'r');
    let quote_or_slash = vorrq_u8(is(bytes, b'"'), is(bytes, b'/'));
    let backslash_or_t = vorrq_u8(is(bytes, b'\\'), is(bytes, b't'));
    vorrq_u8(vorrq_u8(f_or_n, b_or_r), vorrq_u8(quote_or_slash, backslash_or_t))
}

/// The answers of 64 bytes: each byte keeps its own bit of eight, and three additions of neighbours bring eight bytes into one.
#[inline]
#[target_feature(enable = "neon")]
fn gathered(answers: [uint8x16_t; 4]) -> u64 {
    let bits = load(&BITS);
    let [one, two, three, four] = answers.map(|answer| vandq_u8(answer, bits));
    let halves = vpaddq_u8(vpaddq_u8(one, two), vpaddq_u8(three, four));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)))
}
