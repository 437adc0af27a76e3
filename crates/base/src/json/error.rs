//! What can be wrong with a text, said so that a person finds the place. Offsets count bytes from 0.

use super::value::Kind;

/// Why a text is not the JSON that was asked for, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid JSON at byte {offset}: {kind}")]
pub struct ScanError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The first byte that cannot stay; the length of the text if it ends too early.
    pub offset: usize,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// A string is not UTF-8.
    #[error("a string is not UTF-8")]
    Utf8,
    /// The grammar of RFC 8259 is broken; the text says what was expected.
    #[error("{0}")]
    Syntax(&'static str),
    /// Arrays and objects nest deeper than this limit.
    #[error("nested deeper than {0} levels")]
    Depth(usize),
    /// A wanted member of the top-level object occurs twice.
    #[error("the member '{0}' occurs twice")]
    Duplicate(&'static str),
    /// The text is valid, and something else than an object.
    #[error("expected an object, found {0}")]
    NotAnObject(Kind),
    /// There is nothing but white space.
    #[error("there is no value")]
    Empty,
    /// Something follows the value.
    #[error("something follows the value")]
    Trailing,
}

/// Why a text is not a JSON Pointer (RFC 6901, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointerError {
    /// It is not empty and does not begin with `/`.
    #[error("a JSON Pointer must be empty or begin with '/'")]
    NoSlash,
    /// The `~` at this byte is followed by neither `0` nor `1`.
    #[error("in a JSON Pointer '~' must be followed by '0' or '1' (byte {0})")]
    Tilde(usize),
}
