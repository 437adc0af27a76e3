//! A connection is opened: over Streamable HTTP there is nothing to open, over HTTP+SSE the stream on which everything comes.

use super::HttpLink;
use super::HttpRuntime;
use super::faults;
use super::send::Purpose;
use super::shared::HttpShared;
use super::stream::{End, Reading};
use super::transport_guard::TransportGuard;
use crate::engine::{Error, Shape, Status};
use crate::protocol::Revision;
use crate::runtime::lock;
use crate::transport::http::client::{Place, Received};
use crate::transport::http::request::{self, Speaking};
use crate::transport::http::response::{self, Answer, Sent};
use crate::transport::sse::Piece;
use hyper::Method;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Opens the transport that `guard` stands for.
pub(super) async fn open(
    guard: TransportGuard,
    shape: Shape,
    shared: Arc<HttpShared>,
    runtime: Weak<HttpRuntime>,
) {
    let generation = guard.generation;
    let weak = Weak::clone(&guard.owner);
    let failed = |error: Error| {
        if let Some(connection) = weak.upgrade() {
            connection.failed_to_start(generation, error);
        }
    };
    let limit = shared.settings.connect;
    let link = match shared.make_link(guard, shape, runtime) {
        Ok(link) => Arc::new(link),
        Err(error) => return failed(error),
    };
    match shape {
        Shape::Streamable => present(&link, &shared),
        Shape::Sse => match tokio::time::timeout(limit, endpoint(&link)).await {
            Ok(Ok(reading)) => {
                present(&link, &shared);
                drop(shared);
                listen(&link, reading).await;
            }
            Ok(Err(error)) => failed(error),
            Err(_) => failed(slow(limit)),
        },
    }
}

fn slow(limit: Duration) -> Error {
    let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    let message = format!(
        "the server's event stream did not begin within {limit} ms with the event 'endpoint' (timeouts.connect_ms)"
    );
    Error::new(Status::Timeout, "connect", message).with("limit_ms", limit)
}

fn present(link: &Arc<HttpLink>, shared: &HttpShared) {
    let Some(connection) = link.connection() else { return };
    if !connection.opened(link.generation, &mut || *lock(&shared.link) = Some(Arc::clone(link))) {
        link.shut(None);
    }
}

/// Opens the stream of 2024-11-05 and waits for its first event, which says where to post.
async fn endpoint(link: &Arc<HttpLink>) -> Result<Reading, Error> {
    let speaking = Speaking { revision: Revision::V2024_11_05, initialized: false, session: None };
    let headers = request::get(speaking, None);
    let purpose = Purpose::of("connect");
    let sent = link.request(Method::GET, &link.place, &headers, hyper::body::Bytes::new(), purpose).await;
    let mut received: Received = sent.map_err(|failure| failure.error)?;
    match response::by_head(Sent::Listen, received.head(false)) {
        Some(Answer::EventStream) => {}
        _ => {
            let context = link.context("connect");
            return Err(faults::read(Sent::Listen, &mut received, false, &context).await.error);
        }
    }
    let mut reading = Reading::new(received.body, link.bounds());
    loop {
        match reading.next().await {
            Ok(Some(Piece::Event(event))) if event.kind == "endpoint" => {
                let text = String::from_utf8_lossy(&event.data);
                let to = link.place.address().join(text.trim_ascii());
                let refused = |why: String| {
                    Error::new(
                        Status::Protocol,
                        "connect",
                        format!("the server's event 'endpoint' names '{text}': {why}"),
                    )
                };
                let to = to.map_err(|why| refused(why.to_string()))?;
                if to.origin() != link.place.address().origin() {
                    return Err(refused(format!(
                        "that is another origin than {}, which would get what was meant for this server",
                        link.place.address().origin()
                    )));
                }
                link.post_to(Place::new(to).map_err(refused)?);
                return Ok(reading);
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                let what = "the server's event stream ended before it said where to post (event 'endpoint')";
                return Err(Error::new(Status::Protocol, "connect", what));
            }
            Err(why) => return Err(Error::new(Status::Transport, "connect", why.to_string())),
        }
    }
}

/// Everything that a server of 2024-11-05 says comes here, and with the stream the connection ends.
async fn listen(link: &Arc<HttpLink>, mut reading: Reading) {
    let end = link.read(&mut reading, None).await;
    let why = match end {
        End::Gone | End::Answered => return,
        End::Ended => "the server ended its event stream".to_owned(),
        End::Broken(why) => format!("the server's event stream was lost: {why}"),
    };
    if let Some(connection) = link.connection() {
        connection.lost(link.generation, Error::new(Status::Transport, "connection", why));
    }
}
