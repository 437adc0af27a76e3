//! Tokens as authorization servers sign them, and proofs as clients do, with keys of every algorithm.

use crate::auth::jose::base64url;
use crate::auth::server::Algorithm;
use base64::Engine as _;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaEncoding, RsaKeyPair,
};
use serde_json::{Value, json};

enum Pair {
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>, &'static dyn RsaEncoding),
}

/// A key of an authorization server or of a client.
pub struct Signer {
    pub algorithm: Algorithm,
    pair: Pair,
}

impl Signer {
    pub fn new(algorithm: Algorithm) -> Signer {
        let random = SystemRandom::new();
        let ec = |how: &'static EcdsaSigningAlgorithm| {
            let der = EcdsaKeyPair::generate_pkcs8(how, &random).expect("a key");
            Pair::Ec(EcdsaKeyPair::from_pkcs8(how, der.as_ref(), &random).expect("a key"))
        };
        let rsa = |how: &'static dyn RsaEncoding| {
            let pem = include_str!("../auth/test_keys/rsa_pkcs8.pem");
            let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
            let der = base64::engine::general_purpose::STANDARD.decode(body).expect("Base64");
            Pair::Rsa(Box::new(RsaKeyPair::from_pkcs8(&der).expect("a key")), how)
        };
        let pair = match algorithm {
            Algorithm::Es256 => ec(&ECDSA_P256_SHA256_FIXED_SIGNING),
            Algorithm::Es384 => ec(&ECDSA_P384_SHA384_FIXED_SIGNING),
            Algorithm::EdDsa => {
                let der = Ed25519KeyPair::generate_pkcs8(&random).expect("a key");
                Pair::Ed(Ed25519KeyPair::from_pkcs8(der.as_ref()).expect("a key"))
            }
            Algorithm::Rs256 => rsa(&RSA_PKCS1_SHA256),
            Algorithm::Ps256 => rsa(&RSA_PSS_SHA256),
        };
        Signer { algorithm, pair }
    }

    /// Its public half.
    pub fn jwk(&self) -> Value {
        match &self.pair {
            Pair::Ec(pair) => {
                let point = &pair.public_key().as_ref()[1..];
                let (x, y) = point.split_at(point.len() / 2);
                let curve = if point.len() == 64 { "P-256" } else { "P-384" };
                json!({"kty": "EC", "crv": curve, "x": base64url(x), "y": base64url(y)})
            }
            Pair::Ed(pair) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(pair.public_key().as_ref())})
            }
            Pair::Rsa(pair, _) => {
                let parts = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(pair.public());
                json!({"kty": "RSA", "n": base64url(&parts.n), "e": base64url(&parts.e)})
            }
        }
    }

    /// A token. `header` gets the algorithm, unless it names one.
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let mut header = header.clone();
        if header.get("alg").is_none() {
            header["alg"] = self.algorithm.as_str().into();
        }
        let part = |value: &Value| base64url(value.to_string().as_bytes());
        let text = format!("{}.{}", part(&header), part(claims));
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Ec(pair) => pair.sign(&random, text.as_bytes()).expect("a signature").as_ref().to_vec(),
            Pair::Ed(pair) => pair.sign(text.as_bytes()).as_ref().to_vec(),
            Pair::Rsa(pair, how) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(*how, &random, text.as_bytes(), &mut signature).expect("a signature");
                signature
            }
        };
        format!("{text}.{}", base64url(&signature))
    }
}
