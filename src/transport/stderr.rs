//! A server's standard error: always drained, so that the server never blocks on it; the last lines kept for error texts.

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::collections::VecDeque;

/// Bytes per read.
const READ_BYTES: usize = 8 * 1024;

/// Bounds on what is kept.
#[derive(Clone, Copy, Debug)]
pub struct StderrLimits {
    /// The longest line kept; the rest of a longer one is dropped.
    pub line_bytes: usize,
    /// How many lines are kept.
    pub lines: usize,
}

/// What one drain found.
#[derive(Debug, Default)]
pub struct Drained {
    /// Complete lines, oldest first.
    pub lines: Vec<String>,
    /// Whether the end was reached.
    pub ended: bool,
}

/// The reading end of a server's standard error.
#[derive(Debug)]
pub struct Stderr {
    fd: OwnedFd,
    limits: StderrLimits,
    partial: Vec<u8>,
    cut: bool,
    kept: VecDeque<String>,
    ended: bool,
}

impl Stderr {
    /// Reads from `fd`, which must be non-blocking.
    pub fn new(fd: OwnedFd, limits: StderrLimits) -> Stderr {
        Stderr { fd, limits, partial: Vec::new(), cut: false, kept: VecDeque::new(), ended: false }
    }

    /// The descriptor, to wait until there is something.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Reads what is there now, at most a bounded amount, so that a flood on one server does not hold up others.
    pub fn drain(&mut self) -> Drained {
        const READS: usize = 16;
        let mut drained = Drained::default();
        if self.ended {
            drained.ended = true;
            return drained;
        }
        let mut chunk = [0u8; READ_BYTES];
        for _ in 0..READS {
            match rustix::io::read(&self.fd, &mut chunk[..]) {
                Ok(0) => {
                    self.finish(&mut drained);
                    break;
                }
                Ok(count) => self.take(&chunk[..count], &mut drained),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => {
                    self.finish(&mut drained);
                    break;
                }
            }
        }
        drained
    }

    fn finish(&mut self, drained: &mut Drained) {
        self.ended = true;
        drained.ended = true;
        if !self.partial.is_empty() {
            self.end_line(drained);
        }
    }

    fn take(&mut self, bytes: &[u8], drained: &mut Drained) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.grow(&rest[..at]);
            self.end_line(drained);
            rest = &rest[at + 1..];
        }
        self.grow(rest);
    }

    fn grow(&mut self, bytes: &[u8]) {
        let room = self.limits.line_bytes.saturating_sub(self.partial.len());
        if bytes.len() > room {
            self.cut = true;
        }
        self.partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end_line(&mut self, drained: &mut Drained) {
        let mut line = String::from_utf8_lossy(&self.partial).trim_end().to_owned();
        if std::mem::take(&mut self.cut) {
            line.push('…');
        }
        self.partial.clear();
        if line.is_empty() {
            return;
        }
        self.kept.push_back(line.clone());
        while self.kept.len() > self.limits.lines {
            self.kept.pop_front();
        }
        drained.lines.push(line);
    }

    /// The last lines, oldest first, with one that has no end yet.
    pub fn last_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.kept.iter().cloned().collect();
        if !self.partial.is_empty() {
            lines.push(String::from_utf8_lossy(&self.partial).trim_end().to_owned());
        }
        lines
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    fn pair(limits: StderrLimits) -> (std::fs::File, Stderr) {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        rustix::io::ioctl_fionbio(&reader, true).expect("non-blocking");
        (writer.into(), Stderr::new(reader, limits))
    }

    #[test]
    fn the_last_lines_are_kept_within_both_bounds() {
        let (mut writer, mut stderr) = pair(StderrLimits { line_bytes: 5, lines: 2 });
        writer.write_all(b"one\ntwo\nthree-and-more\n\nfour").expect("written");
        let drained = stderr.drain();
        assert_eq!(drained.lines, ["one", "two", "three…"]);
        assert!(!drained.ended);
        assert_eq!(stderr.last_lines(), ["two", "three…", "four"]);
        drop(writer);
        let drained = stderr.drain();
        assert!(drained.ended);
        assert_eq!(drained.lines, ["four"]);
    }

    #[test]
    fn a_line_without_an_end_does_not_grow() {
        let (mut writer, mut stderr) = pair(StderrLimits { line_bytes: 100, lines: 2 });
        for _ in 0..100 {
            writer.write_all(&[b'x'; 4096]).expect("written");
            stderr.drain();
        }
        assert!(stderr.partial.capacity() <= 256);
    }
}
