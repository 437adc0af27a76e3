//! The token of a request, in the header `Authorization` and nowhere else (RFC 6750, section 2.1; RFC 9449, section 7.1; S-AU-07), and
//! the challenge `WWW-Authenticate` of a request that is refused (RFC 6750, section 3; RFC 9728, section 5.1; S-AU-02 to S-AU-04).

use super::keys::Algorithm;
use crate::auth::{Scopes, Secret};

/// The longest token that is looked at.
const LONGEST: usize = 16 * 1024;

/// The token of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presented {
    /// The token.
    pub token: Secret,
    /// Whether it is bound to a key that a proof must show.
    pub is_dpop: bool,
}

/// The token of a request, of all its `Authorization` headers and its query.
///
/// # Errors
/// There is no token, or more than one, or it stands in the query, where logs show it.
pub fn presented<'a>(
    mut headers: impl Iterator<Item = &'a [u8]>,
    query: Option<&str>,
) -> Result<Presented, Denial> {
    let in_query = query
        .unwrap_or_default()
        .split('&')
        .any(|pair| pair.split('=').next().is_some_and(|name| name.eq_ignore_ascii_case("access_token")));
    if in_query {
        return Err(Denial::Malformed("a token belongs into the header Authorization, never into the URL"));
    }
    let Some(header) = headers.next() else { return Err(Denial::Missing) };
    if headers.next().is_some() {
        return Err(Denial::Malformed("the header Authorization stands there twice"));
    }
    let unreadable = || Denial::Malformed("the header Authorization must be 'Bearer TOKEN'");
    let text = std::str::from_utf8(header).map_err(|_| unreadable())?;
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    let is_dpop = scheme.eq_ignore_ascii_case("DPoP");
    if !is_dpop && !scheme.eq_ignore_ascii_case("Bearer") {
        // Another scheme says nothing about a token.
        return Err(Denial::Missing);
    }
    let token = token.trim_matches(' ');
    // The grammar of tokens: RFC 6750, section 2.1.
    let letters = token.trim_end_matches('=');
    let is_token = !letters.is_empty()
        && letters.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte));
    if !is_token {
        return Err(unreadable());
    }
    if token.len() > LONGEST {
        return Err(Denial::Invalid("the token is longer than 16 KiB"));
    }
    Ok(Presented { token: Secret::new(token), is_dpop })
}

/// Why a request is not served. The texts are for its sender; none has a part of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Denial {
    /// It brings no token.
    Missing,
    /// It says two things about its token, or nothing readable.
    Malformed(&'static str),
    /// The token is not good here.
    Invalid(&'static str),
    /// The proof of possession is not good.
    Proof(&'static str),
    /// The proof of possession does not have the nonce of this server, which is this.
    Nonce(String),
    /// The token is good, and does not allow this. These scopes would: all that the operation needs.
    Scope(Scopes),
    /// Whether it is good cannot be found out now. The text is for the log.
    Unavailable(String),
}

impl Denial {
    /// The status of HTTP (RFC 6750, section 3.1).
    pub fn status(&self) -> u16 {
        match self {
            Denial::Missing | Denial::Invalid(_) | Denial::Proof(_) | Denial::Nonce(_) => 401,
            Denial::Malformed(_) => 400,
            Denial::Scope(_) => 403,
            Denial::Unavailable(_) => 503,
        }
    }

    /// The error of a challenge; `None` where a request had no token, or where it is not at fault.
    pub fn error(&self) -> Option<&'static str> {
        match self {
            Denial::Missing | Denial::Unavailable(_) => None,
            Denial::Malformed(_) => Some("invalid_request"),
            Denial::Invalid(_) => Some("invalid_token"),
            Denial::Proof(_) => Some("invalid_dpop_proof"),
            Denial::Nonce(_) => Some("use_dpop_nonce"),
            Denial::Scope(_) => Some("insufficient_scope"),
        }
    }

    /// What its sender is told.
    pub fn text(&self) -> &'static str {
        match self {
            Denial::Missing => "a token is needed",
            Denial::Malformed(why) | Denial::Invalid(why) | Denial::Proof(why) => why,
            Denial::Nonce(_) => "the proof must have the nonce of the header DPoP-Nonce",
            Denial::Scope(_) => "the token does not have every scope that this needs",
            Denial::Unavailable(_) => "whether the token is good cannot be found out now",
        }
    }
}

/// Whether proofs of possession are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DpopUse {
    /// No.
    Off,
    /// Tokens that are bound to a key need them, others do not.
    Allowed,
    /// Every token needs one.
    Required,
}

/// Writes challenges.
#[derive(Clone, Debug)]
pub struct Challenger {
    /// Where the metadata of the resource is, if it has any.
    pub metadata_url: Option<String>,
    /// What every request needs.
    pub scopes: Scopes,
    /// Whether proofs of possession are taken.
    pub dpop: DpopUse,
}

impl Challenger {
    /// The values of the headers, one for each scheme.
    pub fn values(&self, denial: &Denial) -> Vec<String> {
        if matches!(denial, Denial::Unavailable(_)) {
            return Vec::new();
        }
        let mut values = Vec::new();
        let is_proof = matches!(denial, Denial::Proof(_) | Denial::Nonce(_));
        if self.dpop != DpopUse::Required && !is_proof {
            values.push(format!("Bearer {}", self.parameters(denial)).trim_end().to_owned());
        }
        if self.dpop != DpopUse::Off {
            let names: Vec<&str> = Algorithm::OF_PROOFS.iter().map(|it| it.as_str()).collect();
            let parameters = self.parameters(denial);
            let comma = if parameters.is_empty() { "" } else { ", " };
            values.push(format!("DPoP {parameters}{comma}algs=\"{}\"", names.join(" ")));
        }
        values
    }

    fn parameters(&self, denial: &Denial) -> String {
        let mut parts = Vec::new();
        if let Some(error) = denial.error() {
            parts.push(format!("error=\"{error}\""));
            // Our own texts, which have no quotes.
            parts.push(format!("error_description=\"{}\"", denial.text()));
        }
        let scopes = match denial {
            Denial::Scope(needed) => needed,
            _ => &self.scopes,
        };
        if !scopes.is_empty() {
            parts.push(format!("scope=\"{}\"", scopes.text()));
        }
        parts.extend(self.metadata_url.as_ref().map(|url| format!("resource_metadata=\"{url}\"")));
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Challenges;

    fn read(headers: &[&str], query: Option<&str>) -> Result<(String, bool), Denial> {
        presented(headers.iter().map(|header| header.as_bytes()), query)
            .map(|found| (found.token.expose().to_owned(), found.is_dpop))
    }

    #[test]
    fn a_token_comes_in_one_header_and_never_in_the_query() {
        assert_eq!(read(&["Bearer abc.d-_~+/=="], None), Ok(("abc.d-_~+/==".to_owned(), false)));
        assert_eq!(read(&["bearer   x"], Some("a=b")), Ok(("x".to_owned(), false)));
        assert_eq!(read(&["DPoP x"], None), Ok(("x".to_owned(), true)));
        for headers in [&[][..], &["Basic abc"], &["Negotiate"]] {
            assert_eq!(read(headers, None), Err(Denial::Missing), "{headers:?}");
        }
        for headers in [
            &["Bearer"][..],
            &["Bearer "],
            &["Bearer a b"],
            &["Bearer a,b"],
            &["Bearer ="],
            &["Bearer a", "Bearer a"],
        ] {
            assert!(matches!(read(headers, None), Err(Denial::Malformed(_))), "{headers:?}");
        }
        for query in ["access_token=x", "a=b&Access_Token=x", "access_token"] {
            assert!(matches!(read(&["Bearer x"], Some(query)), Err(Denial::Malformed(_))), "{query}");
        }
        let long = format!("Bearer {}", "x".repeat(LONGEST + 1));
        assert!(matches!(read(&[&long], None), Err(Denial::Invalid(_))));
    }

    fn challenger(scopes: &str, dpop: DpopUse) -> Challenger {
        let metadata_url = "https://m.example/.well-known/oauth-protected-resource/mcp".to_owned();
        Challenger { metadata_url: Some(metadata_url), scopes: Scopes::parse(scopes), dpop }
    }

    const METADATA: &str = "resource_metadata=\"https://m.example/.well-known/oauth-protected-resource/mcp\"";

    #[test]
    fn a_challenge_says_what_is_missing_and_no_error_where_there_was_no_token() {
        let plain = challenger("read", DpopUse::Off);
        assert_eq!(plain.values(&Denial::Missing), [format!("Bearer scope=\"read\", {METADATA}")]);
        assert_eq!(challenger("", DpopUse::Off).values(&Denial::Missing), [format!("Bearer {METADATA}")]);
        assert_eq!(
            plain.values(&Denial::Invalid("it ended")),
            [format!(
                "Bearer error=\"invalid_token\", error_description=\"it ended\", scope=\"read\", {METADATA}"
            )]
        );
        assert_eq!(
            plain.values(&Denial::Scope(Scopes::parse("read write"))),
            [format!(
                "Bearer error=\"insufficient_scope\", error_description=\"the token does not have every scope that this \
                 needs\", scope=\"read write\", {METADATA}"
            )]
        );
        assert!(plain.values(&Denial::Unavailable("down".to_owned())).is_empty());
        let status = |denial: Denial| (denial.status(), denial.error());
        assert_eq!(status(Denial::Missing), (401, None));
        assert_eq!(status(Denial::Malformed("x")), (400, Some("invalid_request")));
        assert_eq!(status(Denial::Unavailable(String::new())), (503, None));
    }

    #[test]
    fn a_client_of_ours_reads_every_challenge() {
        for dpop in [DpopUse::Off, DpopUse::Allowed, DpopUse::Required] {
            let values = challenger("a b", dpop).values(&Denial::Invalid("no"));
            let read = Challenges::parse(values.iter().map(String::as_str));
            assert_eq!(read.error(), Some("invalid_token"), "{values:?}");
            assert_eq!(read.scopes().map(|scopes| scopes.text()).as_deref(), Some("a b"));
            assert!(read.resource_metadata().is_some_and(|url| url.ends_with("/mcp")));
            assert_eq!(
                (read.has("bearer"), read.has("dpop")),
                (dpop != DpopUse::Required, dpop != DpopUse::Off)
            );
        }
        let values = challenger("", DpopUse::Allowed).values(&Denial::Proof("old"));
        assert_eq!(values.len(), 1, "only the scheme of the proof: {values:?}");
        assert!(
            values[0].starts_with("DPoP error=\"invalid_dpop_proof\"") && values[0].contains("algs=\"ES256")
        );
    }
}
