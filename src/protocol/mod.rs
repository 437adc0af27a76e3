//! MCP as data: the dated revisions and what each has, method names, JSON-RPC envelopes, `_meta` keys, error
//! codes, capabilities, URLs as far as origins need them, and how the answer to the probe shows the era of a server.
//!
//! Only data and pure functions. This layer must not know I/O, time or threads; the engine decides what a message means for a
//! call.

pub mod address;
pub mod capability;
pub mod content;
pub mod envelope;
pub mod error_code;
pub mod feature;
pub mod frame;
pub mod handshake;
pub mod meta;
pub mod method;
pub mod page;
pub mod params;
pub mod probe;
pub mod revision;
mod salvage;
pub mod task;
pub mod tool_mode;
pub mod topic;
pub mod write;

pub use envelope::{Id, Incoming, Malformed, Violation};
pub use frame::{Frame, FrameInfo, FrameKind};
pub use params::{Params, ParamsBuf};
pub use revision::{Era, Revision};
pub use topic::Topic;
