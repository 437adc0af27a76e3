//! Tokens that a configuration names by their digests: each speaks for one principal until the configuration changes.

use super::denial::Denial;
use super::principal::{Implied, Party, Principal};
use crate::auth::{Scopes, jose};
use serde_json::Map;
use std::sync::Arc;

/// One token of a configuration.
#[derive(Clone, Debug)]
pub struct FixedToken {
    /// The SHA-256 of the token in Base64url.
    pub digest: String,
    /// Who it speaks for.
    pub principal: Arc<Principal>,
}

impl FixedToken {
    /// The token with this digest, 64 hexadecimal digits. `None` if it is no such digest.
    pub fn new(sha256: &str, principal: &str, scopes: &Scopes, implied: &Implied) -> Option<FixedToken> {
        let is_digest = sha256.len() == 64 && sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let byte = |at: usize| u8::from_str_radix(sha256.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..64).step_by(2).map(byte).collect();
        let principal = Principal {
            issuer: String::new(),
            party: Party::Subject(principal.to_owned()),
            scopes: implied.expand(scopes),
            claims: Map::new(),
            expires: None,
            key: None,
        };
        let digest = jose::base64url(&bytes.filter(|_| is_digest)?);
        Some(FixedToken { digest, principal: Arc::new(principal) })
    }
}

/// Who a token speaks for. The time that this takes says nothing of the tokens that are good: all of them are compared.
///
/// # Errors
/// None of them is this one.
pub fn known(tokens: &[FixedToken], token: &str) -> Result<Arc<Principal>, Denial> {
    let digest = jose::sha256(token);
    let mut found = None;
    for one in tokens {
        if jose::same(&one.digest, &digest) {
            found = Some(&one.principal);
        }
    }
    found.map(Arc::clone).ok_or(Denial::Invalid("the token is not one of this server"))
}
