//! Hashes that cost less than the look-up: `SipHash`, which maps have by default, costs more than the rest of it.

use std::collections::HashMap;
#[cfg(feature = "server")]
use std::hash::{BuildHasher, RandomState};
use std::hash::{BuildHasherDefault, Hasher};

/// Ids that the library gives count up from zero, so that spreading their low bits is hash enough.
#[derive(Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte) ^ self.0);
        }
    }
    fn write_u64(&mut self, id: u64) {
        self.0 = id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A map whose keys are ids that the library gives.
pub(crate) type ById<V, K = u64> = HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// A hash of what a peer chose, such as the ids of its requests. It depends on numbers that only this process knows, so that a
/// peer cannot choose texts that all have the same one.
#[cfg(feature = "server")]
#[derive(Clone, Debug)]
pub(crate) struct Keyed {
    start: u64,
    factor: u64,
}

#[cfg(feature = "server")]
impl Default for Keyed {
    fn default() -> Keyed {
        let random = RandomState::new();
        Keyed { start: random.hash_one(0u8), factor: random.hash_one(1u8) | 1 }
    }
}

#[cfg(feature = "server")]
impl BuildHasher for Keyed {
    type Hasher = KeyedHasher;

    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher { state: self.start, factor: self.factor }
    }
}

/// See [`Keyed`].
#[cfg(feature = "server")]
#[derive(Debug)]
pub(crate) struct KeyedHasher {
    state: u64,
    factor: u64,
}

/// Both halves of the product, together: each bit of the result depends on all bits of both.
#[cfg(feature = "server")]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(feature = "server")]
impl Hasher for KeyedHasher {
    fn finish(&self) -> u64 {
        folded(self.state, self.factor.rotate_left(32))
    }
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        self.write_u64(u64::from_le_bytes(last) ^ (bytes.len() as u64).rotate_right(8));
    }
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }
    fn write_u64(&mut self, word: u64) {
        self.state = folded(self.state ^ word, self.factor);
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn texts_that_differ_a_little_have_different_hashes() {
        let keyed = Keyed::default();
        let mut hashes = HashSet::new();
        let mut low = HashSet::new();
        for number in 0..4096usize {
            for text in
                [format!("{number}"), format!("\"request-{number:08}\""), "\0".repeat(1 + number % 40)]
            {
                hashes.insert((keyed.hash_one(&text), text));
            }
            low.insert(keyed.hash_one(number.to_string()) & 0xfff);
        }
        let different: HashSet<u64> = hashes.iter().map(|(hash, _)| *hash).collect();
        assert_eq!(different.len(), hashes.len());
        // Random numbers would leave a third of the places empty.
        assert!(low.len() > 2300, "{}", low.len());
    }

    #[test]
    fn each_map_has_a_hash_of_its_own() {
        assert_ne!(Keyed::default().hash_one("7"), Keyed::default().hash_one("7"));
    }
}
