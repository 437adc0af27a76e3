//! One accepted connection, over TCP or a Unix socket: bytes in, bytes out, and whether the other side is still there.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustls::ServerConfig;

use crate::connection::{self, Origin};
use crate::server::Server;
use crate::system::{self, LocalListener, LocalStream};
use crate::tls;

pub enum Listener {
    /// In front of whose connections there is TLS.
    Tls(TcpListener, Arc<ServerConfig>),
    Tcp(TcpListener),
    Local(LocalListener),
}

impl Listener {
    /// Accepts a connection and serves it on a thread of its own.
    pub fn serve(&self, server: &Arc<Server>) -> io::Result<()> {
        let server = Arc::clone(server);
        if let Listener::Tls(listener, config) = self {
            let (stream, _) = listener.accept()?;
            let config = Arc::clone(config);
            std::thread::spawn(move || tls::serve(&server, &config, stream));
        } else {
            let socket = self.accept()?;
            std::thread::spawn(move || connection::serve(&server, socket, Origin::Connection));
        }
        Ok(())
    }

    /// The socket itself, to be asked and told about.
    pub fn share(&self) -> io::Result<Option<Socket>> {
        Ok(match self {
            Listener::Tls(listener, _) | Listener::Tcp(listener) => {
                Some(Socket::Tcp(TcpStream::from(OwnedFd::from(listener.try_clone()?))))
            }
            Listener::Local(_) => None,
        })
    }

    fn accept(&self) -> io::Result<Socket> {
        match self {
            Listener::Tls(listener, _) | Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                // What is split on purpose is to arrive split.
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
            Listener::Local(listener) => Ok(Socket::Local(listener.accept()?.0)),
        }
    }
}

pub enum Socket {
    Tcp(TcpStream),
    Local(LocalStream),
}

impl Socket {
    pub fn share(&self) -> io::Result<Socket> {
        Ok(match self {
            Socket::Tcp(stream) => Socket::Tcp(stream.try_clone()?),
            Socket::Local(stream) => Socket::Local(stream.try_clone()?),
        })
    }

    /// Ends both directions, for other holders of it too.
    pub fn shut(&self) {
        let _ = match self {
            Socket::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Socket::Local(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// The end of the connection will be a reset instead of an orderly one, where there is such a thing.
    pub fn reset_on_close(&self) {
        if let Socket::Tcp(stream) = self {
            let _ = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
        }
    }

    /// The kernel drops every packet that comes for it, as if no host were there; or no longer.
    pub fn deafen(&self, deaf: bool) -> io::Result<()> {
        match self {
            Socket::Tcp(stream) => system::deafen(stream, deaf),
            Socket::Local(_) => Ok(()),
        }
    }

    /// A write that the client does not take fails after this time.
    pub fn limit_writes(&self, time: Duration) {
        let _ = match self {
            Socket::Tcp(stream) => stream.set_write_timeout(Some(time)),
            Socket::Local(stream) => stream.set_write_timeout(Some(time)),
        };
    }

    /// Waits until there is something to read (or the end), at most this long.
    pub fn readable(&self, within: Duration) -> bool {
        let mut wanted = [PollFd::from_borrowed_fd(self.descriptor(), PollFlags::IN)];
        let Ok(time) = Timespec::try_from(within) else { return false };
        rustix::event::poll(&mut wanted, Some(&time)).is_ok_and(|ready| ready > 0)
    }

    /// Whether the client ended the connection.
    pub fn is_gone(&self) -> bool {
        // Not every system can look without waiting.
        if !self.readable(Duration::ZERO) {
            return false;
        }
        let mut byte = [0u8; 1];
        match rustix::net::recv(self.descriptor(), &mut byte, RecvFlags::PEEK) {
            Ok((_, bytes)) => bytes == 0,
            Err(error) => error != Errno::INTR,
        }
    }

    fn descriptor(&self) -> BorrowedFd<'_> {
        match self {
            Socket::Tcp(stream) => stream.as_fd(),
            Socket::Local(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.read(buffer),
            Socket::Local(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Socket::Tcp(stream) => stream.write(bytes),
            Socket::Local(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
