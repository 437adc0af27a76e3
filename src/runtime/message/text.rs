//! Text of messages, which C reads in place.

use crate::json;
use crate::json::Span;
use crate::protocol::content;
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Text that C can read in place: followed by a NUL byte.
#[derive(Debug)]
pub(super) enum MessageText {
    /// In the message's frame, where the byte after it was made NUL.
    InFrame(Span),
    /// The result in a large frame.
    Large(Box<LargeReply>),
    /// Its own, NUL at the end.
    Own(Box<[u8]>),
    /// A constant, NUL at the end.
    Static(&'static [u8]),
    /// The parameters of a request of a client, which the server keeps too.
    #[cfg(feature = "server")]
    Shared(crate::engine::server::FrameText),
}

pub(super) const EMPTY_OBJECT: &[u8] = b"{}\0";

impl MessageText {
    /// How much memory it has besides the message's frame.
    pub(super) fn held(&self) -> usize {
        match self {
            MessageText::Own(text) => text.len(),
            MessageText::Large(large) => large.len(),
            #[cfg(feature = "server")]
            MessageText::Shared(text) => text.held(),
            MessageText::InFrame(_) | MessageText::Static(_) => 0,
        }
    }

    /// The text in a message with this frame, and a NUL behind it.
    pub(super) fn with_nul<'a>(&'a self, frame: &'a [u8]) -> &'a [u8] {
        match self {
            MessageText::InFrame(span) => frame.get(span.start..=span.end).unwrap_or(EMPTY_OBJECT),
            MessageText::Large(large) => large.json().unwrap_or(EMPTY_OBJECT),
            MessageText::Own(text) => text,
            MessageText::Static(text) => text,
            #[cfg(feature = "server")]
            MessageText::Shared(text) => text.with_nul(),
        }
    }
}

pub(super) fn own(text: String) -> MessageText {
    let mut bytes = text.into_bytes();
    // Exactly the room there has to be, so that nothing is left to give back.
    bytes.reserve_exact(1);
    bytes.push(0);
    MessageText::Own(bytes.into_boxed_slice())
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

// The frame of a large reply, lent to the application as JSON or as the text in it, whichever it asks for first.
//
// A file of many megabytes that a tool hands over is mostly one text without escapes. It could be read where it is, but
// for the NUL that has to follow it in place of its closing quote, and then the JSON around it is not valid JSON any more. So
// the first question decides: text is terminated in place and not copied, and only an application that asks for the JSON
// too pays for a copy of that; or the JSON stays as it is, and text is copied out of it as it is for small replies.

/// From this size on a frame is worth the care.
pub(super) const LARGE_BYTES: usize = 64 * 1024;

/// The frame of a large reply.
#[derive(Debug)]
pub(super) struct LargeReply {
    /// The result in the frame; the byte after it is NUL.
    json: Span,
    length: usize,
    /// The frame, until the application asks for something.
    untouched: Mutex<Option<Vec<u8>>>,
    /// The frame, once it is lent and cannot change any more.
    lent: OnceLock<LentFrame>,
    /// The JSON as it was, for an application that asked for the text first.
    copy: OnceLock<Box<[u8]>>,
}

/// The text is to be copied out of the JSON.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct JsonFirst;

#[derive(Debug)]
struct LentFrame {
    frame: Vec<u8>,
    text: LentText,
}

/// What was found out about the text before the frame was lent.
#[derive(Debug)]
enum LentText {
    /// Nothing: the JSON was asked for.
    Unasked,
    /// It is in the frame, with a NUL in place of its closing quote.
    InFrame(Span),
    /// Its own memory, NUL at the end, or there is none.
    Own(Option<Box<[u8]>>),
}

impl LargeReply {
    pub(super) fn new(frame: Vec<u8>, json: Span) -> LargeReply {
        LargeReply {
            json,
            length: frame.len(),
            untouched: Mutex::new(Some(frame)),
            lent: OnceLock::new(),
            copy: OnceLock::new(),
        }
    }

    /// How large the frame is.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The result and a NUL behind it.
    pub(super) fn json(&self) -> Option<&[u8]> {
        let lent = self.lent.get_or_init(|| LentFrame { frame: self.take(), text: LentText::Unasked });
        let LentText::InFrame(text) = &lent.text else { return self.result(&lent.frame) };
        let copy = self.copy.get_or_init(|| {
            let mut copy = self.result(&lent.frame).unwrap_or_default().to_vec();
            if let Some(quote) = copy.get_mut(text.end - self.json.start) {
                *quote = b'"';
            }
            copy.into_boxed_slice()
        });
        (!copy.is_empty()).then_some(copy)
    }

    /// The text content and a NUL behind it; `None` if there is none.
    ///
    /// # Errors
    /// The JSON was asked for before, and is lent as it is.
    pub(super) fn text(&self) -> Result<Option<&[u8]>, JsonFirst> {
        let lent = self.lent.get_or_init(|| {
            let mut frame = self.take();
            let text = self.find(&frame);
            if let LentText::InFrame(Span { end, .. }) = &text
                && let Some(quote) = frame.get_mut(*end)
            {
                *quote = 0;
            }
            LentFrame { frame, text }
        });
        match &lent.text {
            LentText::Unasked => Err(JsonFirst),
            LentText::InFrame(text) => Ok(lent.frame.get(text.start..=text.end)),
            LentText::Own(text) => Ok(text.as_deref()),
        }
    }

    fn take(&self) -> Vec<u8> {
        self.untouched.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }

    fn result<'f>(&self, frame: &'f [u8]) -> Option<&'f [u8]> {
        frame.get(self.json.start..=self.json.end)
    }

    fn find(&self, frame: &[u8]) -> LentText {
        match content::text_of(frame.get(self.json.range()).unwrap_or_default()) {
            // Where it is in the frame: it was borrowed from there.
            Some(Cow::Borrowed(text)) => {
                let start = text.as_ptr().addr() - frame.as_ptr().addr();
                LentText::InFrame(Span { start, end: start + text.len() })
            }
            Some(Cow::Owned(text)) => LentText::Own(Some(terminated(text))),
            None => LentText::Own(None),
        }
    }
}

/// Text with a NUL behind it.
pub(super) fn terminated(mut text: Vec<u8>) -> Box<[u8]> {
    text.reserve_exact(1);
    text.push(0);
    text.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large(result: &str) -> LargeReply {
        let frame = format!(r#"{{"id":1,"result":{result},"jsonrpc":"2.0"}}"#);
        let json = Span { start: 17, end: 17 + result.len() };
        let mut frame = frame.into_bytes();
        assert_eq!(frame[json.end], b',');
        frame[json.end] = 0;
        LargeReply::new(frame, json)
    }

    fn with_nul(text: &str) -> Vec<u8> {
        [text.as_bytes(), b"\0"].concat()
    }

    const PLAIN: &str = r#"{"content":[{"type":"text","text":"plain"}],"isError":false}"#;
    const ESCAPED: &str = r#"{"content":[{"type":"text","text":"a\nb"}],"isError":false}"#;

    #[test]
    fn text_asked_for_first_is_read_in_place_and_the_json_is_whole_all_the_same() {
        let large = large(PLAIN);
        let text = large.text().ok().flatten().expect("a text");
        assert_eq!(text, b"plain\0");
        assert_eq!(large.json(), Some(with_nul(PLAIN).as_slice()));
        assert_eq!(text, b"plain\0", "what was lent stays");
        assert_eq!(large.json().map(<[u8]>::as_ptr), large.json().map(<[u8]>::as_ptr), "one copy");
    }

    #[test]
    fn json_asked_for_first_stays_in_place() {
        let large = large(PLAIN);
        assert_eq!(large.json(), Some(with_nul(PLAIN).as_slice()));
        assert_eq!(large.text(), Err(JsonFirst), "to be copied out");
        assert_eq!(large.json(), Some(with_nul(PLAIN).as_slice()));
    }

    #[test]
    fn escaped_text_has_memory_of_its_own() {
        let large = large(ESCAPED);
        assert_eq!(large.text(), Ok(Some(b"a\nb\0".as_slice())));
        assert_eq!(large.json(), Some(with_nul(ESCAPED).as_slice()));
    }

    #[test]
    fn where_there_is_no_text_there_is_none() {
        let result = r#"{"tools":[]}"#;
        let large = large(result);
        assert_eq!(large.text(), Ok(None));
        assert_eq!(large.json(), Some(with_nul(result).as_slice()));
    }
}
