//! The one scan of every received text: whether it is valid, and where the requested members are.
//! Which names those are, and what they mean, is not known here.

use crate::json::body::{Flaw, Stretch, ascii, body, unescaped_run};
use crate::json::error::{ErrorKind, ScanError};
use crate::json::number::number;
use crate::json::string::spells;
use crate::json::value::{Kind, Span, Value};

/// One member the scan looks for at the top level, and the names it looks for inside the value when that is an object.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The name at the top level.
    pub name: &'static str,
    /// The names one level below.
    pub inner: &'static [&'static str],
}

/// The names that the scan looks for inside the value of one inner name, when that is an object.
#[derive(Debug)]
pub struct WantedBelow<'f> {
    /// The slot of that inner name.
    pub of: usize,
    /// The names two levels below the top.
    pub names: &'static [&'static str],
    /// For each of them the place of its value; empty if it is not there.
    pub found: &'f mut [Span],
    /// Whether there is an object to look into, which has none of the names twice.
    pub is_single: bool,
}

/// Validates `text` as exactly one JSON object in UTF-8 (white space around it is allowed) and records in `found` where
/// each wanted member's value is, in one pass without building a tree, allocating or copying.
///
/// `found` has one slot for each [`Wanted`] in order, each followed by one slot for each of its inner names; all are
/// reset to `None` first. A wanted top-level name that occurs twice is [`ErrorKind::Duplicate`]; of an inner name that
/// occurs twice the last one is recorded; other members are checked and skipped. Names are compared unescaped:
/// `"\u0069d"` is `id`. An object or array nested deeper than `depth` levels, the outermost being the first, is
/// [`ErrorKind::Depth`]; a `depth` over [`MAX_DEPTH`](crate::json::MAX_DEPTH) counts as that.
pub fn scan_object(
    text: &[u8],
    wanted: &[Wanted],
    depth: usize,
    found: &mut [Option<Value>],
) -> Result<(), ScanError> {
    let mut nothing = WantedBelow { of: usize::MAX, names: &[], found: &mut [], is_single: false };
    scan_object_below(text, wanted, depth, found, &mut nothing)
}

/// The same, and records what is wanted of the members of one inner name.
pub fn scan_object_below(
    text: &[u8],
    wanted: &[Wanted],
    depth: usize,
    found: &mut [Option<Value>],
    below: &mut WantedBelow<'_>,
) -> Result<(), ScanError> {
    reset(found);
    below.reset();
    let reader = CheckingReader::new(text);
    let level = NestingLevel::outermost(depth);
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
            object_with_inner(reader, start, level.inside(1), text, (member.inner, slots), (slot + 1, below))?
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
    let reader = CheckingReader::new(text);
    let start = reader.begin()?;
    let end = reader.value(start, NestingLevel::outermost(depth))?;
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

/// The end of the object at `start`, with the members called `names` recorded in `slots`, the first of which has the number `first`.
fn object_with_inner(
    reader: CheckingReader<'_>,
    start: usize,
    level: NestingLevel,
    text: &[u8],
    (names, slots): (&[&str], &mut [Option<Value>]),
    (first, below): (usize, &mut WantedBelow<'_>),
) -> Result<usize, ScanError> {
    reader.object(start, level, |name, start| {
        let kind = reader.kind(start);
        let Some(slot) = names.iter().position(|wanted| name.is(text, wanted)) else {
            return reader.value(start, level.inside(1));
        };
        let end = if first + slot == below.of {
            below.object(reader, start, level.inside(1), text)?
        } else {
            reader.value(start, level.inside(1))?
        };
        if let Some(slot) = slots.get_mut(slot) {
            *slot = kind.map(|kind| Value { span: Span { start, end }, kind });
        }
        Ok(end)
    })
}

impl WantedBelow<'_> {
    fn reset(&mut self) {
        self.found.fill(Span { start: 0, end: 0 });
        self.is_single = false;
    }

    /// The end of the value at `start`. Of several the last one counts.
    fn object(
        &mut self,
        reader: CheckingReader<'_>,
        start: usize,
        level: NestingLevel,
        text: &[u8],
    ) -> Result<usize, ScanError> {
        self.reset();
        if reader.kind(start) != Some(Kind::Object) {
            return reader.value(start, level);
        }
        self.is_single = true;
        reader.object(start, level, |name, start| {
            let end = reader.value(start, level.inside(1))?;
            let slot = self.names.iter().position(|wanted| name.is(text, wanted));
            if let Some(slot) = slot.and_then(|slot| self.found.get_mut(slot)) {
                self.is_single &= slot.end == 0;
                *slot = Span { start, end };
            }
            Ok(end)
        })
    }
}

/// The deepest nesting that can be asked for; a higher limit counts as this one.
pub const MAX_DEPTH: usize = 1024;

const WORD: usize = 64;
const TOO_SHORT: &str = "the text ends too early";

/// The byte at `at`; after the end a NUL, which begins no token and cannot stand in a string, so that one comparison
/// finds both that something is missing and that something else is there.
#[inline]
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

/// The place at which the next token begins, from `at` on.
#[inline]
pub(super) fn token(text: &[u8], at: usize) -> usize {
    let mut at = at;
    // Most often there is no white space, and one comparison tells.
    while byte(text, at) <= b' ' && matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// A member name: where it is without its quotes, and whether there is a backslash in it.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub span: Span,
    pub escaped: bool,
}

impl Name {
    /// Whether it spells `wanted`.
    #[inline]
    pub fn is(self, text: &[u8], wanted: &str) -> bool {
        let raw = self.span.of(text);
        if self.escaped {
            return std::str::from_utf8(raw).is_ok_and(|raw| spells(raw, wanted));
        }
        same(raw, wanted.as_bytes())
    }
}

/// Whether two names are the same. The length tells most of them apart, and what two words can hold is compared in place:
/// a comparison of memory would be a call.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ends = (a.first_chunk::<4>(), b.first_chunk::<4>(), a.last_chunk::<4>(), b.last_chunk::<4>());
    match ends {
        (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) if a.len() <= 8 => {
            a_first == b_first && a_last == b_last
        }
        (None, ..) => a.iter().eq(b),
        _ => a == b,
    }
}

/// The arrays and objects that are open: for each a bit, set for an object, the innermost one lowest.
struct OpenContainer<'s> {
    depth: usize,
    bits: u64,
    /// Where `bits` goes, a word at a time, when it is full.
    spilled: &'s mut [u64; MAX_DEPTH / WORD],
}

impl OpenContainer<'_> {
    #[inline]
    fn push(&mut self, kind: Kind) {
        if self.depth.is_multiple_of(WORD)
            && let Some(word) = self.spilled.get_mut(self.depth / WORD)
        {
            *word = self.bits;
        }
        self.bits = (self.bits << 1) | u64::from(kind == Kind::Object);
        self.depth += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.bits >>= 1;
        if self.depth.is_multiple_of(WORD)
            && let Some(word) = self.spilled.get(self.depth / WORD)
        {
            self.bits = *word;
        }
    }

    #[inline]
    fn in_object(&self) -> bool {
        self.bits & 1 == 1
    }
}

/// How deep a place is: the arrays and objects around it, and how many there may be.
#[derive(Clone, Copy)]
pub(super) struct NestingLevel {
    depth: usize,
    limit: usize,
}

impl NestingLevel {
    /// The outermost level, where `limit` are allowed.
    pub fn outermost(limit: usize) -> Self {
        Self { depth: 0, limit: limit.min(MAX_DEPTH) }
    }

    /// The level that many levels further in.
    #[inline]
    pub fn inside(self, levels: usize) -> Self {
        Self { depth: self.depth + levels, ..self }
    }

    /// Steps into the object or array at `at`, which is at this level.
    #[inline]
    fn enter(self, at: usize) -> Result<usize, ScanError> {
        if self.depth >= self.limit {
            return Err(fault(ErrorKind::Depth(self.limit), at));
        }
        Ok(at + 1)
    }
}

/// A reader of text from outside.
#[derive(Clone, Copy)]
pub(super) struct CheckingReader<'t> {
    text: &'t [u8],
}

impl<'t> CheckingReader<'t> {
    /// A reader of `text`.
    #[inline]
    pub fn new(text: &'t [u8]) -> Self {
        Self { text }
    }

    /// The first byte of the text's value.
    #[inline]
    pub fn begin(self) -> Result<usize, ScanError> {
        let at = token(self.text, 0);
        if at < self.text.len() { Ok(at) } else { Err(fault(ErrorKind::Empty, at)) }
    }

    /// Makes sure that nothing follows.
    #[inline]
    pub fn end(self, at: usize) -> Result<(), ScanError> {
        let at = token(self.text, at);
        if at < self.text.len() { Err(fault(ErrorKind::Trailing, at)) } else { Ok(()) }
    }

    /// The kind that the value at `at` must have.
    #[inline]
    pub fn kind(self, at: usize) -> Option<Kind> {
        Kind::of(byte(self.text, at))
    }

    /// The end of the value that begins at `at`, however large and deep, at this level.
    #[inline]
    pub fn value(self, at: usize, level: NestingLevel) -> Result<usize, ScanError> {
        if byte(self.text, at) == b'"' {
            return self.string(at).map(|(end, _)| end);
        }
        self.value_but_string(at, level)
    }

    /// The same for what is worth a call.
    #[inline(never)]
    fn value_but_string(self, at: usize, level: NestingLevel) -> Result<usize, ScanError> {
        match self.kind(at) {
            Some(Kind::Array | Kind::Object) => self.nested(at, level),
            Some(kind) => self.scalar(kind, at),
            None => Err(self.expected("expected a value", at)),
        }
    }

    /// The end of the object at `at`, which is at this level. `value` is told each member's name and where its value
    /// begins, and says where that ends.
    #[inline]
    pub fn object(
        self,
        at: usize,
        level: NestingLevel,
        mut value: impl FnMut(Name, usize) -> Result<usize, ScanError>,
    ) -> Result<usize, ScanError> {
        let mut at = self.first_name(level.enter(at)?)?;
        while byte(self.text, at) == b'"' {
            let (end, escaped) = self.string(at)?;
            let name = Name { span: Span { start: at + 1, end: end - 1 }, escaped };
            at = token(self.text, value(name, self.colon(end)?)?);
            match byte(self.text, at) {
                b',' => at = self.next_name(at)?,
                b'}' => break,
                _ => return Err(self.expected("expected ',' or '}' after a member", at)),
            }
        }
        Ok(at + 1)
    }

    /// From the beginning of an object to its first name, or its end.
    #[inline]
    fn first_name(self, at: usize) -> Result<usize, ScanError> {
        let at = token(self.text, at);
        if matches!(byte(self.text, at), b'"' | b'}') {
            return Ok(at);
        }
        Err(self.expected("expected a member name or '}'", at))
    }

    /// From a comma in an object to the name after it.
    #[inline]
    fn next_name(self, comma: usize) -> Result<usize, ScanError> {
        let at = token(self.text, comma + 1);
        if byte(self.text, at) == b'"' {
            return Ok(at);
        }
        Err(self.expected("expected a member name after ','", at))
    }

    /// From the end of a name to the value.
    #[inline]
    fn colon(self, at: usize) -> Result<usize, ScanError> {
        let at = token(self.text, at);
        if byte(self.text, at) == b':' {
            return Ok(token(self.text, at + 1));
        }
        Err(self.expected("expected ':' after a member name", at))
    }

    /// The end of the array or object that begins at `at`, at this level.
    #[inline(never)]
    fn nested(self, at: usize, level: NestingLevel) -> Result<usize, ScanError> {
        let text = self.text;
        let mut open = OpenContainer { depth: 0, bits: 0, spilled: &mut [0; MAX_DEPTH / WORD] };
        let mut at = at;
        loop {
            // Here a value begins.
            let Some(kind) = self.kind(at) else { return Err(self.expected("expected a value", at)) };
            match kind {
                Kind::String => at = self.string(at)?.0,
                Kind::Object => {
                    at = self.first_name(level.inside(open.depth).enter(at)?)?;
                    if byte(text, at) == b'"' {
                        open.push(kind);
                        at = self.colon(self.string(at)?.0)?;
                        continue;
                    }
                    at += 1;
                }
                Kind::Array => {
                    at = token(text, level.inside(open.depth).enter(at)?);
                    if byte(text, at) != b']' {
                        open.push(kind);
                        continue;
                    }
                    at += 1;
                }
                _ => at = self.scalar(kind, at)?,
            }
            // Here one ended: go up until there is another.
            loop {
                if open.depth == 0 {
                    return Ok(at);
                }
                at = token(text, at);
                match (byte(text, at), open.in_object()) {
                    (b',', true) => {
                        at = self.next_name(at)?;
                        at = self.colon(self.string(at)?.0)?;
                        break;
                    }
                    (b',', false) => {
                        at = token(text, at + 1);
                        break;
                    }
                    (b'}', true) | (b']', false) => at += 1,
                    (_, true) => return Err(self.expected("expected ',' or '}' after a member", at)),
                    (_, false) => return Err(self.expected("expected ',' or ']' after an element", at)),
                }
                open.pop();
            }
        }
    }

    /// The end of the number or literal that begins at `at`.
    #[inline]
    fn scalar(self, kind: Kind, at: usize) -> Result<usize, ScanError> {
        match kind {
            Kind::Number => number(self.text, at).map_err(|at| self.expected("expected a digit", at)),
            Kind::True => self.literal(b"true", at),
            Kind::False => self.literal(b"false", at),
            _ => self.literal(b"null", at),
        }
    }

    fn literal(self, literal: &'static [u8], at: usize) -> Result<usize, ScanError> {
        let mut at = at;
        for expected in literal {
            if byte(self.text, at) != *expected {
                return Err(self.expected("expected 'true', 'false' or 'null'", at));
            }
            at += 1;
        }
        Ok(at)
    }

    /// The end of the string that begins at `at`, and whether there is a backslash in it.
    #[inline]
    fn string(self, at: usize) -> Result<(usize, bool), ScanError> {
        let end = ascii(self.text, at + 1);
        if byte(self.text, end) == b'"' {
            return Ok((end + 1, false));
        }
        difficult_string(self.text, at + 1, end)
    }

    #[cold]
    fn expected(self, what: &'static str, at: usize) -> ScanError {
        fault(ErrorKind::Syntax(if at < self.text.len() { what } else { TOO_SHORT }), at)
    }
}

#[cold]
fn fault(kind: ErrorKind, offset: usize) -> ScanError {
    ScanError { kind, offset }
}

/// A string whose body begins at `start` and is plain ASCII up to `at` at least.
///
/// Outside of strings every byte beyond ASCII is a fault anyway, so that string bodies are all there is to check for
/// UTF-8. No byte of a longer character is a quote, so a fault cannot have hidden the end of the body.
#[inline(never)]
fn difficult_string(text: &[u8], start: usize, at: usize) -> Result<(usize, bool), ScanError> {
    let body = body(text, unescaped_run(text, at))
        .map_err(|Flaw { at, what }| fault(ErrorKind::Syntax(what), at))?;
    if !body.ascii {
        let bytes = Span { start, end: body.end }.of(text);
        if simdutf8::basic::from_utf8(bytes).is_err() {
            let valid = std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
            return Err(fault(ErrorKind::Utf8, start + valid));
        }
    }
    Ok((body.end + 1, body.escaped))
}

/// The end of a string in text that was checked before, given the place after its opening quote, and whether there is a
/// backslash in it.
#[inline]
pub(super) fn string_end(text: &[u8], start: usize) -> Option<(usize, bool)> {
    let end = ascii(text, start);
    if byte(text, end) == b'"' {
        return Some((end, false));
    }
    difficult_end(text, end)
}

#[inline(never)]
fn difficult_end(text: &[u8], at: usize) -> Option<(usize, bool)> {
    let Stretch { end, ascii } = unescaped_run(text, at);
    if byte(text, end) == b'"' {
        return Some((end, false));
    }
    body(text, Stretch { end, ascii }).ok().map(|body| (body.end, body.escaped))
}
