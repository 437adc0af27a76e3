//! A connected socket as hyper reads and writes it: TCP or Unix. Writes never raise `SIGPIPE`, which in a host's process would
//! end the host; so they go through `send` with `MSG_NOSIGNAL` and never through `writev`, which cannot be told.

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustix::net::SendFlags;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::Interest;
use tokio::net::{TcpStream, UnixStream};

#[derive(Debug)]
enum Kind {
    Tcp(TokioIo<TcpStream>),
    Unix(TokioIo<UnixStream>),
}

/// A connected socket.
#[derive(Debug)]
pub struct Socket {
    kind: Kind,
    /// Requests go to a proxy, which wants the whole URL in them.
    proxied: bool,
}

impl Socket {
    /// A TCP connection, perhaps to a proxy that forwards plain requests.
    pub fn tcp(stream: TcpStream, proxied: bool) -> Socket {
        Socket { kind: Kind::Tcp(TokioIo::new(stream)), proxied }
    }

    /// A Unix connection.
    pub fn unix(stream: UnixStream) -> Socket {
        Socket { kind: Kind::Unix(TokioIo::new(stream)), proxied: false }
    }
}

impl Connection for Socket {
    fn connected(&self) -> Connected {
        Connected::new().proxy(self.proxied)
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.kind {
            Kind::Tcp(io) => Pin::new(io).poll_read(cx, buf),
            Kind::Unix(io) => Pin::new(io).poll_read(cx, buf),
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
const QUIET: SendFlags = SendFlags::NOSIGNAL;
// The standard library sets SO_NOSIGPIPE on every socket there.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const QUIET: SendFlags = SendFlags::empty();

impl Write for Socket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let outcome = match &self.kind {
                Kind::Tcp(io) => {
                    let stream = io.inner();
                    ready!(stream.poll_write_ready(cx))?;
                    stream.try_io(Interest::WRITABLE, || Ok(rustix::net::send(stream, buf, QUIET)?))
                }
                Kind::Unix(io) => {
                    let stream = io.inner();
                    ready!(stream.poll_write_ready(cx))?;
                    stream.try_io(Interest::WRITABLE, || Ok(rustix::net::send(stream, buf, QUIET)?))
                }
            };
            match outcome {
                // Not ready after all; asking again registers the wish to be woken.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => return Poll::Ready(outcome),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.kind {
            Kind::Tcp(io) => Pin::new(io).poll_shutdown(cx),
            Kind::Unix(io) => Pin::new(io).poll_shutdown(cx),
        }
    }
}
