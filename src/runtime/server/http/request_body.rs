//! The body of a request: as it comes over a connection of ours, or from the HTTP server of the program, whole or in parts.

use super::hosted::FedBody;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// The body of a request.
#[derive(Debug)]
pub(super) enum RequestBody {
    /// It comes over a connection.
    Received(Incoming),
    /// All of it. One that is longer than it may be is not copied: only its length is known.
    Given { bytes: Option<Bytes>, length: u64 },
    /// The program gives it in parts, each when the endpoint asks for it.
    Fed(FedBody),
}

impl RequestBody {
    /// A body of which at most so many bytes are copied.
    pub(super) fn given(body: &[u8], most: usize) -> RequestBody {
        let bytes = (!body.is_empty() && body.len() <= most).then(|| Bytes::copy_from_slice(body));
        RequestBody::Given { bytes, length: body.len() as u64 }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match self.get_mut() {
            RequestBody::Received(body) => Pin::new(body).poll_frame(context),
            RequestBody::Given { bytes, .. } => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            RequestBody::Fed(body) => body.poll_part().map(|part| part.map(|part| Ok(Frame::data(part)))),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            RequestBody::Received(body) => body.size_hint(),
            RequestBody::Given { length, .. } => SizeHint::with_exact(*length),
            RequestBody::Fed(body) => body.size_hint(),
        }
    }
}
