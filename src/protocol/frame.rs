//! A message of ours as it goes to a transport: its text, and what a transport may need to know of it, so that none below
//! the engine reads again what was written here.

use super::envelope::text;
use crate::json::{self, Span};
use std::borrow::Cow;

/// What kind of message a frame of ours is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// A request, with its id.
    Request(u64),
    /// A notification.
    Notification,
    /// The answer to a request of the peer, a result or an error.
    Answer,
}

/// What there is to know of a frame without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    /// What kind of message it is.
    pub kind: FrameKind,
    /// The method; empty for an answer.
    pub method: Cow<'static, str>,
    /// Where the parameters are in the text.
    pub(super) params: Option<Span>,
    /// Where the value is in the text that the HTTP header `Mcp-Name` repeats.
    pub(super) name: Option<Span>,
}

impl FrameInfo {
    /// The parameters, JSON text in `frame`.
    pub fn params<'a>(&self, frame: &'a [u8]) -> Option<&'a str> {
        self.params.map(|params| text(frame, params))
    }

    /// What the message is about, decoded: the tool's or prompt's name, the resource's URI just as it is written, the
    /// task's id. `None` where the method has nothing of the kind or the value is no string.
    pub fn name<'a>(&self, frame: &'a [u8]) -> Option<Cow<'a, str>> {
        self.name.and_then(|name| json::string(text(frame, name)))
    }
}

/// A message of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The text, on one line.
    pub text: Vec<u8>,
    /// What it is.
    pub info: FrameInfo,
}

impl Frame {
    /// The id, if it is a request.
    #[cfg(any(test, fuzzing))]
    pub fn exchange(&self) -> Option<u64> {
        match self.info.kind {
            FrameKind::Request(id) => Some(id),
            FrameKind::Notification | FrameKind::Answer => None,
        }
    }
}
