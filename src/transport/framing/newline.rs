//! One frame per line (2026-07-28 `basic/transports/stdio`). A carriage return before the line feed and blank lines are
//! tolerated.

use super::{Deframer, Piece, Skipping};

impl Deframer {
    /// The next line; `None` when it is not all there, or is one to throw away.
    pub(super) fn next_line(&mut self) -> Option<Piece> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]).map(|at| self.searched + at);
            let end = found.unwrap_or(self.buffer.len());
            let length = end - self.start;
            if length > self.bound {
                self.skipping = Some(Skipping::default());
                return None;
            }
            if found.is_none() {
                self.searched = end;
                return None;
            }
            let mut frame = match self.cut(length, 1) {
                Ok(frame) => frame,
                Err(refused) => return Some(refused),
            };
            if frame.last() == Some(&b'\r') {
                frame.pop();
            }
            if !frame.trim_ascii().is_empty() {
                return Some(Piece::Frame(frame));
            }
        }
    }
}
