//! There are no Unix sockets on Windows: connecting to one is refused, and a stream that could not be made is never read.

use crate::transport::system::io::NO_UNIX_SOCKETS;
use rustix::fd::BorrowedFd;
use std::io;
use std::os::windows::io::AsSocket;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

/// A connection of a kind that cannot be made here.
#[derive(Debug)]
pub(crate) enum LocalStream {}

impl LocalStream {
    /// Refused.
    ///
    /// # Errors
    /// Always.
    #[allow(clippy::unused_async, reason = "as on other systems")]
    pub(crate) async fn connect(_path: &std::path::Path) -> io::Result<LocalStream> {
        Err(io::Error::new(io::ErrorKind::Unsupported, NO_UNIX_SOCKETS))
    }

    pub(crate) fn poll_write_ready(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }

    pub(crate) fn try_io<R>(
        &self,
        _interest: Interest,
        _call: impl FnOnce() -> io::Result<R>,
    ) -> io::Result<R> {
        match *self {}
    }
}

impl AsSocket for LocalStream {
    fn as_socket(&self) -> BorrowedFd<'_> {
        match *self {}
    }
}

impl AsyncRead for LocalStream {
    fn poll_read(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
        _buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match *self {}
    }
}

impl AsyncWrite for LocalStream {
    fn poll_write(self: Pin<&mut Self>, _cx: &mut Context<'_>, _buf: &[u8]) -> Poll<io::Result<usize>> {
        match *self {}
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match *self {}
    }
}
