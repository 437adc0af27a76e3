//! JSON is written: from single calls, with members added to an object, on one line.

use crate::json::error::ScanError;
use crate::json::members::members;
use crate::json::scan::scan_value;
use crate::json::string::{quote, quote_into, quoted_length, spells};
use crate::json::value::{Kind, utf8};
use std::fmt;

/// Why a call cannot be part of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// A value in an object has no name.
    Unnamed,
    /// A name stands outside of an object.
    NameOutside,
    /// A name follows a name.
    NameTwice,
    /// An object ends after a name.
    NameLast,
    /// Nothing is open that could end.
    End,
    /// The text is complete already.
    SecondRoot,
    /// The text is to be read, and so many objects and arrays are open.
    Open(usize),
    /// The text is to be read, and nothing was written.
    Empty,
    /// Objects and arrays nest deeper than this.
    Depth(usize),
    /// The text is longer than this many bytes.
    Length(usize),
    /// Infinity and "not a number" have no place in JSON.
    NotFinite,
    /// What is to be inserted is not JSON.
    Invalid(ScanError),
    /// A text is not there: its name.
    Null(&'static str),
    /// A text is not UTF-8 from this byte on.
    Utf8(usize),
    /// A length does not fit into memory.
    Size,
    /// A value does not exist.
    Absent,
    /// The system refused memory.
    NoMemory,
}

/// What one call adds to a text. The texts need not be UTF-8 or valid: the builder checks them.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// The beginning of an object or array.
    Begin(Kind),
    /// The end of the innermost object or array, which must be of this kind.
    End,
    /// The name of the next member.
    Name(&'a [u8]),
    /// A string.
    String(&'a [u8]),
    /// An integer.
    Integer(i64),
    /// A floating-point number: the shortest text that reads back as the same one, without a fraction where there is none.
    Double(f64),
    /// `true`, `false` or `null`.
    Literal(&'static str),
    /// A text that is to be one value.
    Json(&'a [u8]),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => f.write_str("a value in an object needs a name: give the key before the value"),
            Self::NameOutside => f.write_str("a key is possible only in an object"),
            Self::NameTwice => f.write_str("a key follows a key: give the value of the first one before it"),
            Self::NameLast => f.write_str("the object ends after a key: give its value first"),
            Self::End => f.write_str("nothing is open that could end"),
            Self::SecondRoot => f.write_str(
                "the text already has its value: put several into an array, or use a builder for each",
            ),
            Self::Open(1) => f.write_str("one object or array is not ended"),
            Self::Open(open) => write!(f, "{open} objects and arrays are not ended"),
            Self::Empty => f.write_str("the text has no value"),
            Self::Depth(limit) => write!(f, "objects and arrays nest deeper than {limit} levels"),
            Self::Length(limit) => write!(f, "the text would be longer than {limit} bytes"),
            Self::NotFinite => f.write_str("JSON has no number for infinity or NaN: use null or a string"),
            Self::Invalid(error) => error.fmt(f),
            Self::Null(name) => write!(f, "{name} is NULL"),
            Self::Utf8(at) => write!(f, "the text is not UTF-8 (at byte {at})"),
            Self::Size => f.write_str("the length is too large"),
            Self::Absent => f.write_str("the value does not exist"),
            Self::NoMemory => f.write_str("the system refused the memory"),
        }
    }
}

/// A JSON text that is being written.
#[derive(Debug)]
pub struct Builder {
    out: String,
    /// The objects and arrays that are open: whether each is an object.
    open: Vec<bool>,
    /// Whether the innermost one has a member or element already.
    filled: bool,
    /// Whether a name waits for its value.
    named: bool,
    depth: usize,
    length: usize,
    /// Whether there is a NUL behind the text.
    finished: bool,
}

impl Builder {
    /// An empty text that may nest so deep and have so many bytes.
    pub fn new(depth: usize, length: usize) -> Builder {
        Builder {
            out: String::new(),
            open: Vec::new(),
            filled: false,
            named: false,
            depth,
            length,
            finished: false,
        }
    }

    /// Adds to the text; after an error it is as it was.
    pub fn add(&mut self, part: Part<'_>) -> Result<(), Misuse> {
        match part {
            Part::Begin(kind) => self.begin(kind),
            Part::End => self.end(),
            Part::Name(name) => self.name(text(name)?),
            Part::String(string) => {
                let string = text(string)?;
                self.value(quoted_length(string), &mut |out| quote_into(string, out))
            }
            Part::Integer(number) => self.literal(&number.to_string()),
            Part::Double(number) => self.double(number),
            Part::Literal(literal) => self.literal(literal),
            Part::Json(json) => {
                let value = scan_value(json, self.depth - self.open.len()).map_err(Misuse::Invalid)?;
                self.literal(utf8(value.span.of(json)))
            }
        }
    }

    fn begin(&mut self, kind: Kind) -> Result<(), Misuse> {
        if self.open.len() >= self.depth {
            return Err(Misuse::Depth(self.depth));
        }
        let bracket = if kind == Kind::Object { "{" } else { "[" };
        self.open.try_reserve(1).map_err(|_| Misuse::NoMemory)?;
        self.literal(bracket)?;
        self.open.push(kind == Kind::Object);
        self.filled = false;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Misuse> {
        let is_object = *self.open.last().ok_or(Misuse::End)?;
        if self.named {
            return Err(Misuse::NameLast);
        }
        self.reserve(1)?;
        self.out.push(if is_object { '}' } else { ']' });
        self.open.pop();
        self.filled = true;
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<(), Misuse> {
        if self.open.last() != Some(&true) {
            return Err(Misuse::NameOutside);
        }
        if self.named {
            return Err(Misuse::NameTwice);
        }
        self.reserve(quoted_length(name).saturating_add(2))?;
        if self.filled {
            self.out.push(',');
        }
        quote_into(name, &mut self.out);
        self.out.push(':');
        self.named = true;
        Ok(())
    }

    fn double(&mut self, number: f64) -> Result<(), Misuse> {
        /// Up to here every integer is a floating-point number and the other way round.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() < EXACT && !(number == 0.0 && number.is_sign_negative()) {
            #[expect(clippy::cast_possible_truncation, reason = "it is an integer in this range")]
            return self.literal(&(number as i64).to_string());
        }
        let number = serde_json::Number::from_f64(number).ok_or(Misuse::NotFinite)?;
        self.literal(&number.to_string())
    }

    fn literal(&mut self, text: &str) -> Result<(), Misuse> {
        self.value(text.len(), &mut |out| out.push_str(text))
    }

    /// The text with a NUL behind it, which must be complete.
    pub fn text_with_nul(&mut self) -> Result<&str, Misuse> {
        match self.open.len() {
            0 if self.out.is_empty() => return Err(Misuse::Empty),
            0 => {}
            open => return Err(Misuse::Open(open)),
        }
        if !self.finished {
            self.out.try_reserve(1).map_err(|_| Misuse::NoMemory)?;
            self.out.push('\0');
            self.finished = true;
        }
        Ok(&self.out)
    }

    /// Writes a value of `length` bytes where one may stand.
    #[inline(never)]
    fn value(&mut self, length: usize, write: &mut dyn FnMut(&mut String)) -> Result<(), Misuse> {
        let comma = match self.open.last() {
            None if !self.out.is_empty() => return Err(Misuse::SecondRoot),
            Some(true) if !self.named => return Err(Misuse::Unnamed),
            Some(false) => self.filled,
            // The comma is before the name.
            _ => false,
        };
        self.reserve(length.saturating_add(usize::from(comma)))?;
        if comma {
            self.out.push(',');
        }
        write(&mut self.out);
        (self.named, self.filled) = (false, true);
        Ok(())
    }

    #[inline(never)]
    fn reserve(&mut self, more: usize) -> Result<(), Misuse> {
        if self.out.len().saturating_add(more) > self.length {
            return Err(Misuse::Length(self.length));
        }
        self.out.try_reserve(more).map_err(|_| Misuse::NoMemory)
    }
}

/// Checks a text.
fn text(bytes: &[u8]) -> Result<&str, Misuse> {
    let text = utf8(bytes);
    if text.len() == bytes.len() {
        return Ok(text);
    }
    Err(Misuse::Utf8(std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to())))
}

/// How much is copied at once.
const BLOCK: usize = 16 * 1024;

/// Copies the object `object` to `out` with the members `add` (a plain name, the text of a value) appended. A member of
/// `object` with the name of an added one is left out of the copy, and so is an added one with the name of a later one,
/// so that no added name occurs twice. White space between members is not copied, and what else has line breaks comes
/// on one line as with [`one_line_into`]. An `object` that is not one counts as empty.
pub fn splice_into(object: &str, add: &[(&str, &str)], out: &mut Vec<u8>) {
    out.push(b'{');
    let mut comma = false;
    for (name, value) in members(object) {
        if !add.iter().any(|(added, _)| spells(name, added)) {
            begin_member(&mut comma, out);
            out.push(b'"');
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            one_line_into(value, out);
        }
    }
    for (index, (name, value)) in add.iter().enumerate() {
        if !add.iter().skip(index + 1).any(|(later, _)| later == name) {
            begin_member(&mut comma, out);
            out.extend_from_slice(quote(name).as_bytes());
            out.push(b':');
            one_line_into(value, out);
        }
    }
    out.push(b'}');
}

/// Copies JSON text to `out`, turning line breaks into spaces. In valid JSON they are white space only, as a string
/// cannot hold one unescaped, so the value stays what it is and fits a framing of one message per line.
pub fn one_line_into(value: &str, out: &mut Vec<u8>) {
    out.reserve(value.len());
    // Block by block, so that what was searched is still in the nearest cache when it is copied.
    for block in value.as_bytes().chunks(BLOCK) {
        let start = out.len();
        out.extend_from_slice(block);
        if let Some(first) = memchr::memchr2(b'\n', b'\r', block) {
            for byte in out.get_mut(start + first..).unwrap_or_default() {
                *byte = if *byte == b'\n' || *byte == b'\r' { b' ' } else { *byte };
            }
        }
    }
}

fn begin_member(comma: &mut bool, out: &mut Vec<u8>) {
    if *comma {
        out.push(b',');
    }
    *comma = true;
}
