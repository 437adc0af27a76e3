//! A connected socket as hyper reads and writes it: TCP or Unix. Writes never raise `SIGPIPE`, which in a host's process would
//! end the host; so they go through `send` with `MSG_NOSIGNAL` and never through `writev`, which cannot be told.

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustix::net::{RecvFlags, SendFlags};
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
    /// Nothing was sent since the last thing came.
    is_idle: bool,
}

impl Socket {
    /// A TCP connection, perhaps to a proxy that forwards plain requests.
    pub fn tcp(stream: TcpStream, proxied: bool) -> Socket {
        Socket { kind: Kind::Tcp(TokioIo::new(stream)), proxied, is_idle: false }
    }

    /// A Unix connection.
    pub fn unix(stream: UnixStream) -> Socket {
        Socket { kind: Kind::Unix(TokioIo::new(stream)), proxied: false, is_idle: false }
    }
}

impl Socket {
    /// Whether the other side has closed the connection, asked of the kernel: the runtime may not have looked at its sockets
    /// since, and a request must not go out on a connection whose end has been there for long.
    fn has_ended(&self) -> bool {
        let mut byte = [0u8; 1];
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        let seen = match &self.kind {
            Kind::Tcp(io) => rustix::net::recv(io.inner(), &mut byte, flags),
            Kind::Unix(io) => rustix::net::recv(io.inner(), &mut byte, flags),
        };
        match seen {
            Ok((_, bytes)) => bytes == 0,
            Err(error) => error != rustix::io::Errno::AGAIN && error != rustix::io::Errno::INTR,
        }
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
        let outcome = match &mut self.kind {
            Kind::Tcp(io) => Pin::new(io).poll_read(cx, buf),
            Kind::Unix(io) => Pin::new(io).poll_read(cx, buf),
        };
        if outcome.is_ready() {
            self.is_idle = true;
        } else if self.is_idle && self.has_ended() {
            return Poll::Ready(Ok(()));
        }
        outcome
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
const QUIET: SendFlags = SendFlags::NOSIGNAL;
// The standard library sets SO_NOSIGPIPE on every socket there.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const QUIET: SendFlags = SendFlags::empty();

impl Write for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.is_idle = false;
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
                // The other side has ended the connection. What it said before that is still to be read, and says why (a TLS
                // alert, an answer to a body that it did not want to the end); reading comes to the end in any case.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) =>
                {
                    return Poll::Ready(Ok(buf.len()));
                }
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
