//! What an application may say of the HTTP transport.

use super::address::Address;
use super::proxy::Proxies;
pub use super::tls::TlsSettings;
use crate::protocol::draft::Drafts;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything the HTTP transport needs to know.
#[derive(Clone)]
pub struct HttpSettings {
    /// The server's one URL.
    pub url: Address,
    /// Headers of the application's own, checked; their values may be secret.
    pub headers: Vec<(String, String)>,
    /// Connect here instead of to the URL's host.
    pub unix_socket: Option<PathBuf>,
    /// Which requests go through a proxy. Read from the environment when the client was made, on the thread that made it.
    pub proxy: Option<Arc<Proxies>>,
    /// TLS.
    pub tls: TlsSettings,
    /// Bytes of the headers of an answer.
    pub header_bytes: usize,
    /// Bytes of one message, after decompression.
    pub message_bytes: usize,
    /// How long a connection may take to be made, TLS and proxy included.
    pub connect: Duration,
    /// Whether answers may come compressed.
    pub compression: bool,
    /// Whether cookies that the server sets are sent back to it.
    pub cookies: bool,
    /// Idle connections kept for the next request.
    pub idle_connections: usize,
    /// How long.
    pub idle_time: Duration,
    /// How often an HTTP/2 connection is asked whether it is alive while something is under way on it, and how long it may
    /// take to say so.
    pub ping: Duration,
    /// Whether what was found out about the server's era is there for other clients, and the other way round.
    pub remember_era: bool,
    /// Attempts in a row to take up a broken stream again, without anything new on it.
    pub resume_attempts: u32,
    /// The drafts that are on.
    #[cfg_attr(not(feature = "draft"), expect(dead_code, reason = "only drafts ask"))]
    pub draft: Drafts,
}

impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("HttpSettings")
            .field("url", &self.url)
            .field("headers", &names)
            .finish_non_exhaustive()
    }
}
