//! Writing to a client without `SIGPIPE`, which would end the program that this library is in: whichever thread waits drives the
//! connections, and the runtime's own writes of several parts raise it.

use crate::transport::system::io::{QUIET, send_slices};
use std::io::{Error, ErrorKind, IoSlice};
use std::task::{Context, Poll, ready};
use tokio::io::Interest;
use tokio::net::TcpStream;

/// The most parts that are written at once: every system takes as many.
const PARTS: usize = 64;

/// Writes what lies in several places, as much of it as there is room for.
///
/// # Errors
/// What the system said.
pub fn poll_write_parts(
    stream: &TcpStream,
    context: &mut Context<'_>,
    parts: &[IoSlice<'_>],
) -> Poll<Result<usize, Error>> {
    let parts = &parts[..parts.len().min(PARTS)];
    loop {
        ready!(stream.poll_write_ready(context))?;
        match stream.try_io(Interest::WRITABLE, || Ok(send_slices(stream, parts, QUIET)?)) {
            // Not ready after all; asking again registers the wish to be woken.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            written => return Poll::Ready(written),
        }
    }
}
