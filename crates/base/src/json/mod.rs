//! Layer 1: JSON as text.
//!
//! This module reads and writes JSON without ever building a tree of it. A received frame is checked once, from the
//! first byte to the last, and what comes back is *where* the interesting values are; everything above hands slices
//! of that frame on. Values are looked up, counted, decoded and spliced as text in the same way. What a text from the
//! outside can cost is bounded here: nothing recurses on the call stack, nesting has a limit, and scanning allocates
//! nothing.
//!
//! It must not know MCP or JSON-RPC: which names matter is the caller's list, what they mean is the caller's business.
//!
//! Decisions where RFC 8259 leaves room or readers differ:
//!
//! * A string may hold a lone surrogate (`"\ud800"`): the grammar allows it. Decoding turns it into U+FFFD.
//! * A number may have any size and precision (`1e999`): only its form is checked.
//! * A name may occur twice; only a *wanted* top-level name may not, since two readers that disagree about an `id` or
//!   a `method` are a security problem. Lookups take the last one.
//! * A byte order mark is not white space (section 8.1).
//!
//! The files:
//!
//! * `scan`: the one scan of a received text: is it valid (`Reader`), and where are the wanted members (`Wanted`)
//! * `body`: the inside of a string, fast: how far it goes without an escape
//! * `bitmask`: 64 bytes of text as bits of a word
//! * `dispatch`: functions compiled once more for AVX2
//! * `write`: `Builder`: JSON from single calls; members added to an object, a value on one line
//! * `cursor`: `Cursor`: walks over validated text without checking it again; `Node`: positions that a program may keep
//! * `members`: `Members`, `Elements`: takes objects and arrays apart; JSON Pointer; what a tree of a text would take
//! * `value`: `Span`, `Kind`: place and kind of a value
//! * `string`: what a string spells, decoding of escapes in blocks, text as a JSON string, percent-decoding of pointers
//! * `number`: form of numbers, exact integers, all their digits, and what fits of them into the types of a program
//! * `canonical`: one text for all texts that mean the same, for digests
//! * `relaxed`: JSON as people write it into files: comments, commas too many, a byte order mark
//! * `error`: `ScanError`

mod bitmask;
mod body;
mod canonical;
mod cursor;
mod dispatch;
mod error;
mod members;
mod number;
mod relaxed;
mod scan;
mod string;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use canonical::canonical;
pub use cursor::Node;
pub use cursor::{Cursor, Raw};
pub use error::{ErrorKind, ScanError};
pub use members::{
    count, elements, kind, member, member_span, members, pick, pick_single, picks, pointer, tree_bytes,
};
pub use number::integer;
pub use number::{NotInteger, double, whole};
pub use relaxed::{decoded, plain};
pub use scan::MAX_DEPTH;
pub use scan::{Wanted, WantedBelow, scan_object, scan_object_below, scan_value};
pub use string::{percent_decoded, quote, quote_into, quoted_length, string};
pub use value::{Kind, Span, Value, utf8};
pub use write::{Builder, Misuse, Part};
pub use write::{one_line_into, splice_into};

/// Puts all into a sorted map or set, as the members of an object, one after another. `collect` does the same, and brings some six
/// kilobytes of code for each type, which it sorts first: what is small or rare is put in by this.
pub fn inserted<T, C: Default + Extend<T>>(all: impl IntoIterator<Item = T>) -> C {
    let mut into = C::default();
    all.into_iter().for_each(|one| into.extend([one]));
    into
}
