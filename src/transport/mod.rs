//! Bytes in and out: a server process on pipes, sockets, transports of the host, framing, what HTTP asks of a message, event streams, and waiting for
//! readiness.
//!
//! This module must not know calls or capabilities: it does not look at what a frame says.

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
pub mod outgoing;
pub mod oversized;
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
pub mod stdio;
#[cfg_attr(
    not(feature = "server"),
    allow(dead_code, reason = "only a server shares its streams with others")
)]
pub mod stream_end;
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
