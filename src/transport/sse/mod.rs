//! Event streams (WHATWG HTML, section 9.2.6 "Interpreting an event stream"): bytes in, in whatever parts they came,
//! events out. Both HTTP transports read answers and messages of the server from such streams.
//!
//! The stream is parsed as it comes: a part is looked at once, data goes straight from it into the buffer that the event
//! is handed over in, and nothing else is kept of it. What a stream can make us hold is bounded. An event over a bound
//! is thrown away as it comes, and what is kept of it (first and last bytes) may still tell which call it answers.
//!
//! This module must not know HTTP, reconnecting, or what the data says: the scan of the message judges its UTF-8.
//!
//! Where we do otherwise than a browser: an event whose data is empty is not delivered (servers of 2025-11-25 begin a
//! stream with one, to give its id), and [`Parser::reopen`] keeps the last event id when a stream is resumed.

#[cfg(test)]
mod tests;

use crate::transport::framing::Oversized;
use std::borrow::Cow;
use std::time::Duration;

/// What a stream may make us hold. A value at the bound passes, one more does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of an event's data.
    pub event: usize,
    /// Bytes of one line, whatever field it is.
    pub line: usize,
    /// Lines of one event; comments do not count, as they keep quiet streams alive.
    pub fields: usize,
    /// Bytes of an event id, of an event type, and of the digits of `retry`.
    pub word: usize,
}

impl Bounds {
    /// The bounds for streams whose messages have at most `bytes` bytes.
    pub fn of_messages(bytes: usize) -> Bounds {
        // "data" with a colon and a space goes before the message.
        Bounds { event: bytes, line: bytes.saturating_add(64), fields: 1 << 20, word: 1024 }
    }
}

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its type: `message` unless the stream says otherwise.
    pub kind: Cow<'static, str>,
    /// Its data, never empty; bytes as received.
    pub data: Vec<u8>,
    /// The stream's last event id at this event; it stays until another is given.
    pub id: Option<String>,
    /// The time to wait before reconnecting, if this event gave one.
    pub retry: Option<Duration>,
}

/// What came out of the stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// One event.
    Event(Event),
    /// An event over a bound, thrown away.
    Oversized {
        /// The request it answers, where that could be read for certain.
        id: Option<u64>,
        /// How large its data was.
        bytes: u64,
        /// The bound that it broke.
        over: EventTooLarge,
    },
}

/// A bound that an event broke.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EventTooLarge {
    /// [`Bounds::event`]
    #[error("an event with more than {0} bytes of data")]
    Event(usize),
    /// [`Bounds::line`]
    #[error("an event with a line of more than {0} bytes")]
    Line(usize),
    /// [`Bounds::fields`]
    #[error("an event with more than {0} fields")]
    Fields(usize),
    /// [`Bounds::word`]: the event's type. (An id that long is ignored.)
    #[error("an event whose type has more than {0} bytes")]
    Kind(usize),
    /// No bound, but the memory that the system gives.
    #[error("an event that the system gives no memory for")]
    Memory,
}

const BYTE_ORDER_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
/// The longest name of a field that means something.
const NAME_BYTES: usize = 5;

/// A line that means something, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Data,
    Kind,
    Id,
    Retry,
    /// A field with another name.
    Unknown,
    /// A line that begins with a colon.
    Comment,
}

/// The part of the line that the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The field's name, or nothing yet.
    Name,
    /// What follows the colon: one space there is not of the value.
    Colon(Field),
    Value(Field),
}

/// Turns the parts of a stream into events.
#[derive(Debug)]
pub struct Parser {
    bounds: Bounds,
    /// Whether the first line is not over, which may begin with a byte order mark.
    first_line: bool,
    /// Whether the last byte was a carriage return: a line feed now would be of the same line end.
    after_return: bool,
    part: Part,
    name: Vec<u8>,
    /// The value of a short field; `None` if it was over its bound.
    word: Option<Vec<u8>>,
    line_bytes: usize,
    data: Vec<u8>,
    data_lines: usize,
    fields: usize,
    kind: Option<String>,
    id: Option<String>,
    retry: Option<Duration>,
    excess: Option<(EventTooLarge, Oversized)>,
    last_id: Option<String>,
    last_retry: Option<Duration>,
}

impl Parser {
    /// A parser at the start of a stream.
    pub fn new(bounds: Bounds) -> Parser {
        Parser {
            bounds,
            first_line: true,
            after_return: false,
            part: Part::Name,
            name: Vec::with_capacity(NAME_BYTES + 1),
            word: Some(Vec::new()),
            line_bytes: 0,
            data: Vec::new(),
            data_lines: 0,
            fields: 0,
            kind: None,
            id: None,
            retry: None,
            excess: None,
            last_id: None,
            last_retry: None,
        }
    }

    /// Drops what was begun and stands at the start of a stream that continues where this one broke off: the last event
    /// id and the time to wait stay.
    pub fn reopen(&mut self) {
        let fresh = Parser::new(self.bounds);
        let old = std::mem::replace(self, fresh);
        self.last_id = old.last_id;
        self.last_retry = old.last_retry;
    }

    /// The id of the last event that was complete, also of one with empty data: what `Last-Event-ID` is to say.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// The last `retry` of the stream: the least time to wait before reconnecting (2025-11-25 `basic/transports`).
    pub fn last_retry(&self) -> Option<Duration> {
        self.last_retry
    }

    /// Whether an event was begun and is not complete. Comments begin none.
    #[cfg(any(test, fuzzing))]
    pub fn is_partial(&self) -> bool {
        self.fields > 0 || !self.name.is_empty() || self.excess.is_some()
    }

    /// Whether the event that is being read is over a bound and thrown away as it comes.
    pub fn is_over(&self) -> bool {
        self.excess.is_some()
    }

    /// How many bytes of memory are held.
    #[cfg(any(test, fuzzing))]
    pub fn held(&self) -> usize {
        let words = [&self.kind, &self.id, &self.last_id].into_iter().flatten().map(String::capacity);
        self.data.capacity()
            + self.name.capacity()
            + self.word.as_ref().map_or(0, Vec::capacity)
            + self.excess.as_ref().map_or(0, |(_, data)| data.held())
            + words.sum::<usize>()
    }

    /// Takes from the front of `input` up to the end of the next event and gives that; `None` when all is taken.
    pub fn next_piece(&mut self, input: &mut &[u8]) -> Option<Piece> {
        while let Some((&byte, rest)) = input.split_first() {
            if std::mem::take(&mut self.after_return) && byte == b'\n' {
                *input = rest;
                continue;
            }
            if let Part::Colon(field) = self.part {
                self.part = Part::Value(field);
                if byte == b' ' {
                    *input = rest;
                    self.count(1);
                    continue;
                }
            }
            match (self.part, byte) {
                (_, b'\n' | b'\r') => {
                    *input = rest;
                    self.after_return = byte == b'\r';
                    if let Some(piece) = self.end_line() {
                        return Some(piece);
                    }
                }
                (Part::Name, _) => {
                    *input = rest;
                    self.name_byte(byte);
                }
                (Part::Value(field) | Part::Colon(field), _) => {
                    let end = memchr::memchr2(b'\n', b'\r', input);
                    let (value, rest) = input.split_at(end.unwrap_or(input.len()));
                    *input = rest;
                    self.value(field, value, end.is_some());
                }
            }
        }
        None
    }

    fn name_byte(&mut self, byte: u8) {
        self.count(1);
        if byte == b':' {
            let field = if self.name.is_empty() { Field::Comment } else { self.named() };
            self.begin(field);
            self.part = Part::Colon(field);
            return;
        }
        self.name.push(byte);
        if self.first_line && self.name == BYTE_ORDER_MARK {
            self.name.clear();
            self.first_line = false;
            self.line_bytes = 0;
        } else if self.name.len() > NAME_BYTES {
            self.begin(Field::Unknown);
            self.part = Part::Value(Field::Unknown);
        }
    }

    fn named(&self) -> Field {
        match self.name.as_slice() {
            b"data" => Field::Data,
            b"event" => Field::Kind,
            b"id" => Field::Id,
            b"retry" => Field::Retry,
            _ => Field::Unknown,
        }
    }

    fn begin(&mut self, field: Field) {
        if field == Field::Comment {
            return;
        }
        self.fields += 1;
        if self.fields > self.bounds.fields {
            self.exceed(EventTooLarge::Fields(self.bounds.fields));
        }
        if field == Field::Data {
            self.data_lines += 1;
            if self.data_lines > 1 {
                self.append(b"\n", false);
            }
        }
    }

    /// More bytes of the line.
    fn count(&mut self, bytes: usize) {
        self.line_bytes = self.line_bytes.saturating_add(bytes);
        if self.line_bytes > self.bounds.line {
            self.exceed(EventTooLarge::Line(self.bounds.line));
        }
    }

    /// More of the field's value; `whole` if it is the last part.
    fn value(&mut self, field: Field, value: &[u8], whole: bool) {
        self.count(value.len());
        match field {
            Field::Data => self.append(value, whole),
            Field::Kind | Field::Id | Field::Retry => {
                let Some(word) = &mut self.word else { return };
                if word.len() + value.len() > self.bounds.word {
                    self.word = None;
                } else {
                    word.extend_from_slice(value);
                }
            }
            Field::Unknown | Field::Comment => {}
        }
    }

    /// More data of the event. A message in one line that came in one part gets a buffer of its own size; one more
    /// byte, so that a NUL can be put after it without growing it.
    fn append(&mut self, bytes: &[u8], whole: bool) {
        if let Some((_, data)) = &mut self.excess {
            return data.take(bytes);
        }
        let length = self.data.len().saturating_add(bytes.len());
        if length > self.bounds.event {
            self.exceed(EventTooLarge::Event(self.bounds.event));
            return self.append(bytes, whole);
        }
        if length >= self.data.capacity() {
            let most = self.bounds.event.saturating_add(1);
            let grown = self.data.capacity().saturating_mul(2).min(most);
            let wanted = if whole && self.data.is_empty() { length + 1 } else { grown.max(length + 1) };
            if self.data.try_reserve_exact(wanted - self.data.len()).is_err() {
                self.exceed(EventTooLarge::Memory);
                return self.append(bytes, whole);
            }
        }
        self.data.extend_from_slice(bytes);
    }

    /// From here on the event is thrown away.
    fn exceed(&mut self, over: EventTooLarge) {
        if self.excess.is_none() {
            let mut data = Oversized::default();
            data.take(&std::mem::take(&mut self.data));
            self.excess = Some((over, data));
        }
    }

    fn end_line(&mut self) -> Option<Piece> {
        let part = std::mem::replace(&mut self.part, Part::Name);
        self.line_bytes = 0;
        self.first_line = false;
        match part {
            Part::Name if self.name.is_empty() => return self.dispatch(),
            // A name without a colon is a field without a value.
            Part::Name => {
                let field = self.named();
                self.begin(field);
                self.end_field(field);
            }
            Part::Colon(field) | Part::Value(field) => self.end_field(field),
        }
        self.name.clear();
        None
    }

    fn end_field(&mut self, field: Field) {
        if matches!(field, Field::Data | Field::Unknown | Field::Comment) {
            return;
        }
        let word = self.word.replace(Vec::new());
        match (field, word) {
            (Field::Kind, Some(word)) => self.kind = Some(text(word)),
            (Field::Kind, None) => self.exceed(EventTooLarge::Kind(self.bounds.word)),
            (Field::Id, Some(word)) if !word.contains(&0) => self.id = Some(text(word)),
            (Field::Retry, Some(word)) => {
                if let Some(retry) = milliseconds(&word) {
                    self.retry = Some(retry);
                    self.last_retry = Some(retry);
                }
            }
            _ => {}
        }
    }

    /// The stream has ended in order. Gives the event that its last lines are, which a server left without the blank line behind it, if
    /// its data `is_whole`; a line without its end is not. Of what is not given the last event id stays as it was, so that the stream can
    /// be taken up there.
    pub fn end(&mut self, is_whole: impl FnOnce(&[u8]) -> bool) -> Option<Event> {
        if self.part != Part::Name || !self.name.is_empty() || self.fields == 0 {
            return None;
        }
        let id = self.last_id.clone();
        match self.dispatch() {
            Some(Piece::Event(event)) if is_whole(&event.data) => Some(event),
            _ => {
                self.last_id = id;
                None
            }
        }
    }

    /// A blank line: the event is complete.
    fn dispatch(&mut self) -> Option<Piece> {
        if let Some(id) = self.id.take() {
            self.last_id = Some(id).filter(|id| !id.is_empty());
        }
        self.fields = 0;
        self.data_lines = 0;
        let kind = self.kind.take().filter(|kind| !kind.is_empty() && kind != "message");
        let retry = self.retry.take();
        let data = std::mem::take(&mut self.data);
        if let Some((mut over, data)) = self.excess.take() {
            // Of a message that is too large this is what to say, whichever bound its line broke before.
            if data.bytes() > self.bounds.event as u64 && over != EventTooLarge::Memory {
                over = EventTooLarge::Event(self.bounds.event);
            }
            return Some(Piece::Oversized { id: data.id(), bytes: data.bytes(), over });
        }
        if data.is_empty() {
            return None;
        }
        let kind = kind.map_or(Cow::Borrowed("message"), Cow::Owned);
        Some(Piece::Event(Event { kind, data, id: self.last_id.clone(), retry }))
    }
}

/// Types and ids are decoded as the standard has it: what is not UTF-8 becomes U+FFFD.
fn text(word: Vec<u8>) -> String {
    String::from_utf8(word).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Digits only; a number too large for 64 bits is as large as it gets.
fn milliseconds(word: &[u8]) -> Option<Duration> {
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = word
        .iter()
        .fold(0u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some(Duration::from_millis(number))
}
