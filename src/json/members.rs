//! Takes validated text apart: the members of an object, the elements of an array, one member by name. Text that is not
//! valid does no harm: an iterator ends where it cannot go on.

use std::iter::FusedIterator;

use super::grammar::{Reader, Turn, is_space};
use super::string::spells;
use super::value::Kind;

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

/// How far an iterator is.
#[derive(Clone, Debug)]
struct Walk<'a> {
    reader: Reader<'a>,
    turn: Turn,
    over: bool,
}

impl<'a> Walk<'a> {
    /// A walk that stands before the first part of `text`, or is over if that is not of this kind.
    fn into(text: &'a str, kind: Kind) -> Self {
        let mut reader = Reader::of_text(text);
        let inside = reader.begin().is_ok() && reader.kind() == Some(kind) && reader.enter(kind).is_ok();
        Self { reader, turn: Turn::First, over: !inside }
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let Walk { reader, turn, over } = &mut self.walk;
        if *over {
            return None;
        }
        *over = true;
        let name = reader.member(*turn).ok()??;
        let value = reader.value().ok()?;
        *over = false;
        *turn = Turn::Next;
        Some((name.span.str(self.text), value.span.str(self.text)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<Self::Item> {
        let Walk { reader, turn, over } = &mut self.walk;
        if *over {
            return None;
        }
        *over = true;
        if !reader.element(*turn).ok()? {
            return None;
        }
        let value = reader.value().ok()?;
        *over = false;
        *turn = Turn::Next;
        Some(value.span.str(self.text))
    }
}

impl FusedIterator for Members<'_> {}
impl FusedIterator for Elements<'_> {}

/// The members of `object`: the name as it is written, without its quotes and still escaped, and the text of the value.
/// None if `object` is something else.
pub fn members(object: &str) -> Members<'_> {
    Members { text: object, walk: Walk::into(object, Kind::Object) }
}

/// The elements of `array`. None if `array` is something else.
pub fn elements(array: &str) -> Elements<'_> {
    Elements { text: array, walk: Walk::into(array, Kind::Array) }
}

/// The value of the member of `object` that is called `name`, whichever way that is escaped; the last one if there are
/// several.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    members(object).filter(|(raw, _)| spells(raw, name)).last().map(|(_, value)| value)
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
