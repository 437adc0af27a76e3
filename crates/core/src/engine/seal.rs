//! Sealed text: what a process gives away and reads again later, perhaps in another process of the same fleet, and what nothing
//! in between may read or change.
//!
//! AES-256-GCM under a key that is derived (HKDF, SHA-256) for each seal from one of the ring's keys and 192 random bits, so
//! that no number of seals repeats a nonce. The newest key seals, all open (S-MR-07).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, Salt};
use std::fmt;

/// Bytes of a key.
pub const KEY: usize = 32;
const SALT: usize = 24;
/// What the key is for: a key that other software shares makes other keys.
const PURPOSE: &[u8] = b"libmcp sealed text 1";

/// Where random bytes come from. `false` when there are none.
pub type Random = Box<dyn FnMut(&mut [u8]) -> bool + Send>;

/// The keys, newest first.
pub struct KeyRing {
    keys: Vec<[u8; KEY]>,
    random: Random,
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing({} keys)", self.keys.len())
    }
}

impl KeyRing {
    /// The bytes that a seal has more than its text: the salt and the tag.
    pub const ADDED: usize = SALT + 16;

    /// A ring of these keys, newest first; of one random key if there is none. `None` when there is no randomness.
    pub fn new(mut keys: Vec<[u8; KEY]>, mut random: Random) -> Option<KeyRing> {
        if keys.is_empty() {
            let mut key = [0; KEY];
            if !random(&mut key) {
                return None;
            }
            keys.push(key);
        }
        Some(KeyRing { keys, random })
    }

    /// Fills `bytes` with random bits. `false` when there is no randomness.
    pub fn random(&mut self, bytes: &mut [u8]) -> bool {
        (self.random)(bytes)
    }

    /// Seals `text`; who opens it must give the same `bound`. `None` when there is no randomness.
    pub fn seal(&mut self, text: &[u8], bound: &[u8]) -> Option<String> {
        self.seal_bytes(text, bound).map(|whole| URL_SAFE_NO_PAD.encode(whole))
    }

    /// The same as bytes, which are [`KeyRing::ADDED`] more than those of the text.
    pub fn seal_bytes(&mut self, text: &[u8], bound: &[u8]) -> Option<Vec<u8>> {
        let mut salt = [0; SALT];
        if !(self.random)(&mut salt) {
            return None;
        }
        let key = derived(self.keys.first()?, &salt)?;
        let mut sealed = text.to_vec();
        key.seal_in_place_append_tag(nonce(), Aad::from(bound), &mut sealed).ok()?;
        let mut whole = salt.to_vec();
        whole.append(&mut sealed);
        Some(whole)
    }

    /// What was sealed, if one of the ring's keys sealed it for `bound`. One answer for every reason against it.
    pub fn open(&self, sealed: &str, bound: &[u8]) -> Option<Vec<u8>> {
        self.open_bytes(&URL_SAFE_NO_PAD.decode(sealed).ok()?, bound)
    }

    /// The same for what [`KeyRing::seal_bytes`] gave.
    pub fn open_bytes(&self, whole: &[u8], bound: &[u8]) -> Option<Vec<u8>> {
        let (salt, body) = whole.split_first_chunk::<SALT>()?;
        self.keys.iter().find_map(|key| {
            let mut body = body.to_vec();
            let text = derived(key, salt)?.open_in_place(nonce(), Aad::from(bound), &mut body).ok()?;
            Some(text.to_vec())
        })
    }
}

fn derived(key: &[u8; KEY], salt: &[u8; SALT]) -> Option<LessSafeKey> {
    let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(key);
    let info = [PURPOSE];
    let output = pseudorandom.expand(&info, &AES_256_GCM).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(output)))
}

/// Each key seals once.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(keys: Vec<[u8; KEY]>) -> KeyRing {
        let mut next = 0u8;
        let random = move |bytes: &mut [u8]| {
            next += 1;
            bytes.fill(next);
            true
        };
        KeyRing::new(keys, Box::new(random)).expect("a ring")
    }

    #[test]
    fn what_was_sealed_is_opened_with_the_same_key_and_binding_only() {
        let mut ours = ring(vec![[1; KEY]]);
        let sealed = ours.seal(b"secret", b"tools/call").expect("sealed");
        assert!(!sealed.contains("secret"));
        assert_eq!(ours.open(&sealed, b"tools/call").as_deref(), Some(b"secret".as_slice()));
        assert_eq!(ours.open(&sealed, b"prompts/get"), None);
        assert_eq!(ring(vec![[2; KEY]]).open(&sealed, b"tools/call"), None);
    }

    #[test]
    fn an_older_key_of_the_ring_still_opens() {
        let sealed = ring(vec![[1; KEY]]).seal(b"x", b"").expect("sealed");
        assert_eq!(ring(vec![[9; KEY], [1; KEY]]).open(&sealed, b"").as_deref(), Some(b"x".as_slice()));
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let mut ours = ring(vec![[1; KEY]]);
        let sealed = ours.seal(b"0123456789", b"b").expect("sealed");
        let whole = URL_SAFE_NO_PAD.decode(&sealed).expect("base64");
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert_eq!(ours.open(&URL_SAFE_NO_PAD.encode(&changed), b"b"), None, "byte {at}");
            assert_eq!(ours.open(&URL_SAFE_NO_PAD.encode(&whole[..at]), b"b"), None, "cut at {at}");
        }
        assert_eq!(ours.open("", b"b"), None);
        assert_eq!(ours.open("?", b"b"), None);
    }

    #[test]
    fn without_randomness_nothing_is_sealed() {
        assert!(KeyRing::new(Vec::new(), Box::new(|_| false)).is_none());
        let mut ring = KeyRing::new(vec![[1; KEY]], Box::new(|_| false)).expect("a key was given");
        assert_eq!(ring.seal(b"x", b""), None);
    }
}
