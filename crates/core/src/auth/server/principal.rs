//! Who a token speaks for and what it allows, by its claims, by the configuration or by the application.

use super::bearer::Denial;
use crate::auth::{Scopes, jose};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Who a token speaks for: a person, or a client that acts for itself. What kind of party it is belongs to the identity: each
/// authorization server gives names to both, and nothing keeps a client from having the name of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Party {
    /// The subject of the token.
    Subject(String),
    /// The client, of a token without a subject, or whose subject is the client.
    Client(String),
}

/// Who a token speaks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Principal {
    /// Who says so.
    pub issuer: String,
    /// Who it is.
    pub party: Party,
    /// What the token allows, with what that implies.
    pub scopes: Scopes,
    /// What else the token says.
    pub claims: Map<String, Value>,
    /// When the token ends, in seconds since 1970; `None` if nothing says so.
    pub expires: Option<u64>,
    /// The thumbprint of the key that the token is bound to.
    pub key: Option<String>,
}

impl Principal {
    /// The principal that claims describe: `sub`, or `client_id` without one. A subject that is the client itself is that client: so
    /// some authorization servers write that the token has no person behind it (RFC 9068, section 2.2).
    ///
    /// # Errors
    /// The claims do not say who it is, or bind the token to something that is not checked here.
    pub fn of_claims(
        claims: Map<String, Value>,
        issuer: &str,
        implied: &Implied,
    ) -> Result<Principal, &'static str> {
        let key = bound_key(claims.get("cnf"))?;
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let claim = |name: &str| claims.get(name).filter(|value| !value.is_null());
        let party = match (claim("sub"), claim("client_id")) {
            (Some(subject), Some(client)) if subject == client => text(client).map(Party::Client),
            (Some(subject), _) => text(subject).map(Party::Subject),
            (None, client) => client.and_then(text).map(Party::Client),
        };
        Ok(Principal {
            issuer: issuer.to_owned(),
            party: party.ok_or("the token does not say whose it is")?,
            scopes: implied.expand(&scopes_of(&claims)),
            expires: seconds(claims.get("exp")),
            key,
            claims,
        })
    }

    /// What sessions, tasks and states of requests are bound to: who it is, and never which token it came with, so that a new token
    /// changes nothing.
    pub fn id(&self) -> String {
        match &self.party {
            Party::Subject(name) => json!([self.issuer, name]).to_string(),
            Party::Client(name) => json!([self.issuer, null, name]).to_string(),
        }
    }

    /// What the application is told of it, JSON text.
    pub fn describe(&self) -> String {
        let scopes: Vec<String> =
            self.scopes.text().split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
        let (member, name) = match &self.party {
            Party::Subject(name) => ("subject", name),
            Party::Client(name) => ("client", name),
        };
        json!({
            "issuer": self.issuer, member: name, "scopes": scopes, "claims": self.claims, "expires": self.expires,
        })
        .to_string()
    }
}

/// The thumbprint of the key that a token is bound to (RFC 9449, section 6.1). Each other way of binding it (RFC 7800; RFC 8705, to a
/// certificate) is something that only the right sender can show, and that is not checked here.
fn bound_key(confirmation: Option<&Value>) -> Result<Option<String>, &'static str> {
    const UNCHECKED: &str = "the token is bound to something that is not checked here";
    match confirmation {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(members)) if members.len() == 1 => {
            let key = members.get("jkt").and_then(Value::as_str).filter(|key| !key.is_empty());
            key.map(|key| Some(key.to_owned())).ok_or(UNCHECKED)
        }
        Some(_) => Err(UNCHECKED),
    }
}

/// A time of a token, in seconds. Some write fractions.
pub(super) fn seconds(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
    value.as_u64().or_else(|| value.as_f64().filter(|time| *time >= 0.0).map(|time| time as u64))
}

/// The scopes of a token: `scope` (RFC 8693, section 4.2), or `scp`, which some write, as text or as a list.
fn scopes_of(claims: &Map<String, Value>) -> Scopes {
    match claims.get("scope").or_else(|| claims.get("scp")) {
        Some(Value::String(text)) => Scopes::parse(text),
        Some(Value::Array(list)) => Scopes::of(list.iter().filter_map(Value::as_str)),
        _ => Scopes::default(),
    }
}

/// Which scopes include others (S-AU-05).
#[derive(Clone, Default, Debug)]
pub struct Implied(pub Vec<(String, Scopes)>);

impl Implied {
    /// The scopes with all that they include, and what those include.
    pub fn expand(&self, scopes: &Scopes) -> Scopes {
        let mut all = scopes.clone();
        // Each turn adds one more level; there are no more levels than rows.
        for _ in &self.0 {
            let more = self
                .0
                .iter()
                .filter(|(scope, inner)| all.has(scope) && !all.has_all(inner))
                .fold(all.clone(), |more, (_, inner)| more.with(inner));
            if more == all {
                break;
            }
            all = more;
        }
        all
    }
}

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

/// Who the application says it is by: its principals never have the identity of one that a token names.
const ISSUER: &str = "application";

/// Reads the answer: `{"principal":TEXT, "scopes":LIST, "expires":SECONDS, "claims":OBJECT, "key":THUMBPRINT}`, of which only the
/// first is necessary.
///
/// # Errors
/// What is wrong with the answer, for the application.
pub fn decided(answer: &str, implied: &Implied) -> Result<Principal, String> {
    let Ok(Value::Object(mut answer)) = serde_json::from_str::<Value>(answer) else {
        return Err("the answer must be an object".to_owned());
    };
    let take_text = |answer: &mut Map<String, Value>, name: &str| match answer.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
        Some(_) => Err(format!("'{name}' must be a string that is not empty")),
    };
    let subject =
        take_text(&mut answer, "principal")?.ok_or("'principal' is missing: who the token speaks for")?;
    let key = take_text(&mut answer, "key")?;
    let mut claims = match answer.remove("claims") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(claims)) => claims,
        Some(_) => return Err("'claims' must be an object".to_owned()),
    };
    let scopes = match answer.remove("scopes") {
        None | Some(Value::Null) => Value::Array(Vec::new()),
        Some(Value::Array(list)) if list.iter().all(Value::is_string) => Value::Array(list),
        Some(_) => return Err("'scopes' must be a list of strings".to_owned()),
    };
    let expires = match answer.remove("expires") {
        None | Some(Value::Null) => None,
        Some(time) => Some(time.as_u64().ok_or("'expires' must be a time in seconds since 1970")?),
    };
    if let Some(other) = answer.keys().next() {
        return Err(format!(
            "there is no member '{other}'; there are principal, scopes, expires, claims, key"
        ));
    }
    let told = claims.clone();
    claims.insert("sub".to_owned(), subject.into());
    claims.insert("scope".to_owned(), scopes);
    // Which key the token is bound to is the application's word, too.
    claims.remove("cnf");
    let mut principal = Principal::of_claims(claims, ISSUER, implied).map_err(str::to_owned)?;
    (principal.claims, principal.expires, principal.key) = (told, expires, key);
    Ok(principal)
}

impl Principal {
    /// Whether what was decided or found out earlier still holds.
    ///
    /// # Errors
    /// The token has ended.
    pub fn still_good(&self, now: u64, leeway: u64) -> Result<(), Denial> {
        let mut claims = Map::new();
        claims.insert("exp".to_owned(), self.expires.into());
        check_times(&claims, now, leeway).map_err(Denial::Invalid)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(value: &Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn a_scope_may_include_others_which_include_more() {
        let row = |scope: &str, inner: &str| (scope.to_owned(), Scopes::parse(inner));
        let implied = Implied(vec![row("read", "list"), row("admin", "write"), row("write", "read admin")]);
        assert_eq!(implied.expand(&Scopes::parse("admin")).text(), "admin write read list");
        assert_eq!(implied.expand(&Scopes::parse("list")).text(), "list");
        assert_eq!(implied.expand(&Scopes::default()).text(), "");
    }

    #[test]
    fn the_identity_is_who_and_not_which_token() {
        let of = |value: &Value| Principal::of_claims(claims(value), "https://as", &Implied::default());
        let one = of(&json!({"sub": "a", "scope": "x y", "exp": 5.9, "jti": "1"})).expect("a principal");
        let two = of(&json!({"sub": "a", "scp": ["y"], "jti": "2"})).expect("a principal");
        assert_eq!((one.id(), one.expires), (two.id(), Some(5)));
        assert_eq!((one.scopes.text(), two.scopes.text()), ("x y".to_owned(), "y".to_owned()));
        assert_eq!(of(&json!({"client_id": "c"})).expect("a client").party, Party::Client("c".to_owned()));
        assert!(of(&json!({"scope": "x"})).is_err());
        let quoted = |issuer: &str, subject: &str| {
            Principal::of_claims(claims(&json!({"sub": subject})), issuer, &Implied::default())
                .expect("one")
                .id()
        };
        assert_ne!(quoted("a\",\"b", "c"), quoted("a", "b\",\"c"));
    }

    #[test]
    fn a_client_is_never_the_person_of_its_name() {
        let of = |value: &Value| Principal::of_claims(claims(value), "https://as", &Implied::default());
        let person = of(&json!({"sub": "ann", "client_id": "app"})).expect("a person");
        let client = of(&json!({"client_id": "ann"})).expect("a client");
        assert_ne!(person.id(), client.id());
        for same in [json!({"sub": null, "client_id": "ann"}), json!({"sub": "ann", "client_id": "ann"})] {
            assert_eq!(client.id(), of(&same).expect("a client").id(), "{same}");
        }
        let told = |it: &Principal| serde_json::from_str::<Value>(&it.describe()).expect("JSON");
        assert_eq!((&told(&person)["subject"], &told(&person)["client"]), (&json!("ann"), &Value::Null));
        assert_eq!((&told(&client)["subject"], &told(&client)["client"]), (&Value::Null, &json!("ann")));
        // No text that a person has as a name makes the identity of a client.
        for name in ["ann\",\"x", "null,\"ann", "ann\"]", ""] {
            let person = of(&json!({"sub": name}));
            assert!(person.is_err() == name.is_empty());
            assert!(person.is_err() || person.expect("a person").id() != client.id(), "{name}");
        }
        // A subject that cannot be read does not turn a person into a client.
        for subject in [json!(7), json!(""), json!(["ann"]), json!({})] {
            assert!(of(&json!({"sub": subject, "client_id": "ann"})).is_err(), "{subject}");
            assert!(of(&json!({"sub": subject, "client_id": subject})).is_err(), "{subject}");
        }
    }

    #[test]
    fn a_token_that_is_bound_to_what_is_not_checked_is_refused() {
        let of = |cnf: Value| {
            let claims = claims(&json!({"sub": "a", "cnf": cnf}));
            Principal::of_claims(claims, "https://as", &Implied::default()).map(|it| it.key)
        };
        assert_eq!(of(json!({"jkt": "k"})), Ok(Some("k".to_owned())));
        assert_eq!(of(Value::Null), Ok(None), "some write null for what is not there");
        for cnf in [
            json!({"x5t#S256": "c"}),
            json!({"jkt": "k", "x5t#S256": "c"}),
            json!({"jwk": {"kty": "EC"}}),
            json!({"jwe": "x"}),
            json!({"kid": "x"}),
            json!({"jku": "https://as/keys"}),
            json!({"jkt": 7}),
            json!({"jkt": ""}),
            json!({"jkt": null}),
            json!({"later": true}),
            json!({}),
            json!([]),
            json!("k"),
            json!(false),
            json!(7),
        ] {
            assert!(of(cnf.clone()).is_err_and(|why| why.contains("not checked here")), "{cnf}");
        }
    }

    #[test]
    fn the_application_names_the_principal_and_what_it_may_do() {
        let read = |answer: &str| decided(answer, &Implied::default());
        let all = r#"{"principal":"ann","scopes":["a","b"],"expires":100,"claims":{"team":7},"key":"t"}"#;
        let ann = read(all).expect("a principal");
        assert_eq!(
            (&ann.party, ann.scopes.text().as_str(), ann.expires),
            (&Party::Subject("ann".to_owned()), "a b", Some(100))
        );
        assert_eq!((ann.claims["team"].as_u64(), ann.key.as_deref()), (Some(7), Some("t")));
        assert!(!ann.claims.contains_key("sub"));
        assert_eq!((ann.still_good(109, 10), ann.still_good(110, 10).is_err()), (Ok(()), true));
        let bob = read(r#"{"principal":"bob"}"#).expect("a principal");
        assert_eq!((bob.still_good(u64::MAX, 0), bob.scopes.is_empty()), (Ok(()), true));
        for (answer, why) in [
            ("[]", "an object"),
            ("{}", "'principal' is missing"),
            (r#"{"principal":""}"#, "not empty"),
            (r#"{"principal":7}"#, "'principal' must be"),
            (r#"{"principal":"a","scopes":"x"}"#, "'scopes'"),
            (r#"{"principal":"a","scopes":[1]}"#, "'scopes'"),
            (r#"{"principal":"a","expires":"soon"}"#, "'expires'"),
            (r#"{"principal":"a","claims":[]}"#, "'claims'"),
            (r#"{"principal":"a","scope":"x"}"#, "no member 'scope'"),
        ] {
            let told = read(answer).expect_err(answer);
            assert!(told.contains(why), "{answer}: {told}");
        }
    }
}
