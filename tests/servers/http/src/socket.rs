//! One accepted connection, over TCP or a Unix socket: bytes in, bytes out, and whether the other side is still there.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::RecvFlags;

pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    pub fn accept(&self) -> io::Result<Socket> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // What is split on purpose is to arrive split.
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
            Listener::Unix(listener) => Ok(Socket::Unix(listener.accept()?.0)),
        }
    }
}

pub enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    pub fn share(&self) -> io::Result<Socket> {
        Ok(match self {
            Socket::Tcp(stream) => Socket::Tcp(stream.try_clone()?),
            Socket::Unix(stream) => Socket::Unix(stream.try_clone()?),
        })
    }

    /// Ends both directions, for whoever holds a share of it too.
    pub fn shut(&self) {
        let _ = match self {
            Socket::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Socket::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// The end of the connection will be a reset instead of an orderly one, where there is such a thing.
    pub fn reset_on_close(&self) {
        if let Socket::Tcp(stream) = self {
            let _ = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
        }
    }

    /// A write that the client does not take fails after this time.
    pub fn limit_writes(&self, time: Duration) {
        let _ = match self {
            Socket::Tcp(stream) => stream.set_write_timeout(Some(time)),
            Socket::Unix(stream) => stream.set_write_timeout(Some(time)),
        };
    }

    /// Waits until there is something to read (or the end), at most this long.
    pub fn readable(&self, within: Duration) -> bool {
        let mut wanted = [PollFd::new(self, PollFlags::IN)];
        let Ok(time) = Timespec::try_from(within) else { return false };
        rustix::event::poll(&mut wanted, Some(&time)).is_ok_and(|ready| ready > 0)
    }

    /// Whether the client ended the connection.
    pub fn is_gone(&self) -> bool {
        let mut byte = [0u8; 1];
        match rustix::net::recv(self, &mut byte, RecvFlags::PEEK | RecvFlags::DONTWAIT) {
            Ok((_, bytes)) => bytes == 0,
            Err(error) => error != rustix::io::Errno::AGAIN && error != rustix::io::Errno::INTR,
        }
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Socket::Tcp(stream) => stream.as_fd(),
            Socket::Unix(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.read(buffer),
            Socket::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.write(bytes),
            Socket::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
