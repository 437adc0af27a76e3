//! Asks the authorization server about a token (RFC 7662), for tokens that say nothing by themselves.

use super::denial::Denial;
use super::principal::Principal;
use super::token::{TokenRules, check_times, is_for};
use crate::auth::exchange::Method;
use crate::auth::form::{Form, encode};
use crate::auth::jose::base64;
use crate::auth::{Answer, LoginStep, Request, Secret};
use crate::protocol::address::Address;
use serde_json::{Map, Value};
use std::time::Duration;

/// The longest answer that is read.
const ANSWER_BYTES: usize = 64 * 1024;

/// Where and as whom to ask.
#[derive(Clone, Debug)]
pub struct Introspection {
    /// The endpoint.
    pub url: Address,
    /// Who we are there.
    pub client: Option<(String, Secret)>,
    /// Whether the answer must name this server as the audience. Without it a token for another server of the same issuer is good
    /// here.
    pub check_audience: bool,
    /// How long an answer may take.
    pub timeout: Duration,
}

impl Introspection {
    /// The request that asks.
    pub fn request(&self, token: &Secret) -> Request {
        let form = Form::default().with("token", token.expose()).with("token_type_hint", "access_token");
        let mut headers = vec![
            ("accept", Secret::new("application/json")),
            ("content-type", Secret::new("application/x-www-form-urlencoded")),
        ];
        if let Some((id, secret)) = &self.client {
            // RFC 6749, section 2.3.1.
            let pair = Secret::new(format!("{}:{}", encode(id), encode(secret.expose())));
            headers
                .push(("authorization", Secret::new(format!("Basic {}", base64(pair.expose().as_bytes())))));
        }
        Request {
            id: 0,
            step: LoginStep::Access,
            method: Method::Post,
            url: self.url.clone(),
            headers,
            body: Some(Secret::new(form.text())),
            unsigned: None,
            refuse_private: false,
            most_bytes: ANSWER_BYTES,
            timeout: self.timeout,
        }
    }

    /// Reads the answer.
    ///
    /// # Errors
    /// The token is not good here, or the answer says nothing.
    pub fn answered(&self, answer: &Answer, rules: &TokenRules, now: u64) -> Result<Principal, Denial> {
        let unavailable =
            |why: String| Denial::Unavailable(format!("the introspection endpoint answered {why}"));
        if answer.status != 200 {
            return Err(unavailable(format!("with status {}", answer.status)));
        }
        let Ok(Value::Object(claims)) = serde_json::from_slice::<Value>(&answer.body) else {
            return Err(unavailable("with no JSON object".to_owned()));
        };
        match claims.get("active") {
            Some(Value::Bool(true)) => self.principal(claims, rules, now).map_err(Denial::Invalid),
            Some(Value::Bool(false)) => Err(Denial::Invalid("the token is not valid any more, or never was")),
            _ => Err(unavailable("without 'active'".to_owned())),
        }
    }

    fn principal(
        &self,
        claims: Map<String, Value>,
        rules: &TokenRules,
        now: u64,
    ) -> Result<Principal, &'static str> {
        if (self.check_audience || claims.contains_key("aud")) && !is_for(&claims, &rules.audiences) {
            return Err("the token is for another server");
        }
        let issuer = claims.get("iss").and_then(Value::as_str).map(str::to_owned);
        if let Some(issuer) = &issuer
            && !rules.issuers.is_empty()
            && !rules.issuers.contains(issuer)
        {
            return Err("the issuer of the token is not one that is trusted here");
        }
        check_times(&claims, now, rules.leeway)?;
        // Without an issuer the endpoint is the one who says it.
        let issuer = issuer.unwrap_or_else(|| self.url.to_string());
        Principal::of_claims(claims, &issuer, &rules.implied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::principal::Party;
    use super::*;
    use serde_json::json;

    fn asks() -> Introspection {
        Introspection {
            url: Address::parse("https://as.example/introspect").expect("an address"),
            client: Some(("my client".to_owned(), Secret::new("p:ss"))),
            check_audience: true,
            timeout: Duration::from_secs(1),
        }
    }

    fn rules() -> TokenRules {
        TokenRules {
            issuers: vec!["https://as.example".to_owned()],
            audiences: vec!["https://m.example/mcp".to_owned()],
            algorithms: Vec::new(),
            typ: None,
            leeway: 10,
            implied: super::super::Implied::default(),
        }
    }

    #[test]
    fn the_token_goes_into_the_body_and_the_client_into_a_header() {
        let request = asks().request(&Secret::new("t.o+k"));
        assert_eq!(
            request.body.as_ref().map(Secret::expose),
            Some("token=t.o%2Bk&token_type_hint=access_token")
        );
        let header = request.headers.iter().find(|(name, _)| *name == "authorization").expect("a client");
        assert_eq!(header.1.expose(), format!("Basic {}", base64(b"my%20client:p%3Ass")));
        assert!(!format!("{request:?}").contains("t.o"), "{request:?}");
    }

    #[test]
    fn an_answer_is_good_only_if_it_is_about_this_server() {
        let read = |status: u16, body: &Value| {
            let answer = Answer { status, headers: Vec::new(), body: body.to_string().into_bytes() };
            asks().answered(&answer, &rules(), 1000)
        };
        let good = json!({"active": true, "sub": "a", "scope": "x", "aud": ["https://m.example/mcp"], "exp": 1001,
                          "iss": "https://as.example", "cnf": {"jkt": "k"}});
        let principal = read(200, &good).expect("good");
        assert_eq!((principal.party, principal.key.as_deref()), (Party::Subject("a".to_owned()), Some("k")));
        let with = |name: &str, value: Value| {
            let mut changed = good.clone();
            changed[name] = value;
            changed
        };
        for (body, why) in [
            (json!({"active": false}), "not valid any more"),
            (with("aud", json!("https://other.example")), "another server"),
            (with("aud", Value::Null), "another server"),
            (with("iss", json!("https://evil.example")), "issuer"),
            (with("exp", json!(990)), "expired"),
            (with("nbf", json!(1011)), "not valid yet"),
            (with("sub", Value::Null), "whose it is"),
            (with("cnf", json!({"x5t#S256": "c"})), "not checked here"),
        ] {
            match read(200, &body) {
                Err(Denial::Invalid(text)) => assert!(text.contains(why), "{body}: {text}"),
                other => panic!("{body}: {other:?}"),
            }
        }
        for (status, body) in [(500, good.clone()), (401, good.clone()), (200, json!([])), (200, json!({}))] {
            assert!(matches!(read(status, &body), Err(Denial::Unavailable(_))), "{status} {body}");
        }
        let lax = Introspection { check_audience: false, ..asks() };
        let body = json!({"active": true, "client_id": "c"}).to_string().into_bytes();
        let answer = Answer { status: 200, headers: Vec::new(), body };
        let principal = lax.answered(&answer, &rules(), 1000).expect("good");
        assert_eq!(
            (principal.issuer.as_str(), principal.party),
            ("https://as.example/introspect", Party::Client("c".to_owned()))
        );
    }
}
