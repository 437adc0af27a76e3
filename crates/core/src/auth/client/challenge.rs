//! Challenges: what `WWW-Authenticate` says about the authorization that a server needs (RFC 9110, section 11.6.1; RFC 6750,
//! section 3; RFC 9728, section 5.1; RFC 9449, section 7.1).

use crate::auth::token::Scopes;

const MOST_BYTES: usize = 16 * 1024;
const MOST_CHALLENGES: usize = 16;
const MOST_PARAMETERS: usize = 32;

/// One way to get in.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ParsedChallenge {
    /// In lower case.
    scheme: String,
    /// Names in lower case.
    parameters: Vec<(String, String)>,
}

/// What all the headers of one answer say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Challenges(Vec<ParsedChallenge>);

impl Challenges {
    /// Reads the values of every `WWW-Authenticate` header of an answer. What cannot be read is skipped.
    pub fn parse<'a>(values: impl IntoIterator<Item = &'a str>) -> Challenges {
        let mut challenges = Challenges::default();
        for value in values {
            let value = value.get(..MOST_BYTES).unwrap_or(value);
            if value.len() <= MOST_BYTES {
                ChallengeReader { text: value.as_bytes(), at: 0 }.read(&mut challenges.0);
            }
        }
        challenges
    }

    /// Whether the server takes a scheme.
    pub fn has(&self, scheme: &str) -> bool {
        self.0.iter().any(|challenge| challenge.scheme == scheme)
    }

    /// The challenges of the schemes that carry OAuth tokens.
    fn of_tokens(&self) -> impl Iterator<Item = &ParsedChallenge> {
        self.0.iter().filter(|it| matches!(it.scheme.as_str(), "bearer" | "dpop"))
    }

    /// Whether the server takes an OAuth token.
    pub fn takes_tokens(&self) -> bool {
        self.of_tokens().next().is_some()
    }

    /// A parameter of these schemes, the first that has it.
    fn parameter(&self, name: &str) -> Option<&str> {
        self.of_tokens()
            .flat_map(|challenge| &challenge.parameters)
            .find(|(own, value)| own == name && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// Where the metadata of the protected resource is.
    pub fn resource_metadata(&self) -> Option<&str> {
        self.parameter("resource_metadata")
    }

    /// The scopes that the refused operation needs.
    pub fn scopes(&self) -> Option<Scopes> {
        self.parameter("scope").map(Scopes::parse).filter(|scopes| !scopes.is_empty())
    }

    /// What was wrong, such as `invalid_token`.
    pub fn error(&self) -> Option<&str> {
        self.parameter("error")
    }
}

struct ChallengeReader<'a> {
    text: &'a [u8],
    at: usize,
}

impl ChallengeReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips white space; gives whether there was a comma.
    fn separators(&mut self) -> bool {
        let mut comma = false;
        while let Some(byte @ (b' ' | b'\t' | b',')) = self.peek() {
            comma |= byte == b',';
            self.at += 1;
        }
        comma
    }

    fn spaces(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// A token, or a token68, which has more letters.
    fn word(&mut self) -> String {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~/:".contains(&byte))
        {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        String::from_utf8_lossy(word).to_ascii_lowercase()
    }

    /// The value behind a `=`: quoted or not.
    fn value(&mut self) -> String {
        if self.peek() != Some(b'"') {
            let start = self.at;
            while self.peek().is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b',' | b'"')) {
                self.at += 1;
            }
            return String::from_utf8_lossy(self.text.get(start..self.at).unwrap_or_default()).into_owned();
        }
        self.at += 1;
        let mut value = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    value.extend(self.peek());
                    self.at += 1;
                }
                other => value.push(other),
            }
        }
        String::from_utf8_lossy(&value).into_owned()
    }

    fn read(mut self, challenges: &mut Vec<ParsedChallenge>) {
        // The first challenge of this header: parameters belong to none of another header's.
        let mut open = false;
        loop {
            let comma = self.separators();
            let Some(_) = self.peek() else { return };
            let word = self.word();
            if word.is_empty() {
                // Neither a word nor a separator: whatever it is, it ends at the next comma.
                while self.peek().is_some_and(|byte| byte != b',') {
                    self.at += 1;
                }
                continue;
            }
            let before = self.at;
            self.spaces();
            if self.peek() == Some(b'=') && open {
                self.at += 1;
                self.spaces();
                if matches!(self.peek(), None | Some(b'=' | b',')) {
                    // The end of a token68.
                    while self.peek() == Some(b'=') {
                        self.at += 1;
                    }
                    continue;
                }
                let value = self.value();
                if let Some(challenge) = challenges.last_mut()
                    && challenge.parameters.len() < MOST_PARAMETERS
                {
                    challenge.parameters.push((word, value));
                }
                continue;
            }
            self.at = before;
            let bare = challenges.last().is_some_and(|last| last.parameters.is_empty());
            if open && !comma && bare {
                // Right behind a scheme: a token68.
                continue;
            }
            if challenges.len() >= MOST_CHALLENGES {
                return;
            }
            challenges.push(ParsedChallenge { scheme: word, parameters: Vec::new() });
            open = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(values: &[&str]) -> Challenges {
        Challenges::parse(values.iter().copied())
    }

    #[test]
    fn several_challenges_in_one_or_many_headers_are_told_apart() {
        let one = parse(&[
            r#"Negotiate YWJj==, Basic realm="a, b=\"c\"", bearer scope="x y",resource_metadata = "https://a/m""#,
        ]);
        assert_eq!(one.0.len(), 3);
        assert_eq!(one.0[1].parameters, [("realm".to_owned(), "a, b=\"c\"".to_owned())]);
        assert_eq!(one.resource_metadata(), Some("https://a/m"));
        assert_eq!(one.scopes().map(|scopes| scopes.text()).as_deref(), Some("x y"));
        let two = parse(&["NTLM", r#"DPoP error="use_dpop_nonce", algs="ES256""#]);
        assert!(two.has("dpop") && two.has("ntlm") && !two.has("bearer"));
        assert_eq!(two.error(), Some("use_dpop_nonce"));
    }

    #[test]
    fn letter_case_and_quotes_do_not_matter() {
        let challenges = parse(&["BEARER Resource_Metadata=https://a/m, ERROR=invalid_token"]);
        assert_eq!(challenges.resource_metadata(), Some("https://a/m"));
        assert_eq!(challenges.error(), Some("invalid_token"));
    }

    #[test]
    fn parameters_of_other_schemes_mean_nothing() {
        let challenges = parse(&[r#"Basic scope="x", resource_metadata="https://evil/""#]);
        assert_eq!(challenges.resource_metadata(), None);
        assert_eq!(challenges.scopes(), None);
        assert_eq!(parse(&[r#"scope="x""#]).scopes(), None, "a parameter without a scheme");
    }

    #[test]
    fn an_empty_scope_is_none_and_the_rest_of_a_broken_header_is_read() {
        assert_eq!(parse(&[r#"Bearer scope="""#]).scopes(), None);
        let challenges = parse(&[r#"Bearer (), error="invalid_token", scope="a"#]);
        assert_eq!(challenges.error(), Some("invalid_token"));
        assert_eq!(challenges.scopes().map(|scopes| scopes.text()).as_deref(), Some("a"));
    }

    proptest! {
        #[test]
        fn no_header_panics_and_all_are_bounded(values in proptest::collection::vec(any::<String>(), 0..4)) {
            let challenges = Challenges::parse(values.iter().map(String::as_str));
            prop_assert!(challenges.0.len() <= MOST_CHALLENGES);
        }

        #[test]
        fn headers_made_of_the_grammars_signs_do_not_panic(text in r#"[a-c=", \\/~]{0,80}"#) {
            let challenges = Challenges::parse([text.as_str()]);
            prop_assert!(challenges.0.len() <= MOST_CHALLENGES);
        }
    }
}
