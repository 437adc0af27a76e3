//! Reading an event stream: message after message to the engine, no faster than the application takes them.

use super::HttpTransport;
use crate::json;
use crate::json::MAX_DEPTH;
use crate::transport::framing;
use crate::transport::http::body::{Body, BodyError};
use crate::transport::http::response;
use crate::transport::sse::{Bounds, Event, EventTooLarge, Parser, Piece};
use hyper::body::Bytes;
use std::sync::Arc;
use std::time::Duration;

/// How long a stream that has answered may take to end, so that its connection can be used again.
const LAST: Duration = Duration::from_millis(250);

/// An event over the bound is thrown away as it comes, up to this many times the bound: it may have no end.
const WASTED: usize = 4;

/// After so many bytes a stream gives way: its server may send without an end, and calls have times, and other servers their turns.
const TURN: usize = 64 << 10;

/// An event stream that is being read.
pub(super) struct Reading {
    body: Body,
    parser: Parser,
    /// What has come and is not yet parsed.
    part: Bytes,
    /// How much was read since it gave way.
    since: usize,
    /// How much was thrown away of the event that is being read, and how much may be.
    wasted: usize,
    most_wasted: usize,
    /// The size of an event that was over its bound and that no id was found in: perhaps the answer, if no other comes.
    unnamed: Option<u64>,
    /// Whether anything came since this was last asked.
    pub(super) progressed: bool,
    /// Whether nothing has come yet.
    is_new: bool,
    /// How the stream was not written as it should be, if it was taken all the same.
    odd: Option<&'static str>,
    /// The most bytes of a message.
    most: usize,
}

/// What became of a frame that was brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Delivered {
    /// More may come there.
    GoesOn,
    /// The exchange has its answer, or it is no longer wanted.
    Answered,
    /// The connection is no longer there.
    Nowhere,
}

/// How reading ended.
#[derive(Debug)]
pub(super) enum StreamOutcome {
    /// The exchange has its answer.
    Answered,
    /// The connection is no longer there to bring anything to.
    Gone,
    /// The server ended the stream.
    Ended,
    /// The stream broke off.
    Broken(BodyError),
}

impl Reading {
    pub(super) fn new(body: Body, bounds: Bounds) -> Reading {
        let most_wasted = bounds.event.saturating_mul(WASTED);
        let parser = Parser::new(bounds);
        Reading {
            body,
            parser,
            part: Bytes::new(),
            since: 0,
            wasted: 0,
            most_wasted,
            unnamed: None,
            progressed: false,
            is_new: true,
            odd: None,
            most: bounds.event,
        }
    }

    /// One message that is called a stream, and that has begun to come: no line of a stream begins like JSON.
    async fn message(&mut self) -> Result<Piece, BodyError> {
        self.odd = Some("one message as a body of the type text/event-stream");
        let mut data = Vec::new();
        let mut next = Some(std::mem::take(&mut self.part));
        while let Some(part) = next {
            if data.len().saturating_add(part.len()) > self.most {
                return Err(BodyError::TooLarge(self.most));
            }
            data.try_reserve(part.len()).map_err(|_| BodyError::NoMemory(data.len()))?;
            data.extend_from_slice(&part);
            next = self.body.part().await?;
        }
        Ok(Piece::Event(Event { kind: "message".into(), data, id: None, retry: None }))
    }

    /// The event that the stream ended with, if it is whole without the blank line behind it.
    fn last(&mut self) -> Option<Piece> {
        let last = self.parser.end(|data| json::scan_value(data, MAX_DEPTH).is_ok())?;
        self.odd = Some("a stream that ends without a blank line behind its last event");
        self.progressed = true;
        Some(Piece::Event(last))
    }

    /// Goes on with a stream that takes up where this one broke off.
    pub(super) fn reopen(&mut self, body: Body) {
        self.body = body;
        self.part = Bytes::new();
        self.parser.reopen();
        self.wasted = 0;
    }

    /// How large the answer was, if what was too large for it to be found in was the answer.
    pub(super) fn perhaps_too_large(&self) -> Option<u64> {
        self.unnamed
    }

    pub(super) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// The next piece; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Result<Option<Piece>, BodyError> {
        loop {
            if self.since >= TURN {
                self.since = 0;
                tokio::task::yield_now().await;
            }
            if !self.part.is_empty() {
                let turn = self.part.get(..TURN).unwrap_or(&self.part);
                let mut rest = turn;
                let piece = self.parser.next_piece(&mut rest);
                let taken = turn.len() - rest.len();
                drop(self.part.split_to(taken));
                self.since += taken;
                self.wasted = if self.parser.is_over() { self.wasted.saturating_add(taken) } else { 0 };
                if self.wasted > self.most_wasted {
                    return Err(BodyError::TooLarge(self.most_wasted / WASTED));
                }
                if let Some(piece) = piece {
                    self.progressed = true;
                    return Ok(Some(piece));
                }
                if !self.part.is_empty() {
                    continue;
                }
            }
            match self.body.part().await? {
                Some(part) => self.part = part,
                None => return Ok(self.last()),
            }
            if std::mem::take(&mut self.is_new) && response::is_message(&self.part) {
                return self.message().await.map(Some);
            }
        }
    }
}

impl HttpTransport {
    /// Reads to the end of the stream, or until the exchange has its answer.
    pub(super) async fn read(
        self: &Arc<Self>,
        reading: &mut Reading,
        exchange: Option<(u64, bool)>,
    ) -> StreamOutcome {
        loop {
            self.wait_for_room().await;
            let piece = match reading.next().await {
                Ok(Some(piece)) => piece,
                Ok(None) => return StreamOutcome::Ended,
                Err(why) => return StreamOutcome::Broken(why),
            };
            if let Piece::Oversized { id: None, bytes, .. } = piece {
                reading.unnamed = Some(bytes);
            }
            if let Some(what) = reading.odd.take() {
                self.tolerated(what);
            }
            match self.bring(piece, exchange) {
                Delivered::GoesOn => {}
                Delivered::Nowhere => return StreamOutcome::Gone,
                Delivered::Answered => {
                    // Most servers end the stream now, and the connection is good for the next request.
                    reading.body.ends_soon();
                    let rest = async {
                        while let Ok(Some(piece)) = reading.next().await {
                            if self.bring(piece, exchange) == Delivered::Nowhere {
                                break;
                            }
                        }
                    };
                    let _ended_or_not = tokio::time::timeout(LAST, rest).await;
                    return StreamOutcome::Answered;
                }
            }
        }
    }

    /// Gives the engine the events of a body that is a stream and is called something else. Says whether the exchange goes on.
    pub(super) fn bring_all(&self, body: &[u8], exchange: Option<(u64, bool)>) -> Delivered {
        self.tolerated("events as a body that is not of the type text/event-stream");
        let mut parser = Parser::new(self.bounds());
        let mut rest = body;
        while let Some(piece) =
            parser.next_piece(&mut rest).or_else(|| parser.end(|_| true).map(Piece::Event))
        {
            let delivered = self.bring(piece, exchange);
            if delivered != Delivered::GoesOn {
                return delivered;
            }
        }
        Delivered::GoesOn
    }

    /// An answer is not written as it should be, and was taken.
    fn tolerated(&self, what: &'static str) {
        if let Some(connection) = self.connection() {
            connection.tolerated(what);
        }
    }

    /// Gives a piece of a stream to the engine.
    fn bring(&self, piece: Piece, exchange: Option<(u64, bool)>) -> Delivered {
        match piece {
            Piece::Event(event) if event.kind == "message" => self.deliver(exchange, event.data),
            Piece::Event(event) if response::is_named_message(&event.data) => {
                self.tolerated("a message in an event that is not called 'message'");
                self.deliver(exchange, event.data)
            }
            // Events of other kinds are extensions that we do not know.
            Piece::Event(_) => Delivered::GoesOn,
            Piece::Oversized { id, bytes, over: EventTooLarge::Memory } => {
                // What cannot be told apart any more is taken for the answer: nothing else comes in that size.
                let exchange = exchange.map(|(exchange, _)| exchange);
                self.receive(exchange, framing::Piece::Unheld { id: id.or(exchange), bytes })
            }
            Piece::Oversized { id, bytes, .. } => {
                self.receive(exchange.map(|(exchange, _)| exchange), framing::Piece::Oversized { id, bytes })
            }
        }
    }

    /// Waits while the application's queue is full and nothing may be lost.
    async fn wait_for_room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            let is_held = self.connection().is_some_and(|connection| connection.is_held_up());
            if !is_held {
                return;
            }
            room.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Waker};

    #[test]
    fn a_stream_without_an_end_gives_way_again_and_again() {
        for line in [&b":\n"[..], b"data: x\n\n", b"data: x\n", b"id: y\n"] {
            let (parts, body) = tokio::sync::mpsc::unbounded_channel();
            let part = Bytes::from(line.repeat((512 << 10) / line.len()));
            for _ in 0..8 {
                parts.send(Ok(part.clone())).expect("open");
            }
            drop(parts);
            let mut reading = Reading::new(Body::simulated(body), Bounds::of_messages(1 << 20));
            let mut all = pin!(async { while let Ok(Some(_)) = reading.next().await {} });
            let mut turns = 0;
            while all.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
                turns += 1;
            }
            // One event has its bound.
            assert!(turns >= 16, "{turns} turns for {}", String::from_utf8_lossy(line));
        }
    }
}
