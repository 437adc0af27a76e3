//! What the scan says about a value: its kind and its place. Knows nothing of how it was found.

use std::fmt;
use std::ops::Range;

/// A byte range in the scanned text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The bytes of `text` in this range; nothing if the range is not in `text`.
    pub fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.range()).unwrap_or_default()
    }

    /// The part of `text` in this range; nothing if the range is not in `text` or would split a character.
    pub fn str<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The same as a range of the standard library.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The place `by` bytes further on.
    #[must_use]
    pub fn moved(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }
}

/// The six kinds of JSON value, with the two Booleans apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number of any form.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The kind of a value that begins with `byte`, if a value can.
    #[inline]
    pub(super) fn of(byte: u8) -> Option<Self> {
        KINDS[usize::from(byte)]
    }

    const fn beginning_with(byte: u8) -> Option<Self> {
        match byte {
            b'{' => Some(Self::Object),
            b'[' => Some(Self::Array),
            b'"' => Some(Self::String),
            b'-' | b'0'..=b'9' => Some(Self::Number),
            b't' => Some(Self::True),
            b'f' => Some(Self::False),
            b'n' => Some(Self::Null),
            _ => None,
        }
    }
}

/// The kinds by their first byte: every value of every frame is looked up here.
static KINDS: [Option<Kind>; 256] = {
    let mut kinds = [None; 256];
    let mut byte = 0u8;
    while byte < u8::MAX {
        kinds[byte as usize] = Kind::beginning_with(byte);
        byte += 1;
    }
    kinds
};

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::True => "true",
            Self::False => "false",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// One value in the scanned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where it is, without white space around it. A string's quotes are part of it.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// Whether `c` is white space in JSON.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Bytes that a scan found to be UTF-8, as text; nothing if they are not. It looks again, at the full speed of memory.
#[expect(clippy::inline_always, reason = "one call of another function")]
#[inline(always)]
pub fn utf8(bytes: &[u8]) -> &str {
    simdutf8::basic::from_utf8(bytes).unwrap_or_default()
}
