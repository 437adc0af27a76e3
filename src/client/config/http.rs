//! A server that is reached by a URL.

use super::keys::EndpointContext;
use super::keys::{HttpKeys, Proxy, TlsKeys};
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::transport::http::address::{Address, BadAddress, without_passwords};
use crate::transport::http::header;
use crate::transport::http::roots::SystemRoots;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use hyper_util::client::proxy::matcher::Matcher;
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

/// Whether `NO_PROXY` excepts a URL in a form that curl, Go and undici read and the matcher does not: `*.domain`, `host:port`.
fn is_excepted(url: &Address) -> bool {
    let list = ["NO_PROXY", "no_proxy"].into_iter().find_map(|name| std::env::var(name).ok());
    list.is_some_and(|list| excepts(&list, &url.origin().host, url.origin().port))
}

fn excepts(list: &str, host: &str, port: u16) -> bool {
    list.split([',', ' ']).filter(|entry| !entry.is_empty()).any(|entry| {
        let (name, wanted) = match entry.rsplit_once(':') {
            Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, port.parse().ok()),
            _ => (entry, Some(port)),
        };
        let name = name.trim_start_matches('*').trim_start_matches('.');
        let is_below = || {
            let rest = host.len().checked_sub(name.len() + 1);
            rest.is_some_and(|at| host.as_bytes()[at] == b'.' && host[at + 1..].eq_ignore_ascii_case(name))
        };
        wanted == Some(port) && !name.is_empty() && (host.eq_ignore_ascii_case(name) || is_below())
    })
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost"
        || bare.ends_with(".localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
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

    #[test]
    fn no_proxy_has_the_forms_of_curl_go_and_undici() {
        let excepts = |list: &str| excepts(list, "tides.example.com", 8085);
        for list in [
            "*.example.com",
            ".example.com",
            "EXAMPLE.com:8085",
            "a, tides.example.com:8085",
            "example.com x",
        ] {
            assert!(excepts(list), "{list}");
        }
        for list in ["", "tides.example.com:80", "des.example.com", "*.other.com", "[::1]:8085", "::1", "a:b"]
        {
            assert!(!excepts(list), "{list}");
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
