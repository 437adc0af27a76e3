//! Keys that check signatures (RFC 7517, RFC 7518, RFC 8037): how they are written, when they are fetched, and how long they are
//! used. ring does the cryptography.

use crate::auth::jose::{base64url, from_base64url};
use ring::digest::{SHA256, digest};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many keys are tried for a token that names none.
const TRIED: usize = 8;

/// How a signature was made. There is no name here for an unsigned token, nor for one that is signed with a shared secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// ECDSA on P-384 with SHA-384.
    Es384,
    /// Ed25519.
    EdDsa,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Es256, Algorithm::Es384, Algorithm::EdDsa, Algorithm::Rs256, Algorithm::Ps256];
    /// Those of proofs of possession, whose keys come from clients: checking them costs little.
    pub const OF_PROOFS: [Algorithm; 3] = [Algorithm::Es256, Algorithm::Es384, Algorithm::EdDsa];

    /// The name in a header.
    pub fn as_str(self) -> &'static str {
        match self {
            Algorithm::Rs256 => "RS256",
            Algorithm::Ps256 => "PS256",
            Algorithm::Es256 => "ES256",
            Algorithm::Es384 => "ES384",
            Algorithm::EdDsa => "EdDSA",
        }
    }

    /// The algorithm of that name; that of Ed25519 has two (RFC 9864).
    pub fn parse(name: &str) -> Option<Algorithm> {
        if name == "Ed25519" {
            return Some(Algorithm::EdDsa);
        }
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.as_str() == name)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Material {
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// One key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerificationKey {
    id: Option<String>,
    /// The only algorithm that it is for.
    algorithm: Option<Algorithm>,
    material: Material,
}

impl VerificationKey {
    /// Reads a key; `None` for one that checks no signature that is known here.
    pub fn read(jwk: &Map<String, Value>) -> Option<VerificationKey> {
        let text = |name: &str| jwk.get(name).and_then(Value::as_str);
        if text("use").is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let operations = jwk.get("key_ops").and_then(Value::as_array);
        if operations.is_some_and(|all| !all.iter().any(|operation| operation == "verify")) {
            return None;
        }
        let bytes = |name: &str| Some(from_base64url(text(name)?)?.to_vec());
        let coordinate = |name: &str, length: usize| bytes(name).filter(|bytes| bytes.len() == length);
        let point = |length: usize| {
            // An uncompressed point: 4, x, y.
            let mut point = vec![4];
            point.extend(coordinate("x", length)?);
            point.extend(coordinate("y", length)?);
            Some(point)
        };
        let material = match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                // ring wants no zeros in front.
                let number = |name| {
                    let bytes: Vec<u8> = bytes(name)?;
                    Some(bytes.into_iter().skip_while(|byte| *byte == 0).collect::<Vec<u8>>())
                };
                let (modulus, exponent) = (number("n")?, number("e")?);
                // 2048 to 8192 bits is what ring takes.
                let fits = (256..=1024).contains(&modulus.len()) && (1..=8).contains(&exponent.len());
                fits.then_some(Material::Rsa { modulus, exponent })?
            }
            ("EC", Some("P-256")) => Material::P256(point(32)?),
            ("EC", Some("P-384")) => Material::P384(point(48)?),
            ("OKP", Some("Ed25519")) => Material::Ed25519(coordinate("x", 32)?),
            _ => return None,
        };
        let algorithm = match text("alg") {
            None => None,
            Some(name) => Some(Algorithm::parse(name)?),
        };
        Some(VerificationKey { id: text("kid").map(str::to_owned), algorithm, material })
    }

    /// Whether it checks signatures of this algorithm: a key never serves another kind.
    fn serves(&self, algorithm: Algorithm) -> bool {
        let fits = match self.material {
            Material::Rsa { .. } => matches!(algorithm, Algorithm::Rs256 | Algorithm::Ps256),
            Material::P256(_) => algorithm == Algorithm::Es256,
            Material::P384(_) => algorithm == Algorithm::Es384,
            Material::Ed25519(_) => algorithm == Algorithm::EdDsa,
        };
        fits && self.algorithm.is_none_or(|own| own == algorithm)
    }

    /// Whether a signature is right.
    pub fn verifies(&self, algorithm: Algorithm, signed: &[u8], signature: &[u8]) -> bool {
        if !self.serves(algorithm) {
            return false;
        }
        let with = |how: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(how, key).verify(signed, signature).is_ok()
        };
        match &self.material {
            Material::Rsa { modulus, exponent } => {
                let how = match algorithm {
                    Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
                    _ => &RSA_PKCS1_2048_8192_SHA256,
                };
                RsaPublicKeyComponents { n: modulus, e: exponent }.verify(how, signed, signature).is_ok()
            }
            Material::P256(point) => with(&ECDSA_P256_SHA256_FIXED, point),
            Material::P384(point) => with(&ECDSA_P384_SHA384_FIXED, point),
            Material::Ed25519(key) => with(&ED25519, key),
        }
    }
}

/// The thumbprint of a key (RFC 7638): the hash of its necessary members in order.
pub(super) fn thumbprint(jwk: &Map<String, Value>) -> Option<String> {
    let names: &[&str] = match jwk.get("kty")?.as_str()? {
        "EC" => &["crv", "kty", "x", "y"],
        "OKP" => &["crv", "kty", "x"],
        "RSA" => &["e", "kty", "n"],
        _ => return None,
    };
    let mut members = Vec::new();
    for name in names {
        members.push(format!("\"{name}\":{}", Value::from(jwk.get(*name)?.as_str()?)));
    }
    let text = format!("{{{}}}", members.join(","));
    Some(base64url(digest(&SHA256, text.as_bytes()).as_ref()))
}

/// What became of looking for the key of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyMatch {
    /// A key checks the signature.
    Right,
    /// There is the key, and the signature is not of it.
    Wrong,
    /// There is no such key: it may be new.
    Unknown,
}

/// The keys of an issuer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeySet(Vec<VerificationKey>);

impl KeySet {
    /// Reads a set of keys (RFC 7517, section 5). Keys of other kinds are left out, and so are those over the bound.
    ///
    /// # Errors
    /// It is not a set of keys, or none of its keys checks signatures.
    pub fn read(value: &Value, most: usize) -> Result<KeySet, &'static str> {
        let list = value.get("keys").and_then(Value::as_array).ok_or("it has no list 'keys'")?;
        let keys: Vec<VerificationKey> =
            list.iter().filter_map(|key| VerificationKey::read(key.as_object()?)).take(most).collect();
        if keys.is_empty() {
            return Err("it has no key that checks RS256, PS256, ES256, ES384 or EdDSA");
        }
        Ok(KeySet(keys))
    }

    /// Checks a signature with the key that the token names; without a name with those that could be it.
    pub fn check(&self, id: Option<&str>, algorithm: Algorithm, signed: &[u8], signature: &[u8]) -> KeyMatch {
        let mut found = KeyMatch::Unknown;
        let candidates = self
            .0
            .iter()
            .filter(|key| key.serves(algorithm) && id.is_none_or(|id| key.id.as_deref() == Some(id)))
            .take(TRIED);
        for key in candidates {
            if key.verifies(algorithm, signed, signature) {
                return KeyMatch::Right;
            }
            // Without a name it may be a key that is not here yet.
            if id.is_some() {
                found = KeyMatch::Wrong;
            }
        }
        found
    }
}

/// The times of keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyTimes {
    /// How long keys are used before they are fetched again.
    pub fresh: Duration,
    /// How long they are used when they cannot be fetched.
    pub stale: Duration,
    /// How long after a fetch the next one begins at the earliest.
    pub pause: Duration,
}

/// What to do now.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Use these.
    Use(Arc<KeySet>),
    /// Fetch them, and ask again.
    Fetch,
    /// There are none, and it is too early for another fetch.
    Unavailable,
}

/// The keys of an issuer.
#[derive(Debug)]
pub struct KeyCache {
    times: KeyTimes,
    keys: Option<(Arc<KeySet>, Instant)>,
    /// When they were last asked for, with whatever outcome.
    asked: Option<Instant>,
}

impl KeyCache {
    /// No keys yet.
    pub fn new(times: KeyTimes) -> KeyCache {
        KeyCache { times, keys: None, asked: None }
    }

    /// What to do for a token. `missed` are the keys among which its key is not.
    pub fn wanted(&self, now: Instant, missed: Option<&Arc<KeySet>>) -> Keys {
        let may_fetch =
            self.asked.is_none_or(|asked| now.saturating_duration_since(asked) >= self.times.pause);
        let Some((keys, fetched)) = &self.keys else {
            return if may_fetch { Keys::Fetch } else { Keys::Unavailable };
        };
        let age = now.saturating_duration_since(*fetched);
        let is_missed = missed.is_some_and(|missed| Arc::ptr_eq(missed, keys));
        if may_fetch && (is_missed || age >= self.times.fresh) {
            return Keys::Fetch;
        }
        if age >= self.times.fresh.max(self.times.stale) {
            return Keys::Unavailable;
        }
        Keys::Use(Arc::clone(keys))
    }

    /// A fetch has ended: with keys, or without.
    pub fn fetched(&mut self, now: Instant, keys: Option<KeySet>) {
        self.asked = Some(now);
        if let Some(keys) = keys {
            self.keys = Some((Arc::new(keys), now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: KeyTimes = KeyTimes {
        fresh: Duration::from_secs(100),
        stale: Duration::from_secs(1000),
        pause: Duration::from_secs(10),
    };

    fn used(keys: &Keys) -> Arc<KeySet> {
        match keys {
            Keys::Use(keys) => Arc::clone(keys),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_flood_of_unknown_keys_leads_to_one_fetch_in_each_pause() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        assert!(matches!(cache.wanted(begin, None), Keys::Fetch));
        cache.fetched(begin, Some(KeySet::default()));
        let mut fetches = 0;
        for tenth in 0..500 {
            let now = begin + Duration::from_millis(tenth * 100);
            let keys = used(&match cache.wanted(now, None) {
                Keys::Use(keys) => Keys::Use(keys),
                other => panic!("{other:?}"),
            });
            if matches!(cache.wanted(now, Some(&keys)), Keys::Fetch) {
                fetches += 1;
                cache.fetched(now, Some(KeySet::default()));
            }
        }
        assert_eq!(fetches, 4, "50 seconds with pauses of 10");
    }

    #[test]
    fn keys_that_another_request_fetched_meanwhile_are_used() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        cache.fetched(begin, Some(KeySet::default()));
        let old = used(&cache.wanted(begin, None));
        cache.fetched(begin + TIMES.pause, Some(KeySet::default()));
        let later = begin + TIMES.pause * 3;
        let new = used(&cache.wanted(later, Some(&old)));
        assert!(!Arc::ptr_eq(&old, &new));
    }

    #[test]
    fn an_issuer_that_is_down_is_survived_for_a_time_and_no_longer() {
        let begin = Instant::now();
        let mut cache = KeyCache::new(TIMES);
        cache.fetched(begin, None);
        assert!(
            matches!(cache.wanted(begin, None), Keys::Unavailable),
            "no fetch right after one that failed"
        );
        let up = begin + TIMES.pause;
        assert!(matches!(cache.wanted(up, None), Keys::Fetch));
        cache.fetched(up, Some(KeySet::default()));
        let at = |seconds| up + Duration::from_secs(seconds);
        used(&cache.wanted(at(99), None));
        assert!(matches!(cache.wanted(at(100), None), Keys::Fetch), "they are to be fetched again");
        cache.fetched(at(100), None);
        used(&cache.wanted(at(101), None));
        cache.fetched(at(999), None);
        used(&cache.wanted(at(999), None));
        assert!(matches!(cache.wanted(at(1000), None), Keys::Unavailable), "too old to be trusted");
    }
}
