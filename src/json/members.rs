//! Takes validated text apart: the members of an object, the elements of an array, one member by name. Text that is not
//! valid does no harm: an iterator ends where it cannot go on.

use std::iter::FusedIterator;

use super::cursor::Cursor;
use super::value::{Kind, Span, is_space};

/// The members of an object, in order: see [`members`].
#[derive(Clone, Debug)]
pub struct Members<'a> {
    text: &'a str,
    walk: Walk<'a>,
}

/// The elements of an array, in order: see [`elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    text: &'a str,
    walk: Walk<'a>,
}

/// How far an iterator is: `None` after the last part, so that nothing is read behind it.
type Walk<'a> = Option<Cursor<'a>>;

/// A walk that stands before the first part of `text`, or is over if that is not of this kind.
fn into(text: &str, kind: Kind) -> Walk<'_> {
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
    let mut cursor = Cursor::new(object.as_bytes());
    let mut found = None;
    if cursor.enter(Kind::Object) {
        while let Some(raw) = cursor.member() {
            let Some(value) = cursor.skip() else { break };
            if raw.is(name) {
                found = Some(value);
            }
        }
    }
    found
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
