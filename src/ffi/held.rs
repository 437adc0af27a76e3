//! Finding by its handle what values are part of, and builders; freeing them.

use super::decoded::Decoded;
use super::errors::forked_error;
use super::guard::guard_status;
use super::objects::{Build, Content};
use super::pointer::{Held, dead, held, take};
use super::status::{MCP_OK, mcp_status_t};
use crate::engine::Error;
use std::sync::PoisonError;

/// The text that values are part of.
pub(super) struct Owner<'a> {
    pub(super) text: &'a [u8],
    pub(super) decoded: &'a Decoded,
}

impl<'a> Owner<'a> {
    /// The text of a message or document, if that is live.
    #[inline(never)]
    pub(super) fn of(handle: usize) -> Option<Owner<'a>> {
        let held = held(handle)?;
        let text = match &held.content {
            Content::Message(message) => {
                let text = message.json_with_nul();
                text.strip_suffix(b"\0").unwrap_or(text)
            }
            Content::Document(document) => &document.text,
            Content::Builder(_) => return None,
        };
        Some(Owner { text, decoded: &held.decoded })
    }
}

/// Runs with a builder that this process made.
pub(super) fn with_builder(
    handle: usize,
    run: &mut dyn FnMut(&mut Build) -> Result<(), Error>,
) -> Result<(), Error> {
    match held(handle) {
        // Its lock may be held by a thread of the parent.
        Some(held) if matches!(held.content, Content::Builder(_)) && !held.is_ours() => Err(forked_error()),
        Some(Held { content: Content::Builder(build), .. }) => {
            run(&mut build.lock().unwrap_or_else(PoisonError::into_inner))
        }
        _ => Err(dead("builder", handle)),
    }
}

/// The body of every export that frees something of a kind.
#[inline(never)]
pub(super) fn guard_free(handle: usize, name: &str, is_kind: fn(&Content) -> bool) -> mcp_status_t {
    guard_status(|| match take(handle, name, is_kind) {
        Ok(()) => MCP_OK,
        Err(error) => error.status as i32,
    })
}
