//! Reading JSON in place, of messages and of documents.

use super::convert::{Owner, guard_free, guard_out};
use super::guard::{guard, null};
use super::handles::mcp_message_t;
use super::json::number_of;
use super::objects::{Content, Document, no_memory};
use super::pointer::{Held, bytes, clear, give, held, write};
use super::status::{
    MCP_EMPTY, MCP_ERROR_INTERNAL, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_TOO_LARGE, MCP_JSON_ABSENT, MCP_OK,
    mcp_json_type_t, mcp_status_t,
};
use crate::json::{Node, NotInteger, Span, double, whole};
use std::ffi::c_char;
use std::ptr;

/// The JSON of a message as a value: what mcp_message_json() returns as text (the result of a
/// successful reply, the error object of a failed one, the parameters of a notification, request or
/// progress message, the object of another kind).
///
/// Returns the value, valid until mcp_message_free(); a value of type MCP_JSON_ABSENT for an
///   invalid message.
///
/// Threads: any thread.
///
/// Example:
///
///     mcp_value_t tools = mcp_value_get(mcp_message_value(reply), "tools");
///     for (mcp_value_t tool = mcp_value_first(tools); mcp_value_type(tool) != MCP_JSON_ABSENT;
///          tool = mcp_value_next(tool)) {
///         puts(mcp_value_string(mcp_value_get(tool, "name"), NULL));
///     }
#[unsafe(no_mangle)]
pub extern "C" fn mcp_message_value(message: *const mcp_message_t) -> mcp_value_t {
    guard(mcp_value_t::ABSENT, || {
        let owner = message.addr();
        match super::pointer::message(message) {
            Ok(message) => {
                let json = message.json_with_nul();
                mcp_value_t::new(owner, Node::root(json.strip_suffix(b"\0").unwrap_or(json)))
            }
            Err(_) => mcp_value_t::ABSENT,
        }
    })
}

/// The type of a value.
///
/// Returns MCP_JSON_*; MCP_JSON_ABSENT (0) for a value that does not exist, or whose message or
///   document was freed.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_type(value: mcp_value_t) -> mcp_json_type_t {
    guard_type_of(value)
}

/// The member of an object that has this name.
///
/// name: the name as text, not escaped. A name that contains a NUL can be found only by iteration.
///
/// Returns the member; the last one if the object has several of this name, as most JSON libraries
///   do; a value of type MCP_JSON_ABSENT if there is none, `value` is not an object, or `name` is
///   NULL or invalid UTF-8.
///
/// Threads: any thread. The function reads the object once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_get(value: mcp_value_t, name: *const c_char) -> mcp_value_t {
    guard_walk(value, Walk::Get(name))
}

/// The element of an array at an index.
///
/// index: from 0.
///
/// Returns the element; a value of type MCP_JSON_ABSENT if there is none or `value` is not an array.
///
/// Threads: any thread. The function reads the array up to the element: to visit all elements use
///   mcp_value_first() and mcp_value_next(), which read it once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_at(value: mcp_value_t, index: usize) -> mcp_value_t {
    guard_walk(value, Walk::At(index))
}

/// The first element of an array or the first member of an object, in the order of the text.
///
/// Returns the value; a value of type MCP_JSON_ABSENT if `value` is empty, or is neither an array
///   nor an object.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_first(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::First)
}

/// The element or member after `value` in the same array or object. A loop over all of them reads
/// the text once. In an object, members with the same name are all visited.
///
/// value: from any function here. The whole JSON of a message or document has no next value.
///
/// Returns the value; a value of type MCP_JSON_ABSENT after the last one.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_next(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::Next)
}

/// The name of a member of an object, as a value of type MCP_JSON_STRING: mcp_value_string()
/// decodes it, mcp_value_is() compares it.
///
/// value: a member from mcp_value_get(), mcp_value_first() or mcp_value_next().
///
/// Returns the name; a value of type MCP_JSON_ABSENT if `value` is not a member of an object.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_key(value: mcp_value_t) -> mcp_value_t {
    guard_walk(value, Walk::Key)
}

/// Counts the elements of an array or the members of an object.
///
/// Returns the number; 0 for every other value.
///
/// Threads: any thread. The function reads the array or object once.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_size(value: mcp_value_t) -> usize {
    guard_number_of(value, &Read::Size)
}

/// Reads an integer. A number counts as an integer if it is one, however it is written: 3, 3.0, 3e0
/// and -0 are integers. The conversion is exact.
///
/// out: receives the number when MCP_OK is returned; otherwise it keeps what it has, such as a
///   default.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for an integer
///   that int64_t cannot hold; MCP_ERROR_INVALID_ARGUMENT for a number with a fraction, for a
///   value of another type, and for NULL.
///
/// Threads: any thread.
///
/// Example:
///
///     int64_t limit = 100;
///     mcp_value_int64(mcp_value_get(parameters, "limit"), &limit);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_int64(value: mcp_value_t, out: *mut i64) -> mcp_status_t {
    guard_status_of(value, &Read::Int64(out))
}

/// Reads a number as the nearest double, independently of the locale. The sign of -0 is kept, and a
/// number that is too small becomes 0.
///
/// out: receives the number when MCP_OK is returned; otherwise it keeps what it has.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for a number
///   that a double cannot hold, such as 1e400; MCP_ERROR_INVALID_ARGUMENT for a value of another
///   type, and for NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_double(value: mcp_value_t, out: *mut f64) -> mcp_status_t {
    guard_status_of(value, &Read::Double(out))
}

/// Reads true or false.
///
/// out: receives the value when MCP_OK is returned; otherwise it keeps what it has.
///
/// Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_INVALID_ARGUMENT for a
///   value of another type, and for NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_bool(value: mcp_value_t, out: *mut bool) -> mcp_status_t {
    guard_status_of(value, &Read::Bool(out))
}

/// The text of a string, decoded and followed by a NUL. The message or document keeps it: there is
/// nothing to free, and reading the same string again returns the same pointer. Half of a surrogate
/// pair ("\ud800" alone), which JSON allows and UTF-8 does not, becomes U+FFFD.
///
/// length: receives the length in bytes without the terminating NUL; may be NULL. The text itself
///   contains a NUL where the string has "\u0000": with NULL here you see it only up to that.
///
/// Returns borrowed, NUL-terminated UTF-8, valid as long as the message or document; NULL if the
///   value is not a string, or the system refuses the memory.
///
/// Threads: any thread. The first call for a string copies it: mcp_value_view() does not.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_string(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::String(length))
}

/// The text of a string without a copy: in the message or document where it has no escapes,
/// otherwise as mcp_value_string() returns it.
///
/// length: receives the length in bytes; needed, because no NUL follows the text.
///
/// Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
///   NULL if the value is not a string, `length` is NULL, or the system refuses the memory.
///
/// Threads: any thread.
///
/// Example:
///
///     size_t length;
///     const char *name = mcp_value_view(mcp_value_get(tool, "name"), &length);
///     if (name != NULL) printf("%.*s\n", (int)length, name);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_view(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::View(length))
}

/// Compares a string with a text, without a copy.
///
/// other: the text, not escaped. A string that contains a NUL is equal to no text.
///
/// Returns true if the value is a string that spells `other`; false for another string, another
///   type, NULL and invalid UTF-8.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_is(value: mcp_value_t, other: *const c_char) -> bool {
    guard_is(value, &Read::Is(other))
}

/// The JSON text of a value as it is written in the message or document, without a copy: numbers
/// with all their digits, strings with quotes and escapes. mcp_builder_value() copies it into
/// another text.
///
/// length: receives the length in bytes; needed, because no NUL follows the text.
///
/// Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
///   NULL for a value that does not exist, and if `length` is NULL.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_value_json(value: mcp_value_t, length: *mut usize) -> *const c_char {
    guard_text_of(value, &Read::Json(length))
}

/// A document: a JSON text of the program, such as the content of a file, that is checked once and
/// then read through values. It is immutable and owns a copy of the text. The pointer is a number
/// that the library looks up; a function refuses a pointer that is not a live document.
#[derive(Debug)]
pub struct mcp_document_t {
    _private: [u8; 0],
}

/// Creates a document from JSON text. To read the JSON of a message, use mcp_message_value(), which
/// needs no document.
///
/// json: UTF-8; copied. It needs no terminating NUL.
/// length: the length in bytes.
/// out: receives the document. Free it with mcp_document_free().
/// error_json: receives the error object on failure; may be NULL. "details" has the "offset" of
///   the first byte that is wrong.
///
/// Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for text that is not exactly one JSON value, is not
///   UTF-8 or nests deeper than 1,000 levels, and for NULL; MCP_ERROR_NO_MEMORY.
///
/// Threads: any thread.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn mcp_document_new(
    json: *const c_char,
    length: usize,
    out: *mut *mut mcp_document_t,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(out, error_json, || {
        if json.is_null() {
            return Err(null("json"));
        }
        if out.is_null() {
            return Err(null("out"));
        }
        let document = Document::new(bytes(json, length).unwrap_or_default())?;
        write(out, give(Content::Document(document)).ok_or_else(|| no_memory("document"))?);
        Ok(())
    })
}

/// The value that a document is.
///
/// Returns the value, valid until mcp_document_free(); a value of type MCP_JSON_ABSENT for an
///   invalid document.
///
/// Threads: any thread.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_document_value(document: *const mcp_document_t) -> mcp_value_t {
    guard(mcp_value_t::ABSENT, || match held(document.addr()) {
        Some(Held { content: Content::Document(found), .. }) => {
            mcp_value_t::new(document.addr(), Some(found.root))
        }
        _ => mcp_value_t::ABSENT,
    })
}

/// Frees a document, with all strings that were read from it.
///
/// document: the document; may be NULL.
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid document, such as one that was
///   already freed. In a child of fork(), for a document of the parent, it frees nothing and
///   returns MCP_ERROR_FORKED.
#[unsafe(no_mangle)]
pub extern "C" fn mcp_document_free(document: *mut mcp_document_t) -> mcp_status_t {
    guard_free(document.addr(), "document", |content| matches!(content, Content::Document(_)))
}

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
                b"true" => store(out, true),
                b"false" => store(out, false),
                _ => Found::status(MCP_ERROR_INVALID_ARGUMENT),
            },
            Read::Int64(out) => match whole(written) {
                Ok(number) => store(out, number),
                Err(NotInteger::Fraction) => Found::status(MCP_ERROR_INVALID_ARGUMENT),
                Err(NotInteger::Range) => Found::status(MCP_ERROR_TOO_LARGE),
            },
            Read::Double(out) => match double(written) {
                Some(number) if number.is_finite() => store(out, number),
                Some(_) => Found::status(MCP_ERROR_TOO_LARGE),
                None => Found::status(MCP_ERROR_INVALID_ARGUMENT),
            },
        }
    }
}

/// Writes what was read.
fn store<T>(out: *mut T, read: T) -> Found {
    write(out, read);
    Found::status(MCP_OK)
}
