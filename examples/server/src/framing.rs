//! Frames on a byte stream: one message per line (what MCP asks for on stdio), or a `Content-Length` header before
//! each message (what language servers do, and some MCP clients offer). This room knows nothing about JSON-RPC.

use std::fmt;
use std::io::{self, BufRead, BufReader, BufWriter, Error, ErrorKind, Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// The longest frame this server keeps in memory. A longer line is skipped to its end.
pub const MAX_FRAME: usize = 64 << 20;
/// The longest header line before a `Content-Length` message.
const MAX_HEADER: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Framing {
    Newline,
    ContentLength,
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Newline => "newline",
            Self::ContentLength => "content-length",
        })
    }
}

/// What came out of the stream.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    Frame(Vec<u8>),
    /// A line over [`MAX_FRAME`]; it was thrown away up to its end.
    TooLong,
    End,
}

pub struct Input<R> {
    reader: BufReader<R>,
    framing: Framing,
    max_frame: usize,
}

impl<R: Read> Input<R> {
    pub fn new(stream: R, framing: Framing) -> Self {
        Self { reader: BufReader::with_capacity(64 << 10, stream), framing, max_frame: MAX_FRAME }
    }

    /// Whether the next [`Input::read`] is sure not to block.
    pub fn has_frame_ready(&self) -> bool {
        self.framing == Framing::Newline && self.reader.buffer().contains(&b'\n')
    }

    pub fn read(&mut self) -> io::Result<Incoming> {
        match self.framing {
            Framing::Newline => self.read_line(),
            Framing::ContentLength => self.read_measured(),
        }
    }

    /// One line without its end, which may be `\n` or `\r\n`. Blank lines are no frames.
    fn read_line(&mut self) -> io::Result<Incoming> {
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let ended = available.is_empty();
            let newline = available.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(available.len(), |at| at + 1);
            too_long |= line.len() + taken > self.max_frame;
            if !too_long {
                line.extend_from_slice(&available[..newline.unwrap_or(taken)]);
            }
            self.reader.consume(taken);

            if newline.is_none() && !ended {
                continue;
            }
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            if too_long {
                return Ok(Incoming::TooLong);
            }
            if !line.iter().all(u8::is_ascii_whitespace) {
                return Ok(Incoming::Frame(line));
            }
            if ended {
                return Ok(Incoming::End);
            }
            line.clear();
        }
    }

    /// Headers up to an empty line, then as many bytes as `Content-Length` says. Without a trustworthy length there is
    /// no next frame to find, so every fault here ends the connection.
    fn read_measured(&mut self) -> io::Result<Incoming> {
        let mut length = None;
        loop {
            let mut line = Vec::new();
            (&mut self.reader).take(MAX_HEADER).read_until(b'\n', &mut line)?;
            if line.is_empty() && length.is_none() {
                return Ok(Incoming::End);
            }
            let line = std::str::from_utf8(&line)
                .ok()
                .and_then(|line| line.strip_suffix('\n'))
                .ok_or_else(|| Error::new(ErrorKind::InvalidData, "a header line is cut off or too long"))?
                .trim_end_matches('\r');
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<usize>().ok().filter(|length| *length <= self.max_frame);
                if length.is_none() {
                    return Err(Error::new(ErrorKind::InvalidData, "Content-Length is no acceptable number"));
                }
            }
        }
        let length = length.ok_or_else(|| Error::new(ErrorKind::InvalidData, "no Content-Length header"))?;
        let mut frame = vec![0; length];
        self.reader.read_exact(&mut frame)?;
        Ok(Incoming::Frame(frame))
    }
}

/// The way out, shared by the main loop and the clock. A frame is written whole under the lock, so frames never mix.
pub struct Output {
    writer: Mutex<BufWriter<Box<dyn Write + Send>>>,
    framing: Framing,
}

impl Output {
    pub fn new(stream: impl Write + Send + 'static, framing: Framing) -> Self {
        Self { writer: Mutex::new(BufWriter::with_capacity(64 << 10, Box::new(stream))), framing }
    }

    /// Puts one message into the buffer; [`Output::flush`] sends it off.
    pub fn send(&self, message: &Value) -> io::Result<()> {
        let mut writer = self.lock();
        match self.framing {
            Framing::Newline => {
                serde_json::to_writer(&mut *writer, message).map_err(Error::from)?;
                writer.write_all(b"\n")
            }
            Framing::ContentLength => {
                let body = serde_json::to_vec(message).map_err(Error::from)?;
                write!(writer, "Content-Length: {}\r\n\r\n", body.len())?;
                writer.write_all(&body)
            }
        }
    }

    pub fn flush(&self) -> io::Result<()> {
        self.lock().flush()
    }

    fn lock(&self) -> MutexGuard<'_, BufWriter<Box<dyn Write + Send>>> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &[u8], framing: Framing, max_frame: usize) -> Vec<Incoming> {
        let mut input = Input::new(text, framing);
        input.max_frame = max_frame;
        let mut all = Vec::new();
        while let Ok(incoming) = input.read() {
            if incoming == Incoming::End {
                break;
            }
            all.push(incoming);
        }
        all
    }

    fn frame(text: &str) -> Incoming {
        Incoming::Frame(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_with_lf_or_crlf_and_blank_ones_are_skipped() {
        let all = frames(b"{}\r\n\n \n[]\nlast", Framing::Newline, 100);
        assert_eq!(all, [frame("{}"), frame("[]"), frame("last")]);
    }

    #[test]
    fn a_line_over_the_bound_is_skipped_and_the_next_one_is_read() {
        let all = frames(b"123456789\n12345\n", Framing::Newline, 6);
        assert_eq!(all, [Incoming::TooLong, frame("12345")]);
    }

    #[test]
    fn measured_frames_may_hold_newlines_and_other_headers() {
        let text = b"Content-Type: x\r\ncontent-length: 3\r\n\r\na\nbContent-Length: 2\r\n\r\n{}";
        assert_eq!(frames(text, Framing::ContentLength, 100), [frame("a\nb"), frame("{}")]);
    }

    #[test]
    fn a_measured_frame_without_a_usable_length_is_an_error() {
        for text in ["X: 1\r\n\r\n{}", "Content-Length: two\r\n\r\n{}", "Content-Length: 101\r\n\r\n"] {
            let mut input = Input::new(text.as_bytes(), Framing::ContentLength);
            input.max_frame = 100;
            assert!(input.read().is_err(), "{text}");
        }
    }
}
