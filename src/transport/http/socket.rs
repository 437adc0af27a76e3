//! A connected socket as hyper reads and writes it: TCP or Unix. Writes never raise `SIGPIPE`, which in a host's process would
//! end the host; so they go through `send` with `MSG_NOSIGNAL` and never through `writev`, which cannot be told.

use crate::transport::system::LocalStream;
use crate::transport::system::io::{QUIET, RECEIVE_AT_ONCE, acknowledge_at_once};
use hyper_util::client::legacy::connect::{Connected, Connection};
use rustix::net::RecvFlags;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

/// So often in a row something is read. HTTP/2 writes when there is nothing more to read: a server that sends faster than that is
/// read would have nothing written any more, neither further requests nor that a stream is no longer wanted.
const READS: u32 = 32;

/// The address of the server at the other end.
#[derive(Clone, Copy, Debug)]
pub struct RemoteAddr(pub IpAddr);

#[derive(Debug)]
enum SocketKind {
    Tcp(TcpStream),
    Unix(LocalStream),
}

/// A connected socket.
#[derive(Debug)]
pub struct Socket {
    kind: SocketKind,
    /// Requests go to a proxy, which needs the whole URL in them.
    proxied: bool,
    /// Where the server is, if it is the server that this leads to.
    peer: Option<RemoteAddr>,
    /// Nothing was sent since the last thing came.
    is_idle: bool,
    read_counter: Arc<ReadCounter>,
    /// The user of the connection says when to ask for its end.
    is_told: bool,
    /// How often in a row something was there to be read.
    reads: u32,
}

/// What the user of a connection knows of it and tells it, past hyper, which owns the socket.
#[derive(Default, Debug)]
pub struct ReadCounter {
    heard: AtomicUsize,
    asks: AtomicBool,
    /// Something came since more of it was last awaited.
    came: AtomicBool,
    /// What came is to be acknowledged at once.
    acknowledges: AtomicBool,
    /// An answer came on this connection.
    answered: AtomicBool,
    /// How often the system was asked to acknowledge at once.
    #[cfg(test)]
    pub acknowledged: AtomicUsize,
}

impl ReadCounter {
    /// How many bytes came since they were forgotten last.
    pub fn heard(&self) -> usize {
        self.heard.load(Ordering::Relaxed)
    }

    /// Counts from here on.
    pub fn forget(&self) {
        self.heard.store(0, Ordering::Relaxed);
        self.came.store(false, Ordering::Relaxed);
        self.acknowledges.store(false, Ordering::Relaxed);
        self.asks.store(false, Ordering::Relaxed);
    }

    /// More of what came is awaited: has the socket acknowledge that at once, when it is read next and there is nothing yet. Says
    /// whether anything came. A server that has Nagle's algorithm on (RFC 896) writes the next piece only when the one before it
    /// was acknowledged, which the system delays by up to 40 ms.
    pub fn awaits_more(&self) -> bool {
        let came = self.came.swap(false, Ordering::Relaxed);
        if came {
            self.acknowledges.store(true, Ordering::Relaxed);
        }
        came
    }

    /// An answer came on this connection, which is used again from here on.
    pub fn note_answer(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// Whether an answer came on this connection before.
    pub fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Has the socket ask, when it is read next, whether the other side has closed the connection or sent something, where nothing
    /// is awaited.
    pub fn ask_for_the_end(&self) {
        self.asks.store(true, Ordering::Relaxed);
    }
}

impl Socket {
    /// A TCP connection to a server.
    pub fn tcp(stream: TcpStream) -> Socket {
        let peer = stream.peer_addr().ok().map(|address| RemoteAddr(address.ip()));
        Socket { peer, ..Socket::new(SocketKind::Tcp(stream)) }
    }

    /// A TCP connection to a proxy, perhaps one that `forwards` plain requests.
    pub fn to_proxy(stream: TcpStream, forwards: bool) -> Socket {
        Socket { proxied: forwards, ..Socket::new(SocketKind::Tcp(stream)) }
    }

    /// A Unix connection.
    pub fn unix(stream: LocalStream) -> Socket {
        Socket::new(SocketKind::Unix(stream))
    }

    fn new(kind: SocketKind) -> Socket {
        Socket {
            kind,
            proxied: false,
            peer: None,
            is_idle: false,
            read_counter: Arc::default(),
            is_told: false,
            reads: 0,
        }
    }

    /// Where the server is, if it is the server that this leads to.
    pub fn peer(&self) -> Option<RemoteAddr> {
        self.peer
    }

    /// For the user of the connection, who from now on says when to ask for its end.
    pub fn read_counter(&mut self) -> Arc<ReadCounter> {
        self.is_told = true;
        Arc::clone(&self.read_counter)
    }

    /// Has the system acknowledge at once what was received. It does so anyway in a moment if it refuses this.
    fn acknowledge(&self) {
        if let SocketKind::Tcp(stream) = &self.kind
            && acknowledge_at_once(stream)
        {
            #[cfg(test)]
            self.read_counter.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether the other side has closed the connection, or has sent something where the user of the connection asks while it
    /// awaits nothing; asked of the kernel: the runtime may not have looked at its sockets
    /// since, and a request must not go out on a connection whose end has been there for long.
    fn has_ended(&self) -> bool {
        let mut byte = [0u8; 1];
        let flags = RecvFlags::PEEK | RECEIVE_AT_ONCE;
        let seen = match &self.kind {
            SocketKind::Tcp(io) => rustix::net::recv(io, &mut byte, flags),
            SocketKind::Unix(io) => rustix::net::recv(io, &mut byte, flags),
        };
        match seen {
            // Where nothing is awaited, what comes belongs to no request, and would be taken for the answer to the next one.
            Ok((_, bytes)) => bytes == 0 || self.is_told,
            Err(error) => error != rustix::io::Errno::AGAIN && error != rustix::io::Errno::INTR,
        }
    }
}

impl Connection for Socket {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.proxied).extra(Arc::clone(&self.read_counter));
        match self.peer {
            Some(peer) => connected.extra(peer),
            None => connected,
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if self.reads == READS {
            self.reads = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let outcome = match &mut self.kind {
            SocketKind::Tcp(io) => Pin::new(io).poll_read(cx, buf),
            SocketKind::Unix(io) => Pin::new(io).poll_read(cx, buf),
        };
        self.reads = if outcome.is_ready() { self.reads + 1 } else { 0 };
        if outcome.is_ready() {
            self.is_idle = true;
            self.read_counter.heard.fetch_add(buf.filled().len() - before, Ordering::Relaxed);
            self.read_counter.came.store(true, Ordering::Relaxed);
        } else {
            if self.read_counter.acknowledges.swap(false, Ordering::Relaxed) {
                self.acknowledge();
            }
            // Where many share the connection no user can say when; while nothing is sent it is asked each time.
            let asks = if self.is_told {
                self.read_counter.asks.swap(false, Ordering::Relaxed)
            } else {
                self.is_idle
            };
            if asks && self.has_ended() {
                return Poll::Ready(Ok(()));
            }
        }
        outcome
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        loop {
            let outcome = match &self.kind {
                SocketKind::Tcp(stream) => {
                    ready!(stream.poll_write_ready(cx))?;
                    stream.try_io(Interest::WRITABLE, || Ok(rustix::net::send(stream, buf, QUIET)?))
                }
                SocketKind::Unix(stream) => {
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
            SocketKind::Tcp(io) => Pin::new(io).poll_shutdown(cx),
            SocketKind::Unix(io) => Pin::new(io).poll_shutdown(cx),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{READS, Socket};
    use std::future::poll_fn;
    use std::io::Write as _;
    use std::pin::Pin;
    use std::task::Poll;
    use tokio::io::{AsyncRead as _, ReadBuf};
    use tokio::net::UnixStream;

    #[test]
    fn who_always_has_something_to_read_gets_to_write_all_the_same() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
        runtime.block_on(async {
            let (ours, mut theirs) = std::os::unix::net::UnixStream::pair().expect("a pair");
            ours.set_nonblocking(true).expect("a socket");
            theirs.write_all(&[b'x'; 1000]).expect("room");
            let mut socket = Socket::unix(UnixStream::from_std(ours).expect("a runtime"));
            let mut in_a_row = 0;
            let mut read = 0;
            let mut pauses = 0;
            while read < 1000 {
                poll_fn(|cx| {
                    let mut byte = [0; 1];
                    let mut buffer = ReadBuf::new(&mut byte);
                    match Pin::new(&mut socket).poll_read(cx, &mut buffer) {
                        Poll::Ready(outcome) => {
                            outcome.expect("something is there");
                            in_a_row += 1;
                            read += 1;
                            assert!(in_a_row <= READS, "nothing could be written for {in_a_row} reads");
                            Poll::Ready(())
                        }
                        // Comes back by itself: nothing else wakes it.
                        Poll::Pending => {
                            in_a_row = 0;
                            pauses += 1;
                            Poll::Pending
                        }
                    }
                })
                .await;
            }
            assert!(pauses >= 1000 / READS - 1, "{pauses}");
        });
    }
}
