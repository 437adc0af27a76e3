//! Client assertions (`private_key_jwt`; RFC 7523, section 3): signed here, or by the application, whose key no other program sees.

use super::settings::{ClientKey, KeyOf};
use crate::auth::failure::{Failure, LoginStep};
use crate::auth::jose::{self, Algorithm};
use crate::auth::token::Secret;
use serde_json::{Map, Value, json};
use std::fmt;

/// How long one of ours holds, in seconds.
const SECONDS: u64 = 60;
/// The longest that an application may give.
const LONGEST: usize = 16 * 1024;

/// One that the application is still to sign.
#[derive(Clone, PartialEq, Eq)]
pub struct Unsigned {
    /// How.
    pub algorithm: Algorithm,
    /// The key's id at the authorization server.
    pub key_id: Option<String>,
    /// Who it is about.
    pub client_id: String,
    /// Who it is for.
    pub audience: String,
    /// What the signature is made of.
    pub input: Secret,
}

impl fmt::Debug for Unsigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unsigned({} for {}, …)", self.algorithm.as_str(), self.audience)
    }
}

/// One that can be sent, or nearly.
#[derive(Debug)]
pub(super) enum Assertion {
    Signed(Secret),
    Unsigned(Unsigned),
}

/// Makes one for a client at an authorization server.
pub(super) fn make(
    client_id: &str,
    audience: &str,
    key: Option<&ClientKey>,
    now: u64,
) -> Result<Assertion, Failure> {
    let failed = |why: &str| Failure::new(LoginStep::Token, "private_key", why);
    let key = key.ok_or_else(|| {
        failed(
            "the client is to prove itself with a signed assertion (private_key_jwt), and there is no key; set \
             'auth.private_key'",
        )
    })?;
    let mut header = Map::new();
    header.insert("typ".to_owned(), "JWT".into());
    if let Some(id) = &key.id {
        header.insert("kid".to_owned(), id.as_str().into());
    }
    let mut claims = Map::new();
    claims.insert("iss".to_owned(), client_id.into());
    claims.insert("sub".to_owned(), client_id.into());
    claims.insert("aud".to_owned(), audience.into());
    claims.insert("iat".to_owned(), now.into());
    claims.insert("exp".to_owned(), json!(now.saturating_add(SECONDS)));
    claims.insert("jti".to_owned(), jose::random(LoginStep::Token)?.expose().into());
    match &key.key {
        KeyOf::Us(own) => own
            .sign(header, claims)
            .map(Assertion::Signed)
            .ok_or_else(|| failed("the key in 'auth.private_key' cannot sign")),
        KeyOf::Application(algorithm) => Ok(Assertion::Unsigned(Unsigned {
            algorithm: *algorithm,
            key_id: key.id.clone(),
            client_id: client_id.to_owned(),
            audience: audience.to_owned(),
            input: Secret::new(jose::to_sign(*algorithm, header, claims)),
        })),
    }
}

impl Unsigned {
    /// What the application's answer makes of it: the answer is the signature, or a whole assertion of the application's own,
    /// which then says what it wants to say.
    ///
    /// # Errors
    /// What is wrong with the answer, in words that do not show it.
    pub fn signed(&self, answer: &str, now: u64) -> Result<Secret, String> {
        if jose::is_signature(self.algorithm, answer) {
            return Ok(Secret::new(format!("{}.{answer}", self.input.expose())));
        }
        if answer.split('.').count() != 3 {
            return Err(format!(
                "what the application gave is no {} signature, which is {} in Base64url without padding, and no signed token \
                 in three parts",
                self.algorithm.as_str(),
                match self.algorithm {
                    Algorithm::Es256 => "64 bytes (r and s)",
                    Algorithm::Rs256 => "256 to 512 bytes",
                }
            ));
        }
        let parts_are_texts =
            answer.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        let claims = jose::claims(answer).filter(|_| parts_are_texts && answer.len() <= LONGEST);
        let Some(claims) = claims else {
            return Err("the signed token that the application gave cannot be read".to_owned());
        };
        if let Some(end) = claims.get("exp").and_then(Value::as_u64).filter(|end| *end <= now) {
            return Err(format!("the signed token that the application gave ended {} s ago", now - end));
        }
        for claim in ["iss", "sub"] {
            if claims.get(claim).and_then(Value::as_str) != Some(&self.client_id) {
                return Err(format!(
                    "the signed token that the application gave is not about '{}' ('{claim}')",
                    crate::auth::failure::shown(&self.client_id)
                ));
            }
        }
        Ok(Secret::new(answer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::jose::tests::ec_pem;
    use crate::auth::jose::{SigningKey, base64url};
    use std::sync::Arc;

    fn own() -> ClientKey {
        let key = Arc::new(SigningKey::from_pem(&ec_pem()).expect("a key"));
        ClientKey { key: KeyOf::Us(key), id: Some("k1".into()) }
    }

    fn unsigned(algorithm: Algorithm) -> Unsigned {
        let key = ClientKey { key: KeyOf::Application(algorithm), id: Some("k1".into()) };
        match make("me", "https://as.example", Some(&key), 1000).expect("made") {
            Assertion::Unsigned(unsigned) => unsigned,
            Assertion::Signed(_) => panic!("it is not signed"),
        }
    }

    fn is_right(token: &str) {
        let header: Value = serde_json::from_slice(
            &jose::from_base64url(token.split('.').next().expect("a header")).expect("text"),
        )
        .expect("JSON");
        assert_eq!((&header["typ"], &header["kid"]), (&json!("JWT"), &json!("k1")));
        let claims = jose::claims(token).expect("claims");
        assert_eq!((claims["iss"].as_str(), claims["sub"].as_str()), (Some("me"), Some("me")));
        assert_eq!(claims["aud"], "https://as.example");
        assert_eq!((claims["iat"].as_u64(), claims["exp"].as_u64()), (Some(1000), Some(1060)));
        assert_eq!(claims["jti"].as_str().map(str::len), Some(43));
    }

    #[test]
    fn an_assertion_is_for_this_server_and_short() {
        let Assertion::Signed(token) = make("me", "https://as.example", Some(&own()), 1000).expect("made")
        else {
            panic!("our own key signs")
        };
        is_right(token.expose());
        assert_eq!(make("me", "x", None, 1000).expect_err("no key").check, "private_key");
    }

    #[test]
    fn the_application_gives_the_signature() {
        for (algorithm, bytes) in [(Algorithm::Es256, 64), (Algorithm::Rs256, 256), (Algorithm::Rs256, 512)] {
            let unsigned = unsigned(algorithm);
            let signature = base64url(&vec![7; bytes]);
            let whole = unsigned.signed(&signature, 1000).expect("a signature");
            is_right(whole.expose());
            assert!(whole.expose().ends_with(&format!(".{signature}")));
            assert!(!format!("{unsigned:?}").contains(unsigned.input.expose()));
        }
    }

    #[test]
    fn the_application_may_give_all_of_it_which_must_be_about_this_client() {
        let unsigned = unsigned(Algorithm::Es256);
        let token = |claims: &Value| {
            let part = |value: &Value| base64url(value.to_string().as_bytes());
            format!(
                "{}.{}.{}",
                part(&json!({"alg": "PS256", "x5t": "t"})),
                part(claims),
                base64url(&[7; 256])
            )
        };
        let good = token(&json!({"iss": "me", "sub": "me", "aud": "https://as.example/token", "exp": 1300}));
        assert_eq!(unsigned.signed(&good, 1000), Ok(Secret::new(&*good)));
        for (answer, told) in [
            (token(&json!({"iss": "me", "sub": "you", "exp": 1300})), "not about 'me' ('sub')"),
            (token(&json!({"sub": "me", "exp": 1300})), "('iss')"),
            (token(&json!({"iss": "me", "sub": "me", "exp": 990})), "ended 10 s ago"),
            ("a.b.c".to_owned(), "cannot be read"),
            (format!("{good}&client_id=you"), "cannot be read"),
            (base64url(&[7; 70]), "no ES256 signature, which is 64 bytes"),
            (String::new(), "no ES256 signature"),
        ] {
            let why = unsigned.signed(&answer, 1000).expect_err(told);
            assert!(why.contains(told) && (answer.is_empty() || !why.contains(&answer)), "{why}");
        }
    }
}
