//! Reading an event stream: message after message to the engine, no faster than the application takes them.

use super::HttpLink;
use crate::transport::http::body::{Body, BodyError};
use crate::transport::sse::{Bounds, Parser, Piece};
use hyper::body::Bytes;
use std::sync::Arc;
use std::time::Duration;

/// How long a stream that has answered may take to end, so that its connection can be used again.
const LAST: Duration = Duration::from_millis(250);

/// An event stream that is being read.
pub(super) struct Reading {
    body: Body,
    parser: Parser,
    /// What has come and is not yet parsed.
    part: Bytes,
    /// Whether anything came since this was last asked.
    pub(super) progressed: bool,
}

/// How reading ended.
#[derive(Debug)]
pub(super) enum End {
    /// The exchange has its answer.
    Answered,
    /// The connection is no longer there to bring anything to.
    Gone,
    /// The server ended the stream.
    Ended,
    /// The stream broke off.
    Broken(String),
}

impl Reading {
    pub(super) fn new(body: Body, bounds: Bounds) -> Reading {
        Reading { body, parser: Parser::new(bounds), part: Bytes::new(), progressed: false }
    }

    /// Goes on with a stream that takes up where this one broke off.
    pub(super) fn reopen(&mut self, body: Body) {
        self.body = body;
        self.part = Bytes::new();
        self.parser.reopen();
    }

    pub(super) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// The next piece; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Result<Option<Piece>, BodyError> {
        loop {
            if !self.part.is_empty() {
                let mut rest = &*self.part;
                let piece = self.parser.next_piece(&mut rest);
                let taken = self.part.len() - rest.len();
                drop(self.part.split_to(taken));
                if let Some(piece) = piece {
                    self.progressed = true;
                    return Ok(Some(piece));
                }
            }
            match self.body.part().await? {
                Some(part) => self.part = part,
                None => return Ok(None),
            }
        }
    }
}

impl HttpLink {
    /// Reads to the end of the stream, or until the exchange has its answer.
    pub(super) async fn read(self: &Arc<Self>, reading: &mut Reading, exchange: Option<(u64, bool)>) -> End {
        loop {
            self.wait_for_room().await;
            let piece = match reading.next().await {
                Ok(Some(piece)) => piece,
                Ok(None) => return End::Ended,
                Err(why) => return End::Broken(why.to_string()),
            };
            if !self.bring(piece, exchange) {
                return End::Gone;
            }
            if let Some((number, _)) = exchange
                && !self.is_under_way(number)
            {
                // It has its answer. Most servers end the stream now, and the connection is good for the next request.
                let rest = async {
                    while let Ok(Some(piece)) = reading.next().await {
                        if !self.bring(piece, exchange) {
                            break;
                        }
                    }
                };
                let _ended_or_not = tokio::time::timeout(LAST, rest).await;
                return End::Answered;
            }
        }
    }

    /// Gives a piece of a stream to the engine. Says whether there still is one.
    fn bring(&self, piece: Piece, exchange: Option<(u64, bool)>) -> bool {
        match piece {
            Piece::Event(event) if event.kind == "message" => self.deliver(exchange, event.data),
            // Events of other kinds are extensions that we do not know.
            Piece::Event(_) => true,
            Piece::Oversized { id, bytes, .. } => self.oversized(id, bytes),
        }
    }

    /// Waits while the application's queue is full and nothing may be lost.
    async fn wait_for_room(&self) {
        loop {
            let room = self.room.notified();
            tokio::pin!(room);
            room.as_mut().enable();
            let is_held = self
                .connection()
                .is_some_and(|connection| connection.queue.holds_up(&connection.as_resume()));
            if !is_held {
                return;
            }
            room.await;
        }
    }
}
