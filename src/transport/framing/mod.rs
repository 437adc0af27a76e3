//! Frames out of a byte stream: one line each, or with a `Content-Length` header before each.
//!
//! Bytes are read straight into the buffer a frame will be handed over in. A frame larger than the bound is never held:
//! it is thrown away as it comes, and what is kept of it (its first and last bytes) may still tell which call it answers.
//!
//! [`Deframer`] is in this file, with the skipping of frames over the bound.

#[cfg(test)]
mod tests;

use crate::json;
use crate::protocol::envelope::salvage_id;

/// How frames are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Framing {
    /// One frame per line, as the specification has it.
    #[default]
    Newline,
    /// `Content-Length: N` and a blank line before each frame, as the language server protocol has it.
    ContentLength,
}

impl Framing {
    /// Adds to a frame what goes around it on the wire.
    pub fn wrap(self, mut frame: Vec<u8>) -> Vec<u8> {
        match self {
            Framing::Newline => {
                frame.push(b'\n');
                frame
            }
            Framing::ContentLength => {
                let mut wrapped = format!("Content-Length: {}\r\n\r\n", frame.len()).into_bytes();
                wrapped.append(&mut frame);
                wrapped
            }
        }
    }
}

/// What came out of the stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// One frame, without what was around it.
    Frame(Vec<u8>),
    /// A frame over the bound, which is discarded. It is reported when the bound is crossed where its first bytes say which
    /// request it answers, and at its end otherwise; once in any case.
    Oversized {
        /// The request it answers, where that could be read for certain.
        id: Option<u64>,
        /// How large it is, or how much of it there is at least.
        bytes: u64,
    },
    /// A frame that the system gave no memory for, thrown away and told in the same way.
    Unheld {
        /// The request it answers, where that could be read for certain.
        id: Option<u64>,
        /// How large it is, or how much of it there is at least.
        bytes: u64,
    },
    /// The stream cannot be read any further: why.
    Broken(String),
}

/// Room for one read.
pub(super) const READ_BYTES: usize = 64 * 1024;
/// A frame of at least this size is handed over in the buffer it was read into; a smaller one is copied out.
const HAND_OVER_BYTES: usize = 32 * 1024;
/// From this size on, room in the buffer is worth a look at whose memory it is.
const MUCH: usize = 1 << 20;

/// Makes room, if the system gives it.
fn reserve(buffer: &mut Vec<u8>, more: usize) -> bool {
    #[cfg(test)]
    if buffer.len() + more > tests::GIVEN.get() {
        return false;
    }
    buffer.try_reserve_exact(more).is_ok()
}

/// Turns reads into frames.
#[derive(Debug)]
pub struct Deframer {
    framing: Framing,
    bound: usize,
    /// How much of one frame is thrown away beyond the bound before the stream counts as broken.
    discard: u64,
    buffer: Vec<u8>,
    /// Where the first byte not yet handed over stands.
    start: usize,
    /// How far the search for the end of the frame has come.
    searched: usize,
    skipping: Option<Skipping>,
    /// Content-Length framing: the length declared by the header that was read.
    declared: Option<usize>,
    /// How long the last large frame was. The next one is often like it (one file after another), and then there is room
    /// for it at once: growing step by step the allocator may move what is there, and keep twice the memory.
    last_large: usize,
    broken: bool,
}

/// A frame over the bound, or over the memory there is, on its way to nowhere.
#[derive(Debug, Default)]
struct Skipping {
    frame: Oversized,
    /// Content-Length framing: what is still to come.
    left: u64,
    /// Whether memory was refused, and not the bound passed.
    refused: bool,
    /// Its end has come.
    is_complete: bool,
    /// Its first bytes were looked at for the id.
    is_examined: bool,
    /// It was told before its end.
    is_told: bool,
}

impl Skipping {
    fn piece(&self, id: Option<u64>, bytes: u64) -> Piece {
        if self.refused { Piece::Unheld { id, bytes } } else { Piece::Oversized { id, bytes } }
    }

    /// The report of the frame at its end.
    fn whole(&self) -> Piece {
        self.piece(self.frame.id(), self.frame.bytes())
    }

    /// The report of the frame before its end: once, when it is over the bound and begins with the id of the request that it
    /// answers. The call need not wait for the rest. The report does not depend on how the stream was cut into reads.
    fn early(&mut self, bound: usize, framing: Framing) -> Option<Piece> {
        let certain = bound as u64 + 1;
        let known = self.frame.bytes() + self.left;
        if self.is_examined || known < certain {
            return None;
        }
        let id = self.frame.id_at_start(bound.saturating_add(1))?;
        self.is_examined = true;
        self.is_told = id.is_some();
        let bytes = if framing == Framing::ContentLength { known } else { certain };
        id.map(|id| self.piece(Some(id), bytes))
    }
}

impl Deframer {
    /// A deframer that holds at most `bound` bytes of a frame, and takes the stream for broken when `discard` further bytes
    /// of it have come.
    pub fn new(framing: Framing, bound: usize, discard: usize) -> Deframer {
        Deframer {
            framing,
            bound,
            discard: discard as u64,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            skipping: None,
            declared: None,
            last_large: 0,
            broken: false,
        }
    }

    /// The buffer to append the next read to, with spare capacity for it; without, if the system gives no memory at all. A frame
    /// that it gives none for is thrown away as it comes.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        if self.start == self.buffer.len() || self.broken {
            self.buffer.clear();
            self.start = 0;
            self.searched = 0;
        }
        let spare = self.buffer.capacity() - self.buffer.len();
        if spare < READ_BYTES / 4 {
            if self.start > 0 {
                self.buffer.drain(..self.start);
                self.searched -= self.start;
                self.start = 0;
            }
            let wanted = match self.declared {
                // One byte more, so that a NUL can be put after it.
                Some(length) => (length + 1).saturating_sub(self.buffer.len()).max(READ_BYTES),
                None => self.growth(),
            };
            let wanted = wanted.min(self.bound.saturating_sub(self.buffer.len()) + READ_BYTES);
            if !self.grow(wanted) {
                self.give_up_the_frame();
            }
        }
        &mut self.buffer
    }

    /// There is no memory for the frame that has begun.
    fn give_up_the_frame(&mut self) {
        if self.skipping.is_none() && self.start < self.buffer.len() {
            let left = self.declared.take().unwrap_or_default() as u64;
            self.skipping = Some(Skipping { left, refused: true, ..Skipping::default() });
            self.skip_some();
        }
        if self.buffer.is_empty() {
            self.buffer = Vec::new();
            // A buffer without room reports that even this much memory is missing.
            let _refused = !reserve(&mut self.buffer, READ_BYTES);
        }
    }

    /// Makes room for `more` bytes. Much room is new memory and not more of the old, for allocators have a pool for each
    /// thread: what another thread began would be made large in that thread's pool, while the memory of the last large
    /// frame lies unused in this one's. Says whether there is memory.
    fn grow(&mut self, more: usize) -> bool {
        if more < MUCH || self.buffer.len() > more / 8 {
            return reserve(&mut self.buffer, more);
        }
        let mut fresh = Vec::new();
        if !reserve(&mut fresh, self.buffer.len() + more) {
            return false;
        }
        fresh.extend_from_slice(&self.buffer);
        self.buffer = fresh;
        true
    }

    /// By how much the buffer grows for a line whose end has not come: it doubles, or there is room for one as long as the
    /// last.
    fn growth(&self) -> usize {
        let held = self.buffer.len();
        let like_the_last = if held < READ_BYTES { 0 } else { self.last_large.saturating_sub(held) };
        held.max(like_the_last + READ_BYTES).min(self.bound.max(READ_BYTES))
    }

    /// Whether bytes of an unfinished frame are held.
    pub fn is_partial(&self) -> bool {
        self.start < self.buffer.len() || self.skipping.is_some()
    }

    /// Whether all that is held is the first part of one frame, and fills the memory that a small one has.
    pub fn has_begun_large(&self) -> bool {
        self.start == 0 && self.buffer.len() == READ_BYTES
    }

    /// How many bytes of memory are held.
    #[cfg(any(feature = "server", test, fuzzing))]
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// The next frame among the bytes read so far.
    pub fn next_piece(&mut self) -> Option<Piece> {
        if self.broken {
            return None;
        }
        loop {
            if self.skipping.is_some()
                && let Some(piece) = self.next_skipped()
            {
                return Some(piece);
            }
            if self.skipping.is_some() || self.broken {
                return None;
            }
            let piece = match self.framing {
                Framing::Newline => self.next_line(),
                Framing::ContentLength => self.next_declared(),
            };
            if piece.is_some() || self.skipping.is_none() {
                return piece;
            }
        }
    }

    /// Whether what is held is a whole message that only lacks the end of its line.
    pub fn has_last_line(&self) -> bool {
        let line = self.buffer.get(self.start..).unwrap_or_default();
        self.framing == Framing::Newline
            && self.skipping.is_none()
            && !self.broken
            && line.len() <= self.bound
            && json::scan_value(line, json::MAX_DEPTH).is_ok()
    }

    /// That message, when nothing more follows.
    pub fn last_line(&mut self) -> Option<Piece> {
        if !self.has_last_line() {
            return None;
        }
        let frame = self.cut(self.buffer.len() - self.start, 0);
        Some(frame.map_or_else(|refused| refused, Piece::Frame))
    }

    /// Goes on throwing a frame away. Gives what there is to tell of it; without that, either its end has come or more of it
    /// is awaited.
    fn next_skipped(&mut self) -> Option<Piece> {
        loop {
            let skipping = self.skipping.as_mut()?;
            if let Some(piece) = skipping.early(self.bound, self.framing) {
                return Some(piece);
            }
            if skipping.frame.bytes() > (self.bound as u64).saturating_add(self.discard) {
                let why = self.endless();
                return Some(self.break_off(why));
            }
            if skipping.is_complete {
                let done = self.skipping.take()?;
                return (!done.is_told).then(|| done.whole());
            }
            if self.start == self.buffer.len() {
                return None;
            }
            self.skip_some();
        }
    }

    fn endless(&self) -> String {
        format!(
            "the end of a message has not come within {} bytes, which are limits.frame_bytes ({}) and limits.discard_bytes ({})",
            (self.bound as u64).saturating_add(self.discard),
            self.bound,
            self.discard
        )
    }

    /// The stream cannot be read any further.
    fn break_off(&mut self, why: String) -> Piece {
        self.broken = true;
        self.skipping = None;
        Piece::Broken(why)
    }

    /// Throws away what is held of a frame, up to its end if that is there.
    fn skip_some(&mut self) {
        let Some(skipping) = &mut self.skipping else { return };
        let held = &self.buffer[self.start..];
        let some = match self.framing {
            Framing::Newline => memchr::memchr(b'\n', held).inspect(|_| skipping.is_complete = true),
            Framing::ContentLength => {
                let some = held.len().min(usize::try_from(skipping.left).unwrap_or(usize::MAX));
                skipping.left -= some as u64;
                skipping.is_complete = skipping.left == 0;
                skipping.is_complete.then_some(some)
            }
        };
        skipping.frame.take(&held[..some.unwrap_or(held.len())]);
        match some {
            Some(some) => self.start += some + usize::from(self.framing == Framing::Newline),
            None => {
                self.buffer.clear();
                self.buffer.shrink_to(READ_BYTES);
                self.start = 0;
            }
        }
        self.searched = self.start;
    }

    /// Takes `length` bytes at the start of what is held, then passes over `after` more.
    /// Without memory for what follows it the frame is thrown away.
    fn cut(&mut self, length: usize, after: usize) -> Result<Vec<u8>, Piece> {
        if length >= HAND_OVER_BYTES && self.start > 0 {
            // Moved within the buffer: a copy would take the memory twice.
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let end = self.start + length;
        let frame = if length >= HAND_OVER_BYTES {
            let rest = &self.buffer[(end + after).min(self.buffer.len())..];
            // Without a rest nothing is allocated before the next read: behind a frame of many megabytes a small buffer
            // would keep the allocator from using that memory again as a whole.
            let mut next = Vec::new();
            if !rest.is_empty() {
                if !reserve(&mut next, rest.len().max(READ_BYTES)) {
                    let mut refused = Skipping { refused: true, ..Skipping::default() };
                    refused.frame.take(&self.buffer[self.start..end]);
                    self.start = (end + after).min(self.buffer.len());
                    self.searched = self.start;
                    return Err(refused.whole());
                }
                next.extend_from_slice(rest);
            }
            let mut frame = std::mem::replace(&mut self.buffer, next);
            frame.truncate(length);
            self.last_large = length;
            if frame.capacity() / 2 > length {
                // There was room for a larger one.
                frame.shrink_to(length + 1);
            }
            self.start = 0;
            self.searched = 0;
            return Ok(frame);
        } else {
            // One byte more, so that a NUL can be put after the frame without growing it.
            let mut frame = Vec::with_capacity(length + 1);
            frame.extend_from_slice(&self.buffer[self.start..end]);
            frame
        };
        self.start = (end + after).min(self.buffer.len());
        self.searched = self.start;
        Ok(frame)
    }
}

impl Deframer {
    /// The next line; `None` when it is not all there, or is one to throw away.
    pub(crate) fn next_line(&mut self) -> Option<Piece> {
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

/// The largest header block.
const HEADER_BYTES: usize = 4096;

impl Deframer {
    pub(crate) fn next_declared(&mut self) -> Option<Piece> {
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

/// The kept start and end.
const KEPT_BYTES: usize = 4096;

/// A message over the bound on its way to nowhere.
#[derive(Clone, Debug, Default)]
pub struct Oversized {
    head: Vec<u8>,
    /// The last bytes; up to twice as many as are needed, so that many small parts do not each move all of it.
    tail: Vec<u8>,
    bytes: u64,
}

impl Oversized {
    /// The next part of the message.
    pub fn take(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let room = KEPT_BYTES.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        if self.tail.len() + bytes.len() > 2 * KEPT_BYTES {
            let surplus = self.tail.len().saturating_sub(KEPT_BYTES);
            self.tail.drain(..surplus);
        }
        self.tail.extend_from_slice(last(bytes));
    }

    /// The request of ours that the message answers, where that could be read for certain.
    pub fn id(&self) -> Option<u64> {
        salvage_id(&self.head, last(&self.tail))
    }

    /// The request of ours that the message answers, as far as its first `within` bytes tell (at most those that are kept);
    /// `None` before so many have come.
    #[allow(clippy::option_option, reason = "not known yet and not there are different")]
    pub fn id_at_start(&self, within: usize) -> Option<Option<u64>> {
        let start = self.head.get(..within.min(KEPT_BYTES))?;
        Some(salvage_id(start, b""))
    }

    /// How large the message is so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many bytes of memory are held.
    #[cfg(any(test, fuzzing))]
    pub fn held(&self) -> usize {
        self.head.capacity() + self.tail.capacity()
    }
}

fn last(bytes: &[u8]) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(KEPT_BYTES)..).unwrap_or_default()
}
