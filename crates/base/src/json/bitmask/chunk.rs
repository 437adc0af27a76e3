//! How many bytes are looked at together, and what is told of them.

/// How many bytes the vector loops take at once, and the bits of a word.
pub(in crate::json) const CHUNK: usize = 64;
/// How many bytes of a short string are looked at together.
pub(in crate::json) const STEP: usize = 16;
/// The byte 1 in every place.
pub(in crate::json) const ONES: u64 = u64::from_le_bytes([1; 8]);

/// What tells where the objects and arrays of a chunk begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::json) struct Structure {
    pub quotes: u64,
    pub backslashes: u64,
    /// Opening brackets and braces.
    pub opening: u64,
    /// Closing brackets and braces.
    pub closing: u64,
}

/// Flipping bit 1 puts the quote (0x22) right behind the control characters and moves nothing else there, so that one
/// comparison finds both.
#[inline]
pub(in crate::json) fn is_quote_or_control(byte: u8) -> bool {
    (byte ^ 2) < 0x21
}
