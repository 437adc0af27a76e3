//! The parameters of a request, in the frame that they came in: nothing of them is copied on the way to the handler. And the id of a
//! request, in the type it came in.

use crate::json;
use crate::json::{Span, Value};
use crate::protocol::envelope::{Inner, META_MEMBERS};
use crate::protocol::lenient;
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
        // A large frame comes in the buffer that it was read into, which had room for more.
        if frame.capacity() > frame.len() + frame.len() / 8 + 64 {
            frame.shrink_to_fit();
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
    pub fn beside(&self, span: Span) -> &str {
        json::utf8(span.of(&self.frame))
    }

    /// How many bytes the frame has, which is about the memory that it keeps.
    pub fn held(&self) -> usize {
        self.frame.len()
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
pub struct RequestParams<'a> {
    /// Their text, an object, where there are some.
    pub text: Option<&'a str>,
    /// `_meta`.
    pub meta: Option<&'a str>,
    /// `name`.
    pub name: Option<&'a str>,
    /// `arguments`.
    pub arguments: Option<&'a str>,
    /// Whether they bring answers or a state of an earlier request.
    pub is_retry: bool,
    /// The members of `_meta` that every request is asked for, where the scan of the frame has found them.
    pub meta_members: Option<[Option<&'a str>; META_MEMBERS.len()]>,
    /// The memory that `text` is in.
    kept: Option<&'a FrameText>,
}

impl<'a> RequestParams<'a> {
    /// The parameters `kept` of a frame. They begin at `start` of the frame, in which the places `inner` are.
    pub fn of(kept: Option<&'a FrameText>, inner: &Inner) -> RequestParams<'a> {
        let Some(kept) = kept else {
            return RequestParams {
                text: None,
                meta: None,
                name: None,
                arguments: None,
                is_retry: false,
                meta_members: None,
                kept: None,
            };
        };
        let (text, start) = (&**kept, kept.span.start);
        let part = |value: Option<Value>| {
            let Span { start: from, end } = value?.span;
            text.get(from.checked_sub(start)?..end.checked_sub(start)?)
        };
        let (meta, name, arguments) = (part(inner.meta), part(inner.name), part(inner.arguments));
        let (meta_members, is_retry) = (inner.meta_texts(text, start), inner.is_retry);
        RequestParams { text: Some(text), meta, name, arguments, is_retry, meta_members, kept: Some(kept) }
    }

    /// Those of a call that begins again: what was answered and kept before is not taken up.
    pub fn again(kept: &'a FrameText) -> RequestParams<'a> {
        let text = &**kept;
        let [meta, name, arguments] = json::pick(text, ["_meta", "name", "arguments"]);
        let (text, kept) = (Some(text), Some(kept));
        RequestParams { text, meta, name, arguments, is_retry: false, meta_members: None, kept }
    }

    /// The parameters to keep, an empty object where there are none.
    pub fn kept(&self) -> FrameText {
        self.kept.cloned().unwrap_or_else(|| FrameText::copied("{}"))
    }
}

/// A member of the parameters; one that is null is absent.
pub fn given<'a>(params: Option<&'a str>, name: &str) -> Option<&'a str> {
    lenient::member(params?, name)
}

/// The most bytes of a request's id.
pub const ID_BYTES: usize = 1024;

/// A request's id as JSON text: a string or an integer. The same id has the same text, so that `"a"` and `"\u0061"` are one. Clones
/// share the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WireId(Arc<str>);

impl WireId {
    /// The id that `text` is, unless it is neither a string nor an integer, or has more than `limit` bytes (S-JR-03).
    pub fn read(text: &str, limit: usize) -> Option<WireId> {
        if text.len() > limit {
            return None;
        }
        match text.as_bytes() {
            [b'"', ..] if text.contains('\\') => json::string(text).map(|id| WireId(json::quote(&id).into())),
            [b'"', ..] => Some(WireId(text.into())),
            number => {
                let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
                if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
                    return Some(WireId(text.into()));
                }
                // Languages without integers write 2 as 2.0.
                json::whole(number).ok().map(|id| WireId(id.to_string().into()))
            }
        }
    }

    /// The id of a request that has become a task, from the task's name.
    pub fn of_task(name: &str) -> WireId {
        WireId(name.into())
    }

    /// The id as it goes back.
    pub fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::envelope::{Incoming, parse};

    fn read(frame: &str) -> (FrameText, Inner) {
        match parse(frame.as_bytes(), 64) {
            Ok(Incoming::Request { params: Some(params), inner, .. }) => {
                (FrameText::new(frame.as_bytes().to_vec(), params), inner)
            }
            other => panic!("{frame}: {other:?}"),
        }
    }

    #[test]
    fn parameters_stay_in_their_frame_with_a_nul_behind_them() {
        for frame in [
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"\u65e5","arguments":{"_meta":1},"_meta":{"a":1}}}"#,
            r#"{"params": {"_meta":{"a":1},"arguments":{"_meta":1},"name":"\u65e5"} ,"method":"m","id":1,"jsonrpc":"2.0"}"#,
            r#"{"params":{"name":"first","_meta":7,"_meta":{"a":1},"name":"\u65e5","arguments":{"_meta":1}},"id":1,"method":"m","jsonrpc":"2.0"}"#,
        ] {
            let (kept, inner) = read(frame);
            let params = RequestParams::of(Some(&kept), &inner);
            assert_eq!((params.name, params.meta), (Some(r#""\u65e5""#), Some(r#"{"a":1}"#)), "{frame}");
            assert_eq!((params.arguments, params.is_retry), (Some(r#"{"_meta":1}"#), false), "{frame}");
            assert!(frame.contains(&*kept) && kept.starts_with('{') && kept.ends_with('}'), "{kept:?}");
            assert_eq!(kept.with_nul(), [kept.as_bytes(), b"\0"].concat());
            assert_eq!(kept.clone().with_nul(), params.kept().with_nul());
        }
        for member in ["requestState", "inputResponses"] {
            let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"{member}":"x"}}}}"#);
            assert!(read(&frame).1.is_retry, "{frame}");
            assert!(!read(&frame.replace("\"x\"", "null")).1.is_retry, "null is absent");
        }
    }

    #[test]
    fn a_frame_gives_room_back_that_it_does_not_need() {
        let mut frame = Vec::with_capacity(200_000);
        frame.resize(100_000, b' ');
        frame.extend_from_slice(b"{}");
        let text = FrameText::new(frame, Span { start: 100_000, end: 100_002 });
        assert_eq!((&*text, text.with_nul()), ("{}", &b"{}\0"[..]));
        assert!(text.frame.capacity() < 115_000 && text.held() < 101_000, "{}", text.frame.capacity());
    }

    #[test]
    fn a_request_without_parameters_has_an_empty_object() {
        let params = RequestParams::of(None, &Inner::default());
        assert_eq!((params.text, params.name, params.meta, params.arguments), (None, None, None, None));
        assert_eq!(params.kept().with_nul(), b"{}\0");
    }

    #[test]
    fn strings_and_integers_are_ids() {
        for text in ["1", "\"1\"", "0", "\"\"", "-7", "9007199254740992", "123456789012345678901234567890"] {
            assert_eq!(WireId::read(text, 64).as_ref().map(WireId::text), Some(text));
        }
        assert_eq!(WireId::read("-2.0", 64), WireId::read("-2", 64));
        assert_eq!(WireId::read("20e-1", 64), WireId::read("2", 64));
        for text in ["null", "true", "1.5", ".0", "1e-1", "1e400", "[1]", "{}", "-", ""] {
            assert_eq!(WireId::read(text, 64), None, "{text}");
        }
    }

    #[test]
    fn an_id_is_the_same_however_its_string_is_escaped() {
        assert_eq!(WireId::read("\"a\"", 64), WireId::read("\"\\u0061\"", 64));
        assert_ne!(WireId::read("1", 64), WireId::read("\"1\"", 64));
    }

    #[test]
    fn a_long_id_is_refused() {
        assert_eq!(WireId::read("\"abc\"", 4), None);
    }
}
