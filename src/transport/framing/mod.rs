//! Frames out of a byte stream: one line each, or with a `Content-Length` header before each.
//!
//! Bytes are read straight into the buffer a frame will be handed over in. A frame larger than the bound is never held:
//! it is thrown away as it comes, and what is kept of it (its first and last bytes) may still tell which call it answers.

mod content_length;
mod newline;

#[cfg(test)]
mod tests;

use super::oversized::Oversized;

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
    /// A frame over the bound, thrown away.
    Oversized {
        /// The request it answers, where that could be read for certain.
        id: Option<u64>,
        /// How large it was.
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

/// Turns reads into frames.
#[derive(Debug)]
pub struct Deframer {
    framing: Framing,
    bound: usize,
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

/// A frame over the bound on its way to nowhere.
#[derive(Debug, Default)]
struct Skipping {
    frame: Oversized,
    /// Content-Length framing: what is still to come.
    left: u64,
}

impl Skipping {
    fn take(&mut self, bytes: &[u8]) {
        self.frame.take(bytes);
    }

    fn end(self) -> Piece {
        Piece::Oversized { id: self.frame.id(), bytes: self.frame.bytes() }
    }
}

impl Deframer {
    /// A deframer that holds at most `bound` bytes of a frame.
    pub fn new(framing: Framing, bound: usize) -> Deframer {
        Deframer {
            framing,
            bound,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            skipping: None,
            declared: None,
            last_large: 0,
            broken: false,
        }
    }

    /// The buffer to append the next read to, with spare capacity for it.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        if self.start == self.buffer.len() {
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
                Some(length) => length.saturating_sub(self.buffer.len()).max(READ_BYTES),
                None => self.growth(),
            };
            self.grow(wanted.min(self.bound.saturating_sub(self.buffer.len()) + READ_BYTES));
        }
        &mut self.buffer
    }

    /// Makes room for `more` bytes. Much room is new memory and not more of the old, for allocators have a pool for each
    /// thread: what another thread began would be made large in that thread's pool, while the memory of the last large
    /// frame lies unused in this one's.
    fn grow(&mut self, more: usize) {
        if more < MUCH || self.buffer.len() > more / 8 {
            return self.buffer.reserve_exact(more);
        }
        let mut fresh = Vec::with_capacity(self.buffer.len() + more);
        fresh.extend_from_slice(&self.buffer);
        self.buffer = fresh;
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

    /// How many bytes of memory are held.
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// The next frame among the bytes read so far.
    pub fn next_piece(&mut self) -> Option<Piece> {
        if self.broken {
            return None;
        }
        match self.framing {
            Framing::Newline => self.next_line(),
            Framing::ContentLength => self.next_declared(),
        }
    }

    /// Takes `length` bytes at the start of what is held, then passes over `after` more.
    fn cut(&mut self, length: usize, after: usize) -> Vec<u8> {
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
                next.reserve_exact(rest.len().max(READ_BYTES));
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
            return frame;
        } else {
            // One byte more, so that a NUL can be put after the frame without growing it.
            let mut frame = Vec::with_capacity(length + 1);
            frame.extend_from_slice(&self.buffer[self.start..end]);
            frame
        };
        self.start = (end + after).min(self.buffer.len());
        self.searched = self.start;
        frame
    }
}
