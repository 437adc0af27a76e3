//! A schema that was read: nodes and their keywords, patterns, the bounds of a check, and how a check ends.
//!
//! A few characters of a pattern can stand for a program of megabytes (`(.{500}){200}`), and a match takes as long as the program and
//! the text together: so programs are bounded one by one and together, and each match pays with steps for what it may take.

use regex_lite::{Regex, RegexBuilder};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

/// What a schema and a check with it may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How deep the schema, and a check with it, may nest.
    pub depth: usize,
    /// How many schemas there may be in the schema.
    pub parts: usize,
    /// How many steps a check may take: one for each keyword that looks at a value, more where it looks at much.
    pub steps: usize,
    /// How long a check may take.
    pub time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { depth: 64, parts: 10_000, steps: 2_000_000, time: Duration::from_millis(500) }
    }
}

/// How a schema is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Draft7,
    Draft2020,
}

/// A schema that can be checked with.
#[derive(Debug)]
pub struct Schema {
    pub(super) nodes: Vec<SchemaNode>,
    pub(super) resources: Vec<SchemaResource>,
    pub(super) root: NodeId,
    pub(super) bounds: Bounds,
    /// Whether any part asks what other parts have looked at.
    pub(super) tracks: bool,
    /// Whether formats are checked; else they only inform.
    pub(super) formats: bool,
}

/// Why a value is not what a schema wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Where in the value, a JSON Pointer.
    pub at: String,
    /// The keyword that says so.
    pub keyword: &'static str,
    /// In words.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.at.is_empty() { "the value" } else { &self.at };
        write!(f, "{place} {} ({})", self.what, self.keyword)
    }
}

/// How a check ended that found no match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The value does not match.
    Mismatch(Box<Mismatch>),
    /// The check cost too much; nothing is known of the value.
    Bound(&'static str),
}

/// Names a node.
pub(super) type NodeId = usize;

/// One schema.
#[derive(Debug)]
pub(super) enum SchemaNode {
    /// Not read yet.
    Pending,
    /// `true` or `false`.
    Bool(bool),
    /// An object.
    Rules {
        /// What its keywords want, those that ask what others looked at last.
        rules: Vec<Keyword>,
        /// The resource it belongs to.
        resource: usize,
    },
}

/// A schema with an address of its own.
#[derive(Default, Debug)]
pub(super) struct SchemaResource {
    pub(super) address: String,
    /// Where it begins in the document.
    pub(super) pointer: String,
    pub(super) anchors: HashMap<String, String>,
    /// Its dynamic anchors.
    pub(super) dynamic: HashMap<String, NodeId>,
    pub(super) dynamic_at: Vec<(String, String)>,
}

/// What one keyword wants.
#[derive(Debug)]
pub(super) enum Keyword {
    Types(Vec<String>),
    Enum(Vec<Value>),
    Const(Value),
    MultipleOf(f64),
    Least { bound: f64, exclusive: bool },
    Most { bound: f64, exclusive: bool },
    MinLength(u64),
    MaxLength(u64),
    Pattern(Pattern),
    Format(String),
    MinItems(u64),
    MaxItems(u64),
    Unique,
    Items { prefix: Vec<NodeId>, rest: Option<NodeId> },
    Contains { node: NodeId, least: u64, most: Option<u64>, evaluates: bool },
    MinProperties(u64),
    MaxProperties(u64),
    Required(Vec<String>),
    Properties { named: HashMap<String, NodeId>, patterns: Vec<(Pattern, NodeId)>, rest: Option<NodeId> },
    Names(NodeId),
    DependentRequired(Vec<(String, Vec<String>)>),
    DependentSchemas(Vec<(String, NodeId)>),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If { test: NodeId, then: Option<NodeId>, otherwise: Option<NodeId> },
    Reference(NodeId),
    DynamicReference { fallback: NodeId, name: Option<String> },
    UnevaluatedItems(NodeId),
    UnevaluatedProperties(NodeId),
}

/// The most bytes of one pattern.
const PATTERN: usize = 4096;
/// The bounds that programs are tried with, in bytes: the first, and the last.
const LEAST: usize = 4 * 1024;
const MOST: usize = 256 * 1024;
/// The most bytes that all programs of a schema may have.
pub(super) const PROGRAMS: usize = 4 * 1024 * 1024;
/// How much of a program can be gone through in the time of a step.
const IN_A_STEP: usize = 2048;

/// A pattern that text can be matched with.
#[derive(Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// What each byte of a text costs.
    steps: usize,
}

impl Pattern {
    /// Reads a pattern; its program takes of what is `left` for all of the schema.
    pub(super) fn new(text: &str, left: &mut usize) -> Result<Pattern, String> {
        if text.len() > PATTERN {
            return Err(format!("a pattern has more than {PATTERN} bytes"));
        }
        let mut size = LEAST;
        loop {
            match RegexBuilder::new(text).size_limit(size).build() {
                Ok(regex) => {
                    *left = left.checked_sub(size).ok_or("its patterns are too large together")?;
                    return Ok(Pattern { regex, steps: size / IN_A_STEP });
                }
                Err(_) if size < MOST => size *= 2,
                Err(error) => return Err(format!("the pattern {text} is not supported: {error}")),
            }
        }
    }

    /// What it costs to match a text.
    pub(super) fn steps(&self, text: &str) -> usize {
        self.steps.saturating_mul(text.len())
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn as_str(&self) -> &str {
        self.regex.as_str()
    }
}
