//! Proofs of possession: one of ours is taken once, and nothing that is about something else.

use super::super::{Algorithm, Denial, ProofOf, Proofs};
use super::signers::Signer;
use crate::auth::Secret;
use crate::auth::dpop::ProofKey;
use crate::auth::jose::sha256;
use crate::auth::server::jwk::thumbprint;
use crate::protocol::address::Address;
use serde_json::{Value, json};

const NOW: u64 = 1_700_000_000;
const WINDOW: u64 = 60;

fn url() -> Address {
    Address::parse("https://m.example/mcp").expect("an address")
}

fn key_of(jwk: &Value) -> String {
    thumbprint(jwk.as_object().expect("an object")).expect("a thumbprint")
}

fn take(proofs: &mut Proofs, proof: &str, key: &str, now: u64) -> Result<(), Denial> {
    take_of(proofs, proof, key, "ann", now)
}

fn take_of(proofs: &mut Proofs, proof: &str, key: &str, principal: &str, now: u64) -> Result<(), Denial> {
    let (url, token) = (url(), Secret::new("t"));
    proofs.take(proof, ProofOf { method: "POST", url: &url, token: &token, key, principal }, now)
}

#[test]
fn the_thumbprint_is_that_of_the_rfc() {
    // RFC 7638, section 3.1, and RFC 8037, appendix A.3.
    let rsa = json!({"kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
        "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhM\
              stn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajr\
              n1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"});
    assert_eq!(key_of(&rsa), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    let ed = json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
    assert_eq!(key_of(&ed), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
}

#[test]
fn a_proof_of_our_client_is_good_once() {
    let own = ProofKey::generate().expect("a key");
    let proof = own.proof("POST", &url(), NOW, Some(&Secret::new("t")), None).expect("a proof");
    let header = proof.expose().split('.').next().expect("a header");
    let header: Value =
        serde_json::from_slice(&crate::auth::jose::from_base64url(header).expect("Base64")).expect("JSON");
    let key = key_of(&header["jwk"]);
    let mut proofs = Proofs::new(WINDOW, 10);
    assert_eq!(take(&mut proofs, proof.expose(), &key, NOW), Ok(()));
    assert_eq!(
        take(&mut proofs, proof.expose(), &key, NOW + WINDOW),
        Err(Denial::Proof("the proof was used before"))
    );
    let later = take(&mut proofs, proof.expose(), &key, NOW + WINDOW + 1);
    assert_eq!(later, Err(Denial::Proof("the proof is too old, or from the future")));
}

fn claims(id: &str) -> Value {
    json!({"jti": id, "htm": "POST", "htu": "https://M.example:443/mcp?x#y", "iat": NOW, "ath": sha256("t")})
}

#[test]
fn a_proof_that_is_about_something_else_is_refused() {
    for algorithm in Algorithm::OF_PROOFS {
        let signer = Signer::new(algorithm);
        let key = key_of(&signer.jwk());
        let header = json!({"typ": "dpop+jwt", "jwk": signer.jwk()});
        let mut proofs = Proofs::new(WINDOW, 10);
        assert_eq!(take(&mut proofs, &signer.sign(&header, &claims("1")), &key, NOW), Ok(()));
        let with = |name: &str, value: Value| {
            let mut changed = claims("2");
            changed[name] = value;
            signer.sign(&header, &changed)
        };
        let mut private = signer.jwk();
        private["d"] = "x".into();
        let other = Signer::new(algorithm);
        let long = "x".repeat(9000);
        for (proof, why) in [
            (with("htm", json!("GET")), "method"),
            (with("htu", json!("https://m.example/other")), "another URL"),
            (with("htu", json!("http://m.example/mcp")), "another URL"),
            (with("ath", json!(sha256("u"))), "another token"),
            (with("ath", Value::Null), "another token"),
            (with("iat", json!(NOW - WINDOW - 1)), "too old"),
            (with("iat", json!(NOW + WINDOW + 1)), "future"),
            (with("iat", Value::Null), "when it was made"),
            (with("jti", json!("")), "the id"),
            (with("jti", json!("x".repeat(257))), "the id"),
            (signer.sign(&json!({"typ": "JWT", "jwk": signer.jwk()}), &claims("2")), "type"),
            (signer.sign(&json!({"typ": "dpop+jwt"}), &claims("2")), "no key"),
            (signer.sign(&json!({"typ": "dpop+jwt", "jwk": private}), &claims("2")), "private"),
            (
                signer.sign(&json!({"typ": "dpop+jwt", "alg": "HS256", "jwk": signer.jwk()}), &claims("2")),
                "algorithm",
            ),
            (other.sign(&json!({"typ": "dpop+jwt", "jwk": other.jwk()}), &claims("2")), "another key"),
            (other.sign(&header, &claims("2")), "signature"),
            ("a.b".to_owned(), "cannot be read"),
            (long, "longer"),
        ] {
            match take(&mut proofs, &proof, &key, NOW) {
                Err(Denial::Proof(text)) => assert!(text.contains(why), "{why}: {text}"),
                found => panic!("{why}: {found:?}"),
            }
        }
    }
}

#[test]
fn so_many_proofs_are_remembered_and_no_more() {
    let signer = Signer::new(Algorithm::Es256);
    let key = key_of(&signer.jwk());
    let header = json!({"typ": "dpop+jwt", "jwk": signer.jwk()});
    let mut proofs = Proofs::new(WINDOW, 2);
    let mut sent = |id: &str, made: u64, now: u64| {
        let mut claims = claims(id);
        claims["iat"] = made.into();
        take(&mut proofs, &signer.sign(&header, &claims), &key, now)
    };
    assert_eq!(sent("1", NOW, NOW), Ok(()));
    assert_eq!(sent("2", NOW + 1, NOW), Ok(()));
    assert!(matches!(sent("3", NOW, NOW), Err(Denial::Unavailable(_))));
    assert_eq!(sent("3", NOW + 61, NOW + 61), Ok(()), "the first is too old to be used again");
}

#[test]
fn the_principal_that_used_most_makes_room_and_none_of_its_proofs_is_good_twice() {
    let signer = Signer::new(Algorithm::Es256);
    let key = key_of(&signer.jwk());
    let header = json!({"typ": "dpop+jwt", "jwk": signer.jwk()});
    let mut proofs = Proofs::new(WINDOW, 4);
    let mut sent = |principal: &str, id: &str, made: u64, now: u64| {
        let mut claims = claims(id);
        claims["iat"] = made.into();
        take_of(&mut proofs, &signer.sign(&header, &claims), &key, principal, now)
    };
    for number in 0..4 {
        assert_eq!(sent("mallory", &number.to_string(), NOW + 10 + number, NOW), Ok(()));
    }
    assert!(matches!(sent("mallory", "5", NOW + 20, NOW), Err(Denial::Unavailable(_))));
    assert_eq!(sent("ann", "1", NOW, NOW), Ok(()));
    assert_eq!(sent("ben", "1", NOW, NOW), Ok(()));
    // What was forgotten is refused, whether it was used or not; what is remembered is told apart.
    assert!(matches!(sent("mallory", "0", NOW + 10, NOW), Err(Denial::Unavailable(_))));
    assert!(matches!(sent("mallory", "other", NOW + 11, NOW), Err(Denial::Unavailable(_))));
    assert_eq!(sent("mallory", "3", NOW + 13, NOW), Err(Denial::Proof("the proof was used before")));
    for id in ["ann", "ben"] {
        assert_eq!(sent(id, "1", NOW, NOW), Err(Denial::Proof("the proof was used before")));
    }
    // When its proofs are over, nothing of it is left.
    assert_eq!(sent("mallory", "6", NOW + 74, NOW + 74), Ok(()));
    assert_eq!(sent("mallory", "7", NOW + 74, NOW + 74), Ok(()));
}
