//! The standard streams of this process as a connection: what a server on stdio reads and writes.
//!
//! The specification says that a server writes nothing but messages to its standard output. The program around the library
//! may print, and so may every library that it loads; it may also read from standard input, or start programs that do. So the
//! connection uses copies of the descriptors 0 and 1, and while it does, the descriptors themselves lead elsewhere.
//!
//! The files:
//!
//! * `taken`: `Taken`, `StreamsRefused`; whether a connection has the streams
//! * `unix`: `StandardStreams` on Linux, Android and macOS
//! * `windows`: `StandardStreams` on Windows

mod taken;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::StandardStreams;
#[cfg(windows)]
pub use windows::StandardStreams;
