//! HTTP/1.1 as far as this server needs it: requests read strictly, and right answers written. The wrong answers are in
//! [`crate::faults`].

use std::fmt::Write as _;
use std::io::{Read, Write};

use crate::socket::Socket;

const MAX_HEAD: usize = 1 << 20;
const MAX_BODY: usize = 64 << 20;

pub struct Request {
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The target as it was written: a whole URL when we are taken for a proxy.
    pub written: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of that name, in whatever case it came.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A parameter of the query, as it is written.
    pub fn query(&self, name: &str) -> Option<&str> {
        let (_, query) = self.target.split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }
}

pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    pub fn of(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: vec![("Content-Type".to_owned(), kind.to_owned())], body: body.into() }
    }

    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::of(status, "application/json", body.to_string())
    }

    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Status line and headers, with the blank line but without what says where the body ends.
    pub fn head(&self, ends: &str) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str(ends);
        head.push_str("\r\n");
        // One character a byte, so that a script can put any byte into a header.
        head.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
    }

    /// The answer as it should be written.
    pub fn whole(&self) -> Vec<u8> {
        let ends = if self.status == 204 || self.status < 200 {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", self.body.len())
        };
        [self.head(&ends), self.body.clone()].concat()
    }
}

pub fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        415 => "Unsupported Media Type",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Whatever",
    }
}

/// What is read ahead of the request that is being worked on.
#[derive(Default)]
pub struct Inbox {
    bytes: Vec<u8>,
}

impl Inbox {
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next request; none where the connection ended before it was whole, which a client is free to do.
    ///
    /// # Errors
    /// What about it is not HTTP.
    pub fn request(&mut self, socket: &mut Socket) -> Result<Option<Request>, String> {
        match self.whole_request(socket) {
            Ok(request) => Ok(Some(request)),
            Err(Ended::Early) => Ok(None),
            Err(Ended::Wrong(why)) => Err(why),
        }
    }

    fn whole_request(&mut self, socket: &mut Socket) -> Result<Request, Ended> {
        let end = loop {
            if let Some(at) = find(&self.bytes, b"\r\n\r\n") {
                break at;
            }
            if self.bytes.len() > MAX_HEAD {
                return Err(Ended::Wrong("a head of more than 1 MiB".to_owned()));
            }
            self.more(socket)?;
        };
        let head: Vec<u8> = self.bytes.drain(..end + 4).collect();
        let mut request = read_head(&head[..end])?;
        let chunked =
            request.header("transfer-encoding").is_some_and(|it| it.eq_ignore_ascii_case("chunked"));
        if chunked {
            request.body = self.chunks(socket)?;
        } else if let Some(length) = request.header("content-length") {
            let length = length.parse().map_err(|_| format!("a length of {length}"))?;
            request.body = self.exactly(socket, length)?;
        }
        Ok(request)
    }

    fn chunks(&mut self, socket: &mut Socket) -> Result<Vec<u8>, Ended> {
        let mut body = Vec::new();
        loop {
            let line = loop {
                if let Some(at) = find(&self.bytes, b"\r\n") {
                    break self.bytes.drain(..at + 2).take(at).collect::<Vec<u8>>();
                }
                self.more(socket)?;
            };
            let line = String::from_utf8_lossy(&line).into_owned();
            let digits = line.split(';').next().unwrap_or_default().trim();
            let length = usize::from_str_radix(digits, 16).map_err(|_| format!("a chunk of {line}"))?;
            let mut chunk = self.exactly(socket, length + 2)?;
            chunk.truncate(length);
            if length == 0 {
                return Ok(body);
            }
            body.extend(chunk);
        }
    }

    fn exactly(&mut self, socket: &mut Socket, length: usize) -> Result<Vec<u8>, Ended> {
        if length > MAX_BODY {
            return Err(Ended::Wrong(format!("a body of {length} bytes")));
        }
        while self.bytes.len() < length {
            self.more(socket)?;
        }
        Ok(self.bytes.drain(..length).collect())
    }

    fn more(&mut self, socket: &mut Socket) -> Result<(), Ended> {
        let mut buffer = [0u8; 16384];
        match socket.read(&mut buffer) {
            Ok(0) | Err(_) => Err(Ended::Early),
            Ok(bytes) => {
                self.bytes.extend_from_slice(&buffer[..bytes]);
                Ok(())
            }
        }
    }
}

/// Why there is no request.
enum Ended {
    Early,
    Wrong(String),
}

impl From<String> for Ended {
    fn from(why: String) -> Self {
        Ended::Wrong(why)
    }
}

fn read_head(head: &[u8]) -> Result<Request, String> {
    let head = std::str::from_utf8(head).map_err(|_| "a head that is not UTF-8".to_owned())?;
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(format!("a request line of {first:?}"));
    };
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("a header of {line:?}"))?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    // Through a proxy a whole URL is asked for.
    let path = match target.strip_prefix("http://") {
        Some(rest) => rest.find('/').map_or("/", |slash| &rest[slash..]),
        None => target,
    };
    let (method, target, written) = (method.to_owned(), path.to_owned(), target.to_owned());
    Ok(Request { method, target, written, headers, body: Vec::new() })
}

pub fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// One chunk of a chunked body.
pub fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// Writes all of it; `false` when the client takes no more.
pub fn write(socket: &mut Socket, bytes: &[u8]) -> bool {
    socket.write_all(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::read_head;

    #[test]
    fn a_head_is_read_with_its_headers() {
        let request = read_head(b"POST /mcp?a=1&b=2 HTTP/1.1\r\nHost: x\r\nMCP-Name:  y ").expect("valid");
        assert_eq!((request.method.as_str(), request.path()), ("POST", "/mcp"));
        assert_eq!((request.query("b"), request.query("c")), (Some("2"), None));
        assert_eq!(request.header("mcp-name"), Some("y"));
    }

    #[test]
    fn a_proxied_target_loses_its_origin() {
        let request = read_head(b"GET http://a.example:80/x HTTP/1.1").expect("valid");
        assert_eq!((request.target.as_str(), request.written.as_str()), ("/x", "http://a.example:80/x"));
    }

    #[test]
    fn what_is_no_head_is_refused() {
        for head in ["GET /", "GET / HTTP/2", "GET  / HTTP/1.1", "GET / HTTP/1.1\r\nno colon"] {
            assert!(read_head(head.as_bytes()).is_err(), "{head}");
        }
    }
}
