//! Rust source as far as the checks of the architecture need it: what is code and what is comment, text or test.
//!
//! It is a scanner and no parser. It knows enough to never take a word of a comment or a string for code.

mod blank;
mod tokens;

pub use blank::{code_only, without_tests};
pub use tokens::{Token, Word, tokens};
