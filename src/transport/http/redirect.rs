//! Which redirects are followed: to the same origin, with method and body unchanged (307, 308), and not for ever. All
//! others could carry credentials and messages to another server, or turn a POST into a GET.

use super::address::{Address, BadAddress, Origin};

/// The most redirects that one request follows.
pub const MOST: u8 = 5;

/// What to do about a redirect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Send the same request there; the origin is the one that it had.
    Follow(Address),
    /// Do not: why.
    Refuse(Refusal),
}

/// Why a redirect is not followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The status changes the method, or asks for something else than another place.
    #[error(
        "the server redirects with status {0}, which may lose the message; only 307 and 308 are followed. Set 'url' to the place where the server answers"
    )]
    Status(u16),
    /// There is no `Location`.
    #[error("the server redirects without saying where to")]
    NoLocation,
    /// The `Location` is not an address that can be used.
    #[error("the server redirects to a place that is not followed: {0}")]
    BadLocation(BadAddress),
    /// It leads to another origin, this one.
    #[error(
        "the server redirects to another origin, {0}, which is not followed; set 'url' to that server if you trust it"
    )]
    OtherOrigin(Origin),
    /// There were too many already.
    #[error("the server redirected more than {MOST} times")]
    TooMany,
}

/// Whether `status` is a redirect.
pub fn is_redirect(status: u16) -> bool {
    matches!(status, 300..=303 | 305..=308)
}

/// Decides about an answer with a redirect's `status` to a request that went to `from`, after `followed` others.
pub fn decide(from: &Address, status: u16, location: Option<&str>, followed: u8) -> Decision {
    let refuse = Decision::Refuse;
    if !matches!(status, 307 | 308) {
        return refuse(Refusal::Status(status));
    }
    let Some(location) = location else { return refuse(Refusal::NoLocation) };
    match from.join(location.trim_ascii()) {
        Err(why) => refuse(Refusal::BadLocation(why)),
        Ok(to) if to.origin() != from.origin() => refuse(Refusal::OtherOrigin(to.origin().clone())),
        Ok(_) if followed >= MOST => refuse(Refusal::TooMany),
        Ok(to) => Decision::Follow(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(status: u16, location: Option<&str>, followed: u8) -> Decision {
        decide(&Address::parse("https://a.example/mcp").expect("an address"), status, location, followed)
    }

    #[test]
    fn the_same_origin_is_followed_with_307_and_308() {
        for location in ["/mcp/", "mcp/", "https://A.example:443/mcp/"] {
            for status in [307, 308] {
                let Decision::Follow(to) = decided(status, Some(location), 4) else { panic!("{location}") };
                assert_eq!(to.to_string(), "https://a.example/mcp/");
            }
        }
    }

    #[test]
    fn a_redirect_that_changes_the_method_is_refused() {
        for status in [300, 301, 302, 303, 305, 306] {
            assert!(is_redirect(status));
            assert_eq!(decided(status, Some("/mcp/"), 0), Decision::Refuse(Refusal::Status(status)));
        }
        assert!(!is_redirect(304) && !is_redirect(200) && !is_redirect(400));
    }

    #[test]
    fn another_origin_is_refused_and_named() {
        for (location, origin) in [
            ("https://b.example/mcp", "https://b.example"),
            ("//b.example/mcp", "https://b.example"),
            ("http://a.example/mcp", "http://a.example"),
            ("https://a.example:8443/mcp", "https://a.example:8443"),
            ("http://127.0.0.1/", "http://127.0.0.1"),
        ] {
            let Decision::Refuse(Refusal::OtherOrigin(found)) = decided(308, Some(location), 0) else {
                panic!("{location}")
            };
            assert_eq!(found.to_string(), origin);
        }
    }

    #[test]
    fn a_location_that_is_none_is_refused() {
        assert_eq!(decided(307, None, 0), Decision::Refuse(Refusal::NoLocation));
        for location in ["https://a.example@b.example/", "https://a.example\\@b", "file:///etc/passwd"] {
            assert!(matches!(decided(307, Some(location), 0), Decision::Refuse(Refusal::BadLocation(_))));
        }
    }

    #[test]
    fn redirects_end_after_five() {
        assert!(matches!(decided(307, Some("/x"), 4), Decision::Follow(_)));
        assert_eq!(decided(307, Some("/x"), 5), Decision::Refuse(Refusal::TooMany));
    }
}
