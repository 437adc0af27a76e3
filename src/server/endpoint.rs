//! The keys of an endpoint: where and how a server serves.

use crate::config::define::settings;
use crate::config::kinds::{Flag, Optional, Text};
#[cfg(any(feature = "http", test))]
use crate::config::kinds::{Section, Texts};
use crate::engine::{Error, Status};
use crate::transport::socket::listen::{ListenRefused, RefusedFor};

settings! {
    /// An endpoint over bytes.
    StreamKeys {
        /// the standard streams of the process; this, `url` or `socket`
        stdio: Option<bool> = Optional(Flag), None;
        /// descriptor 1 leads to descriptor 2 and descriptor 0 to `/dev/null` until the server ends, so that printing cannot corrupt the
        /// protocol
        protect: bool = Flag, true;
        /// `"unix:PATH"` or `"tcp:HOST:PORT"`: clients connect, each is a session
        socket: Option<String> = Optional(Text), None;
        /// an address that other machines reach is served, too
        beyond_loopback: bool = Flag, false;
        /// a Unix socket takes no client of another user, root's neither
        same_user: bool = Flag, false;
    }
}

#[cfg(any(feature = "http", test))]
settings! {
    /// A server card (SEP-2127).
    #[derive(Debug)]
    CardKeys {
        /// the reversed name of your domain, a slash and the name of the server; necessary
        name: Option<String> = Optional(Text), None;
        /// what the server is for; without it that of the server
        description: Option<String> = Optional(Text), None;
        /// the public URL, if it is another one than the one that is served
        url: Option<String> = Optional(Text), None;
    }
}

#[cfg(any(feature = "http", test))]
settings! {
    /// An endpoint over HTTP.
    UrlKeys {
        /// `http://HOST:PORT/PATH` or `https://HOST:PORT/PATH`: Streamable HTTP, every revision that has it
        url: Option<String> = Optional(Text), None;
        /// permitted values of `Host`, besides those of this machine; beyond loopback besides the host of the URL and addresses
        hosts: Option<Vec<String>> = Optional(Texts), None, "`[]`";
        /// origins of pages in browsers that may use the server, such as `https://app.example.com`
        origins: Option<Vec<String>> = Optional(Texts), None, "`[]`";
        /// the path of HTTP+SSE of 2024-11-05, beside Streamable HTTP
        sse: Option<String> = Optional(Text), None;
        /// the certificate of a URL with `https`, a PEM file
        certificate_file: Option<String> = Optional(Text), None;
        /// its private key, a PEM file
        key_file: Option<String> = Optional(Text), None;
        /// the library accepts connections. Without, an HTTP server of the program gives requests to `mcp_server_http`
        listen: Option<bool> = Optional(Flag), None, "`true`";
        /// the path at which the health of the server is told
        health: Option<String> = Optional(Text), None;
        /// the path at which counters are told, for Prometheus
        metrics: Option<String> = Optional(Text), None;
        /// a server card is served (SEP-2127)
        card: Option<CardKeys> = Optional(Section::<CardKeys>::NEW), None;
    }
}

/// An address that cannot be listened on.
pub(super) fn unbound(refused: ListenRefused) -> Error {
    let status = match refused.reason {
        RefusedFor::InUse | RefusedFor::System => Status::Unavailable,
        _ => Status::InvalidArgument,
    };
    Error::new(status, "server_serve", refused.message)
}
