//! Text of messages, which C reads in place.

use super::large::Large;
use crate::json::{self, Span};

/// Text that C can read in place: followed by a NUL byte.
#[derive(Debug)]
pub(super) enum Text {
    /// In the message's frame, where the byte after it was made NUL.
    InFrame(Span),
    /// The result in a large frame.
    Large(Box<Large>),
    /// Its own, NUL at the end.
    Own(Box<[u8]>),
    /// A constant, NUL at the end.
    Static(&'static [u8]),
    /// The parameters of a request of a client, which the server keeps too.
    #[cfg(feature = "server")]
    Shared(crate::engine::server::FrameText),
}

pub(super) const EMPTY_OBJECT: &[u8] = b"{}\0";

impl Text {
    /// How much memory it has besides the message's frame.
    pub(super) fn held(&self) -> usize {
        match self {
            Text::Own(text) => text.len(),
            Text::Large(large) => large.len(),
            #[cfg(feature = "server")]
            Text::Shared(text) => text.held(),
            Text::InFrame(_) | Text::Static(_) => 0,
        }
    }

    /// The text in a message with this frame, and a NUL behind it.
    pub(super) fn with_nul<'a>(&'a self, frame: &'a [u8]) -> &'a [u8] {
        match self {
            Text::InFrame(span) => frame.get(span.start..=span.end).unwrap_or(EMPTY_OBJECT),
            Text::Large(large) => large.json().unwrap_or(EMPTY_OBJECT),
            Text::Own(text) => text,
            Text::Static(text) => text,
            #[cfg(feature = "server")]
            Text::Shared(text) => text.with_nul(),
        }
    }
}

pub(super) fn own(text: String) -> Text {
    let mut bytes = text.into_bytes();
    // Exactly the room there has to be, so that nothing is left to give back.
    bytes.reserve_exact(1);
    bytes.push(0);
    Text::Own(bytes.into_boxed_slice())
}

/// Makes the byte after a value NUL. Inside an object there always is one: a comma, a brace, or white space.
pub(super) fn terminate(frame: &mut Vec<u8>, end: usize) {
    match frame.get_mut(end) {
        Some(byte) => *byte = 0,
        None => frame.push(0),
    }
}

pub(super) fn without_nul(text: &[u8]) -> &str {
    // Checked when the frame was scanned.
    json::utf8(text.strip_suffix(b"\0").unwrap_or(text))
}

/// What a server calls an input, as a message keeps it: whether more follow, and the name.
pub(super) fn input_as_text(asked: &crate::engine::Asked) -> Box<[u8]> {
    let name = crate::json::string(&format!("\"{}\"", asked.name)).unwrap_or_default().into_owned();
    std::iter::once(u8::from(asked.has_more)).chain(name.into_bytes()).collect()
}
