//! `Content-Length` framing, as the language server protocol has it: header lines, a blank line, then so many bytes.
//!
//! The declared size is judged before the bytes are read. A header without a usable length leaves no way to find the
//! next frame, so it ends the stream.

use super::{Deframer, Piece, Skipping};

/// The largest header block.
const HEADER_BYTES: usize = 4096;

impl Deframer {
    pub(super) fn next_declared(&mut self) -> Option<Piece> {
        let length = match self.declared {
            Some(length) => length,
            None => match self.header() {
                Ok(Some(length)) if length > (self.bound as u64).saturating_add(self.discard) => {
                    let why = format!("a header announces {length} bytes, and {}", self.endless());
                    return Some(self.break_off(why));
                }
                Ok(Some(length)) if length > self.bound as u64 => {
                    self.skipping = Some(Skipping { left: length, ..Skipping::default() });
                    return None;
                }
                // Not over the bound, which is a usize.
                Ok(Some(length)) => usize::try_from(length).unwrap_or(self.bound),
                Ok(None) => return None,
                Err(why) => return Some(self.break_off(why)),
            },
        };
        self.declared = Some(length);
        if self.buffer.len() - self.start < length {
            return None;
        }
        self.declared = None;
        Some(self.cut(length, 0).map_or_else(|refused| refused, Piece::Frame))
    }

    /// Reads a header block, if it is all there.
    fn header(&mut self) -> Result<Option<u64>, String> {
        let held = &self.buffer[self.start..];
        let window = &held[..held.len().min(HEADER_BYTES)];
        let Some(end) = memchr::memmem::find(window, b"\r\n\r\n") else {
            if held.len() >= HEADER_BYTES {
                return Err(format!("no Content-Length header ended within {HEADER_BYTES} bytes"));
            }
            return Ok(None);
        };
        let block = String::from_utf8_lossy(&window[..end]).into_owned();
        self.start += end + 4;
        self.searched = self.start;
        for line in block.split("\r\n") {
            if line.contains(" HTTP/1.") {
                // A page in a browser can send such a request to any port, and what follows it would be read as a frame.
                return Err("a request of HTTP, which is not spoken here".to_owned());
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.trim().eq_ignore_ascii_case("content-length") {
                let value = value.trim();
                // `parse` would take a sign.
                let digits = if value.bytes().all(|byte| byte.is_ascii_digit()) { value } else { "" };
                return digits.parse().map(Some).map_err(|_| {
                    format!("the header Content-Length has the value '{value}', which is no length")
                });
            }
        }
        Err("a header block without Content-Length".to_owned())
    }
}
