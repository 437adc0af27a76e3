//! HTTP/1.1 on a port of our own: a thread for each connection, one `read` and one `write` for a request.
//! Connections are kept until the client closes them. There are no sessions and no stream of the server's own
//! messages, which both eras allow.

use crate::answer::{Answers, Era, Reply};
use memchr::memmem::Finder;
use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// How a request is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The body is the answer.
    Json,
    /// The body is a stream of one event.
    EventStream,
}

/// How an answer is written. Each write becomes a segment of its own: the delay that would join them is off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// All that is ready, with one write.
    Whole,
    /// The head, half of the body, and the rest.
    Parts,
    /// The head, and each byte of the body.
    Bytes,
}

const READ: usize = 64 * 1024;
const ACCEPTED: &[u8] = b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
const NO_STREAM: &[u8] = b"HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n";
const NO_LENGTH: &[u8] = b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const JSON: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
const EVENT_STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Prints the URL and serves until the input ends.
pub fn serve(era: Era, form: Form, pace: Pace, mut input: File, mut output: File) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(output, "http://{}/mcp", listener.local_addr()?)?;
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A connection that the client resets is over, which is not a fault of this server.
            std::thread::spawn(move || Connection::new(era, form, pace).serve(stream));
        }
    });
    // It is never written to: the end of it is what is waited for.
    while input.read(&mut [0])? > 0 {}
    Ok(())
}

/// What one request's head says.
struct Head {
    /// Bytes of the head, its empty line included.
    bytes: usize,
    /// Bytes of the body, if it says.
    body: Option<usize>,
    is_post: bool,
}

struct Connection {
    answers: Answers,
    form: Form,
    pace: Pace,
    end_of_head: Finder<'static>,
    frame: Vec<u8>,
}

impl Connection {
    fn new(era: Era, form: Form, pace: Pace) -> Self {
        let end_of_head = Finder::new("\r\n\r\n");
        Self { answers: Answers::new(era), form, pace, end_of_head, frame: Vec::new() }
    }

    fn serve(mut self, mut stream: TcpStream) -> std::io::Result<()> {
        stream.set_nodelay(true)?;
        let mut buffer = vec![0; READ];
        let mut filled = 0;
        let mut out = Vec::with_capacity(READ);
        loop {
            if filled == buffer.len() {
                buffer.resize(buffer.len() * 2, 0);
            }
            let count = stream.read(&mut buffer[filled..])?;
            if count == 0 {
                return Ok(());
            }
            filled += count;
            let mut done = 0;
            while let Some(head) = self.head(&buffer[done..filled]) {
                let Some(length) = head.body.or((!head.is_post).then_some(0)) else {
                    return stream.write_all(NO_LENGTH);
                };
                let end = done + head.bytes + length;
                if end > filled {
                    break;
                }
                self.answer(&head, &buffer[done + head.bytes..end], &mut out);
                done = end;
                if self.pace != Pace::Whole {
                    self.write_in_pieces(&out, &mut stream)?;
                    out.clear();
                }
            }
            buffer.copy_within(done..filled, 0);
            filled -= done;
            if !out.is_empty() {
                stream.write_all(&out)?;
                out.clear();
            }
        }
    }

    /// Writes one answer as the pace has it.
    fn write_in_pieces(&self, answer: &[u8], stream: &mut TcpStream) -> std::io::Result<()> {
        let head = self.end_of_head.find(answer).map_or(answer.len(), |end| end + 4);
        let (head, body) = answer.split_at(head);
        stream.write_all(head)?;
        let size = match self.pace {
            Pace::Whole => body.len(),
            Pace::Parts => body.len().div_ceil(2),
            Pace::Bytes => 1,
        };
        body.chunks(size.max(1)).try_for_each(|piece| stream.write_all(piece))
    }

    /// The next request's head, once it is whole.
    fn head(&self, bytes: &[u8]) -> Option<Head> {
        let end = self.end_of_head.find(bytes)?;
        let body = bytes[..end].split(|byte| *byte == b'\n').find_map(content_length);
        Some(Head { bytes: end + 4, body, is_post: bytes.starts_with(b"POST ") })
    }

    fn answer(&mut self, head: &Head, body: &[u8], out: &mut Vec<u8>) {
        if !head.is_post {
            out.extend_from_slice(NO_STREAM);
            return;
        }
        self.frame.clear();
        if let Reply::Body(tail) = self.answers.answer(body, &mut self.frame) {
            self.frame.extend_from_slice(self.answers.body());
            self.frame.extend_from_slice(tail);
        }
        if self.frame.is_empty() {
            out.extend_from_slice(ACCEPTED);
            return;
        }
        // Frames end with a newline: in an event stream that is the first of the two that end an event.
        match self.form {
            Form::Json => {
                self.frame.pop();
                out.extend_from_slice(JSON);
                let _ = write!(out, "{}\r\n\r\n", self.frame.len());
                out.extend_from_slice(&self.frame);
            }
            Form::EventStream => {
                out.extend_from_slice(EVENT_STREAM);
                let _ = write!(out, "{:x}\r\ndata: ", "data: ".len() + self.frame.len() + 1);
                out.extend_from_slice(&self.frame);
                out.extend_from_slice(b"\n\r\n0\r\n\r\n");
            }
        }
    }
}

/// The value of `Content-Length`, if this line is it.
fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    // The colon first: this runs for every line of every request.
    let (name, value) = line.split_at_checked(NAME.len())?;
    if name[NAME.len() - 1] != b':' || !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    std::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: &str = r#"{"id":7,"method":"tools/call","params":{"text":"hello"}}"#;

    /// Sends bytes to a connection of its own and gives all that comes back.
    fn exchange(form: Form, sent: &str) -> String {
        exchange_at(form, Pace::Whole, sent)
    }

    fn exchange_at(form: Form, pace: Pace, sent: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut client = TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
        let (stream, _) = listener.accept().expect("a connection");
        let server = std::thread::spawn(move || Connection::new(Era::Legacy, form, pace).serve(stream));
        client.write_all(sent.as_bytes()).expect("written");
        client.shutdown(std::net::Shutdown::Write).expect("shut");
        let mut text = String::new();
        client.read_to_string(&mut text).expect("read");
        server.join().expect("no panic").expect("served");
        text
    }

    fn post(body: &str) -> String {
        format!("POST /mcp HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn requests_on_one_connection_are_answered_in_order() {
        let text = exchange(Form::Json, &(post(CALL) + &post(r#"{"method":"notifications/x"}"#)));
        let (answer, accepted) = text.split_once("}]}}").expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\"hello\""), "{text}");
        assert!(answer.contains("Content-Length: 78\r\n"), "{text}");
        assert_eq!(accepted.as_bytes(), ACCEPTED);
    }

    #[test]
    fn a_stream_is_one_event_in_one_chunk_with_its_end() {
        let text = exchange(Form::EventStream, &post(CALL));
        let body = text.split_once("\r\n\r\n").expect("a head").1;
        let (size, rest) = body.split_once("\r\n").expect("a size");
        let chunk = rest.strip_suffix("\r\n0\r\n\r\n").expect("the last chunk");
        assert_eq!(usize::from_str_radix(size, 16), Ok(chunk.len()));
        assert!(chunk.starts_with("data: {") && chunk.ends_with("}\n\n"), "{chunk:?}");
    }

    #[test]
    fn pieces_are_the_same_bytes() {
        for form in [Form::Json, Form::EventStream] {
            let whole = exchange(form, &post(CALL));
            assert_eq!(exchange_at(form, Pace::Parts, &post(CALL)), whole);
            assert_eq!(exchange_at(form, Pace::Bytes, &post(CALL)), whole);
        }
    }

    #[test]
    fn streams_of_the_servers_own_are_refused_and_so_is_a_body_without_length() {
        assert_eq!(exchange(Form::Json, "GET /mcp HTTP/1.1\r\n\r\n").as_bytes(), NO_STREAM);
        assert_eq!(exchange(Form::Json, "POST /mcp HTTP/1.1\r\n\r\n").as_bytes(), NO_LENGTH);
    }
}
