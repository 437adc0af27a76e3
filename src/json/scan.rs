//! The scan that every text from outside goes through once: is it valid, and where are the members somebody wants?
//! Which names those are, and what they mean, is not known here.

use super::error::{ErrorKind, ScanError};
use super::grammar::{Name, Reader, Turn};
use super::string::spells;
use super::value::{Kind, Span, Value};

/// One member the scan looks for at the top level, and the names it looks for inside the value when that is an object.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The name at the top level.
    pub name: &'static str,
    /// The names one level below.
    pub inner: &'static [&'static str],
}

/// Validates `text` as exactly one JSON object in UTF-8 (white space around it is allowed) and records in `found` where
/// each wanted member's value is, in one pass without building a tree, allocating or copying.
///
/// `found` has one slot for each [`Wanted`] in order, each followed by one slot for each of its inner names; all are
/// reset to `None` first. A wanted top-level name that occurs twice is [`ErrorKind::Duplicate`]; of an inner name that
/// occurs twice the last one is recorded; other members are checked and skipped. Names are compared unescaped:
/// `"\u0069d"` is `id`. An object or array nested deeper than `depth` levels, the outermost being the first, is
/// [`ErrorKind::Depth`]; a `depth` over [`MAX_DEPTH`](super::MAX_DEPTH) counts as that.
pub fn scan_object(
    text: &[u8],
    wanted: &[Wanted],
    depth: usize,
    found: &mut [Option<Value>],
) -> Result<(), ScanError> {
    found.fill(None);
    let mut reader = Reader::of_bytes(text, depth);
    reader.begin()?;
    if reader.kind() != Some(Kind::Object) {
        let value = reader.value()?;
        reader.end()?;
        return Err(ScanError { kind: ErrorKind::NotAnObject(value.kind), offset: value.span.start });
    }
    reader.enter(Kind::Object)?;
    let mut turn = Turn::First;
    while let Some(name) = reader.member(turn)? {
        turn = Turn::Next;
        let Some((wanted, slots)) = slots_for(name, text, wanted, found) else {
            reader.value()?;
            continue;
        };
        if slots.first().is_some_and(Option::is_some) {
            return Err(ScanError { kind: ErrorKind::Duplicate(wanted.name), offset: name.span.start - 1 });
        }
        let (own, inner) = slots.split_at_mut(slots.len().min(1));
        let value = value_with_inner(&mut reader, text, wanted.inner, inner)?;
        own.fill(Some(value));
    }
    reader.end()
}

/// Validates `text` as exactly one JSON value of any kind in UTF-8, and gives it without the white space around it.
/// `depth` is as in [`scan_object`].
pub fn scan_value(text: &[u8], depth: usize) -> Result<Value, ScanError> {
    let mut reader = Reader::of_bytes(text, depth);
    reader.begin()?;
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// The wanted member of that name, and the slots from its own on: none of them if the caller gave too few.
#[inline]
fn slots_for<'w, 'f>(
    name: Name,
    text: &[u8],
    wanted: &'w [Wanted],
    found: &'f mut [Option<Value>],
) -> Option<(&'w Wanted, &'f mut [Option<Value>])> {
    let mut slot = 0;
    for candidate in wanted {
        if is_called(name, text, candidate.name) {
            return Some((candidate, found.get_mut(slot..).unwrap_or_default()));
        }
        slot += 1 + candidate.inner.len();
    }
    None
}

/// The value here; if it is an object, with the members called `names` recorded in `slots`.
#[inline]
fn value_with_inner(
    reader: &mut Reader<'_>,
    text: &[u8],
    names: &[&str],
    slots: &mut [Option<Value>],
) -> Result<Value, ScanError> {
    if names.is_empty() || reader.kind() != Some(Kind::Object) {
        return reader.value();
    }
    let start = reader.at();
    reader.enter(Kind::Object)?;
    let mut turn = Turn::First;
    while let Some(name) = reader.member(turn)? {
        turn = Turn::Next;
        let slot = names.iter().position(|wanted| is_called(name, text, wanted));
        let value = reader.value()?;
        if let Some(slot) = slot.and_then(|slot| slots.get_mut(slot)) {
            *slot = Some(value);
        }
    }
    Ok(Value { span: Span { start, end: reader.at() }, kind: Kind::Object })
}

#[inline]
fn is_called(name: Name, text: &[u8], wanted: &str) -> bool {
    let raw = name.span.of(text);
    if name.escaped {
        return std::str::from_utf8(raw).is_ok_and(|raw| spells(raw, wanted));
    }
    raw == wanted.as_bytes()
}
