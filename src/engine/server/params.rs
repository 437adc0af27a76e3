//! The parameters of a request, in the frame that they came in: nothing of them is copied on the way to the handler.

use crate::json::{self, Span, Value};
use crate::protocol::envelope::Inner;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A value of a frame in the memory of that frame, with a NUL behind it, as C reads text. Clones share the memory.
#[derive(Clone)]
pub struct FrameText {
    frame: Arc<Vec<u8>>,
    span: Span,
}

impl FrameText {
    /// The value at `span` of a frame that was checked. The byte behind it becomes NUL: inside an object there always is one, a
    /// comma, a brace or white space.
    pub fn new(mut frame: Vec<u8>, span: Span) -> FrameText {
        match frame.get_mut(span.end) {
            Some(byte) => *byte = 0,
            None => frame.push(0),
        }
        FrameText { frame: Arc::new(frame), span }
    }

    /// A copy of a text.
    pub fn copied(text: &str) -> FrameText {
        let mut frame = Vec::with_capacity(text.len() + 1);
        frame.extend_from_slice(text.as_bytes());
        FrameText::new(frame, Span { start: 0, end: text.len() })
    }

    /// The text and a NUL behind it.
    pub fn with_nul(&self) -> &[u8] {
        self.frame.get(self.span.start..=self.span.end).unwrap_or(b"{}\0")
    }

    /// Another value of the frame.
    pub(super) fn beside(&self, span: Span) -> &str {
        json::utf8(span.of(&self.frame))
    }

    /// How many bytes of memory it keeps.
    pub fn held(&self) -> usize {
        self.frame.capacity()
    }
}

impl Deref for FrameText {
    type Target = str;

    /// It is UTF-8, as the scan of the frame found; this looks again.
    fn deref(&self) -> &str {
        json::utf8(self.span.of(&self.frame))
    }
}

impl fmt::Debug for FrameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The parameters of a request, with the places that the scan of its frame found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Params<'a> {
    /// Their text, an object, where there are some.
    pub text: Option<&'a str>,
    /// `_meta`.
    pub meta: Option<&'a str>,
    /// `name`.
    pub name: Option<&'a str>,
    /// `arguments`.
    pub arguments: Option<&'a str>,
    /// The memory that `text` is in.
    kept: Option<&'a FrameText>,
}

impl<'a> Params<'a> {
    /// The parameters `kept` of a frame. They begin at `start` of the frame, in which the places `inner` are.
    pub fn of(kept: Option<&'a FrameText>, inner: &Inner) -> Params<'a> {
        let Some(kept) = kept else {
            return Params { text: None, meta: None, name: None, arguments: None, kept: None };
        };
        let (text, start) = (&**kept, kept.span.start);
        let part = |value: Option<Value>| {
            let Span { start: from, end } = value?.span;
            text.get(from.checked_sub(start)?..end.checked_sub(start)?)
        };
        let (meta, name, arguments) = (part(inner.meta), part(inner.name), part(inner.arguments));
        Params { text: Some(text), meta, name, arguments, kept: Some(kept) }
    }

    /// The parameters to keep, an empty object where there are none.
    pub fn kept(&self) -> FrameText {
        self.kept.cloned().unwrap_or_else(|| FrameText::copied("{}"))
    }
}
