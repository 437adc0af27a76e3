//! Bytes in and out: a server process on pipes, sockets, transports of the host, framing, what HTTP asks of a message, event streams, and waiting for
//! readiness.
//!
//! This room must not know calls or capabilities: what a frame says is none of its business.

pub mod custom;
pub mod framing;
#[cfg(feature = "http")]
pub mod http;
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
pub mod stderr;
pub mod stdio;
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
