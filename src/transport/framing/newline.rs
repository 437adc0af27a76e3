//! One frame per line (2026-07-28 `basic/transports/stdio`). A carriage return before the line feed and blank lines are
//! tolerated.

use super::{Deframer, Piece, Skipping};

impl Deframer {
    pub(super) fn next_line(&mut self) -> Option<Piece> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]).map(|at| self.searched + at);
            if self.skipping.is_some() {
                match self.skip_to(found) {
                    Some(piece) => return Some(piece),
                    None => return None,
                }
            }
            let Some(end) = found else {
                self.searched = self.buffer.len();
                if self.buffer.len() - self.start > self.bound {
                    self.skipping = Some(Skipping::default());
                    self.skip_to(None);
                }
                return None;
            };
            let length = end - self.start;
            if length > self.bound {
                self.skipping = Some(Skipping::default());
                return self.skip_to(Some(end));
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

    /// Throws away what is held, up to the end of the line if that is there.
    pub(super) fn skip_to(&mut self, end: Option<usize>) -> Option<Piece> {
        let skipping = self.skipping.as_mut()?;
        let upto = end.unwrap_or(self.buffer.len());
        skipping.take(&self.buffer[self.start..upto]);
        match end {
            Some(end) => {
                self.start = end + 1;
                self.searched = self.start;
                self.skipping.take().map(Skipping::end)
            }
            None => {
                self.buffer.clear();
                self.buffer.shrink_to(super::READ_BYTES);
                self.start = 0;
                self.searched = 0;
                None
            }
        }
    }
}
