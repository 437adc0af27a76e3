//! Bytes in and out: a server process on pipes, sockets, transports of the host, framing, what HTTP asks of a message, event streams, and waiting for
//! readiness.
//!
//! This module must not know calls or capabilities: it does not look at what a frame says.
//!
//! The files:
//!
//! * `process`: server processes
//! * `socket`: Unix and TCP sockets: connecting and listening
//! * `standard_streams`: descriptors 0 and 1 of this process, for a server
//! * `custom`: `Transport`, `Receiver`: what a transport of the host implements (both sides)
//! * `http`: requests over HTTP (client)
//! * `http_server`: what requests over HTTP must say, and how answers are written (server)
//! * `sse`: event streams
//! * `stream`: `Incoming`, `Outgoing`: read and write frames on any pipe or socket without blocking (both sides)
//! * `framing`: `Deframer`: frames out of bytes (both sides); `Oversized`: what is kept of a message over the bound
//! * `poller`: `Poller`, `Wake`, `Parking`: waiting until descriptors are ready, or until a number changes (both sides)
//! * `stderr`: `Stderr`: a server's standard error
//! * `loopback`: `Loopback`: where the browser comes back to after a login
//! * `token_store`: `FileStore`: logins in files; does not know their text
//! * `folder`: `Folder`: files below a folder, and no others
//! * `stack`: whether a thread has stack enough
//! * `system`: what differs between systems

pub mod custom;
#[cfg(feature = "server")]
pub(crate) mod folder;
pub mod framing;
#[cfg(feature = "http")]
pub mod http;
#[cfg(all(feature = "http", feature = "server"))]
pub(crate) mod http_server;
#[cfg(feature = "auth")]
pub mod loopback;
pub mod poller;
pub mod process;
pub mod socket;
#[cfg(feature = "http")]
pub mod sse;
#[cfg(feature = "http")]
pub mod stack;
#[cfg(feature = "server")]
pub mod standard_streams;
pub mod stderr;
pub mod stream;
pub(crate) mod system;
#[cfg(feature = "auth")]
pub mod token_store;

pub use framing::Framing;
#[cfg(fuzzing)]
pub use framing::{Deframer, Piece};

/// What the system says of an error, without the number that Rust adds: that helps no person.
pub fn plain_text(error: &std::io::Error) -> String {
    let text = error.to_string();
    match (error.raw_os_error(), text.rfind(" (os error ")) {
        (Some(_), Some(end)) => text[..end].to_owned(),
        _ => text,
    }
}
