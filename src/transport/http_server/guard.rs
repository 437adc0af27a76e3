//! Which `Host` and which `Origin` a server answers to: a page in a browser can send requests to any address that the browser
//! reaches, and a name of its own may lead to this machine (DNS rebinding; S-HM-01).

use super::refusal::Refusal;
use crate::protocol::visible::is_hidden;
use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use std::net::IpAddr;

/// Names of this machine, which no page elsewhere can claim.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Where a browser says how the page that asks is related to the server.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What is allowed.
#[derive(Clone, Default, Debug)]
pub(crate) struct Guard {
    /// Only this machine reaches the server: requests must name it.
    pub(crate) is_loopback: bool,
    /// Its URL has `https`.
    pub(crate) is_tls: bool,
    /// Further hosts, with or without a port.
    pub(crate) hosts: Vec<String>,
    /// Origins of pages, such as `https://app.example.com`.
    pub(crate) origins: Vec<String>,
}

impl Guard {
    /// Whether a request may be served. `authority` is that of the request's target, which HTTP/2 has instead of `Host`.
    ///
    /// # Errors
    /// Which header names something else, and the setting that would allow it.
    pub(crate) fn check(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<(), Refusal> {
        self.check_host(headers, authority)?;
        let host = || headers.get(HOST).and_then(|host| host.to_str().ok()).or(authority);
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            if !self.allows_origin(origin) && !self.is_own(origin, host()) {
                return Err(Refusal::forbidden(format!(
                    "pages of the origin '{}' may not use this server; 'origins' of the endpoint allows more",
                    shown(origin)
                )));
            }
        }
        // A page that only has something loaded names no origin. A browser says all the same that it is of another one.
        let site = headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
        if matches!(site, Some(b"cross-site" | b"same-site")) && !headers.contains_key(ORIGIN) {
            return Err(Refusal::forbidden("pages of other origins may not use this server"));
        }
        Ok(())
    }

    /// The same for what pages of every origin may read.
    ///
    /// # Errors
    /// The host is not one of this server.
    pub(crate) fn check_host(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<(), Refusal> {
        let mut named = headers.get_all(HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(_), Some(_)) => return Err(Refusal::bad("duplicate Host header")),
            (Some(host), None) => {
                Some(host.to_str().map_err(|_| Refusal::bad("the header Host cannot be read"))?)
            }
            (None, _) => None,
        };
        if host.or(authority).is_none() {
            return Err(Refusal::bad("the header Host is missing"));
        }
        // A target may name a host too, and parsers differ in which one counts.
        for host in host.into_iter().chain(authority) {
            if !self.is_host(host) {
                return Err(Refusal::forbidden(format!(
                    "the host '{}' is not one of this server; 'hosts' of the endpoint allows more",
                    shown(host)
                )));
            }
        }
        Ok(())
    }

    fn is_host(&self, host: &str) -> bool {
        let name = without_port(host);
        let same =
            |allowed: &String| allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(name);
        let local = || LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name));
        // Which addresses and names lead here beyond loopback is not known without a list. An address needs no name server, so that
        // no page can have one point elsewhere.
        let unlisted = !self.is_loopback && self.hosts.is_empty() && (is_address(name) || local());
        unlisted || self.is_loopback && local() || self.hosts.iter().any(same)
    }

    /// Whether a page has the origin of the host that the request names, which is one of this server: the server itself served it. Of this
    /// machine that is one with the scheme of the server: without a port, the other scheme is another port. Elsewhere a proxy may have
    /// TLS.
    fn is_own(&self, origin: &str, host: Option<&str>) -> bool {
        let (plain, secure) = (origin.strip_prefix("http://"), origin.strip_prefix("https://"));
        plain.or(secure).zip(host).is_some_and(|(named, host)| {
            let is_local = LOCAL.iter().any(|local| local.eq_ignore_ascii_case(without_port(host)));
            named.eq_ignore_ascii_case(host) && (!is_local || secure.is_some() == self.is_tls)
        })
    }

    /// Whether the application listed this origin. Another page of this machine is not an exception: any program may serve it.
    pub(crate) fn allows_origin(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

/// Whether a host is an address of a machine.
fn is_address(name: &str) -> bool {
    let address = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.parse().map(IpAddr::V6),
        None => name.parse().map(IpAddr::V4),
    };
    address.is_ok_and(|address| !address.is_unspecified())
}

/// A host without its port; anything but digits behind the colon is not a port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

/// The beginning of what another sent, for a text.
fn shown(text: &str) -> String {
    text.chars().take(100).filter(|character| !is_hidden(*character)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::StatusCode;
    use hyper::header::HeaderValue;

    fn checked(guard: &Guard, host: Option<&str>, origin: Option<&str>) -> Result<(), StatusCode> {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(HOST, HeaderValue::from_str(host).expect("a value"));
        }
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).expect("a value"));
        }
        guard.check(&headers, None).map_err(|refusal| refusal.status)
    }

    #[test]
    fn a_server_of_this_machine_answers_to_its_names_only() {
        let guard = Guard { is_loopback: true, ..Guard::default() };
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:65535", "[::1]", "127.0.0.1"] {
            assert_eq!(checked(&guard, Some(host), None), Ok(()), "{host}");
        }
        for host in [
            "evil.example.com",
            "localhost.evil.example.com",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "[::1",
            "",
            "localhost:80@evil.example",
            "::1",
            "127.1",
            "0.0.0.0",
        ] {
            assert_eq!(checked(&guard, Some(host), None), Err(StatusCode::FORBIDDEN), "{host}");
        }
        assert_eq!(checked(&guard, None, None), Err(StatusCode::BAD_REQUEST));
    }

    #[test]
    fn pages_of_other_origins_are_refused_on_every_bind() {
        let local = Guard { is_loopback: true, ..Guard::default() };
        let open = Guard { origins: vec!["https://app.example.com".to_owned()], ..Guard::default() };
        for origin in [
            "https://127.0.0.1:3000",
            "http://[::1]:80",
            "null",
            "",
            "https://evil.example.com",
            "http://localhost.evil.example",
            "file://localhost",
        ] {
            for guard in [&local, &open] {
                let checked = checked(guard, Some("localhost"), Some(origin));
                assert_eq!(checked, Err(StatusCode::FORBIDDEN), "{origin}");
            }
        }
        let own = |host, origin| checked(&local, Some(host), Some(origin));
        assert_eq!(own("localhost:8080", "http://localhost:8080"), Ok(()), "a page of this server");
        for origin in ["http://localhost:8081", "http://127.0.0.1:8080", "http://localhost", "localhost:8080"]
        {
            assert_eq!(own("localhost:8080", origin), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        assert_eq!(own("evil.example.com", "http://evil.example.com"), Err(StatusCode::FORBIDDEN));
        // Without a port the other scheme is another port, which anything on this machine may serve.
        let secure = Guard { is_tls: true, ..local.clone() };
        let behind_a_proxy = Guard { hosts: vec!["mcp.example.com".to_owned()], ..local.clone() };
        for (guard, origin, host, is_allowed) in [
            (&local, "http://localhost", "localhost", true),
            (&local, "https://localhost", "localhost", false),
            (&secure, "https://[::1]", "[::1]", true),
            (&secure, "http://[::1]", "[::1]", false),
            (&behind_a_proxy, "https://mcp.example.com", "mcp.example.com", true),
        ] {
            assert_eq!(checked(guard, Some(host), Some(origin)).is_ok(), is_allowed, "{origin}");
        }
        let listed = Guard { origins: vec!["http://localhost:3000".to_owned()], ..local };
        assert_eq!(checked(&listed, Some("localhost"), Some("http://localhost:3000")), Ok(()));
        assert_eq!(
            checked(&listed, Some("localhost"), Some("http://localhost:3001")),
            Err(StatusCode::FORBIDDEN)
        );
        assert_eq!(checked(&open, Some("192.0.2.1"), Some("https://app.example.com")), Ok(()));
        for origin in
            ["http://app.example.com", "https://app.example.com:444", "https://app.example.com.evil"]
        {
            assert_eq!(
                checked(&open, Some("localhost"), Some(origin)),
                Err(StatusCode::FORBIDDEN),
                "{origin}"
            );
        }
    }

    #[test]
    fn beyond_loopback_a_host_is_listed_or_an_address() {
        let open = Guard::default();
        for host in
            ["192.0.2.1", "192.0.2.1:8080", "[2001:db8::1]:443", "127.0.0.1:1", "localhost:80", "[::1]"]
        {
            assert_eq!(checked(&open, Some(host), None), Ok(()), "{host}");
        }
        for host in
            ["mcp.example.com", "0.0.0.0:80", "[::]", "2001:db8::1", "192.0.2", "192.0.2.1.evil.example", ""]
        {
            assert_eq!(checked(&open, Some(host), None), Err(StatusCode::FORBIDDEN), "{host}");
        }
        let listed = Guard { hosts: vec!["mcp.example.com".to_owned()], ..open };
        assert_eq!(
            checked(&listed, Some("192.0.2.1"), None),
            Err(StatusCode::FORBIDDEN),
            "the list says all"
        );
    }

    #[test]
    fn a_listed_host_is_allowed_with_its_port_or_with_any() {
        let guard =
            Guard { hosts: vec!["mcp.example.com".to_owned(), "other:99".to_owned()], ..Guard::default() };
        assert_eq!(checked(&guard, Some("MCP.example.com:443"), None), Ok(()));
        assert_eq!(checked(&guard, Some("other:99"), None), Ok(()));
        assert_eq!(checked(&guard, Some("other:98"), None), Err(StatusCode::FORBIDDEN));
        assert_eq!(checked(&guard, Some("localhost"), None), Err(StatusCode::FORBIDDEN));
    }

    #[test]
    fn a_host_in_the_target_counts_too() {
        let guard = Guard { is_loopback: true, ..Guard::default() };
        let mut headers = HeaderMap::new();
        assert!(guard.check(&headers, Some("localhost:80")).is_ok(), "as HTTP/2 has it");
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        assert!(guard.check(&headers, Some("127.0.0.1:80")).is_ok());
        let refusal = guard.check(&headers, Some("evil.example.com")).expect_err("refused");
        assert_eq!(refusal.status, StatusCode::FORBIDDEN);
    }

    #[test]
    fn a_page_that_names_no_origin_is_refused_by_what_its_browser_says() {
        let guard = Guard { is_loopback: true, ..Guard::default() };
        for (site, is_allowed) in [
            ("cross-site", false),
            ("same-site", false),
            ("same-origin", true),
            ("none", true),
            ("odd", true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("localhost"));
            headers.insert(SEC_FETCH_SITE, HeaderValue::from_static(site));
            assert_eq!(guard.check(&headers, None).is_ok(), is_allowed, "{site}");
            assert!(guard.check_host(&headers, None).is_ok(), "what every page may read");
            let listed = Guard { origins: vec!["https://a.example".to_owned()], ..guard.clone() };
            headers.insert(ORIGIN, HeaderValue::from_static("https://a.example"));
            assert!(listed.check(&headers, None).is_ok(), "{site}");
        }
    }

    #[test]
    fn two_hosts_are_refused() {
        let mut headers = HeaderMap::new();
        headers.append(HOST, HeaderValue::from_static("localhost"));
        headers.append(HOST, HeaderValue::from_static("evil.example.com"));
        let refusal = Guard::default().check(&headers, None).expect_err("refused");
        assert_eq!(refusal.status, StatusCode::BAD_REQUEST);
    }
}
