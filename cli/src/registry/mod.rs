//! Registries of servers: what they send are texts of strangers, of a bounded size, and nothing of a server is started.
//!
//! The files:
//!
//! * `download`: a file at a URL

mod download;

pub use download::download;
