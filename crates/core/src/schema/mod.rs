//! JSON Schema: what a tool promises of its results, and what a server wants of a form, checked here (2020-12, draft-07).
//!
//! Schemas come from servers, so everything is bounded: how deep a schema nests, how many parts it has, how many steps and
//! how long a check takes. Nothing is ever fetched: a reference that does not lead to a place inside the document makes the
//! schema unusable. Patterns run in linear time. This layer must not know tools or elicitation.
//!
//! The files:
//!
//! * `reader`: reads a schema into nodes: keywords, anchors and references
//! * `model`: `Schema`: nodes, keywords, `Bounds`; `Mismatch`; patterns and their cost
//! * `check`: `Check`: checks a value step by step within the bounds, and words the mismatches
//! * `fast_path`: usual arguments checked as text, without a tree
//! * `values`: equality of values, the start of a value for a mismatch, formats of forms

mod check;
#[cfg(feature = "server")]
mod fast_path;
mod model;
mod reader;
#[cfg(test)]
mod tests;
mod values;

#[cfg(feature = "server")]
pub(crate) use fast_path::FastPath;
pub use model::{Bounds, Failure, Schema};

use serde_json::Value;

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub fn new(schema: &Value, bounds: Bounds) -> Result<Schema, String> {
        reader::read(schema, bounds)
    }

    /// The same schema, with formats that count.
    #[must_use]
    pub fn with_formats(mut self) -> Schema {
        self.formats = true;
        self
    }

    /// Whether `value` is what the schema wants.
    ///
    /// # Errors
    /// The first mismatch, or which bound was reached.
    pub fn check(&self, value: &Value) -> Result<(), Failure> {
        check::check(self, value)
    }
}
