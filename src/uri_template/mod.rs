//! URI templates (RFC 6570, all four levels): what resource templates of servers are written in.
//!
//! The files:
//!
//! * `expand`: from a template and variables to a URI
//! * `matching`: from a URI to the variables

mod expand;
mod matching;

pub use expand::expand;
pub(crate) use matching::matches;
#[cfg(feature = "server")]
pub(crate) use matching::{check, has_variable};
