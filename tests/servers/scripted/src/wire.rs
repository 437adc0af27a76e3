//! Bytes in and out: the two framings, and the faults of both directions. What the bytes say is not known here.

use std::io::{self, BufRead, BufReader, Read, Stdin, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::script::{Framing, Script};

/// No frame of a test comes near this; a client that sends more is itself a fault worth seeing.
const MAX_FRAME: usize = 256 << 20;

pub struct Input {
    reader: BufReader<Throttled>,
    framing: Framing,
}

impl Input {
    pub fn new(script: &Script) -> Self {
        if script.has("never-read") {
            crate::wait_for_ever();
        }
        let share =
            script.number("throttle").map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX).max(1));
        let stream = Throttled { stdin: io::stdin(), share };
        // With a small share, the buffer must not ask for more than the trickle gives.
        let capacity = share.map_or(64 << 10, |share| share.min(64 << 10));
        Self { reader: BufReader::with_capacity(capacity, stream), framing: script.framing }
    }

    /// The next frame; `None` when stdin has ended or cannot be understood any more.
    pub fn read(&mut self) -> Option<Vec<u8>> {
        match self.framing {
            Framing::Newline => loop {
                let line = self.read_line(MAX_FRAME)?;
                if !line.iter().all(u8::is_ascii_whitespace) {
                    return Some(line);
                }
            },
            Framing::ContentLength => {
                let mut length = None;
                loop {
                    let line = self.read_line(4096)?;
                    let line = std::str::from_utf8(&line).ok()?.trim();
                    if line.is_empty() {
                        break;
                    }
                    if let Some((name, value)) = line.split_once(':')
                        && name.eq_ignore_ascii_case("content-length")
                    {
                        length = value.trim().parse().ok();
                    }
                }
                let mut frame = vec![0; length.filter(|length| *length <= MAX_FRAME)?];
                self.reader.read_exact(&mut frame).ok()?;
                Some(frame)
            }
        }
    }

    fn read_line(&mut self, most: usize) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        (&mut self.reader).take(most as u64).read_until(b'\n', &mut line).ok()?;
        if line.is_empty() {
            return None;
        }
        while matches!(line.last(), Some(b'\n' | b'\r')) {
            line.pop();
        }
        Some(line)
    }
}

/// Stdin, or a trickle of it.
struct Throttled {
    stdin: Stdin,
    share: Option<usize>,
}

impl Read for Throttled {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(share) = self.share else { return self.stdin.lock().read(buffer) };
        std::thread::sleep(Duration::from_millis(10));
        let most = buffer.len().min(share);
        // std's own buffer may hold more already; what the pipe feels is the average.
        self.stdin.lock().read(&mut buffer[..most])
    }
}

pub struct Output {
    framing: Framing,
    /// What to say instead of the true length of a tool's answer.
    false_length: Option<FalseLength>,
    /// The pause between two bytes.
    drip: Option<Duration>,
    /// Frames do not mix, even those of late answers.
    turn: Mutex<()>,
}

enum FalseLength {
    Text,
    Negative,
    Missing,
    Short,
    Long,
    Exactly(u64),
}

impl Output {
    pub fn new(script: &Script) -> Self {
        let word = script.text("bad-length").map(|word| match word {
            "negative" => FalseLength::Negative,
            "missing" => FalseLength::Missing,
            "short" => FalseLength::Short,
            "long" => FalseLength::Long,
            _ => FalseLength::Text,
        });
        let false_length = script.number("huge-length").map(FalseLength::Exactly).or(word);
        let drip = script.milliseconds("drip");
        Self { framing: script.framing, false_length, drip, turn: Mutex::new(()) }
    }

    /// One frame with a true header or a line end.
    pub fn frame(&self, body: &[u8]) {
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        self.framed(&header, body);
    }

    /// One frame that answers a tool call, which is where the script's false lengths go.
    pub fn tool_frame(&self, body: &[u8]) {
        let length = body.len();
        let header = match self.false_length {
            None => format!("Content-Length: {length}\r\n\r\n"),
            Some(FalseLength::Text) => "Content-Length: many\r\n\r\n".to_owned(),
            Some(FalseLength::Negative) => format!("Content-Length: -{length}\r\n\r\n"),
            Some(FalseLength::Missing) => "Content-Type: application/json\r\n\r\n".to_owned(),
            Some(FalseLength::Short) => format!("Content-Length: {}\r\n\r\n", length / 2),
            Some(FalseLength::Long) => format!("Content-Length: {}\r\n\r\n", length + 10),
            Some(FalseLength::Exactly(number)) => format!("Content-Length: {number}\r\n\r\n"),
        };
        self.framed(&header, body);
    }

    fn framed(&self, header: &str, body: &[u8]) {
        let whole = match self.framing {
            Framing::Newline => [body, b"\n"].concat(),
            Framing::ContentLength => [header.as_bytes(), body].concat(),
        };
        self.raw(&whole);
    }

    /// Bytes as they are. `false` when the client no longer reads; a fault goes on regardless, so most do not look.
    pub fn raw(&self, bytes: &[u8]) -> bool {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdout = io::stdout().lock();
        if let Some(pause) = self.drip {
            return bytes.chunks(1).all(|byte| {
                std::thread::sleep(pause);
                stdout.write_all(byte).and_then(|()| stdout.flush()).is_ok()
            });
        }
        stdout.write_all(bytes).and_then(|()| stdout.flush()).is_ok()
    }
}
