//! A build without authorization: nothing of this type is ever made.

use super::caller::Caller;
use crate::runtime::server::Serving;
use crate::transport::http_server::refusal::Refusal;
use hyper::http::request::Parts;
use std::sync::Arc;

/// What checks tokens: this build has nothing that does.
#[derive(Debug)]
pub(crate) enum Authorization {}

impl Authorization {
    pub(super) async fn check(self: &Arc<Self>, _: &Arc<Serving>, _: &Parts) -> Result<Caller, Refusal> {
        match **self {}
    }

    pub(super) fn lacks(&self, _: &[String]) -> Refusal {
        match *self {}
    }

    pub(super) fn document_at(&self, _: &str) -> Option<&str> {
        match *self {}
    }
}
