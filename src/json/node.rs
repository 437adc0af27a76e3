//! Values of a validated text as positions: plain numbers that a program may keep and from which it can go on to members,
//! elements and the next sibling. Nothing is allocated and nothing is checked again. Positions that do not belong to the text
//! do no harm: there is nothing at them, or something else of the text.

use super::cursor::{Cursor, Raw};
use super::value::{Kind, Span};

/// A value in a text, without white space around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where the opening quote of its name is; 0 for a value that is no member of an object.
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
