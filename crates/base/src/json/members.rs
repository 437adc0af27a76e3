//! Objects and arrays taken apart, JSON Pointer, and what a tree of a text would take.

use crate::json::cursor::Cursor;
use crate::json::error::PointerError;
use crate::json::value::{Kind, Span, is_space};
use std::borrow::Cow;
use std::iter::FusedIterator;

/// The members of an object, in order: see [`members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    text: &'a str,
    walk: MemberWalk<'a>,
}

/// The elements of an array, in order: see [`elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    text: &'a str,
    walk: MemberWalk<'a>,
}

/// How far an iterator is: `None` after the last part, so that nothing is read behind it.
type MemberWalk<'a> = Option<Cursor<'a>>;

/// A walk that stands before the first part of `text`, or is over if that is not of this kind.
fn into(text: &str, kind: Kind) -> MemberWalk<'_> {
    let mut cursor = Cursor::new(text.as_bytes());
    cursor.enter(kind).then_some(cursor)
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.walk.as_mut()?;
        let part = cursor.next_name().and_then(|name| Some((name.span, cursor.skip()?)));
        if part.is_none() {
            self.walk = None;
        }
        part.map(|(name, value)| (name.str(self.text), value.str(self.text)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = self.walk.as_mut()?;
        let part = if cursor.element() { cursor.skip() } else { None };
        if part.is_none() {
            self.walk = None;
        }
        part.map(|value| value.str(self.text))
    }
}

impl FusedIterator for Members<'_> {}
impl FusedIterator for Elements<'_> {}

/// The members of `object`: the name as it is written, without its quotes and still escaped, and the text of the value.
/// None if `object` is something else.
pub fn members(object: &str) -> Members<'_> {
    Members { text: object, walk: into(object, Kind::Object) }
}

/// The elements of `array`. None if `array` is something else.
pub fn elements(array: &str) -> Elements<'_> {
    Elements { text: array, walk: into(array, Kind::Array) }
}

/// The value of the member of `object` that is called `name`, whichever way that is escaped; the last one if there are
/// several.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    member_span(object, name).map(|value| value.str(object))
}

/// The same, as the place of the value in `object`.
pub fn member_span(object: &str, name: &str) -> Option<Span> {
    let text = object.as_bytes();
    let mut cursor = Cursor::new(text);
    let mut found = None;
    if cursor.enter(Kind::Object) {
        while let Some(written) = cursor.next_name() {
            let Some(value) = cursor.skip() else { break };
            if written.is(text, name) {
                found = Some(value);
            }
        }
    }
    found
}

/// The values of the members of `object` with these names, in one walk; of several with one name the last one counts.
pub fn pick<'a, const N: usize>(object: &'a str, names: [&str; N]) -> [Option<&'a str>; N] {
    picked(object, &mut Cursor::new(object.as_bytes()), names).unwrap_or([None; N])
}

/// The same; nothing if `object` is not an object, or has several members with one of these names.
pub fn pick_single<'a, const N: usize>(object: &'a str, names: [&str; N]) -> Option<[Option<&'a str>; N]> {
    let text = object.as_bytes();
    let mut cursor = Cursor::new(text);
    if !cursor.enter(Kind::Object) {
        return None;
    }
    let mut found = [None; N];
    while let Some(written) = cursor.next_name() {
        let value = cursor.skip()?;
        if let Some(slot) = names.iter().position(|name| written.is(text, name))
            && found[slot].replace(value.str(object)).is_some()
        {
            return None;
        }
    }
    Some(found)
}

/// The same as [`pick`] for each element of `array`, in one walk over all of them; `None` for an element that is not an object.
pub fn picks<'a, const N: usize>(
    array: &'a str,
    names: [&'a str; N],
) -> impl Iterator<Item = Option<[Option<&'a str>; N]>> {
    let mut walk = into(array, Kind::Array);
    std::iter::from_fn(move || {
        let cursor = walk.as_mut()?;
        if !cursor.element() {
            walk = None;
            return None;
        }
        let found = picked(array, cursor, names);
        if found.is_none() && cursor.skip().is_none() {
            walk = None;
            return None;
        }
        Some(found)
    })
}

/// Goes through the object of `text` that the cursor is at; nothing and not a step for another value.
fn picked<'a, const N: usize>(
    text: &'a str,
    cursor: &mut Cursor<'a>,
    names: [&str; N],
) -> Option<[Option<&'a str>; N]> {
    if !cursor.enter(Kind::Object) {
        return None;
    }
    let mut found = [None; N];
    while let Some(written) = cursor.next_name() {
        let Some(value) = cursor.skip() else { break };
        if let Some(slot) = names.iter().position(|name| written.is(text.as_bytes(), name)) {
            found[slot] = Some(value.str(text));
        }
    }
    Some(found)
}

/// What kind of value `value` is, by how it begins.
pub fn kind(value: &str) -> Option<Kind> {
    value.trim_start_matches(is_space).bytes().next().and_then(Kind::of)
}

/// How many members an object or elements an array has; `None` for every other value.
pub fn count(value: &str) -> Option<usize> {
    match kind(value)? {
        Kind::Object => Some(members(value).count()),
        Kind::Array => Some(elements(value).count()),
        _ => None,
    }
}

/// What `pointer` points at in `value`: an error if it is not a JSON Pointer, `None` if nothing is there. Of several
/// members with one name the last one counts, as in [`member`].
pub fn pointer<'a>(value: &'a str, pointer: &str) -> Result<Option<&'a str>, PointerError> {
    check(pointer)?;
    let mut here = value.trim_matches(crate::json::value::is_space);
    // What is before the first '/' is the empty text.
    for token in pointer.split('/').skip(1) {
        match step(here, token) {
            Some(next) => here = next,
            None => return Ok(None),
        }
    }
    Ok(Some(here))
}

/// Section 3: a pointer is a series of tokens, each with a `/` before it, in which `~` occurs as `~0` or `~1` only.
fn check(pointer: &str) -> Result<(), PointerError> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(PointerError::NoSlash);
    }
    for (at, _) in pointer.match_indices('~') {
        if !matches!(pointer.as_bytes().get(at + 1), Some(b'0' | b'1')) {
            return Err(PointerError::Tilde(at));
        }
    }
    Ok(())
}

/// Section 4: one step down.
fn step<'a>(value: &'a str, token: &str) -> Option<&'a str> {
    match kind(value)? {
        Kind::Object => member(value, &decoded(token)),
        Kind::Array => elements(value).nth(index(token)?),
        _ => None,
    }
}

/// Section 4: `~1` is `/`, and `~0` is `~`, in this order, so that `~01` is `~1`.
fn decoded(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Section 4: an index has no leading zero. `-`, the place after the last element, is where nothing is.
fn index(token: &str) -> Option<usize> {
    let leading_zero = token.len() > 1 && token.starts_with('0');
    if leading_zero || !token.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    token.parse().ok()
}

/// A value, a name or an element of a list in a usual tree of values.
const VALUE: usize = 32;
/// The least that a list has besides its elements, and an object besides its members.
const LIST: usize = 128;
const OBJECT: usize = 640;

/// About how many bytes a usual tree of the values of a valid text takes, besides its strings: many times the text where that is
/// `[[],[],...]` or `[{"a":1},...]`. To be asked before such a tree is made.
pub fn tree_bytes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut sum) = (0, VALUE);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b',' => sum += VALUE,
            b'[' => sum += LIST,
            b'{' => sum += OBJECT,
            b'"' => {
                // To the end of the string.
                while let Some(skip) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
                    let is_end = bytes.get(at + skip) == Some(&b'"');
                    at += skip + if is_end { 1 } else { 2 };
                    if is_end {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_as_text_and_large_as_a_tree_is_found() {
        for (text, expected) in [
            ("1", VALUE),
            (r#""[[[{{,,,\"[[\\""#, VALUE),
            ("[]", VALUE + LIST),
            ("[1,2]", 2 * VALUE + LIST),
            (r#"{"a":{"b,":[]},"c":"\\\"]["}"#, 2 * VALUE + 2 * OBJECT + LIST),
        ] {
            assert_eq!(tree_bytes(text), expected, "{text}");
        }
        assert!(tree_bytes(&format!("[{}]", "[],".repeat(100_000))) > 10_000_000);
        assert!(tree_bytes(&format!("\"{}\"", "[],".repeat(100_000))) < 100);
    }
}
