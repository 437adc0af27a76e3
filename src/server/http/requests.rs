//! Requests that an HTTP server of the program has taken.

use super::{Exchange, Hosted, Notice, RequestParts};
use crate::engine::{Error, Status};
use crate::server::Server;
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
    ) -> Result<Arc<Exchange>, Error> {
        Ok(self.hosted(parts, "server_http")?.serve(parts, body, notice))
    }

    /// The same for a request of which only the head was read: the program gives the body in parts, if the head is accepted. `peer`
    /// is who sent it; it may be empty.
    ///
    /// # Errors
    /// As [`Server::http`].
    pub(crate) fn http_begin(
        &self,
        parts: &RequestParts<'_>,
        peer: &str,
        notice: Option<Notice>,
    ) -> Result<Arc<Exchange>, Error> {
        Ok(self.hosted(parts, "server_http_begin")?.begin(parts, peer, notice))
    }

    fn hosted(&self, parts: &RequestParts<'_>, operation: &'static str) -> Result<Arc<Hosted>, Error> {
        self.serving.may_serve()?;
        self.http.hosted_at(&parts.path()).ok_or_else(|| {
            let what = "no URL is served inside the program's HTTP server: call mcp_server_serve() with {\"url\":...,\"listen\":false} first";
            Error::new(Status::InvalidArgument, operation, what)
        })
    }
}
