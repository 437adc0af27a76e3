//! The one scan of every received text: whether it is valid, and where the requested members are.
//! Which names those are, and what they mean, is not known here.

use super::error::{ErrorKind, ScanError};
use super::grammar::{Level, Name, Reader};
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
    reset(found);
    let reader = Reader::new(text);
    let level = Level::outermost(depth);
    let start = reader.begin()?;
    if reader.kind(start) != Some(Kind::Object) {
        let kind = scan_value(text, depth)?.kind;
        return Err(ScanError { kind: ErrorKind::NotAnObject(kind), offset: start });
    }
    let end = reader.object(start, level, |name, start| {
        let Some((slot, member)) = wanted_as(name, text, wanted) else {
            return reader.value(start, level.inside(1));
        };
        if matches!(found.get(slot), Some(Some(_))) {
            return Err(ScanError { kind: ErrorKind::Duplicate(member.name), offset: name.span.start - 1 });
        }
        let kind = reader.kind(start);
        let end = if member.inner.is_empty() || kind != Some(Kind::Object) {
            reader.value(start, level.inside(1))?
        } else {
            let slots = found.get_mut(slot + 1..).unwrap_or_default();
            object_with_inner(reader, start, level.inside(1), text, member.inner, slots)?
        };
        if let Some(own) = found.get_mut(slot) {
            *own = kind.map(|kind| Value { span: Span { start, end }, kind });
        }
        Ok(end)
    })?;
    reader.end(end)
}

/// Validates `text` as exactly one JSON value of any kind in UTF-8, and gives it without the white space around it.
/// `depth` is as in [`scan_object`].
pub fn scan_value(text: &[u8], depth: usize) -> Result<Value, ScanError> {
    let reader = Reader::new(text);
    let start = reader.begin()?;
    let end = reader.value(start, Level::outermost(depth))?;
    reader.end(end)?;
    match reader.kind(start) {
        Some(kind) => Ok(Value { span: Span { start, end }, kind }),
        None => Err(ScanError { kind: ErrorKind::Empty, offset: start }),
    }
}

/// Empties the slots. (One `fill` for all becomes vector code that takes three times as long for a dozen of them.)
fn reset(found: &mut [Option<Value>]) {
    let (fours, rest) = found.as_chunks_mut::<4>();
    for four in fours {
        *four = [None; 4];
    }
    for slot in rest {
        *slot = None;
    }
}

/// The wanted member of that name, and which slot is its own.
#[inline]
fn wanted_as<'w>(name: Name, text: &[u8], wanted: &'w [Wanted]) -> Option<(usize, &'w Wanted)> {
    let index = wanted.iter().position(|candidate| name.is(text, candidate.name))?;
    let (before, rest) = wanted.split_at_checked(index)?;
    Some((before.iter().map(|other| 1 + other.inner.len()).sum(), rest.first()?))
}

/// The end of the object at `start`, with the members called `names` recorded in `slots`.
fn object_with_inner(
    reader: Reader<'_>,
    start: usize,
    level: Level,
    text: &[u8],
    names: &[&str],
    slots: &mut [Option<Value>],
) -> Result<usize, ScanError> {
    reader.object(start, level, |name, start| {
        let end = reader.value(start, level.inside(1))?;
        let slot = names.iter().position(|wanted| name.is(text, wanted));
        if let Some(slot) = slot.and_then(|slot| slots.get_mut(slot)) {
            *slot = reader.kind(start).map(|kind| Value { span: Span { start, end }, kind });
        }
        Ok(end)
    })
}
