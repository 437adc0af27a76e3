//! What a client signs with ES256 for a login: an assertion about itself (RFC 7523), and a proof that it has the key of its
//! token (RFC 9449).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};

use crate::http::Request;
use crate::login;

/// The claims of a signed token, if this key has signed it: the 65 bytes of a point of P-256.
fn claims(token: &str, key: &[u8]) -> Result<Value, String> {
    let (signed, signature) = token.rsplit_once('.').ok_or("it has no three parts")?;
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key)
        .verify(signed.as_bytes(), &bytes(signature))
        .map_err(|_| "the signature is not one of the key")?;
    Ok(part(signed, 1))
}

fn part(token: &str, number: usize) -> Value {
    serde_json::from_slice(&bytes(token.split('.').nth(number).unwrap_or_default())).unwrap_or_default()
}

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap_or_default()
}

/// Who the client is that this key belongs to, by the assertion in a form.
pub fn client(assertion: &str, key: &str, issuer: &str) -> Result<String, String> {
    let claims = claims(assertion, &bytes(key))?;
    let id = claims["sub"].as_str().unwrap_or_default();
    let holds = !id.is_empty() && claims["iss"] == id && claims["aud"] == issuer && claims["exp"].is_u64();
    if holds { Ok(id.to_owned()) } else { Err(format!("these claims are not for {issuer}: {claims}")) }
}

/// The key of the proof that a request has, as it is written there. Where the request has a token, the proof is for that.
pub fn proven_key(request: &Request, token: Option<&str>) -> Result<String, String> {
    let proof = request.header("dpop").ok_or("there is no proof")?;
    let head = part(proof, 0);
    let point = ["x", "y"].map(|name| bytes(head["jwk"][name].as_str().unwrap_or_default())).concat();
    let claims = claims(proof, &[&[4], point.as_slice()].concat())?;
    let digest =
        token.map(|it| URL_SAFE_NO_PAD.encode(ring::digest::digest(&ring::digest::SHA256, it.as_bytes())));
    let url = format!("{}{}", login::origin(request), request.path());
    for (what, is, should) in [
        ("typ", &head["typ"], json!("dpop+jwt")),
        ("htm", &claims["htm"], json!(request.method)),
        ("htu", &claims["htu"], json!(url)),
        ("ath", &claims["ath"], json!(digest)),
    ] {
        if *is != should {
            return Err(format!("{what} of the proof is {is} and not {should}"));
        }
    }
    Ok(head["jwk"].to_string())
}
