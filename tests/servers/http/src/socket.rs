//! One accepted connection, over TCP or a Unix socket: bytes in, bytes out, and whether the other side is still there.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::RecvFlags;
use rustls::ServerConfig;

use crate::connection::{self, Origin};
use crate::server::Server;
use crate::tls;

pub enum Listener {
    /// In front of whose connections there is TLS.
    Tls(TcpListener, Arc<ServerConfig>),
    Tcp(TcpListener),
    Unix(UnixListener),
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
            Listener::Unix(_) => None,
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

    /// Ends both directions, for other holders of it too.
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

    /// The kernel drops every packet that comes for it, as if no host were there; or no longer.
    #[cfg(target_os = "linux")]
    pub fn deafen(&self, deaf: bool) -> io::Result<()> {
        let Socket::Tcp(stream) = self else { return Ok(()) };
        let socket = socket2::SockRef::from(stream);
        // BPF_RET | BPF_K: nothing of the packet is taken.
        let nothing = socket2::SockFilter::new(0x06, 0, 0, 0);
        if deaf { socket.attach_filter(&[nothing]) } else { socket.detach_filter() }
    }

    #[cfg(not(target_os = "linux"))]
    pub fn deafen(&self, _: bool) -> io::Result<()> {
        Err(io::Error::other("only Linux can do that"))
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
