//! One TLS session over a socket.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rustix::fd::{AsFd, BorrowedFd};
use rustls::ServerConnection;

/// How long a client may take to end its connection, after it was told why there is no session.
const LINGERS: Duration = Duration::from_secs(2);
/// How long a handshake may take, and a write that the client does not take.
const STUCK: Duration = Duration::from_secs(60);

pub struct Session {
    socket: TcpStream,
    tls: ServerConnection,
    /// What came right behind the handshake.
    early: Vec<u8>,
}

impl Session {
    /// A session whose handshake is done.
    ///
    /// # Errors
    /// Why there is none; the client was told.
    pub fn begin(mut socket: TcpStream, mut tls: ServerConnection) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_write_timeout(Some(STUCK))?;
        socket.set_read_timeout(Some(STUCK))?;
        while tls.is_handshaking() {
            let done = tls.complete_io(&mut socket);
            if let Err(error) = done {
                // The alert that says why. A close with something unread would be a reset, which may overtake it.
                let _ = tls.write_tls(&mut socket);
                drain(&mut socket);
                return Err(error);
            }
        }
        let mut early =
            vec![0; tls.process_new_packets().map_err(io::Error::other)?.plaintext_bytes_to_read()];
        tls.reader().read_exact(&mut early)?;
        Ok(Self { socket, tls, early })
    }

    /// What is readable when the client has sent something.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub fn is_http2(&self) -> bool {
        self.tls.alpn_protocol() == Some(b"h2")
    }

    /// What has come, which may be nothing of the client's own; none at the end. Waits where nothing is there.
    ///
    /// # Errors
    /// The connection broke, or what came is not TLS.
    pub fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut plain = self.early();
        if !plain.is_empty() {
            return Ok(Some(plain));
        }
        let is_over = self.tls.read_tls(&mut self.socket)? == 0;
        let state = self.tls.process_new_packets().map_err(io::Error::other)?;
        plain.resize(state.plaintext_bytes_to_read(), 0);
        self.tls.reader().read_exact(&mut plain)?;
        self.flush()?;
        Ok(if plain.is_empty() && (is_over || state.peer_has_closed()) { None } else { Some(plain) })
    }

    /// What came right behind the handshake, for who waits for more before reading.
    pub fn early(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.early)
    }

    pub fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = self.tls.writer().write(bytes)?;
            bytes = &bytes[taken..];
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.tls.wants_write() {
            self.tls.write_tls(&mut self.socket)?;
        }
        Ok(())
    }

    /// Says goodbye.
    pub fn end(&mut self) {
        self.tls.send_close_notify();
        // Perhaps the client is gone.
        let _ = self.flush();
    }
}

/// Says that nothing more comes, and reads what the client still says, to the end.
fn drain(socket: &mut TcpStream) {
    let until = Instant::now() + LINGERS;
    let _ = socket.shutdown(Shutdown::Write);
    let mut buffer = [0; 4096];
    while let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        let _ = socket.set_read_timeout(Some(left));
        if !socket.read(&mut buffer).is_ok_and(|bytes| bytes > 0) {
            return;
        }
    }
}
