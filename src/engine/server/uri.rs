//! Addresses that the application writes: URIs of resources, icons, and pages that a person is to visit.

/// What is wrong with an absolute URI (RFC 3986, section 3.1): it needs a scheme, and has no white space or control characters.
pub(super) fn fault(uri: &str) -> Option<String> {
    let scheme = uri.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !is_scheme {
        return Some(format!("'{uri}' has no scheme"));
    }
    if uri.bytes().any(|b| b <= b' ' || b == 0x7f || b"<>\"{}|\\^`".contains(&b)) {
        return Some(format!("'{uri}' has characters that no URI may have"));
    }
    None
}

/// What is wrong with the address of a page that a person is to visit (S-EL-03): it begins with `https://`, or with `http://` and
/// a loopback host, and has no user information.
pub(super) fn page_fault(url: &str) -> Option<String> {
    if let Some(fault) = fault(url) {
        return Some(fault);
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some(format!("'{url}' must begin with https://"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some(format!("'{url}' has user information before the host"));
    }
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    if host.is_empty() {
        return Some(format!("'{url}' has no host"));
    }
    let is_safe =
        scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") && is_loopback(host);
    (!is_safe).then(|| format!("'{url}' must begin with https:// (http:// is for a loopback address only)"))
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What is wrong with the address of an icon (S-TL-17): only `https:` and `data:` are allowed.
pub fn icon_fault(src: &str) -> Option<String> {
    let starts = |prefix: &str| src.get(..prefix.len()).is_some_and(|it| it.eq_ignore_ascii_case(prefix));
    match fault(src) {
        Some(fault) => Some(fault),
        None if starts("https://") || starts("data:") => None,
        None => Some(format!("'{src}' must begin with https:// or data:")),
    }
}

#[cfg(test)]
mod tests {
    use super::{icon_fault, page_fault};

    #[test]
    fn pages_are_https_or_of_this_machine() {
        for good in [
            "https://example.com/pay?id=1",
            "HTTPS://example.com",
            "http://localhost:8080/x",
            "http://127.0.0.1",
            "http://[::1]:3/x",
        ] {
            assert_eq!(page_fault(good), None);
        }
        for bad in [
            "",
            "example.com",
            "mailto:a@b",
            "http://example.com",
            "http://127.0.0.1.example.com",
            "https://",
            "https:///path",
            "https://user:secret@example.com",
            "https://a b",
            "javascript://x",
        ] {
            assert!(page_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn icons_are_https_or_data() {
        for good in ["https://example.com/i.png", "data:image/png;base64,AA=="] {
            assert_eq!(icon_fault(good), None);
        }
        for bad in
            ["", "http://example.com/i.png", "file:///i.png", "i.png", "javascript:1", "https:x", "data"]
        {
            assert!(icon_fault(bad).is_some(), "{bad}");
        }
    }
}
