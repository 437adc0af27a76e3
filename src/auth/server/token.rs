//! Signed tokens (RFC 7519, RFC 8725, RFC 9068): what is looked at before any key, the signature, and the claims (S-AU-06).

use super::denial::Denial;
use super::jwk::{Algorithm, Found, KeySet};
use super::principal::{Implied, Principal, seconds};
use crate::auth::jose::from_base64url;
use serde_json::{Map, Value};

/// What a token must be.
#[derive(Clone, Debug)]
pub struct TokenRules {
    /// Whose tokens are good. One of these must stand in `iss`, letter by letter.
    pub issuers: Vec<String>,
    /// Who we are: one of these must stand in `aud`, letter by letter.
    pub audiences: Vec<String>,
    /// The algorithms.
    pub algorithms: Vec<Algorithm>,
    /// The type that a token must name; `None` takes access tokens and those that say nothing special.
    pub typ: Option<String>,
    /// How many seconds clocks may differ.
    pub leeway: u64,
    /// Which scopes include others.
    pub implied: Implied,
}

/// A token that could be one of ours, before its signature was looked at.
#[derive(Debug)]
pub struct Unverified {
    algorithm: Algorithm,
    key_id: Option<String>,
    signed: String,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

/// What became of checking a signature.
#[derive(Debug)]
pub enum Checked {
    /// It is right: this is who it speaks for.
    Good(Box<Principal>),
    /// It is not.
    Bad(Denial),
    /// The key is not known: it may be new.
    UnknownKey(Unverified),
}

fn object(part: &str) -> Option<Map<String, Value>> {
    match serde_json::from_slice(&from_base64url(part)?) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

impl TokenRules {
    /// Reads a token, as far as no key is needed: a token that cannot be good costs no signature and no fetch.
    ///
    /// # Errors
    /// Why it is not good here.
    pub fn read(&self, token: &str, now: u64) -> Result<Unverified, Denial> {
        let invalid = |why| Err(Denial::Invalid(why));
        let parts: Vec<&str> = token.split('.').collect();
        let [header_part, claims_part, signature] = parts[..] else {
            return invalid("the token is not a signed one in three parts");
        };
        let (Some(header), Some(claims), Some(signature)) =
            (object(header_part), object(claims_part), from_base64url(signature))
        else {
            return invalid("the token cannot be read");
        };
        let text = |name: &str| header.get(name).and_then(Value::as_str);
        let algorithm = text("alg").and_then(Algorithm::parse).filter(|it| self.algorithms.contains(it));
        let Some(algorithm) = algorithm else {
            return invalid("the algorithm of the token is not one that is allowed here");
        };
        if header.contains_key("crit") {
            return invalid("the token has a critical header that is not understood");
        }
        let typ = text("typ").map(str::to_ascii_lowercase);
        let typ = typ.as_deref().map(|typ| typ.strip_prefix("application/").unwrap_or(typ));
        let is_typ = match &self.typ {
            Some(wanted) => typ == Some(wanted.to_ascii_lowercase().as_str()),
            None => matches!(typ, None | Some("jwt" | "at+jwt")),
        };
        if !is_typ {
            return invalid("the token is not an access token by its type");
        }
        self.check(&claims, now).map_err(Denial::Invalid)?;
        Ok(Unverified {
            algorithm,
            key_id: text("kid").map(str::to_owned),
            signed: format!("{header_part}.{claims_part}"),
            signature: signature.to_vec(),
            claims,
        })
    }

    /// Checks the signature.
    pub fn verify(&self, token: Unverified, keys: &KeySet) -> Checked {
        let found =
            keys.check(token.key_id.as_deref(), token.algorithm, token.signed.as_bytes(), &token.signature);
        match found {
            Found::Unknown => Checked::UnknownKey(token),
            Found::Wrong => Checked::Bad(Denial::Invalid("the signature of the token is wrong")),
            Found::Right => self
                .principal(token.claims)
                .map_or_else(|why| Checked::Bad(Denial::Invalid(why)), |it| Checked::Good(Box::new(it))),
        }
    }

    fn principal(&self, claims: Map<String, Value>) -> Result<Principal, &'static str> {
        let issuer = claims.get("iss").and_then(Value::as_str).unwrap_or_default().to_owned();
        Principal::of_claims(claims, &issuer, &self.implied)
    }

    fn check(&self, claims: &Map<String, Value>, now: u64) -> Result<(), &'static str> {
        let issuer = claims.get("iss").and_then(Value::as_str).unwrap_or_default();
        if !self.issuers.iter().any(|known| known == issuer) {
            return Err("the issuer of the token is not one that is trusted here");
        }
        if !is_for(claims, &self.audiences) {
            return Err("the token is for another server");
        }
        if seconds(claims.get("exp")).is_none() {
            return Err("the token has no end");
        }
        check_times(claims, now, self.leeway)
    }
}

/// Whether one of the audiences is ours, letter by letter.
pub(super) fn is_for(claims: &Map<String, Value>, audiences: &[String]) -> bool {
    let is_ours = |value: &Value| value.as_str().is_some_and(|text| audiences.iter().any(|own| own == text));
    match claims.get("aud") {
        Some(Value::Array(list)) => list.iter().any(is_ours),
        Some(one) => is_ours(one),
        None => false,
    }
}

/// Whether a token has begun and not ended.
pub(super) fn check_times(claims: &Map<String, Value>, now: u64, leeway: u64) -> Result<(), &'static str> {
    let time = |name: &str| match claims.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => seconds(Some(value)).map(Some).ok_or("a time of the token cannot be read"),
    };
    if time("exp")?.is_some_and(|end| now >= end.saturating_add(leeway)) {
        return Err("the token has expired");
    }
    if time("nbf")?.is_some_and(|begin| begin > now.saturating_add(leeway)) {
        return Err("the token is not valid yet");
    }
    if time("iat")?.is_some_and(|made| made > now.saturating_add(leeway)) {
        return Err("the token was made in the future");
    }
    Ok(())
}
