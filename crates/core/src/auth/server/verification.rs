//! Whether a token is valid: signed tokens (RFC 7519, RFC 8725, RFC 9068; S-AU-06), tokens that the authorization server is asked
//! about (RFC 7662), and the cache of verdicts.

use super::bearer::Denial;
use super::keys::{Algorithm, KeyMatch, KeySet};
use super::principal::{Implied, Principal, check_times, seconds};
use crate::auth::http::{Form, Method, encode};
use crate::auth::jose::{base64, from_base64url};
use crate::auth::{Answer, LoginStep, Request, Secret};
use crate::protocol::address::Address;
use crate::shares::{Holder, Places};
use crate::sorted::SortedMap;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
            KeyMatch::Unknown => Checked::UnknownKey(token),
            KeyMatch::Wrong => Checked::Bad(Denial::Invalid("the signature of the token is wrong")),
            KeyMatch::Right => self
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

/// The hash of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of this token.
    pub fn of(token: &Secret) -> TokenHash {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, token.expose().as_bytes()).as_ref());
        TokenHash(bytes)
    }
}

type Verdict = Result<Arc<Principal>, Denial>;

/// Verdicts by token. Owns them.
#[derive(Debug)]
pub struct Remembered {
    most: usize,
    time: Duration,
    /// With the number of each.
    verdicts: HashMap<TokenHash, (Verdict, u64)>,
    /// When each ends, by number: oldest first.
    ends: SortedMap<u64, (TokenHash, Instant)>,
    /// Whose they are.
    places: Places<Holder>,
    next: u64,
}

impl Remembered {
    /// Room for `most` verdicts, each for `time`.
    pub fn new(most: usize, time: Duration) -> Remembered {
        let places = Places::new(most);
        Remembered { most, time, verdicts: HashMap::new(), ends: SortedMap::new(), places, next: 0 }
    }

    /// What was found out about a token.
    pub fn get(&mut self, token: &TokenHash, now: Instant) -> Option<Verdict> {
        self.forget_old(now);
        let (verdict, number) = self.verdicts.get(token)?;
        self.places.used(*number);
        Some(verdict.clone())
    }

    /// Keeps a verdict about a token that this client sent. Where there is no room one goes that was not asked for again, of the holder
    /// that has most. That something could not be found out is not kept.
    pub fn put(&mut self, token: TokenHash, from: &Holder, verdict: &Verdict, now: Instant) {
        if self.most == 0 || self.time.is_zero() || matches!(verdict, Err(Denial::Unavailable(_))) {
            return;
        }
        self.forget_old(now);
        if let Some((_, number)) = self.verdicts.get(&token) {
            self.forget(*number);
        }
        let holder = match verdict {
            Ok(principal) => Holder::Principal(principal.id().into()),
            Err(_) => from.clone(),
        };
        let number = self.next;
        self.next += 1;
        while !self.places.add(number, holder.clone()) {
            let Some(gone) = self.places.give_way(&holder, |_| false) else { return };
            self.forget(gone);
        }
        self.ends.insert(number, (token, now + self.time));
        self.verdicts.insert(token, (verdict.clone(), number));
    }

    fn forget(&mut self, number: u64) {
        self.places.remove(number);
        if let Some((token, _)) = self.ends.remove(&number) {
            self.verdicts.remove(&token);
        }
    }

    fn forget_old(&mut self, now: Instant) {
        while let Some((number, (_, end))) = self.ends.first_key_value()
            && *end <= now
        {
            self.forget(*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::server::Implied;
    use crate::auth::server::principal::Party;
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
            implied: crate::auth::server::Implied::default(),
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

    fn hash(number: u32) -> TokenHash {
        TokenHash::of(&Secret::new(number.to_string()))
    }

    #[test]
    fn verdicts_are_kept_for_their_time_and_within_their_bound() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let no: Verdict = Err(Denial::Invalid("no"));
        let from = Holder::Unknown;
        let mut kept = Remembered::new(2, Duration::from_secs(10));
        kept.put(hash(1), &from, &no, at(0));
        kept.put(hash(2), &from, &no, at(1));
        kept.put(hash(1), &from, &no, at(2));
        kept.put(hash(3), &from, &no, at(3));
        assert!(kept.get(&hash(2), at(3)).is_none(), "the oldest went");
        assert_eq!(kept.get(&hash(1), at(11)), Some(no.clone()));
        assert!(kept.get(&hash(1), at(12)).is_none() && kept.get(&hash(3), at(12)).is_some());
        kept.put(hash(4), &from, &Err(Denial::Unavailable(String::new())), at(12));
        assert!(kept.get(&hash(4), at(12)).is_none());
        assert!(kept.get(&hash(3), at(13)).is_none() && kept.ends.is_empty() && kept.verdicts.is_empty());
        assert_eq!(kept.places.count(), 0);
        let mut off = Remembered::new(2, Duration::ZERO);
        off.put(hash(1), &from, &no, begin);
        assert!(off.get(&hash(1), begin).is_none());
    }

    #[test]
    fn who_sends_tokens_without_end_pushes_out_no_verdict_of_another() {
        let now = Instant::now();
        let mut kept = Remembered::new(100, Duration::from_secs(60));
        let person = |number: u32| {
            let claims = serde_json::Map::from_iter([("sub".to_owned(), number.to_string().into())]);
            Principal::of_claims(claims, "https://login.example.com", &Implied::default()).expect("a person")
        };
        let flood = Holder::Session(1);
        for number in 0..10 {
            kept.put(hash(number), &flood, &Ok(Arc::new(person(number))), now);
        }
        kept.put(hash(10), &Holder::Session(2), &Err(Denial::Invalid("no")), now);
        for number in 100..10_000 {
            kept.put(hash(number), &flood, &Err(Denial::Invalid("no")), now);
            kept.get(&hash(number), now);
        }
        assert!((0..=10).all(|number| kept.get(&hash(number), now).is_some()));
        assert_eq!((kept.verdicts.len(), kept.ends.len(), kept.places.count()), (100, 100, 100));
    }
}
