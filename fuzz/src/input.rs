//! An input of the fuzzer, taken apart from the front. Whatever is asked for is there: at the end come zeros, and nothing.

/// The bytes that are left.
#[derive(Clone)]
pub struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    pub fn bool(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A number below `most`, which is at most 256.
    pub fn below(&mut self, most: usize) -> usize {
        usize::from(self.byte()) % most
    }

    /// A number of two bytes.
    pub fn number(&mut self) -> u64 {
        u64::from(self.byte()) << 8 | u64::from(self.byte())
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// The next `most` bytes, or as many as there are.
    pub fn bytes(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(most.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    /// Everything up to the next of these bytes, which is passed over.
    pub fn until(&mut self, end: u8) -> &'a [u8] {
        let at = self.bytes.iter().position(|byte| *byte == end);
        let taken = &self.bytes[..at.unwrap_or(self.bytes.len())];
        self.bytes = self.bytes.get(taken.len() + 1..).unwrap_or_default();
        taken
    }

    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.bytes)
    }

    /// Cuts `stream` into pieces, in a way that the next four bytes choose: whole, byte by byte, or at random.
    pub fn cut<'s>(&mut self, mut stream: &'s [u8]) -> Vec<&'s [u8]> {
        let most = [usize::MAX, 1, 3, 16, 64, 1000, 5000, 70_000][self.below(8)];
        let mut state = self.number() << 8 | u64::from(self.byte());
        let mut pieces = Vec::new();
        while !stream.is_empty() {
            // splitmix64
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed ^= mixed >> 27;
            let wanted = if most == usize::MAX { most } else { 1 + (mixed >> 16) as usize % most };
            let (piece, rest) = stream.split_at(wanted.min(stream.len()));
            pieces.push(piece);
            stream = rest;
        }
        pieces
    }
}

/// A text: what is not UTF-8 is replaced.
pub fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
