//! What differs between systems: connections inside this machine, and sockets whose packets the kernel drops.

#[cfg(target_os = "linux")]
pub use filter::deafen;
#[cfg(not(target_os = "linux"))]
pub use no_filter::deafen;
#[cfg(not(unix))]
pub use tcp::{LocalListener, LocalStream, pair};
#[cfg(unix)]
pub use unix::{LocalListener, LocalStream, pair};

#[cfg(unix)]
mod unix {
    use std::io;
    pub use std::os::unix::net::{UnixListener as LocalListener, UnixStream as LocalStream};

    /// Two ends of one connection.
    pub fn pair() -> io::Result<(LocalStream, LocalStream)> {
        LocalStream::pair()
    }
}

/// Where there are no Unix sockets, what is inside of this program goes over the loopback interface.
#[cfg(not(unix))]
mod tcp {
    use std::io;
    pub use std::net::TcpStream as LocalStream;
    use std::net::{SocketAddr, TcpListener};
    use std::path::Path;

    /// None can be made.
    pub enum LocalListener {}

    impl LocalListener {
        /// # Errors
        /// Always.
        pub fn bind(path: impl AsRef<Path>) -> io::Result<Self> {
            let path = path.as_ref().display();
            Err(io::Error::other(format!("at {path}: this system has no Unix sockets")))
        }

        pub fn accept(&self) -> io::Result<(LocalStream, SocketAddr)> {
            match *self {}
        }
    }

    /// Two ends of one connection.
    pub fn pair() -> io::Result<(LocalStream, LocalStream)> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let ours = LocalStream::connect(listener.local_addr()?)?;
        let own = ours.local_addr()?;
        loop {
            let (theirs, from) = listener.accept()?;
            // Another program may have knocked first.
            if from == own {
                ours.set_nodelay(true)?;
                theirs.set_nodelay(true)?;
                return Ok((ours, theirs));
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod filter {
    use std::io;
    use std::net::TcpStream;

    /// The kernel drops every packet that comes for it, or no longer.
    pub fn deafen(stream: &TcpStream, deaf: bool) -> io::Result<()> {
        let socket = socket2::SockRef::from(stream);
        // BPF_RET | BPF_K: nothing of the packet is taken.
        let nothing = socket2::SockFilter::new(0x06, 0, 0, 0);
        if deaf { socket.attach_filter(&[nothing]) } else { socket.detach_filter() }
    }
}

#[cfg(not(target_os = "linux"))]
mod no_filter {
    use std::io;
    use std::net::TcpStream;

    /// # Errors
    /// Always.
    pub fn deafen(_: &TcpStream, _: bool) -> io::Result<()> {
        Err(io::Error::other("only Linux can drop the packets of a socket"))
    }
}
