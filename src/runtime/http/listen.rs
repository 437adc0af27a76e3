//! The stream of the server's own messages (legacy era): opened before the connection is ready, taken up again when it ends,
//! and never a reason for anything else to fail.

use super::HttpLink;
use super::exchange::{LONGEST_WAIT, pause};
use super::faults;
use super::send::Purpose;
use super::stream::{End, Reading};
use crate::engine::{Error, FailureKind, Level, Status};
use crate::protocol::Revision;
use crate::transport::http::request::{self, Speaking};
use crate::transport::http::response::{self, Answer, Sent};
use hyper::Method;
use std::sync::Arc;
use tokio::time::Instant;

/// Attempts in a row that reach no server, before the connection counts as lost.
const UNREACHABLE: u32 = 2;

impl HttpLink {
    /// Keeps the stream open for as long as the server has one.
    pub(super) async fn listens(self: &Arc<Self>, revision: Revision) {
        // A server may take nothing before `notifications/initialized`.
        self.notices_sent().await;
        let mut reading: Option<Reading> = None;
        let mut had_one = false;
        let mut attempts = 0;
        let mut unreachable = 0;
        loop {
            let begun = Instant::now();
            let session = self.session();
            let speaking = Speaking { revision, initialized: true, session: session.as_ref() };
            let id = reading.as_ref().and_then(|reading| reading.parser().last_id()).map(str::to_owned);
            let headers = request::get(speaking, id.as_deref());
            let context = self.context("listen");
            let purpose = Purpose::of("listen");
            let sent =
                self.request(Method::GET, self.target(), &headers, hyper::body::Bytes::new(), purpose).await;
            let why = match sent {
                Ok(mut received) => {
                    unreachable = 0;
                    if let Some(Answer::EventStream) =
                        response::by_head(Sent::Listen, received.head(session.is_some()))
                    {
                        // One that goes on where it broke off has missed nothing.
                        if id.is_none() {
                            self.listening();
                        }
                        had_one = true;
                        let stream = match reading.as_mut() {
                            Some(reading) => {
                                reading.reopen(received.body);
                                reading
                            }
                            None => reading.insert(Reading::new(received.body, self.bounds())),
                        };
                        match self.read(stream, None).await {
                            End::Gone | End::Answered => return,
                            End::Ended => "it ended".to_owned(),
                            End::Broken(why) => why.to_string(),
                        }
                    } else {
                        let failure =
                            faults::read(Sent::Listen, &mut received, session.is_some(), &context).await;
                        self.listening();
                        if !failure.error.retryable && had_one && id.is_some() {
                            // It does not keep what followed: what was missed is lost, what comes now need not be.
                            reading = None;
                        } else if !failure.error.retryable && had_one && session.is_some() {
                            // A session that it serves has such a stream.
                            return self.has_no_session(failure.error);
                        } else if !failure.error.retryable {
                            // It has none: most servers say so with 405.
                            return self.log(
                                Level::Debug,
                                "listen.none",
                                &[("why", failure.error.message.into())],
                            );
                        }
                        failure.error.message
                    }
                }
                Err(failure) => {
                    self.listening();
                    if failure.kind == FailureKind::Unreachable {
                        unreachable += 1;
                    }
                    failure.error.message
                }
            };
            if unreachable >= UNREACHABLE {
                // Perhaps nothing else notices that the server is gone.
                if let Some(connection) = self.connection() {
                    connection.lost(self.generation, Error::new(Status::Transport, "connection", why));
                }
                return;
            }
            let brought = reading.as_mut().is_some_and(|reading| std::mem::take(&mut reading.progressed));
            if brought || begun.elapsed() >= LONGEST_WAIT {
                // What lived that long was a good stream, however quiet: something on the way ends idle ones.
                attempts = 0;
            }
            if attempts >= self.settings.resume_attempts {
                return self.log(
                    Level::Warn,
                    "listen.given_up",
                    &[("why", why.into()), ("attempts", attempts.into())],
                );
            }
            let retry = reading.as_ref().and_then(|reading| reading.parser().last_retry());
            self.log(Level::Debug, "listen.again", &[("why", why.into()), ("attempt", attempts.into())]);
            tokio::time::sleep(pause(retry, attempts)).await;
            attempts += 1;
        }
    }

    /// The server knows the session no more.
    fn has_no_session(&self, error: Error) {
        if let Some(connection) = self.connection() {
            connection.session_ended(self.generation, None, error, &mut || self.session_is_gone());
        }
    }

    fn listening(&self) {
        if let Some(connection) = self.connection() {
            connection.listening(self.generation);
        }
    }
}
