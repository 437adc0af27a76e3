//! What `WWW-Authenticate` says of a request that is not served (RFC 6750, section 3; RFC 9728, section 5.1; RFC 9449, section 7.1;
//! S-AU-02 to S-AU-04).

use super::denial::Denial;
use super::jwk::Algorithm;
use crate::auth::Scopes;

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
        let is_proof = matches!(denial, Denial::Proof(_));
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
