//! How far an exchange has come: its answer is made, then its body is written.

use super::super::body::ServerBody;
use super::super::responses::refused;
use super::head::HostedHead;
use crate::transport::http_server::refusal::Refusal;
use bytes::Bytes;
use hyper::Response;
use hyper::body::Body as _;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

/// What makes the head of an answer.
pub(super) type Answering = Pin<Box<dyn Future<Output = Response<ServerBody>> + Send>>;

/// How far an exchange has come.
pub(super) enum Stage {
    /// A thread polls it.
    Polled,
    Answering(Answering),
    Writing(ServerBody),
    /// Nothing more follows behind what was not read.
    Complete,
    Cut,
    Freed,
}

impl Stage {
    pub(super) fn is_over(&self) -> bool {
        matches!(self, Stage::Complete | Stage::Cut | Stage::Freed)
    }

    /// Polls once; whether something came of it, and more may.
    pub(super) fn poll(
        &mut self,
        head: &OnceLock<HostedHead>,
        more: &mut VecDeque<Bytes>,
        context: &mut Context<'_>,
    ) -> bool {
        match self {
            Stage::Answering(answering) => match answering.as_mut().poll(context) {
                Poll::Ready(response) => {
                    *self = Stage::Writing(heading(head, response));
                    true
                }
                Poll::Pending => false,
            },
            Stage::Writing(body) => match Pin::new(body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        more.push_back(data);
                    }
                    true
                }
                Poll::Ready(Some(Err(_cut))) => {
                    *self = Stage::Cut;
                    true
                }
                Poll::Ready(None) => {
                    *self = Stage::Complete;
                    true
                }
                Poll::Pending => false,
            },
            Stage::Polled | Stage::Complete | Stage::Cut | Stage::Freed => false,
        }
    }
}

/// Answers with a refusal, whose bytes go behind `more`.
pub(super) fn refuse(refusal: &Refusal, head: &OnceLock<HostedHead>, more: &mut VecDeque<Bytes>) {
    let mut stage = Stage::Writing(heading(head, refused(refusal, None)));
    while stage.poll(head, more, &mut Context::from_waker(Waker::noop())) {}
}

/// Takes note of the head; gives the body.
fn heading(head: &OnceLock<HostedHead>, response: Response<ServerBody>) -> ServerBody {
    let (found, body) = HostedHead::of(response);
    // There is one answer.
    let _is_first = head.set(found);
    body
}
