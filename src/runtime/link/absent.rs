//! HTTP in a build without it: there is no value of [`Http`], so that nothing else needs to ask.

use super::endpoint::Endpoint;
use super::owner::{Driven, Owner};
use crate::engine::{Error, Shape};
use crate::protocol::{Frame, Revision};
use crate::runtime::inline_exchange::InlineExchange;
use crate::runtime::waiter::Waiter;
use std::sync::Arc;
use std::time::Instant;

/// What HTTP tells the connection beside what every transport does.
pub(crate) trait HttpOwner: Owner {}
impl<T: Driven> HttpOwner for T {}

#[derive(Debug)]
pub(crate) enum Http {}

#[expect(clippy::unused_self, reason = "there is none")]
impl Http {
    pub(crate) fn of(_: &Endpoint) -> Result<Option<Http>, Error> {
        Ok(None)
    }
    pub(crate) fn open(&self, _: Arc<dyn HttpOwner>, _: u64, _: Shape) {}
    pub(crate) fn send(&self, _: Frame, _: Option<Revision>) -> Option<InlineExchange> {
        None
    }
    pub(crate) fn run(&self, _: InlineExchange) {}
    pub(crate) fn abort(&self, _: u64) {}
    pub(crate) fn listen(&self, _: u64, _: Revision) {}
    pub(crate) fn drive(&self, _: &Arc<Waiter>, _: Option<Instant>) {}
    pub(crate) fn resume(&self) {}
    pub(crate) fn close(&self, _: u64, _: Option<Instant>) {}
    pub(crate) fn finish(&self) {}
    pub(crate) fn waiting_bytes(&self) -> usize {
        0
    }
    pub(crate) fn has_session(&self) -> Option<bool> {
        None
    }
    pub(crate) fn known(&self) -> Option<Shape> {
        None
    }
    pub(crate) fn remember(&self, _: Option<Shape>) {}
}
