//! URI templates (RFC 6570, all four levels): what resource templates of servers are written in.

mod expand;
#[cfg(feature = "server")]
mod matching;

pub use expand::expand;
#[cfg(feature = "server")]
pub(crate) use matching::{check, has_variable, matches};
