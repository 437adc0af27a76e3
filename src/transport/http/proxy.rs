//! Which requests go through a proxy: each is judged by its own URL, also those to other servers than the MCP server.

use hyper::Uri;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use std::net::IpAddr;

/// What chooses the proxy of a request.
#[derive(Debug)]
pub struct Proxies {
    matcher: Matcher,
    /// `NO_PROXY`, where the environment chooses; that never chooses one for this machine itself.
    excepted: Option<String>,
}

impl Proxies {
    /// As the environment is now.
    pub fn of_environment() -> Proxies {
        let list = ["NO_PROXY", "no_proxy"].into_iter().find_map(|name| std::env::var(name).ok());
        Proxies { matcher: Matcher::from_env(), excepted: Some(list.unwrap_or_default()) }
    }

    /// This one for all requests.
    pub fn always(proxy: &str) -> Proxies {
        Proxies { matcher: Matcher::builder().all(proxy).build(), excepted: None }
    }

    /// The proxy for a request to this URL. The matcher reads some forms of `NO_PROXY` only: those of curl, Go and undici are more.
    pub(super) fn intercept(&self, to: &Uri) -> Option<Intercept> {
        if let (Some(list), Some(host)) = (&self.excepted, to.host()) {
            let default = if to.scheme_str() == Some("https") { 443 } else { 80 };
            if is_loopback(host) || excepts(list, host, to.port_u16().unwrap_or(default)) {
                return None;
            }
        }
        self.matcher.intercept(to)
    }
}

/// Whether a list has a host at a port: entries are names (with all below them), addresses and networks, each with a port or without.
fn excepts(list: &str, host: &str, port: u16) -> bool {
    let host = bare(host);
    let address = host.parse::<IpAddr>().ok();
    list.split(|c: char| c == ',' || c.is_whitespace()).filter(|entry| !entry.is_empty()).any(|entry| {
        let (name, wanted) = match entry.rsplit_once(':') {
            // An address of IPv6 has a port behind its brackets alone.
            Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, port.parse().ok()),
            _ => (entry, Some(port)),
        };
        if wanted != Some(port) {
            return false;
        }
        match address {
            _ if name == "*" => true,
            Some(address) => is_in(address, bare(name)),
            None => is_at_or_below(host, name),
        }
    })
}

/// Whether an address is this one, or in this network.
fn is_in(address: IpAddr, network: &str) -> bool {
    let (first, length) =
        network.split_once('/').map_or((network, None), |(first, length)| (first, Some(length)));
    let bits = |address: IpAddr| match address.to_canonical() {
        IpAddr::V4(address) => (32_u32, u128::from(address.to_bits())),
        IpAddr::V6(address) => (128, address.to_bits()),
    };
    let Ok(first) = bare(first).parse::<IpAddr>() else { return false };
    let ((width, address), (of_network, first)) = (bits(address), bits(first));
    let length = length.map_or(Some(width), |length| length.parse::<u32>().ok());
    let Some(rest) = length.and_then(|length| width.checked_sub(length)) else { return false };
    width == of_network && (address ^ first).checked_shr(rest).unwrap_or(0) == 0
}

/// Whether a host has this name or is below it: `.name` and `*.name` say the same, and a dot at the end nothing.
fn is_at_or_below(host: &str, name: &str) -> bool {
    let name = name.trim_start_matches('*').trim_start_matches('.').trim_end_matches('.');
    let host = host.trim_end_matches('.');
    let rest = host.len().checked_sub(name.len()).filter(|_| !name.is_empty());
    let end = rest.and_then(|at| Some((host.get(..at)?, host.get(at..)?)));
    end.is_some_and(|(before, end)| {
        end.eq_ignore_ascii_case(name) && (before.is_empty() || before.ends_with('.'))
    })
}

fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

fn is_loopback(host: &str) -> bool {
    let bare = bare(host);
    bare == "localhost"
        || bare.ends_with(".localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of curl, Go and undici have the form: what one of them means by it is meant here.
    #[test]
    fn no_proxy_has_the_forms_of_curl_go_and_undici() {
        for (list, host, is) in [
            // All three.
            ("*", "a.b", true),
            ("tides.example.com", "tides.example.com", true),
            ("example.com", "tides.example.com", true),
            (".example.com", "tides.example.com", true),
            ("EXAMPLE.com", "tides.example.COM", true),
            ("other.com,example.com", "tides.example.com", true),
            ("other.com, example.com", "tides.example.com", true),
            ("example.com", "badexample.com", false),
            ("des.example.com", "tides.example.com", false),
            ("", "tides.example.com", false),
            (",", "tides.example.com", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.33", false),
            // Go and undici: a port.
            ("EXAMPLE.com:8085", "tides.example.com", true),
            ("tides.example.com:80", "tides.example.com", false),
            ("10.1.2.3:8085", "10.1.2.3", true),
            ("10.1.2.3:80", "10.1.2.3", false),
            ("[2001:db8::1]:8085", "[2001:db8::1]", true),
            ("[2001:db8::1]:80", "[2001:db8::1]", false),
            ("*:8085", "a.b", true),
            ("*:80", "a.b", false),
            ("a:b", "a", false),
            // curl and undici: white space between entries.
            ("example.com x", "tides.example.com", true),
            ("x\texample.com\n", "tides.example.com", true),
            ("* x", "a.b", true),
            ("10.0.0.0/8 192.168.0.0/16", "192.168.3.4", true),
            // undici, and many scripts.
            ("*.example.com", "tides.example.com", true),
            ("*.other.com", "tides.example.com", false),
            // curl: a dot at the end.
            ("example.com.", "tides.example.com", true),
            ("example.com", "tides.example.com.", true),
            // curl and Go: networks.
            ("10.0.0.0/8", "10.200.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.1.2.3/32", "10.1.2.3", true),
            ("0.0.0.0/0", "1.2.3.4", true),
            ("10.0.0.0/33", "10.0.0.0", false),
            ("10.0.0.0/", "10.0.0.0", false),
            ("2001:db8::/32", "[2001:db8:1::2]", true),
            ("2001:db8::/32", "[2001:db9::2]", false),
            ("[2001:db8::]/32", "[2001:db8:1::2]", true),
            ("::/0", "[2001:db9::2]", true),
            ("::/0", "1.2.3.4", false),
            ("2001:db8::1", "[2001:db8::1]", true),
            ("[2001:db8::1]", "[2001:db8:0::1]", true),
            // An address has no names below it.
            ("2.3", "10.1.2.3", false),
            (".2.3", "10.1.2.3", false),
        ] {
            assert_eq!(excepts(list, host, 8085), is, "{list:?} {host}");
        }
    }

    #[test]
    fn each_request_is_judged_by_its_own_url() {
        let matcher = || Matcher::builder().all("http://proxy.example:8080").build();
        let of_environment =
            Proxies { matcher: matcher(), excepted: Some("10.0.0.0/8 idp.example:8443".to_owned()) };
        let always = Proxies { matcher: matcher(), excepted: None };
        for (url, by_environment) in [
            ("https://mcp.example/mcp", true),
            ("https://idp.example/token", true),
            ("https://idp.example:8443/token", false),
            ("https://login.idp.example:8443/token", false),
            ("http://10.2.3.4/token", false),
            ("http://localhost:8080/mcp", false),
            ("http://[::1]/mcp", false),
        ] {
            let to: Uri = url.parse().expect("a URL");
            assert_eq!(of_environment.intercept(&to).is_some(), by_environment, "{url}");
            assert!(always.intercept(&to).is_some(), "{url}");
        }
    }

    #[test]
    fn the_machine_itself_is_reached_without_a_proxy() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "api.localhost"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["localhost.example", "10.0.0.1", "[::2]", "127.0.0.1.example"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
