//! Parameters of a tool that are sent as headers too (2026-07-28 `basic/transports/streamable-http`, "Custom Headers from
//! Tool Parameters"): which ones a tool's `inputSchema` names with `x-mcp-header`, and the headers of one call.
//!
//! Works on JSON text that was scanned before. This module must not know where a schema is kept or how fresh it is.
//!
//! The files:
//!
//! * `annotation`: the annotations of a schema and their rules
//! * `number`: whole numbers in all their forms

mod annotation;
mod number;

#[cfg(test)]
mod tests;

#[cfg(any(test, fuzzing))]
pub use annotation::{MOST, PATH_BYTES, Rule};
pub use annotation::{Parameter, read};

use super::header::{Header, MCP_PARAM_PREFIX, encoded};
use crate::json::{self, Kind};
use std::borrow::Cow;
use std::fmt;

/// Why a call cannot be sent: the value of a parameter has no form as a header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsendable {
    /// The names that lead to the value, with dots between them.
    pub parameter: String,
    /// What the value is.
    pub kind: Kind,
}

impl fmt::Display for Unsendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsendable { parameter, kind } = self;
        match kind {
            Kind::Number => write!(
                f,
                "the argument '{parameter}' goes into an HTTP header too and must be a whole number of at most 2^53-1"
            ),
            _ => write!(
                f,
                "the argument '{parameter}' goes into an HTTP header too and must be a string, a whole number, true, \
                 false or null; it is {kind}"
            ),
        }
    }
}

/// The headers of a `tools/call` with these `params`.
///
/// # Errors
/// The argument that no header can carry.
pub fn headers(parameters: &[Parameter], params: &str) -> Result<Vec<Header>, Unsendable> {
    let Some(arguments) = json::member(params, "arguments") else { return Ok(Vec::new()) };
    let mut headers = Vec::new();
    for parameter in parameters {
        let found = parameter.path.iter().try_fold(arguments, |value, name| json::member(value, name));
        let Some(value) = found else { continue };
        if let Some(value) = written(value).map_err(|kind| unsendable(parameter, kind))? {
            let name = format!("{MCP_PARAM_PREFIX}{}", parameter.name.to_ascii_lowercase());
            headers.push(Header { name: Cow::Owned(name), value: Cow::Owned(value) });
        }
    }
    Ok(headers)
}

/// The value of a header, by the kind of the value it is made of: what the schema wants there is for the server to
/// judge. `None` for null, which has no header.
fn written(value: &str) -> Result<Option<String>, Kind> {
    match json::kind(value) {
        None | Some(Kind::Null) => Ok(None),
        Some(Kind::True) => Ok(Some("true".to_owned())),
        Some(Kind::False) => Ok(Some("false".to_owned())),
        Some(Kind::String) => Ok(json::string(value).map(|text| encoded(&text).into_owned())),
        Some(Kind::Number) => match number::whole(value) {
            Some(number) => Ok(Some(number.to_string())),
            None => Err(Kind::Number),
        },
        Some(kind @ (Kind::Array | Kind::Object)) => Err(kind),
    }
}

fn unsendable(parameter: &Parameter, kind: Kind) -> Unsendable {
    Unsendable { parameter: parameter.path.join("."), kind }
}
