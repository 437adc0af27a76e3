//! What every token has: its text, which is a secret, and its scopes (RFC 6749, section 3.3).

use std::fmt;
use zeroize::Zeroizing;

/// More than this is not a scope list but an attack on our memory.
const MOST_SCOPES: usize = 128;
const LONGEST_SCOPE: usize = 256;

/// A set of scopes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scopes(Vec<String>);

impl Scopes {
    /// What a `scope` parameter says. Words that are no scopes are left out; so is what goes over the bound.
    pub fn parse(text: &str) -> Scopes {
        Scopes::of(text.split(' '))
    }

    /// A list of scopes.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> Scopes {
        let mut scopes = Scopes::default();
        for word in words {
            scopes.add(word);
        }
        scopes
    }

    fn add(&mut self, word: &str) {
        let valid = !word.is_empty()
            && word.len() <= LONGEST_SCOPE
            && word.bytes().all(|byte| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~'));
        if valid && self.0.len() < MOST_SCOPES && !self.has(word) {
            self.0.push(word.to_owned());
        }
    }

    /// Whether a scope is in it.
    pub fn has(&self, word: &str) -> bool {
        self.0.iter().any(|own| own == word)
    }

    /// Whether all of `other` are in it.
    pub fn has_all(&self, other: &Scopes) -> bool {
        other.0.iter().all(|word| self.has(word))
    }

    /// Those of both (2026-07-28 `basic/authorization`, step-up).
    #[must_use]
    pub fn with(&self, other: &Scopes) -> Scopes {
        Scopes::of(self.0.iter().chain(&other.0).map(String::as_str))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a `scope` parameter.
    pub fn text(&self) -> String {
        self.0.join(" ")
    }
}

/// A token, a code, a key, or a form that has one in it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a text over.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(Zeroizing::new(text.into()))
    }

    /// The text, for who must send or store it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::{Scopes, Secret};

    #[test]
    fn a_union_keeps_the_order_and_no_doubles() {
        let both = Scopes::parse("a b").with(&Scopes::parse("b c"));
        assert_eq!(both.text(), "a b c");
        assert!(both.has_all(&Scopes::parse("c a")) && !both.has_all(&Scopes::parse("d")));
    }

    #[test]
    fn what_is_no_scope_is_left_out_and_their_number_is_bounded() {
        assert_eq!(Scopes::parse("  a  \"b\" c\\d \u{e9} e ").text(), "a e");
        let many: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
        assert_eq!(Scopes::of(many.iter().map(String::as_str)).text().split(' ').count(), 128);
    }

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new("hunter2");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(…) Some(Secret(…))");
        assert_eq!(secret.expose(), "hunter2");
    }
}
