//! Forms and queries: `application/x-www-form-urlencoded` (RFC 6749, appendix B).

use super::secret::Secret;
use std::fmt::Write as _;

/// The most parameters of a query that are read.
const MOST: usize = 64;

/// The parameters that are secrets.
const CONFIDENTIAL: [&str; 8] = [
    "assertion",
    "client_assertion",
    "client_secret",
    "code",
    "code_verifier",
    "device_code",
    "refresh_token",
    "subject_token",
];

/// The parameters of a request, in the order they were added.
#[derive(Clone, Default)]
pub(super) struct Form(Vec<(&'static str, Secret)>);

impl Form {
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Form {
        self.0.push((name, Secret::new(value)));
        self
    }

    pub(super) fn with_some(self, name: &'static str, value: Option<impl Into<String>>) -> Form {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The encoded text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.0 {
            if !text.is_empty() {
                text.push('&');
            }
            encode_into(name, &mut text);
            text.push('=');
            encode_into(value.expose(), &mut text);
        }
        text
    }

    /// The values that no error may show.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.0.iter().filter(|(name, _)| CONFIDENTIAL.contains(name)).map(|(_, value)| value)
    }
}

/// One value, encoded. A space becomes `%20`, which readers of forms and of URLs understand alike.
pub(super) fn encode(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 8);
    encode_into(value, &mut text);
    text
}

fn encode_into(value: &str, text: &mut String) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
}

/// The parameters of a query, decoded.
pub(super) struct Query(Vec<(String, Secret)>);

/// Why a query's parameter has no single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repeated;

impl Query {
    pub(super) fn parse(query: &str) -> Query {
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).take(MOST);
        Query(
            pairs
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (decode(name), Secret::new(decode(value)))
                })
                .collect(),
        )
    }

    /// The names, as often as they stand there.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// A parameter that may stand there once (RFC 6749, section 3.1). One without a value counts as absent.
    pub(super) fn one(&self, name: &str) -> Result<Option<&Secret>, Repeated> {
        let mut values = self.0.iter().filter(|(own, _)| own == name).map(|(_, value)| value);
        let first = values.next();
        if values.next().is_some() {
            return Err(Repeated);
        }
        Ok(first.filter(|value| !value.is_empty()))
    }
}

/// Undoes the encoding; what is no text afterwards becomes U+FFFD, and what is no escape stays.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'+' => decoded.push(b' '),
            b'%' => {
                let digit = |at: usize| bytes.get(at).and_then(|digit| char::from(*digit).to_digit(16));
                match (digit(at), digit(at + 1)) {
                    (Some(high), Some(low)) => {
                        decoded.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                        at += 2;
                    }
                    _ => decoded.push(b'%'),
                }
            }
            other => decoded.push(other),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_form_is_written_in_order() {
        let form = Form::default().with("a", "x y").with_some("b", Some("ü&=")).with_some("c", None::<&str>);
        assert_eq!(form.text(), "a=x%20y&b=%C3%BC%26%3D");
    }

    #[test]
    fn a_parameter_that_comes_twice_has_no_value() {
        let query = Query::parse("a=1&b=&a=2&c=x+y%2B&d");
        assert_eq!(query.one("a"), Err(Repeated));
        assert_eq!(query.one("b"), Ok(None));
        assert_eq!(query.one("c").map(|value| value.map(Secret::expose)), Ok(Some("x y+")));
        assert_eq!(query.one("d"), Ok(None));
        assert_eq!(query.one("e"), Ok(None));
    }

    proptest! {
        #[test]
        fn what_is_encoded_comes_back(value in any::<String>()) {
            prop_assert_eq!(decode(&encode(&value)), value);
        }

        #[test]
        fn no_query_panics(text in any::<String>()) {
            let _ = Query::parse(&text).one("code");
        }
    }
}
