//! The end of a transport, and of the session with it.

use super::HttpLink;
use super::send::{Purpose, SESSION_END};
use crate::engine::Level;
use crate::protocol::Era;
use crate::runtime::lock;
use crate::transport::http::request::{self, Speaking};
use hyper::Method;
use hyper::body::Bytes;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl HttpLink {
    /// Ends everything that is under way, and the session with it, within a time.
    pub(crate) fn shut(self: &Arc<Self>, by: Option<Instant>) {
        let guard = lock(&self.guard).take();
        {
            let mut tasks = lock(&self.tasks);
            tasks.ended = true;
            tasks.notices.clear();
            for (_, task) in tasks.exchanges.drain() {
                task.abort();
            }
            for task in tasks.others.drain(..) {
                task.abort();
            }
        }
        let Some(connection) = self.connection() else { return };
        let Some(runtime) = self.runtime.upgrade() else { return };
        let most = connection.context().transport.close;
        let limit = by.map_or(most, |by| by.saturating_duration_since(Instant::now()).min(most));
        let link = Arc::clone(self);
        runtime.spawn(async move {
            link.end_session(limit).await;
            // The sockets of what was aborted close when their tasks are dropped, which is before this goes on.
            tokio::task::yield_now().await;
            drop(guard);
        });
    }

    /// Tells the server that the session is over (2025-11-25 `basic/transports`). Whatever it says is well.
    async fn end_session(&self, limit: Duration) {
        let Some((session, revision)) = lock(&self.session).take() else { return };
        if limit.is_zero() || revision.era() == Era::Modern {
            return;
        }
        let headers = request::delete(Speaking { revision, initialized: true, session: Some(&session) });
        let purpose = Purpose::of(SESSION_END);
        let sent = self.request(Method::DELETE, self.target(), &headers, Bytes::new(), purpose);
        let outcome = match tokio::time::timeout(limit, sent).await {
            Ok(Ok(received)) => Value::from(received.status),
            Ok(Err(failure)) => Value::from(failure.error.message),
            Err(_) => Value::from("no answer in time"),
        };
        self.log(Level::Debug, "session.ended", &[("answer", outcome)]);
    }
}
