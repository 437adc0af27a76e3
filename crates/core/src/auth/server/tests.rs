//! Tokens and proofs as others make them, with keys of every kind, and those that must be refused.

use super::keys::thumbprint;
use super::principal::Party;
use super::{Algorithm, Checked, Denial, Implied, KeySet, Principal, ProofOf, Proofs, TokenRules};
use crate::auth::client::dpop::ProofKey;
use crate::auth::jose::{base64url, sha256};
use crate::auth::{Scopes, Secret};
use crate::protocol::address::Address;
use crate::testing::signer::Signer;
use ring::hmac;
use serde_json::{Value, json};

const NOW: u64 = 1_700_000_000;

fn rules() -> TokenRules {
    TokenRules {
        issuers: vec!["https://as.example".to_owned()],
        audiences: vec!["https://m.example/mcp".to_owned()],
        algorithms: Algorithm::ALL.to_vec(),
        typ: None,
        leeway: 60,
        implied: Implied(vec![("write".to_owned(), Scopes::parse("read"))]),
    }
}

fn claims() -> Value {
    json!({"iss": "https://as.example", "aud": "https://m.example/mcp", "sub": "ann", "scope": "write", "exp": NOW + 60})
}

fn keys(signer: &Signer, id: &str) -> KeySet {
    let mut key = signer.jwk();
    key["kid"] = id.into();
    // Keys of other kinds stand in many sets.
    let others =
        [json!({"kty": "oct", "k": "c2VjcmV0"}), json!({"kty": "EC", "crv": "secp256k1"}), json!("x")];
    let all: Vec<Value> = others.into_iter().chain([key]).collect();
    KeySet::read(&json!({"keys": all}), 100).expect("keys")
}

fn check(rules: &TokenRules, keys: &KeySet, token: &str) -> Result<Principal, Denial> {
    match rules.verify(rules.read(token, NOW)?, keys) {
        Checked::Good(principal) => Ok(*principal),
        Checked::Bad(denial) => Err(denial),
        Checked::UnknownKey(_) => Err(Denial::Invalid("unknown key")),
    }
}

fn told(rules: &TokenRules, keys: &KeySet, token: &str) -> &'static str {
    match check(rules, keys, token) {
        Err(Denial::Invalid(why)) => why,
        other => panic!("{token}: {other:?}"),
    }
}

#[test]
fn signatures_of_every_algorithm_are_checked_and_only_with_their_own_kind() {
    let ann = Party::Subject("ann".to_owned());
    for algorithm in Algorithm::ALL {
        let signer = Signer::new(algorithm);
        let keys = keys(&signer, "1");
        for header in [json!({"kid": "1", "typ": "at+jwt"}), json!({"typ": "application/at+jwt"}), json!({})]
        {
            let principal = check(&rules(), &keys, &signer.sign(&header, &claims())).expect("a good token");
            assert_eq!(principal.scopes.text(), "write read", "what a scope includes counts");
            assert_eq!((&principal.party, principal.expires), (&ann, Some(NOW + 60)));
        }
        let token = signer.sign(&json!({"kid": "1"}), &claims());
        let (signed, _) = token.rsplit_once('.').expect("a signature");
        assert_eq!(
            told(&rules(), &keys, &format!("{signed}.{}", base64url(&[7; 64]))),
            "the signature of the token is wrong"
        );
        let only = TokenRules { algorithms: vec![Algorithm::Es384], ..rules() };
        assert_eq!(check(&only, &keys, &token).is_ok(), algorithm == Algorithm::Es384);
        // The same key, but the token says that another algorithm made it.
        let other = if algorithm == Algorithm::Es256 { "RS256" } else { "ES256" };
        assert_eq!(
            told(&rules(), &keys, &signer.sign(&json!({"alg": other, "kid": "1"}), &claims())),
            "unknown key"
        );
        let mut bound = signer.jwk();
        bound["alg"] = other.into();
        let bound = KeySet::read(&json!({"keys": [bound]}), 9).expect("keys");
        assert_eq!(told(&rules(), &bound, &token), "unknown key", "a key says what it is for");
    }
}

#[test]
fn tokens_that_are_not_signed_with_a_key_of_the_issuer_are_refused() {
    let signer = Signer::new(Algorithm::Rs256);
    let keys = keys(&signer, "1");
    let part = |value: &Value| base64url(value.to_string().as_bytes());
    for name in ["none", "None", "NONE", "", "HS256", "HS512", "ES256K", "RS1"] {
        let token = format!("{}.{}.", part(&json!({"alg": name})), part(&claims()));
        let why = told(&rules(), &keys, &token);
        assert_eq!(why, "the algorithm of the token is not one that is allowed here", "{name}");
    }
    // The public key as a shared secret (RFC 8725, section 2.1).
    let text = format!("{}.{}", part(&json!({"alg": "HS256", "kid": "1"})), part(&claims()));
    let secret = hmac::Key::new(hmac::HMAC_SHA256, signer.jwk()["n"].as_str().expect("a modulus").as_bytes());
    let token = format!("{text}.{}", base64url(hmac::sign(&secret, text.as_bytes()).as_ref()));
    assert!(told(&rules(), &keys, &token).contains("algorithm"));
    // A key of the sender's own, in the header.
    let own = Signer::new(Algorithm::Es256);
    let token = own.sign(&json!({"jwk": own.jwk()}), &claims());
    assert_eq!(told(&rules(), &keys, &token), "unknown key");
    let token = own.sign(&json!({"kid": "1", "jku": "https://evil.example/keys"}), &claims());
    assert_eq!(told(&rules(), &keys, &token), "unknown key");
}

#[test]
fn what_a_token_says_must_be_about_this_server_and_this_time() {
    let signer = Signer::new(Algorithm::EdDsa);
    let keys = keys(&signer, "1");
    let with = |name: &str, value: Value| {
        let mut changed = claims();
        changed[name] = value;
        signer.sign(&json!({"kid": "1"}), &changed)
    };
    for (name, value, why) in [
        ("iss", json!("https://as.example/"), "issuer"),
        ("iss", Value::Null, "issuer"),
        ("aud", json!("https://m.example/mcp/"), "another server"),
        ("aud", json!("https://m.example"), "another server"),
        ("aud", json!(["https://a.example", "https://b.example"]), "another server"),
        ("aud", Value::Null, "another server"),
        ("exp", json!(NOW - 60), "expired"),
        ("exp", Value::Null, "no end"),
        ("exp", json!("tomorrow"), "no end"),
        ("exp", json!(-1), "no end"),
        ("nbf", json!(NOW + 61), "not valid yet"),
        ("iat", json!(NOW + 61), "in the future"),
        ("nbf", json!("x"), "cannot be read"),
        ("sub", Value::Null, "whose it is"),
    ] {
        let found = told(&rules(), &keys, &with(name, value.clone()));
        assert!(found.contains(why), "{name} {value}: {found}");
    }
    for (name, value) in [
        ("aud", json!(["https://other.example", "https://m.example/mcp"])),
        ("exp", json!(NOW - 59)),
        ("nbf", json!(NOW + 60)),
    ] {
        check(&rules(), &keys, &with(name, value)).expect("within the leeway");
    }
    for typ in ["dpop+jwt", "logout+jwt", "secevent+jwt", "id_token"] {
        assert!(
            told(&rules(), &keys, &signer.sign(&json!({"typ": typ}), &claims())).contains("type"),
            "{typ}"
        );
    }
    let strict = TokenRules { typ: Some("at+jwt".to_owned()), ..rules() };
    assert!(told(&strict, &keys, &signer.sign(&json!({"typ": "JWT"}), &claims())).contains("type"));
    check(&strict, &keys, &signer.sign(&json!({"typ": "AT+JWT"}), &claims()))
        .expect("the type that is asked for");
    assert!(told(&rules(), &keys, &signer.sign(&json!({"crit": ["x"]}), &claims())).contains("critical"));
    for token in ["", "a.b", "a.b.c", "a.b.c.d", "e30.e30.!", "W10.e30.AA"] {
        assert!(matches!(check(&rules(), &keys, token), Err(Denial::Invalid(_))), "{token}");
    }
}

#[test]
fn a_set_of_keys_is_bounded_and_has_keys_that_check_signatures() {
    let many: Vec<Value> = (0..20)
        .map(|number| {
            let mut key = Signer::new(Algorithm::Es256).jwk();
            key["kid"] = number.to_string().into();
            key
        })
        .collect();
    let last = Signer::new(Algorithm::Es256);
    let mut keys = many.clone();
    keys.push(last.jwk());
    let cut = KeySet::read(&json!({"keys": keys}), 20).expect("keys");
    assert_eq!(told(&rules(), &cut, &last.sign(&json!({}), &claims())), "unknown key");
    for (value, why) in [(json!({}), "no list"), (json!([]), "no list"), (json!({"keys": []}), "no key")] {
        assert!(KeySet::read(&value, 20).expect_err("no keys").contains(why), "{value}");
    }
    let mut key = many[0].clone();
    for (name, value) in
        [("use", json!("enc")), ("key_ops", json!(["encrypt"])), ("x", json!("AA")), ("alg", json!("HS256"))]
    {
        let before = std::mem::replace(&mut key[name], value);
        assert!(KeySet::read(&json!({"keys": [key]}), 20).is_err(), "{name}");
        key[name] = before;
        if key[name].is_null() {
            key.as_object_mut().expect("an object").remove(name);
        }
    }
    assert!(KeySet::read(&json!({"keys": [key]}), 20).is_ok());
    let mut small = Signer::new(Algorithm::Rs256).jwk();
    small["n"] = base64url(&[0xff; 128]).into();
    assert!(KeySet::read(&json!({"keys": [small]}), 20).is_err(), "1024 bits are too few");
}

#[test]
fn a_token_of_the_issuer_that_is_bound_to_a_certificate_or_a_key_in_it_is_refused() {
    let signer = Signer::new(Algorithm::Es256);
    let keys = keys(&signer, "1");
    for cnf in [json!({"x5t#S256": "c"}), json!({"jwk": signer.jwk()}), json!({"jkt": 7}), json!("text")] {
        let mut claims = claims();
        claims["cnf"] = cnf;
        let token = signer.sign(&json!({"kid": "1"}), &claims);
        assert_eq!(told(&rules(), &keys, &token), "the token is bound to something that is not checked here");
    }
}

const PROOF_TIME: u64 = 1_700_000_000;
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
    let proof = own.proof("POST", &url(), PROOF_TIME, Some(&Secret::new("t")), None).expect("a proof");
    let header = proof.expose().split('.').next().expect("a header");
    let header: Value =
        serde_json::from_slice(&crate::auth::jose::from_base64url(header).expect("Base64")).expect("JSON");
    let key = key_of(&header["jwk"]);
    let mut proofs = Proofs::new(WINDOW, 10);
    assert_eq!(take(&mut proofs, proof.expose(), &key, PROOF_TIME), Ok(()));
    assert_eq!(
        take(&mut proofs, proof.expose(), &key, PROOF_TIME + WINDOW),
        Err(Denial::Proof("the proof was used before"))
    );
    let later = take(&mut proofs, proof.expose(), &key, PROOF_TIME + WINDOW + 1);
    assert_eq!(later, Err(Denial::Proof("the proof is too old, or from the future")));
}

fn proof_claims(id: &str) -> Value {
    json!({"jti": id, "htm": "POST", "htu": "https://M.example:443/mcp?x#y", "iat": PROOF_TIME, "ath": sha256("t")})
}

#[test]
fn a_proof_that_is_about_something_else_is_refused() {
    for algorithm in Algorithm::OF_PROOFS {
        let signer = Signer::new(algorithm);
        let key = key_of(&signer.jwk());
        let header = json!({"typ": "dpop+jwt", "jwk": signer.jwk()});
        let mut proofs = Proofs::new(WINDOW, 10);
        assert_eq!(take(&mut proofs, &signer.sign(&header, &proof_claims("1")), &key, PROOF_TIME), Ok(()));
        let mut slash = proof_claims("slash");
        slash["htu"] = "https://m.example/mcp/".into();
        assert_eq!(take(&mut proofs, &signer.sign(&header, &slash), &key, PROOF_TIME), Ok(()));
        for edge in [PROOF_TIME - WINDOW, PROOF_TIME + WINDOW] {
            let mut claims = proof_claims(&edge.to_string());
            claims["iat"] = edge.into();
            assert_eq!(take(&mut proofs, &signer.sign(&header, &claims), &key, PROOF_TIME), Ok(()), "{edge}");
        }
        let with = |name: &str, value: Value| {
            let mut changed = proof_claims("2");
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
            (with("htu", json!("https://m.example/mcp//")), "another URL"),
            (with("htu", json!("https://m.example/")), "another URL"),
            (with("htu", json!("http://m.example/mcp")), "another URL"),
            (with("ath", json!(sha256("u"))), "another token"),
            (with("ath", Value::Null), "another token"),
            (with("iat", json!(PROOF_TIME - WINDOW - 1)), "too old"),
            (with("iat", json!(PROOF_TIME + WINDOW + 1)), "future"),
            (with("iat", Value::Null), "when it was made"),
            (with("jti", json!("")), "the id"),
            (with("jti", json!("x".repeat(257))), "the id"),
            (signer.sign(&json!({"typ": "JWT", "jwk": signer.jwk()}), &proof_claims("2")), "type"),
            (signer.sign(&json!({"typ": "dpop+jwt"}), &proof_claims("2")), "no key"),
            (signer.sign(&json!({"typ": "dpop+jwt", "jwk": private}), &proof_claims("2")), "private"),
            (
                signer.sign(
                    &json!({"typ": "dpop+jwt", "alg": "HS256", "jwk": signer.jwk()}),
                    &proof_claims("2"),
                ),
                "algorithm",
            ),
            (other.sign(&json!({"typ": "dpop+jwt", "jwk": other.jwk()}), &proof_claims("2")), "another key"),
            (other.sign(&header, &proof_claims("2")), "signature"),
            ("a.b".to_owned(), "cannot be read"),
            (long, "longer"),
        ] {
            match take(&mut proofs, &proof, &key, PROOF_TIME) {
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
        let mut proof_claims = proof_claims(id);
        proof_claims["iat"] = made.into();
        take(&mut proofs, &signer.sign(&header, &proof_claims), &key, now)
    };
    assert_eq!(sent("1", PROOF_TIME, PROOF_TIME), Ok(()));
    assert_eq!(sent("2", PROOF_TIME + 1, PROOF_TIME), Ok(()));
    assert!(matches!(sent("3", PROOF_TIME, PROOF_TIME), Err(Denial::Unavailable(_))));
    assert_eq!(sent("3", PROOF_TIME + 61, PROOF_TIME + 61), Ok(()), "the first is too old to be used again");
}

#[test]
fn the_principal_that_used_most_makes_room_and_none_of_its_proofs_is_good_twice() {
    let signer = Signer::new(Algorithm::Es256);
    let key = key_of(&signer.jwk());
    let header = json!({"typ": "dpop+jwt", "jwk": signer.jwk()});
    let mut proofs = Proofs::new(WINDOW, 4);
    let mut sent = |principal: &str, id: &str, made: u64, now: u64| {
        let mut proof_claims = proof_claims(id);
        proof_claims["iat"] = made.into();
        take_of(&mut proofs, &signer.sign(&header, &proof_claims), &key, principal, now)
    };
    for number in 0..4 {
        assert_eq!(sent("mallory", &number.to_string(), PROOF_TIME + 10 + number, PROOF_TIME), Ok(()));
    }
    assert!(matches!(sent("mallory", "5", PROOF_TIME + 20, PROOF_TIME), Err(Denial::Unavailable(_))));
    assert_eq!(sent("ann", "1", PROOF_TIME, PROOF_TIME), Ok(()));
    assert_eq!(sent("ben", "1", PROOF_TIME, PROOF_TIME), Ok(()));
    // What was forgotten is refused, whether it was used or not, also when there is room again; what is remembered is told apart, and what
    // ends later is good.
    let is_forgotten =
        |result| matches!(result, Err(Denial::Unavailable(text)) if text.contains("is not known"));
    for now in [PROOF_TIME, PROOF_TIME + 61] {
        assert!(is_forgotten(sent("mallory", "0", PROOF_TIME + 10, now)), "{now}");
        assert!(is_forgotten(sent("mallory", "other", PROOF_TIME + 11, now)), "{now}");
        assert_eq!(
            sent("mallory", "3", PROOF_TIME + 13, now),
            Err(Denial::Proof("the proof was used before")),
            "{now}"
        );
        if now == PROOF_TIME {
            for id in ["ann", "ben"] {
                assert_eq!(sent(id, "1", now, now), Err(Denial::Proof("the proof was used before")));
            }
        }
    }
    assert_eq!(sent("mallory", "12", PROOF_TIME + 12, PROOF_TIME + 61), Ok(()));
    // When its proofs are over, nothing of it is left.
    assert_eq!(sent("mallory", "6", PROOF_TIME + 74, PROOF_TIME + 74), Ok(()));
    assert_eq!(sent("mallory", "7", PROOF_TIME + 74, PROOF_TIME + 74), Ok(()));
}
