//! The login: a client that does all of it gets a token, and whatever it leaves out is refused and noted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use crate::client::{Answer, Connection, Server};

/// The verifier and the challenge of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn get(connection: &mut Connection, path: &str) -> Value {
    connection.send("GET", path, &[], "").json()
}

/// Registers, and asks for a code with one parameter in another way.
fn authorize(connection: &mut Connection, change: (&str, &str)) -> (String, Answer) {
    let client =
        connection.send("POST", "/register", &[], r#"{"redirect_uris":["http://127.0.0.1:1/back"]}"#);
    assert_eq!(client.status, 201);
    let client = client.json()["client_id"].as_str().expect("an id").to_owned();
    let resource = get(connection, "/.well-known/oauth-protected-resource/mcp")["resource"].clone();
    let resource = resource.as_str().expect("a resource").to_owned();
    let mut fields = vec![
        ("client_id", client.as_str()),
        ("redirect_uri", "http://127.0.0.1:1/back"),
        ("response_type", "code"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "a+b"),
        ("resource", resource.as_str()),
    ];
    fields.retain(|(name, _)| *name != change.0);
    fields.push(change);
    let query: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", value.replace('+', "%2B"))).collect();
    let answer = connection.send("GET", &format!("/authorize?{}", query.join("&")), &[], "");
    let form = format!(
        "grant_type=authorization_code&client_id={client}&redirect_uri=http://127.0.0.1:1/back&resource={resource}"
    );
    (form, answer)
}

fn code_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 302, "{answer:?}");
    let to = answer.header("location").expect("a place").to_owned();
    assert!(
        to.starts_with("http://127.0.0.1:1/back?code=") && to.contains("&state=a%2Bb&iss=http%3A"),
        "{to}"
    );
    to.split(['=', '&']).nth(1).expect("a code").to_owned()
}

#[test]
fn a_code_becomes_a_token_that_opens_the_server() {
    let server = Server::start(&["login=yes"]);
    let mut connection = server.connect();
    let refused = connection.modern("server/discover", json!({}));
    let challenge = refused.header("www-authenticate").expect("a challenge");
    assert!(refused.status == 401 && challenge.contains("/.well-known/oauth-protected-resource/mcp"));
    let metadata = get(&mut connection, "/.well-known/oauth-authorization-server");
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));

    let (form, answer) = authorize(&mut connection, ("scope", "mcp:use"));
    let form = format!("{form}&code={}&code_verifier={VERIFIER}", code_of(&answer));
    let given = connection.send("POST", "/token", &[], &form).json();
    let token = format!("Bearer {}", given["access_token"].as_str().expect("a token"));
    assert_eq!(connection.send("POST", "/mcp", &[("Authorization", &token)], "{}").status, 400);
    server.tell("/script", "login=no");
    assert_eq!(connection.send("POST", "/mcp", &[("Authorization", "Bearer other")], "{}").status, 401);
    // A code works once.
    assert_eq!(connection.send("POST", "/token", &[], &form).json()["error"], "invalid_grant");
}

#[test]
fn what_is_wrong_with_a_login_is_refused_and_noted() {
    let server = Server::start(&["login=yes"]);
    let mut connection = server.connect();
    for change in [
        ("client_id", "x"),
        ("redirect_uri", "http://127.0.0.1:1/elsewhere"),
        ("code_challenge", ""),
        ("code_challenge_method", "plain"),
        ("state", ""),
        ("resource", "http://other/mcp"),
        ("response_type", "token"),
    ] {
        assert_eq!(authorize(&mut connection, change).1.status, 400, "{change:?}");
    }
    let (form, answer) = authorize(&mut connection, ("scope", ""));
    let form = format!("{form}&code={}&code_verifier=another", code_of(&answer));
    assert_eq!(connection.send("POST", "/token", &[], &form).json()["error"], "invalid_grant");
    let noted = server.stats()["violations"].as_array().map_or(0, Vec::len);
    // Two of them are without a challenge or a state, which is one complaint.
    assert_eq!(noted, 7, "{}", server.stats());
}

#[test]
fn a_person_may_say_no() {
    let server = Server::start(&["login=no"]);
    let mut connection = server.connect();
    let (_, answer) = authorize(&mut connection, ("scope", ""));
    assert!(answer.header("location").is_some_and(|to| to.contains("?error=access_denied&")), "{answer:?}");
}

struct Key(EcdsaKeyPair);

impl Key {
    fn make() -> Self {
        let (random, kind) = (SystemRandom::new(), &ECDSA_P256_SHA256_FIXED_SIGNING);
        let key = EcdsaKeyPair::generate_pkcs8(kind, &random).expect("a key");
        Self(EcdsaKeyPair::from_pkcs8(kind, key.as_ref(), &random).expect("a key"))
    }

    fn point(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }

    fn sign(&self, head: &Value, claims: &Value) -> String {
        let [head, claims] = [head, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let text = format!("{head}.{claims}");
        let signature = self.0.sign(&SystemRandom::new(), text.as_bytes()).expect("a signature");
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

#[test]
fn a_service_that_signs_with_its_key_gets_a_token_and_revokes_it() {
    let (key, other) = (Key::make(), Key::make());
    let server =
        Server::start(&["login=yes", &format!("service-key={}", URL_SAFE_NO_PAD.encode(key.point()))]);
    let mut connection = server.connect();
    let issuer = get(&mut connection, "/.well-known/oauth-authorization-server")["issuer"].clone();
    let form = |key: &Key, audience: &Value| {
        let claims = json!({ "iss": "me", "sub": "me", "aud": audience, "exp": 1 });
        let assertion = key.sign(&json!({ "alg": "ES256" }), &claims);
        format!("grant_type=client_credentials&client_assertion={assertion}")
    };
    for wrong in [form(&other, &issuer), form(&key, &json!("http://other"))] {
        assert_eq!(connection.send("POST", "/token", &[], &wrong).json()["error"], "invalid_client");
        assert_eq!(connection.send("POST", "/revoke", &[], &wrong).status, 401);
    }
    let form = form(&key, &issuer);
    let given = connection.send("POST", "/token", &[], &form).json();
    let token = given["access_token"].as_str().expect("a token").to_owned();
    let status = || {
        server.connect().send("POST", "/mcp", &[("Authorization", &format!("Bearer {token}"))], "{}").status
    };
    assert_eq!(status(), 400);
    assert_eq!(connection.send("POST", "/revoke", &[], &format!("{form}&token={token}")).status, 200);
    assert_eq!(status(), 401);
}

#[test]
fn a_token_that_is_bound_to_a_key_needs_its_proof() {
    let (service, key, other) = (Key::make(), Key::make(), Key::make());
    let server = Server::start(&[
        "login=yes,dpop",
        &format!("service-key={}", URL_SAFE_NO_PAD.encode(service.point())),
    ]);
    let mut connection = server.connect();
    let issuer = get(&mut connection, "/.well-known/oauth-authorization-server")["issuer"].clone();
    let origin = issuer.as_str().expect("an issuer");
    let assertion = service.sign(&json!({}), &json!({ "iss": "me", "sub": "me", "aud": issuer, "exp": 1 }));
    let form = format!("grant_type=client_credentials&client_assertion={assertion}");
    let proof = |key: &Key, path: &str, digest: Option<&str>| {
        let [x, y] = [1..33, 33..65].map(|half| URL_SAFE_NO_PAD.encode(&key.point()[half]));
        let head = json!({ "typ": "dpop+jwt", "jwk": { "kty": "EC", "crv": "P-256", "x": x, "y": y } });
        let mut claims = json!({ "htm": "POST", "htu": format!("{origin}{path}") });
        if let Some(digest) = digest {
            claims["ath"] = json!(digest);
        }
        key.sign(&head, &claims)
    };
    assert_eq!(connection.send("POST", "/token", &[], &form).json()["error"], "invalid_dpop_proof");
    let elsewhere = proof(&key, "/elsewhere", None);
    let refused = connection.send("POST", "/token", &[("DPoP", &elsewhere)], &form);
    assert_eq!(refused.json()["error"], "invalid_dpop_proof");
    let given = connection.send("POST", "/token", &[("DPoP", &proof(&key, "/token", None))], &form).json();
    assert_eq!(given["token_type"], "DPoP");
    let token = given["access_token"].as_str().expect("a token");
    let digest = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
    let digest = URL_SAFE_NO_PAD.encode(digest);
    let status = |scheme: &str, proof: &str| {
        let headers = [("Authorization", &*format!("{scheme} {token}")), ("DPoP", proof)];
        server.connect().send("POST", "/mcp", &headers, "{}").status
    };
    assert_eq!(status("DPoP", &proof(&key, "/mcp", Some(&digest))), 400);
    assert_eq!(status("Bearer", &proof(&key, "/mcp", Some(&digest))), 401);
    assert_eq!(status("DPoP", &proof(&key, "/mcp", None)), 401);
    assert_eq!(status("DPoP", &proof(&other, "/mcp", Some(&digest))), 401);
}
