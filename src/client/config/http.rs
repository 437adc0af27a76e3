//! A server that is reached by a URL.

use super::keys::EndpointContext;
use super::keys::{HttpKeys, Proxy, TlsKeys};
use crate::config::fields::wrong;
use crate::engine::Error;
use crate::protocol::Revision;
use crate::transport::http::address::{Address, BadAddress, without_password};
use crate::transport::http::header;
use crate::transport::http::proxy::Proxies;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use crate::transport::http::tls::SystemRoots;
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
    // White space around a value is no part of it (RFC 9110, section 5.5), and a token that was read from a file ends in a line break.
    for (_, value) in &mut headers {
        *value = value.trim_matches([' ', '\t', '\r', '\n']).to_owned();
    }
    headers.retain(|(name, value)| !says_what_is_sent(name, value));
    for (name, value) in &headers {
        header::check(name, value, context.authorizes)
            .map_err(|why| wrong(&format!("headers.{name}"), why.to_string()))?;
    }
    Ok(HttpSettings {
        headers,
        proxy: proxies(&proxy),
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
        draft: context.draft,
        url,
    })
}

/// A URL as it may be shown: some have their keys or a password in it.
fn shown(url: &str) -> String {
    without_password(url).split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// Whether a header that the library sends or agrees on itself has nothing else in it than that: files of other programs have these, as
/// they are copied from examples of requests.
fn says_what_is_sent(name: &str, value: &str) -> bool {
    const TYPES: &[&str] = &["application/json", "text/event-stream", "*/*"];
    let known = match name.to_ascii_lowercase().as_str() {
        header::ACCEPT | header::CONTENT_TYPE => TYPES,
        "accept-encoding" => &["gzip", "br", "deflate", "zstd", "identity", "*"],
        "connection" => &["keep-alive"],
        header::MCP_PROTOCOL_VERSION => return Revision::parse(value.trim()).is_some(),
        _ => return false,
    };
    value.split(',').all(|part| {
        let part = part.split(';').next().unwrap_or_default().trim();
        known.iter().any(|known| known.eq_ignore_ascii_case(part))
    })
}

/// What chooses the proxy.
fn proxies(proxy: &Proxy) -> Option<Arc<Proxies>> {
    match proxy {
        Proxy::Environment => Some(Arc::new(Proxies::of_environment())),
        Proxy::Off => None,
        Proxy::Url(proxy) => Some(Arc::new(Proxies::always(proxy))),
    }
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
    fn headers_that_say_what_is_sent_or_agreed_on_anyway_are_no_error() {
        for (name, value, is_said) in [
            ("Accept", "application/json, text/event-stream", true),
            ("content-type", "application/json; charset=utf-8", true),
            ("Accept", "text/html", false),
            ("Accept-Encoding", "gzip, deflate;q=0.5, BR", true),
            ("Accept-Encoding", "x-own", false),
            ("Connection", "Keep-Alive", true),
            ("Connection", "close", false),
            ("MCP-Protocol-Version", "2025-06-18", true),
            ("MCP-Protocol-Version", "draft", false),
            ("Mcp-Session-Id", "a", false),
            ("X-Own", "gzip", false),
        ] {
            assert_eq!(says_what_is_sent(name, value), is_said, "{name}: {value}");
        }
    }

    #[test]
    fn white_space_around_a_header_is_no_part_of_it() {
        let config = |value: &str| {
            let config = serde_json::json!({"url": "https://a.example/mcp", "headers": {"X-Own": value}});
            super::super::Config::parse(&config.to_string())
        };
        assert!(config(" Bearer a b\r\n").is_ok());
        let Err(inside) = config("Bearer a\nX-Other: b") else { panic!("it is refused") };
        assert!(inside.message.contains("line break"), "{}", inside.message);
    }
}
