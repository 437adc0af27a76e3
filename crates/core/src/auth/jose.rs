//! JSON Web Signatures of our own (RFC 7515, RFC 7518), for assertions and proofs; random texts and hashes.

use super::failure::{Cause, Failure, LoginStep};
use super::token::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Map, Value};
use std::fmt;
use zeroize::Zeroizing;

/// The longest key that is read.
const KEY_BYTES: usize = 64 * 1024;

/// How a signature is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
}

impl Algorithm {
    /// The name in a header.
    pub fn as_str(self) -> &'static str {
        match self {
            Algorithm::Es256 => "ES256",
            Algorithm::Rs256 => "RS256",
        }
    }
}

/// A private key.
pub struct SigningKey(Pair);

enum Pair {
    Ec(Box<EcdsaKeyPair>),
    Rsa(Box<RsaKeyPair>),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, …)", self.algorithm().as_str())
    }
}

impl SigningKey {
    /// Reads a private key in PEM: PKCS#8, or PKCS#1 for RSA. The kind of key decides the algorithm.
    ///
    /// # Errors
    /// What is wrong with it, in words that do not show it.
    pub fn from_pem(pem: &Secret) -> Result<SigningKey, &'static str> {
        let (label, der) = unwrap_pem(pem.expose())?;
        let rsa = |pair: Result<RsaKeyPair, ring::error::KeyRejected>| {
            pair.map(|pair| SigningKey(Pair::Rsa(Box::new(pair)))).map_err(
                |_| "it is neither a P-256 key with its public half nor an RSA key of 2048 to 4096 bits",
            )
        };
        match label.as_str() {
            "PRIVATE KEY" => match SigningKey::from_pkcs8(&der) {
                Some(key) => Ok(key),
                None => rsa(RsaKeyPair::from_pkcs8(&der)),
            },
            "RSA PRIVATE KEY" => rsa(RsaKeyPair::from_der(&der)),
            "EC PRIVATE KEY" => {
                Err("it is in SEC 1 form; convert it with: openssl pkcs8 -topk8 -nocrypt -in key.pem")
            }
            "ENCRYPTED PRIVATE KEY" => Err("it is encrypted; decrypt it with: openssl pkcs8 -in key.pem"),
            _ => Err("it is no private key"),
        }
    }

    /// A P-256 key in PKCS#8.
    pub(crate) fn from_pkcs8(der: &[u8]) -> Option<SigningKey> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der, &SystemRandom::new());
        pair.ok().map(|pair| SigningKey(Pair::Ec(Box::new(pair))))
    }

    /// A new P-256 key, and its PKCS#8 form.
    pub(crate) fn generate() -> Option<(SigningKey, Zeroizing<Vec<u8>>)> {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).ok()?;
        let der = Zeroizing::new(document.as_ref().to_vec());
        Some((SigningKey::from_pkcs8(&der)?, der))
    }

    /// How it signs.
    pub fn algorithm(&self) -> Algorithm {
        match self.0 {
            Pair::Ec(_) => Algorithm::Es256,
            Pair::Rsa(_) => Algorithm::Rs256,
        }
    }

    /// The public half of a P-256 key as a JSON Web Key (RFC 7517).
    pub(crate) fn public_jwk(&self) -> Option<Value> {
        let Pair::Ec(pair) = &self.0 else { return None };
        // An uncompressed point: 4, x, y.
        let (x, y) = pair.public_key().as_ref().get(1..65)?.split_at(32);
        Some(serde_json::json!({ "kty": "EC", "crv": "P-256", "x": base64url(x), "y": base64url(y) }))
    }

    /// A signed token (RFC 7515, section 3.1). `header` gets its `alg` here.
    pub(crate) fn sign(&self, header: Map<String, Value>, claims: Map<String, Value>) -> Option<Secret> {
        let mut text = to_sign(self.algorithm(), header, claims);
        let random = SystemRandom::new();
        let signature = match &self.0 {
            Pair::Ec(pair) => pair.sign(&random, text.as_bytes()).ok()?.as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, text.as_bytes(), &mut signature).ok()?;
                signature
            }
        };
        text.push('.');
        text.push_str(&base64url(&signature));
        Some(Secret::new(text))
    }
}

/// What a signature is made of. `header` gets its `alg` here.
pub(crate) fn to_sign(
    algorithm: Algorithm,
    mut header: Map<String, Value>,
    claims: Map<String, Value>,
) -> String {
    header.insert("alg".to_owned(), algorithm.as_str().into());
    let header = base64url(Value::Object(header).to_string().as_bytes());
    format!("{header}.{}", base64url(Value::Object(claims).to_string().as_bytes()))
}

/// The public half of a P-256 key as it is sent (RFC 7517), of a JSON Web Key that another program wrote.
///
/// # Errors
/// What is wrong with it, in words that do not show it.
pub fn public_key(jwk: &Map<String, Value>) -> Result<Value, &'static str> {
    let text = |name: &str| jwk.get(name).and_then(Value::as_str).unwrap_or_default();
    if jwk.contains_key("d") {
        return Err("it has the private half ('d'), which is to stay where the application signs");
    }
    if text("kty") != "EC" || text("crv") != "P-256" {
        return Err("it is no P-256 key (\"kty\":\"EC\",\"crv\":\"P-256\")");
    }
    if ["x", "y"].iter().any(|name| from_base64url(text(name)).is_none_or(|bytes| bytes.len() != 32)) {
        return Err("'x' and 'y' must be 32 bytes each, in Base64url without padding");
    }
    Ok(serde_json::json!({ "kty": "EC", "crv": "P-256", "x": text("x"), "y": text("y") }))
}

/// Whether a text can be the signature of a token: in Base64url, 64 bytes for ES256 (RFC 7518, section 3.4), as many as the key
/// has for RS256 (section 3.3).
pub fn is_signature(algorithm: Algorithm, text: &str) -> bool {
    from_base64url(text).is_some_and(|bytes| match algorithm {
        Algorithm::Es256 => bytes.len() == 64,
        Algorithm::Rs256 => (256..=512).contains(&bytes.len()),
    })
}

/// The label of a PEM text and what is in it (RFC 7468).
fn unwrap_pem(pem: &str) -> Result<(String, Zeroizing<Vec<u8>>), &'static str> {
    const NO_PEM: &str = "it is no PEM text: it must begin with -----BEGIN PRIVATE KEY-----";
    if pem.len() > KEY_BYTES {
        return Err("it is longer than 64 KiB");
    }
    let (_, rest) = pem.split_once("-----BEGIN ").ok_or(NO_PEM)?;
    let (label, rest) = rest.split_once("-----").ok_or(NO_PEM)?;
    let (body, _) = rest.split_once("-----END ").ok_or("its end is missing")?;
    let body: Zeroizing<String> =
        Zeroizing::new(body.chars().filter(|character| !character.is_ascii_whitespace()).collect());
    let der = STANDARD.decode(body.as_bytes()).map_err(|_| "its body is no Base64")?;
    Ok((label.to_owned(), Zeroizing::new(der)))
}

pub(crate) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn from_base64url(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    URL_SAFE_NO_PAD.decode(text).ok().map(Zeroizing::new)
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The SHA-256 of a text, in Base64url: challenges of PKCE, `ath` of proofs.
pub(crate) fn sha256(text: &str) -> String {
    base64url(digest(&SHA256, text.as_bytes()).as_ref())
}

/// 256 random bits as 43 letters: states, verifiers, ids of proofs.
pub(crate) fn random(step: LoginStep) -> Result<Secret, Failure> {
    let mut bytes = Zeroizing::new([0; 32]);
    SystemRandom::new().fill(bytes.as_mut_slice()).map_err(|_| {
        Failure::new(step, "random numbers", "the system gives no random numbers").because(Cause::Internal)
    })?;
    Ok(Secret::new(base64url(bytes.as_slice())))
}

/// Compares two texts in a time that does not depend on where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    // Hashing first hides the lengths as well.
    let (one, other) = (digest(&SHA256, one.as_bytes()), digest(&SHA256, other.as_bytes()));
    one.as_ref().iter().zip(other.as_ref()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The claims of a token, unchecked: it is not ours to check, but an expired one is not worth sending.
pub(crate) fn claims(token: &str) -> Option<Map<String, Value>> {
    let body = from_base64url(token.split('.').nth(1)?)?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(claims)) => Some(claims),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::site::{verify, verify_with_own_key};
    use ring::signature::RSA_PKCS1_2048_8192_SHA256;

    /// A key as OpenSSL writes it, around the bytes.
    pub(in crate::auth) fn pem(der: &[u8]) -> Secret {
        Secret::new(format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", base64(der)))
    }

    pub(in crate::auth) fn ec_pem() -> Secret {
        pem(&SigningKey::generate().expect("a key").1)
    }

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn an_ec_key_signs_es256() {
        for pem in [ec_pem(), Secret::new(include_str!("test_keys/ec_pkcs8.pem"))] {
            signs_es256(&SigningKey::from_pem(&pem).expect("a key"));
        }
    }

    fn signs_es256(key: &SigningKey) {
        let header = object(&serde_json::json!({ "jwk": key.public_jwk() }));
        let token = key.sign(header, object(&serde_json::json!({ "sub": "x" }))).expect("a token");
        let (header, claims) = verify_with_own_key(token.expose());
        assert_eq!((header["alg"].as_str(), claims["sub"].as_str()), (Some("ES256"), Some("x")));
    }

    #[test]
    fn an_rsa_key_signs_rs256_from_either_form() {
        for pem in [include_str!("test_keys/rsa_pkcs8.pem"), include_str!("test_keys/rsa_pkcs1.pem")] {
            let key = SigningKey::from_pem(&Secret::new(pem)).expect("a key");
            assert_eq!(key.algorithm(), Algorithm::Rs256);
            let token = key.sign(Map::new(), Map::new()).expect("a token");
            let Pair::Rsa(pair) = &key.0 else { panic!("another kind of key") };
            verify(&RSA_PKCS1_2048_8192_SHA256, pair.public().as_ref(), token.expose());
        }
    }

    #[test]
    fn keys_that_cannot_be_used_are_told_why_without_being_shown() {
        let told = |pem: &str| SigningKey::from_pem(&Secret::new(pem)).map(drop).expect_err("no key");
        assert!(told("hello").contains("no PEM"));
        assert!(told("-----BEGIN PRIVATE KEY-----\nAAAA").contains("end is missing"));
        assert!(told("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----").contains("Base64"));
        assert!(told("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----").contains("neither"));
        assert!(told("-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----").contains("SEC 1"));
        assert!(
            told("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----").contains("no private key")
        );
        assert!(told(&"x".repeat(70_000)).contains("64 KiB"));
    }

    #[test]
    fn a_public_key_of_somebody_else_is_read_or_told_what_is_wrong() {
        let key = SigningKey::generate().expect("a key").0.public_jwk().expect("a P-256 key");
        let with = |name: &str, value: &str| {
            let mut jwk = object(&key);
            jwk.insert(name.to_owned(), value.into());
            public_key(&jwk)
        };
        assert_eq!(with("kid", "extra").as_ref(), Ok(&key));
        for (name, value, told) in [
            ("d", "AAAA", "private half"),
            ("crv", "P-384", "P-256"),
            ("x", "AAAA", "32 bytes"),
            ("y", "!", "32"),
        ] {
            assert!(with(name, value).expect_err(name).contains(told), "{name}");
        }
        let is_es256 = |text: &str| is_signature(Algorithm::Es256, text);
        assert!(is_es256(&base64url(&[7; 64])) && !is_es256(&base64url(&[7; 72])) && !is_es256(""));
        let is_rs256 = |text: &str| is_signature(Algorithm::Rs256, text);
        assert!(is_rs256(&base64url(&[7; 256])) && !is_rs256(&base64url(&[7; 64])) && !is_rs256("!"));
    }

    #[test]
    fn random_texts_differ_and_comparing_tells_same_from_other() {
        let (one, other) =
            (random(LoginStep::Token).expect("random"), random(LoginStep::Token).expect("random"));
        assert_eq!(one.expose().len(), 43);
        assert!(same(one.expose(), one.expose()) && !same(one.expose(), other.expose()));
        assert!(!same("", "x"));
    }

    #[test]
    fn the_challenge_of_rfc_7636_comes_out() {
        let challenge = sha256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn claims_of_what_is_no_token_are_none() {
        for text in ["", "a.b.c", "a.bnVsbA.c", "x"] {
            assert_eq!(claims(text), None, "{text}");
        }
    }
}
