//! What can be wrong with a text, said so that a person finds the place. Offsets count bytes from 0.

use std::error::Error;
use std::fmt;

use super::value::Kind;

/// Why a text is not the JSON that was asked for, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The first byte that cannot stay; the length of the text if it ends too early.
    pub offset: usize,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A string is not UTF-8.
    Utf8,
    /// The grammar of RFC 8259 is broken; the text says what was expected.
    Syntax(&'static str),
    /// Arrays and objects nest deeper than this limit.
    Depth(usize),
    /// A wanted member of the top-level object occurs twice.
    Duplicate(&'static str),
    /// The text is valid, and something else than an object.
    NotAnObject(Kind),
    /// There is nothing but white space.
    Empty,
    /// Something follows the value.
    Trailing,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utf8 => f.write_str("a string is not UTF-8"),
            Self::Syntax(what) => f.write_str(what),
            Self::Depth(limit) => write!(f, "nested deeper than {limit} levels"),
            Self::Duplicate(name) => write!(f, "the member '{name}' occurs twice"),
            Self::NotAnObject(kind) => write!(f, "expected an object, found {kind}"),
            Self::Empty => f.write_str("there is no value"),
            Self::Trailing => f.write_str("something follows the value"),
        }
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid JSON at byte {}: {}", self.offset, self.kind)
    }
}

impl Error for ScanError {}

/// Why a text is not a JSON Pointer (RFC 6901, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerError {
    /// It is not empty and does not begin with `/`.
    NoSlash,
    /// The `~` at this byte is followed by neither `0` nor `1`.
    Tilde(usize),
}

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSlash => f.write_str("a JSON Pointer must be empty or begin with '/'"),
            Self::Tilde(at) => write!(f, "in a JSON Pointer '~' must be followed by '0' or '1' (byte {at})"),
        }
    }
}

impl Error for PointerError {}
