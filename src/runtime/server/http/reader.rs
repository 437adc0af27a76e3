//! The end of a stream that a client reads.

use super::channel::StreamSource;
use super::session::HttpSession;
use crate::engine::server::Stream;
use crate::runtime::server::Serving;
use std::sync::{Arc, Weak};

/// The end of a stream that a client reads. Dropping it says that the client is gone, or has everything.
#[derive(Debug)]
pub(super) struct StreamReader {
    pub(super) source: StreamSource,
    pub(super) stream: Stream,
    pub(super) session: Arc<HttpSession>,
    pub(super) serving: Weak<Serving>,
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.session.left(self.stream.number, &self.source);
        self.session.end_writing();
        if let Some(serving) = self.serving.upgrade() {
            serving.http_left(&self.session, self.stream);
        }
    }
}
