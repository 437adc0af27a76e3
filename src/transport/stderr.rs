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
    /// The last line that is no part of a stack trace.
    telling: Option<String>,
    ended: bool,
}

impl Stderr {
    /// Reads from `fd`, which must be non-blocking.
    pub fn new(fd: OwnedFd, limits: StderrLimits) -> Stderr {
        Stderr {
            fd,
            limits,
            partial: Vec::new(),
            cut: false,
            kept: VecDeque::new(),
            telling: None,
            ended: false,
        }
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
        if !is_of_trace(&line) {
            self.telling = Some(line.clone());
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

    /// The last line that says something by itself: most languages write a stack trace below it.
    pub fn telling_line(&self) -> Option<String> {
        let last = self.last_lines().pop()?;
        if is_of_trace(&last) { self.telling.clone().or(Some(last)) } else { Some(last) }
    }
}

/// Whether a line belongs to a stack trace, as Java, Node.js, C#, Go, Lua and Rust write them below what has failed.
fn is_of_trace(line: &str) -> bool {
    const BETWEEN: [&str; 7] = [
        "stack traceback:",
        "stack backtrace:",
        "Node.js v",
        "goroutine ",
        "created by ",
        "exit status ",
        "note: ",
    ];
    // A function of Go, as "main.start(0x3)".
    let is_function = || {
        let name = line.split('(').next().unwrap_or_default();
        line.ends_with(')') && name.contains('.') && !name.contains(char::is_whitespace)
    };
    line.starts_with([' ', '\t']) || BETWEEN.iter().any(|words| line.starts_with(words)) || is_function()
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
    fn the_line_above_a_stack_trace_tells() {
        // As these programs end: Node.js, Java, Go, Mono, LuaJIT, Rust, Python.
        for (said, tells) in [
            (
                "x.js:1\nthrow new Error();\n^\nError: no key\n    at start (x.js:1:26)\n\nNode.js v20.20.2\n",
                "Error: no key",
            ),
            (
                "java.lang.Error: late\n\tat B.main(B.java:1)\nCaused by: no key\n\tat B.f(B.java:1)\n\t... 1 more\n",
                "Caused by: no key",
            ),
            (
                "panic: no key\n\ngoroutine 1 [running]:\nmain.start(0x3, 0x4)\n\t/x/main.go:3 +0x73\n\
                 created by main.main in goroutine 1\n\t/x/main.go:9 +0x1d\nexit status 2\n",
                "panic: no key",
            ),
            (
                "[ERROR] FATAL UNHANDLED EXCEPTION: no key\n  at P.Main () [0x00000] in <07>:0\n",
                "[ERROR] FATAL UNHANDLED EXCEPTION: no key",
            ),
            (
                "luajit: no key\nstack traceback:\n\t[C]: in function 'error'\n\t[C]: at 0x5602",
                "luajit: no key",
            ),
            (
                "no key\nstack backtrace:\n   0: std::panicking\n             at a.rs:1\nnote: run with `RUST_BACKTRACE=1`\n",
                "no key",
            ),
            (
                "Traceback (most recent call last):\n  File \"x\", line 3\nValueError: no key\n",
                "ValueError: no key",
            ),
            ("\tat B.main(B.java:1)\n", "\tat B.main(B.java:1)"),
        ] {
            let (mut writer, mut stderr) = pair(StderrLimits { line_bytes: 100, lines: 2 });
            writer.write_all(said.as_bytes()).expect("written");
            stderr.drain();
            assert_eq!(stderr.telling_line().as_deref(), Some(tells), "{said}");
        }
        let (_writer, stderr) = pair(StderrLimits { line_bytes: 100, lines: 2 });
        assert_eq!(stderr.telling_line(), None);
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
