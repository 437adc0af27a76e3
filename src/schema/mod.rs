//! JSON Schema: what a tool promises of its results, and what a server wants of a form, checked here (2020-12, draft-07).
//!
//! Schemas come from servers, so everything is bounded: how deep a schema nests, how many parts it has, how many steps and
//! how long a check takes. Nothing is ever fetched: a reference that does not lead to a place inside the document makes the
//! schema unusable. Patterns run in linear time. This layer must not know tools or elicitation.

mod build;
mod check;
mod collections;
mod format;
mod keywords;
mod pattern;
mod reference;
mod same;
mod shown;

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;

use build::{Node, NodeId, Resource};
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// What a schema and a check with it may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// How deep the schema, and a check with it, may nest.
    pub(crate) depth: usize,
    /// How many schemas there may be in the schema.
    pub(crate) parts: usize,
    /// How many steps a check may take: one for each keyword that looks at a value, more where it looks at much.
    pub(crate) steps: usize,
    /// How long a check may take.
    pub(crate) time: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { depth: 64, parts: 10_000, steps: 2_000_000, time: Duration::from_millis(500) }
    }
}

/// How a schema is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Draft7,
    Draft2020,
}

/// A schema that can be checked with.
#[derive(Debug)]
pub(crate) struct Schema {
    nodes: Vec<Node>,
    resources: Vec<Resource>,
    root: NodeId,
    bounds: Bounds,
    /// Whether any part asks what other parts have looked at.
    tracks: bool,
    /// Whether formats are checked; else they only inform.
    formats: bool,
}

/// Why a value is not what a schema wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mismatch {
    /// Where in the value, a JSON Pointer.
    pub(crate) at: String,
    /// The keyword that says so.
    pub(crate) keyword: &'static str,
    /// In words.
    pub(crate) what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.at.is_empty() { "the value" } else { &self.at };
        write!(f, "{place} {} ({})", self.what, self.keyword)
    }
}

/// How a check ended that found no match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The value does not match.
    Mismatch(Box<Mismatch>),
    /// The check cost too much; nothing is known of the value.
    Bound(&'static str),
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub(crate) fn new(schema: &Value, bounds: Bounds) -> Result<Schema, String> {
        build::build(schema, bounds)
    }

    /// The same schema, with formats that count.
    pub(crate) fn with_formats(mut self) -> Schema {
        self.formats = true;
        self
    }

    /// Whether `value` is what the schema wants.
    ///
    /// # Errors
    /// The first mismatch, or which bound was reached.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Failure> {
        check::check(self, value)
    }
}
