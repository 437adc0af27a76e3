//! The standard streams of this process as a connection: what a server on stdio reads and writes.
//!
//! The specification says that a server writes nothing but messages to its standard output. The program around the library
//! may print, and so may every library that it loads; it may also read from standard input, or start programs that do. So the
//! connection uses copies of the descriptors 0 and 1, and while it does, the descriptors themselves lead elsewhere.

use crate::transport::process::per_process::PerProcess;
use crate::transport::stream::StreamEnd;
use std::sync::atomic::AtomicBool;
#[cfg(all(test, unix))]
mod tests;

pub use crate::transport::system::standard_streams::StandardStreams;

/// Whether a connection of this process has the standard streams. A child of `fork` begins without.
pub(crate) static TAKEN: PerProcess<AtomicBool> = PerProcess::new(|| AtomicBool::new(false));

/// Why the standard streams cannot be used, with the fix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamsRefused {
    /// What went wrong, in a sentence.
    pub message: String,
    /// The system's error number, where it gave one.
    pub errno: Option<i32>,
}

/// What a connection gets of the standard streams.
#[derive(Debug)]
pub struct TakenStreams<Streams> {
    /// Where requests come from.
    pub input: StreamEnd,
    /// Where answers go.
    pub output: StreamEnd,
    /// Whether a person reads the answers at a terminal.
    pub is_terminal: bool,
    /// Gives the descriptors 0 and 1 back when it is dropped.
    pub streams: Streams,
}

/// Another connection has the streams.
pub(crate) fn taken_already() -> StreamsRefused {
    StreamsRefused {
        message: "cannot serve on the standard streams: another server of this process has them; close and free that one \
                  first"
            .to_owned(),
        errno: None,
    }
}
