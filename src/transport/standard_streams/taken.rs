//! What a connection gets of the standard streams, and whether one has them.

use crate::transport::process::per_process::PerProcess;
use crate::transport::stream_end::StreamEnd;
use std::sync::atomic::AtomicBool;

/// Whether a connection of this process has the standard streams. A child of `fork` begins without.
pub(super) static TAKEN: PerProcess<AtomicBool> = PerProcess::new(|| AtomicBool::new(false));

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
pub struct Taken<Streams> {
    /// Where requests come from.
    pub input: StreamEnd,
    /// Where answers go.
    pub output: StreamEnd,
    /// Gives the descriptors 0 and 1 back when it is dropped.
    pub streams: Streams,
}

/// Another connection has the streams.
pub(super) fn taken_already() -> StreamsRefused {
    StreamsRefused {
        message: "cannot serve on the standard streams: another server of this process has them; close and free that one \
                  first"
            .to_owned(),
        errno: None,
    }
}
