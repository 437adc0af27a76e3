//! Rust source as far as the checks of the architecture need it: what is code and what is comment, text or test.
//!
//! The tokens are those of proc-macro2, which never takes a word of a comment or a string for code.

mod blank;
mod tokens;

pub use blank::{code_only, without_tests};
pub use tokens::{Token, Word, tokens};
