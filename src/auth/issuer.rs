//! Which authorization server a credential belongs to.

use crate::protocol::address::{Address, Origin};

/// An authorization server, as everything that is kept is bound to it: tokens, registrations, and client ids. Two of them are the
/// same server only if all three members are equal.
///
/// The name alone does not say it. A server that publishes protected resource metadata names issuers, and each issuer's name is
/// confirmed by a document at the issuer's own origin (RFC 8414, section 3.3). Without that metadata (the fallback of 2025-03-26)
/// nothing confirms a name, so that the MCP server's origin is the only one that can be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Issuer {
    /// The issuer identifier (RFC 8414, section 2); in the fallback the MCP server's origin, whatever its document says.
    pub name: String,
    /// Whether it was found by the fallback of 2025-03-26, without protected resource metadata.
    pub fallback: bool,
    /// The origin of its token endpoint. Who writes the document decides where that is, but not where tokens go that another place
    /// gave: they are sent to this origin only. Its path does not count: who can answer at one path of an origin is trusted with
    /// all of it, as everywhere with TLS, and a server may move its endpoints.
    pub tokens_at: String,
}

impl Issuer {
    /// One that has a token endpoint, or none.
    pub(super) fn new(name: &str, fallback: bool, token: Option<&Address>) -> Issuer {
        let tokens_at = token.map(|url| url.origin().to_string()).unwrap_or_default();
        Issuer { name: name.to_owned(), fallback, tokens_at }
    }

    /// One that an earlier version kept, which did not write down where the token endpoint is: it is taken for the issuer's own.
    pub(super) fn at_its_origin(name: &str) -> Issuer {
        Issuer::new(name, false, Address::parse(name).ok().as_ref())
    }

    /// No authorization server: the application gives the token.
    pub(super) fn none() -> Issuer {
        Issuer::new("", false, None)
    }

    /// Whether a client id that is known at one of them is known at the other.
    pub(super) fn has_clients_of(&self, other: &Issuer) -> bool {
        (&self.name, self.fallback) == (&other.name, other.fallback)
    }

    /// Whether the `iss` of an answer (RFC 9207) is this server. Names are compared as they are written. An origin is written with
    /// and without a slash, and in the fallback no document tells which of the two the server means.
    pub(super) fn answers_as(&self, said: &str) -> bool {
        let origin = |text: &str| text.strip_suffix('/').unwrap_or(text).to_owned();
        said == self.name || (self.fallback && origin(said) == origin(&self.name))
    }

    /// Whether this is the name of an origin, which `auth.issuer` may give for the fallback.
    pub(super) fn is_origin(name: &str, origin: &Origin) -> bool {
        Address::parse(name).is_ok_and(|place| place.origin() == origin && place.target() == "/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issuer(name: &str, fallback: bool) -> Issuer {
        Issuer::new(name, fallback, None)
    }

    #[test]
    fn an_answer_is_of_the_issuer_whose_name_it_has() {
        let published = issuer("https://as.example", false);
        assert!(published.answers_as("https://as.example"));
        for other in ["https://as.example/", "https://as.example:443", "https://as2.example", ""] {
            assert!(!published.answers_as(other), "{other}");
        }
        let fallback = issuer("https://mcp.example", true);
        assert!(fallback.answers_as("https://mcp.example") && fallback.answers_as("https://mcp.example/"));
        for other in ["https://mcp.example//", "https://mcp.example/a", "https://as.example", "", "/"] {
            assert!(!fallback.answers_as(other), "{other}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        let server = Address::parse("https://mcp.example/mcp").expect("an address");
        for (name, same) in [
            ("https://mcp.example", true),
            ("https://mcp.example/", true),
            ("https://mcp.example/mcp", false),
            ("http://mcp.example", false),
            ("https://mcp.example:8443", false),
            ("nothing", false),
        ] {
            assert_eq!(Issuer::is_origin(name, server.origin()), same, "{name}");
        }
    }
}
