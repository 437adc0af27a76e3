//! Documents: JSON text of the program's, checked once, to be read through values.

use super::errors::null;
use super::giving::guard_out;
use super::guard::guard;
use super::held::guard_free;
use super::objects::{Content, Document, no_memory};
use super::pointer::{Held, bytes, give, held, write};
use super::reading::mcp_value_t;
use super::status::mcp_status_t;
use std::ffi::c_char;

/// A document: a JSON text of the program, such as the content of a file, that is checked once and
/// then read through values. It is immutable and owns a copy of the text. The pointer is a number
/// that the library looks up; a function refuses a pointer that is no live document.
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
