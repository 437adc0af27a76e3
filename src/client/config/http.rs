//! A server that is reached by a URL.

use super::fields::{Fields, wrong};
use super::limits::Around;
use crate::engine::Error;
use crate::transport::http::address::Address;
use crate::transport::http::header;
use crate::transport::http::roots::SystemRoots;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use hyper_util::client::proxy::matcher::Matcher;
use std::sync::Arc;
use std::time::Duration;

/// Idle connections kept.
const IDLE_CONNECTIONS: u64 = 64;
/// How long: less than the time after which servers usually close them.
const IDLE_TIME: Duration = Duration::from_secs(55);

/// How often an HTTP/2 connection is asked whether it is alive: twice that is less than the time of a call.
const PING: Duration = Duration::from_secs(10);

/// Reads the keys that go with `url`.
pub(super) fn read(fields: &mut Fields<'_>, around: &Around<'_>) -> Result<HttpSettings, Error> {
    let text = fields.string("url")?.unwrap_or_default();
    let url = Address::parse(&text)
        .map_err(|why| wrong("url", format!("'{}' cannot be used: {why}", shown(&text))))?;
    let object = fields.object("http")?.unwrap_or_default();
    let mut inner = Fields::new("http.", &object);
    let idle_connections = inner.integer("idle_connections", 0, 10_000)?.unwrap_or(IDLE_CONNECTIONS);
    let idle_time = inner.millis("idle_ms")?.unwrap_or(IDLE_TIME);
    let compression = inner.boolean("compression")?.unwrap_or(true);
    let ping = inner.millis("ping_ms")?.unwrap_or(PING);
    let remember_era = inner.boolean("remember_era")?.unwrap_or(true);
    inner.finish()?;
    let unix_socket = fields.string("unix_socket")?.map(Into::into);
    Ok(HttpSettings {
        headers: read_headers(fields, around.authorizes)?,
        proxy: read_proxy(fields, &url)?,
        unix_socket,
        tls: read_tls(fields)?,
        header_bytes: around.limits.header_bytes,
        message_bytes: around.limits.frame_bytes,
        connect: around.connect,
        compression,
        idle_connections: usize::try_from(idle_connections).unwrap_or(usize::MAX),
        idle_time,
        ping,
        remember_era,
        resume_attempts: around.stream_attempts,
        url,
    })
}

/// A URL as it may be shown: some have their keys in it.
fn shown(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

fn read_headers(fields: &mut Fields<'_>, authorizes: bool) -> Result<Vec<(String, String)>, Error> {
    let headers = fields.string_map("headers")?.unwrap_or_default();
    for (name, value) in &headers {
        header::check(name, value, authorizes)
            .map_err(|why| wrong(&format!("headers.{name}"), why.to_string()))?;
    }
    Ok(headers)
}

/// The proxy, from the config or from the environment; never for the machine itself unless the config says so.
fn read_proxy(fields: &mut Fields<'_>, url: &Address) -> Result<Option<Arc<Matcher>>, Error> {
    let value = fields.value("proxy");
    match value {
        None if is_loopback(&url.origin().host) => Ok(None),
        None => Ok(Some(Arc::new(Matcher::from_env()))),
        Some(serde_json::Value::Bool(false)) => Ok(None),
        Some(serde_json::Value::String(proxy)) => {
            let has_scheme = proxy.starts_with("http://");
            if !has_scheme || proxy.len() == "http://".len() {
                return Err(wrong("proxy", "it is no http:// URL; other proxies are not supported"));
            }
            Ok(Some(Arc::new(Matcher::builder().all(proxy.as_str()).build())))
        }
        Some(other) => Err(wrong("proxy", format!("{other} is neither false nor a URL"))),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost"
        || bare.ends_with(".localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

fn read_tls(fields: &mut Fields<'_>) -> Result<TlsSettings, Error> {
    let object = fields.object("tls")?.unwrap_or_default();
    let mut inner = Fields::new("tls.", &object);
    let ca_file = inner.string("ca_file")?.map(Into::into);
    let system_roots = inner.boolean("system_roots")?.unwrap_or(true);
    let certificate = inner.string("client_certificate")?;
    let key = inner.string("client_key")?;
    inner.finish()?;
    if ca_file.is_none() && !system_roots {
        return Err(wrong("tls.system_roots", "nothing would be trusted: give tls.ca_file"));
    }
    let identity = match (certificate, key) {
        (Some(certificate), Some(key)) => Some((certificate.into(), key.into())),
        (None, None) => None,
        _ => return Err(wrong("tls.client_certificate", "it goes together with tls.client_key")),
    };
    let system_roots = system_roots.then(SystemRoots::of_environment);
    Ok(TlsSettings { ca_file, system_roots, identity })
}

#[cfg(test)]
mod tests {
    use super::*;

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
