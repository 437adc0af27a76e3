//! What stands for the network in a simulation: requests go and answers come as values, without connections.

pub use crate::transport::http::error::Unanswered;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::HeaderMap;
use hyper::{Method, Uri};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::UnboundedReceiver;

/// The parts of a body, as they come; an error breaks it off.
pub type Parts = UnboundedReceiver<Result<Bytes, String>>;
/// The head of an answer, and its body.
pub type Answered = (u16, HeaderMap, Parts);
/// A request on its way.
pub type Sending = Pin<Box<dyn Future<Output = Result<Answered, Unanswered>> + Send>>;

/// What requests go through.
pub trait Network: Send + Sync + fmt::Debug {
    /// Sends a request. One that `repeats` may be sent once more when its connection is lost.
    fn send(&self, method: Method, path: Uri, headers: HeaderMap, body: Bytes, repeats: bool) -> Sending;
}

/// Where a body comes from.
#[derive(Debug)]
pub enum Source {
    /// A connection.
    Received(Incoming),
    /// A simulation.
    Simulated(Parts),
}

/// Why a body breaks off.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// As hyper says.
    #[error(transparent)]
    Hyper(#[from] hyper::Error),
    /// As the simulation says.
    #[error("{0}")]
    Simulated(String),
}

impl Body for Source {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match self.get_mut() {
            Source::Received(body) => {
                Pin::new(body).poll_frame(cx).map(|frame| frame.map(|frame| frame.map_err(Broken::Hyper)))
            }
            Source::Simulated(parts) => parts
                .poll_recv(cx)
                .map(|part| part.map(|part| part.map(Frame::data).map_err(Broken::Simulated))),
        }
    }
}
