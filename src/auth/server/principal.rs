//! Who a token speaks for, and what it allows.

use crate::auth::Scopes;
use serde_json::{Map, Value, json};

/// Who a token speaks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Principal {
    /// Who says so.
    pub issuer: String,
    /// Who it is: the subject of the token, or the client if no person is behind it.
    pub subject: String,
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
    /// The principal that claims describe: `sub`, or `client_id` without one.
    pub fn of_claims(claims: Map<String, Value>, issuer: &str, implied: &Implied) -> Option<Principal> {
        let text = |name: &str| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let subject = text("sub").or_else(|| text("client_id"))?.to_owned();
        let key = claims.get("cnf").and_then(|cnf| cnf.get("jkt")).and_then(Value::as_str).map(str::to_owned);
        Some(Principal {
            issuer: issuer.to_owned(),
            subject,
            scopes: implied.expand(&scopes_of(&claims)),
            expires: seconds(claims.get("exp")),
            key,
            claims,
        })
    }

    /// What sessions, tasks and states of requests are bound to: who it is, and never which token it came with, so that a new token
    /// changes nothing.
    pub fn id(&self) -> String {
        json!([self.issuer, self.subject]).to_string()
    }

    /// What the application is told of it, JSON text.
    pub fn describe(&self) -> String {
        let scopes: Vec<String> =
            self.scopes.text().split(' ').filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
        json!({
            "issuer": self.issuer, "subject": self.subject, "scopes": scopes, "claims": self.claims, "expires": self.expires,
        })
        .to_string()
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
        assert_eq!(of(&json!({"client_id": "c"})).expect("a principal").subject, "c");
        assert!(of(&json!({"scope": "x"})).is_none());
        let quoted = |issuer: &str, subject: &str| {
            Principal::of_claims(claims(&json!({"sub": subject})), issuer, &Implied::default())
                .expect("one")
                .id()
        };
        assert_ne!(quoted("a\",\"b", "c"), quoted("a", "b\",\"c"));
    }
}
