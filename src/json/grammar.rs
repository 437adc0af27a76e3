//! The reader: walks over JSON text value by value and checks it on the way (RFC 8259), keeping open arrays and objects
//! in a small array of bits instead of the call stack, since a caller's thread may have a stack of 64 KiB. Knows
//! nothing of which members anyone wants.

use super::body::body;
use super::error::{ErrorKind, ScanError};
use super::number::number;
use super::plain::{Stretch, plain};
use super::value::{Kind, Span, Value};

/// The deepest nesting that can be asked for; a higher limit counts as this one.
pub const MAX_DEPTH: usize = 1024;

const WORD: usize = 64;
const TOO_SHORT: &str = "the text ends too early";

/// Whether `c` is white space in JSON.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// A member name: where it is without its quotes, and whether there is a backslash in it.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub span: Span,
    pub escaped: bool,
}

/// Whether the member or element asked for is the first of its object or array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    First,
    Next,
}

#[derive(Clone, Debug)]
pub(super) struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether the text is known to be UTF-8.
    utf8: bool,
    limit: usize,
    /// How many arrays and objects are open here.
    depth: usize,
    /// One bit for each of them, set for an object.
    objects: [u64; MAX_DEPTH / WORD],
}

impl<'t> Reader<'t> {
    /// A reader of text from outside.
    pub fn of_bytes(text: &'t [u8], limit: usize) -> Self {
        Self {
            text,
            at: 0,
            utf8: false,
            limit: limit.min(MAX_DEPTH),
            depth: 0,
            objects: [0; MAX_DEPTH / WORD],
        }
    }

    /// A reader of text that is known to be UTF-8, most likely because it was checked before.
    pub fn of_text(text: &'t str) -> Self {
        Self { utf8: true, ..Self::of_bytes(text.as_bytes(), MAX_DEPTH) }
    }

    /// Goes to the first byte of the text's value.
    pub fn begin(&mut self) -> Result<(), ScanError> {
        match self.token() {
            Some(_) => Ok(()),
            None => Err(self.error(ErrorKind::Empty)),
        }
    }

    /// Makes sure that nothing follows.
    pub fn end(&mut self) -> Result<(), ScanError> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.error(ErrorKind::Trailing)),
        }
    }

    /// The kind that the value here must have.
    #[inline]
    pub fn kind(&self) -> Option<Kind> {
        self.text.get(self.at).and_then(|byte| Kind::of(*byte))
    }

    /// The place reached.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The value that begins here, however large and deep.
    #[inline]
    pub fn value(&mut self) -> Result<Value, ScanError> {
        let start = self.at;
        let Some(kind) = self.kind() else { return Err(self.expected("expected a value")) };
        match kind {
            Kind::Array | Kind::Object => self.nested(kind)?,
            _ => self.scalar(kind)?,
        }
        Ok(Value { span: Span { start, end: self.at }, kind })
    }

    /// Steps over the array or object that begins here.
    #[inline(never)]
    fn nested(&mut self, outermost: Kind) -> Result<(), ScanError> {
        let floor = self.depth;
        let mut kind = outermost;
        loop {
            let mut turn = Turn::Next;
            if matches!(kind, Kind::Array | Kind::Object) {
                self.enter(kind)?;
                turn = Turn::First;
            } else {
                self.scalar(kind)?;
            }
            // A value ended, or an array or object just opened: go up until there is another value.
            loop {
                if self.depth == floor {
                    return Ok(());
                }
                let more = if self.in_object() { self.member(turn)?.is_some() } else { self.element(turn)? };
                if more {
                    break;
                }
                turn = Turn::Next;
            }
            kind = self.kind().ok_or_else(|| self.expected("expected a value"))?;
        }
    }

    /// Steps into the array or object that begins here.
    #[inline]
    pub fn enter(&mut self, kind: Kind) -> Result<(), ScanError> {
        if self.depth >= self.limit {
            return Err(self.error(ErrorKind::Depth(self.limit)));
        }
        let bit = 1 << (self.depth % WORD);
        if let Some(word) = self.objects.get_mut(self.depth / WORD) {
            if kind == Kind::Object {
                *word |= bit;
            } else {
                *word &= !bit;
            }
        }
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.at += 1;
    }

    #[inline]
    fn in_object(&self) -> bool {
        let innermost = self.depth.saturating_sub(1);
        self.objects.get(innermost / WORD).is_some_and(|word| (word >> (innermost % WORD)) & 1 == 1)
    }

    /// In an object, goes to the value of the next member and gives its name; after the last one, leaves the object.
    #[inline]
    pub fn member(&mut self, turn: Turn) -> Result<Option<Name>, ScanError> {
        match (self.token(), turn) {
            (Some(b'}'), _) => {
                self.leave();
                return Ok(None);
            }
            (Some(b'"'), Turn::First) => {}
            (_, Turn::First) => return Err(self.expected("expected a member name or '}'")),
            (Some(b','), Turn::Next) => {
                self.at += 1;
                if self.token() != Some(b'"') {
                    return Err(self.expected("expected a member name after ','"));
                }
            }
            (_, Turn::Next) => return Err(self.expected("expected ',' or '}' after a member")),
        }
        let start = self.at + 1;
        let escaped = self.string()?;
        let end = self.at - 1;
        if self.token() != Some(b':') {
            return Err(self.expected("expected ':' after a member name"));
        }
        self.at += 1;
        self.token();
        Ok(Some(Name { span: Span { start, end }, escaped }))
    }

    /// In an array, goes to the next element and says whether there is one; after the last one, leaves the array.
    #[inline]
    pub fn element(&mut self, turn: Turn) -> Result<bool, ScanError> {
        match (self.token(), turn) {
            (Some(b']'), _) => {
                self.leave();
                return Ok(false);
            }
            (_, Turn::First) => {}
            (Some(b','), Turn::Next) => {
                self.at += 1;
                self.token();
            }
            (_, Turn::Next) => return Err(self.expected("expected ',' or ']' after an element")),
        }
        Ok(true)
    }

    /// The byte at which the next token begins, skipping white space.
    #[inline]
    fn token(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    #[inline]
    fn scalar(&mut self, kind: Kind) -> Result<(), ScanError> {
        match kind {
            Kind::String => self.string().map(drop),
            Kind::Number => match number(self.text, self.at) {
                Ok(end) => {
                    self.at = end;
                    Ok(())
                }
                Err(at) => {
                    self.at = at;
                    Err(self.expected("expected a digit"))
                }
            },
            Kind::True => self.literal(b"true"),
            Kind::False => self.literal(b"false"),
            _ => self.literal(b"null"),
        }
    }

    fn literal(&mut self, literal: &'static [u8]) -> Result<(), ScanError> {
        for byte in literal {
            if self.text.get(self.at) != Some(byte) {
                return Err(self.expected("expected 'true', 'false' or 'null'"));
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Steps over the string that begins here; says whether there is a backslash in it. (Giving its place
    /// too would send that through memory, which costs as much as the rest for a short string.)
    #[inline]
    fn string(&mut self) -> Result<bool, ScanError> {
        let start = self.at + 1;
        let stretch = plain(self.text, start);
        if self.text.get(stretch.end) == Some(&b'"') && (stretch.ascii || self.utf8) {
            self.at = stretch.end + 1;
            return Ok(false);
        }
        self.difficult_string(start, stretch)
    }

    #[inline(never)]
    fn difficult_string(&mut self, start: usize, stretch: Stretch) -> Result<bool, ScanError> {
        let body = body(self.text, stretch)
            .map_err(|flaw| ScanError { kind: ErrorKind::Syntax(flaw.what), offset: flaw.at })?;
        if !body.ascii && !self.utf8 {
            self.check_utf8(Span { start, end: body.end })?;
        }
        self.at = body.end + 1;
        Ok(body.escaped)
    }

    /// Outside of strings every byte beyond ASCII is a fault anyway, so that string bodies are all there is to check.
    /// No byte of a longer character is a quote, so a fault cannot have hidden the end of the body.
    fn check_utf8(&self, body: Span) -> Result<(), ScanError> {
        let bytes = body.of(self.text);
        if simdutf8::basic::from_utf8(bytes).is_ok() {
            return Ok(());
        }
        let valid = std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
        Err(ScanError { kind: ErrorKind::Utf8, offset: body.start + valid })
    }

    fn error(&self, kind: ErrorKind) -> ScanError {
        ScanError { kind, offset: self.at }
    }

    #[cold]
    fn expected(&self, what: &'static str) -> ScanError {
        self.error(ErrorKind::Syntax(if self.at < self.text.len() { what } else { TOO_SHORT }))
    }
}
