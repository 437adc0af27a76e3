//! Requests that an HTTP server of the program has taken.

use super::{Exchange, Notice, RequestParts};
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
        self.serving.may_serve()?;
        let hosted = self.http.hosted_at(&parts.path()).ok_or_else(|| {
            let what = "no URL is served inside the program's HTTP server: call mcp_server_serve() with {\"url\":...,\"listen\":false} first";
            Error::new(Status::InvalidArgument, "server_http", what)
        })?;
        Ok(hosted.serve(parts, body, notice))
    }
}
