//! One stream: the request as it is gathered, and the connection to the server behind on which it is answered.

use std::io::{Read, Write};
use std::sync::Arc;

use rustix::fd::{AsFd, BorrowedFd};

use super::answer::{Answer, Piece};
use super::frame;
use super::hpack;
use crate::connection::{self, Origin};
use crate::server::Server;
use crate::socket::Socket;
use crate::system::{self, LocalStream};

/// So much of an answer waits here for the client.
const MOST_WAITING: usize = 16 * 1024;
/// The header with which the fault `h2` asks for what only HTTP/2 has.
pub const FAULT: &str = "h2-fault";

pub struct Stream {
    socket: LocalStream,
    head: Vec<u8>,
    body: Vec<u8>,
    answer: Answer,
    /// The answer's data that the client has not taken yet.
    waiting: Vec<u8>,
    /// The answer has come to its end.
    is_answered: bool,
    has_head: bool,
    /// The server behind has ended its connection.
    is_over: bool,
    pub window: i64,
}

/// What is to be done next.
pub enum Deed {
    Nothing,
    Send {
        kind: u8,
        flags: u8,
        payload: Vec<u8>,
        is_last: bool,
    },
    /// The answer broke off.
    Broken,
    Fault(String),
}

impl Stream {
    /// A stream that begins with these fields.
    ///
    /// # Errors
    /// What about them is not HTTP/2.
    pub fn open(server: &Arc<Server>, fields: Vec<(String, String)>, window: i64) -> Result<Self, String> {
        let mut head = [String::new(), String::new(), String::new()];
        let mut headers = String::new();
        for (name, value) in fields {
            match name.as_str() {
                ":method" => head[0] = value,
                ":path" => head[1] = value,
                ":authority" => head[2] = value,
                ":scheme" if value == "https" => {}
                "connection" | "keep-alive" | "transfer-encoding" | "upgrade" | "proxy-connection" => {
                    return Err(format!("the header {name}, which is one of HTTP/1"));
                }
                // The length is that of the body as it came.
                "content-length" => {}
                _ if name.starts_with(':') || name.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                    return Err(format!("the header {name}: {value}"));
                }
                _ => headers.extend([&name, ": ", &value, "\r\n"]),
            }
        }
        let [method, path, authority] = head;
        if method.is_empty() || path.is_empty() || authority.is_empty() {
            return Err(format!("a request for {method} {path} at {authority}"));
        }
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {authority}\r\n{headers}").into_bytes();
        let pair = system::pair().and_then(|(ours, theirs)| {
            ours.set_nonblocking(true)?;
            Ok((ours, theirs))
        });
        let (socket, theirs) = pair.map_err(|error| error.to_string())?;
        let server = Arc::clone(server);
        std::thread::spawn(move || connection::serve(&server, Socket::Local(theirs), Origin::Stream));
        Ok(Self {
            socket,
            head,
            body: Vec::new(),
            answer: Answer::new(),
            waiting: Vec::new(),
            is_answered: false,
            has_head: false,
            is_over: false,
            window,
        })
    }

    /// What is readable when the server behind has said something.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    pub fn request_body(&mut self, bytes: &[u8]) {
        self.body.extend_from_slice(bytes);
    }

    /// The request is whole: the server behind gets it.
    pub fn request_is_whole(&mut self) {
        self.head.extend(format!("Content-Length: {}\r\n\r\n", self.body.len()).into_bytes());
        self.head.append(&mut self.body);
        let _ = self.socket.set_nonblocking(false);
        // If it takes nothing, it has gone, and we shall see its end.
        let _ = self.socket.write_all(&self.head);
        let _ = self.socket.set_nonblocking(true);
        self.head = Vec::new();
    }

    /// Whether what the server behind says can go on to a client that takes so much.
    pub fn wants_more(&self, window: i64) -> bool {
        !self.is_over && (self.waiting.is_empty() || self.window.min(window) > 0)
    }

    /// What is to be done next, if the client takes so much on all streams together.
    pub fn next(&mut self, window: i64) -> Deed {
        loop {
            let room = usize::try_from(self.window.min(window)).unwrap_or(0).min(frame::MOST);
            if !self.waiting.is_empty() {
                if room == 0 {
                    return Deed::Nothing;
                }
                let payload: Vec<u8> = self.waiting.drain(..room.min(self.waiting.len())).collect();
                self.window -= i64::try_from(payload.len()).unwrap_or(0);
                return Deed::Send { kind: frame::DATA, flags: 0, payload, is_last: false };
            }
            if self.is_answered {
                return Deed::Send {
                    kind: frame::DATA,
                    flags: frame::END_STREAM,
                    payload: Vec::new(),
                    is_last: true,
                };
            }
            match self.answer.next() {
                Err(()) => return Deed::Broken,
                Ok(Some(Piece::Data(data))) => self.waiting = data,
                Ok(Some(Piece::End)) => self.is_answered = true,
                Ok(Some(Piece::Head { status, headers })) => {
                    if let Some((_, fault)) = headers.iter().find(|(name, _)| name == FAULT) {
                        return Deed::Fault(fault.clone());
                    }
                    self.has_head = true;
                    let mut payload = Vec::new();
                    hpack::write(&mut payload, ":status", &status);
                    for (name, value) in &headers {
                        hpack::write(&mut payload, name, value);
                    }
                    if payload.len() > frame::MOST {
                        return Deed::Broken;
                    }
                    return Deed::Send {
                        kind: frame::HEADERS,
                        flags: frame::END_HEADERS,
                        payload,
                        is_last: false,
                    };
                }
                Ok(None) if self.is_over => {
                    if !self.answer.ends_here() {
                        return Deed::Broken;
                    }
                    self.is_answered = true;
                }
                Ok(None) => {
                    if !self.read() {
                        return Deed::Nothing;
                    }
                }
            }
        }
    }

    /// Reads what the server behind has said. False where there is nothing yet.
    fn read(&mut self) -> bool {
        let mut buffer = [0; MOST_WAITING];
        match self.socket.read(&mut buffer) {
            Ok(0) => self.is_over = true,
            Ok(bytes) => self.answer.feed(&buffer[..bytes]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return false,
            Err(_) => self.is_over = true,
        }
        true
    }
}
