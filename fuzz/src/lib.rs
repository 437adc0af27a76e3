//! What the targets share: an input taken apart, and text cut in pieces.

mod hosts;
mod input;
pub mod program;
mod server;
pub mod serving;
pub mod slow;
pub mod stage;
mod store;
mod traffic;
mod values;
mod words;

pub use input::{Input, text};

// The slow reader knows the library as the crate it is in.
use mcp::protocol;
