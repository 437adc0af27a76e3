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
#[cfg(any(test, feature = "server"))]
pub fn pick<'a, const N: usize>(object: &'a str, names: [&str; N]) -> [Option<&'a str>; N] {
    picked(object, &mut Cursor::new(object.as_bytes()), names).unwrap_or([None; N])
}

/// The same; nothing if `object` is no object, or has several members with one of these names.
#[cfg(feature = "server")]
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

/// The same as [`pick`] for each element of `array`, in one walk over all of them; `None` for an element that is no object.
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
