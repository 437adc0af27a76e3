//! The body of an answer: a text, or events as they come.

use super::limits::ListenPlace;
use super::response_stream::StreamSource;
use super::sessions::HttpSession;
use crate::engine::server::Stream;
use crate::runtime::server::Serving;
use crate::runtime::server::budget::{Account, Charge};
use crate::transport::http_server::event_stream;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The body of an answer.
#[derive(Debug)]
pub(super) enum ServerBody {
    /// All of it, and what counts it.
    Whole(Option<Bytes>, Account),
    /// Events.
    Events(Box<Events>),
}

/// Events as they come, with comments while none does.
#[derive(Debug)]
pub(super) struct Events {
    /// What goes out before the next message.
    first: Bytes,
    pub(super) reader: StreamReader,
    pub(super) every: Duration,
    /// The place among the subscriptions of its connection, if it is one.
    pub(super) place: Option<ListenPlace>,
    timer: Pin<Box<Sleep>>,
    /// When it ends at the latest.
    end: Option<Pin<Box<Sleep>>>,
}

/// The client did not read, or the server gave the stream up: the connection ends without the end of the body.
#[derive(Debug, thiserror::Error)]
#[error("the client did not read what was sent to it")]
pub(super) struct Cut;

impl Events {
    pub(super) fn new(
        first: Bytes,
        reader: StreamReader,
        every: Duration,
        until: Option<std::time::Instant>,
    ) -> Events {
        let end = until.map(|until| Box::pin(tokio::time::sleep_until(until.into())));
        Events { first, reader, every, place: None, timer: Box::pin(tokio::time::sleep(every)), end }
    }
}

/// Bytes on their way to a client, which are counted until the last part of them is gone.
struct ChargedBytes {
    bytes: Vec<u8>,
    _charge: Charge,
}

impl AsRef<[u8]> for ChargedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes that are counted wherever they wait, also where HTTP keeps parts of them.
pub(super) fn counted(bytes: Vec<u8>, charge: Charge) -> Bytes {
    Bytes::from_owner(ChargedBytes { bytes, _charge: charge })
}

/// How much of a text goes out at a time: the rest stays here, where it shows that the client does not take it.
const PART: usize = 64 * 1024;

/// The next part of a text.
fn part(text: &mut Option<Bytes>, account: &Account) -> Option<Bytes> {
    let all = text.as_mut()?;
    if all.len() <= PART {
        return text.take();
    }
    account.moves(PART);
    Some(all.split_to(PART))
}

impl ServerBody {
    pub(super) fn empty() -> ServerBody {
        ServerBody::Whole(None, Account::default())
    }

    pub(super) fn text(text: Vec<u8>) -> ServerBody {
        ServerBody::Whole(Some(Bytes::from(text)), Account::default())
    }

    /// A text whose bytes are counted.
    pub(super) fn counted(text: Vec<u8>, charge: Charge) -> ServerBody {
        let account = charge.account().clone();
        ServerBody::Whole(Some(counted(text, charge)), account)
    }
}

impl Body for ServerBody {
    type Data = Bytes;
    type Error = Cut;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cut>>> {
        let events = match self.get_mut() {
            ServerBody::Whole(text, account) => {
                return Poll::Ready(part(text, account).map(|part| Ok(Frame::data(part))));
            }
            ServerBody::Events(events) => events,
        };
        if !events.first.is_empty() {
            let first = std::mem::take(&mut events.first);
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        if events.end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready()) {
            return Poll::Ready(None);
        }
        match events.reader.source.poll(context) {
            Poll::Ready(Some(message)) => {
                let deadline = Instant::now() + events.every;
                events.timer.as_mut().reset(deadline);
                let (event, charge) = message.event();
                Poll::Ready(Some(Ok(Frame::data(counted(event, charge)))))
            }
            Poll::Ready(None) if events.reader.source.was_cut() => Poll::Ready(Some(Err(Cut))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => match events.timer.as_mut().poll(context) {
                Poll::Ready(()) => {
                    let deadline = Instant::now() + events.every;
                    events.timer.as_mut().reset(deadline);
                    Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(event_stream::KEEP_ALIVE)))))
                }
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, ServerBody::Whole(None, _))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            ServerBody::Whole(text, _) => {
                SizeHint::with_exact(text.as_ref().map_or(0, |text| text.len() as u64))
            }
            ServerBody::Events(_) => SizeHint::default(),
        }
    }
}

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
