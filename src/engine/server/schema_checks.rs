//! What goes into a tool and comes out of it, checked against its schemas (S-TL-06, S-TL-09). A build without schemas checks
//! nothing.
//!
//! A check may take as long as the bounds of `src/schema` allow, so the engine does none itself: it says which check is to be
//! made, the caller makes it without holding the engine, and gives the verdict back. Only arguments that are found to fit in
//! one pass over their text need no such check.

use super::registry::{Output, Tool};
#[cfg(feature = "schema")]
use crate::schema::{Failure, Schema};
#[cfg(feature = "schema")]
use std::sync::Arc;

/// The arguments of a call are to be checked before the application sees it.
#[cfg(feature = "schema")]
#[derive(Clone, Debug)]
pub struct ArgumentCheck(Arc<Schema>);

/// This build checks no arguments.
#[cfg(not(feature = "schema"))]
#[derive(Clone, Debug)]
pub enum ArgumentCheck {}

/// What a check of arguments has found: what is wrong, if anything is.
#[derive(Debug)]
pub struct ArgumentVerdict(pub(super) Option<String>);

/// The result of a tool is to be checked before it goes out.
#[derive(Clone, Debug)]
pub struct ResultCheck(pub(super) Output);

impl PartialEq for ResultCheck {
    fn eq(&self, other: &ResultCheck) -> bool {
        #[cfg(feature = "schema")]
        return Arc::ptr_eq(&self.0, &other.0);
        #[cfg(not(feature = "schema"))]
        return self.0 == other.0;
    }
}

impl Eq for ResultCheck {}

/// What a check of a result has found.
#[derive(Debug)]
pub struct ResultVerdict(pub(super) Result<(), String>);

/// What the arguments of a call may take as values, about, while they are checked.
#[cfg(feature = "schema")]
const MOST_TREE: usize = 128 << 20;

/// What is wrong with a result that has to be structured.
pub(super) const UNSTRUCTURED: &str = "the tool has an output schema, and its result no 'structuredContent'";

/// The check that the arguments of a call need; `None` for those that fit.
#[cfg(feature = "schema")]
pub(super) fn needed<H>(tool: &Tool<H>, arguments: &str) -> Option<ArgumentCheck> {
    if tool.plain_input.as_ref().is_some_and(|plain| plain.fits(arguments)) {
        return None;
    }
    Some(ArgumentCheck(Arc::clone(&tool.input)))
}

#[cfg(not(feature = "schema"))]
pub(super) fn needed<H>(_tool: &Tool<H>, _arguments: &str) -> Option<ArgumentCheck> {
    None
}

impl ArgumentCheck {
    /// Checks the arguments in the parameters of a call.
    #[cfg(feature = "schema")]
    pub fn run(&self, params: &str) -> ArgumentVerdict {
        let arguments = crate::json::member(params, "arguments").unwrap_or("{}");
        // As values they may take many times their text.
        if crate::json::tree_bytes(arguments) > MOST_TREE {
            return ArgumentVerdict(Some("they have more values than can be checked".to_owned()));
        }
        ArgumentVerdict(fits(&self.0, arguments).err())
    }

    /// There is none.
    #[cfg(not(feature = "schema"))]
    pub fn run(&self, _params: &str) -> ArgumentVerdict {
        match *self {}
    }
}

impl ResultCheck {
    /// Checks the structured content of a result.
    #[cfg(feature = "schema")]
    pub fn run(&self, result: &str) -> ResultVerdict {
        let Some(structured) = crate::json::pick(result, ["structuredContent"])[0] else {
            return ResultVerdict(Err(UNSTRUCTURED.to_owned()));
        };
        let checked = fits(&self.0, structured);
        ResultVerdict(checked.map_err(|what| format!("'structuredContent': {what}")))
    }

    /// Finds nothing wrong.
    #[cfg(not(feature = "schema"))]
    pub fn run(&self, _result: &str) -> ResultVerdict {
        let () = self.0;
        ResultVerdict(Ok(()))
    }
}

#[cfg(feature = "schema")]
fn fits(schema: &Schema, text: &str) -> Result<(), String> {
    let value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    schema.check(&value).map_err(|failure| match failure {
        Failure::Mismatch(mismatch) => mismatch.to_string(),
        Failure::Bound(bound) => format!("the check reached its bound of {bound}"),
    })
}
