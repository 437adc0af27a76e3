//! Parameters of a tool that are sent as headers too (2026-07-28 `basic/transports/streamable-http`, "Custom Headers from
//! Tool Parameters"): which ones a tool's `inputSchema` names with `x-mcp-header`.
//!
//! Works on JSON text that was scanned before. This module must not know where a schema is kept or how fresh it is.

use crate::json;
use crate::json::{Cursor, Kind, Raw, Span};
use std::fmt;

const ANNOTATION: &str = "x-mcp-header";

/// The most parameters of one tool that are sent as headers; servers take about a hundred headers at most.
pub const MOST: usize = 100;
/// The most bytes that the path to such a parameter may have, and its header's name.
pub const PATH_BYTES: usize = 4096;

/// A parameter that goes into a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// The header's name without `Mcp-Param-`, as the schema has it.
    pub name: String,
    /// The names that lead from a call's `arguments` to the value.
    pub path: Vec<String>,
}

/// An annotation that breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Where the annotated schema is in the whole schema: a JSON Pointer, cut short if it is long.
    pub place: String,
    /// The rule.
    pub rule: Rule,
}

/// A rule for annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The annotation is not a string, but this.
    NotAString(Kind),
    /// It is empty.
    Empty,
    /// It is not a token, as the name of a header must be.
    NotAToken,
    /// Another annotation has the same name (case does not count).
    Duplicate(String),
    /// The property has no type that a header can carry, but this (JSON text), or none.
    Type(Option<String>),
    /// The place is not reached by `properties` alone.
    Unreachable,
    /// There are more annotations than are supported, or the way to one is too long.
    TooMuch,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ANNOTATION} at '{}' ", self.place)?;
        match &self.rule {
            Rule::NotAString(kind) => write!(f, "is {kind} and not a string"),
            Rule::Empty => f.write_str("is empty"),
            Rule::NotAToken => f.write_str("has characters that no header's name may have"),
            Rule::Duplicate(name) => write!(f, "has the name '{name}', which another one has too"),
            Rule::Type(Some(kind)) => {
                write!(f, "is on a property of type {kind}; it must be string, integer or boolean")
            }
            Rule::Type(None) => {
                f.write_str("is on a property without a type; it must be string, integer or boolean")
            }
            Rule::Unreachable => f.write_str("is not on a property that is reached by 'properties' alone"),
            Rule::TooMuch => write!(
                f,
                "is too much: at most {MOST} are supported, with names and paths of at most {PATH_BYTES} bytes"
            ),
        }
    }
}

/// What the members or elements of an object or array are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Keywords: the object is a schema.
    Keywords,
    /// Schemas by name.
    Named,
    /// Schemas, one after another.
    List,
}

/// One object or array that the walk is in.
struct SchemaLevel<'t> {
    holds: Holds,
    /// Whether only `properties` led here.
    reachable: bool,
    step: Segment<'t>,
    annotation: Option<Span>,
    kind: Option<Span>,
}

/// The last step of the way to a level.
enum Segment<'t> {
    Root,
    Keyword(Raw<'t>),
    /// The name of a property, or of another named schema.
    Name(Raw<'t>),
    Element,
}

impl<'t> SchemaLevel<'t> {
    fn new(holds: Holds, reachable: bool, step: Segment<'t>) -> SchemaLevel<'t> {
        SchemaLevel { holds, reachable, step, annotation: None, kind: None }
    }
}

/// The parameters that a tool's `schema` sends as headers.
///
/// # Errors
/// The first rule of the specification that an annotation breaks: the tool is then to be left out of the list.
pub fn read(schema: &str) -> Result<Vec<Parameter>, Broken> {
    // Nearly every schema has no annotation. One whose name is written with an escape begins with a backslash somewhere.
    let text = schema.as_bytes();
    if memchr::memmem::find(text, ANNOTATION.as_bytes()).is_none() && memchr::memchr(b'\\', text).is_none() {
        return Ok(Vec::new());
    }
    let mut walk = SchemaWalk { schema, cursor: Cursor::new(text), levels: Vec::new(), found: Vec::new() };
    if walk.cursor.enter(Kind::Object) {
        walk.levels.push(SchemaLevel::new(Holds::Keywords, true, Segment::Root));
    }
    while let Some(holds) = walk.levels.last().map(|level| level.holds) {
        match holds {
            Holds::Keywords => walk.keyword()?,
            Holds::Named => walk.named(),
            Holds::List => walk.element(),
        }
    }
    Ok(walk.found)
}

struct SchemaWalk<'t> {
    schema: &'t str,
    cursor: Cursor<'t>,
    levels: Vec<SchemaLevel<'t>>,
    found: Vec<Parameter>,
}

impl<'t> SchemaWalk<'t> {
    /// The next keyword of a schema.
    fn keyword(&mut self) -> Result<(), Broken> {
        let Some(name) = self.cursor.member() else { return self.leave_schema() };
        let reachable = self.levels.last().is_some_and(|level| level.reachable);
        if name.is(ANNOTATION) {
            let value = self.cursor.skip();
            if let Some(level) = self.levels.last_mut() {
                level.annotation = value;
            }
        } else if name.is("type") {
            let value = self.cursor.skip();
            if let Some(level) = self.levels.last_mut() {
                level.kind = value;
            }
        } else if ["default", "const", "enum", "examples"].iter().any(|data| name.is(data)) {
            self.cursor.skip();
        } else {
            let named = ["patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
            let properties = name.is("properties");
            let holds = if properties || named.iter().any(|keyword| name.is(keyword)) {
                Holds::Named
            } else {
                Holds::Keywords
            };
            self.enter(holds, reachable && properties, Segment::Keyword(name));
        }
        Ok(())
    }

    fn named(&mut self) {
        match self.cursor.member() {
            Some(name) => {
                let reachable = self.levels.last().is_some_and(|level| level.reachable);
                self.enter(Holds::Keywords, reachable, Segment::Name(name));
            }
            None => drop(self.levels.pop()),
        }
    }

    fn element(&mut self) {
        if self.cursor.element() {
            self.enter(Holds::Keywords, false, Segment::Element);
        } else {
            self.levels.pop();
        }
    }

    /// Goes into the value here if it can hold a schema, and past it if not.
    fn enter(&mut self, holds: Holds, reachable: bool, step: Segment<'t>) {
        // Scanned text nests no deeper; other text costs no more.
        if self.levels.len() >= json::MAX_DEPTH {
            self.cursor.skip();
        } else if self.cursor.enter(Kind::Object) {
            self.levels.push(SchemaLevel::new(holds, reachable, step));
        } else if self.cursor.enter(Kind::Array) {
            self.levels.push(SchemaLevel::new(Holds::List, false, step));
        } else {
            self.cursor.skip();
        }
    }

    fn leave_schema(&mut self) -> Result<(), Broken> {
        if let Some(level) = self.levels.last()
            && let Some(annotation) = level.annotation
        {
            match self.judge(level, annotation.str(self.schema)) {
                Ok(parameter) => self.found.push(parameter),
                Err(rule) => return Err(Broken { place: self.place(), rule }),
            }
        }
        self.levels.pop();
        Ok(())
    }

    fn judge(&self, level: &SchemaLevel<'t>, annotation: &str) -> Result<Parameter, Rule> {
        let Some(name) = json::string(annotation) else {
            return Err(Rule::NotAString(json::kind(annotation).unwrap_or(Kind::Null)));
        };
        if name.is_empty() {
            return Err(Rule::Empty);
        }
        if !is_token(&name) {
            return Err(Rule::NotAToken);
        }
        // The root is not a property either.
        if !level.reachable || matches!(level.step, Segment::Root) {
            return Err(Rule::Unreachable);
        }
        let kind = level.kind.map(|kind| kind.str(self.schema));
        if !kind.is_some_and(is_primitive) {
            return Err(Rule::Type(kind.map(short)));
        }
        if self.found.iter().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            return Err(Rule::Duplicate(short(&name)));
        }
        let path: Vec<String> = self.levels.iter().filter_map(|level| property(&level.step)).collect();
        if self.found.len() >= MOST
            || path.iter().map(String::len).sum::<usize>().max(name.len()) > PATH_BYTES
        {
            return Err(Rule::TooMuch);
        }
        Ok(Parameter { name: name.into_owned(), path })
    }

    /// The way to the innermost level, as a JSON Pointer.
    fn place(&self) -> String {
        let mut place = String::new();
        for level in &self.levels {
            match level.step {
                Segment::Root => {}
                Segment::Keyword(raw) | Segment::Name(raw) => {
                    place.push('/');
                    place.push_str(&short(&decoded(raw)).replace('~', "~0").replace('/', "~1"));
                }
                Segment::Element => place.push_str("/-"),
            }
        }
        short(&place)
    }
}

fn property(step: &Segment<'_>) -> Option<String> {
    match step {
        Segment::Name(raw) => Some(decoded(*raw)),
        _ => None,
    }
}

fn decoded(raw: Raw<'_>) -> String {
    let mut name = Vec::new();
    raw.decode_into(&mut name);
    String::from_utf8(name).unwrap_or_default()
}

/// Whether `kind`, the value of `type`, is of a kind that a header can carry. A list with null in it is taken too: null
/// is a value that the specification has a row for (no header).
fn is_primitive(kind: &str) -> bool {
    let named = |text: &str| json::string(text).map(std::borrow::Cow::into_owned);
    let primitive = |name: Option<String>| {
        name.is_some_and(|name| matches!(name.as_str(), "string" | "integer" | "boolean"))
    };
    match json::kind(kind) {
        Some(Kind::String) => primitive(named(kind)),
        Some(Kind::Array) => {
            let mut kinds =
                json::elements(kind).filter(|kind| named(kind).as_deref() != Some("null")).peekable();
            kinds.peek().is_some() && kinds.all(|kind| primitive(named(kind)))
        }
        _ => false,
    }
}

/// Enough of a text that a server wrote to find the place.
fn short(text: &str) -> String {
    const MOST_CHARACTERS: usize = 120;
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Whether `name` is a token, as the name of a header must be (RFC 9110, section 5.6.2).
pub fn is_token(name: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(token)
}
