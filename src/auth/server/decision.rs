//! What the application says of a token: an object with the principal.

use super::denial::Denial;
use super::principal::{Implied, Principal};
use super::token::check_times;
use serde_json::{Map, Value};

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

#[cfg(test)]
mod tests {
    use super::super::principal::Party;
    use super::*;

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
