//! MCP as data: the dated revisions and what each has, method names, JSON-RPC envelopes, `_meta` keys, error
//! codes, capabilities, URLs as far as origins need them, and how the answer to the probe shows the era of a server.
//!
//! Only data and pure functions. This layer must not know I/O, time or threads; the engine decides what a message means for a
//! call.
//!
//! The files:
//!
//! * `method`: the method table: one row for each method, with its topic (`Topic`)
//! * `revision`: `Revision`, `Era`, and the differences between revisions, as a table
//! * `envelope`: what kind of JSON-RPC message a frame is (`Incoming`, `Violation`); which call a broken or oversized frame
//!   answers
//! * `lenient`: what the other side wrote stands for: null, `[]`, a number as text; definitions of another server as they should be
//!   written
//! * `write`: writes JSON-RPC messages, and times in them; `Frame`: a message of ours on its way to a transport
//! * `params`: `Params`, `ParamsBuf`: checked text of parameters, with members added
//! * `header_parameters`: which parameters of a tool are sent as headers too
//! * `meta`: `_meta` keys and the members of the modern era; tool modes
//! * `handshake`: `ServerFacts`: texts and facts of handshake and discovery; the era of a server from its answer to the probe
//! * `capability`: capabilities of clients, per revision, and of servers; levels of log messages
//! * `task`: `Task`, `Form`: tasks as data, in both forms
//! * `content`: the text in a result; the media type of the pages of tools
//! * `address`: `Address`, `Origin`: URLs as far as origins need them; pages to visit that are safe to show
//! * `error_code`: codes of JSON-RPC errors
//! * `draft`: texts for the next revision, off unless they are named
//! * `visible`: texts of others without what a terminal would execute or not show

pub mod address;
pub mod capability;
pub mod content;
pub mod draft;
pub mod envelope;
pub mod error_code;
pub mod handshake;
pub mod header_parameters;
pub mod lenient;
pub mod meta;
pub mod method;
pub mod params;
pub mod revision;
pub mod task;
pub mod visible;
pub mod write;

pub use envelope::{Id, Incoming, Malformed, Violation};
pub use method::Topic;
pub use params::{Params, ParamsBuf};
pub use revision::{Era, Revision};
pub use write::{Frame, FrameInfo, FrameKind};
