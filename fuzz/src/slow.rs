//! The slow reader of event streams, which the unit tests of `src/transport/sse` have, with the names that it expects.

pub use mcp::transport::sse::{Bounds, Event, Piece};
use std::time::Duration;

#[path = "../../src/transport/sse/tests/reference.rs"]
pub mod reference;
