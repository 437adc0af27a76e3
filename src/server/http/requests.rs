//! Requests that an HTTP server of the program has taken.

use super::{Hosted, HostedExchange, Notice, RequestParts};
use crate::engine::{Error, Status};
use crate::server::Server;
use crate::shares::Holder;
use std::net::SocketAddr;
use std::sync::Arc;

impl Server {
    /// Serves a request that an HTTP server of the program has taken. What is wrong with it is in the answer.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when no URL is served inside the program's HTTP server; `CLOSED`.
    pub(crate) fn http(
        &self,
        parts: &RequestParts<'_>,
        body: &[u8],
        notice: Option<Notice>,
    ) -> Result<Arc<HostedExchange>, Error> {
        Ok(self.hosted(parts, "server_http")?.serve(parts, body, notice))
    }

    /// The same for a request of which only the head was read: the program gives the body in parts, if the head is accepted. `peer`
    /// is the address of the sender, with or without a port; anything else is not known.
    ///
    /// # Errors
    /// As [`Server::http`].
    pub(crate) fn http_begin(
        &self,
        parts: &RequestParts<'_>,
        peer: &str,
        notice: Option<Notice>,
    ) -> Result<Arc<HostedExchange>, Error> {
        Ok(self.hosted(parts, "server_http_begin")?.begin(parts, &holder_at(peer), notice))
    }

    fn hosted(&self, parts: &RequestParts<'_>, operation: &'static str) -> Result<Arc<Hosted>, Error> {
        self.serving.may_serve()?;
        self.http.hosted_at(&parts.path()).ok_or_else(|| {
            let what = "no URL is served inside the program's HTTP server: call mcp_server_serve() with {\"url\":...,\"listen\":false} first";
            Error::new(Status::InvalidArgument, operation, what)
        })
    }
}

/// Who sends from an address that the program's HTTP server names.
fn holder_at(peer: &str) -> Holder {
    let address = peer.parse().or_else(|_| peer.parse().map(|with_port: SocketAddr| with_port.ip()));
    address.map_or(Holder::Unknown, Holder::at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_known_by_its_address_with_or_without_a_port() {
        let one = Holder::at("127.0.0.1".parse().expect("an address"));
        for peer in ["127.0.0.1", "127.0.0.1:80", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]:9"] {
            assert_eq!(holder_at(peer), one, "{peer}");
        }
        for peer in ["", "localhost", "unix:/x", "127.0.0.1:"] {
            assert_eq!(holder_at(peer), Holder::Unknown, "{peer}");
        }
    }
}
