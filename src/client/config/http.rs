//! A server that is reached by a URL.

use super::keys::EndpointContext;
use super::keys::{HttpKeys, Proxy, TlsKeys};
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::transport::http::address::{Address, BadAddress, without_passwords};
use crate::transport::http::header;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use crate::transport::http::tls::SystemRoots;
use hyper_util::client::proxy::matcher::Matcher;
use std::net::IpAddr;
use std::sync::Arc;

/// The settings of a server at `url`.
pub(super) fn settings(
    url: &str,
    keys: HttpKeys,
    context: &EndpointContext<'_>,
) -> Result<HttpSettings, Error> {
    let HttpKeys { headers, unix_socket, proxy, tls, http } = keys;
    let url = Address::parse(url).map_err(|why| {
        let fix =
            if why == BadAddress::Credentials { "; send them in 'headers', as Authorization" } else { "" };
        wrong("url", format!("'{}' cannot be used: {why}{fix}", shown(url)))
    })?;
    let mut headers = headers;
    headers.retain(|(name, value)| !says_what_is_sent(name, value));
    for (name, value) in &headers {
        header::check(name, value, context.authorizes)
            .map_err(|why| wrong(&format!("headers.{name}"), why.to_string()))?;
    }
    Ok(HttpSettings {
        headers,
        proxy: matcher(&proxy, &url),
        unix_socket: unix_socket.map(Into::into),
        tls: tls_settings(tls)?,
        header_bytes: context.limits.header_bytes,
        message_bytes: context.limits.frame_bytes,
        connect: context.connect,
        compression: http.compression,
        cookies: http.cookies,
        idle_connections: http.idle_connections,
        idle_time: http.idle_ms,
        ping: http.ping_ms,
        remember_era: http.remember_era,
        resume_attempts: context.stream_attempts,
        url,
    })
}

/// A URL as it may be shown: some have their keys or a password in it, and a password may have any character.
fn shown(url: &str) -> String {
    let whole = url.replace(char::is_whitespace, "_");
    without_passwords(&whole).split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// Whether a header that the library sends itself has nothing else in it than that: files of other programs have these.
fn says_what_is_sent(name: &str, value: &str) -> bool {
    let known = ["application/json", "text/event-stream", "*/*"];
    let is_known = |part: &str| known.contains(&part.split(';').next().unwrap_or_default().trim());
    ["accept", "content-type"].iter().any(|own| name.eq_ignore_ascii_case(own))
        && value.split(',').all(is_known)
}

/// What chooses the proxy; from the environment never for this machine itself.
fn matcher(proxy: &Proxy, url: &Address) -> Option<Arc<Matcher>> {
    match proxy {
        Proxy::Environment if is_loopback(&url.origin().host) || is_excepted(url) => None,
        Proxy::Environment => Some(Arc::new(Matcher::from_env())),
        Proxy::Off => None,
        Proxy::Url(proxy) => Some(Arc::new(Matcher::builder().all(proxy.as_str()).build())),
    }
}

/// Whether `NO_PROXY` excepts a URL. The matcher reads some forms only: those of curl, Go and undici are more.
fn is_excepted(url: &Address) -> bool {
    let list = ["NO_PROXY", "no_proxy"].into_iter().find_map(|name| std::env::var(name).ok());
    list.is_some_and(|list| excepts(&list, &url.origin().host, url.origin().port))
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

fn tls_settings(keys: TlsKeys) -> Result<TlsSettings, Error> {
    if keys.ca_file.is_none() && !keys.system_roots {
        return Err(wrong("tls.system_roots", "nothing would be trusted: give tls.ca_file"));
    }
    let identity = match (keys.client_certificate, keys.client_key) {
        (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
        (None, None) => None,
        _ => return Err(wrong("tls.client_certificate", "it goes together with tls.client_key")),
    };
    let system_roots = keys.system_roots.then(SystemRoots::of_environment);
    Ok(TlsSettings { ca_file: keys.ca_file.map(Into::into), system_roots, identity })
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
    fn the_machine_itself_is_reached_without_a_proxy() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "api.localhost"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["localhost.example", "10.0.0.1", "[::2]", "127.0.0.1.example"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
