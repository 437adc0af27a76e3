//! MCP as data: the dated revisions and what each has, method names, JSON-RPC envelopes, `_meta` keys, error
//! codes, capabilities, URLs as far as origins need them, and how the answer to the probe shows the era of a server.
//!
//! Only data and pure functions. This layer must not know I/O, time or threads; the engine decides what a message means for a
//! call.
//!
//! The files:
//!
//! * `method`: the method table: one row for each method, with its topic
//! * `topic`: `Topic`: the subject of a notification or request of the server, as a number
//! * `revision`: `Revision`, `Era`, and the differences between revisions, as a table
//! * `envelope`: what kind of JSON-RPC message a frame is (`Incoming`, `Violation`); which call a broken or oversized frame
//!   answers
//! * `salvage`: the id in a frame that is broken or too large
//! * `definition`: definitions of another server as they should be written
//! * `given`: what the other side wrote stands for: null, `[]`, a number as text
//! * `write`: writes JSON-RPC messages
//! * `field`: the tables of `tests/field`, for tests
//! * `frame`: `Frame`: a message of ours on its way to a transport
//! * `params`: `Params`, `ParamsBuf`: checked text of parameters, with members added
//! * `meta`: `_meta` keys and the members of the modern era
//! * `handshake`: `ServerFacts`: texts and facts of handshake and discovery
//! * `probe`: the era of a server from its answer to the probe; which revision is taken of those that it names; when
//!   HTTP+SSE is tried
//! * `capability`: capabilities of clients, per revision
//! * `feature`: what servers declare; levels of log messages
//! * `task`: `Task`, `Form`: tasks as data, in both forms
//! * `tool_mode`: the convention of tool modes
//! * `content`: the text in a result
//! * `page`: pages to visit that are safe to show
//! * `address`: `Address`, `Origin`: URLs as far as origins need them
//! * `error_code`: codes of JSON-RPC errors
//! * `visible`: texts of others without what a terminal would execute or not show

pub mod address;
pub mod capability;
pub mod content;
pub mod definition;
pub mod envelope;
pub mod error_code;
pub mod feature;
#[cfg(test)]
pub(crate) mod field;
pub mod frame;
pub mod given;
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
pub mod visible;
pub mod write;

pub use envelope::{Id, Incoming, Malformed, Violation};
pub use frame::{Frame, FrameInfo, FrameKind};
pub use params::{Params, ParamsBuf};
pub use revision::{Era, Revision};
pub use topic::Topic;
