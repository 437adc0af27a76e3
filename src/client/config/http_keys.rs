//! The keys that go with `url`. A build without HTTP knows their names, to say what they belong to.

#![cfg_attr(not(feature = "http"), expect(dead_code, reason = "only their names are used"))]

use crate::config::define::settings;
use crate::config::fields::wrong;
use crate::config::kinds::{Flag, Millis, Optional, Parsed, Section, Size, Text, TextsByName};
use crate::engine::Error;
use serde_json::Value;
use std::time::Duration;

settings! {
    /// The keys that go with `url`.
    HttpKeys {
        /// headers for every request to this origin, such as `Authorization`. They are never logged and never sent to
        /// another origin. Those that the protocol, HTTP or the library sets (`Mcp-*`, `Accept`, `Content-*`, `Host`,
        /// `Connection`, …) are refused, and so are line breaks
        headers: Vec<(String, String)> = TextsByName, Vec::new();
        /// connect to this Unix socket instead of to the URL's host
        unix_socket: Option<String> = Optional(Text), None;
        /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read when the client is made. Without this key the
        /// machine itself (`localhost`, `127.0.0.0/8`, `::1`) is never reached through a proxy. With it every request
        /// goes there, also one for `http://localhost` with a token in it: do not set it for such a URL. Name and password
        /// may stand in the proxy's URL. With `socks5h` the proxy looks names up, with `socks5` this machine does
        proxy: Proxy =
            Parsed(&["boolean", "string"], "`false`, or a `http://`, `socks5://` or `socks5h://` URL", proxy),
            Proxy::Environment, "the environment";
        /// what TLS trusts and shows
        tls: TlsKeys = Section::<TlsKeys>::NEW, TlsKeys::default();
        /// connections
        http: ConnectionKeys = Section::<ConnectionKeys>::NEW, ConnectionKeys::default();
    }
}

settings! {
    /// What TLS trusts and shows.
    TlsKeys {
        /// a PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login too
        ca_file: Option<String> = Optional(Text), None;
        /// whether those of the system are trusted (too). Where they are (`SSL_CERT_FILE`, `SSL_CERT_DIR`, or the places
        /// of the system) is found out when the client is made
        system_roots: bool = Flag, true;
        /// a PEM file: the certificate to show to a server that asks for one; with `client_key`
        client_certificate: Option<String> = Optional(Text), None;
        /// a PEM file: the key of `client_certificate`
        client_key: Option<String> = Optional(Text), None;
    }
}

settings! {
    /// Connections over HTTP.
    ConnectionKeys {
        /// whether answers may come compressed (gzip, brotli)
        compression: bool = Flag, true;
        /// whether cookies that the server sets (of load balancers, say) are sent back to it: to its exact origin only, while
        /// the client lives and its login stays the same, at most 32 with 6 KiB. They are never stored. False ignores them
        cookies: bool = Flag, true;
        /// idle connections kept for the next request
        idle_connections: usize = Size(0, 10_000), 64;
        /// how long they are kept. The default is less than the time after which servers usually close them
        idle_ms: Duration = Millis, Duration::from_secs(55);
        /// over HTTP/2: how often a connection is asked whether it is alive while something is under way on it, and how
        /// long the answer may take. Twice the default is less than the time of a call
        ping_ms: Duration = Millis, Duration::from_secs(10);
        /// whether this client uses what others of the process found out about the era of the server at this URL, and
        /// tells them
        remember_era: bool = Flag, true;
    }
}

/// Which proxy requests go through.
pub(crate) enum Proxy {
    /// The one that the environment names, except for this machine itself.
    Environment,
    /// None.
    Off,
    /// The one at this URL.
    Url(String),
}

fn proxy(key: &str, value: &Value) -> Result<Proxy, Error> {
    match value {
        Value::Bool(false) => Ok(Proxy::Off),
        Value::String(url) => match url.split_once("://") {
            Some(("http" | "socks5" | "socks5h", rest)) if !rest.is_empty() => Ok(Proxy::Url(url.clone())),
            _ => Err(wrong(
                key,
                "it is not an http://, socks5:// or socks5h:// URL; other proxies are not supported",
            )),
        },
        other => Err(wrong(key, format!("{other} is neither false nor a URL"))),
    }
}
