//! Pages that a server wants a person to visit (elicitation in URL mode): which of them are safe to show. A page is never
//! fetched, here or anywhere in the library.

use super::address::Address;
use crate::json;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

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

/// The URL of an elicitation request's parameters, if they ask for a page: `Some(None)` where there is none in them.
#[allow(clippy::option_option, reason = "two things may be missing, and they differ")]
pub fn of(params: Option<&str>) -> Option<Option<String>> {
    let params = params?;
    let mode = json::member(params, "mode").and_then(json::string)?;
    (mode == "url").then(|| json::member(params, "url").and_then(json::string).map(Into::into))
}

/// A URL as it is shown and given to a browser: whatever is no letter, digit or sign that a URL is made of is percent-encoded, so
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
        assert_eq!(of(Some(r#"{"mode":"url","url":"https:\/\/x"}"#)), Some(Some("https://x".to_owned())));
        assert_eq!(of(Some(r#"{"mode":"url","url":7}"#)), Some(None));
        assert_eq!(of(Some(r#"{"mode":"form","url":"x"}"#)), None);
        assert_eq!(of(Some(r#"{"url":"x"}"#)), None);
        assert_eq!(of(None), None);
    }
}
