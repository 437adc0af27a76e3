//! An answer as the server writes it, HTTP/1.1, read as it comes so that it can go on in frames.

use super::super::http::find;

/// A head longer than this has no end.
const MAX_HEAD: usize = 1 << 20;

/// What was read.
pub enum Piece {
    Head { status: String, headers: Vec<(String, String)> },
    Data(Vec<u8>),
    End,
}

enum State {
    Head,
    Length(usize),
    ChunkHead,
    Chunk(usize),
    ToTheEnd,
    Ended,
}

pub struct Answer {
    state: State,
    bytes: Vec<u8>,
}

impl Answer {
    pub fn new() -> Self {
        Self { state: State::Head, bytes: Vec::new() }
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Nothing more will come. Says whether that is the end of an answer without a length.
    pub fn ends_here(&self) -> bool {
        matches!(self.state, State::ToTheEnd)
    }

    /// The next piece of it, if it has come.
    ///
    /// # Errors
    /// That this is no answer in HTTP/1.1.
    pub fn next(&mut self) -> Result<Option<Piece>, ()> {
        match self.state {
            State::Ended => Ok(None),
            State::Head => self.head(),
            State::Length(0) => {
                self.state = State::Ended;
                Ok(Some(Piece::End))
            }
            State::Length(left) => {
                let taken = left.min(self.bytes.len());
                self.state = State::Length(left - taken);
                Ok(self.data(taken))
            }
            State::ToTheEnd => Ok(self.data(self.bytes.len())),
            State::ChunkHead => {
                let Some(end) = find(&self.bytes, b"\r\n") else { return Ok(None) };
                let line: Vec<u8> = self.bytes.drain(..end + 2).take(end).collect();
                let line = String::from_utf8(line).map_err(drop)?;
                let digits = line.split(';').next().unwrap_or_default().trim();
                match usize::from_str_radix(digits, 16).map_err(drop)? {
                    // Trailers are left where they are.
                    0 => self.state = State::Length(0),
                    length => self.state = State::Chunk(length + 2),
                }
                self.next()
            }
            State::Chunk(left) => {
                let taken = left.min(self.bytes.len());
                self.state = if taken == left { State::ChunkHead } else { State::Chunk(left - taken) };
                let mut data: Vec<u8> = self.bytes.drain(..taken).collect();
                // The last two bytes are not the chunk's.
                data.truncate(left.saturating_sub(2));
                if data.is_empty() && taken < left { Ok(None) } else { Ok(Some(Piece::Data(data))) }
            }
        }
    }

    fn data(&mut self, length: usize) -> Option<Piece> {
        (length > 0).then(|| Piece::Data(self.bytes.drain(..length).collect()))
    }

    fn head(&mut self) -> Result<Option<Piece>, ()> {
        let Some(end) = find(&self.bytes, b"\r\n\r\n") else {
            return if self.bytes.len() > MAX_HEAD { Err(()) } else { Ok(None) };
        };
        let head: String = self.bytes.drain(..end + 4).take(end).map(char::from).collect();
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).ok_or(())?.to_owned();
        let mut headers = Vec::new();
        self.state = State::ToTheEnd;
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(())?;
            let (name, value) = (name.to_ascii_lowercase(), value.trim().to_owned());
            match name.as_str() {
                "content-length" => self.state = State::Length(value.parse().map_err(drop)?),
                "transfer-encoding" => self.state = State::ChunkHead,
                // These are about connections of HTTP/1.
                "connection" | "keep-alive" => continue,
                _ => {}
            }
            if name != "transfer-encoding" {
                headers.push((name, value));
            }
        }
        if status.starts_with('1') {
            self.state = State::Head;
        } else if status == "204" {
            self.state = State::Length(0);
        }
        Ok(Some(Piece::Head { status, headers }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Piece};
    use std::fmt::Write as _;

    /// All of it, fed byte by byte: heads, data in brackets, and the end.
    fn read(text: &str) -> String {
        let mut answer = Answer::new();
        let mut seen = String::new();
        for byte in text.bytes() {
            answer.feed(&[byte]);
            while let Some(piece) = answer.next().expect("valid") {
                match piece {
                    Piece::Head { status, headers } => {
                        write!(seen, "{status}/{}", headers.len()).expect("a string");
                    }
                    Piece::Data(data) => {
                        write!(seen, "[{}]", String::from_utf8_lossy(&data)).expect("a string");
                    }
                    Piece::End => seen.push('.'),
                }
            }
        }
        if answer.ends_here() { format!("{seen}~") } else { seen }
    }

    #[test]
    fn answers_are_read_however_they_say_their_end() {
        assert_eq!(read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: b\r\n\r\nxy"), "200/2[x][y].");
        assert_eq!(
            read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n"),
            "200/0[x][y][]."
        );
        assert_eq!(read("HTTP/1.1 200 OK\r\n\r\nxy"), "200/0[x][y]~");
        assert_eq!(read("HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 204 None\r\n\r\n"), "103/1204/0.");
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let mut answer = Answer::new();
        answer.feed(b"nonsense\r\n\r\n");
        assert!(answer.next().is_err());
    }
}
