//! What the exports that read values have in common: a copy in each would be larger than all of this.

use super::guard::guard;
use super::held::Owner;
use super::json::number_of;
use super::pointer::{clear, write};
use super::status::{
    MCP_EMPTY, MCP_ERROR_INTERNAL, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_TOO_LARGE, MCP_JSON_ABSENT, MCP_OK,
    mcp_json_type_t, mcp_status_t,
};
use crate::json::{Node, NotInteger, Span, double, whole};
use std::ffi::c_char;
use std::ptr;

/// A JSON value in a message or in a document: a cursor that is passed by value. It needs no free
/// function.
///
/// A value that does not exist (a missing member, an index behind the end, a value of another type)
/// is a value too, of type MCP_JSON_ABSENT. Every function accepts it and returns "nothing" for it,
/// so that a chain of calls needs one check at its end. All bytes zero ("mcp_value_t value = {0}")
/// is such a value.
///
/// A value is valid as long as the message or the document that it came from. After
/// mcp_message_free() or mcp_document_free() it is as a value that does not exist: the functions
/// look up the handle in it. They cannot detect that another thread frees the message or the
/// document during the call. What is borrowed through a value (strings, JSON text) becomes invalid
/// with the message or document, and the library cannot detect a use of it.
///
/// Any number of threads may use values of one message or document at the same time. Copies are
/// equal in every respect. The functions allocate nothing, except mcp_value_string() and, for a
/// string with escapes, mcp_value_view().
///
/// The members are private: read and write them only through the functions. The layout is part of
/// the ABI.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mcp_value_t {
    /// Private.
    owner: usize,
    /// Private.
    name: usize,
    /// Private.
    start: usize,
    /// Private.
    end: usize,
}

impl mcp_value_t {
    pub(super) const ABSENT: mcp_value_t = mcp_value_t { owner: 0, name: 0, start: 0, end: 0 };

    /// The value at a node of the text that `owner` names.
    pub(super) fn new(owner: usize, node: Option<Node>) -> mcp_value_t {
        match node {
            Some(Node { name, span: Span { start, end } }) => mcp_value_t { owner, name, start, end },
            None => mcp_value_t::ABSENT,
        }
    }

    fn node(self) -> Node {
        Node { name: self.name, span: Span { start: self.start, end: self.end } }
    }

    /// The value as it is written.
    pub(super) fn written<'a>(self) -> Option<&'a [u8]> {
        let written = self.node().written(Owner::of(self.owner)?.text);
        (!written.is_empty()).then_some(written)
    }
}

/// A way from a value to another one of the same text.
#[derive(Clone, Copy)]
pub(super) enum Walk {
    First,
    Next,
    Key,
    At(usize),
    Get(*const c_char),
}

/// The body of every export that goes from a value to another one: a copy in each would be large.
#[inline(never)]
pub(super) fn guard_walk(from: mcp_value_t, walk: Walk) -> mcp_value_t {
    guard(mcp_value_t::ABSENT, || {
        let Some(Owner { text, .. }) = Owner::of(from.owner) else { return mcp_value_t::ABSENT };
        let node = from.node();
        let found = match walk {
            Walk::First => node.first(text),
            Walk::Next => node.next(text),
            Walk::Key => node.name(text),
            Walk::At(index) => node.element(text, index),
            Walk::Get(name) => match super::pointer::text(name, "name") {
                Ok(Some(name)) => node.member(text, name),
                _ => None,
            },
        };
        mcp_value_t::new(from.owner, found)
    })
}

/// What an export reads of a value.
pub(super) enum Read {
    Type,
    Size,
    Bool(*mut bool),
    Int64(*mut i64),
    Double(*mut f64),
    Is(*const c_char),
    String(*mut usize),
    View(*mut usize),
    Json(*mut usize),
}

/// What was read: a number, a status or a place, as the export needs it.
#[derive(Clone, Copy)]
struct Found {
    number: usize,
    status: mcp_status_t,
    text: *const c_char,
}

impl Found {
    const NOTHING: Found = Found { number: 0, status: MCP_EMPTY, text: ptr::null() };

    fn status(status: mcp_status_t) -> Found {
        Found { status, ..Found::NOTHING }
    }

    fn number(number: usize) -> Found {
        Found { number, ..Found::NOTHING }
    }

    /// Borrowed text, whose length is written.
    fn text(text: Option<(*const c_char, usize)>, length: *mut usize) -> Found {
        let Some((text, bytes)) = text else { return Found::NOTHING };
        write(length, bytes);
        Found { text, ..Found::NOTHING }
    }
}

/// The body of every export that reads a value: a copy in each would be large.
#[inline(never)]
fn guard_read(value: mcp_value_t, read: &Read) -> Found {
    let panicked = Found::status(MCP_ERROR_INTERNAL);
    guard(panicked, || {
        // What reads a number or a boolean leaves the program's default in its place where there is none.
        if let Read::String(length) | Read::View(length) | Read::Json(length) = *read {
            clear(length);
        }
        let Some(owner) = Owner::of(value.owner) else {
            return Found::status(if read.lacks_place() { MCP_ERROR_INVALID_ARGUMENT } else { MCP_EMPTY });
        };
        read.of(value, &owner)
    })
}

pub(super) fn guard_status_of(value: mcp_value_t, read: &Read) -> mcp_status_t {
    guard_read(value, read).status
}

pub(super) fn guard_type_of(value: mcp_value_t) -> mcp_json_type_t {
    mcp_json_type_t::try_from(guard_read(value, &Read::Type).number).unwrap_or(MCP_JSON_ABSENT)
}

pub(super) fn guard_is(value: mcp_value_t, read: &Read) -> bool {
    guard_read(value, read).number != 0
}

pub(super) fn guard_number_of(value: mcp_value_t, read: &Read) -> usize {
    guard_read(value, read).number
}

pub(super) fn guard_text_of(value: mcp_value_t, read: &Read) -> *const c_char {
    guard_read(value, read).text
}

impl Read {
    /// Whether C gave NULL for what it has to have.
    fn lacks_place(&self) -> bool {
        match self {
            Read::Bool(out) => out.is_null(),
            Read::Int64(out) => out.is_null(),
            Read::Double(out) => out.is_null(),
            Read::View(length) | Read::Json(length) => length.is_null(),
            _ => false,
        }
    }

    fn of(&self, value: mcp_value_t, owner: &Owner<'_>) -> Found {
        let node = value.node();
        let written = node.written(owner.text);
        let string = || node.string(owner.text);
        let place = |text: &[u8]| (text.as_ptr().cast(), text.len());
        let decoded = || owner.decoded.text(owner.text.len(), value.start, string()?);
        if self.lacks_place() {
            return Found::status(MCP_ERROR_INVALID_ARGUMENT);
        }
        if written.is_empty() {
            return Found::NOTHING;
        }
        match *self {
            Read::Type => {
                let kind = node.kind(owner.text).map_or(MCP_JSON_ABSENT, number_of);
                Found::number(usize::try_from(kind).unwrap_or(0))
            }
            Read::Size => Found::number(node.count(owner.text)),
            Read::Is(other) => {
                let other = super::pointer::text(other, "other").ok().flatten();
                let is = other.is_some_and(|other| string().is_some_and(|string| string.is(other)));
                Found::number(is.into())
            }
            Read::String(length) => Found::text(decoded(), length),
            Read::View(length) => {
                Found::text(string().and_then(|it| it.plain()).map(place).or_else(decoded), length)
            }
            Read::Json(length) => Found::text(Some(place(written)), length),
            Read::Bool(out) => match written {
                b"true" => give(out, true),
                b"false" => give(out, false),
                _ => Found::status(MCP_ERROR_INVALID_ARGUMENT),
            },
            Read::Int64(out) => match whole(written) {
                Ok(number) => give(out, number),
                Err(NotInteger::Fraction) => Found::status(MCP_ERROR_INVALID_ARGUMENT),
                Err(NotInteger::Range) => Found::status(MCP_ERROR_TOO_LARGE),
            },
            Read::Double(out) => match double(written) {
                Some(number) if number.is_finite() => give(out, number),
                Some(_) => Found::status(MCP_ERROR_TOO_LARGE),
                None => Found::status(MCP_ERROR_INVALID_ARGUMENT),
            },
        }
    }
}

/// Writes what was read.
fn give<T>(out: *mut T, read: T) -> Found {
    write(out, read);
    Found::status(MCP_OK)
}
