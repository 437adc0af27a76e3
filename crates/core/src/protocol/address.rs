//! URLs as far as origins need it: scheme, host and port apart from the rest, and what a server's reference to another
//! place means (RFC 3986, section 5). The rest is never decoded, normalised or rewritten: a server may tell `/a/` from
//! `/a` and `%41` from `A`.
//!
//! Text that parsers interpret differently (user names, backslashes, white space, letters outside ASCII) is refused: if one parser
//! takes a URL for a permitted origin and another parser does not, credentials leak.
//!
//! A page that a server wants a person to visit (elicitation in URL mode) is checked here, and never fetched.

use crate::json;
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::net::Ipv4Addr;

/// What is shown instead of a user name and password.
pub const MASK: &str = "****";
/// The longest reference that a server may give.
const REFERENCE_BYTES: usize = 8192;

/// Where a request goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    origin: Origin,
    /// From the first slash on, without a fragment; at least `/`.
    target: String,
}

/// Scheme, host and port (RFC 6454, section 4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Whether the scheme is `https`.
    pub tls: bool,
    /// In lower case; an IPv6 address in brackets.
    pub host: String,
    /// The scheme's own if the URL names none.
    pub port: u16,
}

/// Why a text is not accepted as a URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadAddress {
    /// White space, control characters, backslashes, or letters outside ASCII.
    #[error("it has white space, a backslash, or characters outside ASCII")]
    Character,
    /// Neither `http` nor `https`.
    #[error("it does not begin with http:// or https://")]
    Scheme,
    /// A user name or password.
    #[error("it has a user name or password in it")]
    Credentials,
    /// No host, or none that is one.
    #[error("it has no valid host")]
    Host,
    /// An invalid port.
    #[error("its port is not a number from 1 to 65535")]
    Port,
    /// Longer than is taken.
    #[error("it is longer than 8192 bytes")]
    TooLong,
}

/// A text with `****` in the place of the user names and passwords of all URLs in it. Some people write a password with a `/`, `?`
/// or `@` as it is: where a URL has one, all up to the last `@` is taken for it.
pub fn without_passwords(text: &str) -> Cow<'_, str> {
    const SLASHES: &str = "://";
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(SLASHES) {
        let (before, after) = rest.split_at(at + SLASHES.len());
        let end =
            after.find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>')).unwrap_or(after.len());
        let url = &after[..end];
        let authority = url.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        // Behind an IPv6 address; a port is a number.
        let port =
            authority.rsplit(']').next().unwrap_or_default().split_once(':').map_or("", |(_, port)| port);
        let has_user = authority.contains('@') || !port.bytes().all(|byte| byte.is_ascii_digit());
        out.push_str(before);
        rest = match url.rfind('@').filter(|_| has_user) {
            Some(last) => {
                out.push_str(MASK);
                &after[last..]
            }
            None => after,
        };
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The same of a text that is one URL and nothing else: a password may have any character, also one that ends a URL in a text.
pub fn without_password(url: &str) -> String {
    let start = url.find("://").map(|at| at + 3);
    let user = start.and_then(|start| Some((start, url.rfind('@').filter(|end| *end > start)?)));
    let Some((start, end)) = user else { return without_passwords(url).into_owned() };
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>');
    let whole = format!("{}{}{}", &url[..start], url[start..end].replace(ends, "_"), &url[end..]);
    without_passwords(&whole).into_owned()
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, usual) = if self.tls { ("https", 443) } else { ("http", 80) };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == usual { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin, self.target)
    }
}

impl Address {
    /// Takes a whole URL apart.
    ///
    /// # Errors
    /// Why the URL is not accepted.
    pub fn parse(url: &str) -> Result<Address, BadAddress> {
        check(url)?;
        let (scheme, rest) = url.split_once("://").ok_or(BadAddress::Scheme)?;
        let tls = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err(BadAddress::Scheme),
        };
        let (authority, target) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        Ok(Address { origin: origin(tls, authority)?, target: target_of(target) })
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Path and query, as they go into the request.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The place that a server's `reference` means when it was found here (RFC 3986, section 5.2). Dots in a path stay
    /// as they are for whole URLs and absolute paths, and are resolved where the reference depends on our path.
    ///
    /// # Errors
    /// Why the URL is not accepted.
    pub fn join(&self, reference: &str) -> Result<Address, BadAddress> {
        check(reference)?;
        if has_scheme(reference) {
            return Address::parse(reference);
        }
        if let Some(rest) = reference.strip_prefix("//") {
            let scheme = if self.origin.tls { "https" } else { "http" };
            return Address::parse(&format!("{scheme}://{rest}"));
        }
        let path = self.target.split('?').next().unwrap_or_default();
        let target = match reference.bytes().next() {
            Some(b'/') => target_of(reference),
            Some(b'?') => target_of(&format!("{path}{reference}")),
            None | Some(b'#') => self.target.clone(),
            Some(_) => {
                let folder = path.rfind('/').map_or("/", |slash| path.get(..=slash).unwrap_or("/"));
                let (relative, query) =
                    reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
                target_of(&format!("{}{query}", without_dots(&format!("{folder}{relative}"))))
            }
        };
        Ok(Address { origin: self.origin.clone(), target })
    }
}

fn check(text: &str) -> Result<(), BadAddress> {
    if text.len() > REFERENCE_BYTES {
        return Err(BadAddress::TooLong);
    }
    let plain = text.bytes().all(|byte| matches!(byte, b'!'..=b'~') && byte != b'\\');
    if plain { Ok(()) } else { Err(BadAddress::Character) }
}

/// Whether a reference begins with a scheme (RFC 3986, section 3.1).
fn has_scheme(reference: &str) -> bool {
    let Some((scheme, _)) = reference.split_once(':') else { return false };
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(letter)
}

fn origin(tls: bool, authority: &str) -> Result<Origin, BadAddress> {
    if authority.contains('@') {
        return Err(BadAddress::Credentials);
    }
    let (host, port) = match authority.rfind(':') {
        // The colons in brackets are of an IPv6 address.
        Some(colon) if !authority.ends_with(']') => {
            let (host, port) = authority.split_at(colon);
            (host, port.strip_prefix(':').unwrap_or_default())
        }
        _ => (authority, ""),
    };
    let port = match port {
        "" => {
            if tls {
                443
            } else {
                80
            }
        }
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().filter(|port| *port > 0).ok_or(BadAddress::Port)?
        }
        _ => return Err(BadAddress::Port),
    };
    if !is_host(host) {
        return Err(BadAddress::Host);
    }
    Ok(Origin { tls, host: host.to_ascii_lowercase(), port })
}

/// A name, an IPv4 address, or an IPv6 address in brackets. Percent-encoded names are not taken: readers differ.
fn is_host(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
        }
    }
}

/// What goes into the request: without a fragment, and never empty.
fn target_of(rest: &str) -> String {
    let rest = rest.split('#').next().unwrap_or_default();
    if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") }
}

/// RFC 3986, section 5.2.4. `path` begins with a slash.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut parts = path.split('/').skip(1).peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        match part {
            "." => {}
            ".." => drop(kept.pop()),
            part => {
                kept.push(part);
                continue;
            }
        }
        // A path that ends in dots names a folder.
        if last {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}

/// Why a page is not safe to visit, if it is not: `https` only, and `http` where it leads to this machine (2026-07-28 security
/// best practices). What can be read in two ways, a user name among them, is not safe either.
pub fn unsafe_page(url: &str) -> Option<String> {
    let address = match Address::parse(url) {
        Ok(address) => address,
        Err(why) => return Some(why.to_string()),
    };
    let origin = address.origin();
    (!origin.tls && !is_this_machine(&origin.host))
        .then(|| "it is http, which only leads safely to this machine; https is needed".to_owned())
}

/// The URL of an elicitation request's parameters, if they ask for a page: `Some(None)` where the URL is missing.
#[allow(clippy::option_option, reason = "two things may be missing, and they differ")]
pub fn elicited_url(params: Option<&str>) -> Option<Option<String>> {
    let params = params?;
    let mode = json::member(params, "mode").and_then(json::string)?;
    (mode == "url").then(|| json::member(params, "url").and_then(json::string).map(Into::into))
}

/// A URL as it is shown and given to a browser: whatever is not a letter, digit or sign that a URL is made of is percent-encoded, so
/// that a shell which it is pasted into, or a script that opens it, runs none of it.
pub fn encoded(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for byte in url.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/?#[]@&=+,%".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "[::1]"
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_the_password_of_a_url() {
        for (text, shown) in [
            ("'https://u:pw@h/mcp?a=1' is bad", "'https://****@h/mcp?a=1' is bad"),
            ("wss://token@h and http://a:b@c:1", "wss://****@h and http://****@c:1"),
            ("https://u:p/w@h/", "https://****@h/"),
            ("https://u:p@s/w?d@h/", "https://****@h/"),
            ("https://u:p'w@h/", "https://****@h/"),
            ("HTTPS://[::1]:8080/@x, http://[::1]:8080/", "HTTPS://[::1]:8080/@x, http://[::1]:8080/"),
            ("https://h:80/@scope/name https://h/a@b", "https://h:80/@scope/name https://h/a@b"),
            ("https://u:pw@", "https://****@"),
            ("no URL: a:b@c", "no URL: a:b@c"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }

    #[test]
    fn no_url_is_shown_with_its_password() {
        for (url, shown) in [
            ("https://u:p w@h/mcp", "https://****@h/mcp"),
            ("https://u:p\tw\"<x>@h/mcp", "https://****@h/mcp"),
            ("https://u:p /w@h/a b", "https://****@h/a b"),
            ("https://h/a b@c", "https://h/a_b@c"),
            ("https://u:p w", "https://u:p w"),
            ("u:p w@h", "u:p w@h"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }

    fn address(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    #[test]
    fn the_rest_of_a_url_stays_as_it_is_written() {
        for (url, target) in [
            ("https://a.example", "/"),
            ("https://a.example?x", "/?x"),
            ("https://a.example/mcp/#part", "/mcp/"),
            ("https://a.example/a//b/../c/%41%2f?q=/../x", "/a//b/../c/%41%2f?q=/../x"),
        ] {
            assert_eq!(address(url).target(), target, "{url}");
        }
    }

    #[test]
    fn origins_are_the_same_whatever_the_case_and_the_usual_port() {
        let origin = |url: &str| address(url).origin().clone();
        assert_eq!(origin("HTTPS://A.Example:443/x"), origin("https://a.example"));
        assert_eq!(origin("http://[::1]:80/"), origin("http://[::1]"));
        assert_eq!(origin("http://a:"), origin("http://a:80"));
        for other in [
            "http://a.example",
            "https://a.example:8443",
            "https://a.example.",
            "https://b.a.example",
            "https://a.example.evil.example",
        ] {
            assert_ne!(origin(other), origin("https://a.example"), "{other}");
        }
        assert_eq!(address("http://LOCALHOST:8080").to_string(), "http://localhost:8080/");
        assert_eq!(address("https://[::1]:443/x").to_string(), "https://[::1]/x");
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_refused() {
        for (url, why) in [
            ("https://a\\@b", BadAddress::Character),
            ("https://a b", BadAddress::Character),
            ("https://a\r\n", BadAddress::Character),
            ("https://\u{fc}.example", BadAddress::Character),
            ("https://user@a", BadAddress::Credentials),
            ("https://u:p@a", BadAddress::Credentials),
            ("ftp://a", BadAddress::Scheme),
            ("a.example", BadAddress::Scheme),
            ("https:a", BadAddress::Scheme),
            ("https://", BadAddress::Host),
            ("https:///x", BadAddress::Host),
            ("https://a%2eb", BadAddress::Host),
            ("https://[::1", BadAddress::Host),
            ("https://[x]", BadAddress::Host),
            ("https://a:b", BadAddress::Port),
            ("https://a:0", BadAddress::Port),
            ("https://a:65536", BadAddress::Port),
            ("https://a:+1", BadAddress::Port),
            ("https://::1", BadAddress::Host),
        ] {
            assert_eq!(Address::parse(url), Err(why), "{url}");
        }
        assert_eq!(address("http://a").join(&"x".repeat(9000)), Err(BadAddress::TooLong));
    }

    #[test]
    fn references_are_resolved_from_where_they_were_found() {
        let base = address("https://a.example:8443/one/two?q");
        for (reference, url) in [
            ("/post?s=1", "https://a.example:8443/post?s=1"),
            ("post", "https://a.example:8443/one/post"),
            ("./post", "https://a.example:8443/one/post"),
            ("../post?../x", "https://a.example:8443/post?../x"),
            ("../../../post", "https://a.example:8443/post"),
            (".", "https://a.example:8443/one/"),
            ("?s=1", "https://a.example:8443/one/two?s=1"),
            ("", "https://a.example:8443/one/two?q"),
            ("#x", "https://a.example:8443/one/two?q"),
            ("//b.example/x", "https://b.example/x"),
            ("http://b.example/x", "http://b.example/x"),
            ("/a:b", "https://a.example:8443/a:b"),
            ("x?u=http://b", "https://a.example:8443/one/x?u=http://b"),
        ] {
            assert_eq!(
                base.join(reference).map(|found| found.to_string()).as_deref(),
                Ok(url),
                "{reference}"
            );
        }
        assert_eq!(base.join("javascript:alert(1)"), Err(BadAddress::Scheme));
        assert_eq!(base.join("/\\b.example"), Err(BadAddress::Character));
    }

    #[test]
    fn only_https_and_this_machine_are_safe() {
        for url in [
            "https://example.com/pay?id=1#top",
            "HTTPS://EXAMPLE.COM",
            "http://localhost:3000/x",
            "http://app.localhost/",
            "http://127.0.0.1/",
            "http://127.8.9.10:80/",
            "http://[::1]:8080/",
        ] {
            assert_eq!(unsafe_page(url), None, "{url}");
        }
        for url in [
            "http://example.com/",
            "http://localhost.example.com/",
            "http://10.0.0.1/",
            "http://[::2]/",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vscode://x/y",
            "//example.com/",
            "https://user@example.com/",
            "https://example.com\\@evil.test/",
            "https://exa mple.com/",
            "https:///x",
            "",
        ] {
            assert!(unsafe_page(url).is_some(), "{url}");
        }
        assert!(unsafe_page("http://example.com/").is_some_and(|why| why.contains("https is needed")));
    }

    #[test]
    fn what_a_shell_would_run_is_encoded() {
        assert_eq!(
            encoded("https://x/a;$(id)`id` 'b'\"c\"|<>\\^{}!*?q=1&r=%20#ü\u{202e}"),
            "https://x/a%3B%24%28id%29%60id%60%20%27b%27%22c%22%7C%3C%3E%5C%5E%7B%7D%21%2A?q=1&r=%20#%C3%BC%E2%80%AE"
        );
    }

    #[test]
    fn only_the_url_mode_asks_for_a_page() {
        assert_eq!(
            elicited_url(Some(r#"{"mode":"url","url":"https:\/\/x"}"#)),
            Some(Some("https://x".to_owned()))
        );
        assert_eq!(elicited_url(Some(r#"{"mode":"url","url":7}"#)), Some(None));
        assert_eq!(elicited_url(Some(r#"{"mode":"form","url":"x"}"#)), None);
        assert_eq!(elicited_url(Some(r#"{"url":"x"}"#)), None);
        assert_eq!(elicited_url(None), None);
    }
}
