//! A relay between a client of others and our server over HTTP: it keeps what the client asks, and cuts one connection in
//! the middle of an answer, as a network does.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The text after whose event the connection is cut; the server's tool `interrupted` reports it.
const CUT: &[u8] = b"cut here";
/// An event ends with an empty line.
const EVENT_END: &[u8] = b"\n\n";
/// What is kept of the requests of one connection.
const KEPT: usize = 1 << 20;

/// What went through a relay.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Asked {
    /// The sessions that the client named.
    pub sessions: BTreeSet<String>,
    /// Those that it ended with DELETE.
    pub ended: BTreeSet<String>,
    /// Streams for other messages that it opened: GET without `Last-Event-ID`.
    pub streams: usize,
    /// GET with `Last-Event-ID`.
    pub resumed: usize,
}

/// Runs until it is dropped.
pub struct Relay {
    address: SocketAddr,
    ended: Arc<AtomicBool>,
    requests: Requests,
}

/// The bytes of each connection, from the client to the server.
type Requests = Arc<Mutex<Vec<Arc<Mutex<Vec<u8>>>>>>;

impl Relay {
    pub fn to(server: SocketAddr) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("no relay to {server}: {error}");
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (ended, requests) = (Arc::new(AtomicBool::new(false)), Requests::default());
        let relay = Self { address, ended: Arc::clone(&ended), requests: Arc::clone(&requests) };
        std::thread::spawn(move || {
            for client in listener.incoming() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let connected = client.and_then(|client| Ok((client, TcpStream::connect(server)?)));
                // The client finds its connection closed, and says so.
                let Ok((client, server)) = connected else { continue };
                let kept = Arc::new(Mutex::new(Vec::new()));
                requests.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&kept));
                join(client, server, kept);
            }
        });
        Ok(relay)
    }

    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub fn asked(&self) -> Asked {
        let mut asked = Asked::default();
        for connection in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let bytes = connection.lock().unwrap_or_else(PoisonError::into_inner);
            note(&String::from_utf8_lossy(&bytes), &mut asked);
        }
        asked
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts. If this fails, it ends with the program.
        let _ = TcpStream::connect(self.address);
    }
}

/// Carries bytes in both directions until one side ends.
fn join(client: TcpStream, server: TcpStream, kept: Arc<Mutex<Vec<u8>>>) {
    let clones = client.try_clone().and_then(|reads| Ok((reads, server.try_clone()?)));
    let Ok((mut from_client, mut to_server)) = clones else { return };
    std::thread::spawn(move || {
        let mut buffer = [0; 16 << 10];
        while let Ok(count @ 1..) = from_client.read(&mut buffer) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT.saturating_sub(kept.len()).min(count);
            kept.extend_from_slice(&buffer[..room]);
            drop(kept);
            if to_server.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        // The other side may have closed already.
        let _ = to_server.shutdown(Shutdown::Both);
        let _ = from_client.shutdown(Shutdown::Both);
    });
    std::thread::spawn(move || answers(server, client));
}

/// The way back, up to the end of the event that has the text `CUT`.
fn answers(mut server: TcpStream, mut client: TcpStream) {
    let mut buffer = [0; 16 << 10];
    // What came last, for a text that is in two pieces.
    let mut last: Vec<u8> = Vec::new();
    let mut cutting = false;
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        let before = last.len();
        last.extend_from_slice(&buffer[..count]);
        let mut from = 0;
        if !cutting && let Some(at) = memchr_text(&last, CUT) {
            cutting = true;
            from = at;
        }
        let end = if cutting { memchr_text(&last[from..], EVENT_END).map(|at| from + at) } else { None };
        let send = end.map_or(count, |end| (end + EVENT_END.len()).saturating_sub(before));
        if client.write_all(&buffer[..send]).is_err() || end.is_some() {
            break;
        }
        last.drain(..last.len().saturating_sub(CUT.len() - 1));
    }
    // The other side may have closed already.
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Both);
}

/// Where a text begins.
fn memchr_text(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text)
}

/// Reads the heads of the requests of one connection. Bodies are JSON in one line, which no line of a head looks like.
fn note(requests: &str, asked: &mut Asked) {
    let mut method = "";
    let mut session = None;
    let mut resumes = false;
    for line in requests.split("\r\n") {
        if let Some(request) = line.strip_suffix(" HTTP/1.1") {
            // The body of the request before ends without a line's end.
            let words = request.strip_suffix(" /mcp").unwrap_or_default();
            method = ["GET", "POST", "DELETE"].into_iter().find(|known| words.ends_with(known)).unwrap_or("");
            (session, resumes) = (None, false);
        } else if line.is_empty() {
            match method {
                "GET" if resumes => asked.resumed += 1,
                "GET" => asked.streams += 1,
                "DELETE" => asked.ended.extend(session.clone()),
                _ => {}
            }
            asked.sessions.extend(session.take());
            method = "";
        } else if let Some((name, value)) = line.split_once(':').filter(|_| !method.is_empty()) {
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => session = Some(value.trim().to_owned()),
                "last-event-id" => resumes = true,
                _ => {}
            }
        }
    }
}
