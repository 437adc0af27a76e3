//! The Go binding: what is generated for it, and its tests (`tests/go`).

use super::{Stage, pytest};
use crate::bindings::is_fresh;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("constants.go is what include/mcp.h says", is_fresh(stage.checkout, "go"));
    pytest::go(stage)
}
