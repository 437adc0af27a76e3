//! A connected socket as hyper reads and writes it: TCP or Unix. Writes never raise `SIGPIPE`, which in a host's process would
//! end the host; so they go through `send` with `MSG_NOSIGNAL` and never through `writev`, which cannot be told.

use hyper_util::client::legacy::connect::{Connected, Connection};
use rustix::net::{RecvFlags, SendFlags};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

#[derive(Debug)]
enum Kind {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// A connected socket.
#[derive(Debug)]
pub struct Socket {
    kind: Kind,
    /// Requests go to a proxy, which wants the whole URL in them.
    proxied: bool,
    /// Nothing was sent since the last thing came.
    is_idle: bool,
    heard: Arc<AtomicUsize>,
}

impl Socket {
    /// A TCP connection, perhaps to a proxy that forwards plain requests.
    pub fn tcp(stream: TcpStream, proxied: bool) -> Socket {
        Socket { kind: Kind::Tcp(stream), proxied, is_idle: false, heard: Arc::default() }
    }

    /// A Unix connection.
    pub fn unix(stream: UnixStream) -> Socket {
        Socket { kind: Kind::Unix(stream), proxied: false, is_idle: false, heard: Arc::default() }
    }

    /// How many bytes came since something was sent last.
    pub fn heard(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.heard)
    }

    /// Whether the other side has closed the connection, asked of the kernel: the runtime may not have looked at its sockets
    /// since, and a request must not go out on a connection whose end has been there for long.
    fn has_ended(&self) -> bool {
        let mut byte = [0u8; 1];
        let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        let seen = match &self.kind {
            Kind::Tcp(io) => rustix::net::recv(io, &mut byte, flags),
            Kind::Unix(io) => rustix::net::recv(io, &mut byte, flags),
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

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let outcome = match &mut self.kind {
            Kind::Tcp(io) => Pin::new(io).poll_read(cx, buf),
            Kind::Unix(io) => Pin::new(io).poll_read(cx, buf),
        };
        if outcome.is_ready() {
            self.is_idle = true;
            self.heard.fetch_add(buf.filled().len() - before, Ordering::Relaxed);
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

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        self.heard.store(0, Ordering::Relaxed);
        loop {
            let outcome = match &self.kind {
                Kind::Tcp(stream) => {
                    ready!(stream.poll_write_ready(cx))?;
                    stream.try_io(Interest::WRITABLE, || Ok(rustix::net::send(stream, buf, QUIET)?))
                }
                Kind::Unix(stream) => {
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
