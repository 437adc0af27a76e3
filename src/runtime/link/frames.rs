//! Frames that no thread has begun to write, and how many bytes they are.

#[derive(Default, Debug)]
pub(super) struct Frames {
    list: Vec<Vec<u8>>,
    bytes: usize,
}

impl Frames {
    pub(super) fn push(&mut self, frame: Vec<u8>) {
        self.bytes += frame.len();
        self.list.push(frame);
    }

    /// All of them, in order. The room stays.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.bytes = 0;
        self.list.drain(..)
    }

    pub(super) fn clear(&mut self) {
        self.bytes = 0;
        self.list.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
