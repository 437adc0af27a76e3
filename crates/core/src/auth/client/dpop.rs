//! Proofs of possession: a token that is bound to a key is of no use without the key (RFC 9449).

use crate::auth::failure::{Cause, Failure, LoginStep};
use crate::auth::jose::{self, Algorithm, SigningKey, base64url, from_base64url};
use crate::auth::token::Secret;
use crate::protocol::address::{Address, Origin};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The longest nonce that is taken.
const NONCE_BYTES: usize = 1024;
/// How many servers' nonces are kept: the MCP server's, the authorization server's, and a few of a migration.
const MOST_SERVERS: usize = 8;

/// The key that a login's tokens are bound to.
#[derive(Clone, Debug)]
pub(in crate::auth) struct ProofKey {
    signer: Signer,
    /// PKCS#8 in Base64url, for the store; of a key that is not ours, its public half.
    pub stored: Secret,
}

#[derive(Clone, Debug)]
enum Signer {
    Own(Arc<SigningKey>),
    /// The application signs; this is the public half.
    Application(Value),
}

impl ProofKey {
    pub(in crate::auth) fn generate() -> Result<ProofKey, Failure> {
        let (key, der) = SigningKey::generate().ok_or_else(unusable)?;
        Ok(ProofKey { signer: Signer::Own(Arc::new(key)), stored: Secret::new(base64url(&der)) })
    }

    /// The key that the application signs with.
    pub(in crate::auth) fn of_application(public: &Value) -> ProofKey {
        ProofKey { signer: Signer::Application(public.clone()), stored: Secret::new(public.to_string()) }
    }

    pub(in crate::auth) fn restore(stored: &str) -> Option<ProofKey> {
        if stored.starts_with('{') {
            return serde_json::from_str(stored).ok().map(|public| ProofKey::of_application(&public));
        }
        let key = SigningKey::from_pkcs8(&from_base64url(stored)?)?;
        Some(ProofKey { signer: Signer::Own(Arc::new(key)), stored: Secret::new(stored) })
    }

    /// Whether the application signs with it.
    pub(in crate::auth) fn is_elsewhere(&self) -> bool {
        matches!(self.signer, Signer::Application(_))
    }

    /// Whether it can be used by an application that signs with `public`, or by one that leaves it to us.
    pub(in crate::auth) fn fits(&self, public: Option<&Value>) -> bool {
        match &self.signer {
            Signer::Own(_) => public.is_none(),
            Signer::Application(own) => public == Some(own),
        }
    }

    /// A proof for one request; with the token where it is used (section 4.2). If the application signs, its signature and
    /// the dot before it are still missing.
    pub(in crate::auth) fn proof(
        &self,
        method: &str,
        url: &Address,
        now: u64,
        token: Option<&Secret>,
        nonce: Option<&str>,
    ) -> Result<Secret, Failure> {
        let mut header = Map::new();
        header.insert("typ".to_owned(), "dpop+jwt".into());
        let public = match &self.signer {
            Signer::Own(key) => key.public_jwk().ok_or_else(unusable)?,
            Signer::Application(public) => public.clone(),
        };
        header.insert("jwk".to_owned(), public);
        let path = url.target().split('?').next().unwrap_or_default();
        let mut claims = Map::new();
        claims.insert("jti".to_owned(), jose::random(LoginStep::Access)?.expose().into());
        claims.insert("htm".to_owned(), method.into());
        claims.insert("htu".to_owned(), format!("{}{path}", url.origin()).into());
        claims.insert("iat".to_owned(), now.into());
        if let Some(token) = token {
            claims.insert("ath".to_owned(), jose::sha256(token.expose()).into());
        }
        if let Some(nonce) = nonce {
            claims.insert("nonce".to_owned(), Value::from(nonce));
        }
        match &self.signer {
            Signer::Own(key) => key.sign(header, claims).ok_or_else(unusable),
            Signer::Application(_) => Ok(Secret::new(jose::to_sign(Algorithm::Es256, header, claims))),
        }
    }
}

fn unusable() -> Failure {
    Failure::new(LoginStep::Token, "key", "the key for proofs of possession cannot be made or used")
        .because(Cause::Internal)
}

/// The newest nonce of each server (sections 8 and 9).
#[derive(Clone, Debug, Default)]
pub(in crate::auth) struct Nonces(Vec<(Origin, String)>);

impl Nonces {
    /// Keeps a nonce; gives whether it is one.
    pub(in crate::auth) fn keep(&mut self, origin: &Origin, nonce: &str) -> bool {
        let valid = !nonce.is_empty()
            && nonce.len() <= NONCE_BYTES
            && nonce.bytes().all(|byte| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~'));
        if valid {
            self.0.retain(|(own, _)| own != origin);
            if self.0.len() >= MOST_SERVERS {
                self.0.remove(0);
            }
            self.0.push((origin.clone(), nonce.to_owned()));
        }
        valid
    }

    pub(in crate::auth) fn of(&self, origin: &Origin) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == origin).map(|(_, nonce)| nonce.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::site::verify_with_own_key;

    fn address(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    #[test]
    fn a_proof_is_about_one_request_and_never_the_same() {
        let key = ProofKey::generate().expect("a key");
        let url = address("https://a.example/mcp?key=1");
        let token = Secret::new("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU");
        let proof = key.proof("POST", &url, 1_700_000_000, Some(&token), Some("n-1")).expect("a proof");
        let (header, claims) = verify_with_own_key(proof.expose());
        assert_eq!(header["typ"], "dpop+jwt");
        assert_eq!(header["alg"], "ES256");
        assert!(header["jwk"].get("d").is_none(), "the private half stays here");
        assert_eq!(claims["htm"], "POST");
        assert_eq!(claims["htu"], "https://a.example/mcp");
        assert_eq!(claims["iat"], 1_700_000_000);
        assert_eq!(claims["nonce"], "n-1");
        // The example of RFC 9449, section 7.1.
        assert_eq!(claims["ath"], "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo");
        let other = key.proof("POST", &url, 1_700_000_000, None, None).expect("a proof");
        let (_, others) = verify_with_own_key(other.expose());
        assert_ne!(claims["jti"], others["jti"]);
        assert!(!others.contains_key("ath") && !others.contains_key("nonce"));
    }

    #[test]
    fn a_key_comes_back_from_the_store() {
        let key = ProofKey::generate().expect("a key");
        let back = ProofKey::restore(key.stored.expose()).expect("a key");
        let public = |key: &ProofKey| match &key.signer {
            Signer::Own(own) => own.public_jwk(),
            Signer::Application(public) => Some(public.clone()),
        };
        assert_eq!(public(&key), public(&back));
        let theirs = ProofKey::of_application(&public(&key).expect("a P-256 key"));
        let back = ProofKey::restore(theirs.stored.expose()).expect("a key");
        assert_eq!(public(&theirs), public(&back));
        assert!(back.fits(public(&key).as_ref()) && !back.fits(None) && key.fits(None));
        assert!(!key.fits(public(&key).as_ref()), "the application would sign with another");
        assert!(ProofKey::restore("AAAA").is_none() && ProofKey::restore("!").is_none());
        assert!(!format!("{key:?}").contains(key.stored.expose()));
    }

    #[test]
    fn the_newest_nonce_of_each_server_is_kept() {
        let mut nonces = Nonces::default();
        let of = |number: usize| address(&format!("https://{number}.example")).origin().clone();
        assert!(nonces.keep(&of(0), "a") && nonces.keep(&of(0), "b") && nonces.keep(&of(1), "c"));
        assert_eq!((nonces.of(&of(0)), nonces.of(&of(1)), nonces.of(&of(2))), (Some("b"), Some("c"), None));
        for bad in ["", "a b", "a\"", "é", &"x".repeat(2000)] {
            assert!(!nonces.keep(&of(0), bad), "{bad}");
        }
        for number in 0..100 {
            nonces.keep(&of(number), "n");
        }
        assert_eq!(nonces.0.len(), MOST_SERVERS);
    }
}
