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
//! * `scan`: the one scan of a received text: is it valid, and where are the wanted members (`Wanted`)
//! * `grammar`: `Reader`: the one reader that checks
//! * `body`: the inside of a string, fast
//! * `unescaped_run`: how far a string goes without an escape
//! * `bitmask`: 64 bytes of text as bits of a word
//! * `widest`: functions compiled once more for AVX2
//! * `cursor`: `Cursor`: walks over validated text without checking it again
//! * `members`: `Members`, `Elements`: takes objects and arrays apart
//! * `node`: `Node`: positions that a program may keep
//! * `pointer`: JSON Pointer
//! * `value`: `Span`, `Kind`: place and kind of a value
//! * `string`: what a string spells
//! * `decode`: decoding of escapes, in blocks
//! * `number`: form of numbers, exact integers
//! * `decimal`: numbers with all their digits, and what fits of them into the types of a program
//! * `canonical`: one text for all texts that mean the same, for digests
//! * `splice`: members added to an object, a value on one line
//! * `quote`: text as a JSON string
//! * `tree`: what a tree of a text would take
//! * `relaxed`: JSON as people write it into files: comments, commas too many, a byte order mark
//! * `builder`: `Builder`: JSON from single calls
//! * `error`: `ScanError`

mod bitmask;
mod body;
mod builder;
mod canonical;
mod cursor;
mod decimal;
mod decode;
mod error;
mod grammar;
mod members;
mod node;
mod number;
mod pointer;
mod quote;
mod relaxed;
mod scan;
mod splice;
mod string;
mod tree;
mod unescaped_run;
mod value;
mod widest;

#[cfg(test)]
mod tests;

pub use builder::{Builder, Misuse, Part};
pub use canonical::canonical_into;
pub use cursor::{Cursor, Raw};
pub use decimal::{NotInteger, double, whole};
pub use error::{ErrorKind, ScanError};
pub use grammar::MAX_DEPTH;
#[cfg(any(test, feature = "server"))]
pub use members::pick;
#[cfg(feature = "server")]
pub use members::pick_single;
pub use members::{count, elements, kind, member, member_span, members, picks};
pub use node::Node;
pub use number::integer;
pub use pointer::pointer;
pub use quote::{quote, quote_into, quoted_length};
pub use relaxed::plain;
pub use scan::{Wanted, scan_object, scan_value};
pub use splice::{one_line_into, splice_into};
pub use string::string;
pub use tree::tree_bytes;
pub use value::{Kind, Span, Value, utf8};
