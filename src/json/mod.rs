//! Layer 1: JSON as text.
//!
//! This room reads and writes JSON without ever building a tree of it. A received frame is checked once, from the
//! first byte to the last, and what comes back is *where* the interesting values are; everything above hands slices
//! of that frame on. Values are looked up, counted, decoded and spliced as text in the same way. What a text from the
//! outside can cost is bounded here: nothing recurses on the call stack, nesting has a limit, and scanning allocates
//! nothing.
//!
//! It must not know MCP or JSON-RPC: which names matter is the caller's list, what they mean is the caller's business.
//!
//! The rooms: `scan` answers "is this valid, and where is what I want" with `grammar`, the one reader that checks; `body`,
//! `unescaped_run` and `bitmask` make it fast inside strings, and `widest` faster still; `cursor` walks over validated text without checking it again, and `members`,
//! `pointer`, `string` and `number` take it apart; `node` walks by positions that a program may keep; `splice`, `quote` and `builder` write.
//!
//! Decisions where RFC 8259 leaves room or readers differ:
//!
//! * A string may hold a lone surrogate (`"\ud800"`): the grammar allows it. Decoding turns it into U+FFFD.
//! * A number may have any size and precision (`1e999`): only its form is checked.
//! * A name may occur twice; only a *wanted* top-level name may not, since two readers that disagree about an `id` or
//!   a `method` are a security problem. Lookups take the last one.
//! * A byte order mark is not white space (section 8.1).

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
mod scan;
mod splice;
mod string;
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
pub use members::{count, elements, kind, member, member_span, members};
pub use node::Node;
pub use number::integer;
pub use pointer::pointer;
pub use quote::{quote, quote_into};
pub use scan::{Wanted, scan_object, scan_value};
pub use splice::{one_line_into, splice_into};
pub use string::string;
pub use value::{Kind, Span, Value, utf8};
