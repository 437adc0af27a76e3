//! Layers 0 and 1: what knows nothing of MCP, and what each call and each frame goes through.
//!
//! It is a package of its own for the level at which it is compiled: this one to be quick, `mcp-core` above it to be small. So what
//! belongs here is what the instructions of a call (`cargo xtask bench --check`) show to be worth it.
//!
//! | layer | module | is | must not know |
//! |---|---|---|---|
//! | 0 | `sorted` | maps and sets in the order of their keys | what they hold |
//! | 1 | `json` | JSON as text: scanned and spliced, never a tree | MCP |

#![deny(unsafe_code)]
// The process of the host is not ours to end.
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro
    )
)]

pub mod json;
pub mod sorted;
