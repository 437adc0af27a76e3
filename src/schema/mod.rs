//! JSON Schema: what a tool promises of its results, and what a server wants of a form, checked here (2020-12, draft-07).
//!
//! Schemas come from servers, so everything is bounded: how deep a schema nests, how many parts it has, how many steps and
//! how long a check takes. Nothing is ever fetched: a reference that does not lead to a place inside the document makes the
//! schema unusable. Patterns run in linear time. This layer must not know tools or elicitation.
//!
//! The files:
//!
//! * `keywords`: reads a schema into nodes
//! * `builder`: `Builder`: what is known of a schema while it is read
//! * `reference`: references inside a document
//! * `model`: `Schema`: nodes, rules, `Bounds`; `Mismatch`. Data only
//! * `check`: `Run`: checks a value step by step within the bounds; words the mismatches of types and numbers
//! * `plain`: usual arguments checked as text, without a tree
//! * `collections`: checks arrays and objects
//! * `pattern`: patterns and their cost
//! * `format`: formats of forms
//! * `same`: equality of values
//! * `shown`: the start of a value, for a mismatch

mod builder;
mod check;
mod collections;
mod format;
mod keywords;
mod model;
mod pattern;
#[cfg(feature = "server")]
mod plain;
mod reference;
mod same;
mod shown;

#[cfg(test)]
mod suite;
#[cfg(test)]
mod tests;

pub(crate) use model::{Bounds, Failure, Schema};
#[cfg(feature = "server")]
pub(crate) use plain::Plain;

use serde_json::Value;

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub(crate) fn new(schema: &Value, bounds: Bounds) -> Result<Schema, String> {
        keywords::read(schema, bounds)
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
