//! A cursor through validated text: goes from value to value, into them or past them, and checks nothing again. What it
//! is asked to step into it has not looked through before, so that taking a part out of a text costs one pass over what
//! is before that part. Text that is not valid does no harm: the cursor goes forward or says that there is nothing more.

use crate::json::bitmask::{CHUNK, Structure, between, structure};
use crate::json::body::{ascii, bracket_or_quote, chunk, unescaped_run};
use crate::json::scan::{Name, byte, string_end, token};
use crate::json::string::{decode, decode_into, spells};
use crate::json::value::{Kind, Span};
use std::borrow::Cow;

/// A place in validated text where a value begins, or the end of a value.
///
/// At a value, exactly one of [`enter`](Self::enter), [`skip`](Self::skip) and [`string`](Self::string) continues; after
/// it, [`member`](Self::member) or [`element`](Self::element), as it is an object or an array that the cursor is in.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether nothing of the object or array that the cursor is in was before.
    first: bool,
}

/// A string in the text, or a member's name: not decoded yet.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'t> {
    /// What is between the quotes.
    body: &'t [u8],
    /// Whether there is a backslash in it.
    escaped: bool,
}

impl<'t> Raw<'t> {
    /// Whether it spells `text`.
    #[inline]
    pub fn is(&self, text: &str) -> bool {
        if self.escaped {
            return std::str::from_utf8(self.body).is_ok_and(|body| spells(body, text));
        }
        self.body == text.as_bytes()
    }

    /// What it spells, if the text has it without escapes.
    pub fn plain(&self) -> Option<&'t [u8]> {
        (!self.escaped).then_some(self.body)
    }

    /// How long it is as it is written, which is at least as long as what it spells.
    pub fn written_length(&self) -> usize {
        self.body.len()
    }

    /// Appends what it spells to `out`: UTF-8, if the text is. As with [`string`](crate::json::string()), a lone surrogate
    /// becomes U+FFFD. Nothing is appended if it is not well-formed.
    pub fn decode_into(&self, out: &mut Vec<u8>) {
        if self.escaped {
            let length = out.len();
            if decode_into(self.body, out).is_none() {
                out.truncate(length);
            }
        } else {
            out.extend_from_slice(self.body);
        }
    }
}

impl<'t> Cursor<'t> {
    /// A cursor at the value that `text` is.
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, at: token(text, 0), first: true }
    }

    /// A cursor behind the member or element that ends at `at`.
    pub(super) fn behind(text: &'t [u8], at: usize) -> Self {
        Self { text, at, first: false }
    }

    /// A cursor at the value that begins at `at`.
    pub(super) fn at(text: &'t [u8], at: usize) -> Self {
        Self { text, at, first: true }
    }

    /// The kind of the value here.
    #[inline]
    pub fn kind(&self) -> Option<Kind> {
        Kind::of(byte(self.text, self.at))
    }

    /// Steps into the value here if it is of that kind, an object or an array.
    #[inline]
    pub fn enter(&mut self, kind: Kind) -> bool {
        let inside = matches!(kind, Kind::Object | Kind::Array) && self.kind() == Some(kind);
        if inside {
            self.at += 1;
            self.first = true;
        }
        inside
    }

    /// In an object, goes to the value of the next member and gives its name. After the last one, leaves the object.
    #[inline]
    pub fn member(&mut self) -> Option<Raw<'t>> {
        let Name { span, escaped } = self.next_name()?;
        Some(Raw { body: self.text.get(span.range())?, escaped })
    }

    /// The same, giving the name's place.
    #[inline]
    pub(super) fn next_name(&mut self) -> Option<Name> {
        if !self.next(b'}') || byte(self.text, self.at) != b'"' {
            return None;
        }
        let start = self.at + 1;
        let (end, escaped) = string_end(self.text, start)?;
        let colon = token(self.text, end + 1);
        self.at = token(self.text, colon + 1);
        (byte(self.text, colon) == b':').then_some(Name { span: Span { start, end }, escaped })
    }

    /// In an array, goes to the next element and says whether there is one. After the last one, leaves the array.
    #[inline]
    pub fn element(&mut self) -> bool {
        self.next(b']')
    }

    /// Goes to the next member or element, or behind `close`.
    #[inline]
    fn next(&mut self, close: u8) -> bool {
        let at = token(self.text, self.at);
        let here = byte(self.text, at);
        let first = self.first;
        self.first = false;
        if here == close {
            self.at = at + 1;
            return false;
        }
        self.at = if first { at } else { token(self.text, at + 1) };
        first || here == b','
    }

    /// Steps over the string here and gives it; over something else without giving anything.
    #[inline]
    pub fn string(&mut self) -> Option<Raw<'t>> {
        if self.kind() != Some(Kind::String) {
            self.skip();
            return None;
        }
        let start = self.at + 1;
        let Some((end, escaped)) = string_end(self.text, start) else {
            self.at = self.text.len();
            return None;
        };
        self.first = false;
        self.at = end + 1;
        Some(Raw { body: self.text.get(start..end)?, escaped })
    }

    /// Steps over the string here and gives what it spells, borrowed if there is no escape in it: what
    /// [`string`](Self::string) and [`Raw::decode_into`] do, in one pass. As with those, a lone surrogate becomes U+FFFD,
    /// and over something else it steps without giving anything.
    pub fn decoded(&mut self) -> Option<Cow<'t, [u8]>> {
        if self.kind() != Some(Kind::String) {
            self.skip();
            return None;
        }
        self.first = false;
        let start = self.at + 1;
        let mut end = ascii(self.text, start);
        if byte(self.text, end) != b'"' {
            end = unescaped_run(self.text, end).end;
        }
        if byte(self.text, end) == b'"' {
            self.at = end + 1;
            return self.text.get(start..end).map(Cow::Borrowed);
        }
        // What it spells is no longer than what is left of the text, and memory that is not needed is never touched.
        let mut spelled = Vec::with_capacity(self.text.len() - start + 1);
        let end = decode(self.text, start, &mut spelled).filter(|end| *end < self.text.len());
        self.at = end.map_or(self.text.len(), |end| end + 1);
        end.map(|_| Cow::Owned(spelled))
    }

    /// Steps over the value here and gives its place; goes to the end of the text if there is none, or no end of it.
    #[inline]
    pub fn skip(&mut self) -> Option<Span> {
        let start = self.at;
        let end = match self.kind() {
            Some(Kind::String) => string_end(self.text, start + 1).map(|(end, _)| end + 1),
            Some(Kind::Object | Kind::Array) => match byte(self.text, start + 1) {
                b'}' | b']' => Some(start + 2),
                _ => nested_end(self.text, start),
            },
            Some(_) => Some(scalar_end(self.text, start)),
            None => None,
        };
        self.first = false;
        self.at = end.unwrap_or(self.text.len());
        end.map(|end| Span { start, end })
    }
}

/// The end of the object or array at `start`: looks at 64 bytes at a time, at which of them are inside of strings and at the
/// brackets that are not. Where there are escapes it jumps from one bracket or quote to the next.
#[inline(never)]
fn nested_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    let mut depth = 1usize;
    // All bits set while `at` is inside a string.
    let mut within = 0u64;
    loop {
        if let Some(chunk) = chunk(text, at) {
            let Structure { quotes, backslashes, opening, closing } = structure(chunk);
            if backslashes == 0 && (within == 0 || quotes != 0) {
                let strings = between(quotes) ^ within;
                let mut brackets = (opening | closing) & !strings;
                while brackets != 0 {
                    let bracket = brackets & brackets.wrapping_neg();
                    brackets ^= bracket;
                    if opening & bracket != 0 {
                        depth += 1;
                        continue;
                    }
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + bracket.trailing_zeros() as usize + 1);
                    }
                }
                within = if strings >> (CHUNK - 1) == 0 { 0 } else { u64::MAX };
                at += CHUNK;
                continue;
            }
        }
        if within != 0 {
            within = 0;
            at = string_end(text, at)?.0 + 1;
            continue;
        }
        at = bracket_or_quote(text, at);
        match byte(text, at) {
            b'"' => at = string_end(text, at + 1)?.0,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ if at >= text.len() => return None,
            _ => {}
        }
        at += 1;
    }
}

/// The end of the number or literal at `start`.
#[inline]
fn scalar_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while !matches!(text.get(at), None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// A value in a text, without white space around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where the opening quote of its name is; 0 for a value that is not a member of an object.
    pub name: usize,
    /// Where the value is.
    pub span: Span,
}

impl Node {
    /// The value that the whole of `text` is.
    pub fn root(text: &[u8]) -> Option<Node> {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let start = text.iter().take_while(blank).count();
        let end = text.len() - text.iter().rev().take_while(blank).count();
        (start < end).then_some(Node { name: 0, span: Span { start, end } })
    }

    /// The kind of the value.
    pub fn kind(self, text: &[u8]) -> Option<Kind> {
        Cursor::at(text, self.span.start).kind()
    }

    /// The value as it is written.
    pub fn written(self, text: &[u8]) -> &[u8] {
        self.span.of(text)
    }

    /// The value if it is a string.
    pub fn string(self, text: &[u8]) -> Option<Raw<'_>> {
        Cursor::at(text, self.span.start).string()
    }

    /// The name of a member of an object, as a string.
    pub fn name(self, text: &[u8]) -> Option<Node> {
        if self.name == 0 {
            return None;
        }
        let span = Cursor::at(text, self.name).skip()?;
        Some(Node { name: 0, span })
    }

    /// The first member or element.
    pub fn first(self, text: &[u8]) -> Option<Node> {
        let (mut cursor, kind) = self.inside(text)?;
        step(&mut cursor, kind == Kind::Object)
    }

    /// The member or element after this one.
    pub fn next(self, text: &[u8]) -> Option<Node> {
        if self.span.end >= text.len() {
            return None;
        }
        step(&mut Cursor::behind(text, self.span.end), self.name != 0)
    }

    /// The member of an object with this name; the last one if there are several.
    pub fn member(self, text: &[u8], name: &str) -> Option<Node> {
        let (mut cursor, Kind::Object) = self.inside(text)? else { return None };
        let mut found = None;
        while let Some(written) = cursor.next_name() {
            let Some(span) = cursor.skip() else { break };
            if written.is(text, name) {
                found = Some(Node { name: written.span.start - 1, span });
            }
        }
        found
    }

    /// The element of an array at an index.
    pub fn element(self, text: &[u8], index: usize) -> Option<Node> {
        let (mut cursor, Kind::Array) = self.inside(text)? else { return None };
        for _ in 0..index {
            step(&mut cursor, false)?;
        }
        step(&mut cursor, false)
    }

    /// How many members or elements there are.
    pub fn count(self, text: &[u8]) -> usize {
        let Some((mut cursor, kind)) = self.inside(text) else { return 0 };
        let mut count = 0;
        while step(&mut cursor, kind == Kind::Object).is_some() {
            count += 1;
        }
        count
    }

    /// A cursor before the first member or element.
    fn inside(self, text: &[u8]) -> Option<(Cursor<'_>, Kind)> {
        let mut cursor = Cursor::at(text, self.span.start);
        let kind = cursor.kind()?;
        cursor.enter(kind).then_some((cursor, kind))
    }
}

/// The member or element that the cursor comes to.
fn step(cursor: &mut Cursor<'_>, in_object: bool) -> Option<Node> {
    let name = if in_object {
        cursor.next_name()?.span.start - 1
    } else if cursor.element() {
        0
    } else {
        return None;
    };
    Some(Node { name, span: cursor.skip()? })
}
