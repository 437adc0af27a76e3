//! What is kept of a message over the bound while it is thrown away: its size, and its first and last bytes, from which
//! the call that it answers can still be told. Framing and event streams share it.

use crate::protocol::envelope::salvage_id;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_read_from_the_end_however_the_message_was_cut() {
        let mut message = br#"{"result":""#.to_vec();
        message.extend(std::iter::repeat_n(b'x', 50_000));
        message.extend_from_slice(br#"","id":77,"jsonrpc":"2.0"}"#);
        for size in [1, 7, 4095, 4096, 4097, 9000, 60_000] {
            let mut oversized = Oversized::default();
            message.chunks(size).for_each(|part| oversized.take(part));
            assert_eq!((oversized.id(), oversized.bytes()), (Some(77), message.len() as u64), "{size}");
            assert!(oversized.held() <= 6 * KEPT_BYTES, "{} bytes", oversized.held());
        }
    }
}
